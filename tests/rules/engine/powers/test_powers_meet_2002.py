"""Combinations of powers in 2002: one action with one effect, what follows an attack, what ends with what; by hand."""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate
from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, walk
from tests.tables import every_row

from .test_speed_2002 import sentinel

CAR = "car-2002"
FAR = fighter("z", "P16")
END = {"action": "end-turn"}
HIT, MISS = [4, 3], [2, 1]
SEVEN: dict[str, Any] = {"rolls": {"attack": [HIT]}}


def flier(name: str, square: str, flight: str = "hovering", **keys: Any) -> dict[str, Any]:
    return fighter(name, square, speed_symbol="wing", flight=flight, **keys)


def free(name: str, power: str, target: str, **choose: Any) -> dict[str, Any]:
    return done("free", name, target, using=[power], choose=choose)


def tokens(report: dict[str, Any], *names: str) -> list[int]:
    return [state(report, name)["tokens"] for name in names]


def squares(report: dict[str, Any], *names: str) -> list[str]:
    return [state(report, name)["square"] for name in names]


# ── Shape Change during a larger action ────────────────────────────────────────────────────────

FOOLED = {"shape-change:c": [[6]]}
CHANGER = fighter("c", "D8", powers=["Shape Change"])


def test_the_second_attack_of_a_flurry_is_not_made_and_the_first_stands() -> None:
    """Shape Change: that attack can't be made. The first one was, so the action is spent."""
    given = done("close", "a", "b", "c", using=["Flurry"], rolls={"attack": [HIT]} | FOOLED)
    report = fight(CAR, [fighter("a", "E8", powers=["Flurry"])], [fighter("b", "F8"), CHANGER], given)
    assert (clicks(report, "b", "c"), tokens(report, "a")) == ([4, 1], [1])


def test_a_flurry_continues_with_its_other_target() -> None:
    given = done("close", "a", "c", "b", using=["Flurry"], rolls={"attack": [HIT]} | FOOLED)
    report = fight(CAR, [fighter("a", "E8", powers=["Flurry"])], [fighter("b", "F8"), CHANGER], given)
    assert (clicks(report, "b", "c"), tokens(report, "a")) == ([4, 1], [1])


def test_a_flurry_of_which_no_attack_is_made_is_not_spent() -> None:
    rolls = {"shape-change:c": [[6], [6]]}
    given = done("close", "a", "c", "c", using=["Flurry"], rolls=rolls)
    report = fight(CAR, [fighter("a", "E8", powers=["Flurry"])], [CHANGER, FAR], given)
    assert (clicks(report, "c"), tokens(report, "a")) == ([1], [0])


@every_row(("path", "spent"), [("A8 B8 C8", 1), ("", 0)], ids=["the charge has moved", "it has not moved"])
def test_a_charge_that_has_moved_is_spent_although_its_attack_is_not_made(path: str, spent: int) -> None:
    given = walk("a", path, using=["Charge"], then=[done("close", "a", "c")], rolls=FOOLED)
    start = "A9" if path else "C9"
    rolls = {"break-away": [[6]]} if not path else {}
    given["rolls"] = FOOLED | rolls
    report = fight(CAR, [fighter("a", start, powers=["Charge"])], [CHANGER, FAR], given)
    assert (tokens(report, "a"), clicks(report, "c")) == ([spent], [1])


def test_a_hypersonic_move_continues_after_an_attack_that_is_not_made() -> None:
    inner = {"action": "close", "targets": ["c"], "path": ["C9", "C10"]}
    given = walk("a", "A8 B8 C8", using=["Hypersonic Speed"], then=[inner], rolls=FOOLED)
    report = fight(CAR, [fighter("a", "A9", powers=["Hypersonic Speed"])], [CHANGER, FAR], given)
    assert (squares(report, "a"), tokens(report, "a")) == (["C10"], [1])


