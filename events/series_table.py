"""A series' table from the rows of its events: five queries, however many events, players and matches it has.

Only events that are over count: their results are complete, even if not verified yet. Names are shown as on the pages of
standings: minors' names are shortened if one of their events does so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, Subquery

from . import series as pure
from .models import AuditEntry, Entry, Event, Match, Round, Series, SeriesDraft, SeriesEvent, SeriesJoin
from .names import name_key, short_name
from .queries import Played, played, standings_of
from .roles import Actor
from .standings_columns import exact

COUNTED = (Event.State.FINISHED, Event.State.VERIFIED)
"""The states in which an event counts: a running event's standings still change with every result."""
FILE_FORMAT, FILE_VERSION = "headjudge-series", 1


@dataclass(frozen=True)
class SeriesPlayer:
    """A player of a series: the public name, the full one, and the key of the latest entry."""

    id: str
    name: str
    full_name: str
    entry: int

    @property
    def account(self) -> int | None:
        """The key of the player's account, or None."""
        return pure.account_of(self.id)

    @property
    def is_name(self) -> bool:
        """Whether the player is a name without an account, which can be joined with another player."""
        return self.id == pure.name_player(name_key(self.full_name))


@dataclass(frozen=True)
class SeriesTable:
    """A series with its events in order of time, its table and its players."""

    series: Series
    rows: Sequence[SeriesEvent]
    lines: Sequence[pure.SeriesRow]
    players: Mapping[str, SeriesPlayer]
    by_entry: Mapping[int, str]
    """The player of each entry that took part, by its key."""

    @cached_property
    def counted(self) -> list[SeriesEvent]:
        """The events whose results count."""
        return [row for row in self.rows if row.event.state in COUNTED]

    @cached_property
    def shown(self) -> list[SeriesEvent]:
        """The events that everyone may see: no drafts."""
        return [row for row in self.rows if row.event.state != Event.State.DRAFT]

    @property
    def prize_order(self) -> list[SeriesPlayer]:
        """The eligible players in the order of the prize draft."""
        return [self.players[row.player] for row in pure.prize_order(self.lines, self.series.rules)]


def series_table(series: Series) -> SeriesTable:
    """Return a series' table, computed from its events' confirmed results."""
    rows = list(
        SeriesEvent.objects.filter(series=series, accepted__isnull=False)
        .select_related("event__venue")
        .order_by("event__starts", "pk")
    )
    events = {row.event_id: row.event for row in rows if row.event.state in COUNTED}
    entries: dict[int, list[Entry]] = defaultdict(list)
    columns = ("event", "number", "name", "is_minor", "state", "person")
    for entry in Entry.objects.filter(event__in=events).only(*columns).order_by("number"):
        entry.event = events[entry.event_id]
        entries[entry.event_id].append(entry)
    matches = _matches(events, [entry for found in entries.values() for entry in found])
    took_part = {
        pk for found in matches.values() for match in found if match.kind != Match.Kind.MISSED for pk in match.entry_ids
    }
    present = [entry for row in rows for entry in entries.get(row.event_id, ()) if entry.pk in took_part]
    owners = _owners(series, present)
    counted = [
        _counted(row, entries[row.event_id], matches[row.event_id], owners) for row in rows if row.event_id in events
    ]
    lines = pure.table(counted, series.rules, is_over=series.is_over)
    by_entry = {entry.pk: owners[entry.event_id, entry.number] for entry in present}
    return SeriesTable(series, rows, lines, _players(present, owners), by_entry)


def _matches(events: Iterable[int], entries: Iterable[Entry]) -> dict[int, list[Played]]:
    rounds = Round.objects.filter(event__in=events).exclude(state=Round.State.DRAFT)
    found: dict[int, list[Played]] = defaultdict(list)
    for match in played(rounds.only("event", "number", "stage", "state", "bracket_size"), entries):
        found[match.round.event_id].append(match)
    return found


