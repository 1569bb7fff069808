"""Why a player wins, in words; the places; and warnings about what cannot have happened. By hand, from the books."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.scoring.battles import EARLY, EDITIONS, LATE, Document, alive, fallen, scored, side
from tests.tables import every_row

CAR = "car-2002"


def sections(report: Document) -> list[str]:
    return [one["section"] for one in report["decision"]["citations"]]


@every_row("edition", EDITIONS)
def test_points_decide_and_the_sentence_says_both_sums(edition: str) -> None:
    report = scored(edition, side("A", alive("a"), fallen("x", 10, "b")), side("B", alive("b"), fallen("y", 30, "a")))
    ours, theirs = report["victory_points"]["A"], report["victory_points"]["B"]
    assert report["decision"]["text"].startswith(f"A wins: {ours} victory points against B's {theirs}.")
    assert (report["places"], report["decision"]["excluded"], report["warnings"]) == ([["A"], ["B"]], [], [])


@every_row("edition", EARLY)
def test_a_tie_goes_to_the_smallest_force(edition: str) -> None:
    a = side("A", alive("a", 100), fallen("x", 60, "b"), points=160)
    b = side("B", alive("b", 100), fallen("y", 60, "a"), points=200)
    told = "A and B are tied at 160 victory points. A wins with the smallest force: 160 points against B's 200."
    assert scored(edition, a, b)["decision"]["text"].startswith(told)
    even = scored(edition, a, b | {"points": 160})
    assert "cost the same, 160 points, so no one wins." in even["decision"]["text"]
    assert even["places"] == [["A", "B"]]


@every_row("edition", LATE)
def test_a_tie_goes_to_the_roll_off(edition: str) -> None:
    a, b = side("A", alive("a"), fallen("x", 60, "b")), side("B", alive("b"), fallen("y", 60, "a"))
    report = scored(edition, a, b, roll_off={"A": 5, "B": 9})
    told = "B wins the roll-off: A and B are tied at 60 victory points, and B rolled 9 against A's 5."
    assert report["decision"]["text"].startswith(told)
    assert "Winning the Game › Determining the Winner" in sections(report)
    assert scored(edition, a, b)["decision"]["text"].startswith("A and B are tied at 60 victory points: they roll off")


def test_the_smallest_force_wins_where_no_one_fell_in_2005() -> None:
    report = scored("dc-2005", side("A", alive("a", 80)), side("B", alive("b", 110)))
    assert report["decision"]["text"].startswith("No character was defeated, so points don't count. A wins with the")


@every_row("edition", LATE)
def test_the_last_one_standing_wins_and_the_others_are_excluded(edition: str) -> None:
    sides = [side("A", alive("a")), side("B", fallen("b", 90, "a")), side("C", fallen("c", 40, "b"))]
    report = scored(edition, *sides, ended="elimination")
    assert report["decision"]["text"].startswith("A wins as the last player standing. B has no characters left.")
    assert [one["player"] for one in report["decision"]["excluded"]] == ["B", "C"]
    assert report["places"][0] == ["A"]


def test_a_player_who_abandons_the_battle_is_excluded_and_last() -> None:
    sides = [side("A", alive("a", 140)), side("B", alive("b", 30), fallen("x", 60, "a")), side("C", alive("c", 75))]
    report = scored(CAR, *sides, ended="abandoned", abandoned_by="A")
    assert (report["winner"], report["places"]) == ("C", [["C"], ["B"], ["A"]])
    assert "A abandoned the battle and has withdrawn." in report["decision"]["text"]
    assert sections(report)[0] == "Sanctioned Tournament Rules Updates › Withdrawing from a Tournament"
    two = scored(CAR, *sides[:2], ended="abandoned", abandoned_by="A")
    assert two["decision"]["text"].startswith("B wins. A abandoned")


def test_a_scenario_is_cited_by_its_section_on_victory() -> None:
    sides = [side("D", fallen("d", 95, "a")), side("A", alive("a", 40), fallen("x", 90, "d"))]
    report = scored("ic-2002", *sides, scenario="the-scientist", defender="D", ended="elimination")
    assert sections(report)[0] == "Scenarios › The Scientist › Victory"
    assert "D, the defender, is out and isn't counted." in report["decision"]["text"]
    left = scored("ic-2002", *sides, scenario="the-scientist", defender="D", ended="abandoned", abandoned_by="A")
    assert "Scenarios" not in sections(left)[0]


CAPTIVE = {"ref": "c", "name": "C", "points": 75, "fate": "captured", "by": "s"}
GONE = {"ref": "g", "name": "G", "points": 10, "fate": "left-map"}
ODD: list[Any] = [
    (CAR, [fallen("s", 100, "b", kind="sentinel"), alive("a")], [CAPTIVE, alive("b")], {}, "captor-defeated"),
    (CAR, [alive("s", 100)], [CAPTIVE, alive("b")], {}, "capture-by-non-sentinel"),
    ("core-2014", [alive("s", 100)], [CAPTIVE, alive("b")], {}, None),
    (CAR, [alive("a"), GONE], [alive("b")], {}, "left-map-without-scenario"),
    (CAR, [alive("a"), GONE], [alive("b")], {"scenario": "portal-to-hypertime"}, None),
    (CAR, [alive("a"), GONE], [alive("b")], {"scenario": "blackout"}, "left-map-without-scenario"),
    (CAR, [alive("a"), GONE], [alive("b")], {"scenario": "stand-aside", "attacker": "A"}, None),
    (CAR, [alive("a"), GONE], [alive("b")], {"scenario": "stand-aside", "attacker": "B"}, "left-map-without-scenario"),
    ("ic-2002", [alive("a"), GONE], [alive("b")], {"scenario": "the-scientist", "attacker": "B"}, None),
    (CAR, [alive("a"), GONE | {"fate": "removed"}], [alive("b")], {}, "removed-without-rift"),
    (CAR, [alive("a"), GONE | {"fate": "removed"}], [alive("b")], {"scenario": "dimensional-rift"}, None),
    ("core-2014", [alive("a"), GONE | {"fate": "removed"}], [alive("b")], {}, None),
    (CAR, [alive("a")], [alive("b")], {"ended": "elimination"}, "elimination-with-survivors"),
    (CAR, [alive("a")], [fallen("b")], {"ended": "elimination"}, None),
    ("core-modern", [alive("a")], [alive("b", 0)], {"ended": "elimination"}, None),
    (
        CAR,
        [alive("a"), *(GONE | {"ref": f"g{number}"} for number in range(5))],
        [alive("b")],
        {"scenario": "portal-to-hypertime"},
        "portal-full",
    ),
]


@every_row(("edition", "ours", "theirs", "more", "rule"), ODD)
def test_what_cannot_have_happened_is_a_warning(
    edition: str, ours: list[Document], theirs: list[Document], more: dict[str, Any], rule: str | None
) -> None:
    report = scored(edition, side("A", *ours), side("B", *theirs), **more)
    assert [one["rule"] for one in report["warnings"]] == ([rule] if rule else [])


def test_only_survivors_contradict_an_elimination() -> None:
    report = scored(CAR, side("A", alive("a"), fallen("x")), side("B", alive("b")), ended="elimination")
    assert report["warnings"][0]["elements"] == ["a", "b"]
    assert all(one["citations"] and one["elements"] and one["message"] for one in report["warnings"])


@every_row(("edition", "odd"), [(CAR, False), ("core-2014", True)])
def test_of_three_players_two_may_survive_an_elimination_in_2002_only(edition: str, odd: bool) -> None:
    sides = [side("A", alive("a")), side("B", alive("b")), side("C", fallen("c"))]
    assert bool(scored(edition, *sides, ended="elimination")["warnings"]) is odd
