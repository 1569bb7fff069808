"""What stands on cards, as effects: special powers, traits, equipment and the like.

The vocabulary is closed. `docs/formats.md` explains every word; `documents.cards` reads and writes it, `powers.cards`
turns it into rows of powers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, Literal

from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square

ABOUT_ATTACKS: Final = frozenset({"attack", "attacked", "by", "target", "using", "hit", "hit_all"})
ABOUT_ACTIONS: Final = frozenset({"action", "carrying"})
LEFT_TO_JUDGE: Final = frozenset({"moved_at_most", "started_at", "began_turn_on_map", "listed_on_map", "names_shared"})
"""Words of conditions about what a position doesn't hold: the judge decides."""
ONCE_A_GAME: Final = ", once a game"
"""What follows a card's name among the powers a character has used, where its limit is once a game."""
NAMELESS: Final = "Card"
"""The name in positions of a card that has none."""
ASKED: Final = frozenset({"modify", "set", "least", "most", "raise", "damage", "reduce", "prevent", "most-damage"})
"""The kinds of effects on combat values and on damage: each is asked for with its attack."""


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
    AFTER_ACTION = "after-action"
    AFTER_SUCCESS = "after-success"
    BEFORE_GAME = "before-game"


@dataclass(frozen=True, slots=True)
class Who:
    """The characters that all these words describe, seen from the character with the card."""

    side: Literal["self", "friends", "opponents", "all"] = "all"
    within: int | Literal["adjacent", "range"] | None = None
    line_of_fire: bool = False
    their_line_of_fire: bool = False
    keyword: tuple[str, ...] = ()
    team: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    power: tuple[str, ...] = ()
    points_at_most: int | None = None
    points_at_least: int | None = None
    points: Literal["higher", "lower"] | None = None
    shares_keyword: bool = False
    tokens: tuple[int, ...] = ()
    size: Literal["larger", "smaller", "same"] | None = None
    also_self: bool = False
    hit: bool = False
    targeted: bool = False
    attacker: bool = False
    beside: Literal["hit", "hit-target", "attacker"] | None = None
    of_moment: bool = False
    rolled_for: bool = False
    choose: int | None = None
    generated: bool = False
    named_token: tuple[str, ...] = ()

    @property
    def of_now(self) -> bool:
        """Whether they are those that an attack or a moment is about now, such as the attacker."""
        return self.hit or self.attacker or self.of_moment or self.rolled_for


@dataclass(frozen=True, slots=True)
class CardCondition:
    """A condition: all its words must hold."""

    attack: Literal["close", "ranged", "any"] | None = None
    attacked: Literal["close", "ranged", "any"] | None = None
    by: Who | None = None
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
    hit: bool | None = None
    hit_all: bool | None = None
    knocked_out: Who | None = None
    named_token: tuple[str, ...] = ()
    stack: int | Literal["full"] | None = None
    moved_at_most: int | None = None
    started_at: int | None = None
    began_turn_on_map: bool | None = None
    listed_on_map: int | None = None
    names_shared: bool | None = None
    any: tuple[CardCondition, ...] = ()
    not_: CardCondition | None = None

    def words(self) -> Iterator[str]:
        """Yield its words, with those of the conditions in it."""
        yield from (word for word in self.__slots__ if getattr(self, word) not in (None, ()))
        for inner in (*self.any, *([self.not_] if self.not_ is not None else [])):
            yield from inner.words()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows on these results of a roll."""

    on: tuple[int, ...]
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """What one may choose to happen."""

    effects: tuple[Effect, ...]


Given = str | int | Who | tuple[str, ...] | tuple[int, ...] | tuple[Outcome, ...] | tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: what it does, the keys of that kind (`given`), when, to whom, how often.

    `after`: it is triggered at its moment but waits until the whole action has resolved.
    `part`: which of several actions of its card that cost the same lets it happen.
    """

    do: str
    given: tuple[tuple[str, Given], ...] = ()
    when: CardCondition | None = None
    to: Who | None = None
    moment: CardMoment | None = None
    after: Literal["resolutions"] | None = None
    limit: Literal["turn", "game"] | None = None
    may: bool = False
    whose: Who | None = None
    until: Literal["turn", "next-turn", "end-of-next-turn", "game"] | None = None
    costs: Literal["free", "power", "double-power", "epic", "move", "close", "ranged"] | None = None
    unique: bool = False
    part: int = 1
    about_attack: bool = field(init=False, compare=False)
    """Whether its condition speaks of an attack."""
    about_action: bool = field(init=False, compare=False)
    """Whether its condition speaks of the action under way."""
    judged: bool = field(init=False, compare=False)
    """Whether its condition, or how long it lasts, is for the judge to decide."""

    def __post_init__(self) -> None:
        """Find once what its condition is about; effects in force are looked for far more often."""
        words = frozenset() if self.when is None else frozenset(self.when.words())
        object.__setattr__(self, "about_attack", not words.isdisjoint(ABOUT_ATTACKS))
        object.__setattr__(self, "about_action", not words.isdisjoint(ABOUT_ACTIONS))
        chosen = self.to is not None and self.to.choose is not None
        judged = self.until is not None or chosen or not words.isdisjoint(LEFT_TO_JUDGE)
        object.__setattr__(self, "judged", judged)

    @property
    def asked(self) -> bool:
        """Whether its condition is judged only when a value or damage asks for it, each with its own attack."""
        return self.about_attack and self.do in ASKED

    @property
    def passing(self) -> bool:
        """Whether it may begin or end to count though the position stays the same."""
        return self.about_action or (self.about_attack and self.do not in ASKED)

    @property
    def to_self(self) -> bool:
        """Whether it is for the character with the card alone."""
        return self.to is None or self.to.side == "self"

    @property
    def for_bearer(self) -> bool:
        """Whether it makes a row of the character with the card: it is for it, or happens at its moment or action."""
        return self.to_self or self.moment is not None or self.costs is not None

    @property
    def is_action(self) -> bool:
        """Whether it is an action of the character with the card, or happens by one."""
        free = self.do in ("free-action", "place") and self.moment is None
        return self.costs is not None or (free and self.to_self)

    @property
    def plain(self) -> bool:
        """Whether it counts always: it has neither condition nor limit."""
        return self.when is None and self.limit is None

    @property
    def of_opponents_attacks(self) -> bool:
        """Whether it counts when an opponent's attack hits its bearer, and on no other condition."""
        return self.limit is None and self.when == CardCondition(attacked="any", by=Who(side="opponents"))

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


