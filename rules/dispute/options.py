"""The actions a figure can be given now, and the squares of a path to the end of its move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules import engine
from rules.dispute.words import kinds_of_action, names_apart
from rules.engine import EDITIONS
from rules.positions import Cell, piece_of, pieces, read_square, square_name, stands_in

MOVES = ("Hypersonic Speed", "Move and Attack", "Sidestep")
"""Powers that are more than a move, but are used by moving."""
ALL_IN_REACH = ("Quake", "Pulse Wave")
"""Powers whose attack is against every figure in reach, so that no target is named."""


@dataclass(frozen=True, slots=True)
class ActionOption:
    """An action that a figure might be given now. If it `moves`, its end is chosen next; otherwise one tap gives it.

    `target` is the id or "", `target_name` also names several.
    """

    action: str
    using: str
    target: str
    target_name: str
    legal: bool
    because: str
    words: str
    moves: bool = False

    @property
    def often_argued(self) -> bool:
        """Whether players often call a judge about it: an illegal plain ranged attack."""
        return not self.legal and self.action == "ranged" and not self.using and bool(self.target)


def action_options(document: Mapping[str, Any], ids: Sequence[str]) -> dict[str, list[ActionOption]]:
    """Return for each character the actions it can be given after those so far, and those it can't, with reasons."""
    asked = engine.adjudicate({**document, "ask": [{"ask": "actions", "of": one} for one in ids]})
    standing = asked["state"]["characters"]
    names = names_apart(document)
    players = {piece["id"]: player for player, piece in pieces(document)}
    there = [name for name in players if standing[name].get("square") or standing[name].get("squares")]
    found = {}
    for one, answer in zip(ids, asked["answers"], strict=True):
        others = [name for name in there if players[name] != players[one]]
        found[one] = [
            option
            for opening in answer["result"]
            for option in _options_of(document["edition"], opening, others, names)
        ]
    return found


def _options_of(
    edition: str, opening: Mapping[str, Any], others: Sequence[str], names: Mapping[str, str]
) -> list[ActionOption]:
    """Return the options of one kind of action: one for each target if it names one, those out of range last."""
    kind, using, goals = opening["action"], " + ".join(opening.get("using", ())), opening.get("targets", ())
    if kind == "pass":
        return []
    because, words = " ".join(opening.get("because", ())), _words_of(kind, using)
    if using in ALL_IN_REACH or not (goals or kind in ("close", "ranged")):
        reached = ", ".join(names.get(goal, goal) for goal in goals)
        return [ActionOption(kind, using, "", reached, opening["legal"], because, words, is_move(edition, kind, using))]
    missed = [name for name in others if name not in goals] if kind in ("close", "ranged") else []
    return [
        *(ActionOption(kind, using, goal, names.get(goal, goal), opening["legal"], because, words) for goal in goals),
        *(ActionOption(kind, using, name, names[name], False, because, words) for name in missed),
    ]


def is_move(edition: str, kind: str, using: str) -> bool:
    """Return whether an action, with the power it uses, moves the figure, so that the end of the move is chosen."""
    if kind not in ("move", "power", "free"):
        return False
    row = EDITIONS[edition].row(using) if using else None
    return not using or using in MOVES or (row is not None and row.act is None)


def _words_of(kind: str, using: str) -> str:
    if not using:
        return kinds_of_action()[kind]
    return _("%(using)s (%(kind)s)") % {"using": using, "kind": kinds_of_action()[kind].lower()}


def attack_words(kind: str, using: str, target: str, at: str) -> str:
    """Return an attack that a move grants in words; `at` is its square if it is made in mid-move."""
    words = _("%(words)s → %(targets)s") % {"words": _words_of(kind, using), "targets": target}
    return _("%(words)s, from %(square)s") % {"words": words, "square": at} if at else words


def path_to(document: Mapping[str, Any], name: str, end: str, using: Sequence[str] = ()) -> list[str]:
    """Return the squares of a cheapest path for a character to the end of its move.

    If there is none, the path is straight, so that the engine can say what is wrong with it.
    """
    piece = piece_of(document, name)
    goal = read_square(end)
    if piece is None or goal is None or not stands_in(piece):
        return [end]
    found = engine.way_to(document, name, end, using=using)
    return found or [square_name(cell) for cell in _straight(min(stands_in(piece)), goal)]


def _straight(start: Cell, goal: Cell) -> list[Cell]:
    """Return the squares of a path that goes diagonally first, then straight."""
    found, (column, row) = [], start
    while (column, row) != goal:
        column += (goal[0] > column) - (goal[0] < column)
        row += (goal[1] > row) - (goal[1] < row)
        found.append((column, row))
    return found
