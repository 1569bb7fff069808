"""API tokens: create, revoke, and find the one that a request sends."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import secrets
from collections.abc import Collection

from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from events.actions import ACTIONS, Text
from events.door import Refused, door
from events.models import ApiToken, Event, Person, Role
from events.prepared import Prepared, asked
from events.roles import Actor
from events.token_rows import NOT_BY_TOKEN
from events.unavailable import JAM

from .people import account_of

BEGINS = "hj_"
"""What every token begins with, so that one is recognised wherever it is found."""
MAX_TOKENS = 20
NOTED = datetime.timedelta(minutes=1)
"""How exactly a token's last use is kept: not every request writes."""
REVOKERS = frozenset({Role.OFFICE, Role.VENUE, Role.HEAD_JUDGE})
"""Roles that see and revoke everyone's tokens of an event."""
TOKEN = Prepared(lambda: ApiToken.objects.select_related("person").filter(pk=asked("pk")))
TOO_MANY: Text = _("You already have %(most)d tokens for this event that still work. Revoke one first.")


def rows_for(roles: frozenset[Role]) -> list[str]:
    """Return the rows of the action table for which a person with these roles can create a token."""
    return [verb for verb, row in ACTIONS.items() if verb not in NOT_BY_TOKEN and roles & row.roles]


def create_token(*, by: Actor, event: Event, name: str, rows: Collection[str], lasts: datetime.timedelta) -> str:
    """Return a new token of the person who asks, to be shown once; only its hash is stored."""
    secret = secrets.token_urlsafe(32)
    with door("create-token", by=by, event=event) as writing:
        person = account_of(by)
        if working(person, event).count() >= MAX_TOKENS:
            raise Refused(TOO_MANY % {"most": MAX_TOKENS})
        possible = rows_for(by.roles(event=event))
        made = writing.create(
            ApiToken,
            person=person,
            event=event,
            name=name,
            rows=[verb for verb in possible if verb in rows],
            secret_hash=_hash(secret),
            password_mark=person.get_session_auth_hash(),
            expires=writing.at + lasts,
        )
        writing.says("token-made", token=made.name)
    return f"{BEGINS}{made.pk}_{secret}"


def revoke_token(*, by: Actor, event: Event, token: ApiToken) -> ApiToken:
    """Revoke a token: its owner's own, or anyone's for those who answer for the event."""
    with door("revoke-token", by=by, event=event, on=token) as writing:
        is_own = by.account is not None and by.account.pk == token.person_id
        if not (is_own or by.is_site or by.roles(event=event) & REVOKERS):
            raise Refused(_("Only the token's owner, the head judge or the venue manager can revoke it."))
        writing.save(token, revoked=token.revoked or writing.at)
        writing.says("token-revoked", token=token.name, name=token.person)
    return token


def working(person: Person, event: Event) -> QuerySet[ApiToken]:
    """Return the person's tokens at the event that are neither revoked nor expired."""
    return event.api_tokens.filter(person=person, revoked=None, expires__gt=timezone.now())


def tokens_of(event: Event, by: Actor) -> list[ApiToken]:
    """Return the event's tokens that this actor may revoke, newest first. One query."""
    found = event.api_tokens.select_related("person")
    if not by.roles(event=event) & REVOKERS:
        found = found.filter(person=by.account)
    return list(found)


def labels_of(token: ApiToken) -> list[Text]:
    """Return what a token may do, in words."""
    return [ACTIONS[verb].label for verb in token.rows if verb in ACTIONS]


def why_over(token: ApiToken) -> Text:
    """Return why a token doesn't work any more, or ""."""
    if token.revoked is not None:
        return pgettext_lazy("token", "revoked")
    if token.expires <= timezone.now():
        return _("expired")
    if not token.person.is_active:
        return _("account closed")
    if not constant_time_compare(token.password_mark, token.person.get_session_auth_hash()):
        return _("ended when the password was changed")
    return ""


def token_of(sent: str) -> ApiToken | None:
    """Return the token that a request sends, or None if there is none such or it doesn't work any more."""
    number, _line, secret = sent.removeprefix(BEGINS).partition("_")
    if not (sent.startswith(BEGINS) and number.isascii() and number.isdecimal() and len(number) < 18):
        return None
    found = TOKEN.first(pk=int(number))
    if found is None or not constant_time_compare(found.secret_hash, _hash(secret)) or why_over(found):
        return None
    return found


def note_use(token: ApiToken) -> None:
    """Note that a token is used now; a database that can't be written keeps no one from reading."""
    now = timezone.now()
    if JAM.is_on or (token.last_used is not None and token.last_used > now - NOTED):
        return
    with contextlib.suppress(DatabaseError):
        ApiToken.objects.filter(pk=token.pk).update(last_used=now)


def _hash(secret: str) -> str:
    """Return the hash that is stored: a fast one, as the secret is 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


__all__ = [
    "BEGINS",
    "create_token",
    "labels_of",
    "note_use",
    "revoke_token",
    "rows_for",
    "token_of",
    "tokens_of",
    "why_over",
]
