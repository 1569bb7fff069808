"""Brackets: correct seeding, byes for the best seeds, and later rounds from the winners."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.pairing.elimination import bracket, full_bracket, next_round, seed_order
from tests.tables import every_row


def seeds(count: int) -> list[str]:
    return [str(seed) for seed in range(1, count + 1)]


def test_the_cut_to_eight_is_one_against_eight_four_against_five_and_so_on():
    assert [(place.a, place.b) for place in bracket(seeds(8))] == [("1", "8"), ("4", "5"), ("2", "7"), ("3", "6")]
    assert [(place.a, place.b) for place in bracket(seeds(4))] == [("1", "4"), ("2", "3")]
    assert [(place.a, place.b) for place in bracket(seeds(2))] == [("1", "2")]
    assert [(place.a, place.b) for place in bracket(seeds(16))][:4] == [
        ("1", "16"),
        ("8", "9"),
        ("4", "13"),
        ("5", "12"),
    ]


@every_row("size", [1, 2, 4, 8, 16, 32, 64])
def test_two_seeds_meet_as_late_as_they_deserve(size):
    order = seed_order(size)
    assert sorted(order) == list(range(1, size + 1))
    still = size
    while still > 1:
        through = [min(order[place : place + 2]) for place in range(0, len(order), 2)]
        assert all(a + b == still + 1 for a, b in zip(order[::2], order[1::2], strict=True))
        order, still = tuple(through), still // 2


@every_row("size", [0, 3, 6, -2])
def test_only_powers_of_two_have_an_order(size):
    with pytest.raises(ValueError, match="power of two"):
        seed_order(size)


def test_the_winners_go_on_and_the_losers_of_the_last_four_may_meet():
    first = bracket(seeds(4))
    final = next_round(first, {"4/0": "1", "4/1": "3"}, third_place=True)
    assert [(place.key, place.a, place.b) for place in final] == [("2/0", "1", "3"), ("third-place", "4", "2")]
    assert next_round(final, {"2/0": "3", "third-place": "4"}, third_place=True) == ()
    assert [place.key for place in next_round(first, {"4/0": "1", "4/1": "3"})] == ["2/0"]


def test_byes_go_to_the_best_seeds_and_win_by_themselves():
    first = bracket(seeds(5))
    assert [(place.a, place.b, place.is_bye) for place in first] == [
        ("1", None, True),
        ("4", "5", False),
        ("2", None, True),
        ("3", None, True),
    ]
    assert [(p.a, p.b) for p in next_round(first, {"8/1": "5"})] == [("1", "5"), ("2", "3")]


def test_a_double_loss_gives_the_next_opponent_a_bye():
    final = next_round(bracket(seeds(4)), {"4/0": None, "4/1": "2"}, third_place=True)
    assert [(place.a, place.b, place.is_bye) for place in final] == [(None, "2", True), (None, "3", True)]


def test_a_missing_or_impossible_result_is_refused():
    with pytest.raises(ValueError, match="no result yet"):
        next_round(bracket(seeds(4)), {"4/0": "1"})
    with pytest.raises(ValueError, match="did not play"):
        next_round(bracket(seeds(4)), {"4/0": "2", "4/1": "3"})
    with pytest.raises(ValueError, match="twice"):
        bracket(["a", "a"])


def test_too_few_players_have_no_bracket():
    assert bracket([]) == bracket(["a"]) == ()


@given(st.integers(2, 40), st.randoms())
def test_a_bracket_ends_with_one_winner_after_as_many_rounds_as_it_needs(count, dice):
    winners: dict[str, str | None] = {}
    rounds = full_bracket(seeds(count), winners)
    while True:
        for place in rounds[-1]:
            if place.is_played:
                winners[place.key] = dice.choice([place.a, place.b])
        more = full_bracket(seeds(count), winners)
        if len(more) == len(rounds):
            break
        rounds = more
    assert len(rounds) == (count - 1).bit_length()
    assert len(rounds[-1]) == 1
    assert sum(place.is_played for played in rounds for place in played) == count - 1