def series_counters(public_ids: Iterable[str]) -> dict[str, int]:
    """Return for each of these series a counter that rises with its table and its prize draft.

    It is the number of the newest audit log entry of its events or of its venue, or 0.
    """

    def newest(**of: OuterRef) -> Subquery:
        return Subquery(AuditEntry.objects.filter(**of).order_by("-pk").values("pk")[:1])

    ids = list(public_ids)
    own = Series.objects.filter(public_id__in=ids).values_list("public_id", newest(venue=OuterRef("venue")))
    rows = SeriesEvent.objects.filter(series__public_id__in=ids, accepted__isnull=False)
    of_events = rows.values_list("series__public_id", newest(event=OuterRef("event")))
    found: dict[str, int] = {}
    for public_id, number in (*own, *of_events):
        found[public_id] = max(found.get(public_id, 0), number or 0)
    return found


def own_players(by: Actor, found: SeriesTable) -> frozenset[str]:
    """Return the players of the table that the actor is: by account, and by the link of one of their entries."""
    mine = set()
    if by.account is not None:
        mine.add(pure.account_player(by.account.pk))
    if by.entry is not None and by.entry.pk in found.by_entry:
        mine.add(found.by_entry[by.entry.pk])
    return frozenset(mine)


def own_keys(by: Actor, found: SeriesTable, keys: Iterable[int]) -> frozenset[int]:
    """Return those of the entries' keys whose player the actor is; one whose event left the table is its account's."""
    asked, mine = set(keys), own_players(by, found)
    own = {key for key in asked & found.by_entry.keys() if found.by_entry[key] in mine}
    gone = asked - found.by_entry.keys()
    if gone and by.account is not None:
        own.update(Entry.objects.filter(pk__in=gone, person=by.account).values_list("pk", flat=True))
    return frozenset(own)


def proved_keys(by: Actor, found: SeriesTable, keys: Iterable[int]) -> frozenset[int]:
    """Return those of the actor's own keys for which the actor may pick prizes.

    A link proves one entry. Anyone can enter another event under the same name, so a player without an account who has
    several entries is nobody's by a link alone.
    """
    own, entry = own_keys(by, found, keys), by.entry
    if by.account is not None or entry is None or entry.person_id is not None:
        return own
    return own if list(found.by_entry.values()).count(found.by_entry.get(entry.pk, "")) == 1 else frozenset()


def draft_names(found: SeriesTable, order: Iterable[int]) -> dict[int, str]:
    """Return the public name of each entry in a prize draft's order, even if its event has left the table."""
    names = {key: found.players[found.by_entry[key]].name for key in order if key in found.by_entry}
    missing = [key for key in order if key not in names]
    for entry in Entry.objects.filter(pk__in=missing).only("name", "is_minor") if missing else ():
        names[entry.pk] = short_name(entry.name) if entry.is_minor else entry.name
    return names


Owners = Mapping[tuple[Any, int], str]
"""The player of each entry, by event and number."""


def own_player(entry: Entry) -> str:
    """Return the player that an entry stands for: its account, or else its name."""
    if entry.person_id is not None:
        return pure.account_player(entry.person_id)
    return pure.name_player(name_key(entry.name))


def target_of(join: SeriesJoin) -> str:
    """Return the player as which a joined name counts."""
    if join.person_id is not None:
        return pure.account_player(join.person_id)
    return pure.name_player(name_key(join.other))


def joins_of(series: Series) -> dict[str, str]:
    """Return the player as which each joined name counts."""
    return {pure.name_player(name_key(join.name)): target_of(join) for join in series.joins.all()}


def _owners(series: Series, entries: Iterable[Entry]) -> Owners:
    found = (pure.SeriesEntry(entry.event_id, entry.number, own_player(entry)) for entry in entries)
    return pure.players_of(found, joins_of(series))


