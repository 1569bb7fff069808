"""Display of combat dials: the value each standard power is printed on, its colour, the symbols, the clicks.

Only the printed appearance; effects of powers are in the engine. Names are those of the Powers and Abilities Cards of
all years, including both names of renamed powers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SLOTS = ("speed", "attack", "defense", "damage")
COLOURS = (
    "red", "orange", "yellow", "lime", "green", "sky", "blue", "purple", "pink", "brown", "black", "gray",
)  # fmt: skip
CARD: dict[str, tuple[str | tuple[str, ...], ...]] = {
    "speed": (
        "Flurry", "Leap/Climb", ("Phasing", "Phasing/Teleport"), ("Earthbound", "Earthbound/Neutralized"), "Charge",
        "Mind Control", "Plasticity", "Force Blast", "Sidestep", "Hypersonic Speed", "Stealth", "Running Shot",
    ),
    "attack": (
        "Blades/Claws/Fangs", "Energy Explosion", "Pulse Wave", "Quake", "Super Strength", "Incapacitate",
        ("Psychic Blast", "Penetrating/Psychic Blast"), "Smoke Cloud", "Precision Strike", "Poison", "Steal Energy",
        "Telekinesis",
    ),
    "defense": (
        "Super Senses", "Toughness", "Defend", "Combat Reflexes", "Energy Shield/Deflection", "Barrier", "Mastermind",
        "Willpower", "Invincible", "Impervious", "Regeneration", "Invulnerability",
    ),
    "damage": (
        "Ranged Combat Expert", "Battle Fury", "Support", "Exploit Weakness", "Enhancement", "Probability Control",
        "Shape Change", "Close Combat Expert", "Empower", "Perplex", "Outwit", "Leadership",
    ),
}  # fmt: skip


def _places() -> dict[str, tuple[str, str]]:
    found = {}
    for slot, row in CARD.items():
        for colour, entry in zip(COLOURS, row, strict=True):
            for name in entry if isinstance(entry, tuple) else (entry,):
                found[name] = (slot, colour)
    return found


PLACES = _places()
"""Standard power → the value it is printed on, and its colour."""

SYMBOLS = {
    "speed": ("boot", "wing", "dolphin", "transporter-boot", "transporter-wing", "transporter-dolphin"),
    "attack": ("fist", "duo", "sharpshooter", "autonomous"),
    "defense": ("shield", "indomitable"),
    "damage": ("standard", "tiny", "giant", "colossal", "sentinel"),
}


def plain(name: str) -> str:
    """Return a power's name in the form used for comparing files' spellings: lower-case letters only."""
    return re.sub(r"[^a-z]+", "", name.casefold())


STANDARD_POWERS = {plain(name): name for name in PLACES}
STANDARD_POWERS |= {plain(name.replace("/", " and ")): name for name in PLACES if "/" in name}


def standard_power(name: str) -> str | None:
    """Return the name by which the card prints this power, whatever its spelling; None for a special power."""
    return STANDARD_POWERS.get(plain(name))


ALIKE = {"Invincible": "Ivc", "Invulnerability": "Ivl"}


def short(name: str) -> str:
    """Return the abbreviation of a power's name, two or three letters, so that a dial is readable without colours."""
    if name in ALIKE:
        return ALIKE[name]
    words = [word for word in re.split(r"[^A-Za-z0-9]+", name) if word]
    letters = "".join(word[0] for word in words[:3]) if len(words) > 1 else name[:2]
    return letters.upper() if len(words) > 1 else letters


@dataclass(frozen=True)
class Value:
    """One number of a click, with the power printed around it."""

    slot: str
    number: int | None
    power: str = ""
    colour: str = ""

    @property
    def short(self) -> str:
        """The abbreviation of the power."""
        return short(self.power)


