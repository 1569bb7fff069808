// A dispute: a tap on the board fills in the square a form asks for, arrow keys move between steps, and the second die's
// tap enters both dice. Every form and link works without this script; with it, only the page's middle is replaced.

import { fetchAgain } from "./again.js";
import { edgeAt, isInside, markSquare, nameOf, pointOn, sizeOf, squareOf } from "./squares.js";

const main = document.getElementById("main");
const spoken = document.getElementById("spoken");
const narrow = matchMedia("(max-width: 60rem)"); // the board is below the text
let cursor = null;
let busy = false;
const keys = []; // keys pressed while a step was loading
let drawn = null; // squares or edges of a stroke that isn't finished
const strokes = []; // finished and not sent yet: address and fields

const board = () => document.getElementById("board");
const drawing = () => board()?.querySelector(".board-drawing");
const stands = () => JSON.parse(board()?.dataset.squares || "{}");

// Describe what is in a square; areas are given as squares and rectangles.
function lies([column, row]) {
  const holds = (names) => names.some((name) => {
    const [one, other] = name.split(":").map(squareOf);
    const end = other ?? one;
    return column >= Math.min(one[0], end[0]) && column <= Math.max(one[0], end[0]) && row >= Math.min(one[1], end[1]) && row <= Math.max(one[1], end[1]);
  });
  return JSON.parse(board()?.dataset.ground || "[]").filter(([, names]) => holds(names)).map(([words]) => words);
}

// --- replacing the page's middle ---

// `isOwn`: whether this device asked for it. What others changed is shown where one is, or not at all if it can't be fetched.
async function load(address, options = {}, isOwn = true) {
  if (busy) return;
  busy = true;
  main.setAttribute("aria-busy", "true");
  const [wanted, anchor] = address.split("#");
  try {
    const answer = await fetchAgain(wanted, options);
    const parts = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = parts.getElementById("main");
    if (!fresh || !(isOwn || answer.ok)) throw new Error(String(answer.status));
    if (drawn) await new Promise((ended) => document.addEventListener("drawn", ended, { once: true }));
    const placed = board()?.dataset.taps === "place";
    const open = [...main.querySelectorAll("details[id][open]")].map((one) => one.id);
    const focused = document.activeElement;
    const typed = options.method && !parts.querySelector(".messages :is(.error, .warning)") ? [] : entered();
    const [branches, along] = [main.querySelectorAll(".branch").length, main.querySelector(".branches")?.scrollLeft ?? 0];
    main.innerHTML = fresh.innerHTML;
    document.title = parts.title;
    for (const [id, value, figure] of typed) {
      const same = document.getElementById(id);
      if (same && figureOf(same) === figure) same.value = value;
    }
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    const there = answer.redirected ? answer.url : options.method ? location.href : wanted; // a refused form stays where it is
    if (there.split("#")[0] !== location.href.split("#")[0]) history.pushState({}, "", there);
    begin();
    showBranches(branches, along);
    const next = document.getElementById("next");
    const target = (anchor && document.getElementById(anchor)) || next;
    const goesOn = placed && board()?.dataset.taps === "place";
    if (isOwn && target && target !== next) target.scrollIntoView({ block: "nearest" });
    else if (isOwn && next && !goesOn && (narrow.matches || next.getBoundingClientRect().top < 0)) next.scrollIntoView({ block: "start" });
    focusAgain(focused, next?.querySelector("h2") ?? main, isOwn);
    say(isOwn ? "" : document.getElementById("dispute")?.dataset.saysChanged);
  } catch {
    if (options.method) refuse();
    else if (isOwn) location.href = address;
  }
  busy = false;
  main.removeAttribute("aria-busy");
  const key = keys.shift();
  if (strokes.length) sendNextStroke();
  else if (key) press(key);
  else if (isOwn) catchUp();
  else setTimeout(catchUp, 2000); // if it couldn't be fetched
}

// Focus the button, link or field that does the same as the one that had focus, otherwise the title of the step.
function focusAgain(was, title, isOwn) {
  const isLost = was === document.body ? isOwn : was === main || !document.contains(was);
  if (!isLost) return;
  const same = (one) => ["name", "value", "href", "textContent"].every((part) => one[part] === was[part]);
  const alike = was.matches("a, button, summary") ? [...main.querySelectorAll(was.localName)].find(same) : null;
  const found = was.id && was !== main ? document.getElementById(was.id) : alike;
  if (!found?.getClientRects().length) title.tabIndex = -1;
  (found?.getClientRects().length ? found : title).focus({ preventScroll: true });
}

