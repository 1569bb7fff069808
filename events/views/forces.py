"""Pages of forces: the builder, a submitted force, sealed product."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events import building
from events.building import Bench
from events.documents import bench_of_document, day_of, event_terms, report_on
from events.door import Refused
from events.force_changes import force_changes
from events.force_words import marks_of
from events.forms.forces import SHOWN, ByHandForm, ElementSearchForm
from events.models import Entry, Force, Pool, Round, SavedForce
from events.policy import Product, check_product
from events.roles import JUDGES, OFFICIALS
from events.services import forces as services
from events.services.policy import excepted_checks
from events.services.saved_forces import save_force, saved_forces, use_saved_force
from rules.finding import sets_last_used, use_set
from rules.models import Facts
from rules.queries import elements_by_code
from rules.tables import address_of, kind_words, known_points, rank_words

from .access import Visit, form_reason, visit
from .forces_bench import registered, sections_of, verdict_of
from .forces_free import free_force
from .forces_lists import ACTS as LIST_ACTS
from .forces_lists import PastedForce, empty_box, left_over, read_pasted


def _entry(v: Visit, number: int) -> Entry:
    if v.entry is not None and v.entry.number == number:
        v.entry.event = v.event
        return v.entry
    entry = get_object_or_404(Entry.objects.select_related("person"), event=v.event, number=number)
    entry.event = v.event
    return entry


def whole_number(text: str | None) -> int | None:
    """Return the whole number that a form's field holds, or None."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 8 else None


def _from_round(v: Visit, entry: Entry, rounds: list[Any]) -> int:
    asked = whole_number(v.request.POST.get("round") or v.request.GET.get("round"))
    best = services.round_to_build_for(v.event, entry, rounds)
    if asked is None or not v.event.is_sealed:
        return best
    return max(1, entry.from_round, min(asked, best + 1))


# catalogue search


def found_rows(found: Iterable[Facts]) -> list[dict[str, Any]]:
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
        for row in found
    ]


def search_facts(request: HttpRequest, *, edition: str, sets: list[str], day: datetime.date | None) -> dict[str, Any]:
    """Return what the page of a catalogue search shows."""
    form, tab = ElementSearchForm(request.GET, edition=edition, sets=sets), request.GET.get("tab", "")
    results = form.results(day, tab, lambda: sets_last_used(request.session))
    return {
        "search": form,
        "results": results,
        "found": found_rows(results.rows[:SHOWN]),
        "more_found": results.count > SHOWN,
        "asked": request.GET.urlencode(),
        "chosen_tab": tab,
        "search_at": request.path,
    }


def wants_fragment(request: HttpRequest) -> bool:
    """Return whether a script asks for a part of the page."""
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
    if wants_fragment(request) and request.headers.get("HX-Target") == "found":
        facts = search_facts(request, edition=v.event.edition, sets=v.event.sets, day=day)
        target = reverse("events:force-change", args=[public_id, number])
        return v.render("events/forces/found.html", target=target, **facts)
    return _builder(v, entry, rounds, mine=mine)


def _builder(
    v: Visit,
    entry: Entry,
    rounds: list[Round],
    *,
    mine: bool,
    by_hand: ByHandForm | None = None,
    pasted: PastedForce | None = None,
    status: int = 200,
) -> HttpResponse:
    event = v.event
    day = day_of(event)
    facts = _bench_facts(v, entry, rounds, mine=mine)
    search = search_facts(v.request, edition=event.edition, sets=event.sets, day=day)
    search["search_at"] = reverse("events:force", args=[event.public_id, entry.number])
    return v.render(
        "events/forces/builder.html",
        by_hand=by_hand or ByHandForm(),
        pasted=pasted or empty_box(),
        saved=saved_forces(v.actor) if mine else [],
        may_save=mine and v.actor.account is not None,
        checked=free_force(v.request)[0]["picks"],
        registered=registered(facts["pool"].elements if facts["pool"] else []),
        earlier=services.earlier_forces(entry),
        next_without=None if mine or not facts["submitted"] or facts["changed"] else services.next_without_force(entry),
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
        "sections": sections_of(bench, report, not_in_pool=missing, reader=v.request),
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


def apply_change(bench: Bench, request: HttpRequest, day: datetime.date | None) -> None:
    """Apply the change in a posted form to the bench."""
    posted = request.POST
    act, ref = posted.get("act", ""), posted.get("ref", "")
    if act == "add":
        code = posted.get("code", "")
        row = elements_by_code([code], date=day).get(code)
        if row is None:
            raise Refused(_("The catalogue doesn't have this item on this date. Search again."))
        use_set(request.session, row.element.set.code)
        building.keep_facts(bench, code, row.document, edition=row.element.set.edition)
        side = posted.get("sideline") == "yes"
        if (
            building.add(
                bench, row.element.section, code=code, points=whole_number(posted.get("points")), sideline=side
            )
            is None
        ):
            raise Refused(building.NO_ROOM % {"n": building.MAX_PICKS})
    elif act == "remove":
        building.remove(bench, ref)
    elif act == "points":
        building.choose_points(bench, ref, whole_number(posted.get("points")))
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
    act = request.POST.get("act", "")
    change: Callable[[Bench], object] = lambda bench: apply_change(bench, request, day)  # noqa: E731
    pasted = read_pasted(request, day) if act in LIST_ACTS else empty_box()
    shown_again: dict[str, Any] = {}
    if act == "list" or (act == "list-add" and not pasted.picks):
        shown_again = {"pasted": pasted, "status": 400 if pasted.form.errors else 200}
    elif act == "list-add":
        change = pasted.add_to
    elif act == "hand":
        form = ByHandForm(request.POST)
        if form.is_valid():
            typed = form.cleaned_data
            change = lambda bench: building.add(bench, typed["section"], by_hand=typed["facts"])  # noqa: E731
        else:
            shown_again = {"by_hand": form, "status": 400}
    if shown_again:
        deadline = services.deadline_of(v.event, entry, from_round, rounds)
        if not services.may_work_on(v.roles, v.event, mine=mine, locked=deadline.closed):
            raise Refused(_("You can't change this force now. Ask a judge to change it."))
        return _builder(v, entry, rounds, mine=mine, **shown_again)
    force = services.change_bench(by=v.actor, entry=entry, from_round=from_round, change=change, rounds=rounds)
    if wants_fragment(request):
        facts = _bench_facts(v, entry, rounds, mine=mine, force=force)
        return v.render("events/forces/bench.html", fragment=True, **facts)
    if act == "list-add":
        messages.success(request, pasted.added_words())
        if pasted.left:
            return _builder(v, entry, rounds, mine=mine, pasted=left_over(pasted))
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
        seen=whole_number(request.POST.get("seen")),
        reason=given["reason"],
        confirmed=given["confirmed"],
    )
    messages.success(request, _("Force submitted."))
    return redirect("events:force", public_id, number)


