"""The maps, example positions and ready-made disputes that ship with the project, read from `rules/library`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.engine import EDITIONS

LIBRARY = Path(__file__).parent / "library"
MAP_NOTES: dict[str, Promise] = {
    "ashgrove-zoo": _("Enclosures, a pond and a viewing terrace in open parkland."),
    "foundry-nine": _("Foundry halls with doors, windows and steam that blurs the view."),
    "kestrel-docks": _("Quays, a roofless warehouse, stacked containers and a crane."),
    "lantern-street": _("A street corner between two roofs, with a small park and a fountain."),
    "observatory-hill": _("Terraces on three levels around a dome, with ladders where the path ends."),
    "quarry-bridge": _("A rocky gorge with water below and a bridge across it."),
    "sunken-station": _("A flooded platform under a street, with fog on the stairs and kiosks with windows."),
    "tessel-arcade": _("A covered hall with shops, open doorways, benches and a pool."),
}
"""What each map shows, by its file's name."""


@dataclass(frozen=True, slots=True)
class ShelfMap:
    """An invented battle map, what it shows, and the editions that have everything on it."""

    slug: str
    title: str
    note: Promise
    editions: tuple[str, ...]
    map: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Example:
    """A position based on a figure or example of a book: what it shows, its section, the lines to look at.

    `compare` is the edition to put beside it, or nothing.
    """

    slug: str
    title: str
    note: str
    edition: str
    sections: tuple[str, ...]
    lines: tuple[dict[str, str], ...]
    compare: str
    position: dict[str, Any]

    @property
    def edition_title(self) -> str:
        """The title of its book."""
        return EDITIONS[self.edition].title


@dataclass(frozen=True, slots=True)
class ReadyDispute:
    """A common dispute as a position file with its actions and dice: the question, and the book's answer.

    The answer rests on `sections` of the book and on `rulings`, given by their ids.
    """

    slug: str
    title: str
    question: str
    answer: str
    edition: str
    sections: tuple[str, ...]
    rulings: tuple[str, ...]
    position: dict[str, Any]

    @property
    def edition_title(self) -> str:
        """The title of the book that answers."""
        return EDITIONS[self.edition].title


@cache
def ready_disputes() -> dict[str, ReadyDispute]:
    """Return the ready-made disputes by slug, ordered by book and then by file name."""
    found = []
    for path in sorted((LIBRARY / "disputes").glob("*.json")):
        held = json.loads(path.read_text(encoding="utf-8"))
        position = held["position"]
        found.append(
            ReadyDispute(
                slug=path.stem.partition("-")[2],
                title=held["title"],
                question=held["question"],
                answer=held["answer"],
                edition=position["edition"],
                sections=tuple(held.get("sections", ())),
                rulings=tuple(held.get("rulings", ())),
                position=position,
            )
        )
    order = list(EDITIONS)
    return {one.slug: one for one in sorted(found, key=lambda one: order.index(one.edition))}


@cache
def maps() -> dict[str, ShelfMap]:
    """Return the library's maps by slug, in order of their titles."""
    found = []
    for path in sorted((LIBRARY / "maps").glob("*.json")):
        held = json.loads(path.read_text(encoding="utf-8"))
        found.append(ShelfMap(path.stem, held["title"], MAP_NOTES[path.stem], tuple(held["editions"]), held["map"]))
    return {one.slug: one for one in sorted(found, key=lambda one: one.title)}


@cache
def examples() -> dict[str, Example]:
    """Return the example positions by slug, ordered by book and then by file name."""
    found = []
    for path in sorted((LIBRARY / "positions").glob("*.json")):
        held = json.loads(path.read_text(encoding="utf-8"))
        position = {"title": held["title"], **held["position"]}
        found.append(
            Example(
                slug=path.stem.partition("-")[2],
                title=held["title"],
                note=held["note"],
                edition=position["edition"],
                sections=tuple(held["sections"]),
                lines=tuple(held["lines"]),
                compare=held.get("compare", ""),
                position=position,
            )
        )
    order = list(EDITIONS)
    return {one.slug: one for one in sorted(found, key=lambda one: order.index(one.edition))}
