"""Penalties of an event: give one, see all, take one back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_tables2 import RequestConfig

from events.models import Round
from events.views.access import form_reason, visit
from judging.forms import PenaltyForm
from judging.models import Penalty
from judging.services import penalties as services
from judging.tables import PenaltyTable


def penalties(request: HttpRequest, public_id: str) -> HttpResponse:
    """List the event's penalties and give a new one."""
    seen = visit(request, public_id)
    seen.require("see-console")
    current = seen.event.rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
    first = {"round": current, "entry": request.GET.get("entry"), "kind": Penalty.Kind.WARNING}
    form = PenaltyForm(request.POST or None, event=seen.event, initial=first)
    if request.method == "POST" and form.is_valid():
        given = services.give_penalty(by=seen.actor, **form.cleaned_data, **form_reason(request) | {"version": None})
        messages.success(
            request, _("%(penalty)s given to %(name)s.") % {"penalty": given.get_kind_display(), "name": given.entry}
        )
        return redirect("judging:penalties", public_id)
    table = PenaltyTable(Penalty.objects.filter(entry__event=seen.event).select_related("entry", "round", "given_by"))
    RequestConfig(request, paginate=False).configure(table)
    return seen.render("judging/penalties/page.html", form=form, table=table, status=400 if form.errors else 200)


@require_POST
def take_back(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Take a penalty back."""
    seen = visit(request, public_id)
    penalty = get_object_or_404(Penalty.objects.select_related("entry__event"), pk=pk, entry__event=seen.event)
    services.withdraw_penalty(by=seen.actor, penalty=penalty, **form_reason(request))
    messages.success(request, _("The penalty is taken back; the report says so."))
    return redirect("judging:penalties", public_id)
