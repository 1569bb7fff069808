"""Snapshots: an event as it was before each step that is hard to reverse, and restoring it.

A snapshot is a compressed event file under `DATA_DIR/snapshots`, checked by its digest, with a row that names it; if
`COPY_DIR` is set, it is also copied there. It is taken without a lock, before the door opens: a process beside the server
(`rules.standby`) fixes the moment, which takes milliseconds, and writes the file while the request goes on. Where there
is no such process, or it doesn't answer, the request writes the file itself. The row appears once the file is written;
until then, undoing goes by the audit log as always.

While an event runs, the server takes a snapshot after each publication and then at most every `SNAPSHOT_SECONDS`, so
that a second machine can take over (`import_event`): it is signed like every event file, so paired machines trust it.

Kept are the newest `SNAPSHOTS_KEPT` taken before a step, after a publication or by hand, and the newest ten taken while
the event ran; those taken before a verification are kept for ever. `SNAPSHOTS_KEPT=0` turns automatic snapshots off;
the newest ten taken by hand are still kept.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Generator, Iterable

from django.conf import settings
from django.db import connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from events.actions import answer
from events.door import Refused, require
from events.models import AuditEntry, Event, Round
from events.roles import Actor
from judging.keeping import placing, restoring, signatures, storage
from judging.keeping.whole_file import (
    BadFile,
    Document,
    newest_entry,
    one_moment,
    read_file,
    readers_let_write,
    wait_for_locks,
    whole_file,
)
from judging.models import Erasure, Snapshot
from rules.standby import STANDBY

BEFORE = frozenset(
    {"publish-round", "unpublish-round", "complete-round", "reopen-round", "cut", "finish-event", "verify-event"}
    | {"unverify-event", "restore-event", "take-back-event", "cancel-event", "undo"}
)
"""The verbs before which a snapshot is taken."""
FOR_GOOD = frozenset({"verify-event"})
MOMENTS_KEPT = 10
SECONDS_FOR_LOCK = 60
"""Seconds for which a snapshot beside the server waits until its row can be written; no request waits for it."""
SECONDS_TO_WRITE = 5.0
"""Seconds that a page waits for the snapshots which are being written."""
log = logging.getLogger(__name__)
Why = Snapshot.Why


def before_verb(verb: str, by: Actor, event: Event) -> None:
    """Take a snapshot before a verb, unless nothing was written since the last one; called before any lock is taken.

    A snapshot that can't be written (a full disk) is reported on the snapshots page and stops nothing.
    """
    if (
        settings.SNAPSHOTS_KEPT
        and verb in BEFORE
        and event.pk is not None
        and answer(verb, by.roles(event=event), event=event)
    ):
        take_beside(event, Why.BEFORE, verb)


def take(event: Event, why: str, verb: str = "") -> Snapshot:
    """Take a snapshot; return the newest one instead if nothing was written since, or another process was faster."""
    if (there := _there_already(event, newest_entry(event), why, verb)) is not None:
        return there
    steps = taking(event.pk, why, verb)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            made: Snapshot = done.value
            return made


def take_beside(event: Event, why: str, verb: str = "") -> None:
    """Take a snapshot of this moment beside the server, or here if that isn't possible."""
    if _there_already(event, newest_entry(event), why, verb) is not None:
        return
    now = timezone.now()

    def lost() -> None:
        _not_taken(event, now, why, verb, _("the process that was writing it failed"))

    if connection.in_atomic_block or not STANDBY.begin(taking_beside, event.pk, why, verb, lost=lost):
        take(event, why, verb)


def wait_until_written() -> None:
    """Wait a few seconds for the snapshots that are being written beside this server."""
    STANDBY.wait(SECONDS_TO_WRITE)


def taking_beside(event_id: int, why: str, verb: str) -> Generator[None]:
    """Take a snapshot while others write; do nothing if they would have to wait for it."""
    if readers_let_write():
        wait_for_locks(SECONDS_FOR_LOCK)
        yield from taking(event_id, why, verb)


def taking(event_id: int, why: str, verb: str) -> Generator[None, None, Snapshot]:
    """Take a snapshot in two steps: yield as soon as its moment is fixed, then write it and return its row."""
    try:
        with one_moment(event_id) as event:
            now, label = timezone.now(), state_of(event)
            yield
            written = whole_file(event)
        content = written.packed_with_keys(signatures.sign)
        kept = f"entry-{written.newest:010d}-{now:%Y%m%dT%H%M%S%f}"  # sorted by entry: clocks are set back
        name = f"{storage.SNAPSHOTS}/{event.public_id}/{kept}.json.gz"
        storage.write(storage.place(name), content)
    except OSError as fault:
        log.warning("The snapshot of event %s failed: %s", event.public_id, fault)
        return _not_taken(event, now, why, verb, storage.trouble_of(fault), label)
    with transaction.atomic():
        list(Event.objects.select_for_update().filter(pk=event.pk).values_list("pk"))
        if (there := _there_already(event, written.newest, why, verb)) is not None:
            storage.remove(storage.place(name))
            return there
        if Erasure.objects.filter(at__gte=now).exists():  # the file may still name that person
            storage.remove(storage.place(name))
            return _not_taken(
                event, now, why, verb, _("someone's data was erased while the snapshot was being taken"), label
            )
        made = Snapshot.objects.create(
            event=event, made=now, why=why, verb=verb, label=label, record_entry=written.newest,
            file=name, sha256=storage.digest(content), size=len(content),
        )  # fmt: skip
    if trouble := storage.copy_out(storage.place(name)):
        log.warning("Snapshot not copied to the second backup folder: %s", trouble)
        Snapshot.objects.filter(pk=made.pk).update(label=f"{label} {trouble}"[:200])
    tidy(event)
    return made


