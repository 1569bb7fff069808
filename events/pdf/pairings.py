"""The pairings of a round to pin up: by name, by table, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, PageBreak

from events.names import name_key

from .paper import PageHeading, listing, paper, words


@dataclass(frozen=True)
class Pairing:
    """A line of the pairings; for a bye or a missed round there is no table, and `note` says which it is."""

    table: int | None
    a: str
    b: str | None
    note: str = ""


def pairings(heading: PageHeading, lines: Sequence[Pairing], *, by: str = "both", size: str = "a4") -> bytes:
    """Return the PDF; `by` is "name", "table" or "both"."""
    content: list[Flowable] = []
    if by in ("name", "both"):
        content += [words(_("By name"), 14, bold=True), _by_name(lines)]
    if by == "both":
        content.append(PageBreak())
    if by in ("table", "both"):
        content += [words(_("By table"), 14, bold=True), _by_table(lines)]
    return paper(heading, content, size=size)


def _by_name(lines: Sequence[Pairing]) -> Flowable:
    places = []
    for line in lines:
        places.append((line.a, line.table, line.b or line.note))
        if line.b is not None:
            places.append((line.b, line.table, line.a))
    places.sort(key=lambda place: name_key(place[0]))
    rows = [(name, "–" if table is None else table, opponent) for name, table, opponent in places]
    return listing(
        [_("Name"), _("Table"), _("Opponent")], rows, [82 * mm, 20 * mm, 78 * mm], size=13, right=[1], bold=[0, 1]
    )


def _by_table(lines: Sequence[Pairing]) -> Flowable:
    seated = sorted((line for line in lines if line.table is not None), key=lambda line: line.table or 0)
    others = [line for line in lines if line.table is None]
    rows = [(line.table if line.table is not None else "–", line.a, line.b or line.note) for line in [*seated, *others]]
    return listing(
        [_("Table"), _("Player"), _("Player")], rows, [22 * mm, 79 * mm, 79 * mm], size=13, right=[0], bold=[0]
    )
