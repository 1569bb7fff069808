"""An action as a value: its kind, the acting character and every choice made for it.

The keys are those of FORMATS.md › Actions; `actions` decides what they mean.
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
    """An action given by a player, or granted by another action (`then`, in order).

    `place` is the path to it through the `then` of the actions that grant it; empty for an action given by a player.
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
    """Return the action with `place` filled in, for itself and for every action it grants."""
    then = tuple(with_places(inner, (*place, number)) for number, inner in enumerate(given.then))
    return replace(given, place=place, then=then)
