"""Pages to find, show and set up events: list, public page, settings, officials, announcements."""

from __future__ import annotations

import copy
import datetime

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet, Window
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from events import choices, policy
from events.actions import answer
from events.address import full_address
from events.documents import day_of
from events.door import Refused, require
from events.forms.moments import CopyForm
from events.forms.officials import AnnouncementForm, NextRoundForm, OfficialForm
from events.forms.setup import EventForm
from events.models import Announcement, Entry, Event, Installation, Official, Person, Round, Venue
from events.next_round import next_round_words
from events.outside import preview_of, schema_of
from events.queries import PlaceInStandings, cascade_of, standings_of, team_standings_of
from events.roles import Actor
from events.services import copying, offers
from events.services import setup as services
from events.services.policy import overrides_of, plan_of, refuse, seasons, violations_of
from events.sharing import public
from events.tables.setup import EventFilter, EventTable

from .access import Visit, form_reason, visit
from .entries import through_form
from .people import signed_in
from .people_office import listed


def events(request: HttpRequest) -> HttpResponse:
    """List the public events: running and coming ones, nearest first; past ones; or all."""
    rows = Event.objects.exclude(state=Event.State.DRAFT).select_related("venue")
    narrowed = any(request.GET.get(name) for name in ("q", "state", "from_day", "to_day"))
    when = request.GET.get("when") or ("all" if narrowed else "coming")
    if when == "coming":
        rows = rows.filter(state__in=(Event.State.OPEN, Event.State.RUNNING)).order_by("starts", "pk")
    elif when == "played":
        rows = rows.filter(state__in=(Event.State.FINISHED, Event.State.VERIFIED)).order_by("-starts", "-pk")
    else:
        rows = rows.order_by("-starts", "-pk")
    facts = listed(request, rows, EventFilter, EventTable)
    creates = _holds_events(request)
    return render(request, "events/setup/list.html", facts | {"when": when, "creates": creates})


def _holds_events(request: HttpRequest) -> bool:
    person = Actor.of(request).person
    return person is not None and Venue.objects.managed_by(person).filter(state=Venue.State.APPROVED).exists()


SHOWN_PLAYERS, PODIUM = 12, 6
PLAYS = (Entry.State.ENTERED, Entry.State.CHECKED_IN)


