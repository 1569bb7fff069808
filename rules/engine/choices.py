"""`Choices`: the players' choices for an action, as values that rules can use without reading JSON.

None means that no choice was made. A value of the wrong kind is kept as one that no rule allows: a choice for a
decision that never arises is ignored, and the rule that asks for a choice explains why the value is wrong. The keys are
those of FORMATS.md › Actions, `choose`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Final, Literal, NamedTuple

from rules.engine.position.squares import Square


class ChosenPlace(NamedTuple):
    """Where a character or object is put: its squares, and the document's own words to quote in a refusal."""

    words: str
    squares: tuple[Square, ...] = ()

    @property
    def square(self) -> Square | None:
        """The one chosen square; None where the choice isn't a single square."""
        return self.squares[0] if len(self.squares) == 1 else None


class RerolledBy(NamedTuple):
    """One of several rerolls of an action: the character that makes it possible, and whether by its themed team."""

    character: str
    themed: bool = False


class Declined(NamedTuple):
    """A declined power, by its topic or name, and the id of the character that declines it (None: not named)."""

    power: str
    bearer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The choices made for one action; None for those not made.

    - `counter`: the power that Outwit turns off; `value`, `by`: the combat value that Perplex changes, and by how much.
    - `square`: where Telekinesis puts its target; `squares`: where markers are placed, or the squares a peanut base
      turns onto (None for an entry that isn't a square).
    - `places`: where each carried, rescued or released character is put.
    - `knock_back`: whether targets are knocked back; `direction`, `directions`: the direction for all targets or for
      each.
    - `reroll_by`: the id of the character that uses Probability Control, or those of several rerolls in their order.
    - `masterminds`: who takes the damage for each character with Mastermind; None where it takes the damage itself.
    - `relic`: the lowest result that assigns the relic; `unstack`: the token that leaves its stack, true for any.
    - `team`: the team ability that a wild card uses, "" for none.
    - `declined`: the optional powers that aren't used.
    """

    counter: str | None = None
    value: str | None = None
    by: int | None = None
    square: ChosenPlace | None = None
    squares: tuple[Square | None, ...] | None = None
    places: Mapping[str, ChosenPlace] = field(default_factory=dict)
    knock_back: bool | Literal["unclear"] | None = None
    direction: str | None = None
    directions: Mapping[str, str] = field(default_factory=dict)
    reroll_by: str | tuple[RerolledBy, ...] | None = None
    masterminds: Mapping[str, str | None] = field(default_factory=dict)
    relic: int | None = None
    unstack: str | bool = False
    team: str | None = None
    declined: tuple[Declined, ...] | None = None

    @property
    def rerollers(self) -> tuple[str, ...]:
        """The ids of the characters that make rerolls possible."""
        if isinstance(self.reroll_by, tuple):
            return tuple(one.character for one in self.reroll_by)
        return () if self.reroll_by is None else (self.reroll_by,)

    def with_those_of(self, granted: Choices) -> Choices:
        """Return these choices combined with those of an action that this one grants, which take precedence."""
        if granted == NO_CHOICES:
            return self
        made = {one.name: getattr(granted, one.name) for one in fields(granted)}
        made["directions"] = {**self.directions, **granted.directions}
        made["masterminds"] = {**self.masterminds, **granted.masterminds}
        unmade = {one.name: getattr(NO_CHOICES, one.name) for one in fields(granted)}
        return replace(self, **{name: choice for name, choice in made.items() if choice != unmade[name]})


NO_CHOICES: Final = Choices()
