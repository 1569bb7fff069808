"""The pages of the catalogue: search, an element with its dial and its corrections, imports with their preview.

Open to everyone for reading. Corrections and imports are for the sanctioning office; whether the user belongs to it is
asked of the user object, because the rules app has no people.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_tables2 import RequestConfig

from rules.dials import SLOTS, dial_of
from rules.documents import BadFacts, powers_of
from rules.engine import EDITIONS, Ruling, rulings
from rules.finding import in_tabs, sets_last_used, suggestions, use_set
from rules.forms import CorrectionForm, ImportForm, SetForm
from rules.importers.records import MAX_RECORDS
from rules.models import Correction, Element, Import, Set, Trait
from rules.queries import (
    catalogue_log,
    counts_by_section,
    element_history,
    items_of,
    latest_corrections,
    same_figures,
    search_elements,
    sets_with_elements,
)
from rules.services import catalogue as services
from rules.services import export, import_jobs, imports
from rules.tables import EDITIONS as BOOKS
from rules.tables import (
    CatalogueFilter,
    CorrectionTable,
    ElementTable,
    ImportTable,
    LineTable,
    SetItemTable,
    SetTable,
    address_of,
    changes_words,
    citation_words,
    difference_lines,
    kind_words,
    points_words,
    rank_words,
    source_words,
)
from rules.uploads import Unreadable

from ..labels import labelled
from .rulebook import show_rulings

A_PAGE = 50
Outcome = imports.Outcome


def of_the_office(request: HttpRequest) -> bool:
    """Return whether the user is signed in and may change the catalogue."""
    user = request.user
    return user.is_authenticated and bool(getattr(user, "is_office", False) or getattr(user, "is_superuser", False))


def for_the_office(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Restrict a view to the office: others sign in, or are told why they can't use it."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if of_the_office(request):
            return view(request, *args, **named)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        message = _("Only the sanctioning office can do this.")
        return render(request, "parts/refused.html", {"message": message, "is_about_roles": True}, status=403)

    return guarded


def _pages(request: HttpRequest, table: Any, per_page: int = A_PAGE) -> Any:
    RequestConfig(request, paginate={"per_page": per_page}).configure(table)
    return table


def catalogue(request: HttpRequest) -> HttpResponse:
    """Search the catalogue; before anything is asked, show the sets last used."""
    found = CatalogueFilter(request.GET)
    narrowed = any(request.GET.get(name) for name in found.form.fields if name != "q")
    is_opening = not narrowed and not request.GET.get("q") and "all" not in request.GET
    sets = sets_last_used(request.session) if is_opening else []
    rows = search_elements(sets=[one.code for one in sets]) if sets else found.qs
    if chosen := found.form.is_valid() and found.form.cleaned_data["set"]:
        use_set(request.session, chosen.code)
    results = in_tabs(rows, request.GET.get("tab", ""), sets)
    return render(
        request,
        "rules/catalogue/list.html",
        {
            "filter": found,
            "narrowed": narrowed,
            "results": results,
            "table": _pages(request, ElementTable(results.rows)),
            "chosen_tab": request.GET.get("tab", ""),
            "office": of_the_office(request),
        },
    )


@require_safe
def suggest(request: HttpRequest) -> HttpResponse:
    """Return names of powers, teams or keywords for what is typed into a field with that name, as options."""
    asked = next((what for what in Trait.What.values if what in request.GET), None)
    names = suggestions(asked, request.GET[asked]) if asked else []
    return HttpResponse(format_html_join("", '<option value="{}"></option>', ((name,) for name in names)))


def catalogue_sheet(request: HttpRequest) -> HttpResponse:
    """Download the search results as a spreadsheet, in a layout that can be imported; the office also card texts."""
    texts = "card_texts" in request.GET
    if texts and not of_the_office(request):
        return for_the_office(catalogue_sheet)(request)
    sheet = export.catalogue_sheet(CatalogueFilter(request.GET).qs[:MAX_RECORDS], with_card_texts=texts)
    answer = HttpResponse(sheet, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="catalogue.csv"'
    return answer


def _date(request: HttpRequest) -> datetime.date | None:
    asked = request.GET.get("date", "")
    try:
        return datetime.date.fromisoformat(asked) if asked else None
    except ValueError:
        return None


def _citation_link(citation: dict[str, Any]) -> str:
    if not citation.get("section"):
        return ""
    slug = "/".join(slugify(part) or "section" for part in citation["section"].split(" › "))
    try:
        return reverse("rules:section", args=[citation["edition"], slug])
    except NoReverseMatch:
        return ""


def _shown_corrections(history: Any) -> list[dict[str, Any]]:
    return [
        {
            "row": row,
            "lines": changes_words(row.changes),
            "link": _citation_link(row.citation),
            "cited": citation_words(row.citation),
        }
        for row in history.corrections
    ]


def _rulings_about(name: str) -> list[Ruling]:
    """Return the rulings of all books about a figure, by name."""
    folded = name.casefold()
    found = (one for edition in EDITIONS for one in rulings(edition))
    return [one for one in found if folded in (figure.casefold() for figure in one.figures)]


def element(request: HttpRequest, set_code: str, own_code: str) -> HttpResponse:
    """Show an element: its facts on a date, its dial, its corrections, and others of its name."""
    date = _date(request)
    try:
        history = element_history(f"{set_code}/{own_code}", date=date or timezone.localdate())
    except Element.DoesNotExist:
        raise Http404 from None
    facts = history.facts.document
    dial = dial_of(facts)
    base = None
    if dial is not None:
        asked = request.GET.get("click", "")
        start = min((click.number for click in dial.clicks if click.is_start), default=1)
        number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else start
        number = min(max(number, 1), len(dial.clicks))
        base = {
            "click": dial.clicks[number - 1],
            "before": number - 1 if number > 1 else None,
            "after": number + 1 if number < len(dial.clicks) else None,
        }
    return render(
        request,
        "rules/catalogue/element.html",
        {
            "history": history,
            "element": history.element,
            "source": source_words(history.element.provenance),
            "facts": facts,
            "dial": dial,
            "base": base,
            "street_date": datetime.date.fromisoformat(facts["street_date"]) if "street_date" in facts else None,
            "date": date,
            "rank": rank_words(facts),
            "rarity": rank_words({"rarity": facts.get("rarity", "")}),
            "kind": kind_words(history.element.section, facts.get("kind", "")),
            "points": points_words(facts),
            "prerequisites": _prerequisites(facts.get("requires", {})),
            "powers": powers_of(facts) if dial is None else [],
            "known": [(slot, facts["known"][slot]) for slot in (*SLOTS, "range") if slot in facts.get("known", {})],
            "corrections": _shown_corrections(history),
            "others": same_figures(history),
            "rulings": show_rulings(_rulings_about(history.element.name)),
            "office": of_the_office(request),
        },
    )


def corrections(request: HttpRequest) -> HttpResponse:
    """List all published corrections with their dates and citations."""
    table = _pages(request, CorrectionTable(latest_corrections()))
    return render(request, "rules/catalogue/corrections.html", {"table": table, "office": of_the_office(request)})


def _prerequisites(needs: dict[str, Any]) -> list[str]:
    return [
        *needs.get("powers", ()),
        *(_("team %(name)s") % {"name": name} for name in needs.get("teams", ())),
        *(_("keyword %(name)s") % {"name": name} for name in needs.get("keywords", ())),
        *(
            _("%(slot)s %(value)s or more") % {"slot": slot, "value": value}
            for slot, value in needs.get("values", {}).items()
        ),
    ]


def _lines(differences: list[dict[str, Any]]) -> list[str]:
    return [labelled(line["label"], f"{line['before']} → {line['after']}") for line in difference_lines(differences)]


@for_the_office
def correct(request: HttpRequest, set_code: str, own_code: str) -> HttpResponse:
    """Record a correction: first the form, then a preview of its changes, then the row."""
    row = get_object_or_404(Element.objects.select_related("set"), code=f"{set_code}/{own_code}")
    asked = request.POST.get("from_date", "")
    try:
        day = datetime.date.fromisoformat(asked) if asked else timezone.localdate()
    except ValueError:
        day = timezone.localdate()
    version = row.facts_on(day)
    version.element = row
    form = CorrectionForm(request.POST or None, section=row.section, facts=services.own_facts(version))
    if request.method == "POST" and form.is_valid():
        if "confirmed" not in request.POST:
            posted = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
            consequences = {
                "message": _("Correct %(element)s with effect from %(day)s")
                % {"element": row, "day": form.day.isoformat()},
                "consequences": _lines(form.difference),
                "posted": posted,
            }
            return render(request, "parts/confirm.html", consequences, status=409)
        shown_version = request.POST.get("version", "")
        try:
            services.correct_element(
                element=row,
                from_date=form.day,
                changes=form.changes,
                text=form.cleaned_data["text"],
                authority=Correction.Authority.CORRECTION if form.citation else Correction.Authority.OFFICE,
                citation=form.citation,
                provenance=form.cleaned_data["where"],
                version=int(shown_version) if shown_version.isdigit() else None,
                by=str(request.user),
            )
        except services.StaleElement:
            form.add_error(None, _("Someone else has corrected this. Reload the page before you continue."))
        except BadFacts as bad:
            form.add_error(None, str(bad))
        else:
            messages.success(request, _("%(element)s corrected.") % {"element": row})
            return redirect(address_of(row))
    head = [form[name] for name in ("from_date", "text", "edition", "where")]
    facts = [form[f"fact_{name}"] for name in form.columns() if name not in SLOTS]
    dial = [form[f"fact_{name}"] for name in form.columns() if name in SLOTS]
    shown = {"element": row, "form": form, "head": head, "facts": facts, "dial": dial}
    return render(request, "rules/catalogue/correct.html", shown, status=400 if form.errors else 200)


def sets(request: HttpRequest) -> HttpResponse:
    """List the sets."""
    return render(request, "rules/catalogue/sets.html", {"table": _pages(request, SetTable(sets_with_elements()))})


def set_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show a set; the office edits its facts here, such as the street date."""
    row = get_object_or_404(Set, code=code)
    use_set(request.session, code)
    office = of_the_office(request)
    if request.method == "POST" and not office:
        return for_the_office(set_page)(request, code)
    form = SetForm(request.POST or None, instance=row) if office else None
    if form is not None and request.method == "POST" and form.is_valid():
        services.record_set(code=code, by=str(request.user), **form.cleaned_data)
        messages.success(request, _("%(set)s saved.") % {"set": form.cleaned_data["name"]})
        return redirect("rules:set", code)
    shown = get_object_or_404(Set, code=code) if form is not None and form.errors else row
    edition = dict(BOOKS).get(shown.edition, "")
    table = _pages(request, SetItemTable(items_of(shown)))
    shown_set = {"set": shown, "form": form, "table": table, "edition": edition}
    return render(
        request, "rules/catalogue/set.html", shown_set, status=400 if form is not None and form.errors else 200
    )


