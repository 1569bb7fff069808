"""An event file compared with the database: which copy is newer, what only one of them has, which people it names.

Two copies are compared by the entries of their audit logs. If one log begins with all entries of the other, it is
newer; otherwise the copies have diverged, and neither may overwrite the other.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DataError, IntegrityError
from django.db.models.functions import Lower
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from events import audit
from events.models import AuditEntry, Entry, Event, Official, Person, Venue
from events.models.fields import AT_FAULT
from judging.keeping import rows as graph
from judging.keeping import signatures
from judging.keeping.scrubbing import mark_of
from judging.keeping.whole_file import BadFile, Document
from judging.models import Erasure
from rules.labels import labelled

HAND_OVER = "hand-over-event"
SHOWN = 12
MAX_PEOPLE = 20_000
"""The most people a file may name: each is looked up by e-mail address."""


def series_left_out(document: Document) -> list[str]:
    """Return which series the file names for its event, in words: importing it puts the event into none."""
    words = _(
        "In the file, the event is part of the series “%(series)s”. The import doesn't add it to any series here."
    )
    return [words % {"series": str(one["name"])[:120]} for one in document["event"].get("series", [])[:SHOWN]]


@dataclasses.dataclass
class ImportPlan:
    """The effects of importing a file."""

    document: Document
    relation: str
    """The file compared with the database: new, same, newer, older or diverged."""
    event: Event | None
    only_there: list[dict[str, Any]]
    only_here: list[dict[str, Any]]
    new_people: list[str]
    venue: Venue | None
    signer: signatures.Signer | None = None
    """The known machine that signed the file, if any."""
    reworded: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    """Audit log entries here that are worded differently in the file; they stay as they are here."""

    @property
    def name(self) -> str:
        """The event's name."""
        return str(self.document["event"]["name"])

    @property
    def is_handed_over(self) -> bool:
        """Return whether importing the file makes this installation the event's holder."""
        record = self.document["record"]
        return bool(record) and record[-1]["verb"] == HAND_OVER

    def moment(self, at: str) -> str:
        """Return an instant of the file's audit log in words, in the venue's time."""
        moment = parse_datetime(at)
        if moment is None:
            return at
        zone = self.event.venue.zone if self.event is not None else datetime.UTC
        return date_format(moment.astimezone(zone), "D j N Y, H:i")

    def lines(self) -> list[str]:
        """Return what differs, in words."""
        with bad_file_raised():
            return self._lines()

    def _lines(self) -> list[str]:
        found = []
        if self.relation == "new":
            found.append(
                _("“%(event)s” isn't on this machine yet. It will be created from the file.") % {"event": self.name}
            )
        for rows, said in (
            (self.only_there, ngettext_lazy(
                "%(n)d audit log entry is only in the file:", "%(n)d audit log entries are only in the file:", "n"
            )),
            (self.only_here, ngettext_lazy(
                "%(n)d audit log entry is only on this machine:", "%(n)d audit log entries are only on this machine:", "n"
            )),
            (self.reworded, ngettext_lazy(
                "%(n)d audit log entry differs in the file. This machine keeps its own version:",
                "%(n)d audit log entries differ in the file. This machine keeps its own versions:",
                "n",
            )),
        ):  # fmt: skip
            if rows and self.relation != "new":
                found.append(said % {"n": len(rows)})
                found += [f"{self.moment(row['at'])} · {row['by'] or '–'} · {row['summary']}" for row in rows[-SHOWN:]]
                if len(rows) > SHOWN:
                    found.append("…")
        if self.new_people:
            found.append(_("New accounts: %(names)s") % {"names": ", ".join(self.new_people)})
        found += series_left_out(self.document)
        if self.relation == "new" and self.venue is None:
            words = _("The venue “%(name)s” isn't on this machine yet. It will be created and approved.")
            found.append(words % {"name": self.document["whole"]["venue"]["name"]})
        return found

    def powers(self) -> list[str]:
        """Return who would get which power from the file, in words: its officials, and accounts linked to entries."""
        with bad_file_raised():
            return self._powers()

    def _powers(self) -> list[str]:
        whole = self.document["whole"]
        people = {n: f"{person['name']} <{person['email']}>" for n, person in enumerate(whole["people"], 1)}
        roles = dict(Official.Role.choices)
        found = [
            labelled(people.get(row["person_id"], "–"), roles.get(row["role"], row["role"]))
            for row in whole["rows"].get(graph.label_of(Official), [])
        ]
        players = [row["person_id"] for row in whole["rows"].get(graph.label_of(Entry), []) if row["person_id"]]
        if players:
            words = ngettext("Entry for %(n)d account: %(who)s", "Entries for %(n)d accounts: %(who)s", len(players))
            shown = ", ".join(people.get(n, "–") for n in players[:SHOWN]) + (" …" if len(players) > SHOWN else "")
            found.append(words % {"n": len(players), "who": shown})
        return found


