"""Database reads that several pages need: searching the catalogue, and an element with its history.

Every search uses the dated facts of one day in a constant number of queries.
"""

from __future__ import annotations

import datetime
import re
import sys
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

from django.db import connection
from django.db.models import Count, F, Max, Q, QuerySet

from .card_effects import PrintedCards
from .card_texts import CardText
from .dials import standard_power
from .documents import fold
from .element_search import ElementSearch, Found, Wanted
from .engine import EDITIONS
from .models import CardTexts, CatalogueChange, Correction, Element, Facts, Set, Trait
from .models.catalogue import CONFIRM_CARD, day_of

SHOWN = 50
Section = Element.Section


def _names(value: str | Iterable[str] | None) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def _having(what: str, name: str) -> QuerySet[Trait, Any]:
    asked = fold(standard_power(name) or name) if what == Trait.What.POWER else fold(name)
    return Trait.objects.filter(what=what, folded=asked).values("facts")


def set_names(codes: Iterable[str]) -> dict[str, str]:
    """Return code → name of these sets; a set that the catalogue lacks keeps its code as its name."""
    wanted = dict.fromkeys(code for code in codes if code)
    return {code: code for code in wanted} | dict(
        Set.objects.filter(code__in=wanted).values_list("code", "name") if wanted else ()
    )


def facts_on(date: datetime.date | None = None) -> QuerySet[Facts]:
    """Return all elements' facts in effect on a date (by default today), with element and set."""
    return Facts.objects.on(date).select_related("element__set")


_building = threading.Lock()
_kept: list[tuple[tuple[Any, ...], ElementSearch]] = []


def catalogue_state() -> tuple[Any, ...]:
    """Return what tells one state of the catalogue from all others, whichever process changed it."""
    log = CatalogueChange.objects.aggregate(Count("pk"), Max("pk"), Max("at"))
    return (connection.settings_dict["NAME"], *log.values())


def element_search() -> ElementSearch:
    """Return the search of the catalogue as it is now; the first one after a change reads its names again."""
    state = catalogue_state()
    with _building:
        if not _kept or _kept[0][0] != state:
            columns = ("pk", "name", "element__section", "from_date", "until_date")
            rows = Facts.objects.order_by().values_list(*columns)
            _kept[:] = [(state, ElementSearch(rows))]
        return _kept[0][1]


MAX_CANDIDATES = 100


@dataclass(frozen=True)
class Matched:
    """What an element named in a list may be, best first; and what it was matched by.

    `by` is "number" (set and number, and the name if there is one), "name" (the whole name), "words" (all its words
    are in the name), "spelling" (so they are once corrected), "conflict" (the list contradicts itself or the catalogue,
    for example by a number that belongs to another name), or "" if nothing was found.
    """

    by: str
    candidates: tuple[Facts, ...]

    @property
    def certain(self) -> Facts | None:
        """The element meant, if it can only be that one; None if a person has to choose."""
        return self.candidates[0] if len(self.candidates) == 1 and self.by in ("number", "name", "words") else None


def find_elements(wanted: Iterable[Wanted], *, edition: str = "", date: datetime.date | None = None) -> list[Matched]:
    """Return what the elements named in a list may be, in the list's order: by set and number, then by name.

    `edition` leaves out elements that its forces can't contain, `date` is the day whose facts count (today). Case,
    accents, hyphens and zeros before a number don't matter; a set is named by its code or its name. Several elements of
    one name are all candidates: points, rank or a person choose among them. As many queries for a long list as for a
    short one.
    """
    matches = [(by, keys[:MAX_CANDIDATES]) for by, keys in element_search().match(wanted)]
    keys = {key for _by, some in matches for key in some}
    rows = {row.pk: row for row in _allowed(facts_on(date), edition).filter(pk__in=keys)}
    found = ((by, tuple(rows[key] for key in some if key in rows)) for by, some in matches)
    return [Matched(by if candidates else "", candidates) for by, candidates in found]


