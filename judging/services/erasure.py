"""A person's data erased so that results stay whole: the name is replaced, the account closed, the record scrubbed.

What happened at events stays: who sat where, who won, what was decided. Who it was does not: name, address, telephone,
club, and the name wherever the record or a verified report says it. Entries that an event needs are kept under a
replaced name. The record is only ever added to; scrubbing names is its one allowed exception, and it is done here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.db.models import Q
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.translation import gettext as _

from events.door import Refused, door
from events.models import ClubMember, Entry, Event, Person, RecordEntry, Round, SignInCode, Volunteer
from events.roles import Actor
from events.tournament import player_id
from judging import rows as graph
from judging.models import Erasure, VerifiedReport

GOING_ON = (Event.State.OPEN, Event.State.RUNNING, Event.State.FINISHED)
PERSONAL = frozenset({"email", "phone", "club", "suspension_reason", "experience", "city"})


def mark_of(email: str) -> str:
    """Return the mark by which an erased address is recognised, and from which it cannot be read."""
    return salted_hmac("judging.erasure", email.strip().lower(), algorithm="sha256").hexdigest()


def new_name(person: Person) -> str:
    """Return the name under which an erased person's results stand."""
    return _("Player %(number)d (data erased)") % {"number": person.pk}


def why_not(person: Person) -> str:
    """Return what must be settled before a person's data can be erased, or nothing."""
    going_on = Event.objects.filter(
        Q(entries__in=person.entries.exclude(state__in=[Entry.State.WITHDRAWN]), state__in=GOING_ON[1:])
        | Q(officials__person=person, state__in=GOING_ON)
    ).first()
    if going_on is not None:
        return _("“%(event)s” is not over: the data are needed until its results are verified.") % {
            "event": going_on.name
        }
    alone = next(
        (row.venue for row in person.managing.select_related("venue") if row.venue.management.count() == 1), None
    )
    if alone is not None:
        return _("“%(venue)s” has no other manager: name one first.") % {"venue": alone.name}
    if person.is_office and not Person.objects.filter(is_office=True, is_active=True).exclude(pk=person.pk).exists():
        return _("The sanctioning office has nobody else: name somebody first.")
    return ""


def erase_person(
    *, by: Actor, person: Person, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Person:
    """Erase a person's data: one's own, or (the office) anybody's who asked for it. It cannot be undone."""
    verb = "erase-self" if by.person is not None and by.person.pk == person.pk else "erase-person"
    consequences = [
        _("The account is closed: nobody signs in with it any more."),
        _("Results stay, under “%(name)s”.") % {"name": new_name(person)},
        _("Names, e-mail address, telephone and club are removed, from the record and from verified reports too."),
        _("This cannot be undone."),
    ]
    with door(
        verb, by=by, on=person, version=version, confirmed=confirmed, reason=reason, consequences=consequences
    ) as writing:
        if not person.is_active and Erasure.objects.filter(person=person).exists():
            raise Refused(_("These data are erased already."))
        if why := why_not(person):
            raise Refused(why)
        scrub(person)
        person.refresh_from_db()
        writing.changes.append({"model": "events.Person", "id": person.pk, "before": {}, "after": {"is_active": False}})
        writing.summary = _("The data of %(name)s were erased") % {"name": person.name}
    return person


def scrub(person: Person) -> None:
    """Replace a person's name and remove everything personal, wherever it stands; in the caller's transaction."""
    with transaction.atomic():
        old = _names_of(person)
        name = new_name(person)
        Erasure.objects.get_or_create(person=person, defaults={"mark": mark_of(person.email)})
        entries = Entry.objects.filter(Q(person=person) | Q(person=None, email__iexact=person.email))
        touched = {pk for (pk,) in entries.values_list("event_id")}
        touched |= set(person.offices.values_list("event_id", flat=True))
        keys = set(entries.values_list("pk", flat=True))
        Entry.objects.filter(pk__in=keys).update(name=name, email="", club="", person=person)
        ClubMember.objects.filter(email__iexact=person.email).delete()
        Volunteer.objects.filter(person=person).update(
            city="", experience="", decision_reason="", state=Volunteer.State.SUSPENDED
        )
        person.managing.all().delete()
        SignInCode.objects.filter(person=person).delete()
        EmailAddress.objects.filter(user=person).delete()
        Authenticator.objects.filter(user=person).delete()
        Person.objects.filter(pk=person.pk).update(
            name=name,
            email=f"erased-{person.pk}-{get_random_string(8).lower()}@erased.invalid",
            phone="",
            suspension_reason="",
            is_active=False,
            is_office=False,
            is_staff=False,
            is_superuser=False,
            password="!",
            version=person.version + 1,
        )
        _end_sessions(person)
        _scrub_texts(person, keys, old, name, touched)


def _names_of(person: Person) -> list[str]:
    """Return every word that names the person: names and addresses now and before, the longest first."""
    found = {person.name, person.email}
    found |= set(person.entries.values_list("name", flat=True))
    for entry in RecordEntry.objects.filter(subject_model="events.Person", subject_id=person.pk):
        for change in entry.changes:
            for facts in (change["before"] or {}, change["after"] or {}):
                found |= {facts[name] for name in ("name", "email") if facts.get(name)}
    return sorted((name for name in found if len(name) > 2), key=lambda name: (-len(name), name))


def _end_sessions(person: Person) -> None:
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(person.pk):
            session.delete()


class Names:
    """What names a person in texts; longer names of others that contain it stay as they are."""

    def __init__(self, theirs: Iterable[str], instead: str, others: Iterable[str] = ()) -> None:
        self.instead = instead
        own = [name for name in theirs if len(name) > 2]
        found = self._words(own)
        self.kept = {
            name.casefold() for name in others if found.search(name) and name.casefold() not in map(str.casefold, own)
        }
        self.found = self._words([*own, *self.kept])

    @staticmethod
    def _words(names: Iterable[str]) -> re.Pattern[str]:
        ordered = sorted(set(names), key=lambda name: (-len(name), name))
        return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, ordered)) + r")(?!\w)", re.IGNORECASE)

    def out_of(self, value: Any) -> Any:
        """Return a value with the person's names replaced in all its texts."""
        if isinstance(value, str):
            return self.found.sub(lambda one: one[0] if one[0].casefold() in self.kept else self.instead, value)
        if isinstance(value, list):
            return [self.out_of(one) for one in value]
        if isinstance(value, dict):
            return {key: self.out_of(one) for key, one in value.items()}
        return value


