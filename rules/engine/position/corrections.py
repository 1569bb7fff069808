"""A published correction of a figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.position.characters import Character, SpeedSymbol


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureCorrection:
    """One correction: the figure's name, its set's names and its number; what is removed and what replaces it."""

    id: str
    name: str
    sets: frozenset[str]
    number: str
    teams_removed: tuple[str, ...] = ()
    teams_added: tuple[str, ...] = ()
    speed_symbol: SpeedSymbol | None = None
    powers_replaced: Mapping[str, str]

    def concerns(self, character: Character) -> bool:
        """Return whether the character is that figure; an unspecified set is assumed to match."""
        if not character.number or character.number.strip().lstrip("0") != self.number:
            return False
        if plain(character.name) != plain(self.name):
            return False
        return not character.set.strip() or character.set.strip().casefold() in self.sets


def plain(name: str) -> str:
    """Return a figure's name without case, spaces and hyphens: the book itself spells Man-Bat in two ways."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())
