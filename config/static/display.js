// Turn the display's pages. The server sends as many lines per page as surely fit; lay the same lines out again for this
// screen, so that no name is cut off and no page is half empty. A bar shows when the next page comes (words with reduced
// motion). Turning continues when a live update brings new pages.

const MAX_PREFIX = 3; // as in events/display.py
const LOOK = 100;
const place = document.getElementById("slides");
const turned = document.getElementById("turn");
const hold = document.getElementById("hold");
const flows = matchMedia("(max-width: 40rem), (max-height: 30rem)"); // a phone: the page scrolls, with no layout of pages
const isHigh = matchMedia("(max-aspect-ratio: 1/1)");
const still = matchMedia("(prefers-reduced-motion: reduce)");
let at = null;
let until = 0;
let left = 0;
let motion = null;

const paired = () => place.querySelector("[data-kind=pairings]")?.dataset.round ?? "";
let newest = paired();
const seconds = () => Math.max(5, Number(place.dataset.seconds ?? 12));
const slides = () => [...place.querySelectorAll("[data-slide]")];
const linesOf = (slide) => [...slide.querySelectorAll("[data-line]")];
const tallest = (slide) => Math.max(0, ...[...slide.querySelector(".slide-columns").children].map((one) => one.offsetHeight));
const runsOver = (slide) => tallest(slide) > slide.querySelector(".slide-columns").clientHeight;

function empty(pattern, columns) {
  const page = pattern.cloneNode(true);
  const frame = page.querySelector(".slide-columns");
  const one = frame.firstElementChild;
  for (const line of one.querySelectorAll("[data-line]")) line.remove();
  frame.replaceChildren(one);
  for (let more = 1; more < columns; more += 1) frame.append(one.cloneNode(true));
  page.hidden = false;
  return page;
}

function fill(group) {
  for (const slide of group) slide.hidden = true;
  const first = group[0];
  if (first.classList.contains("roomy")) {
    first.hidden = false;
    if (!runsOver(first)) return;
    first.classList.remove("roomy");
    first.hidden = true;
  }
  const lines = group.flatMap(linesOf);
  const columns = isHigh.matches ? 1 : Number(first.dataset.columns);
  const pages = [];
  let page = null;
  let column = columns;
  for (const line of lines) {
    for (;;) {
      if (column >= columns) {
        if (page) page.hidden = true;
        page = empty(first, columns);
        pages.push(page);
        first.before(page);
        column = 0;
      }
      const frame = page.querySelector(".slide-columns");
      const holder = frame.children[column].matches("[data-column]") ? frame.children[column] : frame.children[column].querySelector("[data-column]");
      holder.append(line);
      if (frame.children[column].offsetHeight <= frame.clientHeight || holder.children.length === 1) break;
      column += 1;
    }
  }
  for (const slide of group) slide.remove();
  for (const [index, one] of pages.entries()) {
    one.dataset.slide = `${one.dataset.kind}-${index + 1}`;
    one.querySelector("[data-of]").textContent = pages.length > 1 ? `${index + 1}/${pages.length}` : "";
  }
  sayRanges(pages);
}

function beginning(word, other) {
  for (let length = 1; length <= MAX_PREFIX; length += 1) {
    if (word.slice(0, length) !== other.slice(0, length)) return word.slice(0, length).trim();
  }
  return word.slice(0, MAX_PREFIX).trim();
}

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

function sayRanges(pages) {
  const keys = pages.map((page) => linesOf(page).map((line) => line.dataset.line));
  pages.forEach((page, index) => {
    const own = keys[index];
    const first = capital(beginning(own[0], index ? keys[index - 1].at(-1) : ""));
    const last = capital(beginning(own.at(-1), keys[index + 1]?.[0] ?? ""));
    const said = pages.length < 2 || !own[0] ? "" : first === last ? first : `${first}–${last}`;
    page.querySelector("[data-range]").textContent = said;
  });
}

function lay() {
  if (flows.matches) return;
  const groups = new Map();
  for (const slide of slides()) groups.set(slide.dataset.kind, [...(groups.get(slide.dataset.kind) ?? []), slide]);
  for (const slide of slides()) slide.hidden = true;
  for (const [kind, group] of groups) if (kind !== "bracket") fill(group); // a drawing fits by itself
}

function show(wanted) {
  const all = slides();
  const index = Math.max(0, all.findIndex((slide) => slide.dataset.slide === wanted));
  all.forEach((slide, number) => {
    slide.hidden = number !== index;
  });
  at = all[index]?.dataset.slide ?? null;
}

const isHeldByHand = () => hold.getAttribute("aria-pressed") === "true";
const isHeld = () => isHeldByHand() || Boolean(document.querySelector(".display-settings[open]"));

function wind(rest = seconds() * 1000) {
  until = performance.now() + rest;
  const bar = turned.querySelector(".turn-bar");
  motion?.cancel();
  bar.hidden = still.matches || slides().length < 2;
  if (bar.hidden) return;
  motion = bar.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: seconds() * 1000, fill: "forwards" });
  motion.currentTime = seconds() * 1000 - rest;
}

function step(by) {
  const all = slides();
  if (all.length) {
    const index = all.findIndex((slide) => slide.dataset.slide === at);
    show(all[(index + by + all.length) % all.length].dataset.slide);
  }
  wind();
}

function look() {
  if (isHeld()) {
    if (motion?.playState === "running") motion.pause();
    until = performance.now() + left;
  } else {
    if (motion?.playState === "paused") motion.play();
    left = Math.max(0, until - performance.now());
    if (!left) step(1);
  }
  const words = still.matches && slides().length > 1 ? turned.dataset.words.replace("#", String(Math.ceil(left / 1000))) : "";
  const said = turned.querySelector(".turn-words");
  if (said.textContent !== words) said.textContent = words;
}

function again() {
  lay();
  show(at);
  wind(left || undefined);
}

function fresh() {
  const before = newest;
  newest = paired();
  if (newest && newest !== before && !isHeldByHand()) {
    at = "pairings-1"; // new pairings: players look for their tables, so don't finish the standings first
    left = seconds() * 1000;
  }
  again();
}

function soon() {
  clearTimeout(soon.timer);
  soon.timer = setTimeout(again, LOOK);
}

at = slides().find((slide) => !slide.hidden)?.dataset.slide ?? null;
hold.hidden = false;
hold.addEventListener("click", () => hold.setAttribute("aria-pressed", String(!isHeldByHand())));
document.addEventListener("headjudge:fresh", fresh);
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("form, details") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowRight") step(1);
  if (event.key === "ArrowLeft") step(-1);
});
new ResizeObserver(soon).observe(place); // the clock's words, an announcement or the window changed the room
again();
setInterval(look, LOOK);
