// Runs every clock on the page by the server's time: [data-clock] has its end (data-ends) or, while stopped, the time left
// (data-left), in milliseconds. The page brings the offset between the two machines' clocks, and each live update
// refines it, so that all screens show the same second. [data-since] counts up.

const place = document.getElementById("live");
const { kept } = document.documentElement.dataset; // when the worker kept this page, if it is shown without network
let ahead = place ? Number(place.dataset.now) - (kept ? Date.parse(kept) : Date.now()) : 0;
let nearest = Infinity;
let before = null;

function digits(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

function left(clock) {
  const until = clock.dataset.ends ? Number(clock.dataset.ends) - (Date.now() + ahead) : Number(clock.dataset.left);
  return Math.ceil(until / 1000);
}

function say(clock, seconds) {
  const said = document.getElementById("clock-said");
  const words = clock.closest(".clock-face")?.querySelectorAll("[data-words] li") ?? [];
  if (!said || !words.length || !clock.dataset.ends) {
    before = null;
    return;
  }
  if (before !== null && before !== seconds) {
    for (const word of words) {
      const at = Number(word.dataset.at);
      if (before > at && seconds <= at) said.textContent = word.textContent;
    }
  }
  before = seconds;
}

function show() {
  let main = null;
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const seconds = left(clock);
    const text = digits(Math.max(0, seconds));
    const face = clock.querySelector("[data-digits]");
    if (face && face.textContent !== text) face.textContent = text;
    clock.classList.toggle("long", text.length > 5);
    if (clock.dataset.phase !== "waiting" && clock.dataset.ends && seconds <= 0 && !clock.classList.contains("over")) {
      clock.classList.add("over");
      const phase = clock.closest(".clock-face")?.querySelector("[data-clock-phase]");
      if (phase) phase.textContent = phase.dataset.overWords;
    }
    if (clock.dataset.clock === "round" && !main) main = clock;
  }
  for (const watch of document.querySelectorAll("[data-since]")) {
    const text = digits(Math.max(0, Math.floor((Date.now() + ahead - Number(watch.dataset.since)) / 1000)));
    if (watch.textContent !== text) watch.textContent = text;
  }
  if (main) say(main, left(main));
}

document.addEventListener("headjudge:time", (event) => {
  const { now, middle } = event.detail;
  const wait = Math.abs(Date.now() - middle);
  if (wait <= nearest * 1.5 || Math.abs(now - middle - ahead) > 2000) {
    nearest = Math.min(nearest, wait);
    ahead = now - middle;
    show();
  }
});
document.addEventListener("headjudge:fresh", () => {
  const said = document.getElementById("clock-said");
  const running = document.querySelector("[data-clock=round][data-ends]");
  if (said && (!running || document.querySelector(".clock-due"))) said.textContent = "";
  show();
});
if (document.querySelector("[data-clock]") || place) {
  show();
  setInterval(show, 200);
}
