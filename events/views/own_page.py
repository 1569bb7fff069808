"""A player's own page, with the form that reports their match, and the receipt of a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from events.live import newest
from events.models import Claim, Entry, Event, Match, Pod, Round, Series, sits
from events.prepared import Prepared, asked
from events.queries import current_round, final_place, with_event
from events.results.result import OTHER, PAIR, SEATS, Result, Seat
from events.results.words import left_after, place_words, result_card
from events.services import entries as services
from events.services.clock import extra_seconds
from events.services.offers import may_join
from events.services.push import key_for
from events.services.results import terms_of
from events.services.series_draft import held
from events.sharing import public
from events.templatetags.event_clock import face

from .access import Visit, visit
from .entries import entry_of
from .own_kinds import AT_DESK, OWN_PAGE, RECEIPT, VERBS, own_card, own_page_of, receipt_of
from .teams import own_team

ON = (Round.State.PUBLISHED, Round.State.RUNNING)


def _matches(seats: Sequence[Seat]) -> Prepared[Match]:
    published = Match.objects.exclude(round__state=Round.State.DRAFT)
    return Prepared(
        lambda: published.filter(sits(asked("entry"), at=seats)).with_round(seats).order_by("round__number")
    )


MATCHES, MATCHES_OF_TABLES = _matches(PAIR), _matches(SEATS)
REPORTS = Prepared(
    lambda: Claim.objects.filter(match=asked("match"), counts=True, how=Claim.How.PLAYER).values_list(
        "by_entry_id", "result"
    )
)


@public()
def entry(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a player's page: table, opponent, time left, the report, results; for officials also actions."""
    v = visit(request, public_id)
    row = v.entry if v.entry is not None and v.entry.number == number else entry_of(v, number)
    row.event = v.event
    counter = newest(v.event)
    desk = bool(v.may("see-private-entries"))
    mine = row is v.entry
    if row.state == Entry.State.WITHDRAWN and not (desk or mine):
        raise Http404
    matches = with_event((MATCHES_OF_TABLES if v.event.has_tables else MATCHES)(entry=row.pk), v.event)
    now = next((m for m in reversed(matches) if m.round.state in ON), None)
    played = [_line(m, row, whole_names=desk) for m in matches if m.result is not None]
    facts = {
        "entry": row,
        "name": row.name if desk or mine else row.public_name,
        "may_join": mine and may_join(v.actor, row),
        "played": played,
        "counter": counter,
        "push_key": key_for(v.actor) if mine else "",
        **(_facts_of_round(v, now, row, mine=mine, desk=desk) if now else {"now": None, "mine": mine, "desk": desk}),
    }
    drafting = now is not None and _is_drafting(v.event, now)
    if mine and now and not drafting and (page := own_page_of(v, row, facts)) is not None:
        return page
    over = v.event.state in (Event.State.FINISHED, Event.State.VERIFIED)
    may = {verb.replace("-", "_"): bool(v.may(verb)) for verb in VERBS}
    return v.render(
        OWN_PAGE,
        **facts,
        drafting=drafting,
        over=over,
        series_drafts=held(Series.objects.filter(rows__event=v.event, rows__accepted__isnull=False))
        if over and mine
        else (),
        final=final_place(v.event, row) if over and matches else None,
        last_complete=matches[-1].round if matches and now is None else None,
        left=_left_after(v.event, row),
        is_out=now is None and _is_out(v.event, row, matches),
        check_in_refused=services.may_check_in_self(v.event, row) if mine else "",
        may=may,
        at_desk=any(v.may(verb) for verb in AT_DESK),
        waiting_place=_waiting_place(v.event, row) if row.state == Entry.State.WAITING else 0,
        **(own_team(v, row, mine=mine) if v.event.teams_of_two and row.state not in Entry.GONE else {}),
    )


def _is_drafting(event: Event, match: Match) -> bool:
    """Return whether the match's table drafts boosters and the round hasn't started."""
    if not event.has_booster_draft or match.round.state != Round.State.PUBLISHED:
        return False
    return Pod._default_manager.filter(match=match.pk, ended=None).exists()


def _facts_of_round(v: Visit, now: Match, row: Entry, *, mine: bool, desk: bool) -> dict[str, Any]:
    """Return what the page shows of this round: the table's time, and the report."""
    extra = extra_seconds(now)
    shows_clock = now.kind == Match.Kind.GAME and now.state != Match.State.CONFIRMED
    return report_facts(v, now, row, mine=mine, desk=desk) | {
        "extra": extra,
        "clock": face(now.round, match=now, size="small", extra=extra) if shows_clock else None,
    }


def _left_after(event: Event, row: Entry) -> str:
    """Return in words after which round the player left; "" for one who hasn't."""
    if row.dropped_after is None or row.is_playing:
        return ""
    return left_after(row.dropped_after, event.bracket_sizes.get(row.dropped_after))


