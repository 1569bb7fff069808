"""Rounds: drafted, changed by hand, published, put right, completed, reopened; the cut and the end.

Every write about rounds and who sits where. Which pairing is best is `events.pairing`; how a style makes its next
round is `rounds_styles`; results are `results`, the clock is `clock`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import answer
from events.choices import scenario_of_round
from events.door import NeedsConfirmation, Refused, Text, Writing, door
from events.models import Entry, Event, Match, Round
from events.pairing import read_tournament
from events.roles import Actor
from events.tournament import Document, Pair, differences, number_of, number_tables, player_id

from .clock import close_run
from .policy import may_still_be_held
from .rounds_byes import give_result_without_game, remove_match, rounds_begun, take_result_back
from .rounds_field import Field, read_field
from .rounds_styles import Paired, best, bracket_again, bracket_is_decided, bracket_start, next_pairing, winner_of

OPEN_ROUNDS = (Round.State.PUBLISHED, Round.State.RUNNING)
MOST_PAIRS = 4


# what is asked before anything is written


def tables_in_words(tables: Sequence[int | None]) -> str:
    """Return table numbers as a list in words: "3, 7 and 12"."""
    shown = [str(table) for table in tables if table is not None]
    if len(shown) < 2:
        return "".join(shown)
    return _("%(most)s and %(last)s") % {"most": ", ".join(shown[:-1]), "last": shown[-1]}


def open_tables(round: Round) -> list[int | None]:
    """Return the tables of the round without a confirmed result."""
    games = round.matches.exclude(state=Match.State.CONFIRMED).order_by("table")
    return list(games.values_list("table", flat=True))


def why_no_next_round(event: Event, last: Round | None) -> str:
    """Return what has to be done before another round can be paired, or nothing."""
    if last is None:
        return ""
    if last.state == Round.State.DRAFT:
        return _("%(round)s is already paired: look at the draft.") % {"round": last}
    if last.state in OPEN_ROUNDS:
        tables = open_tables(last)
        if tables:
            return _("%(round)s is not complete: tables %(tables)s are open.") % {
                "round": last,
                "tables": tables_in_words(tables),
            }
        return _("Complete %(round)s first.") % {"round": last}
    return ""


def bracket_has_winner(event: Event, last: Round | None) -> bool:
    """True where the last round was the final of a cut or of a single elimination."""
    if last is None or last.state != Round.State.COMPLETE:
        return False
    if last.stage != Round.Stage.CUT and event.pairing_style != Event.Style.ELIMINATION:
        return False
    return bracket_is_decided(last) and not lost_by_both(event, last)


def lost_by_both(event: Event, last: Round | None) -> list[Match]:
    """Return the games of the bracket's last round, which is complete, that nobody won, by table.

    The books are silent on them: the head judge has them played again, or decides otherwise by correcting the result.
    """
    if last is None or last.state != Round.State.COMPLETE:
        return []
    if last.stage != Round.Stage.CUT and event.pairing_style != Event.Style.ELIMINATION:
        return []
    games = last.matches.filter(kind=Match.Kind.GAME, state=Match.State.CONFIRMED).select_related("a", "b")
    return [match for match in games.order_by("table", "pk") if winner_of(match) is None]


def stale_because(round: Round, field: Field | None = None) -> list[str]:
    """Return why a draft no longer fits what is known; empty where it does. Compares whole tournament files."""
    if round.state != Round.State.DRAFT:
        return []
    field = field or read_field(round.event)
    options = round.tournament.get("options", {})
    now = field.tournament(round.number, allow_rematch=options.get("allow_rematch", False))
    reopened = round.event.rounds.filter(number__lt=round.number).exclude(state=Round.State.COMPLETE).first()
    found: list[str] = []
    if reopened is not None:
        found.append(_("%(round)s is open again: complete it first.") % {"round": reopened})
    if round.stage == Round.Stage.CUT or round.event.pairing_style == Event.Style.ELIMINATION:
        seated = {
            player_id(e.number) for match in round.matches.select_related("a", "b") for e in (match.a, match.b) if e
        }
        now, then = _only(now, seated), _only(round.tournament, seated)
    else:
        then = round.tournament
        if now["options"] != options:
            found.append(_("Whether club-mates are kept apart was changed."))
    found += differences(then, now, field.names)
    return found + _wrong_fixed_tables(round, field)


def _only(document: Document, seated: set[str]) -> Document:
    return dict(document) | {"players": [player for player in document["players"] if player["id"] in seated]}


def _wrong_fixed_tables(round: Round, field: Field) -> list[str]:
    by_hand = {change.get("table") for change in round.changes_by_hand if change.get("what") == "table"}
    found = []
    for match in round.matches.filter(kind=Match.Kind.GAME).select_related("a", "b"):
        kept = [e for e in (match.a, match.b) if e is not None and e.fixed_table]
        if kept and match.table not in {e.fixed_table for e in kept} | by_hand:
            found.append(
                _("Table %(table)d is kept for %(name)s.") % {"table": kept[0].fixed_table, "name": kept[0].name}
            )
    return found


# drafting


def _seat(writing: Writing, round: Round, paired: Paired, field: Field) -> None:
    tables = number_tables(paired.pairs, field.fixed_tables, round.event.first_table)
    rows = []
    for place, ((a, b), table) in enumerate(zip(paired.pairs, tables, strict=True)):
        rows.append(
            Match(
                round=round,
                table=table,
                kind=Match.Kind.BYE if b is None else Match.Kind.GAME,
                a=field.by_number[number_of(a)],
                b=field.by_number[number_of(b)] if b is not None else None,
                bracket_slot=paired.slot(place),
            )
        )
    writing.create_many(Match, rows)


def _clock_of(event: Event) -> dict[str, int]:
    return {"preparation_seconds": event.preparation_minutes * 60, "round_seconds": event.round_minutes * 60}


def _draft(
    writing: Writing, event: Event, number: int, stage: str, paired: Paired, field: Field, changes: list[dict[str, Any]]
) -> Round:
    try:
        round = writing.create(
            Round,
            event=event,
            number=number,
            stage=stage,
            scenario=scenario_of_round(event.scenarios, number),
            seed=paired.tournament["seed"],
            tournament=paired.tournament,
            pairing_report=paired.report,
            changes_by_hand=changes,
            **_clock_of(event),
        )
    except IntegrityError:
        raise Refused(_("Somebody else has just paired round %(number)d.") % {"number": number}) from None
    _seat(writing, round, paired, field)
    return round


def _rematch_note(by: Actor, writing: Writing, reason: str) -> dict[str, Any]:
    return {"what": "rematch-allowed", "by": by.name, "at": writing.at.isoformat(), "reason": reason.strip()}


def _need_reason_for_rematch(reason: str) -> None:
    if not reason.strip():
        raise NeedsConfirmation(
            _("Allow a rematch"),
            [_("Players who have met may be paired again, as few as possible.")],
            needs_reason=True,
        )


def draft_round(
    *,
    by: Actor,
    event: Event,
    allow_rematch: bool = False,
    confirmed: bool = False,
    reason: str = "",
    version: int | None = None,
) -> Round:
    """Pair the next round in the event's style and keep it as a draft that no player sees.

    The first pairing ends entering online and publishes the event's seed: the event runs. Raises Refused where a round
    is not complete, where too few play or no legal pairing is left (unless a rematch is allowed with a reason), or
    where all planned rounds have been played.
    """
    with door("draft-round", by=by, event=event, reason=reason) as writing:
        last = event.rounds.order_by("-number").first()
        if why := why_no_next_round(event, last):
            raise Refused(why)
        if bracket_has_winner(event, last):
            raise Refused(_("The bracket has its winner: end the event."))
        if allow_rematch:
            _need_reason_for_rematch(reason)
            writing.is_non_standard = True
        field = read_field(event)
        number = last.number + 1 if last else 1
        in_cut = last is not None and last.stage == Round.Stage.CUT
        if len(field.playing) < 2:
            raise Refused(
                _("A round needs two players; %(n)d checked in. Check players in first.") % {"n": len(field.playing)}
            )
        if not in_cut and event.pairing_style != Event.Style.ELIMINATION and number > field.planned_rounds:
            raise Refused(
                _("All %(n)d rounds have been played. End the event, cut to the best, or change the number of rounds.")
                % {"n": field.planned_rounds}
            )
        paired = next_pairing(event, field, number, last, allow_rematch=allow_rematch)
        if event.state == Event.State.OPEN:
            may_still_be_held(event)
            writing.save(event, state=Event.State.RUNNING, self_check_in=False)
        changes = [_rematch_note(by, writing, reason)] if allow_rematch else []
        stage = Round.Stage.CUT if in_cut else Round.Stage.MAIN
        round = _draft(writing, event, number, stage, paired, field, changes)
        writing.says("paired", round=round, seed=round.seed, tables=sum(b is not None for _a, b in paired.pairs))
    return round


def replay_bracket(
    *, by: Actor, event: Event, confirmed: bool = False, reason: str = "", version: int | None = None
) -> Round:
    """Have the games of a bracket's round that both players lost played again, in a round of their own, as a draft.

    Who won in that round waits meanwhile. The books are silent on a loss for both in a bracket: the head judge decides.
    Raises Refused where every game has its winner.
    """
    with door("replay-bracket", by=by, event=event, reason=reason, confirmed=confirmed, version=version) as writing:
        last = event.rounds.order_by("-number").first()
        lost = lost_by_both(event, last)
        if last is None or not lost:
            raise Refused(_("Every game of the bracket's last round has its winner: there is nothing to play again."))
        field = read_field(event)
        sitting = [match for match in field.matches if match.round_id == last.pk]
        paired = bracket_again(field, last.number + 1, last, sitting)
        note = {
            "what": "replay",
            "tables": [match.table for match in lost],
            "by": by.name,
            "at": writing.at.isoformat(),
            "reason": reason.strip(),
        }
        round = _draft(writing, event, last.number + 1, last.stage, paired, field, [note])
        writing.says(
            "bracket-replayed",
            round=round,
            tables=[match.table for match in lost],
            before=last,
        )
    return round


def draft_cut(
    *,
    by: Actor,
    event: Event,
    places: int | None = None,
    confirmed: bool = False,
    reason: str = "",
    version: int | None = None,
) -> Round:
    """Pair the first round of a cut to the best by standing (2, 4, 8 or 16), the best against the last."""
    places = places or event.cut_to
    with door("cut", by=by, event=event, reason=reason) as writing:
        if places not in (2, 4, 8, 16):
            raise Refused(_("A cut goes to the best 2, 4, 8 or 16."))
        last = event.rounds.order_by("-number").first()
        if last is None:
            raise Refused(_("A cut follows the main rounds; none has been played."))
        if why := why_no_next_round(event, last):
            raise Refused(why)
        if last.stage == Round.Stage.CUT or event.pairing_style == Event.Style.ELIMINATION:
            raise Refused(_("The event is in its bracket already."))
        field = read_field(event)
        players = best(field, places)
        if len(players) < 2:
            raise Refused(_("Only %(n)d of the players are left: nobody can be paired.") % {"n": len(players)})
        if last.number < field.planned_rounds and not confirmed:
            raise NeedsConfirmation(
                _("Cut to the best %(n)d") % {"n": places},
                [_("Only %(played)d of %(planned)d rounds were played.") % {"played": last.number, "planned": field.planned_rounds}],
            )  # fmt: skip
        number = last.number + 1
        paired = bracket_start(field, number, players)
        round = _draft(writing, event, number, Round.Stage.CUT, paired, field, [])
        writing.says("cut", n=len(players), round=round)
    return round


def pair_again(
    *,
    by: Actor,
    round: Round,
    allow_rematch: bool = False,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Round:
    """Pair a draft anew from what is known now; changes by hand are given up, after they were shown."""
    event = round.event
    with door("pair-again", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        if allow_rematch:
            _need_reason_for_rematch(reason)
            writing.is_non_standard = True
        by_hand = [change for change in round.changes_by_hand if change.get("what") in ("swap", "table")]
        if by_hand and not confirmed:
            raise NeedsConfirmation(
                _("Pair again"),
                [ngettext("%(n)d change by hand is given up.", "%(n)d changes by hand are given up.", len(by_hand)) % {"n": len(by_hand)}],
            )  # fmt: skip
        field = read_field(event)
        previous = event.rounds.filter(number__lt=round.number).order_by("-number").first()
        if why := why_no_next_round(event, previous):
            raise Refused(why)
        if round.stage == Round.Stage.CUT and (previous is None or previous.stage != Round.Stage.CUT):
            places = len(round.pairing_report.get("seeds", [])) or event.cut_to
            paired = bracket_start(field, round.number, best(field, places))
        else:
            paired = next_pairing(event, field, round.number, previous, allow_rematch=allow_rematch)
        for match in round.matches.all():
            remove_match(writing, match)
        writing.save(
            round,
            tournament=paired.tournament,
            pairing_report=paired.report,
            seed=paired.tournament["seed"],
            changes_by_hand=[_rematch_note(by, writing, reason)] if allow_rematch else [],
        )
        _seat(writing, round, paired, field)
        writing.says("paired-again", round=round)
    return round


def discard_draft(*, by: Actor, round: Round, version: int | None = None, **_unused: object) -> None:
    """Throw a draft away; where it was the first round, entering is open again."""
    event = round.event
    with door("discard-draft", by=by, event=event, on=round, version=version) as writing:
        for match in round.matches.all():
            remove_match(writing, match)
        if round.number == 1:
            writing.save(event, state=Event.State.OPEN)
        writing.says("draft-discarded", round=round)
        writing.delete(round)


# changes by hand


def figures(round: Round, pairs: Sequence[Pair] | None = None) -> dict[str, int | str | None]:
    """Return rematches, cost, pairings within a club and the bye of a round as it stands (or of these pairs)."""
    tournament = read_tournament(round.tournament)
    if pairs is None:
        pairs = pairs_of(round)
    games = [(a, b) for a, b in pairs if b is not None]
    rematches, cost, same_club = tournament.figures(games)
    bye = next((a for a, b in pairs if b is None), None)
    return {"rematches": rematches, "cost": cost, "same_club": same_club, "bye": bye}


def pairs_of(round: Round) -> list[Pair]:
    """Return the pairs of a round as ids of its tournament file."""
    matches = round.matches.select_related("a", "b").order_by("table", "pk")
    return [
        (player_id(match.a.number), player_id(match.b.number) if match.b else None)
        for match in matches
        if match.kind != Match.Kind.MISSED
    ]


def _must_be_draft_of(round: Round, entries: Sequence[Entry]) -> dict[int, Match]:
    found = {}
    for match in round.matches.select_related("a", "b"):
        for entry in (match.a, match.b):
            if entry is not None:
                found[entry.pk] = match
    for entry in entries:
        if entry.pk not in found:
            raise ValidationError(_("%(name)s is not paired in this round.") % {"name": entry.name})
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
    """Exchange two players' seats in a draft (with the bye, too); the change is compared with the best and kept."""
    event = round.event
    with door("change-draft", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        if one.pk == other.pk:
            raise ValidationError(_("Choose two different players."))
        seats = _must_be_draft_of(round, [one, other])
        first, second = seats[one.pk], seats[other.pk]
        if first.pk == second.pk:
            raise ValidationError(_("%(one)s and %(other)s are opponents already.") % {"one": one, "other": other})
        before = figures(round)
        changed = {one.pk: other, other.pk: one}
        rows = [
            {
                "table": match.table,
                "kind": match.kind,
                "bracket_slot": match.bracket_slot,
                "a": changed.get(match.a_id, match.a),
                "b": changed.get(match.b.pk, match.b) if match.b is not None else None,
            }
            for match in (first, second)
        ]
        for match in (first, second):
            remove_match(writing, match)
        for row in rows:
            writing.create(Match, round=round, **row)
        note = {
            "what": "swap",
            "players": [player_id(one.number), player_id(other.number)],
            "names": [one.name, other.name],
            "by": by.name,
            "at": writing.at.isoformat(),
            "reason": reason.strip(),
            "before": before,
            "after": figures(round),
        }
        writing.save(round, changes_by_hand=[*round.changes_by_hand, note])
        writing.says("players-swapped", round=round, one=one.name, other=other.name)
    return round


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
    """Seat a pair of a draft at another table; a pair that sits there gets theirs."""
    event = round.event
    with door("change-draft", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        match = round.matches.select_related("a", "b").filter(pk=match.pk).first() or match
        if match.round_id != round.pk or match.kind != Match.Kind.GAME:
            raise ValidationError(_("Choose a pair of this round."))
        if not 1 <= table <= 999:
            raise ValidationError({"table": _("A table has a number from 1 to 999.")})
        was = match.table
        if table == was:
            return round
        there = round.matches.filter(table=table).first()
        if there is not None:
            writing.save(there, table=None)
        writing.save(match, table=table)
        if there is not None:
            writing.save(there, table=was)
        note = {
            "what": "table",
            "table": table,
            "was": was,
            "names": [match.a.name, str(match.b)],
            "by": by.name,
            "at": writing.at.isoformat(),
            "reason": reason.strip(),
        }
        writing.save(round, changes_by_hand=[*round.changes_by_hand, note])
        writing.says("table-changed", round=round, was=was, table=table)
    return round


# publishing


def publish_round(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Round:
    """Show the pairings to everybody; byes have their result at once.

    Raises Refused where the draft is stale or somebody is seated twice, and for whoever presses second.
    """
    event = round.event
    with door("publish-round", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        if stale := stale_because(round):
            raise Refused(_("The draft is out of date: %(why)s Pair again.") % {"why": " ".join(stale)})
        matches = list(round.matches.select_related("a", "b"))
        seated = [entry.pk for match in matches for entry in (match.a, match.b) if entry is not None]
        if len(seated) != len(set(seated)) or not seated:
            raise Refused(_("Somebody is seated twice, or nobody at all. Pair again."))
        for match in matches:
            match.round = round
            if match.kind != Match.Kind.GAME:
                give_result_without_game(writing, event, match)
        writing.save(round, state=Round.State.PUBLISHED, published_at=writing.at, **_clock_of(event))
        writing.says("published", round=round)
        writing.topics.add("pairings")
    return round


def _nothing_reported(round: Round) -> None:
    """Raise Refused where a table of the round has reported; asked before anybody is asked to confirm, too."""
    games = round.matches.filter(kind=Match.Kind.GAME)
    reported = games.filter(claims__counts=True).distinct().order_by("table").values_list("table", flat=True)
    if reported:
        raise Refused(
            _("Tables %(tables)s have reported results. Put right single tables instead, or take those results back.")
            % {"tables": tables_in_words(list(reported))}
        )


def _unpublish_consequences(round: Round) -> list[Text]:
    """Return what becomes of the pairings, the byes and those who left in a round whose pairings are taken back."""
    games = list(round.matches.filter(kind=Match.Kind.GAME).select_related("a", "b").order_by("table"))
    shown = "; ".join(f"{match.a} – {match.b}" for match in games[:MOST_PAIRS]) + ("; …" if games[MOST_PAIRS:] else "")
    lines: list[Text] = []
    if games:
        one = "%(n)d table loses its pairing (%(pairs)s): players who look see none, and the draft is kept."
        many = "%(n)d tables lose their pairings (%(pairs)s): players who look see none, and the draft is kept."
        lines.append(ngettext(one, many, len(games)) % {"n": len(games), "pairs": shown})
    byes = round.matches.filter(kind=Match.Kind.BYE).select_related("a")
    lines += [_("%(name)s no longer has the bye, and the win for it.") % {"name": match.a} for match in byes]
    left = round.event.entries.filter(dropped_after__gte=round.number).order_by("number")
    lines += [_("%(name)s counts as dropped before %(round)s.") % {"name": entry, "round": round} for entry in left]
    lines.append(_("The clock of the round is set back. Pair again, change the draft, or publish it again."))
    return lines


def unpublish_round(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Round:
    """Take pairings back into a draft: only while no table has reported anything."""
    event = round.event
    if answer("unpublish-round", by.roles(event=event), event=event, round=round):
        _nothing_reported(round)
    with door(
        "unpublish-round", by=by, event=event, on=round, version=version, confirmed=confirmed, reason=reason,
        consequences=_unpublish_consequences(round),
    ) as writing:  # fmt: skip
        round.event = event
        _nothing_reported(round)
        for match in round.matches.select_related("a").exclude(kind=Match.Kind.GAME):
            if match.a.from_round > round.number:
                writing.save(match.a, from_round=round.number)
                remove_match(writing, match)
            elif match.kind == Match.Kind.MISSED:
                remove_match(writing, match)
            else:
                take_result_back(writing, match)
        for run in round.clock_runs.all():
            writing.delete(run)
        for entry in event.entries.filter(dropped_after__gte=round.number):
            writing.save(entry, dropped_after=round.number - 1)
        writing.save(round, state=Round.State.DRAFT, published_at=None, started_at=None, added_seconds=0)
        writing.says("unpublished", round=round)
        writing.topics.add("pairings")
    return round


def right_tables(
    *,
    by: Actor,
    round: Round,
    first: Match,
    second: Match,
    opponent: Entry,
    keep_results: bool = False,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Round:
    """Put right two tables whose players sat down with each other's opponents: record what was really played.

    `opponent` is who really played against the first player of the `first` table; the two others met at the second.
    Results that are in already are taken back (claims are kept, none counts), unless `keep_results` says that they
    were reported for the tables as they were really played.
    """
    event = round.event
    with door("right-tables", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        rows = {m.pk: m for m in round.matches.select_related("a", "b").filter(pk__in=[first.pk, second.pk])}
        one, two = rows.get(first.pk), rows.get(second.pk)
        if one is None or two is None or one.pk == two.pk or one.kind != Match.Kind.GAME or two.kind != one.kind:
            raise ValidationError(_("Choose two tables of this round."))
        people = [entry for entry in (one.a, one.b, two.a, two.b) if entry is not None]
        if opponent.pk not in (two.a_id, two.b_id):
            raise ValidationError(
                _("Say who really sat opposite %(name)s: %(c)s or %(d)s.") % {"name": one.a, "c": two.a, "d": two.b}
            )
        rest = [entry for entry in people if entry.pk not in (one.a_id, opponent.pk)]
        had_results = [match.table for match in (one, two) if match.claims.filter(counts=True).exists()]
        rest.sort(key=lambda entry: entry.pk != two.a_id)
        if had_results and not keep_results:
            for match in (one, two):
                take_result_back(writing, match)
        writing.save(one, b=None)
        writing.save(two, b=None)
        if two.a_id != rest[0].pk:
            writing.save(two, a=rest[0])
        writing.save(two, b=rest[1])
        writing.save(one, b=opponent)
        note = {
            "what": "tables-put-right",
            "tables": [one.table, two.table],
            "played": [
                [player_id(one.a.number), player_id(opponent.number)],
                [player_id(rest[0].number), player_id(rest[1].number)],
            ],
            "names": [[one.a.name, opponent.name], [rest[0].name, rest[1].name]],
            "results": "kept" if had_results and keep_results else "taken back" if had_results else "none yet",
            "by": by.name,
            "at": writing.at.isoformat(),
            "reason": reason.strip(),
        }
        writing.save(round, changes_by_hand=[*round.changes_by_hand, note])
        writing.says("tables-put-right", round=round, one=one.table, two=two.table)
        writing.topics.update({"pairings", f"table-{one.table}", f"table-{two.table}"})
    return round


def late_entries(round: Round) -> list[Entry]:
    """Return who came too late for this round and could still be seated in it: players with a round missed (or its bye).

    Only while the round is played, and only those whose first round it would be, or who have just returned.
    """
    if round.state not in OPEN_ROUNDS or round.stage == Round.Stage.CUT:
        return []
    rows = round.matches.filter(a__state=Entry.State.CHECKED_IN).exclude(kind=Match.Kind.GAME).select_related("a")
    return [match.a for match in rows if match.kind == Match.Kind.MISSED or match.a.from_round > round.number]


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
    """Seat a late player in a round that is being played: against whoever has the bye, or another late player.

    The bye, or the rounds noted as missed, are taken back; both play at the next free table.
    """
    event = round.event
    with door("right-tables", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        late = {one.pk for one in late_entries(round)}
        if entry.pk not in late or entry.pk == opponent.pk:
            raise Refused(_("%(name)s is not late for this round.") % {"name": entry.name})
        idle = {m.a_id: m for m in round.matches.exclude(kind=Match.Kind.GAME).select_related("a")}
        if (
            not opponent.is_playing
            or opponent.pk not in idle
            or not (opponent.pk in late or idle[opponent.pk].kind == Match.Kind.BYE)
        ):
            raise Refused(_("%(name)s has no bye in this round.") % {"name": opponent.name})
        met = Match.objects.filter(round__event=event, a__in=[entry, opponent], b__in=[entry, opponent])
        if met.exists():
            raise Refused(_("%(a)s and %(b)s have met already.") % {"a": entry.name, "b": opponent.name})
        for one in (opponent, entry):
            remove_match(writing, idle[one.pk])
            if one.from_round > round.number:
                writing.save(one, from_round=round.number)
        taken = set(round.matches.values_list("table", flat=True))
        kept = [one.fixed_table for one in (opponent, entry) if one.fixed_table and one.fixed_table not in taken]
        table = kept[0] if kept else next(n for n in range(event.first_table, 10_000) if n not in taken)
        match = writing.create(Match, round=round, a=opponent, b=entry, table=table)
        note = {
            "what": "late-seated",
            "players": [player_id(opponent.number), player_id(entry.number)],
            "names": [opponent.name, entry.name],
            "table": table,
            "by": by.name,
            "at": writing.at.isoformat(),
            "reason": reason.strip(),
        }
        writing.save(round, changes_by_hand=[*round.changes_by_hand, note])
        writing.says("late-seated", round=round, name=entry.name, opponent=opponent.name, table=table)
        writing.topics.add("pairings")
    return match


# the round's end


def complete_round(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Round:
    """Close a round whose tables all have their result. Raises Refused naming the tables that are open."""
    event = round.event
    with door("complete-round", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        tables = open_tables(round)
        if tables:
            raise Refused(
                ngettext(
                    "Table %(tables)s is still open: enter its result first.",
                    "Tables %(tables)s are still open: enter their results first.",
                    len(tables),
                )
                % {"tables": tables_in_words(tables)}
            )
        close_run(writing, round)
        writing.save(round, state=Round.State.COMPLETE, completed_at=writing.at)
        writing.says("completed", round=round)
        writing.topics.add("standings")
    return round


def reopen_consequences(round: Round) -> list[Text]:
    """Return what reopening a complete round means for what came after it."""
    later = round.event.rounds.filter(number__gt=round.number).first()
    lines: list[Text] = [_("Results of %(round)s can be changed again; the standings follow.") % {"round": round}]
    if later is not None and later.state == Round.State.DRAFT:
        lines.append(_("The draft of %(round)s is out of date and has to be paired again.") % {"round": later})
    if round.event.state == Event.State.FINISHED:
        lines.append(_("The event counts as running again, and has to be ended again."))
    return lines


def _nothing_published_after(round: Round) -> None:
    """Raise Refused where a later round was published on the results of this one."""
    later = round.event.rounds.filter(number__gt=round.number).exclude(state=Round.State.DRAFT).order_by("-number")
    if (newest := later.first()) is not None:
        raise Refused(
            _(
                "%(later)s has been published on these results: take its pairings back first, or correct single "
                "results on their tables' pages."
            )
            % {"later": newest}
        )


def reopen_round(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Round:
    """Open a complete round again. Raises Refused where a later round has been published."""
    event = round.event
    if answer("reopen-round", by.roles(event=event), event=event, round=round):
        _nothing_published_after(round)
    with door(
        "reopen-round", by=by, event=event, on=round, version=version, confirmed=confirmed, reason=reason,
        consequences=reopen_consequences(round),
    ) as writing:  # fmt: skip
        round.event = event
        _nothing_published_after(round)
        if event.state == Event.State.FINISHED:
            writing.save(event, state=Event.State.RUNNING, ended=None)
        writing.save(round, state=Round.State.RUNNING, completed_at=None, times_reopened=round.times_reopened + 1)
        writing.says("reopened", round=round)
    return round


# the event's end


def finish_event(
    *, by: Actor, event: Event, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Event:
    """End the event after its last round; with rounds left to play, or before its cut, only when confirmed."""
    with door("finish-event", by=by, event=event, on=event, version=version, reason=reason) as writing:
        last = event.rounds.order_by("-number").first()
        if last is None:
            raise Refused(_("No round has been played: cancel the event instead."))
        if last.state == Round.State.DRAFT:
            raise Refused(_("%(round)s is drafted: discard the draft, or play it.") % {"round": last})
        if why := why_no_next_round(event, last):
            raise Refused(why)
        left = _left_to_play(event, last)
        if left and not confirmed:
            raise NeedsConfirmation(_("End the event"), left)
        writing.is_non_standard = bool(left)
        writing.save(event, state=Event.State.FINISHED, ended=writing.at)
        writing.says("event-ended", n=last.number)
        writing.topics.add("standings")
    return event


def _left_to_play(event: Event, last: Round) -> list[Text]:
    field = read_field(event)
    if last.stage == Round.Stage.CUT or event.pairing_style == Event.Style.ELIMINATION:
        if bracket_is_decided(last) and lost_by_both(event, last):
            return [_("Both lost the final: the event ends without a winner of its bracket.")]
        return [] if bracket_has_winner(event, last) else [_("The bracket has no winner yet.")]
    lines: list[Text] = []
    if last.number < field.planned_rounds:
        lines.append(
            _("Only %(played)d of %(planned)d rounds were played.")
            % {"played": last.number, "planned": field.planned_rounds}
        )
    if event.cut_to:
        lines.append(_("The cut to the best %(n)d is not played.") % {"n": event.cut_to})
    return lines


def resume_event(
    *, by: Actor, event: Event, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Event:
    """Play on after the end: for a round more, or a result that was forgotten."""
    lines = [_("The event counts as running again, and has to be ended again.")]
    with door(
        "resume-event", by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason,
        consequences=lines,
    ) as writing:  # fmt: skip
        writing.save(event, state=Event.State.RUNNING, ended=None)
        writing.says("event-resumed")
    return event


__all__ = [
    "bracket_has_winner", "change_table", "complete_round", "discard_draft", "draft_cut", "draft_round", "figures",
    "finish_event", "late_entries", "lost_by_both", "open_tables", "pair_again", "pairs_of", "publish_round",
    "reopen_consequences", "reopen_round", "replay_bracket", "resume_event", "right_tables", "rounds_begun", "seat_late",
    "stale_because", "swap_players", "tables_in_words", "unpublish_round", "why_no_next_round",
]  # fmt: skip
