// Search as you type: a form with data-filter="#list" hides the list's elements whose data-words don't match.
// Without scripts, the same form asks the server. Inside another form, a hidden element does the same and is shown here.

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

for (const form of document.querySelectorAll("[data-filter]")) {
  const field = form.querySelector("input[type=search]");
  const found = form.querySelector("output");
  const apply = () => {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of document.querySelectorAll(`${form.dataset.filter} [data-words]`)) {
      const text = plain(item.dataset.words);
      item.hidden = !words.every((word) => text.includes(word));
      if (item.hidden) continue;
      shown += 1;
      if (words.length) item.parentElement.closest("details")?.setAttribute("open", "");
    }
    if (found) found.value = words.length ? `${shown} ${found.dataset.found}` : "";
  };
  form.querySelector("button")?.setAttribute("hidden", "");
  form.addEventListener("submit", (event) => event.preventDefault());
  if (form.tagName !== "FORM") {
    form.hidden = false;
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  }
  field.addEventListener("input", apply);
  document.addEventListener("headjudge:fresh", apply);
  if (field.value && !new URLSearchParams(location.search).has("q")) apply();
}

// A link to one entry of such a list opens it.
const opened = () => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.querySelector("details")?.setAttribute("open", "");
addEventListener("hashchange", opened);
opened();
