"""Webhooks: who is told of an event's pairings, results and calls, by messages that leave the site.

Messages are made and sent by `judging.outbox`, beside requests.
"""

from __future__ import annotations

import base64
import datetime
import secrets
import uuid
from collections.abc import Collection

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from events import live
from events.actions import Text
from events.door import Refused, Writing, door
from events.models import Event, Webhook, WebhookMessage
from events.roles import Actor
from events.sending import SECRET_BEGINS, split_address
from events.webhook_messages import CHOSEN, Happening, Kind, body_of

from .people import account_of

State = WebhookMessage.State
MAX_WEBHOOKS = 10
TRIED_FOR = datetime.timedelta(days=1)
TURNED_OFF: Text = _("Webhooks are turned off on this installation. Its administrator can turn them on.")
TOO_MANY: Text = _("An event can have at most %(most)d webhooks. Delete one first.")


def create_webhook(
    *, by: Actor, event: Event, name: str, address: str, form: str, kinds: Collection[str], site: str = ""
) -> tuple[Webhook, str]:
    """Add a webhook, which gets a test message; return it and its secret, to be shown once.

    Raise Refused where webhooks are turned off; ValidationError if messages can't be sent to the address.
    """
    split_address(address)
    secret = _new_secret()
    with door("create-webhook", by=by, event=event) as writing:
        account_of(by)
        _must_be_on()
        if event.webhooks.count() >= MAX_WEBHOOKS:
            raise Refused(TOO_MANY % {"most": MAX_WEBHOOKS})
        hook = writing.create(
            Webhook,
            event=event,
            name=name,
            address=address,
            form=form,
            kinds=[kind.value for kind in CHOSEN if kind in kinds],
            language=get_language() or settings.LANGUAGE_CODE,
            secret=secret,
            upto=live.newest(event),
        )
        _test(writing, hook, site)
        writing.says("webhook-added", webhook=hook.name)
    return hook, secret


def turn_webhook(*, by: Actor, hook: Webhook, on: bool, version: int | None = None) -> Webhook:
    """Turn a webhook on or off; what happens while it is off is never sent."""
    with door("change-webhook", by=by, event=hook.event, on=hook, version=version) as writing:
        if on:
            _must_be_on()
            if not hook.is_on:
                writing.jot(hook, upto=live.newest(hook.event), due=writing.at, fails=0)
        writing.save(hook, is_on=on)
        writing.says("webhook-turned-on" if on else "webhook-turned-off", webhook=hook.name)
    return hook


def replace_secret(*, by: Actor, hook: Webhook, version: int | None = None) -> str:
    """Return a new secret, to be shown once; from now on it signs every message."""
    secret = _new_secret()
    with door("change-webhook", by=by, event=hook.event, on=hook, version=version) as writing:
        account_of(by)
        writing.save(hook, secret=secret)
        writing.says("webhook-secret-replaced", webhook=hook.name)
    return secret


def send_test(*, by: Actor, hook: Webhook, site: str = "") -> WebhookMessage:
    """Send a test message."""
    with door("change-webhook", by=by, event=hook.event, on=hook) as writing:
        _must_be_on()
        if not hook.is_on:
            raise Refused(_("This webhook is turned off. Turn it on first."))
        if hook.messages.filter(kind=Kind.TEST, state=State.WAITING).exists():
            raise Refused(_("A test message is already waiting. Wait until it has been sent."))
        message = _test(writing, hook, site)
        writing.says("webhook-tested", webhook=hook.name)
    return message


def send_again(*, by: Actor, message: WebhookMessage) -> WebhookMessage:
    """Send a message again, now and for a day; its id stays, so that the receiver can recognise it."""
    hook = message.hook
    with door("change-webhook", by=by, event=hook.event, on=message) as writing:
        _must_be_on()
        if not hook.is_on:
            raise Refused(_("This webhook is turned off. Turn it on first."))
        writing.save(message, state=State.WAITING, ends=writing.at + TRIED_FOR)
        writing.jot(hook, due=writing.at, fails=0)
        writing.says("webhook-resent", webhook=hook.name)
    return message


def delete_webhook(*, by: Actor, hook: Webhook, version: int | None = None) -> None:
    """Delete a webhook with its messages; none is sent any more."""
    with door("delete-webhook", by=by, event=hook.event, on=hook, version=version) as writing:
        writing.says("webhook-deleted", webhook=hook.name)
        writing.delete(hook)


def _must_be_on() -> None:
    if not settings.WEBHOOKS:
        raise Refused(TURNED_OFF)


def _new_secret() -> str:
    return SECRET_BEGINS + base64.b64encode(secrets.token_bytes(24)).decode()


def _test(writing: Writing, hook: Webhook, site: str) -> WebhookMessage:
    key = uuid.uuid4()
    body = body_of(hook, key, Happening(Kind.TEST, timezone.now()), site)
    return writing.create(WebhookMessage, hook=hook, key=key, kind=Kind.TEST, body=body, ends=writing.at + TRIED_FOR)


__all__ = [
    "MAX_WEBHOOKS",
    "TRIED_FOR",
    "TURNED_OFF",
    "create_webhook",
    "delete_webhook",
    "replace_secret",
    "send_again",
    "send_test",
    "turn_webhook",
]
