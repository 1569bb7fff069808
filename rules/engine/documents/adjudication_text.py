"""The report of an adjudication as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.engine.documents.text import error_in_words
from rules.engine.editions.rulings import ARBITRATORS, ruling, shared_topics
from rules.engine.editions.sources import CARD_NOTES
from rules.engine.reasons import listed

Sums = list[list[dict[str, Any]]]


def adjudication_in_words(report: dict[str, Any]) -> str:
    """Return a report as lines of text: its steps, its answers with their reasons and sections, its rulings.

    A card outside the books is marked with an asterisk, which a line at the end explains.
    """
    lines = [str(report["id"])] if report.get("id") else []
    if "error" in report:
        return "\n".join([*lines, *error_in_words(report), ""])
    lines += _steps(report["steps"])
    if report["awaiting"]:
        lines += _awaited(report["awaiting"])
    for answer in report["answers"]:
        lines += _answer(answer)
    deciding = [one for one in report["rulings"] if one["weight"] == "decides"]
    for one in deciding:
        lines.append(f"Ruling {one['id']}{_standing(one)}: {one['text']}")
        lines += _sections(one["citations"])
    met = {topic for step in report["steps"] for topic in step["topics"]}
    lines += _folded([one for one in report["rulings"] if one not in deciding], met)
    lines += [f"* {note}" for card, note in CARD_NOTES.items() if any(line.endswith(f"{card} *") for line in lines)]
    lines.append("")
    return "\n".join(lines)


def _steps(steps: list[dict[str, Any]]) -> Iterable[str]:
    """Yield the lines of the steps; a sum that an earlier step of the same action shows isn't repeated."""
    told: Sums = []
    for number, step in enumerate(steps):
        if number and step["action"] != steps[number - 1]["action"]:
            told = []
        if _divided(step):
            continue
        yield f"{step['action'] + 1:3}. {step['step']}: {step['text']}"
        yield from _sums(step["numbers"], told)
        yield from _sections(step["citations"])


def _divided(step: dict[str, Any]) -> bool:
    """Return whether a step only deals a share of damage that the division before it has told."""
    parts = step["numbers"].get("parts", {}).get("damage", ())
    last = (parts[-1]["kind"], parts[-1]["topic"]) if parts else None
    return step["step"] == "damage-dealt" and last == ("changed", "multiple-targets")


def _awaited(awaiting: dict[str, Any]) -> Iterable[str]:
    """Yield the roll or choice that the report waits for, and the options of a choice."""
    yield f"Waiting for {awaiting.get('roll') or awaiting.get('choice')}: {awaiting['why']}"
    if awaiting.get("options"):
        yield f"     Options: {_result(awaiting['options'])}"


def _answer(answer: dict[str, Any]) -> list[str]:
    """Return the lines of an answer. The sentence about a value already names its parts."""
    result, because, parts = answer["result"], answer["because"], answer.get("parts", ())
    if answer["ask"] == "actions":
        lines = ["actions:", *(f"     {_opening(one)}" for one in result)]
    else:
        lines = [f"{answer['ask']}: {_break_away(result) if answer['ask'] == 'break-away' else _result(result)}"]
    lines += [f"     {sentence}" for sentence in because]
    if answer["ask"] != "value" and len(parts) > 1:
        lines.append(f"       {_sum(parts)}")
    return [*lines, *_sections(answer["citations"])]


def _folded(rulings: list[dict[str, Any]], met: set[str]) -> list[str]:
    """Return one line that stands for the rulings that decide nothing: how many, what they are about, their ids."""
    if not rulings:
        return []
    found = [ruling(one["citations"][0]["edition"], one["id"]) for one in rulings]
    about = listed([topic.title for topic in shared_topics((one for one in found if one is not None), met)])
    ids = ", ".join(one["id"] for one in rulings)
    return [f"Background: {len(rulings)} about {about or 'this case'}: {ids}"]


NAMES = {
    "budget": "may move",
    "cost": "the move costs",
    "dealt": "damage dealt",
    "of": "knock back of",
    "squares": "squares",
    "taken": "damage taken",
    "total": "attack total",
}
"""Number of a step → what a derivation calls it, where its own name isn't plain."""


