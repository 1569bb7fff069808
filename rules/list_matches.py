"""Lines of a force list found in the catalogue: by set and number, then by name. Nothing uncertain counts as found.

A line counts as matched if all its readings that the catalogue confirms are one element, at one price, as often; otherwise
its candidates are offered.
"""

from __future__ import annotations

import datetime
import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from .documents import point_choices
from .force_lists import LONGEST_LINE, MAX_COUNT, SIDELINE, Line, Reading, name_key, number_key, read_list
from .models import CatalogueChange, Facts, Set
from .queries import elements_by_code

MAX_CANDIDATES = 30


@dataclass(frozen=True)
class Candidate:
    """An element that a line may mean, how often, and at which points if the line says."""

    row: Facts
    count: int
    points: int | None

    @property
    def key(self) -> str:
        """The value by which a form chooses it: the same again for the same text."""
        return f"{self.count}:{'' if self.points is None else self.points}:{self.row.element.code}"


@dataclass
class ListedLine:
    """A line with what was found: `candidates` to choose from, of which `chosen` counts, and `reason` if none does."""

    line: Line
    candidates: list[Candidate] = field(default_factory=list)
    chosen: Candidate | None = None
    is_certain: bool = False
    reason: str = ""

    @property
    def is_passed_over(self) -> bool:
        """Whether the line is a heading, a label or a total, which names no element."""
        return not self.line.readings and not self.line.is_too_long

    @property
    def to_sideline(self) -> bool:
        """Whether it stands under the heading of the sideline."""
        return self.line.section == SIDELINE


@dataclass(frozen=True)
class _Index:
    """Every name and number of the catalogue, in the form in which they are compared → codes of elements."""

    sets: Mapping[str, str]
    names: Mapping[str, frozenset[str]]
    numbers: Mapping[tuple[str, str], frozenset[str]]
    set_of: Mapping[str, str]
    number_of: Mapping[str, str]


@functools.lru_cache(maxsize=1)
def _index(_last_change: tuple[Any, ...] | None) -> _Index:
    names: defaultdict[str, set[str]] = defaultdict(set)
    numbers: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    set_of, number_of = {}, {}
    columns = ("element__code", "name", "element__set__code", "element__number")
    for code, name, set_code, number in Facts.objects.values_list(*columns).order_by():
        names[name_key(name)].add(code)
        set_of[code], number_of[code] = set_code, number_key(number)
        if number:
            numbers[set_code, number_key(number)].add(code)
    known = list(Set.objects.values_list("code", "name"))
    sets = {name_key(name): code for code, name in known} | {name_key(code): code for code, _name in known}
    return _Index(
        {key: code for key, code in sets.items() if key},
        {key: frozenset(codes) for key, codes in names.items() if key},
        {key: frozenset(codes) for key, codes in numbers.items()},
        set_of,
        number_of,
    )


def match_list(
    text: str, *, choices: Mapping[str, str] | None = None, date: datetime.date | None = None
) -> list[ListedLine]:
    """Return the lines of a list with what the catalogue has for them on a day. Four queries, whatever the list.

    `choices` are candidates chosen before: `choice_name` of the line → the candidate's key. Raises TooManyLines.
    """
    index = _index(CatalogueChange.objects.order_by("-pk").values_list("pk", "at").first())
    lines = read_list(text, index.sets)
    found = {line.place: [_codes(reading, index) for reading in line.readings] for line in lines}
    codes = {code for sets in found.values() for sure, near in sets for code in (*sure, *near)}
    rows = elements_by_code(codes, date=date)
    matched = [_matched(line, found[line.place], rows) for line in lines]
    for one, name in zip(matched, choice_names(lines), strict=True):
        if not one.is_certain:
            one.chosen = next((each for each in one.candidates if each.key == (choices or {}).get(name)), None)
    return matched


def choice_names(lines: Iterable[Line]) -> list[str]:
    """Return the name under which a form keeps the choice for each line: its text, so that other lines may change."""
    seen: defaultdict[str, int] = defaultdict(int)
    found = []
    for line in lines:
        seen[line.text] += 1
        found.append(f"choice {seen[line.text]} {line.text[:LONGEST_LINE]}")
    return found


def _codes(reading: Reading, index: _Index) -> tuple[frozenset[str], frozenset[str]]:
    """Return the elements that a reading names exactly, and those that it may mean."""
    none: frozenset[str] = frozenset()
    named = index.names.get(name_key(reading.name), none)
    if reading.set and reading.number:
        numbered = index.numbers.get((reading.set, number_key(reading.number)), none)
        sure = numbered & named if reading.name else numbered
        near = numbered | {code for code in named if index.set_of[code] == reading.set}
    elif reading.name:
        sure = named
        if reading.set:
            sure = frozenset(code for code in sure if index.set_of[code] == reading.set)
        if reading.number:
            number = number_key(reading.number)
            sure = frozenset(code for code in sure if index.number_of[code] == number)
        near = named
    else:
        return none, none
    near = frozenset(sorted(near - sure)[:MAX_CANDIDATES])
    return (none, near | sure) if reading.is_loose else (sure, near)


def _matched(line: Line, found: list[tuple[frozenset[str], frozenset[str]]], rows: Mapping[str, Facts]) -> ListedLine:
    if line.is_too_long:
        return ListedLine(line, reason=_("This line is too long."))
    sure: dict[tuple[str, int, int | None], Candidate] = {}
    near: dict[str, Candidate] = {}
    for reading, (exact, others) in zip(line.readings, found, strict=True):
        for code in sorted(exact | others):
            row = rows.get(code)
            if row is None:
                continue
            options = point_choices(row.document)
            candidate = Candidate(row, reading.count, reading.points)
            if code in exact and _agrees(reading, row, options):
                paid = options[0] if reading.points is None and options else reading.points
                sure.setdefault((code, reading.count, paid), candidate)
            else:
                if options and reading.points not in options:
                    candidate = Candidate(row, reading.count, None)
                near.setdefault(code, candidate)
    return _decided(line, list(sure.values()), list(near.values()))


def _agrees(reading: Reading, row: Facts, options: list[int]) -> bool:
    """Return whether the element has the rank and may cost the points of a reading."""
    if reading.rank and reading.rank != (row.rank or "common"):
        return False
    return reading.points is None or not options or reading.points in options


def _decided(line: Line, sure: list[Candidate], near: list[Candidate]) -> ListedLine:
    if len(sure) > 1 and line.section:
        section = "characters" if line.section == SIDELINE else line.section
        sure = [one for one in sure if one.row.element.section == section] or sure
    if len(sure) == 1 and not 1 <= sure[0].count <= MAX_COUNT:
        return ListedLine(line, reason=_("The count must be from 1 to %(most)d.") % {"most": MAX_COUNT})
    if len(sure) == 1:
        return ListedLine(line, sure, sure[0], is_certain=True)
    offered = [one for one in sure or near if 1 <= one.count <= MAX_COUNT]
    if sure:
        return ListedLine(line, _ordered(offered), reason=_("More than one matches. Choose one."))
    if near:
        return ListedLine(line, _ordered(offered), reason=_("No exact match. Choose one, or correct the line."))
    return ListedLine(line, reason=_("The catalogue has nothing by this name or number."))


def _ordered(candidates: list[Candidate]) -> list[Candidate]:
    def place(one: Candidate) -> tuple[Any, ...]:
        return one.row.element.set.name, one.row.element.number, one.row.name, one.count, one.points or 0

    return sorted(candidates, key=place)[:MAX_CANDIDATES]
