"""The record of an event: to read, to search, to take along, and to undo what was done."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from events.door import NeedsConfirmation, Refused
from events.models import RecordEntry
from events.paging import paged
from events.services import undo as services
from events.views.access import Visit, form_reason, visit
from judging.forms_record import RecordForm
from judging.record_export import record_as_csv, record_as_rows
from judging.record_words import Names, changes_in_words
from judging.tables import RecordTable

FILTERS = ("text", "who", "verb", "entry", "round", "table", "since", "until", "only")


def _asked(request: HttpRequest, v: Visit) -> tuple[RecordForm, QuerySet[RecordEntry], bool]:
    is_asked = any(request.GET.get(name) for name in FILTERS)
    with timezone.override(v.event.venue.zone):
        form = RecordForm(request.GET if is_asked else None, event=v.event)
        return form, form.found(), is_asked


@require_safe
def record(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show who did what, when, why, and what it changed."""
    v = visit(request, public_id)
    v.require("see-record")
    form, found, is_asked = _asked(request, v)
    may_undo = bool(v.may("undo"))
    table = RecordTable(found, event=v.event, undone=services.undone_by(v.event), roles=v.roles if may_undo else None)
    paged(request, table)
    return v.render("judging/record/page.html", table=table, form=form, is_asked=is_asked)


@require_safe
def record_csv(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give the record, as filtered, as CSV."""
    v = visit(request, public_id)
    v.require("see-record")
    _form, found, _is_asked = _asked(request, v)
    with timezone.override(v.event.venue.zone):
        response = HttpResponse(record_as_csv(found), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="headjudge-{public_id}-record.csv"'
    return response


@require_safe
def record_json(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give the record, as filtered, as JSON, each row before and after."""
    v = visit(request, public_id)
    v.require("see-record")
    _form, found, _is_asked = _asked(request, v)
    text = json.dumps(record_as_rows(found), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="headjudge-{public_id}-record.json"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Show one entry of the record, what undoing it would change or what stands in the way; undo it."""
    v = visit(request, public_id)
    v.require("see-record")
    rows = RecordEntry.objects.select_related("by_person", "by_entry", "undoes__undoes__undoes")
    row = get_object_or_404(rows, pk=pk, event=v.event)
    row.event = v.event
    if request.method == "POST":
        v.require("undo")
        services.undo(by=v.actor, entry=row, **form_reason(request))
        messages.success(request, _("Undone. Both acts stand in the record."))
        return redirect(_back(request, v))
    with timezone.override(v.event.venue.zone):
        changes = changes_in_words(row, Names.in_entries(v.event, [row]))
        return v.render("judging/record/entry.html", row=row, changes=changes, **_undoing(v, row))


def _back(request: HttpRequest, v: Visit) -> str:
    return reverse("judging:record", args=[v.event.public_id])


def _undoing(v: Visit, row: RecordEntry) -> dict[str, Any]:
    """Return what the page says about undoing: why never, who undid it, what stands in the way, what it changes."""
    undone = services.undone_by(v.event).get(row.pk)
    given = services.may_undo(row, v.roles, v.event)
    told: dict[str, Any] = {
        "undone": undone,
        "never": services.why_never(row),
        "may_not": "" if given else given.reason,
    }
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
