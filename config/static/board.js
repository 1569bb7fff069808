// The board: taps, keys and drags become changes that the server applies and draws. The form's text area holds the
// position; every change submits the form and replaces the returned parts. Undo goes back through earlier positions.

import { edgeAt, MARGIN, UNIT, markSquare, nameOf, pointOn, sizeOf, squareOf } from "./squares.js";

const form = document.getElementById("board-form");
const board = document.getElementById("board");
const cursorWords = document.getElementById("board-cursor");
const text = document.getElementById("document");
const MAX_STEPS = 100;
const words = JSON.parse(board.dataset.words);
const past = [];
const future = [];
const waiting = [];
let tool = "line";
let cursor = null;
let last = ""; // the end of the line chosen last: "from" or "to"
let zoom = 1;
let busy = false;
let stroke = null;
let places = new Map();

// --- squares ---

function position() {
  try {
    return JSON.parse(text.value);
  } catch {
    return null;
  }
}

// What each square contains, for the text that follows the cursor.
function readPlaces() {
  places = new Map();
  const read = position();
  if (!read) return;
  const put = (name, word, id) => {
    const found = places.get(name) ?? { words: [], figure: null };
    found.words.push(word);
    if (id) found.figure = id;
    places.set(name, found);
  };
  for (const area of read.map.terrain ?? []) {
    const more = area.type === "elevated" ? ` ${area.level ?? 2}` : area.player ? ` ${area.player}` : "";
    for (const name of area.squares) {
      const [one, other] = name.split(":").map(squareOf);
      const end = other ?? one;
      for (let row = Math.min(one[1], end[1]); row <= Math.max(one[1], end[1]); row += 1)
        for (let column = Math.min(one[0], end[0]); column <= Math.max(one[0], end[0]); column += 1)
          put(nameOf([column, row]), words[area.type] + more);
    }
  }
  for (const mark of read.map.markers ?? []) put(mark.square, words[mark.kind]);
  for (const thing of read.objects ?? []) if (thing.square) put(thing.square, thing.name || words[thing.kind]);
  for (const side of read.sides)
    for (const piece of side.characters ?? [])
      for (const name of piece.squares ?? (piece.square ? [piece.square] : [])) put(name, piece.name, piece.id);
}

// --- sending and replacing ---

function say(words) {
  const place = form.querySelector("[data-part=said]");
  place.innerHTML = '<div class="message error"><p></p></div>';
  place.querySelector("p").textContent = words;
}

function remembered() {
  return { document: text.value, from: form.elements.from.value, to: form.elements.to.value };
}

function send(what, more = {}, keep = true) {
  waiting.push({ what, more, keep });
  if (!busy) next();
}

async function next() {
  const asked = waiting.shift();
  if (!asked) return;
  busy = true;
  const before = remembered();
  for (const [key, value] of Object.entries(asked.more)) if (key === "from" || key === "to") form.elements[key].value = value;
  const body = new FormData(form);
  body.set("do", asked.what);
  for (const [key, value] of Object.entries(asked.more)) body.set(key, value);
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { "X-Board": "part" } });
    const parts = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (parts.querySelector("[data-part]")) {
      exchange(parts);
      showFault(form.querySelector("[data-part=said] [data-field]"));
      if (!form.querySelector("[data-part=said] .error")) fillPiece(asked.what.startsWith("place"));
    } else say(parts.querySelector("main [role=alert]")?.innerText ?? `${answer.status} ${answer.statusText}`);
  } catch {
    say(board.dataset.saysUnreached);
    form.elements.from.value = before.from;
    form.elements.to.value = before.to;
  }
  const after = remembered();
  const changed = before.document !== after.document || before.from !== after.from || before.to !== after.to;
  if (asked.keep && changed) {
    past.push(before);
    if (past.length > MAX_STEPS) past.shift();
    future.length = 0;
  }
  history.replaceState({ board: after }, "");
  showUndo();
  busy = false;
  next();
}

