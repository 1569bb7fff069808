// What the site refused because its database is busy (503 with Retry-After) is sent again: nothing of it was saved.
// A form on the page that says so sends itself; scripts that send without leaving their page use fetchAgain.

const MOST = 20;
const FORGOTTEN = 120_000; // after two minutes without a try, another outage is counted from the start

export async function fetchAgain(address, options = {}, waiting = () => {}) {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(address, options);
    const wait = Number(answer.headers.get("Retry-After"));
    if (answer.status !== 503 || !wait || tries >= MOST) return answer;
    waiting(answer, wait);
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
}

function triesOf(form) {
  try {
    const [tries, at] = JSON.parse(sessionStorage.getItem(`again ${form.action}`) ?? "[0,0]");
    return Date.now() - at < FORGOTTEN ? tries : 0;
  } catch {
    return 0; // a browser that keeps nothing counts nothing
  }
}

function count(form, tries) {
  try {
    sessionStorage.setItem(`again ${form.action}`, JSON.stringify([tries, Date.now()]));
  } catch {
    // as above
  }
}

const form = document.querySelector("form[data-again]");
if (form && triesOf(form) < MOST) {
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
