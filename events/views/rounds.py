"""Pages of rounds: the list, a round's pairings, the draft and its actions, fixing the seating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from django_tables2 import RequestConfig

from events import live
from events.choices import LARGEST_CUT, SCENARIOS
from events.forms.rounds import FixSeatingForm, LengthForm, MoveForm, SwapForm, TableForm, TwoTablesForm
from events.models import Entry, Event, Match, Round, sits
from events.queries import team_names, teams_of, with_event
from events.services import rounds as services
from events.services.rounds_styles import NoLegalRound
from events.services.teams import not_paired
from events.shared_parts import shared_part
from events.sharing import public
from events.tables.columns import mark_row
from events.tables.rounds import LAST, ByName, ByTable, seats_of
from events.tournament import player_id, team_id

from .access import Visit, form_reason, visit
from .drafts import first_round_words, ids_of, line_of, reasons, reasons_of_tables, why_pair, why_table
from .entries import through_form


def _matches(event: Event, round: Round) -> list[Match]:
    found = list(round.matches.with_entries().order_by("table", "pk"))
    for match in found:
        match.round = round
    found.sort(key=lambda match: (match.table or LAST, match.kind == Match.Kind.MISSED, match.a.sort_name))
    for match in with_event(found, event):
        match.order = match.table or LAST  # type: ignore[attr-defined]
    return found


# public pages


@public()
def rounds(request: HttpRequest, public_id: str) -> HttpResponse:
    """List the event's rounds and, for those permitted, the draft and the next step."""
    v = visit(request, public_id)
    rows = list(v.event.rounds.order_by("number"))
    if not v.may("see-drafts"):
        rows = [row for row in rows if row.state != Round.State.DRAFT]
    pks = [row.pk for row in rows]
    states = Match.objects.filter(round__in=pks, kind=Match.Kind.GAME).values_list("round_id", "state")
    games: Counter[int] = Counter()
    open_: Counter[int] = Counter()
    for round_id, state in states:
        games[round_id] += 1
        open_[round_id] += state != Match.State.CONFIRMED
    lines = [
        {
            "round": row,
            "games": games[row.pk],
            "open": open_[row.pk],
            "scenario": SCENARIOS.get(row.scenario, row.scenario) if row.scenario else "",
        }
        for row in rows
    ]
    last = rows[-1] if rows else None
    can_cut = bool(
        v.may("cut")
        and v.event.pairing_style != Event.Style.ELIMINATION
        and last is not None
        and last.state == Round.State.COMPLETE
        and last.stage == Round.Stage.MAIN
    )
    may_import = bool(v.may("import-rounds"))
    return v.render(
        "events/rounds/rounds.html", lines=lines, largest_cut=LARGEST_CUT if can_cut else 0, may_import=may_import
    )


