"""The worked examples of the Core Rulebook of the 2020s, with the book's own numbers, and related rules."""

from __future__ import annotations

from typing import Any

from tests.tables import every_row

from ..fights import clicks, fight, fighter, refused, state, steps

BOOK = "core-modern"
AWAY = fighter("far", "P16")
BLOW: dict[str, Any] = {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[3, 4]]}}


# ── Actions ────────────────────────────────────────────────────────────────────────────────────


def test_charge_halves_the_speed_and_makes_a_close_action_at_no_cost() -> None:
    """Costed Actions "At No Cost": 8 becomes 4 squares; one token for both, and the pushing damage after both."""
    charge = {
        "action": "power",
        "actor": "a",
        "using": ["Charge"],
        "path": ["D9", "D8", "D7", "D6"],
        "then": [{"action": "close", "actor": "a", "targets": ["b"]}],
        "rolls": {"attack": [[3, 4]]},
    }
    report = fight(BOOK, [fighter("a", "D10", tokens=1, powers=["Charge"])], [fighter("b", "D5")], charge)
    assert (refused(report), clicks(report, "a", "b"), state(report, "a")["tokens"]) == ("", [2, 4], 2)
    too_far = charge | {"path": ["D10", "D9", "D8", "D7", "D6"]}
    assert refused(fight(BOOK, [fighter("a", "D11", powers=["Charge"])], [fighter("b", "D5")], too_far))


def test_free_actions_name_the_same_effect_once_a_turn() -> None:
    """Sidestep moves 2 squares without a token, besides the turn's costed action, but not twice."""
    step = {"action": "free", "actor": "a", "using": ["Sidestep"], "path": ["D9", "D8"]}
    walk = {"action": "move", "actor": "a", "path": ["D7"]}
    mine = [fighter("a", "D10", powers=["Sidestep"])]
    report = fight(BOOK, mine, [AWAY], step, walk)
    assert (state(report, "a")["square"], state(report, "a")["tokens"]) == ("D7", 1)
    again = step | {"path": ["D7"]}
    assert refused(fight(BOOK, mine, [AWAY], step, again))
    too_far = step | {"path": ["D9", "D8", "D7"]}
    assert refused(fight(BOOK, mine, [AWAY], too_far))


def test_double_power_actions_need_no_token_and_push() -> None:
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


@every_row(("build_total", "most"), [(100, 2), (300, 3), (1000, 10), (1500, 10)])
def test_action_total_is_2_at_least_and_10_at_most(build_total: int, most: int) -> None:
    report = fight(
        BOOK, [fighter("a", "D4")], [AWAY], build_total=build_total, ask=[{"ask": "action-total", "player": "A"}]
    )
    assert report["answers"][0]["result"] == most


# ── Attacks ────────────────────────────────────────────────────────────────────────────────────


def test_flurry_with_steal_energy_heals_after_both_attacks_once_for_each() -> None:
    """Triggered Effects: both attacks hit, so it triggers twice, and both resolve after Flurry."""
    report = fight(
        BOOK,
        [fighter("a", "D4", click=5, powers=["Flurry", "Steal Energy"])],
        [fighter("b", "E4")],
        BLOW | {"using": ["Flurry"], "targets": ["b", "b"], "rolls": {"attack": [[3, 4], [2, 5]]}},
    )
    assert clicks(report, "a", "b") == [3, 7]
    names = steps(report)
    last_attack = len(names) - 1 - names[::-1].index("attack-roll")
    assert names.index("heal") > last_attack


def test_flurry_uses_the_new_values_where_the_dial_is_clicked_between_its_attacks() -> None:
    """Calculating Combat Values: a card clicks the attacker between the two; the judge enters that."""
    attacker = fighter("a", "D4", powers=["Flurry"])
    attacker["dial"][1] = attacker["dial"][1] | {"attack": 7, "damage": 1}
    clicked = {"before": {"action": 0, "step": "attack-roll", "time": 2}, "set": {"characters": {"a": {"click": 2}}}}
    report = fight(
        BOOK,
        [attacker],
        [fighter("b", "E4", defense=14)],
        BLOW | {"using": ["Flurry"], "targets": ["b", "b"], "rolls": {"attack": [[3, 4], [3, 4]]}},
        judge=[clicked | {"text": "A card clicks the attacker.", "by": "Head judge"}],
    )
    totals = [step["numbers"]["total"] for step in report["steps"] if step["step"] == "attack-roll"]
    assert totals == [17, 14]
    assert clicks(report, "a", "b") == [2, 5]


