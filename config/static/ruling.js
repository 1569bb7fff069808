// Ask for a reason only if the judge's answer differs from the rules engine's, and open the text field when needed.

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
