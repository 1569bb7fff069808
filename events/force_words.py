"""The site's wording of a force report: names of rules, what couldn't be checked, the verdict.

The engine's own sentences are shown unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.engine import CHECKS

Text = str | Promise

NEEDS: dict[str, Text] = {
    "dial": gettext_lazy("the combat dial is unknown"),
    "street_date": gettext_lazy("the street date is unknown"),
    "date": gettext_lazy("the event's date is unknown"),
    "points": gettext_lazy("the points are unknown; enter the printed value"),
    "requires": gettext_lazy("the prerequisites are unknown"),
    "set": gettext_lazy("the set is unknown"),
    "number": gettext_lazy("the collector number is unknown"),
    "teams": gettext_lazy("the teams are unknown"),
    "keywords": gettext_lazy("the keywords are unknown"),
    "base_color": gettext_lazy("the base colour is unknown"),
    "kind": gettext_lazy("the kind is unknown"),
    "card": gettext_lazy("the rules are on the card"),
    "optional_points": gettext_lazy("the total depends on which costed traits are paid for"),
    "legacy-card": gettext_lazy("the rules of legacy cards aren't in this rulebook"),
    "team-base": gettext_lazy("the rules and costs of a team base are on its card"),
    "title": gettext_lazy("this rulebook doesn't say how many title characters a force may have"),
    "team-up": gettext_lazy("a Unique on this force may be another version of the same figure"),
    "generated": gettext_lazy("a bystander without a point value may come into play only through another card"),
    "unsidelineable": gettext_lazy("the card says that the figure can't be on a sideline"),
    "force-construction": gettext_lazy("the card has a rule about building a force"),
}
SECTIONS: dict[str, Text] = {
    "characters": gettext_lazy("Figures"),
    "feats": gettext_lazy("Feats"),
    "team_ability_cards": gettext_lazy("Team ability cards"),
    "resources": gettext_lazy("Resources"),
    "objects": gettext_lazy("Objects"),
    "battlefield_conditions": gettext_lazy("Battlefield conditions"),
    "other": gettext_lazy("Equipment, cards, terrain"),
    "sideline": gettext_lazy("Sideline"),
}


def rule_words(rule: str) -> str:
    """Return a rule's name in words."""
    return _(CHECKS[rule].title) if rule in CHECKS else rule.replace("-", " ")


def unchecked_words(unchecked: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Return what couldn't be checked, with the reason, as one sentence.

    `names` of elements by their refs make it say for which: where the sentence isn't beside them. The rule `all` means
    that nothing could be checked.
    """
    needs = unchecked.get("needs", "")
    said = {"rule": rule_words(unchecked.get("rule", "")), "why": NEEDS.get(needs, needs.replace("_", " "))}
    found = dict.fromkeys(name for ref in unchecked.get("elements", ()) if (name := (names or {}).get(ref)))
    if unchecked.get("rule") == "all":
        return _("Can't check any rule: %(why)s.") % said
    if not found:
        return _("Can't check “%(rule)s”: %(why)s.") % said
    return _("Can't check “%(rule)s” for %(names)s: %(why)s.") % {**said, "names": ", ".join(found)}


def names_in(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of a force file's elements by their refs."""
    lists = [found for found in document.get("force", {}).values() if isinstance(found, list)]
    elements = [one for found in lists for one in found if isinstance(one, dict)]
    return {one["ref"]: one["name"] for one in elements if one.get("ref") and one.get("name")}


def marks_of(*facts: Mapping[str, Any]) -> list[str]:
    """Return the words that mark a proxy or a Promotional figure, from what is known of a figure."""
    marks = [_("proxy")] if any(one.get("proxy") for one in facts) else []
    if any(one.get("promotional") or "promotional" in (one.get("rank"), one.get("rarity")) for one in facts):
        marks.append(_("promotional"))
    return marks


def verdict_words(report: Mapping[str, Any]) -> str:
    """Return the verdict of a report, as the page's headline says it."""
    faults, open_ = len(report.get("violations", ())), len(report.get("unchecked", ()))
    if faults:
        return ngettext("%(n)d rule broken", "%(n)d rules broken", faults) % {"n": faults}
    if open_:
        return ngettext("%(n)d rule couldn't be checked", "%(n)d rules couldn't be checked", open_) % {"n": open_}
    return _("no rules broken")


def theme_words(theme: Mapping[str, Any] | None) -> str:
    """Return a themed team with its bonus on one line; "" without one."""
    if not theme:
        return ""
    parts = [
        _("Themed team: %(keyword)s") % {"keyword": theme["keyword"]},
        _("+%(n)d initiative") % {"n": theme["initiative_bonus"]},
    ]
    if theme.get("probability_control_uses"):
        uses = theme["probability_control_uses"]
        parts.append(ngettext("%(n)d reroll per match", "%(n)d rerolls per match", uses) % {"n": uses})
    return " · ".join(parts)
