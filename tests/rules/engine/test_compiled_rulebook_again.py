"""The Compiled and Annotated Rulebook (2002) read again: where one rule meets another, by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, sentinel, state, steps, told, walk
from tests.tables import every_row

CAR = "car-2002"
WING: dict[str, Any] = {"speed_symbol": "wing"}
FAR = [fighter("z", "P16")]
BLOCK: dict[str, Any] = {"terrain": [{"type": "blocking", "squares": ["E5:F6"]}]}


def thing(square: str | None, kind: str = "heavy") -> list[dict[str, Any]]:
    return [{"id": "o", "kind": kind, "square": square}]


def passed(actor: str) -> dict[str, Any]:
    return done("pass", actor)


# ── Turns: passing ─────────────────────────────────────────────────────────────────────────────


def test_no_one_passes_for_an_opponent() -> None:
    report = fight(CAR, [fighter("a", "C3")], [sentinel("s", "H8", tokens=1)], passed("s"))
    assert "It's A's turn" in refused(report)
    assert state(report, "s")["tokens"] == 1


def test_a_sentinel_that_has_acted_does_not_pass_its_tokens_away() -> None:
    """Sentinels Rules › Actions and Pushing: one action a turn; the pass that removes tokens is one."""
    report = fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3"), passed("s"))
    assert "already been given an action" in refused(report)
    assert state(report, "s")["tokens"] == 1


def test_a_sentinel_that_has_passed_is_given_no_action() -> None:
    """Otherwise it would never be pushed."""
    report = fight(CAR, [sentinel("s", "C3", tokens=1)], FAR, passed("s"), walk("s", "D3"))
    assert "passed this turn, and a Sentinel" in refused(report)
    later = fight(
        CAR, [sentinel("s", "C3", tokens=1)], FAR, passed("s"), *(done("end-turn", "s"),) * 2, walk("s", "D3")
    )
    assert (state(later, "s")["tokens"], state(later, "s")["click"]) == (1, 1)


def test_turns_are_counted() -> None:
    """A fight begins in turn 9."""
    report = fight(CAR, [fighter("a", "C3")], FAR, *(done("end-turn", "a"),) * 2)
    assert [step["numbers"] for step in report["steps"] if step["step"] == "turn"] == [{"turn": 10}, {"turn": 11}]


# ── Movement: objects on the way, flight modes ─────────────────────────────────────────────────


def test_an_object_on_the_path_is_taken_up_before_its_square_is_entered() -> None:
    """Objects: picking one up on the way doesn't end the move; a held object is no terrain."""
    strong = fighter("a", "C3", powers=["Super Strength"])
    report = fight(CAR, [strong], FAR, walk("a", "D3 E3 F3", pick_up="o"), objects=thing("D3"))
    assert (state(report, "a")["square"], state(report, "a")["holding"]) == ("F3", "o")
    assert steps(report) == ["declare", "pick-up", "move", "token"]
    left = fight(CAR, [strong], FAR, walk("a", "D3 E3 F3"), objects=thing("D3"))
    assert "hindering terrain" in refused(left)


def test_a_figure_standing_on_the_object_starts_in_hindering_terrain() -> None:
    """Picking it up makes no difference: 8 is halved to 4."""
    strong = fighter("a", "C3", powers=["Super Strength"])
    assert refused(fight(CAR, [strong], FAR, walk("a", "D3 E3 F3 G3 H3", pick_up="o"), objects=thing("C3")))
    assert not refused(fight(CAR, [strong], FAR, walk("a", "D3 E3 F3 G3", pick_up="o"), objects=thing("C3")))


def test_soaring_figures_pick_nothing_up_on_the_way() -> None:
    strong = fighter("a", "C3", powers=["Super Strength"], flight="soaring", **WING)
    report = fight(CAR, [strong], FAR, walk("a", "D3 E3", pick_up="o"), objects=thing("D3"))
    assert "soaring" in refused(report)


@every_row("kind", ["close", "ranged"])
def test_nothing_is_picked_up_in_a_combat_action(kind: str) -> None:
    """Objects › Super Strength Super Power, and the carrying rules of Movement › Flying."""
    strong = fighter("a", "C3", powers=["Super Strength"], range=6, **WING)
    friend = fighter("f", "B3")
    foe = fighter("b", "D3", **WING)
    for more in ({"pick_up": "o"}, {"carry": ["f"]}, {"path": ["C2"]}):
        attack = done(kind, "a", "b", rolls={"attack": [[3, 4]]}, **more)
        report = fight(CAR, [strong, friend], [foe], attack, objects=thing("C4"), spare=[])
        assert refused(report)
        assert clicks(report, "b") == [1]


