"""Pages about oneself: what is next, the account, volunteering, signed links, one-time codes."""

from __future__ import annotations

import segno
from allauth.account.decorators import reauthentication_required
from allauth.account.utils import perform_login
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Case, Value, When
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from events.address import full_address
from events.forms.people import AccountForm, AskCodeForm, UseCodeForm, VolunteerForm
from events.models import Entry, Event, Official, Person, RecordEntry, Volunteer
from events.roles import LINKED_ENTRIES, Actor
from events.services import people as services
from events.tries import who_tries

from .access import form_reason, form_version, visit

OVER = (Event.State.VERIFIED, Event.State.CANCELLED)
SHOWN = 50
RUNNING_FIRST = Case(When(event__state=Event.State.RUNNING, then=Value(0)), default=Value(1))


def signed_in(request: HttpRequest) -> Person:
    """Return the person who is signed in, fresh from the database; pages that ask are for signed-in people only."""
    return Person.objects.get(pk=request.user.pk or 0)


@login_required
def me(request: HttpRequest) -> HttpResponse:
    """Show what is next for whoever is signed in: where they play, work, and what they manage."""
    person = signed_in(request)
    entries = (
        Entry.objects.filter(person=person).exclude(event__state=Event.State.CANCELLED).select_related("event__venue")
    )
    offices = Official.objects.filter(person=person).select_related("event__venue").order_by("event__starts")
    asked = Official.objects.filter(event__venue__managers=person, accepted__isnull=True).exclude(event__state__in=OVER)
    return render(
        request,
        "events/people/me.html",
        {
            "coming_entries": entries.exclude(event__state__in=OVER).order_by(RUNNING_FIRST, "event__starts")[:SHOWN],
            "past_entries": entries.filter(event__state=Event.State.VERIFIED).order_by("-event__starts")[:10],
            "offices": offices.exclude(event__state__in=OVER)[:SHOWN],
            "venues": person.venues.order_by("name"),
            "asked": asked.select_related("event", "person"),
            "volunteer": Volunteer.objects.filter(person=person).first(),
            "suspended": person.suspended_until is not None and person.suspended_until >= timezone.localdate(),
        },
    )


@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Change one's own name and facts."""
    person = signed_in(request)
    form = AccountForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        services.change_account(by=Actor.of(request), version=form_version(request), **form.cleaned_data)
        messages.success(request, _("Your account is changed."))
        return redirect("events:me")
    return render(request, "events/people/account.html", {"form": form, "person": signed_in(request)})


