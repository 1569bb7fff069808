// A page of somebody who has signed out since isn't shown again. Browsers keep whole pages for their Back button, and on
// a shared phone the next person would find a judge's console there. Each page of nobody's leaves a mark; a page of
// somebody's own that comes back and finds another mark than before is asked of the site again.

const MARK = "headjudge signed out";
const { pageOf } = document.documentElement.dataset; // empty on a page that doesn't know, such as that of a busy database

function mark() {
  try {
    return localStorage.getItem(MARK);
  } catch {
    return null; // a browser that keeps nothing
  }
}

if (pageOf === "nobody") {
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
