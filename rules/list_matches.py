"""Lines of a force list found in the catalogue: by set and number, then by name. Nothing uncertain counts as found.

A line counts as matched if all its readings that the catalogue confirms are one element, at one price, as often; otherwise
its candidates are offered.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .documents import MAX_POINTS, point_choices
from .element_search import Wanted, collector_number, whole_name, whole_set
from .force_lists import LONGEST_LINE, MAX_COUNT, SIDELINE, Line, Reading, name_key, number_key, read_list
from .full_text import Query, every, having, some
from .models import Facts, Set
from .queries import facts_on, find_elements
from .searched import words_in

MAX_CANDIDATES, LEAST_CANDIDATES, MAX_NEAR = 60, 10, 30
MAX_TOGETHER = 3000
"""How many candidates all lines have together: the lines of a long list offer fewer each."""
MAX_SIMILAR = 60
"""For how many lines without a match similar names are looked up."""
NOTHING = gettext_lazy("The catalogue has nothing with this name or number. Correct the line.")
NOT_EXACT = gettext_lazy("No exact match. Choose an item, or correct the line.")


@dataclass(frozen=True)
class Candidate:
    """An element that a line may mean, how often, and at which points if the line says."""

    row: Facts
    count: int
    points: int | None
    fits: int = 0
    """How much it has of what the line says: the set, which counts twice, the number, the points."""

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
    reason: str | Promise = ""

    @property
    def is_passed_over(self) -> bool:
        """Whether the line is a heading, a label or a total, which names no element."""
        return not self.line.readings and not self.line.is_too_long

    @property
    def to_sideline(self) -> bool:
        """Whether it stands under the heading of the sideline."""
        return self.line.section == SIDELINE


def match_list(
    text: str, *, choices: Mapping[str, str] | None = None, date: datetime.date | None = None
) -> list[ListedLine]:
    """Return the lines of a list with what the catalogue has for them on a day. As many queries for any list.

    `choices` are candidates chosen before: `choice_name` of the line → the candidate's key. Raises TooManyLines.
    """
    lines = read_list(text, _sets())
    most = MAX_TOGETHER // max(1, len(lines))
    known = _Known(reading for line in lines for reading in line.readings)
    found = {line.place: _keys_of(line, known, most) for line in lines}
    keys = {key for both in found.values() for sure, near in both for key in (*sure, *near)}
    rows = {row.pk: row for row in facts_on(date).filter(pk__in=keys)}
    matched = [_matched(line, found[line.place], rows) for line in lines]
    _add_similar([one for one in matched if one.line.readings and not one.candidates and one.reason == NOTHING], date)
    for one, name in zip(matched, choice_names(lines), strict=True):
        if not one.is_certain:
            one.candidates = one.candidates[: max(most, LEAST_CANDIDATES)]
            one.chosen = next((each for each in one.candidates if each.key == (choices or {}).get(name)), None)
    return matched


def _sets() -> dict[str, list[str]]:
    """Return `name_key` of each set's code or name → the codes it may mean; a code goes before other sets' names."""
    rows = list(Set.objects.filter(elements__isnull=False).distinct().order_by("code").values_list("code", "name"))
    found: dict[str, list[str]] = {}
    for code, name in rows:
        found.setdefault(name_key(name), []).append(code)
    found |= {name_key(code): [code] for code, _name in rows}
    return {key: codes for key, codes in found.items() if key}


class _Row(NamedTuple):
    pk: int
    name: str
    number: str
    set_code: str
    low: int
    high: int


class _Known:
    """What the catalogue has by the names, and by the sets and numbers, of all readings of a list. One query."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        wanted = some(query for reading in readings for query in _queries(reading))
        rows = Facts.objects.order_by().filter(having(Facts._meta.db_table, wanted)) if wanted else Facts.objects.none()
        self._named: defaultdict[str, set[_Row]] = defaultdict(set)
        self._numbered: defaultdict[tuple[str, str], set[_Row]] = defaultdict(set)
        columns = "pk", "name", "element__number", "element__set__code", "points_low", "points_high"
        for pk, name, number, set_code, low, high in rows.values_list(*columns):
            row = _Row(pk, name, number, set_code, low or 0, high or 0)
            self._named[_spelled(row.name)[-1]].add(row)
            self._numbered[row.set_code, number_key(row.number)].add(row)

    def named(self, reading: Reading) -> set[_Row]:
        """Return what has the name of a reading."""
        return self._named.get(_spelled(reading.name)[-1], set())

    def numbered(self, reading: Reading) -> set[_Row]:
        """Return what has the set and number of a reading."""
        return self._numbered.get((reading.set, number_key(reading.number)), set())


def _spelled(name: str) -> tuple[str, str]:
    """Return a name as one word, and without "and": where a name has "&", the index has nothing."""
    words = words_in(name)
    return "".join(words), "".join(word for word in words if word != "and")


def _queries(reading: Reading) -> Iterator[Query | None]:
    if name_key(reading.name):
        yield from map(whole_name, _spelled(reading.name))
    if reading.set and number_key(reading.number):
        yield every([whole_set(reading.set), collector_number(reading.number)])


def choice_names(lines: Iterable[Line]) -> list[str]:
    """Return the name under which a form keeps the choice for each line: its text, so that other lines may change."""
    seen: defaultdict[str, int] = defaultdict(int)
    found = []
    for line in lines:
        seen[line.text] += 1
        found.append(f"choice {seen[line.text]} {line.text[:LONGEST_LINE]}")
    return found


