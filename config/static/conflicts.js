// Show conflicts with the sanctioning policy while a form is being filled in, before anything is saved.
// The form has the URL to ask (data-conflicts); an element of the page shows the answer (data-conflicts-answer).

const PATIENCE = 400;

for (const form of document.querySelectorAll("form[data-conflicts]")) {
  const answer = form.querySelector("[data-conflicts-answer]");
  let waiting;
  let asking;

  const ask = async () => {
    asking?.abort();
    asking = new AbortController();
    try {
      const response = await fetch(form.dataset.conflicts, {
        method: "POST",
        body: new FormData(form),
        headers: { Accept: "text/html" },
        credentials: "same-origin",
        signal: asking.signal,
      });
      if (response.ok && answer) {
        const words = await response.text();
        if (answer.innerHTML !== words) {
          answer.innerHTML = words;
        }
      }
    } catch (fault) {
      if (fault.name !== "AbortError" && answer) {
        answer.replaceChildren();
      }
    }
  };

  form.addEventListener("change", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, PATIENCE);
  });
}
