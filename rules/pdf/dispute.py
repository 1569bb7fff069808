"""A dispute as a PDF: the question, the boards, each step with its sum and sections, the rulings, the overrides.

In our own words; the books are cited, never copied.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Paragraph, Spacer, Table, TableStyle

from rules.dispute.outcome import what_changed
from rules.dispute.replay import Replay, StepView, replay_of
from rules.dispute.words import action_words
from rules.drawings.board import draw_board
from rules.engine import Ruling
from rules.models import SavedDispute
from rules.views.rulebook import AUTHORITIES
from rules.views.weighed import summary_of

from .board import PrintedBoard
from .paper import MARGIN, SIZES, PageHeading, letters, paper, qr, style, words

SIDE = 26 * mm


class Code(Flowable):
    """A QR code as a flowable; side in points."""

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


def dispute_pdf(dispute: SavedDispute, *, address: str, size: str = "a4") -> bytes:
    """Return a dispute as a PDF; `address` is its address for reading, `size` is `a4` or `letter`."""
    replay = replay_of(dispute.document)
    width = SIZES[size][0] - 2 * MARGIN
    heading = PageHeading(
        event=replay.edition.title,
        title=dispute.title or _("Dispute"),
        place=address,
        printed=_printed(dispute.time_zone),
    )
    content: list[Flowable] = [*_head(dispute, replay, address, width)]
    if replay.fault is not None:
        content.append(words(f"{replay.fault.where} {replay.fault.message}", 11))
    else:
        content += [*_boards(replay, width), *_steps(replay, width), *_ending(dispute, replay)]
    return paper(heading, content, size=size)


def _printed(zone: str) -> str:
    """Return the time of printing in the given zone, or in the site's zone with its name."""
    now = timezone.localtime(timezone=zoneinfo.ZoneInfo(zone) if zone else None)
    return date_format(now, "D j N Y, H:i" if zone else "D j N Y, H:i T")


def case_on_paper(document: Mapping[str, Any], width: float) -> list[Flowable]:
    """Return a position file as flowables for other PDFs: its boards, each step, the outcome, the rulings.

    Empty if its edition can't read it. `width` in points.
    """
    replay = replay_of(document)
    if replay.fault is not None:
        return []
    return [*_boards(replay, width), *_steps(replay, width), *_result(replay), *_rulings(replay)]


def beside_code(lines: list[Flowable], address: str, width: float) -> list[Flowable]:
    """Return lines with the QR code of an address on their right."""
    both = Table([[lines, Code(address, SIDE)]], colWidths=[width - SIDE, SIDE])
    both.setStyle(_plain("TOP"))
    return [both, Spacer(0, 2 * mm)]


def _head(dispute: SavedDispute, replay: Replay, address: str, width: float) -> list[Flowable]:
    lines: list[Flowable] = []
    if dispute.question:
        lines += [words(dispute.question, 12, bold=True), Spacer(0, 2 * mm)]
    for number, action in enumerate(replay.document.get("actions", ()), 1):
        lines.append(words(f"{number}. {action_words(replay.document, action)}", 11))
    if not lines:
        lines.append(words(_("No actions yet."), 11))
    return beside_code(lines, address, width)


def _plain(valign: str) -> TableStyle:
    return TableStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), valign),
            *((f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "TOP", "BOTTOM")),
            ("RIGHTPADDING", (0, 0), (-1, -1), 6),
        ]
    )


def _boards(replay: Replay, width: float) -> list[Flowable]:
    """Return the board at the beginning with the line of fire in dispute, beside it the board at the end."""
    drawn: list[tuple[str, Any]] = []
    first = next((one for one in replay.steps if one.line is not None), None)
    line = replay.line_at(first) if first is not None else None
    before = replay.before(first.number) if first is not None else replay.board(0)
    drawn.append((_("Starting position"), draw_board(before, title="", prefix="p0", line=line)))
    if replay.last:
        drawn.append((_("Final position"), draw_board(replay.board(replay.last), title="", prefix="p1")))
    each = width / len(drawn) - 3 * mm
    cells = [[words(title, 9), PrintedBoard(drawing, each, 110 * mm)] for title, drawing in drawn]
    table = Table([cells], colWidths=[width / len(drawn)] * len(drawn))
    table.setStyle(_plain("TOP"))
    return [table, Spacer(0, 3 * mm)]


