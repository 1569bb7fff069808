// Check in without a page load: only the tapped switch is replaced, so nothing else moves. A second tap on the same row
// within a moment is ignored. Without network, the row says that it isn't sent yet. If anything else fails, the plain form
// is submitted.

import { deliver, note } from "./unsent.js";

const MOMENT = 800;
const form = document.querySelector("form[data-check-in]");
const fresh = new WeakMap();

async function send(button) {
  const row = button.closest("li");
  const body = new FormData(form);
  body.set(button.name, button.value);
  button.setAttribute("aria-busy", "true");
  let { answer, text } = await deliver(form.getAttribute("action") ?? location.href, body, { accept: "text/html", say: note(row) });
  if (answer.status === 204) text = await (await fetch(location.href)).text(); // an earlier try had arrived
  const page = new DOMParser().parseFromString(text, "text/html");
  const next = page.getElementById(row.id);
  if (!answer.ok || !next) throw new Error(String(answer.status));
  row.innerHTML = next.innerHTML;
  fresh.set(row, Date.now());
  row.querySelector("button")?.focus({ preventScroll: true });
  const counts = page.getElementById("counts");
  if (counts) document.getElementById("counts").innerHTML = counts.innerHTML;
  // Report success in the row itself: a message above would move the rows under the thumb.
  const said = page.querySelector(".messages .error, .messages .warning")?.closest(".messages");
  document.querySelector(".messages")?.remove();
  if (said) document.getElementById("counts").insertAdjacentElement("beforebegin", said);
}

form?.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (!button?.name || form.dataset.plain) return;
  event.preventDefault();
  const row = button.closest("li");
  if (button.getAttribute("aria-busy") || Date.now() - (fresh.get(row) ?? 0) < MOMENT) return;
  try {
    await send(button);
  } catch {
    form.dataset.plain = "yes";
    button.removeAttribute("aria-busy");
    button.click();
  }
});