function exchange(parts) {
  for (const part of parts.querySelectorAll("[data-part]")) {
    const name = part.dataset.part;
    const there = form.querySelector(`[data-part=${name}]`);
    if (!there) continue;
    if (name === "document") {
      text.value = part.querySelector("textarea").value;
    } else if (there.innerHTML !== part.innerHTML) {
      const views = name === "boards" ? [...there.querySelectorAll(".board-view")].map((view) => [view.scrollLeft, view.scrollTop]) : [];
      there.innerHTML = part.innerHTML;
      if (name === "boards") {
        there.dataset.from = part.dataset.from;
        there.dataset.to = part.dataset.to;
        setZoom();
        there.querySelectorAll(".board-view").forEach((view, place) => view.scrollTo(...(views[place] ?? [0, 0])));
      }
    }
    if (name === "boards" && part.children.length) {
      form.elements.from.value = part.dataset.from;
      form.elements.to.value = part.dataset.to;
    }
  }
  readPlaces();
  drawCursor();
}

// --- undo ---

function showUndo() {
  document.querySelector("[data-undo]").disabled = !past.length;
  document.querySelector("[data-redo]").disabled = !future.length;
}

function travel(here, there) {
  const to = here.pop();
  if (!to) return;
  there.push(remembered());
  text.value = to.document;
  send("look", { from: to.from, to: to.to }, false);
}

// --- the cursor ---

function size() {
  return sizeOf(board.querySelector(".board-drawing"));
}

function drawCursor() {
  board.querySelectorAll(".cursor").forEach((old) => old.remove());
  if (!cursor) return;
  for (const drawing of board.querySelectorAll(".board-drawing")) markSquare(drawing, cursor, "cursor");
}

function setCursor(square, speak = true) {
  const most = size();
  if (!most) return;
  cursor = [Math.max(0, Math.min(most[0] - 1, square[0])), Math.max(0, Math.min(most[1] - 1, square[1]))];
  drawCursor();
  const name = nameOf(cursor);
  if (speak) cursorWords.textContent = [name, ...(places.get(name)?.words ?? [words.clear])].join(" · ");
  for (const view of board.querySelectorAll(".board-view")) keepInSight(view);
}

function keepInSight(view) {
  const mark = view.querySelector(".cursor");
  if (!mark || view.scrollWidth <= view.clientWidth + 1) return;
  const [at, frame] = [mark.getBoundingClientRect(), view.getBoundingClientRect()];
  if (at.left < frame.left || at.right > frame.right) view.scrollLeft += at.left - frame.left - frame.width / 2;
  if (at.top < frame.top || at.bottom > frame.bottom) view.scrollTop += at.top - frame.top - frame.height / 2;
}

// --- selecting ---

function choose(square) {
  setCursor(square);
  const name = nameOf(cursor);
  if (tool === "line") {
    const { from, to } = form.elements;
    last = from.value && !to.value && from.value !== name ? "to" : "from";
    send("look", last === "to" ? { to: name, from: from.value } : { from: name, to: "" });
  } else if (tool === "figure") {
    const here = places.get(name)?.figure;
    const chosen = form.querySelector("[name=figure]:checked")?.value;
    if (here) {
      const radio = [...form.querySelectorAll("[name=figure]")].find((one) => one.value === here);
      if (radio) radio.checked = true;
      fillPiece();
      document.getElementById("figures").open = true;
    } else if (chosen) {
      send("move", { where: name });
    } else {
      form.elements.where.value = name;
      document.getElementById("figures").open = true;
    }
  } else if (!edgeBrush()) {
    send("brush", { where: name });
  }
}

// Fill the figure form with the chosen figure's values, so that they can be edited; empty it if none is chosen.
let filled = form.querySelector("[name=figure]:checked")?.dataset.fields;
function fillPiece(again = false) {
  const chosen = form.querySelector("[name=figure]:checked");
  const fields = chosen?.dataset.fields ?? board.dataset.emptyFields;
  if (fields === filled && !again) return;
  filled = fields;
  showFault(null);
  form.elements.shows.value = chosen?.value ?? "";
  for (const [key, value] of Object.entries(JSON.parse(fields))) {
    if (Array.isArray(value)) for (const tick of form.querySelectorAll(`[name=${key}]`)) tick.checked = value.includes(tick.value);
    else form.elements[key].value = value;
  }
}

