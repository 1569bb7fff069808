// What every page does beyond its HTML: close the menu, dismiss messages, and stay where it was after an act.

const HERE = "headjudge here";
const DISMISSED = "headjudge dismissed";
const menu = document.querySelector("details.menu");

function stored(storage, key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null; // no storage, or not ours
  }
}

function store(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // no storage
  }
}

addEventListener("click", (event) => {
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// A message can be dismissed; one with a name (an announcement) stays dismissed on this device.
function offerDismissal() {
  const gone = stored(localStorage, DISMISSED) ?? [];
  for (const message of document.querySelectorAll("[data-dismissible]")) {
    const name = message.dataset.dismissible;
    if (name && gone.includes(name)) message.hidden = true;
    if (message.hidden || message.querySelector(".dismiss")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "dismiss link";
    button.setAttribute("aria-label", document.body.dataset.dismiss);
    button.textContent = "×";
    button.addEventListener("click", () => {
      if (name) store(localStorage, DISMISSED, [...(stored(localStorage, DISMISSED) ?? []), name].slice(-50));
      message.hidden = true;
      document.getElementById("main").focus({ preventScroll: true });
    });
    message.append(button);
  }
}
offerDismissal();
document.addEventListener("headjudge:fresh", offerDismissal);

// After an act that leads back to the same page, show the same part of it.
addEventListener("submit", (event) => {
  if (event.target.method === "post") store(sessionStorage, HERE, [location.pathname, scrollY, Date.now()]);
});
const [path, top, at] = stored(sessionStorage, HERE) ?? [];
const wrong = document.querySelector("main form [role=alert]");
if (wrong) wrong.focus();
else if (path === location.pathname && !location.hash && Date.now() - at < 15000) scrollTo(0, top);
store(sessionStorage, HERE, null);

// What the act did is said where the eye is, even far down the page.
const said = document.querySelector(".messages");
if (said) {
  const seeing = new IntersectionObserver(([seen]) => {
    seeing.disconnect();
    if (seen.isIntersecting) return;
    said.classList.add("toast");
    setTimeout(() => said.classList.remove("toast"), 8000); // it may cover something; at its own place it stays
  });
  addEventListener("load", () => seeing.observe(said));
}
