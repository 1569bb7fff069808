"""Feats, conditions, objects, resources, cards, the Sideline: the other elements of a force."""

from tests.rules.engine.force.forces import checked, dial, hero
from tests.rules.engine.golden import elements, rules
from tests.tables import every_row

LEAP = {"powers": ["Leap/Climb"]}


def feat(points=10, name="Slippery", assigned_to=("a",), requires=LEAP):
    return {
        "name": name,
        "points": points,
        "assigned_to": list(assigned_to),
        **({"requires": requires} if requires is not None else {}),
    }


LEAPER = hero("a", 50, dial=dial(["Stealth"], ["Leap/Climb"]))


@every_row(
    ("points", "build_total", "broken"),
    [(30, 300, []), (31, 300, ["feat-10-percent"]), (10, 100, []), (11, 100, ["feat-10-percent"])],
)
def test_feats_cost_at_most_a_tenth(points, build_total, broken):
    assert rules(checked("core-2014", LEAPER, feats=[feat(points)], build_total=build_total)) == broken
    assert rules(checked("dc-2005", LEAPER, feats=[feat(points)], build_total=build_total)) == []


def test_feats_that_choose_no_one_count_for_the_tenth():
    report = checked("core-2014", LEAPER, feats=[feat(20), feat(12, "Ambush", ())])
    assert rules(report) == ["feat-10-percent"]
    assert elements(report, "feat-10-percent") == ["feat-1", "feat-2"]


@every_row("edition", ["dc-2005", "core-2014"])
def test_a_feat_once_a_character(edition):
    other = hero("b", 40, dial=LEAPER["dial"])
    assert rules(checked(edition, LEAPER, other, feats=[feat(5), feat(5, assigned_to=["b"])])) == []
    assert rules(checked(edition, LEAPER, other, feats=[feat(5), feat(5, "Nimble")])) == []
    report = checked(edition, LEAPER, other, feats=[feat(5, assigned_to=["a", "b"]), feat(5, "SLIPPERY")])
    assert (rules(report), elements(report, "feat-duplicate")) == (["feat-duplicate"], ["a"])


@every_row(
    ("facts", "requires", "answer"),
    [
        ({"dial": dial(["Stealth"], ["Leap/Climb"])}, LEAP, "met"),
        ({"dial": dial(["stealth"], ["leap/climb"])}, LEAP, "met"),
        ({"dial": dial(["Stealth"], [])}, LEAP, "not met"),
        ({"dial": dial(["Stealth"], ["Leap/Climb"])}, {"powers": ["Leap/Climb", "Stealth"]}, "not met"),
        ({"dial": dial([], ["Stealth", "Leap/Climb"])}, {"powers": ["Leap/Climb", "Stealth"]}, "met"),
        ({"dial": dial(["Leap/Climb"], speed=8)}, LEAP | {"values": {"speed": 8}}, "met"),
        ({"dial": dial(["Leap/Climb"], speed=9)}, LEAP | {"values": {"speed": 8}}, "met"),
        ({"dial": dial(["Leap/Climb"], speed=7)}, LEAP | {"values": {"speed": 8}}, "not met"),
        ({"dial": [*dial(["Leap/Climb"], speed=7), *dial([], speed=8)]}, LEAP | {"values": {"speed": 8}}, "not met"),
        ({"dial": dial([])}, {"values": {"range": 6}}, "range"),
        ({"dial": dial([])}, {"values": {"range": 6, "damage": 4}}, "not met"),
        ({"teams": ["Batman Ally"]}, {"teams": ["batman ally"]}, "met"),
        ({"teams": []}, {"teams": ["Batman Ally"]}, "not met"),
        ({"teams": []}, LEAP | {"teams": ["Batman Ally"]}, "not met"),
        ({"teams": ["Batman Ally"]}, LEAP | {"teams": ["Batman Ally"]}, "dial"),
        ({"keywords": ["Detective"]}, {"keywords": ["detective"]}, "met"),
        ({"generic_keywords": ["Detective"]}, {"keywords": ["Detective"]}, "met"),
        ({}, {"keywords": ["Detective"]}, "not met"),
        ({}, LEAP, "dial"),
        ({}, None, "requires"),
        ({}, {}, "met"),
    ],
)
@every_row("edition", ["dc-2005", "core-2014"])
@every_row("chosen", [("a",), ()])
def test_prerequisites(edition, chosen, facts, requires, answer):
    report = checked(edition, hero("a", 50, **facts), feats=[feat(5, assigned_to=chosen, requires=requires)])
    kind = "violations" if edition == "dc-2005" else "warnings"
    at_fault = ["a"] if chosen else ["feat-1"]
    assert rules(report) == (["feat-prerequisite"] if answer == "not met" and edition == "dc-2005" else [])
    if answer == "not met":
        assert elements(report, "feat-prerequisite", kind) == at_fault
    else:
        assert rules(report, kind) == []
    wanted = [] if answer in ("met", "not met") else [answer]
    assert [one["needs"] for one in report["unchecked"]] == wanted
    if answer == "requires":
        assert report["unchecked"][0]["elements"] == ["feat-1"]
    elif wanted:
        assert report["unchecked"][0]["elements"] == ["a"]


