"""Removal of an erased person from stored copies: snapshots are rewritten without the name, paper is deleted.

A rewritten snapshot can still be restored; paper is made again when needed. Backups and downloaded files can't be
reached.
"""

from __future__ import annotations

import time
from typing import Any

from django.db import transaction

from events.door import Refused
from events.models import Event
from judging.keeping import rows as graph
from judging.keeping import signatures, snapshots, storage
from judging.keeping.copying import NOBODY
from judging.keeping.scrubbing import (
    THINGS,
    Erased,
    PersonNames,
    emptied,
    is_of_things,
    out_of_event_file,
    out_of_tournament,
    texts_of,
)
from judging.keeping.whole_file import SIGNATURES, SIGNED, Document, sealed
from judging.models import Bundle, Snapshot

YOUNG_SECONDS = 600
READ_BACK = frozenset({"format", "version", "whole", "record", "here", SIGNATURES, SIGNED})
ENTRY, PERSON, ROUND, REPORT = "events.Entry", "events.Person", "events.Round", "judging.VerifiedReport"


def scrub_snapshots(event: Event, erased: Erased, names: PersonNames) -> int:
    """Rewrite each snapshot of an event without the person, delete unreadable ones; return how many were rewritten."""
    done = 0
    for snapshot in Snapshot.objects.filter(event=event).exclude(file=""):
        old = storage.place(snapshot.file)
        try:
            document = snapshots.document_of(snapshot)
        except Refused:
            storage.remove(old)
            snapshot.delete()
            continue
        scrub_file(document, erased, names)
        content = sealed(document, signatures.sign)
        sha256 = storage.digest(content)
        name = f"{storage.SNAPSHOTS}/{event.public_id}/{old.name.removesuffix('.json.gz').split('-')[0]}-{sha256[:8]}.json.gz"
        storage.write(storage.place(name), content)
        Snapshot.objects.filter(pk=snapshot.pk).update(file=name, sha256=sha256, size=len(content))
        storage.copy_out(storage.place(name))
        if storage.place(name) != old:
            storage.remove(old)
        done += 1
    return done


def remove_files(event: Event) -> None:
    """Delete an event's paper, which is made again when needed, and files that have no row.

    A killed process or a restored database leaves such files behind. Recent ones are kept: their row may be about to be
    written.
    """
    paper = {
        storage.place(name)
        for name in Bundle.objects.filter(event=event).exclude(file="").values_list("file", flat=True)
    }
    named = {
        storage.place(name)
        for name in Snapshot.objects.filter(event=event).exclude(file="").values_list("file", flat=True)
    }
    for kind in (storage.PAPERS, storage.SNAPSHOTS):
        folder = storage.place(kind, event.public_id)
        for path in folder.iterdir() if folder.is_dir() else ():
            if path in paper or (path not in named and time.time() - path.stat().st_mtime > YOUNG_SECONDS):
                storage.remove(path)


def delete_paper(event: Event) -> None:
    """Delete an event's stored paper, which names all players; inside a transaction."""
    bundles = Bundle.objects.filter(event=event)
    for name in bundles.exclude(file="").values_list("file", flat=True):
        transaction.on_commit(lambda name=name: storage.remove(storage.place(name)))  # type: ignore[misc]
    bundles.delete()


def scrub_file(document: Document, erased: Erased, names: PersonNames) -> None:
    """Remove the person from a snapshot's document: from its rows, audit log and lists."""
    here = document["here"]
    mine = {
        ENTRY: _numbers(here, ENTRY, erased.entries),
        PERSON: _numbers(here, PERSON, {erased.person}),
        "events.Volunteer": _numbers(here, "events.Volunteer", {erased.volunteer}),
    }
    rows: dict[str, list[dict[str, Any]]] = document["whole"]["rows"]
    numbers = {row["number"] for row in rows.get(ENTRY, []) if row["n"] in mine[ENTRY]}
    for row in rows.get(graph.RECORD, []):
        row.pop("changes", None)  # the audit log of the document has them
    for label, found in rows.items():
        model = graph.model_of(label)
        columns = [] if model is None else [(c.attname, is_of_things(model, c.attname)) for c in texts_of(model)]
        for row in found:
            row |= {name: names.out_of(row[name], name, things=things) for name, things in columns if name in row}
    for row in rows.get(ENTRY, []):
        if row["n"] in mine[ENTRY]:
            row |= {"name": erased.name, "email": "", "club": "", "is_minor": False}
    for row in rows.get(ROUND, []):
        out_of_tournament(row["tournament"], numbers)
    for row in rows.get(REPORT, []):
        out_of_event_file(row["document"], numbers)
    for entry in document["record"]:
        entry |= {name: names.out_of(entry[name]) for name in ("by", "summary", "reason") if name in entry}
        entry["changes"] = [
            emptied(names.out_of(change)) if change["id"] in mine.get(change["model"], ()) else names.out_of(change)
            for change in entry["changes"] or []
        ]
    for number, person in enumerate(document["whole"]["people"], 1):
        if number in mine[PERSON] or person["email"].lower() in erased.emails:
            person |= {"name": erased.name, "email": f"erased-{erased.person}@erased.invalid", "is_minor": False}
        elif person["email"].endswith(NOBODY):
            person["name"] = names.out_of(person["name"])
    document["whole"]["disputes"] = names.out_of(document["whole"]["disputes"])
    for name in document.keys() - READ_BACK:
        document[name] = names.out_of(document[name], name, things=name in THINGS)
    out_of_event_file(document, numbers)
    for row in document.get("rounds", []):
        out_of_tournament(row.get("tournament") or {}, numbers)


def _numbers(here: dict[str, list[int]], label: str, keys: Any) -> set[int]:
    return {n for n, key in enumerate(here.get(label, []), 1) if key in keys}


__all__ = ["delete_paper", "remove_files", "scrub_file", "scrub_snapshots"]
