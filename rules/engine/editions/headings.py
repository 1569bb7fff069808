"""The headings of the five books, and their places in the transcriptions they were read from.

Headings only: the text under them is the publishers'. A citation names a path of headings (`Movement › Flying`), which
is looked up here; a judge's own copy of a book is cut at these places. The rulings are in `rulings`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from .sources import TEXTS

SEPARATOR = " › "


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its path, its place (line from 1, or character from 0), its printed form ("" if lost)."""

    path: str
    at: int
    printed: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the headings above it, and its own."""
        return tuple(self.path.split(SEPARATOR))

    @property
    def name(self) -> str:
        """Its own name, without those of the headings above it."""
        return self.parts[-1]


@dataclass(frozen=True, slots=True)
class Headings:
    """All headings of one book in tree order; `elsewhere` are cited sources outside it."""

    edition: str
    title: str
    unit: str
    length: int
    all: tuple[Heading, ...]
    elsewhere: tuple[str, ...]

    def find(self, section: str) -> Heading | None:
        """Return the heading of that path.

        A path may also omit or add headings above, differ in case, or say "Part 10: Terrain" for "Terrain", as long as
        only one heading can be meant.
        """
        exact = _by_path(self).get(section)
        if exact is not None:
            return exact
        wanted = [_plain(part) for part in section.split(SEPARATOR)]
        while wanted:
            held = [heading for heading in self.all if _holds([_plain(part) for part in heading.parts], wanted)]
            shortest = min((len(heading.parts) for heading in held), default=0)
            nearest = [heading for heading in held if len(heading.parts) == shortest]
            if held:
                return nearest[0] if len(nearest) == 1 else None
            wanted = wanted[1:]
        return None

    def has(self, section: str) -> bool:
        """Return whether a citation may name this section in exactly this form."""
        return section in self.elsewhere or section in _by_path(self)


def _plain(part: str) -> str:
    part = re.sub(r"^(part|step)\s+\d+\s*:?\s*", "", part.casefold())
    return re.sub(r"[^a-z0-9]+", " ", part.replace("’", "").replace("'", "")).strip()


def _holds(parts: list[str], wanted: list[str]) -> bool:
    """Return whether the wanted parts occur among a heading's parts in this order, with the same last part."""
    if parts[-1] != wanted[-1]:
        return False
    above = iter(parts[:-1])
    return all(part in above for part in wanted[:-1] if part)


@cache
def headings(edition: str) -> Headings:
    """Return the headings of an edition's book. Raises KeyError for an unknown edition."""
    path = TEXTS / "headings" / f"{edition}.toml"
    if not path.is_file() or path.parent != TEXTS / "headings":
        raise KeyError(edition)
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    every = []
    for section, place in written["headings"].items():
        name = section.rpartition(SEPARATOR)[2]
        at, printed = (place["at"], place["printed"]) if isinstance(place, dict) else (place, name)
        every.append(Heading(section, at, printed))
    return Headings(
        edition=written["edition"],
        title=written["title"],
        unit=written["unit"],
        length=written["length"],
        all=tuple(every),
        elsewhere=tuple(written.get("elsewhere", ())),
    )


@cache
def _index(edition: str) -> dict[str, Heading]:
    return {heading.path: heading for heading in headings(edition).all}


def _by_path(book: Headings) -> dict[str, Heading]:
    return _index(book.edition)
