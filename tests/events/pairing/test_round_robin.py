"""Round robins: all players meet once; with an odd number each has one bye."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.pairing.round_robin import by_lot, number_of_rounds, round_of, schedule, without_dropped


@given(st.integers(2, 25))
def test_everyone_meets_everyone_once(count):
    ids = [f"p{number}" for number in range(count)]
    rounds = schedule(ids)
    assert len(rounds) == number_of_rounds(count)
    met = Counter(frozenset(pair) for pairs, _ in rounds for pair in pairs)
    assert met == Counter(frozenset(pair) for pair in combinations(ids, 2))
    for pairs, bye in rounds:
        seated = [player for pair in pairs for player in pair] + ([bye] if bye is not None else [])
        assert sorted(seated) == sorted(ids)
    byes = Counter(bye for _, bye in rounds if bye is not None)
    assert byes == (Counter(ids) if count % 2 else Counter())


def test_there_is_no_round_before_the_first_or_after_the_last():
    for number in (0, 4, -1):
        with pytest.raises(ValueError, match="no round"):
            round_of(["a", "b", "c", "d"], number)
    with pytest.raises(ValueError, match="twice"):
        round_of(["a", "a"], 1)
    assert schedule(["a"]) == schedule([]) == ()


def test_the_opponent_of_a_player_who_dropped_has_a_bye():
    pairs = (("a", "b"), ("c", "d"), ("e", "f"))
    assert without_dropped(pairs, "g", {"b", "e", "f"}) == ((("c", "d"),), ("a", "g"))
    assert without_dropped(pairs, "g", {"g"}) == (pairs, ())


def test_the_lot_is_the_seeds_alone():
    ids = [f"p{number}" for number in range(12)]
    assert by_lot(ids, 3) == by_lot(ids[::-1], 3)
    assert by_lot(ids, 3) != by_lot(ids, 4)
    assert sorted(by_lot(ids, 3)) == sorted(ids)
