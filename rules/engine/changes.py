"""`with_changes`: `dataclasses.replace` for what changes at every step of an action, in half the time."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

One = TypeVar("One")


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields. It must have slots, and do nothing but keep what it is given."""
    assert hasattr(kind, "__slots__"), kind
    assert not hasattr(kind, "__post_init__"), kind
    assert all(one.init for one in fields(kind)), kind
    return tuple(one.name for one in fields(kind))


def with_changes(one: One, **changes: Any) -> One:
    """Return a copy of a frozen dataclass with these fields changed. Raises TypeError for a field that it lacks."""
    kind: Any = type(one)
    names, made = _fields_of(kind), object.__new__(kind)
    if not changes.keys() <= set(names):
        raise TypeError(f"{kind.__name__} has no {sorted(changes.keys() - set(names))}")
    for name in names:
        object.__setattr__(made, name, changes[name] if name in changes else getattr(one, name))
    altered: One = made
    return altered