def test_two_1s_of_flurry_wait_until_both_attacks_are_made() -> None:
    """Critical Misses: the click is dealt after resolutions, so the second attack uses the old values."""
    attacker = fighter("a", "D4", powers=["Flurry"])
    attacker["dial"][1] = attacker["dial"][1] | {"attack": 7}
    report = fight(
        BOOK,
        [attacker],
        [fighter("b", "E4", defense=15)],
        BLOW | {"using": ["Flurry"], "targets": ["b", "b"], "rolls": {"attack": [[1, 1], [3, 4]]}},
    )
    totals = [step["numbers"]["total"] for step in report["steps"] if step["step"] == "attack-roll"]
    assert totals == [12, 17]
    assert clicks(report, "a", "b") == [2, 4]


def test_critical_hits_cannot_be_evaded_by_super_senses() -> None:
    """Rolling 2 and 12: the target becomes hit; 3 + 1 damage."""
    report = fight(
        BOOK,
        [fighter("a", "D4")],
        [fighter("b", "E4", powers=["Super Senses"])],
        BLOW | {"rolls": {"attack": [[6, 6]], "super-senses:b": [[6]]}, "choose": {"knock-back": False}},
        spare=["super-senses:b"],
    )
    assert clicks(report, "b") == [5]


def test_critical_hit_adds_1_to_each_hit_target() -> None:
    report = fight(
        BOOK,
        [fighter("a", "D4", range=8, bolts=2)],
        [fighter("b", "I4", defense=30), fighter("c", "I8")],
        {
            "action": "ranged",
            "actor": "a",
            "targets": ["b", "c"],
            "divide": {"b": 0, "c": 3},
            "rolls": {"attack": [[6, 6]]},
            "choose": {"knock-back": False},
        },
    )
    assert clicks(report, "b", "c") == [2, 5]


def test_toughness_and_invulnerability_reduce_by_1_or_2_and_never_by_3() -> None:
    """Damage Taken: one effect for each instance of damage."""
    report = fight(
        BOOK, [fighter("a", "D4", damage=4)], [fighter("b", "E4", powers=["Toughness", "Invulnerability"])], BLOW
    )
    assert clicks(report, "b") == [3]


def test_knock_back_damage_has_its_own_reducer() -> None:
    """Knock Back Damage: 4 - 2 from the attack, then 1 - 2 from the wall."""
    report = fight(
        BOOK,
        [fighter("a", "D4", damage=4)],
        [fighter("b", "E4", powers=["Invulnerability"])],
        BLOW | {"rolls": {"attack": [[4, 4]]}, "choose": {"knock-back": True}},
        board={"walls": ["F4|G4"]},
    )
    assert (state(report, "b")["square"], clicks(report, "b")) == ("F4", [3])


def test_knockback_is_asked_of_the_attacker() -> None:
    """KNOCKBACK Keyphrase: doubles that hit give the choice, but only if damage is taken."""
    report = fight(BOOK, [fighter("a", "D4")], [fighter("b", "E4")], BLOW | {"rolls": {"attack": [[4, 4]]}})
    assert (report["awaiting"]["choice"], report["awaiting"]["player"]) == ("knock-back", "A")
    tough = [fighter("b", "E4", powers=["Invulnerability"])]
    weak = fight(BOOK, [fighter("a", "D4", damage=2)], tough, BLOW | {"rolls": {"attack": [[4, 4]]}})
    assert (weak["awaiting"], state(weak, "b")["square"]) == (None, "E4")


def test_knock_back_pushes_by_damage_clicked() -> None:
    """KNOCKBACK Keyphrase: 3 clicks, 3 squares, in a direct path."""
    report = fight(
        BOOK,
        [fighter("a", "D4")],
        [fighter("b", "E4")],
        BLOW | {"rolls": {"attack": [[4, 4]]}, "choose": {"knock-back": True}},
    )
    assert state(report, "b")["square"] == "H4"


def test_shape_change_and_super_senses_need_5_or_6() -> None:
    """Powers and Abilities Card: a target refused by Shape Change costs nothing."""
    for die, click, tokens in ((4, 4, 1), (5, 1, 0)):
        report = fight(
            BOOK,
            [fighter("a", "D4")],
            [fighter("b", "E4", powers=["Shape Change"])],
            BLOW | {"rolls": {"attack": [[3, 4]], "shape-change:b": [[die]]}},
            spare=["attack"] if die == 5 else [],
        )
        assert (clicks(report, "b"), state(report, "a")["tokens"]) == ([click], tokens)


