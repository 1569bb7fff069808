"""The report of an adjudication as plain text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def adjudication_in_words(report: dict[str, Any]) -> str:
    """Return a report as lines of text: its steps, its answers with their reasons and sections, its rulings."""
    lines = [str(report["id"])] if report.get("id") else []
    if "error" in report:
        error = report["error"]
        where = f" at {error['where']}" if error.get("where") else ""
        return "\n".join([*lines, f"{error['code']}{where}: {error['message']}", ""])
    for step in report["steps"]:
        lines.append(f"{step['action'] + 1:3}. {step['step']}: {step['text']}")
        lines += _sums(step["numbers"])
        lines += _sections(step["citations"])
    if report["awaiting"]:
        waiting = report["awaiting"]
        wanted = waiting.get("roll") or waiting.get("choice")
        lines.append(f"Waiting for {wanted}.")
    for answer in report["answers"]:
        lines.append(f"{answer['ask']}: {_result(answer['result'])}")
        lines += [f"     {sentence}" for sentence in answer["because"] if not _in_parts(answer, sentence)]
        lines += _sum(answer.get("parts", ()))
        lines += _sections(answer["citations"])
    for ruling in report["rulings"]:
        weight = "Ruling" if ruling["weight"] == "decides" else "Background"
        lines.append(f"{weight} {ruling['id']}{_standing(ruling)}: {ruling['text']}")
        lines += _sections(ruling["citations"])
    lines.append("")
    return "\n".join(lines)


def _in_parts(answer: dict[str, Any], sentence: str) -> bool:
    """Return whether a sentence of an answer repeats one of the parts of its number."""
    return answer["ask"] == "value" and any(part["why"] in sentence for part in answer["parts"])


def _sums(numbers: dict[str, Any]) -> list[str]:
    """Return the computed numbers of a step, each with its parts."""
    lines = []
    for name, parts in numbers.get("parts", {}).items():
        if parts:
            lines += [f"       {name} {numbers[name]}:", *_sum(parts)]
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
        f"       {citation['edition']}: {citation['section']}"
        + (f" ({citation['note']})" if citation.get("note") else "")
        for citation in citations
    ]


def _result(result: Any) -> str:
    if result is True or result is False:
        return "yes" if result else "no"
    if isinstance(result, list):
        return ", ".join(_listed(part) for part in result) or "none"
    if isinstance(result, dict):
        return "; ".join(f"{key} {_result(value)}" for key, value in result.items())
    return str(result)


def _listed(part: Any) -> str:
    if not isinstance(part, dict):
        return str(part)
    if "action" not in part:
        return str(part.get("id", part))
    named = f" ({', '.join(part['using'])})" if part.get("using") else ""
    if not part["legal"]:
        return f"{part['action']}{named} not: {' '.join(part['because'])}"
    targets = f" at {', '.join(part['targets'])}" if part.get("targets") else ""
    return f"{part['action']}{named}{targets}"
