"""Each rule that an edition has is cited at a place that its book has; foreign places say why."""

import pytest

from rules.engine import EDITIONS, headings

OTHERWISE = {
    "not-in-edition": ["force-construction"],
    "battlefield-condition-limit": ["battlefield-conditions"],
    "battlefield-condition-event-dial": ["event-dial"],
    "object-limit": ["objects-in-force"],
    "object-mix": ["objects-in-force"],
    "special-object-duplicate": ["special-objects"],
    "resource-limit": ["resource"],
    "resource-special-object": ["resource"],
    "team-ability-card-limit": ["team-ability-card"],
    "team-ability-card-themed-team": ["team-ability-card"],
    "team-ability-card-assignment": ["team-ability-card"],
    "sideline-not-allowed": ["sideline"],
    "sideline-limit": ["sideline"],
    "product-not-yet-legal": ["street-date"],
    "not-from-sealed-product": ["sealed-booster-forces", "sealed-starter-forces"],
    "set-not-allowed": ["sets-of-an-event"],
    "collector-number-mismatch": ["figure-verification"],
}

RULES = {
    "ic-2002": {"archenemies", "point-value", "object-limit"},
    "car-2002": {
        "archenemies", "point-value", "object-limit", "unique", "promotional", "proxy", "product-not-yet-legal",
    },
    "dc-2005": {
        "archenemies", "point-value", "object-limit", "unique", "feat-duplicate", "feat-prerequisite",
        "battlefield-condition-limit",
    },
    "core-2014": {
        "point-value", "object-limit", "unique", "prime", "feat-10-percent", "feat-duplicate", "feat-prerequisite",
        "battlefield-condition-limit", "battlefield-condition-event-dial", "object-mix", "special-object-duplicate",
        "resource-limit", "resource-special-object", "team-ability-card-limit", "team-ability-card-themed-team",
        "team-ability-card-assignment",
    },
    "core-modern": {
        "point-value", "object-limit", "unique", "prime", "special-object-duplicate", "sideline-not-allowed", "sideline-limit",
    },
}  # fmt: skip
EVERYWHERE = {
    "build-total", "build-total-increment", "no-character", "not-in-edition",
    "not-from-sealed-product", "set-not-allowed", "collector-number-mismatch",
}  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_an_edition_has_its_rules_and_no_others(edition):
    assert {*edition.force.whole_checks, *edition.force.checks} == EVERYWHERE | RULES[edition.name]


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_rule_has_its_place(edition):
    for rule in (*edition.force.whole_checks, *edition.force.checks):
        for topic in OTHERWISE.get(rule, [rule]):
            [place] = edition.cite(topic)
            assert headings(place.edition).has(place.section)
            assert place.edition == edition.name or place.note


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_scenario_has_its_place(edition):
    for scenario in set(edition.scoring.scenarios) - {"custom"}:
        [place] = edition.cite(scenario)
        assert headings(edition.name).has(place.section)
        assert place.section.startswith("Scenarios › ")


def test_editions_are_read_only():
    with pytest.raises(TypeError):
        EDITIONS["ic-2002"] = EDITIONS["car-2002"]  # type: ignore[index]