def _sums(numbers: dict[str, Any], told: Sums) -> list[str]:
    """Return the numbers of a step that something changes, each with its parts, unless another sum shows them."""
    lines = []
    sums = numbers.get("parts", {})
    for name, parts in sums.items():
        longer = any(len(parts) < len(other) and other[: len(parts)] == parts for other in sums.values())
        changed = any(part["kind"] not in ("printed", "rolled") for part in parts)
        if changed and not longer and parts not in told and len(parts) > 1 and not is_needless_sum(name, numbers):
            lines.append(f"       {NAMES.get(name, name)} {numbers[name]}: {_sum(parts)}")
            told.append(parts)
    return lines


def is_needless_sum(name: str, numbers: Mapping[str, Any]) -> bool:
    """Return whether a step's sum says nothing new: a share that the division told, the speed of no move.

    So does damage that one power reduces: the step's sentence names both numbers.
    """
    parts = numbers["parts"][name]
    if name == "taken":
        dealt = numbers["parts"].get("dealt") or numbers["parts"]["damage"]
        return len([part for part in parts[len(dealt) :] if part["kind"] == "changed"]) < 2
    still = name == "budget" and numbers["cost"] == 0
    return bool(still) or any(part["topic"] == "multiple-targets" for part in parts[-1:])


def _sum(parts: Iterable[dict[str, Any]]) -> str:
    """Return the parts of a number; an ignored part names what ignores it."""
    said, value = [], 0
    for part in parts:
        amount, ignored = part["amount"], part["ignored_by"]
        value += amount if ignored is None else 0
        shown = {"printed": f"{amount}", "replaced": f"{value} instead:", "halved": "halved:", "doubled": "doubled:"}
        words = f"{shown.get(part['kind'], f'{amount:+d}')} {part['why']}"
        said.append(words if ignored is None else f"{words} (ignored: {ignored})")
    return "; ".join(said)


def _standing(ruling: dict[str, Any]) -> str:
    """Say why a ruling isn't binding, and which rulings it takes precedence over."""
    arbitrated = ruling["citations"][0].get("authority") in ARBITRATORS
    why = "official, not yet for tournaments" if arbitrated else "explanation, unofficial"
    said = [] if ruling.get("official", True) else [why]
    if "followed_rather_than" in ruling:
        said.append(f"followed rather than {listed(ruling['followed_rather_than'])}")
    return f" ({'; '.join(said)})" if said else ""


def _sections(citations: list[dict[str, Any]]) -> list[str]:
    return [
        f"       {citation['edition']}: {citation['section']}{_note(citation.get('note'))}" for citation in citations
    ]


def _note(note: str | None) -> str:
    if note in CARD_NOTES.values():
        return " *"
    return f" ({note})" if note else ""


def _result(result: Any) -> str:
    if result is True or result is False:
        return "yes" if result else "no"
    if isinstance(result, list):
        return ", ".join(part["id"] if isinstance(part, dict) else _result(part) for part in result) or "none"
    if isinstance(result, dict):
        told = {key: value for key, value in result.items() if key != "because" and value != []}
        return "; ".join(f"{key.replace('_', ' ')} {_result(value)}" for key, value in told.items())
    return str(result)


def _break_away(result: dict[str, Any]) -> str:
    if not result["needed"]:
        return "no roll needed"
    rolls = listed([str(roll) for roll in result["succeeds_on"]], "or")
    on = "on" if len(result["succeeds_on"]) > 1 else "only on a"
    return f"roll needed to leave {listed(result['from'])}; succeeds {on} {rolls}"


def _opening(opening: dict[str, Any]) -> str:
    """Return an action that may be given, or the reasons why it may not."""
    named = f" ({', '.join(opening['using'])})" if opening.get("using") else ""
    if not opening["legal"]:
        return f"{opening['action']}{named}, not allowed: {' '.join(opening['because'])}"
    targets = f" at {', '.join(opening['targets'])}" if opening.get("targets") else ""
    return f"{opening['action']}{named}{targets}"
