"""Rerolls: Probability Control and themed teams, who may use them, how often, and why not; by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, told
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
ALL = ("ic-2002", CAR, DC, NEW, MODERN)
END = {"action": "end-turn"}
AGAIN = {"attack": [[2, 3]], "attack/reroll": [[4, 3]]}


def luck(id: str, square: str, **keys: Any) -> dict[str, Any]:
    return fighter(id, square, powers=["Probability Control"], **keys)


def again(
    edition: str,
    mine: list[dict[str, Any]],
    theirs: list[dict[str, Any]],
    *more: dict[str, Any],
    rolls: dict[str, Any] | None = None,
    **parts: Any,
) -> dict[str, Any]:
    given = done("close", "a", "b", rolls=rolls or AGAIN, **parts.pop("keys", {}))
    return fight(edition, [fighter("a", "C3"), *mine], [fighter("b", "D3"), *theirs], given, *more, **parts)


@every_row("edition", ALL)
def test_a_miss_made_again_is_a_hit(edition: str) -> None:
    """10 + 5 misses 16; rerolled, 4 + 3 hits for 3. The original roll doesn't count."""
    report = again(edition, [luck("p", "C5")], [])
    assert told(report, "reroll")["numbers"] == {"before": [2, 3], "after": [4, 3], "by": "p"}
    assert clicks(report, "b") == [4]


@every_row("edition", ALL)
def test_an_opponent_turns_a_hit_into_a_miss(edition: str) -> None:
    rolls = {"attack": [[4, 3]], "attack/reroll": [[2, 3]]}
    assert clicks(again(edition, [], [luck("p", "D5")], rolls=rolls), "b") == [1]


@every_row(
    ("edition", "at", "legal"),
    [
        (CAR, "C13", True),
        (CAR, "C14", False),
        (DC, "C13", True),
        (NEW, "C9", True),
        (NEW, "C10", False),
        (MODERN, "C10", False),
    ],
)
def test_how_far_probability_control_reaches(edition: str, at: str, legal: bool) -> None:
    """10 squares (2002, 2005); the range, at least 6 (2014, 2020s)."""
    assert again(edition, [luck("p", at)], [])["legal"] is legal


def test_a_soaring_figure_halves_the_reach_from_below() -> None:
    """Exception: the range against a soaring figure is halved: 5 squares."""
    for at, legal in (("C8", True), ("C9", False)):
        high = {"speed_symbol": "wing", "flight": "soaring"}
        given = done("close", "a", "b", rolls=AGAIN)
        report = fight(CAR, [fighter("a", "C3", **high), luck("p", at)], [fighter("b", "D3", **high)], given)
        assert report["legal"] is legal


REFUSED: list[Any] = [
    ([], [], {}, "No one may reroll this"),
    ([luck("p", "C5", used=["Probability Control"])], [], {}, "No one may reroll this"),
    ([luck("p", None)], [], {}, "No one may reroll this"),
    ([luck("p", "C5"), fighter("q", "C6")], [], {"choose": {"reroll-by": "q"}}, "q may not reroll this"),
    ([luck("p", "C5")], [], {"choose": {"reroll-by": "nobody"}}, "No one may reroll this"),
]


@every_row(("mine", "theirs", "keys", "why"), REFUSED)
def test_who_may_not(mine: list[dict[str, Any]], theirs: list[dict[str, Any]], keys: dict[str, Any], why: str) -> None:
    assert why in refused(again(CAR, mine, theirs, keys=keys))


def test_each_figure_may_reroll_once_a_turn() -> None:
    """Two figures with the power reroll one roll twice, one alone doesn't; next turn it may again."""
    twice = {"attack": [[2, 3]], "attack/reroll": [[2, 2], [4, 3]]}
    assert clicks(again(CAR, [luck("p", "C5"), luck("q", "A5")], [], rolls=twice), "b") == [4]
    assert "No one may" in refused(again(CAR, [luck("p", "C5")], [], rolls=twice))
    later = done("close", "b", "a", rolls={"attack": [[4, 3]], "attack/reroll": [[2, 3]]})
    report = again(CAR, [luck("p", "C5")], [], END, later)
    assert (report["legal"], clicks(report, "a")) == (True, [1])


def test_scarlet_witch_may_turn_her_own_roll() -> None:
    """FAQ: a figure with Probability Control may use it on itself."""
    given = done("close", "a", "b", rolls=AGAIN)
    report = fight(CAR, [luck("a", "C3")], [fighter("b", "D3")], given)
    assert clicks(report, "b") == [4]


# ── Themed teams ───────────────────────────────────────────────────────────────────────────────


def themed(
    edition: str,
    user: str = "u",
    *,
    side: dict[str, Any] | None = None,
    people: dict[str, dict[str, Any]] | None = None,
    friends: int = 0,
    **keys: Any,
) -> dict[str, Any]:
    more = people or {}
    theme = {"keywords": ["Justice League"]}
    mine = [
        fighter("a", "C3", **(theme | more.get("a", {}))),
        fighter("u", "C5", **(theme | more.get("u", {}))),
        fighter("v", "C7", **(theme | more.get("v", {}))),
        *(fighter(f"w{number}", f"P{number + 1}", **theme) for number in range(friends)),
    ]
    choose = {"reroll-by": user} if user else {}
    given = done("close", "a", "b", using=["Themed Team Probability Control"], rolls=AGAIN, choose=choose)
    held = {"themed_team": "Justice League"} if side is None else side
    return fight(edition, mine, [fighter("b", "D3")], given, side=held, **keys)


