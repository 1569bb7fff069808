"""Forces of a Battle Royale: what was drafted, without a build total and without limits on what a force holds."""

import pytest

from rules.engine import CHECKS, EDITIONS, BadInput, check_force, score_battle
from rules.engine.documents.text import force_in_words

UNIQUE = {"name": "Lamplighter", "points": 150, "rank": "unique", "set": "night", "number": "1"}
OBJECTS = [{"name": f"Crate {n}", "kind": "light"} for n in range(4)]


def force(edition="core-modern", build_total=None, format_="battle-royale", **more):
    event = {"build_total": build_total, "format": format_}
    return {"edition": edition, "event": event, "force": {"characters": [UNIQUE, UNIQUE], "objects": OBJECTS} | more}


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_no_limit_applies_and_the_report_names_those_left_out(edition):
    report = check_force(force(edition))
    assert (report["legal"], report["violations"], report["unchecked"]) == (True, [], [])
    assert (report["total"], report["build_total"]) == (300, None)
    limits = [one.name for one in EDITIONS[edition].force.checks if one.limits]
    assert report["not_applied"] == limits
    assert "object-limit" in limits
    sealed = check_force(force(edition, 200, "sealed-booster"))
    broken = {one["rule"] for one in sealed["violations"]}
    assert {"build-total", "object-limit"} <= broken
    assert broken - {"build-total"} <= set(limits)
    assert "not_applied" not in sealed
    assert "300 points, no build total" in force_in_words(force(edition), report)
    assert f"Not applied: {', '.join(limits)}." in force_in_words(force(edition), report)


def test_what_a_force_is_stays_checked():
    strange = [
        UNIQUE | {"from_sealed_product": False}, UNIQUE | {"point_options": [100]}, UNIQUE | {"dial_number": "2"},
        {"name": "Horde", "points": 10, "kind": "horde"},
    ]  # fmt: skip
    report = check_force(force(characters=strange))
    assert {one["rule"] for one in report["violations"]} == {
        "not-from-sealed-product", "point-value", "collector-number-mismatch", "not-in-edition",
    }  # fmt: skip
    assert [one["rule"] for one in check_force(force(characters=[]))["violations"]] == ["no-character"]
    proxy = check_force(force(characters=[UNIQUE | {"proxy": True}]))
    assert [one["rule"] for one in proxy["warnings"]] == ["proxy"]


def test_a_build_total_holds_where_the_event_has_one():
    report = check_force(force(build_total=250))
    assert {one["rule"] for one in report["violations"]} == {"build-total", "build-total-increment"}
    assert check_force(force(build_total=300))["legal"]


def test_cards_that_limit_a_force_leave_nothing_open():
    titles = [UNIQUE | {"card_rules": ["title", "legacy-card"]}] * 2
    assert check_force(force(characters=titles))["unchecked"] == []
    assert check_force(force(build_total=300, format_="sealed-booster", characters=titles))["unchecked"]


@pytest.mark.parametrize(
    ("edition", "actions"), [("core-modern", 2), ("core-2014", None), ("dc-2005", None), ("car-2002", None)]
)
def test_without_a_build_total_the_books_least_actions_count(edition, actions):
    assert check_force(force(edition))["action_total"] == actions


def test_a_theme_is_worth_as_much_as_its_characters_without_a_build_total():
    harbour = [{"name": name, "points": 10, "keywords": ["Harbour Watch"]} for name in "abc"]
    assert check_force(force("core-2014", characters=harbour))["themed_team"]["probability_control_uses"] == 3
    assert check_force(force("core-2014", 200, characters=harbour))["themed_team"]["probability_control_uses"] == 2


@pytest.mark.parametrize("format_", ["constructed", "head-to-head", "sealed-booster", "sealed-starter"])
def test_other_formats_need_a_build_total(format_):
    with pytest.raises(BadInput) as fault:
        check_force(force(format_=format_))
    assert fault.value.where == "/event/build_total"


def test_every_limit_is_a_rule_of_some_edition():
    assert {one.name for one in CHECKS.values() if one.limits} >= {"unique", "prime", "archenemies", "sideline-limit"}
    assert not any(CHECKS[name].limits for name in ("build-total", "no-character", "not-in-edition", "point-value"))


def battle(**more):
    sides = [
        {"player": name, "characters": [{"ref": name, "name": name, "points": 80, "fate": fate, **by}]}
        for name, fate, by in (("A", "survived", {}), ("B", "defeated", {"by": "A"}))
    ]
    return {
        "edition": "core-modern", "build_total": None, "format": "battle-royale", "ended": "time", "sides": sides,
    } | more  # fmt: skip


def test_a_battle_is_scored_without_a_build_total():
    report = score_battle(battle())
    assert (report["winner"], report["victory_points"]) == ("A", {"A": 80, "B": 0})
    for wrong in (battle(format="constructed"), battle(format=None), battle(edition="car-2002", scenario="showdown")):
        with pytest.raises(BadInput) as fault:
            score_battle(wrong)
        assert fault.value.where == "/build_total"
