"""Pages of verification: the queue of forces, a check figure by figure on a phone, and rechecks."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_tables2 import RequestConfig

from events.documents import bench_of_document
from events.door import Refused
from events.force_words import marks_of, names_in, unchecked_words
from events.models import Entry, Event, Force, Match, Round
from events.views.access import Visit, form_reason, form_version, must_sign_in, visit
from events.views.forces_bench import cited, sections_of, verdict_of
from judging.models import ForceCheck
from judging.services import rechecks
from judging.services import verification as services
from judging.tables_forces import QueueTable, WaitingForce
from rules.labels import labelled

HERE = (Entry.State.ENTERED, Entry.State.CHECKED_IN)
NOT_HANDED_IN, ILLEGAL, UNKNOWN, LATE, OPEN, UNSEEN, FAILED, PASSED = 3, 0, 1, 2, 4, 5, 6, 7


class RemedyForm(forms.Form):
    """The end of a failed check: a remedy and a note."""

    remedy = forms.ChoiceField(
        label=gettext_lazy("Remedy"),
        choices=[
            (ForceCheck.Remedy.REPLACED, gettext_lazy("Replace the figure now")),
            (ForceCheck.Remedy.ROUND, gettext_lazy("Disqualify from this round; replace the figure before the next")),
            (ForceCheck.Remedy.EVENT, gettext_lazy("Disqualify from the event")),
            (ForceCheck.Remedy.NONE, gettext_lazy("None needed")),
        ],
        widget=forms.RadioSelect,
    )
    note = forms.CharField(
        label=gettext_lazy("Problem found"), max_length=400, widget=forms.Textarea(attrs={"rows": 2})
    )
    opponents_points = forms.IntegerField(
        label=gettext_lazy("Victory points for the opponent"),
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text=gettext_lazy(
            "These points count only for a disqualification from the round. Headjudge suggests the "
            "victory points for a bye."
        ),
    )


def _counting(event: Event, number: int) -> dict[int, Force]:
    found = Force.objects.filter(entry__event=event, from_round__lte=number, state=Force.State.SUBMITTED)
    return {force.entry_id: force for force in found.defer("work", "origins").order_by("from_round")}


def _marked(force: Force) -> list[str]:
    """Return the force's proxies and Promotional figures, each with its marks."""
    inside = force.document.get("force", {})
    figures = [*inside.get("characters", ()), *inside.get("sideline", ())]
    return [labelled(one["name"], f"{', '.join(marks)}.") for one in figures if (marks := marks_of(one))]


def _why(force: Force | None) -> str:
    if force is None:
        return ""
    faults = [one["message"] for one in force.report.get("violations", ())]
    faults = faults or [unchecked_words(one, names_in(force.document)) for one in force.report.get("unchecked", ())]
    parts = faults[:2] + ([_("and %(n)d more") % {"n": len(faults) - 2}] if len(faults) > 2 else [])
    parts += _marked(force)
    if force.changed_after_deadline:
        parts.append(_("changed after the deadline"))
    return " ".join(parts)


def _urgency(force: Force | None, check: ForceCheck | None) -> int:
    if force is None:
        return NOT_HANDED_IN
    if check is not None and check.outcome == ForceCheck.Outcome.PASSED:
        return PASSED
    if check is not None and check.outcome == ForceCheck.Outcome.FAILED:
        return ILLEGAL if check.remedy == ForceCheck.Remedy.REPLACED else FAILED
    if force.standing == Force.Standing.NOT_LEGAL:
        return ILLEGAL
    if force.standing == Force.Standing.CANNOT_TELL:
        return UNKNOWN
    if force.changed_after_deadline:
        return LATE
    return OPEN if check is not None else UNSEEN


def waiting_forces(event: Event) -> list[WaitingForce]:
    """Return an event's queue: active entries with the force that counts and its check. Four queries."""
    current = event.rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
    number = current.number if current is not None else 1
    forces = _counting(event, number)
    checks: dict[int, ForceCheck] = {}
    for check in ForceCheck.objects.filter(force__entry__event=event).order_by("pk"):
        checks[check.force_id] = check
    tables: dict[int, int | None] = {}
    if current is not None:
        for match in Match.objects.filter(round=current):
            tables |= dict.fromkeys(match.entry_ids, match.table)
    found = []
    for entry in event.entries.filter(state__in=HERE).order_by("number"):
        force = forces.get(entry.pk)
        made = checks.get(force.pk) if force is not None else None
        if made is not None and force is not None and force.submitted_at and made.began < force.submitted_at:
            made = None
        found.append(
            WaitingForce(
                entry,
                force,
                made,
                tables.get(entry.pk),
                _why(force),
                _urgency(force, made),
                reverse("judging:force-check", args=[event.public_id, entry.number]),
            )
        )
    return sorted(found, key=lambda one: (one.urgency, one.table or 10_000, one.entry.number))


