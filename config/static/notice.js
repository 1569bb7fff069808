// Notify a player that pairings are published: [data-notice] identifies what the page shows, [data-notice-words] is the
// text. Over HTTPS and with permission it is a system notification; otherwise title, sound and vibration. Where the server
// offers it, in #push, and the browser can, the server's push messages are the notifications, even if the page is closed.

const ask = document.getElementById("notice-ask");
const said = document.getElementById("notice-said");
const push = document.getElementById("push");
const title = document.title;
let known = now()?.dataset.notice ?? "";
let sound = null;
let pushed = false; // whether the server sends push messages to this browser

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
  if (pushed || !("Notification" in window) || Notification.permission !== "granted" || !document.hidden) return;
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

function send(address, facts) {
  const body = new FormData(push);
  for (const [name, value] of Object.entries(facts)) body.set(name, value);
  return fetch(address, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
}

// The browser's own service worker, once it runs; undefined where there is none.
function workerOf() {
  return window.isSecureContext && push && "PushManager" in window && "Notification" in window
    ? navigator.serviceWorker?.ready
    : undefined;
}

async function subscribe() {
  const worker = await workerOf();
  if (!worker || Notification.permission !== "granted") return;
  const key = Uint8Array.from(atob(push.dataset.key.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  try {
    await (await worker.pushManager.getSubscription())?.unsubscribe(); // perhaps it has an older key
    const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = made.toJSON();
    const answer = await send(push.dataset.subscribe, { endpoint, ...keys });
    if (answer.status === 204) show(true);
    else await made.unsubscribe();
  } catch {
    // no push service for this browser, or no connection to it: the page itself notifies while it is open
  }
}

async function unsubscribe() {
  const subscription = await (await workerOf())?.pushManager.getSubscription();
  show(false);
  if (!subscription) return;
  await send(push.action, { endpoint: subscription.endpoint }).catch(() => {});
  await subscription.unsubscribe().catch(() => {}); // without a connection, the push service tells the server later
}

function show(on) {
  pushed = on;
  push.hidden = !on;
  ask.querySelector("[data-off]").hidden = on;
  ask.querySelector("[data-on]").hidden = true;
}

async function showKnown() {
  const subscription = await (await workerOf())?.pushManager.getSubscription();
  if (!subscription || Notification.permission !== "granted") return;
  const answer = await send(push.dataset.known, { endpoint: subscription.endpoint });
  if (answer.status === 204) show(true);
}

if (ask) {
  ask.hidden = false;
  showKnown().catch(() => {});
  push?.addEventListener("submit", (event) => {
    event.preventDefault();
    unsubscribe();
  });
  ask.querySelector("[data-off] button").addEventListener("click", async () => {
    sound ??= "AudioContext" in window ? new AudioContext() : null;
    await sound?.resume();
    if (window.isSecureContext && "Notification" in window && Notification.permission === "default") {
      await Notification.requestPermission();
    }
    ask.querySelector("[data-off]").hidden = true;
    ask.querySelector("[data-on]").hidden = false;
    navigator.vibrate?.(100);
    await subscribe();
  });
}
