"""Speed of finding the rulings that apply: for repeated positions, and for new ones."""

import itertools

from rules.engine import find_rulings, topics

NAMES = sorted(topics())
MET = frozenset({"attack", "ranged-combat", "line-of-fire", "energy-explosion", "impervious", "damage", "knockback"})


def test_the_same_position(benchmark):
    assert benchmark(find_rulings, "car-2002", stages=[[MET]])


def test_ever_new_positions(benchmark):
    pairs = itertools.cycle(itertools.combinations(NAMES, 3))

    def find():
        return find_rulings("car-2002", stages=[[MET | set(next(pairs))]])

    assert benchmark(find)