def _allowed(found: QuerySet[Facts], edition: str) -> QuerySet[Facts]:
    """Leave out what the forces of an edition can't contain (FORMATS, rule `not-in-edition`)."""
    if edition not in EDITIONS:
        return found
    has = EDITIONS[edition].force
    by_tactic = [section for section in Section if section.replace("_", "-") in has.tactics]
    sections = [Section.CHARACTERS, Section.OBJECTS, *([Section.OTHER] if has.other_kinds else []), *by_tactic]
    of_kind = Q(kind__in=["", *has.kinds, *has.object_kinds, *has.other_kinds])
    is_object = Q(element__section=Section.OBJECTS)
    if "special-objects" in has.tactics:
        of_kind |= is_object & Q(document__special=True)
    else:
        of_kind &= ~is_object | Q(document__special__isnull=True) | Q(document__special=False)
    found = found.filter(of_kind, element__section__in=sections)
    return found if has.has_primes else found.exclude(rank="prime")


def _only_allowed(keys: Sequence[int], edition: str, search: ElementSearch) -> Sequence[int]:
    """Leave out what the forces of an edition can't contain; which those are is asked once and kept with the search."""
    if edition not in EDITIONS:
        return keys
    if edition not in search.allowed:
        rows = _allowed(Facts.objects.order_by(), edition)
        search.allowed[edition] = frozenset(rows.values_list("pk", flat=True))
    allowed = search.allowed[edition]
    return [key for key in keys if key in allowed]


def search_elements(
    *,
    edition: str = "",
    text: str = "",
    sets: str | Sequence[str] | None = None,
    points_from: int | None = None,
    points_to: int | None = None,
    keyword: str | Iterable[str] | None = None,
    team: str | Iterable[str] | None = None,
    power: str | Iterable[str] | None = None,
    section: str | Sequence[str] | None = None,
    kind: str | Sequence[str] | None = None,
    rank: str | Sequence[str] | None = None,
    date: datetime.date | None = None,
    all_words: bool = False,
) -> Ranked:
    """Return the dated facts that match all conditions, those that fit the text best first, otherwise by name.

    `edition` leaves out elements that its forces can't contain. The words of `text` are looked up in the element's
    name, set, number and all other facts (`ElementSearch.find`, `searched`); with `all_words`, nothing that lacks one of
    them is found. Several keywords, teams or powers must all be present; several sets, sections
    or kinds are alternatives. A figure with several point values matches if one of them lies within the bounds. `date`
    is the day whose facts count (today).

    `Facts` with `element` and `element.set` fetched: slice them (`[:SHOWN]`), or give them to a table.
    """
    narrowed = [
        Q(**{column: wanted})
        for column, given in (
            ("element__set__code__in", sets), ("element__section__in", section), ("kind__in", kind), ("rank__in", rank),
        )
        if (wanted := _names(given))
    ]  # fmt: skip
    if points_from is not None:
        narrowed.append(Q(points_high__gte=points_from))
    if points_to is not None:
        narrowed.append(Q(points_low__lte=points_to))
    for what, given in ((Trait.What.KEYWORD, keyword), (Trait.What.TEAM, team), (Trait.What.POWER, power)):
        narrowed += [Q(pk__in=_having(what, name)) for name in _names(given)]
    search = element_search()
    matching = search.find(text, all_words=all_words) if text.strip() else Found()
    groups = matching.groups if text.strip() else (search.keys,)
    keys = search.on(day_of(date), _only_allowed([key for group in groups for key in group], edition, search))
    if narrowed and keys:
        left = Facts.objects.order_by().filter(*narrowed)
        left = left.on(date) if len(keys) > AT_ONCE else left.filter(pk__in=keys)
        kept = set(left.values_list("pk", flat=True))
        keys = [key for key in keys if key in kept]
    rows = Facts.objects.order_by().select_related("element__set")
    return Ranked(rows, keys, search, matching)


MOST_SORTED, AT_ONCE = 30_000, 500
"""How many of the best are sorted by a column (SQLite's limit), and how many rows are fetched by one query."""


