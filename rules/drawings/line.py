"""A line of fire on a drawn board: where it becomes hindered or blocked, and by which square or edge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.html import escape
from django.utils.translation import gettext as _

from rules.engine import read_edge, read_square
from rules.positions import Cell, who_stands_in

from .ink import UNIT, Board, edge_line, place, short, word


def entry(start: Cell, end: Cell, cell: Cell) -> float:
    """Return how far along the line between two centres, from 0 to 1, it enters a square.

    0 for a square that it starts in; if it only touches the square's corner, that corner.
    """
    first, last = 0.0, 1.0
    for one, other, low in ((start[0], end[0], cell[0]), (start[1], end[1], cell[1])):
        begins, goes = one + 0.5, other - one
        if goes:
            sides = sorted(((low - begins) / goes, (low + 1 - begins) / goes))
            first, last = max(first, sides[0]), min(last, sides[1])
    return min(max(first, 0.0), 1.0)


def draw_line(board: Board, line: Mapping[str, Any]) -> list[str]:
    """Draw the line of fire and the squares it meets; return its bar and its labels, to be drawn over the figures."""
    squares = [cell for name in line.get("squares", ()) if (cell := read_square(name)) is not None]
    if len(squares) < 2:
        return []
    signs: list[str] = []
    start, end = squares[0], squares[-1]
    ends = [(place(cell[0]) + UNIT / 2, place(cell[1]) + UNIT / 2) for cell in (start, end)]
    length = max(1.0, ((ends[1][0] - ends[0][0]) ** 2 + (ends[1][1] - ends[0][1]) ** 2) ** 0.5)
    hindered, blocked = None, None
    for mark in line.get("marks", ()):
        cell = read_square(mark["square"])
        if cell is None:
            continue
        at = entry(start, end, cell)
        if mark["becomes"] == "hindered" and hindered is None:
            hindered = at
        elif mark["becomes"] == "blocked":
            blocked = max(at, min(0.45, 0.55 * UNIT / length))
            hindered = hindered if hindered is not None and hindered < blocked else None
        signs += _outlined(board, mark, cell)
        if mark["becomes"] == "blocked":
            break

    def point(at: float) -> str:
        x = ends[0][0] + at * (ends[1][0] - ends[0][0])
        y = ends[0][1] + at * (ends[1][1] - ends[0][1])
        return f"{short(x)} {short(y)}"

    last = 1.0 if blocked is None else blocked
    turn = last if hindered is None else hindered
    whole = f"M{point(0)}L{point(last)}"
    board.add(f'<path class="line-case" d="{whole}"/>')
    if turn > 0:
        board.add(f'<path class="line line-clear" d="M{point(0)}L{point(turn)}"/>')
    if turn < last:
        board.add(f'<path class="line line-hindered" d="M{point(turn)}L{point(last)}"/>')
    x, y = (float(part) for part in point(0).split())
    board.add(f'<circle class="line-start" cx="{short(x)}" cy="{short(y)}" r="4.5"/>')
    if blocked is None:
        x, y = (float(part) for part in point(1).split())
        board.add(f'<circle class="line-end line-{line["result"]}" cx="{short(x)}" cy="{short(y)}" r="5.5"/>')
        return signs
    across = (-(ends[1][1] - ends[0][1]) / length * 14, (ends[1][0] - ends[0][0]) / length * 14)
    x, y = (float(part) for part in point(blocked).split())
    bar = f"M{short(x - across[0])} {short(y - across[1])}L{short(x + across[0])} {short(y + across[1])}"
    return [f'<path class="bar-case" d="{bar}"/><path class="line-bar" d="{bar}"/>', *signs]


def _outlined(board: Board, mark: Mapping[str, Any], cell: Cell) -> list[str]:
    """Outline the square and the edge where a line becomes hindered or blocked; return a blocked one's label."""
    x, y = place(cell[0]) + 2, place(cell[1]) + 2
    becomes = mark["becomes"]
    size = f'x="{x:.0f}" y="{y:.0f}" width="{UNIT - 4}" height="{UNIT - 4}"'
    named = _("%(square)s: %(becomes)s") % {"square": mark["square"], "becomes": mark.get("because", "")}
    board.add(
        f'<g><title>{escape(named)}</title><rect class="mark-case" {size}/>'
        f'<rect class="mark mark-{becomes}" {size}/></g>'
    )
    edge = read_edge(mark["edge"]) if mark.get("edge") else None
    if edge is not None:
        board.add(f'<path class="mark-edge mark-{becomes}" d="{edge_line(edge, 3)}"/>')
    if becomes != "blocked":
        return []
    if who_stands_in(board.document, cell) is None:
        beside = y + UNIT - 7
    else:
        beside = y - 5 if cell[1] else y + UNIT + 12
    return [word("mark-name", x + UNIT / 2 - 2, beside, mark["square"], "middle")]
