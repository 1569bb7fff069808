"""Sentinels and other captors: capture, rescue, release, Multi-Attack (2002, 2014); by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, told
from tests.tables import every_row

from .test_speed_2002 import sentinel

CAR, NEW = "car-2002", "core-2014"
FAR = [fighter("z", "P16")]
END = {"action": "end-turn"}


def captor(edition: str, **keys: Any) -> dict[str, Any]:
    return sentinel("s", "C3", **keys) if edition == CAR else fighter("s", "D3", points=200, **keys)


def captive(id: str, **keys: Any) -> dict[str, Any]:
    return fighter(id, None, captured_by="s", **keys)


def grab(
    edition: str, target: dict[str, Any], dice: tuple[int, int] = (4, 3), held: int = 0, **keys: Any
) -> dict[str, Any]:
    kind = "close" if edition == CAR else "power"
    given = done(kind, "s", target["id"], using=["Capture"], rolls={"capture": [list(dice)]}, **keys)
    return fight(edition, [captor(edition)], [target, *(captive(f"c{n}") for n in range(held)), *FAR], given)


@every_row("edition", [CAR, NEW])
@every_row(
    ("powers", "dice", "taken"),
    [([], (3, 3), True), ([], (3, 2), False), (["Plasticity"], (4, 3), False), (["Plasticity"], (4, 4), True)],
)
def test_a_capture_is_a_close_attack_without_damage(
    edition: str, powers: list[str], dice: tuple[int, int], taken: bool
) -> None:
    """10 + 6 reaches 16; Plasticity and Phasing add 2, so 10 + 8 is needed. The captive loses its tokens."""
    report = grab(edition, fighter("b", "E3", powers=powers, tokens=1), dice)
    found = state(report, "b")
    assert (found["square"] is None, found.get("captured_by"), found["ko"]) == (taken, "s" if taken else None, False)
    assert found["tokens"] == (0 if taken else 1)
    assert clicks(report, "b") == [1]


def test_phasing_adds_2_as_well_and_a_captive_of_battle_fury_is_cited() -> None:
    assert state(grab(CAR, fighter("b", "E3", powers=["Phasing"])), "b")["square"] == "E3"
    report = grab(CAR, fighter("b", "E3", powers=["Battle Fury"]))
    assert "battle-fury" in told(report, "capture")["topics"]


@every_row(
    ("edition", "target", "held", "why"),
    [
        (CAR, fighter("b", "E3"), 2, "s holds 2 captives, so it can't make close attacks"),
        (NEW, fighter("b", "E3"), 3, "s holds 3 captives, so it can't make close attacks"),
        (CAR, sentinel("b", "E3"), 0, "b is a Sentinel, so it can't be captured"),
        (NEW, fighter("b", "E3", damage_symbol="giant"), 0, "b is too large to be captured"),
        (CAR, fighter("b", "H9"), 0, "n't adjacent"),
    ],
)
def test_figures_that_cannot_be_captured(edition: str, target: dict[str, Any], held: int, why: str) -> None:
    report = grab(edition, target, held=held)
    assert why in refused(report)
    assert state(report, "b").get("captured_by") is None


def test_only_sentinels_capture_in_2002() -> None:
    given = done("close", "a", "b", using=["Capture"], rolls={"capture": [[4, 3]]})
    assert "a isn't a Sentinel" in refused(fight(CAR, [fighter("a", "D3")], [fighter("b", "E3")], given))


def test_a_sentinel_with_both_hands_full_shoots_and_does_not_strike() -> None:
    """Two captives: only ranged attacks (2002)."""
    blow = done("close", "s", "b", rolls={"attack": [[4, 3]]})
    report = fight(CAR, [captor(CAR, range=8)], [fighter("b", "E3"), captive("c0"), captive("c1")], blow)
    assert "s holds 2 captives, so it can't make close attacks" in refused(report)
    shot = done("ranged", "s", "b", rolls={"attack": [[4, 3]]})
    report = fight(CAR, [captor(CAR, range=8)], [fighter("b", "I3"), captive("c0"), captive("c1")], shot)
    assert clicks(report, "b") == [4]


# ── Rescue ─────────────────────────────────────────────────────────────────────────────────────


def free(
    edition: str,
    dice: tuple[int, int],
    *,
    kind: str | None = None,
    at: str = "E4",
    place: str | None = "B2",
    held: int = 1,
    **keys: Any,
) -> dict[str, Any]:
    kind = kind or ("close" if edition == CAR else "power")
    choose = {"place": {"c0": place}} if place else {}
    given = done(kind, "a", "s", using=["Rescue"], rolls={"rescue": [list(dice)]}, choose=choose)
    captor_of = captor(edition)
    mine = [fighter("a", at, range=8), *(captive(f"c{n}", tokens=0, **keys) for n in range(held))]
    return fight(edition, mine, [captor_of], given)


@every_row(("edition", "dice", "freed"), [(CAR, (3, 3), True), (CAR, (3, 2), False), (NEW, (3, 2), True)])
def test_a_rescue_hits_without_damage_and_frees_one_with_a_token(
    edition: str, dice: tuple[int, int], freed: bool
) -> None:
    """16 is needed; in 2014 the captor's captive lowers its defense by 1."""
    report = free(edition, dice, place="C2")
    found = state(report, "c0")
    assert (found["square"], found["tokens"]) == (("C2", 1) if freed else (None, 0))
    assert clicks(report, "s") == [1]


