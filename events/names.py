"""How names are shortened; how they are sorted, without regard to case or accents.

Database columns sort the same way by `models.fields.NameField`.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from functools import lru_cache

COLLATION = "names"
UNDIVIDED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Lower-case letters that Unicode doesn't divide into a letter and an accent."""


@lru_cache(maxsize=20_000)
def name_key(name: str) -> str:
    """Return a name's sort key: lower case without accents, so that Élodie sorts with Elena."""
    taken_apart = unicodedata.normalize("NFKD", name.casefold()).translate(UNDIVIDED)
    return "".join(letter for letter in taken_apart if not unicodedata.combining(letter)).strip()


def _compared(one: str, other: str) -> int:
    """Return -1, 0 or 1; only equal texts are equal, so that a page can continue after any name."""
    first, second = (name_key(one), one), (name_key(other), other)
    return (first > second) - (first < second)


def add_collation(opened: sqlite3.Connection) -> sqlite3.Connection:
    """Return this connection to SQLite, which now can sort names; PostgreSQL has a collation of its own."""
    opened.create_collation(COLLATION, _compared)
    return opened


def short_name(name: str) -> str:
    """Return the first name and an initial."""
    first, *rest = name.split()
    return f"{first} {rest[-1][0]}." if rest else first
