"""Machines paired with this one, for administrators."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from events.door import Refused
from events.roles import Actor
from events.views.people_office import for_the_office
from judging.forms_moving import MachineForm
from judging.keeping import machines as services
from judging.models import PairedMachine


@never_cache
@for_the_office
def machines(request: HttpRequest) -> HttpResponse:
    """List the paired machines and pair another one; a code made here is shown once."""
    form = MachineForm(request.POST or None)
    told: dict[str, object] = {}
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data["code"]
        try:
            machine, code = services.pair(by=Actor.of(request), name=form.cleaned_data["name"], code=typed)
        except Refused as fault:
            form.add_error("code", str(fault.message))
        else:
            if typed:
                messages.success(request, _("Paired with %(machine)s.") % {"machine": machine})
                return redirect("judging:machines")
            told, form = {"code": code, "machine": machine}, MachineForm()
    told |= {"machines": PairedMachine.objects.select_related("by"), "form": form}
    return render(request, "judging/keeping/machines.html", told, status=400 if form.errors else 200)


@require_POST
@for_the_office
def unpair(request: HttpRequest, pk: int) -> HttpResponse:
    """Unpair a machine."""
    machine = get_object_or_404(PairedMachine, pk=pk)
    services.unpair(by=Actor.of(request), machine=machine)
    messages.success(request, _("%(machine)s unpaired.") % {"machine": machine.name})
    return redirect("judging:machines")
