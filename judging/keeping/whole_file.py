"""The whole event file: what `event_file` tells, and beside it every row, so that it can be read back without loss.

An event file (version 1) that can be read back has one key more, `whole`:

    rows      by model ("events.Entry"), each row with its number `n` and its columns; relations are numbers too
    people    e-mail, name, under age, employee or family, registration as a volunteer; in the order of their addresses
    venue     name, kind, place, time zone, tables
    hall      name and tables, or null
    disputes  the disputes of its tables, as they are saved
    digest    SHA-256 of all that and of the record

The entries of the record stand in `record`, numbered too; `made` is when the newest of them was written. So the same
event gives the same file, byte for byte, wherever and whenever it is written. The file holds addresses of players and
the secret of their links: it is for those who run the event. A snapshot has a key `here` more, the keys of its rows in
the database that it was taken of.

A file that leaves the installation has a key `signatures` more (`judging.keeping.signatures`): a list of `key` (by which its
readers know which key they share) and `mac`, over the SHA-256 of everything else in the file. Signatures differ from
machine to machine; all else is the same byte for byte, and that is what is compared.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.models import AuditEntry, Event, Official
from judging.keeping.event_file import FORMAT, VERSION, parts_of
from judging.keeping.rows import RECORD, Known, label_of, models_of_event, numbered
from judging.keeping.storage import digest
from rules.uploads import Unreadable, read_json, unpacked

TRIES = 5
OFFICIAL = label_of(Official)
NOT_OURS = gettext_lazy("This isn't a Headjudge event file.")
SIGNATURES, SIGNED = "signatures", "signed"
"""Signatures as the file has them; in a document that was read also what they are to be signatures of."""

Document = dict[str, Any]
Sign = Callable[[str], list[dict[str, str]]]
"""Returns the signatures of a digest."""


class BadFile(Unreadable):
    """A file that isn't an event file, is damaged, or cannot be read back; the message says which."""


def canonical(value: Any) -> bytes:
    """Return a value as JSON, the same bytes for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), cls=DjangoJSONEncoder).encode()


def newest_entry(event: Event) -> int:
    """Return the key of the newest entry of the event's record, 0 where there is none."""
    return AuditEntry.objects.filter(event=event).order_by("-pk").values_list("pk", flat=True).first() or 0


class Unsteady(Exception):
    """Something was written while an event was read."""


@dataclass
class Written:
    """An event as it is written: each part of its file as JSON, so that the whole is never held twice.

    `keys` are those of its rows in this database, `newest` that of the newest entry of its record.
    """

    parts: dict[str, bytes]
    keys: Known
    digest: str
    entries: int
    newest: int = 0

    def content(self, sign: Sign | None = None) -> bytes:
        """Return the file, signed where `sign` says how; but for signatures, the same event gives the same bytes."""
        return _object(_signed(self.parts, sign))

    def packed_with_keys(self, sign: Sign | None = None) -> bytes:
        """Return the compressed file of a snapshot, which names the keys of its rows."""
        return _packed(_pieces(_signed(self.parts | {"here": canonical(self.keys)}, sign)))


def steady_file(event: Event) -> Written:
    """Return the event as it is written, all of one moment, without a lock.

    What is written meanwhile shows in the record: then it is read again. After some tries it is read behind the lock
    that orders all writes of an event.
    """
    rows = Event.objects.select_related("venue", "hall", "verified_by")
    for _try in range(TRIES):
        before = newest_entry(event)
        try:
            written = whole_file(rows.get(pk=event.pk))
        except Unsteady:
            continue
        if newest_entry(event) == before:
            written.newest = before
            return written
    with transaction.atomic():
        written = whole_file(rows.select_for_update(of=("self",)).get(pk=event.pk))
        written.newest = newest_entry(event)
        return written


def whole_file(event: Event) -> Written:
    """Return the event as it stands, as it is written: each part is let go of as soon as it is."""
    found = numbered(event)
    parts: dict[str, bytes] = {}
    rows: dict[str, bytes] = {}
    for name, value in parts_of(event):
        if name == "event":
            told = value
        elif name == "record":
            record = _Record()
            for entry, row in zip_longest(value, found.values_of(AuditEntry)):
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
    return Written(parts, found.keys, told_digest, len(record.told))


class _Record:
    """The record as it is written: as it is told, its rows, and what the digest covers of it."""

    def __init__(self) -> None:
        self.told: list[bytes] = []
        self.rows: list[bytes] = []
        self.changes: list[bytes] = []
        self.made = ""

    def add(self, entry: Document | None, row: Document | None) -> None:
        """Add an entry as the event file tells it and its row, which gives it its number and its changes."""
        if entry is None or row is None:
            raise Unsteady
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
    """Return a document whose rows were changed, with its digest and signatures made anew, compressed."""
    document["whole"]["digest"] = _digest(document)
    parts = {name: canonical(value) for name, value in document.items() if name not in (SIGNATURES, SIGNED)}
    return _packed(_pieces(_signed(parts, sign)))


def packed(content: bytes) -> bytes:
    """Return a file's content compressed; the same content gives the same bytes."""
    return _packed((content,))


def _packed(pieces: Iterable[bytes]) -> bytes:
    target = io.BytesIO()
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0, compresslevel=3) as stream:
        for piece in pieces:
            stream.write(piece)
    return target.getvalue()


def _told_by_signatures(document: Document) -> str:
    """Return the digest that the file's signatures are to be of, "" where it has none."""
    if not document.get(SIGNATURES):
        return ""
    return digest(canonical({name: value for name, value in document.items() if name != SIGNATURES}))


def read_file(content: bytes) -> Document:
    """Return the document of an event file, packed or not; raise BadFile where it can't be read back.

    Its key `signed` is what its signatures are to be of; whether they are is told by `judging.keeping.signatures`. A file of
    some size that someone sent is read by a process of its own (`rules.apart`).
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
        raise BadFile(_("This event file is of a newer version: bring this installation up to date first."))
    whole = document.get("whole")
    if not isinstance(whole, dict):
        raise BadFile(
            _("This event file is for reading only: write one with “export_event” or on the event's page of copies.")
        )
    try:
        for told, row in zip(document["record"], whole["rows"][RECORD], strict=True):
            if told["id"] != row["n"]:
                raise ValueError
        if _digest(document) != whole["digest"]:
            raise BadFile(_("The file is damaged: it is not as it was written."))
        document[SIGNED] = _told_by_signatures(document)
        for told, row in zip(document["record"], whole["rows"][RECORD], strict=True):
            row["changes"] = told["changes"]
        for row in whole["rows"].get(OFFICIAL, []):  # files written before officials accepted their role themselves
            row.setdefault("confirmed", row["accepted"])
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise BadFile(_("The file is damaged: parts of it are missing.")) from fault
    return document
