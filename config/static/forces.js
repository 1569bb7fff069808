// The force builder: when htmx replaces the force, opened dials stay open, focus stays or moves to the next control, and
// a control outside the force stays where it is on the screen.
// Without scripts, each control is a form of its own.

let open = [];
let focused = "";
let neighbour = "";
let pressed = null;
let where = 0;

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id !== "bench") return;
  open = [...document.querySelectorAll("#bench details[open][id]")].map((details) => details.id);
  const active = document.activeElement;
  focused = active?.closest("#bench") ? active.id : "";
  const next = active?.closest("li.element")?.nextElementSibling ?? active?.closest("li.element")?.previousElementSibling;
  neighbour = next?.id ?? "";
  pressed = event.detail.requestConfig?.elt ?? null;
  where = pressed?.getBoundingClientRect().top ?? 0;
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "bench" && event.detail.elt?.id !== "bench") return;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (pressed?.isConnected) window.scrollBy({ top: pressed.getBoundingClientRect().top - where, behavior: "instant" });
  if (!focused) return;
  const again = document.getElementById(focused) ?? document.getElementById(neighbour)?.querySelector(".remove button");
  (again ?? document.querySelector("#bench .bench-tools button"))?.focus({ preventScroll: true });
});

const notReached = document.getElementById("not-reached");
for (const fault of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(fault, () => notReached?.removeAttribute("hidden"));
}
document.addEventListener("htmx:afterSwap", () => notReached?.setAttribute("hidden", ""));

// If the site was busy, nothing was saved: send the same change again.
let again = 0;
document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
  const wait = Number(detail.xhr.getResponseHeader("Retry-After"));
  if (target.id !== "bench" || detail.xhr.status !== 503 || !wait || again >= 20) {
    again = 0;
    return;
  }
  again += 1;
  notReached?.removeAttribute("hidden");
  const { verb, path, formData } = detail.requestConfig;
  setTimeout(() => htmx.ajax(verb, path, { target: "#bench", swap: "outerHTML", values: formData }), wait * 1000);
});

// Where the search stands in a part that a live update replaces, let htmx know it again, and repeat what was asked.
document.addEventListener("headjudge:fresh", () => {
  const search = document.querySelector("[data-live] #search");
  if (!search) return;
  window.htmx?.process(search.parentElement);
  const asked = document.getElementById("id_q");
  if (asked?.value) asked.dispatchEvent(new Event("input", { bubbles: true }));
});
