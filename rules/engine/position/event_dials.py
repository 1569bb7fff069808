"""The event dial of a battle: which colours its slot shows, when it turns, what each colour does (Event Dials, 2014)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rules.engine.position.cards import Card


@dataclass(frozen=True, slots=True)
class Turning:
    """When an event dial turns, and by how many clicks; `of`: only at moments of this player's turns or characters."""

    moment: Literal["start-of-turn", "end-of-turn", "when-ko"]
    of: str | None = None
    by: int = 1


@dataclass(frozen=True, slots=True)
class EventDial:
    """An event dial with its event card. Click 1 shows the green line.

    - `clicks`: the colours in the slot at each click. `red_line`: whether the last click shows the red line.
    - `colors`: what each colour does while the slot shows it, as cards of the battle.
    """

    name: str
    clicks: tuple[tuple[str, ...], ...]
    click: int = 1
    red_line: bool = False
    turns: tuple[Turning, ...] = ()
    colors: tuple[tuple[str, tuple[Card, ...]], ...] = ()

    @property
    def showing(self) -> tuple[str, ...]:
        """The colours that the slot shows."""
        return self.clicks[self.click - 1]

    @property
    def cards(self) -> tuple[Card, ...]:
        """What the colours in the slot do."""
        return tuple(card for color, cards in self.colors if color in self.showing for card in cards)

    def every_card(self) -> Iterator[Card]:
        """Yield what each colour does, also while the slot doesn't show it."""
        for _color, cards in self.colors:
            yield from cards

    def turned(self, by: int) -> int:
        """Return the click it comes to: never back past the green line, nor on past a red line.

        Without a red line it has no end: the green line follows its last click.
        """
        if by < 0:
            return max(1, self.click + by)
        if self.red_line:
            return min(len(self.clicks), self.click + by)
        return (self.click - 1 + by) % len(self.clicks) + 1