// What has been typed and not sent, by the field's id: another judge's change or a refusal doesn't lose it.
function entered() {
  const fields = [...main.querySelectorAll("input[id]:not([type=radio], [type=checkbox]), textarea[id]")];
  return fields.filter((one) => one.value !== one.defaultValue).map((one) => [one.id, one.value, figureOf(one)]);
}
function figureOf(field) {
  return field.form?.elements.figure?.value; // every figure's sheet has the same fields
}

// Show the changes of other judges and devices as they are made. The stream sends something every 15 s; while it doesn't,
// ask for the position file's version instead.
const SILENCE = 40_000;
const EVERY = 5000;
let stream = null;
let newest = 0;
let heardAt = -SILENCE;
function follow() {
  const address = document.getElementById("dispute")?.dataset.stream;
  if (stream?.address === address) return;
  stream?.source.close();
  stream = address ? { address, source: new EventSource(address) } : null;
  stream?.source.addEventListener("change", (event) => {
    heardAt = performance.now();
    hear(JSON.parse(event.data).counter);
  });
}
function hear(version) {
  newest = version;
  catchUp();
}
async function poll() {
  const { stream: follows, version, file } = document.getElementById("dispute")?.dataset ?? {};
  if (!follows || document.hidden || performance.now() - heardAt < SILENCE) return;
  try {
    const answer = await fetch(file, { method: "HEAD", headers: { "If-None-Match": `"${version}"` }, cache: "no-store" });
    if (answer.ok) hear(Number(/\d+/.exec(answer.headers.get("ETag"))));
  } catch {
    // the next one may be answered
  }
}
setInterval(poll, EVERY);
function catchUp() {
  const page = document.getElementById("dispute");
  if (!busy && page?.dataset.stream && newest > Number(page.dataset.version)) load(location.href, {}, false);
}
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) follow();
  else stream = stream?.source.close() ?? null; // a browser opens only six connections to a site
});

// Keep the scroll position of the branches, and scroll a new one into view.
function showBranches(before, along) {
  const row = main.querySelector(".branches");
  if (!row) return;
  row.scrollLeft = along;
  const now = row.querySelectorAll(".branch");
  if (before && now.length > before) now[now.length - 1].scrollIntoView({ block: "start", inline: "start" });
}

function refuse() {
  const words = document.getElementById("dispute")?.dataset.saysUnreached ?? "";
  const place = document.createElement("div");
  place.className = "message error";
  place.setAttribute("role", "alert");
  place.textContent = words;
  main.prepend(place);
}

// Announce a step to screen readers, after `first`.
function say(first) {
  if (!spoken) return;
  const next = document.getElementById("next");
  const told = [...(next?.querySelectorAll("h2, .step-text, legend") ?? [])].map((one) => one.innerText.trim());
  const messages = [...main.querySelectorAll(".messages li")].map((one) => one.textContent.trim());
  const sentences = [first, ...messages, ...told].filter(Boolean);
  spoken.textContent = sentences.map((one) => (/[.?!…]$/.test(one) ? one : `${one}.`)).join(" ");
}

function bodyOf(form, button) {
  const body = new FormData(form);
  if (button?.name) body.set(button.name, button.value);
  return body;
}
function send(form, button = null) {
  load(form.getAttribute("action") || location.href, { method: "POST", body: bodyOf(form, button) });
}

main.addEventListener("submit", (event) => {
  const form = event.target;
  const { pathname } = new URL(form.getAttribute("action") || "", location.href); // a field may be named "action"
  if (form.method !== "post" || form.enctype === "multipart/form-data" || !pathname.includes("/disputes/")) return;
  if (/\/(copy|disputes)\/$/.test(pathname)) return;
  event.preventDefault();
  send(form, event.submitter);
});

main.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  const there = new URL(link.href);
  const slug = location.pathname.split("/disputes/")[1]?.split("/")[0];
  const inside = slug && there.pathname.includes(`/disputes/${slug}/`) && !/\/(act|what-if|set)\/$|\.(pdf|json)$/.test(there.pathname);
  if (there.origin !== location.origin || !inside || there.searchParams.has("key") || location.pathname.endsWith("/act/")) return;
  event.preventDefault();
  load(link.getAttribute("href"));
});

// Submit both dice at the second choice.
main.addEventListener("change", (event) => {
  const form = event.target.closest("form.dice");
  if (!form || event.target.type !== "radio") return;
  const rows = [...form.querySelectorAll("fieldset.die-row")];
  if (rows.every((row) => row.querySelector(":checked"))) form.requestSubmit();
  else rows.find((row) => !row.querySelector(":checked"))?.querySelector("input").focus();
});