@every_row("edition", ["dc-2005", "core-2014"])
def test_so_it_does_in_the_later_books(edition: str) -> None:
    inner = {"action": "close", "targets": ["c"], "path": ["C9", "C10"]}
    given = done("power", "a", path=["A8", "B8", "C8"], using=["Hypersonic Speed"], then=[inner], rolls=FOOLED)
    report = fight(edition, [fighter("a", "A9", powers=["Hypersonic Speed"])], [CHANGER, FAR], given)
    assert (squares(report, "a"), tokens(report, "a")) == (["C10"], [1])
    still = done("power", "a", using=["Hypersonic Speed"], then=[done("close", "a", "c")], rolls=FOOLED)
    report = fight(edition, [fighter("a", "C9", powers=["Hypersonic Speed"])], [CHANGER, FAR], still)
    assert tokens(report, "a") == [0]


def test_mind_control_is_spent_although_shape_change_stops_the_controlled_figure() -> None:
    """The controlled figure gets no action from it, and no token."""
    given = done(
        "ranged", "a", "b", using=["Mind Control"], then=[done("close", "b", "c")], rolls=SEVEN["rolls"] | FOOLED
    )
    mine = [fighter("a", "E3", powers=["Mind Control"], range=8)]
    report = fight(CAR, mine, [fighter("b", "E8", points=200), CHANGER], given)
    assert (tokens(report, "a", "b"), clicks(report, "a", "c")) == ([1, 0], [3, 1])


@every_row(("second", "spent"), [([1], 1), ([6], 0)])
def test_shape_change_stops_the_two_attacks_of_a_sentinel_one_by_one(second: list[int], spent: int) -> None:
    theirs = [fighter("b", "G8", teams=["Skrulls"]), fighter("c", "D8", teams=["Skrulls"])]
    inner = [done("close", "s", "b"), done("close", "s", "c")]
    rolls = {"skrull:b": [[6]], "skrull:c": [second]} | ({"attack": [HIT]} if spent else {})
    report = fight(
        CAR, [sentinel("s", "E8")], theirs, done("power", "s", using=["Multi-Attack"], then=inner, rolls=rolls)
    )
    assert (tokens(report, "s"), clicks(report, "b", "c")) == ([spent], [1, 3 if spent else 1])


def test_a_target_that_used_shape_change_is_not_attacked_again_that_way() -> None:
    """Another target, or another action, such as a ranged attack on the same figure."""
    again = done("close", "a", "c", rolls={"shape-change:c": [[1]], "attack": [HIT]})
    first = done("close", "a", "c", rolls=FOOLED)
    report = fight(CAR, [flier("a", "E8", range=6)], [CHANGER, FAR], first, again)
    assert "c has escaped this attack by Shape Change" in refused(report)
    assert "shape-change" in report["steps"][-1]["topics"]
    shot = done("ranged", "a", "c", rolls={"shape-change:c": [[1]], "attack": [HIT]})
    report = fight(CAR, [flier("a", "E8", range=6)], [CHANGER, FAR], first, shot)
    assert clicks(report, "c") == [4]
    report = fight(CAR, [flier("a", "E8", range=6)], [CHANGER, FAR], first, END, END, again)
    assert clicks(report, "c") == [4]


# ── Flurry ─────────────────────────────────────────────────────────────────────────────────────


def test_the_second_attack_of_a_flurry_is_not_made_on_a_target_knocked_away() -> None:
    """FAQ of Flurry. Another figure may be named for it, if it is adjacent."""
    mine, theirs = [fighter("a", "E8", powers=["Flurry"])], [fighter("b", "F8"), fighter("c", "D8")]
    rolls = {"attack": [[4, 4], HIT]}
    report = fight(CAR, mine, theirs, done("close", "a", "b", "b", using=["Flurry"], rolls=rolls), spare=["attack"])
    assert (clicks(report, "b"), squares(report, "b"), tokens(report, "a")) == ([4], ["I8"], [1])
    report = fight(CAR, mine, theirs, done("close", "a", "b", "c", using=["Flurry"], rolls=rolls))
    assert clicks(report, "b", "c") == [4, 4]
    far = [fighter("b", "F8"), fighter("c", "C8")]
    assert "n't adjacent" in refused(fight(CAR, mine, far, done("close", "a", "b", "c", using=["Flurry"], rolls=rolls)))