def marks_of(entries: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return what identifies each audit log entry: its instant and verb."""
    return [(entry["at"], entry["verb"]) for entry in entries]


def counted_marks(entries: Iterable[Mapping[str, Any]]) -> list[tuple[tuple[str, str], int]]:
    """Return the marks, each with a counter that tells equal ones apart."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for mark in marks_of(entries):
        found.append((mark, seen[mark]))
        seen[mark] += 1
    return found


@contextlib.contextmanager
def bad_file_raised() -> Iterator[None]:
    """Raise BadFile instead of the errors caused by a file that contradicts itself or the database."""
    try:
        yield
    except (
        IntegrityError,
        DataError,
        ValidationError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        ObjectDoesNotExist,
    ) as fault:
        if isinstance(fault, ValidationError) and getattr(fault, "code", None) == AT_FAULT:
            raise BadFile(
                _("%(fault)s Nothing was imported. Correct the file or export the event again.")
                % {"fault": fault.messages[0]}
            ) from fault
        raise BadFile(
            _("The file contradicts itself or the data on this machine. Nothing was imported. Export the event again.")
        ) from fault


@bad_file_raised()
def plan(document: Document) -> ImportPlan:
    """Compare a file with the database."""
    event = Event.objects.select_related("venue").filter(public_id=document["event"]["public_id"]).first()
    signer = signatures.signer_of(document)
    emails = [person["email"] for person in document["whole"]["people"]]
    known = known_people(emails)
    new_people = [p["name"] for p in document["whole"]["people"] if p["email"].lower() not in known]
    venue = event.venue if event else known_venue(document["whole"]["venue"])
    rows = document["whole"]["rows"][graph.RECORD]
    there = [told | {"summary": _words(row)} for told, row in zip(document["record"], rows, strict=True)]
    if event is None:
        return ImportPlan(document, "new", None, there, [], new_people, venue, signer)
    entries = list(AuditEntry.objects.filter(event=event).select_related("by_person").order_by("pk"))
    here = [
        {
            "at": graph.plain(row.at), "verb": row.verb, "summary": row.words,
            "by": row.by_person.name if row.by_person else None,
        }
        for row in entries
    ]  # fmt: skip
    ours, theirs = counted_marks(here), counted_marks(there)
    shared = min(len(ours), len(theirs))
    relation = "diverged"
    if ours[:shared] == theirs[:shared]:
        relation = "same" if len(ours) == len(theirs) else "older" if shared < len(ours) else "newer"
    here_too, there_too = set(ours), set(theirs)
    return ImportPlan(
        document,
        relation,
        event,
        [row for row, mark in zip(there, theirs, strict=True) if mark not in here_too],
        [row for row, mark in zip(here, ours, strict=True) if mark not in there_too],
        new_people,
        venue,
        signer,
        [
            mine
            for entry, mine, row in zip(entries, here, rows, strict=False)
            if relation != "diverged" and _said(vars(entry)) != _said(row)
        ],
    )


def _said(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return an audit log entry's sentence and facts, independent of language."""
    return row["summary"], row.get("sentence", ""), row.get("facts", {}), row["reason"]


def _words(row: Mapping[str, Any]) -> str:
    """Return the text of an audit log entry in a file, in the current language."""
    return audit.words(str(row["verb"]), row.get("sentence", ""), row.get("facts", {}), str(row["summary"]))


def known_people(emails: Iterable[str]) -> dict[str, int]:
    """Return the keys of known people by e-mail address; people erased here are found by the hash of their address."""
    wanted = {email.lower() for email in emails}
    must_be_few(wanted)
    found = {
        person.email.lower(): person.pk
        for person in Person.objects.annotate(address=Lower("email")).filter(address__in=wanted).only("email")
    }
    marks = {mark_of(email): email for email in wanted - set(found)}
    for erased in Erasure.objects.filter(mark__in=marks):
        found[marks[erased.mark]] = erased.person_id
    return found


def must_be_few(addresses: Collection[str]) -> None:
    """Raise BadFile if a file names more people than any event has."""
    if len(addresses) > MAX_PEOPLE:
        raise BadFile(_("The file is damaged or too large. Export the event again."))


def known_venue(values: Mapping[str, Any]) -> Venue | None:
    """Return the venue with the same name and place, if there is one."""
    return Venue.objects.filter(
        name__iexact=values["name"], city__iexact=values["city"], country__iexact=values["country"]
    ).order_by("pk").first()  # fmt: skip


__all__ = [
    "HAND_OVER",
    "ImportPlan",
    "bad_file_raised",
    "counted_marks",
    "known_people",
    "known_venue",
    "marks_of",
    "must_be_few",
    "plan",
]  # fmt: skip
