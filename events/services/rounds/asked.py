"""Questions about rounds that come before a write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.audit import tables_in_words
from events.models import AuditEntry, Entry, Event, Match, Round
from events.pairing import judged, read_tables, read_tournament
from events.results.result import SEATS
from events.tournament import Document, Pair, differences, player_id, team_id

from ..rounds_field import Field, read_field
from ..rounds_styles import bracket_is_decided, winner_of

OPEN_ROUNDS = (Round.State.PUBLISHED, Round.State.RUNNING)
PAIRING = frozenset({"draft-round", "pair-again", "cut", "replay-bracket"})
"""The verbs that pair a draft."""
REPAIRED = ("swap", "move", "table")
"""The manual changes of a draft that a new pairing gives up."""
PAIRED_FROM = frozenset(model._meta.label for model in (Event, Entry, Round, Match))
"""The models of the rows that a round is paired from."""


def open_tables(round: Round) -> list[int | None]:
    """Return the tables of the round without a confirmed result."""
    games = round.matches.exclude(state=Match.State.CONFIRMED).order_by("table")
    return list(games.values_list("table", flat=True))


def why_no_next_round(event: Event, last: Round | None) -> str:
    """Return what must be done before another round can be paired, or ""."""
    if last is None:
        return ""
    if last.state == Round.State.DRAFT:
        return _("%(round)s is already paired. View its draft.") % {"round": last}
    if last.state in OPEN_ROUNDS:
        tables = open_tables(last)
        if tables:
            return ngettext(
                "%(round)s isn't complete. Table %(tables)s is still open.",
                "%(round)s isn't complete. Tables %(tables)s are still open.",
                len(tables),
            ) % {"round": last, "tables": tables_in_words(tables)}
        return _("Complete %(round)s first.") % {"round": last.definite_name}
    return ""


def only_played(last: Round, field: Field) -> str:
    """Return how many of the planned rounds have been played, for a warning."""
    text = ngettext(
        "Only %(played)d of %(planned)d rounds has been played.",
        "Only %(played)d of %(planned)d rounds have been played.",
        last.number,
    )
    return text % {"played": last.number, "planned": field.planned_rounds}


def bracket_has_winner(event: Event, last: Round | None) -> bool:
    """Return whether the last round was the final of a cut or of single elimination."""
    if last is None or last.state != Round.State.COMPLETE:
        return False
    if last.stage != Round.Stage.CUT and event.pairing_style != Event.Style.ELIMINATION:
        return False
    return bracket_is_decided(last) and not lost_by_both(event, last)


def lost_by_both(event: Event, last: Round | None) -> list[Match]:
    """Return the bracket matches of the last, complete round that no one won, by table.

    The rulebooks don't cover this: the head judge has them replayed, or decides otherwise by correcting the result.
    """
    if last is None or last.state != Round.State.COMPLETE:
        return []
    if last.stage != Round.Stage.CUT and event.pairing_style != Event.Style.ELIMINATION:
        return []
    games = last.matches.filter(kind=Match.Kind.GAME, state=Match.State.CONFIRMED).with_round()
    return [match for match in games.order_by("table", "pk") if not match.is_third_place and winner_of(match) is None]


def out_of_date_words(round: object) -> str:
    """Return the consequence of a change for the draft of a round, named by itself."""
    return _("%(round)s: the draft will be out of date and must be re-paired.") % {"round": round}


def stale_by_log(round: Round) -> list[str]:
    """Return why a draft is out of date, or nothing, as `stale_because` does.

    While the audit log shows no change to what the draft was paired from, no earlier round is read. Changes that this
    transaction has made itself aren't in the log yet.
    """
    if round.state == Round.State.DRAFT and _is_as_paired(round):
        return _wrong_fixed_tables(round)
    return stale_because(round)


def _is_as_paired(round: Round) -> bool:
    """Return whether nothing but the draft itself has changed since it was paired."""
    record = AuditEntry.objects.filter(event=round.event)
    paired = record.filter(verb__in=PAIRING).order_by("-pk").values_list("pk", flat=True).first()
    if paired is None:
        return False
    matches = frozenset(round.matches.values_list("pk", flat=True))
    since = record.filter(pk__gt=paired).order_by("pk").values_list("changes", flat=True).iterator(chunk_size=100)
    return all(
        change["model"] not in PAIRED_FROM or _is_of_draft(change, round, matches)
        for changes in since
        for change in changes
    )


def _is_of_draft(change: Mapping[str, Any], round: Round, matches: frozenset[int]) -> bool:
    """Return whether a change is the draft's own and leaves what it was paired from as it was."""
    before, after = change["before"] or {}, change["after"] or {}
    if change["model"] == Match._meta.label:
        return change["id"] in matches or {**before, **after}.get("round_id") == round.pk
    is_own = change["model"] == Round._meta.label and change["id"] == round.pk
    return is_own and bool(before and after) and "tournament" not in before


