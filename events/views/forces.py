"""Pages of forces: the builder, a submitted force, sealed product, the free check."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events import building
from events.building import Bench
from events.documents import bench_of_document, day_of, force_file, report_on
from events.door import Refused
from events.force_changes import force_changes
from events.force_words import marks_of
from events.forms.forces import SHOWN, ByHandForm, ElementSearchForm, ForceFileForm, TermsForm
from events.models import Entry, Force, Pool, Round
from events.policy import Product, check_product
from events.roles import JUDGES, OFFICIALS
from events.services import forces as services
from events.services.policy import excepted_checks
from rules.engine import BadInput, check_force, read_documents
from rules.queries import elements_by_code, names_of
from rules.tables import address_of, kind_words, known_points, rank_words

from .access import Visit, form_reason, visit
from .forces_bench import registered, sections_of, verdict_of

FREE_FORCE = "free_force"


def _entry(v: Visit, number: int) -> Entry:
    if v.entry is not None and v.entry.number == number:
        v.entry.event = v.event
        return v.entry
    entry = get_object_or_404(Entry.objects.select_related("person"), event=v.event, number=number)
    entry.event = v.event
    return entry


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 8 else None


def _from_round(v: Visit, entry: Entry, rounds: list[Any]) -> int:
    asked = _number(v.request.POST.get("round") or v.request.GET.get("round"))
    best = services.round_to_build_for(v.event, entry, rounds)
    if asked is None or not v.event.is_sealed:
        return best
    return max(1, entry.from_round, min(asked, best + 1))


# catalogue search


def found_rows(form: ElementSearchForm, day: datetime.date | None) -> list[dict[str, Any]]:
    """Return the elements found, as rows of the page."""
    return [
        {
            "code": row.element.code,
            "name": row.name,
            "set": row.element.set.name,
            "number": row.element.number,
            "rank": rank_words(row.document) if row.element.section == "characters" else "",
            "kind": kind_words(row.element.section, row.kind),
            "section": row.element.get_section_display(),
            "is_figure": row.element.section == "characters",
            "points": known_points(row.document),
            "marks": marks_of(row.document),
            "keywords": ", ".join((*row.document.get("keywords", ()), *row.document.get("generic_keywords", ()))),
            "teams": ", ".join(row.document.get("teams", ())),
            "address": address_of(row.element),
        }
        for row in form.found(day)
    ]


def _search(request: HttpRequest, *, edition: str, sets: list[str], day: datetime.date | None) -> dict[str, Any]:
    form = ElementSearchForm(request.GET, edition=edition, sets=sets)
    rows = found_rows(form, day)
    return {"search": form, "found": rows[:SHOWN], "more_found": len(rows) > SHOWN, "asked": request.GET.urlencode()}


def _suggestions(day: datetime.date | None) -> dict[str, list[str]]:
    return {f"{what}s": names_of(what, date=day) for what in ("keyword", "team", "power")}


def _wants_fragment(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


# builder


@require_safe
def force(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show the builder to people who may change the entry's force, and the force to those who may see it."""
    v = visit(request, public_id)
    entry = _entry(v, number)
    mine = v.entry is not None and v.entry.pk == entry.pk
    rounds = services.published_rounds(v.event)
    deadline = services.deadline_of(v.event, entry, _from_round(v, entry, rounds), rounds)
    if "view" in request.GET or not services.may_work_on(v.roles, v.event, mine=mine, locked=deadline.closed):
        return _shown(v, entry, deadline, mine=mine)
    day = day_of(v.event)
    if _wants_fragment(request) and request.headers.get("HX-Target") == "found":
        facts = _search(request, edition=v.event.edition, sets=v.event.sets, day=day)
        target = reverse("events:force-change", args=[public_id, number])
        return v.render("events/forces/found.html", target=target, **facts)
    return _builder(v, entry, rounds, mine=mine)


