"""Pages of results: a table's own page, entering by keyboard, the open tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events import battles
from events import clock as clocks
from events.address import path_to
from events.battle_accounts import compare_battles
from events.door import Refused, Stale
from events.forms.results import JudgedForm, KeyboardForm, TableNumberForm, points_alone, result_form_for
from events.models import Claim, Entry, Match, Round
from events.queries import with_event
from events.results.reading import Given, ResultTerms
from events.results.result import Result, as_json
from events.results.tables import read_result
from events.results.words import Difference, compare, details_of, result_card, sentence
from events.roles import JUDGES
from events.services import results as services
from events.services.clock import clock_of, extensions_of, extra_seconds
from events.services.forces import may_see_opponent
from events.services.results import terms_of
from events.sharing import public
from events.tables.results import MatchTable, OpenMatchTable

from .access import Visit, form_reason, form_version, visit
from .clock import QUICK_MINUTES
from .forces_scoring import battle_terms, confirmed_score, known_forces, result_form, score_shown, scoring_facts
from .own_page import report_facts
from .partners import facts_of_partners


def _no_table(v: Visit, number: int, table: int) -> HttpResponse:
    return v.render("events/results/no_table.html", round=v.round(number), number=table, status=404)


def _side(v: Visit, match: Match) -> str | None:
    """Return which side of the match the visitor plays, or None."""
    if v.entry is None:
        return None
    return match.seat_of(v.entry) if v.entry.pk in match.entry_ids else None


def _names(v: Visit, match: Match, **more: Any) -> ResultTerms:
    """Return the match's terms; except for its players and officials, minors' names are shortened."""
    terms = terms_of(match, **more)
    if v.may("see-console") or _side(v, match):
        return terms
    name_a, *others = (entry.public_name for entry in match.entries)
    return replace(terms, by_judge=False, name_a=name_a, name_b=others[0] if others else "", further=tuple(others[1:]))


@public()
@require_safe
def table(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Show a table: what the visitor can do, its time, its result."""
    v = visit(request, public_id)
    match = v.match_at(number, table)
    return _no_table(v, number, table) if match is None else _page(v, match)


def _page(v: Visit, match: Match, form: JudgedForm | None = None, status: int = 200, reason: str = "") -> HttpResponse:
    side = _side(v, match)
    at_desk = bool(v.may("see-console"))
    is_judge = bool(v.roles & JUDGES)
    terms = _names(v, match, by_judge=is_judge)
    claims = list(match.claims.select_related("by_entry", "by_person").order_by("at", "pk"))
    counting = [claim for claim in claims if claim.counts]
    mine = next((c for c in counting if v.entry is not None and c.by_entry_id == v.entry.pk), None) if side else None
    others = [claim for claim in counting if claim.by_entry_id and mine is not claim] if side else []
    theirs = _first_that_differs(mine, others, terms) if mine else next(iter(others), None)
    given = extensions_of(match)
    may_claim = side is not None and bool(v.may("claim-result", match.round))
    may_enter = bool(v.may("enter-result", match.round))
    may_correct = bool(v.may("correct-result", match.round))
    confirmed = match.state == Match.State.CONFIRMED
    posted, battle = (v.request.POST if v.request.method == "POST" else None), None
    if form is None:
        taken = next((c for c in claims if at_desk and str(c.pk) == v.request.GET.get("take")), None)
        best = taken or mine
        initial = best.result if best else match.result if confirmed and may_correct else None
        battle = initial.battle if initial else None
        kind = result_form_for(terms)
        form = kind(initial=kind.initial_of(initial), terms=terms)
    types = may_claim or may_enter or (may_correct and confirmed)
    sees_forces = types and (at_desk or not side or may_see_opponent(v.event, v.entry, match.round))
    return v.render(
        "events/results/table.html",
        match=match,
        round=match.round,
        terms=terms,
        side=side,
        **facts_of_partners(v.event, match, terms, side, form),
        mine=mine,
        reported=mine.result.scores[:: 1 if side == "a" else -1] if mine else (),
        theirs=theirs,
        scoring=scoring_facts(match, posted, battle) if sees_forces else None,
        scored=confirmed_score(match) if confirmed else None,
        differences=_differences(mine.result, theirs.result, terms)
        if mine and theirs and match.state == Match.State.DISPUTED
        else [],
        claims=[(claim, sentence(claim.result, terms)) for claim in claims] if at_desk else [],
        disagree=_disagree(counting, terms) if at_desk and match.state == Match.State.DISPUTED else None,
        may_decide=bool(v.may("decide-result", match.round)),
        may_extend=bool(v.may("extend-table", match.round)),
        card=result_card(match.result, terms) if confirmed else [],
        details=details_of(match.result, terms) if confirmed and match.result else [],
        form=form,
        at_desk=at_desk,
        is_judge=is_judge,
        may_claim=may_claim and not confirmed and match.kind == Match.Kind.GAME,
        may_enter=may_enter and not confirmed and match.kind == Match.Kind.GAME,
        may_correct=may_correct and confirmed and match.kind == Match.Kind.GAME,
        extra=sum(extension.seconds for extension in given),
        given=given,
        plays=match.round.state in (Round.State.PUBLISHED, Round.State.RUNNING) and not confirmed,
        quick=QUICK_MINUTES,
        reason=reason,
        status=status,
    )