def test_a_flurry_may_support_twice() -> None:
    """It may use any special ability that requires a close combat action: 1 and 2 clicks."""
    rolls = {"support": [HIT, HIT], "support-heal": [[1], [2]]}
    mine = [fighter("a", "E8", powers=["Flurry", "Support"]), fighter("f", "F8", click=6)]
    report = fight(CAR, mine, [FAR], done("close", "a", "f", "f", using=["Flurry", "Support"], rolls=rolls))
    assert (clicks(report, "f"), tokens(report, "a")) == ([3], [1])


# ── The beginning of a turn ────────────────────────────────────────────────────────────────────


@every_row("power", ["Poison", "Leadership"])
def test_a_team_s_free_move_ends_the_beginning_of_the_turn(power: str) -> None:
    """Magister, 2002-08-24: the beginning ends with the first action, and a free move is one."""
    mine = [fighter("a", "E8", powers=[power]), fighter("f", "B2", teams=["Avengers"])]
    given = done("free", "a", using=[power], rolls={"leadership": [[5]]})
    moved = walk("f", "C2", using=["Avengers"])
    report = fight(CAR, mine, [fighter("b", "F8")], moved, given, ask=[{"ask": "actions", "of": "a"}])
    assert "at the beginning of the turn" in refused(report)
    (opening,) = [one for one in report["answers"][0]["result"] if one.get("using") == [power]]
    assert opening["legal"] is False


# ── Hypersonic Speed ───────────────────────────────────────────────────────────────────────────


def test_a_chain_of_hypersonic_attacks_is_answered_once_and_steals_once() -> None:
    """One attack: 2 clicks in total, one retaliation of the Mystics, one click stolen."""
    rolls = {"attack": [HIT, [5, 4], MISS]}
    given = done("close", "a", "b", using=["Hypersonic Speed"], rolls=rolls)
    runner = fighter("a", "E8", powers=["Hypersonic Speed"])
    report = fight(CAR, [runner], [fighter("b", "F8", teams=["Mystics"]), FAR], given)
    assert clicks(report, "a", "b") == [2, 3]
    thief = fighter("a", "E8", powers=["Hypersonic Speed", "Steal Energy"], click=4)
    report = fight(CAR, [thief], [fighter("b", "F8"), FAR], given)
    assert clicks(report, "a", "b") == [3, 3]


def test_hypersonic_speed_eases_a_plain_move_too() -> None:
    """Chapeau, 2002-09-25: it never needs to break away and passes opponents without stopping, unless declined."""
    mine = [fighter("a", "E8", powers=["Hypersonic Speed"])]
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], walk("a", "E7 F7 G7 H7"))
    assert (squares(report, "a"), "break-away" in steps(report)) == (["H7"], False)
    declined = walk("a", "E7", choose={"decline": ["hypersonic-speed:a"]})
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], declined)
    assert report["awaiting"]["roll"] == "break-away"


# ── A move action and its one effect ───────────────────────────────────────────────────────────


def test_a_charge_breaks_away_before_it_is_used() -> None:
    """FAQ of Charge, even if it moves no squares."""
    mine = [fighter("a", "E8", powers=["Charge"])]
    given = done("move", "a", using=["Charge"], then=[done("close", "a", "b")])
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], given)
    assert report["awaiting"]["roll"] == "break-away"
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], given | {"rolls": {"break-away": [[3]]}})
    assert (clicks(report, "b"), tokens(report, "a")) == ([1], [1])
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], given | {"rolls": {"break-away": [[4]], "attack": [HIT]}})
    assert clicks(report, "b") == [4]


def test_a_running_shot_leaves_its_square_first() -> None:
    """FAQ of Running Shot: break away and actually move. Without adjacent opponents it may stay."""
    given = done("move", "a", using=["Running Shot"], then=[done("ranged", "a", "b")], **SEVEN)
    mine = [flier("a", "E8", powers=["Running Shot"], range=6)]
    assert "must break away and move" in refused(fight(CAR, mine, [fighter("b", "F8"), FAR], given))
    assert clicks(fight(CAR, mine, [fighter("b", "I8"), FAR], given), "b") == [4]


