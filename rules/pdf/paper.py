"""Shared parts of PDFs: page sizes, fonts, page headings and footers, and QR codes.

Black on white; A4 or Letter; event and round on each page; page x of y.
"""

from __future__ import annotations

import functools
import io
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

import segno
from django.conf import settings
from django.utils.translation import gettext as _
from reportlab import rl_config
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageTemplate,
    Paragraph,
    Table,
    TableStyle,
)

from .right_to_left import drawn

rl_config.useA85 = 0  # to write compressed pages as text takes longer than to compress them
SIZES = {"a4": A4, "letter": LETTER}
MARGIN = 14 * mm
PLAIN, BOLD, EASTERN = "Headjudge", "Headjudge-Bold", "HeiseiKakuGo-W5"
EASTERN_LETTERS = re.compile("([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+)")
LINE = 0.5
JOINERS = "\ufe0e\ufe0f\u200d"
PICTURES = frozenset({"So", "Sk", "Cf", "Cn", "Co"})


@functools.cache
def load_letters() -> None:
    """Register the fonts with reportlab, once per process."""
    folder = settings.BASE_DIR / "config" / "fonts"
    pdfmetrics.registerFont(TTFont(PLAIN, str(folder / "DejaVuSansCondensed.ttf")))
    pdfmetrics.registerFont(TTFont(BOLD, str(folder / "DejaVuSansCondensed-Bold.ttf")))
    pdfmetrics.registerFont(UnicodeCIDFont(EASTERN))
    pdfmetrics.registerFontFamily(PLAIN, normal=PLAIN, bold=BOLD, italic=PLAIN, boldItalic=BOLD)


def readable(text: object) -> str:
    """Return the text in a form our fonts can draw: right-to-left scripts reordered, without unsupported pictures.

    An emoji would print as an empty box; a text of pictures alone is left unchanged.
    """
    load_letters()
    plain = str(text)
    if plain.isascii():
        return plain
    known = pdfmetrics.getFont(PLAIN).face.charToGlyph
    kept = "".join(
        c for c in plain if c not in JOINERS and (ord(c) in known or unicodedata.category(c) not in PICTURES)
    )
    return drawn(re.sub(r" {2,}", " ", kept).strip() if kept.strip() else plain)


def letters(text: object) -> str:
    """Return the text as markup for a Paragraph; characters that our font lacks use a font that has them."""
    return EASTERN_LETTERS.sub(rf'<font name="{EASTERN}">\1</font>', escape(readable(text)))


@functools.cache
def style(size: float = 10, *, bold: bool = False, right: bool = False) -> ParagraphStyle:
    """Return a paragraph style; size in points."""
    load_letters()
    made = ParagraphStyle(
        f"{size}-{bold}-{right}", fontName=BOLD if bold else PLAIN, fontSize=size, leading=size * 1.25
    )
    if right:
        made.alignment = TA_RIGHT
    return made


def words(
    text: object, size: float = 10, *, bold: bool = False, right: bool = False, struck: bool = False
) -> Paragraph:
    """Return text that wraps and is never truncated; `struck` text no longer counts."""
    shown = f"<strike>{letters(text)}</strike>" if struck else letters(text)
    return Paragraph(shown, style(size, bold=bold, right=right))


@dataclass(frozen=True)
class PageHeading:
    """The heading of each page: the event, the kind of document, the place and time of printing."""

    event: str
    title: str
    place: str = ""
    printed: str = ""


def paper(heading: PageHeading, content: Sequence[Flowable], *, size: str = "a4") -> bytes:
    """Return a PDF of the content, with the heading and "page x of y" on each page."""
    load_letters()
    target = io.BytesIO()
    page = SIZES.get(size, A4)
    frame = Frame(MARGIN, MARGIN + 6 * mm, page[0] - 2 * MARGIN, page[1] - 2 * MARGIN - 18 * mm, 0, 0, 0, 0)
    document = BaseDocTemplate(
        target, pagesize=page, title=f"{heading.event} · {heading.title}", author="Headjudge", creator="Headjudge"
    )
    document.addPageTemplates(PageTemplate(frames=[frame]))
    document.build(list(content) or [words("–")], canvasmaker=functools.partial(NumberedCanvas, heading=heading))
    return target.getvalue()


