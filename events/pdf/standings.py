"""The standings to pin up."""

from __future__ import annotations

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer

from events.standings_columns import Printed

from .paper import PageHeading, listing, paper, words


def standings(heading: PageHeading, *tables: Printed, size: str = "a4") -> bytes:
    """Return the PDF, with an explanation of each tie-breaker below the tables: the players', after the teams' if any."""
    content: list[Flowable] = []
    for table in tables:
        criteria = len(table.headings) - 2
        widths = [14 * mm, 70 * mm, *[(182 - 14 - 70) * mm / max(criteria, 1)] * criteria]
        content += [
            listing(table.headings, table.lines, widths, size=11, right=table.numbers, bold=[0, 1]),
            Spacer(1, 4 * mm),
        ]
    return paper(heading, [*content, *(words(note, 8) for note in tables[-1].notes)], size=size)
