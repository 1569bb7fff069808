"""The worked examples of the 2014 Core Rulebook, with the book's own numbers, and related rules."""

from __future__ import annotations

from typing import Any

from tests.tables import every_row

from ..fights import clicks, fight, fighter, refused, state, steps

BOOK = "core-2014"
AWAY = fighter("far", "P16")


def test_multiple_ranged_combat_targets_jason_deals_all_3_to_the_one_he_hits() -> None:
    """9 + 8 = 17 misses 18 and hits 15; all 3 must be dealt."""
    shot: dict[str, Any] = {"action": "ranged", "actor": "a", "targets": ["b", "c"], "rolls": {"attack": [[3, 5]]}}
    mine = [fighter("a", "D4", attack=9, damage=3, range=8, bolts=2)]
    theirs = [fighter("b", "I4", defense=18), fighter("c", "I8", defense=15)]
    assert clicks(fight(BOOK, mine, theirs, shot), "b", "c") == [1, 4]
    assert refused(fight(BOOK, mine, theirs, shot | {"divide": {"c": 2}}))


@every_row(("b", "c"), [(2, 2), (3, 1), (1, 3), (4, 0), (0, 4)])
def test_multiple_ranged_combat_targets_norm_divides_4_as_he_likes(b: int, c: int) -> None:
    report = fight(
        BOOK,
        [fighter("a", "D4", damage=4, range=8, bolts=2)],
        [fighter("b", "I4"), fighter("c", "I8")],
        {
            "action": "ranged",
            "actor": "a",
            "targets": ["b", "c"],
            "divide": {"b": b, "c": c},
            "rolls": {"attack": [[3, 5]]},
        },
    )
    assert clicks(report, "b", "c") == [1 + b, 1 + c]


def test_without_a_division_the_player_is_asked() -> None:
    report = fight(
        BOOK,
        [fighter("a", "D4", range=8, bolts=2)],
        [fighter("b", "I4"), fighter("c", "I8")],
        {"action": "ranged", "actor": "a", "targets": ["b", "c"], "rolls": {"attack": [[3, 5]]}},
    )
    assert report["awaiting"]["choice"] == "divide"
    assert report["awaiting"]["player"] == "A"


def test_knock_back_damage_marks_double_fours() -> None:
    """Figure 10: 2 damage, one of two squares back, then the wall: 1 knock back damage."""
    report = fight(
        BOOK,
        [fighter("a", "D4", damage=2)],
        [fighter("b", "E4")],
        {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[4, 4]]}},
        board={"walls": ["F4|G4"]},
    )
    assert (state(report, "b")["square"], clicks(report, "b")) == ("F4", [4])


def test_knock_back_damage_is_reduced_by_itself() -> None:
    """Toughness reduces the attack's 3 by 1 and the wall's 1 by 1."""
    report = fight(
        BOOK,
        [fighter("a", "D4", damage=3)],
        [fighter("b", "E4", powers=["Toughness"])],
        {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[4, 4]]}},
        board={"walls": ["E4|F4"]},
    )
    assert clicks(report, "b") == [3]


def test_figure_7_the_second_token_deals_1_pushing_damage_after_the_action() -> None:
    report = fight(
        BOOK,
        [fighter("a", "D4", tokens=1)],
        [fighter("b", "E4")],
        {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[3, 4]]}},
    )
    assert clicks(report, "a", "b") == [2, 4]
    assert steps(report)[-3:] == ["token", "push", "click"]


def test_indomitable_and_willpower_ignore_pushing_damage_unless_it_is_wanted() -> None:
    """Common Questions: Willpower says "may", so its player may choose to be pushed to the next click."""
    walk = {"action": "move", "actor": "a", "path": ["C4"]}
    symbols = {"defense": "indomitable"}
    striped = fight(BOOK, [fighter("a", "D4", tokens=1, symbols=symbols)], [AWAY], walk)
    willing = fighter("a", "D4", tokens=1, powers=["Willpower"])
    wanted = walk | {"choose": {"decline": ["willpower:a"]}}
    assert clicks(striped, "a") == [1]
    assert clicks(fight(BOOK, [willing], [AWAY], walk), "a") == [1]
    assert clicks(fight(BOOK, [willing], [AWAY], wanted), "a") == [2]


