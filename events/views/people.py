"""Pages about the visitor: events, account, volunteering, player links, sign-in codes, offers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import segno
from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Case, Model, Value, When
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from events.address import full_address
from events.forms.people import AccountForm, AskCodeForm, UseCodeForm, VolunteerForm
from events.models import (
    AuditEntry,
    Entry,
    Event,
    Official,
    Person,
    PublicProfile,
    SignInCode,
    Venue,
    VenueManager,
    Volunteer,
)
from events.roles import LINKED_ENTRIES, LINKED_OFFICES, Actor
from events.services import offers
from events.services import people as services
from events.tries import who_tries

from .access import form_reason, form_version, must_sign_in, visit

OVER = (Event.State.VERIFIED, Event.State.CANCELLED)
SHOWN = 50
RUNNING_FIRST = Case(When(event__state=Event.State.RUNNING, then=Value(0)), default=Value(1))


def signed_in(request: HttpRequest) -> Person:
    """Return the signed-in person, fresh from the database; only for pages that require signing in."""
    return Person.objects.get(pk=request.user.pk or 0)


@login_required
def me(request: HttpRequest) -> HttpResponse:
    """Show the signed-in person's events, as player, official and manager."""
    person = signed_in(request)
    entries = (
        Entry.objects.filter(person=person).exclude(event__state=Event.State.CANCELLED).select_related("event__venue")
    )
    offices = Official.objects.agreed().filter(person=person).select_related("event__venue").order_by("event__starts")
    managed = Venue.objects.managed_by(person)
    asked = Official.objects.filter(event__venue__in=managed, accepted__isnull=True).exclude(event__state__in=OVER)
    return render(
        request,
        "events/people/me.html",
        {
            "coming_entries": entries.exclude(event__state__in=OVER).order_by(RUNNING_FIRST, "event__starts")[:SHOWN],
            "past_entries": entries.filter(event__state=Event.State.VERIFIED).order_by("-event__starts")[:10],
            "offices": offices.exclude(event__state__in=OVER)[:SHOWN],
            "venues": managed.order_by("name"),
            "offers": offers.offers_of(person),
            "asked": asked.select_related("event", "person"),
            "volunteer": Volunteer.objects.filter(person=person).first(),
        },
    )


@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Change the signed-in person's name and details."""
    person = signed_in(request)
    form = AccountForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        services.change_account(by=Actor.of(request), version=form_version(request), **form.cleaned_data)
        messages.success(request, _("Your details have been saved."))
        return redirect("events:me")
    facts = {"form": form, "person": signed_in(request), "devices": person.push_subscriptions.count()}
    return render(request, "events/people/account.html", facts)


