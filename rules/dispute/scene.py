"""What stands around two figures, changed with one tap: a wall between them, a roof below, a friend beside, presets."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.engine import EDITIONS
from rules.piece_form import standard_piece
from rules.positions import (
    EDGES,
    BadChange,
    Cell,
    Document,
    brushed,
    cells_of,
    edge_name,
    piece_of,
    pieces,
    placed,
    removed,
    square_name,
    stands_in,
)

FRIEND = "friend-beside"
"""The id of the figure that the chip for a friend places."""
ATTACKER, TARGET, BETWEEN = "attacker", "target", "between"
CHIPS: dict[str, tuple[Promise, str, str]] = {
    "wall": (gettext_lazy("Wall between"), BETWEEN, "edge:walls"),
    "window": (gettext_lazy("Window between"), BETWEEN, "edge:windows"),
    "hindering": (gettext_lazy("Hindering terrain between"), BETWEEN, "terrain:hindering"),
    "target-hindering": (gettext_lazy("Target in hindering terrain"), TARGET, "terrain:hindering"),
    "attacker-hindering": (gettext_lazy("Attacker in hindering terrain"), ATTACKER, "terrain:hindering"),
    "target-roof": (gettext_lazy("Target on a roof"), TARGET, "terrain:elevated"),
    "attacker-roof": (gettext_lazy("Attacker on a roof"), ATTACKER, "terrain:elevated"),
    "friend": (gettext_lazy("Friendly figure adjacent to the target"), TARGET, ""),
}
"""Chip → its words, where it applies, and the brush that draws it."""
PRESETS: dict[str, tuple[Promise, int, str]] = {
    "open": (gettext_lazy("In the open"), 6, ""),
    "adjacent": (gettext_lazy("Adjacent"), 1, ""),
    "wall": (gettext_lazy("Wall between"), 6, "wall"),
    "hindering": (gettext_lazy("Hindering terrain between"), 6, "hindering"),
    "roof": (gettext_lazy("Roof to street"), 6, "attacker-roof"),
    "pushed": (gettext_lazy("Adjacent, attacker has 1 token"), 1, ""),
}
"""Preset → its words, the squares between the two figures, and the chip it sets."""


@dataclass(frozen=True, slots=True)
class Chip:
    """Something that may matter between two figures, and whether it is there."""

    key: str
    words: str
    on: bool


def drawable(edition: str, brush: str) -> bool:
    """Return whether an edition has what a brush draws."""
    return brush not in ("edge:windows", "edge:doors") or EDITIONS[edition].board.windows_and_doors


def chips(document: Mapping[str, Any], attacker: str, target: str) -> list[Chip]:
    """Return the chips for two figures of a position; none unless both stand on its map."""
    ends = [piece_of(document, name) for name in (attacker, target)]
    if not all(piece is not None and stands_in(piece) for piece in ends):
        return []
    found = []
    for key, (words, _where, brush) in CHIPS.items():
        where = _squares_of(document, key, attacker, target)
        if where and drawable(document["edition"], brush):
            found.append(Chip(key, str(words), _is_there(document, brush, where)))
    return found


def _is_there(document: Mapping[str, Any], brush: str, where: list[str]) -> bool:
    sort, _colon, kind = brush.partition(":")
    drawn = document["map"]
    if sort == "edge":
        return set(where) <= set(drawn.get(kind, ()))
    if sort == "terrain":
        covered = {
            cell for area in drawn.get("terrain", ()) if area["type"] == kind for cell in cells_of(area["squares"])
        }
        return set(cells_of(where)) <= covered
    return piece_of(document, FRIEND) is not None


def with_chip(document: Document, key: str, attacker: str, target: str) -> Document:
    """Return the position with what a chip stands for, or without it if it was there. Raises BadChange."""
    if key not in CHIPS or not any(one.key == key for one in chips(document, attacker, target)):
        raise BadChange(_("Choose who acts and against whom."))
    if key == "friend":
        return _with_friend(document, attacker, target)
    return brushed(document, CHIPS[key][2], " ".join(_squares_of(document, key, attacker, target)))


def _squares_of(document: Mapping[str, Any], key: str, attacker: str, target: str) -> list[str]:
    """Return the squares or edges that a chip changes; none where it can't apply."""
    _words, where, brush = CHIPS[key]
    if where != BETWEEN:
        piece = piece_of(document, attacker if where == ATTACKER else target)
        return [square_name(cell) for cell in stands_in(piece or {"dial": []})]
    one, other = (min(stands_in(piece_of(document, name) or {"dial": []})) for name in (attacker, target))
    return _edges_between(document, one, other) if brush.startswith("edge") else _square_between(one, other)