def test_damage_depletion_takes_1_from_the_second_attack_of_flurry_and_never_the_last() -> None:
    """Damage Depletion Modifier: 3 and then 2; with a damage value of 1 it stays 1."""
    for damage, click in ((3, 6), (1, 3)):
        report = fight(
            BOOK,
            [fighter("a", "D4", damage=damage, powers=["Flurry"])],
            [fighter("b", "E4")],
            {
                "action": "close",
                "actor": "a",
                "using": ["Flurry"],
                "targets": ["b", "b"],
                "rolls": {"attack": [[3, 4], [2, 5]]},
            },
        )
        assert clicks(report, "b") == [click]


def test_attacks_that_deal_no_damage_do_not_deplete() -> None:
    """No Damage: Incapacitate leaves the damage value as printed."""
    report = fight(
        BOOK,
        [fighter("a", "D4", powers=["Incapacitate"])],
        [fighter("b", "E4")],
        {
            "action": "close",
            "actor": "a",
            "using": ["Incapacitate"],
            "targets": ["b"],
            "rolls": {"attack": [[3, 4]]},
        },
        ask=[{"ask": "value", "of": "a", "value": "damage"}],
    )
    assert report["answers"][0]["result"] == 3
    assert (state(report, "b")["tokens"], clicks(report, "b")) == (1, [1])


def test_attacks_and_actions_example_1_hypersonic_speed_grants_an_attack_and_no_action_for_quake() -> None:
    runner = fighter("a", "D10", powers=["Hypersonic Speed", "Quake"])
    run = {
        "action": "power",
        "actor": "a",
        "using": ["Hypersonic Speed"],
        "path": ["D9", "D8"],
        "then": [{"action": "close", "actor": "a", "targets": ["b"], "path": ["C7", "C6"]}],
        "rolls": {"attack": [[3, 4]]},
    }
    report = fight(BOOK, [runner], [fighter("b", "D7")], run)
    assert refused(report) == ""
    assert (state(report, "a")["square"], clicks(report, "b")) == ("C6", [4])
    quake = [run["then"][0] | {"using": ["Quake"]}]  # type: ignore[index]
    assert "Quake" in refused(fight(BOOK, [runner], [fighter("b", "D7")], run | {"then": quake}))


def test_attacks_and_actions_example_2_charge_grants_an_action_for_blades_claws_fangs() -> None:
    """Half of 8 is 4 squares; then a close combat action, in which the blades are used."""
    charger = fighter("a", "D10", powers=["Charge", "Blades/Claws/Fangs"])
    charge = {
        "action": "power",
        "actor": "a",
        "using": ["Charge"],
        "path": ["D9", "D8", "D7", "D6"],
        "then": [{"action": "close", "actor": "a", "using": ["Blades/Claws/Fangs"], "targets": ["b"]}],
        "rolls": {"attack": [[3, 4]], "damage": [[5]]},
    }
    report = fight(BOOK, [charger], [fighter("b", "D5")], charge)
    assert (refused(report), clicks(report, "b"), state(report, "a")["tokens"]) == ("", [6], 1)


def test_special_powers_exploit_weakness_and_flurry_need_an_action_each() -> None:
    """Powers › Special Powers: one close combat action activates one of them; Charge grants one for either."""
    both = fighter("a", "D4", powers=["Exploit Weakness", "Flurry"])
    act = {
        "action": "close",
        "actor": "a",
        "using": ["Exploit Weakness", "Flurry"],
        "targets": ["b", "b"],
        "rolls": {"attack": [[3, 4], [3, 4]]},
    }
    assert refused(fight(BOOK, [both], [fighter("b", "E4")], act))
    charger = fighter("a", "D7", powers=["Charge", "Exploit Weakness"])
    charge = {
        "action": "power",
        "actor": "a",
        "using": ["Charge"],
        "path": ["D6"],
        "then": [{"action": "close", "actor": "a", "using": ["Exploit Weakness"], "targets": ["b"]}],
        "rolls": {"attack": [[3, 4]]},
    }
    report = fight(BOOK, [charger], [fighter("b", "D5", powers=["Invulnerability"])], charge)
    assert (refused(report), clicks(report, "b")) == ("", [4])


def test_penetrating_damage_is_not_reduced_but_invincible_ignores_half() -> None:
    """Penetrating Damage isn't reduced; Invincible (2014) ignores half of it, rounded up: 3 - 2 = 1."""
    for power, click in (("Invulnerability", 4), ("Impervious", 4), ("Invincible", 2)):
        report = fight(
            BOOK,
            [fighter("a", "D4", range=6, powers=["Penetrating/Psychic Blast"])],
            [fighter("b", "H4", powers=[power])],
            {
                "action": "ranged",
                "actor": "a",
                "using": ["Penetrating/Psychic Blast"],
                "targets": ["b"],
                "rolls": {"attack": [[3, 4]], "impervious:b": [[2]]},
            },
            spare=["impervious:b"],
        )
        assert clicks(report, "b") == [click], power