@public("by", "sort")
def round(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a round's pairings by table or by name, with the visitor's row marked; a draft has its own page."""
    v = visit(request, public_id)
    counter = live.newest(v.event)
    row = v.round(number)
    if row.state == Round.State.DRAFT:
        return redirect("events:draft", public_id, number)
    whole = bool(v.may("see-private-entries"))
    pairings = shared_part(
        request, "events/rounds/pairings.html", _pairings, row, whole, event=v.event, counter=counter
    )
    mine = None
    if v.entry is not None:
        found = row.matches.with_entries().filter(sits(v.entry))
        mine = next(iter(with_event(list(found), v.event)), None)
        you = format_html(" <strong>({})</strong>", _("you")) if _is_by_name(request) else ""
        pairings = mark_row(pairings, reverse("events:entry", args=[public_id, v.entry.number]), you)
    games = row.matches.filter(kind=Match.Kind.GAME)
    counts = games.aggregate(games=Count("pk"), open=Count("pk", filter=~Q(state=Match.State.CONFIRMED)))
    return v.render(
        "events/rounds/round.html",
        round=row,
        counter=counter,
        pairings=pairings,
        by="name" if _is_by_name(request) else "table",
        asked=request.GET.get("q", "").strip(),
        mine=mine,
        opponent=", ".join(_shown(other, whole) for other in mine.opponents_of(v.entry)) if mine and v.entry else "",
        **counts,
        scenario=SCENARIOS.get(row.scenario, row.scenario) if row.scenario else "",
        desk=bool(v.may("see-console")),
        late=_late(row) if v.may("right-tables", row) else [],
        may={
            verb.replace("-", "_"): bool(v.may(verb, row))
            for verb in ("unpublish-round", "right-tables", "complete-round", "reopen-round", "enter-result")
        },
    )


def _is_by_name(request: HttpRequest) -> bool:
    return request.GET.get("by") == "name"


def _pairings(event: Event, asked: HttpRequest, row: Round, whole: bool) -> dict[str, Any]:
    """Return what all readers of a round's pairings share; `whole`: they may read everyone's full name."""
    matches = _matches(event, row)
    table = ByName if _is_by_name(asked) else ByTable
    lines: list[Any] = seats_of(matches, whole_names=whole) if _is_by_name(asked) else matches
    known: dict[str, Any] = {"round": row, "whole_names": whole, "teams": team_names(event, public=not whole)}
    shown = table(lines, **known)
    if words := asked.GET.get("q", "").casefold().split():
        kept = [line for line in lines if all(word in shown.words(line) for word in words)]
        shown = table(kept, **known)
    RequestConfig(asked, paginate=False).configure(shown)
    return {"table": shown}


def _late(row: Round) -> list[tuple[Entry, list[tuple[int, str]]]]:
    """Return the players who came late, each with their buttons: an opponent's number, and what it does.

    They can play someone with a bye, or another late player, or take a free seat at a table of three or four.
    """
    late = services.late_entries(row)
    byes = row.matches.filter(kind=Match.Kind.BYE).select_related("a") if late else ()
    idle = {match.a_id: match.a for match in byes} | {entry.pk: entry for entry in late}
    rooms = services.tables_with_room(row) if late else []
    free = [(match.a.number, _("Seat at table %(table)s") % {"table": match.table}) for match in rooms]
    words = _("Seat with %(name)s") if row.event.has_tables else _("Pair with %(name)s")
    return [
        (entry, [*free, *((other.number, words % {"name": other}) for pk, other in idle.items() if pk != entry.pk)])
        for entry in late
    ]


def _shown(entry: Any, whole: bool) -> str:
    return "" if entry is None else entry.name if whole else entry.public_name


# drafts


@require_POST
def draft_next(request: HttpRequest, public_id: str) -> HttpResponse:
    """Pair the next round; if no legal round is left, offer the options."""
    v = visit(request, public_id)
    given = form_reason(request)
    try:
        row = services.draft_round(by=v.actor, event=v.event, allow_rematch="allow_rematch" in request.POST, **given)
    except NoLegalRound as none:
        return _no_pairing(v, str(none.message), "events:draft-next", ())
    return redirect("events:draft", public_id, row.number)


def _no_pairing(v: Visit, message: str, name: str, parts: tuple[int, ...], version: int | None = None) -> HttpResponse:
    address = reverse(name, args=[v.event.public_id, *parts])
    return v.render("events/rounds/no_pairing.html", message=message, address=address, version=version, status=409)


@require_POST
def cut(request: HttpRequest, public_id: str) -> HttpResponse:
    """Pair the first round of the cut."""
    v = visit(request, public_id)
    places = request.POST.get("places", "")
    chosen = int(places) if places.isdecimal() and len(places) < 4 else None
    third = "third_place" in request.POST if chosen else None
    row = services.draft_cut(by=v.actor, event=v.event, places=chosen, third_place=third, **form_reason(request))
    return redirect("events:draft", public_id, row.number)


def draft(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a draft with its quality and its reasons; `?why=TABLE` explains one pair."""
    v = visit(request, public_id)
    v.require("see-drafts")
    row = v.round(number)
    if row.state != Round.State.DRAFT:
        return redirect("events:round", public_id, number)
    return _draft_page(request, v, row)


def _draft_page(
    request: HttpRequest,
    v: Visit,
    row: Round,
    swap: SwapForm | None = None,
    table: TableForm | None = None,
    move: MoveForm | None = None,
    length: LengthForm | None = None,
) -> HttpResponse:
    matches = _matches(v.event, row)
    entries = list(v.event.entries.order_by("number"))
    names = {player_id(entry.number): entry.name for entry in entries}
    names |= {team_id(team.number): team.name for team in teams_of(v.event, entries).values()}
    ids = ids_of(v.event, matches)
    stale = services.stale_by_log(row)
    points = {player["id"]: player for player in row.tournament.get("players", [])}
    is_main = row.stage == Round.Stage.MAIN and v.event.pairing_style == Event.Style.SWISS
    is_swiss = is_main and (v.event.teams_of_two or not v.event.has_tables)
    facts = _facts_of_draft(row, matches, names) if is_main else {}
    by_hand = [change for change in row.changes_by_hand if change.get("what") in services.REPAIRED]
    teams = names if v.event.teams_of_two and not v.event.has_tables else {}
    lines = [line_of(match, ids, points, facts, teams) for match in matches if match.kind != Match.Kind.MISSED]
    absent = [] if row.number > 1 else list(v.event.entries.filter(state="entered").order_by("name"))
    return v.render(
        "events/rounds/draft.html",
        round=row,
        lines=lines,
        stale=stale,
        is_swiss=is_swiss,
        by_hand=by_hand,
        changes=row.changes_by_hand,
        why=why_pair(request, row, names, ids, matches) if is_swiss else None,
        why_table=why_table(request, row, names, matches) if is_main and not is_swiss else None,
        first_round=first_round_words(row, matches) if row.number == 1 else "",
        games=sum(match.kind == Match.Kind.GAME for match in matches),
        absent=absent,
        not_paired=not_paired(v.event, entries),
        picked={int(number) for number in request.POST.getlist("player") if number.isdecimal()} if swap else (),
        swap_faults=[fault for faults in swap.errors.values() for fault in faults] if swap else (),
        table_form=table or TableForm(matches=matches, auto_id="table_%s"),
        move_form=_move_form(v, matches, move),
        length_form=length or _length_form(row),
        round_minutes=row.own_minutes or row.event.minutes_of(row.bracket_size),
        scenario=SCENARIOS.get(row.scenario, row.scenario) if row.scenario else "",
        may={
            verb.replace("-", "_"): bool(v.may(verb, row))
            for verb in ("publish-round", "pair-again", "discard-draft", "change-draft", "set-round-length")
        },
        status=400 if any(form and form.errors for form in (swap, table, move, length)) else 200,
        **facts,
    )


def _move_form(v: Visit, matches: list[Match], move: MoveForm | None) -> MoveForm | None:
    """Return the form that moves one player to a free seat; None where two play at a table or no seat is free."""
    if move is not None or not v.event.has_tables:
        return move
    form = MoveForm(matches=matches, size=v.event.table_size, auto_id="move_%s")
    return form if form.rooms and form.entries else None


def _length_form(row: Round, posted: QueryDict | None = None) -> LengthForm:
    usual = row.event.minutes_of(row.bracket_size)
    return LengthForm(posted, usual=usual, initial={"minutes": row.own_minutes}, auto_id="length_%s")


def _facts_of_draft(row: Round, matches: list[Match], names: dict[str, str]) -> dict[str, Any]:
    """Return what the page of a draft says about its pairing."""
    seated = [tuple(player_id(e.number) for e in m.entries) for m in matches if m.kind != Match.Kind.MISSED]
    if row.event.teams_of_two:
        return reasons(row, names, services.pairs_of_teams(row.event, matches))
    if row.event.has_tables:
        return reasons_of_tables(row, seated)
    return reasons(row, names, [(a, other[0] if other else None) for a, *other in seated])


@require_POST
def swap(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Swap two players of a draft."""
    v = visit(request, public_id)
    v.require("change-draft")
    row = v.round(number)
    entries = [e for m in row.matches.with_entries() for e in m.entries]
    form = SwapForm(request.POST, entries=entries)
    if form.is_valid():
        one, other = form.cleaned_data["player"]
        facts = {"one": one, "other": other} | form_reason(request)
        if through_form(form, services.swap_players, by=v.actor, round=row, **facts) is not None:
            messages.success(request, _("%(one)s and %(other)s swapped.") % facts)
            return redirect("events:draft", public_id, number)
    row = v.round(number)
    return _draft_page(request, v, row, swap=form)


@require_POST
def table(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Move a pair of a draft to another table."""
    v = visit(request, public_id)
    v.require("change-draft")
    row = v.round(number)
    matches = list(row.matches.with_entries().order_by("table"))
    form = TableForm(request.POST, matches=matches, auto_id="table_%s")
    if form.is_valid():
        facts = {"match": form.cleaned_data["match"], "table": form.cleaned_data["table"]} | form_reason(request)
        if through_form(form, services.change_table, by=v.actor, round=row, **facts) is not None:
            messages.success(request, _("Match moved to table %(table)d.") % facts)
            return redirect("events:draft", public_id, number)
    row = v.round(number)
    return _draft_page(request, v, row, table=form)


@require_POST
def move(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Move one player of a draft to a free seat at another table."""
    v = visit(request, public_id)
    v.require("change-draft")
    row = v.round(number)
    matches = list(row.matches.with_entries().order_by("table"))
    form = MoveForm(request.POST, matches=matches, size=v.event.table_size, auto_id="move_%s")
    if form.is_valid():
        facts = form.cleaned_data | form_reason(request)
        if through_form(form, services.move_player, by=v.actor, round=row, **facts) is not None:
            messages.success(request, _("%(entry)s moved to table %(table)d.") % form.cleaned_data)
            return redirect("events:draft", public_id, number)
    return _draft_page(request, v, v.round(number), move=form)


@require_POST
def length(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Set how long a drafted round will last."""
    v = visit(request, public_id)
    row = v.round(number)
    v.require("set-round-length", row)
    form = _length_form(row, request.POST)
    if form.is_valid():
        minutes = form.cleaned_data["minutes"]
        if through_form(form, services.set_length, by=v.actor, round=row, minutes=minutes, **form_reason(request)):
            messages.success(request, _("Round length saved."))
            return redirect("events:draft", public_id, number)
    return _draft_page(request, v, v.round(number), length=form)


ACTS: dict[str, tuple[Callable[..., Any], Any]] = {
    "publish": (services.publish_round, gettext_lazy("%(round)s published.")),
    "unpublish": (services.unpublish_round, gettext_lazy("%(round)s unpublished. It's a draft again.")),
    "pair-again": (services.pair_again, gettext_lazy("%(round)s re-paired.")),
    "discard": (services.discard_draft, gettext_lazy("%(round)s draft discarded.")),
    "complete": (services.complete_round, gettext_lazy("%(round)s complete.")),
    "reopen": (services.reopen_round, gettext_lazy("%(round)s reopened.")),
}


@require_POST
def act(request: HttpRequest, public_id: str, number: int, verb: str) -> HttpResponse:
    """Call one of the verbs about a round."""
    v = visit(request, public_id)
    row = get_object_or_404(Round, event=v.event, number=number)
    row.event = v.event
    service, said = ACTS[verb]
    given = form_reason(request)
    words = str(said) % {"round": row}
    if verb == "pair-again":
        given["allow_rematch"] = "allow_rematch" in request.POST
        try:
            service(by=v.actor, round=row, **given)
        except NoLegalRound as none:
            return _no_pairing(v, str(none.message), "events:pair-again", (number,), row.version)
    else:
        service(by=v.actor, round=row, **given)
    messages.success(request, words)
    if verb in ("pair-again", "unpublish"):
        return redirect("events:draft", public_id, number)
    if verb in ("discard", "complete", "publish"):
        return redirect("events:console", public_id)
    return redirect("events:round", public_id, number)


# seating


def fix_seating(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Fix two tables that sat down with each other's opponents: choose them, then say what was really played."""
    v = visit(request, public_id)
    row = v.round(number)
    v.require("right-tables", row)
    asked = {key: request.GET[key] for key in ("first", "second") if request.GET.get(key)}
    choose = TwoTablesForm(asked or None)
    form, pair = None, None
    if choose.is_bound and choose.is_valid():
        tables = [choose.cleaned_data["first"], choose.cleaned_data["second"]]
        found = {m.table: m for m in row.matches.with_entries().filter(table__in=tables)}
        for key, at in zip(("first", "second"), tables, strict=True):
            if at not in found:
                choose.add_error(key, _("This round has no table %(table)d.") % {"table": at})
        if tables[0] == tables[1]:
            choose.add_error("second", _("Choose two different tables."))
        if not choose.errors:
            pair = (found[tables[0]], found[tables[1]])
            has_results = any(match.claims.filter(counts=True).exists() for match in pair)
            form = FixSeatingForm(
                request.POST if request.method == "POST" else None,
                first=pair[0],
                second=pair[1],
                has_results=has_results,
            )
            if request.method == "POST" and form.is_valid():
                done = through_form(
                    form,
                    services.right_tables,
                    by=v.actor,
                    round=row,
                    first=pair[0],
                    second=pair[1],
                    **form.played,
                    keep_results=form.cleaned_data.get("results") == "keep",
                    **form_reason(request),
                )
                if done is not None:
                    messages.success(
                        request, _("Seating fixed at tables %(a)d and %(b)d.") % {"a": tables[0], "b": tables[1]}
                    )
                    return redirect("events:round", public_id, number)
    return v.render("events/rounds/fix_seating.html", round=row, choose=choose, form=form, pair=pair)


@require_POST
def seat_late(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Seat a late player against one without an opponent in this round."""
    v = visit(request, public_id)
    row = v.round(number)
    found = {}
    for key in ("entry", "opponent"):
        given = request.POST.get(key, "")
        found[key] = get_object_or_404(
            v.event.entries, number=int(given) if given.isdecimal() and len(given) < 6 else 0
        )
    match = services.seat_late(
        by=v.actor, round=row, entry=found["entry"], opponent=found["opponent"], **form_reason(request)
    )
    messages.success(request, _("%(name)s plays at table %(table)d.") % {"name": found["entry"], "table": match.table})
    return redirect("events:round", public_id, number)


@require_POST
def replay(request: HttpRequest, public_id: str) -> HttpResponse:
    """Replay the bracket matches that both players lost."""
    v = visit(request, public_id)
    row = services.replay_bracket(by=v.actor, event=v.event, **form_reason(request) | {"version": None})
    return redirect("events:draft", public_id, row.number)


# finishing


@require_POST
def end(request: HttpRequest, public_id: str) -> HttpResponse:
    """Finish the event after its last round."""
    v = visit(request, public_id)
    services.finish_event(by=v.actor, event=v.event, **form_reason(request))
    messages.success(request, _("Event finished."))
    return redirect("events:console", public_id)


@require_POST
def reopen_event(request: HttpRequest, public_id: str) -> HttpResponse:
    """Reopen a finished event."""
    v = visit(request, public_id)
    services.resume_event(by=v.actor, event=v.event, **form_reason(request))
    messages.success(request, _("Event reopened."))
    return redirect("events:console", public_id)


__all__ = [
    "act",
    "cut",
    "draft",
    "draft_next",
    "end",
    "fix_seating",
    "reopen_event",
    "replay",
    "round",
    "rounds",
    "seat_late",
    "swap",
    "table",
]  # fmt: skip
