"""Manual changes: to a draft, and to tables whose players were seated wrongly or came late."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from events.door import NeedsConfirmation, Refused, Writing, door
from events.models import Entry, Match, Round
from events.results.result import SEATS
from events.roles import Actor
from events.tournament import PAIR_SIZE, player_id, team_id

from ..rounds_byes import follow_seats, lost_drafts, must_not_be_drafting, remove_match, withdraw_result
from .asked import figures, late_entries, tables_with_room

MAX_ROUND_MINUTES = 600


@contextmanager
def _manual_change(
    verb: str, by: Actor, round: Round, version: int | None, reason: str
) -> Iterator[tuple[Writing, Callable[..., None]]]:
    """Open the door for a manual change; call the yielded function to add the change to the round's list of them."""
    event = round.event
    with door(verb, by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event

        def record(what: str, **facts: object) -> None:
            note = {"what": what, **facts, "by": by.name, "at": writing.at.isoformat(), "reason": reason.strip()}
            writing.save(round, changes_by_hand=[*round.changes_by_hand, note])

        yield writing, record


def _keep_drafts(writing: Writing, round: Round, matches: Sequence[Match], *, confirmed: bool) -> None:
    """Raise NeedsConfirmation if these tables have booster drafts, which their new seating would end."""
    lost = lost_drafts(round.event, matches)
    if lost and not confirmed:
        raise NeedsConfirmation(writing.answer.action.label, lost, takes_away=True)


def _must_be_draft_of(round: Round, entries: Sequence[Entry]) -> dict[int, Match]:
    found: dict[int, Match] = {}
    for match in round.matches.with_entries():
        found |= dict.fromkeys(match.entry_ids, match)
    for entry in entries:
        if entry.pk not in found:
            raise ValidationError(
                _("%(name)s isn't paired in this round. Choose a player from its pairings.") % {"name": entry.name}
            )
    return found


def swap_players(
    *,
    by: Actor,
    round: Round,
    one: Entry,
    other: Entry,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Round:
    """Swap two players' seats in a draft (also with the bye); the comparison with the best round is recorded."""
    with _manual_change("change-draft", by, round, version, reason) as (writing, record):
        if one.pk == other.pk:
            raise ValidationError(_("Choose two different players."))
        seats = _must_be_draft_of(round, [one, other])
        first, second = seats[one.pk], seats[other.pk]
        if round.event.teams_of_two:
            _swap_teams(writing, round, one, other, record, confirmed=confirmed)
            return round
        if first.pk == second.pk:
            raise ValidationError(_("%(one)s and %(other)s are already opponents.") % {"one": one, "other": other})
        for match in (first, second):
            if match.kind == Match.Kind.AWARDED:
                raise ValidationError(
                    _("%(name)s has an awarded bye in this round and can't be swapped. Choose another player.")
                    % {"name": match.a}
                )
        _keep_drafts(writing, round, [first, second], confirmed=confirmed)
        before = figures(round)
        changed = {one.pk: other, other.pk: one}
        _reseat(writing, {m: [changed.get(entry.pk, entry) for entry in m.entries] for m in (first, second)})
        record(
            "swap",
            players=[player_id(one.number), player_id(other.number)],
            names=[one.name, other.name],
            before=before,
            after=figures(round),
        )
        writing.says("players-swapped", round=round, one=one.name, other=other.name)
    return round


def _reseat(writing: Writing, seated: Mapping[Match, Sequence[Entry]]) -> None:
    """Seat others at these tables of a draft."""
    rows = [
        {"round": match.round, "table": match.table, "kind": match.kind, "bracket_slot": match.bracket_slot}
        | dict(zip(SEATS, entries, strict=False))
        for match, entries in seated.items()
    ]
    for match in seated:
        remove_match(writing, match)
    for row in rows:
        writing.create(Match, **row)


def move_player(
    *,
    by: Actor,
    round: Round,
    entry: Entry,
    table: int,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Round:
    """Move a player of a draft to a free seat at another table; only at tables of three or four.

    Raise ValidationError if the table is full, or if fewer than two players would stay behind.
    """
    with _manual_change("change-draft", by, round, version, reason) as (writing, record):
        if round.event.teams_of_two:
            raise ValidationError(_("In a team event, partners stay together. Swap two teams instead."))
        if not round.event.has_tables:
            raise ValidationError(_("Tables for two have no free seats. Swap two players instead."))
        was = _must_be_draft_of(round, [entry])[entry.pk]
        there = round.matches.with_entries().filter(table=table, kind=Match.Kind.GAME).first()
        if there is None:
            raise ValidationError({"table": _("This round has no table %(table)d.") % {"table": table}})
        if there.pk == was.pk:
            raise ValidationError({"table": _("%(name)s already sits at this table.") % {"name": entry}})
        if len(there.entry_ids) >= round.event.table_size:
            raise ValidationError({"table": _("Table %(table)d is full. Swap two players instead.") % {"table": table}})
        if len(was.entry_ids) <= PAIR_SIZE:
            raise ValidationError(
                {
                    "entry": _("Only one player would be left at table %(table)s. Swap two players instead.")
                    % {"table": was.table}
                }
            )
        _keep_drafts(writing, round, [was, there], confirmed=confirmed)
        before = figures(round)
        _reseat(writing, {was: [one for one in was.entries if one != entry], there: [*there.entries, entry]})
        record(
            "move",
            players=[player_id(entry.number)],
            names=[entry.name],
            was=was.table,
            table=table,
            before=before,
            after=figures(round),
        )
        writing.says("player-moved", round=round, name=entry.name, was=was.table, table=table)
    return round


def set_length(
    *,
    by: Actor,
    round: Round,
    minutes: int | None,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Round:
    """Set how many minutes a drafted round will last; None for the event's setting."""
    event = round.event
    with door("set-round-length", by=by, event=event, on=round, version=version, reason=reason) as writing:
        if minutes is not None and not 1 <= minutes <= MAX_ROUND_MINUTES:
            wrong = _("A round can last 1 to %(most)d minutes.") % {"most": MAX_ROUND_MINUTES}
            raise ValidationError({"minutes": wrong})
        lasts = minutes or event.minutes_of(round.bracket_size)
        writing.save(round, own_minutes=minutes, round_seconds=lasts * 60)
        writing.says("length-set", round=round, n=lasts)
    return round


def _swap_teams(
    writing: Writing, round: Round, one: Entry, other: Entry, record: Callable[..., None], *, confirmed: bool
) -> None:
    """Swap the teams of two players in a draft, so that partners stay together."""
    matches = list(round.matches.with_entries().order_by("table", "pk"))
    players: dict[int | None, list[Entry]] = {}
    for entry in sorted({e for match in matches for e in match.entries}, key=lambda entry: entry.number):
        players.setdefault(entry.team_id, []).append(entry)
    if one.team_id == other.team_id:
        raise ValidationError(_("Choose players from two different teams."))
    teams = {team.pk: team for team in round.event.teams.filter(pk__in=[one.team_id, other.team_id])}
    first, second = teams[one.team_id or 0], teams[other.team_id or 0]
    met = [match for match in matches if {first.pk, second.pk} <= {entry.team_id for entry in match.entries}]
    if met:
        raise ValidationError(_("%(one)s and %(other)s are already opponents.") % {"one": first, "other": second})
    before = figures(round)
    both = list(zip(players[first.pk], players[second.pk], strict=True))
    changed = {a.pk: b for a, b in both} | {b.pk: a for a, b in both}
    touched = [match for match in matches if set(match.entry_ids) & changed.keys()]
    _keep_drafts(writing, round, touched, confirmed=confirmed)
    _reseat(writing, {match: [changed.get(entry.pk, entry) for entry in match.entries] for match in touched})
    ids = [team_id(first.number), team_id(second.number)]
    record("swap", players=ids, names=[first.name, second.name], before=before, after=figures(round))
    writing.says("players-swapped", round=round, one=first.name, other=second.name)


def change_table(
    *,
    by: Actor,
    round: Round,
    match: Match,
    table: int,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Round:
    """Move a table's players in a draft to another table; those already there get theirs."""
    with _manual_change("change-draft", by, round, version, reason) as (writing, record):
        match = round.matches.with_entries().filter(pk=match.pk).first() or match
        if match.round_id != round.pk or match.kind != Match.Kind.GAME:
            raise ValidationError(_("Choose a table from this round."))
        if not 1 <= table <= 999:
            raise ValidationError({"table": _("Enter a table number from 1 to 999.")})
        was = match.table
        if table == was:
            return round
        there = round.matches.filter(table=table).first()
        if there is not None:
            writing.save(there, table=None)
        writing.save(match, table=table)
        if there is not None:
            writing.save(there, table=was)
        record("table", table=table, was=was, names=[entry.name for entry in match.entries])
        writing.says("table-changed", round=round, was=was, table=table)
    return round


def right_tables(
    *,
    by: Actor,
    round: Round,
    first: Match,
    second: Match,
    opponent: Entry | None = None,
    swapped: tuple[Entry, Entry] | None = None,
    keep_results: bool = False,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Round:
    """Fix two tables whose players sat down with each other's opponents: record what was really played.

    `opponent` really played against the first player of the `first` table; the other two met at the second. At tables
    of three or four, `swapped` are the player of each who sat in the other's seat. Without either, the players were
    right but sat at each other's tables. A booster draft that hasn't begun follows them. Results already entered are
    withdrawn (claims are kept, but none counts), unless `keep_results` says that they were reported for the tables as
    really played.
    """
    with _manual_change("right-tables", by, round, version, reason) as (writing, record):
        rows = {m.pk: m for m in round.matches.with_entries().filter(pk__in=[first.pk, second.pk])}
        one, two = rows.get(first.pk), rows.get(second.pk)
        if one is None or two is None or one.pk == two.pk or one.kind != Match.Kind.GAME or two.kind != one.kind:
            raise ValidationError(_("Choose two tables from this round."))
        _must_be_at_these_tables(round, one, two, opponent, swapped)
        if opponent or swapped:
            must_not_be_drafting((one, two))
        had_results = [match.table for match in (one, two) if match.claims.filter(counts=True).exists()]
        if had_results and not keep_results:
            for match in (one, two):
                withdraw_result(writing, match)
        if opponent is None and swapped is None:
            _exchange_tables(writing, one, two)
            for match, was in ((one, two.table), (two, one.table)):
                record("table", table=match.table, was=was, names=[entry.name for entry in match.entries])
        else:
            if opponent is not None:
                _exchange_opponents(writing, one, two, opponent)
            elif swapped is not None:
                _exchange_seats(writing, one, two, *swapped)
            for match in (one, two):
                follow_seats(writing, match)
            record(
                "tables-put-right",
                tables=[one.table, two.table],
                played=[[player_id(entry.number) for entry in match.entries] for match in (one, two)],
                names=[[entry.name for entry in match.entries] for match in (one, two)],
                results="kept" if had_results and keep_results else "withdrawn" if had_results else "none yet",
            )
        writing.says("tables-put-right", round=round, one=one.table, two=two.table)
        writing.topics.update({"pairings", f"table-{one.table}", f"table-{two.table}"})
    return round


def _must_be_at_these_tables(
    round: Round, one: Match, two: Match, opponent: Entry | None, swapped: tuple[Entry, Entry] | None
) -> None:
    """Raise ValidationError unless these players can have sat in each other's seats at the two tables."""
    if (opponent or swapped) and round.event.teams_of_two:
        raise ValidationError(_("In a team event, you can swap only whole tables."))
    if opponent is not None and (one.is_of_many or two.is_of_many):
        raise ValidationError(_("At tables of three or four, choose the two players who sat in each other's seats."))
    if swapped is not None and not (swapped[0].pk in one.entry_ids and swapped[1].pk in two.entry_ids):
        raise ValidationError(_("Choose one player from each table."))
    if opponent is not None and opponent.pk not in two.entry_ids:
        raise ValidationError(
            _("Choose the player who actually played against %(name)s: %(c)s or %(d)s.")
            % {"name": one.a, "c": two.a, "d": two.b}
        )


def _exchange_tables(writing: Writing, one: Match, two: Match) -> None:
    first, second = one.table, two.table
    writing.save(one, table=None)
    writing.save(two, table=first)
    writing.save(one, table=second)


def _exchange_opponents(writing: Writing, one: Match, two: Match, opponent: Entry) -> None:
    """Seat `opponent` against the first player of `one`, and the other two at `two`."""
    people = [entry for entry in (one.a, one.b, two.a, two.b) if entry is not None]
    rest = [entry for entry in people if entry.pk not in (one.a_id, opponent.pk)]
    rest.sort(key=lambda entry: entry.pk != two.a_id)
    writing.save(one, b=None)
    writing.save(two, b=None)
    if two.a_id != rest[0].pk:
        writing.save(two, a=rest[0])
    writing.save(two, b=rest[1])
    writing.save(one, b=opponent)


def _exchange_seats(writing: Writing, one: Match, two: Match, here: Entry, there: Entry) -> None:
    """Seat `there` at `one` in place of `here`, who takes the seat at `two`; no seat holds someone twice meanwhile."""
    seat, other = one.seat_of(here), two.seat_of(there)
    if seat == other == SEATS[0]:
        second = two.b
        writing.save(two, b=None)
        writing.save(two, a=second)
        writing.save(one, a=there)
        writing.save(two, a=here)
        writing.save(two, b=second)
        return
    first, last = (
        ((one, seat, there), (two, other, here)) if seat != SEATS[0] else ((two, other, here), (one, seat, there))
    )
    writing.save(first[0], **{first[1]: None})
    writing.save(last[0], **{last[1]: last[2]})
    writing.save(first[0], **{first[1]: first[2]})


def _join(writing: Writing, match: Match, entry: Entry, record: Callable[..., None]) -> None:
    """Seat a late player at a table with a free seat, in place of the round recorded as missed."""
    for missed in match.round.matches.filter(a=entry):
        remove_match(writing, missed)
    if entry.from_round > match.round.number:
        writing.save(entry, from_round=match.round.number)
    seat = SEATS[len(match.entry_ids)]
    writing.save(match, **{seat: entry})
    follow_seats(writing, match)
    record(
        "late-joined",
        players=[player_id(entry.number)],
        names=[entry.name],
        table=match.table,
    )
    writing.says("late-joined", round=match.round, name=entry.name, table=match.table)
    writing.topics.update({"pairings", f"table-{match.table}"})


def seat_late(
    *,
    by: Actor,
    round: Round,
    entry: Entry,
    opponent: Entry,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Match:
    """Seat a late player in a round being played: against the player with the bye, or another late player.

    The bye, or the rounds recorded as missed, are removed; both play at the next free table. Where three or four play at
    a table, `opponent` may also sit at one with a free seat, which the late player then takes.
    """
    with _manual_change("right-tables", by, round, version, reason) as (writing, record):
        if round.event.teams_of_two:
            raise Refused(_("In a team event, late players start in the next round."))
        late = {one.pk for one in late_entries(round)}
        if entry.pk not in late or entry.pk == opponent.pk:
            raise Refused(_("%(name)s isn't a late arrival in this round.") % {"name": entry.name})
        joined = next((match for match in tables_with_room(round) if opponent.pk in match.entry_ids), None)
        if joined is not None:
            _join(writing, joined, entry, record)
            return joined
        idle = {m.a_id: m for m in round.matches.exclude(kind=Match.Kind.GAME).select_related("a")}
        if (
            not opponent.is_playing
            or opponent.pk not in idle
            or not (opponent.pk in late or idle[opponent.pk].kind == Match.Kind.BYE)
        ):
            raise Refused(
                _("%(name)s doesn't have a bye in this round. Choose a player with a bye, or another late player.")
                % {"name": opponent.name}
            )
        met = Match.objects.filter(round__event=round.event, a__in=[entry, opponent], b__in=[entry, opponent])
        if met.exists():
            raise Refused(_("%(a)s and %(b)s have already met.") % {"a": entry.name, "b": opponent.name})
        for one in (opponent, entry):
            remove_match(writing, idle[one.pk])
            if one.from_round > round.number:
                writing.save(one, from_round=round.number)
        taken = set(round.matches.values_list("table", flat=True))
        kept = [one.fixed_table for one in (opponent, entry) if one.fixed_table and one.fixed_table not in taken]
        table = kept[0] if kept else next(n for n in range(round.event.first_table, 10_000) if n not in taken)
        match = writing.create(Match, round=round, a=opponent, b=entry, table=table)
        record(
            "late-seated",
            players=[player_id(opponent.number), player_id(entry.number)],
            names=[opponent.name, entry.name],
            table=table,
        )
        writing.says("late-seated", round=round, name=entry.name, opponent=opponent.name, table=table)
        writing.topics.add("pairings")
    return match