def report_facts(v: Visit, match: Match, row: Entry, *, mine: bool, desk: bool) -> dict[str, Any]:
    """Return what `report.html` shows of a player's match: the form, or what was reported and what comes next."""
    is_shown = (mine or desk) and match.kind == Match.Kind.GAME
    side, opponent = match.seat_of(row), _opponent(match, row, whole_names=desk)
    line = _line(match, row, whole_names=desk) if match.state == Match.State.CONFIRMED else None
    return {
        "now": match,
        "mine": mine,
        "desk": desk,
        "opponent": opponent,
        "reports": _reports(match, row) if is_shown else None,
        "may_report": is_shown and mine and bool(v.may("claim-result", match.round)),
        "own_field": f"score_{side}",
        "other_field": f"score_{OTHER.get(side, '')}",
        "line_now": line,
        "card": own_card(line, _("You") if mine else row.name if desk else row.public_name, opponent),
    } | (_facts_of_table(match, row, mine=mine, desk=desk) if match.is_of_many else {})


def _facts_of_table(match: Match, row: Entry, *, mine: bool, desk: bool) -> dict[str, Any]:
    """Return what `report.html` shows differently of a table of three or four."""
    names = [entry.name if desk else entry.public_name for entry in match.entries]
    if mine:
        names[match.entries.index(row)] = _("You")
    name_a, name_b, *further = names
    terms = replace(terms_of(match, with_forces=False), name_a=name_a, name_b=name_b, further=tuple(further))
    confirmed = match.result if match.state == Match.State.CONFIRMED else None
    seats = [match.seat_of(entry) for pair in match.pairs or (match.entries,) for entry in pair]
    own = next((pair for pair in match.pairs if row in pair), ())
    partners = [match.seat_of(entry) for entry in own if entry != row]
    labels = {
        seat: _("%(name)s (partner)") % {"name": terms.names[seat]} if seat in partners else terms.names[seat]
        for seat in seats
    }
    return {
        "table_fields": [(f"score_{seat}", label) for seat, label in labels.items()],
        "card": result_card(confirmed, terms),
    }


@require_safe
def receipt(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Tell a player what they reported, and what comes next; lead anyone else to the table's page."""
    v = visit(request, public_id)
    counter = newest(v.event)
    match = v.match(number, table)
    if v.entry is None or v.entry.pk not in match.entry_ids:
        return redirect("events:table", public_id, number, table)
    facts = report_facts(v, match, v.entry, mine=True, desk=False) | {"counter": counter}
    return receipt_of(v, v.entry, facts) or v.render(RECEIPT, **facts)


def _reports(match: Match, row: Entry) -> dict[str, Any]:
    """Return whether the player and the opponent have reported, and the player's report; never the opponent's."""
    by = dict(REPORTS(match=match.pk))
    side, mine = match.seat_of(row), by.get(row.pk)
    return {
        "mine": (mine.score(side), max(mine.score(other) for other in mine.seats if other != side)) if mine else None,
        "theirs": any(pk in by for pk in match.entry_ids if pk != row.pk),
    }


def _is_out(event: Event, row: Entry, matches: list[Match]) -> bool:
    """Return whether a bracket goes on without this player: left out of the cut, or beaten in it.

    A match that no one won may still be replayed, so it puts no one out until the next round is published.
    """
    newest = current_round(event)
    if newest is None or (newest.stage != Round.Stage.CUT and event.pairing_style != Event.Style.ELIMINATION):
        return False
    last = matches[-1] if matches else None
    if last is None or last.round_id != newest.pk:
        return True
    if newest.bracket_size == 4 and event.third_place:
        return False
    return last.result is not None and last.result.winner not in (None, last.seat_of(row))


def _waiting_place(event: Event, row: Entry) -> int:
    waiting = event.entries.filter(state=Entry.State.WAITING).order_by("entered", "number")
    return list(waiting.values_list("pk", flat=True)).index(row.pk) + 1


def _opponent(match: Match, row: Entry, *, whole_names: bool) -> str:
    opponents = match.opponents_of(row)
    said = ", ".join(map(_shown_name(whole_names), opponents))
    partner = next((one for one in match.entries if one.pk != row.pk and one not in opponents), None)
    if partner is None:
        return said
    return _("%(opponents)s (partner: %(partner)s)") % {
        "opponents": said, "partner": _shown_name(whole_names)(partner)
    }  # fmt: skip


def _shown_name(whole_names: bool) -> Callable[[Entry], str]:
    return lambda entry: entry.name if whole_names else entry.public_name


def _line(match: Match, row: Entry, *, whole_names: bool) -> dict[str, Any]:
    """Return one line of a player's results: round, opponent, both scores, and the outcome in words."""
    side, result = match.seat_of(row), match.result or Result()
    came = result.outcome(side)
    theirs = {"win": _("lost"), "draw": _("drawn"), "loss": _("won")}[came]
    if result.places:
        words = place_words(result.place(side))
    elif match.kind == Match.Kind.MISSED:
        words = _("round missed")
    elif match.b is None:
        words = match.get_kind_display()
    elif came == "draw":
        words = _("drawn")
    elif came == "win":
        words = _("won")
    else:
        words = _("double loss") if result.double_loss else _("lost")
        theirs = words if result.double_loss else theirs
    return {
        "round": str(match.round.number),
        "table": match.table,
        "opponent": _opponent(match, row, whole_names=whole_names),
        "score": str(result.score(side)),
        "against": str(result.score(OTHER[side])) if match.b is not None and not match.is_of_many else None,
        "words": words if match.state == Match.State.CONFIRMED else match.get_state_display(),
        "theirs": theirs,
        "winner": result.winner and ("own" if result.winner == side else "other"),
    }
