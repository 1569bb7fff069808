// Live updates: when the event stream reports a new counter, fetch the page again and replace the parts marked
// data-live="name". Nothing typed is lost, and focus stays. Where the network blocks the stream, poll the counter.
// Stream and polling both report to heard().

const EVERY = 5000;
const MAX_WAIT = 60000;
const SPREAD = 500; // so that a hall full of phones doesn't ask at the same instant
const RESTS = 20; // after a page that took a second, wait twenty, to spare a busy site
const MAX_REST = 30000;
const SILENCE = 40000; // the stream beats every 15 s; after this long without one, it is dead
const SAID_BEHIND = 6000;
const STREAM_AGAIN = 20000;
const PATIENCE = 30000; // retry a request that hangs, for example after a phone slept
const ASLEEP = 60000; // close the stream of a hidden page: a browser opens only six per site
const place = document.getElementById("live");
const behind = document.getElementById("live-behind");
const shown = new Map();
let counter = Number(place?.dataset.counter ?? 0); // the counter this page was rendered at
let newest = counter; // the latest counter reported
let failures = 0; // of polls in a row
let missed = 0; // failed fetches of the page since it changed
let notBefore = 0;
let timer = 0;
let fetching = 0; // timer of the next fetch
let busy = false; // fetching: the next fetch waits, so that an older response never replaces a newer one
let stream = null;
let spoke = false; // the stream has sent something: some networks open it but let nothing through
let lastHeard = 0;
let cutSince = 0;
let asleep = 0;

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
      // number and date inputs have no selection
    }
  }
}

async function freshen() {
  const asked = performance.now();
  const response = await fetch(location.href, {
    headers: { "X-Live": String(newest) },
    credentials: "same-origin",
    cache: "no-cache",
    signal: AbortSignal.timeout?.(PATIENCE),
  });
  if (response.status === 405) return; // this page is a form's response and can't be fetched without it
  if (!response.ok || response.redirected) throw new Error(String(response.status)); // or the page would count as up to date
  const text = await response.text();
  notBefore = performance.now() + Math.min(MAX_REST, RESTS * (performance.now() - asked));
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
  document.dispatchEvent(new CustomEvent("headjudge:fresh"));
}

async function catchUp() {
  fetching = 0;
  busy = true;
  const wanted = newest;
  try {
    await freshen();
    counter = wanted;
    missed = 0;
    well();
  } catch {
    missed += 1;
    notBefore = performance.now() + Math.min(EVERY * 2 ** (missed - 1), MAX_WAIT) * (0.9 + 0.2 * Math.random());
    if (missed > 1) behind.hidden = false;
  }
  busy = false;
  if (newest !== counter) follow();
}

function follow() {
  if (fetching || busy) return;
  const rest = Math.max(0, notBefore - performance.now());
  fetching = setTimeout(catchUp, rest + SPREAD * Math.random());
}

function heard(change) {
  if (change.now) document.dispatchEvent(new CustomEvent("headjudge:time", { detail: change }));
  if (change.counter === undefined || change.counter === newest) return;
  newest = change.counter;
  if (newest !== counter) follow();
}

function well() {
  failures = 0;
  cutSince = 0;
  if (missed < 2) behind.hidden = true;
}

function unwell() {
  failures += 1;
  cutSince ||= performance.now();
  behind.hidden = performance.now() - cutSince < SAID_BEHIND && failures < 2;
}

async function poll() {
  clearTimeout(timer);
  try {
    const sent = Date.now();
    const response = await fetch(place.dataset.notification, {
      headers: { "If-None-Match": `"${newest}"`, Accept: "application/json" },
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    if (!response.ok && response.status !== 304) throw new Error(String(response.status));
    const middle = (sent + Date.now()) / 2;
    const now = Number(response.headers.get("X-Now"));
    const given = response.status === 304 ? newest : (await response.json()).counter;
    well();
    heard({ counter: given, now, middle });
  } catch {
    unwell();
  }
  if (stream && spoke) return;
  const wait = Math.min(EVERY * 2 ** Math.max(0, failures - 1), MAX_WAIT);
  clearTimeout(timer); // another poll may be scheduled already; one is enough
  timer = setTimeout(poll, wait * (0.9 + 0.2 * Math.random()));
}

function cut() {
  stream?.close();
  stream = null;
}

function listen() {
  cut();
  if (!place.dataset.stream || !("EventSource" in window)) return;
  const opened = new EventSource(place.dataset.stream);
  stream = opened;
  spoke = false;
  lastHeard = performance.now();
  opened.addEventListener("change", (event) => {
    lastHeard = performance.now();
    spoke = true;
    const change = JSON.parse(event.data);
    well();
    heard({ counter: change.counter, now: change.now, middle: Date.now() });
  });
  opened.addEventListener("error", () => {
    if (stream !== opened) return;
    if (opened.readyState !== EventSource.CLOSED) return unwellSoon();
    cut(); // the network blocks the stream: poll, and try again later
    poll();
    setTimeout(() => {
      if (!stream && !document.hidden) listen();
    }, STREAM_AGAIN);
  });
}

function unwellSoon() {
  cutSince ||= performance.now();
}

function watch() {
  if (stream && performance.now() - lastHeard > SILENCE) {
    listen();
    poll();
  }
  if (cutSince && performance.now() - cutSince > SAID_BEHIND) behind.hidden = false;
}

function awake() {
  clearTimeout(asleep);
  if (!stream) listen();
  notBefore = 0; // the page is visible or the network is back: catch up at once
  clearTimeout(fetching);
  fetching = 0;
  if (newest !== counter) follow();
  poll();
}

if (place) {
  for (const [name, part] of parts(document)) shown.set(name, part.innerHTML);
  const main = document.getElementById("main");
  if (behind && main) main.prepend(behind);
  listen();
  timer = setTimeout(poll, stream ? EVERY : 1000);
  setInterval(watch, 2000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) awake();
    else if (!document.querySelector("[data-notice]")) asleep = setTimeout(cut, ASLEEP);
  });
  addEventListener("online", awake);
  addEventListener("offline", poll); // the site may be reachable without the internet; only a request can tell
  addEventListener("pagehide", cut);
  addEventListener("pageshow", (event) => event.persisted && awake());
}
