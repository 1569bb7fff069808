"""Speed powers of 2002 beyond the books' own examples: effects, and refusals by text and FAQ, by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, sentinel, state, steps, told, walk
from tests.tables import every_row

CAR = "car-2002"
BOTH = ("ic-2002", CAR)
FAR = [fighter("z", "P16")]


# ── Force Blast ────────────────────────────────────────────────────────────────────────────────


def blast(target: dict[str, Any], *mine: dict[str, Any], **board: Any) -> dict[str, Any]:
    own = [fighter("a", "C3", powers=["Force Blast"]), *mine]
    return fight(CAR, own, [target], done("move", "a", target["id"], using=["Force Blast"]), board=board)


@every_row("edition", BOTH)
def test_force_blast_moves_by_the_damage_value_and_does_no_damage(edition: str) -> None:
    """Directly away by the damage value of 3 squares; no break away roll, and a token for the move."""
    given = done("move", "a", "b", using=["Force Blast"])
    report = fight(edition, [fighter("a", "C3", powers=["Force Blast"])], [fighter("b", "D3")], given)
    assert (state(report, "b")["square"], state(report, "b")["click"]) == ("G3", 1)
    assert (state(report, "a")["square"], state(report, "a")["tokens"]) == ("C3", 1)


@every_row(("powers", "click"), [([], 2), (["Impervious"], 2), (["Toughness"], 1)])
def test_only_the_wall_hurts_a_figure_moved_by_force_blast(powers: list[str], click: int) -> None:
    """1 click for the wall: Impervious has no effect on it, Toughness reduces it by 1."""
    report = blast(fighter("b", "D3", powers=powers), walls=["E3|F3"])
    assert (state(report, "b")["square"], state(report, "b")["click"]) == ("E3", click)


def test_charge_is_no_protection_from_force_blast_and_a_sentinel_stays() -> None:
    assert state(blast(fighter("b", "D3", powers=["Charge"])), "b")["square"] == "G3"
    report = blast(sentinel("s", "D3"))
    assert state(report, "s")["squares"] == ["D3", "E3", "D4", "E4"]
    assert "Force Blast doesn't affect s" in report["steps"][1]["text"]


@every_row(
    ("target", "why"),
    [
        ("f", "Force Blast can be used only on an opponent"),
        ("c", "Force Blast needs an adjacent opponent, and c is"),
        ("C9", "1 character as the target"),
    ],
)
def test_figures_that_force_blast_does_not_reach(target: str, why: str) -> None:
    mine = [fighter("a", "C3", powers=["Force Blast"]), fighter("f", "C4")]
    report = fight(CAR, mine, [fighter("c", "G7")], done("move", "a", target, using=["Force Blast"]))
    assert why in refused(report)


# ── Flurry ─────────────────────────────────────────────────────────────────────────────────────


def test_flurry_attacks_twice_with_two_rolls() -> None:
    """10 + 7 hits b for 3; 10 + 5 misses c's 16."""
    given = done("close", "a", "b", "c", using=["Flurry"], rolls={"attack": [[3, 4], [2, 3]]})
    report = fight(CAR, [fighter("a", "C3", powers=["Flurry"])], [fighter("b", "D3"), fighter("c", "D4")], given)
    assert clicks(report, "b", "c") == [4, 1]
    assert state(report, "a")["tokens"] == 1


@every_row("targets", [[], ["b", "b", "b"]])
def test_flurry_has_one_or_two_targets(targets: list[str]) -> None:
    given = done("close", "a", *targets, using=["Flurry"], rolls={"attack": [[3, 4]] * 3})
    report = fight(CAR, [fighter("a", "C3", powers=["Flurry"])], [fighter("b", "D3")], given)
    assert "Flurry makes 2 attacks" in refused(report)


def test_a_critical_miss_that_costs_flurry_costs_the_second_attack() -> None:
    """FAQ: the damage of two 1s belongs to the first attack; the next click has no Flurry."""
    attacker = fighter("a", "C3", powers=["Flurry"])
    attacker["dial"] = [attacker["dial"][0], *({**attacker["dial"][0], "powers": []} for _ in range(4))]
    given = done("close", "a", "b", "b", using=["Flurry"], rolls={"attack": [[1, 1], [3, 4]]})
    report = fight(CAR, [attacker], [fighter("b", "D3")], given, spare=["attack"])
    assert clicks(report, "a", "b") == [2, 1]
    assert "can't use Flurry any more" in report["steps"][-2]["text"]


