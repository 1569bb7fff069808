"""Tables of a round's pairings, by table and by name, and of rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from events.models import Entry, Match, Round
from events.names import name_key
from events.results.words import THIRD_PLACE

from .columns import FOLD, MAIN, StateColumn, link, ways

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}
LAST = 10_000
NO_TEAMS: Mapping[int, str] = MappingProxyType({})
DASH = mark_safe(' <span class="dash">–</span> ')


@dataclass(frozen=True)
class Seat:
    """One player of a round, for the list by name."""

    entry: Entry
    match: Match
    name: str
    opponent_name: str

    @property
    def sort_name(self) -> str:
        """The key by which the list sorts the player."""
        return name_key(self.name)

    @property
    def sort_opponent(self) -> str:
        """The key by which the list sorts the opponent."""
        return name_key(self.opponent_name)

    @property
    def table(self) -> int:
        """The table; byes and missed rounds sort last."""
        return self.match.table or LAST

    @property
    def state(self) -> str:
        """The state of the match."""
        return self.match.state


def seats_of(matches: Iterable[Match], *, whole_names: bool) -> list[Seat]:
    """Return every player of these matches with table and opponent."""

    def shown(entry: Entry | None) -> str:
        return "" if entry is None else entry.name if whole_names else entry.public_name

    found = []
    for match in matches:
        for one in match.entries:
            others = ", ".join(map(shown, match.opponents_of(one)))
            found.append(Seat(one, match, shown(one), others))
    return sorted(found, key=lambda seat: (seat.sort_name, seat.entry.number))


def result_in_short(match: Match) -> str:
    """Return the score of a confirmed match, or what it was instead of a game."""
    if match.kind != Match.Kind.GAME:
        return str(match.get_kind_display())
    if match.state != Match.State.CONFIRMED or not match.result:
        return ""
    if match.pairs:  # as the players are shown: partners together
        return " : ".join(
            " & ".join(str(match.result.score(match.seat_of(one))) for one in pair) for pair in match.pairs
        )
    return " : ".join(map(str, match.result.scores))


class _Pairings(tables.Table):
    """What both lists share: links to players, and the text to search."""

    def __init__(
        self, rows: list[Any], *, round: Round, whole_names: bool, teams: Mapping[int, str] = NO_TEAMS, **more: Any
    ) -> None:
        self.whole_names = whole_names
        self.teams = teams
        self.player = ways("events:entry", round.event.public_id)
        self.seat = ways("events:table", round.event.public_id, round.number)
        super().__init__(rows, row_attrs={"data-words": self.words}, **more)

    def _shown(self, entry: Entry | None) -> str:
        return "" if entry is None else entry.name if self.whole_names else entry.public_name

    def _link(self, entry: Entry, name: str) -> SafeString:
        return link(self.player(entry.number), name)

    def words(self, record: Any) -> str:
        """Return the text in which the search looks."""
        raise NotImplementedError


class ByTable(_Pairings):
    """The pairings by table."""

    caption = gettext_lazy("Pairings by table")
    table = tables.Column(verbose_name=gettext_lazy("Table"), order_by=("order",), attrs=NUMBER, empty_values=())
    players = tables.Column(
        verbose_name=gettext_lazy("Players"), order_by=("a__sort_name",), attrs=MAIN, empty_values=(), accessor="a"
    )
    state = StateColumn(verbose_name=gettext_lazy("State"))
    result = tables.Column(verbose_name=gettext_lazy("Result"), orderable=False, empty_values=(), attrs=FOLD)

    class Meta:
        fields = ("table", "players", "state", "result")
        empty_text = gettext_lazy("No name or table matches this search.")

    def _links(self, entries: Sequence[Entry]) -> list[tuple[SafeString]]:
        return [(self._link(entry, self._shown(entry)),) for entry in entries]

    def words(self, record: Match) -> str:
        """Return table and players."""
        met = record.teams_among(self.teams)
        return " ".join((str(record.table or ""), *map(self._shown, record.entries), *met)).casefold()

    def render_table(self, record: Match) -> str | SafeString:
        """Link a table to its page."""
        if record.table is None:
            return "–"
        return link(self.seat(record.table), str(record.table))

    def render_players(self, record: Match) -> SafeString:
        """Link the players, or say that it is a bye or a missed round."""
        if record.is_of_many:
            if record.pairs:
                both = [format_html_join(" & ", "{}", self._links(pair)) for pair in record.pairs]
                seated = format_html('<span class="pair">{}{}{}</span>', both[0], DASH, both[1])
                return seated + self._teams(record)
            return format_html(
                '<span class="pair">{}</span>', format_html_join(DASH, "{}", self._links(record.entries))
            )
        first = self._link(record.a, self._shown(record.a))
        other = self._link(record.b, self._shown(record.b)) if record.b else record.get_kind_display()
        third = format_html(' <small class="quiet">{}</small>', THIRD_PLACE) if record.is_third_place else ""
        return format_html('<span class="pair">{}{}{}{}</span>', first, DASH, other, third) + self._teams(record)

    def _teams(self, record: Match) -> SafeString:
        """Return the teams that meet; nothing if their names only repeat the players at the table."""
        met = record.teams_among(self.teams)
        if not met or met == [" & ".join(map(self._shown, pair)) for pair in record.pairs]:
            return SafeString("")
        return format_html('<small class="quiet">{}</small>', " – ".join(met))

    def render_result(self, record: Match) -> str:
        """Return the score."""
        return result_in_short(record) if record.kind == Match.Kind.GAME else ""


class ByName(_Pairings):
    """The pairings by name, for players looking for their table."""

    caption = gettext_lazy("Pairings by name")
    name = tables.Column(verbose_name=gettext_lazy("Name"), order_by=("sort_name",), attrs=MAIN)
    table = tables.Column(verbose_name=gettext_lazy("Table"), attrs=NUMBER)
    opponent_name = tables.Column(
        verbose_name=gettext_lazy("Opponent"), order_by=("sort_opponent",), attrs=MAIN, empty_values=()
    )

    class Meta:
        fields = ("table", "name", "opponent_name")
        sequence = ("name", "table", "opponent_name")
        empty_text = gettext_lazy("No name or table matches this search.")

    def words(self, record: Seat) -> str:
        """Return name, table and opponent."""
        return f"{record.name} {record.match.table or ''} {record.opponent_name}".casefold()

    def render_name(self, record: Seat) -> SafeString:
        """Link the player."""
        return self._link(record.entry, record.name)

    def render_table(self, record: Seat) -> str:
        """Return the table, or a dash."""
        return "–" if record.match.table is None else str(record.match.table)

    def render_opponent_name(self, record: Seat) -> str:
        """Return the opponent, or say that it is a bye or a missed round."""
        return record.opponent_name or str(record.match.get_kind_display())
