"""Results: reported by players, entered by officials, decided and corrected by judges; nothing is overwritten.

`Match.result` is the confirmed result; every report is a `Claim`. Two equal claims confirm each other; otherwise a
judge decides. `events.results` defines what a result can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import Text, answer
from events.door import NeedsConfirmation, Refused, Writing, door, require
from events.models import Claim, Entry, Event, Force, Match, Round
from events.prepared import Prepared, asked
from events.results.reading import Given, ResultTerms
from events.results.result import SEATS, Result, Seat, as_json
from events.results.tables import read_result
from events.results.words import compare, merge, sentence
from events.roles import JUDGES, Actor

MAX_MOVED = 12
LOSERS: list[Callable[[Match], Iterable[int]]] = []
"""Functions that return the keys of the entries to which a penalty gives a loss at a table of three or four."""
TOTALS = Prepared(
    lambda: (
        Force.objects.filter(
            Q(entry=asked("a")) | Q(entry=asked("b")), from_round__lte=asked("round"), state=Force.State.SUBMITTED
        )
        .order_by("from_round")
        .values_list("entry_id", "total")
    )
)
COUNTING = Prepared(lambda: Claim.objects.filter(match=asked("match"), counts=True).order_by("at", "pk"))


def force_totals(match: Match) -> tuple[int | None, int | None]:
    """Return the points of both forces that count in this round, None without a submitted force."""
    found = dict(TOTALS(a=match.a_id, b=match.b_id or 0, round=match.round.number))
    return found.get(match.a_id), found.get(match.b_id or 0)


def terms_of(match: Match, *, by_judge: bool = False, with_forces: bool = True) -> ResultTerms:
    """Return the terms by which a result of this match is judged; the forces' points break ties of older editions.

    A judge's decision isn't bound by how the event breaks ties at tables of three or four.
    """
    event = match.round.event
    force_a, force_b = force_totals(match) if with_forces and not match.is_of_many else (None, None)
    for entry in match.entries:
        entry.event = event
    return ResultTerms(
        edition=event.edition,
        build_total=event.build_total,
        tied_game=event.tied_game,
        name_a=match.a.name,
        name_b=match.b.name if match.b else "",
        force_a=force_a,
        force_b=force_b,
        by_judge=by_judge,
        further=tuple(entry.name for entry in match.entries[2:]),
        lost=_lost_by_penalty(match) if match.is_of_many else (),
        ties=Event.TableTies.EITHER if by_judge else event.table_ties,
    )


def _lost_by_penalty(match: Match) -> tuple[Seat, ...]:
    losers = {pk for asks in LOSERS for pk in asks(match)}
    return tuple(seat for seat, pk in zip(SEATS, match.entry_ids, strict=False) if pk in losers)


def _must_be_game(match: Match) -> None:
    if match.kind != Match.Kind.GAME:
        raise Refused(_("Byes and missed rounds aren't reported. The event's rules set their results."))


def _is_judge(by: Actor, event: Event) -> bool:
    return bool(by.roles(event=event) & JUDGES)


def _told(result: Result, terms: ResultTerms) -> dict[str, Any]:
    """Return a result as facts of the audit log, with the players' names by seat."""
    return {"result": as_json(result), "names": [terms.name_a, terms.name_b, *terms.further]}


def _confirm(writing: Writing, match: Match, result: Result) -> None:
    writing.save(match, result=result, state=Match.State.CONFIRMED, confirmed_at=writing.at)


def _counting(match: Match) -> list[Claim]:
    return COUNTING(match=match.pk)


