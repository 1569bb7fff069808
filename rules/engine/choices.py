"""`Choices`: what the players chose for an action, as values that a rule can use without reading JSON.

Null stands for a choice that was not made. A value of the wrong kind is kept as one that no rule allows, because a
choice for a decision that never arises is ignored, and one that does arise is answered by its own rule. The keys are
those of FORMATS.md › Actions, `choose`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Final, Literal, NamedTuple

from rules.engine.position.squares import Square


class ChosenPlace(NamedTuple):
    """Where somebody or something is put: the squares, and the words of the document for the sentence of a refusal."""

    words: str
    squares: tuple[Square, ...] = ()

    @property
    def square(self) -> Square | None:
        """The one square that was chosen, None where it is not one."""
        return self.squares[0] if len(self.squares) == 1 else None


class Declined(NamedTuple):
    """A power, by its topic or its name, and the id of the character that declines it; None where none is named."""

    power: str
    bearer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What was chosen for one action, None for what was not.

    - `counter`: what Outwit turns off; `value`, `by`: the combat value that Perplex changes and by how much.
    - `square`: where Telekinesis puts what it lifts; `squares`: where markers are placed, or to where a peanut base
      turns (None in the place of what is no square).
    - `places`: where each carried, rescued or released character is put.
    - `knock_back`: whether targets are knocked back; `direction`, `directions`: to where, for all and for each.
    - `reroll_by`: the id of the character that uses Probability Control.
    - `masterminds`: who takes the damage for each character with Mastermind, None where it takes the damage itself.
    - `relic`: the lowest result that assigns the relic; `unstack`: the token that leaves its stack, true for any.
    - `declined`: the optional powers that are not used.
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
    reroll_by: str | None = None
    masterminds: Mapping[str, str | None] = field(default_factory=dict)
    relic: int | None = None
    unstack: str | bool = False
    declined: tuple[Declined, ...] | None = None

    def with_those_of(self, granted: Choices) -> Choices:
        """Return these choices with those of an action that this one grants, which go first."""
        if granted == NO_CHOICES:
            return self
        made = {one.name: getattr(granted, one.name) for one in fields(granted)}
        made["directions"] = {**self.directions, **granted.directions}
        made["masterminds"] = {**self.masterminds, **granted.masterminds}
        unmade = {one.name: getattr(NO_CHOICES, one.name) for one in fields(granted)}
        return replace(self, **{name: choice for name, choice in made.items() if choice != unmade[name]})


NO_CHOICES: Final = Choices()
