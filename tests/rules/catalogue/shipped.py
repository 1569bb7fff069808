"""The shipped library: loaded once in each process, then copied row by row into each test's database."""

from __future__ import annotations

from django.db import connection

from rules.models import CatalogueChange, Correction, Element, Facts, Set, Trait
from rules.services.library import LoadedLibrary, load_library

MODELS = (Set, Element, Correction, Facts, Trait, CatalogueChange)
"""What loading makes rows of."""
LOADED: list[LoadedLibrary] = []
ROWS: list[tuple[str, list[tuple]]] = []
"""The rows of each table, as SQLite has them, after the first loading into an empty catalogue."""


def loaded_library() -> LoadedLibrary:
    """Load the shipped library and return the outcome; on PostgreSQL, and beside other sets, from its files each time."""
    if connection.vendor != "sqlite" or Set.objects.exists():
        return load_library(by="tests")
    with connection.cursor() as cursor:
        if not LOADED:
            LOADED.append(load_library(by="tests"))
            for model in MODELS:
                cursor.execute(f"SELECT * FROM {model._meta.db_table}")
                ROWS.append((model._meta.db_table, cursor.fetchall()))
        else:
            for table, rows in ROWS:
                cursor.executemany(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * len(rows[0]))})", rows)
    return LOADED[0]
