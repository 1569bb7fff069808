"""What a force is made of, and what a check finds. No rule is decided here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple

from rules.engine.position.dial import ValueName
from rules.engine.position.objects import ObjectKind
from rules.engine.rivals import RivalKind


class Rank(StrEnum):
    """The ring on a figure's base; `common`, `uncommon`, `rare` and `chase` mean none."""

    ROOKIE = "rookie"
    EXPERIENCED = "experienced"
    VETERAN = "veteran"
    COMMON = "common"
    UNCOMMON = "uncommon"
    RARE = "rare"
    UNIQUE = "unique"
    SUPER_RARE = "super-rare"
    LIMITED_EDITION = "limited-edition"
    CHASE = "chase"
    PRIME = "prime"
    PROMOTIONAL = "promotional"


class Rarity(StrEnum):
    """How often a figure is found; it decides nothing."""

    COMMON = "common"
    UNCOMMON = "uncommon"
    RARE = "rare"
    SUPER_RARE = "super-rare"
    CHASE = "chase"
    ULTRA_CHASE = "ultra-chase"
    LIMITED_EDITION = "limited-edition"
    PROMOTIONAL = "promotional"


class OtherKind(StrEnum):
    """Additional game elements that are neither special objects nor resources."""

    EQUIPMENT = "equipment"
    ID_CARD = "id-card"
    SPECIAL_TERRAIN = "special-terrain"


class Format(StrEnum):
    """How the players of an event come by their figures."""

    CONSTRUCTED = "constructed"
    HEAD_TO_HEAD = "head-to-head"
    SEALED_BOOSTER = "sealed-booster"
    SEALED_STARTER = "sealed-starter"


SEALED: Final = frozenset({Format.SEALED_BOOSTER, Format.SEALED_STARTER})


class Tactic(StrEnum):
    """Optional elements, by which an event may be played or not."""

    FEATS = "feats"
    BATTLEFIELD_CONDITIONS = "battlefield-conditions"
    EVENT_DIALS = "event-dials"
    SPECIAL_OBJECTS = "special-objects"
    RESOURCES = "resources"
    BYSTANDERS = "bystanders"
    TEAM_ABILITY_CARDS = "team-ability-cards"
    THEMED_TEAMS = "themed-teams"


class ForceClick(NamedTuple):
    """One click of a dial as a check looks at it. Thousands are read a second, so this is the quickest of frozen values."""

    speed: int
    attack: int
    defense: int
    damage: int
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a feat or card asks of a character: on one click its powers and values, on its base teams and keywords."""

    powers: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    values: tuple[tuple[ValueName, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceCharacter:
    """A figure or token: what its base, its card and its dial say. None: the document does not tell."""

    ref: str
    name: str
    points: int
    set: str | None = None
    number: str | None = None
    rank: Rank = Rank.COMMON
    kind: RivalKind = RivalKind.CHARACTER
    base_color: str = "black"
    teams: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    generic_keywords: tuple[str, ...] = ()
    dial: tuple[ForceClick, ...] = ()
    point_options: tuple[int, ...] = ()
    street_date: date | None = None
    promotional: bool = False
    proxy: bool = False
    from_sealed_product: bool = True
    dial_number: str | None = None

    @property
    def is_token(self) -> bool:
        """Whether it is a bystander token, hordes among them."""
        return self.kind is RivalKind.BYSTANDER or self.kind is RivalKind.HORDE


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """A feat card: its whole cost, the refs of the characters chosen for it, and what it asks of them (None: unknown)."""

    ref: str
    name: str = ""
    points: int = 0
    assigned_to: tuple[str, ...] = ()
    requires: Requirements | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceObject:
    """An object token or sculpture; `kind` None where the document does not tell."""

    ref: str
    name: str = ""
    kind: ObjectKind | None = None
    special: bool = False
    points: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BattlefieldCondition:
    """A battlefield condition card; it costs nothing."""

    ref: str
    name: str = ""
    points: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A resource dial."""

    ref: str
    name: str = ""
    points: int = 0
    assigned_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamAbilityCard:
    """An additional team ability card: what it costs for each character that is assigned it."""

    ref: str
    name: str = ""
    cost_per_character: int = 0
    assigned_to: tuple[str, ...] = ()
    requires: Requirements | None = None

    @property
    def points(self) -> int:
        """What it adds to the force's total."""
        return self.cost_per_character * len(self.assigned_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherElement:
    """Equipment, an ID card or special terrain; `kind` None where the document does not tell."""

    ref: str
    name: str = ""
    kind: OtherKind | None = None
    points: int = 0


Element = ForceCharacter | Feat | ForceObject | BattlefieldCondition | Resource | TeamAbilityCard | OtherElement


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRules:
    """What of an event bears on its forces. `tactics` None: all that the edition has; `sets` empty: all sets."""

    build_total: int
    format: Format = Format.CONSTRUCTED
    sanctioned: bool = True
    date: date | None = None
    sets: tuple[str, ...] = ()
    event_dial: bool = False
    tactics: frozenset[Tactic] | None = None


@dataclass(frozen=True, kw_only=True)
class Force:
    """A force for an event: everything on it, and its Sideline beside it."""

    event: EventRules
    characters: tuple[ForceCharacter, ...] = ()
    feats: tuple[Feat, ...] = ()
    objects: tuple[ForceObject, ...] = ()
    battlefield_conditions: tuple[BattlefieldCondition, ...] = ()
    resources: tuple[Resource, ...] = ()
    team_ability_cards: tuple[TeamAbilityCard, ...] = ()
    other: tuple[OtherElement, ...] = ()
    sideline: tuple[ForceCharacter, ...] = ()
    sideline_allowed_by: tuple[str, ...] = ()

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """Everything on the force, without its Sideline, in the order of the document."""
        return (
            *self.characters,
            *self.feats,
            *self.objects,
            *self.battlefield_conditions,
            *self.resources,
            *self.team_ability_cards,
            *self.other,
        )

    @cached_property
    def figures(self) -> tuple[ForceCharacter, ...]:
        """The characters of the force and of its Sideline."""
        return self.characters + self.sideline

    @cached_property
    def total(self) -> int:
        """The points of everything on the force."""
        return sum([element.points for element in self.elements])

    def without(self, refs: frozenset[str]) -> Force:
        """Return the force without the elements of these refs."""
        return replace(
            self,
            characters=tuple(one for one in self.characters if one.ref not in refs),
            feats=tuple(one for one in self.feats if one.ref not in refs),
            objects=tuple(one for one in self.objects if one.ref not in refs),
            battlefield_conditions=tuple(one for one in self.battlefield_conditions if one.ref not in refs),
            resources=tuple(one for one in self.resources if one.ref not in refs),
            team_ability_cards=tuple(one for one in self.team_ability_cards if one.ref not in refs),
            other=tuple(one for one in self.other if one.ref not in refs),
            sideline=tuple(one for one in self.sideline if one.ref not in refs),
        )


@dataclass(frozen=True, slots=True)
class Violation:
    """What breaks the rule of the check that found it: a sentence, the refs at fault; topics where the rule's doesn't cite it."""

    message: str
    elements: tuple[str, ...]
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A rule that could not be judged: the fact that the document lacks, and of which elements."""

    needs: str
    elements: tuple[str, ...]


Finding = Violation | Unchecked
Findings = Iterator[Finding]


@dataclass(frozen=True, slots=True)
class ThemedTeam:
    """The keyword that all characters share, and what the theme is worth."""

    keyword: str
    is_named: bool
    initiative_bonus: int
    probability_control_uses: int