@every_row("power", ["Charge", "Running Shot"])
def test_hindering_terrain_does_not_halve_a_half_move_again_for_figures_that_can_ignore_terrain(power: str) -> None:
    """FAQ of both: 8 becomes 4; only a figure without any power that ignores terrain on movement gets 2."""
    rough = {"terrain": [{"type": "hindering", "squares": ["B8"]}]}
    given = walk("a", "C8 D8 E8 F8", using=[power])
    climber = fighter("a", "B8", powers=[power, "Leap/Climb"], range=6)
    assert squares(fight(CAR, [climber], [FAR], given, board=rough), "a") == ["F8"]
    plain = fighter("a", "B8", powers=[power], range=6)
    assert "can move only 2" in refused(fight(CAR, [plain], [FAR], given, board=rough))


@every_row(
    ("one", "other"),
    [("Charge", "Leap/Climb"), ("Running Shot", "Phasing"), ("Phasing", "Smoke Cloud"), ("Force Blast", "Barrier")],
)
def test_a_move_action_has_one_effect_that_asks_for_it(one: str, other: str) -> None:
    """Turns and Actions, FAQ."""
    given = done("move", "a", "b", using=[one, other])
    report = fight(CAR, [fighter("a", "E8", powers=[one, other])], [fighter("b", "F8"), FAR], given)
    assert "can't be used together" in refused(report)


@every_row(("power", "kind"), [("Charge", "close"), ("Running Shot", "ranged")])
def test_a_move_grants_one_attack(power: str, kind: str) -> None:
    at = "E8" if kind == "close" else "H8"
    inner = [done(kind, "a", "b"), done(kind, "a", "b")]
    given = walk("a", "C8 D8", using=[power], then=inner, rolls={"attack": [HIT, HIT]})
    report = fight(CAR, [fighter("a", "B8", powers=[power], range=6)], [fighter("b", at), FAR], given)
    assert "grants only 1 action" in refused(report)


@every_row("power", ["Barrier", "Smoke Cloud", "Regeneration", "Force Blast"])
def test_powers_that_do_not_move_their_owner_take_no_path(power: str) -> None:
    given = walk("a", "E9", using=[power], targets=["b"], choose={"squares": ["H8", "H9", "G8", "G9"]})
    report = fight(CAR, [fighter("a", "E8", powers=[power], range=6)], [fighter("b", "F8"), FAR], given)
    assert "so it has no path" in refused(report)


@every_row(
    "ground",
    [{"walls": ["H8|I8", "H9|I9"]}, {"terrain": [{"type": "elevated", "squares": ["I8:I9"]}]}],
    ids=["a wall between", "another elevation"],
)
def test_the_squares_of_a_barrier_are_adjacent(ground: dict[str, Any]) -> None:
    given = done("move", "a", using=["Barrier"], choose={"squares": ["H8", "H9", "I8", "I9"]})
    mine = [fighter("a", "E8", powers=["Barrier"], range=6)]
    assert "adjacent to each other" in refused(fight(CAR, mine, [FAR], given, board=ground))


# ── Mind Control ───────────────────────────────────────────────────────────────────────────────


def controlled(*then: dict[str, Any]) -> dict[str, Any]:
    given = done("ranged", "a", "b", using=["Mind Control"], then=list(then), **SEVEN)
    theirs = [fighter("b", "H8", powers=["Outwit"]), fighter("c", "L8", powers=["Toughness"]), FAR]
    return fight(CAR, [fighter("a", "C8", powers=["Mind Control"], range=8)], theirs, given)


def test_mind_control_gives_one_action_to_its_target() -> None:
    assert squares(controlled({"action": "move", "path": ["I8"]}), "b") == ["I8"]
    report = controlled(walk("b", "I8"), walk("b", "J8"))
    assert "gives b only 1 action" in refused(report)
    report = controlled(walk("c", "M8"))
    assert "only to its targets" in refused(report)


def test_a_controlled_figure_may_pass_without_a_token() -> None:
    report = controlled({"action": "pass", "actor": "b"})
    assert (report["legal"], tokens(report, "a", "b")) == (True, [1, 0])


@every_row(("edition", "points"), [(CAR, 80), ("ic-2002", 40)])
def test_a_controlled_archenemy_that_pushing_knocks_out_counts_double(edition: str, points: int) -> None:
    """FAQ of Mind Control: whether the controlled figure is knocked out, or the one it attacks."""
    given = done("ranged", "a", "b", using=["Mind Control"], then=[walk("b", "I8")], **SEVEN)
    mine = [fighter("a", "C8", powers=["Mind Control"], range=8, base_color="red")]
    theirs = [fighter("b", "H8", clicks=1, tokens=1, points=40, base_color="red"), FAR]
    assert fight(edition, mine, theirs, given)["state"]["victory_points"] == {"A": points, "B": 0}


