"""Patterns of phrases: words in `<…>` stand for what texts have in many forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from .others import ME, NAME, TOKENS, Effect, Found
from .words import one_power, one_team

VALUE = r"(?:speed|attack|defense|damage|range)"
_SELF = r"(?:himself|herself|itself|themselves)"
_WORDS = {
    "<me>": rf"(?:{ME}|[Hh]e|[Ss]he|[Ii]t|[Tt]hey)",
    "<whose>": rf"(?:(?:{ME}'s?|his|her|its|their) )?",
    "<self>": rf"(?:{ME}|him|her|it|them|{_SELF})",
    "<myself>": rf"(?:{ME}|{_SELF})",
    "<number>": r"(\d+|one|two|three|four|five|six)",
    "<signed>": r"([+\-−–]\d+)",
    "<values>": rf"({VALUE}(?:(?:, | and |, and ){VALUE})*|combat values(?:,? except {VALUE},?)?)",
    "<kind>": r"(close|ranged?)(?: combat)? attack",
    "<names>": rf"({NAME}(?: or {NAME})*)",
    "<name>": rf"({NAME})",
    "<free>": r"(?P<freely> as a free action| as FREE| at no cost)",
    "<results>": r"\[?(\d) ?[-–] ?(\d)\]?",
}
Row = tuple[str, Callable[[Found], list[Effect]]]


def _one_or_more(single: str) -> str:
    return rf"({single}(?:, (?!and |or ){single})*(?:,? and {single})?)"


@cache
def pattern(phrase: str) -> re.Pattern[str]:
    """Return a phrase as a pattern."""
    words = _WORDS | TOKENS
    words |= {"<either>": f"({one_power()}(?:, {one_power()})*,? or {one_power()})"}
    words |= {"<team>": f"({one_team()})", "<powers>": _one_or_more(one_power()), "<power>": f"({one_power()})"}
    for word, meaning in words.items():
        phrase = phrase.replace(word, meaning)
    return re.compile(phrase)


def rows(all_rows: tuple[Row, ...], said: str) -> list[Effect]:
    """Return what the first row that matches all of the words says, if it says anything."""
    for phrase, make in all_rows:
        if (found := pattern(phrase).fullmatch(said)) and (effects := make(found)):
            return list(effects)
    return []


def freely(found: Found) -> Effect:
    """Return as what kind of action a phrase lets a power be used: a free one, or one of its own kind at no cost."""
    return {"no_cost": True} if found["freely"] == " at no cost" else {"action": "free"}


def at_no_cost(found: Found) -> Effect:
    """Return whether the action of a phrase is at no cost, instead of being a free action."""
    return {"no_cost": True} if found["freely"] == " at no cost" else {}


def attack_kind(said: str | None) -> str:
    """Return a kind of attack in the words of position files."""
    return {"close": "close", None: "any"}.get(said, "ranged")