@every_row("edition", [CAR, NEW])
def test_a_rescue_by_a_shot(edition: str) -> None:
    kind = "ranged" if edition == CAR else "power"
    report = free(edition, (4, 3), kind=kind, at="J3", place="E2" if edition == NEW else "E3")
    assert state(report, "c0")["tokens"] == 1
    assert state(report, "c0")["square"] is not None


def test_the_place_of_a_freed_captive_is_asked_for_and_must_be_open() -> None:
    assert free(CAR, (4, 3), place=None)["awaiting"]["choice"] == "place:c0"
    assert "c0 can't be placed in P9" in refused(free(CAR, (4, 3), place="P9"))


def test_of_several_captives_the_chosen_one_is_freed() -> None:
    choose = {"place": {"c1": "C2"}}
    given = done("close", "a", "s", using=["Rescue"], rolls={"rescue": [[4, 3]]}, choose=choose)
    report = fight(CAR, [fighter("a", "E4"), captive("c0"), captive("c1")], [captor(CAR)], given)
    assert [state(report, one)["square"] for one in ("c0", "c1")] == [None, "C2"]


def test_no_one_to_rescue() -> None:
    given = done("close", "a", "s", using=["Rescue"], rolls={"rescue": [[4, 3]]})
    report = fight(CAR, [fighter("a", "E4")], [captor(CAR)], given)
    assert "s holds none of A's characters captive" in refused(report)


def test_a_fallen_captor_frees_its_captives() -> None:
    """FAQ: the captive counts as rescued: beside the Sentinel's squares, with a token."""
    given = done("close", "a", "s", rolls={"attack": [[4, 3]]}, choose={"place": {"c0": "B2"}})
    mine = [fighter("a", "E4"), captive("c0")]
    report = fight(CAR, mine, [captor(CAR, clicks=2), *FAR], given)
    assert (state(report, "c0")["square"], state(report, "c0")["tokens"]) == ("B2", 1)
    given = done("close", "a", "s", rolls={"attack": [[4, 3]]})
    assert fight(CAR, mine, [captor(CAR, clicks=2), *FAR], given)["awaiting"]["choice"] == "place:c0"


# ── Release ────────────────────────────────────────────────────────────────────────────────────

HOME = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A1:F4"]}]}


@every_row(("edition", "points", "scored"), [(CAR, 40, 80), (NEW, 40, 80), (NEW, 90, 140)])
def test_what_a_release_is_worth(edition: str, points: int, scored: int) -> None:
    """Twice its points (2002); its points and as many again, at most 50 (2014)."""
    kind = "move" if edition == CAR else "power"
    given = done(kind, "s", "c0", using=["Release"])
    report = fight(edition, [captor(edition)], [captive("c0", points=points), *FAR], given, board=HOME)
    assert report["state"]["victory_points"] == {"A": scored, "B": 0}
    assert state(report, "c0")["ko"] is True