def test_a_hoverer_stops_beside_an_opponent_unless_the_player_says_that_it_soars() -> None:
    """Movement › Flying, FAQ: a hovering character must stop like a grounded one."""
    flier, foe = fighter("a", "B5", **WING), fighter("b", "E6")
    assert "The move must end in D5: b is adjacent" in refused(fight(CAR, [flier], [foe], walk("a", "C5 D5 E5 F5 G5")))
    over = fight(CAR, [flier], [foe], walk("a", "C5 D5 E5 F5 G5", flight="soaring"))
    assert (state(over, "a")["square"], told(over, "move")["numbers"]["cost"]) == ("G5", 6)


# ── The top of blocking terrain ────────────────────────────────────────────────────────────────


def test_two_on_top_of_blocking_terrain_are_adjacent_across_a_corner_of_it() -> None:
    """Elevated Terrain, FAQ: only characters that aren't on top too are not adjacent."""
    ask = [{"ask": "adjacent", "a": "a", "b": b} for b in ("b", "c")]
    mine = [fighter("a", "E5", **WING)]
    report = fight(CAR, mine, [fighter("b", "F6", **WING), fighter("c", "D4")], board=BLOCK, ask=ask)
    assert [one["result"] for one in report["answers"]] == [True, False]


def test_a_passenger_is_not_set_down_beside_the_block_on_which_its_carrier_hovers() -> None:
    """Carrying, FAQ: the carried figure is placed in an adjacent square that it could legally occupy."""
    flier, place = fighter("a", "E2", **WING), {"place": {"f": "E4"}}
    report = fight(CAR, [flier, fighter("f", "E1")], FAR, walk("a", "E3 E4 E5", carry=["f"], choose=place), board=BLOCK)
    assert "can't be set down in E4" in refused(report)
    nowhere = fight(CAR, [flier, fighter("f", "E1")], FAR, walk("a", "E3 E4 E5", carry=["f"]), board=BLOCK)
    assert "No square beside a is free" in refused(nowhere)
    other = fighter("f", "E1", **WING)
    on_top = fight(
        CAR, [flier, other], FAR, walk("a", "E3 E4 E5", carry=["f"], choose={"place": {"f": "F6"}}), board=BLOCK
    )
    assert state(on_top, "f")["square"] == "F6"


# ── Soaring figures and Sentinels, soaring figures and terrain ─────────────────────────────────


def test_a_sentinel_does_not_hold_an_adjacent_soaring_figure() -> None:
    """Movement › Flying: a soaring figure breaks away only from other soaring figures."""
    flier = fighter("a", "B5", flight="soaring", range=6, **WING)
    ask = [{"ask": "break-away", "of": "a"}, {"ask": "can-target", "attack": "close", "from": "s", "to": "a"}]
    report = fight(CAR, [flier], [sentinel("s", "D5")], walk("a", "C5 D5 E5 F5"), ask=ask)
    assert state(report, "a")["square"] == "F5"
    assert [report["answers"][0]["result"]["needed"], report["answers"][1]["result"]] == [False, True]


def test_a_figure_soaring_beside_a_sentinel_may_shoot_at_another() -> None:
    flier, other = fighter("a", "C5", flight="soaring", range=6, **WING), fighter("b", "A5", flight="soaring", **WING)
    shot = done("ranged", "a", "b", rolls={"attack": [[3, 4]]})
    assert clicks(fight(CAR, [flier], [sentinel("s", "D5"), other], shot), "b") == [4]


def test_soaring_figures_destroy_nothing_below() -> None:
    """Movement › Flying: soaring characters affect only soaring ones; their level has no terrain."""
    flier = fighter("a", "E4", flight="soaring", **WING)
    assert "soaring" in refused(fight(CAR, [flier], FAR, done("close", "a", "E5"), board=BLOCK))
    assert "soaring" in refused(fight(CAR, [flier], FAR, done("close", "a", "o"), objects=thing("F4")))


def test_a_range_of_zero_shoots_at_no_wall_of_its_own_square() -> None:
    wall = {"walls": ["C3|D3"]}
    assert "its range is 0" in refused(fight(CAR, [fighter("a", "C3")], FAR, done("ranged", "a", "C3|D3"), board=wall))
    assert not refused(fight(CAR, [fighter("a", "C3", range=1)], FAR, done("ranged", "a", "C3|D3"), board=wall))


