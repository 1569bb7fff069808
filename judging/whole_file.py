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
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils.translation import gettext as _

from events.models import Event, RecordEntry
from judging.event_file import FORMAT, VERSION, event_file
from judging.rows import RECORD, Numbered, numbered
from judging.storage import digest

MOST_BYTES = 400 * 1024 * 1024
"""What a file may be when it is unpacked."""
TRIES = 5

Document = dict[str, Any]


class BadFile(Exception):
    """A file that is no event file, is damaged, or cannot be read back; the message says which."""


def canonical(value: Any) -> bytes:
    """Return a value as JSON, the same bytes for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), cls=DjangoJSONEncoder).encode()


def newest_entry(event: Event) -> int:
    """Return the key of the newest entry of the event's record, 0 where there is none."""
    return RecordEntry.objects.filter(event=event).order_by("-pk").values_list("pk", flat=True).first() or 0


class Unsteady(Exception):
    """Something was written while an event was read."""


def steady_file(event: Event) -> tuple[Document, Numbered, int]:
    """Return the whole file with the keys of its rows and the newest entry, all of one moment, without a lock.

    What is written meanwhile shows in the record: then it is read again. After some tries it is read behind the lock
    that orders all writes of an event.
    """
    rows = Event.objects.select_related("venue", "hall", "verified_by")
    for _try in range(TRIES):
        before = newest_entry(event)
        try:
            document, found = whole_file(rows.get(pk=event.pk))
        except Unsteady:
            continue
        if newest_entry(event) == before:
            return document, found, before
    with transaction.atomic():
        current = rows.select_for_update(of=("self",)).get(pk=event.pk)
        document, found = whole_file(current)
        return document, found, newest_entry(event)


def whole_file(event: Event) -> tuple[Document, Numbered]:
    """Return the whole file of the event as it stands, and its numbered rows."""
    found = numbered(event)
    document = json.loads(canonical(event_file(event)))
    record = found.rows[RECORD]
    if len(document["record"]) != len(record):
        raise Unsteady
    for told, row in zip(document["record"], record, strict=True):
        told |= {"id": row["n"], "undoes": row["undoes_id"], "changes": row.pop("changes")}
    document["event"]["made"] = record[-1]["at"] if record else document["event"]["created"]
    document["whole"] = json.loads(
        canonical(
            {
                "rows": found.rows,
                "people": found.people,
                "venue": found.venue,
                "hall": found.hall,
                "disputes": found.disputes,
            }
        )
    )
    document["whole"]["digest"] = _digest(document)
    return document, found


def _digest(document: Document) -> str:
    whole = {name: value for name, value in document["whole"].items() if name != "digest"}
    return digest(canonical({**whole, "record": [[row["id"], row["changes"]] for row in document["record"]]}))


def sealed(document: Document) -> bytes:
    """Return a document whose rows were changed, with its digest made anew, compressed."""
    document["whole"]["digest"] = _digest(document)
    return packed(document)


def packed(document: Document) -> bytes:
    """Return a document compressed; the same document gives the same bytes."""
    target = io.BytesIO()
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0, compresslevel=3) as stream:
        stream.write(canonical(document))
    return target.getvalue()


def _unpacked(content: bytes) -> bytes:
    if content[:2] != b"\x1f\x8b":
        return content
    reader = zlib.decompressobj(wbits=31)
    try:
        plain = reader.decompress(content, MOST_BYTES)
    except zlib.error as fault:
        raise BadFile(_("The file is damaged: it cannot be unpacked.")) from fault
    if reader.unconsumed_tail or not reader.eof:
        raise BadFile(_("The file is damaged or far too large."))
    return plain


def read_file(content: bytes) -> Document:
    """Return the document of an event file, packed or not; raise BadFile where it cannot be read back."""
    try:
        document = json.loads(_unpacked(content))
    except (ValueError, RecursionError) as fault:
        raise BadFile(_("This is no event file: it cannot be read as JSON.")) from fault
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadFile(_("This is no event file of Headjudge."))
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
        for told, row in zip(document["record"], whole["rows"][RECORD], strict=True):
            row["changes"] = told["changes"]
    except (KeyError, TypeError, ValueError) as fault:
        raise BadFile(_("The file is damaged: parts of it are missing.")) from fault
    return document
