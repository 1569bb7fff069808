"""Speed of the board: a whole field of view, one line with its reasons, all lines of a map, a reachable set."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rules.engine import adjudicate
from rules.engine.combat.line_classes import class_between, end_of, field_of_view, screen_of, sight_between
from rules.engine.combat.line_of_fire import line_of_fire
from rules.engine.documents.position import read_position
from rules.engine.figures.standing import ground_of
from rules.engine.movement.reach import reachable
from rules.engine.play import Play, Spot, spot_of
from tests.rules.engine.boards import EDITIONS, character, position

MAP = json.loads((Path(__file__).parents[2] / "rules/library/maps/kestrel-docks.json").read_text(encoding="utf-8"))[
    "map"
]
SQUARES = ["L1", "C5", "X20", "K10", "B14", "U22", "O13", "F8", "H15", "S4"]


def document(edition: str) -> dict[str, Any]:
    made = position(edition, ".") | {"map": MAP}
    for number, square in enumerate(SQUARES):
        powers = ["Stealth"] if number % 3 == 0 else []
        one = character(
            f"c{number}", square, speed=10, powers=powers, damage_symbol="giant" if number == 4 else "standard"
        )
        made["sides"][number % 2]["characters"].append(one)
    return made


def opened(edition: str) -> Play:
    file = read_position(document(edition))
    return Play(file.case.edition, file.case.position)


@pytest.mark.parametrize("edition", EDITIONS)
def test_field_of_view_of_one_figure(benchmark: Any, edition: str) -> None:
    """576 lines of a 24×24 map, only their class; goal: under 5 ms."""
    play = opened(edition)
    seen = benchmark(field_of_view, play, play.character("c0"))
    assert len(seen) == 576


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_explained_line(benchmark: Any, edition: str) -> None:
    """One line with its reasons; goal: under 1 ms."""
    play = opened(edition)
    line = benchmark(line_of_fire, play, spot_of(play.character("c0")), spot_of(play.character("c5")))
    assert line.because


def all_pairs(edition: str) -> int:
    play = opened(edition)
    ground = ground_of(play)
    squares = play.position.map.squares()
    ends = {square: end_of(play, Spot((square,))) for square in squares}
    kinds: dict[tuple[Any, ...], Any] = {}
    clear = 0
    for start, end in product(squares, squares):
        kind = (ground.level_of(start), ground.level_of(end))
        if play.edition.line_of_fire.areas_matter:
            kind += (start if kind[0] > 1 else None, end if kind[1] > 1 else None)
        screen = kinds.get(kind)
        if screen is None:
            screen = kinds[kind] = screen_of(play, sight_between(play, ends[start], ends[end], start, end))
        clear += class_between(play, screen, ground, start, end) == "clear"
    return clear


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_pairs_of_a_map(benchmark: Any, edition: str) -> None:
    """331,776 lines; goal: under 5 s."""
    assert benchmark.pedantic(all_pairs, args=(edition,), rounds=1) > 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_reachable_set(benchmark: Any, edition: str) -> None:
    """All squares that a speed of 10 reaches; goal: under 5 ms."""
    play = opened(edition)
    found = benchmark(reachable, play, play.character("c0"))
    assert found is not None
    assert len(found.ends) > 50


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_document_with_four_questions(benchmark: Any, edition: str) -> None:
    """A document from JSON values to the report."""
    asked = document(edition) | {
        "ask": [
            {"ask": "line-of-fire", "from": "c0", "to": "c5"},
            {"ask": "can-target", "attack": "ranged", "from": "c0", "to": "c5"},
            {"ask": "break-away", "of": "c3"},
            {"ask": "value", "of": "c5", "value": "defense", "attack": "ranged", "from": "c0", "to": "c5"},
        ]
    }
    assert len(benchmark(adjudicate, asked)["answers"]) == 4
