// Turns the display's pages. They come from the server, as many lines as fit; a page that still runs over (very long
// names) is set tighter, never below what can be read from afar. When the live word brings new pages the turn goes on.

const seconds = () => Math.max(5, Number(document.getElementById("slides")?.dataset.seconds ?? 12));
let at = null;

const slides = () => [...document.querySelectorAll("[data-slide]")];

function fit(slide) {
  slide.classList.remove("tight");
  if (slide.scrollHeight > slide.clientHeight + 2) slide.classList.add("tight");
}

function show(wanted) {
  const all = slides();
  if (!all.length) return;
  const index = Math.max(0, all.findIndex((slide) => slide.dataset.slide === wanted));
  all.forEach((slide, number) => {
    slide.hidden = number !== index;
  });
  at = all[index].dataset.slide;
  fit(all[index]);
}

function turn() {
  const all = slides();
  if (all.length && !document.querySelector(".display-settings[open]")) {
    const index = all.findIndex((slide) => slide.dataset.slide === at);
    show(all[(index + 1) % all.length].dataset.slide);
  }
  setTimeout(turn, seconds() * 1000);
}

show(slides().find((slide) => !slide.hidden)?.dataset.slide);
document.addEventListener("headjudge:fresh", () => show(at));
addEventListener("resize", () => show(at));
setTimeout(turn, seconds() * 1000);
