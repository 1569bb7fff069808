"""Moving an event between installations: which one holds it, who may import its file, and what the import does.

Only the holder's copy can be changed; the others are read-only. The hand-over is an entry of the audit log: a file
whose newest entry is a hand-over makes the receiver the holder.

A file is trusted if a known machine signed it (`signatures`) or an administrator vouches for it. Any other file can
only be imported as a copy (`copied`), which changes no existing event.
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events import live
from events.actions import answer
from events.audit import kept
from events.door import Refused, door, require
from events.models import AuditEntry, Event, Official, Person, Venue, Webhook
from events.roles import Actor
from judging.keeping import erasure, signatures, snapshots
from judging.keeping import rows as graph
from judging.keeping.comparing import HAND_OVER, ImportPlan, bad_file_raised, plan
from judging.keeping.placing import keys_for, must_be_the_same, write_event
from judging.keeping.restoring import set_back
from judging.keeping.whole_file import Document, steady_file
from judging.models import Move

TOPICS = frozenset({"import-event", "pairings", "results", "standings", "clock"})
"""The topics of the live update after an import."""
UNSIGNED = gettext_lazy(
    "No paired machine signed this file, so it can't be trusted. Pair the two machines, have an "
    "administrator vouch for the file, or import it as a copy."
)
ONLY_APPROVED = gettext_lazy("Only an administrator or a manager of an approved venue can import event files.")


# writing a file


def export_event(*, by: Actor, event: Event, other: str = "") -> bytes:
    """Return the event as a file to copy or store; the holder doesn't change."""
    _must(by, "move-event", event)
    written = steady_file(event)
    note_move(by, event, written.digest, written.entries, Move.Kind.COPIED, other)
    return written.content(signatures.sign)


def note_move(by: Actor, event: Event, told_digest: str, entries: int, kind: str, other: str = "") -> None:
    """Store that a file of the event was written or read here."""
    Move.objects.create(
        event=event,
        kind=kind,
        other=other[:120],
        by=by.person,
        sha256=told_digest,
        entries=entries,
    )


def _must(by: Actor, verb: str, event: Event) -> None:
    require(answer(verb, by.roles(event=event), event=event))


