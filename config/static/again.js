// Send a request again that a busy database refused (503 with Retry-After): nothing of it was saved. The form on the page
// about it submits itself; scripts that stay on their page use fetchAgain.

const MAX_TRIES = 20;
const PATIENCE = 30_000; // for one answer: a request on a dead network can hang for minutes
const FORGOTTEN = 120_000; // a new outage begins after two minutes without a try

export async function fetchAgain(address, options = {}, waiting = () => {}) {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(address, { signal: AbortSignal.timeout?.(PATIENCE), ...options });
    const wait = Number(answer.headers.get("Retry-After"));
    if (answer.status !== 503 || !wait || tries >= MAX_TRIES) return answer;
    waiting(answer, wait);
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
}

function triesOf(form) {
  try {
    const [tries, at] = JSON.parse(sessionStorage.getItem(`again ${form.getAttribute("action")}`) ?? "[0,0]");
    return Date.now() - at < FORGOTTEN ? tries : 0;
  } catch {
    return 0; // no storage, no counting
  }
}

function count(form, tries) {
  try {
    sessionStorage.setItem(`again ${form.getAttribute("action")}`, JSON.stringify([tries, Date.now()]));
  } catch {
    // as above
  }
}

const form = document.querySelector("form[data-again]");
if (form && triesOf(form) < MAX_TRIES) {
  let isSent = false;
  document.getElementById("again-said")?.removeAttribute("hidden");
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  setTimeout(() => {
    if (isSent) return;
    count(form, triesOf(form) + 1);
    form.requestSubmit();
  }, Number(form.dataset.again) * 1000);
}
