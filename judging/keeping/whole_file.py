"""The whole event file: `event_file`'s document plus every row, so that it can be imported without loss.

An event file (version 1) that can be imported has the additional key `whole`:

    rows      by model ("events.Entry"), each row with its number `n` and its columns; relations are numbers too
    people    e-mail, name, minor, employee or family, registration as a volunteer; ordered by address
    venue     name, kind, place, time zone, tables
    hall      name and tables, or null
    disputes  the saved disputes of its tables
    digest    SHA-256 of all that and of the audit log

The entries of the audit log are in `record`, numbered too; `made` is when the newest of them was written. So the same
event gives the same file, byte for byte, wherever and whenever it is written. The file holds addresses of players and
the secret of their links: it is for the people who run the event. A snapshot also has `here`, the keys of its rows in
the database that it was taken from.

A file that leaves the installation also has `signatures` (`judging.keeping.signatures`): a list of `key` (by which
readers recognise the key they share) and `mac`, over the SHA-256 of everything else in the file. Signatures differ from
machine to machine; everything else is the same byte for byte, and only that is compared.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.models import AuditEntry, Event, Official
from judging.keeping.event_file import FORMAT, VERSION, parts_of
from judging.keeping.rows import RECORD, Known, label_of, models_of_event, numbered
from judging.keeping.storage import digest
from rules.uploads import Unreadable, read_json, unpacked

OFFICIAL = label_of(Official)
NOT_OURS = gettext_lazy("This isn't a Headjudge event file.")
SIGNATURES, SIGNED = "signatures", "signed"
"""The signatures in a file; and, only in a document that was read, the digest that they must sign."""

Document = dict[str, Any]
Sign = Callable[[str], list[dict[str, str]]]
"""A function that returns the signatures of a digest."""


class BadFile(Unreadable):
    """A file that isn't an event file, is damaged, or can't be imported; the message says which."""


def canonical(value: Any) -> bytes:
    """Return a value as JSON; the same value always gives the same bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), cls=DjangoJSONEncoder).encode()


def newest_entry(event: Event) -> int:
    """Return the key of the newest entry of the event's audit log, 0 if it has none."""
    return AuditEntry.objects.filter(event=event).order_by("-pk").values_list("pk", flat=True).first() or 0


@dataclass
class Written:
    """An event ready to write: each part of its file as JSON, so that the whole is never held twice.

    `keys` are this database's keys of its rows, `newest` the key of the newest audit log entry.
    """

    parts: dict[str, bytes]
    keys: Known
    digest: str
    entries: int
    newest: int

    def content(self, sign: Sign | None = None) -> bytes:
        """Return the file, signed by `sign` if given; apart from signatures, the same event gives the same bytes."""
        return _object(_signed(self.parts, sign))

    def packed_with_keys(self, sign: Sign | None = None) -> bytes:
        """Return the compressed file of a snapshot, which includes the keys of its rows."""
        return _packed(_pieces(_signed(self.parts | {"here": canonical(self.keys)}, sign)))


@contextmanager
def one_moment(event_id: int) -> Iterator[Event]:
    """Yield the event; until the end, every query sees the database as it is now. Nothing is locked.

    Within a transaction, which may have written, the event is locked instead: all its writes wait for that lock.
    """
    rows = Event.objects.select_related("venue", "hall", "verified_by")
    if connection.in_atomic_block:
        yield rows.select_for_update(of=("self",)).get(pk=event_id)
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:  # `atomic` would lock: the settings have it begin with IMMEDIATE
            cursor.execute("BEGIN DEFERRED")
            try:
                yield rows.get(pk=event_id)
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield rows.get(pk=event_id)


