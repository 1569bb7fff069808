// The live word: asks the event's counter, and where it has moved fetches the page again and exchanges the parts
// marked data-live="name". Nothing typed is lost, focus stays where it is. Another source of the word (a stream of
// events) can take poll()'s place: whatever it hears goes to heard().

const EVERY = 5000;
const LONGEST = 60000;
const RESTS = 20; // after a page that took a second to come, wait twenty: a busy site is not asked more than it can bear
const LONGEST_REST = 30000;
const place = document.getElementById("live");
const behind = document.getElementById("live-behind");
const shown = new Map();
let counter = Number(place?.dataset.counter ?? 0);
let failures = 0;
let notBefore = 0;
let timer = 0;

function parts(root) {
  return new Map([...root.querySelectorAll("[data-live]")].map((part) => [part.dataset.live, part]));
}

function keyOf(control) {
  const form = control.closest("form");
  return control.id || `${form?.getAttribute("action") ?? ""}|${form?.dataset.key ?? ""}|${control.name}|${control.type === "radio" ? control.value : ""}`;
}

function isChanged(control) {
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (control.tagName === "SELECT") return [...control.options].some((option) => option.selected !== option.defaultSelected);
  return control.value !== control.defaultValue;
}

function kept(part) {
  const controls = [...part.querySelectorAll("input:not([type=hidden]),select,textarea")].filter(isChanged);
  const active = part.contains(document.activeElement) ? document.activeElement : null;
  return {
    typed: controls.map((control) => [keyOf(control), control.value, control.checked]),
    open: [...part.querySelectorAll("details[open][id]")].map((details) => details.id),
    focus: active && {
      key: active.matches("input,select,textarea") ? keyOf(active) : null,
      text: active.textContent,
      href: active.getAttribute("href"),
      tag: active.tagName,
      start: active.selectionStart,
      end: active.selectionEnd,
    },
  };
}

function restore(part, had) {
  const controls = [...part.querySelectorAll("input:not([type=hidden]),select,textarea")];
  for (const [key, value, checked] of had.typed) {
    const control = controls.find((one) => keyOf(one) === key);
    if (!control) continue;
    if (control.type === "checkbox" || control.type === "radio") control.checked = checked;
    else control.value = value;
  }
  for (const id of had.open) document.getElementById(id)?.setAttribute("open", "");
  if (!had.focus) return;
  const again = had.focus.key
    ? controls.find((one) => keyOf(one) === had.focus.key)
    : [...part.querySelectorAll(had.focus.tag)].find(
        (one) => one.getAttribute("href") === had.focus.href && one.textContent === had.focus.text,
      );
  const target = again ?? part;
  if (target === part) part.setAttribute("tabindex", "-1");
  target.focus({ preventScroll: true });
  if (again && typeof had.focus.start === "number") {
    try {
      again.setSelectionRange(had.focus.start, had.focus.end);
    } catch {
      // numbers and dates have no selection
    }
  }
}

async function freshen() {
  const asked = performance.now();
  const response = await fetch(location.href, { headers: { "X-Live": "1" }, credentials: "same-origin", cache: "no-store" });
  if (!response.ok || response.redirected) return;
  const text = await response.text();
  notBefore = performance.now() + Math.min(LONGEST_REST, RESTS * (performance.now() - asked));
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = parts(page);
  for (const [name, part] of parts(document)) {
    const next = fresh.get(name);
    if (!next || shown.get(name) === next.innerHTML) continue;
    const had = kept(part);
    shown.set(name, next.innerHTML);
    part.innerHTML = next.innerHTML;
    restore(part, had);
  }
  const stated = Number(page.getElementById("live")?.dataset.counter ?? counter);
  counter = Math.max(counter, stated);
  document.dispatchEvent(new CustomEvent("headjudge:fresh"));
}

async function heard(word) {
  if (word.now) document.dispatchEvent(new CustomEvent("headjudge:time", { detail: word }));
  if (word.counter === undefined || word.counter === counter || performance.now() < notBefore) return;
  await freshen();
  counter = Math.max(counter, word.counter);
}

async function poll() {
  clearTimeout(timer);
  try {
    const sent = Date.now();
    const response = await fetch(place.dataset.word, {
      headers: { "If-None-Match": `"${counter}"`, Accept: "application/json" },
      cache: "no-store",
      credentials: "omit",
    });
    if (!response.ok && response.status !== 304) throw new Error(String(response.status));
    const middle = (sent + Date.now()) / 2;
    const now = Number(response.headers.get("X-Now"));
    await heard({ counter: response.status === 304 ? counter : (await response.json()).counter, now, middle });
    failures = 0;
    behind.hidden = true;
  } catch {
    failures += 1;
    behind.hidden = failures < 2;
  }
  const wait = Math.min(EVERY * 2 ** Math.max(0, failures - 1), LONGEST);
  timer = setTimeout(poll, wait * (0.9 + 0.2 * Math.random()));
}

if (place) {
  for (const [name, part] of parts(document)) shown.set(name, part.innerHTML);
  const main = document.getElementById("main");
  if (behind && main) main.prepend(behind);
  timer = setTimeout(poll, 1000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) poll();
  });
  addEventListener("online", poll);
}