def test_a_controlled_figure_that_knocks_itself_out_scores_for_the_controller() -> None:
    rolls = {"attack": [[4, 3], [1, 1]]}
    given = done("ranged", "a", "b", using=["Mind Control"], then=[done("close", "b", "c")], rolls=rolls)
    theirs = [fighter("b", "H8", clicks=1, points=40), fighter("c", "I8")]
    report = fight(CAR, [fighter("a", "C8", powers=["Mind Control"], range=8)], theirs, given)
    assert report["state"]["victory_points"] == {"A": 40, "B": 0}


def test_outwit_is_not_used_inside_mind_control() -> None:
    """No Outwit while an action is being resolved."""
    report = controlled(free("b", "Outwit", "c", counter="Toughness"))
    assert "Free powers can't be used" in refused(report)
    assert "outwit" in report["steps"][-1]["topics"]


# ── Energy Explosion ───────────────────────────────────────────────────────────────────────────


def explosion(*theirs: dict[str, Any], targets: tuple[str, ...] = ("b",), **keys: Any) -> dict[str, Any]:
    given = done("ranged", "a", *targets, using=["Energy Explosion"], **(SEVEN | keys))
    mine = [fighter("a", "C8", powers=["Energy Explosion"], range=8, bolts=2)]
    return fight(CAR, mine, [*theirs, FAR], given)


@every_row("power", ["Super Senses", "Impervious"])
def test_an_explosion_that_its_target_evades_reaches_no_one(power: str) -> None:
    """FAQ: an attack that misses the primary target misses those adjacent to it."""
    saved = {"attack": [HIT], f"{power.lower().replace(' ', '-')}:b": [[5]]}
    report = explosion(fighter("b", "H8", powers=[power]), fighter("c", "H9"), rolls=saved)
    assert clicks(report, "b", "c") == [1, 1]
    hit = saved | {f"{power.lower().replace(' ', '-')}:b": [[1]]}
    report = explosion(fighter("b", "H8", powers=[power]), fighter("c", "H9"), rolls=hit)
    assert clicks(report, "c") == [2]


def test_of_two_targets_one_evades_both_explosions() -> None:
    """b evades: it takes neither its own explosion nor that of c; c takes only its own."""
    rolls = {"attack": [HIT], "super-senses:b": [[6]]}
    theirs = (fighter("b", "H8", powers=["Super Senses"]), fighter("c", "H9"))
    report = explosion(*theirs, targets=("b", "c"), rolls=rolls)
    assert clicks(report, "b", "c") == [1, 2]


def test_toughness_stops_one_click_of_damage_that_comes_in_two_ways() -> None:
    """1 through Mastermind and 1 splash are dealt at once: 2 - 1."""
    theirs = (fighter("b", "H8", powers=["Mastermind"]), fighter("g", "H9", points=10, powers=["Toughness"]))
    assert clicks(explosion(*theirs, choose={"mastermind:b": "g"}), "b", "g") == [1, 2]


# ── Perplex and the experts ────────────────────────────────────────────────────────────────────


def test_a_perplexed_value_of_the_position_ends_with_a_wound_or_the_turn() -> None:
    raised = {
        "modifiers": [{"value": "defense", "by": 1, "source": "Perplex"}, {"value": "defense", "by": 2, "source": "x"}]
    }
    asked = [{"ask": "value", "of": "b", "value": "defense"}]
    blow = done("close", "a", "b", rolls={"attack": [[5, 6]]})
    mine, theirs = [fighter("a", "E8")], [fighter("b", "F8", **raised), FAR]
    assert fight(CAR, mine, theirs, ask=asked)["answers"][0]["result"] == 19
    assert fight(CAR, mine, theirs, blow, ask=asked)["answers"][0]["result"] == 18
    assert fight(CAR, mine, theirs, END, ask=asked)["answers"][0]["result"] == 18