def _builder(
    v: Visit, entry: Entry, rounds: list[Round], *, mine: bool, by_hand: ByHandForm | None = None, status: int = 200
) -> HttpResponse:
    event = v.event
    day = day_of(event)
    facts = _bench_facts(v, entry, rounds, mine=mine)
    search = _search(v.request, edition=event.edition, sets=event.sets, day=day)
    return v.render(
        "events/forces/builder.html",
        by_hand=by_hand or ByHandForm(),
        registered=registered(facts["pool"].elements if facts["pool"] else []),
        earlier=services.earlier_forces(entry),
        next_without=None if mine or not facts["submitted"] or facts["changed"] else services.next_without_force(entry),
        suggestions=_suggestions(day),
        status=status,
        **search,
        **facts,
    )


def _bench_facts(
    v: Visit, entry: Entry, rounds: list[Round], *, mine: bool, force: Force | None = None
) -> dict[str, Any]:
    """Return everything that the bench's part of the page shows."""
    event = v.event
    from_round = force.from_round if force is not None else _from_round(v, entry, rounds)
    stored = Force.objects.filter(entry=entry).defer("report", "origins", "document")
    forces = [force] if force is not None else list(stored)
    force = force or next((one for one in forces if one.from_round == from_round), None)
    earlier = [one for one in forces if one.state == Force.State.SUBMITTED and one.from_round < from_round]
    deadline = services.deadline_of(event, entry, from_round, rounds)
    best_earlier = max(earlier, key=lambda one: one.from_round, default=None)
    bench = services.bench_of(force, best_earlier, locked=deadline.closed)
    pool = Pool.objects.filter(entry=entry).first() if event.is_sealed else None
    document = services.document_of(event, entry, bench, pool)
    report = report_on(document, bench, excepted=excepted_checks(event))
    missing = building.from_pool(bench, pool.elements if pool else ()) if event.is_sealed else set()
    submitted = force is not None and force.state == Force.State.SUBMITTED
    verb = "change-force-late" if deadline.closed else "change-force"
    return {
        "entry": entry,
        "mine": mine,
        "force": force,
        "from_round": from_round,
        "first_round": event.the_round(from_round) if event.is_sealed else "",
        "bench": bench,
        "is_empty": not bench["picks"],
        "verdict": verdict_of(report),
        "sections": sections_of(bench, report, not_in_pool=missing),
        "deadline": deadline,
        "may_submit": bool(v.may(verb)),
        "late": deadline.closed,
        "late_changes": force_changes(force, bench, document) if deadline.closed and force is not None else [],
        "submitted": submitted,
        "changed": bool(bench["changed"]) and submitted,
        "has_sideline": event.edition == "core-modern",
        "pool": pool,
        "others": [one for one in forces if one is not force],
        "bench_target": reverse("events:force-change", args=[event.public_id, entry.number]),
        "target": reverse("events:force-change", args=[event.public_id, entry.number]),
        "now": timezone.now(),
    }


def _apply(bench: Bench, request: HttpRequest, day: datetime.date | None) -> None:
    """Apply the change in a posted form to the bench."""
    posted = request.POST
    act, ref = posted.get("act", ""), posted.get("ref", "")
    if act == "add":
        code = posted.get("code", "")
        row = elements_by_code([code], date=day).get(code)
        if row is None:
            raise Refused(_("The catalogue doesn't have this item on this date. Search again."))
        building.keep_facts(bench, code, row.document, edition=row.element.set.edition)
        side = posted.get("sideline") == "yes"
        if (
            building.add(bench, row.element.section, code=code, points=_number(posted.get("points")), sideline=side)
            is None
        ):
            raise Refused(_("A force can have at most %(n)d items.") % {"n": building.MAX_PICKS})
    elif act == "remove":
        building.remove(bench, ref)
    elif act == "points":
        building.choose_points(bench, ref, _number(posted.get("points")))
    elif act == "assign":
        building.assign(bench, ref, posted.getlist("to"))
    elif act == "sideline":
        building.to_sideline(bench, ref, posted.get("there") == "yes")
    elif act == "proxy":
        building.mark(bench, ref, "proxy", posted.get("value") == "yes")
    elif act == "describe":
        building.describe(bench, name=posted.get("name", ""), maps=posted.getlist("map"))
    elif act == "undo":
        building.undo(bench)
    elif act == "clear":
        building.clear(bench)
    else:
        raise Refused(_("That change isn't possible. Reload the page and try again."))