def stale_because(round: Round, field: Field | None = None) -> list[str]:
    """Return why a draft is out of date, or nothing. Compares whole tournament files."""
    if round.state != Round.State.DRAFT:
        return []
    field = field or read_field(round.event)
    options = round.tournament.get("options", {})
    in_bracket = round.bracket_size is not None
    now = field.tournament(round.number, allow_rematch=options.get("allow_rematch", False), in_bracket=in_bracket)
    reopened = round.event.rounds.filter(number__lt=round.number).exclude(state=Round.State.COMPLETE).first()
    found: list[str] = []
    if reopened is not None:
        found.append(_("%(round)s has been reopened. Complete it first.") % {"round": reopened})
    if in_bracket:
        seated = {player_id(entry.number) for match in round.matches.with_entries() for entry in match.entries}
        now, then = _only(now, seated), _only(round.tournament, seated)
    else:
        then = round.tournament
        if now["options"] != options:
            found.append(_("The setting for keeping club-mates apart has changed."))
    found += differences(then, now, field.names)
    return found + _wrong_fixed_tables(round)


def _only(document: Document, seated: set[str]) -> Document:
    return dict(document) | {"players": [player for player in document["players"] if player["id"] in seated]}


def _wrong_fixed_tables(round: Round) -> list[str]:
    by_hand = {change.get("table") for change in round.changes_by_hand if change.get("what") == "table"}
    found = []
    has_fixed = Q(*((f"{seat}__fixed_table__isnull", False) for seat in SEATS), _connector=Q.OR)
    for match in round.matches.filter(has_fixed, kind=Match.Kind.GAME).with_entries():
        kept = [entry for entry in match.entries if entry.fixed_table]
        if match.table not in {e.fixed_table for e in kept} | by_hand:
            found.append(
                _("Table %(table)d is reserved for %(name)s.") % {"table": kept[0].fixed_table, "name": kept[0].name}
            )
    return found


def figures(round: Round) -> dict[str, int | str | None]:
    """Return rematches, cost, pairings within a club and the bye of a round; of tables: repeats, cost and one club."""
    if round.event.has_tables and not round.event.teams_of_two:
        seated = judged(read_tables(round.tournament), tables_of(round))
        return {"rematches": seated.repeats, "cost": seated.cost, "same_club": seated.same_club, "bye": None}
    tournament = read_tournament(round.tournament)
    pairs = pairs_of(round)
    games = [(a, b) for a, b in pairs if b is not None]
    rematches, cost, same_club = tournament.figures(games)
    bye = next((a for a, b in tournament.without_awarded_byes(pairs) if b is None), None)
    return {"rematches": rematches, "cost": cost, "same_club": same_club, "bye": bye}


def pairs_of(round: Round) -> list[Pair]:
    """Return the pairs of a round as ids of its tournament file."""
    matches = round.matches.with_entries().order_by("table", "pk")
    if round.event.teams_of_two:
        return pairs_of_teams(round.event, matches)
    return [
        (player_id(match.a.number), player_id(match.b.number) if match.b else None)
        for match in matches
        if match.kind != Match.Kind.MISSED
    ]


def pairs_of_teams(event: Event, matches: Iterable[Match]) -> list[Pair]:
    """Return the teams that meet at these matches as ids of the tournament file, each pair once."""
    ids = {pk: team_id(number) for pk, number in event.teams.values_list("pk", "number")}
    found: dict[frozenset[str], Pair] = {}
    for match in matches:
        if match.kind != Match.Kind.MISSED:
            met = list(dict.fromkeys(ids[entry.team_id] for entry in match.entries if entry.team_id in ids))
            pair: Pair = (met[0], met[1] if len(met) > 1 else None) if met else (player_id(match.a.number), None)
            found.setdefault(frozenset(met), pair)
    return list(found.values())


def tables_of(round: Round) -> list[tuple[str, ...]]:
    """Return the tables of a round as ids of its tournament file."""
    matches = round.matches.filter(kind=Match.Kind.GAME).with_entries().order_by("table", "pk")
    return [tuple(player_id(entry.number) for entry in match.entries) for match in matches]


def tables_with_room(round: Round) -> list[Match]:
    """Return the tables of three or four with a free seat at which nothing has been reported, by number."""
    event = round.event
    if not event.has_tables or event.teams_of_two or round.state not in OPEN_ROUNDS:
        return []
    games = round.matches.filter(kind=Match.Kind.GAME, state=Match.State.OPEN).with_entries().order_by("table")
    found = [match for match in games if len(match.entry_ids) < round.event.table_size]
    for match in found:
        match.round = round
    return found


def late_entries(round: Round) -> list[Entry]:
    """Return late players who could still be seated in this round: those recorded as missing it, or with its bye.

    Only while the round is being played, and only players whose first round it would be or who have just re-entered.
    """
    if round.state not in OPEN_ROUNDS or round.stage == Round.Stage.CUT:
        return []
    rows = round.matches.filter(a__state=Entry.State.CHECKED_IN).exclude(kind=Match.Kind.GAME).select_related("a")
    return [match.a for match in rows if match.kind == Match.Kind.MISSED or match.a.from_round > round.number]
