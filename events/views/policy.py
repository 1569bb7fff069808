"""Pages of the sanctioning policy: its rules, seasons, an event's compliance, and exceptions."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from events import policy
from events.actions import Text, answer
from events.documents import day_of
from events.door import Refused, require
from events.forms.officials import OfficialForm
from events.forms.policy import OverrideForm, SeasonForm
from events.forms.setup import EventForm
from events.models import Entry, Event, Force, Official, PolicyOverride, Season, Venue
from events.policy import RULES, PolicyViolation, Rule
from events.policy.book import EDITION, POLICY, POLICY_DAY, cite
from events.roles import Actor
from events.services import entries as entry_services
from events.services import policy as services
from events.services.setup import judging_against, missing_to_open
from rules.labels import labelled
from rules.reading import loaded_editions

from .access import Visit, form_reason, form_version, must_sign_in, visit
from .people import signed_in

GROUPS: tuple[tuple[Text, frozenset[str]], ...] = (
    (gettext_lazy("Events, venues and volunteers"), frozenset({"plan"})),
    (gettext_lazy("Players"), frozenset({"player"})),
    (gettext_lazy("Product and forces"), frozenset({"product", "force"})),
    (gettext_lazy("Play"), frozenset({"leaving"})),
    (gettext_lazy("Results"), frozenset({"results"})),
    (gettext_lazy("Publishing and conduct"), frozenset({"publication", "told"})),
)
PLAYS = (Entry.State.WAITING, Entry.State.ENTERED, Entry.State.CHECKED_IN)
Grouped = list[tuple[Text, list[Any]]]


def _grouped(rows: Iterable[tuple[Rule, Any]]) -> Grouped:
    known = list(rows)
    found = [(title, [row for rule, row in known if rule.about in about]) for title, about in GROUPS]
    return [(title, lines) for title, lines in found if lines]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """List every rule of the policy; `?on=2002-11-01` shows the policy of a day, `?q=` the rules with its words."""
    asked, words = request.GET.get("on", ""), request.GET.get("q", "")[:100]
    try:
        day = datetime.date.fromisoformat(asked) if asked else None
    except ValueError:
        day = None
    shown = [
        (rule, (name, rule, day is None or rule.in_force(day)))
        for name, rule in RULES.items()
        if all(word in f"{rule.title} {rule.explanation} {rule.note}".casefold() for word in words.casefold().split())
    ]
    book = loaded_editions().get(EDITION)
    whole_text = cite(POLICY, POLICY_DAY) if book and POLICY not in book.missing else None
    facts = {
        "groups": _grouped(shown),
        "day": day,
        "asked": asked,
        "words": words,
        "not_a_day": bool(asked) and day is None,
        "whole_text": whole_text,
    }
    return render(request, "events/policy/rules.html", facts)


# seasons


def seasons(request: HttpRequest) -> HttpResponse:
    """Show the published seasons; the sanctioning office can add one."""
    may = answer("publish-season", Actor.of(request).roles())
    if request.method == "POST":
        require(may)
    form = SeasonForm(request.POST or None) if may else None
    if form is not None and form.is_valid():
        made = services.publish_season(by=Actor.of(request), **form.cleaned_data)
        messages.success(request, _("%(season)s has been published.") % {"season": made})
        return redirect("events:seasons")
    today = timezone.localdate()
    rows = [(row, row.begins <= today <= row.ends) for row in Season.objects.all()]
    return render(request, "events/policy/seasons.html", {"seasons": rows, "form": form, "may_publish": bool(may)})


def season_change(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a published season."""
    require(answer("publish-season", Actor.of(request).roles()))
    row = get_object_or_404(Season, pk=pk)
    form = SeasonForm(request.POST or None, instance=Season.objects.get(pk=pk))
    if request.method == "POST" and form.is_valid():
        services.publish_season(by=Actor.of(request), season=row, version=form_version(request), **form.cleaned_data)
        messages.success(request, _("Dates of %(season)s saved.") % {"season": row})
        return redirect("events:seasons")
    return render(request, "events/policy/season.html", {"form": form, "season": row})