# ── Captives ───────────────────────────────────────────────────────────────────────────────────


def held(id: str) -> dict[str, Any]:
    return fighter(id, None, captured_by="s")


def test_an_object_in_hand_is_used_in_a_rescue_in_close_combat() -> None:
    """Rescuing requires a standard combat attack, and a close one uses the object, hit or miss."""
    strong = fighter("a", "E3", powers=["Super Strength"], holding="o")
    tried = done("close", "a", "s", using=["Rescue"], rolls={"rescue": [[2, 3]]})
    report = fight(CAR, [strong, held("f")], [sentinel("s", "C3")], tried, objects=thing(None))
    assert report["state"]["objects"]["o"]["removed"] is True
    assert (state(report, "a")["holding"], state(report, "f")["captured_by"]) == (None, "s")


def test_the_owner_of_a_captive_chooses_its_square() -> None:
    """Rescuing Captured Characters: the owner places it, even if the captor is knocked out on its own turn."""
    captor = sentinel("s", "C3", clicks=1, tokens=1)
    report = fight(CAR, [captor], [held("f"), *FAR], walk("s", "D3"))
    assert (report["awaiting"]["choice"], report["awaiting"]["player"]) == ("place:f", "B")


def test_a_power_outwitted_by_a_captive_comes_back() -> None:
    """Outwit: the cancelled power returns if Outwit or its owner is lost; a captive is out of the game."""
    wise = fighter("b", "E3", powers=["Outwit"])
    mine = [sentinel("s", "C3", powers=["Toughness"])]
    outwit = done("free", "b", "s", using=["Outwit"], choose={"counter": "Toughness"})
    turn = {"active": "B", "number": 10}
    caught = done("close", "s", "b", using=["Capture"], rolls={"capture": [[4, 3]]})
    report = fight(CAR, mine, [wise], outwit, done("end-turn", "b"), caught, turn=turn)
    assert state(report, "b")["captured_by"] == "s"
    assert not state(report, "s").get("countered")


# ── Object figures ─────────────────────────────────────────────────────────────────────────────


def dumpster(square: str | None, *, special: bool = True) -> list[dict[str, Any]]:
    return [{"id": "o", "kind": "heavy", "square": square, "name": "Dumpster", "special": special}]


def test_the_dumpster_of_the_adventure_kit_is_not_destroyed_by_being_used() -> None:
    """Objects, FAQ on object figures; the round token that stands for a dumpster is used up like any other."""
    strong = fighter("a", "C3", powers=["Super Strength"], holding="o")
    blow = done("close", "a", "b", rolls={"attack": [[3, 4]]})
    report = fight(CAR, [strong], [fighter("b", "D3")], blow, objects=dumpster(None))
    assert (state(report, "a")["holding"], clicks(report, "b")) == ("o", [6])
    token = fight(CAR, [strong], [fighter("b", "D3")], blow, objects=dumpster(None, special=False))
    assert (state(token, "a")["holding"], token["state"]["objects"]["o"]["removed"]) == (None, True)


def test_a_dumpster_that_is_thrown_lands_after_the_hit_is_found() -> None:
    """10 + 6 hits the defense of 16: it hinders nothing in flight. Then it lies where the target was."""
    strong = fighter("a", "C3", powers=["Super Strength"], holding="o")
    throw = done("ranged", "a", "b", with_object="o", rolls={"attack": [[3, 3]]})
    report = fight(CAR, [strong], [fighter("b", "F3")], throw, objects=dumpster(None))
    assert (state(report, "b")["square"], clicks(report, "b")) == ("I3", [4])
    assert report["state"]["objects"]["o"] == {"square": "F3", "removed": False, "held_by": None}


@every_row(
    ("goal", "board", "lies"),
    [("F3|G3", {"walls": ["F3|G3"]}, "F3"), ("F5", {"terrain": [{"type": "blocking", "squares": ["F5"]}]}, "F5")],
)
def test_a_dumpster_that_is_thrown_at_terrain_lies_there(goal: str, board: dict[str, Any], lies: str) -> None:
    strong = fighter("a", "C3", powers=["Super Strength"], holding="o")
    report = fight(CAR, [strong], FAR, done("ranged", "a", goal, with_object="o"), objects=dumpster(None), board=board)
    assert report["state"]["objects"]["o"]["square"] == lies


