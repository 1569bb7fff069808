"""Registering with a name and a link sent to an e-mail address, without an account.

Nothing is stored before the link is opened: the signed token in it holds what was typed. What the site answers is the
same for every address, so it reveals no account; an address that has an account is sent a link to sign in instead. The
link proves the mailbox and nothing else: it creates an entry, or opens the one that it created before, and never an
account or an entry that someone else made.
"""

from __future__ import annotations

import datetime
import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.models import EmailAddress
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.address import site_address
from events.door import Refused, door
from events.mails import subject_line
from events.models import Entry, Event, Person
from events.roles import Actor

from .asked import cannot_play, hindrances_of, may_enter_now, state_for_new
from .entering import clean_name, next_number

logger = logging.getLogger(__name__)
SALT = "events.enter-by-mail"
LASTS = datetime.timedelta(days=60)
SIGN_IN: Text = gettext_lazy("This address has an account. Sign in to register.")
LISTED: Text = gettext_lazy("This address is already registered. Ask for your player link at the judges' table.")
OVER: Text = gettext_lazy("This link no longer works. Register again, or ask at the judges' table.")


def ask_by_mail(*, event: Event, email: str, **facts: Any) -> None:
    """Mail a link that registers this player, or one to sign in if the address has an account.

    `facts`: name, club, is_minor, declares. The mail holds nothing that the visitor typed. Raise Refused if registration
    is closed, ValidationError if the name or the declaration is missing.
    """
    _check(event, facts)
    told = {"event": event.name}
    if _has_account(email):
        path = f"{reverse('account_login')}?next={reverse('events:enter', args=[event.public_id])}"
        words = _("You asked to register for %(event)s. This address has an account. Sign in to register:") % told
    else:
        token = signing.dumps({"event": event.public_id, "email": email.lower(), **facts}, salt=SALT, compress=True)
        path = reverse("events:enter-confirm", args=[event.public_id, token])
        words = _("Open this link to register for %(event)s:") % told
    ignore = _("If you didn't ask for this, ignore this e-mail. Nothing has been stored.")
    try:
        send_mail(
            subject_line(_("Register for %(event)s") % told),
            f"{words}\n\n{site_address()}{path}\n\n{ignore}\n",
            None,
            [email],
        )
    except (OSError, SMTPException):
        logger.exception("An e-mail with a link to register couldn't be sent")


def read_token(event: Event, token: str) -> dict[str, Any]:
    """Return what a mailed link holds: email, name, club, is_minor, declares. Raise Refused if it is forged or old."""
    try:
        facts = signing.loads(token, salt=SALT, max_age=LASTS)
    except signing.BadSignature:
        raise Refused(OVER) from None
    if facts.pop("event") != event.public_id:
        raise Refused(OVER)
    return dict(facts)


def enter_by_mail(*, by: Actor, event: Event, token: str) -> Entry:
    """Register the player of a mailed link; opened again, return the entry that it made."""
    facts = read_token(event, token)
    email = facts.pop("email")
    with door("enter-self", by=by, event=event) as writing:
        if _has_account(email):
            raise Refused(SIGN_IN)
        earlier = event.entries.filter(person=None, email__iexact=email).order_by("number").first()
        if earlier is not None and earlier.origin != Entry.Origin.SELF:
            raise Refused(LISTED)
        if earlier is not None and earlier.link_issue != 1:
            raise Refused(OVER)
        if earlier is not None and earlier.state != Entry.State.WITHDRAWN:
            return earlier
        name = _check(event, facts)
        known = {"name": name, "club": facts["club"].strip()[:80], "is_minor": facts["is_minor"]}
        known |= {"eligible_declared": facts["declares"], "state": state_for_new(event)}
        if earlier is not None:
            entry = writing.save(earlier, **known, entered=writing.at)
        else:
            number, origin = next_number(event), Entry.Origin.SELF
            entry = writing.create(Entry, event=event, email=email, number=number, origin=origin, **known)
        writing.says("entered", name=name, state=entry.state)
    return entry


def _check(event: Event, facts: dict[str, Any]) -> str:
    """Return the clean name. Raise Refused or ValidationError if this player can't register now."""
    if why := may_enter_now(event):
        raise Refused(why)
    name = clean_name(facts["name"])
    if not event.is_practice and not facts["declares"]:
        raise ValidationError({"declares": _("Confirm that you're eligible to play.")})
    if against := hindrances_of(event, None):
        raise Refused(cannot_play(name, against))
    return name


def _has_account(email: str) -> bool:
    """Return whether an account has this address, confirmed or not, as its own or as a further one."""
    if Person.objects.filter(email__iexact=email).exists():
        return True
    return EmailAddress.objects.filter(email__iexact=email).exists()
