"""Two changes of the same data that were made at once, joined into one where neither touches what the other changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rules.positions import EDGES, cells_of, rectangles

NAMES = ("powers", "squares", *EDGES)
"""Lists in which order doesn't matter, so that both may add and remove."""
ADDED_TO = ("branches", "etiquette", "judge")
"""Lists whose entries don't depend on each other, so that both may add at the end."""
LEFT_OUT = object()


class Conflict(Exception):
    """Both have changed the same thing, each in another way."""


def joined(base: Any, mine: Any, theirs: Any, key: str = "") -> Any:
    """Return JSON data with what `mine` and what `theirs` changed in `base`; `key` is the data's name. Raises Conflict.

    Pieces and objects are told apart by their ids, sides by their players, areas of terrain by everything but squares.
    """
    if mine in (theirs, base):
        return theirs
    if theirs == base:
        return mine
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        return _joined_objects(base if isinstance(base, Mapping) else {}, mine, theirs)
    if isinstance(mine, list) and isinstance(theirs, list):
        return _joined_lists(base if isinstance(base, list) else [], mine, theirs, key)
    raise Conflict(key)


def _joined_objects(base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    both = {
        name: joined(base.get(name, LEFT_OUT), mine.get(name, LEFT_OUT), theirs.get(name, LEFT_OUT), name)
        for name in dict.fromkeys([*theirs, *mine])
    }
    return {name: value for name, value in both.items() if value is not LEFT_OUT}


def _joined_lists(base: list[Any], mine: list[Any], theirs: list[Any], key: str) -> list[Any]:
    if key in NAMES:
        if key == "squares":
            base, mine, theirs = cells_of(base), cells_of(mine), cells_of(theirs)
        left = [one for one in theirs if one in mine or one not in base]
        both = [*left, *(one for one in mine if one not in base and one not in left)]
        return rectangles(both) if key == "squares" else both
    if key in ADDED_TO and mine[: len(base)] == theirs[: len(base)] == base:
        return [*theirs, *mine[len(base) :]]
    if key == "dial" and len(base) == len(mine) == len(theirs):
        return [joined(*clicks) for clicks in zip(base, mine, theirs, strict=True)]
    return list(_joined_objects(_by_name(base, key), _by_name(mine, key), _by_name(theirs, key)).values())


def _by_name(entries: Sequence[Any], key: str) -> dict[str, Any]:
    """Return the entries of a list by what tells them apart. Raises Conflict if nothing does."""
    found = {_name_of(one, key): one for one in entries}
    if len(found) < len(entries):
        raise Conflict(key)
    return found


def _name_of(entry: Any, key: str) -> str:
    if key == "waiting":
        return str(entry["piece"]["id"])
    if key == "sides":
        return str(entry["player"])
    if key in ("characters", "objects"):
        return str(entry["id"])
    if key == "terrain":
        return json.dumps({name: value for name, value in entry.items() if name != "squares"}, sort_keys=True)
    if key in ("markers", "modifiers"):
        return json.dumps(entry, sort_keys=True)
    raise Conflict(key)