def test_a_target_knocked_out_by_the_first_attack_is_not_attacked_again() -> None:
    given = done("close", "a", "b", "b", using=["Flurry"], rolls={"attack": [[3, 4], [3, 4]]})
    report = fight(
        CAR, [fighter("a", "C3", powers=["Flurry"])], [fighter("b", "D3", clicks=2), *FAR], given, spare=["attack"]
    )
    assert state(report, "b")["ko"] is True
    assert "b is off the map" in report["steps"][-2]["text"]


# ── Mind Control ───────────────────────────────────────────────────────────────────────────────


def control(
    target: dict[str, Any], then: list[dict[str, Any]], dice: tuple[int, int] = (4, 3), **keys: Any
) -> dict[str, Any]:
    own = [fighter("a", "C3", powers=["Mind Control"], **({"range": 8} | keys))]
    given = done("ranged", "a", target["id"], using=["Mind Control"], then=then, rolls={"attack": [list(dice)]})
    return fight(CAR, own, [target, *FAR], given)


@every_row(
    ("keys", "why"),
    [
        ({"tokens": 2}, "Mind Control can't target b: it has 2 action tokens"),
        ({"powers": ["Battle Fury"]}, "Mind Control doesn't affect b"),
    ],
)
def test_figures_that_mind_control_cannot_target(keys: dict[str, Any], why: str) -> None:
    assert why in refused(control(fighter("b", "G3", **keys), []))


def test_mind_control_takes_figures_only() -> None:
    own = [fighter("a", "C3", powers=["Mind Control"], range=8)]
    given = done("ranged", "a", "G3", using=["Mind Control"])
    assert "Mind Control can target only characters" in refused(fight(CAR, own, FAR, given))


@every_row(("square", "legal"), [("G3", True), ("H3", False)])
def test_without_a_range_mind_control_reaches_four_squares(square: str, legal: bool) -> None:
    report = control(fighter("b", square), [walk("b", "M9")] if not legal else [], range=0)
    assert report["legal"] is legal


def test_a_sentinel_is_not_controlled_and_costs_nothing() -> None:
    report = control(sentinel("s", "G3"), [])
    assert clicks(report, "a") == [1]
    assert any("Mind Control doesn't affect s: it is a Sentinel" in step["text"] for step in report["steps"])


def test_a_critical_hit_may_knock_out_the_controlled_figure() -> None:
    """FAQ: the critical hit's click comes before the action; a knocked-out figure does nothing, and costs nothing."""
    report = control(fighter("b", "G3", clicks=1, points=120), [walk("b", "G4")], dice=(6, 6))
    assert state(report, "b")["ko"] is True
    assert clicks(report, "a") == [1]


def test_no_power_reduces_the_damage_of_controlling() -> None:
    own = [fighter("a", "C3", powers=["Mind Control", "Toughness"], range=8)]
    given = done("ranged", "a", "b", using=["Mind Control"], then=[walk("b", "G4")], rolls={"attack": [[4, 3]]})
    report = fight(CAR, own, [fighter("b", "G3", points=120), *FAR], given)
    assert clicks(report, "a") == [2]


def test_a_controlled_figure_that_knocks_out_its_friend_scores_for_the_controller() -> None:
    """FAQ: a figure knocked out by a controlled figure scores for the controlling player."""
    own = [fighter("a", "C3", powers=["Mind Control"], range=8)]
    theirs = [fighter("b", "G3"), fighter("c", "G4", clicks=2, points=40), *FAR]
    inner = done("close", "b", "c")
    given = done("ranged", "a", "b", using=["Mind Control"], then=[inner], rolls={"attack": [[4, 3], [4, 3]]})
    report = fight(CAR, own, theirs, given)
    assert report["state"]["victory_points"] == {"A": 40, "B": 0}
    assert (state(report, "b")["tokens"], state(report, "a")["tokens"]) == (1, 1)


# ── Hypersonic Speed ───────────────────────────────────────────────────────────────────────────


def runner(
    *actions: dict[str, Any], theirs: list[dict[str, Any]] | None = None, spare: tuple[str, ...] = ()
) -> dict[str, Any]:
    mine = [fighter("a", "A1", powers=["Hypersonic Speed"]), fighter("f", "A2")]
    return fight(CAR, mine, theirs or [fighter("b", "E1")], *actions, spare=spare)


