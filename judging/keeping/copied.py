"""Events imported as a copy, from a file that no known machine signed: it gives no one a role or an entry.

`copying` says what becomes of each row. People whom the file names as officials are offered the role if they have an
account.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models.functions import Lower
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import answer
from events.door import Refused
from events.models import AuditEntry, Entry, Event, Hall, Official, Person, Role, Venue
from events.roles import Actor
from judging.keeping import comparing, moving, placing
from judging.keeping import rows as graph
from judging.keeping.copying import Account, Copy, as_copy
from judging.keeping.scrubbing import mark_of
from judging.keeping.whole_file import Document
from judging.models import Erasure, Move


def venues_for(by: Actor, document: Document) -> list[Venue]:
    """Return the venues that a copy can be given to: the event's own if it is among them, otherwise all of them."""
    mine = moving.venues_of(by)
    if answer("import-event", by.roles()):
        mine = list(Venue.objects.filter(state=Venue.State.APPROVED).order_by("name", "pk")[:500])
    with comparing.bad_file_raised():
        own = comparing.known_venue(document["whole"]["venue"])
    return [own] if own in mine else mine


def import_copy(*, by: Actor, document: Document, venue: Venue | None = None) -> Event:
    """Import a file's event as a new event at one of the importer's approved venues, completely or not at all."""
    if not moving.may_import(by):
        raise Refused(moving.ONLY_APPROVED)
    venues = venues_for(by, document)
    if venue is None and len(venues) == 1:
        venue = venues[0]
    if venue is None or venue not in venues:
        raise Refused(_("Choose a venue for the copy. It must be approved, and you must be one of its managers."))
    with transaction.atomic(), comparing.bad_file_raised():
        copy = as_copy(document, _accounts(document))
        event = _put(copy, venue, document["whole"]["hall"])
        placing.must_be_the_same(event, copy.document)
        AuditEntry.objects.create(
            verb="import-event",
            by_person=by.person,
            as_role="" if by.is_site else next((r for r in Role if r in by.roles(venue=venue)), ""),
            event=event,
            subject_model=graph.label_of(Event),
            subject_id=event.pk,
            sentence="imported-copy",
        )
        moving.note_move(by, event, document["whole"]["digest"], len(document["record"]), Move.Kind.COPY)
        moving.tell(by, event, "copy-arrived", len(document["record"]))
    return event


def _put(copy: Copy, venue: Venue, hall_facts: Mapping[str, Any] | None) -> Event:
    whole = copy.document["whole"]
    (row,) = whole["rows"][graph.label_of(Event)]
    hall = Hall.objects.filter(venue=venue, name=hall_facts["name"]).first() if hall_facts else None
    row["hall_id"] = 1 if hall is not None else None
    keys: placing.Keys = {graph.VENUE: {1: venue.pk}, graph.HALL: {1: hall.pk} if hall is not None else {}}
    for model in graph.models_of_event():
        label = graph.label_of(model)
        keys[label] = dict(enumerate(graph.reserve(model, copy.counts[label]), 1))
    keys[graph.PERSON] = {
        n: person.pk or Person.objects.create_user(person.email, None, name=person.name, is_active=False).pk
        for n, person in enumerate(copy.people, 1)
    }
    placing.replace({model: [] for model in graph.models_of_event()}, placing.wanted_of(copy.document, keys), keys)
    placing.put_disputes(whole["disputes"])
    return Event.objects.select_related("venue", "hall").get(pk=keys[graph.label_of(Event)][1])


def _accounts(document: Document) -> dict[str, Account]:
    """Return the accounts with e-mail addresses that a file names, including people erased here."""
    whole = document["whole"]
    emails = {person["email"].lower() for person in whole["people"]}
    emails |= {row["email"].lower() for row in whole["rows"].get(graph.label_of(Entry), []) if row["email"]}
    comparing.must_be_few(emails)
    people = Person.objects.filter(is_active=True).annotate(address=Lower("email")).filter(address__in=emails)
    found = {person.email.lower(): Account(person.pk, person.email, person.name) for person in people}
    marks = {mark_of(email): email for email in emails - set(found)}
    for erased in Erasure.objects.filter(mark__in=marks).select_related("person"):
        person = erased.person
        found[marks[erased.mark]] = Account(person.pk, person.email, person.name, is_erased=True)
    return found


def what_copy_becomes(document: Document) -> list[str]:
    """Return what importing a file as a copy means, in words."""
    with comparing.bad_file_raised():
        whole = document["whole"]
        known = _accounts(document)
        officials = whole["rows"].get(graph.label_of(Official), [])
        entries = len(whole["rows"].get(graph.label_of(Entry), []))
        roles = dict(Official.Role.choices)
        found = [
            _("The copy is a new event with new addresses. Links, codes and slips printed earlier won't open it."),
            _("The copy's audit log marks the earlier entries as unverified: they come from the file, not "
"from this machine."),
        ]  # fmt: skip
        found += comparing.series_left_out(document)
        words = ngettext(
            "%(n)d player entry belongs to no account until the player accepts it.",
            "%(n)d player entries belong to no account until the players accept them.",
            entries,
        )
        found.append(words % {"n": entries})
        for row in officials:
            person = whole["people"][row["person_id"] - 1]
            account = known.get(person["email"].lower())
            told = {"name": person["name"], "email": person["email"], "role": roles.get(row["role"], row["role"])}
            words = _(
                "%(name)s <%(email)s> (%(role)s) has no account here. When they have one, add them as an official."
            )
            if account is not None and not account.is_erased:
                words = _(
                    "%(name)s <%(email)s> will be offered the role of %(role)s. It takes effect once they and "
                    "the venue accept."
                )
            found.append(words % told)
        if document["event"]["state"] == Event.State.VERIFIED:
            found.append(_("In the copy, the results are no longer verified. The head judge must verify them again."))
        return found


__all__ = ["import_copy", "venues_for", "what_copy_becomes"]
