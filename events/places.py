"""The country of a time zone, from the tables of the time zone database."""

from __future__ import annotations

import functools
import re
import zoneinfo
from importlib import resources
from pathlib import Path

REGION = re.compile(r"^\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b", re.IGNORECASE)


def _lines(table: str) -> list[str]:
    """Return the lines of a table of the time zone database; empty if this machine lacks it."""
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
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@functools.cache
def country_codes() -> dict[str, str]:
    """Return the country of each time zone, by its present name and its old ones, as two letters (ISO 3166)."""
    rows = [line.split("\t") for line in _lines("zone.tab")]
    found = {row[2]: row[0] for row in rows if len(row) > 2}
    links = [line.split() for line in _lines("tzdata.zi") if line.startswith("L ")]
    for _link, name, old_name in links:
        if name in found:
            found.setdefault(old_name, found[name])
    return found


@functools.cache
def _country_names() -> dict[str, str]:
    rows = [line.split("\t") for line in _lines("iso3166.tab")]
    return {row[0]: row[1] for row in rows if len(row) > 1}


def likely_country(accepted_languages: str, time_zone: str) -> str:
    """Return the English name of the country in a browser's languages ("nl-BE"), else the time zone's, or ""."""
    named = REGION.match(accepted_languages)
    code = named[1].upper() if named else country_codes().get(time_zone, "")
    return _country_names().get(code, "")
