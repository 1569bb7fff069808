"""Full text in the database: FTS5 on SQLite, text search on PostgreSQL. The one module that knows their SQL.

A searched table has a column `words`: words that we made, with a space between them. The database indexes them as they
are, without a language of its own, so that both kinds of database find the same rows. It keeps the index true itself
with every write to the table: on SQLite by triggers on an FTS5 table, on PostgreSQL by a generated column with a GIN index.

A question is a `Query` of our words, never a text that someone typed.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

from django.core.checks import CheckMessage, Error
from django.db import connection, transaction
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

TABLES = ("rules_facts", "rules_searchedtext")
"""The searched tables."""
TOKEN = re.compile(r"[^\W_]+(?:[.=/-][^\W_]*)*")
MAX_LETTERS, MAX_WORDS = 100, 2000
"""The letters of a word that count, and the words of a row: PostgreSQL takes so many in any script."""
TOGETHER = 400
"""How many questions are asked by one statement: SQLite takes up to 500."""
SIGNS = {"sqlite": ('"{}"', '"{}" *', " AND ", " OR "), "postgresql": ("'{}'", "'{}':*", " & ", " | ")}
"""How each database writes a word, the beginning of a word, and the signs for all and for any."""
FOUND = {
    "sqlite": "SELECT {place}rowid FROM {table}_words WHERE {table}_words MATCH %s",
    "postgresql": "SELECT {place}id FROM {table} WHERE vector @@ %s::tsquery",
}
OF_SOURCE = {
    "sqlite": (
        "SELECT {place}number FROM {table}_words CROSS JOIN {table} ON {table}.id = {table}_words.rowid "
        "WHERE {table}_words MATCH %s AND +source = %s"
    ),
    "postgresql": "SELECT {place}number FROM {table} WHERE vector @@ %s::tsquery AND source = %s",
}
COUNTED = {
    "sqlite": "SELECT term, doc FROM {table}_counted",
    "postgresql": "SELECT word, ndoc FROM ts_stat('SELECT vector FROM {table}')",
}
INDEXED = (
    "SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = %s::regclass AND relname = %s"
)
"""Whether a table of PostgreSQL's has its index: that very table, as another schema may hold one of the same name."""
PARTS = {
    "{table}_words": (
        "CREATE VIRTUAL TABLE {table}_words USING fts5(words, content='{table}', content_rowid='id', detail=none, "
        "columnsize=0, prefix='3', tokenize=\"ascii tokenchars '.=/-'\")"
    ),
    "{table}_counted": "CREATE VIRTUAL TABLE {table}_counted USING fts5vocab({table}_words, row)",
    "{table}_added": "CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN {add}; END",
    "{table}_removed": "CREATE TRIGGER {table}_removed AFTER DELETE ON {table} BEGIN {remove}; END",
    "{table}_changed": "CREATE TRIGGER {table}_changed AFTER UPDATE OF words ON {table} BEGIN {remove}; {add}; END",
}
"""What SQLite needs for a table, by name: the index, its vocabulary, and the triggers that keep it true."""
ADD = "INSERT INTO {table}_words (rowid, words) VALUES (new.id, new.words)"
REMOVE = "INSERT INTO {table}_words ({table}_words, rowid, words) VALUES ('delete', old.id, old.words)"


