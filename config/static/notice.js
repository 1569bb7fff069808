// Notify a player that pairings are published: [data-notice] identifies what the page shows, [data-notice-words] is the
// text. Over HTTPS and with permission it is a system notification; otherwise title, sound and vibration.

const ask = document.getElementById("notice-ask");
const said = document.getElementById("notice-said");
const title = document.title;
let known = now()?.dataset.notice ?? "";
let sound = null;

function now() {
  return document.querySelector("[data-notice]");
}

function chime() {
  if (!sound) return;
  const start = sound.currentTime;
  for (const [at, pitch] of [[0, 660], [0.25, 880], [0.5, 1320]]) {
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.25, start + at);
    volume.gain.exponentialRampToValueAtTime(0.001, start + at + 0.4);
    tone.connect(volume).connect(sound.destination);
    tone.start(start + at);
    tone.stop(start + at + 0.45);
  }
}

async function tell(words) {
  document.title = `● ${words}`;
  navigator.vibrate?.([200, 100, 200, 100, 400]);
  chime();
  if (said) said.textContent = words;
  if (!("Notification" in window) || Notification.permission !== "granted" || !document.hidden) return;
  const shown = { body: words, tag: "headjudge", data: location.href };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) await worker.showNotification(title, shown);
    else new Notification(title, shown).onclick = () => window.focus();
  } catch {
    // a phone that shows none: title, sound and vibration have done it
  }
}

document.addEventListener("headjudge:fresh", () => {
  const part = now();
  const notice = part?.dataset.notice ?? "";
  if (notice && notice !== known) tell(part.dataset.noticeWords);
  known = notice || known;
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.title = title;
});

if (ask) {
  ask.hidden = false;
  ask.querySelector("button").addEventListener("click", async () => {
    sound ??= "AudioContext" in window ? new AudioContext() : null;
    await sound?.resume();
    if (window.isSecureContext && "Notification" in window && Notification.permission === "default") {
      await Notification.requestPermission();
    }
    ask.querySelector("button").hidden = true;
    ask.querySelector("[data-on]").hidden = false;
    navigator.vibrate?.(100);
  });
}