@login_required
@reauthentication_required
def my_records(request: HttpRequest) -> HttpResponse:
    """Hand out all that the site keeps about whoever is signed in, as JSON."""
    person = signed_in(request)
    volunteer = Volunteer.objects.filter(person=person).first()
    entries = person.entries.select_related("event").order_by("pk")
    document = {
        "account": {
            name: getattr(person, name)
            for name in ("email", "name", "phone", "is_minor", "publisher_family", "joined", "suspended_until")
        },
        "volunteer": volunteer
        and {name: getattr(volunteer, name) for name in ("state", "city", "experience", "registered")},
        "venues": [{"name": venue.name, "city": venue.city} for venue in person.venues.all()],
        "offices": [
            {"event": row.event.name, "starts": row.event.starts, "role": row.role}
            for row in person.offices.select_related("event")
        ],
        "entries": [
            {"event": row.event.name, "starts": row.event.starts, "number": row.number, "name": row.name}
            | {"club": row.club, "state": row.state}
            for row in entries
        ],
        "record": [
            {"at": row.at, "did": row.verb, "summary": row.summary}
            for row in RecordEntry.objects.filter(by_person=person).order_by("pk")[:10_000]
        ],
    }
    response = JsonResponse(document, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="headjudge-my-records.json"'
    return response


@login_required
def volunteer_register(request: HttpRequest) -> HttpResponse:
    """Register as a volunteer, or change the registration."""
    person = signed_in(request)
    known = Volunteer.objects.filter(person=person).first()
    form = VolunteerForm(request.POST or None, instance=known)
    if request.method == "POST" and form.is_valid():
        services.register_volunteer(by=Actor.of(request), version=form_version(request), **form.cleaned_data)
        messages.success(request, _("Your registration is with the sanctioning office."))
        return redirect("events:me")
    stored = Volunteer.objects.filter(person=person).first()
    return render(request, "events/people/volunteer.html", {"form": form, "volunteer": stored})


# Signed links


@never_cache
def entry_link(request: HttpRequest, token: str) -> HttpResponse:
    """Let the session act for the entry whose signed link was followed, and show where it plays."""
    entry, counts = services.entry_of_link(token)
    if entry is None or not counts:
        return render(request, "events/people/link_over.html", {"entry": entry}, status=404 if entry is None else 410)
    linked = request.session.get(LINKED_ENTRIES, {})
    request.session[LINKED_ENTRIES] = linked | {str(entry.event_id): [entry.pk, entry.link_issue]}
    return redirect(_entry_page(entry))


def _entry_page(entry: Entry) -> str:
    try:
        return reverse("events:entry", args=[entry.event.public_id, entry.number])
    except NoReverseMatch:
        return reverse("events:event", args=[entry.event.public_id])


@require_POST
def entry_link_forget(request: HttpRequest, public_id: str) -> HttpResponse:
    """End this device's acting for an entry: a judge who tried a slip, a borrowed telephone."""
    event = get_object_or_404(Event, public_id=public_id)
    linked = dict(request.session.get(LINKED_ENTRIES, {}))
    linked.pop(str(event.pk), None)
    request.session[LINKED_ENTRIES] = linked
    messages.success(request, _("This device no longer acts for a player."))
    return redirect("events:event", public_id)


@never_cache
def entry_qr(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a player's signed link as a QR code on the desk's screen."""
    v = visit(request, public_id)
    v.require("renew-entry-link")
    entry = get_object_or_404(Entry, event=v.event, number=number)
    address = full_address(request, services.entry_link(entry))
    code = segno.make(address, error="m").svg_inline(omitsize=True, border=4, scale=1)
    return v.render("events/people/entry_qr.html", entry=entry, address=address, code=code)


@require_POST
def entry_link_renew(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Make a new link for a player; the printed one is worth nothing."""
    v = visit(request, public_id)
    entry = get_object_or_404(Entry, event=v.event, number=number)
    entry.event = v.event
    services.renew_entry_link(by=v.actor, entry=entry, **form_reason(request))
    messages.success(request, _("The printed link of %(name)s is worthless; this is the new one.") % {"name": entry})
    return redirect("events:entry-qr", public_id, number)


# One-time codes


@never_cache
def sign_in_code(request: HttpRequest, public_id: str) -> HttpResponse:
    """Let the head judge make a one-time code for somebody of the event; it is shown this once."""
    v = visit(request, public_id)
    v.require("make-sign-in-code")
    form = AskCodeForm(request.POST or None, initial={"email": request.GET.get("email", "")})
    code = None
    if request.method == "POST" and form.is_valid():
        code = services.make_sign_in_code(by=v.actor, event=v.event, person=form.person)
    where = full_address(request, reverse("events:sign-in-by-code"))
    return v.render(
        "events/people/sign_in_code.html",
        form=form,
        code=f"{code[:4]} {code[4:]}" if code else None,
        person=getattr(form, "person", None),
        minutes=int(services.CODE_LASTS.total_seconds() // 60),
        address=where,
    )


@never_cache
@sensitive_post_parameters("code", "new_password")
def sign_in_by_code(request: HttpRequest) -> HttpResponse:
    """Let somebody in by the head judge's one-time code; ten tries in five minutes from one address for one e-mail."""
    form = UseCodeForm(request.POST or None)
    if request.method == "POST":
        tries = who_tries(request, request.POST.get("email", "").strip())
        if not ratelimit.consume(request, action="sign_in_by_code", key=tries):
            form.add_error(None, _("Too many tries from here: wait a minute."))
            return render(request, "events/people/sign_in_by_code.html", {"form": form}, status=429)
        if form.is_valid():
            person = services.use_sign_in_code(**form.cleaned_data)
            if person is not None:
                messages.success(request, _("Welcome, %(name)s.") % {"name": person})
                return perform_login(
                    request, person, email_verification="none", redirect_url=reverse("events:me"), signup=False
                )
            form.add_error(
                "code",
                _("This code does not let you in: it is wrong, used, or older than 15 minutes. Ask for another."),
            )
    return render(request, "events/people/sign_in_by_code.html", {"form": form})