def _keys_of(line: Line, known: _Known, most: int) -> list[tuple[set[int], set[int]]]:
    """Return `_keys` of each reading; if one names more than `most`, and more than a page offers, none is exact."""
    found = [_keys(reading, known) for reading in line.readings]
    if all(len(sure) <= max(most, MAX_CANDIDATES) for sure, _near in found):
        return found
    return [(set(), set(sorted(sure | near)[:MAX_NEAR])) for sure, near in found]


def _keys(reading: Reading, known: _Known) -> tuple[set[int], set[int]]:
    """Return the keys of the facts that a reading names exactly, and of those that it may mean."""
    called, number = name_key(reading.name), number_key(reading.number)
    named = known.named(reading) if called else set()
    exactly = {row for row in named if name_key(row.name) == called}
    if reading.set and number:
        of_number = known.numbered(reading)
        sure = exactly & of_number if called else of_number
        near = of_number | {row for row in named if row.set_code == reading.set}
    else:
        sure = {row for row in exactly if _is(row, reading.set, number)}
        near = named
    if reading.is_loose:
        sure, near = set(), near | sure
    paid = reading.points or 0

    def place(row: _Row) -> tuple[bool, bool, str, int]:
        return row.set_code != reading.set, not row.low <= paid <= row.high, row.name, row.pk

    offered = sorted(near - sure, key=place)[:MAX_NEAR]
    return {row.pk for row in sure}, {row.pk for row in offered}


def _is(row: _Row, set_code: str, number: str) -> bool:
    return set_code in ("", row.set_code) and number in ("", number_key(row.number))


def _matched(line: Line, found: list[tuple[set[int], set[int]]], rows: Mapping[int, Facts]) -> ListedLine:
    if line.is_too_long:
        return ListedLine(line, reason=_("This line is too long. Shorten it."))
    sure: dict[tuple[int, int, int | None], Candidate] = {}
    near: dict[int, Candidate] = {}
    cost_otherwise = False
    for reading, (exact, others) in zip(line.readings, found, strict=True):
        for key in sorted(exact | others):
            row = rows.get(key)
            if row is None:
                continue
            options = point_choices(row.document)
            if key in exact and _agrees(reading, row, options):
                paid = options[0] if reading.points is None and options else reading.points
                sure.setdefault((key, reading.count, paid), Candidate(row, reading.count, reading.points))
                continue
            points = reading.points if reading.points in options else None
            fits = 2 * (row.element.set.code == reading.set) + (points is not None)
            fits += bool(reading.number) and number_key(row.element.number) == number_key(reading.number)
            if (key in near and near[key].fits < fits) or (key not in near and len(near) < MAX_CANDIDATES):
                near[key] = Candidate(row, reading.count, points, fits)
            cost_otherwise |= key in exact and reading.points is not None
    certain = [
        one for one in sure.values() if one.points is None or not cost_otherwise or point_choices(one.row.document)
    ]
    if len(certain) < len(sure):  # its points aren't known, and another of its name doesn't cost these
        near = {one.row.pk: one for one in sure.values()} | near
    return _decided(line, certain, list(near.values()))


def _agrees(reading: Reading, row: Facts, options: list[int]) -> bool:
    """Return whether the element has the rank and may cost the points of a reading."""
    if reading.rank and reading.rank != (row.rank or "common"):
        return False
    return reading.points is None or (reading.points in options if options else reading.points <= MAX_POINTS)


def _decided(line: Line, sure: list[Candidate], near: list[Candidate]) -> ListedLine:
    if len(sure) > 1 and line.section:
        section = "characters" if line.section == SIDELINE else line.section
        sure = [one for one in sure if one.row.element.section == section] or sure
    offered = [one for one in sure or near if 1 <= one.count <= MAX_COUNT]
    if not sure and not near:
        return ListedLine(line, reason=NOTHING)
    if not offered:
        return ListedLine(line, reason=_("The quantity must be from 1 to %(most)d.") % {"most": MAX_COUNT})
    if len(sure) == 1:
        return ListedLine(line, sure, sure[0], is_certain=True)
    return ListedLine(line, _ordered(offered), reason=_("Several items match. Choose one.") if sure else NOT_EXACT)


def _add_similar(lines: list[ListedLine], date: datetime.date | None) -> None:
    """Offer elements with similar names for lines with which the catalogue has nothing in common."""
    lines = lines[:MAX_SIMILAR]
    for line, matched in zip(lines, find_elements(map(_wanted, lines), date=date), strict=True):
        if matched.candidates:
            counts = {reading.count for reading in line.line.readings if 1 <= reading.count <= MAX_COUNT} or {1}
            typed = {reading.points for reading in line.line.readings}
            costs = [
                (row, next((points for points in point_choices(row.document) if points in typed), None))
                for row in matched.candidates
            ]
            costs.sort(key=lambda both: both[1] is None)
            line.candidates = [Candidate(row, max(counts), points) for row, points in costs[:MAX_NEAR]]
            line.reason = NOT_EXACT


def _wanted(line: ListedLine) -> Wanted:
    """Return the shortest name that a line may mean, of the set that it names, if any."""
    named = [one for one in line.line.readings if name_key(one.name)]
    return min((Wanted(one.set, name=one.name) for one in named), key=lambda one: len(one.name), default=Wanted())


def _ordered(candidates: list[Candidate]) -> list[Candidate]:
    def place(one: Candidate) -> tuple[Any, ...]:
        element = one.row.element
        return -one.fits, element.set.name, element.number, one.row.name, one.count, one.points or 0

    return sorted(candidates, key=place)[:MAX_CANDIDATES]
