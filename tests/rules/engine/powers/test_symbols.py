"""Combat symbols: Colossal Stamina."""

from __future__ import annotations

import pytest

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state

STAMINA = done("close", "a", "b", using=["Colossal Stamina"], rolls={"attack": [[3, 4]]})


@pytest.mark.parametrize("edition", ["dc-2005", "core-2014", "core-modern"])
def test_a_colossal_character_acts_with_two_tokens_by_its_stamina(edition: str) -> None:
    """The books name it and leave the rest to the card; giants, and colossal figures without it, may not act."""
    colossal = fighter("a", "D4", clicks=12, tokens=2, acted=False, damage_symbol="colossal")
    report = fight(edition, [colossal], [fighter("b", "E4")], STAMINA)
    assert clicks(report, "b") == [4]
    assert state(report, "a")["tokens"] == 2
    assert any("Colossal Stamina is not adjudicated" in step["text"] for step in report["steps"])
    plain = {key: value for key, value in STAMINA.items() if key != "using"}
    assert "two action tokens" in refused(fight(edition, [colossal], [fighter("b", "E4")], plain))
    giant = fighter("a", "D4", tokens=2, damage_symbol="giant")
    assert "two action tokens" in refused(fight(edition, [giant], [fighter("b", "E4")], STAMINA))


@pytest.mark.parametrize("edition", ["ic-2002", "car-2002"])
def test_the_first_books_know_no_stamina(edition: str) -> None:
    report = fight(edition, [fighter("a", "D4")], [fighter("b", "E4")], STAMINA)
    assert refused(report) == "a cannot use Colossal Stamina now."
