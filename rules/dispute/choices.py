"""Dice and choices of a position file: those that a report is waiting for, and the file with them entered."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.dispute.words import choice_words, option_words, roll_words
from rules.positions import Document, whole_numbers

NOTED = "rolled-here"
NO_ONE = "nobody"
"""The option that declines a choice."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """A missing roll or choice: its name, its words on the page, and its action."""

    action: int
    name: str
    title: str
    dice: int
    why: str
    player: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_roll(self) -> bool:
        """Whether it is a roll and not a choice."""
        return self.dice > 0


@dataclass(frozen=True, slots=True)
class EnteredRoll:
    """A roll that was entered: its action, its number among that action's rolls of the same name (from 0), its dice.

    `words` give its purpose; `here` says that the site rolled it.
    """

    action: int
    time: int
    name: str
    dice: tuple[int, ...]
    words: str
    here: bool

    @property
    def value(self) -> str:
        """The roll's value in forms."""
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
    """Return the position file with one more roll for an action; `here` says that the site rolled it."""
    changed: Document = {**document, "actions": copy.deepcopy(list(document["actions"]))}
    action = changed["actions"][place]
    action["rolls"] = {**(action.get("rolls") or {})}
    action["rolls"].setdefault(name, []).append(list(dice))
    if here:
        note = action.get("note")
        kept = note if isinstance(note, dict) else {"words": note} if note else {}
        action["note"] = {**kept, NOTED: [*noted_rolls(action), name]}
    return changed


def with_choice(document: Mapping[str, Any], place: int, name: str, value: Any) -> Document:
    """Return the position file with a choice entered for an action, in the key of its format."""
    changed: Document = {**document, "actions": copy.deepcopy(list(document["actions"]))}
    action = changed["actions"][place]
    if name == "divide":
        action["divide"] = value
        return changed
    if name == "then":
        action["then"] = [value] if value else []
        return changed
    if name == "second-attack":
        holder = (action.get("then") or [action])[-1]
        holder.update({"targets": [*holder["targets"], value]} if value else {"attacks": 1})
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
    """Return the position file with one more action at its end, without empty keys."""
    given = {key: value for key, value in action.items() if value not in (None, "", [], {})}
    return {**document, "actions": [*document.get("actions", ()), whole_numbers(given)]}


def with_turn_of(document: Document, player: str) -> Document:
    """Return the position file with the turn set to that player's, if it has no actions yet; otherwise unchanged."""
    if document.get("actions"):
        return document
    turn = document.get("turn") or {}
    active = turn.get("active") or document["sides"][0]["player"]
    return document if active == player else {**document, "turn": {**turn, "active": player}}


def rolls_so_far(document: Mapping[str, Any]) -> list[EnteredRoll]:
    """Return the dice entered so far, in order."""
    return [
        EnteredRoll(place, time, name, tuple(dice), roll_words(document, name), name in noted_rolls(action))
        for place, action in enumerate(document.get("actions", ()))
        for name, rolls in (action.get("rolls") or {}).items()
        for time, dice in enumerate(rolls)
    ]


def roll_at(document: Mapping[str, Any], value: str) -> EnteredRoll | None:
    """Return the roll with that form value, or None."""
    return next((one for one in rolls_so_far(document) if one.value == value), None)


def squares_wanted(name: str) -> int:
    """Return how many squares a choice asks for; 0 if it isn't a choice of squares."""
    kind = name.partition(":")[0]
    return {"squares": 4, "square": 1, "place": 1}.get(kind, 0)