@every_row(
    ("target", "board", "why"),
    [
        ([], {}, "only with its whole base within A's starting area"),
        (["z"], HOME, "s doesn't hold that captive"),
        (
            [],
            {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A1:C4"]}]},
            "only with its whole base within",
        ),
    ],
)
def test_releases_that_are_refused(target: list[str], board: dict[str, Any], why: str) -> None:
    given = done("move", "s", *target, using=["Release"])
    report = fight(CAR, [captor(CAR)], [captive("c0"), *FAR], given, board=board)
    assert why in refused(report)


def test_only_sentinels_release_in_2002() -> None:
    """Sentinels Rules › Capturing: only the Sentinel that returned with a captive releases it."""
    given = done("move", "s", "c0", using=["Release"])
    report = fight(CAR, [fighter("s", "D3")], [captive("c0"), *FAR], given, board=HOME)
    assert "s isn't a Sentinel, so it can't release captives" in refused(report)


# ── Multi-Attack, tokens ───────────────────────────────────────────────────────────────────────


def twice(
    *inner: dict[str, Any], held: int = 0, rolls: tuple[tuple[int, int], ...] = ((4, 3), (4, 3)), **keys: Any
) -> dict[str, Any]:
    given = done("power", "s", using=["Multi-Attack"], then=list(inner), rolls={"attack": [list(one) for one in rolls]})
    agents = [fighter("h", "B2", teams=["S.H.I.E.L.D."])]
    theirs = [fighter("b", "E3"), fighter("c", "I6"), *(captive(f"c{n}") for n in range(held))]
    spare = ["attack"] if rolls[0] == (1, 1) else []
    return fight(CAR, [captor(CAR, range=8, **keys), *agents], theirs, given, spare=spare)


BLOW, SHOT = done("close", "s", "b"), done("ranged", "s", "c")


def test_two_attacks_each_with_1_less_damage() -> None:
    report = twice(BLOW, SHOT)
    assert clicks(report, "b", "c") == [3, 3]
    assert (state(report, "s")["tokens"], steps(report).count("attack-roll")) == (1, 2)


def test_an_agent_helps_one_of_the_two() -> None:
    """Magister 2002-07-18: one S.H.I.E.L.D. agent enhances only one of the attacks: 2 + 1 and 2."""
    report = twice(BLOW, SHOT | {"assist": ["h"]})
    assert clicks(report, "b", "c") == [3, 4]


@every_row(
    ("inner", "held", "why"),
    [
        ((BLOW, SHOT), 1, "holds a captive, so it can't make a Multi-Attack"),
        ((BLOW,), 0, "A Multi-Attack consists of 2 attacks"),
        ((BLOW, done("move", "s")), 0, "A Multi-Attack consists of 2 attacks"),
        ((BLOW, BLOW), 0, "2 different targets"),
        ((SHOT | {"assist": ["h"]}, done("ranged", "s", "b", assist=["h"])), 0, "agent can help only 1 attack a turn"),
    ],
)
def test_what_is_no_multi_attack(inner: tuple[dict[str, Any], ...], held: int, why: str) -> None:
    assert why in refused(twice(*inner, held=held))


def test_only_a_sentinel_has_the_multi_attack() -> None:
    given = done("power", "a", using=["Multi-Attack"], then=[BLOW, SHOT])
    report = fight(CAR, [fighter("a", "D3"), sentinel("s", "H9")], [fighter("b", "E3"), fighter("c", "I6")], given)
    assert "a isn't a Sentinel, so it can't make a Multi-Attack" in refused(report)


def test_a_sentinel_that_falls_in_its_first_attack_makes_no_second() -> None:
    report = twice(BLOW, SHOT, rolls=((1, 1), (4, 3)), clicks=1)
    assert state(report, "s")["ko"] is True
    assert clicks(report, "b", "c") == [1, 1]


def test_a_sentinel_may_be_pushed_on_and_on_and_rests_by_a_pass() -> None:
    """Actions and Pushing: a third action in a row costs another click; a pass removes all its tokens."""
    move = done("move", "s", path=["D3"])
    back = done("move", "s", path=["C3"])
    report = fight(CAR, [captor(CAR)], FAR, move, END, END, back, END, END, move)
    assert (clicks(report, "s"), state(report, "s")["tokens"]) == ([3], 2)
    rested = fight(CAR, [captor(CAR, tokens=2)], FAR, {"action": "pass", "actor": "s"})
    assert state(rested, "s")["tokens"] == 0
    assert "sentinel" in rested["steps"][0]["topics"]
