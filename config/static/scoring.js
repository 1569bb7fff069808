// Score the result form at each tick: the server answers with the lines, the total and the winner, which also fill the
// form's fields. Without network, the ticks stay and are scored when it is back. Without this script, the button beside
// the ticks does the same.

import { networkBack, note } from "./unsent.js";

for (const battle of document.querySelectorAll(".battle[data-score]")) {
  const form = battle.closest("form");
  const place = battle.querySelector(".score-place");
  const ended = battle.querySelector("#ended");
  battle.querySelector(".no-script")?.setAttribute("hidden", "");
  const wentToTime = () => ended.value === "time";
  const points = [...form.elements].map((control) => control.name).filter((name) => /^score_[a-d]$/.test(name));
  const say = note(battle);
  let asked = 0;
  let toTime = wentToTime();

  const set = (name, value) => {
    const control = form.elements.namedItem(name);
    if (!control) return;
    if (control.type === "checkbox") control.checked = value === "on";
    else control.value = value ?? "";
  };

  const count = (isCounted) => {
    // what the figures give isn't typed over: choose no end, and the points are typed
    for (const name of points) form.elements.namedItem(name).readOnly = isCounted;
  };

  const score = async () => {
    if (wentToTime() !== toTime) set("to_time", (toTime = wentToTime()) ? "on" : "");
    if (!ended.value && !battle.querySelector(".ko:checked")) {
      place.replaceChildren();
      count(false);
      return;
    }
    const turn = ++asked;
    count(true);
    for (const name of points) set(name, ""); // sent before the answer, the form says nothing else
    try {
      const response = await fetch(battle.dataset.score, {
        method: "POST",
        body: new FormData(form),
        headers: { "X-Requested-With": "score" },
        credentials: "same-origin",
      });
      if (turn !== asked) return;
      say("");
      if (!response.ok) return count(false);
      const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
      const found = parsed.querySelector(".score");
      if (!found) return;
      place.replaceChildren(document.adoptNode(found));
      const shown = place.firstElementChild.dataset;
      for (const name of points) set(name, shown[name]);
      count(points.every((name) => shown[name]));
      set("winner", shown.winner);
      set("decided_by", shown.decided);
    } catch {
      say(document.getElementById("unsent-words")?.dataset.unscored);
      await networkBack();
      if (turn === asked) score();
    }
  };

  battle.addEventListener("change", (event) => {
    if (event.target.matches(".ko, select[name^=fate-]")) {
      const sides = [...battle.querySelectorAll("fieldset")];
      const out = sides.filter((side) => {
        const figures = [...side.querySelectorAll(".fallen .ko")];
        return figures.length > 0 && figures.every((figure) => figure.checked);
      });
      if (out.length >= sides.length - 1) ended.value = "elimination";
      else if (ended.value === "elimination") ended.value = "";
    }
    score();
  });
  for (const name of points)
    form.elements.namedItem(name.replace("score", "roll"))?.addEventListener("change", score);
}
