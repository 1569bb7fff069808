"""Sheets for a booster draft on paper, one page a table: the seats in order of passing, and a line for each pick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, PageBreak, Spacer, Table, TableStyle

from events.passing import Direction, Passing

from .paper import PageHeading, paper, words

WIDTH, FIRST = 180 * mm, 22 * mm
MAX_HEIGHT = 185 * mm


@dataclass(frozen=True)
class PodSheet:
    """A table: its number, its players in order of passing to the left, how the boosters go round, the teams that meet."""

    table: int
    players: tuple[str, ...]
    passing: Passing
    teams: Sequence[str] = ()


def pod_sheets(heading: PageHeading, sheets: Sequence[PodSheet], *, size: str = "a4") -> bytes:
    """Return the PDF, a page for each table."""
    content: list[Flowable] = []
    for sheet in sheets:
        content += [*([PageBreak()] if content else []), *_page(sheet)]
    return paper(
        heading,
        content or [words(_("No tables in this round. Each table gets a draft sheet once it is paired."), 11)],
        size=size,
    )


def _page(sheet: PodSheet) -> list[Flowable]:
    left = " → ".join((*sheet.players, sheet.players[0]))
    right = " → ".join((sheet.players[0], *reversed(sheet.players)))
    found: list[Flowable] = [
        words(_("Table %(table)d") % {"table": sheet.table}, 20, bold=True),
        *([words(" – ".join(sheet.teams), 11)] if sheet.teams else []),
        Spacer(1, 2 * mm),
        words(_("Pick one figure and pass the booster to the left: %(names)s") % {"names": left}, 11),
    ]
    if sheet.passing.boosters > 1:
        found.append(words(_("Pass every second booster to the right: %(names)s") % {"names": right}, 11))
    return [*found, Spacer(1, 3 * mm), _lines(sheet)]


def _lines(sheet: PodSheet) -> Table:
    passing, wide = sheet.passing, (WIDTH - FIRST) / len(sheet.players)
    rows: list[list[object]] = [
        [words(_("booster · pick"), 8), *(words(name, 11, bold=True) for name in sheet.players)]
    ]
    for step in range(passing.steps):
        pick = f"{passing.booster(step)} · {passing.pick(step)}"
        if not passing.is_last_of_booster(step):
            pick += " ←" if passing.direction(step) is Direction.LEFT else " →"
        rows.append([words(pick, 11), *[""] * len(sheet.players)])
    rows.append([words(_("signature"), 8), *[""] * len(sheet.players)])
    height = min(13 * mm, MAX_HEIGHT / (len(rows) - 1))
    made = Table(
        rows,
        colWidths=[FIRST, *[wide] * len(sheet.players)],
        rowHeights=[None, *[height] * (len(rows) - 1)],
        repeatRows=1,
    )
    style = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
    ends = [step + 1 for step in range(passing.steps) if passing.is_last_of_booster(step)]
    style += [("LINEBELOW", (0, row), (-1, row), 1.5, colors.black) for row in ends]
    made.setStyle(TableStyle(style))
    return made
