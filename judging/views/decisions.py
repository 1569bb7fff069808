"""Decisions: one with its appeal and final answer, and an event's list; `judging.views.ruling` records them."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from events.door import Refused
from events.models import Role
from events.views.access import Visit, form_reason, form_version, visit
from events.views.forces_bench import cited
from events.views.pdf_response import pdf_response
from events.views.people_office import listed
from judging import precedents
from judging.forms_decisions import AppealForm, FinalForm
from judging.models import Decision
from judging.pdf.decision import decision_pdf
from judging.readings import topic_title
from judging.services import calls, disputes
from judging.services import decisions as services
from judging.services.decisions import said
from judging.tables_decisions import DecisionFilter, DecisionTable
from judging.views.ruling import precedents_shown, show_faults
from rules.engine import ruling
from rules.views.rulebook import show_rulings


@require_safe
def event_rulings(request: HttpRequest, public_id: str) -> HttpResponse:
    """List the event's decisions; those under appeal come first."""
    v = visit(request, public_id)
    v.require("see-decisions")
    rows = services.decisions().filter(event=v.event).order_by("-pk")
    appealed = list(rows.filter(state=Decision.State.APPEALED).order_by("appealed_at")[:10])
    facts = listed(request, rows, DecisionFilter, DecisionTable)
    return v.render(
        "judging/rulings/list.html",
        appealed=appealed,
        may_rule=bool(v.may("record-decision")),
        **facts,
    )


# one decision


def _decision(v: Visit, number: int) -> Decision:
    found = get_object_or_404(services.decisions(), event=v.event, number=number)
    found.event = v.event
    if found.match is not None:
        found.match.round.event = v.event
    if not v.may("see-decisions") and not services.concerns(found, v.entry):
        raise Http404
    return found


