"""The elements of a force, and the findings of a check. No rule is decided here."""

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
    """How rare a figure is; no rule depends on it."""

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
    ATTACHMENT = "attachment"
    TAROT_CARD = "tarot-card"
    MYSTERY_CARD = "mystery-card"
    LEGACY_CARD = "legacy-card"
    ONE_SHOT = "one-shot"
    TERRAIN_MARKER = "terrain-marker"
    TRICK_ARROW = "trick-arrow"


RULED_BY_CARD: Final = frozenset(OtherKind) - {OtherKind.EQUIPMENT, OtherKind.ID_CARD, OtherKind.SPECIAL_TERRAIN}
"""The kinds whose rules are on their cards and in no book."""


class CardRule(StrEnum):
    """What an element's own card says about building a force, in rules that no book has."""

    LEGACY_CARD = "legacy-card"
    TEAM_BASE = "team-base"
    TITLE = "title"
    TEAM_UP = "team-up"
    GENERATED = "generated"
    UNSIDELINEABLE = "unsidelineable"
    FORCE_CONSTRUCTION = "force-construction"


class Format(StrEnum):
    """How players at an event obtain their figures."""

    CONSTRUCTED = "constructed"
    HEAD_TO_HEAD = "head-to-head"
    SEALED_BOOSTER = "sealed-booster"
    SEALED_STARTER = "sealed-starter"
    BATTLE_ROYALE = "battle-royale"


SEALED: Final = frozenset({Format.SEALED_BOOSTER, Format.SEALED_STARTER, Format.BATTLE_ROYALE})


class Tactic(StrEnum):
    """Optional elements that an event may allow or not."""

    FEATS = "feats"
    BATTLEFIELD_CONDITIONS = "battlefield-conditions"
    EVENT_DIALS = "event-dials"
    SPECIAL_OBJECTS = "special-objects"
    RESOURCES = "resources"
    BYSTANDERS = "bystanders"
    TEAM_ABILITY_CARDS = "team-ability-cards"
    THEMED_TEAMS = "themed-teams"


class ForceClick(NamedTuple):
    """One click of a dial, as legality checks see it.

    Thousands are read per second; this is the fastest kind of frozen value.
    """

    speed: int
    attack: int
    defense: int
    damage: int
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Requirements:
    """Prerequisites of a feat or card: powers and values on one click, teams and keywords on the character's base."""

    powers: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    values: tuple[tuple[ValueName, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceCharacter:
    """A figure or token: the facts on its base, card and dial. None: not known.

    `optional_points` are what its costed traits cost if the player pays for them.
    """

    ref: str
    name: str
    points: int
    set: str | None = None
    number: str | None = None
    rank: Rank = Rank.COMMON
    kind: RivalKind = RivalKind.CHARACTER
    base_color: str | None = "black"
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
    optional_points: int = 0
    card_rules: tuple[CardRule, ...] = ()

    @property
    def is_token(self) -> bool:
        """Whether it is a bystander token or a horde."""
        return self.kind is RivalKind.BYSTANDER or self.kind is RivalKind.HORDE


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """A feat card: its total cost, the refs of its chosen characters, and its prerequisites (None: unknown)."""

    ref: str
    name: str = ""
    points: int = 0
    assigned_to: tuple[str, ...] = ()
    requires: Requirements | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceObject:
    """An object token or sculpture; `kind` is None where the document doesn't give it."""

    ref: str
    name: str = ""
    kind: ObjectKind | None = None
    special: bool = False
    points: int = 0
    card_rules: tuple[CardRule, ...] = ()


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
    card_rules: tuple[CardRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamAbilityCard:
    """An additional team ability card and its cost for each character it is assigned to."""

    ref: str
    name: str = ""
    cost_per_character: int = 0
    assigned_to: tuple[str, ...] = ()
    requires: Requirements | None = None

    @property
    def points(self) -> int:
        """Its cost within the force's total."""
        return self.cost_per_character * len(self.assigned_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherElement:
    """Equipment, an ID card or special terrain; `kind` is None where the document doesn't give it."""

    ref: str
    name: str = ""
    kind: OtherKind | None = None
    points: int = 0
    card_rules: tuple[CardRule, ...] = ()


Element = ForceCharacter | Feat | ForceObject | BattlefieldCondition | Resource | TeamAbilityCard | OtherElement


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRules:
    """The event's rules for forces. `build_total` None: no limit; `tactics` None: all that the edition has; `sets` empty: all."""

    build_total: int | None
    format: Format = Format.CONSTRUCTED
    sanctioned: bool = True
    date: date | None = None
    sets: tuple[str, ...] = ()
    event_dial: bool = False
    tactics: frozenset[Tactic] | None = None


@dataclass(frozen=True, kw_only=True)
class Force:
    """A force for an event: its elements and, apart from them, its Sideline."""

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
        """All elements of the force except its Sideline, in document order."""
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
        """The total points of the force."""
        return sum([element.points for element in self.elements])

    def without(self, refs: frozenset[str]) -> Force:
        """Return the force without the elements with these refs."""
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
    """A broken rule: a sentence, the refs at fault, and topics where the rule's own doesn't cite it."""

    message: str
    elements: tuple[str, ...]
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A rule that couldn't be checked: the fact missing from the document, and the elements concerned."""

    needs: str
    elements: tuple[str, ...]


Finding = Violation | Unchecked
Findings = Iterator[Finding]


@dataclass(frozen=True, slots=True)
class ThemedTeam:
    """The keyword that all characters share, and the benefits of the theme."""

    keyword: str
    is_named: bool
    initiative_bonus: int
    probability_control_uses: int
