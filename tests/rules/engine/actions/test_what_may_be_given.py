"""The question `actions`: what a character may be given now, why not, and what its powers let it do."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import fight, fighter
from tests.tables import every_row


def offered(edition: str, mine: list[Any], theirs: list[Any], **parts: Any) -> dict[tuple[str, str], dict[str, Any]]:
    report = fight(edition, mine, theirs, ask=[{"ask": "actions", "of": "a"}], **parts)
    return {(one["action"], " ".join(one.get("using", ()))): one for one in report["answers"][0]["result"]}


def sentinel() -> dict[str, Any]:
    made = fighter("a", None, base="2x2", squares=["E5", "F5", "E6", "F6"], symbols={"damage": "sentinel"}, range=8)
    del made["square"]
    return made


def test_a_sentinel_captures_and_attacks_twice_until_it_holds_a_captive() -> None:
    free = offered("car-2002", [sentinel()], [fighter("b", "G5"), fighter("c", "K5")])
    assert free["close", "Capture"]["targets"] == ["b"]
    assert free["power", "Multi-Attack"]["legal"] is True
    assert ("move", "Release") not in free
    holding = offered("car-2002", [sentinel()], [fighter("b", "G5"), fighter("c", None, captured_by="a")])
    assert holding["move", "Release"]["because"] == [
        "a can release a captive only with its whole base within A's starting area."
    ]
    home = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A5:P6"]}]}
    there = offered("car-2002", [sentinel()], [fighter("b", "G5"), fighter("c", None, captured_by="a")], board=home)
    assert there["move", "Release"]["legal"] is True
    assert ("power", "Multi-Attack") not in holding
    assert ("close", "Capture") not in offered("car-2002", [fighter("a", "E5")], [fighter("b", "E6")])


def test_a_captor_that_is_no_sentinel_releases_no_one_in_2002() -> None:
    held = fighter("c", None, captured_by="a")
    assert ("move", "Release") not in offered("car-2002", [fighter("a", "E5")], [fighter("b", "G5"), held])
    assert ("power", "Release") in offered("core-2014", [fighter("a", "E5")], [fighter("b", "G5"), held])


def test_a_sentinel_with_two_captives_only_shoots() -> None:
    """Sentinels Rules › Capturing."""
    held = [fighter(name, None, captured_by="a") for name in ("c", "d")]
    full = offered("car-2002", [sentinel()], [fighter("b", "G5"), *held])
    assert full["ranged", ""]["targets"] == ["b"]
    why = ["a holds 2 captives, so it can't make close attacks."]
    assert full["close", ""]["because"] == full["close", "Capture"]["because"] == why


def test_no_sentinel_is_offered_for_capture_and_none_without_a_friend_for_a_rescue() -> None:
    other = sentinel() | {"id": "s", "squares": ["G5", "H5", "G6", "H6"]}
    assert offered("car-2002", [sentinel()], [other])["close", "Capture"]["legal"] is False
    third = sentinel() | {"id": "t", "squares": ["E3", "F3", "E4", "F4"]}
    mine = [fighter("a", "G4"), fighter("c", None, captured_by="s")]
    assert offered("car-2002", mine, [other, third])["close", "Rescue"]["targets"] == ["s"]


def test_figures_on_the_map_may_pass_on_their_own_turn() -> None:
    away = offered("car-2002", [fighter("a", None), fighter("b", "C3")], [fighter("z", "E6")])
    assert away["pass", ""]["because"] == ["a isn't on the map."]
    theirs = offered("car-2002", [fighter("a", "C3")], [fighter("z", "E6")], turn={"active": "B", "number": 4})
    assert theirs["pass", ""]["because"] == ["It's B's turn."]
    tired = offered("car-2002", [sentinel() | {"acted": True, "tokens": 1}], [fighter("z", "P16")])
    assert tired["pass", ""]["legal"] is False


def test_a_figure_off_the_map_is_offered_nothing() -> None:
    found = offered("car-2002", [fighter("a", None, powers=["Outwit"]), fighter("c", "A1")], [fighter("b", "E6")])
    assert {one["legal"] for one in found.values()} == {False}
    assert found["free", "Outwit"]["because"] == ["a isn't on the map."]


def test_a_figure_with_a_captured_friend_may_rescue() -> None:
    captor = sentinel() | {"id": "s"}
    mine = [fighter("a", "G5"), fighter("c", None, captured_by="s")]
    assert offered("car-2002", mine, [captor])["close", "Rescue"]["targets"] == ["s"]


def test_no_action_left_leaves_what_costs_none() -> None:
    mine = [fighter("a", "E5", teams=["Avengers"], powers=["Outwit"]), fighter("c", "A1", acted=True, tokens=1)]
    found = offered("car-2002", mine, [fighter("b", "E6", powers=["Toughness"])], build_total=100)
    assert found["move", ""]["because"] == ["A has given 1 of 1 actions this turn."]
    assert found["move", "Avengers"]["legal"] is True
    assert found["free", "Outwit"]["legal"] is True


def test_used_powers_and_those_for_the_beginning_are_not_offered_again() -> None:
    mine = [fighter("a", "E5", powers=["Outwit", "Poison"], used=["Outwit"]), fighter("c", "A1", acted=True, tokens=1)]
    found = offered("car-2002", mine, [fighter("b", "E6")])
    assert found["free", "Outwit"]["because"] == ["a has already used Outwit this turn."]
    assert "beginning of the turn" in found["free", "Poison"]["because"][0]
    waiting = offered("car-2002", mine[:1], [fighter("b", "E6")], turn={"active": "B", "number": 4})
    assert "It's B's turn." in waiting["free", "Outwit"]["because"]
    gone = offered("car-2002", [fighter("a", None, powers=["Outwit"])], [fighter("b", "E6")])
    assert gone["free", "Outwit"]["because"] == ["a isn't on the map."]


def test_a_relic_is_rolled_for_where_it_lies() -> None:
    thing = [{"id": "o", "kind": "immobile", "special": True, "square": "E5"}]
    assert ("power", "Relic") in offered("core-2014", [fighter("a", "E5")], [fighter("b", "P16")], objects=thing)
    assert ("power", "Relic") not in offered("core-2014", [fighter("a", "E6")], [fighter("b", "P16")], objects=thing)


# ── Powers that need a target ──────────────────────────────────────────────────────────────────

LATER = ("dc-2005", "core-2014", "core-modern")
EVERY = ("ic-2002", "car-2002", *LATER)


@every_row("edition", EVERY)
def test_force_blast_needs_an_opponent_beside(edition: str) -> None:
    kind = "power" if edition in LATER else "move"
    mine = [fighter("a", "E5", powers=["Force Blast"]), fighter("f", "E4")]
    near = offered(edition, mine, [fighter("b", "E6"), fighter("c", "K9")])[kind, "Force Blast"]
    assert near == {"action": kind, "using": ["Force Blast"], "targets": ["b"], "legal": True}
    far = offered(edition, mine, [fighter("c", "K9")])[kind, "Force Blast"]
    assert (far["legal"], far["because"]) == (
        False,
        ["Force Blast needs an adjacent opponent, and c is 6 squares away."],
    )


@every_row(("edition", "team"), [("ic-2002", "X-Men"), ("car-2002", "X-Men"), ("car-2002", "Titans")])
def test_a_click_is_exchanged_with_a_wounded_member_beside(edition: str, team: str) -> None:
    """X-Men, Titans: an adjacent member that has damage to heal, once a turn for each pair."""
    a, well = fighter("a", "E5", teams=[team]), fighter("f", "E4", teams=[team])
    wounded, stranger = well | {"click": 3}, fighter("g", "F4")
    named = ("move", team)
    assert offered(edition, [a, wounded, stranger], [fighter("b", "P9")])[named]["targets"] == ["f"]
    healthy = offered(edition, [a, well, stranger], [fighter("b", "P9")])[named]["because"]
    assert healthy == [
        "f has no damage to heal, so no click can be exchanged.",
        f"g isn't a friendly member of the {team}.",
    ]
    alone = offered(edition, [a], [fighter("b", "P9")])[named]
    assert (alone["legal"], alone["because"]) == (False, [f"No target for {team}."])


@every_row("edition", EVERY)
def test_support_needs_a_friend_beside_and_no_opponent(edition: str) -> None:
    kind = "power" if edition in LATER else "close"
    mine = [fighter("a", "E5", powers=["Support"]), fighter("f", "E4"), fighter("g", "H9")]
    assert offered(edition, mine, [fighter("b", "P9")])[kind, "Support"]["targets"] == ["f"]
    pressed = offered(edition, mine, [fighter("b", "E6")])[kind, "Support"]
    assert pressed["because"] == ["a is adjacent to an opponent, so Support can't be used."]


@every_row("edition", EVERY)
@every_row("power", ["Poison", "Barrier", "Smoke Cloud", "Regeneration", "Leadership"])
def test_actions_without_targets_are_offered_without_any(edition: str, power: str) -> None:
    """Actions that are allowed without effect are legal: Poison beside no one, Regeneration of an unharmed figure."""
    found = offered(edition, [fighter("a", "E5", powers=[power])], [fighter("b", "P9")])
    (opening,) = [one for one in found.values() if one.get("using") == [power]]
    assert (opening["legal"], "targets" in opening) == (True, False)


@every_row("edition", EVERY)
def test_telekinesis_lifts_what_is_beside_and_fires_what_lies_there(edition: str) -> None:
    bin_, far = {"id": "o", "kind": "light", "square": "F6"}, {"id": "far", "kind": "light", "square": "P16"}
    mine = [fighter("a", "E5", powers=["Telekinesis"]), fighter("f", "E4")]
    found = offered(edition, mine, [fighter("b", "K5")], objects=[bin_, far])
    lifted = {"f", "o"}
    if edition in LATER:
        assert set(found["power", "Telekinesis"]["targets"]) == lifted | {"b"}
    else:
        assert set(found["close", "Telekinesis"]["targets"]) == lifted
        assert set(found["ranged", "Telekinesis"]["targets"]) == {"b"}
        bare = offered(edition, mine, [fighter("b", "K5")], objects=[far])
        assert bare["ranged", "Telekinesis"]["legal"] is False


@every_row("edition", EVERY)
def test_outwit_and_perplex_reach_so_far(edition: str) -> None:
    mine = [fighter("a", "A5", powers=["Outwit", "Perplex"])]
    near, bare, far = fighter("b", "E5", powers=["Stealth"]), fighter("d", "E7"), fighter("c", "P5", powers=["Stealth"])
    found = offered(edition, mine, [near, bare, far])
    assert found["free", "Outwit"]["targets"] == ["b"]
    assert found["free", "Perplex"]["targets"] == ["a", "b", "d"]
    out = offered(edition, mine, [far])["free", "Outwit"]
    assert out["legal"] is False
    assert "c" in out["because"][0]


def test_a_pulse_wave_and_a_quake_name_their_targets_and_need_one() -> None:
    mine = [fighter("a", "E5", powers=["Pulse Wave", "Quake"], range=8), fighter("f", "E8")]
    wide = offered("core-2014", mine, [fighter("b", "H5"), fighter("c", "P5")])
    assert wide["ranged", "Pulse Wave"]["targets"] == ["f", "b"]
    assert wide["close", "Quake"]["because"] == ["No opponent is adjacent, so Quake has no target."]
    assert offered("core-2014", mine[:1], [fighter("b", "E6")])["close", "Quake"]["targets"] == ["b"]
    alone = offered("core-2014", mine[:1], [fighter("c", "P5")])["ranged", "Pulse Wave"]
    assert (alone["legal"], alone["because"]) == (
        False,
        ["The Pulse Wave reaches no one within 4 squares and in a clear line of fire."],
    )


def test_a_transporter_beside_an_opponent_does_not_move_and_attack() -> None:
    a = fighter("a", "E5", symbols={"speed": "transporter-boot"})
    assert offered("dc-2005", [a], [fighter("b", "H5")])["move", "Move and Attack"]["legal"] is True
    beside = offered("dc-2005", [a], [fighter("b", "E6")])["move", "Move and Attack"]
    assert beside["because"] == ["a can't move and attack: it is adjacent to b."]


def test_a_multi_attack_needs_two_to_attack() -> None:
    alone = offered("car-2002", [sentinel()], [fighter("b", "G5")])["power", "Multi-Attack"]
    assert alone["legal"] is False
    two = offered("car-2002", [sentinel()], [fighter("b", "G5"), fighter("c", "K5")])["power", "Multi-Attack"]
    assert set(two["targets"]) == {"b", "c"}


def test_a_refused_action_still_names_its_targets() -> None:
    mine = [fighter("a", "E5", powers=["Force Blast"], acted=True, tokens=1)]
    found = offered("core-2014", mine, [fighter("b", "E6")])["power", "Force Blast"]
    assert found["targets"] == ["b"]
    assert found["because"] == ["a has already been given an action this turn."]
