"""The contents of an import file, stored between reading and importing: packed, one record per line.

No later step has to read the whole file again.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ..uploads import GZIP, most_named
from .layouts import layout_of, read_file
from .records import ElementRecord, PassedOver, RecordFault

KINDS: dict[str, type[ElementRecord | RecordFault | PassedOver]] = {
    "record": ElementRecord,
    "fault": RecordFault,
    "passed-over": PassedOver,
}
MAX_TOLD = 200
"""The maximum number of unknown fields that are named."""


def is_kept(content: bytes) -> bool:
    """Return whether this is a stored reading; no layout's files begin like one."""
    return content.startswith(GZIP)


def kept_reading(content: bytes, layout: str, set_code: str) -> bytes:
    """Return the contents of a file in stored form, with a summary in the first line. Raises Unreadable."""
    layout = layout or layout_of(content)
    reading = read_file(content, layout, set_code)
    names = {kind: name for name, kind in KINDS.items()}
    head = {
        "layout": layout,
        "records": len(reading.records),
        "unknown": most_named(reading.unknown.items(), MAX_TOLD),
        "sets": {one.set_code: one.set_name for one in reading.records if isinstance(one, ElementRecord)},
    }
    target = io.BytesIO()
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0, compresslevel=3) as stream:
        stream.write(_line(head))
        for one in reading.records:
            stream.write(_line([names[type(one)], asdict(one)]))
    return target.getvalue()


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


class Kept:
    """A stored reading: its summary, and its records one by one."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        head = json.loads(next(self._lines()))
        self.layout: str = head["layout"]
        self.count: int = head["records"]
        self.unknown: dict[str, int] = head["unknown"]
        self.sets: dict[str, str] = head["sets"]

    def _lines(self) -> Iterator[bytes]:
        with gzip.GzipFile(fileobj=io.BytesIO(self.content)) as stream:
            yield from stream

    def records(self) -> Iterator[ElementRecord | RecordFault | PassedOver]:
        """Yield the records in file order."""
        lines = self._lines()
        next(lines)
        for line in lines:
            kind, facts = json.loads(line)
            yield KINDS[kind](**facts)
