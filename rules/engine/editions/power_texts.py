"""What each power, team ability and symbol does in each book, in our own words.

They are data (`texts/powers`): each power has a text for every book or group of books whose engine rows are the same,
and sentences on how the books differ. No rule is decided here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from rules.engine.citations import Citation
from rules.engine.edition import Edition
from rules.engine.editions import EDITIONS
from rules.engine.editions.sources import TEXTS
from rules.engine.power import Power

CITED = re.compile(r" \[([a-z0-9, -]+)\]$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence on a power, and where its book says so."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class PowerText:
    """What a power does in one book, what it asks for and what it doesn't do; `differs` compares the books."""

    row: Power
    does: Statement
    target: Statement
    roll: Statement
    more: tuple[Statement, ...]
    excludes: tuple[Statement, ...]
    differs: tuple[str, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, in page order."""
        return (self.does, self.target, self.roll, *self.more, *self.excludes)


def power_rows(edition: str) -> Mapping[str, Power]:
    """Return everything of an edition that has a text, by name: powers, team abilities, inherent ones and symbols'."""
    book = EDITIONS[edition]
    tables = (book.powers, book.team_abilities, book.inherent, book.symbol_abilities)
    return MappingProxyType({row.name: row for table in tables for row in table.values()})


def power_text(edition: str, name: str) -> PowerText:
    """Return what a power does in an edition's book. Raises KeyError if the book or the texts lack it."""
    return _texts(edition)[name]


def powers_on(edition: str, topic: str) -> tuple[PowerText, ...]:
    """Return what does something in an edition's book and has this topic: powers, team abilities, symbols and the like."""
    return tuple(power_text(edition, row.name) for row in power_rows(edition).values() if row.topic == topic)


@cache
def _texts(edition: str) -> Mapping[str, PowerText]:
    book, written = EDITIONS[edition], _written()
    return MappingProxyType({name: _read(book, row, written[name]) for name, row in power_rows(edition).items()})


@cache
def _written() -> Mapping[str, Any]:
    """Return the texts of all powers by name, as written."""
    files = sorted((TEXTS / "powers").glob("*.toml"))
    return {name: text for path in files for name, text in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def _read(book: Edition, row: Power, written: Mapping[str, Any]) -> PowerText:
    [text] = [one for one in written["books"] if book.name in one["editions"]]
    does, target, roll = _statements(book, row, [text["does"], text["target"], text["roll"]])
    more, excludes = _statements(book, row, text.get("more", ())), _statements(book, row, text["not"])
    return PowerText(row, does, target, roll, more, excludes, tuple(written["differs"]))


def _statements(book: Edition, row: Power, written: Iterable[str]) -> tuple[Statement, ...]:
    """Return the statements that the book makes: a statement on topics that it doesn't treat is another book's."""
    found = []
    for text in written:
        named = CITED.search(text)
        citations = book.cite(named[1].split(", ") if named else (row.topic,))
        if citations:
            found.append(Statement(CITED.sub("", text), citations))
    return tuple(found)
