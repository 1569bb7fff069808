"""The table of a series to pin up."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer

from .paper import PageHeading, listing, paper, words

WIDTH, PLACE, NAME, POINTS = 182, 14, 52, 18
MAX_COLUMNS = 10
"""The events that fit beside the names; a longer series has only its totals on paper."""


def series(
    heading: PageHeading,
    heads: Sequence[str],
    lines: Sequence[Sequence[str]],
    notes: Sequence[str],
    *,
    draft: Sequence[str] = (),
    draft_heading: str = "",
    size: str = "a4",
) -> bytes:
    """Return the PDF: the table, how it counts, and after the end the order of the prize draft."""
    fitting = len(heads) - 3 <= MAX_COLUMNS
    heads, lines = (heads, lines) if fitting else (heads[:3], [line[:3] for line in lines])
    events = len(heads) - 3
    name = NAME if events else WIDTH - PLACE - POINTS
    each = [(WIDTH - PLACE - name - POINTS) / max(events, 1)] * events
    widths = [width * mm for width in (PLACE, name, POINTS, *each)]
    numbers = [0, *range(2, len(heads))]
    content: list[Flowable] = [
        listing(heads, lines, widths, size=11 if events < 8 else 9, right=numbers, bold=[0, 1, 2]),
        Spacer(1, 4 * mm),
        *(words(note, 8) for note in notes),
    ]
    if draft:
        content += [Spacer(1, 6 * mm), words(draft_heading, 13)]
        content += [words(f"{number}. {player}", 11) for number, player in enumerate(draft, start=1)]
    return paper(heading, content, size=size)
