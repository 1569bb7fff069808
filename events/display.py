"""The projector display: which parts it shows, and how they are divided into pages.

Pure functions from lines to pages. Heights are percentages of the screen's height, as in the stylesheet; widths are
those of a 16:9 screen. Browsers without scripts show these pages; otherwise config/static/display.js lays the same
lines out again for the measured screen. Pages turn by script or, without scripts, by reloading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, TypeVar

PARTS = ("clock", "pairings", "drafts", "bracket", "standings", "prizes", "announcements")
SIZES = {"normal": 3.75, "large": 4.8}
"""Letter heights: above 40 px on a screen of 1080, to be legible from ten metres."""
THEMES = ("", "light", "dark", "white-on-black", "black-on-white")
OPPONENTS = ("auto", "yes", "no")
PLACES = ("auto", "all")
MAX_SHARES = 4
SECONDS = (5, 120)
PAGES_WITH_OPPONENTS = 3
"""Opponents are shown beside each name if the list then takes at most this many pages; otherwise names and tables."""
MANY = 150
"""From this many players, only the top places of the standings are shown during a round."""
FIRST_PLACES = 48
AREA_BELOW_CLOCK, AREA = 62, 82
WIDTH, GAP, BESIDE = 170, 4, 11
"""Widths of the page, between two columns, and of what a column has beside the names."""
ROW_MORE = 1.1
"""Height of a row beyond its letters, for leading and the rule below."""
LETTER = 0.57
"""Average width of a letter as a fraction of its height."""
STRIP_LETTER, STRIP_LINE, STRIP_MORE = 2.3, 4.8, 1.8
MAX_STRIPS = 0.4
"""Announcements below the pages take at most this share; the newest always stays, others get pages."""
ANNOUNCED = (6.4, 58)
"""Line height of an announcement on its own page, and its letters per line."""
MAX_PREFIX = 3
MAX_ROOMY = 8
"""Lists of up to this many lines are shown larger."""

Shared = TypeVar("Shared")


@dataclass(frozen=True)
class Settings:
    """The options chosen for one window of the display; each window has its own."""

    parts: tuple[str, ...] = PARTS
    seconds: int = 12
    size: str = "normal"
    theme: str = ""
    opponents: str = "auto"
    places: str = "auto"
    share: tuple[int, int] = (1, 1)
    """This window's part of each list and the number of parts, to divide a long list among projectors."""

    def most_places(self, players: int, *, playing: bool) -> int:
        """Return how many places the standings show."""
        return FIRST_PLACES if self.places == "auto" and playing and players > MANY else players


@dataclass(frozen=True)
class Room:
    """What fits on a page: columns, lines per column, letters per line."""

    columns: int
    lines: int
    letters: int


@dataclass(frozen=True)
class DisplayLine:
    """A line of a list: its cells, its number of letters, and its sort word ("" if the list has its own order)."""

    cells: Any
    letters: int
    key: str = ""


def room_of(settings: Settings, *, clock: bool, columns: int = 2, strips: Sequence[int] = ()) -> Room:
    """Return the room below the clock (or on the whole screen) above the strips of announcements, given by letters."""
    letter = SIZES[settings.size]
    height = (AREA_BELOW_CLOCK if clock else AREA) - sum(strip_height(letters) for letters in strips)
    width = (WIDTH - GAP * (columns - 1)) / columns - BESIDE
    return Room(columns, max(3, int(height / (letter + ROW_MORE))), int(width / (LETTER * letter)))


def room_for_words(*, clock: bool) -> Room:
    """Return the room of a page of announcements only."""
    height, letters = ANNOUNCED
    return Room(1, int((AREA_BELOW_CLOCK if clock else AREA) / height), letters)


def strip_height(letters: int) -> float:
    """Return the height of an announcement that stays below the pages."""
    return ceil(max(1, letters) * STRIP_LETTER / WIDTH) * STRIP_LINE + STRIP_MORE