@require_POST
def force_copy(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Copy a force to the bench: an earlier one of the same player, one of My forces, or the freely checked one."""
    v = visit(request, public_id)
    entry = _entry(v, number)
    from_round = _from_round(v, entry, services.published_rounds(v.event))
    asked = request.POST
    if "saved" in asked:
        mine = get_object_or_404(SavedForce, pk=whole_number(asked["saved"]), person=v.actor.account)
        _force, gone = use_saved_force(by=v.actor, entry=entry, from_round=from_round, saved=mine)
    elif "checked" in asked:
        checked = free_force(request)[0]
        _force, gone = services.copy_bench(by=v.actor, entry=entry, from_round=from_round, source=checked)
    else:
        source = get_object_or_404(Force.objects.select_related("entry"), public_id=asked.get("force", ""))
        _force, gone = services.copy_force(by=v.actor, entry=entry, from_round=from_round, source=source)
    if gone:
        messages.warning(
            request,
            _("These items keep their old values because the catalogue no longer has them: %(names)s")
            % {"names": ", ".join(gone)},
        )
    messages.success(request, _("Force copied. Check it, then submit it."))
    return redirect("events:force", public_id, number)


@require_POST
def force_save(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Save the player's own bench to My forces."""
    v = visit(request, public_id)
    entry = _entry(v, number)
    if v.entry is None or v.entry.pk != entry.pk:
        raise Refused(_("You can only save your own force."))
    rounds = services.published_rounds(v.event)
    bench = _bench_facts(v, entry, rounds, mine=True)["bench"]
    terms = {"edition": v.event.edition, **event_terms(v.event)}
    save_force(by=v.actor, name=request.POST.get("name", ""), bench=bench, terms=terms)
    messages.success(request, _("Force saved to My forces."))
    return redirect(reverse("events:force", args=[public_id, number]) + "#earlier")


# submitted forces


def _shown(v: Visit, entry: Entry, deadline: services.Deadline, *, mine: bool) -> HttpResponse:
    asked = whole_number(v.request.GET.get("round"))
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
            "sections": sections_of(bench, force.report, reader=v.request),
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
    facts = search_facts(request, edition=v.event.edition, sets=v.event.sets, day=day)
    facts |= {"target": request.path, "opening": True}
    if wants_fragment(request) and request.headers.get("HX-Target") == "found":
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
        **facts,
    )


def _pool_act(request: HttpRequest, form: ByHandForm) -> dict[str, Any]:
    act = request.POST.get("act")
    if act == "add":
        return {"add": [(request.POST.get("code", ""), None)]}
    if act == "hand":
        return {"add": [(None, form.cleaned_data["facts"])]}
    if act == "remove":
        return {"remove": whole_number(request.POST.get("place"))}
    if act == "replaced":
        missing = request.POST.get("missing", "").strip()[:200]
        if not missing:
            raise Refused(_("Enter what was missing from the product."))
        return {"replaced": {"product": request.POST.get("product", "").strip()[:80], "missing": missing}}
    raise Refused(_("That change isn't possible. Reload the page and try again."))


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
