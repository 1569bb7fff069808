"""Every scoring example in the five books, with its section."""

from rules.engine import headings, score_battle
from tests.rules.engine.golden import golden, holds
from tests.tables import every_row

CASES = golden("battle")


@every_row("case", CASES, ids=lambda case: case["id"])
def test_examples_of_the_books(case):
    report = score_battle(case["input"])
    assert holds(case["expect"], report), report


@every_row("case", CASES, ids=lambda case: case["id"])
def test_their_places_exist(case):
    assert headings(case["input"]["edition"]).has(case["source"]["section"])