def _not_taken(event: Event, now: datetime.datetime, why: str, verb: str, problem: str, label: str = "") -> Snapshot:
    """Report a snapshot that couldn't be written on the snapshots page."""
    log.warning("The snapshot of event %s failed: %s", event.public_id, problem)
    return Snapshot.objects.create(event=event, made=now, why=why, verb=verb, label=label, problem=problem[:300])


def _there_already(event: Event, entry: int, why: str, verb: str) -> Snapshot | None:
    """Return the newest snapshot if it contains this audit log entry; mark it if it must be kept for ever."""
    newest = Snapshot.objects.filter(event=event, problem="").order_by("-pk").first()
    if newest is None or newest.record_entry != entry or not storage.place(newest.file).exists():
        return None
    if verb in FOR_GOOD and newest.verb != verb:
        newest.verb, newest.why = verb, why
        newest.save(update_fields=["verb", "why"])
    return newest


def take_by_hand(*, by: Actor, event: Event) -> Snapshot:
    """Take a snapshot because an official asks for one."""
    require(answer("take-snapshot", by.roles(event=event), event=event))
    return take(event, Why.BY_HAND)


def take_if_due(event: Event, now: datetime.datetime) -> bool:
    """Take a snapshot of a running event if the newest is older than `SNAPSHOT_SECONDS`; return whether it was.

    A snapshot dated in the future was taken before the clock was set back: it counts as older.
    """
    newest = Snapshot.objects.filter(event=event, problem="").order_by("-pk").first()
    if newest is not None and 0 <= (now - newest.made).total_seconds() < settings.SNAPSHOT_SECONDS:
        return False
    take_beside(event, Why.MOMENT)
    return True


def events_behind() -> set[int]:
    """Return the keys of running events whose newest audit log entry is in no snapshot yet. One query."""
    record = AuditEntry.objects.filter(event=models.OuterRef("pk")).order_by("-pk")
    taken = Snapshot.objects.filter(event=models.OuterRef("pk"), problem="").order_by("-pk")
    running = Event.objects.filter(state=Event.State.RUNNING).annotate(
        newest=models.Subquery(record.values("pk")[:1]), held=models.Subquery(taken.values("record_entry")[:1])
    )
    behind = running.filter(models.Q(held=None) | models.Q(newest__gt=models.F("held")))
    return set(behind.values_list("pk", flat=True))


def state_of(event: Event) -> str:
    """Return the event's state, after its newest round if it has one, as `Snapshot.state_words` reads it."""
    last = Round.objects.filter(event=event).order_by("-number").first()
    if last is None:
        return str(event.state)
    number = str(last.number) if last.bracket_size is None else f"{last.number}.{last.bracket_size}"
    return f"{number}:{last.state}"


def tidy(event: Event) -> None:
    """Delete the oldest snapshots beyond those to keep, with their files."""
    found = list(Snapshot.objects.filter(event=event).order_by("-pk"))
    moments = [one for one in found if one.why == Why.MOMENT]
    others = [one for one in found if one.why != Why.MOMENT and one.verb not in FOR_GOOD]
    _remove([*moments[MOMENTS_KEPT:], *others[settings.SNAPSHOTS_KEPT or MOMENTS_KEPT :]])


def _remove(snapshots: Iterable[Snapshot]) -> None:
    for one in snapshots:
        if one.file:
            storage.remove(storage.place(one.file))
        one.delete()


def content_of(snapshot: Snapshot) -> bytes:
    """Return a snapshot's file; raise Refused if it is missing or damaged."""
    try:
        return storage.read(storage.place(snapshot.file or "-"), snapshot.sha256)
    except storage.Damaged as fault:
        raise Refused(_("This snapshot can't be used: %(why)s. Choose another one.") % {"why": fault}) from fault


def document_of(snapshot: Snapshot) -> Document:
    """Return a snapshot's document; raise Refused if it can't be used."""
    try:
        return read_file(content_of(snapshot))
    except BadFile as fault:
        raise Refused(
            _("This snapshot is damaged or comes from a newer version of Headjudge. Choose another one.")
        ) from fault


def _keys(document: Document) -> placing.Keys:
    return {label: dict(enumerate(keys, 1)) for label, keys in document["here"].items()}


def restore(
    *,
    by: Actor,
    event: Event,
    snapshot: Snapshot,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Event:
    """Restore a snapshot, with an audit log entry.

    Raises NeedsConfirmation with the changes first. The audit log keeps all its entries; players who entered later stay
    as withdrawn.
    """
    if snapshot.event_id != event.pk:
        raise Refused(
            _("This snapshot belongs to another event. Choose one on this event's Backups and snapshots page.")
        )
    document = document_of(snapshot)
    moment = timezone.localtime(snapshot.made, event.venue.zone)
    restoring.set_back(
        by=by, event=event, document=document, keys=_keys(document), version=version, confirmed=confirmed, reason=reason,
        sentence="restored", facts={"moment": f"{moment:%Y-%m-%d %H:%M}", "label": snapshot.label},
    )  # fmt: skip
    return event


def what_changes(event: Event, snapshot: Snapshot) -> list[str]:
    """Return what restoring a snapshot would change, in words."""
    document = document_of(snapshot)
    return restoring.difference(event, document, _keys(document))


__all__ = [
    "before_verb",
    "content_of",
    "document_of",
    "restore",
    "take",
    "take_beside",
    "take_by_hand",
    "take_if_due",
    "taking",
    "taking_beside",
    "tidy",
    "wait_until_written",
    "what_changes",
]  # fmt: skip