@every_row(("power", "click"), [("Toughness", 5), ("Invulnerability", 4), ("Invincible", 3)])
def test_what_reduces_5_damage(power: str, click: int) -> None:
    """Powers and Abilities Card: 1, 2, and half rounded up (5 - 3)."""
    report = fight(
        BOOK,
        [fighter("a", "D4", damage=5)],
        [fighter("b", "E4", powers=[power])],
        {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[3, 4]]}},
    )
    assert clicks(report, "b") == [click]


def test_only_one_of_several_reducers_works() -> None:
    report = fight(
        BOOK,
        [fighter("a", "D4", damage=5)],
        [fighter("b", "E4", powers=["Toughness", "Invulnerability"])],
        {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[3, 4]]}},
    )
    assert clicks(report, "b") == [4]


def test_double_power_action_needs_no_token_gives_two_and_pushes() -> None:
    for tokens, legal in ((0, True), (1, False)):
        report = fight(
            BOOK,
            [fighter("a", "D4", tokens=tokens, powers=["Split the Sky"])],
            [AWAY],
            {"action": "double-power", "actor": "a", "using": ["Split the Sky"]},
        )
        assert report["legal"] is legal
        if legal:
            assert (state(report, "a")["tokens"], clicks(report, "a")) == (2, [2])


# ── Capture ────────────────────────────────────────────────────────────────────────────────────


def capturing(dice: list[int]) -> dict[str, Any]:
    return {"action": "power", "actor": "s", "using": ["Capture"], "targets": ["b"], "rolls": {"capture": [dice]}}


def test_capture_takes_a_close_attack_without_damage() -> None:
    """10 + 7 = 17 captures a figure with defense 17 and deals nothing; Plasticity adds 2 to its defense."""
    theirs = [fighter("b", "E4", defense=17), fighter("c", "P16")]
    report = fight(BOOK, [fighter("s", "D4")], theirs, capturing([3, 4]))
    assert (state(report, "b")["square"], state(report, "b")["captured_by"], clicks(report, "b")) == (None, "s", [1])
    assert "capture" in steps(report)
    theirs = [fighter("b", "E4", defense=16, powers=["Plasticity"]), fighter("c", "P16")]
    assert state(fight(BOOK, [fighter("s", "D4")], theirs, capturing([3, 4])), "b")["square"] == "E4"
    giant = [fighter("b", "E4", damage_symbol="giant"), fighter("c", "P16")]
    assert refused(fight(BOOK, [fighter("s", "D4")], giant, capturing([6, 5])))


def test_capture_ends_with_three_captives() -> None:
    held = [fighter(f"h{number}", None, captured_by="s") for number in range(3)]
    report = fight(BOOK, [fighter("s", "D4")], [fighter("b", "E4"), *held], capturing([3, 4]))
    assert refused(report)
    blow = {"action": "close", "actor": "s", "targets": ["b"], "rolls": {"attack": [[3, 4]]}}
    assert refused(fight(BOOK, [fighter("s", "D4")], [fighter("b", "E4"), *held], blow))


def test_rescue_lowers_the_captors_defense_by_1_for_each_captive_and_gives_one_token() -> None:
    """10 + 4 = 14 rescues against 16 - 2."""
    held = [fighter(f"h{number}", None, captured_by="s", tokens=2) for number in range(2)]
    rescue = {
        "action": "power",
        "actor": "b",
        "using": ["Rescue"],
        "targets": ["s"],
        "choose": {"place": {"h1": "C4"}},
        "rolls": {"rescue": [[1, 3]]},
    }
    turn = {"active": "B", "number": 10}
    report = fight(BOOK, [fighter("s", "D4")], [fighter("b", "E4"), *held], rescue, turn=turn)
    assert (state(report, "h1")["square"], state(report, "h1")["tokens"]) == ("C4", 1)
    assert state(report, "h0")["square"] is None


