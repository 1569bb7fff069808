"""Facts about a finished battle, and the records that scoring makes of it. No rule is decided here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from rules.engine.forces import Format
from rules.engine.rivals import RivalKind


class Ended(StrEnum):
    """How the battle ended."""

    ELIMINATION = "elimination"
    TIME = "time"
    TURN_LIMIT = "turn-limit"
    AGREEMENT = "agreement"
    ABANDONED = "abandoned"
    SCENARIO = "scenario"


class Fate(StrEnum):
    """The fate of a character."""

    SURVIVED = "survived"
    DEFEATED = "defeated"
    LEFT_MAP = "left-map"
    CAPTURED = "captured"
    RELEASED = "released"
    REMOVED = "removed"


class Cause(StrEnum):
    """The source of a character's last click of damage."""

    ATTACK = "attack"
    PUSHING = "pushing"
    OWN_POWER = "own-power"
    CRITICAL_MISS = "critical-miss"
    KNOCKBACK = "knockback"
    MIND_CONTROL = "mind-control"
    SCENARIO = "scenario"


class ObjectFate(StrEnum):
    """The fate of an object, a feat or a resource."""

    SURVIVED = "survived"
    REMOVED = "removed"


class ScenarioName(StrEnum):
    """The scenarios of the books, and the kind that officials design themselves."""

    CHALLENGE_OF_THE_CHAMPIONS = "challenge-of-the-champions"
    SHOWDOWN = "showdown"
    THE_SCIENTIST = "the-scientist"
    THE_WILD_THEORY = "the-wild-theory"
    STAND_ASIDE = "stand-aside"
    PORTAL_TO_HYPERTIME = "portal-to-hypertime"
    WINNER_TAKES_ALL = "winner-takes-all"
    RAID_ON_STAR_LABS = "raid-on-star-labs"
    MIND_SWITCH = "mind-switch"
    A_WORLD_GONE_MAD = "a-world-gone-mad"
    WHOLLY_HURRICANE = "wholly-hurricane"
    BLACKOUT = "blackout"
    DIMENSIONAL_RIFT = "dimensional-rift"
    NINE_TENTHS_OF_THE_LAW = "nine-tenths-of-the-law"
    CUSTOM = "custom"


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleCharacter:
    """A character and its fate.

    `by`, `controller` and `replaces` are refs of characters; `on_turn_of` and `last_damaged_by` are players.
    """

    ref: str
    name: str
    points: int
    fate: Fate
    base_color: str = "black"
    set: str | None = None
    kind: RivalKind = RivalKind.CHARACTER
    teams: tuple[str, ...] = ()
    by: str | None = None
    cause: Cause | None = None
    last_damaged_by: str | None = None
    on_turn_of: str | None = None
    controller: str | None = None
    replaces: str | None = None
    replaced: bool = False
    order: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleFeat:
    """A feat: its cost (for each character if `per_character`), its characters, and whether it left the game early."""

    ref: str
    name: str = ""
    points: int = 0
    assigned_to: tuple[str, ...] = ()
    per_character: bool = False
    fate: ObjectFate = ObjectFate.SURVIVED

    @property
    def total(self) -> int:
        """The total cost."""
        return self.points * len(self.assigned_to) if self.per_character else self.points


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleToken:
    """An object and its fate, or a resource with the characters it is assigned to and its fate."""

    ref: str
    name: str = ""
    points: int = 0
    fate: ObjectFate = ObjectFate.SURVIVED
    assigned_to: tuple[str, ...] = ()
    by: str | None = None
    cause: Cause | None = None
    last_damaged_by: str | None = None
    on_turn_of: str | None = None
    controller: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleCard:
    """An additional team ability card and its cost for each character it is assigned to."""

    ref: str
    name: str = ""
    cost_per_character: int = 0
    assigned_to: tuple[str, ...] = ()