@require_POST
@for_the_office
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a correction, after showing the facts that will apply."""
    row = get_object_or_404(Correction.objects.select_related("element__set"), pk=pk)
    if "confirmed" not in request.POST:
        shown = {
            "message": _("Withdraw the correction of %(element)s") % {"element": row.element},
            "consequences": [
                _("This change will no longer apply: %(line)s") % {"line": line} for line in changes_words(row.changes)
            ],
            "takes_away": True,
            "posted": [],
        }
        return render(request, "parts/confirm.html", shown, status=409)
    try:
        services.withdraw_correction(correction=row, by=str(request.user))
    except BadFacts as bad:
        message = _("A later correction depends on this one. Withdraw the later one first. (%(fault)s)") % {
            "fault": bad
        }
        return render(request, "parts/refused.html", {"message": message}, status=409)
    messages.success(request, _("Correction of %(element)s withdrawn.") % {"element": row.element})
    return redirect(address_of(row.element))


@for_the_office
def import_list(request: HttpRequest) -> HttpResponse:
    """Show the imports so far, and accept files for a new one."""
    form = ImportForm(request.POST or None, request.FILES or None, initial={"counts_from": timezone.localdate()})
    status = 400
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        try:
            files = [(file.name, file.read()) for file in asked["file"]]
            row = import_jobs.upload(
                files=files,
                layout=asked["layout"],
                set_code=asked["set_code"],
                counts_from=asked["counts_from"],
                by=str(request.user),
            )
        except Unreadable as fault:
            form.add_error("file", str(fault))
            status = fault.status
        else:
            return redirect("rules:import", row.pk)
    import_jobs.settle_all()
    table = _pages(request, ImportTable(Import.objects.defer("content")), per_page=25)
    shown = {"form": form, "table": table, "counts": counts_by_section(), "log": catalogue_log()[:20]}
    return render(request, "rules/catalogue/imports.html", shown, status=status if form.errors else 200)


@for_the_office
def import_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Continue planning the import if it isn't finished; then show its preview. Long work shows how far it is."""
    row = import_jobs.settled(get_object_or_404(Import.objects.defer("content"), pk=pk))
    if row.state == Import.State.PLANNING:
        row = imports.plan_more(reading_of=row)
    if row.is_under_way:
        return render(request, "rules/catalogue/import_progress.html", {"import": row})
    counts = imports.outcomes(row)
    asked = request.GET.get("outcome", "")
    lines = row.lines.select_related("reading").defer("reading__content")
    if asked in Outcome.values:
        lines = lines.filter(outcome=asked)
    table = _pages(request, LineTable(lines), per_page=100)
    shown_counts = [(outcome.value, outcome.label, counts.get(outcome.value, 0)) for outcome in Outcome]
    return render(
        request,
        "rules/catalogue/import.html",
        {
            "import": row,
            "table": table,
            "counts": shown_counts,
            "left_out": counts.get(Outcome.LEFT_OUT, 0),
            "changes": counts.get(Outcome.ADDED, 0) + counts.get(Outcome.CHANGED, 0),
            "sound": sum(counts.get(one, 0) for one in (Outcome.ADDED, Outcome.CHANGED, Outcome.UNCHANGED)),
            "waits": row.state == Import.State.PLANNED,
            "outcome": asked,
        },
    )


@require_POST
@for_the_office
def import_apply(request: HttpRequest, pk: int) -> HttpResponse:
    """Apply an import as previewed."""
    row = get_object_or_404(Import.objects.defer("content"), pk=pk)
    try:
        import_jobs.begin_applying(planned=row, by=str(request.user))
    except imports.CannotApply as why:
        messages.error(request, str(why))
    return redirect("rules:import", pk)


@require_POST
@for_the_office
def import_put_away(request: HttpRequest, pk: int) -> HttpResponse:
    """Discard an import."""
    row = get_object_or_404(Import.objects.defer("content"), pk=pk)
    imports.put_away_import(planned=row)
    messages.success(request, _("%(file)s discarded. The catalogue hasn't changed.") % {"file": row.file_name})
    return redirect("rules:imports")
