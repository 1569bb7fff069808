"""The standings to pin up."""

from __future__ import annotations

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer

from events.standings_columns import Printed

from .paper import PageHeading, listing, paper, words


def standings(heading: PageHeading, table: Printed, *, size: str = "a4") -> bytes:
    """Return the PDF, with an explanation of each tie-breaker below the table."""
    criteria = len(table.headings) - 2
    widths = [14 * mm, 70 * mm, *[(182 - 14 - 70) * mm / max(criteria, 1)] * criteria]
    content: list[Flowable] = [
        listing(table.headings, table.lines, widths, size=11, right=table.numbers, bold=[0, 1]),
        Spacer(1, 4 * mm),
        *(words(note, 8) for note in table.notes),
    ]
    return paper(heading, content, size=size)