class Ranked(Sequence[Facts]):
    """The dated facts that a search found, the best first; only the slice that is asked for is fetched.

    `searched` is the catalogue it looked in, and `matching` how the words were understood.
    """

    def __init__(self, rows: QuerySet[Facts], keys: Sequence[int], searched: ElementSearch, matching: Found) -> None:
        self.rows, self.keys, self.searched, self.matching = rows, keys, searched, matching
        self.query = rows.query  # what tables ask for the order that the rows have by a column: none

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[Facts]:
        return iter(self[:])

    @overload
    def __getitem__(self, at: int) -> Facts: ...
    @overload
    def __getitem__(self, at: slice) -> list[Facts]: ...
    def __getitem__(self, at: int | slice) -> Facts | list[Facts]:
        if isinstance(at, int):
            return self.rows.get(pk=self.keys[at])
        keys = self.keys[at]
        found: dict[int, Facts] = {}
        for start in range(0, len(keys), AT_ONCE):
            found |= {row.pk: row for row in self.rows.filter(pk__in=keys[start : start + AT_ONCE])}
        return [found[key] for key in keys if key in found]

    def count(self, value: Any = None) -> int:
        """Return the number of elements, as a query set does."""
        return len(self.keys)

    def order_by(self, *names: str) -> QuerySet[Facts]:
        """Return the best of them sorted otherwise."""
        return self.rows.filter(pk__in=self.keys[:MOST_SORTED]).order_by(*names)


def items_of(of: Set) -> list[Facts]:
    """Return the facts of a set's elements in effect today, by collector number as read; those without come last."""

    def place(row: Facts) -> tuple[bool, list[tuple[int, str]], str]:
        parts = re.findall(r"\d+|\D+", row.element.number.casefold())
        return not parts, [(int(part), "") if part.isdecimal() else (sys.maxsize, part) for part in parts], row.name

    return sorted(facts_on().filter(element__set=of), key=place)


def elements_by_code(codes: Iterable[str], *, date: datetime.date | None = None) -> dict[str, Facts]:
    """Return the facts of these elements by code, in effect on this day; unknown codes are left out."""
    rows = facts_on(date).filter(element__code__in=[code for code in codes if "\0" not in code])
    return {row.element.code: row for row in rows}


def card_texts(codes: Iterable[str]) -> dict[str, list[CardText]]:
    """Return the texts of these elements' cards by code. One query; only for people who are signed in."""
    found = CardTexts.objects.filter(element__code__in=set(codes))
    return dict(found.values_list("element__code", "texts")) if codes else {}


def card_texts_by_number(printed: Iterable[tuple[str, str]]) -> dict[tuple[str, str], list[CardText]]:
    """Return the texts of figures' cards by set and collector number. One query; only for people who are signed in."""
    wanted = {(code, number) for code, number in printed if code and number}
    sets, numbers = {code for code, _number in wanted}, {number for _code, number in wanted}
    found = CardTexts.objects.filter(
        element__section=Section.CHARACTERS, element__set__code__in=sets, element__number__in=numbers
    )
    rows = found.values_list("element__set__code", "element__number", "texts") if wanted else ()
    return {(code, number): texts for code, number, texts in rows}


def card_confirmations(element: Element) -> dict[str, CatalogueChange]:
    """Return the last row of the log about each card of a figure, by the card's key: who confirmed it, and when."""
    rows = CatalogueChange.objects.filter(verb=CONFIRM_CARD, facts__code=element.code).defer("changes")
    return {row.facts["key"]: row for row in rows.order_by("pk")}


def cards_by_number(printed: Iterable[tuple[str, str]]) -> dict[tuple[str, str], PrintedCards]:
    """Return the cards of figures by set and collector number. Two queries; the texts only for the signed in."""
    wanted = {(code, number) for code, number in printed if code and number}
    texts = card_texts_by_number(wanted)
    rows = facts_on().filter(
        element__section=Section.CHARACTERS,
        element__set__code__in={code for code, _number in wanted},
        element__number__in={number for _code, number in wanted},
    )
    known = {(row.element.set.code, row.element.number): row for row in rows} if wanted else {}
    return {
        one: PrintedCards(texts.get(one, []), {"name": known[one].name, **known[one].document}, known[one].element.code)
        for one in wanted
        if one in known
    }


def sets_with_elements() -> QuerySet[Set]:
    """Return the sets with their `count` of elements, the newest first; sets without a year last."""
    counted = Set.objects.annotate(count=Count("elements"))
    return counted.order_by(F("year").desc(nulls_last=True), "name")


