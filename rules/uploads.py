"""Limits on the size of files, forms and request bodies, in one table, and strict readers that enforce them.

Every reader counts while it reads: a few bytes that unpack to gigabytes, a list of millions of numbers or deeply nested
brackets end in a message that names the limit, long before memory runs out. Large content is read by `rules.apart`.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.engine import reader
from rules.sizes import size_words

KB, MB = 1024, 1024 * 1024
SMALL = 200 * KB
"""Files of up to this many bytes are read while answering the request; larger ones in a process of their own."""


@dataclass(frozen=True)
class Limits:
    """The limits for one kind of content.

    `received` is in bytes as they arrive, `expanded` in bytes after unpacking; for JSON, `values` is their total
    number, `depth` the nesting, `text` the characters of one text. `seconds` and `memory` (bytes) limit the process
    that reads it.
    """

    name: str | Promise
    received: int
    expanded: int
    depth: int = 64
    values: int = 1_000_000
    text: int = 100_000
    seconds: int = 60
    memory: int = 1024 * MB
    advice: str | Promise = ""


SPLIT = gettext_lazy("Split the file and import the parts.")
LIMITS = {
    "event-file": Limits(
        gettext_lazy("An event file"),
        40 * MB,
        150 * MB,
        values=10_000_000,
        text=1_000_000,
        seconds=120,
        memory=1536 * MB,
    ),
    "catalogue": Limits(gettext_lazy("A catalogue file"), 40 * MB, 40 * MB, depth=20, values=5_000_000, advice=SPLIT),
    "import": Limits(gettext_lazy("An import"), 64 * MB, 400 * MB, seconds=300, memory=2048 * MB, advice=SPLIT),
    "players": Limits(
        gettext_lazy("A list of players"), 1 * MB, 1 * MB, advice=gettext_lazy("Split the list and import the parts.")
    ),
    "position": Limits(gettext_lazy("A position file"), 400_000, 400_000),
    "battle": Limits(gettext_lazy("A battle file"), 100_000, 100_000, depth=32, values=20_000),
    "action": Limits(gettext_lazy("An action"), 100_000, 100_000, depth=32, values=5_000),
    "document": Limits(gettext_lazy("The body of a request"), 400_000, 400_000, values=50_000),
    "api": Limits(
        gettext_lazy("The body of a request"), 5 * MB, 5 * MB, advice=gettext_lazy("Send several smaller requests.")
    ),
}
"""The limits for everything that is read. The rules' own documents have further limits in the engine."""

GZIP = b"\x1f\x8b"
ARCHIVES = {
    b"PK\x03\x04": "zip", b"PK\x05\x06": "zip", b"PK\x07\x08": "zip", GZIP: "gzip", b"7z\xbc\xaf\x27\x1c": "7z",
    b"\xfd7zXZ\x00": "xz", b"BZh": "bzip2", b"Rar!": "rar", b"\x28\xb5\x2f\xfd": "zstd",
}  # fmt: skip
_AT_ONCE = 1 * MB
_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


class Unreadable(Exception):
    """Content that can't be read; the message says what is wrong with it and what to do."""

    status = 400


class TooLarge(Unreadable):
    """Content that exceeds a limit."""

    status = 413


def _count(number: int) -> str:
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}")


def _too_large(kind: str, words: str, **facts: str | int) -> TooLarge:
    limits = LIMITS[kind]
    said = words % {"what": limits.name, **facts}
    return TooLarge(f"{said} {limits.advice}" if limits.advice else said)


def check_size(kind: str, size: int | None) -> None:
    """Raise TooLarge if more bytes arrived than allowed for this kind."""
    most = LIMITS[kind].received
    if size is not None and size > most:
        raise _too_large(kind, _("%(what)s can be at most %(size)s."), size=size_words(most))


def refuse_archives(content: bytes) -> None:
    """Raise Unreadable for an archive; archives are never opened, because they may contain any number of any files."""
    found = next((name for sign, name in ARCHIVES.items() if content.startswith(sign)), None)
    if found == "zip":
        raise Unreadable(
            _(
                "This is a ZIP archive or a workbook. Extract the archive and choose the file inside, or "
                "save the workbook's sheet as CSV."
            )
        )
    if found:
        raise Unreadable(
            _("This file is compressed (%(format)s). Decompress it and choose the file inside.") % {"format": found}
        )


def is_small(content: bytes) -> bool:
    """Return whether content, after unpacking gzip, is small enough to be read while answering the request."""
    if len(content) > SMALL or not content.startswith(GZIP):
        return len(content) <= SMALL
    reader = zlib.decompressobj(wbits=31)
    try:
        return len(reader.decompress(content, SMALL + 1)) <= SMALL
    except zlib.error:
        return True


def unpacked(content: bytes, kind: str) -> bytes | bytearray:
    """Return the content, unpacked if it is gzip: a single complete member, nothing after it, not packed twice."""
    check_size(kind, len(content))
    if not content.startswith(GZIP):
        return content
    most = LIMITS[kind].expanded
    reader = zlib.decompressobj(wbits=31)
    plain = bytearray()
    given: bytes = content
    try:
        while given and not reader.eof:
            plain += reader.decompress(given, _AT_ONCE)
            given = reader.unconsumed_tail
            if len(plain) > most:
                words = _("%(what)s can be at most %(size)s once decompressed.")
                raise _too_large(kind, words, size=size_words(most))
    except zlib.error as fault:
        raise Unreadable(_("The file is damaged: it can't be decompressed. Create it again.")) from fault
    if not reader.eof:
        raise Unreadable(_("The file is damaged: its end is missing. Create it again."))
    if reader.unused_data:
        raise Unreadable(_("The file is damaged: it has extra data after its compressed content. Create it again."))
    if plain.startswith(GZIP):
        raise Unreadable(_("The file was compressed twice. Decompress it once and try again."))
    return plain


