"""The free check: a force built or pasted outside any event, in the visitor's session."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events import building
from events.building import Bench
from events.documents import force_file, report_on
from events.forms.forces import ByHandForm, TermsForm
from events.models import Event
from events.roles import Actor
from events.services.saved_forces import entries_to_build_for, save_force
from rules.engine import BadInput, check_force

from .forces import apply_change, search_facts, wants_fragment
from .forces_bench import sections_of, verdict_of
from .forces_free import free_force, keep_free_force
from .forces_lists import ACTS as LIST_ACTS
from .forces_lists import empty_box, left_over, read_pasted


def _free_file(bench: Bench, terms: dict[str, Any]) -> dict[str, Any]:
    event = {key: terms[key] for key in ("format", "sanctioned", "date") if terms.get(key) is not None}
    event["build_total"] = terms["build_total"]
    return force_file(bench, edition=terms["edition"], terms=event)


def _free_facts(request: HttpRequest, bench: Bench, terms: dict[str, Any]) -> dict[str, Any]:
    document = _free_file(bench, terms)
    report = report_on(document, bench)
    return {
        "bench": bench,
        "is_empty": not bench["picks"],
        "verdict": verdict_of(report),
        "sections": sections_of(bench, report, reader=request),
        "has_sideline": terms["edition"] == "core-modern",
        "bench_target": reverse("events:forces-check"),
        "target": reverse("events:forces-check"),
        "free": True,
        "terms": terms,
    }


def _terms_in_words(terms: Mapping[str, Any]) -> list[str]:
    """Return the settings that a force is checked with, as the folded form shows them."""
    names = {**dict(Event.Edition.choices), **dict(Event.Format.choices)}
    total = terms["build_total"]
    points = _("no build total") if total is None else _("%(n)s points") % {"n": total}
    return [str(names[terms["edition"]]), points, str(names[terms["format"]])]


def _day(terms: dict[str, Any]) -> datetime.date | None:
    return datetime.date.fromisoformat(terms["date"]) if terms.get("date") else None


@require_http_methods(["GET", "HEAD", "POST"])
def free_check(request: HttpRequest) -> HttpResponse:
    """Build a force outside any event, or paste a list or force files, and see the report."""
    bench, terms = free_force(request)
    act = request.POST.get("act", "")
    by_hand = ByHandForm(request.POST if act == "hand" else None)
    terms_form = TermsForm(request.POST if act == "terms" else None, initial=terms)
    pasted = read_pasted(request, _day(terms)) if act in LIST_ACTS else empty_box()
    status = 200
    if request.method == "POST":
        if act == "terms" and terms_form.is_valid():
            given = terms_form.cleaned_data
            keep_free_force(request, bench, given | {"date": given["date"].isoformat() if given["date"] else None})
            return redirect("events:forces-check")
        if act == "list" or (act == "list-add" and not pasted.picks):
            status = 400 if pasted.form.errors else 200
        elif act == "terms" or (act == "hand" and not by_hand.is_valid()):
            status = 400
        else:
            if act == "hand":
                building.add(bench, by_hand.cleaned_data["section"], by_hand=by_hand.cleaned_data["facts"])
            elif act == "list-add":
                pasted.add_to(bench)
                messages.success(request, pasted.added_words())
            else:
                apply_change(bench, request, _day(terms))
            keep_free_force(request, bench, terms)
            if wants_fragment(request):
                return render(
                    request, "events/forces/bench.html", _free_facts(request, bench, terms) | {"fragment": True}
                )
            if not pasted.left:
                asked = request.POST.get("back", "")
                return redirect(reverse("events:forces-check") + (f"?{asked}#found" if asked else "#bench"))
            pasted = left_over(pasted)
    facts = _free_facts(request, bench, terms)
    facts |= search_facts(request, edition=terms["edition"], sets=[], day=_day(terms))
    if wants_fragment(request) and request.headers.get("HX-Target") == "found":
        return render(request, "events/forces/found.html", facts)
    facts |= {"by_hand": by_hand, "terms_form": terms_form, "pasted": pasted, "reports": _reports(pasted.documents)}
    facts["terms_words"] = _terms_in_words(terms)
    facts |= {"entries": entries_to_build_for(Actor.of(request))}
    return render(request, "events/forces/check.html", facts, status=status)


def _reports(documents: Sequence[Mapping[str, Any] | BadInput]) -> list[dict[str, Any]]:
    """Return the report and verdict of each pasted force file, or where and why it can't be read."""
    found: list[dict[str, Any]] = []
    for place, document in enumerate(documents, 1):
        if isinstance(document, BadInput):
            found.append({"title": _("Force %(n)d") % {"n": place}, "fault": document})
            continue
        report = check_force(dict(document))
        title = str(document.get("title") or document.get("id") or _("Force %(n)d") % {"n": place})
        found.append({"title": title, "verdict": verdict_of(report), "report": report})
    return found


@require_POST
def free_save(request: HttpRequest) -> HttpResponse:
    """Save the freely built force to My forces."""
    bench, terms = free_force(request)
    save_force(by=Actor.of(request), name=request.POST.get("name", ""), bench=bench, terms=terms)
    messages.success(request, _("Force saved."))
    return redirect("events:my-forces")


@require_safe
def free_file(request: HttpRequest) -> JsonResponse:
    """Return the freely built force as a force file."""
    bench, terms = free_force(request)
    response = JsonResponse(_free_file(bench, terms), json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="force.json"'
    return response
