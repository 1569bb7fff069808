"""Every example force in the five books, with its section."""

from rules.engine import check_force, headings
from tests.rules.engine.golden import golden, holds
from tests.tables import every_row

CASES = golden("force")


@every_row("case", CASES, ids=lambda case: case["id"])
def test_examples_of_the_books(case):
    report = check_force(case["input"])
    assert holds(case["expect"], report), report


@every_row("case", CASES, ids=lambda case: case["id"])
def test_their_places_exist(case):
    assert headings(case["input"]["edition"]).has(case["source"]["section"])
