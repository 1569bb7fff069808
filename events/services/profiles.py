"""Public profiles: turned on and off by the person alone; who is linked from standings and named in archives."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from events.door import door
from events.models import Entry, Event, Person, PublicProfile
from events.models.profiles import new_key
from events.roles import Actor

from .people import account_of, end_profile

OVER = (Event.State.FINISHED, Event.State.VERIFIED)
"""The states of events that a profile can show."""
PLAYED = (Entry.State.CHECKED_IN, Entry.State.DROPPED)


def profile_of(person: Person) -> PublicProfile:
    """Return a person's profile; before the first change an unsaved one, turned off."""
    return PublicProfile.objects.filter(person=person).first() or PublicProfile(person=person)


def change_profile(
    *, by: Actor, is_on: bool, shows_events: bool, shows_forces: bool, in_archives: bool, version: int | None = None
) -> PublicProfile:
    """Turn the acting person's profile on or off, and choose what it shows.

    Turned off, its address is gone for good, and new archives leave out the name until the person allows it again.
    Raise ValidationError for people under 18, and if nothing is to be shown.
    """
    person = account_of(by)
    profile = profile_of(person)
    with door("change-profile", by=by, on=profile if profile.pk else person, version=version) as writing:
        if is_on and person.is_minor:
            raise ValidationError(_("People under 18 can't have a public profile."))
        if is_on and not (shows_events or shows_forces):
            raise ValidationError(_("Choose what the profile shows."))
        facts = {"is_on": is_on, "shows_events": shows_events, "shows_forces": shows_forces, "in_archives": in_archives}
        if profile.pk is None:
            profile = writing.create(PublicProfile, person=person, **facts)
            writing.says("profile-on" if is_on else "profile-changed", name=person)
        elif profile.is_on and not is_on:
            end_profile(writing, profile)
        else:
            renewed = {"key": new_key()} if is_on and not profile.is_on else {}
            writing.says("profile-on" if renewed else "profile-changed", name=person)
            writing.save(profile, **facts, **renewed)
    return profile


def profiles_at(event: Event) -> Mapping[int, str]:
    """Return the keys of the profiles that a finished event's standings link to, by the entry's number."""
    if event.state not in OVER:
        return {}
    shown = PublicProfile.objects.shown().filter(person__entries__event=event, person__entries__is_minor=False)
    return dict(shown.values_list("person__entries__number", "key"))


def left_out_of_archives(event: Event) -> frozenset[int]:
    """Return the numbers of the entries whose names a new archive of the event doesn't show."""
    against = event.entries.filter(person__profile__in_archives=False)
    return frozenset(against.values_list("number", flat=True))