@require_POST
def season_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a season."""
    row = get_object_or_404(Season, pk=pk)
    given = form_reason(request)
    services.remove_season(by=Actor.of(request), season=row, version=given["version"], confirmed=given["confirmed"])
    messages.success(request, _("Season deleted."))
    return redirect("events:seasons")


# one event


@dataclass(frozen=True)
class PolicyLine:
    """An event's compliance with one rule: `standing` is kept, warned, broken, excepted, told, open or apart."""

    name: str
    rule: Rule
    standing: str
    found: tuple[PolicyViolation, ...] = ()
    overrides: tuple[PolicyOverride, ...] = ()

    @property
    def words(self) -> Text:
        """The standing in words."""
        return STANDINGS[self.standing]


STANDINGS: dict[str, Text] = {
    "kept": gettext_lazy("met"),
    "warned": gettext_lazy("check this"),
    "broken": gettext_lazy("violated"),
    "excepted": gettext_lazy("exception granted"),
    "told": gettext_lazy("checked during play"),
    "open": gettext_lazy("not due yet"),
    "apart": gettext_lazy("not applicable"),
}
OF_KIND = {
    "club-month": Venue.Kind.CLUB,
    "club-requirements": Venue.Kind.CLUB,
    "convention-requirements": Venue.Kind.CONVENTION,
    "store-requirements": Venue.Kind.STORE,
}
"""Rules that apply to one kind of venue only."""
OF_SEALED = frozenset({"sealed-preparation", "sealed-contents"})


def _against_players(event: Event, overrides: list[PolicyOverride]) -> list[PolicyViolation]:
    """Return why registered players can't play, with what is known now; a fixed number of queries."""
    entries = list(event.entries.filter(state__in=PLAYS).select_related("person"))
    hindered = entry_services.hindered(event, entries, overrides)
    found = [
        PolicyViolation(one.rule, f"{entry.name}: {one.message}", one.citations, one.field, one.warns)
        for entry in entries
        for one in hindered.get(entry.pk, ())
    ]
    unknown = [entry.name for entry in entries if entry.person is None and entry.pk not in hindered]
    warned = entry_services.suspended_namesakes(event, unknown)
    found += [PolicyViolation("suspended", words, RULES["suspended"].citations, warns=True) for words in warned]
    return found


def _against_forces(event: Event) -> dict[str, list[PolicyViolation]]:
    """Return what the engine's checks found in submitted forces, by rule of the policy. One query."""
    by_check = {check: name for name, checks in policy.FORCE_RULES.items() for check in checks}
    found: dict[str, list[PolicyViolation]] = defaultdict(list)
    forces = Force.objects.filter(entry__event=event, state=Force.State.SUBMITTED, standing=Force.Standing.NOT_LEGAL)
    for name, report in forces.values_list("entry__name", "report"):
        for one in report.get("violations", ()):
            rule = by_check.get(one["rule"])
            if rule:
                found[rule].append(PolicyViolation(rule, labelled(name, one["message"]), RULES[rule].citations))
    return found


def lines_of(event: Event) -> list[PolicyLine]:
    """Return an event's compliance with each rule in force on its day, in a fixed number of queries."""
    overrides = services.overrides_of(event)
    by_rule: dict[str, list[PolicyViolation]] = defaultdict(list)
    for one in services.violations_of(event):
        by_rule[one.rule].append(one)
    for one in _against_players(event, overrides):
        by_rule[one.rule].append(one)
    for one in policy.check_results(services.results_of(event), excepted=services.excepted_rules(overrides)):
        by_rule[one.rule].append(one)
    for name, more in _against_forces(event).items():
        by_rule[name] += more
    lines = []
    for name, rule in policy.rules_on(day_of(event)).items():
        found = tuple(by_rule[name])
        granted = tuple(row for row in overrides if row.rule == name)
        lines.append(PolicyLine(name, rule, _standing(event, name, rule, found, granted), found, granted))
    return lines


ON_LAST_PAGE = frozenset({"verified-copy", "kept-a-year"})
"""Rules about the venue's copy, which the page that finishes an event shows with the copy itself."""


def _standing(
    event: Event, name: str, rule: Rule, found: tuple[PolicyViolation, ...], granted: tuple[PolicyOverride, ...]
) -> str:
    if policy.refusals(found) or (found and rule.about == "results"):
        return "broken"
    if found:
        return "warned"
    if granted:
        return "excepted"
    if not _concerns(event, name):
        return "apart"
    if rule.weight == "tells" or rule.about in ("leaving", "publication", "product") or name in ON_LAST_PAGE:
        return "told"
    if rule.about == "results" and event.ended is None:
        return "open"
    return "kept"


