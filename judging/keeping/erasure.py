"""Erasure of a person's data without breaking results: rename, close the account, remove the name everywhere.

What happened at events is kept: seats, winners, rulings. Name, e-mail address, telephone and club are removed, and the
name also from the audit log and verified reports. Entries that an event needs are kept under a replacement name. The
audit log is append-only; this is the only exception. `erasure_files` handles snapshots and paper. Backups aren't
changed, and the pages say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from events.actions import answer
from events.audit import naming
from events.door import Refused, door
from events.models import (
    ApiToken,
    AuditEntry,
    ClubMember,
    Entry,
    Event,
    PairingMail,
    Person,
    PolicyOverride,
    PublicProfile,
    PushMessage,
    PushSubscription,
    Round,
    SeriesJoin,
    SignInCode,
    Volunteer,
    WebhookMessage,
)
from events.roles import Actor
from events.services.offers import confirmed_addresses
from judging.keeping import erasure_files, snapshots
from judging.keeping import rows as graph
from judging.keeping.copying import NOBODY
from judging.keeping.scrubbing import (
    Erased,
    PersonNames,
    emptied,
    is_of_things,
    mark_of,
    out_of_event_file,
    out_of_tournament,
    texts_of,
)
from judging.models import Erasure, VerifiedReport
from rules.models import CatalogueChange, SavedDispute

GOING_ON = (Event.State.OPEN, Event.State.RUNNING, Event.State.FINISHED)
OF_NO_EVENT = frozenset(
    {
        "register-volunteer",
        "decide-volunteer",
        "register-venue",
        "change-venue",
        "change-venue-managers",
        "decide-venue",
        "change-series-players",
    }
)
"""Verbs outside events whose audit log entries may name a person."""


def new_name(person: Person) -> str:
    """Return the replacement name under which an erased person's results are kept."""
    return _("Player %(number)d (data erased)") % {"number": person.pk}


def why_not(person: Person) -> str:
    """Return what must be settled before a person's data can be erased, or ""."""
    playing = person.entries.exclude(state=Entry.State.WITHDRAWN)
    if registered := Event.objects.filter(entries__in=playing, state=Event.State.OPEN).first():
        return _("This account is registered for “%(event)s”. Withdraw it from the event first.") % {
            "event": registered.name
        }
    going_on = Event.objects.filter(
        Q(entries__in=playing, state__in=GOING_ON[1:]) | Q(officials__in=person.offices.agreed(), state__in=GOING_ON)
    ).first()
    if going_on is not None:
        return _("“%(event)s” isn't over. The account's data is needed until the event's results are verified.") % {
            "event": going_on.name
        }
    managing = person.managing.at_work().select_related("venue")
    alone = next((row.venue for row in managing if row.venue.management.at_work().count() == 1), None)
    if alone is not None:
        return _("“%(venue)s” has no other manager. Add one first.") % {"venue": alone.name}
    if person.suspended:
        return _("This account is suspended until %(until)s. Its data can't be erased until the suspension ends.") % {
            "until": person.suspended
        }
    if person.is_office and not Person.objects.filter(is_office=True, is_active=True).exclude(pk=person.pk).exists():
        return _("You're the only administrator. Create another with “headjudge createsuperuser” first.")
    return ""


