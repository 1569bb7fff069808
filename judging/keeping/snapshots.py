"""Snapshots: an event as it was before each step that is hard to reverse, and restoring it.

A snapshot is a compressed event file under `DATA_DIR/snapshots`, checked by its digest, with a row that names it; if
`COPY_DIR` is set, it is also copied there. It is taken without a lock, before the door opens. While an event runs, the
server takes one after each publication and then at most every `SNAPSHOT_SECONDS`, so that a second machine can take
over (`import_event`): it is signed like every event file, so paired machines trust it.

Kept are the newest `SNAPSHOTS_KEPT` taken before a step, after a publication or by hand, and the newest ten taken while
the event ran; those taken before a verification are kept for ever. `SNAPSHOTS_KEPT=0` turns automatic snapshots off;
the newest ten taken by hand are still kept.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterable

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from events.actions import answer
from events.door import Refused
from events.models import AuditEntry, Event, Round
from events.roles import Actor
from judging.keeping import placing, restoring, signatures, storage
from judging.keeping.whole_file import BadFile, Document, newest_entry, read_file, steady_file
from judging.models import Snapshot

BEFORE = frozenset(
    {"publish-round", "unpublish-round", "complete-round", "reopen-round", "cut", "finish-event", "verify-event"}
    | {"unverify-event", "restore-event", "take-back-event", "cancel-event", "undo"}
)
"""The verbs before which a snapshot is taken."""
FOR_GOOD = frozenset({"verify-event"})
MOMENTS_KEPT = 10
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
        take(event, Why.BEFORE, verb)


def take(event: Event, why: str, verb: str = "") -> Snapshot:
    """Take a snapshot; return the newest one instead if nothing was written since, or another process was faster."""
    if (there := _there_already(event, newest_entry(event), why, verb)) is not None:
        return there
    now = timezone.now()
    label = state_in_words(event)
    try:
        written = steady_file(event)
        content = written.packed_with_keys(signatures.sign)
        kept = f"entry-{written.newest:010d}-{now:%Y%m%dT%H%M%S%f}"  # sorted by entry: clocks are set back
        name = f"{storage.SNAPSHOTS}/{event.public_id}/{kept}.json.gz"
        storage.write(storage.place(name), content)
    except OSError as fault:
        log.warning("No snapshot of event %s: %s", event.public_id, fault)
        return Snapshot.objects.create(
            event=event, made=now, why=why, verb=verb, label=label, problem=f"{fault.strerror or fault}"[:300]
        )
    with transaction.atomic():
        list(Event.objects.select_for_update().filter(pk=event.pk).values_list("pk"))
        if (there := _there_already(event, written.newest, why, verb)) is not None:
            storage.remove(storage.place(name))
            return there
        made = Snapshot.objects.create(
            event=event, made=now, why=why, verb=verb, label=label, record_entry=written.newest,
            file=name, sha256=storage.digest(content), size=len(content),
        )  # fmt: skip
    if trouble := storage.copy_out(storage.place(name)):
        log.warning("Snapshot not copied to the second backup folder: %s", trouble)
        not_copied = _("not copied")
        Snapshot.objects.filter(pk=made.pk).update(label=f"{label} · {not_copied}: {trouble}"[:200])
    tidy(event)
    return made


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
    given = answer("take-snapshot", by.roles(event=event), event=event)
    if not given:
        raise Refused(given.reason)
    return take(event, Why.BY_HAND)


def take_if_due(event: Event, now: datetime.datetime) -> Snapshot | None:
    """Take a snapshot of a running event if the newest is older than `SNAPSHOT_SECONDS`, otherwise return None.

    A snapshot dated in the future was taken before the clock was set back: it counts as older.
    """
    newest = Snapshot.objects.filter(event=event, problem="").order_by("-pk").first()
    if newest is not None and 0 <= (now - newest.made).total_seconds() < settings.SNAPSHOT_SECONDS:
        return None
    return take(event, Why.MOMENT)


def events_behind() -> set[int]:
    """Return the keys of running events whose newest audit log entry is in no snapshot yet. One query."""
    record = AuditEntry.objects.filter(event=models.OuterRef("pk")).order_by("-pk")
    taken = Snapshot.objects.filter(event=models.OuterRef("pk"), problem="").order_by("-pk")
    running = Event.objects.filter(state=Event.State.RUNNING).annotate(
        newest=models.Subquery(record.values("pk")[:1]), held=models.Subquery(taken.values("record_entry")[:1])
    )
    behind = running.filter(models.Q(held=None) | models.Q(newest__gt=models.F("held")))
    return set(behind.values_list("pk", flat=True))


def state_in_words(event: Event) -> str:
    """Return the event's state in a few words."""
    last = Round.objects.filter(event=event).order_by("-number").first()
    if last is None:
        return str(event.get_state_display())
    return f"{last}, {last.get_state_display()}"


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
        raise Refused(_("This snapshot can't be used: %(why)s.") % {"why": fault}) from fault


def document_of(snapshot: Snapshot) -> Document:
    """Return a snapshot's document; raise Refused if it can't be used."""
    try:
        return read_file(content_of(snapshot))
    except BadFile as fault:
        raise Refused(_("This snapshot can't be used: %(why)s.") % {"why": fault}) from fault


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
        raise Refused(_("This snapshot belongs to another event."))
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
    "state_in_words",
    "take",
    "take_by_hand",
    "take_if_due",
    "tidy",
    "what_changes",
]  # fmt: skip