@every_row(("power", "clicked"), [("Toughness", 2), ("Invulnerability", 1), ("Invincible", 1)])
def test_what_reduces_3_damage(power: str, clicked: int) -> None:
    """Powers and Abilities Card: 1, 2, 2."""
    report = fight(BOOK, [fighter("a", "D4")], [fighter("b", "E4", powers=[power])], BLOW)
    assert clicks(report, "b") == [1 + clicked]


def test_invincible_reduces_penetrating_damage_too() -> None:
    """Powers and Abilities Card: reduced by 2, even if nothing else reduces it."""
    for power, click in (("Invulnerability", 4), ("Invincible", 2)):
        report = fight(
            BOOK,
            [fighter("a", "D4", range=6, powers=["Penetrating/Psychic Blast"])],
            [fighter("b", "H4", powers=[power])],
            {
                "action": "ranged",
                "actor": "a",
                "using": ["Penetrating/Psychic Blast"],
                "targets": ["b"],
                "rolls": {"attack": [[3, 4]]},
            },
        )
        assert clicks(report, "b") == [click], power


def test_impervious_may_roll_for_no_damage_and_else_takes_2_less() -> None:
    for die, click in ((4, 2), (5, 1)):
        report = fight(
            BOOK,
            [fighter("a", "D4")],
            [fighter("b", "E4", powers=["Impervious"])],
            BLOW | {"rolls": {"attack": [[3, 4]], "impervious:b": [[die]]}},
        )
        assert clicks(report, "b") == [click]


# ── Rerolls ────────────────────────────────────────────────────────────────────────────────────


def test_rerolls_the_original_does_not_exist() -> None:
    """Rerolls: a rerolled critical miss doesn't count."""
    report = fight(
        BOOK,
        [fighter("a", "D4"), fighter("p", "D5", range=0, powers=["Probability Control"])],
        [fighter("b", "E4")],
        BLOW | {"choose": {"reroll-by": "p"}, "rolls": {"attack": [[1, 1]], "attack/reroll": [[4, 5]]}},
    )
    assert clicks(report, "a", "b") == [1, 4]
    assert "reroll" in steps(report)


def test_probability_control_reaches_its_range_and_6_squares_at_least() -> None:
    for square, legal in (("J4", True), ("K4", False)):
        report = fight(
            BOOK,
            [fighter("a", "D4"), fighter("p", square, powers=["Probability Control"])],
            [fighter("b", "D5")],
            BLOW | {"choose": {"reroll-by": "p"}, "rolls": {"attack": [[1, 1]], "attack/reroll": [[4, 5]]}},
        )
        assert report["legal"] is legal


@every_row(
    ("edition", "used", "legal"), [(BOOK, 1, True), (BOOK, 2, False), ("dc-2005", 0, False), ("car-2002", 0, False)]
)
def test_themed_teams_reroll_once_for_each_character(edition: str, used: int, legal: bool) -> None:
    """The books before 2014 have no themed teams."""
    theme = {"keywords": ["Avengers"], "range": 8}
    mine = [fighter("a", "D4", **theme), fighter("c", "D5", **theme)]
    report = fight(
        edition,
        mine,
        [fighter("b", "E4")],
        BLOW
        | {
            "using": ["Themed Team Probability Control"],
            "choose": {"reroll-by": "c"},
            "rolls": {"attack": [[1, 2]], "attack/reroll": [[4, 5]]},
        },
        side={"themed_team": "Avengers", "ttpc_used": used},
        build_total=100,
    )
    assert report["legal"] is legal


# ── Objects, carrying, destroying ──────────────────────────────────────────────────────────────


def test_object_actions_are_named_and_ko_the_object() -> None:
    """Using Objects as Weapons: +1 when used in close combat; thrown for 2 over at least 6 squares."""
    bin = [{"id": "bin", "kind": "light", "square": None}]
    mine = [fighter("a", "D4", holding="bin")]
    plain = fight(BOOK, mine, [fighter("b", "E4")], BLOW, objects=bin)
    assert (clicks(plain, "b"), state(plain, "a")["holding"]) == ([4], "bin")
    bash = fight(BOOK, mine, [fighter("b", "E4")], BLOW | {"with_object": "bin"}, objects=bin)
    assert (clicks(bash, "b"), bash["state"]["objects"]["bin"]["removed"]) == ([5], True)
    throw = BLOW | {"action": "ranged", "with_object": "bin"}
    assert clicks(fight(BOOK, mine, [fighter("b", "J4")], throw, objects=bin), "b") == [3]
    assert refused(fight(BOOK, mine, [fighter("b", "K4")], throw, objects=bin))


