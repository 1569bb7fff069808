"""An event moved between installations: which copy is newer, who holds it, and how its rows are put in place.

The copy that is held is changed; any other is for reading. Holding goes with the hand-over, an entry of the record:
a file whose newest entry hands it over makes the receiver the holder. Two copies are compared by the entries of their
records. One that has all entries of the other is newer; where each has some of its own they have diverged, and neither
is written over the other.

A file is believed where a machine that is known here signed it (`judging.signatures`), or where an administrator vouches
for it. Any other is at most imported as a copy (`judging.services.copied`): it changes no event that is here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.db.models.functions import Lower
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events import live
from events.actions import answer
from events.door import Refused, Writing, door, facts
from events.models import (
    Entry,
    Event,
    Force,
    Hall,
    Match,
    Official,
    Person,
    Pool,
    RecordEntry,
    Round,
    SignInCode,
    Venue,
    Volunteer,
)
from events.roles import Actor, Role
from events.services.undo import compared, picture_of
from judging import rows as graph
from judging import signatures
from judging.copying import must_be_a_dispute, must_be_an_address
from judging.models import Erasure, Move
from judging.record_words import counted
from judging.scrubbing import mark_of
from judging.whole_file import BadFile, Document, packed, read_file, steady_file
from rules.models import SavedDispute

HAND_OVER = "hand-over-event"
TOPICS = frozenset({"import-event", "pairings", "results", "standings", "clock"})
"""What pages hear of when a file was put in an event's place."""
SHOWN = 12
MOST_TABLES = 30
MOST_ROWS = 1_000_000
"""Of one model in one file; a number beyond was never given."""
MOST_PEOPLE = 20_000
"""Whom one file may name: each is looked up by their address."""
Keys = dict[str, dict[int, int]]


# writing a file


def export_event(*, by: Actor, event: Event, other: str = "") -> bytes:
    """Return the event as a file to be copied or kept; who holds it does not change."""
    _must(by, "move-event", event)
    written = steady_file(event)
    note_move(by, event, written.digest, written.entries, Move.Kind.COPIED, other)
    return written.content(signatures.sign)


def note_move(by: Actor, event: Event, told_digest: str, entries: int, kind: str, other: str = "") -> None:
    Move.objects.create(
        event=event,
        kind=kind,
        other=other[:120],
        by=by.person,
        sha256=told_digest,
        entries=entries,
    )


def _must(by: Actor, verb: str, event: Event) -> None:
    given = answer(verb, by.roles(event=event), event=event)
    if not given:
        raise Refused(given.reason)


