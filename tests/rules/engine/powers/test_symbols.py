"""Combat symbols: Colossal Stamina, and those whose abilities are only on cards."""

from __future__ import annotations

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, told
from tests.tables import every_row

STAMINA = done("close", "a", "b", using=["Colossal Stamina"], rolls={"attack": [[3, 4]]})


@every_row("edition", ["dc-2005", "core-2014", "core-modern"])
def test_a_colossal_character_acts_with_two_tokens_by_its_stamina(edition: str) -> None:
    """The books name it and leave the rest to the card; giants, and colossal figures without it, may not act."""
    colossal = fighter("a", "D4", clicks=12, tokens=2, acted=False, damage_symbol="colossal")
    report = fight(edition, [colossal], [fighter("b", "E4")], STAMINA)
    assert clicks(report, "b") == [4]
    assert state(report, "a")["tokens"] == 2
    assert any("Colossal Stamina isn't adjudicated" in step["text"] for step in report["steps"])
    plain = {key: value for key, value in STAMINA.items() if key != "using"}
    assert "uses Colossal Stamina" in refused(fight(edition, [colossal], [fighter("b", "E4")], plain))
    giant = fighter("a", "D4", tokens=2, damage_symbol="giant")
    assert "2 action tokens" in refused(fight(edition, [giant], [fighter("b", "E4")], STAMINA))


@every_row("edition", ["ic-2002", "car-2002"])
def test_the_first_books_know_no_stamina(edition: str) -> None:
    report = fight(edition, [fighter("a", "D4")], [fighter("b", "E4")], STAMINA)
    assert refused(report) == "a can't use Colossal Stamina now."


OF_TINY = "Of a's Tiny Size only the size is adjudicated: decide the rest by its card."


@every_row(
    ("edition", "symbols", "said"),
    [
        ("core-2014", {"attack": "duo"}, "a's Duo Attack isn't adjudicated: decide by its card."),
        ("core-2014", {"damage": "tiny"}, OF_TINY),
        ("core-modern", {"damage": "tiny"}, OF_TINY),
        ("core-2014", {"attack": "autonomous"}, "a's Autonomous isn't adjudicated: decide by its card."),
        ("core-modern", {"attack": "autonomous"}, "a's Autonomous isn't adjudicated: decide by its card."),
    ],
)
def test_abilities_of_symbols_that_are_only_on_cards_are_announced(
    edition: str, symbols: dict[str, str], said: str
) -> None:
    given = done("close", "a", "b", rolls={"attack": [[3, 4]]})
    report = fight(edition, [fighter("a", "D4", symbols=symbols)], [fighter("b", "E4")], given)
    assert told(report, "ruling")["text"].startswith(said)


def test_a_stop_click_that_is_passed_is_announced() -> None:
    """Damage Clicked: an effect may stop the dial; what a STOP click does is on the card, which isn't a source."""
    stopping = fighter("b", "E4")
    stopping["dial"] = [click | {"powers": ["STOP"]} if at == 2 else click for at, click in enumerate(stopping["dial"])]
    given = done("close", "a", "b", rolls={"attack": [[3, 4]]})
    report = fight("core-modern", [fighter("a", "D4")], [stopping], given)
    assert told(report, "ruling")["text"].startswith("b's STOP on click 3 isn't adjudicated")
    weak = fight("core-modern", [fighter("a", "D4", damage=2)], [stopping], given)
    assert "ruling" not in steps(weak)


def test_an_unknown_power_of_a_friend_beside_is_announced_by_attacks_and_values() -> None:
    mine = [fighter("a", "D4"), fighter("f", "D5", powers=["Inspire Others"]), fighter("g", "P1", powers=["Far Off"])]
    given = done("close", "a", "b", rolls={"attack": [[3, 4]]})
    report = fight("core-2014", mine, [fighter("b", "E4")], given, ask=[{"ask": "value", "of": "a", "value": "attack"}])
    assert told(report, "ruling")["text"].startswith("f's Inspire Others isn't adjudicated: decide by its card.")
    assert report["answers"][0]["because"][-1] == "f's Inspire Others isn't adjudicated: decide by its card."
