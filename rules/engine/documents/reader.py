"""Readers for JSON: text → plain values → the engine's values, with a pointer to any fault.

`parse` reads one document strictly. The readers below take a plain value and return its meaning, or raise `BadInput`
with all faults of the value, their pointers relative to it; the caller adds its own key in front (`BadInput.under`), so
pointers cost nothing for correct documents. The meaning of documents is in `force`, `battle` and `position`.
"""

from __future__ import annotations

import json
import math
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final, TypeVar

from rules.engine.errors import MAX_MORE, BadInput, refuse

Value = TypeVar("Value")
Name = TypeVar("Name", bound=StrEnum)
Reader = Callable[[Any], Value]
Shape = dict[str, Any]
Read = TypeVar("Read", bound=Callable[..., Any])

MAX_LEVELS: Final = 1_000
MAX_POINTS: Final = 1_000_000
_ROOM: Final = 2 * MAX_LEVELS
"""The calls that reading so many levels may take."""
_STRINGS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_DEEPER: Final = threading.Lock()
"""The recursion limit is global to the interpreter: two threads that raise and restore it in turn would leave it
higher."""
_STRINGS_AND_NAMES: Final = re.compile(_STRINGS.pattern + r"|-?Infinity|NaN", re.DOTALL)
_BRACKETS: Final = re.compile(r"[\[\]{}]")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def parse(text: str, line: int = 1) -> Any:
    """Return the one JSON value in a text, which begins in this line of its file.

    Raises `BadInput` at "" for anything else: broken text, `NaN` and `Infinity`, a key twice in one object, nesting
    beyond 1,000 levels, an empty text.
    """
    if nesting(text) > MAX_LEVELS:
        raise BadInput("", f"This is nested deeper than {MAX_LEVELS:,} levels.")
    try:
        return _parse(text, line)
    except RecursionError:
        with _DEEPER:
            limit = sys.getrecursionlimit()
            sys.setrecursionlimit(limit + _ROOM)
            try:
                return _parse(text, line)
            finally:
                sys.setrecursionlimit(limit)


def nesting(text: str) -> int:
    """Return the maximum number of brackets open at once outside strings."""
    return max(accumulate(_depths(text)), default=0)


def is_json(text: str) -> bool:
    """Return whether the text parses as JSON, whatever else may be wrong with it.

    In texts nested too deeply only the brackets are checked: an opening one first, a closing one last.
    """
    try:
        json.loads(text, parse_int=len)
    except RecursionError:
        return list(accumulate(_depths(text))).count(0) == 1
    except ValueError:
        return False
    return True


def _depths(text: str) -> Iterator[int]:
    return (1 if bracket in "[{" else -1 for bracket in _BRACKETS.findall(_STRINGS.sub("", text)))


def _parse(text: str, line: int) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as fault:
        raise BadInput("", _sentence(fault, line) if text.strip() else "The input is empty.") from None
    except _NoNumberError as fault:
        found = next(match for match in _STRINGS_AND_NAMES.finditer(text) if match[0] == fault.args[0])
        raise BadInput(
            "", _sentence(json.JSONDecodeError(f"{found[0]} isn't a number", text, found.start()), line)
        ) from None
    except ValueError:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number, parse_int=_integer)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise BadInput("", f"The key {shown(twice)} is given twice in one object.")
    return made


class _NoNumberError(Exception):
    """A name that Python's JSON takes for a number."""


def _no_number(name: str) -> Any:
    raise _NoNumberError(name)


def _integer(digits: str) -> int | float:
    """Return infinity for a number too long for Python, so that the fault is reported at its own place."""
    try:
        return int(digits)
    except ValueError:
        return math.inf


def _sentence(fault: json.JSONDecodeError, line: int) -> str:
    """Return what is wrong with a text that begins in this line; a comma before a closing bracket is the fault."""
    before = fault.doc[: fault.pos].rstrip(" \t\r\n")
    if fault.doc[fault.pos : fault.pos + 1] in ("]", "}") and before.endswith(","):
        fault = json.JSONDecodeError("Extra comma", fault.doc, len(before) - 1)
    return f"This isn't valid JSON: {fault.msg} (line {line - 1 + fault.lineno}, column {fault.colno})."


