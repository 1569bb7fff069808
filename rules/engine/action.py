"""What a player did, as a value: the kind of action, who acts, and everything chosen for it.

The keys are those of FORMATS.md › Actions; what they mean is decided in `actions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rules.engine.choices import NO_CHOICES, Choices
from rules.engine.position.characters import Flight
from rules.engine.position.squares import Square

ActionKind = Literal["move", "close", "ranged", "power", "double-power", "free", "pass", "end-turn"]
COSTED: frozenset[str] = frozenset({"move", "close", "ranged", "power", "double-power"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One action: given by a player, or granted by another action (`then`, in order).

    `place` is the way to it through the `then` of the actions that grant it; empty for one that a player gives.
    """

    kind: ActionKind
    actor: str | None = None
    path: tuple[Square, ...] = ()
    targets: tuple[str, ...] = ()
    using: tuple[str, ...] = ()
    choose: Choices = NO_CHOICES
    assist: tuple[str, ...] = ()
    divide: Mapping[str, int] | None = None
    carry: tuple[str, ...] = ()
    pick_up: str | None = None
    put_down: Square | None = None
    with_object: str | None = None
    flight: Flight | None = None
    then: tuple[Action, ...] = ()
    attacks: int | None = None
    at: Square | None = None
    rolls: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    place: tuple[int, ...] = ()


def with_places(given: Action, place: tuple[int, ...] = ()) -> Action:
    """Return an action that knows its place, and so do all that it grants."""
    then = tuple(with_places(inner, (*place, number)) for number, inner in enumerate(given.then))
    return replace(given, place=place, then=then)
