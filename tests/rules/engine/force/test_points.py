"""Build total, increments, actions, point values: the cost of a force."""

from tests.rules.engine.force.forces import EDITIONS, checked, hero
from tests.rules.engine.golden import elements, rules
from tests.tables import every_row


@every_row("edition", EDITIONS)
@every_row(("points", "broken"), [(299, []), (300, []), (301, ["build-total"])])
def test_points_may_reach_the_build_total(edition, points, broken):
    report = checked(edition, hero(points=points))
    assert (report["total"], rules(report), report["legal"]) == (points, broken, not broken)


@every_row("edition", EDITIONS)
@every_row("build_total", [0, 1, 50, 99, 150, 250, 301, 1_000_000 - 1])
def test_build_totals_are_positive_hundreds(edition, build_total):
    report = checked(edition, hero(points=0), build_total=build_total)
    kind = "warnings" if edition == "core-2014" else "violations"
    assert rules(report, kind) == ["build-total-increment"]
    assert report["legal"] is (edition == "core-2014")


@every_row("edition", EDITIONS)
@every_row("build_total", [100, 200, 300, 2000, 1_000_000])
def test_hundreds_are_build_totals(edition, build_total):
    report = checked(edition, hero(points=0), build_total=build_total)
    assert not rules(report)
    assert not rules(report, "warnings")


@every_row("edition", EDITIONS)
@every_row(("build_total", "actions"), [(100, 1), (200, 2), (300, 3), (399, 3), (1000, 10), (1500, 15), (0, 0)])
def test_one_action_for_each_full_hundred(edition, build_total, actions):
    report = checked(edition, hero(points=0), build_total=build_total)
    assert report["action_total"] == (min(max(actions, 2), 10) if edition == "core-modern" else actions)


def test_everything_with_points_counts():
    """Feats, objects, resources and cards (for each assigned character) are in the total; conditions are free."""
    report = checked(
        "core-2014",
        hero("a", 90, keywords=["League"]),
        hero("b", 80, keywords=["League"]),
        feats=[{"name": "Slippery", "points": 15, "assigned_to": ["a"], "requires": {}}],
        objects=[{"name": "Statue", "kind": "heavy", "special": True, "points": 8}],
        resources=[{"name": "Belt", "points": 12}],
        team_ability_cards=[
            {"name": "League", "cost_per_character": 3, "assigned_to": ["a", "b"], "requires": {"keywords": ["league"]}}
        ],
        battlefield_conditions=[{"name": "Ordinary Day"}],
    )
    assert report["total"] == 90 + 80 + 15 + 8 + 12 + 6
    assert rules(report) == ["resource-special-object"]


def test_additional_elements_count_and_the_sideline_does_not():
    report = checked(
        "core-modern",
        hero(points=95),
        build_total=100,
        other=[{"name": "Shield", "kind": "equipment", "points": 5}],
        sideline=[hero("x", 500)],
        sideline_allowed_by=["a"],
    )
    assert (report["total"], rules(report)) == (100, [])


def test_only_elements_that_cost_points_are_at_fault():
    report = checked("core-modern", hero("a", 100), hero("b", 1), hero("c", 0), build_total=100)
    assert elements(report, "build-total") == ["a", "b"]


@every_row("edition", EDITIONS)
def test_a_force_has_a_character(edition):
    assert rules(checked(edition)) == ["no-character"]


@every_row(("edition", "broken"), [("dc-2005", []), ("core-2014", []), ("core-modern", ["no-character"])])
def test_a_bystander_is_a_character_but_not_enough_today(edition, broken):
    assert rules(checked(edition, hero(kind="bystander"))) == broken


def test_a_character_beside_bystanders_is_enough():
    assert rules(checked("core-modern", hero("a", kind="bystander"), hero("b"))) == []


@every_row("edition", EDITIONS)
@every_row(
    ("points", "options", "broken"),
    [(75, [150, 75], []), (150, [150, 75], []), (50, [150, 75], ["point-value"]), (50, [], [])],
)
def test_points_are_those_printed(edition, points, options, broken):
    assert rules(checked(edition, hero(points=points, point_options=options))) == broken


@every_row(("points", "broken"), [(100, []), (200, []), (300, []), (150, ["point-value"]), (0, ["point-value"])])
def test_a_sentinel_costs_100_200_or_300(points, broken):
    report = checked("car-2002", hero("s", points, kind="sentinel"))
    assert rules(report) == broken
    for found in report["violations"]:
        assert found["citations"] == [{"edition": "car-2002", "section": "Sentinels Rules › Point Value"}]


def test_a_figure_off_the_sideline_costs_what_is_printed_too():
    report = checked("core-modern", hero(), sideline=[hero("x", 60, point_options=[50])], sideline_allowed_by=["a"])
    assert elements(report, "point-value") == ["x"]
