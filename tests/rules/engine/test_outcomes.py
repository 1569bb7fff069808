"""Drawn documents end as they did before; the disputes' outcomes are compared in `test_rulings_expected.py`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.engine import adjudicate

from .fights import battle, fighter, walk
from .golden import golden
from .outcomes import DRAWN, Outcomes, difference, outcome, recorded


@pytest.mark.parametrize("outcomes", DRAWN)
def test_drawn_documents_end_as_they_did_before(outcomes: Callable[[], Outcomes]) -> None:
    found = [(name, difference(name, told)) for name, told in outcomes()]
    assert [different for _, different in found if different] == []
    names, known = [name for name, _ in found], list(recorded())
    first = known.index(names[0])
    assert known[first : first + len(names)] == names


def test_every_dispute_has_its_line() -> None:
    names = [case["id"] for case in golden("disputes")]
    assert list(recorded())[: len(names)] == names


def test_an_outcome_shows_the_step_that_differs_and_not_its_words() -> None:
    def moved(name: str, square: str) -> list[str]:
        mine = fighter("a", "C3", name=name)
        report = adjudicate(battle("car-2002", [mine], [fighter("b", "P16")], walk("a", square)))
        return outcome(report).split()

    one, renamed, elsewhere = moved("a", "C4"), moved("Wasp", "C4"), moved("a", "D4")
    assert one == renamed
    assert [told.partition(":")[0] for told in one] == ["declare", "move", "token", "rulings", "state"]
    assert [first == other for first, other in zip(one, elsewhere, strict=True)] == [True, False, True, True, False]
    name = "fight-0"
    told = recorded()[name].split()
    assert not difference(name, " ".join(told))
    assert f"{name}, step {len(told)}: the end, was {told[-1]}" in difference(name, " ".join(told[:-1]))
    assert f"{name}, step 1: {one[0]}, was {told[0]}" in difference(name, " ".join(one))
