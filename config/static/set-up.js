// The set-up's form: proposes the browser's time zone and country, shows the password on demand, is sent once.

const form = document.querySelector("form[data-set-up]");
const zones = form.elements.time_zone;
const country = form.elements.country;

function regionOf(language) {
  try {
    return new Intl.Locale(language).region;
  } catch {
    return undefined; // a browser that knows no locales proposes nothing
  }
}

function nameOf(code) {
  try {
    return new Intl.DisplayNames([document.documentElement.lang], { type: "region" }).of(code);
  } catch {
    return undefined;
  }
}

function propose() {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const option = [...zones.options].find((one) => one.value === here);
  if (option) option.selected = true;
  const code = (here !== "UTC" && option?.dataset.country) || regionOf(navigator.language);
  const name = code && nameOf(code);
  if (name) country.value = name;
}

if (!("filled" in form.dataset)) propose();

const show = form.querySelector("[data-show-password]");
show.hidden = false;
show.querySelector("input").addEventListener("change", (event) => {
  form.elements.password.type = event.target.checked ? "text" : "password";
});

let isSent = false;
form.addEventListener("submit", (event) => {
  if (isSent) event.preventDefault();
  isSent = true;
});
addEventListener("pageshow", () => {
  isSent = false;
});
