"""Verbs about the installation: set it up once, change its settings later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.door import Refused, door
from events.models import Installation, Person, Venue, Volunteer
from events.roles import SITE, Actor
from events.setup_link import forget, is_set_up

from . import people, venues

SET_UP_ALREADY: Text = gettext_lazy("Headjudge is already set up. Sign in with the administrator's account.")
ONLY = 1
"""The key of the single row, so that only one of two simultaneous set-ups can create it."""


@dataclass(frozen=True)
class SetUp:
    """What a set-up created; an office has no venue."""

    administrator: Person
    installation: Installation
    venue: Venue | None


def set_up(
    *,
    account: dict[str, Any],
    defaults: dict[str, Any],
    venue: dict[str, Any] | None = None,
    members: list[venues.Member] | None = None,
) -> SetUp:
    """Create the administrator, the settings and, with `venue`, an approved venue and volunteer: all or nothing.

    `account` has email, password, name and phone. Its address counts as confirmed, because only someone with access to
    the machine gets the link. Raise Refused if there is an account already, or if the policy requires more of the
    venue.
    """
    try:
        with transaction.atomic():
            made = _set_up(account, defaults, venue, members or [])
    except IntegrityError:
        raise Refused(SET_UP_ALREADY) from None
    forget()
    use(made.installation)
    return made


def _set_up(
    account: dict[str, Any], defaults: dict[str, Any], facts: dict[str, Any] | None, members: list[venues.Member]
) -> SetUp:
    with door("change-installation", by=SITE) as writing:
        if is_set_up():
            raise Refused(SET_UP_ALREADY)
        installation = writing.create(Installation, pk=ONLY, **defaults)
        person = Person.objects.create_superuser(**account, language=installation.language)
        writing.by = Actor(person=person)
        writing.says("installation-set-up", name=person)
    if facts is None:
        return SetUp(person, installation, None)
    by = Actor(person=person)
    volunteer = people.register_volunteer(by=by, city=facts["city"], experience="")
    people.decide_volunteer(by=by, volunteer=volunteer, decision=Volunteer.State.APPROVED)
    if facts["kind"] == Venue.Kind.CLUB:
        facts = facts | {"registered_volunteer": volunteer}
    venue = venues.register_venue(by=by, facts=facts, members=members)
    venues.decide_venue(by=by, venue=venue, decision=Venue.State.APPROVED)
    return SetUp(person, installation, venue)


def change_installation(*, by: Actor, facts: dict[str, Any], version: int | None = None) -> Installation:
    """Change the defaults for new events and venues; existing ones stay unchanged."""
    here = Installation.here()
    with door("change-installation", by=by, on=here, version=version) as writing:
        if here.pk is None:
            here = writing.create(Installation, pk=ONLY, **facts)
        else:
            writing.save(here, **facts)
        writing.says("installation-changed")
    use(here)
    return here


def use_stored() -> None:
    """Use the stored settings, possibly saved by another process; do nothing before the set-up."""
    here = Installation.here()
    if here.pk is not None:
        use(here)


def use(installation: Installation) -> None:
    """Make the installation's language and time zone the defaults of this process."""
    settings.LANGUAGE_CODE = installation.language
    settings.TIME_ZONE = installation.time_zone
    timezone.get_default_timezone.cache_clear()  # type: ignore[attr-defined]
