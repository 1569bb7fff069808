"""The record of an event, to read and to search."""

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django_tables2 import LazyPaginator, RequestConfig

from events.models import RecordEntry
from events.views.access import visit
from judging.tables import RecordTable


@require_safe
def record(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show who did what, when, why, and what it changed."""
    seen = visit(request, public_id)
    seen.require("see-record")
    found = RecordEntry.objects.filter(event=seen.event).select_related("by_person", "by_entry")
    text = request.GET.get("text", "").strip()
    if text:
        found = found.filter(
            Q(summary__icontains=text) | Q(reason__icontains=text) | Q(by_person__name__icontains=text)
        )
    if request.GET.get("only") == "non-standard":
        found = found.filter(is_non_standard=True)
    table = RecordTable(found)
    RequestConfig(request, paginate={"paginator_class": LazyPaginator, "per_page": 50}).configure(table)
    return seen.render("judging/record/page.html", table=table, text=text, only=request.GET.get("only", ""))
