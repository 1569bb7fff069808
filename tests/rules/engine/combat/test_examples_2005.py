"""The worked examples of the DC starter set rules (2005), with the book's own numbers, and related rules."""

from __future__ import annotations

from tests.tables import every_row

from ..fights import clicks, fight, fighter, refused, state, steps

BOOK = "dc-2005"
AWAY = fighter("far", "P16")


def test_quick_start_batman_misses_the_joker_with_13_and_hits_with_17() -> None:
    """Quick-Start Rules: attack 8 with 2 + 3 is 13 against 16, with 5 + 4 it is 17; he does 2 damage."""
    for dice, click in (([2, 3], 1), ([5, 4], 3)):
        report = fight(
            BOOK,
            [fighter("batman", "D4", attack=8, damage=2)],
            [fighter("joker", "E4", defense=16)],
            {"action": "close", "actor": "batman", "targets": ["joker"], "rolls": {"attack": [dice]}},
        )
        assert clicks(report, "joker") == [click]
        assert [step["numbers"]["total"] for step in report["steps"] if step["step"] == "attack-roll"] == [
            8 + sum(dice)
        ]


def test_multiple_ranged_combat_targets_jon_misses_the_flash_and_hits_wonder_woman_for_3() -> None:
    """11 + 7 = 18 misses 19 and hits 16; with one target hit there is nothing to divide."""
    report = fight(
        BOOK,
        [fighter("batman", "D4", attack=11, damage=3, range=8, bolts=2)],
        [fighter("flash", "I4", defense=19), fighter("wonder-woman", "I8", defense=16)],
        {"action": "ranged", "actor": "batman", "targets": ["flash", "wonder-woman"], "rolls": {"attack": [[3, 4]]}},
    )
    assert clicks(report, "flash", "wonder-woman") == [1, 4]
    assert report["awaiting"] is None


def test_knockback_brians_double_fours_throw_robin_into_the_wall() -> None:
    """Figure 9: 4 damage, one square back, then the wall: 1 more."""
    report = fight(
        BOOK,
        [fighter("bizarro", "D4", damage=4)],
        [fighter("robin", "E4", defense=16)],
        {"action": "close", "actor": "bizarro", "targets": ["robin"], "rolls": {"attack": [[4, 4]]}},
        board={"walls": ["F4|G4"]},
    )
    assert state(report, "robin")["square"] == "F4"
    assert clicks(report, "robin") == [6]
    assert steps(report).index("knock-back") < steps(report).index("knock-back-damage")


def test_turns_and_actions_cathy_gives_two_of_five_an_action() -> None:
    """A 200-point game has two actions of any kind; the other three lose their tokens; a third action is refused."""
    five = [
        fighter("starfire", "C4", range=8),
        fighter("cyborg", "E12"),
        fighter("raven", "G12", tokens=1),
        fighter("terra", "I12", tokens=2),
        fighter("cheetah", "K12"),
    ]
    shot = {"action": "ranged", "actor": "starfire", "targets": ["b"], "rolls": {"attack": [[3, 4]]}}
    walk = {"action": "move", "actor": "cyborg", "path": ["E11"]}
    report = fight(BOOK, five, [fighter("b", "G4")], shot, walk, {"action": "end-turn"}, build_total=200)
    assert [state(report, one["id"])["tokens"] for one in five] == [1, 1, 0, 0, 0]
    third = {"action": "move", "actor": "cheetah", "path": ["K11"]}
    assert refused(fight(BOOK, five, [fighter("b", "G4")], shot, walk, third, build_total=200))


def test_pushing_lex_luthor_takes_1_after_his_second_action() -> None:
    """Figure 5: a second token at the end of the action, then 1 pushing damage."""
    report = fight(BOOK, [fighter("lex", "C4", tokens=1)], [AWAY], {"action": "move", "actor": "lex", "path": ["C5"]})
    assert (state(report, "lex")["tokens"], clicks(report, "lex")) == (2, [2])
    assert steps(report)[-3:] == ["token", "push", "click"]


def test_willpower_takes_no_pushing_damage() -> None:
    """Powers and Abilities Card."""
    pushed = [fighter("lex", "C4", tokens=1, powers=["Willpower"])]
    report = fight(BOOK, pushed, [AWAY], {"action": "move", "actor": "lex", "path": ["C5"]})
    assert (state(report, "lex")["tokens"], clicks(report, "lex")) == (2, [1])


@every_row(("die", "gone"), [(2, False), (3, True)])
def test_breaking_away_giants_fail_only_on_1_and_2(die: int, gone: bool) -> None:
    report = fight(
        BOOK,
        [fighter("giant", "D4", damage_symbol="giant")],
        [fighter("b", "E4")],
        {"action": "move", "actor": "giant", "path": ["C4"], "rolls": {"break-away": [[die]]}},
    )
    assert state(report, "giant")["square"] == ("C4" if gone else "D4")
    assert state(report, "giant")["tokens"] == 1


