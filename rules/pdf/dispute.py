"""A dispute as a PDF: the question, boards and figures, each step with its sum, the rulings, a line to sign on.

In our own words; the books are cited, never copied.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Paragraph, Spacer, Table, TableStyle

from rules.dispute.figures import powers_of, values_of
from rules.dispute.outcome import what_changed
from rules.dispute.replay import Replay, StepView, replay_of
from rules.dispute.words import action_words, names_apart
from rules.drawings.board import draw_board, labels
from rules.engine import Ruling
from rules.models import SavedDispute
from rules.positions import pieces, stands_in
from rules.views.rulebook import show_rulings
from rules.views.weighed import summary_of

from ..labels import labelled
from .board import PrintedBoard
from .paper import MARGIN, SIZES, PageHeading, letters, listing, paper, qr, signatures, splittable, style, words

SIDE = 26 * mm
BESIDE_CODE = 8
MAX_LETTERS = 400
"""The most letters in a cell of the table of figures: a row that is taller than a page can't be printed."""


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
        content += [words(one, 11) for one in replay.faults]
    else:
        diced = section(
            _("Not covered by the rules, so decided by a die roll (1–3: not allowed, 4–6: allowed)"),
            [_rolled(one) for one in dispute.etiquette],
        )
        signer = f"{_('Judge')} · {_('name, date, signature')}"
        content += [*_ruled(replay, width), *diced, *signatures([signer], width), *_steps(replay, width)]
    return paper(heading, content, size=size)


def _printed(zone: str) -> str:
    """Return the time of printing in the given zone, or in the site's zone with its name."""
    now = timezone.localtime(timezone=zoneinfo.ZoneInfo(zone) if zone else None)
    return date_format(now, "D j N Y, H:i" if zone else "D j N Y, H:i T")


def case_on_paper(
    document: Mapping[str, Any] | None, width: float, cited: Sequence[Ruling], signers: Sequence[str]
) -> list[Flowable]:
    """Return a position file as flowables for other PDFs: boards, figures, outcome, rulings, lines to sign on, steps.

    `cited` are rulings printed whether or not they decide the case; `signers` what is written below the lines. Only
    these are returned without a file or if its edition can't read it. `width` in points.
    """
    replay = replay_of(document) if document else None
    if replay is None or replay.fault is not None:
        return [*_rulings(cited), *signatures(signers, width)]
    return [*_ruled(replay, width, cited), *signatures(signers, width), *_steps(replay, width)]


def _ruled(replay: Replay, width: float, cited: Sequence[Ruling] = ()) -> list[Flowable]:
    """Return what a judge signs: boards, figures, outcome, the rulings cited and those that decide, overrides."""
    decides = {one.id: one for one in [*cited, *(one for one in replay.rulings if one.weight == "decides")]}
    others = [one for one in replay.rulings if one.id not in decides]
    summary = [summary_of(others, replay.topics, more=bool(decides))] if others else []
    refused = [labelled(one.word, one.text) for one in replay.steps if one.kind == "illegal"]
    overrides = [" – ".join(filter(None, [one.get("by"), one.get("text")])) for one in replay.document.get("judge", ())]
    return [
        *_boards(replay, width),
        *_figures(replay, width),
        *section(_("Result"), [*refused, *(labelled(name, changes) for name, changes in what_changed(replay))]),
        *_rulings(decides.values(), summary),
        *section(_("Manual overrides by the judge"), [one for one in overrides if one]),
    ]


def beside_code(lines: list[Flowable], address: str, width: float) -> list[Flowable]:
    """Return lines with the QR code of an address on their right."""
    both = Table([[lines, Code(address, SIDE)]], colWidths=[width - SIDE, SIDE])
    both.setStyle(_plain("TOP"))
    return [splittable(both), Spacer(0, 2 * mm)]


def _head(dispute: SavedDispute, replay: Replay, address: str, width: float) -> list[Flowable]:
    lines: list[Flowable] = []
    if dispute.question:
        lines += [words(dispute.question, 12, bold=True), Spacer(0, 2 * mm)]
    for number, action in enumerate(replay.document.get("actions", ()), 1):
        lines.append(words(f"{number}. {action_words(replay.document, action)}", 11))
    if not lines:
        lines.append(words(_("No actions yet. A judge can add actions to this dispute."), 11))
    return [*beside_code(lines[:BESIDE_CODE], address, width), *lines[BESIDE_CODE:], Spacer(0, 2 * mm)]


def _plain(valign: str) -> TableStyle:
    return TableStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), valign),
            *((f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "TOP", "BOTTOM")),
            ("RIGHTPADDING", (0, 0), (-1, -1), 6),
        ]
    )


def _boards(replay: Replay, width: float) -> list[Flowable]:
    """Return the board with the line of fire in dispute, or else at the beginning; beside it the board at the end."""
    drawn: list[tuple[str, Any]] = []
    first = next((one for one in replay.steps if one.line is not None), None)
    line = replay.line_at(first) if first is not None else None
    before = replay.before(first.number) if first is not None else replay.board(0)
    moved = first is not None and _layout(before) != _layout(replay.board(0))
    title = _("Before step %(number)s") % {"number": first.number} if first and moved else _("Starting position")
    drawn.append((title, draw_board(before, title="", prefix="p0", line=line)))
    if replay.last:
        drawn.append((_("Final position"), draw_board(replay.board(replay.last), title="", prefix="p1")))
    each = width / len(drawn) - 3 * mm
    cells = [[words(title, 9), PrintedBoard(drawing, each, 110 * mm)] for title, drawing in drawn]
    table = Table([cells], colWidths=[width / len(drawn)] * len(drawn))
    table.setStyle(_plain("TOP"))
    return [table, Spacer(0, 3 * mm)]


