// Enter results with the keyboard alone: table, Enter, points, Enter, points, Enter, next table. Single keys in any of the
// three fields set flags; they set the form's own controls, so the form also works without this script.

import { deliver } from "./unsent.js";

const form = document.getElementById("typing");
const said = document.getElementById("said");
const keys = document.getElementById("keys");
const field = (name) => form.elements.namedItem(name);
const [table, first, second] = ["table", "score_a", "score_b"].map(field);
const rolls = [field("roll_a"), field("roll_b")];
let sending = false;

const rows = () => [...document.querySelectorAll("#tables tr[data-table]")];
const rowOf = (number) => rows().find((row) => row.dataset.table === String(number));
const isOpen = (row) => row.dataset.state !== "confirmed";

function nextOpen(after) {
  const waiting = rows().filter(isOpen).map((row) => Number(row.dataset.table)).sort((a, b) => a - b);
  return waiting.find((number) => number > after) ?? waiting[0];
}

function go(control) {
  control.closest("details")?.setAttribute("open", "");
  control.focus();
  control.select?.();
}

function tell(text, kind) {
  said.replaceChildren();
  if (!text) return;
  const line = document.createElement("p");
  line.className = `message ${kind}`;
  line.textContent = text;
  said.append(line);
}

function fault(name, text) {
  const control = field(name);
  const place = form.querySelector(`[data-error="${name}"]`);
  if (!control || !place) return false;
  place.replaceChildren();
  control.removeAttribute("aria-invalid");
  control.closest(".field")?.classList.toggle("bad", Boolean(text));
  if (text) {
    const list = document.createElement("ul");
    list.className = "errorlist";
    const line = document.createElement("li");
    line.textContent = text;
    list.append(line);
    list.setAttribute("role", "alert");
    place.append(list);
    control.setAttribute("aria-invalid", "true");
    place.id ||= `error_${name}`;
    control.setAttribute("aria-describedby", place.id);
  }
  return true;
}

function clearFaults() {
  for (const place of form.querySelectorAll("[data-error]")) fault(place.dataset.error, "");
}

function label(side, name, points = name) {
  form.querySelector(`[data-name="score_${side}"]`).textContent = points;
  for (const select of form.querySelectorAll("select")) {
    const option = [...select.options].find((one) => one.value === side);
    if (option) option.textContent = name;
  }
}

// No name stands beside a number that it doesn't belong to: until a table is chosen, the players have none.
function forgetNames() {
  label("a", form.dataset.first, form.dataset.firstPoints);
  label("b", form.dataset.second, form.dataset.secondPoints);
}

function chooseTable() {
  const typed = table.value.trim();
  if (!typed) {
    const number = nextOpen(0);
    if (number === undefined) return tell(form.dataset.all, "success");
    table.value = String(number);
  }
  const row = rowOf(String(Number(table.value)));
  clearFaults();
  if (!row || !/^\d+$/.test(table.value.trim())) {
    fault("table", form.dataset.noTable.replace("%s", table.value.trim()));
    return go(table);
  }
  if (!isOpen(row)) {
    fault("table", form.dataset.done.replace("%s", row.dataset.table));
    return go(table);
  }
  label("a", row.dataset.a);
  label("b", row.dataset.b);
  return go(first);
}

function points(control) {
  const good = /^\d{1,7}$/.test(control.value.trim());
  fault(control.name, good ? "" : form.dataset.noNumber);
  if (!good) go(control);
  return good;
}

const isTie = () => Number(first.value) === Number(second.value);
const tieIsSettled = () =>
  field("winner").value || field("double_loss").checked || rolls.every((roll) => roll.value.trim());

function reset() {
  for (const control of form.elements) {
    if (control.type === "checkbox") control.checked = false;
    else if (control.tagName === "SELECT") control.value = "";
    else if (control.name && control.type !== "hidden") control.value = "";
  }
  clearFaults();
  forgetNames();
  table.placeholder = String(nextOpen(0) ?? "");
  table.focus();
}

async function send() {
  if (sending) return;
  sending = true;
  const typed = new FormData(form);
  try {
    const sent = await deliver(form.getAttribute("action") ?? location.href, typed, {
      accept: "application/json",
      say: (text) => tell(text, "warning"),
    });
    // 204: an earlier try had arrived, but not its answer
    const answer = sent.answer.status === 204 ? { said: form.dataset.saved } : JSON.parse(sent.text);
    if (answer.said) {
      const row = rowOf(String(Number(typed.get("table"))));
      if (row) row.dataset.state = "confirmed";
      tell(answer.said, "success");
      document.getElementById("flags").removeAttribute("open");
      reset();
      table.placeholder = String(answer.next ?? "");
      return;
    }
    const errors = answer.errors ?? { "": [answer.error?.message ?? form.dataset.failed] };
    clearFaults();
    let target = null;
    const loose = [];
    for (const [name, texts] of Object.entries(errors)) {
      if (name && fault(name, texts.join(" "))) target ??= field(name);
      else loose.push(...texts);
    }
    tell(loose.join(" "), "error");
    go(target ?? table);
  } catch {
    tell(form.dataset.failed, "error");
    second.focus();
  } finally {
    sending = false;
  }
}

function cycle(name) {
  const select = field(name);
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  document.getElementById("flags").setAttribute("open", "");
}

function toggle(name) {
  field(name).checked = !field(name).checked;
  document.getElementById("flags").setAttribute("open", "");
}

const flags = {
  t: () => toggle("to_time"),
  s: () => toggle("signed"),
  d: () => toggle("double_loss"),
  f: () => cycle("went_first"),
  m: () => cycle("map_by"),
  l: () => cycle("late"),
  w: () => cycle("decided_by"),
  r: () => go(rolls[0]),
};

function enter(control) {
  tell("", "");
  if (control === table) return chooseTable();
  if (control === first) return points(first) && go(second);
  if (control === rolls[0]) return go(rolls[1]);
  if (!points(first) || !points(second)) return undefined;
  if (isTie() && !tieIsSettled() && Number(first.value) > 0) {
    tell(form.dataset.tie, "warning");
    if (form.dataset.tieBreak === "roll-off") return go(rolls[0]);
    document.getElementById("flags").setAttribute("open", "");
    return go(second);
  }
  return send();
}

function onKey(event) {
  const control = event.target;
  if (event.ctrlKey || event.metaKey) return;
  const typing = [table, first, second, ...rolls].includes(control);
  const key = event.key.toLowerCase();
  if (event.key === "?") {
    event.preventDefault();
    keys.returnFocus = control;
    keys.showModal();
  } else if (event.key === "Escape") {
    event.preventDefault();
    tell("", "");
    reset();
  } else if (event.key === "Enter" && (typing || control.matches("select,[type=checkbox]"))) {
    event.preventDefault();
    enter(control);
  } else if (typing && !event.altKey && flags[key]) {
    event.preventDefault();
    flags[key]();
  } else if ((key === "1" || key === "2") && (event.altKey || (said.textContent === form.dataset.tie && control === second))) {
    event.preventDefault();
    field("winner").value = key === "1" ? "a" : "b";
    if (!event.altKey) send();
  }
}

if (form && !form.hidden) {
  form.addEventListener("keydown", onKey);
  table.addEventListener("input", forgetNames);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(second.value.trim() ? second : first.value.trim() ? first : table);
  });
  keys.addEventListener("close", () => (keys.returnFocus ?? table).focus());
}
