// Don't show a page again after its user signed out. Browsers keep whole pages for the Back button, and on a shared phone
// the next person would find a judge's console there. Each signed-out page changes a mark; a signed-in page that comes
// back and finds the mark changed is reloaded.

const MARK = "headjudge signed out";
const { pageOf } = document.documentElement.dataset; // empty where the page can't tell, such as the one for a busy database

function mark() {
  try {
    return localStorage.getItem(MARK);
  } catch {
    return null; // no storage
  }
}

if (pageOf === "nobody") {
  window.caches?.delete("headjudge own page"); // the player's page that worker.js keeps
  navigator.serviceWorker?.getRegistration().then((worker) => worker?.pushManager?.getSubscription())
    .then((subscription) => subscription?.unsubscribe()).catch(() => {}); // the push service then tells the server
  try {
    localStorage.setItem(MARK, `${Date.now()} ${Math.random()}`);
  } catch {
    // as above
  }
}
const before = mark();
addEventListener("pageshow", (event) => {
  if (!event.persisted || pageOf !== "own" || mark() === before) return;
  document.documentElement.hidden = true;
  location.reload();
});
