"""The squares, edges and corners that a line crosses: compared with exact fractions, mirrored, turned and reversed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine.board.lines import LARGEST_REMEMBERED, LineStep, passages, squares_of, steps, trace
from rules.engine.position.squares import Square
from tests.rules.engine.oracle import way

OFFSETS = st.integers(-60, 60)


def path(columns: int, rows: int) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    return tuple((tuple(p.before), tuple(p.after)) for p in passages(Square(0, 0), Square(columns, rows)))


def test_slope_one_half_by_hand() -> None:
    named = [(p.before.name, p.after.name) for p in passages(Square(1, 1), Square(5, 3))]
    assert named == [("B2", "C2"), ("C2", "C3"), ("C3", "D3"), ("D3", "E3"), ("E3", "E4"), ("E4", "F4")]


def test_an_exact_diagonal_passes_through_corners_only() -> None:
    way_taken = passages(Square(1, 1), Square(4, 4))
    assert [p.through_corner for p in way_taken] == [True, True, True]
    assert LineStep(Square(1, 1), Square(2, 2)).sides() == (Square(2, 1), Square(1, 2))


def test_a_steep_line_meets_a_corner_in_its_middle() -> None:
    # From B2 to C5: exactly through the corner of B3, C3, B4 and C4.
    assert [(p.before.name, p.after.name) for p in passages(Square(1, 1), Square(2, 4))] == [
        ("B2", "B3"),
        ("B3", "C4"),
        ("C4", "C5"),
    ]


def test_from_a_square_to_itself_there_is_no_step() -> None:
    assert steps(0, 0) == ()


@settings(deadline=None)
@given(OFFSETS, OFFSETS)
def test_as_exact_fractions_have_it(columns: int, rows: int) -> None:
    assert path(columns, rows) == way(columns, rows)


@settings(deadline=None)
@given(OFFSETS, OFFSETS)
def test_reversed_it_is_the_same_line(columns: int, rows: int) -> None:
    back = [(b, a) for a, b in reversed(path(columns, rows))]
    moved = [((x - columns, y - rows), (u - columns, v - rows)) for (x, y), (u, v) in back]
    assert tuple(moved) == path(-columns, -rows)


@settings(deadline=None)
@given(OFFSETS, OFFSETS)
def test_mirrored_and_turned_it_is_the_mirrored_and_turned_line(columns: int, rows: int) -> None:
    assert path(-columns, rows) == tuple(((-a, b), (-c, d)) for (a, b), (c, d) in path(columns, rows))
    assert path(-rows, columns) == tuple(((-b, a), (-d, c)) for (a, b), (c, d) in path(columns, rows))


@settings(deadline=None)
@given(st.integers(0, 11), st.integers(0, 11), st.integers(0, 11), st.integers(0, 11), st.sampled_from([12, 90]))
def test_the_bits_are_those_of_the_passages(a: int, b: int, c: int, d: int, size: int) -> None:
    start, end = Square(a, b), Square(c, d)
    crossed = trace(c - a, d - b, size, size)
    place = min(b, d) * size + min(a, c)
    taken = passages(start, end)
    assert set(squares_of(crossed.squares << place, size)) == {p.after for p in taken if p.after != end}
    level = {p for p in taken if not p.through_corner}
    assert set(squares_of(crossed.across << place, size)) == {
        min(p.before, p.after) for p in level if p.before.row == p.after.row
    }
    assert set(squares_of(crossed.down << place, size)) == {
        min(p.before, p.after) for p in level if p.before.column == p.after.column
    }
    corners = {
        Square(min(p.before.column, p.after.column), min(p.before.row, p.after.row)) for p in taken if p.through_corner
    }
    assert set(squares_of((crossed.falling | crossed.rising) << place, size)) == corners
    assert (size * size > LARGEST_REMEMBERED) == (size == 90)


def compare(lines: int, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(lines):
        columns, rows = dice.randint(-40, 40), dice.randint(-40, 40)
        assert path(columns, rows) == way.__wrapped__(columns, rows), (columns, rows)


def test_two_thousand_random_lines_agree_with_fractions() -> None:
    compare(2_000, seed=7)


@pytest.mark.soak
def test_a_hundred_thousand_random_lines_agree_with_fractions() -> None:
    compare(100_000, seed=11)
