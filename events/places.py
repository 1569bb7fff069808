"""The country of a time zone, from the tables of the time zone database."""

from __future__ import annotations

import functools
import re
import zoneinfo
from importlib import resources
from pathlib import Path

REGION = re.compile(r"^\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b", re.IGNORECASE)


def _rows(table: str) -> list[list[str]]:
    """Return the rows of a table of the time zone database, split at tabs; empty if this machine lacks it."""
    for folder in zoneinfo.TZPATH:
        path = Path(folder) / table
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            break
    else:
        try:
            text = resources.files("tzdata.zoneinfo").joinpath(table).read_text(encoding="utf-8")
        except (ModuleNotFoundError, FileNotFoundError):
            return []
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


@functools.cache
def country_codes() -> dict[str, str]:
    """Return the country code (ISO 3166, two letters) of each time zone."""
    return {row[2]: row[0] for row in _rows("zone.tab") if len(row) > 2}


@functools.cache
def _country_names() -> dict[str, str]:
    return {row[0]: row[1] for row in _rows("iso3166.tab") if len(row) > 1}


def likely_country(accepted_languages: str, time_zone: str) -> str:
    """Return the English name of the country in a browser's languages ("nl-BE"), else the time zone's, or ""."""
    named = REGION.match(accepted_languages)
    code = named[1].upper() if named else country_codes().get(time_zone, "")
    return _country_names().get(code, "")