Fallen = BattleCharacter | BattleToken


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleSide:
    """A player's force; `points` is its build total."""

    player: str
    points: int
    characters: tuple[BattleCharacter, ...]
    feats: tuple[BattleFeat, ...] = ()
    objects: tuple[BattleToken, ...] = ()
    resources: tuple[BattleToken, ...] = ()
    team_ability_cards: tuple[BattleCard, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Battle:
    """A finished battle. `turn` is the number of turns that each player has taken.

    In a Battle Royale (its `format`) the forces may have had no build total.
    """

    build_total: int | None
    ended: Ended
    sides: tuple[BattleSide, ...]
    format: Format | None = None
    scenario: ScenarioName | None = None
    scenario_winner: str | None = None
    abandoned_by: str | None = None
    turn: int | None = None
    attacker: str | None = None
    defender: str | None = None
    roll_off: Mapping[str, int] | None = None

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The players, in the order of the sides."""
        return tuple([side.player for side in self.sides])

    @cached_property
    def characters(self) -> Mapping[str, BattleCharacter]:
        """All characters by ref."""
        return {one.ref: one for side in self.sides for one in side.characters}

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """The player of each character, by ref."""
        return {one.ref: side.player for side in self.sides for one in side.characters}

    @cached_property
    def successors(self) -> Mapping[str, tuple[BattleCharacter, ...]]:
        """The characters that replaced another, by its ref."""
        found: dict[str, list[BattleCharacter]] = {}
        for one in self.characters.values():
            if one.replaces is not None:
                found.setdefault(one.replaces, []).append(one)
        return {ref: tuple(those) for ref, those in found.items()}

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The refs of the characters that others have replaced."""
        return frozenset(one.ref for one in self.characters.values() if one.replaced).union(self.successors)

    def heirs(self, one: BattleCharacter) -> list[BattleCharacter]:
        """Return the characters that finally replaced a character, or the character itself if nothing replaced it."""
        found, waiting = [], [one]
        while waiting:
            current = waiting.pop()
            following = self.successors.get(current.ref)
            if following:
                waiting.extend(following)
            else:
                found.append(current)
        return found

    def opponents(self, player: str) -> tuple[str, ...]:
        """The other players."""
        return tuple([other for other in self.players if other != player])

    def owner(self, ref: str | None) -> str | None:
        """Return the player of a character, or None."""
        return None if ref is None else self.owners[ref]


class Award(NamedTuple):
    """The players who share the points for a defeated piece, and each player's share."""

    players: tuple[str, ...]
    share: Fraction | int = 1


class Source(StrEnum):
    """The kind of event that a score line is for."""

    DEFEAT = "defeat"
    PRESENCE = "presence"


class ScoreLine(NamedTuple):
    """Points for one player, exact: the reason, the element, the topics that cite it, and `times` its value."""

    player: str
    points: Fraction | int
    why: str
    element: str
    topics: tuple[str, ...]
    source: Source
    times: int = 1


Decision = Literal["last-standing", "victory-points", "lowest-force", "roll-off", "scenario", "abandoned", "tie"]


class Excluded(NamedTuple):
    """A player who can't win, whatever the points: why, and the topics that cite it."""

    player: str
    why: str
    topics: tuple[str, ...]


class BattleOutcome(NamedTuple):
    """The winner and what decided the battle; without a winner, what still has to be settled.

    `why` says it in a sentence, `topics` cite it, `excluded` are the players who can't win.
    """

    winner: str | None
    decided_by: Decision
    needs: tuple[str, ...] = ()
    why: str = ""
    topics: tuple[str, ...] = ()
    excluded: tuple[Excluded, ...] = ()


class Score(NamedTuple):
    """A scored battle: each player's points, the verdict, and every line."""

    victory_points: Mapping[str, Fraction | int]
    verdict: BattleOutcome
    lines: tuple[ScoreLine, ...]


def totals(lines: tuple[ScoreLine, ...], players: tuple[str, ...]) -> dict[str, Fraction | int]:
    """Return the sum of each player's lines."""
    sums: dict[str, Fraction | int] = dict.fromkeys(players, 0)
    for line in lines:
        sums[line.player] += line.points
    return sums
