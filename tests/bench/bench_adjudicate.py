"""Single attacks adjudicated per second: from a loaded position, and from a document to its report."""

from __future__ import annotations

from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from rules.engine import adjudicate
from rules.engine.adjudicate import decide
from rules.engine.documents.position import read_position

CARDS: list[dict[str, Any]] = [
    {
        "name": "Wing Gust",
        "kind": "special-power",
        "clicks": [1, 2, 3],
        "effects": [{"do": "can-use", "powers": ["Charge"]}],
    },
    {
        "name": "Grudge",
        "kind": "trait",
        "effects": [
            {"do": "modify", "value": "attack", "by": 1, "when": {"attack": "any", "target": {"keyword": ["Brute"]}}}
        ],
    },
    {
        "name": "Shield Wall",
        "kind": "trait",
        "effects": [{"do": "modify", "value": "defense", "by": 1, "to": {"side": "friends", "within": 2}}],
    },
]
"""A special power, a trait for the figure alone, and one for its friends."""
DIAL = [{"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": ["Toughness"]}] * 10


def _figure(id: str, square: str, cards: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": id, "name": id, "square": square, "points": 50, "range": 6, "dial": DIAL, "cards": cards}


def _document(edition: str = "car-2002", cards: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    mine = [_figure(f"a{row}", f"C{row}", cards or []) for row in range(1, 7)]
    theirs = [_figure(f"b{row}", f"G{row}", cards or []) for row in range(1, 7)]
    return {
        "edition": edition,
        "build_total": 300,
        "map": {"width": 16, "height": 16, "terrain": [{"type": "hindering", "squares": ["E3"]}]},
        "sides": [{"player": "A", "characters": mine}, {"player": "B", "characters": theirs}],
        "actions": [{"action": "ranged", "actor": "a3", "targets": ["b3"], "rolls": {"attack": [[4, 5]]}}],
    }


def test_an_attack_from_a_loaded_position(benchmark: BenchmarkFixture) -> None:
    case = read_position(_document()).case
    outcome = benchmark(decide, case)
    assert outcome.legal


def test_an_attack_from_document_to_report(benchmark: BenchmarkFixture) -> None:
    document = _document()
    report = benchmark(adjudicate, document)
    assert report["legal"]


def test_an_attack_from_a_loaded_position_of_the_modern_rulebook(benchmark: BenchmarkFixture) -> None:
    case = read_position(_document("core-modern")).case
    outcome = benchmark(decide, case)
    assert outcome.legal


def test_an_attack_from_a_loaded_position_with_three_cards_a_figure(benchmark: BenchmarkFixture) -> None:
    case = read_position(_document("core-modern", CARDS)).case
    outcome = benchmark(decide, case)
    assert outcome.legal
