"""Result slips, four to a page, or three where three or four play; cutting the stack keeps the order of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from events.results.words import THIRD_PLACE

from .paper import BOLD, PLAIN, PageHeading, cards, put, qr

ROWS = 4
ROWS_OF_MANY = 3
BOX = 7 * mm
PAIR = 2


@dataclass(frozen=True)
class Slip:
    """A table of a round: its players, the URL of the table's page, and a remark below the event's name."""

    table: int
    players: tuple[str, ...]
    address: str
    remark: str = ""


def remark(scenario: str, *, is_third_place: bool, teams: Sequence[str] = ()) -> str:
    """Return what a slip says of its match beside the round: the teams that meet, third place, and the scenario."""
    said = [" – ".join(teams)] if teams else []
    said += [str(THIRD_PLACE)] if is_third_place else []
    return " · ".join([*said, *([scenario.replace("-", " ").capitalize()] if scenario else [])])


def slips(heading: PageHeading, tables: Sequence[Slip], *, size: str = "a4") -> bytes:
    """Return the PDF of the slips, in the given order."""

    def draw(canvas: Canvas, index: int, x: float, y: float, width: float, height: float) -> None:
        _slip(canvas, heading, tables[index], x, y, width, height)

    rows = ROWS_OF_MANY if any(len(slip.players) > PAIR for slip in tables) else ROWS
    return cards(heading, len(tables), draw, rows=rows, size=size)


def _slip(canvas: Canvas, heading: PageHeading, slip: Slip, x: float, y: float, width: float, height: float) -> None:
    side = 24 * mm
    top = y + height
    qr(canvas, slip.address, x + width - side, top - side, side)
    canvas.setFont(PLAIN, 6)
    canvas.drawRightString(x + width, top - side - 2.5 * mm, _("scan to report"))
    canvas.setFont(BOLD, 30)
    canvas.drawString(x, top - 10 * mm, str(slip.table))
    canvas.setFont(PLAIN, 7)
    canvas.drawString(x, top - 13.5 * mm, _("table"))
    put(canvas, f"{heading.title}", x + 24 * mm, top, width - side - 28 * mm, 13, bold=True)
    put(canvas, heading.event, x + 24 * mm, top - 6 * mm, width - side - 28 * mm, 9)
    if slip.remark:
        put(canvas, slip.remark, x + 24 * mm, top - 10.5 * mm, width - side - 28 * mm, 9)
    is_of_many = len(slip.players) > PAIR
    ticks = [_("time was called"), _("roll-off"), *([] if is_of_many else [_("double loss")])]
    _ticks(canvas, x + 24 * mm, top - 19 * mm, ticks)
    columns = _columns(x, width, is_of_many=is_of_many)
    line = top - side - 6 * mm  # below the caption of the QR code
    canvas.setFont(PLAIN, 7)
    for label, left, wide in columns:
        canvas.drawString(left, line, label if wide else "")
    for number, name in enumerate(slip.players):
        base = line - (number + 1) * 13 * mm + 3 * mm
        put(canvas, name, x, base + 7.5 * mm, columns[1][1] - x - 2 * mm, 12, bold=True, lines=2)
        for _label, left, wide in columns[1:]:
            if wide == BOX:
                canvas.rect(left, base, BOX, BOX)
            else:
                canvas.line(left, base, left + wide, base)
    canvas.setLineWidth(0.5)


def _columns(x: float, width: float, *, is_of_many: bool) -> list[tuple[str, float, float]]:
    first = width - 110 * mm
    marks = [
        (_("player"), 0.0, first),
        (_("place") if is_of_many else _("won"), first, BOX),
        (_("victory points"), first + 12 * mm, 24 * mm),
        (_("went first"), first + 38 * mm, BOX),
        (_("knocked out by"), first + 54 * mm, 24 * mm) if is_of_many else (_("map"), first + 54 * mm, BOX),
        (_("signature"), first + 82 * mm, 28 * mm) if is_of_many else (_("signature"), first + 66 * mm, 44 * mm),
    ]
    return [(label, x + left, wide) for label, left, wide in marks]


def _ticks(canvas: Canvas, x: float, y: float, labels: Sequence[str]) -> None:
    canvas.setLineWidth(0.7)
    for label in labels:
        canvas.rect(x, y, 3.5 * mm, 3.5 * mm)
        canvas.setFont(PLAIN, 8)
        canvas.drawString(x + 5 * mm, y + 0.7 * mm, label)
        x += 8 * mm + canvas.stringWidth(label, PLAIN, 8) + 4 * mm