def _steps(replay: Replay, width: float) -> list[Flowable]:
    rows = []
    for shown in replay.steps:
        text: list[Flowable] = [words(shown.text, 10)]
        if len(shown.sums) > 1:
            text.append(_tally(shown))
        if shown.rolled_here:
            text.append(words(_("rolled by Headjudge, not at the table"), 8))
        sections = "; ".join(dict.fromkeys(str(cited["section"]) for cited in shown.citations))
        if sections:
            text.append(words(sections, 7.5))
        rows.append([words(shown.number, 10), words(shown.word, 10, bold=True), text])
    if replay.awaited is not None:
        rows.append([words("…", 10), words(_("Waiting"), 10, bold=True), [words(replay.awaited.title, 10)]])
    if not rows:
        return []
    table = Table(rows, colWidths=[9 * mm, 31 * mm, width - 40 * mm])
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.grey),
                ("LEFTPADDING", (0, 0), (-1, -1), 2),
                ("RIGHTPADDING", (0, 0), (-1, -1), 4),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return [words(_("Step by step"), 13, bold=True), Spacer(0, 1 * mm), table, Spacer(0, 4 * mm)]


def _tally(shown: StepView) -> Table:
    rows, rules = [], []
    for number, part in enumerate(shown.sums):
        why = words(part.why, 9)
        if part.ignored_by:
            told = _("ignored: %(by)s") % {"by": part.ignored_by}
            why = Paragraph(f"<strike>{letters(part.why)}</strike> {letters(told)}", style(9))
        if part.is_sum:
            rules.append(("LINEABOVE", (0, number), (-1, number), 0.8, colors.black))
        rows.append([words(part.amount, 9, right=True, bold=part.is_sum), why])
    table = Table(rows, colWidths=[14 * mm, 100 * mm], hAlign="LEFT")
    table.setStyle(
        TableStyle(
            [
                *rules,
                ("TOPPADDING", (0, 0), (-1, -1), 0.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return table


def _ending(dispute: SavedDispute, replay: Replay) -> list[Flowable]:
    found: list[Flowable] = []
    found += _result(replay)
    decided = [" – ".join(filter(None, [one.get("by"), one.get("text")])) for one in replay.document.get("judge", ())]
    found += section(_("Manual overrides by the judge"), [one for one in decided if one])
    found += section(
        _("Not covered by the rules, so decided by one die (1–3 not allowed, 4–6 allowed)"),
        [_rolled(one) for one in dispute.etiquette],
    )
    return [*found, *_rulings(replay)]


def _result(replay: Replay) -> list[Flowable]:
    return section(_("Result"), [f"{name}: {changes}" for name, changes in what_changed(replay)])


def _rulings(replay: Replay) -> list[Flowable]:
    """Return the rulings that decide the case, with their authority, and a line that stands for the others."""
    deciding = [one for one in replay.rulings if one.weight == "decides"]
    others = [one for one in replay.rulings if one.weight != "decides"]
    summary = [summary_of(others, replay.topics, more=bool(deciding))] if others else []
    return section(_("Rulings"), [*(_ruled(one) for one in deciding), *summary])


def _rolled(one: dict[str, Any]) -> str:
    allowed = _("allowed") if one.get("allowed") else _("not allowed")
    return f"{one.get('question') or _('Not covered by the rules')}: {one.get('die')} – {allowed}"


def _ruled(one: Ruling) -> str:
    date = one.date or _("no date")
    return f"{one.text} ({AUTHORITIES[one.authority]}, {date}; {one.section})"


def section(title: str, lines: list[str]) -> list[Flowable]:
    """Return a heading with its lines below; nothing if there are none."""
    if not lines:
        return []
    first, *rest = [words(f"• {line}", 10) for line in lines]
    return [KeepTogether([words(title, 13, bold=True), Spacer(0, 1 * mm), first]), *rest, Spacer(0, 4 * mm)]