def hand_over(
    *, by: Actor, event: Event, other: str, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> bytes:
    """Hand the event over: return its file, and refuse changes here until it comes back."""
    other = other.strip()[:120]
    consequences = [
        _("The event becomes read-only here. Entries, results and rounds can be changed only on the other machine."),
        _(
            "You can change the event here again once you import the other machine's file. If that "
            "machine or the handed-over file is lost, you can reclaim the event."
        ),
    ]
    with door(
        HAND_OVER, by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason, consequences=consequences
    ) as writing:  # fmt: skip
        if not other:
            raise Refused(_("Enter the name of the person or machine that will receive the event."))
        writing.save(event, away=other)
        writing.says("handed-over", other=other)
    written = steady_file(event)
    note_move(by, event, written.digest, written.entries, Move.Kind.HANDED_OVER, other)
    return written.content(signatures.sign)


def take_back(
    *, by: Actor, event: Event, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Event:
    """Become the holder again without the other copy: changes made there from now on can't be merged."""
    consequences = [
        _("You can change the event here again. It continues from the data on this machine."),
        _(
            "If anyone keeps changing the other copy (%(other)s), the two copies diverge, and neither "
            "can replace the other."
        )
        % {"other": event.away},
    ]
    with door(
        "take-back-event", by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason, consequences=consequences
    ) as writing:  # fmt: skip
        if not event.away:
            raise Refused(_("This event can already be changed on this machine."))
        other = event.away
        writing.save(event, away="")
        writing.says("taken-over", other=other)
        Move.objects.create(
            event=event, kind=Move.Kind.TAKEN_BACK, other=other, by=by.person, entries=event.record.count()
        )
    return event


# permission to import


def venues_of(by: Actor) -> list[Venue]:
    """Return the approved venues into which the person may import events as their manager."""
    if by.person is None:
        return []
    managed = Venue.objects.filter(management__person=by.person, state=Venue.State.APPROVED).order_by("name", "pk")
    return [venue for venue in managed if answer("import-event", by.roles(venue=venue))]


def may_import(by: Actor) -> bool:
    """Return whether this is an administrator or a manager of an approved venue."""
    return bool(answer("import-event", by.roles()) or venues_of(by))


def must_import(by: Actor, event: Event | None) -> None:
    """Refuse people who may import nothing here, or not this existing event."""
    if not may_import(by):
        raise Refused(ONLY_APPROVED)
    if event is not None:
        require(answer("import-event", by.roles(event=event), event=event))
        if not event.venue.is_approved and not answer("import-event", by.roles()):
            raise Refused(ONLY_APPROVED)


def _must_be_believed(by: Actor, found: ImportPlan, *, vouched: bool) -> None:
    """Refuse a file that no known machine signed and no administrator vouches for."""
    must_import(by, found.event)
    if found.signer is None:
        if not vouched:
            raise Refused(UNSIGNED)
        require(answer("vouch-for-file", by.roles()))


def _must_import_new(by: Actor, found: ImportPlan, chosen: Venue | None) -> None:
    """Refuse a new event at a venue the importer doesn't manage; only an administrator can bring a new venue."""
    if answer("import-event", by.roles()):
        return
    mine = venues_of(by)
    if found.venue is not None:
        if found.venue not in mine:
            words = _(
                "The event belongs to “%(venue)s”. Only a manager of that venue or an administrator can "
                "import the event."
            )
            raise Refused(words % {"venue": found.venue})
        return
    if chosen is None and len(mine) == 1:
        chosen = mine[0]
    if chosen not in mine:
        raise Refused(_("The event's venue isn't on this machine. Choose the venue that the event belongs to."))
    found.venue = chosen


# importing a file


def import_event(
    *,
    by: Actor,
    document: Document,
    confirmed: bool = False,
    reason: str = "",
    take_over: bool = False,
    vouched: bool = False,
    venue: Venue | None = None,
) -> ImportPlan:
    """Import a trusted event file: create the event or update the existing one, completely or not at all.

    Importing an older copy over a newer one goes through the door as `restore-event`, with a confirmation and an audit
    log entry. A copy that diverged is refused, with the differences. `take_over` makes this installation the holder
    although the file was only a copy, when the machine that held the event is lost. `vouched`: an administrator (or the
    command) vouches for a file that no known machine signed. `venue` is where a manager puts a new event whose own
    venue isn't known here.
    """
    found = plan(document)
    _must_be_believed(by, found, vouched=vouched)
    if found.event is not None and settings.SNAPSHOTS_KEPT:  # outside any lock
        snapshots.take(found.event, snapshots.Why.BEFORE, "import-event")
    with transaction.atomic():
        found = plan(document)
        _must_be_believed(by, found, vouched=vouched)
        if found.relation == "diverged":
            fault = _(
                "The event was changed on both machines, and neither copy can replace the other. Review the "
                "differences, then repeat one machine's changes on the other."
            )
            raise Refused("\n".join([fault, *found.lines()]))
        if found.event is None:
            _must_import_new(by, found, venue)
        with bad_file_raised():
            event, kind = _written(by, found, confirmed=confirmed, reason=reason)
        if found.relation in ("new", "newer"):
            must_be_the_same(event, document, known=len(document["record"]) - len(found.only_there))
            _hold(event, found)
        if found.relation != "same":  # people erased here whom the other machine still knows
            erasure.scrub_imported(event, document["whole"]["people"])
        if take_over and event.away:
            take_back(by=by, event=event, confirmed=True, reason=reason or _("The machine that held the event is lost"))
        note_move(by, event, document["whole"]["digest"], len(document["record"]), kind)
        if found.relation in ("new", "newer"):
            said = {"new": "event-arrived", "newer": "event-went-on"}[found.relation]
            tell(by, event, said, len(found.only_there))
    return found


def _written(by: Actor, found: ImportPlan, *, confirmed: bool, reason: str) -> tuple[Event, Move.Kind]:
    """Write the file's rows; return the event, also set in `found`, and the kind of move."""
    if found.event is not None and found.relation == "older":
        _set_back(by, found.event, found, confirmed=confirmed, reason=reason)
        return found.event, Move.Kind.WENT_BACK
    if found.event is not None and found.relation == "same":
        return found.event, Move.Kind.ARRIVED
    kind = Move.Kind.ARRIVED if found.event is None else Move.Kind.WENT_ON
    found.event = write_event(found)
    return found.event, kind


def _hold(event: Event, found: ImportPlan) -> None:
    """Make this installation the holder if the file hands the event over or if it was the holder before."""
    was_here = found.relation == "newer" and not event.away
    event.away = "" if found.is_handed_over or was_here else event.away or _("the other machine")
    Event.objects.filter(pk=event.pk).update(away=event.away)


def _set_back(by: Actor, event: Event, found: ImportPlan, *, confirmed: bool, reason: str) -> None:
    keys = keys_for(found)
    set_back(
        by=by, event=event, document=found.document, keys=keys, confirmed=confirmed, reason=reason,
        sentence="set-back", facts={"moment": found.moment(found.document["event"]["made"])},
    )  # fmt: skip


def tell(by: Actor, event: Event, sentence: str, entries: int) -> None:
    """Log the import for the venue (the event's own log came with the file), and notify open pages."""
    AuditEntry.objects.create(
        verb="import-event",
        by_person=by.person,
        venue=event.venue,
        subject_model=graph.label_of(Event),
        subject_id=event.pk,
        sentence=sentence,
        facts=kept(sentence, {"event": event.name}),
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
    Webhook.objects.filter(event=event).update(upto=newest)  # what happened on the other machine isn't news here
    live.announce(event.pk, newest)
    transaction.on_commit(lambda: live.tell(event.pk, newest, TOPICS))


def officials_without_password(event: Event) -> list[Person]:
    """Return the event's officials who can't sign in here yet."""
    people = [official.person for official in Official.objects.filter(event=event).select_related("person")]
    return [person for person in people if not person.has_usable_password()]


__all__ = [
    "ONLY_APPROVED", "TOPICS", "export_event", "hand_over", "import_event", "may_import", "must_import", "note_move",
    "officials_without_password", "take_back", "tell", "venues_of",
]  # fmt: skip
