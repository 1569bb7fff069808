"""Uploaded event files: previewed, then imported; large ones in a separate process.

The file waits under `DATA_DIR`. These functions take its path and the uploader's key, and return words and numbers, so
no large file is ever parsed in the server's own process (`rules.apart`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from events import live
from events.actions import answer
from events.door import COMMITTED, MADE, NeedsConfirmation, Refused
from events.models import AuditEntry, Event, Person, Venue
from events.roles import Actor
from judging.keeping import comparing, copied, machines, moving, storage
from judging.keeping.whole_file import BadFile, Document, read_file
from rules.apart import apart
from rules.uploads import LIMITS, SMALL, brief, is_small

Result = TypeVar("Result")


@dataclass(frozen=True)
class ImportPreview:
    """The effects of importing a file, as its page shows them; `venues` are the keys of the venues to choose from."""

    name: str
    relation: str
    signer: str
    """The known machine that signed it, or ""."""
    is_handed_over: bool
    here: str
    """The public id of the event, "" if it isn't here."""
    lines: list[str] = field(default_factory=list)
    older: list[str] = field(default_factory=list)
    refused: str = ""
    """Why an older file can't be restored now, "" if it can."""
    copy: list[str] = field(default_factory=list)
    powers: list[str] = field(default_factory=list)
    venues: list[int] = field(default_factory=list)
    may_vouch: bool = False


@dataclass(frozen=True)
class ImportChoices:
    """The choices of the person who confirmed an import."""

    as_copy: bool = False
    confirmed: bool = False
    reason: str = ""
    vouched: bool = False
    venue: int | None = None


def preview(path: Path, *, by: Actor, code: str = "") -> ImportPreview:
    """Return what importing a waiting file would do; with a pairing code, first pair the machine that signed it.

    Raises Refused, Damaged, BadFile and other Unreadable.
    """
    return _in_fitting_process(preview_here, path, by, code)[0]


def import_waiting(path: Path, *, by: Actor, choices: ImportChoices) -> Event:
    """Import a waiting file and return its event. Raises the errors of `moving.import_event`, and Unreadable."""
    (key, entries), is_apart = _in_fitting_process(import_here, path, by, asdict(choices))
    event = Event.objects.get(pk=key)
    if (made := MADE.get()) is not None:
        made += AuditEntry.objects.filter(pk__in=entries).order_by("pk")
    if (committed := COMMITTED.get()) is not None:
        committed += entries
    if is_apart:  # the other process notified pages through the database, but not listeners in this process
        live.tell(event.pk, live.newest(event), moving.TOPICS)
    return event


def _in_fitting_process(function: Callable[..., Result], path: Path, by: Actor, *args: object) -> tuple[Result, bool]:
    """Call a function with a waiting file, in a separate process if it is large; return the result and if it was."""
    assert by.person is not None, "importers are signed in"
    content = storage.read(path)
    size = len(content) if is_small(content) else SMALL + 1
    del content
    limits = LIMITS["event-file"]
    told = apart(function, str(path), by.person.pk, *args, size=size, seconds=limits.seconds, memory=limits.memory)
    return told, size > SMALL


def preview_here(path: str, person: int, code: str) -> ImportPreview:
    """Read a waiting file and compare it with the database."""
    document = read_file(storage.read(Path(path)))
    by = Actor(person=Person.objects.get(pk=person))
    with comparing.bad_file_raised():
        if code:
            machines.pair_by_file(by=by, document=document, code=code)
        return _look(by, document)


def _look(by: Actor, document: Document) -> ImportPreview:
    found = comparing.plan(document)
    may_vouch = bool(answer("vouch-for-file", by.roles()))
    lines: list[str] = []
    copy: list[str] = []
    powers: list[str] = []
    venues: list[Venue] = []
    older, refused = _what_older_changes(by, found, vouched=may_vouch)
    if found.signer is not None or may_vouch:
        moving.must_import(by, found.event)  # the differences would reveal the existing event
        lines = found.lines()
    if found.signer is None:
        copy, powers = copied.what_copy_becomes(document), found.powers()
        venues = copied.venues_for(by, document)
    elif found.event is None and found.venue is None and not answer("import-event", by.roles()):
        venues = moving.venues_of(by)
    return ImportPreview(
        name=found.name[:300],
        relation=found.relation,
        signer=found.signer.name if found.signer is not None else "",
        is_handed_over=found.is_handed_over,
        here=found.event.public_id if found.event is not None else "",
        lines=brief(lines),
        older=brief(older),
        refused=refused,
        copy=brief(copy),
        powers=brief(powers),
        venues=[venue.pk for venue in venues],
        may_vouch=found.signer is None and may_vouch and found.relation not in ("same", "diverged"),
    )


def _what_older_changes(by: Actor, found: comparing.ImportPlan, *, vouched: bool) -> tuple[list[str], str]:
    """Return what restoring an older file would change, and why it would be refused."""
    if found.relation != "older" or found.event is None or (found.signer is None and not vouched):
        return [], ""
    try:
        moving.import_event(by=by, document=found.document, vouched=vouched)
    except NeedsConfirmation as asked:
        return [str(line) for line in asked.consequences], ""
    except (Refused, BadFile) as fault:
        return [], str(fault)
    return [], ""


def import_here(path: str, person: int, asked: dict[str, Any]) -> tuple[int, list[int]]:
    """Read a waiting file and import it; return the event's key, and the keys of the new audit log entries."""
    document, choices = read_file(storage.read(Path(path))), ImportChoices(**asked)
    by = Actor(person=Person.objects.get(pk=person))
    venue = Venue.objects.filter(pk=choices.venue).first() if choices.venue is not None else None
    token = MADE.set([])
    try:
        with comparing.bad_file_raised():
            if choices.as_copy:
                event = copied.import_copy(by=by, document=document, venue=venue)
            else:
                found = moving.import_event(
                    by=by,
                    document=document,
                    confirmed=choices.confirmed,
                    reason=choices.reason,
                    vouched=choices.vouched,
                    venue=venue,
                )
                assert found.event is not None
                event = found.event
        return event.pk, [entry.pk for entry in MADE.get() or []]
    finally:
        MADE.reset(token)


__all__ = ["ImportChoices", "ImportPreview", "import_waiting", "preview"]