def claim_result(*, by: Actor, match: Match, result: Given) -> Match:
    """Report the result of a player's own match; a second, equal report of another player confirms it.

    A report that contradicts the opponent's makes the match disputed, until one of them reports again or a judge
    decides. A player's later report replaces their earlier one. Raise Refused, or ValidationError by field.
    """
    event = match.round.event
    with door("claim-result", by=by, event=event, on=match) as writing:
        match.round.event = event
        _must_be_game(match)
        entry = by.entry_at(event)
        if entry is None or entry.pk not in match.entry_ids:
            raise Refused(_("You can report only your own matches."))
        if match.state == Match.State.CONFIRMED:
            raise Refused(_("This result is already confirmed. If it's wrong, call a judge."))
        terms = terms_of(match)
        meant = read_result(result, terms)
        if meant.abandoned:
            raise Refused(
                _("No concessions: leaving a match drops you from the event. Only an official can record that.")
            )
        claims = _counting(match)
        for claim in claims:
            if claim.by_entry_id == entry.pk:
                if claim.result == meant:
                    return match
                writing.save(claim, counts=False)
        writing.create(
            Claim, match=match, how=Claim.How.PLAYER, by_entry=entry, by_person=by.person, at=writing.at, result=meant
        )
        others = [claim for claim in claims if claim.by_entry_id not in (None, entry.pk)]
        if not others:
            writing.save(match, state=Match.State.CLAIMED)
            writing.says("result-reported", round=match.round, table=match.table, who=entry, **_told(meant, terms))
        elif any(compare(meant, other.result, terms) for other in others):
            writing.save(match, state=Match.State.DISPUTED)
            writing.says("reports-differ", round=match.round, table=match.table)
        elif not any(one.pk == claim.by_entry_id for claim in others for one in match.opponents_of(entry)):
            writing.save(match, state=Match.State.CLAIMED)  # so far only the player's partner has reported
            writing.says("result-reported", round=match.round, table=match.table, who=entry, **_told(meant, terms))
        else:
            both = merge(others[0].result, meant)
            _confirm(writing, match, both)
            writing.says("both-report", round=match.round, table=match.table, **_told(both, terms))
        writing.topics.add(f"table-{match.table}")
    return match


def withdraw_claim(*, by: Actor, match: Match) -> Match:
    """Withdraw a player's own report while the result isn't confirmed."""
    event = match.round.event
    with door("claim-result", by=by, event=event, on=match) as writing:
        match.round.event = event
        entry = by.entry_at(event)
        if match.state == Match.State.CONFIRMED:
            raise Refused(_("This result is already confirmed. If it's wrong, call a judge."))
        claims = _counting(match)
        mine = [claim for claim in claims if entry is not None and claim.by_entry_id == entry.pk]
        if not mine:
            raise Refused(_("You have no report to withdraw."))
        for claim in mine:
            writing.save(claim, counts=False)
        rest = [claim for claim in claims if claim not in mine]
        writing.save(match, state=Match.State.CLAIMED if rest else Match.State.OPEN)
        writing.says("report-withdrawn", round=match.round, table=match.table, who=entry)
    return match


def enter_result(
    *,
    by: Actor,
    match: Match,
    result: Given,
    how: str = Claim.How.SCOREKEEPER,
    version: int | None = None,
) -> Match:
    """Enter a result as an official; confirmed at once. A slip signed by both counts as both players' reports.

    A match with contradicting reports needs a judge's decision, with a reason, or the signed slip. Raise Refused if
    there is a different result already, which must be corrected instead; entering the same one again changes nothing.
    """
    event = match.round.event
    with door("enter-result", by=by, event=event, on=match, version=version) as writing:
        match.round.event = event
        _must_be_game(match)
        if how not in (Claim.How.SCOREKEEPER, Claim.How.SLIP):
            raise Refused(
                _("Enter a result reported at the judges' table or copied from a slip signed by both players.")
            )
        terms = terms_of(match)
        meant = read_result(result, terms)
        if match.state == Match.State.CONFIRMED:
            if not compare(meant, match.result or Result(), terms):
                return match
            raise Refused(
                _("Table %(table)s already has a result: %(result)s. Correct it on the table's page.")
                % {"table": match.table, "result": sentence(match.result, terms)}
            )
        if match.state == Match.State.DISPUTED and how != Claim.How.SLIP:
            raise Refused(
                _("At table %(table)s, the players' reports don't match. A judge must decide the result.")
                % {"table": match.table}
            )
        writing.create(
            Claim,
            match=match,
            how=how,
            by_person=by.person,
            at=writing.at,
            result=meant,
        )
        _confirm(writing, match, meant)
        writing.says("result-entered", round=match.round, table=match.table, **_told(meant, terms))
        writing.topics.add(f"table-{match.table}")
    return match