@dataclass(frozen=True)
class History:
    """An element with all its dated facts and all its corrections, including withdrawn ones."""

    element: Element
    facts: Facts
    versions: tuple[Facts, ...]
    corrections: tuple[Correction, ...]


def element_history(code: str, *, date: datetime.date | None = None) -> History:
    """Return the history of the element with that code. Raises Element.DoesNotExist."""
    element = Element.objects.select_related("set").get(code=code)
    versions = tuple(element.facts.order_by("from_date"))
    day = date or datetime.date.max
    for row in versions:
        row.element = element
    counts = [row for row in versions if row.from_date <= day]
    return History(element, counts[-1], versions, tuple(element.corrections.order_by("from_date", "pk")))


def same_figures(history: History) -> list[Facts]:
    """Return the other figures of the same name, with today's facts: other ranks and other sets."""
    rows = facts_on().filter(name=history.facts.name, element__section=history.element.section)
    ordered = rows.exclude(element=history.element).order_by("element__set__code", "element__number")
    return list(ordered[:SHOWN])


def latest_corrections() -> QuerySet[Correction]:
    """Return the corrections that were published or recorded by the sanctioning office, the latest first."""
    shown = Correction.objects.exclude(authority=Correction.Authority.IMPORT).select_related("element__set")
    return shown.order_by("-from_date", "-pk")


def catalogue_log() -> QuerySet[CatalogueChange]:
    """Return the log of the catalogue, the latest first, without the long lists of changes."""
    return CatalogueChange.objects.defer("changes")


def counts_by_section(date: datetime.date | None = None) -> dict[str, Any]:
    """Return the number of elements of each section in the catalogue."""
    rows = Facts.objects.on(date).values_list("element__section").annotate(Count("pk")).order_by("element__section")
    return dict(rows)


FORCE_SECTIONS = (*Section.values, "sideline")


def catalogued(document: dict[str, Any], *, date: datetime.date | None = None) -> dict[tuple[str, int], Facts]:
    """Return the catalogue's facts on a date for each element of a force file, by its list and place.

    An element is found by its set and collector's number, or without a number by its set, name and rank; an element
    without a set by its name, if only one of that name is in the catalogue. Elements not found, and entries that aren't
    valid in a force file, are left out. Two queries, whatever the force.
    """
    force = document.get("force")
    lists = force if isinstance(force, dict) else {}
    wanted: dict[tuple[str, int], dict[str, Any]] = {}
    for section in FORCE_SECTIONS:
        entries = lists.get(section)
        for place, element in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(element, dict) and isinstance(element.get("name"), str):
                wanted[section, place] = element
    named = {element["name"] for element in wanted.values()}
    numbers = {element["number"] for element in wanted.values() if isinstance(element.get("number"), str)}
    fitting = Facts.objects.on(date).filter(Q(name__in=named) | Q(element__number__in=numbers - {""}))
    by_section: dict[str, list[_Named]] = defaultdict(list)
    columns = ("element__section", "pk", "element__set__code", "element__number", "name", "rank")
    for section, *facts in fitting.values_list(*columns):
        by_section[section].append(_Named(*facts))
    found = {}
    for (section, place), element in wanted.items():
        if match := _match(by_section["characters" if section == "sideline" else section], element):
            found[section, place] = match.pk
    rows = {row.pk: row for row in facts_on(date).filter(pk__in=set(found.values()))} if found else {}
    return {where: rows[pk] for where, pk in found.items() if pk in rows}


class _Named(NamedTuple):
    pk: int
    set_code: str
    number: str
    name: str
    rank: str


def _match(rows: list[_Named], element: dict[str, Any]) -> _Named | None:
    set_code, number = element.get("set") or "", element.get("number") or ""
    if set_code:
        rows = [row for row in rows if row.set_code == set_code]
        if number:
            rows = [row for row in rows if row.number == number]
            return rows[0] if len(rows) == 1 else None
    rows = [row for row in rows if row.name == element["name"]]
    if len(rows) > 1:
        rows = [row for row in rows if (row.rank or "common") == (element.get("rank") or "common")]
    return rows[0] if len(rows) == 1 else None
