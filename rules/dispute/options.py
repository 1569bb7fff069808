"""What a figure may be given now, and the squares that lead to where its move shall end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules import engine
from rules.dispute.words import kinds_of_action, names_apart
from rules.positions import Cell, piece_of, pieces, read_square, square_name, stands_in


@dataclass(frozen=True, slots=True)
class ActionOption:
    """An action that a figure might be given now: one tap gives it where `target` is named, else more has to be said."""

    action: str
    using: str
    target: str
    target_name: str
    legal: bool
    because: str
    words: str

    @property
    def often_argued(self) -> bool:
        """Whether it is what people call a judge for: a plain ranged attack that the book does not allow."""
        return not self.legal and self.action == "ranged" and not self.using and bool(self.target)


def action_options(document: Mapping[str, Any], name: str) -> list[ActionOption]:
    """Return what a character may be given after all that was done, and what it may not, each with the reason."""
    asked = engine.adjudicate({**document, "ask": [{"ask": "actions", "of": name}]})
    standing = asked["state"]["characters"]
    mine = next((player for player, piece in pieces(document) if piece["id"] == name), None)
    others = [
        piece
        for player, piece in pieces(document)
        if player != mine and (standing[piece["id"]].get("square") or standing[piece["id"]].get("squares"))
    ]
    names = names_apart(document)
    found = []
    for opening in asked["answers"][0]["result"]:
        kind, using = opening["action"], " + ".join(opening.get("using", ()))
        if kind == "pass":
            continue
        because = " ".join(opening.get("because", ()))
        if kind not in ("close", "ranged"):
            found.append(ActionOption(kind, using, "", "", opening["legal"], because, _words_of(kind, using)))
            continue
        goals = opening.get("targets", ())
        for goal in goals:
            words = _words_of(kind, using)
            found.append(ActionOption(kind, using, goal, names.get(goal, goal), opening["legal"], because, words))
        found += [
            ActionOption(kind, using, piece["id"], names[piece["id"]], False, because, _words_of(kind, using))
            for piece in others
            if piece["id"] not in goals
        ]
    return found


def _words_of(kind: str, using: str) -> str:
    if not using:
        return kinds_of_action()[kind]
    return _("%(using)s (%(kind)s)") % {"using": using, "kind": kinds_of_action()[kind].lower()}


def path_to(document: Mapping[str, Any], name: str, end: str, using: Sequence[str] = ()) -> list[str]:
    """Return squares that lead a character to where its move shall end, on a cheapest way.

    Where none leads there it is the straight one, so that the engine can say what is wrong with it.
    """
    piece = piece_of(document, name)
    goal = read_square(end)
    if piece is None or goal is None or not stands_in(piece):
        return [end]
    found = engine.way_to(document, name, end, using=using)
    return found or [square_name(cell) for cell in _straight(min(stands_in(piece)), goal)]


def _straight(start: Cell, goal: Cell) -> list[Cell]:
    """Return the squares of a way that goes diagonally first, then straight."""
    found, (column, row) = [], start
    while (column, row) != goal:
        column += (goal[0] > column) - (goal[0] < column)
        row += (goal[1] > row) - (goal[1] < row)
        found.append((column, row))
    return found