def readers_let_write() -> bool:
    """Return whether others can write while a reader keeps its moment: not where SQLite's file can have no WAL."""
    if connection.vendor != "sqlite":
        return True
    with connection.cursor() as cursor:
        return bool(cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",))


def wait_for_locks(seconds: int) -> None:
    """Have this connection wait for locks so many seconds, instead of the few that a request waits."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"PRAGMA busy_timeout = {seconds * 1000}"
            if connection.vendor == "sqlite"
            else f"SET lock_timeout = '{seconds}s'"
        )


def steady_file(event: Event) -> Written:
    """Return the event as it is at one moment."""
    with one_moment(event.pk) as now:
        return whole_file(now)


def whole_file(event: Event) -> Written:
    """Return the event; each part is serialised before the next is read, to save memory."""
    found = numbered(event)
    parts: dict[str, bytes] = {}
    rows: dict[str, bytes] = {}
    for name, value in parts_of(event):
        if name == "event":
            told = value
        elif name == "record":
            record = _Record()
            for entry, row in zip(value, found.values_of(AuditEntry), strict=True):
                record.add(entry, row)
            parts["record"], rows[RECORD] = _list(record.told), _list(record.rows)
        else:
            parts[name] = canonical(value)
    del value
    told["made"] = record.made or told["created"]
    parts["event"] = canonical(told)
    for model in models_of_event():
        if model is not AuditEntry:
            rows[label_of(model)] = _list([canonical(row) for row in found.values_of(model)])
    whole = {
        "rows": _object(rows),
        "people": canonical(found.people),
        "venue": canonical(found.venue()),
        "hall": canonical(found.hall()),
        "disputes": canonical(found.disputes),
    }
    told_digest = digest(_object(whole | {"record": _list(record.changes)}))
    parts["whole"] = _object(whole | {"digest": canonical(told_digest)})
    return Written(parts, found.keys, told_digest, len(record.told), newest_entry(event))


class _Record:
    """The audit log being written: its readable entries, its rows, and what the digest covers."""

    def __init__(self) -> None:
        self.told: list[bytes] = []
        self.rows: list[bytes] = []
        self.changes: list[bytes] = []
        self.made = ""

    def add(self, entry: Document, row: Document) -> None:
        """Add an entry in its readable form and as a row, which provides the number and the changes."""
        entry |= {"id": row["n"], "undoes": row["undoes_id"], "changes": row.pop("changes")}
        self.made = row["at"]
        self.told.append(canonical(entry))
        self.rows.append(canonical(row))
        self.changes.append(canonical([entry["id"], entry["changes"]]))


def _list(items: Iterable[bytes]) -> bytes:
    """Return a JSON list of items that are JSON already."""
    return b"[" + b",".join(items) + b"]"


def _object(parts: Mapping[str, bytes]) -> bytes:
    """Return a JSON object of parts that are JSON already, as `canonical` would write it."""
    return b"".join(_pieces(parts))


def _pieces(parts: Mapping[str, bytes]) -> Iterator[bytes]:
    for place, name in enumerate(sorted(parts)):
        yield (b"," if place else b"{") + canonical(name) + b":"
        yield parts[name]
    yield b"}"


def _signed(parts: dict[str, bytes], sign: Sign | None) -> dict[str, bytes]:
    if sign is None:
        return parts
    told = hashlib.sha256()
    for piece in _pieces(parts):
        told.update(piece)
    return parts | {SIGNATURES: canonical(sign(told.hexdigest()))}


def _digest(document: Document) -> str:
    whole = {name: value for name, value in document["whole"].items() if name != "digest"}
    return digest(canonical({**whole, "record": [[row["id"], row["changes"]] for row in document["record"]]}))


def sealed(document: Document, sign: Sign | None = None) -> bytes:
    """Return a changed document compressed, with its digest and signatures recomputed."""
    document["whole"]["digest"] = _digest(document)
    parts = {name: canonical(value) for name, value in document.items() if name not in (SIGNATURES, SIGNED)}
    return _packed(_pieces(_signed(parts, sign)))


def packed(content: bytes) -> bytes:
    """Return a file's content compressed; the same content always gives the same bytes."""
    return _packed((content,))


def _packed(pieces: Iterable[bytes]) -> bytes:
    target = io.BytesIO()
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0, compresslevel=3) as stream:
        for piece in pieces:
            stream.write(piece)
    return target.getvalue()


def _told_by_signatures(document: Document) -> str:
    """Return the digest that the file's signatures must sign, "" if it has none."""
    if not document.get(SIGNATURES):
        return ""
    return digest(canonical({name: value for name, value in document.items() if name != SIGNATURES}))


def read_file(content: bytes) -> Document:
    """Return the document of an event file, compressed or not; raise BadFile if it can't be imported.

    Its key `signed` is the digest that its signatures must sign; `judging.keeping.signatures` checks them. Large
    uploads are read in a separate process (`rules.apart`).
    """
    try:
        document = read_json(unpacked(content, "event-file"), "event-file")
    except Unreadable as fault:
        bad = BadFile(str(fault) if fault.status == 413 else f"{NOT_OURS} {fault}")
        bad.status = fault.status
        raise bad from fault
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadFile(NOT_OURS)
    if document.get("version") != VERSION:
        raise BadFile(_("This event file comes from a newer version of Headjudge. Update this installation first."))
    whole = document.get("whole")
    if not isinstance(whole, dict):
        raise BadFile(
            _(
                "This event file can't be imported. Export the event again on its “Backups and snapshots” "
                "page, or with “headjudge export_event”."
            )
        )
    try:
        for told, row in zip(document["record"], whole["rows"][RECORD], strict=True):
            if told["id"] != row["n"]:
                raise ValueError
        if _digest(document) != whole["digest"]:
            raise BadFile(
                _("The file is damaged. Its content has changed since it was written. Export the event again.")
            )
        document[SIGNED] = _told_by_signatures(document)
        for told, row in zip(document["record"], whole["rows"][RECORD], strict=True):
            row["changes"] = told["changes"]
        for row in whole["rows"].get(OFFICIAL, []):  # files from before officials accepted their role themselves
            row.setdefault("confirmed", row["accepted"])
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise BadFile(_("The file is damaged: parts of it are missing. Export the event again.")) from fault
    return document