def reports_that_differ(match: Match) -> list[str]:
    """Return the names of players whose own report differs from the confirmed result."""
    if match.result is None:
        return []
    terms = terms_of(match, with_forces=False)
    reports = match.claims.filter(counts=True, how=Claim.How.PLAYER).select_related("by_entry").order_by("pk")
    return [str(claim.by_entry) for claim in reports if compare(claim.result, match.result, terms)]


def decide_result(*, by: Actor, match: Match, result: Given, reason: str = "", version: int | None = None) -> Match:
    """Decide a result as a judge, with a reason: contradicting reports, a double loss, late arrival."""
    event = match.round.event

    def typed() -> Iterator[Text]:
        terms = terms_of(match, by_judge=True)
        yield sentence(read_result(result, terms), terms)

    with door(
        "decide-result", by=by, event=event, on=match, version=version, reason=reason, consequences=typed()
    ) as writing:
        match.round.event = event
        _must_be_game(match)
        if match.state == Match.State.CONFIRMED:
            raise Refused(_("This match already has a result. Correct it instead."))
        terms = terms_of(match, by_judge=True)
        meant = read_result(result, terms)
        writing.create(
            Claim, match=match, how=Claim.How.JUDGE, by_person=by.person, at=writing.at, result=meant, reason=reason
        )
        _confirm(writing, match, meant)
        writing.says("result-decided", round=match.round, table=match.table, **_told(meant, terms))
        writing.topics.add(f"table-{match.table}")
    return match