// --- the board ---

// A tap on a figure chooses who acts, the next one against whom; a second tap on the one who acts opens its sheet.
function asksFor(figure) {
  const { actor } = board().dataset;
  const asked = actor === figure ? { sheet: figure } : actor ? { figure: actor, target: figure } : { figure };
  return new URLSearchParams(asked);
}

function choose(square) {
  const name = nameOf(square);
  const taps = board().dataset.taps;
  if (!taps) return;
  const here = stands()[name];
  const form = document.getElementById("taps");
  if (taps === "field") {
    fill(name);
  } else if (taps === "figure") {
    if (here) load(`${document.getElementById("dispute").dataset.home}?${asksFor(here)}#next`);
  } else if (form) {
    const field = form.elements.where;
    if (taps === "place" && !form.querySelector("[name=who]:checked")) {
      form.querySelector("[name=who]")?.reportValidity();
      return;
    }
    if (taps === "draw") {
      if (drawsEdges()) document.getElementById("board-cursor").textContent = board().dataset.saysEdges;
      else sendStroke([name]);
      return;
    }
    const wanted = Number(board().dataset.wanted || 1);
    const named = wanted > 1 ? field.value.split(/[\s,]+/).filter(Boolean) : [];
    const at = named.indexOf(name);
    if (at >= 0) named.splice(at, 1);
    else named.push(name);
    field.value = named.join(" ");
    drawing()?.querySelectorAll(".stroke").forEach((old) => old.remove());
    for (const one of named) markSquare(drawing(), squareOf(one), "stroke");
    if (named.length === wanted) send(form, form.querySelector("button[name=do]"));
  }
}

// On the long form, a tap fills the field used last.
let field = null;
main.addEventListener("focusin", (event) => {
  if (event.target.matches?.("[data-squares]:not(#board)")) field = event.target;
});
function fill(name) {
  const into = field && document.contains(field) ? field : document.getElementById("path");
  into.value = into.dataset.squares === "1" ? name : `${into.value} ${name}`.trim();
  drawing()?.querySelectorAll(".stroke").forEach((old) => old.remove());
  for (const one of into.value.split(/\s+/)) if (squareOf(one)) markSquare(drawing(), squareOf(one), "stroke");
}

function setCursor(square) {
  const most = sizeOf(drawing());
  if (!most) return;
  cursor = [Math.max(0, Math.min(most[0] - 1, square[0])), Math.max(0, Math.min(most[1] - 1, square[1]))];
  board().querySelectorAll(".cursor").forEach((old) => old.remove());
  markSquare(drawing(), cursor, "cursor");
  const name = nameOf(cursor);
  const id = stands()[name];
  const who = id && [...document.querySelectorAll(".board-drawing .figure title")].map((one) => one.textContent).find((one) => one.includes(`${name})`) || one.includes(`${name},`));
  document.getElementById("board-cursor").textContent = [who || name, ...lies(cursor)].join(" · ");
}

