"""The audit logs of an event, of a venue, and outside events: read, search, download; undo an event's entries."""

from __future__ import annotations

import datetime
import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from events.actions import answer
from events.address import page_asked_for
from events.door import NeedsConfirmation, Refused, require
from events.models import AuditEntry, Event, Venue
from events.paging import paged
from events.roles import Actor
from events.services import undo as services
from events.views.access import Visit, form_reason, visit
from events.views.people_office import for_the_office
from judging.audit_changes import RowNames, changes_in_words
from judging.audit_export import log_as_csv, log_as_rows
from judging.forms_audit import AuditLogForm, OutsideEventsForm
from judging.tables import AuditLogTable

ENTRIES_ON_A_PAGE = 30
A_MINUTE = datetime.timedelta(minutes=1)
FILTERS = ("text", "who", "verb", "entry", "round", "table", "since", "until", "only")


def _asked(request: HttpRequest, v: Visit) -> tuple[AuditLogForm, QuerySet[AuditEntry], bool]:
    is_asked = any(request.GET.get(name) for name in FILTERS)
    with timezone.override(v.event.venue.zone):
        there = AuditEntry.objects.filter(event=v.event)
        form = AuditLogForm(request.GET if is_asked else None, there=there, event=v.event)
        return form, form.found(), is_asked


@require_safe
def audit_log(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show who did what, when, why, and what it changed."""
    v = visit(request, public_id)
    v.require("see-record")
    form, found, is_asked = _asked(request, v)
    may_undo = bool(v.may("undo"))
    table = AuditLogTable(found, event=v.event, undone=services.undone_by(v.event), roles=v.roles if may_undo else None)
    paged(request, table, per_page=ENTRIES_ON_A_PAGE)
    return v.render("judging/audit_log/page.html", table=table, form=form, is_asked=is_asked)


@require_safe
def log_csv(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the filtered audit log as CSV."""
    v = visit(request, public_id)
    v.require("see-record")
    _form, found, _is_asked = _asked(request, v)
    with timezone.override(v.event.venue.zone):
        return _as_file(found, "csv", public_id, v.event)


@require_safe
def log_json(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the filtered audit log as JSON, with each row before and after."""
    v = visit(request, public_id)
    v.require("see-record")
    _form, found, _is_asked = _asked(request, v)
    return _as_file(found, "json", public_id, v.event)


def _as_file(found: QuerySet[AuditEntry], kind: str, of: str, event: Event | None = None) -> HttpResponse:
    if kind == "csv":
        response = HttpResponse(log_as_csv(found, event), content_type="text/csv; charset=utf-8")
    else:
        text = json.dumps(log_as_rows(found), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="headjudge-{of}-audit-log.{kind}"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Show one audit log entry and what undoing it would change or what prevents that; undo it."""
    v = visit(request, public_id)
    v.require("see-record")
    rows = AuditEntry.objects.select_related("by_person", "by_entry", "undoes__undoes__undoes")
    row = get_object_or_404(rows, pk=pk, event=v.event)
    row.event = v.event
    if request.method == "POST":
        v.require("undo")
        services.undo(by=v.actor, entry=row, **form_reason(request))
        redone = services.is_undo(row)
        messages.success(
            request,
            _("Redone. The audit log shows each step.") if redone else _("Undone. The audit log shows both actions."),
        )
        return redirect(page_asked_for(request, reverse("judging:audit-log", args=[v.event.public_id])))
    with timezone.override(v.event.venue.zone):
        changes = changes_in_words(row, RowNames.in_entries(v.event, [row]))
        return v.render("judging/audit_log/entry.html", row=row, changes=changes, **_undoing(v, row))


def _undoing(v: Visit, row: AuditEntry) -> dict[str, Any]:
    """Return the undo part of the page: why it is impossible, who did it, what prevents it, what it changes."""
    undone = services.undone_by(v.event).get(row.pk)
    given = services.may_undo(row, v.roles, v.event)
    told: dict[str, Any] = {
        "redoes": services.is_undo(row),
        "undone": undone,
        "never": services.why_never(row),
        "may_not": "" if given else given.reason,
    }
    if told["never"] and row.verb == "give-penalty":
        told["elsewhere"] = reverse("judging:penalties", args=[v.event.public_id])
    if undone is not None or told["never"] or told["may_not"]:
        return told
    told["first"] = services.in_the_way(row)
    if told["first"]:
        return told
    try:
        services.undo(by=v.actor, entry=row)
    except NeedsConfirmation as asked:
        told |= {"consequences": asked.consequences, "needs_reason": asked.needs_reason, "can": True}
    except Refused as refused:
        told["refused"] = refused.message
    return told


# audit logs outside events: a venue's, and the administrators'


@login_required
@require_safe
def of_venue(request: HttpRequest, pk: int, kind: str = "") -> HttpResponse:
    """Show the audit log of a venue, its managers, members and halls, to its managers; `kind` makes it a file."""
    venue = get_object_or_404(Venue, pk=pk)
    require(answer("see-record", Actor.of(request).roles(venue=venue)))
    of = Q(venue=venue) | Q(subject_model="events.Venue", subject_id=pk) | Q(pk__in=_registrations(venue))
    there = AuditEntry.objects.filter(of, event=None)
    with timezone.override(venue.zone):
        return _elsewhere(request, there, kind, f"venue-{pk}", "judging/audit_log/venue.html", {"venue": venue})


def _registrations(venue: Venue) -> list[int]:
    """Return the entry of a venue's registration: it was written before the venue had a key."""
    found = AuditEntry.objects.filter(verb="register-venue", venue=None).order_by("pk")
    rows = found.values_list("pk", "changes") if venue.registered is None else found.filter(
        at__gte=venue.registered - A_MINUTE, at__lte=venue.registered + A_MINUTE
    ).values_list("pk", "changes")  # fmt: skip
    return [
        pk
        for pk, changes in rows
        if any(change["model"] == "events.Venue" and change["id"] == venue.pk for change in changes)
    ]


@for_the_office
@require_safe
def of_office(request: HttpRequest, kind: str = "") -> HttpResponse:
    """Show administrators the audit log outside events: venues, volunteers, suspensions, accounts, seasons."""
    there = AuditEntry.objects.filter(event=None)
    return _elsewhere(request, there, kind, "office", "judging/audit_log/office.html", {})


def _elsewhere(
    request: HttpRequest, there: QuerySet[AuditEntry], kind: str, of: str, template: str, told: dict[str, Any]
) -> HttpResponse:
    is_asked = any(request.GET.get(name) for name in FILTERS)
    form = OutsideEventsForm(request.GET if is_asked else None, there=there)
    found = form.found()
    if kind:
        return _as_file(found, kind, of)
    table = AuditLogTable(found, event=None)
    paged(request, table, per_page=ENTRIES_ON_A_PAGE)
    return render(request, template, told | {"table": table, "form": form, "is_asked": is_asked, "within": True})
