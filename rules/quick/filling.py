"""Entering what an adjudication asks for on the positions of quick answers: dice and choices, as a player would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.dispute.replay import Replay, replay_of
from rules.positions import Document

TWO_DICE, DOUBLES = [4, 5], [5, 5]
HIGH, LOW = 5, 3
"""The single dice of the positions: one with which most powers work, and one with which nothing is evaded."""
EVADES = ("super-senses", "shape-change", "skrull", "impervious")
MAX_ENTERED = 12


def filled(document: Document, single: Mapping[str, int], *, doubles: bool = False) -> Replay:
    """Return the replay of a document with every die and choice that it asks for entered, as a player would."""
    tried = document
    for _time in range(MAX_ENTERED):
        replay = replay_of(tried)
        missing = replay.report.get("awaiting")
        if missing is None or ("choice" in missing and not missing.get("options")):
            return replay
        place = missing["action"]
        action = {**tried["actions"][place]}
        if "roll" in missing:
            kind = kind_of(missing["roll"])
            die = single.get(kind, LOW if kind in EVADES else HIGH)
            dice = [die] if missing["dice"] == 1 else DOUBLES if doubles else TWO_DICE
            rolls = action.get("rolls", {})
            action["rolls"] = {**rolls, missing["roll"]: [*rolls.get(missing["roll"], ()), dice]}
        else:
            options = missing["options"]
            value = next((one for one in options if one), options[0])
            if missing["choice"] == "divide":
                action["divide"] = value
            else:
                action["choose"] = {**action.get("choose", {}), missing["choice"]: value}
        tried = {**tried, "actions": [*tried["actions"][:place], action, *tried["actions"][place + 1 :]]}
    return replay


def kind_of(roll: str) -> str:
    """Return what a roll is for: its name without the figure."""
    return roll.removesuffix("/reroll").partition(":")[0]


def single_dice(replay: Replay) -> list[str]:
    """Return what the single dice of a replay are for, in the order in which they were entered."""
    entered = [roll for action in replay.document.get("actions", ()) for roll in action.get("rolls", {}).items()]
    return list(dict.fromkeys(kind_of(name) for name, dice in entered if len(dice[0]) == 1))


def without_rolls(document: Document, *kept: str) -> Document:
    """Return a document without dice, except those of the names `kept`."""
    actions = []
    for action in document.get("actions", ()):
        rolls = {name: dice for name, dice in action.get("rolls", {}).items() if name in kept}
        bare = {key: part for key, part in action.items() if key != "rolls"}
        actions.append({**bare, "rolls": rolls} if rolls else bare)
    return {**document, "actions": actions}


def by_face(document: Document, kind: str, *, doubles: bool = False) -> list[tuple[tuple[int, ...], Replay]]:
    """Return the results of a die that end alike, with the replay of the first of them."""
    found: list[tuple[tuple[int, ...], Replay]] = []
    ended: list[Any] = []
    for face in range(1, 7):
        replay = filled(document, {kind: face}, doubles=doubles)
        end = _ending(replay)
        if found and end == ended[-1]:
            found[-1] = ((*found[-1][0], face), found[-1][1])
        else:
            found.append(((face,), replay))
            ended.append(end)
    return found


def _ending(replay: Replay) -> Any:
    """Return how an act ends, whatever was rolled: the state, and which steps there were."""
    if replay.fault is not None:
        return "fault"
    return replay.legal, str(replay.report["state"]["characters"]), [step.kind for step in replay.steps]


def faces_words(faces: tuple[int, ...]) -> str:
    """Return results of a die in words: one, or the first and the last."""
    return f"{faces[0]}–{faces[-1]}" if len(faces) > 1 else "".join(map(str, faces))
