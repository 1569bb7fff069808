"""Fights drawn by lot go as they went before; the disputes' outcomes are compared in `test_rulings_expected.py`."""

from __future__ import annotations

from rules.engine import adjudicate

from .fights import battle, fighter, walk
from .golden import golden
from .outcomes import FIGHTS, difference, drawn_outcomes, outcome, recorded


def test_fights_go_as_they_went_before() -> None:
    assert [found for name, told in drawn_outcomes() if (found := difference(name, told))] == []


def test_every_dispute_and_fight_has_its_line() -> None:
    assert list(recorded()) == [case["id"] for case in golden("disputes")] + [f"fight-{n}" for n in range(FIGHTS)]


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