def test_a_wound_ends_no_one_elses_perplex_and_it_still_ends_with_the_turn() -> None:
    mine = [fighter("p", "E8", powers=["Perplex"]), fighter("q", "E9", powers=["Perplex"])]
    mine += [fighter("f", "C8", tokens=1), fighter("g", "C9")]
    perplexed = [free(p, "Perplex", of, value="defense", by=1) for p, of in (("p", "f"), ("q", "g"))]
    asked = [{"ask": "value", "of": of, "value": "defense"} for of in ("f", "g")]
    for more, values in (([], [16, 17]), ([END], [16, 16])):
        report = fight(CAR, mine, [FAR], *perplexed, walk("f", "C7"), *more, ask=asked)
        assert [answer["result"] for answer in report["answers"]] == values


def test_a_raised_range_shoots() -> None:
    """Perplex can raise the range; with a range above 0 a hovering figure shoots an adjacent one."""
    mine = [flier("a", "E8"), fighter("p", "E9", powers=["Perplex"])]
    shot = done("ranged", "a", "b", **SEVEN)
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], free("p", "Perplex", "a", value="range", by=1), shot)
    assert clicks(report, "b") == [4]
    assert "its range is 0" in refused(fight(CAR, mine, [fighter("b", "F8"), FAR], shot))


def test_close_combat_expert_does_not_reach_with_leap_climb() -> None:
    """No other power works with it, even against an adjacent figure at the same elevation."""
    mine = [fighter("a", "E8", powers=["Close Combat Expert", "Leap/Climb"])]
    given = done("close", "a", "b", using=["Close Combat Expert"], **SEVEN)
    roof = {"terrain": [{"type": "elevated", "squares": ["F8"]}]}
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], given, board=roof)
    assert "can't be used with Leap/Climb" in refused(report)
    assert clicks(fight(CAR, mine, [fighter("b", "F8"), FAR], given), "b") == [6]


@every_row("other", ["Telekinesis", "Mind Control"])
@every_row(("kind", "at"), [("Close", "F8"), ("Ranged", "H8")])
def test_an_expert_s_attack_is_no_telekinesis_and_no_mind_control(other: str, kind: str, at: str) -> None:
    name = f"{kind} Combat Expert"
    given = done(kind.lower(), "a", "b", using=[other, name], **SEVEN)
    report = fight(CAR, [fighter("a", "E8", powers=[other, name], range=6)], [fighter("b", at), FAR], given)
    assert f"{name} and {other} can't be used together" in refused(report)


def test_close_combat_expert_breaks_a_wall() -> None:
    """1 + 2 clicks."""
    given = done("close", "a", "E8|F8", using=["Close Combat Expert"])
    mine = [fighter("a", "E8", damage=1, powers=["Close Combat Expert"])]
    assert fight(CAR, mine, [FAR], given, board={"walls": ["E8|F8"]})["state"]["walls_destroyed"] == ["E8|F8"]


def test_an_expert_has_used_no_attack_power_this_turn_and_steals_nothing() -> None:
    """FAQ: no attack powers in the turn of Close Combat Expert: neither Poison before it nor Steal Energy with it."""
    mine = [fighter("a", "E8", powers=["Close Combat Expert", "Poison", "Steal Energy"], click=3)]
    given = done("close", "a", "b", using=["Close Combat Expert"], **SEVEN)
    poison = done("free", "a", using=["Poison"])
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], poison, given)
    assert "has used Poison this turn" in refused(report)
    assert clicks(fight(CAR, mine, [fighter("b", "F8"), FAR], given), "a", "b") == [3, 6]


# ── Team abilities ─────────────────────────────────────────────────────────────────────────────


def test_a_power_countered_by_superman_enemies_returns_when_they_separate() -> None:
    """FAQ: Outwit is granted only while both are adjacent; nothing changes during a move."""
    pair = [fighter("x", "C6", teams=["Superman Enemy"], points=80), fighter("y", "C7", teams=["Superman Enemy"])]
    theirs = [fighter("b", "H8", powers=["Toughness"]), FAR]
    used = free("x", "Outwit", "b", counter="Toughness")
    report = fight(CAR, pair, theirs, used, walk("y", "C8 C9"))
    assert "countered" not in state(report, "b")
    report = fight(CAR, pair, theirs, used, walk("y", "C8 C9 C8 C7"))
    assert state(report, "b")["countered"] == ["Toughness"]


