"""The contents of an import's files, stored between reading and importing: packed, one record per line.

No later step has to read the files again. Of two records of one set and number, or of one code, the later counts.
"""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from ..documents import element_code
from ..uploads import TooLarge, Unreadable, most_named
from . import octgn
from .bundle import File, Room, uploaded
from .layouts import layout_of, read_file
from .records import MAX_RECORDS, ElementRecord, LeftOut, NoElements, PassedOver, Record, is_guessed

KINDS: dict[str, type[Record]] = {"record": ElementRecord, "left-out": LeftOut, "passed-over": PassedOver}
NAMES = {kind: name for name, kind in KINDS.items()}
MAX_TOLD = 200
"""The maximum number of unknown fields that are named."""
MAX_NAMED = 20
"""The maximum number of files that are named in a message."""
Told = Callable[[int, int], None]
"""Hears how many files and records are read."""


def silent(files: int, records: int) -> None:
    """Tell no one."""


class _Keeper:
    """Writes the records of one file after another, and notes what the summary says."""

    def __init__(self, layout: str, set_code: str, told: Told) -> None:
        self.layout = layout
        self.set_code = set_code
        self.told = told
        self.layouts: set[str] = set()
        self.why = ""
        self.files = self.empty = self.count = 0
        self.unreadable: list[dict[str, str]] = []
        self.guessed: list[str] = []
        self.faults: list[str] = []  # in words: an exception would keep its file in memory
        self.unknown: Counter[str] = Counter()
        self.passed_over: Counter[str] = Counter()
        self.sets: dict[str, str] = {}
        self.elements: list[tuple[int, str, str, str, str]] = []
        self.target = io.BytesIO()
        self.packed = _packing(self.target)

    def file(self, file: File) -> None:
        """Read a file; it may be unreadable, or hold nothing for the catalogue."""
        self.files += 1
        try:
            if file.fault is not None:
                raise file.fault
            layout = self.layout or layout_of(file.content)
            before = self.count
            reading = read_file(
                file.content, layout, self.set_code, lambda records: self.told(self.files, before + records)
            )
            if not reading.records:
                raise NoElements(_("The file contains no figures, objects or cards."))
            if self.count + len(reading.records) > MAX_RECORDS:
                raise TooLarge(
                    _("An import can have at most %(most)s records. Import them in parts.") % {"most": MAX_RECORDS}
                )
        except NoElements as empty:
            self.empty += 1
            self.faults.append(f"{file.name}: {empty}")
            self.why = str(empty)
        except Unreadable as fault:
            self.unreadable.append({"file": file.name, "message": str(fault)})
            self.faults.append(f"{file.name}: {fault}")
            self.why = str(fault)
        else:
            self.layouts.add(layout)
            if layout != octgn.LAYOUT and is_guessed(file.content):  # XML names its encoding
                self.guessed.append(file.name)
            self.unknown += reading.unknown
            for record in reading.records:
                self.record(replace(record, file=file.name))
        self.told(self.files, self.count)

    def record(self, record: Record) -> None:
        self.count += 1
        if isinstance(record, PassedOver):
            self.passed_over[record.kind] += 1
        elif isinstance(record, ElementRecord):
            self.sets[record.set_code] = record.set_name or self.sets.get(record.set_code, "")
            code = record.code or element_code(record.set_code, record.section, record.facts)
            record = replace(record, code=code)
            number = str(record.facts.get("number", "")).casefold()
            self.elements.append((self.count, code, number, record.file, record.where))
        self.packed.write(_line([NAMES[type(record)], asdict(record)]))

    def replaced(self) -> dict[int, str]:
        """Return the numbers of the records that a later one replaces, each with the reason."""
        found = {}
        later: dict[tuple[str, str], dict[str, str]] = {}
        for count, code, number, file, where in reversed(self.elements):
            by_number, by_code = (code.partition("/")[0], number), ("", code)
            if number and by_number in later:
                words = _("The record in %(file)s, %(where)s, has the same set and number and replaces this one.")
                found[count] = words % later[by_number]
            elif by_code in later:
                words = _("The record in %(file)s, %(where)s, has the same code, %(code)s, and replaces this one.")
                found[count] = words % {**later[by_code], "code": code}
            else:
                later[by_number] = later[by_code] = {"file": file, "where": where}
        return found

    def why_empty(self) -> str:
        """Return why there is no record: the fault of the only file, or the first faults with their files."""
        if len(self.faults) == 1:
            return self.why
        return " ".join([_("These files contain no figures, objects or cards."), *self.faults[:MAX_NAMED]])

    def kept(self) -> bytes:
        """Return the stored form: the summary in the first line."""
        self.packed.close()
        head = {
            "layout": ", ".join(sorted(self.layouts)),
            "files": self.files,
            "files_passed_over": self.empty,
            "unreadable": self.unreadable,
            "guessed": self.guessed,
            "why_empty": "" if self.count else self.why_empty(),
            "records": self.count,
            "unknown": most_named(self.unknown.items(), MAX_TOLD),
            "passed_over": dict(sorted(self.passed_over.items())),
            "sets": self.sets,
            "replaced": self.replaced(),
        }
        first = io.BytesIO()
        with _packing(first) as packed:
            packed.write(_line(head))
        return first.getvalue() + self.target.getvalue()