def shown(value: Any) -> str:
    """Return a value as a message may quote it: short, in characters that every terminal shows."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and abs(value) > 10**18:
        return "a number far too large"
    quoted = f'"{value}"' if isinstance(value, str) else json.dumps(value, default=str)
    quoted = quoted.encode(errors="backslashreplace").decode()
    return quoted if len(quoted) <= 60 else f"{quoted[:57]}…"


def shaped(shape: Callable[[], Shape]) -> Callable[[Read], Read]:
    """Say of a reader, in JSON Schema, which values it accepts; what only other values can tell is left out."""

    def mark(read: Read) -> Read:
        vars(read)["shape"] = shape
        return read

    return mark


def shape_of(read: Reader[Any]) -> Shape:
    """Return the JSON Schema of the values that a reader accepts."""
    shape: Shape = vars(read)["shape"]()
    return shape


@shaped(dict)
def anything(value: Any) -> Any:
    """Return any value, unread."""
    return value


@shaped(lambda: {"type": "string"})
def text(value: Any) -> str:
    """Return a text that can be encoded as UTF-8."""
    if not isinstance(value, str):
        raise BadInput("", f"This must be text, not {shown(value)}.")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadInput("", "This contains characters that aren't valid text (half of a surrogate pair).") from None
    return value


@shaped(lambda: {"type": "string", "minLength": 1})
def name(value: Any) -> str:
    """Return a text that isn't empty."""
    read = text(value)
    if not read.strip():
        raise BadInput("", "This can't be empty.")
    return read


@shaped(lambda: {"type": "boolean"})
def flag(value: Any) -> bool:
    """Return true or false."""
    if value is True or value is False:
        return bool(value)
    raise BadInput("", f"This must be true or false, not {shown(value)}.")


def _numbers(least: int, most: int) -> Shape:
    return {"type": "integer", "minimum": least, "maximum": most}


@shaped(lambda: _numbers(0, MAX_POINTS))
def whole_number(value: Any, least: int = 0, most: int = MAX_POINTS) -> int:
    """Return a whole number in the range; 100.0 is one, "100" and true aren't."""
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int:
        raise BadInput("", f"This must be a whole number, not {shown(value)}.")
    if not least <= value <= most:
        raise BadInput("", f"This must be from {least:,} to {most:,}, not {shown(value)}.")
    return value


def a_whole_number(least: int, most: int) -> Reader[int]:
    """Return a reader of whole numbers in the range."""

    @shaped(lambda: _numbers(least, most))
    def read(value: Any) -> int:
        return whole_number(value, least, most)

    return read


@shaped(lambda: _numbers(0, MAX_POINTS))
def points(value: Any) -> int:
    """Return a number of points: a whole number from 0 to 1,000,000."""
    if type(value) is int and 0 <= value <= MAX_POINTS:
        return value
    return whole_number(value)


@shaped(lambda: {"type": "string", "format": "date"})
def day(value: Any) -> date:
    """Return a date, written `YYYY-MM-DD`."""
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise BadInput("", f"This must be an existing date (YYYY-MM-DD), not {shown(value)}.")


def one_of(names: type[Name]) -> Reader[Name]:
    """Return a reader for the values of an enumeration, matched exactly."""
    known: dict[str, Name] = {member.value: member for member in names}

    @shaped(lambda: {"enum": list(known)})
    def read(value: Any) -> Name:
        if isinstance(value, str):
            found = known.get(value)
            if found is not None:
                return found
        raise BadInput("", f"This must be one of {', '.join(known)}, not {shown(value)}.")

    return read


