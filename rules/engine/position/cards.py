"""What stands on cards, as effects: special powers, traits, equipment and the like.

The vocabulary is closed. `docs/formats.md` explains every word; `documents.cards` reads and writes it, `powers.cards`
turns it into rows of powers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class CardKind(StrEnum):
    """Where an effect stands."""

    SPECIAL_POWER = "special-power"
    TRAIT = "trait"
    FEAT = "feat"
    EQUIPMENT = "equipment"
    RELIC = "relic"
    TEAM_ABILITY_CARD = "team-ability-card"
    CONDITION = "condition"
    OBJECT = "object"
    TERRAIN = "terrain"
    OTHER = "other"


class CardMoment(StrEnum):
    """When an effect happens."""

    START_OF_TURN = "start-of-turn"
    END_OF_TURN = "end-of-turn"
    WHEN_ATTACKING = "when-attacking"
    AFTER_HIT = "after-hit"
    AFTER_MISS = "after-miss"
    WHEN_HIT = "when-hit"
    WHEN_DAMAGED = "when-damaged"
    WHEN_KO = "when-ko"
    WHEN_KOS = "when-kos"
    WHEN_CLICKED = "when-clicked"
    AFTER_MOVE = "after-move"
    AFTER_ATTACK = "after-attack"


@dataclass(frozen=True, slots=True)
class Who:
    """The characters that all these words describe, seen from the character with the card."""

    side: Literal["self", "friends", "opponents", "all"] = "all"
    within: int | Literal["adjacent"] | None = None
    line_of_fire: bool = False
    keyword: tuple[str, ...] = ()
    team: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    power: tuple[str, ...] = ()
    points_at_most: int | None = None
    tokens: tuple[int, ...] = ()
    size: Literal["larger", "smaller", "same"] | None = None
    also_self: bool = False


@dataclass(frozen=True, slots=True)
class CardCondition:
    """A condition: all its words must hold."""

    attack: Literal["close", "ranged", "any"] | None = None
    attacked: Literal["close", "ranged", "any"] | None = None
    target: Who | None = None
    using: tuple[str, ...] = ()
    adjacent_to: Who | None = None
    near: Who | None = None
    none_near: Who | None = None
    on_map: Who | None = None
    terrain: tuple[str, ...] = ()
    tokens: tuple[int, ...] = ()
    clicks: tuple[int, ...] = ()
    turn: Literal["own", "opponents"] | None = None
    holding: tuple[str, ...] = ()
    action: tuple[str, ...] = ()
    moved_this_turn: bool | None = None
    attacked_this_turn: bool | None = None
    carrying: bool | None = None
    any: tuple[CardCondition, ...] = ()
    not_: CardCondition | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows on these results of a roll."""

    on: tuple[int, ...]
    effects: tuple[Effect, ...]


Given = str | int | Who | tuple[str, ...] | tuple[int, ...] | tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: what it does, the keys of that kind (`given`), when, to whom, how often."""

    do: str
    given: tuple[tuple[str, Given], ...] = ()
    when: CardCondition | None = None
    to: Who | None = None
    moment: CardMoment | None = None
    limit: Literal["turn", "game"] | None = None
    may: bool = False

    def number(self, key: str, otherwise: int = 0) -> int:
        """Return the number given for a key."""
        found = dict(self.given).get(key)
        return found if isinstance(found, int) else otherwise

    def word(self, key: str) -> str:
        """Return the word given for a key, "" if there is none."""
        found = dict(self.given).get(key)
        return found if isinstance(found, str) else ""

    def words(self, key: str) -> tuple[str, ...]:
        """Return the words given for a key."""
        found = dict(self.given).get(key)
        return tuple(word for word in found if isinstance(word, str)) if isinstance(found, tuple) else ()

    def numbers(self, key: str) -> frozenset[int]:
        """Return the numbers given for a key."""
        found = dict(self.given).get(key)
        return frozenset(one for one in found if isinstance(one, int)) if isinstance(found, tuple) else frozenset()

    def who(self, key: str) -> Who | None:
        """Return the characters described for a key."""
        found = dict(self.given).get(key)
        return found if isinstance(found, Who) else None


@dataclass(frozen=True, slots=True)
class Card:
    """A card, or what one paragraph of a card says."""

    name: str
    kind: CardKind = CardKind.OTHER
    slot: Literal["speed", "attack", "defense", "damage"] | None = None
    clicks: tuple[int, ...] = ()
    text: str = ""
    effects: tuple[Effect, ...] = ()

    @property
    def title(self) -> str:
        """Its name with its kind, as steps name it: "Wing Gust, trait"."""
        return f"{self.name}, {self.kind.value.replace('-', ' ')}"
