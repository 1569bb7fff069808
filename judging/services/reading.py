"""An event file that someone sent, read and put in place where no page waits for it: by a process of its own if large.

Both functions take the path of the file as it waits under `DATA_DIR` and the key of the person who sent it, and return
only words: what stands in the file never passes through the server's own process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from django.db import DataError, IntegrityError
from django.utils.translation import gettext as _

from events.door import NeedsConfirmation, Refused
from events.models import Person
from events.roles import Actor, Role
from judging import storage
from judging.services import moves
from judging.whole_file import BadFile, Document, read_file
from rules.apart import apart
from rules.uploads import LIMITS, SMALL, is_small

Result = TypeVar("Result")


@dataclass(frozen=True)
class Look:
    """What a file would do here, in words."""

    name: str
    public_id: str
    relation: str
    lines: list[str]
    older: list[str]
    is_handed_over: bool
    is_here: bool


def look_at(path: Path, by: Person) -> Look:
    """Return what putting a waiting file in place would do. Raises BadFile, and what `apart` raises."""
    return _where_it_fits(looked_at, path, by.pk)


def put_in_place(path: Path, by: Person, *, confirmed: bool, reason: str) -> tuple[str, str]:
    """Put a waiting file in place; return the event's public id and name. Raises as `moves.import_event` does."""
    return _where_it_fits(placed, path, by.pk, confirmed, reason)


def _where_it_fits(function: Callable[..., Result], path: Path, *args: object) -> Result:
    content = storage.read(path)
    size = len(content) if is_small(content) else SMALL + 1
    del content
    limits = LIMITS["event-file"]
    return apart(function, str(path), *args, size=size, seconds=limits.seconds, memory=limits.memory)


def looked_at(path: str, person_id: int) -> Look:
    """Read a waiting file and compare it with what is here."""
    by = Actor(person=Person.objects.get(pk=person_id))
    document = read_file(storage.read(Path(path)))
    try:
        found = moves.plan(document)
        found.is_trusted = Role.OFFICE in by.roles()
        return Look(
            name=found.name,
            public_id=str(document["event"]["public_id"]),
            relation=found.relation,
            lines=found.lines(),
            older=_what_older_changes(by, found, document),
            is_handed_over=found.is_handed_over,
            is_here=found.event is not None,
        )
    except (AttributeError, DataError, IntegrityError, KeyError, TypeError, ValueError) as fault:
        raise _contradicts() from fault


def _contradicts() -> BadFile:
    return BadFile(_("The file contradicts itself or what is here: nothing was written."))


def _what_older_changes(by: Actor, found: moves.Plan, document: Document) -> list[str]:
    if found.relation != "older" or found.event is None:
        return []
    try:
        moves.import_event(by=by, document=document)
    except NeedsConfirmation as asked:
        return [str(line) for line in asked.consequences]
    except (Refused, BadFile) as fault:
        return [str(fault)]
    return []


def placed(path: str, person_id: int, confirmed: bool, reason: str) -> tuple[str, str]:
    """Read a waiting file and put its rows in place."""
    by = Actor(person=Person.objects.get(pk=person_id))
    document = read_file(storage.read(Path(path)))
    try:
        found = moves.import_event(
            by=by, document=document, confirmed=confirmed, reason=reason, trusted=Role.OFFICE in by.roles()
        )
    except (AttributeError, DataError, IntegrityError, KeyError, TypeError, ValueError) as fault:
        raise _contradicts() from fault
    return str(document["event"]["public_id"]), found.name
