"""Player cards with a personal link as a QR code, with which players without an account act for their entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from .paper import PLAIN, PageHeading, cards, put, qr

ROWS = 5


@dataclass(frozen=True)
class PlayerCard:
    """An entry: number, name, and the signed URL that acts for it."""

    number: int
    name: str
    address: str
    note: str = ""


def player_cards(heading: PageHeading, players: Sequence[PlayerCard], *, size: str = "a4") -> bytes:
    """Return the PDF of the cards, in the given order; cutting the stack keeps that order."""

    def draw(canvas: Canvas, index: int, x: float, y: float, width: float, height: float) -> None:
        card, side, top = players[index], min(height, 36 * mm), y + height
        qr(canvas, card.address, x + width - side, top - side, side)
        room = width - side - 6 * mm
        put(canvas, card.name, x, top, room, 22, bold=True, lines=2)
        put(canvas, heading.event, x, top - 20 * mm, room, 11)
        put(
            canvas,
            " · ".join(filter(None, [_("Entry %(number)d") % {"number": card.number}, card.note])),
            x,
            top - 25 * mm,
            room,
            10,
        )
        canvas.setFont(PLAIN, 8)
        canvas.drawString(x, y, _("Keep this code to yourself. Scan it to see your table and report your results."))

    return cards(heading, len(players), draw, rows=ROWS, size=size)
