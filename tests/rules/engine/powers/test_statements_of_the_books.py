"""Single rules about powers, wild cards, immunity and carrying, worked out by hand, by book and section."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, walk
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
HOME = {"terrain": [{"type": "starting-area", "player": "B", "squares": ["A1:P4"]}]}
SEVEN = {"rolls": {"attack": [[4, 3]]}}
FIRST = {"turn": {"active": "A", "number": 1}}


# ── Mastermind, wild cards, Battle Fury ────────────────────────────────────────────────────────


def minded(using: list[str], **keys: Any) -> dict[str, Any]:
    mine = fighter("a", "E5")
    theirs = [fighter("b", "E6", points=50, powers=["Mastermind"]), fighter("s", "F7", points=10), fighter("t", "P1")]
    return fight(CAR, [mine], theirs, done("close", "a", "b", using=using, **SEVEN, **keys))


def test_named_mastermind_asks_for_the_figure_that_takes_the_damage() -> None:
    report = minded(["Mastermind"])
    assert report["awaiting"]["choice"] == "mastermind:b"
    assert report["awaiting"]["options"] == ["s"]
    assert report["awaiting"]["player"] == "B"
    assert clicks(minded(["Mastermind"], choose={"mastermind:b": "s"}), "b", "s") == [1, 4]
    assert clicks(minded(["Mastermind"], choose={"mastermind:b": None}), "b", "s") == [4, 1]
    assert clicks(minded([]), "b", "s") == [4, 1]


@every_row("edition", [CAR, DC, NEW])
def test_a_wild_card_uses_one_team_ability_at_a_time(edition: str) -> None:
    """Wild cards (2002 FAQ, 2005, 2014): the Avengers' move and the Titans' exchange belong to two teams."""
    teams = {CAR: ("Avengers", "Justice League"), DC: ("Batman Ally", "Superman Ally")}
    one, two = teams.get(edition, teams[DC])
    mine = [fighter("a", "E5", teams=["Spider-Man"]), fighter("f", "A1", teams=[one]), fighter("g", "B1", teams=[two])]
    both = fight(edition, mine, [fighter("z", "P16")], walk("a", "E6", using=[one, two]))
    assert "only 1 team ability at a time" in refused(both)
    assert fight(edition, mine, [fighter("z", "P16")], walk("a", "E6", using=[one]))["legal"] is True


def test_battle_fury_is_given_no_ranged_action_whatever_it_is_for() -> None:
    furious = fighter("a", "E5", powers=["Battle Fury", "Telekinesis"])
    thing = [{"id": "o", "kind": "light", "square": "E6"}]
    given = done("ranged", "a", "b", using=["Telekinesis"], with_object="o", **SEVEN)
    assert "Battle Fury" in refused(fight(CAR, [furious], [fighter("b", "E9")], given, objects=thing))


# ── Enhancement (2002), Super Strength (2020s) ─────────────────────────────────────────────────


def test_enhancement_adds_no_damage_to_friends() -> None:
    """Enhancement: 1 click more to opposing figures; a friend in the splash of an Energy Explosion takes 1."""
    mine = [
        fighter("a", "E5", range=8, powers=["Energy Explosion"]),
        fighter("e", "D5", powers=["Enhancement"]),
        fighter("f", "E10"),
    ]
    given = done("ranged", "a", "b", using=["Energy Explosion"], **SEVEN)
    report = fight(CAR, mine, [fighter("b", "E9")], given)
    assert clicks(report, "b", "f") == [3, 2]


def test_super_strength_knocks_back_without_doubles_in_the_2020s() -> None:
    """Picking Up Objects (2020s): Super Strength gives KNOCKBACK, which Outwit stops."""
    strong = fighter("a", "E5", powers=["Super Strength"])
    given = done("close", "a", "b", **SEVEN)
    assert fight(MODERN, [strong], [fighter("b", "E6")], given)["awaiting"]["choice"] == "knock-back"
    report = fight(MODERN, [strong], [fighter("b", "E6")], given | {"choose": {"knock-back": True}})
    assert state(report, "b")["square"] == "E9"
    turned_off = strong | {"countered": ["Super Strength"]}
    assert state(fight(MODERN, [turned_off], [fighter("b", "E6")], given), "b")["square"] == "E6"
    for edition in (CAR, DC, NEW):
        assert state(fight(edition, [strong], [fighter("b", "E6")], given), "b")["square"] == "E6"


# ── Immunity at the start ──────────────────────────────────────────────────────────────────────


@every_row("edition", [NEW, MODERN])
def test_immune_figures_are_not_hurt_by_effects_without_targets(edition: str) -> None:
    """First-Round Immunity (2014): not attacked, damaged, knocked back; First Turn Immunity (2020s): likewise."""
    poisonous = fighter("a", "E5", powers=["Poison"])
    home, away = fighter("b", "E4"), fighter("c", "E6")
    report = fight(edition, [poisonous], [home, away], done("free", "a", using=["Poison"]), board=HOME, **FIRST)
    assert clicks(report, "b", "c") == [1, 2]
    shaking = fighter("a", "E5", powers=["Quake"])
    given = done("close", "a", using=["Quake"], choose={"knock-back": False}, **SEVEN)
    report = fight(edition, [shaking], [home, away], given, board=HOME, **FIRST)
    assert clicks(report, "b", "c") == [1, 3]
    wave = fighter("a", "E5", range=8, powers=["Pulse Wave"])
    given = done("ranged", "a", using=["Pulse Wave"], **SEVEN)
    report = fight(edition, [wave], [home | {"square": "E2"}, away | {"square": "E9"}], given, board=HOME, **FIRST)
    assert clicks(report, "b", "c") == [1, 4]
    for name, choose in (("Outwit", {"counter": "Toughness"}), ("Perplex", {"value": "speed", "by": -1})):
        sly = fighter("a", "E6", powers=[name])
        tough = fighter("b", "E4", powers=["Toughness"])
        given = done("free", "a", "b", using=[name], choose=choose)
        assert "immunity" in refused(fight(edition, [sly], [tough], given, board=HOME, **FIRST))


@every_row(("edition", "path", "safe"), [(NEW, "E3", False), (MODERN, "E3", True), (MODERN, "E5 E4", False)])
def test_a_figure_that_has_moved_or_left_home_is_no_longer_immune(edition: str, path: str, safe: bool) -> None:
    """2014: a figure that has moved; 2020s: one that has left the starting area, even if it returns the same turn."""
    report = fight(
        edition,
        [fighter("a", "E5" if path == "E3" else "D6", range=8)],
        [fighter("b", "E4"), fighter("z", "P1")],
        walk("b", path, rolls={"break-away": [[6]]}),
        {"action": "end-turn"},
        done("ranged", "a", "b", **SEVEN),
        board=HOME,
        turn={"active": "B", "number": 1},
    )
    assert ("immunity" in refused(report)) is safe


# ── Destroying (2020s), carrying without room, colossal characters ─────────────────────────────


def test_destroying_is_no_attack_in_the_2020s() -> None:
    wall = {"walls": ["E5|E6"]}
    clawed = fighter("a", "E5", powers=["Blades/Claws/Fangs"])
    given = done("close", "a", "E5|E6", using=["Blades/Claws/Fangs"], rolls={"damage": [[6]]})
    assert "its own action" in refused(fight(MODERN, [clawed], [fighter("z", "P16")], given, board=wall))
    assert fight(NEW, [clawed], [fighter("z", "P16")], given, board=wall)["state"]["walls_destroyed"] == ["E5|E6"]
    holder = fighter("a", "E5", damage=2, holding="o")
    thing = [{"id": "o", "kind": "heavy", "square": None}]
    given = done("close", "a", "E5|E6", with_object="o")
    assert "that isn't an attack" in refused(
        fight(MODERN, [holder], [fighter("z", "P16")], given, board=wall, objects=thing)
    )


def test_a_passenger_without_room_beside_its_carrier_stays() -> None:
    """Carry (2020s): the speed is still modified, and no one counts as carried."""
    block = {"terrain": [{"type": "blocking", "squares": ["G4:G6", "I4:I6", "H4", "H6"]}]}
    giant = fighter("a", "E5", symbols={"damage": "giant", "speed": "wing"}, speed=4)
    given = walk("a", "F5 G5 H5", carry=["f"])
    report = fight(MODERN, [giant, fighter("f", "E6")], [fighter("z", "P16")], given, board=block)
    assert state(report, "f")["square"] == "E6"
    assert state(report, "a")["square"] == "H5"
    assert "carry" not in steps(report)


def test_colossal_stamina_lets_a_colossal_character_act_with_two_tokens_and_is_left_to_its_card() -> None:
    given = walk("a", "E6", using=["Colossal Stamina"])
    for size, legal in (("colossal", True), ("giant", False)):
        tired = fighter("a", "E5", tokens=2, symbols={"damage": size})
        report = fight(NEW, [tired], [fighter("z", "P16")], given)
        assert report["legal"] is legal
    colossal = fighter("a", "E5", tokens=2, symbols={"damage": "colossal"})
    assert "2 action tokens" in refused(fight(NEW, [colossal], [fighter("z", "P16")], walk("a", "E6")))
    report = fight(NEW, [colossal], [fighter("z", "P16")], given)
    assert any("decide by its card" in step["text"] for step in report["steps"])


def test_a_duo_attack_makes_its_attacks_and_is_left_to_its_card() -> None:
    given = done("double-power", "a", using=["Duo Attack"], rolls={"attack": [[4, 3], [4, 3]]})
    given["then"] = [done("close", "a", "b"), done("close", "a", "c")]
    duo = fighter("a", "E5", symbols={"attack": "duo"})
    report = fight(NEW, [duo], [fighter("b", "E6"), fighter("c", "F6")], given)
    assert clicks(report, "a", "b", "c") == [2, 4, 3]
    assert state(report, "a")["tokens"] == 2
    assert any("Duo Attack isn't adjudicated" in step["text"] for step in report["steps"])


@every_row(("edition", "name"), [(DC, "Earthbound"), (NEW, "Precision Strike"), (MODERN, "Earthbound/Neutralized")])
def test_rules_on_cards_are_left_to_the_card(edition: str, name: str) -> None:
    report = fight(edition, [fighter("a", "E5", powers=[name])], [fighter("z", "P16")], walk("a", "E6"))
    assert [step["text"].split(":")[0] for step in report["steps"] if step["step"] == "ruling"] == [
        f"a's {name} isn't adjudicated"
    ]


@every_row(("edition", "legal"), [(CAR, False), (NEW, True)])
def test_probability_control_of_2002_reaches_the_acting_figure_not_the_rolling_one(edition: str, legal: bool) -> None:
    """Probability Control (2002): within 10 squares of the acting figure; from 2014: of the rolling one.

    The attacker in E5 is 11 squares from E16, its target in E6 is 10 away (range 10).
    """
    theirs = [
        fighter("b", "F6", powers=["Super Senses"]),
        fighter("s", "F16", range=10, powers=["Probability Control"]),
    ]
    dice = {"attack": [[4, 3]], "super-senses:b": [[2]], "super-senses:b/reroll": [[6]]}
    report = fight(edition, [fighter("a", "E5")], theirs, done("close", "a", "b", rolls=dice))
    assert report["legal"] is legal
    near = [theirs[0], theirs[1] | {"square": "F15"}]
    assert fight(edition, [fighter("a", "E5")], near, done("close", "a", "b", rolls=dice))["legal"] is True


@every_row(
    ("kind", "at", "names"),
    [
        ("ranged", "E9", ["Energy Explosion", "Incapacitate"]),
        ("ranged", "E9", ["Pulse Wave", "Energy Explosion"]),
        ("close", "E6", ["Blades/Claws/Fangs", "Incapacitate"]),
    ],
)
def test_an_action_of_2002_triggers_one_effect_that_asks_for_it(kind: str, at: str, names: list[str]) -> None:
    """Turns and Actions, FAQ (2002). Psychic Blast requires no action, so it joins; Flurry's choice does too."""
    mine = [fighter("a", "E5", range=8, powers=[*names, "Psychic Blast", "Flurry"])]
    both = fight(CAR, mine, [fighter("b", at)], done(kind, "a", "b", using=names, **SEVEN))
    assert "can't be used together" in refused(both)
    other = "Psychic Blast" if kind == "ranged" else "Flurry"
    dice = {"rolls": {"attack": [[4, 3]], "damage": [[2]]}} if kind == "close" else SEVEN
    one = done(kind, "a", "b", using=[names[0], other], **dice)
    assert fight(CAR, mine, [fighter("b", at)], one)["legal"] is True


