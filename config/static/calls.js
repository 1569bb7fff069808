// Propose extra minutes for a call by its stopwatch, until the judge types another number.

const seen = new WeakMap();

function propose() {
  const minutes = document.querySelector("input[data-lost]");
  if (minutes) {
    if (!seen.has(minutes)) seen.set(minutes, performance.now());
    const gone = minutes.dataset.counts === "yes" ? (performance.now() - seen.get(minutes)) / 1000 : 0;
    const most = Number(minutes.max);
    const proposed = String(Math.min(most, Math.ceil((Number(minutes.dataset.lost) + gone) / 60)));
    if (minutes.value === minutes.defaultValue && minutes.value !== proposed) {
      minutes.defaultValue = proposed;
      minutes.value = proposed;
    }
  }
  total();
}

function total() {
  for (const place of document.querySelectorAll("[data-total]")) {
    const form = place.closest("form");
    const sum = Number(form.elements.minutes?.value || 0) + Number(form.elements.agreed?.value || 0);
    place.hidden = false;
    const shown = place.querySelector(".digits");
    if (shown.textContent !== String(sum)) shown.textContent = String(sum);
  }
}

propose();
setInterval(propose, 1000);
document.addEventListener("input", total);
document.addEventListener("headjudge:fresh", propose);