def test_object_actions_are_no_part_of_other_close_actions() -> None:
    """Using Objects as Weapons: not in any other attack, only by an object action; Charge can grant one."""
    bin = [{"id": "bin", "kind": "light", "square": None}]
    flurry = BLOW | {"using": ["Flurry"], "with_object": "bin", "rolls": {"attack": [[3, 4], [3, 4]]}}
    mine = [fighter("a", "D4", powers=["Flurry"], holding="bin")]
    assert refused(fight(BOOK, mine, [fighter("b", "E4")], flurry | {"targets": ["b", "b"]}, objects=bin))
    charge = {"action": "power", "actor": "a", "using": ["Charge"], "path": ["D3"], "rolls": BLOW["rolls"]}
    charge |= {"then": [{"action": "close", "targets": ["b"], "with_object": "bin"}]}
    mine = [fighter("a", "D2", powers=["Charge"], holding="bin")]
    assert clicks(fight(BOOK, mine, [fighter("b", "E4")], charge, objects=bin), "b") == [5]


def test_countered_super_strength_keeps_holding_a_heavy_object() -> None:
    """Picking Up Objects, the example of Outwit: it may still be used, but no heavy object picked up."""
    mine = [fighter("a", "D4", powers=["Super Strength"], countered=["Super Strength"], holding="bin")]
    bin = [{"id": "bin", "kind": "heavy", "square": None}]
    bash = fight(BOOK, mine, [fighter("b", "E4")], BLOW | {"with_object": "bin"}, objects=bin)
    assert clicks(bash, "b") == [6]
    lift = {"action": "move", "actor": "a", "path": [], "pick_up": "bin"}
    lying = [{"id": "bin", "kind": "heavy", "square": "D5"}]
    weak = [fighter("a", "D4", powers=["Super Strength"], countered=["Super Strength"])]
    assert refused(fight(BOOK, weak, [AWAY], lift, objects=lying))


def test_carry_costs_1_of_the_speed_for_a_smaller_friend_and_nothing_of_sidestep() -> None:
    """Carry: 8 - 1 = 7 squares; Sidestep still moves its 2."""
    mine = [fighter("a", "D12", damage_symbol="giant", powers=["Sidestep"]), fighter("f", "E12")]
    seven = [f"D{row}" for row in range(11, 4, -1)]
    move = {"action": "move", "actor": "a", "path": seven, "carry": ["f"], "choose": {"place": {"f": "E5"}}}
    assert state(fight(BOOK, mine, [AWAY], move), "f")["square"] == "E5"
    eight = move | {"path": [*seven, "D4"], "choose": {"place": {"f": "E4"}}}
    assert refused(fight(BOOK, mine, [AWAY], eight))
    step = {"action": "free", "actor": "a", "using": ["Sidestep"], "path": ["D11", "D10"]}
    step |= {"carry": ["f"], "choose": {"place": {"f": "E10"}}}
    assert state(fight(BOOK, mine, [AWAY], step), "f")["square"] == "E10"


def test_destroying_takes_a_damage_value_of_3_and_is_no_attack() -> None:
    """Destroying Blocking Terrain: no attack, so an adjacent opponent doesn't prevent it."""
    board = {"terrain": [{"type": "blocking", "squares": ["H4"]}]}
    for damage, placed in ((3, 1), (2, 0)):
        report = fight(
            BOOK,
            [fighter("a", "D4", damage=damage, range=6)],
            [fighter("b", "D5")],
            {"action": "ranged", "actor": "a", "targets": ["H4"]},
            board=board,
        )
        assert len(report["state"]["markers"]) == placed


def test_a_power_is_no_obstacle_to_destroying_unless_it_is_used() -> None:
    """Destroying Blocking Terrain: a power that needs its own action can't be used for it."""
    board = {"terrain": [{"type": "blocking", "squares": ["D5"]}]}
    for using, placed in (([], 1), (["Quake"], 0)):
        given = {"action": "close", "actor": "a", "targets": ["D5"], "using": using}
        report = fight(BOOK, [fighter("a", "D4", powers=["Quake"])], [AWAY], given, board=board)
        assert (report["legal"], len(report["state"]["markers"])) == (bool(placed), placed)


