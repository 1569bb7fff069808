"""The tables of powers: every row of every edition is cited, and rows that say something are asked."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from rules.engine.editions import EDITIONS
from rules.engine.power import Power

CASES = Path(__file__).resolve().parents[2] / "cases"


def rows(edition: str) -> list[Power]:
    book = EDITIONS[edition]
    return [*book.powers.values(), *book.team_abilities.values(), *book.symbol_abilities.values()]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_row_has_a_section_in_its_book(edition: str) -> None:
    missing = [row.name for row in rows(edition) if not EDITIONS[edition].cite(row.topic)]
    assert not missing, f"Give the topics of these a heading in rules/engine/editions/texts/{edition}.toml: {missing}"


def test_every_row_is_played_by_a_test() -> None:
    """A row is played where a test of the engine names it; a symbol's row, where a test names the symbol."""
    here = Path(__file__)
    texts = [path.read_text() for path in here.parent.rglob("*.py") if path != here]
    played = "\n".join([*texts, *(path.read_text() for path in CASES.rglob("*.*") if path.is_file())])
    names = {
        name
        for book in EDITIONS.values()
        for table in (book.powers, book.team_abilities, book.symbol_abilities)
        for name in table
    }
    unplayed = sorted(name for name in names if f'"{name}"' not in played)
    assert not unplayed, (
        "Nothing shows what these powers do: write a test that plays each, by its name, in the file of "
        f"tests/rules/engine/powers/ that is named after its family: {unplayed}"
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_row_is_found_by_its_own_name(edition: str) -> None:
    book = EDITIONS[edition]
    for table in (book.powers, book.team_abilities):
        assert all(table[row.name].name == row.name for row in table.values())
    assert book.wild_cards & set(book.team_abilities)


def test_what_a_row_may_say_is_closed() -> None:
    assert Power.__slots__ == tuple(field.name for field in dataclasses.fields(Power))
    with pytest.raises(TypeError):
        Power(name="x", topic="y", on_a_whim=True)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("power", "early", "later"),
    [
        ("Charge", ("move",), ("power",)),
        ("Running Shot", ("move",), ("power",)),
        ("Leap/Climb", ("move",), ("move",)),
        ("Flurry", ("close",), ("close",)),
        ("Pulse Wave", ("ranged",), ("ranged",)),
        ("Mind Control", ("close", "ranged"), ("close", "ranged")),
        ("Telekinesis", ("close", "ranged"), ("power",)),
        ("Support", ("close",), ("power",)),
        ("Barrier", ("move",), ("power",)),
        ("Smoke Cloud", ("move",), ("power",)),
        ("Regeneration", ("move",), ("power",)),
        ("Force Blast", ("move",), ("power",)),
        ("Outwit", ("free",), ("free",)),
    ],
)
def test_which_action_a_power_asks_for(power: str, early: tuple[str, ...], later: tuple[str, ...]) -> None:
    for edition, book in EDITIONS.items():
        assert book.powers[power].action == (early if edition.endswith("2002") else later), edition