// Show what is wrong with a field beside it.
function showFault(said) {
  for (const place of form.querySelectorAll("[data-fault]")) {
    const wrong = place.dataset.fault === said?.dataset.field;
    place.textContent = wrong ? said.querySelector("p").textContent : "";
    document.getElementById(place.dataset.fault)?.setAttribute("aria-invalid", wrong);
    if (wrong) for (let around = place.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  }
}

function edgeBrush() {
  return form.elements.brush.value.startsWith("edge:") || form.elements.brush.value === "erase:edges";
}

function putEdge(square, beside) {
  const most = size();
  if (!most || beside[0] < 0 || beside[1] < 0 || beside[0] >= most[0] || beside[1] >= most[1]) return;
  setCursor(square);
  send("brush", { where: `${nameOf(square)}|${nameOf(beside)}` });
}

function nudge(across, down) {
  const from = cursor ?? squareOf(form.elements.from.value) ?? [0, 0];
  if (tool === "brush" && edgeBrush() && cursor) {
    putEdge(cursor, [cursor[0] + across, cursor[1] + down]);
    return;
  }
  const moved = [from[0] + across, from[1] + down];
  const held = tool === "line" && last && form.elements[last].value === nameOf(from);
  setCursor(moved);
  if (held) {
    const { from: start, to: end } = form.elements;
    send("look", { from: start.value, to: end.value, [last]: nameOf(cursor) });
  }
}

board.addEventListener("click", (event) => {
  const at = pointOn(event);
  if (!at || stroke === "done") {
    stroke = null;
    return;
  }
  if (tool !== "brush" || !edgeBrush()) {
    choose(at.square);
    return;
  }
  const edge = edgeAt(at, size());
  if (edge) putEdge(...edge);
  else setCursor(at.square);
});

// --- drawing by dragging ---

function drags(event) {
  return tool === "brush" && !edgeBrush() && document.getElementById("drags").checked && event.isPrimary && event.button === 0;
}

board.addEventListener("pointerdown", (event) => {
  const at = drags(event) && pointOn(event);
  if (!at) return;
  stroke = new Set([nameOf(at.square)]);
  preview(at.square);
});
board.addEventListener("pointermove", (event) => {
  if (!(stroke instanceof Set)) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const at = under && pointOn({ target: under, clientX: event.clientX, clientY: event.clientY });
  if (at && !stroke.has(nameOf(at.square))) {
    stroke.add(nameOf(at.square));
    preview(at.square);
  }
});
function endStroke(event) {
  if (!(stroke instanceof Set)) return;
  const squares = [...stroke];
  stroke = squares.length > 1 ? "done" : null;
  board.querySelectorAll(".stroke").forEach((old) => old.remove());
  if (event.type === "pointerup" && squares.length > 1) {
    send("brush", { where: squares.join(" ") });
    setTimeout(() => { if (stroke === "done") stroke = null; }, 50);
  }
}
board.addEventListener("pointerup", endStroke);
board.addEventListener("pointercancel", endStroke);
document.addEventListener("pointerup", endStroke);

function preview(square) {
  for (const drawing of board.querySelectorAll(".board-drawing")) markSquare(drawing, square, "stroke");
}

// --- tools, zoom, keys ---

function setTool(name) {
  tool = name;
  for (const button of document.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === name));
  board.classList.toggle("draws", name === "brush" && document.getElementById("drags").checked);
  if (name === "figure") document.getElementById("figures").open = true;
  if (name === "brush") document.getElementById("drawing").open = true;
}

function setZoom(step = null) {
  if (step === 0) zoom = 1;
  else if (step !== null) zoom = Math.max(1, Math.min(8, zoom * (step > 0 ? 1.5 : 1 / 1.5)));
  for (const view of board.querySelectorAll(".board-view")) {
    const drawing = view.querySelector(".board-drawing");
    drawing.style.width = drawing.style.maxWidth = drawing.style.maxHeight = "";
    view.classList.toggle("zoomed", zoom > 1);
    if (zoom <= 1) continue;
    const fits = Math.min(drawing.getBoundingClientRect().width, view.clientWidth);
    drawing.style.maxWidth = drawing.style.maxHeight = "none";
    drawing.style.width = `${Math.round(fits * zoom)}px`;
    const middle = cursor ? [(MARGIN + (cursor[0] + 0.5) * UNIT) / drawing.viewBox.baseVal.width, (MARGIN + (cursor[1] + 0.5) * UNIT) / drawing.viewBox.baseVal.height] : [0.5, 0.5];
    if (step !== null) view.scrollTo(middle[0] * view.scrollWidth - view.clientWidth / 2, middle[1] * view.scrollHeight - view.clientHeight / 2);
  }
}

