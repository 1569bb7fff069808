// Asks why only where the judge's answer is another than the rules' reading, and opens the words where they are needed.

function weigh() {
  for (const form of document.querySelectorAll("form.ruling")) {
    const chosen = form.querySelector("input[name=answer]:checked")?.value ?? "";
    const against = form.querySelector("[data-against]");
    if (against) {
      const typed = against.querySelector("input")?.value;
      const wrong = against.querySelector(".errorlist");
      against.hidden = !typed && !wrong && (chosen === "" || chosen === form.dataset.reading);
    }
  }
}

weigh();
document.addEventListener("change", weigh);
