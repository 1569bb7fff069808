"""Standings of 24 to 500 players over nine rounds, with the usual tie-breakers and with all of them."""

from __future__ import annotations

import random

import pytest

from events.counting import CountedMatch, Counting, StandingsPlayer
from events.standings import CRITERIA, DEFAULT_CASCADE, standings

CASCADES = {"usual": DEFAULT_CASCADE, "every": tuple(CRITERIA)}


@pytest.mark.parametrize("cascade", CASCADES)
@pytest.mark.parametrize("players", [24, 200, 500])
def test_standings(benchmark, players, cascade):
    dice = random.Random(players)
    ids = [f"p{number}" for number in range(players)]
    results = []
    for number in range(1, 10):
        row = dice.sample(ids, players)
        results += [
            CountedMatch(number, a, b, dice.choice([a, b]), dice.randrange(300), dice.randrange(300))
            for a, b in zip(row[::2], row[1::2], strict=True)
        ]
    field = [StandingsPlayer(one, one) for one in ids]
    table = benchmark(standings, field, results, cascade=CASCADES[cascade], counting=Counting(cap=200))
    assert len(table) == players