def test_wild_cards_are_of_the_fantastic_four_too() -> None:
    """They count as members of their friends' teams: one knocked out heals the others, and the last one is healed."""
    blow = done("close", "a", "b", **SEVEN)
    wild, four = {"teams": ["Spider-Man"]}, {"teams": ["Fantastic Four"]}
    theirs = [fighter("b", "F8", clicks=1, **wild), fighter("c", "K3", click=4, **four), fighter("d", "L8", click=4)]
    assert clicks(fight(CAR, [fighter("a", "E8")], theirs, blow), "c", "d") == [3, 4]
    theirs = [fighter("b", "F8", clicks=1, **four), fighter("c", "K3", click=4, **wild)]
    assert clicks(fight(CAR, [fighter("a", "E8")], theirs, blow), "c") == [3]


def test_a_wild_card_counts_among_the_superman_enemies() -> None:
    """It counts as a member: the more expensive of the two has Outwit, the wild card or the other."""
    theirs, wild = [fighter("b", "H8", powers=["Toughness"]), FAR], {"teams": ["Minions of Doom"]}
    for points in (40, 90):
        pair = [fighter("x", "C6", teams=["Superman Enemy"]), fighter("y", "C7", points=points, **wild)]
        costlier, cheaper = ("y", "x") if points > 50 else ("x", "y")
        assert fight(CAR, pair, theirs, free(costlier, "Outwit", "b", counter="Toughness"))["legal"]
        assert "can't use Outwit" in refused(
            fight(CAR, pair, theirs, free(cheaper, "Outwit", "b", counter="Toughness"))
        )


def test_a_wild_card_that_falls_retaliates_as_one_of_the_mystics() -> None:
    theirs = [fighter("b", "F8", clicks=1, teams=["Spider-Man"]), fighter("c", "K3", teams=["Mystics"])]
    report = fight(CAR, [fighter("a", "E8")], theirs, done("close", "a", "b", **SEVEN))
    assert clicks(report, "a") == [2]


def test_a_flurry_may_be_a_share_of_the_masters_of_evil() -> None:
    team = {"teams": ["Masters of Evil"]}
    mine = [fighter("a", "E8", powers=["Flurry"], **team), fighter("c", "G8", **team)]
    flurry = done("close", "a", "b", "b", using=["Masters of Evil", "Flurry"], rolls={"attack": [HIT, HIT]})
    blow = done("close", "c", "b", using=["Masters of Evil"], **SEVEN)
    report = fight(CAR, mine, [fighter("b", "F8", clicks=20), FAR], flurry, blow, build_total=100)
    assert clicks(report, "b") == [10]


# ── Leap/Climb and the tops of buildings ───────────────────────────────────────────────────────

BUILDING = {"terrain": [{"type": "blocking", "squares": ["E8"]}]}


@every_row(("own", "other"), [("E8", "F8"), ("F8", "E8")], ids=["down", "up"])
def test_leap_climb_attacks_between_the_ground_and_the_top_of_a_building(own: str, other: str) -> None:
    """A close attack on an adjacent square at any elevation; other figures aren't adjacent to one on top."""
    given = done("close", "a", "b", **SEVEN)
    theirs = [fighter("b", other, powers=["Phasing"]), FAR]
    report = fight(CAR, [fighter("a", own, powers=["Leap/Climb"])], theirs, given, board=BUILDING)
    assert clicks(report, "b") == [4]
    named = given | {"using": ["Leap/Climb"]}
    assert clicks(fight(CAR, [fighter("a", own, powers=["Leap/Climb"])], theirs, named, board=BUILDING), "b") == [4]
    assert "on top of blocking terrain" in refused(fight(CAR, [fighter("a", own)], theirs, given, board=BUILDING))


# ── Legal targets of powers ────────────────────────────────────────────────────────────────────


def asked(power: str, mine: list[dict[str, Any]], theirs: list[dict[str, Any]], target: str) -> tuple[bool, str]:
    question = {"ask": "can-target", "attack": "close", "from": "a", "to": target, "using": [power]}
    (answer,) = fight(CAR, mine, [*theirs, FAR], ask=[question])["answers"]
    return answer["result"], " ".join(answer["because"])