@require_POST
def force_change(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Change the bench, one change per request; scripts get the changed part of the page, others the page."""
    v = visit(request, public_id)
    entry = _entry(v, number)
    mine = v.entry is not None and v.entry.pk == entry.pk
    day = day_of(v.event)
    rounds = services.published_rounds(v.event)
    from_round = _from_round(v, entry, rounds)
    change: Callable[[Bench], object] = lambda bench: _apply(bench, request, day)  # noqa: E731
    if request.POST.get("act") == "hand":
        form = ByHandForm(request.POST)
        if not form.is_valid():
            deadline = services.deadline_of(v.event, entry, from_round, rounds)
            if not services.may_work_on(v.roles, v.event, mine=mine, locked=deadline.closed):
                raise Refused(_("You can't change this force now."))
            return _builder(v, entry, rounds, mine=mine, by_hand=form, status=400)
        typed = form.cleaned_data
        change = lambda bench: building.add(bench, typed["section"], by_hand=typed["facts"])  # noqa: E731
    force = services.change_bench(by=v.actor, entry=entry, from_round=from_round, change=change, rounds=rounds)
    if _wants_fragment(request):
        facts = _bench_facts(v, entry, rounds, mine=mine, force=force)
        return v.render("events/forces/bench.html", fragment=True, **facts)
    return redirect(_back(v, entry, request))


def _back(v: Visit, entry: Entry, request: HttpRequest) -> str:
    asked = request.POST.get("back", "")
    return reverse("events:force", args=[v.event.public_id, entry.number]) + (f"?{asked}#found" if asked else "#bench")


@require_POST
def force_submit(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Submit the bench."""
    v = visit(request, public_id)
    entry = _entry(v, number)
    given = form_reason(request)
    services.submit_force(
        by=v.actor,
        entry=entry,
        from_round=_from_round(v, entry, services.published_rounds(v.event)),
        seen=_number(request.POST.get("seen")),
        reason=given["reason"],
        confirmed=given["confirmed"],
    )
    messages.success(request, _("Force submitted."))
    return redirect("events:force", public_id, number)


@require_POST
def force_copy(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Copy an earlier force of the same player to the bench."""
    v = visit(request, public_id)
    entry = _entry(v, number)
    source = get_object_or_404(Force.objects.select_related("entry"), public_id=request.POST.get("force", ""))
    rounds = services.published_rounds(v.event)
    _force, gone = services.copy_force(by=v.actor, entry=entry, from_round=_from_round(v, entry, rounds), source=source)
    if gone:
        messages.warning(
            request,
            _("No longer in the catalogue, copied with their old values: %(names)s") % {"names": ", ".join(gone)},
        )
    messages.success(request, _("Force copied. Check it, then submit it."))
    return redirect("events:force", public_id, number)


# submitted forces


def _shown(v: Visit, entry: Entry, deadline: services.Deadline, *, mine: bool) -> HttpResponse:
    asked = _number(v.request.GET.get("round"))
    found = Force.objects.filter(entry=entry, state=Force.State.SUBMITTED).order_by("-from_round")
    forces = list(found)
    force = next((one for one in forces if asked is None or one.from_round <= asked), None)
    if not services.may_see(v.event, force, v.roles, mine=mine):
        if v.event.forces_public and v.event.state not in ("running", "finished", "verified"):
            raise Refused(_("Forces are private until the event starts."))
        raise Refused(_("This force is private. Only its player and the judges can see it."))
    name = entry.name if mine or v.roles & OFFICIALS else entry.public_name
    facts: dict[str, Any] = {"entry": entry, "name": name, "mine": mine, "force": force}
    facts["deadline"] = deadline
    facts["others"] = [(one, v.event.the_round(one.from_round)) for one in forces] if len(forces) > 1 else []
    if force is not None:
        bench = bench_of_document(force.document, force.origins)
        facts |= {
            "sections": sections_of(bench, force.report),
            "verdict": verdict_of(force.report),
            "is_empty": not bench["picks"],
            "may_build": services.may_work_on(v.roles, v.event, mine=mine, locked=deadline.closed),
            "has_unsubmitted": mine and deadline.closed and force.work.get("changed") and not force.work.get("locked"),
        }
    return v.render("events/forces/force.html", **facts)


# sealed product


@require_http_methods(["GET", "HEAD", "POST"])
def pool(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show and register what an entry's sealed product held."""
    v = visit(request, public_id)
    entry = _entry(v, number)
    mine = v.entry is not None and v.entry.pk == entry.pk
    if not (mine or v.roles & OFFICIALS):
        raise Refused(_("Only the player and the judges can see the opened product."))
    if not v.event.is_sealed:
        raise Http404
    form = ByHandForm(request.POST if request.POST.get("act") == "hand" else None)
    if request.method == "POST" and (request.POST.get("act") != "hand" or form.is_valid()):
        services.register_pool(by=v.actor, entry=entry, **_pool_act(request, form), **form_reason(request))
        return redirect(f"{request.path}?{request.POST.get('back', '')}")
    row = Pool.objects.filter(entry=entry).first()
    day = day_of(v.event)
    facts = _search(request, edition=v.event.edition, sets=v.event.sets, day=day)
    facts |= {"target": request.path, "opening": True}
    if _wants_fragment(request) and request.headers.get("HX-Target") == "found":
        return v.render("events/forces/found.html", version=row.version if row else "", **facts)
    elements = row.elements if row is not None else []
    figures = sum(one["section"] == "characters" for one in elements)
    return v.render(
        "events/forces/pool.html",
        entry=entry,
        mine=mine,
        pool=row,
        version=row.version if row else "",
        elements=registered(elements),
        odd=check_product(Product(day, v.event.format, figures)),
        why_not=services.pool_is_open(v.event, entry),
        may_change_late=bool(v.roles & JUDGES and v.may("change-pool-late")),
        by_hand=form,
        suggestions=_suggestions(day),
        **facts,
    )


def _pool_act(request: HttpRequest, form: ByHandForm) -> dict[str, Any]:
    act = request.POST.get("act")
    if act == "add":
        return {"add": [(request.POST.get("code", ""), None)]}
    if act == "hand":
        return {"add": [(None, form.cleaned_data["facts"])]}
    if act == "remove":
        return {"remove": _number(request.POST.get("place"))}
    if act == "replaced":
        missing = request.POST.get("missing", "").strip()[:200]
        if not missing:
            raise Refused(_("Enter what was missing from the product."))
        return {"replaced": {"product": request.POST.get("product", "").strip()[:80], "missing": missing}}
    raise Refused(_("That change isn't possible. Reload the page and try again."))


# the free check, outside any event


def _free(request: HttpRequest) -> tuple[Bench, dict[str, Any]]:
    kept = request.session.get(FREE_FORCE) or {}
    terms = {"edition": "core-2014", "build_total": 300, "format": "constructed", "sanctioned": True, "date": None}
    return building.whole(kept.get("bench")), {**terms, **kept.get("terms", {})}


def _keep_free(request: HttpRequest, bench: Bench, terms: dict[str, Any]) -> None:
    building.tidy(bench)
    request.session[FREE_FORCE] = {"bench": bench, "terms": terms}


def _free_file(bench: Bench, terms: dict[str, Any]) -> dict[str, Any]:
    event = {key: terms[key] for key in ("build_total", "format", "sanctioned", "date") if terms.get(key) is not None}
    return force_file(bench, edition=terms["edition"], terms=event)


def _free_facts(bench: Bench, terms: dict[str, Any]) -> dict[str, Any]:
    document = _free_file(bench, terms)
    report = report_on(document, bench)
    return {
        "bench": bench,
        "is_empty": not bench["picks"],
        "verdict": verdict_of(report),
        "sections": sections_of(bench, report),
        "has_sideline": terms["edition"] == "core-modern",
        "bench_target": reverse("events:forces-check"),
        "target": reverse("events:forces-check"),
        "free": True,
        "terms": terms,
    }


def _day(terms: dict[str, Any]) -> datetime.date | None:
    return datetime.date.fromisoformat(terms["date"]) if terms.get("date") else None


@require_http_methods(["GET", "HEAD", "POST"])
def free_check(request: HttpRequest) -> HttpResponse:
    """Build a force outside any event, or paste a force file, and see its report."""
    bench, terms = _free(request)
    day = _day(terms)
    act = request.POST.get("act", "")
    by_hand = ByHandForm(request.POST if act == "hand" else None)
    terms_form = TermsForm(request.POST if act == "terms" else None, initial=terms)
    pasted = ForceFileForm(request.POST if act == "paste" else None)
    status, reports = 200, []
    if request.method == "POST":
        if act == "terms":
            if terms_form.is_valid():
                given = terms_form.cleaned_data
                terms = given | {"date": given["date"].isoformat() if given["date"] else None}
                _keep_free(request, bench, terms)
                return redirect("events:forces-check")
            status = 400
        elif act == "paste":
            reports = _reports(pasted.cleaned_data["text"]) if pasted.is_valid() else []
            status = 200 if pasted.is_valid() else 400
        elif act == "hand" and not by_hand.is_valid():
            status = 400
        else:
            if act == "hand":
                building.add(bench, by_hand.cleaned_data["section"], by_hand=by_hand.cleaned_data["facts"])
            else:
                _apply(bench, request, day)
            _keep_free(request, bench, terms)
            if _wants_fragment(request):
                return render(request, "events/forces/bench.html", _free_facts(bench, terms) | {"fragment": True})
            asked = request.POST.get("back", "")
            return redirect(reverse("events:forces-check") + (f"?{asked}#found" if asked else "#bench"))
    search = _search(request, edition=terms["edition"], sets=[], day=day)
    facts = _free_facts(bench, terms) | search
    if _wants_fragment(request) and request.headers.get("HX-Target") == "found":
        return render(request, "events/forces/found.html", facts)
    facts |= {"by_hand": by_hand, "terms_form": terms_form, "pasted": pasted, "reports": reports}
    facts |= {"suggestions": _suggestions(day)}
    return render(request, "events/forces/check.html", facts, status=status)


def _reports(text: str) -> list[dict[str, Any]]:
    """Return the report and verdict of each pasted document, or where and why it can't be read."""
    found: list[dict[str, Any]] = []
    for place, document in enumerate(read_documents(text), 1):
        if place > 200:
            break
        try:
            if isinstance(document, BadInput):
                raise document
            report = check_force(document)
            title = str(document.get("title") or document.get("id") or _("Force %(n)d") % {"n": place})
            found.append({"title": title, "verdict": verdict_of(report), "report": report})
        except BadInput as fault:
            found.append({"title": _("Force %(n)d") % {"n": place}, "fault": fault})
    return found


@require_safe
def free_file(request: HttpRequest) -> JsonResponse:
    """Return the freely built force as a force file."""
    bench, terms = _free(request)
    response = JsonResponse(_free_file(bench, terms), json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="force.json"'
    return response


@require_safe
def force_json(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return a submitted force as its force file."""
    v = visit(request, public_id)
    entry = _entry(v, number)
    mine = v.entry is not None and v.entry.pk == entry.pk
    found = Force.objects.filter(entry=entry, state=Force.State.SUBMITTED).order_by("-from_round").first()
    if not services.may_see(v.event, found, v.roles, mine=mine):
        raise Refused(_("This force is private. Only its player and the judges can see it."))
    if found is None:
        raise Http404
    text = json.dumps(found.document, indent=1, ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="force-{public_id}-{number}.json"'
    return response
