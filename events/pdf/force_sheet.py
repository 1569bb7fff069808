"""The force sheet that a player brings to the table and a judge checks, on one page if it fits.

Legal name, date, event, edition, theme and its bonus, up to three maps; each element's set, number, name and points;
the total and the verdict; what judges look for; a QR code to the force's page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table, TableStyle

from .paper import MARGIN, SIZES, PageHeading, listing, paper, qr, words

MAP_LINES = 3


@dataclass(frozen=True)
class SheetLine:
    """An element of the force: section, set, number, name with rank, points."""

    section: str
    set: str
    number: str
    name: str
    points: str


@dataclass(frozen=True)
class ForceSheet:
    """The contents of a force sheet."""

    player: str
    entry: int
    date: str
    event: str
    edition: str
    format: str
    name: str
    theme: str
    maps: Sequence[str]
    lines: Sequence[SheetLine]
    total: int
    build_total: int | None
    standing: str
    remarks: Sequence[str]
    looked_for: Sequence[str]
    address: str
    from_round: str = ""


class Code(Flowable):
    """An inline QR code; `side` is in points."""

    def __init__(self, address: str, side: float) -> None:
        super().__init__()
        self.address, self.side = address, side
        self.canv: Canvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size of the code."""
        return self.side, self.side

    def draw(self) -> None:
        """Draw the code."""
        qr(self.canv, self.address, 0, 0, self.side)


def force_sheet(heading: PageHeading, sheet: ForceSheet, *, size: str = "a4") -> bytes:
    """Return the PDF of a force sheet."""
    width = SIZES.get(size, A4)[0] - 2 * MARGIN
    return paper(heading, [*_head(sheet, width), *_elements(sheet, width), *_foot(sheet, width)], size=size)


def _facts(sheet: ForceSheet) -> list[tuple[str, str]]:
    entry = _("entry %(number)d") % {"number": sheet.entry}
    found = [
        (_("Name"), f"{sheet.player} ({entry})"),
        (_("Date"), sheet.date),
        (_("Event"), sheet.event),
        (_("Rulebook"), f"{sheet.edition}, {sheet.format}"),
    ]
    if sheet.from_round:
        found.append((_("From round"), sheet.from_round))
    if sheet.name:
        found.append((_("Force"), sheet.name))
    found.append((_("Theme"), sheet.theme or _("none")))
    maps = [*sheet.maps, *[""] * MAP_LINES][:MAP_LINES]
    found += [(_("Map %(n)d") % {"n": place}, name or "_" * 34) for place, name in enumerate(maps, 1)]
    return found


def _head(sheet: ForceSheet, width: float) -> list[Flowable]:
    side = 30 * mm
    rows = [
        [words(what, 9), words(value, 12 if place == 0 else 10, bold=place == 0)]
        for place, (what, value) in enumerate(_facts(sheet))
    ]
    facts = Table(rows, colWidths=[26 * mm, width - side - 30 * mm])
    facts.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
            ]
        )
    )
    both = Table([[facts, Code(sheet.address, side)]], colWidths=[width - side, side])
    both.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                *((side_, (0, 0), (-1, -1), 0) for side_ in ("LEFTPADDING", "RIGHTPADDING")),
            ]
        )
    )
    return [both, Spacer(1, 4 * mm)]


def _elements(sheet: ForceSheet, width: float) -> list[Flowable]:
    mark, set_, number, points = 18 * mm, 34 * mm, 18 * mm, 24 * mm
    rows: list[list[object]] = []
    section = None
    for line in sheet.lines:
        name = line.name if line.section == section or not line.section else f"{line.name}"
        section = line.section
        rows.append(
            ["☐", line.set, line.number, f"{name}{'' if section == _('Figures') else f' ({section})'}", line.points]
        )
    columns = [_("Checked"), _("Set"), _("Number"), _("Item"), _("Points")]
    widths = [mark, set_, number, width - mark - set_ - number - points, points]
    table = listing(columns, rows, widths, size=10.5, right=(4,), bold=(3,))
    total = Table(
        [
            [
                words(_("Total"), 13, bold=True),
                words(_total(sheet), 13, bold=True, right=True),
            ]
        ],
        colWidths=[width - 60 * mm, 60 * mm],
    )
    total.setStyle(
        TableStyle([("LINEABOVE", (0, 0), (-1, 0), 1.2, colors.black), ("RIGHTPADDING", (0, 0), (-1, -1), 3)])
    )
    return [table, total, Spacer(1, 3 * mm)]


def _total(sheet: ForceSheet) -> str:
    """Return what the force costs, and of how much."""
    if sheet.build_total is None:
        return str(sheet.total)
    return _("%(total)d of %(build)d") % {"total": sheet.total, "build": sheet.build_total}


def _foot(sheet: ForceSheet, width: float) -> list[Flowable]:
    said: list[Flowable] = [words(sheet.standing, 13, bold=True)]
    said += [words(remark, 9) for remark in sheet.remarks]
    looked = [words(_("Check these items"), 10, bold=True), *[words(f"☐ {one}", 9) for one in sheet.looked_for]]
    signs = Table(
        [[words(_("Player's signature"), 8), "", words(_("Checked by"), 8)]],
        colWidths=[width * 0.45, width * 0.1, width * 0.45],
    )
    signs.setStyle(
        TableStyle([("LINEABOVE", (0, 0), (0, 0), 0.5, colors.black), ("LINEABOVE", (2, 0), (2, 0), 0.5, colors.black)])
    )
    return [*said, Spacer(1, 4 * mm), KeepTogether([*looked, Spacer(1, 12 * mm), signs])]
