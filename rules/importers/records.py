"""Results of reading a file, the same for every layout: records with their place, faults, and unknown fields.

A place is a JSON pointer, or `line 12` in XML and CSV.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from ..card_rules import allows_sideline, changes_construction
from ..card_texts import CardText, gathered
from ..documents import FACTS, LONGEST_NAME, RARITIES, BadFacts, all_faults, bad_number, read_facts, too_long
from ..uploads import LIMITS, Unreadable, check_size, is_text, refuse_archives

LARGEST_FILE = LIMITS["catalogue"].received
LONGEST_CELL = LIMITS["catalogue"].text
"""The maximum number of characters of one text; a record with a longer one is left out."""
MAX_FAULTS = 200
"""The maximum number of faults that are named for one record."""
MAX_RECORDS = 50_000
"""The maximum number of records in one import."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks with which a file in UTF-16 begins."""
PASSED_OVER = frozenset(
    {"map", "dice", "dice_card", "line_of_sight", "line_of_sight_card", "powers_and_abilities",
     "powers_and_abilities_card", "special_dial", "special_dial_card"}
)  # fmt: skip
"""Kinds of records that are no element of a game."""
GENERIC_KEYWORDS = frozenset(
    {
        "animal", "armor", "assassin", "brute", "celebrity", "cosmic", "deity", "detective", "future", "herald",
        "martial artist", "monster", "mystical", "past", "pilot", "police", "politician", "reporter", "robot",
        "ruler", "scientist", "soldier", "spy", "vehicle", "warrior",
    }
)  # fmt: skip
"""For layouts that don't distinguish generic keywords: the list of core-2014, Themed Team Generic Keywords."""


class UnreadableFile(Unreadable):
    """A file that can't be read at all; `where` is the place in it, the message says what is wrong and what to do."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where
        self.message = message


class NoElements(UnreadableFile):
    """A sound file that holds no figures, cards or objects."""


@dataclass(frozen=True)
class ElementRecord:
    """One element of the file, as facts of the catalogue and texts of its card; they are valid."""

    where: str
    set_code: str
    section: str
    facts: Mapping[str, Any]
    set_name: str = ""
    code: str = ""
    texts: Sequence[CardText] = ()
    file: str = ""


@dataclass(frozen=True)
class LeftOut:
    """A record that isn't imported: its place, its name, and its faults, each with its own place."""

    where: str
    name: str
    faults: Sequence[tuple[str, str]]
    file: str = ""


@dataclass(frozen=True)
class PassedOver:
    """A record of a kind that isn't part of a game, such as a map."""

    where: str
    name: str
    kind: str
    file: str = ""


Record = ElementRecord | LeftOut | PassedOver


@dataclass
class FileReading:
    """A whole file: its records in order, and how often each unknown field occurred; `told` hears of each record."""

    layout: str
    told: Callable[[int], None] = lambda records: None
    records: list[Record] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, record: Record) -> None:
        """Add the next record."""
        self.records.append(record)
        self.told(len(self.records))


@dataclass
class Faults:
    """The faults found in one record; reading goes on to find all of them."""

    where: str
    found: list[tuple[str, str]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)

    def add(self, bad: BadFacts) -> None:
        """Add a fault once, at its place in the record if places are JSON pointers."""
        if len(self.found) >= MAX_FAULTS:
            return
        self.keys.add(bad.where.partition("/")[0])
        if self.where.startswith("line "):
            fault = (self.where, str(bad))
        else:
            fault = (f"{self.where}/{bad.where}" if bad.where else self.where, bad.message)
        if fault not in self.found:
            self.found.append(fault)

    def read(self, read: Callable[..., Any], *args: Any) -> Any:
        """Return what a reader returns; None if it raises BadFacts, whose fault is added."""
        try:
            return read(*args)
        except BadFacts as bad:
            self.add(bad)
            return None

    def long_cells(self, cells: Mapping[str, str]) -> dict[str, str]:
        """Return cells by name without those that are too long; each of these is a fault."""
        for name, cell in cells.items():
            if len(cell) > LONGEST_CELL:
                self.add(too_long(name, LONGEST_CELL))
        return {name: cell for name, cell in cells.items() if len(cell) <= LONGEST_CELL}

    def record(
        self,
        section: str,
        facts: Mapping[str, Any],
        *,
        set_code: str,
        set_name: str = "",
        code: str = "",
        texts: Sequence[CardText | None] = (),
    ) -> Record:
        """Return the record with these facts and texts, or what is wrong with it."""
        kept = self.read(gathered, [text for text in texts if text is not None])
        known = {key: value for key, value in facts.items() if value is not None}
        said = [text["text"] for text in kept or ()]
        if changes_construction(said):
            known["force_construction"] = True
        if "allows_sideline" in FACTS.get(section, ()) and allows_sideline(said):
            known["allows_sideline"] = True
        if not self.found:
            try:
                checked = read_facts(section, known)
                return ElementRecord(self.where, set_code, section, checked, set_name[:LONGEST_NAME], code, kept)
            except BadFacts:
                pass
        if section or not self.found:
            further = (bad for bad in all_faults(section, known) if bad.where.partition("/")[0] not in self.keys)
            self.found += [(self.where, str(bad)) for bad in further]
        return LeftOut(self.where, sound_name(facts.get("name")), tuple(self.found))