@require_safe
def queue(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show an event's forces, the most urgent first."""
    v = visit(request, public_id)
    v.require("check-forces")
    waiting = waiting_forces(v.event)
    table = QueueTable(waiting)
    RequestConfig(request, paginate=False).configure(table)
    red = [one for one in waiting if one.urgency < OPEN]
    done = sum(one.urgency == PASSED for one in waiting)
    return v.render(
        "judging/verification/queue.html",
        table=table,
        red=len(red),
        done=done,
        count=len(waiting),
        first=next(iter(waiting), None),
    )


def _force(v: Visit, number: int) -> tuple[Entry, Force | None]:
    entry = get_object_or_404(Entry.objects.select_related("person"), event=v.event, number=number)
    entry.event = v.event
    asked = v.request.GET.get("round") or v.request.POST.get("round") or ""
    last = int(asked) if asked.isdecimal() and len(asked) < 4 else None
    if last is None:
        current = v.event.rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
        last = max(current.number if current is not None else 1, entry.from_round)
    found = Force.objects.filter(entry=entry, from_round__lte=last, state=Force.State.SUBMITTED)
    force = found.order_by("-from_round").first()
    if force is not None:
        force.entry = entry
    return entry, force


def _found(request: HttpRequest) -> dict[str, Any]:
    """Return the findings in a posted form."""
    posted = request.POST
    found: dict[str, Any] = {}
    if posted.get("dial_number", "").strip():
        found["dial_number"] = posted["dial_number"].strip()[:20]
    for flag in ("proxy", "promotional"):
        if posted.get(flag) == "yes":
            found[flag] = True
    if posted.get("not_sealed") == "yes":
        found["from_sealed_product"] = False
    return found


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Check a force figure by figure; each tick is a request, answered with the page or a part of it."""
    v = visit(request, public_id)
    v.require("check-forces")
    entry, force = _force(v, number)
    form = RemedyForm(request.POST if request.POST.get("act") == "fail" else None, initial=_remedy(v.event))
    status = 200
    if request.method == "POST":
        if force is None:
            raise Refused(_("No force has been submitted for this entry."))
        act = request.POST.get("act")
        if act in ("look", "unlook"):
            services.mark_seen(
                by=v.actor,
                force=force,
                ref=request.POST.get("ref", ""),
                seen=act == "look",
                found=_found(request),
                note=request.POST.get("note", ""),
            )
            if request.headers.get("HX-Request") == "true":
                return v.render("judging/verification/checking.html", **_facts(v, entry, force, form))
            return redirect(f"{request.path}#el-{request.POST.get('ref', '')}")
        if act == "pass":
            services.finish_check(
                by=v.actor,
                force=force,
                passed=True,
                note=request.POST.get("note", ""),
                version=form_version(request),
            )
            messages.success(request, _("%(name)s's force passed.") % {"name": entry.name})
            return redirect("judging:forces", public_id)
        if act == "again":
            last = services.last_check(force)
            if last is not None:
                last.force = force
                services.reopen_check(by=v.actor, check=last)
            return redirect(request.path)
        if act == "fail":
            if form.is_valid():
                return _failed(v, entry, force, form)
            status = 400
    return v.render("judging/verification/check.html", status=status, **_facts(v, entry, force, form))


def _failed(v: Visit, entry: Entry, force: Force, form: RemedyForm) -> HttpResponse:
    given = form.cleaned_data
    confirmed = form_reason(v.request)["confirmed"]
    services.finish_check(
        by=v.actor,
        force=force,
        passed=False,
        remedy=given["remedy"],
        note=given["note"],
        opponents_points=given["opponents_points"] or 0,
        reason=given["note"],
        confirmed=confirmed,
        version=form_version(v.request),
    )
    if given["remedy"] == ForceCheck.Remedy.REPLACED:
        messages.success(
            v.request, _("Verification recorded. When the figure has been replaced, update the force here.")
        )
        return redirect("events:force", v.event.public_id, entry.number)
    messages.success(
        v.request,
        _("Verification recorded. Remedy: %(remedy)s.") % {"remedy": ForceCheck.Remedy(given["remedy"]).label},
    )
    return redirect("judging:forces", v.event.public_id)


def _remedy(event: Event) -> dict[str, Any]:
    return {"opponents_points": event.bye_points}


def _facts(v: Visit, entry: Entry, force: Force | None, form: RemedyForm) -> dict[str, Any]:
    if force is None:
        return {"entry": entry, "force": None, "form": form}
    made = services.last_check(force)
    findings = {one["ref"]: one for one in made.findings} if made is not None else {}
    sections = sections_of(bench_of_document(force.document, force.origins), force.report, reader=v.request)
    rows = [(key, title, [(line, findings.get(line.ref)) for line in lines]) for key, title, lines in sections]
    refs = [line.ref for _key, _title, lines in rows for line, _finding in lines]
    seen = sum(ref in findings for ref in refs)
    next_ref = next((ref for ref in refs if ref not in findings), None)
    return {
        "entry": entry,
        "force": force,
        "check": made,
        "sections": rows,
        "verdict": verdict_of(force.report),
        "seen": seen,
        "count": len(refs),
        "next_ref": next_ref,
        "form": form,
        "is_open": made is None or made.outcome == ForceCheck.Outcome.OPEN,
        "match": services.match_of_now(entry),
        "history": list(force.checks.select_related("judge").exclude(pk=made.pk if made else 0)[:5]),
        "is_head": bool(v.may("disqualify-entry")),
    }


# rechecks


class SeasonDaysForm(forms.Form):
    """The days between which a season's events started."""

    since = forms.DateField(
        label=gettext_lazy("Events from"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=gettext_lazy("until"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


def _rows(found: list[rechecks.Recheck]) -> list[dict[str, Any]]:
    return [
        {
            "found": one,
            "force": one.force,
            "standing": one.standing,
            "words": Force.Standing(one.standing).label,
            "new": [(fault["message"], cited(fault["citations"])) for fault in one.new],
            "gone": [fault["message"] for fault in one.gone],
            "facts": one.facts,
        }
        for one in sorted(found, key=lambda one: (not one.became_illegal, one.force.entry.number))
    ]


@require_safe
def recheck(request: HttpRequest, public_id: str) -> HttpResponse:
    """Check an event's forces again: what would change now, and why."""
    v = visit(request, public_id)
    v.require("check-forces")
    everything = list(rechecks.recheck(rechecks.forces_to_recheck(event=v.event)))
    changed = [one for one in everything if one.is_changed]
    return v.render(
        "judging/verification/recheck.html",
        rows=_rows(changed),
        count=len(everything),
        illegal=sum(one.became_illegal for one in changed),
        may_take_over=bool(v.may("change-force-late")),
    )


@require_POST
def take_over(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Adopt the present facts and report for one force, with a reason."""
    v = visit(request, public_id)
    entry, force = _force(v, number)
    if force is None:
        raise Http404
    found = next(iter(rechecks.recheck([force])))
    given = form_reason(request)
    rechecks.take_over(
        by=v.actor, found=found, reason=given["reason"], confirmed=given["confirmed"], version=given["version"]
    )
    messages.success(request, _("%(name)s's force updated to the current catalogue.") % {"name": entry.name})
    return redirect("judging:forces-recheck", public_id)


@require_safe
def season(request: HttpRequest) -> HttpResponse:
    """Check the forces of a whole season again, for the sanctioning office."""
    away = must_sign_in(request)
    if away is not None:
        return away
    if not getattr(request.user, "is_office", False):
        raise Refused(
            _(
                "Only the sanctioning office can recheck a season's forces. Judges recheck their own event's forces on its Forces page."
            )
        )
    today = timezone.localdate()
    form = SeasonDaysForm(request.GET or None, initial={"since": today - datetime.timedelta(days=180), "until": today})
    found: list[rechecks.Recheck] = []
    count = 0
    if form.is_bound and form.is_valid():
        forces = rechecks.forces_to_recheck(since=form.cleaned_data["since"], until=form.cleaned_data["until"])
        for one in rechecks.recheck(forces.iterator(chunk_size=200)):
            count += 1
            if one.is_changed:
                found.append(one)
    return render(
        request,
        "judging/verification/season.html",
        {"form": form, "rows": _rows(found), "count": count, "illegal": sum(one.became_illegal for one in found)},
    )