@public()
def event(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show an event and, to its officials, what it still needs."""
    v = visit(request, public_id)
    officials = list(v.event.officials.select_related("person"))
    players, counts = _registered(v.event)
    rounds = list(v.event.rounds.exclude(state=Round.State.DRAFT).order_by("-number")[:1])
    staff = bool(v.may("see-console"))
    overrides = overrides_of(v.event)
    is_draft = staff and v.event.state == Event.State.DRAFT
    missing = services.missing_to_open(v.event) if is_draft else []
    answers = answer("accept-series-event", v.roles)
    planned = v.event.rounds_for(max(counts["entered"], 2) if v.event.state == Event.State.RUNNING else v.event.seats)
    seats_left = max(0, v.event.seats - counts["entered"])
    address = full_address(request, reverse("events:event", args=[public_id]))
    return v.render(
        "events/setup/event.html",
        address=address,
        preview=preview_of(v.event),
        site_name=settings.SITE_NAME,
        image=full_address(request, static("app/512.png")),
        schema=schema_of(v.event, address, seats_left),
        officials=[row for row in officials if row.is_at_work],
        counts=counts,
        cancelled_why=services.why_cancelled(v.event),
        seats_left=seats_left,
        newest_round=rounds[0] if rounds else None,
        staff=staff,
        missing=missing,
        warned=policy.warnings(violations_of(v.event, but=policy.BEFORE_OPENING)) if is_draft else [],
        is_past=is_draft and v.event.starts < timezone.now(),
        copy_starts=copying.next_copy_starts(v.event) if staff else None,
        place=" ".join(v.event.venue.address.split()),
        players=players[:SHOWN_PLAYERS],
        more_players=len(players) > SHOWN_PLAYERS,
        podium=_podium(v.event),
        facts_first=bool(missing) and missing[0].field not in ("head_judge", "venue"),
        warnings=services.hall_warnings(v.event) if staff and v.event.state in BEFORE else (),
        planned_rounds=planned,
        overrides=[(policy.RULES[row.rule], row) for row in overrides if row.rule in policy.RULES],
        season=policy.season_of(seasons(), v.event.universe, day_of(v.event)) if not v.event.is_practice else "",
        scenarios=_scenarios(v.event),
        cascade=[criterion.title for criterion in cascade_of(v.event)],
        linked=v.actor.entry is not None,
        in_series=[row for row in v.event.in_series.select_related("series") if row.accepted or answers],
        entries_closed=v.event.entries_close is not None and v.event.entries_close <= timezone.now(),
    )


def _registered(event: Event) -> tuple[list[Entry], dict[str, int]]:
    """Return the first players, one more than are shown, and how many are registered and waiting; one query."""
    plays, waits = Q(state__in=PLAYS), Q(state=Entry.State.WAITING)
    rows = event.entries.filter(plays | waits).annotate(
        all_entered=Window(Count("pk", filter=plays)), all_waiting=Window(Count("pk", filter=waits))
    )
    found = list(rows.order_by(ExpressionWrapper(waits, BooleanField()), "number")[: SHOWN_PLAYERS + 1])
    counts = {name: getattr(found[0], f"all_{name}") if found else 0 for name in ("entered", "waiting")}
    return [entry for entry in found if entry.state in PLAYS], counts


def _podium(event: Event) -> list[PlaceInStandings]:
    """Return the first three places (more if players share one) of a finished event, else nothing."""
    if event.state not in (Event.State.FINISHED, Event.State.VERIFIED):
        return []
    standings = team_standings_of if event.teams_of_two else standings_of
    return [place for place in standings(event) if place.place <= 3][:PODIUM]


BEFORE = (Event.State.DRAFT, Event.State.OPEN, Event.State.RUNNING)


def _scenarios(event: Event) -> list[tuple[str, str]]:
    """Return the scenarios as lines: rounds and scenario."""
    rows = event.scenarios or [choices.NO_SCENARIO]
    titles = [str(choices.SCENARIOS.get(name, name)) for name in rows]
    if len(set(titles)) == 1:
        return [(_("each round"), titles[0])]
    lines = [(_("round %(number)d") % {"number": n}, title) for n, title in enumerate(titles[:-1], start=1)]
    return [*lines, (_("from round %(number)d") % {"number": len(titles)}, titles[-1])]


def _say_warnings(request: HttpRequest, event: Event) -> None:
    for line in services.hall_warnings(event):
        messages.warning(request, str(line))
    for found in violations_of(event, but=policy.BEFORE_OPENING):
        messages.warning(request, policy.sentence(found))
    if event.starts < timezone.now() and event.state in (Event.State.DRAFT, Event.State.OPEN):
        messages.warning(request, _("This event starts in the past. Check its date."))


@login_required
def event_create(request: HttpRequest) -> HttpResponse:
    """Create an event at one of the signed-in person's venues, chosen first if there are several."""
    person = signed_in(request)
    mine = list(Venue.objects.managed_by(person).order_by("name"))
    asked = request.GET.get("venue", "")
    venue = get_object_or_404(Venue, pk=int(asked)) if asked.isdecimal() and len(asked) < 10 else None
    if venue is None:
        able = [row for row in mine if row.is_approved]
        if len(able) != 1:
            return render(request, "events/setup/choose_venue.html", {"venues": mine, "able": able})
        venue = able[0]
    actor = Actor.of(request)
    require(answer("create-event", actor.roles(venue=venue)))
    if not venue.is_approved:
        refuse(policy.check_house(plan_of(Event(venue=venue, starts=timezone.now())), but=policy.BEFORE_OPENING))
    form = EventForm(request.POST or None, venue=venue, actor=person, initial=_first_facts(venue))
    if request.method == "POST" and form.is_valid():
        made = services.create_event(
            by=actor,
            venue=venue,
            facts=form.facts,
            head_judge=form.cleaned_data["head_judge"],
            despite=form.cleaned_data["despite"],
        )
        messages.success(
            request, _("%(event)s created as a draft. Players see it once you open registration.") % {"event": made}
        )
        if made.sets == [choices.INFINITY_CHALLENGE] and not form.cleaned_data["sets"]:
            messages.info(
                request,
                _(
                    "Head-to-head with the May 2002 rules allows only Infinity Challenge. You can change this "
                    "under “Figures and sets”."
                ),
            )
        _say_warnings(request, made)
        return redirect("events:event", made.public_id)
    earlier = venue.events.exclude(state=Event.State.CANCELLED).order_by("-starts")[:3]
    return render(
        request,
        "events/setup/create.html",
        {
            "form": form,
            "venue": venue,
            "earlier": earlier,
            "worked_here": _worked_here(venue),
            "is_first": not venue.events.exists(),
        },
    )


def _worked_here(venue: Venue) -> QuerySet[Person]:
    """Return people who accepted a role at the venue's events before, to be chosen without typing."""
    agreed = Official.objects.agreed().filter(event__venue=venue)
    return Person.objects.filter(offices__in=agreed, is_active=True).distinct().order_by("name")[:100]


def _first_facts(venue: Venue) -> dict[str, object]:
    """Return the initial data of a new event: the installation's settings, next Saturday at 14:00 there, its only hall."""
    today = timezone.now().astimezone(venue.zone)
    saturday = today + datetime.timedelta(days=(5 - today.weekday()) % 7 or 7)
    halls = list(venue.halls.all()[:2])
    here = Installation.here()
    return {
        "name": _("HeroClix at %(venue)s") % {"venue": venue} if not venue.events.exists() else "",
        "edition": here.edition,
        "format": here.format,
        "build_total": here.build_total,
        "starts": saturday.replace(hour=14, minute=0, second=0, microsecond=0),
        "seats": max(2, venue.tables * 2),
        "hall": halls[0] if len(halls) == 1 else None,
    }


def event_edit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Change an event's settings."""
    v = visit(request, public_id)
    v.require("change-event")
    form = EventForm(request.POST or None, venue=v.event.venue, instance=copy.copy(v.event))
    if request.method == "POST" and form.is_valid():
        services.change_event(
            by=v.actor,
            event=v.event,
            facts=form.facts,
            consequences=services.changes_of(v.event, form.facts),
            despite=form.cleaned_data["despite"],
            **form_reason(request),
        )
        messages.success(request, _("%(event)s saved.") % {"event": v.event})
        _say_warnings(request, v.event)
        return redirect("events:event", public_id)
    return v.render("events/setup/edit.html", form=form)


@require_POST
def event_copy(request: HttpRequest, public_id: str) -> HttpResponse:
    """Copy an event to the next such weekday and show the copy's settings, or weekly until a day."""
    v = visit(request, public_id)
    form = CopyForm(request.POST)
    if not form.is_valid():
        raise Refused(str(form.errors["until"][0]))
    until = form.cleaned_data["until"]
    made = copying.copy_event(by=v.actor, event=v.event, until=until, **form_reason(request))
    last = made[-1].starts.astimezone(v.event.venue.zone).date()
    if len(made) > 1:
        said = _(
            "Copied weekly until %(day)s (%(n)d copies). Officials must accept their roles again. Open registration for each copy."
        )
        messages.success(request, said % {"n": len(made), "day": formats.date_format(last, "j F Y")})
        return redirect("events:venue-calendar", v.event.venue_id)
    said = _("Copied to %(day)s. Officials must accept their roles again. Check the settings, then open registration.")
    messages.success(request, said % {"day": formats.date_format(last, "j F Y")})
    _say_warnings(request, made[0])
    return redirect("events:edit", made[0].public_id)


@require_POST
def event_open(request: HttpRequest, public_id: str) -> HttpResponse:
    """Open an event for registration."""
    v = visit(request, public_id)
    services.open_event(by=v.actor, event=v.event, **form_reason(request))
    messages.success(request, _("Registration opened for %(event)s.") % {"event": v.event})
    return redirect("events:event", public_id)


@require_POST
def event_cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    """Cancel an event."""
    v = visit(request, public_id)
    services.cancel_event(by=v.actor, event=v.event, **form_reason(request))
    messages.success(request, _("%(event)s has been cancelled.") % {"event": v.event})
    return redirect("events:event", public_id)


# officials


def officials(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the event's officials, and let its venue and head judge choose them."""
    v = visit(request, public_id)
    v.require("see-console")
    form = OfficialForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        row = services.set_official(
            by=v.actor,
            event=v.event,
            person=form.cleaned_data["email"],
            role=form.cleaned_data["role"],
            **form_reason(request),
        )
        words = _("%(name)s now has the role of %(role)s.")
        if not row.confirmed:
            words = _("Role offered to %(name)s: %(role)s. It takes effect once they accept it on their home page.")
        elif not row.accepted:
            words = _("%(name)s gets the role of %(role)s once the venue accepts.")
        messages.success(request, words % {"name": row.person, "role": row.get_role_display()})
        return redirect("events:officials", public_id)
    rows = v.event.officials.select_related("person", "person__volunteer")
    order = {Official.Role.HEAD_JUDGE: 0, Official.Role.JUDGE: 1, Official.Role.SCOREKEEPER: 2}
    return v.render(
        "events/setup/officials.html",
        form=form,
        officials=sorted(rows, key=lambda r: order[r.role]),
        conflicts=[one for one in violations_of(v.event) if one.field == "head_judge" and one.rule != "head-judge"],
        worked_here=_worked_here(v.event.venue),
    )


def _official(v: Visit, pk: int) -> Official:
    return get_object_or_404(Official.objects.select_related("person", "person__volunteer"), pk=pk, event=v.event)


@require_POST
def official_accept(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Accept an official for the venue."""
    v = visit(request, public_id)
    row = services.accept_official(by=v.actor, event=v.event, official=_official(v, pk), **form_reason(request))
    messages.success(
        request, _("%(name)s has been accepted as %(role)s.") % {"name": row.person, "role": row.get_role_display()}
    )
    return redirect("events:officials", public_id)


@require_POST
def official_accept_for(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Accept a role for an official who can't be reached, as administrator."""
    v = visit(request, public_id)
    row = offers.accept_role_for(by=v.actor, event=v.event, official=_official(v, pk), **form_reason(request))
    messages.success(
        request, _("%(name)s now has the role of %(role)s.") % {"name": row.person, "role": row.get_role_display()}
    )
    return redirect("events:officials", public_id)


@require_POST
def official_confirm(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Confirm that the account that accepted the role is the right person."""
    v = visit(request, public_id)
    row = offers.confirm_official(by=v.actor, event=v.event, official=_official(v, pk), **form_reason(request))
    messages.success(
        request, _("%(name)s now has the role of %(role)s.") % {"name": row.person, "role": row.get_role_display()}
    )
    return redirect("events:officials", public_id)


@require_POST
def official_remove(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Remove a person's role at the event."""
    v = visit(request, public_id)
    row = _official(v, pk)
    services.remove_official(by=v.actor, event=v.event, official=row, **form_reason(request))
    messages.success(request, _("%(name)s removed as %(role)s.") % {"name": row.person, "role": row.get_role_display()})
    return redirect("events:officials", public_id)


# announcements


HALF = 30
SOON = datetime.timedelta(minutes=2 * HALF)


def announce(request: HttpRequest, public_id: str) -> HttpResponse:
    """Announce something to everyone at the event."""
    v = visit(request, public_id)
    v.require("announce")
    form = AnnouncementForm(request.POST or None, event=v.event)
    if request.method == "POST" and form.is_valid():
        minutes = form.cleaned_data["minutes"]
        services.announce(
            by=v.actor,
            event=v.event,
            text=form.cleaned_data["text"],
            until=timezone.now() + datetime.timedelta(minutes=minutes) if minutes else None,
        )
        messages.success(request, _("Announcement posted."))
        return redirect("events:announce", public_id)
    return _announce_page(v, form, None)


def _announce_page(v: Visit, form: AnnouncementForm, next_form: NextRoundForm | None) -> HttpResponse:
    said = list(v.event.announcements.all()[:50])
    now = timezone.now()
    soon = (now + SOON).replace(minute=0, second=0, microsecond=0) + datetime.timedelta(
        minutes=HALF * (now.minute // HALF)
    )
    asks = next_form or NextRoundForm(
        event=v.event, initial={"starts": v.event.next_round_at or soon}, auto_id="next_%s"
    )
    return v.render(
        "events/setup/announce.html",
        form=form,
        next_form=asks if v.event.state != Event.State.FINISHED else None,
        next_round=next_round_words(v.event),
        status=400 if next_form is not None else 200,
        shown=[row for row in said if not row.withdrawn and (row.until is None or row.until > now)],
        over=[row for row in said if row.withdrawn or (row.until is not None and row.until <= now)],
    )


@require_POST
def next_round(request: HttpRequest, public_id: str) -> HttpResponse:
    """Announce when the next round starts, or withdraw that."""
    v = visit(request, public_id)
    v.require("announce")
    if "withdraw" in request.POST:
        services.announce_next_round(by=v.actor, event=v.event, starts=None)
        messages.success(request, _("Announcement withdrawn."))
        return redirect("events:announce", public_id)
    form = NextRoundForm(request.POST, event=v.event, auto_id="next_%s")
    if form.is_valid() and through_form(
        form, services.announce_next_round, by=v.actor, event=v.event, starts=form.cleaned_data["starts"]
    ):
        messages.success(request, _("Announcement posted."))
        return redirect("events:announce", public_id)
    return _announce_page(v, AnnouncementForm(event=v.event), form)


@require_POST
def announcement_withdraw(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Withdraw an announcement."""
    v = visit(request, public_id)
    row = get_object_or_404(Announcement, pk=pk, event=v.event)
    services.withdraw_announcement(by=v.actor, event=v.event, announcement=row)
    messages.success(request, _("Announcement withdrawn."))
    return redirect("events:announce", public_id)
