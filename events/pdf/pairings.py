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
    """A line of the pairings: table and players; `note` says that it is a bye, a missed round or for third place.

    `pairs` are the names of partners at a table where two teams play.
    """

    table: int | None
    players: tuple[str, ...]
    note: str = ""
    pairs: tuple[tuple[str, ...], ...] = ()

    def others_of(self, at: int) -> str:
        """Who plays one of the players, who is the partner, and the note."""
        name = self.players[at]
        own = next((pair for pair in self.pairs if name in pair), (name,))
        found = Pairing(
            None, (name, *(one for i, one in enumerate(self.players) if i != at and one not in own)), self.note
        )
        partners = [one for one in own if one != name]
        if not partners:
            return found.others
        return _("%(opponents)s (partner: %(partner)s)") % {"opponents": found.others, "partner": ", ".join(partners)}

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
            places.append((name, line.table, line.others_of(at)))
    places.sort(key=lambda place: name_key(place[0]))
    rows = [(name, "–" if table is None else table, opponent) for name, table, opponent in places]
    # three opponents need more room than one
    widths = (
        [58 * mm, 20 * mm, 102 * mm] if any(len(line.players) > PAIR for line in lines) else [82 * mm, 20 * mm, 78 * mm]
    )
    return listing([_("Name"), _("Table"), _("Opponent")], rows, widths, size=13, right=[1], bold=[0, 1])


def _lines_of(line: Pairing) -> list[str]:
    """Return the players of a table, partners together."""
    return [" & ".join(pair) for pair in line.pairs] or list(line.players)


def _by_table(lines: Sequence[Pairing]) -> Flowable:
    seated = sorted((line for line in lines if line.table is not None), key=lambda line: line.table or 0)
    others = [line for line in lines if line.table is None]
    if any(len(line.players) > PAIR for line in lines):
        pods = [("" if at else line.table, name) for line in seated for at, name in enumerate(_lines_of(line))] + [
            ("–", f"{line.players[0]} ({line.note})") for line in others
        ]
        return listing([_("Table"), _("Players")], pods, [22 * mm, 158 * mm], size=13, right=[0], bold=[0])
    rows = [
        (line.table if line.table is not None else "–", line.players[0], line.others) for line in [*seated, *others]
    ]
    return listing(
        [_("Table"), _("Player"), _("Player")], rows, [22 * mm, 79 * mm, 79 * mm], size=13, right=[0], bold=[0]
    )
