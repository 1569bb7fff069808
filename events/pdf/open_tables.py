"""The list of tables without a result, for collecting results on paper during a power cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from .paper import PageHeading, listing, paper, words

PAIR = 2


@dataclass(frozen=True)
class OpenTable:
    """A table without a confirmed result; `note` says what is known of it (extra time, one report)."""

    table: int | None
    players: tuple[str, ...]
    note: str = ""


def open_tables(heading: PageHeading, tables: Sequence[OpenTable], *, size: str = "a4") -> bytes:
    """Return the PDF: one line per table, with room for both players' points and the winner."""
    room = "________"
    if any(len(one.players) > PAIR for one in tables):
        return paper(heading, [_of_many(tables, room)], size=size)
    rows = [("–" if one.table is None else one.table, _noted(one), room, one.players[1], room, "") for one in tables]
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


def _noted(one: OpenTable) -> str:
    """Return the first player, with what is known of the table."""
    return f"{one.players[0]} ({one.note})" if one.note else one.players[0]


def _of_many(tables: Sequence[OpenTable], room: str) -> Flowable:
    """Return one line per player, with room for points and place."""
    rows = [
        ("" if at else one.table or "–", name if at else _noted(one), room, room)
        for one in tables
        for at, name in enumerate(one.players)
    ]
    heads = [_("Table"), _("Player"), _("Points"), _("Place")]
    return listing(heads, rows, [16 * mm, 92 * mm, 36 * mm, 36 * mm], size=11, right=[0], bold=[0])