def _layout(board: Mapping[str, Any]) -> list[Any]:
    return [board["map"], *(stands_in(piece) for _player, piece in pieces(board))]


def _figures(replay: Replay, width: float) -> list[Flowable]:
    """Return a table of the figures: click, values and powers at the beginning, and what they are at the end."""
    start, end = replay.board(0), replay.board(replay.last)
    signs, names = labels(start), names_apart(start)
    rows = []
    for (player, piece), (_player, now) in zip(pieces(start), pieces(end), strict=True):
        changes = [_change(*both) for both in zip(_values(piece), _values(now), strict=True)]
        row = (signs[piece["id"]], names[piece["id"]], player, *changes)
        rows.append([Truncator(text).chars(MAX_LETTERS) for text in row])
    if not rows:
        return []
    heads = ["", _("Figure"), _("Side"), _("Click")]
    heads += [_("Speed"), _("Attack"), _("Defense"), _("Damage"), _("Range"), _("Powers")]
    widths = [9 * mm, 36 * mm, 16 * mm, 14 * mm, *[13 * mm] * 5]
    table = splittable(listing(heads, rows, [*widths, width - sum(widths)], size=8.5, bold=[0, 1]))
    return _above(_("Figures"), table)


def _above(title: str, table: Table) -> list[Flowable]:
    """Return a heading above a table, on the page of its first rows."""
    return [CondPageBreak(22 * mm), words(title, 13, bold=True), Spacer(0, 1 * mm), table, Spacer(0, 4 * mm)]


def _values(piece: Mapping[str, Any]) -> list[str]:
    """Return a figure's click, its values, and its powers with its team abilities; all but the first "" if KO."""
    shown = values_of(piece)
    if shown is None:
        return [_("KO"), *[""] * 6]
    numbers = [str(shown[key]) for key in ("speed", "attack", "defense", "damage", "range")]
    return [str(piece.get("click", 1)), *numbers, ", ".join(powers_of(piece))]


def _change(before: str, after: str) -> str:
    return before if after in (before, "") else f"{before} → {after}"


def _steps(replay: Replay, width: float) -> list[Flowable]:
    rows = []
    for shown in replay.steps:
        text: list[Flowable] = [words(shown.text, 10)]
        if len(shown.sums) > 1:
            text.append(_tally(shown))
        if shown.rolled_here:
            text.append(words(_("rolled by Headjudge"), 8))
        sections = "; ".join(dict.fromkeys(str(cited["section"]) for cited in shown.citations))
        if sections:
            text.append(words(sections, 7.5))
        rows.append([words(shown.number, 10), words(shown.word, 10, bold=True), text])
    if replay.awaited is not None:
        rows.append([words("…", 10), words(_("Waiting for"), 10, bold=True), [words(replay.awaited.title, 10)]])
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
    return [Spacer(0, 4 * mm), *_above(_("Step by step"), splittable(table))]


def _tally(shown: StepView) -> Table:
    rows, rules = [], []
    for number, part in enumerate(shown.sums):
        why = words(part.why, 9)
        if part.ignored_by:
            told = _("ignored (reason: %(by)s)") % {"by": part.ignored_by}
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


def _rulings(found: Iterable[Ruling], summary: Sequence[str] = ()) -> list[Flowable]:
    """Return rulings, each with its weight, authority, date and section, then the lines of the summary."""
    lines: list[list[Flowable]] = []
    for one in show_rulings(found):
        date = date_format(one.day, "j F Y") if one.day else _("no date")
        source = " · ".join(str(part) for part in (one.standing, one.authority, date, one.ruling.section))
        lines.append([words(f"• {one.ruling.text}", 10), words(source, 8), Spacer(0, 1 * mm)])
    return _under(_("Rulings"), [*lines, *([words(f"• {line}", 10)] for line in summary)])


def _rolled(one: dict[str, Any]) -> str:
    allowed = _("allowed") if one.get("allowed") else _("not allowed")
    return labelled(one.get("question") or _("Not covered by the rules"), f"{one.get('die')} – {allowed}")


def section(title: str, lines: Iterable[str]) -> list[Flowable]:
    """Return a heading with its lines below; nothing if there are none."""
    return _under(title, [[words(f"• {line}", 10)] for line in lines])


def _under(title: str, parts: Sequence[Sequence[Flowable]]) -> list[Flowable]:
    """Return a heading with its parts below, each of which stays on one page; nothing if there are none."""
    if not parts:
        return []
    first, *rest = parts
    head = KeepTogether([words(title, 13, bold=True), Spacer(0, 1 * mm), *first])
    return [head, *(KeepTogether(list(part)) for part in rest), Spacer(0, 4 * mm)]
