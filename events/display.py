"""What a projector shows: which parts, how long each page, how much fits on one.

Pure: from lines to pages. The page turns by itself (config/static/display.js) or, without scripts, by reloading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

PARTS = ("clock", "pairings", "standings", "announcements")
SIZES = {"normal": 12, "large": 9}
"""Lines on a page: names stay above 40 px at 1080p with either."""
LETTERS = {"normal": 26, "large": 20}
"""Letters on a line of a column that takes half of the screen."""
COLUMNS = 2
"""Columns where there is no clock beside the list."""
LINES_OF_A_STRIP = 2
SECONDS = (5, 120)

Line = TypeVar("Line")


@dataclass(frozen=True)
class Settings:
    """What somebody chose for one window of the display; each window may choose differently."""

    parts: tuple[str, ...] = PARTS
    seconds: int = 12
    size: str = "normal"


@dataclass(frozen=True)
class Room:
    """What fits on a page: columns, single lines in each, letters on a line."""

    columns: int
    lines: int
    letters: int


def room_of(settings: Settings, *, clock: bool, strips: int = 0) -> Room:
    """Return the room beside a clock (one column), or on the whole screen less the strips of announcements."""
    lines, letters = SIZES[settings.size], LETTERS[settings.size]
    return Room(1, lines, letters) if clock else Room(COLUMNS, max(4, lines - LINES_OF_A_STRIP * strips), letters)


def read_settings(asked: Mapping[str, Any], several: Sequence[str]) -> Settings:
    """Return the settings from a query string; what makes no sense is left at its default."""
    parts = tuple(part for part in PARTS if part in several) or PARTS
    seconds = str(asked.get("seconds", ""))
    wanted = int(seconds) if seconds.isascii() and seconds.isdecimal() and len(seconds) < 6 else Settings.seconds
    size = asked.get("size", "")
    return Settings(parts, min(max(wanted, SECONDS[0]), SECONDS[1]), size if size in SIZES else Settings.size)


@dataclass(frozen=True)
class Slide:
    """A page of the display: its title, its kind, its lines in columns, and which page of how many it is."""

    kind: str
    title: str
    columns: tuple[tuple[Any, ...], ...] = field(default=())
    number: int = 1
    of: int = 1

    @property
    def lines(self) -> list[Any]:
        """All lines in their order."""
        return [line for column in self.columns for line in column]


def paged(kind: str, title: str, lines: Iterable[tuple[Line, int]], room: Room) -> list[Slide]:
    """Return pages as full as the room lets them be; each line comes with its letters, long ones take two lines."""
    filled: list[list[Line]] = [[]]
    used = 0
    for line, letters in lines:
        takes = 1 + max(0, letters - 1) // room.letters
        if used and used + takes > room.lines:
            filled.append([])
            used = 0
        filled[-1].append(line)
        used += takes
    columns = [tuple(column) for column in filled if column]
    pages = [tuple(columns[at : at + room.columns]) for at in range(0, len(columns), room.columns)]
    return [Slide(kind, title, page, number, len(pages)) for number, page in enumerate(pages, 1)]
