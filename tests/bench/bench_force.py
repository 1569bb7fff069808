"""Forces of ten elements checked per second, document to report; goals: 5,000 without dials, 2,500 with dials."""

import json
from time import perf_counter

from rules.engine import check_force, reports_on, written
from tests.rules.engine.documents.test_laws import malformed

CLICKS = [
    {"speed": 10 - click // 2, "attack": 11 - click // 2, "defense": 17 - click // 3, "damage": 3 - click // 4,
     "powers": ["Charge", "Super Strength", "Toughness"][: 3 - click // 4]}
    for click in range(12)
]  # fmt: skip


def force(edition, dials):
    """Return a legal force of ten characters with teams and keywords."""
    characters = [
        {"ref": f"c{number}", "name": f"Hero {number}", "set": "nl", "number": f"{number:03}", "points": 25 + number,
         "rank": "veteran", "base_color": "black", "teams": ["Wardens"], "keywords": ["Wardens of Brass Harbour"],
         "generic_keywords": ["Detective"], **({"dial": CLICKS} if dials else {})}
        for number in range(10)
    ]  # fmt: skip
    return {"id": "f", "edition": edition, "event": {"build_total": 300}, "force": {"characters": characters}}


def report(text):
    """Return the report on a text, read strictly and written as a command does."""
    found = next(reports_on(text, check_force))
    written(found)
    return found


def test_a_lean_force(benchmark):
    text = json.dumps(force("core-2014", dials=False))
    assert benchmark(report, text)["legal"]


def test_a_lean_force_of_2002(benchmark):
    text = json.dumps(force("car-2002", dials=False))
    assert benchmark(report, text)["legal"]


def test_a_force_with_full_dials(benchmark):
    text = json.dumps(force("core-modern", dials=True))
    assert benchmark(report, text)["legal"]


def test_a_force_that_breaks_many_rules(benchmark):
    document = force("core-2014", dials=True)
    document["event"]["build_total"] = 150
    for one in document["force"]["characters"]:
        one |= {"rank": "unique", "name": "Hero", "number": "001"}
    document["force"]["feats"] = [
        {"name": "Bold", "points": 20, "assigned_to": ["c1"], "requires": {"powers": ["Flurry"]}}
    ]
    document["force"]["objects"] = [{"name": "Crate", "kind": "light"}] * 4
    text = json.dumps(document)
    assert len(benchmark(report, text)["violations"]) == 5


def test_the_slowest_of_the_malformed(benchmark):
    """Time the malformed document, of two thousand, that takes longest to refuse."""
    spoilt = list(malformed(2_000, seed=3))

    def took(text):
        start = perf_counter()
        for found in reports_on(text, check_force):
            written(found)
        return perf_counter() - start

    slowest = max(spoilt, key=lambda text: min(took(text) for _ in range(3)))
    benchmark(took, slowest)