def _disagree(counting: list[Claim], terms: ResultTerms) -> dict[str, Any] | None:
    """Return the two players' reports and where they differ."""
    players = [claim for claim in counting if claim.how == Claim.How.PLAYER]
    if len(players) < 2:
        return None
    one = players[0]
    other = _first_that_differs(one, players[1:], terms)
    assert other is not None, "there are two reports"
    return {"reports": (one, other), "lines": _differences(one.result, other.result, terms)}


def _first_that_differs(one: Claim, others: list[Claim], terms: ResultTerms) -> Claim | None:
    """Return the first report that differs from this one, or else the first; None without another."""
    differing = (other for other in others if compare(one.result, other.result, terms))
    return next(differing, None) or next(iter(others), None)


def _report(match: Match, pk: str, *, besides: Entry | None = None) -> Claim:
    """Return a player's report that still counts, from its posted key; `besides` leaves out a player's own."""
    reports = match.claims.filter(counts=True, how=Claim.How.PLAYER).select_related("by_entry")
    found = next((claim for claim in reports if str(claim.pk) == pk and claim.by_entry != besides), None)
    if found is None:
        raise Refused(_("This report was replaced. Reload the page to see the current one."))
    return found


def _differences(one: Result, other: Result, terms: ResultTerms) -> list[Difference]:
    """Return where two reports differ; if both have the battle, figure by figure."""
    return [*compare(one, other, terms), *compare_battles(one.battle, other.battle, terms.names)]


