"""The contents of an import's files, stored between reading and importing: packed, one record per line.

No later step has to read the files again. Of two records of one set and number the later counts.
"""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any

from django.utils.translation import gettext as _

from ..documents import element_code
from ..uploads import TooLarge, Unreadable, most_named
from .bundle import File, Room, uploaded
from .layouts import layout_of, read_file
from .records import MAX_RECORDS, ElementRecord, LeftOut, NoElements, PassedOver, Record

KINDS: dict[str, type[Record]] = {"record": ElementRecord, "left-out": LeftOut, "passed-over": PassedOver}
NAMES = {kind: name for name, kind in KINDS.items()}
MAX_TOLD = 200
"""The maximum number of unknown fields and of unreadable files that are named."""


class _Keeper:
    """Writes the records of one file after another, and notes what the summary says."""

    def __init__(self, layout: str, set_code: str) -> None:
        self.layout = layout
        self.set_code = set_code
        self.layouts: set[str] = set()
        self.files = self.empty = self.count = 0
        self.unreadable: list[dict[str, str]] = []
        self.why: Unreadable | None = None
        self.unknown: Counter[str] = Counter()
        self.passed_over: Counter[str] = Counter()
        self.sets: dict[str, str] = {}
        self.last: dict[tuple[str, str], int] = {}
        self.replaced: dict[int, str] = {}
        self.target = io.BytesIO()
        self.packed = _packing(self.target)

    def file(self, file: File) -> None:
        """Read a file; it may be unreadable, or hold nothing for the catalogue."""
        self.files += 1
        try:
            if file.fault is not None:
                raise file.fault
            layout = self.layout or layout_of(file.content)
            reading = read_file(file.content, layout, self.set_code)
            if self.count + len(reading.records) > MAX_RECORDS:
                raise TooLarge(_("An import can have at most %(most)s records. Split it.") % {"most": MAX_RECORDS})
        except NoElements as empty:
            self.empty += 1
            self.why = self.why or empty
        except Unreadable as fault:
            self.unreadable.append({"file": file.name, "message": str(fault)})
            self.why = fault
        else:
            self.layouts.add(layout)
            self.unknown += reading.unknown
            for record in reading.records:
                self.record(replace(record, file=file.name))

    def record(self, record: Record) -> None:
        self.count += 1
        if isinstance(record, PassedOver):
            self.passed_over[record.kind] += 1
        elif isinstance(record, ElementRecord):
            self.sets[record.set_code] = record.set_name or self.sets.get(record.set_code, "")
            code = record.code or element_code(record.set_code, record.section, record.facts)
            record = replace(record, code=code)
            number = str(record.facts.get("number", "")).casefold()
            same = (record.set_code, number) if number else ("", code)
            if same in self.last:
                words = _("%(file)s, %(where)s, has the same set and number; the later one counts")
                self.replaced[self.last[same]] = words % {"file": record.file, "where": record.where}
            self.last[same] = self.count
        self.packed.write(_line([NAMES[type(record)], asdict(record)]))

    def kept(self) -> bytes:
        """Return the stored form: the summary in the first line."""
        if not self.count and len(self.unreadable) + self.empty == 1 and self.why is not None:
            raise self.why
        self.packed.close()
        head = {
            "layout": ", ".join(sorted(self.layouts)),
            "files": self.files,
            "files_passed_over": self.empty,
            "unreadable": self.unreadable,
            "records": self.count,
            "unknown": most_named(self.unknown.items(), MAX_TOLD),
            "passed_over": dict(sorted(self.passed_over.items())),
            "sets": self.sets,
            "replaced": self.replaced,
        }
        first = io.BytesIO()
        with _packing(first) as packed:
            packed.write(_line(head))
        return first.getvalue() + self.target.getvalue()


def _packing(target: io.BytesIO) -> gzip.GzipFile:
    return gzip.GzipFile(fileobj=target, mode="wb", mtime=0, compresslevel=3)


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def kept_reading(
    files: Iterable[File], layout: str, set_code: str, told: Callable[[int], None] = lambda files: None
) -> bytes:
    """Return the contents of an import's files in stored form; `told` hears how many files are read.

    Raises Unreadable if the files are too many or too large together, or if there is only one, without any record.
    """
    keeper = _Keeper(layout, set_code)
    for file in files:
        keeper.file(file)
        told(keeper.files)
    return keeper.kept()


def kept_uploads(files: list[tuple[str, bytes]], layout: str, set_code: str) -> bytes:
    """Return the contents of uploaded files and archives in stored form. Raises Unreadable as `kept_reading` does."""
    room = Room()
    return kept_reading(
        (file for name, content in files for file in uploaded(name, io.BytesIO(content), room)), layout, set_code
    )


class Kept:
    """A stored reading: its summary, and its records one by one."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        head = json.loads(next(self._lines()))
        self.layout: str = head["layout"]
        self.files: int = head["files"]
        self.files_passed_over: int = head["files_passed_over"]
        self.unreadable: list[dict[str, str]] = head["unreadable"]
        self.count: int = head["records"]
        self.unknown: dict[str, int] = head["unknown"]
        self.passed_over: dict[str, int] = head["passed_over"]
        self.sets: dict[str, str] = head["sets"]
        self.replaced = {int(number): message for number, message in head["replaced"].items()}

    def _lines(self) -> Iterator[bytes]:
        with gzip.GzipFile(fileobj=io.BytesIO(self.content)) as stream:
            yield from stream

    def records(self) -> Iterator[Record]:
        """Yield the records in the files' order; one that a later one replaces is left out."""
        lines = self._lines()
        next(lines)
        for number, line in enumerate(lines, 1):
            kind, facts = json.loads(line)
            if message := self.replaced.get(number):
                name = facts["facts"]["name"]
                yield LeftOut(facts["where"], name, [(facts["where"], message)], facts["file"])
            else:
                yield KINDS[kind](**facts)