def correct_result(
    *,
    by: Actor,
    match: Match,
    result: Given,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Match:
    """Correct a confirmed result as a judge; the changes must be confirmed, and the audit log keeps both results."""
    event = match.round.event
    terms = terms_of(match, by_judge=_is_judge(by, event))
    require(answer("correct-result", by.roles(event=event), event=event, round=match.round))
    _must_be_game(match)
    meant = read_result(result, terms)
    consequences = what_would_change(match, meant)
    with door(
        "correct-result",
        by=by,
        event=event,
        on=match,
        version=version,
        confirmed=confirmed,
        reason=reason,
        consequences=consequences,
    ) as writing:
        match.round.event = event
        if match.state != Match.State.CONFIRMED or match.result is None:
            raise Refused(_("This match has no result yet. Enter one instead."))
        before = match.result
        if meant == before:
            return match
        if not confirmed:
            raise NeedsConfirmation(writing.answer.action.label, consequences, needs_reason=True)
        writing.create(
            Claim, match=match, how=Claim.How.JUDGE, by_person=by.person, at=writing.at, result=meant, reason=reason
        )
        writing.save(match, result=meant, confirmed_at=writing.at)
        writing.says(
            "result-corrected",
            round=match.round,
            table=match.table,
            **_told(meant, terms),
            changed=as_json(before),
        )
        writing.topics.add(f"table-{match.table}")
    return match


def what_would_change(match: Match, meant: Result) -> list[Text]:
    """Return in words what another result of this match would change: its lines, standings, later pairings."""
    from events.queries import standings_of

    event = match.round.event
    terms = terms_of(match, with_forces=False)
    found: list[Text] = [
        _("%(what)s: %(before)s → %(after)s")
        % {"what": line.what[:1].upper() + line.what[1:], "before": line.other, "after": line.one}
        for line in compare(meant, match.result or Result(), terms)
    ]
    before = {row.number: row for row in standings_of(event)}
    after = {row.number: row for row in standings_of(event, instead={match.pk: meant})}
    found.extend(_moved(before, after))
    later = event.rounds.filter(number__gt=match.round.number).order_by("number")
    found.extend(
        _("%(round)s was paired from the old result and won't be re-paired automatically.") % {"round": round_}
        for round_ in later
    )
    was = match.result.abandoned if match.result else ()
    if was and not meant.abandoned:
        found.append(
            _("%(name)s was dropped for leaving this match. Re-enter them on the player's page.")
            % {"name": terms.name(was[0])}
        )
    return found


def _moved(before: Mapping[int, Any], after: Mapping[int, Any]) -> list[str]:
    """Return the entries whose place changes: the first ones by name, then how many more."""
    lines = [
        _("%(name)s: place %(before)d → %(after)d")
        % {"name": row.name, "before": before[number].place, "after": row.place}
        for number, row in after.items()
        if number in before and before[number].place != row.place
    ]
    rest = len(lines) - MAX_MOVED
    if rest <= 0:
        return lines
    more = ngettext("%(n)d more player moves in the standings.", "%(n)d more players move in the standings.", rest) % {
        "n": rest
    }
    return [*lines[:MAX_MOVED], more]


def abandon_match(
    *,
    by: Actor,
    match: Match,
    side: str,
    score_a: int = 0,
    score_b: int = 0,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Match:
    """Record that a player abandoned the match: the opponent wins, and the player is dropped from the event.

    No one may concede (Compiled and Annotated Rulebook, "Withdrawing from a Tournament", 2002-10-01).
    """
    event = match.round.event
    with door(
        "abandon-match", by=by, event=event, on=match, version=version, confirmed=confirmed, reason=reason
    ) as writing:
        match.round.event = event
        _must_be_game(match)
        if match.is_of_many:
            raise Refused(
                _("The other players continue. Drop this player, and select their name under “Left the match”.")
            )
        if side not in ("a", "b"):
            raise Refused(_("Choose the player who left the match."))
        if match.state == Match.State.CONFIRMED:
            raise Refused(_("This match already has a result. Correct it instead."))
        terms = terms_of(match, with_forces=False)
        meant = read_result({"abandoned_by": side, "score_a": score_a, "score_b": score_b}, terms)
        leaving = match.a if side == "a" else match.b
        assert leaving is not None, "a game has two players"
        if not confirmed:
            raise NeedsConfirmation(
                writing.answer.action.label,
                [
                    sentence(meant, terms),
                    _(
                        "%(name)s will be dropped from the event and won't be paired again. Players can't concede a match."
                    )
                    % {"name": leaving},
                ],
            )
        writing.create(
            Claim,
            match=match,
            how=Claim.How.JUDGE if _is_judge(by, event) else Claim.How.SCOREKEEPER,
            by_person=by.person,
            at=writing.at,
            result=meant,
            reason=reason,
        )
        _confirm(writing, match, meant)
        if leaving.state in (Entry.State.CHECKED_IN, Entry.State.ENTERED):
            writing.save(leaving, state=Entry.State.DROPPED, dropped_after=match.round.number)
        writing.says("match-abandoned", round=match.round, table=match.table, name=leaving)
        writing.topics.add(f"table-{match.table}")
    return match


def record_system_result(writing: Writing, match: Match, result: Result) -> Match:
    """Within an open door: give a match a result prescribed by the rules (a bye, a missed round)."""
    writing.create(Claim, match=match, how=Claim.How.SYSTEM, at=writing.at, result=result)
    _confirm(writing, match, result)
    return match


def open_matches(round: Round) -> int:
    """Return how many matches of the round have no confirmed result yet."""
    return round.matches.exclude(state=Match.State.CONFIRMED).count()
