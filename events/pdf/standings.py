"""The standings to pin up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer

from .paper import Heading, listing, paper, words


@dataclass(frozen=True)
class Row:
    """A line of the standings: place, name, whether the player has left, and the values of the cascade as shown."""

    place: int
    name: str
    has_left: bool
    values: Sequence[str]


def standings(
    heading: Heading, columns: Sequence[str], rows: Sequence[Row], notes: Sequence[str] = (), *, size: str = "a4"
) -> bytes:
    """Return the PDF; `columns` are the titles of the cascade's criteria, `notes` stand below the table."""
    rest = (182 - 14 - 70) * mm / max(len(columns), 1)
    lines = [(row.place, row.name + (f" ({_('dropped')})" if row.has_left else ""), *row.values) for row in rows]
    widths = [14 * mm, 70 * mm, *[rest] * len(columns)]
    numbers = [0, *range(2, 2 + len(columns))]
    content: list[Flowable] = [listing(["", _("Player"), *columns], lines, widths, size=11, right=numbers, bold=[0, 1])]
    content += [Spacer(1, 4 * mm), *(words(note, 8) for note in notes)]
    return paper(heading, content, size=size)
