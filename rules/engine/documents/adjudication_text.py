"""The report of an adjudication as plain text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.engine.documents.text import error_in_words
from rules.engine.editions.sources import NOT_IN_THE_TEXTS

FOOTNOTE = f"* {NOT_IN_THE_TEXTS}"
Sums = list[list[dict[str, Any]]]


def adjudication_in_words(report: dict[str, Any]) -> str:
    """Return a report as lines of text: its steps, its answers with their reasons and sections, its rulings.

    A card outside the books is marked with an asterisk, which the last line explains.
    """
    lines = [str(report["id"])] if report.get("id") else []
    if "error" in report:
        return "\n".join([*lines, *error_in_words(report), ""])
    lines += _steps(report["steps"])
    if report["awaiting"]:
        lines += _awaited(report["awaiting"])
    for answer in report["answers"]:
        lines += _answer(answer)
    for ruling in report["rulings"]:
        weight = "Ruling" if ruling["weight"] == "decides" else "Background"
        lines.append(f"{weight} {ruling['id']}{_standing(ruling)}: {ruling['text']}")
        lines += _sections(ruling["citations"])
    if any(line.endswith("*") for line in lines):
        lines.append(FOOTNOTE)
    lines.append("")
    return "\n".join(lines)


def _steps(steps: list[dict[str, Any]]) -> Iterable[str]:
    """Yield the lines of the steps; a sum that an earlier step of the same action shows isn't repeated."""
    told: Sums = []
    for number, step in enumerate(steps):
        if number and step["action"] != steps[number - 1]["action"]:
            told = []
        yield f"{step['action'] + 1:3}. {step['step']}: {step['text']}"
        yield from _sums(step["numbers"], told)
        yield from _sections(step["citations"])


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
        lines = [f"{answer['ask']}: {_result(result)}"]
    lines += [f"     {sentence}" for sentence in because]
    if answer["ask"] != "value" and len(parts) > 1:
        lines += _sum(parts)
    return [*lines, *_sections(answer["citations"])]


def _sums(numbers: dict[str, Any], told: Sums) -> list[str]:
    """Return the numbers of a step that something changes, each with its parts, unless another sum shows them."""
    lines = []
    sums = numbers.get("parts", {})
    for name, parts in sums.items():
        longer = any(len(parts) < len(other) and other[: len(parts)] == parts for other in sums.values())
        changed = any(part["kind"] not in ("printed", "rolled") for part in parts)
        if changed and not longer and parts not in told:
            lines += [f"       {name} {numbers[name]}:", *_sum(parts)]
            told.append(parts)
    return lines


def _sum(parts: Iterable[dict[str, Any]]) -> list[str]:
    """Return the parts of a number, one per line; an ignored part names what ignores it."""
    lines = []
    for part in parts:
        amount = str(part["amount"]) if part["kind"] == "printed" else f"{part['amount']:+d}"
        ignored = f" (ignored: {part['ignored_by']})" if part["ignored_by"] is not None else ""
        lines.append(f"       {amount:>5} {part['why']}{ignored}")
    return lines


def _standing(ruling: dict[str, Any]) -> str:
    """Say that a ruling isn't official, and which rulings it takes precedence over."""
    said = [] if ruling.get("official", True) else ["not official yet"]
    if "followed_rather_than" in ruling:
        said.append(f"followed rather than {', '.join(ruling['followed_rather_than'])}")
    return f" ({'; '.join(said)})" if said else ""


def _sections(citations: list[dict[str, Any]]) -> list[str]:
    return [
        f"       {citation['edition']}: {citation['section']}{_note(citation.get('note'))}" for citation in citations
    ]


def _note(note: str | None) -> str:
    if note == NOT_IN_THE_TEXTS:
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


def _opening(opening: dict[str, Any]) -> str:
    """Return an action that may be given, or the reasons why it may not."""
    named = f" ({', '.join(opening['using'])})" if opening.get("using") else ""
    if not opening["legal"]:
        return f"{opening['action']}{named}, not allowed: {' '.join(opening['because'])}"
    targets = f" at {', '.join(opening['targets'])}" if opening.get("targets") else ""
    return f"{opening['action']}{named}{targets}"
