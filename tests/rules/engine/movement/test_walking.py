"""Paths walked square by square; a square is reachable exactly if a path leads there."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.documents.position import read_position
from rules.engine.movement.paths import way_of
from rules.engine.movement.reach import reachable
from rules.engine.movement.walking import Walk, may_end, walk
from rules.engine.play import Play
from rules.engine.position.squares import Square, read_square
from tests.examples import examples
from tests.rules.engine.boards import EDITIONS, position


def followed(document: dict[str, Any], path: str, speed: int = 6) -> Walk:
    file = read_position(document)
    play = Play(file.case.edition, file.case.position)
    one = play.character("a")
    way = way_of(play, one)
    assert way is not None
    squares = [square for name in path.split() if (square := read_square(name)) is not None]
    return walk(way, one.squares[0], squares, speed)


@pytest.mark.parametrize(
    ("terrain", "figures", "path", "reason", "topic"),
    [
        (". . .", "a . .", "C1", "doesn't touch", "movement"),
        (". . .", "a . .", "B1 A9", "isn't on the map", "movement"),
        (". # .", "a . .", "B1", "blocking terrain", "blocking-terrain"),
        (". . .", "a B .", "B1", "an opponent, occupies B1", "movement"),
        (". 2 .", "a . .", "B1", "another elevation", "elevation"),
        (". + .", "a . .", "B1 C1", "the move ends in B1", "movement"),
        (". . .\n. . .", "a b .\n. C .", "B1", "would have to end in B1", "movement"),
        (". #\n# .", "a .\n. .", "B2", "the corner between A1 and B2 is closed", "blocking-terrain"),
    ],
)
def test_why_a_path_ends(terrain: str, figures: str, path: str, reason: str, topic: str) -> None:
    document = position("core-2014", terrain, figures)
    if "C" in figures:
        document["sides"][1]["characters"][0]["square"] = "C1"
    found = followed(document, path)
    assert found.refused is not None
    assert reason in found.refused[0]
    assert found.refused[1] == topic


def test_a_wall_and_the_speed() -> None:
    walled = followed(position("core-2014", ". . .", "a . .", walls=["B1|C1"]), "B1 C1")
    assert walled.refused == ("a wall stands between B1 and C1", "walls")
    assert walled.squares == (Square(1, 0),)
    short = followed(position("core-2014", ". . .", "a . ."), "B1 C1", speed=1)
    assert short.refused is not None
    assert "farther than the speed of 1" in short.refused[0]
    assert followed(position("core-2014", ". . .", "a . ."), "B1 C1", speed=2).refused is None


def test_a_ladder_costs_two_in_2002() -> None:
    document = position("car-2002", ". 2 2", "a . .", ladders=["A1|B1"])
    assert followed(document, "B1 C1").spent == 3
    assert followed(position("core-2014", ". 2 2", "a . .", ladders=["A1|B1"]), "B1 C1").spent == 2


CELLS = st.sampled_from([".", ".", ".", "+", "#", "2", "~"])


@examples(100)
@given(
    st.sampled_from(EDITIONS),
    st.lists(st.lists(CELLS, min_size=5, max_size=5), min_size=5, max_size=5),
    st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), min_size=1, max_size=6),
)
def test_whatever_path_is_legal_ends_in_a_reachable_square(
    edition: str, grid: list[list[str]], turns: list[tuple[int, int]]
) -> None:
    grid[2][2] = "."
    document = position(edition, "\n".join(" ".join(line) for line in grid))
    document["sides"][0]["characters"] = [
        {"id": "a", "name": "a", "square": "C3", "dial": [{"speed": 4, "attack": 9, "defense": 15, "damage": 2}]}
    ]
    document["sides"][1]["characters"] = [
        {"id": "b", "name": "b", "square": "A1", "dial": [{"speed": 4, "attack": 9, "defense": 15, "damage": 2}]}
    ]
    if grid[0][0] == "#":
        return
    file = read_position(document)
    play = Play(file.case.edition, file.case.position)
    one = play.character("a")
    way = way_of(play, one)
    found = reachable(play, one)
    assert way is not None
    assert found is not None
    path = [Square(2, 2)]
    for column, row in turns:
        path.append(Square(path[-1].column + column, path[-1].row + row))
    taken = walk(way, path[0], path[1:], found.speed.total)
    for _before, after in pairwise((path[0], *taken.squares)):
        if may_end(way, after):
            assert after in found.ends
            assert found.ends[after] <= taken.spent