@login_required
@reauthentication_required
def my_records(request: HttpRequest) -> HttpResponse:
    """Return all data that the site has about the signed-in person, as JSON."""
    person = signed_in(request)
    volunteer = Volunteer.objects.filter(person=person).first()
    entries = person.entries.select_related("event").order_by("pk")
    document = {
        "account": {
            name: getattr(person, name)
            for name in (
                "email",
                "name",
                "phone",
                "is_minor",
                "publisher_family",
                "wants_pairings",
                "joined",
                "suspended_until",
            )
        },
        "volunteer": volunteer
        and {name: getattr(volunteer, name) for name in ("state", "city", "experience", "registered")},
        "venues": [{"name": venue.name, "city": venue.city} for venue in Venue.objects.managed_by(person)],
        "offices": [
            {"event": row.event.name, "starts": row.event.starts, "role": row.role}
            for row in person.offices.select_related("event")
        ],
        "entries": [
            {"event": row.event.name, "starts": row.event.starts, "number": row.number, "name": row.name}
            | {"club": row.club, "state": row.state}
            for row in entries
        ],
        "api_tokens": list(
            person.api_tokens.values("event__name", "name", "rows", "made", "expires", "last_used", "revoked")
        ),
        "devices_with_notifications": list(person.push_subscriptions.values("host", "language", "made")),
        "public_profile": PublicProfile.objects.filter(person=person)
        .values("is_on", "shows_events", "shows_forces", "in_archives")
        .first(),
        "saved_forces": list(person.saved_forces.values("name", "saved", "terms", "bench")),
        "record": [
            {"at": row.at, "did": row.verb, "summary": row.words}
            for row in AuditEntry.objects.filter(by_person=person).order_by("pk")[:10_000]
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
        messages.success(request, _("Registration sent to the sanctioning office."))
        return redirect("events:me")
    stored = Volunteer.objects.filter(person=person).first()
    return render(request, "events/people/volunteer.html", {"form": form, "volunteer": stored})


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def pairing_mails_off(request: HttpRequest, token: str) -> HttpResponse:
    """Turn off a person's e-mails about pairings, by the link that each of them has.

    Programs that check mails open links, so the page submits itself instead. Mail programs post to it themselves
    (RFC 8058), without a CSRF token: the link alone shows that someone has the mail.
    """
    person = services.person_of_pairing_mails(token)
    if person is None:
        raise Http404
    if request.method == "POST":
        services.turn_off_pairing_mails(person=person)
    return render(request, "events/people/pairing_mails_off.html", {"is_off": not person.wants_pairings})


# player links


@never_cache
def entry_link(request: HttpRequest, token: str) -> HttpResponse:
    """Let the session act for the entry whose player link was followed, and show its page."""
    entry, counts = services.entry_of_link(token)
    if entry is None or not counts:
        return render(request, "events/people/link_over.html", {"entry": entry}, status=404 if entry is None else 410)
    is_new = not request.user.is_authenticated and not request.session.get(LINKED_ENTRIES)
    if is_new and request.session.session_key is not None:
        request.session.cycle_key()  # or someone who knew the session's key before would act for the player, too
    _link(request, LINKED_ENTRIES, entry.event, [entry.pk, entry.link_issue])
    return redirect(_entry_page(entry))


def _entry_page(entry: Entry) -> str:
    try:
        return reverse("events:entry", args=[entry.event.public_id, entry.number])
    except NoReverseMatch:
        return reverse("events:event", args=[entry.event.public_id])


@require_POST
def entry_link_forget(request: HttpRequest, public_id: str) -> HttpResponse:
    """Stop acting by link or code on this device, such as a judge's who tried a slip, or a borrowed phone."""
    event = get_object_or_404(Event, public_id=public_id)
    for kind in (LINKED_ENTRIES, LINKED_OFFICES):
        linked = dict(request.session.get(kind, {}))
        linked.pop(str(event.pk), None)
        request.session[kind] = linked
    messages.success(request, _("This device is no longer signed in for this event."))
    return redirect("events:event", public_id)


@never_cache
def entry_qr(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a player link as a QR code on an official's screen."""
    v = visit(request, public_id)
    v.require("renew-entry-link")
    entry = get_object_or_404(Entry, event=v.event, number=number)
    address = full_address(request, services.entry_link(entry))
    code = segno.make(address, error="m").svg_inline(omitsize=True, border=4, scale=1)
    return v.render("events/people/entry_qr.html", entry=entry, address=address, code=code)


@require_POST
def entry_link_renew(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Make a new player link, which invalidates the printed one."""
    v = visit(request, public_id)
    entry = get_object_or_404(Entry, event=v.event, number=number)
    entry.event = v.event
    services.renew_entry_link(by=v.actor, entry=entry, **form_reason(request))
    messages.success(
        request, _("New player link created for %(name)s. The printed one no longer works.") % {"name": entry}
    )
    return redirect("events:entry-qr", public_id, number)


# sign-in codes


@never_cache
def sign_in_code(request: HttpRequest, public_id: str) -> HttpResponse:
    """Make a sign-in code for a person at the event, shown only once, and revoke valid ones; for the head judge."""
    v = visit(request, public_id)
    v.require("make-sign-in-code")
    services.account_of(v.actor)
    form = AskCodeForm(request.POST or None, event=v.event, initial={"email": request.GET.get("email", "")})
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
        codes=services.codes_of(v.event),
    )


@require_POST
def sign_in_code_revoke(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Revoke a code and end the session that it opened."""
    v = visit(request, public_id)
    row = get_object_or_404(SignInCode.objects.select_related("person"), pk=pk, event=v.event)
    services.revoke_sign_in_code(by=v.actor, event=v.event, code=row)
    messages.success(request, _("Sign-in code for %(name)s revoked.") % {"name": row.person})
    return redirect("events:sign-in-code", public_id)


@never_cache
@sensitive_post_parameters("code")
def sign_in_by_code(request: HttpRequest) -> HttpResponse:
    """Sign in at one event by the head judge's code: ten attempts in five minutes per e-mail and origin.

    Attempts are counted by the code's first letters as well, so that someone who sends wrong codes in a judge's name
    from a hall's network can't block the judge, whose code begins differently.
    """
    form = UseCodeForm(request.POST or None)
    if request.method == "POST":
        begins = services.plain_code(request.POST.get("code", ""))[: services.CODE_BEGINS]
        tries = f"{who_tries(request, request.POST.get('email', '').strip())} {begins}"
        if not ratelimit.consume(request, action="sign_in_by_code", key=tries):
            form.add_error(None, _("Too many attempts. Wait a minute, then try again."))
            return render(request, "events/people/sign_in_by_code.html", {"form": form}, status=429)
        if request.user.is_authenticated:
            form.add_error(None, _("You're signed in with your account. Sign out first to use a sign-in code."))
        elif form.is_valid():
            code = services.use_sign_in_code(**form.cleaned_data, let_in=partial(_let_in, request))
            if code is not None:
                return _welcome(request, code)
            form.add_error(
                "code",
                _(
                    "This code isn't valid. It was mistyped, has already been used, is more than 15 minutes old, or was "
                    "entered wrongly five times. Ask the head judge for a new one."
                ),
            )
    return render(request, "events/people/sign_in_by_code.html", {"form": form})


def _let_in(request: HttpRequest, code: SignInCode) -> None:
    """Let the session act at the code's event, as the official or else as a player link would; it has no account."""
    event = code.event
    office, entry = services.office_for_code(event, code.person), services.entry_for_code(event, code.person)
    if office is not None:
        _link(request, LINKED_OFFICES, event, [office.pk, code.pk])
    else:
        assert entry is not None, "a code is for an official or a player"
        _link(request, LINKED_ENTRIES, event, [entry.pk, entry.link_issue, code.pk])
    request.session.cycle_key()  # this saves the session


def _welcome(request: HttpRequest, code: SignInCode) -> HttpResponse:
    """Welcome the person let in by a code, and show their page."""
    event, person = code.event, code.person
    messages.success(
        request, _("Welcome, %(name)s. You're signed in for %(event)s only.") % {"name": person, "event": event}
    )
    entry = None if services.office_for_code(event, person) else services.entry_for_code(event, person)
    return redirect(_entry_page(entry) if entry is not None else reverse("events:console", args=[event.public_id]))


def _link(request: HttpRequest, kind: str, event: Event, what: list[int]) -> None:
    request.session[kind] = request.session.get(kind, {}) | {str(event.pk): what}


# offers: what others have entered a person for


OFFERED: dict[str, tuple[type[Model], Callable[..., object], Callable[..., object], str, str]] = {
    "role": (Official, offers.accept_role, offers.decline_role, "event__venue", "official"),
    "venue": (VenueManager, offers.accept_management, offers.decline_management, "venue", "manager"),
    "club": (Venue, offers.accept_volunteering, offers.decline_volunteering, "registered_volunteer", "venue"),
    "entry": (Entry, offers.join_entry, offers.decline_entry, "event__venue", "entry"),
}
"""By kind: the offered row's model, the verbs that accept and decline it, relations to load, and its name in them."""


@require_POST
@login_required
def offer_answer(request: HttpRequest, kind: str, pk: int, answer: str) -> HttpResponse:
    """Accept or decline an offer to the signed-in person."""
    if kind not in OFFERED or answer not in ("accept", "decline"):
        raise Http404
    model, accept, decline, joined, name = OFFERED[kind]
    row = get_object_or_404(model._default_manager.select_related(joined), pk=pk)
    verb = accept if answer == "accept" else decline
    seen = {"role": request.POST.get("role", "")} if verb is offers.accept_role else {}
    verb(by=Actor.of(request), **{name: row}, **seen)
    words = _("Offer accepted.") if answer == "accept" else _("Offer declined.")
    if answer == "accept" and isinstance(row, (Official, VenueManager)) and row.confirmed is None:
        words = _("Offer accepted. The organisers still have to confirm that this account is yours.")
    messages.success(request, words)
    return redirect("events:me")


@require_POST
def entry_join(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Add the entry of the session's player link to the signed-in account."""
    v = visit(request, public_id)
    if away := must_sign_in(request):
        return away
    row = get_object_or_404(Entry.objects.select_related("event__venue"), event=v.event, number=number)
    offers.join_entry(by=v.actor, entry=row)
    messages.success(request, _("Entry %(number)d added to your account.") % {"number": row.number})
    return redirect("events:entry", public_id, number)
