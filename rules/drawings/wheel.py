"""The combat dial as it lies under a base: a wheel of clicks, each with its four values on their powers' colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rules.dials import SLOTS, Dial, StatSlot, Value

RIM, HUB = 190.0, 66.0
FEWEST = 6
"""A dial of fewer clicks leaves the rest of the wheel empty: its sectors don't reach around half of it."""


@dataclass(frozen=True)
class Cell:
    """One value: its shape as an SVG path, where its number stands, and its colour."""

    path: str
    number: str
    x: float
    y: float
    turn: float
    size: float
    colour: str


@dataclass(frozen=True)
class Wheel:
    """A whole wheel, ready for `parts/wheel.html`; `window` is the path of the stat slot at the top."""

    cells: tuple[Cell, ...]
    window: str


def _at(radius: float, turn: float) -> tuple[float, float]:
    angle = math.radians(turn - 90)
    return round(radius * math.cos(angle), 1), round(radius * math.sin(angle), 1)


def _sector(inner: float, outer: float, first: float, last: float) -> str:
    (ax, ay), (bx, by) = _at(outer, first), _at(outer, last)
    (cx, cy), (dx, dy) = _at(inner, last), _at(inner, first)
    return f"M{ax} {ay}A{outer} {outer} 0 0 1 {bx} {by}L{cx} {cy}A{inner} {inner} 0 0 0 {dx} {dy}z"


def wheel_of(clicks: Sequence[StatSlot]) -> Wheel:
    """Return the wheel of a dial's clicks, turned so that the starting click stands at the top."""
    start = next((place for place, click in enumerate(clicks) if click.is_start), 0)
    around = max(len(clicks), FEWEST)
    step, ring = 360 / around, (RIM - HUB) / len(SLOTS)
    cells = []
    for place, click in enumerate(clicks):
        turn = (place - start) * step
        for row, _slot in enumerate(SLOTS):
            outer = RIM - row * ring
            middle = outer - ring / 2
            x, y = _at(middle, turn)
            value = None if click.ko else click.values[row]
            number = "KO" if value is None and row == 0 else "" if value is None else str(value.number or 0)
            size = min(21.0, 0.62 * math.tau * middle / around)
            colour = value.colour if value else ""
            path = _sector(outer - ring, outer, turn - step / 2, turn + step / 2)
            cells.append(Cell(path, number, x, y, round(turn, 1), round(size, 1), colour))
    return Wheel(tuple(cells), _sector(HUB, RIM, -step / 2, step / 2))


def wheel_of_dial(dial: Dial) -> Wheel:
    """Return the wheel of a figure's dial."""
    return wheel_of(dial.clicks)


def _click(number: int, text: str) -> StatSlot:
    values = []
    for slot, part in zip(SLOTS, text.split(), strict=True):
        digits, _, colour = part.partition(":")
        values.append(Value(slot, int(digits), colour=colour))
    return StatSlot(number, tuple(values), is_start=number == 1)


SHOWN_AT_HOME = wheel_of(
    [
        *(
            _click(number, text)
            for number, text in enumerate(
                (
                    "10:orange 11:lime 17:sky 4:red",
                    "10:orange 11:lime 17:sky 3:red",
                    "9:orange 10 17:sky 3",
                    "9:yellow 10:blue 16:orange 3:purple",
                    "8:yellow 10:blue 16:orange 2:purple",
                    "8:green 9:blue 16:orange 2:pink",
                    "7:green 9 15:purple 2:pink",
                    "6:black 8:gray 15:purple 1",
                ),
                1,
            )
        ),
        *(StatSlot(number, ko=True) for number in (9, 10, 11, 12)),
    ]
)
"""An invented figure's wheel, for the home page."""
