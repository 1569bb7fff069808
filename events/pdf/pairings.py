"""The pairings of a round to pin up: by name, by table, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, PageBreak

from events.names import name_key

from .paper import PageHeading, listing, paper, words

PAIR = 2


@dataclass(frozen=True)
class Pairing:
    """A line of the pairings: table and players; `note` says that it is a bye, a missed round or for third place."""

    table: int | None
    players: tuple[str, ...]
    note: str = ""

    @property
    def others(self) -> str:
        """Who plays the first, and the note."""
        others = ", ".join(self.players[1:])
        return f"{others} ({self.note})" if others and self.note else others or self.note


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
        for at, name in enumerate(line.players):
            others = Pairing(None, (name, *line.players[:at], *line.players[at + 1 :]), line.note).others
            places.append((name, line.table, others))
    places.sort(key=lambda place: name_key(place[0]))
    rows = [(name, "–" if table is None else table, opponent) for name, table, opponent in places]
    return listing(
        [_("Name"), _("Table"), _("Opponent")], rows, [82 * mm, 20 * mm, 78 * mm], size=13, right=[1], bold=[0, 1]
    )


def _by_table(lines: Sequence[Pairing]) -> Flowable:
    seated = sorted((line for line in lines if line.table is not None), key=lambda line: line.table or 0)
    others = [line for line in lines if line.table is None]
    if any(len(line.players) > PAIR for line in lines):
        pods = [("" if at else line.table, name) for line in seated for at, name in enumerate(line.players)] + [
            ("–", f"{line.players[0]} ({line.note})") for line in others
        ]
        return listing([_("Table"), _("Players")], pods, [22 * mm, 158 * mm], size=13, right=[0], bold=[0])
    rows = [
        (line.table if line.table is not None else "–", line.players[0], line.others) for line in [*seated, *others]
    ]
    return listing(
        [_("Table"), _("Player"), _("Player")], rows, [22 * mm, 79 * mm, 79 * mm], size=13, right=[0], bold=[0]
    )