const sides = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// Dragging draws: the squares under the finger, or the edges next to it. The drawing captures the pointer, so that the
// stroke ends where it is released, also outside the board.
const drawsEdges = () => board()?.dataset.taps === "draw" && /edge/.test(board().dataset.brush);
// Whether a point is close to an end of an edge: a stroke along a wall passes the edges across it there.
const isCorner = ([one, other], point) => Math.abs(point[one[0] === other[0] ? 0 : 1] - 0.5) > 0.3;
let lastPoint = null; // a fast finger skips squares: those between two of its points are drawn too
function drawAt(event) {
  const at = pointOn(event);
  const point = at && [at.square[0] + at.x, at.square[1] + at.y];
  const from = lastPoint ?? point;
  lastPoint = point;
  if (!point) return;
  const steps = Math.ceil(4 * Math.max(Math.abs(point[0] - from[0]), Math.abs(point[1] - from[1]))) || 1;
  for (let step = 1; step <= steps; step += 1) {
    const [x, y] = [0, 1].map((axis) => from[axis] + ((point[axis] - from[axis]) * step) / steps);
    const square = [Math.floor(x), Math.floor(y)];
    const squares = drawsEdges() ? edgeAt({ square, x: x % 1, y: y % 1 }, sizeOf(drawing())) : [square];
    const name = squares?.map(nameOf).join("|");
    if (!name || drawn.has(name) || (drawn.size && drawsEdges() && isCorner(squares, [x % 1, y % 1]))) continue;
    drawn.add(name);
    for (const one of squares) markSquare(drawing(), one, "stroke");
  }
}
main.addEventListener("pointerdown", (event) => {
  if (event.button || drawn || board()?.dataset.taps !== "draw" || !pointOn(event)) return;
  drawing().setPointerCapture(event.pointerId);
  drawn = new Set();
  lastPoint = null;
  drawAt(event);
});
main.addEventListener("mousedown", (event) => drawn && event.preventDefault()); // no selection, which would scroll the page
main.addEventListener("pointermove", (event) => drawn && event.target === drawing() && drawAt(event));
main.addEventListener("lostpointercapture", () => {
  const names = [...(drawn ?? [])];
  drawn = null;
  document.dispatchEvent(new Event("drawn"));
  if (names.length) sendStroke(names);
});
function sendStroke(names) {
  const form = document.getElementById("taps");
  form.elements.where.value = names.join(" ");
  strokes.push([form.getAttribute("action"), bodyOf(form, form.querySelector("button[name=do]"))]);
  if (!busy) sendNextStroke();
}
function sendNextStroke() {
  const [address, body] = strokes.shift();
  body.set("version", document.getElementById("dispute").dataset.version); // the one before may have raised it
  load(address, { method: "POST", body });
}
main.addEventListener("pointercancel", () => {
  drawn?.clear();
  drawing()?.querySelectorAll(".stroke").forEach((old) => old.remove());
});

// A field with data-filters shows only the list's elements whose words contain what is typed.
main.addEventListener("input", (event) => {
  const list = document.getElementById(event.target.dataset?.filters);
  const typed = event.target.value.toLowerCase();
  for (const one of list?.querySelectorAll("[data-words]") ?? []) one.hidden = !one.dataset.words.toLowerCase().includes(typed);
});

main.addEventListener("click", (event) => {
  if (!event.target.closest?.("#board") || board().dataset.taps === "draw") return;
  const at = pointOn(event);
  if (at) choose(at.square);
});
main.addEventListener("focusin", (event) => {
  if (event.target.id !== "board") return;
  cursor ??= [0, 0];
  if (event.target.matches(":focus-visible")) setCursor(cursor); // a thumb needs no cursor
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.id === "board") {
    if (sides[event.key] && event.shiftKey && drawsEdges()) {
      event.preventDefault();
      const beside = [cursor[0] + sides[event.key][0], cursor[1] + sides[event.key][1]];
      if (isInside(beside, sizeOf(drawing()))) sendStroke([`${nameOf(cursor)}|${nameOf(beside)}`]);
    } else if (sides[event.key]) {
      event.preventDefault();
      setCursor([cursor[0] + sides[event.key][0], cursor[1] + sides[event.key][1]]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(cursor);
    }
    return;
  }
  if (event.target.matches("input, select, textarea, summary")) {
    const die = event.target.closest(".die-row");
    if (die && /^[1-6]$/.test(event.key)) {
      event.preventDefault();
      die.querySelector(`[value="${event.key}"]`)?.click();
    }
    return;
  }
  if (!document.getElementById("dispute") || !/^(Arrow(Left|Right)|Home|End|[1-6?])$/.test(event.key)) return;
  event.preventDefault();
  if (busy) keys.push(event.key);
  else press(event.key);
});

function press(key) {
  const page = document.getElementById("dispute");
  const to = { ArrowRight: page.dataset.onward, ArrowLeft: page.dataset.back, Home: page.dataset.first, End: page.dataset.home }[key];
  if (to) load(`${to}#next`);
  else if (/^[1-6]$/.test(key)) enterDie(key);
  else if (key === "?") {
    const list = document.getElementById("keys");
    list.open = true;
    list.querySelector("summary").focus();
  }
}

// A number key enters the first die that has no number yet.
function enterDie(value) {
  const form = document.getElementById("dice");
  if (!form) return;
  const row = [...form.querySelectorAll(".die-row")].find((one) => !one.querySelector(":checked"));
  row?.querySelector(`[value="${value}"]`)?.click();
}

window.addEventListener("popstate", () => location.reload());

function begin() {
  for (const part of document.querySelectorAll("[data-scripted]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-plain-only]")) part.hidden = true;
  for (const part of document.querySelectorAll("[data-plain-open]")) part.open = false;
  const there = board();
  if (there?.dataset.taps) {
    there.tabIndex = 0;
    there.setAttribute("role", "application");
  }
  follow();
}
begin();