def sound_name(name: Any) -> str:
    """Return the name of a record at fault, shortened; an empty text if it isn't text."""
    return name[:LONGEST_NAME] if isinstance(name, str) and is_text(name) else ""


def is_guessed(content: bytes) -> bool:
    """Return whether `decoded` reads a file as Windows-1252 because nothing says what its encoding is."""
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content[:2] not in UTF_16
    return False


def decoded(content: bytes) -> str:
    """Return the text of a file: UTF-8 or UTF-16 with a byte order mark, UTF-8 without, otherwise Windows-1252.

    Raises Unreadable if it is too large, UnreadableFile if it isn't text.
    """
    check_size("catalogue", len(content))
    refuse_archives(content)
    encodings = ["utf-16"] if content[:2] in UTF_16 else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        if not text.strip():
            raise UnreadableFile(_("The file is empty."))
        return text
    raise UnreadableFile(_("The file can't be read as text. Save it as UTF-8 and try again."))


def whole_number(value: Any, name: str) -> int:
    """Return a number that a file may write as text. Raises BadFacts for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,7}\s*", value, re.ASCII):
        return int(value)
    raise bad_number(value, name)


def set_slug(text: str) -> str:
    """Return a set's code in the form used in addresses."""
    return re.sub(r"[^a-z0-9_-]+", "-", text.strip().lower()).strip("-")[:40]


def rarity_of(text: str) -> str | None:
    """Return a rarity in the form of force files; None if unknown."""
    named = re.sub(r"[\s_]+", "-", text.strip().lower())
    return named if named in RARITIES else None


RINGS = ("prime", "unique", "rookie", "experienced", "veteran")


def ring_of(words: Iterable[str]) -> str:
    """Return the rank that one of these words gives to the ring on the base; `common` means no ring."""
    said = {word.lower() for word in words}
    return next((ring for ring in RINGS if ring in said), "common")


def split_keywords(names: list[str]) -> dict[str, list[str]]:
    """Return keywords separated into named ones and those on the book's generic list."""
    told = {
        "keywords": [name for name in names if name.casefold() not in GENERIC_KEYWORDS],
        "generic_keywords": [name for name in names if name.casefold() in GENERIC_KEYWORDS],
    }
    return {key: value for key, value in told.items() if value}


BASES = {"1x1": "single", "1x2": "peanut", "2x1": "peanut", "2x2": "2x2", "2x4": "2x4", "4x2": "2x4", "3x6": "3x6"}


def dial_with_gaps(clicks: Mapping[int, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return numbered clicks as one dial; a missing number is a KO between two lives."""
    return [clicks.get(number, {"ko": True}) for number in range(1, max(clicks, default=0) + 1)]


def starts_of(points: list[int], lines: list[int]) -> dict[str, int]:
    """Return which points start on which click: the highest on the first starting line, and so on."""
    if len(points) < 2 or len(points) != len(lines):
        return {}
    return {str(value): click for value, click in zip(sorted(points, reverse=True), sorted(lines), strict=True)}