@every_row("edition", [NEW, MODERN])
def test_a_themed_team_pays_for_a_roll_with_a_token(edition: str) -> None:
    report = themed(edition)
    assert (clicks(report, "b"), state(report, "u")["tokens"]) == ([4], 1)
    assert "themed-team-probability-control" in told(report, "reroll")["topics"]


THEMED: list[Any] = [
    (NEW, {"user": ""}, "Set reroll-by to"),
    (NEW, {"user": "nobody"}, "Set reroll-by to"),
    (NEW, {"side": {}}, "A's force isn't a themed team"),
    (NEW, {"user": "a"}, "a has already been given an action this turn"),
    (MODERN, {"user": "a"}, "can't reroll its own roll"),
    (MODERN, {"people": {"u": {"used": ["Themed Team Probability Control"]}}}, "has already used Probability Control"),
    (NEW, {"people": {"u": {"tokens": 2}}}, "u has 2 action tokens"),
    (NEW, {"people": {"u": {"used": ["Probability Control"]}}}, "has already used Probability Control this turn"),
    (NEW, {"people": {"u": {"acted": True}}}, "has already been given an action this turn"),
    (NEW, {"people": {"u": {"powers": ["Probability Control"]}}}, "has its own Probability Control"),
    (NEW, {"people": {"u": {"keywords": ["Spy"]}}}, "u doesn't have the keyword Justice League"),
    (NEW, {"people": {"v": {"keywords": [], "generic_keywords": ["Justice League"]}}}, "is a generic keyword"),
    (NEW, {"side": {"themed_team": "Justice League", "ttpc_used": 3}}, "Probability Control 3 times; the maximum is 3"),
    (
        NEW,
        {"side": {"themed_team": "Justice League", "ttpc_used": 1}, "build_total": 100},
        "Probability Control 1 times; the maximum is 1",
    ),
    (NEW, {"board": {"walls": ["C4|C5", "B4|B5", "D4|D5"]}}, "a isn't within u's range and line of fire"),
]


@every_row(("edition", "keys", "why"), THEMED)
def test_what_a_themed_team_may_not(edition: str, keys: dict[str, Any], why: str) -> None:
    assert why in refused(themed(edition, **keys))


@every_row(("edition", "why"), [(NEW, None), (MODERN, "can't reroll its own roll")])
def test_only_today_a_themed_team_rerolls_no_roll_of_the_one_that_rerolls(edition: str, why: str | None) -> None:
    """Themed Teams: in 2014 a character that wasn't given an action this turn may reroll its own Super Senses."""
    theme = {"keywords": ["Justice League"]}
    mine = [fighter("b", "D3", powers=["Super Senses"], **theme), fighter("u", "N3", **theme)]
    rolls = {"attack": [[5, 4]], "super-senses:b": [[2]], "super-senses:b/reroll": [[6]]}
    given = done("close", "a", "b", using=["Themed Team Probability Control"], rolls=rolls, choose={"reroll-by": "b"})
    side, turn = {"themed_team": "Justice League"}, {"active": "B", "number": 9}
    report = fight(edition, mine, [fighter("a", "C3")], given, side=side, turn=turn)
    if why is None:
        assert clicks(report, "b") == [1]
    else:
        assert why in refused(report)


@every_row("edition", [CAR, DC])
def test_there_are_no_themed_teams_before_2014(edition: str) -> None:
    assert "This rulebook has no Themed Team Probability Control" in refused(themed(edition))


def test_bystanders_do_not_count_for_the_uses() -> None:
    """2020s: as often as the team has characters, at most five; a bystander doesn't count."""
    held = {"themed_team": "Justice League", "ttpc_used": 2}
    report = themed(MODERN, side=held, people={"v": {"kind": "bystander"}})
    assert "Probability Control 2 times; the maximum is 2" in refused(report)


@every_row(("edition", "most"), [(NEW, 7), (MODERN, 5)])
def test_seven_characters_reroll_at_most_five_times_today(edition: str, most: int) -> None:
    for used in (most - 1, most):
        held = {"themed_team": "Justice League", "ttpc_used": used}
        why = refused(themed(edition, side=held, friends=4, build_total=900))
        assert (f"the maximum is {most}" in why) is (used == most), why


@every_row("edition", [NEW, MODERN])
def test_a_themed_team_remains_one_whoever_joins_it(edition: str) -> None:
    """Themed Teams: a figure without the keyword ends nothing, and counts for no further use."""
    joined = {"v": {"keywords": ["Spy"]}}
    assert clicks(themed(edition, people=joined), "b") == [4]
    held = {"themed_team": "Justice League", "ttpc_used": 2}
    assert "Probability Control 2 times; the maximum is 2" in refused(themed(edition, side=held, people=joined))
