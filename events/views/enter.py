"""Registering oneself: with an account, or with a name and a link sent by e-mail."""

from __future__ import annotations

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from events.forms.entries import EnterForm, MailEnterForm
from events.mails import is_mail_configured
from events.models import Entry
from events.services import entries as services
from events.services.entries import by_mail
from events.services.people import entry_link

from .access import Visit, visit
from .entries import CITATION, posted, through_form


def enter(request: HttpRequest, public_id: str) -> HttpResponse:
    """Register the signed-in person; show others the event, and how to register."""
    v = visit(request, public_id)
    if v.entry is not None and v.entry.state != Entry.State.WITHDRAWN:
        return redirect("events:entry", public_id, v.entry.number)
    person = v.actor.account
    if person is None:
        return _choose_how(v, _mail_form(v))
    form = EnterForm(posted(request), initial={"name": person.name, "is_minor": person.is_minor})
    if v.event.is_practice:
        del form.fields["declares"]
    if request.method == "POST" and form.is_valid():
        entry = through_form(form, services.enter_self, by=v.actor, event=v.event, **form.cleaned_data)
        if entry is not None:
            _say_entered(request, entry)
            return redirect("events:entry", public_id, entry.number)
    return v.render(
        "events/entries/enter.html",
        form=form,
        why_not=services.may_enter_now(v.event),
        against=services.hindrances_of(v.event, person),
        free=services.seats_free(v.event),
        citation=CITATION,
    )


def _say_entered(request: HttpRequest, entry: Entry) -> None:
    if entry.state == Entry.State.WAITING:
        messages.warning(request, _("The event is full. You're on the waiting list."))
    else:
        messages.success(request, _("You're registered."))


def _mail_form(v: Visit) -> MailEnterForm | None:
    """Return the form for registering by e-mail, or None if this installation sends none."""
    if not is_mail_configured():
        return None
    form = MailEnterForm(posted(v.request))
    if v.event.is_practice:
        del form.fields["declares"]
    return form


def _choose_how(v: Visit, form: MailEnterForm | None, status: int = 200) -> HttpResponse:
    return v.render(
        "events/entries/enter_how.html",
        form=form,
        why_not=services.may_enter_now(v.event),
        free=services.seats_free(v.event),
        status=status,
    )


@require_POST
def by_mail_ask(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mail a link that registers a player without an account; the answer is the same for every address."""
    v = visit(request, public_id)
    if v.actor.account is not None or v.entry is not None:
        return redirect("events:enter", public_id)
    form = _mail_form(v)
    if form is None or not form.is_valid():
        return _choose_how(v, form, status=400)
    email = form.cleaned_data["email"]
    if not ratelimit.consume(request, action="enter_by_mail", key=email.lower()):
        form.add_error(None, _("Too many attempts. Wait a minute, then try again."))
        return _choose_how(v, form, status=429)
    facts = {"declares": False} | form.cleaned_data
    done = through_form(form, by_mail.ask_by_mail, event=v.event, **facts)
    if done is None and form.errors:
        return _choose_how(v, form, status=400)
    return v.render("events/entries/mail_sent.html", email=email)


@never_cache
def by_mail_confirm(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show what a mailed link registers; when its button is pressed, register the player on this device."""
    v = visit(request, public_id)
    if v.actor.account is not None:
        return redirect("events:enter", public_id)
    facts = by_mail.read_token(v.event, token)
    if request.method != "POST":
        return v.render("events/entries/enter_confirm.html", facts=facts, free=services.seats_free(v.event))
    entry = by_mail.enter_by_mail(by=v.actor, event=v.event, token=token)
    _say_entered(request, entry)
    return redirect(entry_link(entry))
