"""The list of tables without a result, for collecting results on paper during a power cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from .paper import PageHeading, listing, paper, words


@dataclass(frozen=True)
class OpenTable:
    """A table without a confirmed result; `note` says what is known of it (extra time, one report)."""

    table: int | None
    a: str
    b: str
    note: str = ""


def open_tables(heading: PageHeading, tables: Sequence[OpenTable], *, size: str = "a4") -> bytes:
    """Return the PDF: one line per table, with room for both players' points and the winner."""
    room = "________"
    rows = [
        ("–" if one.table is None else one.table, f"{one.a} ({one.note})" if one.note else one.a, room, one.b, room, "")
        for one in tables
    ]
    content: list[Flowable] = []
    if rows:
        content.append(
            listing(
                [_("Table"), _("Player"), _("Points"), _("Player"), _("Points"), _("Winner")],
                rows,
                [16 * mm, 50 * mm, 24 * mm, 50 * mm, 24 * mm, 16 * mm],
                size=11,
                right=[0],
                bold=[0],
            )
        )
    else:
        content.append(words(_("Every table has a result."), 13))
    return paper(heading, content, size=size)