def test_release_defeats_the_captive_for_50_more_at_most() -> None:
    """Releasing captives: its own value and 50 points, or twice its own value if that is less."""
    area = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A1:P2"]}]}
    release = {
        "action": "power",
        "actor": "s",
        "using": ["Release"],
        "targets": ["h"],
        "choose": {"place": {"h": "D1"}},
    }
    for points, scored in ((70, 120), (30, 60)):
        held = fighter("h", None, captured_by="s", points=points)
        report = fight(BOOK, [fighter("s", "D2")], [AWAY, held], release, board=area)
        assert state(report, "h")["ko"]
        assert report["state"]["victory_points"]["A"] == scored


# ── Hordes, bystanders, transporters, objects ──────────────────────────────────────────────────


def test_a_stack_of_horde_tokens_loses_one_to_an_attack_however_strong() -> None:
    horde = fighter("h", "E4", clicks=1, kind="horde", stack=4, stack_max=5, points=40)
    report = fight(
        BOOK,
        [fighter("a", "D4", damage=5)],
        [horde, AWAY],
        {"action": "close", "actor": "a", "targets": ["h"], "rolls": {"attack": [[3, 4]]}},
    )
    assert state(report, "h")["stack"] == 3
    assert report["state"]["victory_points"] == {"A": 10, "B": 0}


def test_a_stack_loses_a_token_for_each_click_of_other_damage() -> None:
    """Stacks on the Battlefield: one token for the attack and two for the fall; the last token is the whole stack."""
    roof = {"terrain": [{"type": "elevated", "squares": ["D4:E4"]}]}
    for stack, left, points in ((4, 1, 30), (3, None, 40)):
        horde = fighter("h", "E4", clicks=1, kind="horde", stack=stack, stack_max=5, points=40)
        report = fight(
            BOOK,
            [fighter("a", "D4", damage=2)],
            [horde, AWAY],
            {"action": "close", "actor": "a", "targets": ["h"], "rolls": {"attack": [[4, 4]]}},
            board=roof,
        )
        assert state(report, "h")["ko"] is (left is None)
        assert left is None or state(report, "h")["stack"] == left
        assert report["state"]["victory_points"]["A"] == points


def test_a_bystander_is_defeated_by_any_damage_and_not_by_none() -> None:
    for powers, fallen in (([], True), (["Toughness"], False)):
        token = fighter("t", "E4", clicks=1, kind="bystander", powers=powers)
        report = fight(
            BOOK,
            [fighter("a", "D4", damage=1)],
            [token, AWAY],
            {"action": "close", "actor": "a", "targets": ["t"], "rolls": {"attack": [[3, 4]]}},
        )
        assert state(report, "t")["ko"] is fallen


def test_object_in_hand_is_a_modifier_under_the_rule_of_three() -> None:
    """Using Objects in Close Combat Attacks: 3 + 3, so the heavy object's +2 adds nothing."""
    strong = fighter("a", "D4", damage=3, powers=["Super Strength"], holding="bin")
    strong["modifiers"] = [{"value": "damage", "by": 3, "source": "Perplex"}]
    report = fight(
        BOOK,
        [strong],
        [fighter("b", "E4", clicks=12)],
        {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[3, 4]]}},
        objects=[{"id": "bin", "kind": "heavy", "square": None}],
    )
    assert clicks(report, "b") == [7]


def test_anyone_throws_ultra_light_objects_8_squares_for_1() -> None:
    throw = {
        "action": "ranged",
        "actor": "a",
        "targets": ["b"],
        "with_object": "bin",
        "rolls": {"attack": [[3, 5]]},
    }
    bin = [{"id": "bin", "kind": "ultra-light", "square": None}]
    report = fight(BOOK, [fighter("a", "D4", holding="bin")], [fighter("b", "L4")], throw, objects=bin)
    assert clicks(report, "b") == [2]


@every_row(("place", "legal"), [("D7", True), ("D6", False), ("E9", True)])
def test_a_move_that_hindering_terrain_ends_picks_up_nothing_beside_its_last_square(place: str, legal: bool) -> None:
    """Picking Up an Object: only from its square, or from beside an earlier square of the path."""
    report = fight(
        BOOK,
        [fighter("a", "D9", powers=["Super Strength"])],
        [AWAY],
        {"action": "move", "actor": "a", "path": ["D8", "D7"], "pick_up": "bin"},
        objects=[{"id": "bin", "kind": "heavy", "square": place}],
        board={"terrain": [{"type": "hindering", "squares": ["D7"]}]},
    )
    assert report["legal"] is legal


