"""Combat values as tallies: order, limits, shared and lent values; the parts always add up."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import adjudicate
from rules.engine.reasons import Modifier, Replacement, reckon
from tests.rules.engine.boards import EDITIONS, position
from tests.tables import every_row

LIMITED = ("dc-2005", "core-2014", "core-modern")


def value(document: dict[str, Any], of: str, name: str, **attack: Any) -> tuple[int, list[str]]:
    document["ask"] = [{"ask": "value", "of": of, "value": name, **attack}]
    answer = adjudicate(document)["answers"][0]
    assert answer["citations"]
    return answer["result"], answer["because"]


def alone(edition: str, **keys: Any) -> dict[str, Any]:
    return position(edition, ". .", "a .", who={"a": keys})


@every_row("edition", EDITIONS)
def test_printed(edition: str) -> None:
    assert value(alone(edition, range=7), "a", "range")[0] == 7
    assert value(alone(edition), "a", "defense") == (16, ["a's defense is 16, as printed."])


@every_row(("edition", "total"), [(e, 13 if e in LIMITED else 15) for e in EDITIONS])
def test_the_rule_of_three(edition: str, total: int) -> None:
    many = [{"value": "attack", "by": 3, "source": "one"}, {"value": "attack", "by": 2, "source": "two"}]
    assert value(alone(edition, modifiers=many), "a", "attack")[0] == total


@every_row(
    ("edition", "total"), [("core-2014", 9), ("core-modern", 9), ("dc-2005", 9), ("car-2002", 9), ("ic-2002", 9)]
)
def test_replace_then_modify(edition: str, total: int) -> None:
    keys = {
        "modifiers": [{"value": "speed", "by": 1, "source": "Perplex"}],
        "replacements": [{"value": "speed", "set": 8}],
    }
    assert value(alone(edition, **keys), "a", "speed")[0] == total


@every_row(("edition", "total"), [("core-2014", 5), ("core-modern", 3)])
def test_numbers_before_halves_in_the_2020s(edition: str, total: int) -> None:
    keys = {"replacements": [{"value": "speed", "set": "halve"}, {"value": "speed", "set": 5}]}
    assert value(alone(edition, **keys), "a", "speed")[0] == total


@every_row("edition", EDITIONS)
def test_halves_are_rounded_up_and_nothing_falls_below_zero(edition: str) -> None:
    assert value(alone(edition, speed=7, replacements=[{"value": "speed", "set": "halve"}]), "a", "speed")[0] == 4
    low = [{"value": "damage", "by": -3, "source": "weak"}]
    assert value(alone(edition, damage=1, modifiers=low), "a", "damage")[0] == 0


def test_a_locked_value_overrules_all_and_says_so() -> None:
    keys = {
        "replacements": [{"value": "attack", "set": 8, "locked": True}, {"value": "attack", "set": 12}],
        "modifiers": [{"value": "attack", "by": 2, "source": "Perplex"}],
    }
    found, because = value(alone("core-2014", **keys), "a", "attack")
    assert found == 8
    assert because[0].count("ignored") == 2


def test_damage_depletion_of_2014_stops_at_one() -> None:
    assert value(alone("core-2014", attacks_made=2), "a", "damage")[0] == 1
    assert value(alone("core-2014", attacks_made=9), "a", "damage")[0] == 1
    assert value(alone("core-modern", attacks_made=2), "a", "damage")[0] == 3
    for made, words in ((1, "one attack already"), (2, "2 attacks already")):
        assert words in " ".join(value(alone("core-2014", attacks_made=made), "a", "damage")[1])


@every_row(("edition", "far"), [("car-2002", 18), ("core-2014", 15)])
def test_defend_is_passed_on_in_2002_only(edition: str, far: int) -> None:
    who = {
        "a": {"powers": ["Defend"], "defense": 18},
        "b": {"powers": ["Defend"], "defense": 17},
        "c": {"defense": 15},
    }
    document = position(edition, ". . . . .", "a b c . X", who=who)
    assert value(document, "b", "defense")[0] == 18
    assert value(document, "c", "defense")[0] == (far if edition == "car-2002" else 17)
    assert value(document, "X", "defense")[0] == 16


def test_teams_share_with_members_and_wild_cards_only() -> None:
    who = {
        "a": {"teams": ["Sinister Syndicate"], "attack": 11},
        "b": {"teams": ["Spider-Man"], "attack": 8},
        "c": {"attack": 8},
    }
    document = position("car-2002", ". . .\n. . .", "a b .\nc . X", who=who)
    assert value(document, "b", "attack")[0] == 11
    assert value(document, "c", "attack")[0] == 8


def test_hydra_lends_to_a_shot_that_it_sees_too() -> None:
    who = {"h": {"teams": ["Hydra"]}, "k": {"teams": ["Hydra"]}}
    document = position(
        "car-2002", ". . . . . .\n. . . . . .\n. # . . . .", "h . . . . .\na . . . . B\nk . . . . .", who=who
    )
    assert value(document, "a", "attack", attack="ranged", **{"from": "a", "to": "B"})[0] == 11
    assert value(document, "a", "attack", attack="close", **{"from": "a", "to": "B"})[0] == 10


@every_row("edition", EDITIONS)
def test_what_a_shot_meets_moves_the_defense(edition: str) -> None:
    document = position(edition, ". . + . .", "a . . . B", who={"B": {"powers": ["Energy Shield/Deflection"]}})
    found, because = value(document, "B", "defense", attack="ranged", **{"from": "a", "to": "B"})
    assert found == 19
    assert "+1 (the line of fire is hindered)" in because[0]
    assert value(document, "B", "defense", attack="close", **{"from": "a", "to": "B"})[0] == 16
    assert value(document, "a", "defense", attack="ranged", **{"from": "a", "to": "B"})[0] == 16


REPLACEMENTS = st.lists(
    st.builds(
        Replacement,
        st.one_of(st.integers(0, 20), st.sampled_from(["halve", "double"])),
        st.just("why"),
        st.just("modifiers"),
        st.booleans(),
    ),
    max_size=4,
)
CHANGES = st.lists(st.builds(Modifier, st.integers(-6, 6), st.just("why"), st.just("modifiers")), max_size=6)


@settings(deadline=None)
@given(st.integers(0, 20), REPLACEMENTS, CHANGES, st.sampled_from([None, 3]), st.booleans())
def test_the_parts_make_the_sum(
    printed: int, replacements: list[Replacement], changes: list[Modifier], limit: int | None, numbers_first: bool
) -> None:
    tally = reckon(
        "speed",
        printed,
        replacements,
        changes,
        limit=limit,
        numbers_first=numbers_first,
        minimum=0,
        rule_of_three="rule-of-three",
        rule_of_minimums="rule-of-minimums",
    )
    counted = [change.by for change in tally.changes if change.ignored_by is None]
    assert tally.total == tally.unmodified + sum(counted)
    assert tally.total >= 0
    if limit is not None:
        assert abs(tally.total - tally.unmodified) <= max(limit, -tally.unmodified) or tally.total == 0
    if any(replacement.locked for replacement in replacements):
        assert sum(replacement.ignored_by is None for replacement in tally.replacements) == 1
    parts = len(tally.replacements) + len(tally.changes)
    assert len(tally.sentences()) == (2 + parts if parts else 1)


@every_row("edition", ["ic-2002", "car-2002", "dc-2005"])
@every_row(
    ("flight", "size", "kind", "total"),
    [
        ("hovering", "standard", "ranged", 5),
        ("soaring", "standard", "ranged", 8),
        ("hovering", "standard", "close", 8),
        ("hovering", "giant", "ranged", None),
    ],
)
def test_the_range_against_a_soaring_target_is_halved_and_then_modified(
    edition: str, flight: str, size: str, kind: str, total: int | None
) -> None:
    """Soaring: half of 7 is 4, and 1 more is 5; soaring attackers, and giants of 2005, keep the whole 7."""
    raised = [{"value": "range", "by": 1, "source": "Perplex"}]
    mine = {"range": 7, "speed_symbol": "wing", "flight": flight, "damage_symbol": size, "modifiers": raised}
    who = {"a": mine, "B": {"speed_symbol": "wing", "flight": "soaring"}}
    document = position(edition, ". . . .", "a . . B", who=who)
    expected = (8 if edition == "dc-2005" else 5) if total is None else total
    assert value(document, "a", "range", attack=kind, **{"from": "a", "to": "B"})[0] == expected


@every_row(("edition", "shoots"), [(one, one != "core-modern") for one in EDITIONS])
def test_a_printed_range_of_0_that_is_raised_shoots_but_in_the_2020s(edition: str, shoots: bool) -> None:
    """Ranged Combat: a range value above 0, modifiers included. The Rule of Zeroes: the printed one counts."""
    up = [{"value": "range", "by": 3, "source": "Perplex"}]
    document = position(edition, ". . . .", "a . . B", who={"a": {"range": 0, "modifiers": up}})
    document["ask"] = [{"ask": "can-target", "attack": "ranged", "from": "a", "to": "B"}]
    assert adjudicate(document)["answers"][0]["result"] is shoots
    replaced = [{"value": "range", "set": 4}]
    document = position(edition, ". . . .", "a . . B", who={"a": {"range": 0, "replacements": replaced}})
    document["ask"] = [{"ask": "can-target", "attack": "ranged", "from": "a", "to": "B"}]
    assert adjudicate(document)["answers"][0]["result"] is True