@dataclass(frozen=True)
class StatSlot:
    """The stat slot: four values, or `ko` if it shows that the character is knocked out."""

    number: int
    values: tuple[Value, ...] = ()
    starts: tuple[int, ...] = ()
    is_start: bool = False
    ko: bool = False

    @property
    def spoken(self) -> str:
        """The four values in one line, each with its power: `7 Charge, 9, 16, 2`."""
        return ", ".join(
            f"{'?' if value.number is None else value.number} {value.power}".strip() for value in self.values
        )


@dataclass(frozen=True)
class PowerOnDial:
    """A power with its clicks, for the list beside the dial."""

    name: str
    slot: str
    colour: str
    numbers: tuple[int, ...]
    is_special: bool = False
    gives: tuple[str, ...] = ()

    @property
    def clicks(self) -> str:
        """The numbers of its clicks as text."""
        return spans(self.numbers)

    @property
    def short(self) -> str:
        """The abbreviation of the power."""
        return short(self.name)


@dataclass(frozen=True)
class Dial:
    """A whole dial, ready to be drawn by `parts/dial.html`."""

    clicks: tuple[StatSlot, ...]
    powers: tuple[PowerOnDial, ...]
    symbols: Mapping[str, str] = field(default_factory=dict)

    @property
    def ends_with_line(self) -> bool:
        """Whether every click holds values, so that the character is knocked out past the last one."""
        return not self.clicks[-1].ko

    @property
    def has_starts(self) -> bool:
        """Whether several point values start on different clicks."""
        return any(click.starts for click in self.clicks)

    @property
    def rows(self) -> list[tuple[str, str, list[Value | None]]]:
        """The dial as a table: slot, its symbol, and its value on each click (None: knocked out)."""
        return [
            (
                slot,
                self.symbols.get(slot, SYMBOLS[slot][0]),
                [None if click.ko else click.values[place] for click in self.clicks],
            )
            for place, slot in enumerate(SLOTS)
        ]


def spans(numbers: Iterable[int]) -> str:
    """Return click numbers as text: [1, 2, 3, 6] → "1–3, 6"."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in parts)


def dial_of(facts: Mapping[str, Any]) -> Dial | None:
    """Return the dial of a figure's facts; None if it isn't in the catalogue.

    The clicks after the last one show KO, up to the dial's own number of clicks (12 if unknown); a dial printed all the
    way around has none and ends with a line instead.
    """
    printed = facts.get("dial") or []
    if not printed:
        return None
    starts: dict[int, list[int]] = {}
    for points, click in (facts.get("starts") or {}).items():
        starts.setdefault(click, []).append(int(points))
    if not starts:
        starts = {1: []}
    clicks = []
    stands: dict[tuple[str, str], list[int]] = {}
    for number, click in enumerate(printed, 1):
        if click.get("ko"):
            clicks.append(StatSlot(number, ko=True))
            continue
        powers = click.get("powers") or {}
        values = []
        for slot in SLOTS:
            name = powers.get(slot, "")
            colour = PLACES[name][1] if name in PLACES else ("special" if name else "")
            values.append(Value(slot, click.get(slot), name, colour))
            if name:
                stands.setdefault((slot, name), []).append(number)
        clicks.append(
            StatSlot(
                number,
                tuple(values),
                tuple(sorted(starts.get(number, []), reverse=True)),
                is_start=number in starts,
            )
        )
    length = facts.get("dial_clicks") or 12
    clicks += [StatSlot(number, ko=True) for number in range(len(printed) + 1, length + 1)]
    special = {power["name"]: tuple(power.get("powers", ())) for power in facts.get("special_powers") or []}
    listed = [
        PowerOnDial(
            name,
            slot,
            PLACES[name][1] if name in PLACES else "special",
            tuple(numbers),
            name not in PLACES,
            special.get(name, ()),
        )
        for (slot, name), numbers in sorted(stands.items(), key=lambda each: (SLOTS.index(each[0][0]), each[1][0]))
    ]
    return Dial(tuple(clicks), tuple(listed), facts.get("symbols") or {})