def run(path: str, *inner: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return walk("a", path, using=["Hypersonic Speed"], then=list(inner), **keys)


@every_row("edition", BOTH)
def test_hypersonic_speed_runs_attacks_and_runs_on(edition: str) -> None:
    """Three squares, an attack of 3 clicks on b, three squares back: six of eight, past the opponent."""
    inner = done("close", "a", "b", at="D1", path=["C1", "B1", "A1"])
    given = run("B1 C1 D1", inner, rolls={"attack": [[4, 3]]})
    report = fight(edition, [fighter("a", "A1", powers=["Hypersonic Speed"])], [fighter("b", "E1")], given)
    assert (state(report, "a")["square"], state(report, "a")["tokens"]) == ("A1", 1)
    assert clicks(report, "b") == [4]


def test_the_rest_of_the_move_counts_on() -> None:
    inner = done("close", "a", "b", at="D1", path=["D2", "D3", "D4", "D5", "D6", "D7"])
    report = runner(run("B1 C1 D1", inner, rolls={"attack": [[4, 3]]}))
    assert "costs 6 squares, and a can move only 5" in refused(report)


def test_the_attack_may_come_first_or_the_path_lead_on_past_it() -> None:
    first = runner(
        run("A2 A3", done("close", "a", "b", at="A1"), rolls={"attack": [[4, 3]]}), theirs=[fighter("b", "B1")]
    )
    assert (state(first, "a")["square"], clicks(first, "b")) == ("A3", [4])
    on = runner(run("B1 C1 D1 D2", done("close", "a", "b", at="D1"), rolls={"attack": [[4, 3]]}))
    assert (state(on, "a")["square"], clicks(on, "b")) == ("D2", [4])


@every_row(
    ("given", "why"),
    [
        (run("B1", done("close", "a", "b"), carry=["f"]), "Hypersonic Speed with an attack can't carry anyone"),
        (run("B1 C1 D1", done("close", "a", "b"), done("close", "a", "b")), "Hypersonic Speed grants only 1 attack"),
        (run("B1 C1", done("close", "a", "b", at="D1")), "The path doesn't lead through D1"),
    ],
)
def test_what_a_hypersonic_move_does_not_do(given: dict[str, Any], why: str) -> None:
    assert why in refused(runner(given))


def test_without_an_attack_it_is_a_move_past_everyone() -> None:
    report = runner(run("B1 C1 D1 D2 E2"))
    assert state(report, "a")["square"] == "E2"
    assert "break-away" not in steps(report)


def chain(
    dice: list[list[int]], target: dict[str, Any] | None = None, spare: tuple[str, ...] = (), **keys: Any
) -> dict[str, Any]:
    rolls = {"attack": dice, **keys.pop("rolls", {})}
    given = done("close", "a", "b", using=["Hypersonic Speed"], rolls=rolls, **keys)
    return runner(given, theirs=[target or fighter("b", "B1")], spare=spare)


def test_a_chain_of_hits_meets_a_rising_defense() -> None:
    """17 against 16, 17 against 17, 17 against 18: two hits, then a miss; 2 clicks in total."""
    report = chain([[3, 4], [3, 4], [3, 4]])
    assert clicks(report, "b") == [3]
    assert [step["numbers"]["defense"] for step in report["steps"] if step["step"] in ("hit", "miss")] == [16, 17, 18]


def test_doubles_end_the_chain_with_a_knock_back_by_all_of_it() -> None:
    """1 + 1 clicks, two squares away."""
    report = chain([[4, 3], [4, 4]])
    assert (clicks(report, "b"), state(report, "b")["square"]) == ([3], "D1")


def test_a_critical_hit_adds_a_click_and_ends_it() -> None:
    """Two 6s are doubles: 2 clicks, 2 squares."""
    report = chain([[6, 6], [4, 3]], spare=("attack",))
    assert (clicks(report, "b"), state(report, "b")["square"]) == ([3], "D1")


def test_two_1s_end_the_chain_and_hurt_the_attacker_once_all_is_dealt() -> None:
    report = chain([[4, 3], [1, 1]])
    assert clicks(report, "a", "b") == [2, 2]


def test_the_player_may_stop_the_chain() -> None:
    report = chain([[4, 3], [6, 3], [6, 4]], attacks=1, spare=("attack", "attack"))
    assert clicks(report, "b") == [2]


def test_a_chain_without_more_dice_ends_after_its_hits() -> None:
    assert clicks(chain([[4, 3]]), "b") == [2]


@every_row(("die", "click"), [(5, 1), (4, 3)])
def test_super_senses_evade_the_finished_chain_with_one_roll(die: int, click: int) -> None:
    """Chapeau 2002-09-24: one roll, after the attack is finished."""
    report = chain(
        [[4, 3], [4, 3]], fighter("b", "B1", powers=["Super Senses"]), attacks=2, rolls={"super-senses:b": [[die]]}
    )
    assert clicks(report, "b") == [click]


@every_row(("die", "click"), [(6, 1), (1, 2)])
def test_impervious_against_a_chain_takes_2_from_all_of_it(die: int, click: int) -> None:
    """Three hits are 3 clicks; a failed roll leaves 1."""
    rolls = {"impervious:b": [[die]]}
    report = chain([[4, 3], [4, 3], [5, 3]], fighter("b", "B1", powers=["Impervious"]), attacks=3, rolls=rolls)
    assert clicks(report, "b") == [click]


@every_row(("powers", "click"), [([], 4), (["Toughness"], 3)])
def test_toughness_takes_1_from_a_whole_chain(powers: list[str], click: int) -> None:
    report = chain([[4, 3], [4, 3], [5, 3]], fighter("b", "B1", powers=powers), attacks=3)
    assert clicks(report, "b") == [click]


def test_declined_super_senses_are_not_rolled() -> None:
    target = fighter("b", "B1", powers=["Super Senses"])
    report = chain([[4, 3]], target, attacks=1, choose={"decline": ["super-senses:b"]})
    assert clicks(report, "b") == [2]


# ── Charge, Running Shot, Stealth ──────────────────────────────────────────────────────────────


@every_row(("power", "kind", "keys"), [("Charge", "close", {}), ("Running Shot", "ranged", {"range": 6})])
def test_half_the_speed_and_then_the_attack(power: str, kind: str, keys: dict[str, Any]) -> None:
    """Half of 8 is 4 squares; five are refused; the attack costs no separate action."""
    mine = [fighter("a", "A1", powers=[power], **keys)]
    target = fighter("b", "F1" if kind == "close" else "H1")
    inner = done(kind, "a", "b")
    report = fight(
        CAR, mine, [target], walk("a", "B1 C1 D1 E1", using=[power], then=[inner], rolls={"attack": [[4, 3]]})
    )
    assert (state(report, "a")["square"], clicks(report, "b"), state(report, "a")["tokens"]) == ("E1", [4], 1)
    far = fight(CAR, mine, [fighter("b", "P9")], walk("a", "B1 C1 D1 E1 F1", using=[power]))
    assert "costs 5 squares, and a can move only 4" in refused(far)


def test_a_charge_out_of_hindering_terrain_moves_a_quarter() -> None:
    """FAQ: 8 is halved by the terrain and again by Charge: 2 squares."""
    board = {"terrain": [{"type": "hindering", "squares": ["A1"]}]}
    mine = [fighter("a", "A1", powers=["Charge"])]
    report = fight(CAR, mine, FAR, walk("a", "B1 C1 D1", using=["Charge"]), board=board)
    assert "costs 3 squares, and a can move only 2" in refused(report)


def test_charge_is_not_knocked_back() -> None:
    """The target of double 4s takes 3 clicks and stays."""
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]})
    report = fight(CAR, [fighter("a", "A1")], [fighter("b", "B1", powers=["Charge"])], given)
    assert (state(report, "b")["square"], clicks(report, "b")) == ("B1", [4])