def _packing(target: io.BytesIO) -> gzip.GzipFile:
    return gzip.GzipFile(fileobj=target, mode="wb", mtime=0, compresslevel=3)


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _read(files: Iterable[File], layout: str, set_code: str, told: Told) -> _Keeper:
    keeper = _Keeper(layout, set_code, told)
    try:
        for file in files:
            keeper.file(file)
    except TooLarge as fault:  # all files together: nothing of them is kept
        keeper = _Keeper(layout, set_code, told)
        keeper.file(File("", fault=fault))
    return keeper


def kept_reading(files: Iterable[File], layout: str, set_code: str, told: Told = silent) -> bytes:
    """Return the contents of an import's files in stored form, whatever they hold."""
    return _read(files, layout, set_code, told).kept()


def kept_uploads(files: list[tuple[str, bytes]], layout: str, set_code: str, told: Told = silent) -> bytes:
    """Return the contents of uploaded files and archives in stored form. Raises Unreadable if there is no record."""
    room = Room()
    keeper = _read(
        (file for name, content in files for file in uploaded(name, io.BytesIO(content), room)), layout, set_code, told
    )
    if not keeper.count:
        raise Unreadable(keeper.why_empty())
    return keeper.kept()


class Kept:
    """A stored reading: its summary, and its records one by one."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        head = json.loads(next(self._lines()))
        self.layout: str = head["layout"]
        self.files: int = head["files"]
        self.files_passed_over: int = head["files_passed_over"]
        self.unreadable: list[dict[str, str]] = head["unreadable"]
        self.guessed: list[str] = head["guessed"]
        self.why_empty: str = head["why_empty"]
        self.count: int = head["records"]
        self.unknown: dict[str, int] = head["unknown"]
        self.passed_over: dict[str, int] = head["passed_over"]
        self.sets: dict[str, str] = head["sets"]
        self.replaced = {int(number): message for number, message in head["replaced"].items()}

    def _lines(self) -> Iterator[bytes]:
        with gzip.GzipFile(fileobj=io.BytesIO(self.content)) as stream:
            yield from stream

    def records(self, after: int = 0) -> Iterator[Record]:
        """Yield the records in the files' order, after the first few; one that a later one replaces is left out."""
        lines = islice(self._lines(), after + 1, None)
        for number, line in enumerate(lines, after + 1):
            kind, facts = json.loads(line)
            if message := self.replaced.get(number):
                name = facts["facts"]["name"]
                yield LeftOut(facts["where"], name, [(facts["where"], message)], facts["file"])
            else:
                yield KINDS[kind](**facts)
