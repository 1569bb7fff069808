"""The engine's answers about a position for the board page: a line of fire, what it meets, squares seen and reached.

An `EditionSight` is one edition's answer; `differences` compares two of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from rules import engine
from rules.dispute.replay import reported_rulings
from rules.engine import EDITIONS, BadInput, Edition, Ruling, read_square
from rules.positions import MAX_PIECES, Document, pieces, square_name, stands_in, who_stands_in

LARGEST_VIEW = 64 * 64
"""Squares of the largest map whose field of view is computed; a larger one would take seconds."""
MAX_QUESTIONS = 50
VIEWER = "whoever-stands-there"


@dataclass(frozen=True, slots=True)
class EditionSight:
    """One edition's answers about a position: lines of fire in both directions, legal attacks, shaded squares.

    `shaded` is square → `clear`, `hindered` or `blocked` for squares seen, square → speed needed for squares reached.
    `fault` is why the edition can't read the position; then there is nothing else.
    """

    edition: Edition
    line: dict[str, Any] | None = None
    back: dict[str, Any] | None = None
    distance: int | None = None
    attacks: tuple[dict[str, Any], ...] = ()
    rulings: tuple[Ruling, ...] = ()
    shaded: Mapping[str, Any] = field(default_factory=dict)
    too_large: bool = False
    fault: BadInput | None = None

    @property
    def asymmetric(self) -> bool:
        """Whether the line in the other direction has a different result."""
        return bool(self.line and self.back and self.line["result"] != self.back["result"])


def bare(document: Mapping[str, Any]) -> Document:
    """Return the position without actions and questions, to show the board at the beginning."""
    return {key: value for key, value in document.items() if key not in ("actions", "ask", "judge")}


def check(document: Mapping[str, Any], *, whole: bool = False) -> None:
    """Raise BadInput, with its pointer, if a position can't be read; with `whole` its actions and questions too."""
    for key in ("ask", "actions"):
        if whole and isinstance(document.get(key), list) and len(document[key]) > MAX_QUESTIONS:
            raise BadInput(f"/{key}", f"The board takes at most {MAX_QUESTIONS} of these.")
    engine.adjudicate(document if whole else bare(document))
    check_figures(document)


def check_figures(document: Mapping[str, Any]) -> None:
    """Raise BadInput if a valid position has too many figures, for which its pages would take minutes."""
    if len(pieces(document)) > MAX_PIECES:
        raise BadInput("/sides", _("A map can hold at most %(most)s figures.") % {"most": MAX_PIECES})


def named(document: Mapping[str, Any], place: str) -> str:
    """Return a place as questions of the engine name it: the id of the character in that square, else the square."""
    cell = read_square(place)
    piece = who_stands_in(document, cell) if cell is not None else None
    return piece["id"] if piece is not None else place


def look(document: Mapping[str, Any], edition: str, start: str = "", end: str = "", shade: str = "") -> EditionSight:
    """Return an edition's answers about a position, with the line between two squares if both are given.

    `shade` is `see` or `reach`: the squares seen by the figure in the first square, or those in which its move may end.
    For an empty square, a standard figure is assumed there.
    """
    chosen = EDITIONS[edition]
    position = {**bare(document), "edition": edition}
    try:
        asked = _questions(position, start, end)
        report = engine.adjudicate({**position, "ask": asked})
        answers = report["answers"]
        shaded, too_large = _shaded(position, start, shade)
    except BadInput as fault:
        return EditionSight(chosen, fault=fault)
    by = {(answer["ask"], place): answer for place, answer in enumerate(answers)}
    lines = [answer for (ask, _place), answer in by.items() if ask == "line-of-fire"]
    distances = [answer["result"] for answer in answers if answer["ask"] == "distance"]
    attacks = tuple(
        {**answer, "attack": asked[place]["attack"]}
        for place, answer in enumerate(answers)
        if answer["ask"] == "can-target"
    )
    return EditionSight(
        chosen,
        line=lines[0] if lines else None,
        back=lines[1] if len(lines) > 1 else None,
        distance=distances[0] if distances else None,
        attacks=attacks,
        rulings=tuple(reported_rulings(edition, report["rulings"])) if lines else (),
        shaded=shaded,
        too_large=too_large,
    )


def _questions(position: Document, start: str, end: str) -> list[dict[str, Any]]:
    if not (start and end):
        return []
    one, other = named(position, start), named(position, end)
    asked: list[dict[str, Any]] = [
        {"ask": "line-of-fire", "from": one, "to": other},
        {"ask": "line-of-fire", "from": other, "to": one},
        {"ask": "distance", "from": one, "to": other},
    ]
    ids = {piece["id"] for _player, piece in pieces(position)}
    if one in ids and other in ids and one != other:
        asked += [{"ask": "can-target", "attack": attack, "from": one, "to": other} for attack in ("ranged", "close")]
    return asked


def _shaded(position: Document, start: str, shade: str) -> tuple[Mapping[str, Any], bool]:
    if shade not in ("see", "reach") or not start:
        return {}, False
    who = named(position, start)
    if read_square(who) is not None and not any(piece["id"] == who for _player, piece in pieces(position)):
        if shade == "reach":
            return {}, False
        position, who = _with_viewer(position, start), VIEWER
    if shade == "reach":
        return engine.reachable(position, who), False
    if position["map"]["width"] * position["map"]["height"] > LARGEST_VIEW:
        return {}, True
    return engine.field_of_view(position, who), False


def _with_viewer(position: Document, square: str) -> Document:
    click = {"speed": 0, "attack": 0, "defense": 0, "damage": 0, "powers": []}
    viewer = {"id": VIEWER, "name": square, "square": square, "dial": [click]}
    first = position["sides"][0]
    sides = [{**first, "characters": [*first.get("characters", ()), viewer]}, *position["sides"][1:]]
    return {**position, "sides": sides}


def differences(one: EditionSight, other: EditionSight) -> list[str]:
    """Return the squares that two editions shade differently, in map order."""
    if one.fault is not None or other.fault is not None or one.too_large or other.too_large:
        return []
    squares = {*one.shaded, *other.shaded}
    apart = [name for name in squares if _sort(one.shaded.get(name)) != _sort(other.shaded.get(name))]
    return sorted(apart, key=lambda name: (read_square(name) or (0, 0))[::-1])


def _sort(found: Any) -> Any:
    """Return the value by which editions are compared: how a square is seen, or whether it is reached at all."""
    return found if isinstance(found, str) else found is not None


def squares_of(document: Mapping[str, Any], name: str) -> str:
    """Return the name of a character's first square; empty if it has none."""
    for _player, piece in pieces(document):
        if piece["id"] == name:
            cells = stands_in(piece)
            return square_name(cells[0]) if cells else ""
    return ""
