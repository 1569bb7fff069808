// The player's own page: its service worker keeps it to read without network, and here it says how old it then is.

const { kept } = document.documentElement.dataset; // when the worker kept the page that is shown without network
const said = document.getElementById("kept");
const units = [["day", 86400], ["hour", 3600], ["minute", 60]];

function age() {
  const { lang } = document.documentElement;
  const seconds = (Date.now() - Date.parse(kept)) / 1000;
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? ["minute", 60];
  const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
  const time = new Date(kept).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" });
  said.textContent = said.dataset.words.replace("#", `${time} (${ago})`);
  said.hidden = false;
}

if (kept) {
  age();
  const timer = setInterval(age, 20000);
  document.addEventListener("headjudge:time", () => { // the server has answered, and live.js brings what has changed
    clearInterval(timer);
    said.hidden = true;
  });
}

if (window.isSecureContext && "serviceWorker" in navigator) {
  if (!navigator.serviceWorker.controller) {
    navigator.serviceWorker.addEventListener("controllerchange", () => fetch(location.href), { once: true }); // and so keep it
  }
  navigator.serviceWorker.register("/worker.js").catch(() => {}); // the page works without it
}