def a_word_of(words: Iterable[str]) -> Reader[str]:
    """Return a reader for these words, matched exactly; a message lists them in this order."""
    known = tuple(words)

    @shaped(lambda: {"enum": list(known)})
    def read(value: Any) -> str:
        if isinstance(value, str) and value in known:
            return value
        raise BadInput("", f"This must be one of {', '.join(known)}, not {shown(value)}.")

    return read


def a_list(of: Reader[Value]) -> Reader[tuple[Value, ...]]:
    """Return a reader for lists whose elements `of` reads."""

    @shaped(lambda: {"type": "array", "items": shape_of(of)})
    def read(value: Any) -> tuple[Value, ...]:
        if type(value) is not list:
            raise BadInput("", f"This must be a list, not {shown(value)}.")
        if not value:
            return ()
        made: list[Value] = []
        faults: list[BadInput] = []
        for place, element in enumerate(value):
            try:
                made += (of(element),)
            except BadInput as fault:
                faults.append(fault.under(place))
                if len(faults) > MAX_MORE:
                    break
        if faults:
            refuse(faults)
        return tuple(made)

    return read


def one_or_more(of: Reader[Value]) -> Reader[tuple[Value, ...]]:
    """Return a reader for one value, or a list of at least one."""
    several = a_list(of)

    @shaped(lambda: {"anyOf": [shape_of(of), {**shape_of(several), "minItems": 1}]})
    def read(value: Any) -> tuple[Value, ...]:
        if type(value) is not list:
            return (of(value),)
        found = several(value)
        if not found:
            raise BadInput("", "This can't be empty.")
        return found

    return read


def a_mapping(of: Reader[Value]) -> Reader[dict[str, Value]]:
    """Return a reader for objects whose keys are names from the document and whose values `of` reads."""

    @shaped(lambda: {"type": "object", "additionalProperties": shape_of(of)})
    def read(value: Any) -> dict[str, Value]:
        if type(value) is not dict:
            raise BadInput("", f"This must be an object, not {shown(value)}.")
        found: dict[str, Value] = {}
        faults: list[BadInput] = []
        for key, element in value.items():
            try:
                found[key] = of(element)
            except BadInput as fault:
                faults.append(fault.under(key))
        if faults:
            refuse(faults)
        return found

    return read


def nullable(of: Reader[Value]) -> Reader[Value | None]:
    """Return a reader that also accepts null for a missing value."""

    @shaped(lambda: {"anyOf": [shape_of(of), {"type": "null"}]})
    def read(value: Any) -> Value | None:
        return None if value is None else of(value)

    return read


def an_object(
    make: Callable[..., Value], keys: Mapping[str, Reader[Any]], required: Iterable[str] = ()
) -> Reader[Value]:
    """Return a reader for JSON objects: it calls `make` with the results of each key's reader.

    An unlisted key is an error at its place; a missing required one is an error at the place where it should be.
    Defaults are those of `make`.
    """
    needed = tuple(required)

    def shape() -> Shape:
        properties = {key: shape_of(reader) for key, reader in keys.items()}
        made: Shape = {"type": "object", "properties": properties, "additionalProperties": False}
        return made | ({"required": list(needed)} if needed else {})

    @shaped(shape)
    def read(value: Any) -> Value:
        if type(value) is not dict:
            raise BadInput("", f"This must be an object, not {shown(value)}.")
        found: dict[str, Any] = {}
        faults: list[BadInput] = []
        for key, element in value.items():
            reader = keys.get(key)
            if reader is None:
                faults.append(BadInput("", unknown_key(key, keys)).under(key))
                continue
            try:
                found[key] = reader(element)
            except BadInput as fault:
                faults.append(fault.under(key))
        faults += [BadInput("", f"{shown(key)} is required.").under(key) for key in needed if key not in value]
        if faults:
            refuse(faults)
        return make(**found)

    return read


def unknown_key(key: str, known: Iterable[str]) -> str:
    """Return the message about an unknown key."""
    return f"{shown(key)} isn't a known key. Known keys: {', '.join(known)}."
