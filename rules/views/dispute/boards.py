"""The board of a step, with the line of fire drawn in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from rules import engine
from rules.dispute.desk import Asked
from rules.dispute.figures import FigureView, figures_on
from rules.dispute.replay import Replay, StepView
from rules.drawings.board import draw_board
from rules.positions import EDGES, Document, piece_of, pieces, square_name, stands_in
from rules.views.pieces import BECOMES, WORDS


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board on a page: the drawing, the figures, the selected figure, the line of fire.

    `squares` and `ground` are JSON for the script: the figure in each square, and the terrain of each square in words;
    `lies` are terrain, edges, markers and objects in words, each with its squares.
    """

    drawing: str
    figures: list[FigureView]
    figure: Mapping[str, Any] | None
    line: Mapping[str, Any] | None
    squares: str
    ground: str
    lies: list[tuple[str, list[str]]]

    @property
    def line_state(self) -> tuple[str, Promise] | None:
        """The class and the word for the line of fire's state."""
        return BECOMES[self.line["result"]] if self.line is not None else None


def board_of(replay: Replay, number: int, step: StepView | None, asked: Asked, *, at_a_step: bool) -> BoardView:
    """Return the board after this many steps; if a figure is about to move, the squares in reach are shaded."""
    now = replay.board(number)
    line = replay.line_at(step) if step is not None else None
    figure = piece_of(now, asked.figure)
    start, end = "", ""
    if line is not None and line["squares"]:
        start, end = line["squares"][0], line["squares"][-1]
    elif figure is not None and stands_in(figure):
        start = square_name(stands_in(figure)[0])
    shaded: Mapping[str, Any] = {}
    if asked.act == "move" and figure is not None and not at_a_step:
        shaded = engine.reachable(now, asked.figure, using=names_in(asked.using))
    words = _("Board after step %(number)s of %(last)s.") % {"number": number, "last": replay.last}
    said = f"{words} {line['because'][0]}" if line is not None else words
    drawing = draw_board(now, title=said, line=line, start=start, end=end, shaded=shaded)
    ground = ground_of(now)
    lies = [*ground, *edges_of(now)]
    return BoardView(drawing, figures_on(now), figure, line, squares_of(now), json.dumps(ground), lies)


def names_in(using: str) -> list[str]:
    """Return the names of powers that an address or a form joins with ` + `."""
    return [name for name in using.split(" + ") if name]


def ground_of(now: Document) -> list[tuple[str, list[str]]]:
    """Return what lies in which squares, in words: terrain, markers, objects."""
    drawn = now["map"]
    found: list[tuple[str, list[str]]] = []
    for area in drawn.get("terrain", ()):
        level = f" {area.get('level', 2)}" if area["type"] == "elevated" else ""
        found.append((f"{WORDS[area['type']]}{level}", list(area["squares"])))
    found += [(str(WORDS[mark["kind"]]), [mark["square"]]) for mark in drawn.get("markers", ())]
    things = (thing for thing in now.get("objects", ()) if thing.get("square") and not thing.get("removed"))
    return found + [(thing.get("name") or str(WORDS[thing["kind"]]), [thing["square"]]) for thing in things]


def edges_of(now: Document) -> list[tuple[str, list[str]]]:
    """Return what stands on which edges, in words."""
    return [(str(WORDS[kind]), list(now["map"][kind])) for kind in EDGES if now["map"].get(kind)]


def squares_of(now: Document) -> str:
    """Return square → the id of its figure, as JSON for the script."""
    return json.dumps({square_name(cell): piece["id"] for _player, piece in pieces(now) for cell in stands_in(piece)})