def strips_of(words: Sequence[str], settings: Settings, *, clock: bool) -> int:
    """Return how many announcements, newest first, stay below the pages; the others get their own pages.

    A window that shows only announcements has pages of them only.
    """
    if settings.parts == ("announcements",):
        return 0
    used, most = 0.0, MAX_STRIPS * (AREA_BELOW_CLOCK if clock else AREA)
    for number, text in enumerate(words):
        used += strip_height(len(text))
        if number and used > most:
            return number
    return len(words)


def read_settings(asked: Mapping[str, Any], several: Sequence[str]) -> Settings:
    """Return the settings from a query string; invalid values give the defaults."""
    parts = tuple(part for part in PARTS if part in several) or PARTS
    seconds = str(asked.get("seconds", ""))
    wanted = int(seconds) if seconds.isascii() and seconds.isdecimal() and len(seconds) < 6 else Settings.seconds

    def one(name: str, known: Iterable[str], default: str) -> str:
        given = asked.get(name, "")
        return given if given in known else default

    shares = {f"{part}/{of}": (part, of) for of in range(1, MAX_SHARES + 1) for part in range(1, of + 1)}
    return Settings(
        parts,
        min(max(wanted, SECONDS[0]), SECONDS[1]),
        one("size", SIZES, Settings.size),
        one("theme", THEMES, Settings.theme),
        one("opponents", OPPONENTS, Settings.opponents),
        one("places", PLACES, Settings.places),
        shares.get(asked.get("share", ""), Settings.share),
    )


@dataclass(frozen=True)
class Slide:
    """A page of the display: title, range, kind, lines in columns (or a drawing), page number and number of pages."""

    kind: str
    title: str
    columns: tuple[tuple[DisplayLine, ...], ...] = field(default=())
    number: int = 1
    of: int = 1
    range: str = ""
    most_columns: int = 1
    drawing: str = ""

    @property
    def lines(self) -> list[DisplayLine]:
        """All lines in order."""
        return [line for column in self.columns for line in column]

    @property
    def is_roomy(self) -> bool:
        """Return whether a list is short enough to be shown larger, in one column across the page."""
        return self.of == 1 and len(self.columns) == 1 and len(self.lines) <= MAX_ROOMY and self.kind != "words"


def shared(lines: Sequence[Shared], share: tuple[int, int]) -> Sequence[Shared]:
    """Return one window's part of a list; the parts of all windows make up the list."""
    part, of = share
    return lines[len(lines) * (part - 1) // of : len(lines) * part // of]


def _beginning(word: str, other: str) -> str:
    """Return the fewest first letters that distinguish a word from its neighbour on the next page."""
    for length in range(1, MAX_PREFIX + 1):
        if word[:length] != other[:length]:
            return word[:length].strip().capitalize()
    return word[:MAX_PREFIX].strip().capitalize()


def ranges(pages: Sequence[Sequence[DisplayLine]]) -> list[str]:
    """Return the range of each page of an alphabetical list ("A–Ca", "Ce–F"); empty for a single page."""
    if len(pages) < 2 or not all(page and page[0].key for page in pages):
        return [""] * len(pages)
    found = []
    for at, page in enumerate(pages):
        first = _beginning(page[0].key, pages[at - 1][-1].key if at else "")
        last = _beginning(page[-1].key, pages[at + 1][0].key if at + 1 < len(pages) else "")
        found.append(first if first == last else f"{first}–{last}")
    return found


def paged(kind: str, title: str, lines: Iterable[DisplayLine], room: Room) -> list[Slide]:
    """Return pages as full as possible; a line too long for its column takes several lines."""
    filled: list[list[DisplayLine]] = [[]]
    used = 0
    for line in lines:
        takes = 1 + max(0, line.letters - 1) // room.letters
        if used and used + takes > room.lines:
            filled.append([])
            used = 0
        filled[-1].append(line)
        used += takes
    columns = [tuple(column) for column in filled if column]
    pages = [tuple(columns[at : at + room.columns]) for at in range(0, len(columns), room.columns)]
    letters = ranges([[line for column in page for line in column] for page in pages])
    return [
        Slide(kind, title, page, number, len(pages), held, room.columns)
        for number, (page, held) in enumerate(zip(pages, letters, strict=True), 1)
    ]