def hand_over(
    *, by: Actor, event: Event, other: str, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> bytes:
    """Hand the event over: return its file, and change nothing here any more until it comes back."""
    other = other.strip()[:120]
    consequences = [
        _("From now on nothing of this event can be changed here: entries, results and rounds are changed there."),
        _("It is changed here again once the file comes back, or if you take it back because that copy is lost."),
    ]
    with door(
        HAND_OVER, by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason, consequences=consequences
    ) as writing:  # fmt: skip
        if not other:
            raise Refused(_("Say to whom or to which machine the event is handed over."))
        writing.save(event, away=other)
        writing.summary = _("Handed over to %(other)s") % {"other": other}
    written = steady_file(event)
    note_move(by, event, written.digest, written.entries, Move.Kind.HANDED_OVER, other)
    return written.content(signatures.sign)


def take_back(
    *, by: Actor, event: Event, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Event:
    """Change the event here again without its copy: what is done there afterwards cannot come back by itself."""
    consequences = [
        _("The event is changed here from now on, from what is known here."),
        _("If somebody goes on at %(other)s, the two copies diverge, and neither can be written over the other.")
        % {"other": event.away},
    ]
    with door(
        "take-back-event", by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason, consequences=consequences
    ) as writing:  # fmt: skip
        if not event.away:
            raise Refused(_("The event is here already."))
        other = event.away
        writing.save(event, away="")
        writing.summary = _("Taken over here; the copy at %(other)s no longer counts") % {"other": other}
        Move.objects.create(
            event=event, kind=Move.Kind.TAKEN_BACK, other=other, by=by.person, entries=event.record.count()
        )
    return event


# reading a file: what it is to us


@dataclasses.dataclass
class Plan:
    """What reading a file would do, in words, before it is done."""

    document: Document
    relation: str
    """new, same, newer, older or diverged: the file compared with what is here."""
    event: Event | None
    only_there: list[dict[str, Any]]
    only_here: list[dict[str, Any]]
    new_people: list[str]
    venue: Venue | None
    signer: signatures.Signer | None = None
    """The machine that signed the file, where it is known here."""

    @property
    def name(self) -> str:
        """The event's name."""
        return str(self.document["event"]["name"])

    @property
    def is_handed_over(self) -> bool:
        """True where the file makes its receiver the holder."""
        record = self.document["record"]
        return bool(record) and record[-1]["verb"] == HAND_OVER

    def moment(self, at: str) -> str:
        """Return a moment of the record by the clock of the venue."""
        moment = parse_datetime(at)
        if moment is None:
            return at
        zone = self.event.venue.zone if self.event is not None else datetime.UTC
        return date_format(moment.astimezone(zone), "D j N Y, H:i")

    def lines(self) -> list[str]:
        """Return what differs, in words."""
        with sound():
            return self._lines()

    def _lines(self) -> list[str]:
        found = []
        if self.relation == "new":
            found.append(_("“%(event)s” is not here yet: it is made as it stands in the file.") % {"event": self.name})
        for rows, one, many in (
            (self.only_there, "%(n)d entry of the record is in the file only:", "%(n)d entries of the record are in the file only:"),
            (self.only_here, "%(n)d entry of the record is here only:", "%(n)d entries of the record are here only:"),
        ):  # fmt: skip
            if rows and self.relation != "new":
                found.append(ngettext(one, many, len(rows)) % {"n": len(rows)})
                found += [f"{self.moment(row['at'])} · {row['by'] or '–'} · {row['summary']}" for row in rows[-SHOWN:]]
                if len(rows) > SHOWN:
                    found.append("…")
        if self.new_people:
            found.append(_("People who are not known here yet: %(names)s") % {"names": ", ".join(self.new_people)})
        if self.relation == "new" and self.venue is None:
            words = _("The venue “%(name)s” is not known here: it is made, and approved.")
            found.append(words % {"name": self.document["whole"]["venue"]["name"]})
        return found

    def powers(self) -> list[str]:
        """Return whom the file would give what: its officials, and accounts that get an entry."""
        with sound():
            return self._powers()

    def _powers(self) -> list[str]:
        whole = self.document["whole"]
        people = {n: f"{person['name']} <{person['email']}>" for n, person in enumerate(whole["people"], 1)}
        roles = dict(Official.Role.choices)
        found = [
            f"{people.get(row['person_id'], '–')}: {roles.get(row['role'], row['role'])}"
            for row in whole["rows"].get(graph.label_of(Official), [])
        ]
        players = [row["person_id"] for row in whole["rows"].get(graph.label_of(Entry), []) if row["person_id"]]
        if players:
            words = ngettext("%(n)d player's account: %(who)s", "%(n)d players' accounts: %(who)s", len(players))
            shown = ", ".join(people.get(n, "–") for n in players[:SHOWN]) + (" …" if len(players) > SHOWN else "")
            found.append(words % {"n": len(players), "who": shown})
        return found


def _marks(entries: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    return [(entry["at"], entry["verb"]) for entry in entries]


def _counted(entries: Iterable[Mapping[str, Any]]) -> list[tuple[tuple[str, str], int]]:
    """Return the marks, told apart where several entries of one moment bear the same: the first, the second, …"""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for mark in _marks(entries):
        found.append((mark, seen[mark]))
        seen[mark] += 1
    return found


@contextlib.contextmanager
def sound() -> Iterator[None]:
    """Raise BadFile for what comes of a file that says what no installation has written."""
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
        raise BadFile(_("The file contradicts itself or what is here: nothing was written.")) from fault


@sound()
def plan(document: Document) -> Plan:
    """Compare a file with what is here."""
    event = Event.objects.select_related("venue").filter(public_id=document["event"]["public_id"]).first()
    signer = signatures.signer_of(document)
    emails = [person["email"] for person in document["whole"]["people"]]
    known = _known_people(emails)
    new_people = [p["name"] for p in document["whole"]["people"] if p["email"].lower() not in known]
    venue = event.venue if event else known_venue(document["whole"]["venue"])
    if event is None:
        return Plan(document, "new", None, document["record"], [], new_people, venue, signer)
    here = [
        {"at": graph.plain(row.at), "verb": row.verb, "summary": row.summary, "by": row.by_person.name if row.by_person else None}
        for row in RecordEntry.objects.filter(event=event).select_related("by_person").order_by("pk")
    ]  # fmt: skip
    ours, theirs = set(_marks(here)), set(_marks(document["record"]))
    relation = "same" if ours == theirs else "newer" if ours < theirs else "older" if theirs < ours else "diverged"
    return Plan(
        document,
        relation,
        event,
        [row for row, mark in zip(document["record"], _marks(document["record"]), strict=True) if mark not in ours],
        [row for row, mark in zip(here, _marks(here), strict=True) if mark not in theirs],
        new_people,
        venue,
        signer,
    )


def _known_people(emails: Iterable[str]) -> dict[str, int]:
    """Return the keys of people by their address; whoever was erased here is found by the mark of the old address."""
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
    """Raise BadFile where a file names more people than any event has."""
    if len(addresses) > MOST_PEOPLE:
        raise BadFile(_("The file is damaged or far too large."))


def known_venue(values: Mapping[str, Any]) -> Venue | None:
    return Venue.objects.filter(
        name__iexact=values["name"], city__iexact=values["city"], country__iexact=values["country"]
    ).order_by("pk").first()  # fmt: skip


# putting the rows in place

UNSIGNED = gettext_lazy(
    "No paired machine signed this file, so it can't be trusted. Pair the two machines, have an "
    "administrator vouch for the file, or import it as a copy."
)
ONLY_APPROVED = gettext_lazy("Only an administrator or a manager of an approved venue can import event files.")


def venues_of(by: Actor) -> list[Venue]:
    """Return the approved venues into which somebody may import events as their manager."""
    if by.person is None:
        return []
    managed = Venue.objects.filter(management__person=by.person, state=Venue.State.APPROVED).order_by("name", "pk")
    return [venue for venue in managed if answer("import-event", by.roles(venue=venue))]


def may_import(by: Actor) -> bool:
    """True for an administrator, and for a manager of an approved venue."""
    return bool(answer("import-event", by.roles()) or venues_of(by))


def import_event(
    *,
    by: Actor,
    document: Document,
    confirmed: bool = False,
    reason: str = "",
    take_over: bool = False,
    vouched: bool = False,
    venue: Venue | None = None,
) -> Plan:
    """Read an event file that is believed: make the event, or bring the one that is here up to it; all or nothing.

    An older copy over a newer one is a step back: it goes through the door as `restore-event`, with a confirmation and
    an entry of its own. A copy that diverged is refused with the difference. `take_over` makes this installation the
    holder although the file was only a copy (the machine that held it is lost). `vouched`: an administrator (or the
    command) answers for a file that nobody known here signed. `venue` is where a manager puts a new event whose own
    venue isn't known here.
    """
    found = plan(document)
    _must_be_believed(by, found, vouched=vouched)
    _keep_first(by, found)
    with transaction.atomic():
        found = plan(document)
        _must_be_believed(by, found, vouched=vouched)
        if found.relation == "diverged":
            raise Refused(
                "\n".join(
                    [_("The file and the event here have diverged; neither is written over the other."), *found.lines()]
                )
            )
        if found.event is None:
            _must_import_new(by, found, venue)
        if found.relation == "older":
            with sound():
                _set_back(by, found, confirmed=confirmed, reason=reason)
            kind = Move.Kind.WENT_BACK
        elif found.relation == "same":
            kind = Move.Kind.ARRIVED
        else:
            kind = Move.Kind.ARRIVED if found.event is None else Move.Kind.WENT_ON
            with sound():
                found.event = _put(found)
        event = found.event
        assert event is not None
        if found.relation in ("new", "newer"):
            must_be_the_same(event, document)
            was_here = found.relation == "newer" and not event.away
            away = "" if found.is_handed_over or was_here else event.away or _("where the copy came from")
            Event.objects.filter(pk=event.pk).update(away=away)
            event.away = away
        if found.relation != "same":
            _forget_erased(event, document)
        if take_over and event.away:
            take_back(by=by, event=event, confirmed=True, reason=reason or _("The machine that held it is lost"))
        note_move(by, event, document["whole"]["digest"], len(document["record"]), kind)
        if found.relation in ("new", "newer"):
            words = {"new": _("“%(event)s” was read from a file"), "newer": _("“%(event)s” went on from a file")}
            tell(by, event, words[found.relation] % {"event": event.name}, len(found.only_there))
    return found


def must_import(by: Actor, event: Event | None) -> None:
    """Refuse those who may not import here at all, or not this event, which is here already."""
    if not may_import(by):
        raise Refused(ONLY_APPROVED)
    if event is not None:
        given = answer("import-event", by.roles(event=event), event=event)
        if not given:
            raise Refused(given.reason)
        if not event.venue.is_approved and not answer("import-event", by.roles()):
            raise Refused(ONLY_APPROVED)


def _must_be_believed(by: Actor, found: Plan, *, vouched: bool) -> None:
    """Refuse a file that neither a known machine nor an administrator answers for."""
    must_import(by, found.event)
    if found.signer is None:
        if not vouched:
            raise Refused(UNSIGNED)
        given = answer("vouch-for-file", by.roles())
        if not given:
            raise Refused(given.reason)


def _keep_first(by: Actor, found: Plan) -> None:
    """Take a snapshot of the event as it is here, before a file is put in its place; outside of any lock."""
    from judging.services import snapshots

    if found.event is not None and settings.SNAPSHOTS_KEPT:
        snapshots.take(found.event, snapshots.Why.BEFORE, "import-event")


def _forget_erased(event: Event, document: Document) -> None:
    """Take out of the event whoever was erased here since the file was written, or whom its machine still knows."""
    from judging.services import erasure

    erasure.scrub_what_came(event, document["whole"]["people"])


def tell(by: Actor, event: Event, summary: str, entries: int) -> None:
    """Note the reading in the venue's record (the event's own came with the file), and give word to its pages."""
    RecordEntry.objects.create(
        verb="import-event",
        by_person=by.person,
        venue=event.venue,
        subject_model=graph.label_of(Event),
        subject_id=event.pk,
        summary=summary[:300],
        changes=[
            {
                "model": graph.label_of(Event),
                "id": event.pk,
                "before": None,
                "after": {"entries": entries},
            }
        ],
    )
    newest = live.newest(event)
    live.announce(event.pk, newest)
    transaction.on_commit(lambda: live.tell(event.pk, newest, TOPICS))


def _must_import_new(by: Actor, found: Plan, chosen: Venue | None) -> None:
    """See that a new event comes to a venue that the importer acts for; only an administrator brings a new venue."""
    if answer("import-event", by.roles()):
        return
    mine = venues_of(by)
    if found.venue is not None:
        if found.venue not in mine:
            words = _("The event belongs to “%(venue)s”. Its manager, or an administrator, imports it.")
            raise Refused(words % {"venue": found.venue})
        return
    if chosen is None and len(mine) == 1:
        chosen = mine[0]
    if chosen not in mine:
        raise Refused(_("The event's venue isn't known here: choose the venue that it belongs to."))
    found.venue = chosen


def must_be_the_same(event: Event, document: Document) -> None:
    """Raise BadFile unless the rows that were written tell what the file told."""
    mine, theirs = json.loads(steady_file(event).parts["whole"]), document["whole"]
    for label in theirs["rows"]:
        told = _without_changes(theirs["rows"][label])
        written = _without_changes(mine["rows"].get(label, []))
        if len(written) != len(told) or any(
            {name: here.get(name) for name in row} != row for here, row in zip(written, told, strict=True)
        ):  # a file that an older version wrote lacks columns
            raise BadFile(_("The file contradicts itself (%(what)s): nothing was written.") % {"what": label[:80]})


def _without_changes(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "changes" and value is not None} for row in rows]


def _put(found: Plan) -> Event:
    """Write the rows of the file: all of a new event; of a known one those that differ, and the new entries."""
    whole = found.document["whole"]
    if any(row["role"] not in Official.Role.values for row in whole["rows"].get(graph.label_of(Official), [])):
        raise ValueError("no such role")  # every role of an event is given by its row here
    must_be_an_address(found.document["event"]["public_id"])
    keys = keys_for(found)
    wanted = {
        model: {keys[label][values["n"]]: values for values in whole["rows"].get(label, [])}
        for model, label in ((model, graph.label_of(model)) for model in graph.models_of_event())
    }
    here = graph.rows_of(found.event) if found.event else {model: [] for model in wanted}
    theirs = graph.dispute_keys(here, found.event) if found.event else None
    replace(here, wanted, keys)
    put_disputes(whole["disputes"], theirs)
    event = Event.objects.select_related("venue", "hall").get(public_id=found.document["event"]["public_id"])
    if found.relation == "new":
        _reach(event)
    return event


def _reach(event: Event) -> None:
    """See that people made by the file may be found by their address, and its officials are what the office made them."""
    for person in Person.objects.filter(models.Q(entries__event=event) | models.Q(offices__event=event)).distinct():
        EmailAddress.objects.get_or_create(
            user=person, email=person.email, defaults={"primary": True, "verified": True}
        )


def keys_for(found: Plan) -> Keys:
    """Return the key here of each number of the file; rows that are new here are given keys that nobody had."""
    whole = found.document["whole"]
    most: dict[str, int] = {}
    for label, rows in whole["rows"].items():
        most[label] = max((row["n"] for row in rows), default=0)
    _highest(most, whole["rows"][graph.RECORD])
    if max(most.values()) > MOST_ROWS:
        raise BadFile(_("The file is damaged or far too large."))
    here = graph.numbered(found.event) if found.event else None
    unlike = _unlike(found, here)
    keys: Keys = {}
    for label, count in most.items():
        known = [] if here is None or label in unlike else here.keys.get(label, [])
        model = graph.model_of(label)
        fresh = graph.reserve(model, max(0, count - len(known))) if model is not None else list(range(1, count + 1))
        keys[label] = dict(enumerate([*known, *fresh], 1))
    people, venue, hall = _outside(found)
    return keys | {
        graph.PERSON: dict(enumerate(people, 1)),
        graph.VENUE: {1: venue.pk},
        graph.HALL: {1: hall.pk} if hall else {},
    }


def _highest(most: dict[str, int], record: Iterable[Mapping[str, Any]]) -> None:
    """Count in the rows that only the record mentions."""

    def seen(label: str, number: Any) -> Any:
        if isinstance(number, int):
            most[label] = max(most.get(label, 0), number)
        return number

    written = {graph.label_of(model) for model in graph.models_of_event()} | {graph.label_of(SignInCode)}
    for entry in record:
        if entry["subject_model"]:
            seen(entry["subject_model"], entry["subject_id"])
        for change in entry["changes"]:
            if change["model"] not in written:  # undone, it would write rows that are no event's
                raise ValueError("no act at an event writes that")
            graph.translated(change, seen)
    for label in (graph.PERSON, graph.VENUE, graph.HALL):
        most.pop(label, None)


def _unlike(found: Plan, here: graph.Numbered | None) -> set[str]:
    """Return the models whose rows are numbered otherwise here: an entry that both have names other numbers."""
    if here is None:
        return set()
    record = list(here.values_of(RecordEntry))
    rows = {mark: row for row, mark in zip(record, _counted(record), strict=True)}
    theirs = found.document["whole"]["rows"][graph.RECORD]
    differ = set()
    for row, mark in zip(theirs, _counted(theirs), strict=True):
        if mine := rows.get(mark):
            for one, other in zip(mine["changes"], row["changes"], strict=False):
                if one["model"] == other["model"] and one["id"] != other["id"]:
                    differ.add(one["model"])
    return differ - {graph.label_of(Event), graph.RECORD}


def _outside(found: Plan) -> tuple[list[int], Venue, Hall | None]:
    """Return the people, the venue and the hall of the file as they are here; who is missing is made."""
    whole = found.document["whole"]
    known = _known_people(person["email"] for person in whole["people"])
    people = []
    for facts_ in whole["people"]:
        key = known.get(facts_["email"].lower())
        if key is None:
            person = Person.objects.create_user(
                facts_["email"], None, **{name: facts_[name] for name in graph.PERSON_FACTS if name != "email"}
            )
            if facts_["volunteer"] is not None:
                Volunteer.objects.create(person=person, state=facts_["volunteer"])
            key = person.pk
        people.append(key)
    venue = found.venue
    if venue is None:
        told = {name: whole["venue"][name] for name in graph.VENUE_FACTS}
        venue = Venue.objects.create(
            **told, state=Venue.State.APPROVED, shipping_address=told["public_location"], telephone=""
        )
    hall = None
    if whole["hall"]:
        hall, _made = Hall.objects.get_or_create(
            venue=venue, name=whole["hall"]["name"], defaults={"tables": whole["hall"]["tables"]}
        )
    return people, venue, hall


def put_disputes(disputes: Iterable[Mapping[str, Any]], theirs: set[str] | None = None) -> None:
    """Save the disputes of a file. One that is here already changes only where it was the event's before (`theirs`)."""
    for values in disputes:
        known = SavedDispute.objects.filter(public_id=values["public_id"]).first()
        if known is not None and (known.public_id not in (theirs or ()) or known.version >= values["version"]):
            continue
        must_be_a_dispute(values)
        row = known or SavedDispute()
        for column in SavedDispute._meta.concrete_fields:
            if column.attname in values:
                value = values[column.attname]
                setattr(row, column.attname, column.to_python(value) if value is not None else None)
        row.save_base(raw=True)


Wanted = Mapping[type[models.Model], Mapping[int, dict[str, Any]]]


def replace(
    here: Mapping[type[models.Model], list[models.Model]],
    wanted: Wanted,
    keys: Keys,
    *,
    writing: Writing | None = None,
    raise_version: Mapping[tuple[str, int], int] | None = None,
    keep: Iterable[type[models.Model]] = (),
) -> None:
    """Make the event's rows those that are wanted: what differs is written anew, what is not wanted goes.

    With `writing` each change is kept in the record, and versions go up instead of back (`raise_version` says by how
    much beyond the wanted one). Rows of `keep` are neither written nor removed.
    """
    put: list[models.Model] = []
    for model, rows in here.items():
        if model in keep:
            continue
        label, known = graph.label_of(model), {row.pk: row for row in rows}
        made = {key: graph.row_from(model, values, key, keys) for key, values in wanted[model].items()}
        gone = [key for key in known if key not in made]
        changed = []
        for key, row in made.items():
            old = known.get(key)
            if old is not None:
                _keep_local(row, old, known)
            differ = graph.differing(old, row) if old is not None else []
            versions = "version" in {column.name for column in graph.columns_of(model)}
            if writing is not None and versions:
                later = (raise_version or {}).get((label, key), 0)
                _set_version(row, 1 + (_version(old) if old is not None else _version(row) + later))
            is_same = old is not None and not differ
            if is_same and (writing is not None or not versions or _version(old) == _version(row)):
                continue
            changed.append(row)
            before = facts(old, differ) if old is not None else None
            if writing is not None and before != {}:  # else only what the record never keeps
                writing.changes.append(
                    {"model": label, "id": key, "before": before, "after": facts(row, differ or None)}
                )
        if writing is not None:
            writing.changes += [{"model": label, "id": key, "before": facts(known[key]), "after": None} for key in gone]
        if model is Event:
            for row in changed:
                row.save_base(raw=True, force_insert=row.pk not in known)
            continue
        graph.take_away(model, [*gone, *(row.pk for row in changed if row.pk in known)])
        graph.loosen(model, gone)
        put += changed
    graph.put(put)


def _version(row: Any) -> int:
    return int(row.version)


def _set_version(row: Any, version: int) -> None:
    row.version = version


def _keep_local(row: models.Model, old: models.Model, known: Mapping[int, models.Model]) -> None:
    """Keep what stays with this installation: left-out columns, and relations to other events' rows."""
    left_out = graph.LEFT_OUT.get(type(row), frozenset())
    for column in type(row)._meta.concrete_fields:
        value = column.value_from_object(old)
        is_elsewhere = column.related_model is type(row) and value not in known
        if column.name in left_out or (is_elsewhere and column.value_from_object(row) is None):
            setattr(row, column.attname, value)


# going back to an older state


def wanted_of(document: Document, keys: Keys) -> dict[type[models.Model], dict[int, dict[str, Any]]]:
    """Return the rows of a file under their keys here."""
    return {
        model: {
            keys[label][values["n"]]: values for values in document["whole"]["rows"].get(label, [])
        }
        for model, label in ((model, graph.label_of(model)) for model in graph.models_of_event())
    }  # fmt: skip


def _set_back(by: Actor, found: Plan, *, confirmed: bool, reason: str) -> None:
    assert found.event is not None
    keys = keys_for(found)
    set_back(
        by=by, event=found.event, document=found.document, keys=keys, confirmed=confirmed, reason=reason,
        summary=_("Set back to an older copy, of %(moment)s") % {"moment": found.moment(found.document["event"]["made"])},
    )  # fmt: skip


def set_back(
    *, by: Actor, event: Event, document: Document, keys: Keys, summary: str,
    version: int | None = None, confirmed: bool = False, reason: str = "",
) -> list[str]:  # fmt: skip
    """Make the event's rows those of an earlier state, as a new entry of the record; return what changed, in words.

    The record itself stays whole. Entries (players) that came later stay too, withdrawn: a number is never given twice.
    """
    consequences = [] if confirmed else difference(event, document, keys)
    with door(
        "restore-event", by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason, consequences=consequences
    ) as writing:  # fmt: skip
        _write_back(writing, event, document, keys)
        writing.summary = summary
        writing.topics |= {"pairings", "results", "standings", "clock"}
    return consequences


def _write_back(writing: Writing, event: Event, document: Document, keys: Keys) -> None:
    here, wanted = graph.rows_of(event), wanted_of(document, keys)
    marks = set(_marks(document["record"]))
    later: dict[tuple[str, int], int] = {}
    for entry in here[RecordEntry]:
        if (graph.plain(entry.at), entry.verb) not in marks:  # type: ignore[attr-defined]
            for change in entry.changes:  # type: ignore[attr-defined]
                place = (change["model"], change["id"])
                later[place] = later.get(place, 0) + 1
    _keep_late_entries(writing, here, wanted)
    _keep_what_ended(writing, event, here, wanted, keys)
    replace(here, wanted, keys, writing=writing, raise_version=later, keep=[RecordEntry])
    event.refresh_from_db()


def _keep_late_entries(writing: Writing, here: dict[type[models.Model], list[models.Model]], wanted: Wanted) -> None:
    """Leave players who entered later out of what is replaced, with their forces and product; their seats are free."""
    late = {row.pk for row in here[Entry] if row.pk not in wanted[Entry]}
    for row in here[Entry]:
        if row.pk in late:
            writing.save(row, state=Entry.State.WITHDRAWN, fixed_table=None)
    here[Entry] = [row for row in here[Entry] if row.pk not in late]
    for model in (Force, Pool):
        here[model] = [row for row in here[model] if row.entry_id not in late]  # type: ignore[attr-defined]


def _keep_what_ended(
    writing: Writing, event: Event, here: dict[type[models.Model], list[models.Model]], wanted: Wanted, keys: Keys
) -> None:
    """Keep links worthless that were made so since; officials whom somebody removed come back once the venue accepts."""
    for row in here[Entry]:
        values = wanted[Entry][row.pk]
        values["link_issue"] = max(values.get("link_issue", 1), row.link_issue)  # type: ignore[attr-defined]
    if Role.VENUE in writing.by.roles(event=event):
        return
    accepted = {row.person_id for row in here[Official] if row.accepted is not None}  # type: ignore[attr-defined]
    for values in wanted[Official].values():
        if keys[graph.PERSON][values["person_id"]] not in accepted:
            values["accepted"] = None


def difference(event: Event, document: Document, keys: Keys) -> list[str]:
    """Return what going back to this state would change, in words; it is tried, looked at, and undone."""
    before, was = _looks(event), picture_of(event)
    counts: list[dict[str, set[int]]] = [{}, {}, {}]
    with transaction.atomic():
        trial = Event.objects.select_for_update(of=("self",)).select_related("venue", "hall").get(pk=event.pk)
        writing = Writing(Actor(is_site=True), answer("restore-event", Actor(is_site=True).roles()))
        _write_back(writing, trial, document, keys)
        for change in writing.changes:
            of = counts[0 if change["before"] is None else 1 if change["after"] is None else 2]
            of.setdefault(change["model"], set()).add(change["id"])
        after, will = _looks(trial), picture_of(trial)
        transaction.set_rollback(True)
    lines = _told(before, after) + [str(line) for line in compared(was, will, with_results=False)]
    for words, found in zip((_("There again: %(what)s."), _("Taken away: %(what)s."), _("Put back: %(what)s.")), counts, strict=True):  # fmt: skip  # noqa: E501
        if found:
            lines.append(words % {"what": counted({label: len(keys) for label, keys in sorted(found.items())})})
    return lines or [_("Nothing: the event stands as it did then.")]


def _looks(event: Event) -> dict[str, Any]:
    rounds = {row.number: str(row.get_state_display()) for row in Round.objects.filter(event=event)}
    results = {
        (number, table): result
        for number, table, result in Match.objects.filter(round__event=event, table__isnull=False).values_list(
            "round__number", "table", "result"
        )
    }
    return {
        "state": str(event.get_state_display()),
        "rounds": rounds,
        "results": results,
    }


def _told(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return what becomes of the event, its rounds and their tables' results."""
    lines = []
    if before["state"] != after["state"]:
        lines.append(_("The event: %(before)s → %(after)s") % {"before": before["state"], "after": after["state"]})
    for number in sorted(before["rounds"] | after["rounds"]):
        one, other = before["rounds"].get(number), after["rounds"].get(number)
        if one != other:
            lines.append(
                _("Round %(number)d: %(before)s → %(after)s")
                % {"number": number, "before": one or _("not there"), "after": other or _("gone")}
            )
    for number in sorted({place[0] for place in before["results"]} & {place[0] for place in after["results"]}):
        places = {place for place in before["results"] | after["results"] if place[0] == number}
        tables = sorted(t for n, t in places if before["results"].get((n, t)) != after["results"].get((n, t)))
        if tables:
            shown = ", ".join(map(str, tables[:MOST_TABLES])) + (" …" if len(tables) > MOST_TABLES else "")
            lines.append(
                _("Round %(number)d: other results at tables %(tables)s") % {"number": number, "tables": shown}
            )
    return lines


def officials_without_password(event: Event) -> list[Person]:
    """Return the officials of the event who cannot sign in here yet."""
    people = [official.person for official in Official.objects.filter(event=event).select_related("person")]
    return [person for person in people if not person.has_usable_password()]


__all__ = [
    "BadFile", "Plan", "difference", "export_event", "hand_over", "import_event", "keys_for", "may_import", "must_import",
    "officials_without_password", "packed", "plan", "read_file", "set_back", "take_back", "venues_of",
]  # fmt: skip