@every_row(("die", "gone"), [(1, False), (2, True)])
def test_plasticity_fails_only_on_1(die: int, gone: bool) -> None:
    """Powers and Abilities Card."""
    report = fight(
        BOOK,
        [fighter("plastic", "D4", powers=["Plasticity"])],
        [fighter("b", "E4")],
        {"action": "move", "actor": "plastic", "path": ["C4"], "rolls": {"break-away": [[die]]}},
    )
    assert state(report, "plastic")["square"] == ("C4" if gone else "D4")


@every_row(("die", "gone"), [(5, False), (6, True)])
def test_others_leave_plasticity_only_with_a_6(die: int, gone: bool) -> None:
    """Powers and Abilities Card."""
    report = fight(
        BOOK,
        [fighter("a", "D4")],
        [fighter("plastic", "E4", powers=["Plasticity"])],
        {"action": "move", "actor": "a", "path": ["C4"], "rolls": {"break-away": [[die]]}},
    )
    assert state(report, "a")["square"] == ("C4" if gone else "D4")


def test_special_characters_a_transporter_attacks_in_mid_move_with_2_less() -> None:
    """Transporters, Move and attack: 10 - 2 + 7 = 15 misses 16; the rest of the move is still made."""
    move = {
        "action": "move",
        "actor": "flash",
        "path": ["C9", "C8"],
        "then": [{"action": "close", "actor": "flash", "targets": ["b"], "path": ["C7", "C6"]}],
        "rolls": {"attack": [[3, 4]]},
    }
    flash = fighter("flash", "C10", speed_symbol="transporter-boot")
    report = fight(BOOK, [flash], [fighter("b", "D8", defense=16)], move)
    assert refused(report) == ""
    assert (state(report, "flash")["square"], clicks(report, "b")) == ("C6", [1])
    move["rolls"] = {"attack": [[4, 4]]}
    assert clicks(fight(BOOK, [flash], [fighter("b", "D8", defense=16)], move), "b")[0] > 1
    beside = fight(BOOK, [flash], [fighter("b", "D8"), fighter("c", "B10")], move)
    assert refused(beside)


def test_a_transporter_carries_a_passenger_through_its_attack() -> None:
    """Carrying other characters: set down where the carrier's movement ends; no action this turn."""
    move = {
        "action": "move",
        "actor": "flash",
        "path": ["C9", "C8", "C7", "C6"],
        "carry": ["robin"],
        "then": [{"action": "close", "actor": "flash", "targets": ["b"], "at": "C8"}],
        "choose": {"place": {"robin": "C5"}},
        "rolls": {"attack": [[4, 5]]},
    }
    mine = [fighter("flash", "C10", speed_symbol="transporter-boot"), fighter("robin", "D10")]
    report = fight(BOOK, mine, [fighter("b", "D8")], move)
    assert (refused(report), clicks(report, "b")) == ("", [4])
    assert (state(report, "flash")["square"], state(report, "robin")["square"]) == ("C6", "C5")
    then = {"action": "move", "actor": "robin", "path": ["C4"]}
    assert refused(fight(BOOK, mine, [fighter("b", "D8")], move, then))
    missed = move | {"rolls": {"attack": [[1, 1]]}}
    frail = [mine[0] | {"click": 8}, mine[1]]
    report = fight(BOOK, frail, [fighter("b", "D8")], missed)
    assert (state(report, "flash")["ko"], state(report, "robin")["square"]) == (True, "D10")


def test_objects_are_thrown_six_and_four_squares_for_2_and_3() -> None:
    """Objects, Ranged combat: whatever the attacker's damage and range."""
    for kind, square, far, damage in (("light", "J4", "K4", 2), ("heavy", "H4", "I4", 3)):
        thrower = fighter("a", "D4", damage=5, powers=["Super Strength"], holding="bin")
        bin = [{"id": "bin", "kind": kind, "square": None}]
        throw = {
            "action": "ranged",
            "actor": "a",
            "targets": ["b"],
            "with_object": "bin",
            "rolls": {"attack": [[3, 5]]},
        }
        report = fight(BOOK, [thrower], [fighter("b", square)], throw, objects=bin)
        assert clicks(report, "b") == [1 + damage]
        assert report["state"]["objects"]["bin"]["removed"]
        assert refused(fight(BOOK, [thrower], [fighter("b", far)], throw, objects=bin))


def test_objects_in_hand_must_be_used_and_add_to_the_damage_dealt() -> None:
    """Close combat: +2 for a heavy object, even if the damage value's modifiers are at their limit of 3."""
    strong = fighter("a", "D4", damage=3, powers=["Super Strength"], holding="bin")
    strong["modifiers"] = [{"value": "damage", "by": 3, "source": "Perplex"}]
    bin = [{"id": "bin", "kind": "heavy", "square": None}]
    blow = {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[3, 4]]}}
    report = fight(BOOK, [strong], [fighter("b", "E4", clicks=12)], blow, objects=bin)
    assert clicks(report, "b") == [1 + 3 + 3 + 2]
    assert report["state"]["objects"]["bin"]["removed"]