def test_flurry_uses_an_object_in_its_first_attack_only() -> None:
    """Using Objects in Close Combat Attacks: 3 + 2 with it, then 3 - 1 without, depleted by the first attack."""
    report = fight(
        BOOK,
        [fighter("a", "D4", powers=["Flurry", "Super Strength"], holding="bin")],
        [fighter("b", "E4", clicks=12)],
        {
            "action": "close",
            "actor": "a",
            "using": ["Flurry"],
            "targets": ["b", "b"],
            "rolls": {"attack": [[3, 4], [3, 4]]},
        },
        objects=[{"id": "bin", "kind": "heavy", "square": None}],
    )
    assert clicks(report, "b") == [1 + 5 + 2]


# ── Themed teams, healing, critical rolls ──────────────────────────────────────────────────────


def themed(uses: int, build_total: int, members: int = 3) -> dict[str, Any]:
    theme = {"keywords": ["Justice League"]}
    mine = [fighter("a", "D4", **theme), fighter("b", "D5", range=8, **theme), fighter("c", "D6", range=8, **theme)]
    return fight(
        BOOK,
        mine[:members],
        [fighter("x", "E4")],
        {
            "action": "close",
            "actor": "a",
            "targets": ["x"],
            "using": ["Themed Team Probability Control"],
            "choose": {"reroll-by": "b"},
            "rolls": {"attack": [[1, 2]], "attack/reroll": [[4, 5]]},
        },
        side={"themed_team": "Justice League", "ttpc_used": uses},
        build_total=build_total,
    )


def test_themed_team_probability_control_once_for_each_character_up_to_one_a_hundred() -> None:
    """Two characters at 300 points have two uses, three at 200 two, three at 300 three."""
    assert [themed(2, 300, 2)["legal"], themed(2, 200)["legal"], themed(2, 300)["legal"]] == [False, False, True]
    report = themed(0, 300)
    assert (state(report, "b")["tokens"], clicks(report, "x")) == (1, [4])


def test_critical_miss_is_1_unavoidable_damage() -> None:
    report = fight(
        BOOK,
        [fighter("a", "D4", attack=20, powers=["Impervious", "Invulnerability"])],
        [fighter("b", "E4")],
        {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[1, 1]]}},
    )
    assert clicks(report, "a", "b") == [2, 1]


def test_support_critical_hit_heals_1_more_and_never_past_the_start() -> None:
    """Die 4 + 1 = 5 clicks, limited by the starting line."""
    for click, healed in ((8, 3), (4, 1)):
        report = fight(
            BOOK,
            [fighter("a", "D4", powers=["Support"]), fighter("b", "D5", click=click)],
            [AWAY],
            {
                "action": "power",
                "actor": "a",
                "using": ["Support"],
                "targets": ["b"],
                "rolls": {"support": [[6, 6]], "support-heal": [[4]]},
            },
        )
        assert clicks(report, "b") == [healed]


def test_leadership_takes_5_or_6() -> None:
    mine = [fighter("leader", "D4", powers=["Leadership"], points=90), fighter("a", "F4"), fighter("b", "H4")]
    lead = {"action": "free", "actor": "leader", "using": ["Leadership"]}
    walks = [{"action": "move", "actor": name, "path": [f"{column}5"]} for name, column in (("a", "F"), ("b", "H"))]
    for die, legal in ((4, False), (5, True)):
        report = fight(BOOK, mine, [AWAY], lead | {"rolls": {"leadership": [[die]]}}, *walks, build_total=100)
        assert report["legal"] is legal


def test_pulse_wave_attacks_everyone_within_half_range_and_ignores_their_powers() -> None:
    """Common Questions: it ignores nearly all game effects; half of range 8 reaches 4 squares, friends included."""
    report = fight(
        BOOK,
        [fighter("a", "D4", range=8, powers=["Pulse Wave"]), fighter("f", "D8")],
        [fighter("b", "H4", powers=["Invulnerability"]), fighter("c", "I4")],
        {
            "action": "ranged",
            "actor": "a",
            "using": ["Pulse Wave"],
            "rolls": {"attack": [[4, 5]]},
        },
    )
    assert refused(report) == ""
    assert clicks(report, "f", "b", "c") == [2, 2, 1]


def test_an_unknown_power_is_left_to_its_card() -> None:
    report = fight(
        BOOK,
        [fighter("a", "D4", powers=["Thunder of Jurassia"])],
        [AWAY],
        {"action": "power", "actor": "a", "using": ["Thunder of Jurassia"]},
    )
    assert "ruling" in steps(report)
    assert state(report, "a")["tokens"] == 1
