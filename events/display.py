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
"""Letters on a line beside the clock; across the whole screen there is room for twice as many."""
WITHOUT_CLOCK = 2
"""Lines less where the list has the whole screen and larger letters."""
SECONDS = (5, 120)

Line = TypeVar("Line")


@dataclass(frozen=True)
class Settings:
    """What somebody chose for one window of the display; each window may choose differently."""

    parts: tuple[str, ...] = PARTS
    seconds: int = 12
    size: str = "normal"

    @property
    def lines(self) -> int:
        """How many single lines fit on a page."""
        return SIZES[self.size] - (0 if "clock" in self.parts else WITHOUT_CLOCK)

    @property
    def letters(self) -> int:
        """How many letters fit on a line: beside the clock, or across the whole screen."""
        return LETTERS[self.size] * (1 if "clock" in self.parts else 2)


def read_settings(asked: Mapping[str, Any], several: Sequence[str]) -> Settings:
    """Return the settings from a query string; what makes no sense is left at its default."""
    parts = tuple(part for part in PARTS if part in several) or PARTS
    seconds = str(asked.get("seconds", ""))
    wanted = int(seconds) if seconds.isascii() and seconds.isdecimal() and len(seconds) < 6 else Settings.seconds
    size = asked.get("size", "")
    return Settings(parts, min(max(wanted, SECONDS[0]), SECONDS[1]), size if size in SIZES else Settings.size)


@dataclass(frozen=True)
class Slide:
    """A page of the display: its title, its kind, its lines, and which page of how many it is."""

    kind: str
    title: str
    lines: tuple[Any, ...] = field(default=())
    number: int = 1
    of: int = 1


def paged(kind: str, title: str, lines: Iterable[tuple[Line, int]], settings: Settings) -> list[Slide]:
    """Return pages as long as the settings let them be; each line comes with its letters, long ones take two."""
    pages: list[list[Line]] = [[]]
    used = 0
    for line, letters in lines:
        takes = 1 + max(0, letters - 1) // settings.letters
        if used and used + takes > settings.lines:
            pages.append([])
            used = 0
        pages[-1].append(line)
        used += takes
    pages = [page for page in pages if page]
    return [Slide(kind, title, tuple(page), number, len(pages)) for number, page in enumerate(pages, 1)]
