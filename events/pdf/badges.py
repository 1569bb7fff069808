"""Badges for players and officials, with name, club or role, and the event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from .paper import PageHeading, cards, put

ROWS, COLUMNS = 4, 2


@dataclass(frozen=True)
class Badge:
    """Who wears it: the name that the public may read, and below it the role or club."""

    name: str
    below: str = ""


def badges(heading: PageHeading, worn: Sequence[Badge], *, size: str = "a4") -> bytes:
    """Return the PDF of the badges, in the given order; cutting the stack keeps that order."""

    def draw(canvas: Canvas, index: int, x: float, y: float, width: float, height: float) -> None:
        badge, top = worn[index], y + height
        put(canvas, heading.event, x, top, width, 10, lines=2)
        put(canvas, badge.name, x, top - 14 * mm, width, 26, bold=True, lines=3)
        if badge.below:
            put(canvas, badge.below, x, y + 8 * mm, width, 16)

    return cards(heading, len(worn), draw, rows=ROWS, columns=COLUMNS, size=size)