@every_row(
    ("keys", "why"),
    [({"tokens": 2}, "2 action tokens"), ({"powers": ["Battle Fury"]}, "Mind Control doesn't affect b")],
)
def test_the_question_of_legal_targets_of_mind_control(keys: dict[str, Any], why: str) -> None:
    mine = [fighter("a", "E8", powers=["Mind Control"])]
    may, because = asked("Mind Control", mine, [fighter("b", "F8", **keys)], "b")
    assert not may
    assert why in because
    assert asked("Mind Control", mine, [fighter("b", "F8", tokens=1)], "b")[0]


def test_the_question_of_legal_targets_of_support() -> None:
    mine = [fighter("a", "E8", powers=["Support"]), fighter("f", "F8")]
    assert asked("Support", mine, [], "f")[0]
    may, because = asked("Support", mine, [fighter("b", "G8")], "f")
    assert not may
    assert "f is adjacent to an opponent" in because


# ── Sentinels ──────────────────────────────────────────────────────────────────────────────────


def test_psychic_blast_does_not_keep_a_sentinel_from_rolling_for_impervious() -> None:
    """Sentinels can't be affected by Psychic Blast: 5 evades, otherwise the damage is reduced by 2."""
    mine = [fighter("a", "C8", powers=["Psychic Blast"], range=8)]
    for roll, click in ((5, 1), (4, 2)):
        rolls = {"attack": [HIT], "impervious:s": [[roll]]}
        given = done("ranged", "a", "s", using=["Psychic Blast"], rolls=rolls)
        assert clicks(fight(CAR, mine, [sentinel("s", "H8", powers=["Impervious"])], given), "s") == [click]


# ── Probability Control ────────────────────────────────────────────────────────────────────────


@every_row("named", [{"using": ["Probability Control"]}, {"choose": {"reroll-by": "p"}}])
def test_a_reroll_that_is_named_waits_for_its_dice(named: dict[str, Any]) -> None:
    """A player announces the reroll: its new dice decide, and are asked for."""
    mine = [fighter("a", "E8"), fighter("p", "E12", powers=["Probability Control"])]
    given = done("close", "a", "b", rolls={"attack": [[1, 1]]}, **named)
    report = fight(CAR, mine, [fighter("b", "F8"), FAR], given)
    assert report["awaiting"]["roll"] == "attack/reroll"
    given["rolls"]["attack/reroll"] = [HIT]
    assert clicks(fight(CAR, mine, [fighter("b", "F8"), FAR], given), "a", "b") == [1, 4]
    far = [fighter("a", "E8"), fighter("p", "P15", powers=["Probability Control"])]
    del given["rolls"]["attack/reroll"]
    assert "may not" in refused(fight(CAR, far, [fighter("b", "F8"), FAR], given)).replace("No one may", "may not")


@every_row(("edition", "again"), [(CAR, False), ("core-2014", True)])
def test_of_three_players_one_rerolls_once_until_its_next_turn(edition: str, again: bool) -> None:
    """In multiplayer games once between the player's own turns (2002); once more on their own turn."""
    sides = [("A", ["a@E8"]), ("B", ["b@F8"]), ("C", ["c@E12"])]
    document: dict[str, Any] = {"edition": edition, "build_total": 300, "map": {"width": 16, "height": 16}, "sides": []}
    for player, figures in sides:
        made = [
            fighter(*one.split("@"), clicks=12, powers=["Probability Control"] if player == "C" else [])
            for one in figures
        ]
        for one in made:
            one["range"] = 10
        document["sides"].append({"player": player, "characters": made})
    rolls = {"attack": [MISS], "attack/reroll": [MISS]}
    blow = {"choose": {"reroll-by": "c"}, "rolls": rolls}
    document["actions"] = [done("close", "a", "b", **blow), END, done("close", "b", "a", **blow)]
    assert adjudicate(document)["legal"] is again
    document["actions"] = [done("close", "a", "b", **blow), END, END, done("ranged", "c", "a", **blow)]
    assert adjudicate(document)["legal"]
