"""The catalogue's search as pages show it: in four tabs, with names to choose from, and open on the sets last used."""

from __future__ import annotations

import functools
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from .models import Element, Set, Trait
from .queries import Ranked, catalogue_state, element_search
from .searched import words_in

Section = Element.Section
TABS: dict[str, tuple[Promise, frozenset[str]]] = {
    "figures": (gettext_lazy("Figures"), frozenset({Section.CHARACTERS})),
    "feats": (gettext_lazy("Feats"), frozenset({Section.FEATS})),
    "objects": (gettext_lazy("Objects"), frozenset({Section.OBJECTS})),
    "more": (
        gettext_lazy("More"),
        frozenset(Section) - {Section.CHARACTERS, Section.FEATS, Section.OBJECTS},
    ),
}
"""Each tab's title, and the sections of the catalogue that it shows."""
TAB_OF = {section: name for name, (_title, sections) in TABS.items() for section in sections}
SETS_KEPT, SUGGESTED = 4, 12
RECENT = "recent_sets"
LATEST = 300


@dataclass(frozen=True)
class Tab:
    """A tab above the results, with the number of its elements."""

    name: str
    title: Promise
    count: int
    is_open: bool


@dataclass(frozen=True)
class Results:
    """What a search found, in tabs; `rows` are those of the open tab.

    `sets` are the sets last used, if nothing was asked and these are shown.
    """

    tabs: tuple[Tab, ...]
    rows: Ranked
    sets: tuple[Set, ...] = ()

    @property
    def count(self) -> int:
        """The number of elements in the open tab."""
        return next(tab.count for tab in self.tabs if tab.is_open)

    @property
    def set_names(self) -> str:
        """The names of the sets last used."""
        return ", ".join(one.name for one in self.sets)


def in_tabs(found: Ranked, asked: str, sets: Iterable[Set] = ()) -> Results:
    """Return a search's results with the asked tab open, or if it is empty, the first that has any."""
    section_of = found.searched.sections
    keys: dict[str, list[int]] = {name: [] for name in TABS}
    for key in found.keys:
        if (section := section_of.get(key)) is not None:
            keys[TAB_OF[section]].append(key)
    first = asked if asked in TABS else next(iter(TABS))
    opened = first if keys[first] else next((name for name in TABS if keys[name]), first)
    tabs = tuple(Tab(name, title, len(keys[name]), name == opened) for name, (title, _sections) in TABS.items())
    return Results(tabs, Ranked(found.rows, keys[opened], found.searched, found.matching), tuple(sets))


def use_set(session: MutableMapping[str, Any], code: str) -> None:
    """Remember in a visitor's session that this set was used; without a session, nothing is remembered."""
    kept = session.get(RECENT, [])
    if getattr(session, "session_key", None) and kept[:1] != [code]:
        session[RECENT] = [code, *(one for one in kept if one != code)][:SETS_KEPT]


def sets_last_used(session: MutableMapping[str, Any]) -> list[Set]:
    """Return the sets that this visitor used last; without any, those of which elements were imported last."""

    def known(codes: Iterable[str]) -> list[Set]:
        wanted = list(dict.fromkeys(codes))[:SETS_KEPT]
        return sorted(Set.objects.filter(code__in=wanted), key=lambda row: wanted.index(row.code))

    imported = Element.objects.order_by("-pk").values_list("set__code", flat=True)
    return known(session.get(RECENT, ())) or known(imported[:LATEST])


def suggestions(what: str, typed: str) -> list[str]:
    """Return names of powers, teams or keywords of which each typed word begins a word, the most used first."""
    asked = words_in(typed[:200])
    names = _names(what, catalogue_state())
    found = _beginning(names, asked)
    if asked and not found:
        near = [element_search().spelling.near(word) for word in asked]
        found = _beginning(names, [others[0] if others else word for word, others in zip(asked, near, strict=True)])
    return found


def _beginning(names: Iterable[tuple[str, str]], asked: list[str]) -> list[str]:
    found = (name for name, words in names if all(f" {word}" in words for word in asked))
    return [name for name, _at in zip(found, range(SUGGESTED), strict=False)]


@functools.lru_cache(maxsize=12)
def _names(what: str, state: tuple[Any, ...]) -> tuple[tuple[str, str], ...]:
    """Return every name, and its words, each with a space before it; the most used first."""
    counted = Trait.objects.filter(what=what).values_list("name").annotate(uses=Count("pk")).order_by("-uses", "name")
    return tuple((name, f" {' '.join(words_in(name))}") for name, _uses in counted)
