"""Speed of searching and importing the catalogue, with thousands of figures with full dials."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

import pytest
from django.urls import reverse

from rules import queries
from rules.dials import SLOTS
from rules.element_search import ElementSearch
from rules.importers.bundle import File
from rules.importers.csv_sheet import cells_of
from rules.importers.kept import Kept, kept_reading
from rules.importers.layouts import read_file
from rules.importers.shipped import shipped_sets
from rules.models import Import
from rules.queries import element_search, search_elements
from rules.services.catalogue import NewElement, catalogue_elements, record_set
from rules.services.imports import apply_import, begin_import, plan_more
from rules.services.library import load_library

FIGURES = 15_000
ASKED: dict[str, dict[str, Any]] = {
    "all": {},
    "a name": {"text": "lamp"},
    "two words": {"text": "harbour veteran"},
    "a typo": {"text": "lampligther"},
    "set and number": {"text": "many 4711"},
    "one letter": {"text": "s"},
    "a word that nothing has": {"text": "lamplighter zebra"},
    "nothing there": {"text": "zebra"},
    "a power": {"power": "Outwit"},
    "power, keyword, edition, points": {
        "power": "Toughness", "keyword": "Harbour Watch", "edition": "core-2014", "points_from": 20, "points_to": 150,
    },
}  # fmt: skip


def many_figures() -> list[NewElement]:
    """Return thousands of figures: the invented ones repeated with other numbers."""
    shipped = [each for one in shipped_sets() for each in one.elements if "dial" in each.facts]
    chosen = random.Random(2002)
    return [
        NewElement("many", "characters", {**chosen.choice(shipped).facts, "number": f"{number:05d}"})
        for number in range(FIGURES)
    ]


@pytest.fixture(scope="module")
def full_catalogue(django_db_setup, django_db_blocker):
    """Fill the database once for all searches."""
    with django_db_blocker.unblock():
        load_library()
        record_set(code="many", name="Many Figures")
        catalogue_elements(elements=many_figures())
        yield


@pytest.mark.parametrize("asked", ASKED)
def test_search(benchmark, full_catalogue, django_db_blocker, asked):
    """One search, with the dials of its first fifty figures; goal: 20 ms."""
    with django_db_blocker.unblock():
        element_search().find("lampligther")
        found = benchmark(lambda: list(search_elements(**ASKED[asked])[:50]))
    assert len(found) == {"nothing there": 0, "set and number": 1}.get(asked, 50)


@pytest.mark.parametrize("query", ["", "?q=lampligther", "?q=harbour&tab=figures", "?power=Toughness&points_to=80"])
def test_page(benchmark, client, full_catalogue, django_db_blocker, query):
    """One full page of the catalogue; goal: 60 ms."""
    with django_db_blocker.unblock():
        assert benchmark(client.get, reverse("rules:catalogue") + query).status_code == 200


def test_names_in_order(benchmark, full_catalogue, django_db_blocker):
    """Read the names in their order, as the first search after a change of the catalogue does."""
    with django_db_blocker.unblock():

        def made() -> ElementSearch:
            queries._kept.clear()
            return element_search()

        assert len(benchmark.pedantic(made, rounds=5).keys) > FIGURES


def test_read_a_spreadsheet(benchmark):
    """Read a file of fifteen thousand figures with full dials."""
    columns: dict[str, None] = {}
    rows = [{"set": "many", **cells_of(each.facts)} for each in many_figures()]
    for row in rows:
        columns.update(dict.fromkeys(row))
    sheet = io.StringIO()
    lines = csv.DictWriter(sheet, list(columns))
    lines.writeheader()
    lines.writerows(rows)
    reading = benchmark.pedantic(read_file, args=(sheet.getvalue().encode(), "csv"), rounds=2)
    assert len(reading.records) == FIGURES


@pytest.mark.django_db
def test_import_units(benchmark):
    """Import ten thousand units with full dials from JSON: read, compare and apply."""
    units = [
        {
            "set_id": "units", "collector_number": f"{number:05d}", "name": f"Figure {number % 900}", "type": "character",
            "point_values": [50], "keywords": ["Harbour Watch", "Spy"],
            "dial": [
                {"click_number": click, **{f"{slot}_value": 9 for slot in SLOTS}, "damage_power": "outwit"}
                for click in range(1, 9)
            ],
        }
        for number in range(10_000)
    ]  # fmt: skip
    file = File("units.json", json.dumps(units).encode())

    def whole() -> int:
        row = begin_import(name="units.json", reading=Kept(kept_reading([file], "", "")))
        while row.state == Import.State.PLANNING:
            row = plan_more(reading_of=row)
        return len(apply_import(planned=row).added)

    assert benchmark.pedantic(whole, rounds=1) == 10_000