def read_json(
    content: bytes | bytearray | str,
    kind: str,
    pairs: Callable[[list[tuple[str, Any]]], Any] | None = None,
    bad_texts: list[str] | None = None,
) -> Any:
    """Return the one JSON value in the content, read strictly and within the limits of its kind.

    `pairs` makes an object of its keys and values; without it, a key twice is a fault. `bad_texts` gets the texts that
    are too long or aren't text; without it, these are faults. Raises Unreadable, or its subclass TooLarge, for anything
    else: broken text, a key twice in one object, NaN, Infinity, numbers too large to
    store, NUL characters, lone surrogates, too many values, too deep nesting, too long texts.
    """
    limits = LIMITS[kind]
    text = content if isinstance(content, str) else _decoded(content)
    del content  # avoids holding a large one twice
    if len(text) > limits.expanded:
        raise _too_large(kind, _("%(what)s can be at most %(size)s."), size=size_words(limits.expanded))
    if text.count(",") + text.count("[") + text.count("{") > limits.values:
        raise _too_large(kind, _("%(what)s can contain at most %(most)s values."), most=_count(limits.values))
    try:
        value = json.loads(
            text, object_pairs_hook=pairs or _object, parse_constant=_no_number, parse_float=_number, parse_int=_whole
        )
    except json.JSONDecodeError as fault:
        where = {"fault": fault.msg, "line": fault.lineno, "column": fault.colno}
        raise Unreadable(_("This isn't valid JSON: %(fault)s (line %(line)s, column %(column)s).") % where) from None
    except RecursionError:
        raise _too_deep(kind) from None
    _check_values(value, kind, bad_texts, has_suspects=bool(_SUSPECT.search(text)) or not is_text(text))
    return value


def _decoded(content: bytes | bytearray) -> str:
    try:
        return content.decode(json.detect_encoding(content)).removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise Unreadable(_("The file can't be read as text. Save it as UTF-8 and try again.")) from None


def _too_deep(kind: str) -> TooLarge:
    return _too_large(kind, _("%(what)s can be nested at most %(most)s levels deep."), most=LIMITS[kind].depth)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _value in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Unreadable(_("The key %(key)s is given twice in one object.") % {"key": reader.shown(twice)})
    return made


def _no_number(name: str) -> Any:
    raise Unreadable(_("%(name)s isn't a JSON number.") % {"name": name})


def _number(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise Unreadable(_("The number %(digits)s is too large.") % {"digits": f"{digits:.20}"})
    return value


def _whole(digits: str) -> int:
    if len(digits) > 20:
        raise Unreadable(_("The number %(digits)s is too large.") % {"digits": f"{digits[:20]}…"})
    return int(digits)


def is_text(text: str) -> bool:
    """Return whether a text has neither NUL characters nor halves of surrogate pairs."""
    if text.isascii():
        return "\0" not in text
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _check_values(value: Any, kind: str, bad_texts: list[str] | None, *, has_suspects: bool) -> None:
    limits = LIMITS[kind]
    level, depth = [value], 0
    while level:
        depth += 1
        below: list[Any] = []
        for one in level:
            if isinstance(one, str):
                _check_text(one, kind, bad_texts, has_suspects=has_suspects)
            elif isinstance(one, list):
                below += one
            elif isinstance(one, dict):
                for key in one:
                    _check_text(key, kind, bad_texts, has_suspects=has_suspects)
                below += one.values()
            if depth > limits.depth and isinstance(one, (list, dict)):
                raise _too_deep(kind)
        level = below


def _check_text(text: str, kind: str, bad_texts: list[str] | None, *, has_suspects: bool) -> None:
    is_long = len(text) > LIMITS[kind].text
    if not is_long and not (has_suspects and not is_text(text)):
        return
    if bad_texts is not None:
        bad_texts.append(text)
    elif is_long:
        words = _("%(what)s can't contain any text longer than %(most)s characters.")
        raise _too_large(kind, words, most=_count(LIMITS[kind].text))
    else:
        raise Unreadable(
            _(
                "The file contains characters that aren't text (NUL, or half a surrogate pair). Remove them and try again."
            )
        )


def most_named(counted: Iterable[tuple[str, int]], most: int = 200) -> dict[str, int]:
    """Return the most frequent of the counted names, in alphabetical order: a file may contain a million."""
    return dict(sorted(sorted(counted, key=lambda one: -one[1])[:most]))


def brief(lines: Iterable[str], most: int = 50_000) -> list[str]:
    """Return lines about a file, limited to what a page shows; the last says how many more there are."""
    told, left = list(lines), most
    found: list[str] = []
    for line in told:
        if left <= 0:
            return [*found, f"… (+{len(told) - len(found)})"]
        found.append(line if len(line) <= left else f"{line[:left]}…")
        left -= len(line) + 20
    return found
