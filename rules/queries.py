"""Database reads that several pages need: searching the catalogue, and an element with its history.

Every search uses the dated facts of one day in a constant number of queries.
"""

from __future__ import annotations

import datetime
import functools
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone

from .dials import standard_power
from .documents import fold
from .models import CatalogueChange, Correction, Element, Facts, Set, Trait

SHOWN = 50
Section = Element.Section
SECTIONS_OF: dict[str, frozenset[str]] = {
    "ic-2002": frozenset({Section.CHARACTERS, Section.OBJECTS}),
    "car-2002": frozenset({Section.CHARACTERS, Section.OBJECTS}),
    "dc-2005": frozenset({Section.CHARACTERS, Section.OBJECTS, Section.FEATS, Section.BATTLEFIELD_CONDITIONS}),
    "core-2014": frozenset(Section) - {Section.OTHER},
    "core-modern": frozenset({Section.CHARACTERS, Section.OBJECTS, Section.RESOURCES, Section.OTHER}),
}
"""Sections that each edition's forces can contain (FORMATS, rule `not-in-edition`)."""
KINDS_NOT_IN: dict[str, frozenset[str]] = {
    "ic-2002": frozenset({"bystander", "horde", "sentinel"}),
    "car-2002": frozenset({"bystander", "horde"}),
    "dc-2005": frozenset({"horde", "sentinel"}),
    "core-2014": frozenset({"sentinel"}),
    "core-modern": frozenset({"horde", "sentinel"}),
}
RANKS_NOT_IN: dict[str, frozenset[str]] = dict.fromkeys(("ic-2002", "car-2002", "dc-2005"), frozenset({"prime"}))
SPECIAL_OBJECTS_IN = frozenset({"core-2014", "core-modern"})


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
) -> QuerySet[Facts]:
    """Return the dated facts that match all conditions, names that begin with the text first.

    `edition` leaves out elements that its forces can't contain. Each word of `text` must appear in the element's name,
    set, number, real name, rank, teams, keywords or powers, ignoring case and accents. Several keywords, teams or
    powers must all be present; several sets, sections or kinds are alternatives. A figure with several point values
    matches if one of them lies within the bounds. `date` is the day whose facts count (today).

    A query set of `Facts` with `element` and `element.set` fetched: slice it (`[:SHOWN]`), or give it to a table.
    """
    found = facts_on(date)
    if edition in SECTIONS_OF:
        found = found.filter(element__section__in=SECTIONS_OF[edition])
        found = found.exclude(kind__in=KINDS_NOT_IN[edition]).exclude(rank__in=RANKS_NOT_IN.get(edition, ()))
        if edition not in SPECIAL_OBJECTS_IN:
            plain = Q(document__special__isnull=True) | Q(document__special=False)
            found = found.filter(plain | ~Q(element__section=Section.OBJECTS))
    if wanted := _names(sets):
        found = found.filter(element__set__code__in=wanted)
    if wanted := _names(section):
        found = found.filter(element__section__in=wanted)
    if wanted := _names(kind):
        found = found.filter(kind__in=wanted)
    if wanted := _names(rank):
        found = found.filter(rank__in=wanted)
    if points_from is not None:
        found = found.filter(points_high__gte=points_from)
    if points_to is not None:
        found = found.filter(points_low__lte=points_to)
    for what, given in ((Trait.What.KEYWORD, keyword), (Trait.What.TEAM, team), (Trait.What.POWER, power)):
        for name in _names(given):
            found = found.filter(pk__in=_having(what, name))
    asked = fold(text)
    for word in asked.split()[:12]:
        found = found.filter(words__contains=word)
    if asked:
        begins = When(words__startswith=asked, then=Value(0))
        named = When(name__icontains=text.strip(), then=Value(1))
        found = found.annotate(nearness=Case(begins, named, default=Value(2), output_field=IntegerField()))
        return found.order_by("nearness", "name", "pk")
    return found.order_by("name", "pk")


def items_of(of: Set) -> list[Facts]:
    """Return the facts of a set's elements in effect today, by collector number as read; those without come last."""

    def place(row: Facts) -> tuple[bool, list[tuple[int, str]], str]:
        parts = re.findall(r"\d+|\D+", row.element.number.casefold())
        return not parts, [(int(part), "") if part.isdecimal() else (sys.maxsize, part) for part in parts], row.name

    return sorted(facts_on().filter(element__set=of), key=place)


def elements_by_code(codes: Iterable[str], *, date: datetime.date | None = None) -> dict[str, Facts]:
    """Return the facts of these elements by code, in effect on this day; unknown codes are left out."""
    rows = facts_on(date).filter(element__code__in=list(codes))
    return {row.element.code: row for row in rows}


def names_of(what: str, *, date: datetime.date | None = None) -> list[str]:
    """Return every power, team or keyword that a search may use on this day, in order."""
    last = CatalogueChange.objects.order_by("-pk").values_list("pk", "at").first()
    return list(_names_on(what, date or timezone.localdate(), last))


@functools.lru_cache(maxsize=60)
def _names_on(what: str, day: datetime.date, last_change: tuple[Any, ...] | None) -> tuple[str, ...]:
    facts = Facts.objects.on(day).values("pk")
    found = Trait.objects.filter(what=what, facts__in=facts).order_by("name").values_list("name", flat=True)
    return tuple(found.distinct())


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
    valid in a force file, are left out. One query, whatever the force.
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
    rows = list(facts_on(date).filter(Q(name__in=named) | Q(element__number__in=numbers - {""})))
    found = {}
    for (section, place), element in wanted.items():
        kept = [row for row in rows if row.element.section == ("characters" if section == "sideline" else section)]
        if match := _match(kept, element):
            found[section, place] = match
    return found


def _match(rows: list[Facts], element: dict[str, Any]) -> Facts | None:
    set_code, number = element.get("set") or "", element.get("number") or ""
    if set_code:
        rows = [row for row in rows if row.element.set.code == set_code]
        if number:
            rows = [row for row in rows if row.element.number == number]
            return rows[0] if len(rows) == 1 else None
    rows = [row for row in rows if row.name == element["name"]]
    if len(rows) > 1:
        rows = [row for row in rows if (row.rank or "common") == (element.get("rank") or "common")]
    return rows[0] if len(rows) == 1 else None