@every_row(("cover", "legal"), [("C1", False), ("D1", False), ("C3", True)])
def test_stealth_in_or_behind_hindering_terrain_is_no_target(cover: str, legal: bool) -> None:
    board = {"terrain": [{"type": "hindering", "squares": [cover]}]}
    given = done("ranged", "a", "b", rolls={"attack": [[4, 3]]})
    report = fight(CAR, [fighter("a", "A1", range=8)], [fighter("b", "D1", powers=["Stealth"])], given, board=board)
    assert report["legal"] is legal
    assert (clicks(report, "b") == [4]) is legal


def test_running_shot_may_stay_where_it_is() -> None:
    """Up to half the speed can be none at all, without an adjacent opponent."""
    mine = [fighter("a", "A1", powers=["Running Shot"], range=6)]
    given = walk("a", "", using=["Running Shot"], then=[done("ranged", "a", "b")], rolls={"attack": [[4, 3]]})
    report = fight(CAR, mine, [fighter("b", "D1")], given)
    assert told(report, "hit")["numbers"]["total"] == 17


def test_a_runner_knocked_out_in_mid_move_runs_no_further() -> None:
    given = run("B1 C1", done("close", "a", "b", path=["C2"]), rolls={"attack": [[4, 5]]})
    report = fight(
        "car-2002",
        [fighter("a", "A1", clicks=1, powers=["Hypersonic Speed"])],
        [fighter("b", "D1", teams=["Mystics"])],
        given,
    )
    assert state(report, "a")["ko"] is True
    assert [step["step"] for step in report["steps"]].count("move") == 1


def test_a_runner_without_a_way_left_stays_where_it_attacked() -> None:
    given = run("B1 C1", done("close", "a", "b"), rolls={"attack": [[1, 2]]})
    report = fight("car-2002", [fighter("a", "A1", powers=["Hypersonic Speed"])], [fighter("b", "D1")], given)
    assert state(report, "a")["square"] == "C1"
    assert [step["step"] for step in report["steps"]].count("move") == 1