# ── Powers of the card ─────────────────────────────────────────────────────────────────────────


def test_willpower_removes_its_own_token_on_5_and_6() -> None:
    """Powers and Abilities Card."""
    for die, tokens in ((4, 1), (5, 0)):
        report = fight(
            BOOK,
            [fighter("a", "D4", tokens=1, powers=["Willpower"])],
            [AWAY],
            {"action": "free", "actor": "a", "using": ["Willpower"], "rolls": {"willpower:a": [[die]]}},
        )
        assert state(report, "a")["tokens"] == tokens


def test_indomitable_ignores_pushing_damage_and_invulnerability_does_not() -> None:
    walk = {"action": "move", "actor": "a", "path": ["C4"]}
    striped = fighter("a", "D4", tokens=1, symbols={"defense": "indomitable"})
    assert clicks(fight(BOOK, [striped], [AWAY], walk), "a") == [1]
    hard = fighter("a", "D4", tokens=1, powers=["Invulnerability"])
    assert clicks(fight(BOOK, [hard], [AWAY], walk), "a") == [2]


def test_regeneration_heals_half_a_die_rounded_up() -> None:
    healer = fighter("a", "D4", powers=["Regeneration"], click=7)
    act = {"action": "power", "actor": "a", "using": ["Regeneration"], "rolls": {"regeneration": [[5]]}}
    assert clicks(fight(BOOK, [healer], [AWAY], act), "a") == [4]


def test_force_blast_knocks_back_by_the_die() -> None:
    """Activated or Triggered Knock Back: as many squares as the result; a wall deals 1."""
    act = {"action": "power", "actor": "a", "using": ["Force Blast"], "targets": ["b"], "rolls": {"force-blast": [[4]]}}
    mine = [fighter("a", "D4", powers=["Force Blast"])]
    report = fight(BOOK, mine, [fighter("b", "E4")], act)
    assert (refused(report), state(report, "b")["square"], clicks(report, "b")) == ("", "I4", [1])
    report = fight(BOOK, mine, [fighter("b", "E4")], act, board={"walls": ["G4|H4"]})
    assert (state(report, "b")["square"], clicks(report, "b")) == ("G4", [2])


def test_leadership_adds_an_action_and_5_or_6_removes_a_token() -> None:
    """Powers and Abilities Card: +1 action total while it is in play; the roll removes a cheaper neighbour's token."""
    mine = [fighter("a", "D4", points=90, powers=["Leadership"]), fighter("n", "D5", points=40, tokens=1)]
    ask = [{"ask": "action-total", "player": "A"}]
    assert fight(BOOK, mine, [AWAY], ask=ask)["answers"][0]["result"] == 4
    for die, tokens in ((4, 1), (5, 0)):
        lead = {"action": "free", "actor": "a", "using": ["Leadership"], "targets": ["n"]}
        report = fight(BOOK, mine, [AWAY], lead | {"rolls": {"leadership": [[die]]}})
        assert state(report, "n")["tokens"] == tokens


def test_outwit_counters_within_range_and_6_squares_at_least() -> None:
    for square, legal in (("J4", True), ("K4", False)):
        report = fight(
            BOOK,
            [fighter("a", "D4", powers=["Outwit"])],
            [fighter("b", square, powers=["Toughness"])],
            {"action": "free", "actor": "a", "using": ["Outwit"], "targets": ["b"], "choose": {"counter": "Toughness"}},
        )
        assert report["legal"] is legal
        if legal:
            assert state(report, "b")["countered"] == ["Toughness"]


def test_perplex_modifies_by_1_until_the_next_turn_of_its_player() -> None:
    perplex = {
        "action": "free",
        "actor": "a",
        "using": ["Perplex"],
        "targets": ["a"],
        "choose": {"value": "damage", "by": 1},
    }
    ask = [{"ask": "value", "of": "a", "value": "damage"}]
    mine = [fighter("a", "D4", powers=["Perplex"])]
    assert fight(BOOK, mine, [AWAY], perplex, ask=ask)["answers"][0]["result"] == 4
    over = {"action": "end-turn"}
    assert fight(BOOK, mine, [AWAY], perplex, over, ask=ask)["answers"][0]["result"] == 4
    assert fight(BOOK, mine, [AWAY], perplex, over, over, ask=ask)["answers"][0]["result"] == 3
    assert refused(fight(BOOK, mine, [AWAY], perplex, perplex))


