"""Every fault of a document at once, also those that hide behind others.

A name that no one has, or a square off the map, is found only in a document that can be read. So a document with faulty
values is read again without these, unless others depend on them: without an edition or a character's id, what is right
would seem wrong.
"""

from __future__ import annotations

import copy
import functools
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from rules.engine.errors import MAX_MORE, BadInput, refuse

Read = TypeVar("Read")

HARMLESS: Final[dict[str, Any]] = {
    "event": {"build_total": 100}, "build_total": 100, "name": "?", "points": 0, "fate": "survived", "kind": "light",
    "square": None, "squares": [], "dial": [{"speed": 0, "attack": 0, "defense": 0, "damage": 0}],
    "speed": 0, "attack": 0, "defense": 0, "damage": 0,
}  # fmt: skip
"""What replaces the faulty value of a key that may be required; other keys are left out."""
DEPENDED_ON: Final = frozenset({
    "edition", "map", "width", "height", "base", "force", "sides", "player", "players", "characters", "objects", "feats",
    "resources", "team_ability_cards", "battlefield_conditions", "other", "sideline", "id", "ref", "ended", "scenario",
    "before", "step",
})  # fmt: skip
READINGS: Final = 5


def every_fault(read: Callable[[Any], Read]) -> Callable[[Any], Read]:
    """Return a reader of documents wrapped so that its `BadInput` has every fault, also those behind others."""

    @functools.wraps(read)
    def reading(document: Any) -> Read:
        try:
            return read(document)
        except BadInput as fault:
            first = fault
        except RecursionError:
            raise BadInput("", "This is nested too deeply.") from None
        refuse([first, *_behind(read, document, first)])
        raise first

    return reading


def _behind(read: Callable[[Any], object], document: Any, first: BadInput) -> list[BadInput]:
    """Return the faults that remain in a document without its faulty values."""
    found: list[BadInput] = []
    left_out: Counter[str] = Counter()
    remaining = first.every
    for _ in range(READINGS):
        for fault in remaining:
            document = _without(document, fault.where, tried=left_out[fault.where])
            if document is None:
                return found
            left_out[fault.where] += 1
        try:
            read(document)
            break
        except BadInput as fault:
            remaining = fault.every
            found += [one for one in remaining if not _made_by(one.where, left_out)]
        if len(first.every) + len(found) > MAX_MORE:
            break
    return found


def _made_by(where: str, left_out: Iterable[str]) -> bool:
    """Return whether a fault is only that something was left out there."""
    return any(other == where or other.startswith(f"{where}/") for other in left_out)


def _without(document: Any, where: str, *, tried: int) -> Any:
    """Return a copy of a document without the value at a pointer; None if other values depend on it.

    A list loses no elements, but is left out as a whole. What was tried without success before is followed by more:
    a harmless value, none, and none of what holds it.
    """
    path = [part.replace("~1", "/").replace("~0", "~") for part in where.split("/")[1:]]
    copied = copy.copy(document)
    holders = [copied]
    for part in path[:-1]:
        holder = holders[-1]
        key = int(part) if isinstance(holder, list) else part
        try:
            holder[key] = copy.copy(holder[key])
        except LookupError:
            return copied  # it went with something else
        if not isinstance(holder[key], (dict, list)):
            return copied
        holders.append(holder[key])
    if tried > 1:
        path.pop()
    while path and isinstance(holders[len(path) - 1], list):
        path.pop()
    if not path or (path[-1] in DEPENDED_ON and path != ["id"]):
        return None
    holder, name = holders[len(path) - 1], path[-1]
    if name in HARMLESS and not tried:
        holder[name] = HARMLESS[name]
    else:
        holder.pop(name, None)
    return copied