def _texts(model: type[models.Model]) -> list[models.Field]:
    """Return the columns of a model in which somebody may be named."""
    return [
        column
        for column in graph.columns_of(model)
        if isinstance(column, (models.CharField, models.TextField, models.JSONField))
        and not column.choices
        and column.editable
        and not (model is Entry and column.name in ("name", "email"))
    ]


def _scrub_row(row: models.Model, names: Names, theirs: Callable[[dict[str, Any]], bool]) -> None:
    changed = {}
    for column in _texts(type(row)):
        old = column.value_from_object(row)
        new = names.out_of(old)
        if isinstance(row, RecordEntry) and column.name == "changes":
            new = [_emptied(change) if theirs(change) else change for change in new]
        if new != old:
            longest = getattr(column, "max_length", None)
            changed[column.attname] = new[:longest] if isinstance(new, str) and longest else new
    if changed:
        models.QuerySet(type(row)).filter(pk=row.pk).update(**changed)


def _emptied(change: dict[str, Any]) -> dict[str, Any]:
    """Return a change of a person's own row without what is personal; the name was replaced already."""
    kept = {
        side: facts and {key: "" if key in PERSONAL and value is not None else value for key, value in facts.items()}
        for side in ("before", "after")
        for facts in [change.get(side)]
    }
    return {**change, **kept}


def _scrub_texts(person: Person, entries: set[int], old: list[str], name: str, events: set[int]) -> None:
    """Replace the names at every event of the person, and in the entries of the record that are by or on the person."""

    def theirs(change: dict[str, Any]) -> bool:
        key = change["id"]
        return (change["model"] == "events.Person" and key == person.pk) or (
            change["model"] == "events.Entry" and key in entries
        )

    for event in Event.objects.filter(pk__in=events):
        others = event.entries.exclude(pk__in=entries).values_list("name", flat=True)
        names = Names(old, name, others)
        for rows in graph.rows_of(event).values():
            for row in rows:
                _scrub_row(row, names, theirs)
        _scrub_documents(event, set(event.entries.filter(pk__in=entries).values_list("number", flat=True)))
    elsewhere = RecordEntry.objects.filter(
        Q(by_person=person) | Q(subject_model="events.Person", subject_id=person.pk)
    ).exclude(event__in=events)  # fmt: skip
    names = Names(old, name)
    for entry in elsewhere.iterator(chunk_size=500):
        _scrub_row(entry, names, theirs)


def _scrub_documents(event: Event, numbers: set[int]) -> None:
    """Take the person's club and address out of verified reports and of the rounds' tournament files."""
    for report in event.verified_reports.all():
        document = report.document
        for player in document["players"]:
            if player["id"] in numbers:
                player |= {"club": "", "email": None}
        for entry in document["record"]:
            entry["changes"] = [
                _emptied(change)
                if change["model"] == "events.Entry" and _number_in(change) in numbers | {None}
                else change
                for change in entry["changes"] or []
            ]
        models.QuerySet(VerifiedReport).filter(pk=report.pk).update(document=document)
    for row in event.rounds.all():
        for player in row.tournament.get("players", []):
            if player["id"] in {player_id(number) for number in numbers}:
                player.pop("club", None)
        models.QuerySet(Round).filter(pk=row.pk).update(tournament=row.tournament)


def _number_in(change: dict[str, Any]) -> int | None:
    """Return the number of the entry that a change is about, None where it does not say: that is emptied too."""
    return next((facts["number"] for facts in (change["before"], change["after"]) if facts and "number" in facts), None)


__all__ = ["Names", "erase_person", "mark_of", "new_name", "scrub", "why_not"]
