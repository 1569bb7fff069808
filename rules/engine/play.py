"""`Play`: the one mutable object of an adjudication. It holds the position of now, the edition and the steps so far.

Everything else is frozen. A question takes a `Play` and changes nothing; an action changes
`play.position` and records what it did. What was worked out from a part of the position (the
ground, who stands where) is kept until that part is another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from rules.engine.edition import Edition
from rules.engine.position.characters import Character
from rules.engine.position.position import Position
from rules.engine.position.squares import Square
from rules.engine.steps import Step, StepName

Drawn = TypeVar("Drawn")
AttackKind = Literal["close", "ranged"]


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack in progress, or one that is asked about: its kind, who attacks whom, and the powers used.

    `hindered` is whether the target gains the hindering terrain modifier, None while no line is drawn.
    """

    kind: AttackKind
    attacker: Character
    target: Character | None = None
    using: tuple[str, ...] = ()
    hindered: bool | None = None


@dataclass(slots=True)
class Play:
    """A battle while it is adjudicated."""

    edition: Edition
    position: Position
    steps: list[Step] = field(default_factory=list)
    action: int = 0
    _drawings: dict[str, tuple[tuple[Any, ...], Any]] = field(default_factory=dict, repr=False)

    def drawn(self, name: str, sources: tuple[object, ...], draw: Callable[[], Drawn]) -> Drawn:
        """Return what `draw` makes of these parts of the position, drawn once for as long as they are the same."""
        kept = self._drawings.get(name)
        if kept is not None and len(kept[0]) == len(sources):
            for old, new in zip(kept[0], sources, strict=True):
                if old is not new:
                    break
            else:
                return kept[1]
        made = draw()
        self._drawings[name] = (sources, made)
        return made

    def character(self, name: str) -> Character:
        """Return the character of that id as it is now."""
        return self.position.character(name)

    def change(self, changed: Character) -> None:
        """Put the changed character in place of the one of the same id."""
        self.position = self.position.with_character(changed)

    def player_of(self, character: Character) -> str:
        """Return the player whose force the character is on."""
        players = self.drawn("players", (self.position.sides,), self._players)
        return players[character.id]

    def _players(self) -> dict[str, str]:
        return {character.id: side.player for side in self.position.sides for character in side.characters}

    def friendly(self, one: Character, other: Character) -> bool:
        """Return whether two characters are on the same side."""
        return self.player_of(one) == self.player_of(other)

    def record(
        self,
        step: StepName,
        text: str,
        topics: Iterable[str] = (),
        numbers: dict[str, Any] | None = None,
        changes: dict[str, Any] | None = None,
    ) -> None:
        """Add a step to the record: what happened, with the citations of its topics in this edition."""
        named = tuple(dict.fromkeys(topics))
        self.steps.append(
            Step(self.action, step, text, named, self.edition.cite(named), (), numbers or {}, changes or {})
        )


@dataclass(frozen=True, slots=True)
class Spot:
    """One end of a question: a bare square, or a character with the squares it occupies."""

    squares: tuple[Square, ...]
    character: Character | None = None

    @property
    def name(self) -> str:
        """How a sentence names this end."""
        if self.character is not None:
            return self.character.name
        return self.squares[0].name if self.squares else "nothing"


def spot_of(character: Character) -> Spot:
    """Return the spot where a character stands."""
    return Spot(character.squares, character)