@require_POST
def claim(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Report the result of the player's own match."""
    v = visit(request, public_id)
    match = v.match_at(number, table)
    if match is None:
        return _no_table(v, number, table)
    meant: Given | None = points_alone(request.POST)
    if "accept" in request.POST:
        meant = as_json(_report(match, request.POST["accept"], besides=v.entry).result)
    if meant is None:
        form = result_form(request.POST, match, terms_of(match))
        if not form.is_valid():
            return _page(v, match, form, 400)
        meant = form.meant()
    try:
        services.claim_result(by=v.actor, match=match, result=meant)
    except ValidationError:
        form = result_form(request.POST, match, terms_of(match))
        if form.is_valid():  # the fault isn't in what was typed
            raise
        return _page(v, match, form, 400)
    if "X-Form" in request.headers and "swap" in request.POST and v.entry is not None:
        return v.render("events/entries/report.html", **report_facts(v, match, v.entry, mine=True, desk=False))
    return redirect(path_to("events:receipt", public_id, number, table))


@require_POST
def withdraw_claim(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Withdraw the player's own report."""
    v = visit(request, public_id)
    match = v.match_at(number, table)
    if match is None:
        return _no_table(v, number, table)
    services.withdraw_claim(by=v.actor, match=match)
    messages.success(request, _("Report withdrawn."))
    return redirect("events:table", public_id, number, table)


@require_POST
def enter(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Save a result: what the desk was told, a slip signed by both, a judge's decision or correction."""
    v = visit(request, public_id)
    match = v.match_at(number, table)
    if match is None:
        return _no_table(v, number, table)
    act, reason = request.POST.get("act", "enter"), request.POST.get("reason", "")
    if act == "accept":
        return _accept(v, match)
    signed, is_judge = "signed" in request.POST, bool(v.roles & JUDGES)
    terms = terms_of(match, by_judge=is_judge and not signed)
    ties = v.event.table_ties if act == "enter" and not reason.strip() else terms.ties
    form = result_form(request.POST, match, replace(terms, ties=ties))
    if not form.is_valid():
        return _page(v, match, form, 400, reason)
    meant, version = form.meant(), form_version(request)
    if act == "correct":
        services.correct_result(by=v.actor, match=match, result=meant, **form_reason(request))
        messages.success(request, _("Result corrected."))
    elif not signed and (act == "decide" or (is_judge and (reason.strip() or _needs_judge(match, meant)))):
        services.decide_result(by=v.actor, match=match, result=meant, reason=reason, version=version)
        messages.success(
            request, _("Judge's decision recorded: %(result)s") % {"result": sentence(match.result, form.terms)}
        )
    else:
        how = Claim.How.SLIP if signed else Claim.How.SCOREKEEPER
        services.enter_result(by=v.actor, match=match, result=meant, how=how, version=version)
        messages.success(request, _("Result entered: %(result)s") % {"result": sentence(match.result, form.terms)})
        if differ := _differ(match):
            messages.warning(request, differ)
    return redirect("events:table", public_id, number, table)


def _needs_judge(match: Match, meant: Given) -> bool:
    """Return whether only a judge's decision can give this result."""
    try:
        read_result(meant, terms_of(match))
    except ValidationError:
        return True
    return match.state == Match.State.DISPUTED


def _accept(v: Visit, match: Match) -> HttpResponse:
    """Decide for one of two differing reports as a judge."""
    report = _report(match, v.request.POST.get("report", ""))
    reason = _("%(name)s's report accepted.") % {"name": report.by_entry}
    services.decide_result(
        by=v.actor, match=match, result=as_json(report.result), reason=reason, version=form_version(v.request)
    )
    said = sentence(match.result, terms_of(match, with_forces=False))
    messages.success(v.request, _("Judge's decision recorded: %(result)s") % {"result": said})
    return redirect("events:table", v.event.public_id, match.round.number, match.table)


@require_POST
def abandon(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Record that a player abandoned the match and with it the event."""
    v = visit(request, public_id)
    match = v.match_at(number, table)
    if match is None:
        return _no_table(v, number, table)
    side = request.POST.get("side", "")
    services.abandon_match(by=v.actor, match=match, side=side, **form_reason(request))
    messages.success(request, _("The player left the match and has been dropped from the event."))
    return redirect("events:table", public_id, number, table)


def _differ(match: Match) -> str:
    names = services.reports_that_differ(match)
    return _("Check this: %(names)s reported a different result.") % {"names": ", ".join(names)} if names else ""


def _games(v: Visit, round: Round) -> dict[int, Match]:
    rows = round.matches.filter(kind=Match.Kind.GAME).with_entries().prefetch_related("extensions")
    found = list(rows.order_by("table"))
    for match in found:
        match.round = round
    return {match.table or 0: match for match in with_event(found, v.event)}


def _next_table(games: dict[int, Match], after: int = 0) -> int | None:
    """Return the next table without a result, going round from the one just entered, or None."""
    waiting = [number for number, match in games.items() if match.state != Match.State.CONFIRMED]
    return next((number for number in waiting if number > after), waiting[0] if waiting else None)


def _read_table(typed: str, games: dict[int, Match], round: Round) -> Match:
    """Return the match at the typed table; an empty line takes the next open one."""
    if not typed:
        number = _next_table(games)
        if number is None:
            raise ValidationError(_("Every table in this round has a result."))
        return games[number]
    if not (typed.isascii() and typed.isdecimal()):
        raise ValidationError(_("“%(typed)s” isn't a table number. Enter digits only."), params={"typed": typed[:20]})
    match = games.get(int(typed))
    if match is None:
        raise ValidationError(_("%(round)s has no table %(table)s."), params={"table": typed, "round": str(round)})
    return match


@require_http_methods(["GET", "HEAD", "POST"])
def keyboard(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Take results table by table from the keyboard: number, Enter, points, Enter, points, Enter.

    Without scripts, each Enter is a request and the page comes back at the next field; with scripts, each table is one
    request answered as JSON. A result that can't be entered comes back with its message and everything typed.
    """
    v = visit(request, public_id)
    v.require("see-console")
    round = v.round(number)
    games = _games(v, round)
    if v.event.has_tables:
        return _table_by_number(v, round, games)
    blank = ResultTerms(v.event.edition, v.event.build_total, v.event.tied_game, _("First player"), _("Second player"))
    if request.method != "POST":
        return _keyboard_page(v, round, games, KeyboardForm(terms=blank), "table")
    typed = {key: value.strip() for key, value in request.POST.items() if isinstance(value, str)}
    try:
        match = _read_table(typed.get("table", ""), games, round)
    except ValidationError as wrong:
        form = KeyboardForm(typed, terms=blank)
        form.is_valid()
        form.errors.clear()
        form.add_error("table", wrong)
        return _keyboard_answer(v, round, games, form, None, "table")
    typed["table"] = str(match.table)
    form = KeyboardForm(typed, terms=terms_of(match))
    for step in ("score_a", "score_b"):
        if not typed.get(step) and "application/json" not in request.headers.get("Accept", ""):
            waiting = KeyboardForm(initial=typed, terms=form.terms)
            if match.state == Match.State.CONFIRMED:
                messages.info(request, _already(match, form.terms))
            return _keyboard_page(v, round, games, waiting, step, match)
    if form.is_valid():
        how = Claim.How.SLIP if form.cleaned_data["signed"] else Claim.How.SCOREKEEPER
        try:
            services.enter_result(by=v.actor, match=match, result=form.meant(), how=how)
        except Refused as refused:
            form.add_error(None, str(refused.message))
        except Stale:
            form.add_error(None, _("Someone has just changed this table. Check it, then enter the result again."))
        else:
            said = _("Table %(table)s: %(result)s") % {
                "table": match.table,
                "result": sentence(match.result, form.terms),
            }
            return _keyboard_answer(v, round, games, None, match, "table", f"{said}. {_differ(match)}".strip())
    wrong_field = next((name for name in form.fields if form.errors.get(name)), "score_a")
    return _keyboard_answer(v, round, games, form, match, wrong_field)


def _table_by_number(v: Visit, round: Round, games: dict[int, Match]) -> HttpResponse:
    """Lead from a table's number to its page, where the result of three or four players is entered."""
    form = TableNumberForm(v.request.POST if v.request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            match = _read_table(form.cleaned_data["table"], games, round)
        except ValidationError as wrong:
            form.add_error("table", wrong)
        else:
            return redirect("events:table", v.event.public_id, round.number, match.table)
    return v.render(
        "events/results/by_number.html",
        round=round,
        form=form,
        table=MatchTable(list(games.values()), request=v.request, order_by=v.request.GET.get("sort") or "table"),
        left=sum(game.state != Match.State.CONFIRMED for game in games.values()),
        may_enter=v.may("enter-result", round),
        status=400 if form.errors else 200,
    )


def _already(match: Match, terms: ResultTerms) -> str:
    return _("Table %(table)s already has a result: %(result)s. Correct it on the table's page.") % {
        "table": match.table,
        "result": sentence(match.result, terms),
    }


def _keyboard_answer(
    v: Visit,
    round: Round,
    games: dict[int, Match],
    form: KeyboardForm | None,
    match: Match | None,
    focus: str,
    said: str = "",
) -> HttpResponse:
    as_json = "application/json" in v.request.headers.get("Accept", "")
    if form is None:
        after = (match.table or 0) if match else 0
        if as_json:
            left = sum(game.state != Match.State.CONFIRMED for game in games.values())
            return JsonResponse({"said": said, "next": _next_table(games, after), "left": left})
        messages.success(v.request, said)
        return redirect("events:results", v.event.public_id, round.number)
    if as_json:
        errors = {("" if name == NON_FIELD_ERRORS else name): list(words) for name, words in form.errors.items()}
        return JsonResponse({"errors": errors}, status=400)
    return _keyboard_page(v, round, games, form, focus, match, 400)


def _keyboard_page(
    v: Visit,
    round: Round,
    games: dict[int, Match],
    form: KeyboardForm,
    focus: str,
    match: Match | None = None,
    status: int = 200,
) -> HttpResponse:
    if match is None:
        form.fields["table"].widget.attrs["placeholder"] = str(_next_table(games) or "")
    form.fields[focus].widget.attrs["autofocus"] = True
    table = MatchTable(
        list(games.values()), request=v.request, orderable=True, order_by=v.request.GET.get("sort") or "table"
    )
    return v.render(
        "events/results/keyboard.html",
        round=round,
        form=form,
        match=match,
        table=table,
        left=sum(game.state != Match.State.CONFIRMED for game in games.values()),
        may_enter=v.may("enter-result", round),
        tie_break=form.terms.tie_break,
        status=status,
    )


@require_safe
def open_tables(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show the open tables, disputes first, then by their time left."""
    v = visit(request, public_id)
    v.require("see-console")
    round = v.round(number)
    if round.state == Round.State.DRAFT:
        raise Http404
    prefetch_related_objects([round], "clock_runs")
    games = _games(v, round)
    waiting = [match for match in games.values() if match.state != Match.State.CONFIRMED]
    stored = clock_of(round)
    now = timezone.now()
    waiting.sort(
        key=lambda match: (
            match.state != Match.State.DISPUTED,
            clocks.read(stored, now, extra_seconds(match)).remaining,
            match.table,
        )
    )
    return v.render(
        "events/results/open.html",
        round=round,
        table=OpenMatchTable(
            waiting,
            round=round,
            stored=stored,
            may_extend=bool(v.may("extend-table", round)),
            may_decide=bool(v.may("decide-result", round)),
        ),
        waiting=len(waiting),
        disputes=sum(match.state == Match.State.DISPUTED for match in waiting),
        games=len(games),
    )


@require_POST
def score(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Score the ticked battle without reporting it; scripts get the score, others the page with it."""
    v = visit(request, public_id)
    match = v.match_at(number, table)
    if match is None:
        return _no_table(v, number, table)
    if not _plays(v, match):
        v.require("see-console")
    forces = known_forces(match)
    if request.headers.get("X-Requested-With") == "score" and forces is not None:
        found = battles.score_ticks(request.POST, forces, battle_terms(match))
        return v.render("events/forces/score.html", score=score_shown(found, match, forces))
    typed = request.POST.copy()
    if forces is not None and battles.is_ticked(typed):
        found = battles.score_ticks(typed, forces, battle_terms(match))
        terms = terms_of(match, by_judge=True)
        for key, value in battles.typed_result(found, terms.edition, terms.beside_points).items():
            typed[key] = value
    terms = terms_of(match)
    form = result_form_for(terms)(
        initial=typed.dict() | {name: typed.getlist(name) for name in ("left", "lost")}, terms=terms
    )
    return _page(v, match, form)


def _plays(v: Visit, match: Match) -> bool:
    """Return whether the visitor is a player of the match."""
    return v.entry is not None and v.entry.pk in match.entry_ids
