"""Each legality rule: its editions, a force that breaks it, a section in each book; other sections have a reason."""

import json
import pkgutil
from importlib import import_module

import pytest

from rules.engine import CHECKS, EDITIONS, Check, check_force, headings, topics
from rules.engine.force import checks
from tests.rules.engine.golden import CASES
from tests.tables import every_row

LEGALITY = CASES / "legality.jsonl"
"""One line per rule: its name, the editions that have it, and a force that breaks it there (and not elsewhere)."""
BROKEN = {case["rule"]: case for case in map(json.loads, LEGALITY.read_text(encoding="utf-8").splitlines())}
TOPICS = "rules/engine/editions/texts/topics.toml"


def test_every_check_is_in_a_book():
    listed = {id(check) for edition in EDITIONS.values() for check in edition.force.checks}
    left_out = [
        f"{home.name}.{name}"
        for home in pkgutil.iter_modules(checks.__path__)
        for name, one in vars(import_module(f"{checks.__name__}.{home.name}")).items()
        if isinstance(one, Check) and id(one) not in listed
    ]
    assert not left_out, (
        f"list {left_out} of rules/engine/force/checks among the checks of an edition in rules/engine/editions, or in OF_EVERY_BOOK"
    )


def test_every_rule_has_a_force_that_breaks_it():
    assert set(BROKEN) == set(CHECKS), (
        f"tests/cases/legality.jsonl lacks {sorted(set(CHECKS) - set(BROKEN))}; "
        f"no edition in rules/engine/editions lists {sorted(set(BROKEN) - set(CHECKS))}"
    )


@every_row("rule", BROKEN)
def test_a_rule_is_broken_in_the_editions_that_have_it_and_in_no_other(rule):
    case = BROKEN[rule]
    found = []
    for edition in EDITIONS:
        report = check_force({"edition": edition, **case["force"]})
        if rule in {one["rule"] for one in (*report["violations"], *report["warnings"], *report["unchecked"])}:
            found.append(edition)
    assert found == case["editions"], (
        f"{rule}: the editions are listed in tests/cases/legality.jsonl, the rules of each in rules/engine/editions"
    )


@every_row("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_rule_has_its_place(edition):
    for check in edition.force.checks:
        assert check.topic in topics(), f"{check.name}: give the topic {check.topic} a title in {TOPICS}"
        home = f"{check.name}: say in rules/engine/editions/texts/{edition.name}.toml where the book has {check.topic}"
        [place] = edition.cite(check.topic) or pytest.fail(home)
        assert headings(place.edition).has(place.section), (
            f"{home}: rules/engine/editions/texts/headings/{place.edition}.toml has no heading {place.section!r}"
        )
        assert place.edition == edition.name or place.note, f"{home}, with a note: it is in another book"
        assert check.title, f"{check.name}: give it a title in rules/engine/force/checks"
        assert check.question, f"{check.name}: give it a docstring in rules/engine/force/checks"
    assert edition.force.warnings <= {check.name for check in edition.force.checks}


@every_row("kind", ["sealed-booster", "sealed-starter"])
def test_forces_of_each_sealed_format_have_a_place_of_their_own(kind):
    character = {"ref": "a", "name": "A", "points": 40, "from_sealed_product": False}
    for edition in EDITIONS:
        event = {"build_total": 300, "format": kind}
        report = check_force({"edition": edition, "event": event, "force": {"characters": [character]}})
        [found] = report["violations"]
        [place] = EDITIONS[edition].cite(f"{kind}-forces")
        assert found["citations"][0]["section"] == place.section


@every_row("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_scenario_has_its_place(edition):
    for scenario in set(edition.scoring.scenarios) - {"custom"}:
        [place] = edition.cite(scenario)
        assert headings(edition.name).has(place.section)
        assert place.section.startswith("Scenarios › ")


def test_editions_are_read_only():
    with pytest.raises(TypeError):
        EDITIONS["ic-2002"] = EDITIONS["car-2002"]  # type: ignore[index]