def test_a_dumpster_that_is_thrown_at_an_object_lies_where_that_lay() -> None:
    strong = fighter("a", "C3", powers=["Super Strength"], holding="o")
    things = [*dumpster(None), {"id": "p", "kind": "light", "square": "F4"}]
    report = fight(CAR, [strong], FAR, done("ranged", "a", "p", with_object="o"), objects=things)
    assert [report["state"]["objects"][name]["square"] for name in ("o", "p")] == ["F4", None]


# ── Sentinels once more ────────────────────────────────────────────────────────────────────────


def test_a_sentinel_passes_over_a_wall_outdoors_but_does_not_stop_on_it() -> None:
    """Sentinels Rules › Movement: as if soaring; no base ends on a wall; indoors it needs a wide doorway."""
    wall = {"walls": ["E3|F3"]}
    over = fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3 E3 F3"), board=wall)
    assert state(over, "s")["squares"][0] == "F3"
    assert refused(fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3 E3"), board=wall))
    assert refused(fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3 E3 F3"), board=wall | {"kind": "indoor"}))


def test_a_sentinel_does_not_carry_soaring_figures() -> None:
    """Soaring characters are adjacent only to soaring ones, and a carried figure must start adjacent."""
    friend = fighter("f", "E3", flight="soaring", **WING)
    ask = [{"ask": "can-carry", "of": "s", "carried": "f"}]
    assert fight(CAR, [sentinel("s", "C3"), friend], FAR, ask=ask)["answers"][0]["result"] is False
    assert (
        fight(CAR, [sentinel("s", "C3"), friend | {"flight": "hovering"}], FAR, ask=ask)["answers"][0]["result"] is True
    )


def test_a_direction_that_fits_one_of_several_is_asked_again_for_the_other() -> None:
    """Knockback, FAQ: the attacker chooses a line that is basically straight; here each of two figures has two."""
    blaster = fighter("a", "B5", range=8, bolts=2)
    foes = [fighter("b", "F6"), fighter("c", "F4")]
    shot = done("ranged", "a", "b", "c", rolls={"attack": [[4, 4]]})
    first = fight(CAR, [blaster], foes, shot | {"choose": {"knock-back-direction": "SE"}})
    assert first["awaiting"]["choice"] == "knock-back-direction:c"
    assert first["awaiting"]["options"] == ["E", "NE"]
    both = {"knock-back-direction": "SE", "knock-back-direction:c": "NE"}
    report = fight(CAR, [blaster], foes, shot | {"choose": both})
    assert (state(report, "b")["square"], state(report, "c")["square"]) == ("G7", "G3")
    assert "can't be knocked back W" in refused(
        fight(CAR, [blaster], foes, shot | {"choose": {"knock-back-direction": "W"}})
    )


@every_row("more", [{"path": ["D3"]}, {"carry": ["f"]}, {"pick_up": "o"}])
def test_a_sentinel_neither_moves_nor_carries_while_it_attacks_twice(more: dict[str, Any]) -> None:
    """Sentinels Rules › General Rules, Attacking: two attacks are the whole action."""
    twice = done("power", "s", using=["Multi-Attack"], then=[done("close", "s", "b"), done("close", "s", "c")], **more)
    mine = [sentinel("s", "C3"), fighter("f", "C2")]
    report = fight(CAR, mine, [fighter("b", "E3"), fighter("c", "E4")], twice, objects=thing("B2"))
    assert refused(report)


# ── Rulings shown with a refusal ───────────────────────────────────────────────────────────────


def shown(report: dict[str, Any]) -> list[str]:
    return [ruling["id"] for ruling in report["rulings"]]


def test_a_refused_move_or_action_shows_the_note_that_refuses_it() -> None:
    flier, foe = fighter("a", "B5", **WING), fighter("b", "E6")
    assert "faq-hovering-must-stop" in shown(fight(CAR, [flier], [foe], walk("a", "C5 D5 E5 F5 G5")))
    strong = fighter("a", "C3", powers=["Super Strength"])
    grab = done("close", "a", "b", pick_up="o")
    assert "faq-pickup-during-move" in shown(fight(CAR, [strong], [fighter("b", "D3")], grab, objects=thing("C4")))
    great = sentinel("s", "C3", powers=["Running Shot"], range=8)
    both = done("power", "s", using=["Running Shot", "Multi-Attack"], then=[done("ranged", "s", "z")])
    assert "faq-sentinel-no-running-shot" in shown(fight(CAR, [great], FAR, both))


def test_a_sentinel_indoors_does_not_soar() -> None:
    report = fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3"), board={"kind": "indoor"})
    assert "faq-sentinel-not-soaring" in shown(report)
    assert "faq-sentinel-not-soaring" not in shown(fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3")))


# ── Helpers of an attack on terrain ────────────────────────────────────────────────────────────


def test_enhancement_helps_against_figures_an_agent_against_walls_too() -> None:
    """Enhancement adds to damage to opposing figures; S.H.I.E.L.D. to any ranged attack that hits, also on terrain."""
    wall: dict[str, Any] = {"walls": ["F3|G3"]}
    weak = fighter("a", "C3", range=8, damage=2)
    shot = done("ranged", "a", "F3|G3")
    enhanced = fight(CAR, [weak, fighter("e", "C4", powers=["Enhancement"])], FAR, shot, board=wall)
    assert enhanced["state"]["walls_destroyed"] == []
    agents = [weak, fighter("e", "C4", teams=["S.H.I.E.L.D."])]
    helped = fight(CAR, agents, FAR, shot | {"assist": ["e"]}, board=wall)
    assert (helped["state"]["walls_destroyed"], state(helped, "e")["tokens"]) == (["F3|G3"], 1)
    alone = fight(CAR, agents, FAR, shot | {"assist": ["e"]}, board=wall, build_total=100)
    assert "No action is left" in refused(alone)


# ── The two attacks of a Sentinel ──────────────────────────────────────────────────────────────


def attack_twice(*attacks: dict[str, Any], powers: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    mine = [sentinel("s", "C3", range=8, powers=list(powers)), fighter("f", "B3", teams=["S.H.I.E.L.D."])]
    given = done("power", "s", using=["Multi-Attack"], then=list(attacks), **more)
    return fight(CAR, mine, [fighter("b", "E3"), fighter("c", "C9")], given)


def test_powers_take_part_in_a_multi_attack_as_they_do_otherwise() -> None:
    """Sentinels Rules › Attacking: super powers may be used, but not ones it lacks; capturing is no part of it."""
    shot = done("ranged", "s", "c")
    control = done("close", "s", "b", using=["Mind Control"], then=[walk("b", "F3")])
    rolls = {"attack": [[3, 4], [3, 4]]}
    report = attack_twice(control, shot, powers=("Mind Control",), rolls=rolls)
    assert (state(report, "b")["square"], clicks(report, "b", "c")) == ("F3", [1, 3])
    assert "can't use Flurry" in refused(attack_twice(done("close", "s", "b", using=["Flurry"]), shot))
    assert "A Multi-Attack can't capture" in refused(attack_twice(done("close", "s", "b", using=["Capture"]), shot))


@every_row("power", ["Charge", "Hypersonic Speed"])
def test_no_one_else_makes_the_attack_that_a_move_grants(power: str) -> None:
    mine = [fighter("a", "C3", powers=[power]), fighter("f", "D4")]
    charge = walk("a", "D3", using=[power], then=[done("close", "f", "b")])
    assert "only to a" in refused(fight(CAR, mine, [fighter("b", "E3")], charge))


def test_both_attacks_are_the_sentinels_and_an_agent_is_named_with_one() -> None:
    blow, shot = done("close", "s", "b"), done("ranged", "s", "c")
    assert "only to s" in refused(attack_twice(blow | {"actor": "f"}, shot))
    assert "with the attack that it helps" in refused(attack_twice(blow, shot, assist=["f"]))
    helped = attack_twice(blow, shot | {"assist": ["f"]}, rolls={"attack": [[3, 4], [3, 4]]})
    assert clicks(helped, "b", "c") == [3, 4]


def test_a_sentinel_may_stand_on_top_of_a_block_with_its_whole_base() -> None:
    """Sentinels Rules › Movement: not through it, but on top of it; never at two heights, on a Barrier or indoors."""
    block = {"terrain": [{"type": "blocking", "squares": ["E3:F4"]}]}
    ask = [
        {"ask": "adjacent", "a": "s", "b": "b"},
        {"ask": "can-target", "attack": "close", "from": "b", "to": "s"},
    ]
    top = fight(CAR, [sentinel("s", "C3")], [fighter("b", "F5")], walk("s", "D2 E3"), board=block, ask=ask)
    assert state(top, "s")["squares"] == ["E3", "F3", "E4", "F4"]
    assert [one["result"] for one in top["answers"]] == [False, True]
    assert refused(fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3"), board=block))
    assert refused(fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3 E3"), board=block | {"kind": "indoor"}))
    barrier = {"markers": [{"kind": "barrier", "square": square} for square in ("E3", "F3", "E4", "F4")]}
    assert refused(fight(CAR, [sentinel("s", "C3")], FAR, walk("s", "D3 E3"), board=barrier))