def lent(effect: Effect) -> Iterator[Effect]:
    """Yield the powers that an effect lets be used later, by an action, a choice or a roll, or by others at a moment.

    What was settled when it happened, such as who was near then, is left out.
    """
    if effect.do == "can-use":
        if effect.costs is not None or (effect.moment is not None and not effect.to_self):
            yield _from_then_on(effect, effect.to)
        return
    ways = (way for _, given in effect.given if isinstance(given, tuple) for way in given)
    for way in ways:
        for inner in way.effects if isinstance(way, Outcome | Option) else ():
            if inner.do == "can-use":
                yield _from_then_on(inner, inner.to or effect.to)
            else:
                yield from lent(inner)


def _from_then_on(effect: Effect, to: Who | None) -> Effect:
    if to is not None:
        to = replace(to, within=None, line_of_fire=False, their_line_of_fire=False, choose=None, hit=False)
        to = replace(to, attacker=False, beside=None, of_moment=False, rolled_for=False)
    return replace(effect, to=to, when=None, moment=None, after=None, whose=None, costs=None, limit=None)


@dataclass(frozen=True, slots=True)
class Requires:
    """The prerequisites of a feat or a team ability card: what a character's click and base show."""

    powers: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    values: tuple[tuple[ValueName, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A card, or what one paragraph of a card says.

    - `squares`: where a card of a side or of the battle counts, such as special terrain; everywhere if there are none.
    - `requires`: without what it doesn't count. `points`: what a feat is worth, scored with its character.
    """

    name: str
    kind: CardKind = CardKind.OTHER
    slot: Literal["speed", "attack", "defense", "damage"] | None = None
    clicks: tuple[int, ...] = ()
    text: str = ""
    effects: tuple[Effect, ...] = ()
    squares: tuple[Square, ...] = ()
    requires: Requires | None = None
    points: int = 0
    passing: bool = field(init=False, compare=False)
    """Whether an effect may begin or end to count though the position stays the same."""
    for_others: bool = field(init=False, compare=False)
    """Whether an effect reaches other characters while it counts."""
    moments: frozenset[CardMoment] = field(init=False, compare=False)
    """The moments at which something happens."""
    watched: frozenset[CardMoment] = field(init=False, compare=False)
    """Those of them that are moments of other characters."""
    kept: dict[Any, Any] = field(init=False, compare=False, repr=False)
    """What the rules have found about it once and for all."""

    def __post_init__(self) -> None:
        """Find once what its effects are about."""
        moments = (one.moment or (CardMoment.WHEN_KO if one.do == "special-ko" else None) for one in self.effects)
        object.__setattr__(self, "passing", any(one.passing for one in self.effects))
        later = (one for effect in self.effects for one in lent(effect))
        object.__setattr__(self, "for_others", any(not one.for_bearer for one in (*self.effects, *later)))
        object.__setattr__(self, "moments", frozenset(moment for moment in moments if moment is not None))
        watched = (one.moment for one in self.effects if one.whose is not None and one.moment is not None)
        object.__setattr__(self, "watched", frozenset(watched))
        object.__setattr__(self, "kept", {})

    def fixed_against(self, what: str) -> bool:
        """Return whether it can't be countered, or ignored."""
        return any(one.do == "fixed" and what in one.words("against") for one in self.effects)

    @property
    def title(self) -> str:
        """Its name with its kind, as steps name it: "Wing Gust, trait"."""
        return self.titled(self.name)

    def titled(self, name: str) -> str:
        """Return a name of one of its actions with its kind."""
        return f"{name}, {self.kind.value.replace('-', ' ')}"

    def name_of(self, effect: Effect) -> str:
        """Return the name of the action that lets an effect happen: "Wing Gust", or "Wing Gust (2)" for a second one."""
        return self.name if effect.part == 1 else f"{self.name} ({effect.part})"