def test_an_expert_whose_own_side_has_perplexed_it_already_is_none_this_turn() -> None:
    lifted = [{"value": "attack", "by": 1, "source": "Perplex"}]
    mine = [fighter("a", "E5", powers=["Close Combat Expert"], modifiers=lifted)]
    given = done("close", "a", "b", using=["Close Combat Expert"], **SEVEN)
    assert "Perplex modifies" in refused(fight(CAR, mine, [fighter("b", "E6")], given))
    mine[0]["modifiers"] = [lifted[0] | {"by": -1}]
    assert clicks(fight(CAR, mine, [fighter("b", "E6")], given), "b") == [6]


def test_reductions_of_an_experts_damage_value_count() -> None:
    """3 printed, 1 less, 2 more: 4 clicks. (Close Combat Expert, FAQ; Sentinels Rules › Attacking.)"""
    weakened = [{"value": "damage", "by": -1, "source": "Perplex"}]
    mine = [fighter("a", "E5", powers=["Close Combat Expert"], modifiers=weakened)]
    given = done("close", "a", "b", using=["Close Combat Expert"], **SEVEN)
    assert clicks(fight(CAR, mine, [fighter("b", "E6")], given), "b") == [5]
    robot = fighter("a", None, base="2x2", squares=["E5", "F5", "E6", "F6"], powers=["Close Combat Expert"])
    robot["symbols"] = {"damage": "sentinel"}
    del robot["square"]
    expert = done("close", "a", "b", using=["Close Combat Expert"])
    twice = done("power", "a", using=["Multi-Attack"], then=[expert, done("close", "a", "c")])
    report = fight(CAR, [robot], [fighter("b", "G5"), fighter("c", "G6")], twice | {"rolls": {"attack": [[4, 3]] * 2}})
    assert clicks(report, "b", "c") == [5, 3]