def test_an_unassigned_feat_needs_a_character_that_meets_it():
    somebody = checked("dc-2005", hero("x", 40, dial=dial(["Stealth"])), LEAPER, feats=[feat(5, assigned_to=())])
    assert rules(somebody) == []
    perhaps = checked("dc-2005", hero("x", 40), hero("y", 40, dial=dial([])), feats=[feat(5, assigned_to=())])
    assert perhaps["unchecked"] == [{"rule": "feat-prerequisite", "needs": "dial", "elements": ["x"]}]


@every_row("edition", ["dc-2005", "core-2014"])
def test_one_battlefield_condition(edition):
    assert rules(checked(edition, hero(), battlefield_conditions=[{"name": "Fog"}])) == []
    report = checked(edition, hero(), battlefield_conditions=[{"name": "Fog"}, {"name": "Rain", "ref": "rain"}])
    assert rules(report) == ["battlefield-condition-limit"]
    assert elements(report, "battlefield-condition-limit") == ["battlefield-condition-1", "rain"]


def test_no_condition_beside_an_event_dial():
    dial_used = {"event_dial": True}
    assert rules(checked("core-2014", hero(), event=dial_used)) == []
    report = checked("core-2014", hero(), event=dial_used, battlefield_conditions=[{"name": "Fog"}])
    assert rules(report) == ["battlefield-condition-event-dial"]


def objects(kinds, **more):
    return [{"name": kind.title(), "kind": kind, **more} for kind in kinds.split()]


@every_row("edition", ["ic-2002", "car-2002", "dc-2005", "core-modern"])
@every_row(
    ("kinds", "broken"),
    [("", []), ("heavy heavy heavy", []), ("light light", []), ("heavy light heavy light", ["object-limit"])],
)
def test_three_objects_of_any_kind(edition, kinds, broken):
    assert rules(checked(edition, hero(), objects=objects(kinds))) == broken


@every_row(
    ("kinds", "broken"),
    [
        ("heavy", []),
        ("immobile", []),
        ("heavy light", []),
        ("heavy immobile", []),
        ("heavy heavy", ["object-mix"]),
        ("immobile immobile", ["object-mix"]),
        ("heavy ultra-heavy", ["object-mix"]),
        ("light ultra-light", ["object-mix"]),
        ("ultra-heavy ultra-light", []),
        ("heavy light immobile", []),
        ("heavy light light", []),
        ("light heavy heavy", []),
        ("ultra-light heavy heavy", []),
        ("heavy heavy heavy", ["object-mix"]),
        ("heavy immobile immobile", ["object-mix"]),
        ("light immobile immobile", ["object-mix"]),
        ("heavy immobile light", []),
        ("heavy light heavy light", ["object-limit"]),
        ("heavy heavy heavy heavy", ["object-limit", "object-mix"]),
    ],
)
def test_objects_are_mixed_in_2014(kinds, broken):
    assert rules(checked("core-2014", hero(), objects=objects(kinds))) == broken


@every_row(
    ("kinds", "unknown"),
    [
        (["heavy", None], True),
        ([None], False),
        (["heavy", "light", None], False),
        (["heavy", "heavy", None], True),
        (["immobile", "immobile", None], False),
    ],
)
def test_objects_of_unknown_kinds(kinds, unknown):
    report = checked("core-2014", hero(), objects=[{"kind": kind} for kind in kinds])
    assert rules(report, "unchecked") == (["object-mix"] if unknown else [])


@every_row("edition", ["core-2014", "core-modern"])
def test_special_objects_have_different_names(edition):
    def check(*names):
        special = [
            {"name": name, "kind": kind, "special": True}
            for name, kind in zip(names, ("heavy", "light", "heavy"), strict=False)
        ]
        return checked(edition, hero(), objects=special)

    assert rules(check("Alien Ship", "Throne")) == []
    report = check("Alien Ship", "alien ship")
    assert (rules(report), elements(report, "special-object-duplicate")) == (
        ["special-object-duplicate"],
        ["object-1", "object-2"],
    )
    ordinary = [{"name": "Crate", "kind": "heavy"}, {"name": "Crate", "kind": "light"}]
    assert rules(checked(edition, hero(), objects=ordinary)) == []


