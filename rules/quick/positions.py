"""Small positions on which two things meet: standard figures at standard distances, with what is asked about put there.

Two players, one figure each: `x` acts, `y` is four squares away or beside it. Friends stand beside them where they
matter. The values are those of a figure placed on the board page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.piece_form import STANDARD, standard_piece
from rules.positions import Document, piece_of, pieces
from rules.quick.terms import Term

WIDTH, HEIGHT = 14, 9
NEAR, FAR = "D5", "G5"
BETWEEN = "E5"
"""A square on the line to the far target, and on the way there."""
WOUNDED = 3
DAMAGE = 4
"""A damage value that no power reduces to 0 for certain, so that each can be seen at work."""
POINTS, FRIENDLY = 50, 20
"""What a figure costs, and how much less a friend costs, who has better values."""


@dataclass(frozen=True, slots=True)
class Scenery:
    """Where the target stands, and what else is there."""

    near: bool
    cover: bool = False
    friend: bool = False
    supported: bool = False
    tokens: int = 0
    wounded: bool = False
    doubles: bool = False
    on_friend: bool = False
    """Whether what is asked about the target is on its friend instead."""
    from_friend: bool = False
    """Whether what is asked about the acting figure is on its friend instead."""

    @property
    def target(self) -> str:
        """The square of the target."""
        return NEAR if self.near else FAR


def figure(id: str, name: str, square: str, better: int = 0) -> Document:
    """Return a figure with standard values and no powers; `better` is added to its attack and defense."""
    piece = {**standard_piece(), "id": id, "name": name, "points": POINTS - FRIENDLY * better, "square": square}
    raised = {value: STANDARD[value] + better for value in ("attack", "defense")} | {"damage": DAMAGE}
    piece["dial"] = [{**click, **raised} for click in piece["dial"]]
    return piece


def position(edition: str, scenery: Scenery, *, together: bool = False) -> Document:
    """Return the position of a scenery; `together` puts the target on the acting side."""
    target = figure("y", "Target", scenery.target)
    target["tokens"] = scenery.tokens
    mine = [figure("x", "Attacker", "C5")]
    theirs: list[Document] = []
    (mine if together else theirs).append(target)
    if scenery.supported:
        mine.append(figure("xf", "Attacker's friend", "C6", 1))
    if scenery.friend:
        theirs.append(figure("yf", "Target's friend", scenery.target[0] + "4", 1))
    made: Document = {
        "edition": edition,
        "map": {"width": WIDTH, "height": HEIGHT, "terrain": [], "walls": []},
        "objects": [],
        "sides": [{"player": "A", "characters": mine}, {"player": "B", "characters": theirs}],
    }
    for _player, one in pieces(made):
        if scenery.wounded:
            one["click"] = WOUNDED
    if scenery.cover:
        _terrain(made, "hindering", scenery.target)
    return made


def _terrain(document: Document, kind: str, *squares: str) -> None:
    document["map"]["terrain"].append({"type": kind, "squares": list(squares)})


def holder(document: Document, role: str, scenery: Scenery) -> Document:
    """Return the figure on which a term of that role is put: `x` or `y`, or its friend."""
    friendly = scenery.on_friend if role == "y" else scenery.from_friend
    return piece_of(document, f"{role}f" if friendly else role) or {}


def put(document: Document, term: Term, role: str, scenery: Scenery) -> None:
    """Put a power, a team ability or a condition on the acting figure (`x`) or the target (`y`)."""
    piece = holder(document, role, scenery)
    if term.kind == "power":
        give(piece, term.name)
    elif term.kind == "team":
        for one in (piece, piece_of(document, role + "f")):
            if one is not None:
                one["teams"] = [term.name]
    else:
        CONDITIONS[term.key](document, piece, scenery)


def give(piece: Document, power: str) -> None:
    """Give a figure a power on every click."""
    piece["dial"] = [{**click, "powers": [*click["powers"], power]} for click in piece["dial"]]


def _symbols(**symbols: str) -> Callable[[Document, Document, Scenery], None]:
    def change(document: Document, piece: Document, scenery: Scenery) -> None:
        piece["symbols"] = {**piece.get("symbols", {}), **symbols}

    return change


def _flight(mode: str) -> Callable[[Document, Document, Scenery], None]:
    def change(document: Document, piece: Document, scenery: Scenery) -> None:
        piece["symbols"] = {**piece.get("symbols", {}), "speed": "wing"}
        piece["flight"] = mode

    return change


def _before(kind: str) -> Callable[[Document, Document, Scenery], None]:
    """Return a function that lays terrain between the figures, or under the target if they are adjacent."""

    def change(document: Document, piece: Document, scenery: Scenery) -> None:
        _terrain(document, kind, scenery.target if scenery.near else BETWEEN)

    return change


def _roof(document: Document, piece: Document, scenery: Scenery) -> None:
    """Raise the square of a figure, which stands at the rim: nothing higher is on the line to it."""
    _terrain(document, "elevated", piece["square"])


def _wall(document: Document, piece: Document, scenery: Scenery) -> None:
    document["map"]["walls"].append("C5|D5" if scenery.near else f"{BETWEEN}|F5")


def _holds(document: Document, piece: Document, scenery: Scenery) -> None:
    document["objects"].append({"id": "object", "kind": "light", "square": None})
    piece["holding"] = "object"


def _token(document: Document, piece: Document, scenery: Scenery) -> None:
    piece["tokens"] = 1


def _nothing(document: Document, piece: Document, scenery: Scenery) -> None:
    """Change nothing: the scenery itself is the condition."""


CONDITIONS: Mapping[str, Callable[[Document, Document, Scenery], None]] = {
    "soaring": _flight("soaring"),
    "hovering": _flight("hovering"),
    "flying": _symbols(speed="wing"),
    "elevation": _roof,
    "hindering-terrain": _before("hindering"),
    "water": _before("water"),
    "blocking-terrain": _before("blocking"),
    "walls": _wall,
    "adjacency": _nothing,
    "action-tokens": _token,
    "held-object": _holds,
    "giant": _symbols(damage="giant"),
    "colossal": _symbols(damage="colossal"),
    "tiny": _symbols(damage="tiny"),
    "sentinel": _symbols(damage="sentinel"),
}

Action = dict[str, Any]
