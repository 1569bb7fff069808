"""Signs for the tables: the number, to be read across the hall, and a QR code that opens the event."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from .paper import BOLD, PageHeading, cards, put, qr

ROWS, CODE, NUMBER = 2, 38 * mm, 300


def table_signs(heading: PageHeading, tables: Sequence[int], address: str, *, size: str = "a4") -> bytes:
    """Return the PDF of the signs, in the given order; cutting the stack keeps that order."""

    def draw(canvas: Canvas, index: int, x: float, y: float, width: float, height: float) -> None:
        put(canvas, _("Table"), x, y + height, width, 28)
        canvas.setFont(BOLD, NUMBER if tables[index] < 100 else NUMBER * 0.75)
        canvas.drawCentredString(x + width / 2, y + CODE - 2 * mm, str(tables[index]))
        qr(canvas, address, x, y, CODE - 8 * mm)
        room = width - CODE - 4 * mm
        put(canvas, heading.event, x + CODE, y + 22 * mm, room, 16, bold=True, lines=2)
        put(canvas, _("Scan to see pairings and report your result."), x + CODE, y + 8 * mm, room, 11)

    return cards(heading, len(tables), draw, rows=ROWS, size=size)