def test_empower_and_enhancement_lend_1_under_the_rule_of_three() -> None:
    """Passive Effects: adjacent friends modify damage by +1; several add at most 3."""
    friends = [fighter(f"e{n}", square, powers=["Empower"]) for n, square in enumerate(["C3", "C4", "C5", "D5"])]
    report = fight(BOOK, [fighter("a", "D4"), *friends], [fighter("b", "E4", clicks=12)], BLOW)
    assert clicks(report, "b") == [1 + 3 + 3]


def reroll_by_c(acted: bool, edition: str, **keys: Any) -> dict[str, Any]:
    theme = {"keywords": ["Avengers"], "range": 8}
    return fight(
        edition,
        [fighter("a", "D4", **theme), fighter("c", "D5", tokens=1, acted=acted, **theme, **keys)],
        [fighter("b", "E4")],
        BLOW
        | {
            "using": ["Themed Team Probability Control"],
            "choose": {"reroll-by": "c"},
            "rolls": {"attack": [[1, 2]], "attack/reroll": [[4, 5]]},
        },
        side={"themed_team": "Avengers"},
    )


def test_figures_that_have_acted_may_use_the_teams_probability_control_in_the_2020s_but_not_in_2014() -> None:
    """Themed Team Benefits: with 0 or 1 action tokens; in 2014 only before the figure's own action."""
    report = reroll_by_c(True, BOOK)
    assert (refused(report), state(report, "c")["tokens"], clicks(report, "c")) == ("", 2, [2])
    assert refused(reroll_by_c(True, "core-2014"))
    assert refused(reroll_by_c(False, "core-2014", powers=["Probability Control"]))
    assert refused(reroll_by_c(False, "core-2014")) == ""


def test_probability_control_of_a_themed_team_turns_an_opponents_roll_too() -> None:
    """Rerolls: the second player chooses to reroll the first player's attack."""
    theme = {"keywords": ["Avengers"], "range": 8}
    report = fight(
        BOOK,
        [fighter("a", "D4")],
        [fighter("b", "E4", **theme), fighter("c", "E5", **theme)],
        BLOW
        | {
            "using": ["Themed Team Probability Control"],
            "choose": {"reroll-by": "c"},
            "rolls": {"attack": [[4, 5]], "attack/reroll": [[1, 2]]},
        },
        sides=[
            {"player": "A", "characters": [fighter("a", "D4")]},
            {
                "player": "B",
                "themed_team": "Avengers",
                "characters": [fighter("b", "E4", **theme), fighter("c", "D8", **theme)],
            },
        ],
    )
    assert (refused(report), clicks(report, "b"), state(report, "c")["tokens"]) == ("", [1], 1)


def test_mind_controlled_figures_act_freely_and_stop_where_they_fail_to_break_away() -> None:
    """Breaking Away, the example of Mind Control: no token, and no attack after a failed roll."""
    control = {
        "action": "ranged",
        "actor": "m",
        "using": ["Mind Control"],
        "targets": ["v"],
        "then": [
            {"action": "move", "actor": "v", "path": ["I9"]},
            {"action": "close", "actor": "v", "targets": ["w"]},
        ],
    }
    mine, theirs = [fighter("m", "D4", range=8, powers=["Mind Control"])], [fighter("v", "I8"), fighter("w", "J8")]
    for die, square, click in ((2, "I8", 1), (5, "I9", 4)):
        rolls = {"attack": [[3, 4], [3, 4]], "break-away": [[die]]}
        report = fight(BOOK, mine, theirs, control | {"rolls": rolls}, spare=["attack"] if die == 2 else [])
        assert refused(report) == ""
        assert (state(report, "v")["square"], clicks(report, "w"), state(report, "v")["tokens"]) == (square, [click], 0)
        notes = [step["text"] for step in report["steps"] if step["step"] == "note"]
        lost = "So v doesn't get its CLOSE action during this use of Mind Control."
        assert notes == ([lost] if die == 2 else [])


def test_double_power_actions_of_special_powers_give_their_tokens() -> None:
    report = fight(BOOK, [fighter("a", "D4")], [AWAY], {"action": "double-power", "actor": "a"})
    assert (refused(report), state(report, "a")["tokens"], clicks(report, "a")) == ("", 2, [2])
    assert "ruling" in steps(report)
