"""Dice and choices of a position file: what a report waits for, and the file with it entered."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.dispute.words import choice_words, option_words, roll_words
from rules.positions import Document, whole_numbers

NOTED = "rolled-here"


@dataclass(frozen=True, slots=True)
class Awaited:
    """A die or a choice that is missing: which, in the words of the page, and of which action."""

    action: int
    name: str
    title: str
    dice: int
    why: str
    player: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_roll(self) -> bool:
        """Whether dice are waited for, not a choice."""
        return self.dice > 0


@dataclass(frozen=True, slots=True)
class EnteredRoll:
    """Dice that were entered: of which action, which of its rolls of that name (from 0), what they show.

    `words` say what was rolled for; `here` says that this site rolled them.
    """

    action: int
    time: int
    name: str
    dice: tuple[int, ...]
    words: str
    here: bool

    @property
    def value(self) -> str:
        """How a form names the roll."""
        return f"{self.action}/{self.time}/{self.name}"


def awaited_of(document: Mapping[str, Any], missing: Mapping[str, Any]) -> Awaited:
    """Return what a report waits for (`awaiting`), in the words of a page."""
    name: str = missing["roll"] if "roll" in missing else missing["choice"]
    options = tuple((_written(option), option_words(document, name, option)) for option in missing.get("options", ()))
    return Awaited(
        missing["action"],
        name,
        roll_words(document, name) if "roll" in missing else choice_words(document, name),
        missing.get("dice", 0),
        "" if "roll" in missing else missing.get("why", ""),
        missing.get("player", ""),
        options,
    )


def _written(option: Any) -> str:
    return {True: "yes", False: "no"}[option] if isinstance(option, bool) else str(option)


def noted_rolls(action: Mapping[str, Any]) -> list[str]:
    """Return the names of the rolls that the site made for this action."""
    note = action.get("note")
    named = note.get(NOTED) if isinstance(note, dict) else None
    return [name for name in named if isinstance(name, str)] if isinstance(named, list) else []


def with_dice(document: Mapping[str, Any], place: int, name: str, dice: Sequence[int], *, here: bool) -> Document:
    """Return the position file with one more roll of an action; `here` says that the site rolled it."""
    changed = copy.deepcopy(dict(document))
    action = changed["actions"][place]
    action["rolls"] = {**(action.get("rolls") or {})}
    action["rolls"].setdefault(name, []).append(list(dice))
    if here:
        note = action.get("note")
        kept = note if isinstance(note, dict) else {"words": note} if note else {}
        action["note"] = {**kept, NOTED: [*noted_rolls(action), name]}
    return changed


def with_choice(document: Mapping[str, Any], place: int, name: str, value: Any) -> Document:
    """Return the position file with a choice of an action made, where its format keeps that choice."""
    changed = copy.deepcopy(dict(document))
    action = changed["actions"][place]
    if name == "divide":
        action["divide"] = value
        return changed
    chosen = {**(action.get("choose") or {})}
    kind, _colon, who = name.partition(":")
    if kind == "place" and who:
        chosen["place"] = {**(chosen.get("place") or {}), who: value}
    else:
        chosen[name] = value
    action["choose"] = chosen
    return changed


def with_action(document: Mapping[str, Any], action: Mapping[str, Any]) -> Document:
    """Return the position file with one more action at its end, whatever is empty left out."""
    given = {key: value for key, value in action.items() if value not in (None, "", [], {})}
    return {**document, "actions": [*document.get("actions", ()), whole_numbers(given)]}


def with_turn_of(document: Document, player: str) -> Document:
    """Return the position file as that player's turn, where nothing has been done yet; else as it is."""
    if document.get("actions"):
        return document
    turn = document.get("turn") or {}
    active = turn.get("active") or document["sides"][0]["player"]
    return document if active == player else {**document, "turn": {**turn, "active": player}}


def rolls_so_far(document: Mapping[str, Any]) -> list[EnteredRoll]:
    """Return the dice that were entered so far, in order."""
    return [
        EnteredRoll(place, time, name, tuple(dice), roll_words(document, name), name in noted_rolls(action))
        for place, action in enumerate(document.get("actions", ()))
        for name, rolls in (action.get("rolls") or {}).items()
        for time, dice in enumerate(rolls)
    ]


def roll_at(document: Mapping[str, Any], value: str) -> EnteredRoll | None:
    """Return the roll that a form names by its `value`, None where there is none."""
    return next((one for one in rolls_so_far(document) if one.value == value), None)


def squares_wanted(name: str) -> int:
    """Return how many squares a choice names: 0 where it is none of squares."""
    kind = name.partition(":")[0]
    return {"squares": 4, "square": 1, "place": 1}.get(kind, 0)
