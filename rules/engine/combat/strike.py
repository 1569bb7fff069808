"""Results of an attack: the characters it hits, and the damage each takes. The attack itself is a `Strike` (`play`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.combat.roll import Roll
from rules.engine.position.objects import ObjectKind
from rules.engine.reasons import Modifier


@dataclass(frozen=True, slots=True)
class Hit:
    """A character hit by an attack: how many times it is affected, and whether it is a target."""

    character: str
    times: int = 1
    targeted: bool = True


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The result of an attack: its dice, its hits, and the damage each character has taken."""

    roll: Roll
    hits: tuple[Hit, ...]
    taken: Mapping[str, int]

    @property
    def succeeded(self) -> bool:
        """Whether any character was hit."""
        return bool(self.hits)


def weight_of(kind: ObjectKind) -> Modifier:
    """Return the damage that a held object adds in close combat: 1, a heavy one 2, an ultra heavy one 3 (2014)."""
    by = {ObjectKind.HEAVY: 2, ObjectKind.ULTRA_HEAVY: 3}.get(kind, 1)
    return Modifier(by, f"a {kind.value} object", "object-attack")
