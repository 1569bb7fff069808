"""Characters in a position: base, dial and click, symbols, tokens, and what happened to them this turn.

A `Character` holds facts only; the rules for what it may do are elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Literal, NamedTuple

from rules.engine.position.cards import Card
from rules.engine.position.dial import Click, ValueName
from rules.engine.position.squares import Square


class SpeedSymbol(StrEnum):
    """The symbol beside the speed value."""

    BOOT = "boot"
    WING = "wing"
    DOLPHIN = "dolphin"
    TRANSPORTER_BOOT = "transporter-boot"
    TRANSPORTER_WING = "transporter-wing"
    TRANSPORTER_DOLPHIN = "transporter-dolphin"


class AttackSymbol(StrEnum):
    """The symbol beside the attack value."""

    FIST = "fist"
    DUO = "duo"
    SHARPSHOOTER = "sharpshooter"
    AUTONOMOUS = "autonomous"


class DefenseSymbol(StrEnum):
    """The symbol beside the defense value."""

    SHIELD = "shield"
    INDOMITABLE = "indomitable"


class DamageSymbol(StrEnum):
    """The symbol beside the damage value: the character's size."""

    STANDARD = "standard"
    TINY = "tiny"
    GIANT = "giant"
    COLOSSAL = "colossal"
    SENTINEL = "sentinel"


class BaseKind(StrEnum):
    """How many squares a base takes up."""

    SINGLE = "single"
    PEANUT = "peanut"
    LARGE = "2x2"


class Flight(StrEnum):
    """The two flight modes, in editions that have them."""

    HOVERING = "hovering"
    SOARING = "soaring"


class CharacterKind(StrEnum):
    """The kind of playing piece."""

    CHARACTER = "character"
    BYSTANDER = "bystander"
    HORDE = "horde"


@dataclass(frozen=True, slots=True)
class Symbols:
    """The combat symbols of a base. A character may have several of one kind."""

    speed: tuple[SpeedSymbol, ...] = (SpeedSymbol.BOOT,)
    attack: tuple[AttackSymbol, ...] = (AttackSymbol.FIST,)
    defense: tuple[DefenseSymbol, ...] = (DefenseSymbol.SHIELD,)
    damage: tuple[DamageSymbol, ...] = (DamageSymbol.STANDARD,)


@dataclass(frozen=True, slots=True)
class GivenModifier:
    """A modifier given in the position: Perplex's +1, a judge's −1."""

    value: ValueName
    by: int
    source: str


@dataclass(frozen=True, slots=True)
class GivenReplacement:
    """A replacement value given in the position: a number, halving or doubling, possibly locked."""

    value: ValueName
    to: int | Literal["halve", "double"]
    locked: bool = False
    source: str = "set in the position"


@dataclass(frozen=True, slots=True)
class Improved:
    """The improved abilities of a character card: what it ignores when moving and when targeting."""

    movement: frozenset[str] = frozenset()
    targeting: frozenset[str] = frozenset()


class NamedTokens(NamedTuple):
    """Tokens of one name that a character has, and the character that gave them (None: not noted)."""

    name: str
    number: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Character:
    """One character.

    - `squares`: empty while it is off the map. `click` counts from 1, and a click past the dial is KO.
    - `dials`: the dials that follow the one it uses, each from its starting line on.
    - `generated_by`, `replaces`: the character that generated it, and the one that it replaced.
    - `stack_lost`: the tokens of a horde's stack that have been defeated and may come back in an epic battle.
    - `left`: whether it left the map as the scenario allows.
    - `copies`: the team ability that a wild card uses, "" for none; None where that isn't noted.
    """

    id: str
    name: str
    squares: tuple[Square, ...]
    dial: tuple[Click, ...]
    points: int = 0
    base: BaseKind = BaseKind.SINGLE
    range: int = 0
    bolts: int = 1
    symbols: Symbols = Symbols()
    teams: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    generic_keywords: tuple[str, ...] = ()
    base_color: str = "black"
    set: str = ""
    number: str = ""
    start: int = 1
    click: int = 1
    tokens: int = 0
    acted: bool = False
    flight: Flight | None = None
    holding: str | None = None
    improved: Improved = Improved()
    countered: tuple[str, ...] = ()
    modifiers: tuple[GivenModifier, ...] = ()
    replacements: tuple[GivenReplacement, ...] = ()
    kind: CharacterKind = CharacterKind.CHARACTER
    stack: int = 1
    stack_max: int = 1
    stack_lost: int = 0
    captured_by: str | None = None
    last_damaged_by: str | None = None
    immune: bool | None = None
    attacks_made: int = 0
    carried: bool = False
    moved: bool = False
    used: tuple[str, ...] = ()
    named_tokens: tuple[NamedTokens, ...] = ()
    dials: tuple[tuple[Click, ...], ...] = ()
    generated_by: str | None = None
    replaces: str | None = None
    copies: str | None = None
    left: bool = False
    cards: tuple[Card, ...] = ()

    @property
    def knocked_out(self) -> bool:
        """Whether the dial shows KO."""
        return self.click > len(self.dial)

    @property
    def showing(self) -> Click | None:
        """The click in the stat slot; None once knocked out."""
        return None if self.knocked_out else self.dial[self.click - 1]

    @property
    def starting_click(self) -> int:
        """The click it begins on: that of the starting line for its points, where its card has several."""
        lines = (one for card in self.cards for one in card.effects if one.do == "starting-line" and one.plain)
        return next((min(one.numbers("clicks")) for one in lines if one.number("points") == self.points), self.start)

    @property
    def on_map(self) -> bool:
        """Whether the character is on the map: not knocked out, not captive, not kept off it."""
        return bool(self.squares) and not self.knocked_out and self.captured_by is None

    def tokens_named(self, name: str, by: str | None = None) -> int:
        """Return how many tokens of that name it has; `by`: those of that giver, and those whose giver isn't noted."""
        return sum(one.number for one in self.named_tokens if one.name == name and (by is None or one.by in (by, None)))


def identical(one: Character, other: Character) -> bool:
    """Return whether both are horde tokens of one kind: the same set symbol and collector's number.

    Source: Horde Tokens (2014). Tokens without a number are compared by their names.
    """
    hordes = one.kind is CharacterKind.HORDE is other.kind
    if not hordes or (one.set, one.number) != (other.set, other.number):
        return False
    return bool(one.number) or one.name == other.name


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Return a name as effects look for it: in lower case, without anything in parentheses (Names, 2020s)."""
    return " ".join(re.sub(r"\([^()]*\)", " ", name).casefold().split()) or name.casefold()


def is_named(character: Character, name: str) -> bool:
    """Return whether effects that look for a name find a character."""
    return character.name == name or plain_name(character.name) == plain_name(name)


def has_keyword(character: Character, keyword: str) -> bool:
    """Return whether a character has a keyword, named or generic, regardless of case."""
    return keyword.casefold() in {one.casefold() for one in (*character.keywords, *character.generic_keywords)}