def _at(one: Cell, other: Cell, along: int, half: int) -> int:
    """Return where the line between two squares is, across, halfway past the `half` half-squares along it."""
    across = 1 - along
    run, rise = other[along] - one[along], other[across] - one[across]
    return round(one[across] + rise * (half / 2 - one[along]) / run)


def _square_between(one: Cell, other: Cell) -> list[str]:
    """Return the square in the middle of the line between two squares; none if nothing lies between them."""
    along = 0 if abs(other[0] - one[0]) >= abs(other[1] - one[1]) else 1
    if abs(other[along] - one[along]) < 2:
        return []
    middle = (one[along] + other[along]) // 2
    across = _at(one, other, along, 2 * middle)
    return [square_name((middle, across) if along == 0 else (across, middle))]


def _edges_between(document: Mapping[str, Any], one: Cell, other: Cell) -> list[str]:
    """Return three edges in a row that lie across the middle of the line between two squares."""
    along = 0 if abs(other[0] - one[0]) >= abs(other[1] - one[1]) else 1
    if one == other:
        return []
    middle = (one[along] + other[along] - 1) // 2
    across = _at(one, other, along, 2 * middle + 1)
    most = document["map"]["height" if along == 0 else "width"]
    rows = [row for row in (across - 1, across, across + 1) if 0 <= row < most]
    sides = [((middle, row), (middle + 1, row)) if along == 0 else ((row, middle), (row, middle + 1)) for row in rows]
    return [edge_name(edge) for edge in sides]


def _with_friend(document: Document, attacker: str, target: str) -> Document:
    """Return the position with an ordinary figure of the attacker's side beside the target, or without it."""
    if piece_of(document, FRIEND) is not None:
        return removed(document, FRIEND)
    player = next(player for player, piece in pieces(document) if piece["id"] == attacker)
    stands = stands_in(piece_of(document, target) or {"dial": []})
    from_here = min(stands_in(piece_of(document, attacker) or {"dial": []}))
    near = {(c + across, r + down) for c, r in stands for across in (-1, 0, 1) for down in (-1, 0, 1)}
    for cell in sorted(near, key=lambda one: (-max(abs(one[0] - from_here[0]), abs(one[1] - from_here[1])), one)):
        if min(cell) < 0:
            continue
        try:
            changed = placed(document, player, {**standard_piece(), "name": _("Friend")}, square_name(cell))
        except BadChange:
            continue
        next(side for side in changed["sides"] if side["player"] == player)["characters"][-1]["id"] = FRIEND
        return changed
    raise BadChange(_("No square adjacent to the target is free. Move a figure away first."))


def may_preset(document: Mapping[str, Any], waiting: list[dict[str, Any]]) -> bool:
    """Return whether a preset can place the figures: two, one a side, on an empty board with room for them."""
    drawn = document["map"]
    bare = not any(drawn.get(key) for key in ("terrain", "markers", *EDGES)) and not pieces(document)
    players = [one["player"] for one in waiting]
    return (
        bare
        and sorted(players) == sorted({*players})
        and len(players) == 2
        and min(drawn["width"], drawn["height"]) >= 8
    )


def with_preset(document: Document, waiting: list[dict[str, Any]], key: str) -> Document:
    """Return the position with both waiting figures placed as a preset says. Raises BadChange."""
    if key not in PRESETS or not may_preset(document, waiting):
        raise BadChange(_("Both figures can be placed at once only on an empty board. Place the figures one by one."))
    _words, distance, chip = PRESETS[key]
    width, row = document["map"]["width"], document["map"]["height"] // 2 - 1
    start = (width - distance - 1) // 2
    changed = deepcopy(document)
    names = []
    for number, one in enumerate(sorted(waiting, key=lambda one: one["player"])):
        piece = {**one["piece"], "tokens": 1} if key == "pushed" and number == 0 else one["piece"]
        changed = placed(changed, one["player"], piece, square_name((start + number * distance, row)))
        names.append(next(s for s in changed["sides"] if s["player"] == one["player"])["characters"][-1]["id"])
    first = min(one["player"] for one in waiting)
    changed["turn"] = {**(changed.get("turn") or {}), "active": first}
    return with_chip(changed, chip, *names) if chip else changed
