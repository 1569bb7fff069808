"""The tables of powers: every row of every edition has a citation and a test."""

from __future__ import annotations

import ast
import dataclasses
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from rules.engine import powers
from rules.engine.actions import granting, openings, using
from rules.engine.editions import EDITIONS
from rules.engine.editions.headings import headings
from rules.engine.editions.rulings import topics
from rules.engine.power import Power
from rules.engine.powers.building import compulsory
from rules.engine.powers.costs import one_to_an_action
from tests.tables import every_row
from tests.trees import tree_of

CASES = Path(__file__).resolve().parents[2] / "cases"
DISPATCHER = (granting, openings, using)


def rows(edition: str) -> list[Power]:
    book = EDITIONS[edition]
    tables = (book.powers, book.team_abilities, book.symbol_abilities, book.inherent)
    return [row for table in tables for row in table.values()]


def written_rows() -> Iterator[tuple[str, str, Power]]:
    """Yield (family, constant, row) for every row written in a file of `powers`."""
    for module in pkgutil.iter_modules(powers.__path__):
        for name, value in vars(import_module(f"{powers.__name__}.{module.name}")).items():
            if isinstance(value, Power):
                yield module.name, name, value


def test_every_row_is_in_a_book() -> None:
    listed = {row for edition in EDITIONS for row in rows(edition)}
    left_out = [
        f"{family}.{name}"
        for family, name, row in written_rows()
        if listed.isdisjoint({row, compulsory(row), one_to_an_action(row)})
    ]
    assert not left_out, f"List these in the tables of an edition in rules/engine/editions: {left_out}"


@every_row("edition", EDITIONS)
def test_every_row_has_a_section_in_its_book(edition: str) -> None:
    unknown = [row.topic for row in rows(edition) if row.topic not in topics()]
    assert not unknown, f"Give these topics a title in rules/engine/editions/texts/topics.toml: {unknown}"
    missing = [row.topic for row in rows(edition) if not EDITIONS[edition].cite(row.topic)]
    assert not missing, f"Give these topics a heading in rules/engine/editions/texts/{edition}.toml: {missing}"
    for row in rows(edition):
        [place] = EDITIONS[edition].cite(row.topic)
        assert headings(place.edition).has(place.section), (
            f"{row.topic} in rules/engine/editions/texts/{edition}.toml: "
            f"rules/engine/editions/texts/headings/{place.edition}.toml has no heading {place.section!r}"
        )


@every_row("module", DISPATCHER, ids=lambda module: str(module.__name__))
def test_the_dispatcher_knows_no_power_by_name(module: object) -> None:
    named = {row.name for edition in EDITIONS for row in rows(edition)}
    written = ast.walk(tree_of(Path(str(vars(module)["__file__"])).read_text(encoding="utf-8")))
    found = sorted({str(one.value) for one in written if isinstance(one, ast.Constant) and one.value in named})
    assert not found, f"Ask a field of rules/engine/power.py in place of these names: {found}"


def test_every_row_is_played_by_a_test() -> None:
    """A row has a test if an engine test names it; a symbol's row, if a test names the symbol."""
    here = Path(__file__)
    texts = [path.read_text(encoding="utf-8") for path in here.parent.rglob("*.py") if path != here]
    played = "\n".join([*texts, *(path.read_text(encoding="utf-8") for path in CASES.rglob("*.*") if path.is_file())])
    names = {
        name
        for book in EDITIONS.values()
        for table in (book.powers, book.team_abilities, book.symbol_abilities, book.inherent)
        for name in table
    }
    family = {row.name: home for home, _constant, row in written_rows()}
    unplayed = [
        f"{name} in tests/rules/engine/powers/test_{family.get(name, 'symbols')}.py"
        for name in sorted(names)
        if f'"{name}"' not in played
    ]
    assert not unplayed, f"Nothing shows what these do; write a test that plays each by its name: {unplayed}"


@every_row("edition", EDITIONS)
def test_a_row_is_found_by_its_own_name(edition: str) -> None:
    book = EDITIONS[edition]
    for table in (book.powers, book.team_abilities):
        assert all(table[row.name].name == row.name for row in table.values())
    assert book.wild_cards & set(book.team_abilities)


def test_what_a_row_may_say_is_closed() -> None:
    assert Power.__slots__ == tuple(field.name for field in dataclasses.fields(Power))
    with pytest.raises(TypeError):
        Power(name="x", topic="y", on_a_whim=True)  # type: ignore[call-arg]


@every_row(
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
