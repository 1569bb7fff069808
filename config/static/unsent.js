// Send a form once, however often the network fails. The page stays as it is, says that the form isn't sent yet, and sends
// it when the network is back. Each submission has an id of its own: one whose answer was lost counts once. Only forms
// marked data-once are sent this way; the server refuses the id on any other (SENT_LATER in events/unsent.py). With
// data-swap="id", the answer replaces the content of that part of the page.

import { fetchAgain } from "./again.js";

const EVERY = 4000;
const words = document.getElementById("unsent-words");
const waiting = new Map(); // form → what is being sent
let target = null;

const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1]; // signing in changes it

export function networkBack() {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, EVERY);
    addEventListener("online", done);
  });
}

export function note(place) {
  let line = null;
  return (text) => {
    if (!text) line?.remove();
    if (!text || line?.isConnected) return;
    line = document.createElement("p");
    line.className = "message warning unsent";
    line.setAttribute("role", "status");
    line.textContent = text;
    place.append(line);
    line.scrollIntoView({ block: "nearest" });
  };
}

// Return the answer and its text, once the network carried both. `say` gets a text while it doesn't, and "" afterwards.
export async function deliver(address, body, { accept, say, goesOn = () => true }) {
  const id = newId();
  if (token()) body.set("csrfmiddlewaretoken", token()); // once: a form that waited is never sent for whoever signed in since
  for (let isOver = false; !isOver; isOver = !goesOn()) {
    try {
      const options = { method: "POST", body, headers: { Accept: accept, "X-Form": id }, credentials: "same-origin" };
      const answer = await fetchAgain(address, options, async (busy) => say(words?.dataset.busy ?? busy.statusText));
      const text = await answer.text();
      say("");
      return { answer, text };
    } catch {
      say(words?.dataset.words ?? "…");
      await networkBack();
    }
  }
  return null;
}

function submitNow(form, button) {
  if (button?.name) {
    const chosen = document.createElement("input");
    Object.assign(chosen, { type: "hidden", name: button.name, value: button.value });
    form.append(chosen);
  }
  if (!form.isConnected) document.body.append(form); // a live update has replaced it
  HTMLFormElement.prototype.submit.call(form);
}

function open(address) {
  const url = new URL(address, location.href);
  if (url.pathname + url.search === location.pathname + location.search) location.reload(); // keeps the position
  else location.assign(url);
}

// Show the answer in place of the part it belongs to, wherever that is on the page by now.
function swap(id, text) {
  const part = document.getElementById(id);
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(id);
  if (!part || !fresh) return location.reload();
  part.replaceChildren(...fresh.childNodes);
  part.setAttribute("tabindex", "-1");
  part.focus({ preventScroll: true });
}

async function send(form, button) {
  const body = new FormData(form);
  if (button?.name) body.append(button.name, button.value);
  const typed = JSON.stringify([...body].filter(([name]) => name !== "csrfmiddlewaretoken"));
  if (waiting.get(form)?.typed === typed) return; // pressed twice
  const mine = { typed, isLate: false };
  waiting.get(form)?.say("");
  waiting.set(form, mine);
  const shown = note(form);
  mine.say = (text) => {
    mine.isLate = Boolean(text);
    shown(text);
  };
  button?.setAttribute("aria-busy", "true");
  const address = form.getAttribute("action") || location.href;
  const sent = await deliver(address, body, {
    accept: "application/json",
    say: mine.say,
    goesOn: () => waiting.get(form) === mine, // not sent anew with other values
  });
  button?.removeAttribute("aria-busy");
  if (!sent || waiting.get(form) !== mine) return;
  waiting.delete(form);
  if (!sent.answer.ok) return submitNow(form, button); // nothing was saved: let the server say so on a page
  if (form.dataset.swap && sent.text) return swap(form.dataset.swap, sent.text);
  target = sent.answer.headers.get("X-To") ?? location.href;
  if (!waiting.size) open(target);
}

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || !event.target.matches("form[data-once]")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});
addEventListener("beforeunload", (event) => {
  if ([...waiting.values()].some((one) => one.isLate)) event.preventDefault();
});
