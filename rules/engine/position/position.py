"""A whole battle at one moment: the map, the objects, the sides with their characters, the turn.

Frozen: every change makes a new position that shares the unchanged parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.engine.changes import with_changes
from rules.engine.position.cards import Card
from rules.engine.position.characters import Character
from rules.engine.position.event_dials import EventDial
from rules.engine.position.maps import BattleMap
from rules.engine.position.objects import BattleObject

THICK_FOG, THIN_FOG, NO_FOG = "thick", "thin", ""
"""Fog that hinders ranged attacks and movement, or ranged attacks alone, or neither (Blackout!, 2002)."""
FIRST_ROLL_AGAINST_FOG, GAME_AFTER_FOG = 5, 5
"""The full turn after which the first roll against the fog is made, and the full turns of play after it succeeds."""


@dataclass(frozen=True, slots=True)
class Side:
    """One player's characters, themes and actions."""

    player: str
    characters: tuple[Character, ...] = ()
    themed_team: str | None = None
    ttpc_used: int = 0
    action_total_modifier: int = 0
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """The active player and the number of the turn, counted from 1 over all players."""

    active: str
    number: int = 9


@dataclass(frozen=True, slots=True)
class Position:
    """A battle at one moment.

    `scenario`: the one whose special rules hold, "" for none. `fog_broke_up`: the full turn at whose end the fog of a
    blackout began to lift. `rift`: the number on the die of the dimensional rift, 0 once it is closed.
    """

    build_total: int
    map: BattleMap
    objects: tuple[BattleObject, ...]
    sides: tuple[Side, ...]
    turn: Turn
    cards: tuple[Card, ...] = ()
    scenario: str = ""
    event_dial: EventDial | None = None
    fog_broke_up: int | None = None
    rift: int = 1

    @property
    def full_turn(self) -> int:
        """The number of the full turn, in which each player has one, counted from 1."""
        return (self.turn.number - 1) // len(self.sides) + 1

    @property
    def ends_full_turn(self) -> bool:
        """Whether the turn is the last one of its full turn."""
        return self.turn.number % len(self.sides) == 0

    @property
    def fog(self) -> str:
        """How the fog of a blackout acts now (Blackout!, 2002)."""
        if self.scenario != "blackout":
            return NO_FOG
        if self.fog_broke_up is None or self.full_turn <= self.fog_broke_up:
            return THICK_FOG
        return THIN_FOG if self.full_turn == self.fog_broke_up + 1 else NO_FOG

    @property
    def carded(self) -> bool:
        """Whether a character, a side, an object or the battle has cards."""
        return any(True for _ in self.every_card())

    def every_card(self) -> Iterator[Card]:
        """Yield every card of the battle, its event dial, its sides, characters and objects."""
        yield from self.cards
        if self.event_dial is not None:
            yield from self.event_dial.every_card()
        for side in self.sides:
            yield from side.cards
            for character in side.characters:
                yield from character.cards
        for thing in self.objects:
            yield from thing.cards

    def cards_for_all(self) -> tuple[Card, ...]:
        """Return the cards that count for all characters now: those of the battle and of its event dial's colours."""
        return self.cards if self.event_dial is None else (*self.cards, *self.event_dial.cards)

    def characters(self) -> Iterator[Character]:
        """Yield every character, one side after the other, including those off the map."""
        for side in self.sides:
            yield from side.characters

    def find(self, name: str) -> Character | None:
        """Return the character with that id, or None."""
        for side in self.sides:
            for character in side.characters:
                if character.id == name:
                    return character
        return None

    def character(self, name: str) -> Character:
        """Return the character with that id. Raises KeyError if there is none."""
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def object(self, name: str) -> BattleObject | None:
        """Return the object with that id, or None."""
        return next((thing for thing in self.objects if thing.id == name), None)

    def side_of(self, name: str) -> Side:
        """Return the side of the character with that id. Raises KeyError if there is none."""
        for side in self.sides:
            if any(character.id == name for character in side.characters):
                return side
        raise KeyError(name)

    def with_character(self, changed: Character) -> Position:
        """Return the position with this character replacing the one with the same id."""
        sides = tuple(
            with_changes(side, characters=tuple(changed if c.id == changed.id else c for c in side.characters))
            if any(c.id == changed.id for c in side.characters)
            else side
            for side in self.sides
        )
        return with_changes(self, sides=sides)

    def moved_over(self, name: str, player: str) -> Position:
        """Return the position with a character moved to the end of that player's side."""
        one = self.character(name)
        sides = tuple(
            replace(side, characters=(*(c for c in side.characters if c.id != name), one))
            if side.player == player
            else replace(side, characters=tuple(c for c in side.characters if c.id != name))
            for side in self.sides
        )
        return replace(self, sides=sides)

    def with_object(self, changed: BattleObject) -> Position:
        """Return the position with this object replacing the one with the same id."""
        return replace(self, objects=tuple(changed if thing.id == changed.id else thing for thing in self.objects))

    def with_event_dial(self, click: int) -> Position:
        """Return the position with its event dial at that click, and a new tuple of sides: other cards count for them.

        Raises AssertionError if it has none.
        """
        assert self.event_dial is not None
        return replace(self, event_dial=replace(self.event_dial, click=click), sides=(*list(self.sides),))

    def with_map(self, changed: BattleMap) -> Position:
        """Return the position with another map."""
        return replace(self, map=changed)