function shade(name) {
  form.elements.shade.value = form.elements.shade.value === name ? "" : name;
  send("look");
}

const keys = {
  ArrowUp: () => setCursor(cursor ? [cursor[0], cursor[1] - 1] : [0, 0]),
  ArrowDown: () => setCursor(cursor ? [cursor[0], cursor[1] + 1] : [0, 0]),
  ArrowLeft: () => setCursor(cursor ? [cursor[0] - 1, cursor[1]] : [0, 0]),
  ArrowRight: () => setCursor(cursor ? [cursor[0] + 1, cursor[1]] : [0, 0]),
  Enter: () => cursor && choose(cursor),
  " ": () => cursor && choose(cursor),
  Escape: () => send("forget"),
  w: () => send("swap"),
  s: () => shade("see"),
  m: () => shade("reach"),
  u: () => travel(past, future),
  r: () => travel(future, past),
  "+": () => setZoom(1),
  "-": () => setZoom(-1),
  "?": () => {
    const list = document.getElementById("keys");
    list.open = true;
    list.querySelector("summary").focus();
  },
};

board.tabIndex = 0;
board.setAttribute("role", "application");
board.addEventListener("keydown", (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if ((event.ctrlKey || event.metaKey) && key === "z") {
    event.preventDefault();
    if (event.shiftKey) travel(future, past);
    else travel(past, future);
  } else if (!event.ctrlKey && !event.metaKey && !event.altKey && keys[key]) {
    event.preventDefault();
    const side = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
    if (side && event.shiftKey && tool === "brush" && edgeBrush() && cursor) putEdge(cursor, [cursor[0] + side[0], cursor[1] + side[1]]);
    else keys[key]();
  }
});
board.addEventListener("focus", () => {
  if (!cursor) setCursor(squareOf(form.elements.from.value) ?? [0, 0]);
});

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.hasAttribute("data-plain")) return;
  event.preventDefault();
  if (button?.hasAttribute("data-place") && !form.elements.where.value && cursor) form.elements.where.value = nameOf(cursor);
  send(button?.value ?? "look");
});
form.addEventListener("change", (event) => {
  if (event.target.hasAttribute?.("data-at-once")) send("look");
  if (event.target.id === "drags" || event.target.id === "brush") setTool(event.target.id === "brush" ? "brush" : tool);
  if (event.target.name === "figure") {
    setTool("figure");
    if (event.target.dataset.square) setCursor(squareOf(event.target.dataset.square));
    fillPiece();
  }
});
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
  const meant = { find: "find", where: tool === "figure" ? "move" : "brush", width: "resize", height: "resize", title: "name" }[event.target.name];
  if (!meant) return;
  event.preventDefault();
  send(meant);
});
document.querySelectorAll("[data-tool]").forEach((button) => button.addEventListener("click", () => setTool(button.dataset.tool)));
document.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", () => setZoom(Number(button.dataset.zoom))));
document.querySelectorAll("[data-nudge]").forEach((button) => button.addEventListener("click", () => nudge(...button.dataset.nudge.split(" ").map(Number))));
document.querySelector("[data-choose]").addEventListener("click", () => choose(cursor ?? [0, 0]));
document.querySelector("[data-undo]").addEventListener("click", () => travel(past, future));
document.querySelector("[data-redo]").addEventListener("click", () => travel(future, past));
document.querySelectorAll("[data-line]").forEach((link) => link.addEventListener("click", (event) => {
  event.preventDefault();
  const [from, to] = link.dataset.line.split(" ");
  setTool("line");
  last = "to";
  send("look", { from, to });
  document.querySelector(".board-verdicts").scrollIntoView({ block: "start" });
}));
window.addEventListener("resize", () => setZoom());
for (const part of document.querySelectorAll("[data-scripted]")) part.hidden = false;
form.classList.add("scripted");
readPlaces();
showUndo();
// After coming back or reloading, show the position as it was last drawn, not as it was opened.
const kept = history.state?.board;
if (kept && (kept.document !== text.value || kept.from !== form.elements.from.value || kept.to !== form.elements.to.value)) {
  text.value = kept.document;
  send("look", { from: kept.from, to: kept.to }, false);
}