def _concerns(event: Event, name: str) -> bool:
    """Return whether a rule applies to an event of this format at a venue of this kind."""
    if name in OF_KIND:
        return bool(event.venue.kind == OF_KIND[name])
    if name == "head-to-head-preparation":
        return bool(event.format == Event.Format.HEAD_TO_HEAD)
    return event.is_sealed if name in OF_SEALED else not (name == "new-product" and event.is_sealed)


def _seen(request: HttpRequest, public_id: str) -> Visit:
    v = visit(request, public_id)
    v.require("see-console")
    return v


@require_safe
def event_policy(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show an event's compliance with each rule and, for the sanctioning office, forms for exceptions."""
    v = _seen(request, public_id)
    return _event_page(v, OverrideForm())


def _event_page(v: Visit, form: OverrideForm, status: int = 200) -> HttpResponse:
    lines = [] if v.event.is_practice else lines_of(v.event)
    broken = [line for line in lines if line.standing == "broken"]
    form.initial["rule"] = next((line.name for line in broken if line.rule.may_be_excepted), "")
    return v.render(
        "events/policy/event.html",
        groups=_grouped((line.rule, line) for line in lines),
        against=[one for line in broken for one in line.found],
        missing=missing_to_open(v.event) if v.event.state == Event.State.DRAFT else (),
        day=day_of(v.event),
        form=form,
        may_grant=v.may("override-policy"),
        status=status,
    )


@require_POST
def grant_exception(request: HttpRequest, public_id: str) -> HttpResponse:
    """Grant the event an exception to a rule."""
    v = _seen(request, public_id)
    v.require("override-policy")
    form = OverrideForm(request.POST)
    if not form.is_valid():
        return _event_page(v, form, 400)
    given = form_reason(request)
    row = services.override_policy(
        by=v.actor, event=v.event, rule=form.cleaned_data["rule"], person=form.cleaned_data["person"], **given
    )
    messages.success(request, _("Exception granted: “%(rule)s”") % {"rule": RULES[row.rule].title})
    return redirect("events:event-policy", public_id)


@require_POST
def revoke_exception(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Revoke an exception."""
    v = _seen(request, public_id)
    row = get_object_or_404(PolicyOverride.objects.select_related("person"), pk=pk, event=v.event)
    row.event = v.event
    services.withdraw_override(by=v.actor, override=row, **form_reason(request))
    messages.success(request, _("Exception revoked."))
    return redirect("events:event-policy", public_id)


@require_POST
def conflicts(request: HttpRequest, pk: int) -> HttpResponse:
    """Return policy conflicts for a form being filled in, before anything is saved.

    Used by the form of an event (new, or the one in `event`) and, with `email` and `role`, by its officials' page.
    """
    venue = get_object_or_404(Venue.objects.select_related("registered_volunteer__person"), pk=pk)
    public_id, is_past = request.GET.get("event", ""), False
    if public_id:
        v = visit(request, public_id)
        v.require("see-console")
        if v.event.venue_id != venue.pk:
            raise Refused(_("This event is held at another venue."))
        found = _of_official(request, v.event) if "email" in request.POST else _of_event(request, v.event)
    elif away := must_sign_in(request):
        return away
    else:
        require(answer("create-event", Actor.of(request).roles(venue=venue)))
        form = EventForm(request.POST, venue=venue, actor=signed_in(request))
        form.is_valid()
        found = form.violations
        starts = form.cleaned_data.get("starts")
        is_past = starts is not None and starts < timezone.now()
    return render(request, "events/policy/conflicts.html", {"found": found, "asked": True, "is_past": is_past})


def _of_event(request: HttpRequest, event: Event) -> list[PolicyViolation]:
    form = EventForm(request.POST, venue=event.venue, instance=Event.objects.select_related("venue").get(pk=event.pk))
    form.is_valid()
    return form.violations


def _of_official(request: HttpRequest, event: Event) -> list[PolicyViolation]:
    form = OfficialForm(request.POST)
    if not form.is_valid() or form.cleaned_data["role"] != Official.Role.HEAD_JUDGE:
        return []
    return judging_against(event, form.cleaned_data["email"])