def erase_person(
    *, by: Actor, person: Person, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Person:
    """Erase the data of the person who asks, or (as administrator) of another person. This can't be undone."""
    verb = "erase-self" if by.person is not None and by.person.pk == person.pk else "erase-person"
    consequences = [
        _("The account will be closed. No one will be able to sign in with it."),
        _("Results are kept under the name “%(name)s”.") % {"name": new_name(person)},
        _(
            "The name, e-mail address, telephone number and club are removed, including from the audit log and verified reports."
        ),
        _("Saved forces are deleted."),
        _("This can't be undone."),
    ]
    given = answer(verb, by.roles())
    has_reason = bool(reason.strip()) or not given.action.needs_reason
    if given and has_reason and version in (None, person.version) and not why_not(person):
        # before the transaction: if the server dies in between, the erasure is simply repeated
        snapshots.wait_until_written()
        erased = _erased(person, by_office=verb == "erase-person")
        for event in Event.objects.filter(pk__in=_events_of(erased)):
            erasure_files.remove_files(event)
            erasure_files.scrub_snapshots(event, erased, _names_at(event, erased))
    with door(
        verb, by=by, on=person, version=version, confirmed=confirmed, reason=reason, consequences=consequences
    ) as writing:
        if not person.is_active and Erasure.objects.filter(person=person).exists():
            raise Refused(_("This data has already been erased."))
        if why := why_not(person):
            raise Refused(why)
        scrub(person, by_office=verb == "erase-person")
        person.refresh_from_db()
        writing.changes.append({"model": "events.Person", "id": person.pk, "before": {}, "after": {"is_active": False}})
        writing.says("erased", name=person.name)
    return person


def scrub(person: Person, *, by_office: bool) -> None:
    """Replace a person's name and remove all personal data, the age included, inside the caller's transaction."""
    with transaction.atomic():
        erased = _erased(person, by_office=by_office)
        touched = _events_of(erased)
        of_no_event = [entry.pk for entry in _mentions_of_no_event(erased)]
        Erasure.objects.get_or_create(person=person, defaults={"mark": mark_of(person.email)})
        Entry.objects.filter(pk__in=erased.entries).update(
            name=erased.name, email="", club="", is_minor=False, person=person
        )
        ClubMember.objects.alias(address=Lower("email")).filter(address__in=erased.emails).delete()
        Volunteer.objects.filter(person=person).update(
            city="", experience="", decision_reason="", state=Volunteer.State.SUSPENDED
        )
        person.managing.all().delete()
        person.saved_forces.all().delete()
        SeriesJoin.objects.filter(
            Q(person=person) | Q(name__in=erased.words) | Q(other__in=erased.words)
        ).delete()  # the entries of these names count for themselves again
        person.offices.offered().delete()
        PublicProfile.objects.filter(person=person).delete()
        SignInCode.objects.filter(person=person).delete()
        ApiToken.objects.filter(person=person).delete()
        PairingMail.objects.filter(person=person).delete()
        PushSubscription.objects.filter(person=person).delete()
        PushMessage.objects.filter(event__in=touched).update(body="", due=None)
        WebhookMessage.objects.filter(hook__event__in=touched).delete()
        EmailAddress.objects.filter(user=person).delete()
        Authenticator.objects.filter(user=person).delete()
        Person.objects.filter(pk=person.pk).update(
            name=erased.name,
            email=f"erased-{person.pk}-{get_random_string(8).lower()}@erased.invalid",
            phone="",
            suspension_reason="",
            is_minor=False,
            publisher_family=False,
            wants_pairings=False,
            is_active=False,
            is_office=False,
            is_staff=False,
            is_superuser=False,
            password="!",
            version=person.version + 1,
        )
        _end_sessions(person)
        for event in Event.objects.filter(pk__in=touched):
            _scrub_event(event, erased)
            erasure_files.delete_paper(event)
        CatalogueChange.objects.filter(by__in=erased.words).update(by=erased.name)
        names = PersonNames(erased.words, erased.name)
        for entry in AuditEntry.objects.filter(pk__in=of_no_event).iterator(chunk_size=500):
            _scrub_row(entry, names, erased)


def scrub_imported(event: Event, people: Iterable[Mapping[str, Any]]) -> None:
    """Remove people who were erased here from an imported event; `people` are those of the file."""
    marks = {mark_of(facts["email"]): facts for facts in people}
    marks |= {mark_of(email): {"email": email, "name": email} for email in _addresses(event)}
    for erasure in Erasure.objects.filter(mark__in=marks).select_related("person"):
        facts, person = marks[erasure.mark], erasure.person
        entries = event.entries.filter(Q(person=person) | Q(person=None, email__iexact=facts["email"]))
        words = {facts["name"], facts["email"], *entries.values_list("name", flat=True)} - {new_name(person)}
        erased = Erased(
            person=person.pk,
            volunteer=None,
            entries=frozenset(entries.values_list("pk", flat=True)),
            emails=frozenset({facts["email"].lower()}),
            words=_longest_first(words),
            name=new_name(person),
        )
        entries.update(name=erased.name, email="", club="", is_minor=False, person=person)
        _scrub_event(event, erased)


def _addresses(event: Event) -> Iterable[str]:
    return event.entries.exclude(email="").values_list("email", flat=True)


def _longest_first(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted((word for word in words if len(word) > 2), key=lambda word: (-len(word), word)))


# what identifies the person, and where


def _erased(person: Person, *, by_office: bool) -> Erased:
    """Return everything that identifies a person: keys, addresses, and every present or earlier name.

    Entries and memberships that have only an address count if the person has confirmed that address, or if an
    administrator erases: anyone can give any address for an account.
    """
    emails = {person.email, *EmailAddress.objects.filter(user=person).values_list("email", flat=True)}
    theirs = {email.lower() for email in emails} if by_office else confirmed_addresses(person)
    of_address = Entry.objects.alias(address=Lower("email")).filter(person=None, address__in=theirs)
    entries = Entry.objects.filter(Q(person=person) | Q(pk__in=of_address))
    words = {person.name, *emails, *entries.values_list("name", flat=True)}
    for entry in AuditEntry.objects.filter(subject_model="events.Person", subject_id=person.pk):
        for change in entry.changes:
            for facts in (change["before"] or {}, change["after"] or {}):
                words |= {facts[name] for name in ("name", "email") if facts.get(name)}
    return Erased(
        person=person.pk,
        volunteer=Volunteer.objects.filter(person=person).values_list("pk", flat=True).first(),
        entries=frozenset(entries.values_list("pk", flat=True)),
        emails=frozenset(theirs),
        words=_longest_first(words),
        name=new_name(person),
    )


def _events_of(erased: Erased) -> set[int]:
    """Return the events where the person ever played, worked, acted or had a policy exception."""
    found = set(Entry.objects.filter(pk__in=erased.entries).values_list("event_id", flat=True))
    found |= set(Event.objects.filter(officials__person=erased.person).values_list("pk", flat=True))
    found |= set(PolicyOverride.objects.filter(person=erased.person).values_list("event_id", flat=True))
    there = AuditEntry.objects.filter(event__isnull=False).exclude(event__in=found)
    named = naming(there, erased.words)
    found |= {
        entry.event_id
        for entry in named.iterator(chunk_size=500)
        if entry.event_id is not None and erased.is_concerned(entry)
    }
    return found


def _mentions_of_no_event(erased: Erased) -> Iterator[AuditEntry]:
    """Yield the audit log entries outside events that are by or about the person."""
    own = Q(by_person=erased.person) | Q(subject_model="events.Person", subject_id=erased.person)
    for entry in AuditEntry.objects.filter(own | Q(verb__in=OF_NO_EVENT), event=None).iterator(chunk_size=500):
        if erased.is_concerned(entry):
            yield entry


def _names_at(event: Event, erased: Erased) -> PersonNames:
    others = event.entries.exclude(pk__in=erased.entries).values_list("name", flat=True)
    return PersonNames(erased.words, erased.name, others)


# rows


def _end_sessions(person: Person) -> None:
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(person.pk):
            session.delete()


def _scrub_event(event: Event, erased: Erased) -> None:
    """Replace the names in all rows of an event, its verified reports, tournament files and saved disputes."""
    names = _names_at(event, erased)
    found = graph.rows_of(event)
    for rows in found.values():
        for row in rows:
            _scrub_row(row, names, erased)
    people = graph.numbered(event).keys[graph.PERSON]
    for anonymized in Person.objects.filter(pk__in=people, email__endswith=NOBODY):
        _scrub_row(anonymized, names, erased)
    for dispute in SavedDispute.objects.filter(public_id__in=graph.dispute_keys(found, event)):
        _scrub_row(dispute, names, erased)
    numbers = set(event.entries.filter(pk__in=erased.entries).values_list("number", flat=True))
    for report in event.verified_reports.all():
        out_of_event_file(report.document, numbers)
        models.QuerySet(VerifiedReport).filter(pk=report.pk).update(document=report.document)
    for row in event.rounds.all():
        out_of_tournament(row.tournament, numbers)
        models.QuerySet(Round).filter(pk=row.pk).update(tournament=row.tournament)


def _scrub_row(row: models.Model, names: PersonNames, erased: Erased) -> None:
    changed = {}
    for column in texts_of(type(row)):
        old = column.value_from_object(row)
        new = names.out_of(old, column.name, things=is_of_things(type(row), column.name))
        if isinstance(row, AuditEntry) and column.name == "changes":
            new = [emptied(after) if erased.has(before) else after for before, after in zip(old, new, strict=True)]
        if new != old:
            longest = getattr(column, "max_length", None)
            changed[column.attname] = new[:longest] if isinstance(new, str) and longest else new
    if changed:
        models.QuerySet(type(row)).filter(pk=row.pk).update(**changed)


__all__ = ["PersonNames", "erase_person", "mark_of", "new_name", "scrub", "why_not"]