def _counted(
    row: SeriesEvent, entries: Sequence[Entry], matches: Sequence[Played], owners: Owners
) -> pure.CountedEvent:
    results = tuple(
        pure.EntryResult(
            owners[row.event_id, place.number],
            place.place,
            place.standing.wins,
            place.standing.match_points,
            counts=not place.is_disqualified,
        )
        for place in standings_of(row.event, matches=matches, entries=entries)
        if (row.event_id, place.number) in owners
    )
    return pure.CountedEvent(row.event_id, Fraction(row.multiplier), results)


def _players(entries: Sequence[Entry], owners: Owners) -> dict[str, SeriesPlayer]:
    """Return the players by id; `entries` in order of time. Of two who would look alike, the later has a number."""
    theirs: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        theirs[owners[entry.event_id, entry.number]].append(entry)
    seen: dict[str, int] = defaultdict(int)
    found = {}
    for player, own in theirs.items():
        full = next(
            (entry.name for entry in reversed(own) if own_player(entry) == pure.without_number(player)), own[-1].name
        )
        is_short = any(entry.is_minor and entry.event.shorten_minors for entry in own)
        name = short_name(full) if is_short else full
        seen[name_key(name)] += 1
        again = seen[name_key(name)]
        found[player] = SeriesPlayer(player, f"{name} ({again})" if again > 1 else name, full, own[-1].pk)
    return found


# the table as data


def table_document(found: SeriesTable, draft: SeriesDraft | None) -> dict[str, Any]:
    """Return the table and the prize draft as the public may read them (docs/formats.md, "Series")."""
    series = found.series
    return {
        "format": FILE_FORMAT,
        "version": FILE_VERSION,
        **series_facts(series),
        "events": [
            {
                "id": row.event.public_id,
                "name": row.event.name,
                "venue": row.event.venue.name,
                "starts": row.event.starts.isoformat(),
                "state": row.event.state,
                "counted": row.event.state in COUNTED,
                "multiplier": exact(Fraction(row.multiplier)),
            }
            for row in found.shown
        ],
        "table": [_line(found, line) for line in found.lines],
        "prize_order": [player.name for player in found.prize_order] if series.is_over else None,
        "prizes": draft_document(found, draft) if draft is not None else None,
    }


def draft_document(found: SeriesTable, draft: SeriesDraft) -> dict[str, Any]:
    """Return the prize draft as the public may read it; players are named by their place in its order, from 1."""
    snake = draft.snake
    names = draft_names(found, snake.order)
    places = {key: place for place, key in enumerate(snake.order, 1)}
    coming = [places[key] for _lap, key in snake.coming(2 * len(snake.order) + 1)]
    return {
        "order": [{"place": places[key], "name": names.get(key, "")} for key in snake.order],
        "turn": coming[0] if coming else None,
        "next": coming[1:],
        "left": [{"prize": prize, "left": left} for prize, left in snake.left.items()],
        "picks": [
            {"place": places[turn.name], "name": names.get(turn.name, ""), "prize": turn.prize} for turn in snake.turns
        ],
        "version": draft.version,
    }


def series_facts(series: Series) -> dict[str, Any]:
    """Return a series' name, organiser and rules as plain values."""
    return {
        "id": series.public_id,
        "name": series.name,
        "venue": series.venue.name,
        "city": series.venue.city,
        "description": series.description,
        "ended": series.ended.isoformat() if series.ended else None,
        "place_points": list(series.place_points),
        "win_points": series.win_points,
        "match_point_points": series.match_point_points,
        "attendance_points": series.attendance_points,
        "best_of": series.best_of,
        "min_events": series.min_events,
        "seed": series.seed,
    }


def _line(found: SeriesTable, line: pure.SeriesRow) -> dict[str, Any]:
    keys = {row.event_id: row.event.public_id for row in found.counted}
    return {
        "place": line.place,
        "name": found.players[line.player].name,
        "total": exact(line.total),
        "events": line.attended,
        "eligible": line.is_eligible,
        "scores": [
            {
                "event": keys[key],
                "place": line.scores[key].place,
                "points": exact(line.scores[key].points),
                "best": line.scores[key].is_best,
            }
            for key in keys
            if key in line.scores
        ],
    }