def test_equipment_is_a_special_object():
    shields = [{"name": "Shield", "kind": "equipment"}] * 2
    assert rules(checked("core-modern", hero(), other=shields)) == ["special-object-duplicate"]
    cards = [{"name": "Card", "kind": "id-card"}] * 4
    assert rules(checked("core-modern", hero(), other=cards)) == []
    three = [{"name": f"Crate {number}", "kind": "light"} for number in range(3)]
    assert rules(checked("core-modern", hero(), objects=three, other=shields[:1])) == ["object-limit"]


def test_one_resource_and_no_special_objects_beside_it():
    belt, ring = {"name": "Belt", "points": 5}, {"name": "Ring", "points": 5}
    special = [{"name": "Throne", "kind": "heavy", "special": True}]
    assert rules(checked("core-2014", hero(), resources=[belt])) == []
    assert rules(checked("core-2014", hero(), resources=[belt, ring])) == ["resource-limit"]
    assert rules(checked("core-2014", hero(), resources=[belt], objects=objects("heavy"))) == []
    report = checked("core-2014", hero(), resources=[belt], objects=special)
    assert elements(report, "resource-special-object") == ["object-1", "resource-1"]
    assert rules(checked("core-modern", hero(), resources=[belt, ring], objects=special)) == []


def card(*assigned, requires=("League",), name="League", cost=3):
    asked = {} if requires is None else {"requires": {"keywords": list(requires)}}
    return {"name": name, "cost_per_character": cost, "assigned_to": list(assigned), **asked}


MEMBERS = [hero(ref, 60, keywords=["League"]) for ref in "ab"]


@every_row(
    ("cards", "broken"),
    [
        ([card("a", "b")], []),
        ([card("a", "b", requires=["league"])], []),
        ([card("a")], ["team-ability-card-assignment"]),
        ([card()], ["team-ability-card-assignment"]),
        ([card("a", "b", requires=["Titans"])], ["team-ability-card-assignment"]),
        ([card(requires=["Titans"])], []),
        ([card("a", "b"), card("a", "b", name="Other")], ["team-ability-card-limit"]),
    ],
)
def test_cards_go_to_all_characters_that_qualify_and_no_others(cards, broken):
    assert rules(checked("core-2014", *MEMBERS, team_ability_cards=cards)) == broken


def test_missing_owners_and_owners_that_should_not_have_it():
    report = checked(
        "core-2014", *MEMBERS, hero("c", 50, keywords=["league", "Titans"]), team_ability_cards=[card("a")]
    )
    assert elements(report, "team-ability-card-assignment") == ["b", "c"]


def test_cards_without_requirements_cannot_be_judged():
    report = checked("core-2014", *MEMBERS, team_ability_cards=[card("a", requires=None)])
    assert report["legal"]
    assert report["unchecked"] == [
        {"rule": "team-ability-card-assignment", "needs": "requires", "elements": ["team-ability-card-1"]}
    ]
    powers = {"name": "X", "cost_per_character": 1, "assigned_to": ["a"], "requires": {"powers": ["Charge"]}}
    report = checked("core-2014", *MEMBERS, team_ability_cards=[powers])
    assert rules(report, "unchecked") == ["team-ability-card-assignment"]


def test_cards_are_for_themed_teams():
    loner = hero("c", 50, keywords=["Titans"])
    report = checked("core-2014", *MEMBERS, loner, team_ability_cards=[card("a", "b")])
    assert rules(report) == ["team-ability-card-themed-team"]
    bystander = hero("c", 5, kind="bystander")
    assert rules(checked("core-2014", *MEMBERS, bystander, team_ability_cards=[card("a", "b")])) == []
    assert rules(checked("core-2014", *MEMBERS, bystander, team_ability_cards=[card("a", "b", "c")])) == [
        "team-ability-card-assignment"
    ]


@every_row(
    ("build_total", "count", "broken"),
    [
        (100, 3, []),
        (100, 4, ["sideline-limit"]),
        (300, 9, []),
        (300, 10, ["sideline-limit"]),
        (500, 15, []),
        (600, 16, ["sideline-limit"]),
        (1000, 15, []),
    ],
)
def test_three_on_the_sideline_for_each_hundred_at_most_fifteen(build_total, count, broken):
    waiting = [hero(f"x{number}", 50) for number in range(count)]
    report = checked("core-modern", hero(), build_total=build_total, sideline=waiting, sideline_allowed_by=["a"])
    assert rules(report) == broken


def test_something_must_allow_the_sideline():
    waiting = [hero("x", 50)]
    report = checked("core-modern", hero(), sideline=waiting)
    assert (rules(report), elements(report, "sideline-not-allowed")) == (["sideline-not-allowed"], ["x"])
    allowed = [{"name": "Call", "kind": "id-card", "points": 3, "ref": "card"}]
    assert rules(checked("core-modern", hero(), sideline=waiting, other=allowed, sideline_allowed_by=["card"])) == []