@dataclass(frozen=True, slots=True)
class Query:
    """What a row must have: a word, a word that begins so, or all or any of other queries."""

    kind: Literal["word", "begun", "all", "any"]
    word: str = ""
    parts: tuple[Query, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a word with a sign that a database could understand."""
        if self.word and not TOKEN.fullmatch(self.word):
            raise ValueError(f"not a word: {self.word!r}")

    def written(self, vendor: str) -> str:
        """Return the query as this kind of database reads it."""
        word, begun, every, some = SIGNS[vendor]
        if self.parts:
            return f"({(every if self.kind == 'all' else some).join(one.written(vendor) for one in self.parts)})"
        return (word if self.kind == "word" else begun).format(self.word)


def has(word: str) -> Query:
    """Ask for a word."""
    return Query("word", word[:MAX_LETTERS])


def begins(start: str) -> Query:
    """Ask for a word that begins so."""
    return Query("begun", start[:MAX_LETTERS])


def every(parts: Iterable[Query | None]) -> Query | None:
    """Ask for all of these; None, which nothing has, if one is None or there are none."""
    wanted = tuple(dict.fromkeys(parts))
    if not wanted or None in wanted:
        return None
    return wanted[0] if len(wanted) == 1 else Query("all", parts=wanted)  # type: ignore[arg-type]


def some(parts: Iterable[Query | None]) -> Query | None:
    """Ask for any of these; None, which nothing has, if there are none."""
    wanted = tuple(dict.fromkeys(one for one in parts if one is not None))
    if not wanted:
        return None
    return wanted[0] if len(wanted) == 1 else Query("any", parts=wanted)


def as_column(words: Iterable[str]) -> str:
    """Return words as the column `words` holds them: each once, in order."""
    kept = sorted({word[:MAX_LETTERS] for word in words})
    return " ".join(kept[:MAX_WORDS])


# Reading


def found(table: str, queries: Sequence[Query | None], source: str = "") -> list[set[int]]:
    """Return for each query the keys of the rows that it finds, or the numbers of those of a source.

    One statement for 400 queries.
    """
    keys: list[set[int]] = [set() for _query in queries]
    vendor = connection.vendor
    one = (OF_SOURCE if source else FOUND)[vendor]
    asked = [(place, query.written(vendor)) for place, query in enumerate(queries) if query is not None]
    for start in range(0, len(asked), TOGETHER):
        some_of_them = asked[start : start + TOGETHER]
        statement = " UNION ALL ".join(one.format(place=f"{place}, ", table=table) for place, _text in some_of_them)
        given = [text for _place, written in some_of_them for text in ([written, source] if source else [written])]
        with connection.cursor() as cursor:
            cursor.execute(statement, given)
            for place, rows in groupby(cursor.fetchall(), itemgetter(0)):
                keys[place].update(map(itemgetter(1), rows))
    return keys


def any_found(table: str, queries: Sequence[Query | None]) -> list[bool]:
    """Return for each query whether it finds a row; up to 400 of them. One statement."""
    asked = [(place, query.written(connection.vendor)) for place, query in enumerate(queries) if query is not None]
    one = FOUND[connection.vendor]
    each = (one.format(place=f"{place}, ", table=table) for place, _text in asked)
    statement = " UNION ALL ".join(f"SELECT * FROM ({it} LIMIT 1) AS one_{at}" for at, it in enumerate(each))
    with connection.cursor() as cursor:
        cursor.execute(statement, [text for _place, text in asked])
        places = {place for place, _key in cursor.fetchall()}
    return [place in places for place in range(len(queries))]


def ranked(table: str, groups: Sequence[Query | None], whole: Query) -> list[set[int]]:
    """Return the keys of the rows that `whole` finds, in these groups and the rest.

    A row may be in several groups, or only in the first of them. One statement, or two.
    """
    if connection.vendor == "sqlite":
        (rest,) = found(table, [whole])  # most questions that nothing answers end here
        return [*(keys & rest for keys in found(table, groups if rest else [None for _group in groups])), rest]
    keys: list[set[int]] = [set() for _group in (*groups, whole)]
    asked = [(place, query.written("postgresql")) for place, query in enumerate(groups) if query is not None]
    cases = " ".join(f"WHEN vector @@ %s::tsquery THEN {place}" for place, _text in asked)
    place = f"CASE {cases} ELSE {len(groups)} END, " if asked else f"{len(groups)}, "
    with connection.cursor() as cursor:  # looking at each row once takes less than looking for each group
        statement = FOUND["postgresql"].format(place=place, table=table)
        cursor.execute(statement, [*(text for _place, text in asked), whole.written("postgresql")])
        for group, key in cursor.fetchall():
            keys[group].add(key)
    return keys


def having(table: str, query: Query) -> RawSQL:
    """Return the condition that a row has what is asked for, for a query set of this table."""
    keys = FOUND[connection.vendor].format(place="", table=table)
    return RawSQL(f"{table}.id IN ({keys})", [query.written(connection.vendor)], output_field=BooleanField())


def counted(table: str) -> list[tuple[str, int]]:
    """Return each word of a table with the number of its rows."""
    with connection.cursor() as cursor:
        cursor.execute(COUNTED[connection.vendor].format(table=table))
        return cursor.fetchall()


# Making


def complete() -> None:
    """Make what the full text of any table lacks. Every `migrate` ends so: a changed table has lost its triggers."""
    present = set(connection.introspection.table_names())
    for table in TABLES:
        if table in present:
            (_complete_sqlite if connection.vendor == "sqlite" else _complete_postgresql)(table)


def remove() -> None:
    """Remove the full text of all tables, as a version that knows none expects it."""
    with connection.cursor() as cursor:
        for table in TABLES:
            if connection.vendor == "sqlite":
                _remove_sqlite(cursor, table)
            else:
                cursor.execute(f"ALTER TABLE {table} DROP COLUMN IF EXISTS vector")


def _complete_postgresql(table: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(INDEXED, [table, f"{table}_vector"])
        if cursor.fetchone() is None:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a migration may have changed rows just before
            made = "vector tsvector GENERATED ALWAYS AS (words::tsvector) STORED"
            cursor.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS {made}")
            cursor.execute(f"CREATE INDEX {table}_vector ON {table} USING gin (vector)")


def _complete_sqlite(table: str) -> None:
    add, remove = ADD.format(table=table), REMOVE.format(table=table)
    wanted = {
        name.format(table=table): made.format(table=table, add=add, remove=remove) for name, made in PARTS.items()
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master")
        if wanted.items() <= dict(cursor.fetchall()).items():
            return
        with transaction.atomic():
            _remove_sqlite(cursor, table)
            for statement in wanted.values():
                cursor.execute(statement)
            cursor.execute(f"INSERT INTO {table}_words ({table}_words) VALUES ('rebuild')")


def _remove_sqlite(cursor: Any, table: str) -> None:
    for name in reversed(PARTS):
        kind = "TABLE" if PARTS[name].startswith("CREATE VIRTUAL") else "TRIGGER"
        cursor.execute(f"DROP {kind} IF EXISTS {name.format(table=table)}")


def check(**_given: Any) -> list[CheckMessage]:
    """Return an error if this Python's SQLite was built without full text, and the installation needs it."""
    if connection.vendor != "sqlite":
        return []
    try:
        sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE words USING fts5(word)")
    except sqlite3.OperationalError:
        return [
            Error(
                f"SQLite {sqlite3.sqlite_version} has no full text here: it was built without FTS5.",
                hint="Use a Python whose SQLite has FTS5, as all from python.org have, or a PostgreSQL database (DATABASE_URL).",
                id="rules.E001",
            )
        ]
    return []
