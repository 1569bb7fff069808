"""Reports on forces and battles as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from rules.engine.scoring.winner import told

Document = dict[str, Any]


def force_in_words(document: Document, report: Document) -> str:
    """Return the report on a force as text: the verdict, then every reason with its citation."""
    if "error" in report:
        return "\n".join([*_title({}, report), *error_in_words(report), ""])
    verdict = "Legal" if report["legal"] else "Illegal"
    if report["legal"] and report["unchecked"]:
        verdict = "Legal as far as checked"
    limit = report["build_total"]
    points = (
        f"{_count(report['total'], 'point')}, no build total"
        if limit is None
        else f"{report['total']} of {limit} points"
    )
    actions = report["action_total"]
    turn = "" if actions is None else f", {_count(actions, 'action')} a turn"
    lines = [*_title(document, report), f"{verdict}: {points}{turn}."]
    if left_out := report.get("not_applied"):
        lines.append(f"A Battle Royale doesn't limit what a force holds. Not applied: {', '.join(left_out)}.")
    theme = report["themed_team"]
    if theme:
        uses = theme["probability_control_uses"]
        worth = f"+{theme['initiative_bonus']} to go first" + (f", {_count(uses, 'reroll')} per match" if uses else "")
        lines.append(f"Themed team: {theme['keyword']} ({theme['kind']}), {worth}.")
    for heading, found in (("Violations", report["violations"]), ("Warnings", report["warnings"])):
        if found:
            lines += [f"{heading}:", *(line for one in found for line in _breach(one))]
    if report["unchecked"]:
        lines.append("Not checked:")
        lines += [
            f"  - {one['rule']}: needs the {_fact(one['needs'])}{_of(one['elements'])}" for one in report["unchecked"]
        ]
    return "\n".join([*lines, ""])


def battle_in_words(document: Document, report: Document) -> str:
    """Return the score of a battle as text: line by line, then the points and the winner."""
    if "error" in report:
        return "\n".join([*_title({}, report), *error_in_words(report), ""])
    lines = _title(document, report)
    for line in report["lines"]:
        lines.append(f"  {line['player']}: {told(line['points'])} – {line['why']} [{_places(line['citations'])}]")
    points = ", ".join(f"{player} {told(sum_)}" for player, sum_ in report["victory_points"].items())
    lines += [f"Victory points: {points}.", report["decision"]["text"]]
    lines += [f"Warning: {one['message']} [{_places(one['citations'])}]" for one in report["warnings"]]
    return "\n".join([*lines, ""])


def _title(document: Document, report: Document) -> list[str]:
    named = [str(part) for part in (report.get("id"), document.get("title")) if part]
    return [" – ".join(named)] if named else []


def error_in_words(report: Document) -> Iterator[str]:
    """Yield a line for each fault of a document that can't be read."""
    for error in (report["error"], *report["error"].get("more", ())):
        at = f" at {error['where']}" if error.get("where") else ""
        yield f"{error['code']}{at}: {error['message']}"


def _breach(found: Document) -> Iterator[str]:
    yield f"  - {found['rule']}{_of(found['elements'])}: {found['message']}"
    yield f"    {_places(found['citations'])}"


FACTS: Final = {
    "requires": "prerequisites",
    "optional_points": "costed traits that the player paid for",
    "legacy-card": "rules of legacy cards",
    "team-base": "rules of team bases",
    "title": "rules of title characters",
    "team-up": "number on the base",
    "generated": "printed point value",
    "unsidelineable": "rules on the card",
    "force-construction": "rules on the card",
}


def _fact(key: str) -> str:
    """Return a missing fact in words, by its key."""
    return FACTS.get(key, key.replace("_", " "))


def _places(citations: Iterable[Document]) -> str:
    return "; ".join(f"{one['edition']}: {one['section']}" for one in citations)


def _of(elements: list[str]) -> str:
    return f" ({', '.join(elements)})" if elements else ""


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