class NumberedCanvas(Canvas):
    """A canvas that keeps its pages until it knows their number."""

    def __init__(self, *args: Any, heading: PageHeading, **options: Any) -> None:
        super().__init__(*args, **options)
        self.heading = heading
        self.kept: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 - reportlab's name
        """Keep the page until all are complete."""
        self.kept.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Write the pages, each with its number and the total."""
        for number, page in enumerate(self.kept, 1):
            self.__dict__.update(page)
            self._frame(number, len(self.kept))
            super().showPage()
        super().save()

    def _frame(self, number: int, of: int) -> None:
        width, height = self._pagesize
        self.setFillColor(colors.black)
        put(self, self.heading.title, MARGIN, height - MARGIN + 5 * mm, width - 2 * MARGIN, 16, bold=True)
        put(self, self.heading.event, MARGIN, height - MARGIN - 2.5 * mm, width - 2 * MARGIN, 10)
        self.setLineWidth(1)
        self.line(MARGIN, height - MARGIN - 8.5 * mm, width - MARGIN, height - MARGIN - 8.5 * mm)
        below = " · ".join(filter(None, [self.heading.place, self.heading.printed]))
        put(self, below, MARGIN, MARGIN - 3 * mm, width - 2 * MARGIN - 30 * mm, 8)
        self.setFont(PLAIN, 9)
        self.drawRightString(width - MARGIN, MARGIN - 3 * mm - 9, _("page %(x)d of %(y)d") % {"x": number, "y": of})


def put(
    canvas: Canvas, text: object, x: float, y: float, width: float, size: float, *, bold: bool = False, lines: int = 1
) -> float:
    """Write text below (x, y), as large as fits into `width` and `lines`; return its height.

    Names are never truncated: text that doesn't fit is set smaller.
    """
    while True:
        made = words(text, size, bold=bold)
        _width, height = made.wrap(width, 10_000)
        font = BOLD if bold else PLAIN
        longest = max((canvas.stringWidth(word, font, size) for word in str(text).split()), default=0)
        if (height <= size * 1.25 * lines + 0.1 and longest <= width) or size <= 5:
            made.drawOn(canvas, x, y - height)
            return height
        size -= 0.5


def listing(
    headings: Sequence[str],
    rows: Sequence[Sequence[object]],
    widths: Sequence[float],
    *,
    size: float = 11,
    right: Sequence[int] = (),
    bold: Sequence[int] = (),
) -> Table:
    """Return a table that repeats its header row on each page; `right` columns hold numbers, `bold` ones stand out."""
    load_letters()

    def cell(text: object, column: int) -> object:
        """Return text that fits on a line as a string, which reportlab draws faster; otherwise text that wraps."""
        plain = str(text)
        fits = pdfmetrics.stringWidth(plain, BOLD if column in bold else PLAIN, size) <= widths[column] - 6
        if fits and "\n" not in plain and not EASTERN_LETTERS.search(plain):
            return readable(plain)
        return words(plain, size, bold=column in bold, right=column in right)

    body = [[cell(text, column) for column, text in enumerate(row)] for row in rows]
    head = [words(text, size * 0.8, bold=True, right=column in right) for column, text in enumerate(headings)]
    made = Table([head, *body], colWidths=list(widths), repeatRows=1)
    made.setStyle(
        TableStyle(
            [
                ("FONT", (0, 1), (-1, -1), PLAIN, size, size * 1.25),
                *(("FONT", (column, 1), (column, -1), BOLD, size, size * 1.25) for column in bold),
                *(("ALIGN", (column, 1), (column, -1), "RIGHT") for column in right),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
                ("LINEBELOW", (0, 1), (-1, -1), 0.25, colors.grey),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
                ("RIGHTPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return made


def splittable(table: Table) -> Table:
    """Return the table so that it may be split within a row if a row is taller than a page, which no page could hold.

    Other tables are split between their rows only.
    """
    table.wrap(A4[0], A4[1])
    table.splitInRow = int(max(table._rowHeights) > LETTER[1] - 2 * MARGIN - 24 * mm)
    return table


def signatures(who: Sequence[str], width: float) -> list[Flowable]:
    """Return lines to sign on, two side by side, each with its words below; nothing if no one signs. In points."""
    if not who:
        return []
    gap = 8 * mm
    cells: list[object] = []
    for text in who:
        cells += [words(text, 8), ""]
    made = Table(
        [[""] * len(cells), cells],
        colWidths=[(width - gap) / 2, gap] * len(who),
        rowHeights=[16 * mm, None],
        hAlign="LEFT",
    )
    lines = [("LINEABOVE", (column, 1), (column, 1), 0.7, colors.black) for column in range(0, len(cells), 2)]
    made.setStyle(TableStyle([*lines, ("LEFTPADDING", (0, 0), (-1, -1), 0), ("NOSPLIT", (0, 0), (-1, -1))]))
    return [made]


def qr(canvas: Canvas, address: str, x: float, y: float, side: float) -> None:
    """Draw the address as a QR code with its lower left corner at (x, y), as one path that merges runs of modules."""
    matrix = segno.make(address, error="m", micro=False, mask=3).matrix  # choosing among all eight masks is slow
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(side / len(matrix), side / len(matrix))
    runs: list[str] = []
    for number, line in enumerate(matrix, 1):
        column = 0
        while column < len(line):
            if not line[column]:
                column += 1
                continue
            start = column
            while column < len(line) and line[column]:
                column += 1
            runs.append(f"{start} {len(matrix) - number} {column - start} 1 re")
    canvas.setFillColor(colors.black)
    canvas.drawPath(PDFPathObject(runs), stroke=0, fill=1)  # `rect` would format each whole number as a fraction
    canvas.restoreState()


def cards(
    heading: PageHeading,
    count: int,
    draw: Callable[[Canvas, int, float, float, float, float], None],
    *,
    rows: int,
    columns: int = 1,
    size: str,
) -> bytes:
    """Return a PDF of `count` cards, `rows` × `columns` per page, so that cutting the stack keeps them in order.

    `draw(canvas, index, x, y, width, height)` draws card `index` with its lower left corner at (x, y). Card 0 is on top
    of the first pile, the next card under it, pile after pile.
    """
    load_letters()
    target = io.BytesIO()
    width, height = SIZES.get(size, A4)
    canvas = Canvas(target, pagesize=(width, height))
    canvas.setTitle(f"{heading.event} · {heading.title}")
    canvas.setAuthor("Headjudge")
    pages = -(-count // (rows * columns)) or 1
    tall, wide, side = height / rows, width / columns, MARGIN if columns == 1 else MARGIN / 2
    for page in range(pages):
        canvas.setDash(2, 3)
        canvas.setLineWidth(LINE)
        for row in range(1, rows):
            canvas.line(0, row * tall, width, row * tall)
        for column in range(1, columns):
            canvas.line(column * wide, 0, column * wide, height)
        canvas.setDash()
        for place in range(rows * columns):
            index, (row, column) = place * pages + page, divmod(place, columns)
            if index < count:
                left, bottom = column * wide + side, height - (row + 1) * tall + 6 * mm
                draw(canvas, index, left, bottom, wide - 2 * side, tall - 12 * mm)
        canvas.setFont(PLAIN, 6)
        canvas.drawRightString(width - 4 * mm, 2 * mm, _("page %(x)d of %(y)d") % {"x": page + 1, "y": pages})
        canvas.showPage()
    canvas.save()
    return target.getvalue()