def test_telekinesis_moves_a_friend_an_object_and_throws_one() -> None:
    """Telekinesis: one power action each; up to 10 squares from the object, and a close attack with it."""
    lantern = fighter("lantern", "D4", powers=["Telekinesis"])
    lift = {"action": "power", "actor": "lantern", "using": ["Telekinesis"], "targets": ["robin"]}
    report = fight(BOOK, [lantern, fighter("robin", "D5")], [AWAY], lift | {"choose": {"square": "D12"}})
    assert state(report, "robin")["square"] == "D12"
    assert state(report, "lantern")["tokens"] == 1
    bin = [{"id": "bin", "kind": "light", "square": "E4"}]
    carry = lift | {"targets": ["bin"], "choose": {"square": "N4"}}
    assert fight(BOOK, [lantern], [AWAY], carry, objects=bin)["state"]["objects"]["bin"]["square"] == "N4"
    throw = lift | {"targets": ["b"], "with_object": "bin", "rolls": {"attack": [[3, 4]]}}
    report = fight(BOOK, [lantern], [fighter("b", "K4")], throw, objects=bin)
    assert clicks(report, "b") == [3]
    assert report["state"]["objects"]["bin"]["removed"]


def test_damage_0_may_grow_and_no_damage_may_not() -> None:
    """Incapacitate deals no damage: two 6s don't hurt the target, two 1s don't hurt the attacker."""
    for dice in ([6, 6], [1, 1]):
        report = fight(
            BOOK,
            [fighter("a", "D4", powers=["Incapacitate"])],
            [fighter("b", "E4")],
            {
                "action": "close",
                "actor": "a",
                "using": ["Incapacitate"],
                "targets": ["b"],
                "rolls": {"attack": [dice]},
            },
        )
        assert clicks(report, "a", "b") == [1, 1]
        assert state(report, "b")["tokens"] == (1 if dice == [6, 6] else 0)


def test_critical_hit_adds_1_to_everyone_who_is_hit() -> None:
    """Rolling 2 and 12: with several ranged targets each takes the extra click."""
    report = fight(
        BOOK,
        [fighter("a", "D4", damage=4, range=8, bolts=2)],
        [fighter("b", "I4", defense=30), fighter("c", "I8")],
        {
            "action": "ranged",
            "actor": "a",
            "targets": ["b", "c"],
            "divide": {"b": 1, "c": 3},
            "rolls": {"attack": [[6, 6]]},
            "choose": {"knock-back-direction": "E"},
        },
    )
    assert clicks(report, "b", "c") == [3, 5]


def test_leadership_gives_one_more_action_on_4_to_6() -> None:
    """Powers and Abilities Card: a free action at the beginning of the turn."""
    mine = [fighter("leader", "D4", powers=["Leadership"]), fighter("a", "F4"), fighter("b", "H4")]
    lead = {"action": "free", "actor": "leader", "using": ["Leadership"]}
    walks = [{"action": "move", "actor": name, "path": [f"{column}5"]} for name, column in (("a", "F"), ("b", "H"))]
    for die, legal in ((3, False), (4, True)):
        report = fight(BOOK, mine, [AWAY], lead | {"rolls": {"leadership": [[die]]}}, *walks, build_total=100)
        assert report["legal"] is legal


def test_super_senses_evade_on_5_and_6_even_two_6s() -> None:
    """Powers and Abilities Card; a critical hit is evaded like any other here."""
    for die, click in ((4, 5), (5, 1)):
        report = fight(
            BOOK,
            [fighter("a", "D4")],
            [fighter("b", "E4", powers=["Super Senses"])],
            {
                "action": "close",
                "actor": "a",
                "targets": ["b"],
                "rolls": {"attack": [[6, 6]], "super-senses:b": [[die]]},
            },
        )
        assert clicks(report, "b") == [click]


def test_impervious_takes_nothing_on_5_and_6_and_else_2_less() -> None:
    """Powers and Abilities Card."""
    for die, click in ((4, 3), (5, 1)):
        report = fight(
            BOOK,
            [fighter("a", "D4", damage=4)],
            [fighter("b", "E4", powers=["Impervious"])],
            {
                "action": "close",
                "actor": "a",
                "targets": ["b"],
                "rolls": {"attack": [[3, 4]], "impervious:b": [[die]]},
            },
        )
        assert clicks(report, "b") == [click]


def test_regeneration_heals_a_die_less_2() -> None:
    """Powers and Abilities Card."""
    healer = fighter("a", "D4", powers=["Regeneration"], click=7)
    act = {"action": "power", "actor": "a", "using": ["Regeneration"], "rolls": {"regeneration": [[5]]}}
    assert clicks(fight(BOOK, [healer], [AWAY], act), "a") == [4]