@require_safe
def event_ruling(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a decision: ruling and reasons, the engine's answer beside it, the appeal, the final answer."""
    v = visit(request, public_id)
    return _page(v, _decision(v, number))


@require_safe
def on_paper(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return a decision as a PDF (`?paper=letter` for Letter), to anyone who may read it."""
    v = visit(request, public_id)
    found = _decision(v, number)
    address = request.build_absolute_uri(reverse("judging:ruling", args=[public_id, number]))
    size = "letter" if request.GET.get("paper") == "letter" else "a4"
    return pdf_response(decision_pdf(found, address=address, size=size), f"headjudge-{public_id}-ruling-{number}")


def _page(
    v: Visit, found: Decision, appeal: AppealForm | None = None, final: FinalForm | None = None, status: int = 200
) -> HttpResponse:
    round_ = found.match.round if found.match is not None else None
    mine = v.actor.person is not None and found.ruled_by_id == v.actor.person.pk
    is_head = Role.HEAD_JUDGE in v.roles
    working = bool(v.may("see-decisions"))
    alike = (
        precedents.similar(v.event, found.topics, found.question_key, found.position_key, but=found.pk)
        if working
        else []
    )
    text = found.text_that_counts
    against = [one for one in alike if one.contradicts(found.counts, text, found.reading)]
    saved = disputes.saved_at(found.dispute_key)
    appealed = found.state == Decision.State.APPEALED
    my_appeal = appealed and (
        (v.entry is not None and found.appealed_by_entry_id == v.entry.pk)
        or (v.actor.person is not None and found.appealed_by_id == v.actor.person.pk)
    )
    may_withdraw = (
        found.state != Decision.State.WITHDRAWN
        and bool(v.may("take-decision-back", round_))
        and (is_head or (mine and found.state == Decision.State.STANDS))
    )
    return v.render(
        "judging/rulings/ruling.html",
        decision=found,
        match=found.match,
        round=round_,
        answer_now=said(found.counts, text),
        answer_then=said(found.answer, found.text),
        reading_words=found.get_reading_display() if found.reading else "",
        citations=cited(found.citations),
        rulings=show_rulings(one for name in found.rulings if (one := ruling(found.edition, name)) is not None),
        topics=[(name, topic_title(name)) for name in found.topics],
        steps=[step for step in (found.outcome or {}).get("steps", ()) if step.get("text")],
        saved=saved,
        found=precedents_shown(alike),
        contradictions=precedents_shown(against) if working else [],
        working=working,
        appealed=appealed,
        may_appeal=bool(v.may("appeal-decision", round_)) and services.may_appeal(found, v.actor),
        may_withdraw_appeal=appealed and bool(v.may("withdraw-appeal", round_)) and (my_appeal or is_head),
        may_answer=(appealed or (found.state == Decision.State.STANDS and not mine))
        and bool(v.may("answer-appeal", round_)),
        may_reopen=found.is_final and bool(v.may("reopen-appeal", round_)),
        may_withdraw=may_withdraw,
        may_rule=bool(v.may("record-decision", round_)),
        appeal_form=appeal or AppealForm(),
        final_form=final or FinalForm(decision=found, initial={"minutes": _minutes_lost(found)}),
        replaced_by=list(found.replaced_by.order_by("pk")[:3]),
        status=status,
    )


def _minutes_lost(found: Decision) -> int:
    """Return the minutes of extension to propose for the time since the appeal."""
    if found.match is None or found.appealed_at is None:
        return 0
    runs = found.match.round.clock_runs.all()
    return calls.in_minutes(calls.played_seconds(found.appealed_at, timezone.now(), runs))


@require_POST
def appeal(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Appeal to the head judge."""
    v = visit(request, public_id)
    found = _decision(v, number)
    form = AppealForm(request.POST)
    if not form.is_valid():
        return _page(v, found, appeal=form, status=400)
    services.appeal_decision(by=v.actor, decision=found, why=form.cleaned_data["appeal"], version=form_version(request))
    messages.success(request, _("The head judge has been notified."))
    return redirect("judging:ruling", public_id, number)


@require_POST
def answer(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Give the final answer: uphold or overturn."""
    v = visit(request, public_id)
    found = _decision(v, number)
    v.require("answer-appeal", found.match.round if found.match is not None else None)
    form = FinalForm(request.POST, decision=found)
    upheld = request.POST.get("act") == "uphold"
    if request.POST.get("act") not in ("uphold", "overturn"):
        raise Refused(_("Choose whether to uphold or overturn the ruling."))
    if form.is_valid():
        given = form.cleaned_data
        try:
            services.answer_appeal(
                by=v.actor,
                decision=found,
                upheld=upheld,
                reasons=given["final_reasons"],
                answer=given["final_answer"],
                text=given["final_text"],
                minutes=given.get("minutes") or 0,
                version=form_version(request),
            )
        except ValidationError as faults:
            show_faults(form, faults)
        else:
            messages.success(request, _("Final ruling recorded."))
            return redirect("judging:ruling", public_id, number)
    return _page(v, found, final=form, status=400)


@require_POST
def act(request: HttpRequest, public_id: str, number: int, verb: str) -> HttpResponse:
    """Withdraw an appeal, a final answer or the decision itself."""
    v = visit(request, public_id)
    found = _decision(v, number)
    given = form_reason(request)
    if verb == "withdraw-appeal":
        services.withdraw_appeal(by=v.actor, decision=found, version=given["version"])
        messages.success(request, _("Appeal withdrawn."))
    elif verb == "reopen":
        services.reopen_appeal(by=v.actor, decision=found, **given)
        messages.success(request, _("Final ruling withdrawn. The appeal is open again."))
    else:
        services.withdraw_decision(by=v.actor, decision=found, **given)
        messages.success(request, _("Ruling withdrawn."))
    return redirect("judging:ruling", public_id, number)


# disputes of a table


@require_POST
def dispute(request: HttpRequest, public_id: str, number: int, table: int) -> HttpResponse:
    """Set up a table's position and open its steps; name the figures without a known dial."""
    v = visit(request, public_id)
    match = v.match(number, table)
    match.round.event = v.event
    opened = disputes.open_dispute(by=v.actor, match=match)
    if opened.unknown:
        messages.warning(
            request,
            _("The catalogue has no dial for %(names)s. Enter the values on the board.")
            % {"names": ", ".join(opened.unknown)},
        )
    return redirect(opened.saved.judging_address())


@require_safe
def position(request: HttpRequest, public_id: str, key: str) -> HttpResponse:
    """Open a table's position: judges may edit it, others read it."""
    v = visit(request, public_id)
    v.require("see-decisions")
    noted, saved = services.dispute_of(key, v.event), disputes.saved_at(key)
    if noted is None or saved is None:
        raise Http404
    works = bool(v.may("open-dispute", noted.match.round))
    return redirect(saved.judging_address() if works else saved.reading_address())
