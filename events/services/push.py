"""Push messages: in which browsers a person gets them. They are made and sent by `judging.pushes`, beside requests."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from events.door import Refused, door
from events.models import PushSubscription
from events.roles import Actor
from events.sending import split_address
from events.web_push import decoded, encoded, is_subscription_key, public_key

from .people import account_of

MAX_DEVICES = 10


def key_for(by: Actor) -> str:
    """Return the public key with which this visitor's browser may subscribe; "" if push messages aren't offered.

    They are for people who are signed in: a device stays signed out of a player link that was renewed or lent.
    """
    return public_key() if settings.PUSH and by.account is not None else ""


def subscribe(*, by: Actor, endpoint: str, p256dh: str, auth: str) -> PushSubscription:
    """Send the acting person's push messages to a browser as well; the oldest of more than `MAX_DEVICES` is dropped.

    A browser belongs to whoever subscribed in it last. Raise Refused where push messages are off, and ValidationError if
    the endpoint or the keys can't be used.
    """
    person = account_of(by)
    if not settings.PUSH:
        raise Refused(_("Notifications are turned off on this installation."))
    parts = split_address(endpoint)
    if (parts.scheme != "https" and not settings.WEBHOOKS_INSIDE) or not is_subscription_key(p256dh, auth):
        raise ValidationError(_("This browser can't receive notifications from this site. Try another browser."))
    values = {"p256dh": encoded(decoded(p256dh)), "auth": encoded(decoded(auth))}
    values["language"] = get_language() or settings.LANGUAGE_CODE
    with door("change-account", by=by, on=person) as writing:
        for row in PushSubscription.objects.filter(endpoint=endpoint):
            if row.person_id == person.pk and all(getattr(row, name) == value for name, value in values.items()):
                return row
            writing.delete(row)
        made = writing.create(
            PushSubscription, person=person, endpoint=endpoint, host=urlsplit(endpoint).netloc.lower(), **values
        )
        for row in person.push_subscriptions.order_by("-made", "-pk")[MAX_DEVICES:]:
            writing.delete(row)
        writing.says("push-on", name=person)
    return made


def is_subscribed(*, by: Actor, endpoint: str) -> bool:
    """Return whether the acting person gets push messages in this browser."""
    return account_of(by).push_subscriptions.filter(endpoint=endpoint).exists()


def unsubscribe(*, by: Actor, endpoint: str = "") -> int:
    """Send the acting person no more push messages to a browser, or to any; return to how many they went."""
    person = account_of(by)
    with door("change-account", by=by, on=person) as writing:
        rows = person.push_subscriptions.all()
        gone = list(rows.filter(endpoint=endpoint) if endpoint else rows)
        for row in gone:
            writing.delete(row)
        writing.says("push-off", name=person)
    return len(gone)
