"""Questions without a file of their own: distance, action totals, allowed actions, rulings; and the state."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine import AttackKind, BadInput, adjudicate, line_of_fire, reachable, targets
from tests.rules.engine.boards import EDITIONS, character, position
from tests.tables import every_row


def ask(document: dict[str, Any], **question: Any) -> dict[str, Any]:
    document["ask"] = [question]
    answer: dict[str, Any] = adjudicate(document)["answers"][0]
    return answer


@every_row("edition", EDITIONS)
def test_distance_counts_diagonals_as_one(edition: str) -> None:
    document = position(edition, ". . . . .\n" * 3, "a . . . .\n. . . . .\n. . . . B")
    assert ask(document, ask="distance", **{"from": "a", "to": "B"})["result"] == 4
    assert ask(document, ask="distance", **{"from": "A1", "to": "A3"})["result"] == 2
    document["sides"][1]["characters"][0]["click"] = 5
    assert ask(document, ask="distance", **{"from": "a", "to": "A3"})["result"] == 2


@every_row(
    ("edition", "build_total", "modifier", "total"),
    [
        ("ic-2002", 200, 0, 2),
        ("car-2002", 350, 0, 3),
        ("dc-2005", 1200, 0, 12),
        ("core-2014", 300, -1, 2),
        ("core-modern", 100, 0, 2),
        ("core-modern", 300, -2, 2),
        ("core-modern", 1200, 0, 10),
        ("core-modern", 300, 1, 4),
    ],
)
def test_action_totals(edition: str, build_total: int, modifier: int, total: int) -> None:
    document = position(edition, ". .", "a B") | {"build_total": build_total}
    document["sides"][0]["action_total_modifier"] = modifier
    answer = ask(document, ask="action-total", player="A")
    assert answer["result"] == total
    assert answer["citations"]


def openings(document: dict[str, Any], of: str = "a") -> dict[tuple[str, ...], dict[str, Any]]:
    found = ask(document, ask="actions", of=of)["result"]
    return {(one["action"], *one.get("using", [])): one for one in found}


@every_row("edition", EDITIONS)
def test_what_may_be_given(edition: str) -> None:
    who = {"a": {"powers": ["Flurry", "Outwit", "Support"]}, "C": {"powers": ["Stealth"]}}
    found = openings(position(edition, ". . . .", "b a C .", who=who))
    assert found[("move",)]["legal"]
    assert found[("close",)] == {"action": "close", "targets": ["C"], "legal": True}
    assert found[("close", "Flurry")]["targets"] == ["C"]
    assert not found[("ranged",)]["legal"]
    assert "can't shoot" in " ".join(found[("ranged",)]["because"])
    assert found[("free", "Outwit")]["legal"]
    assert found[("pass",)]["legal"]
    support = "close" if edition in ("ic-2002", "car-2002") else "power"
    assert found[support, "Support"]["because"] == ["a is adjacent to an opponent, so Support can't be used."]


@every_row(
    ("keys", "reason"),
    [
        ({"acted": True}, "already been given an action"),
        ({"tokens": 2}, "2 action tokens"),
        ({"click": 3}, "isn't on the map"),
    ],
)
def test_why_nothing_may_be_given(keys: dict[str, Any], reason: str) -> None:
    found = openings(position("core-2014", ". . .", "a . B", who={"a": keys}))
    assert not found[("move",)]["legal"]
    assert reason in " ".join(found[("move",)]["because"])


def test_not_on_another_players_turn_and_not_after_being_carried() -> None:
    document = position("core-modern", ". . .", "a . B", who={"a": {"carried": True}})
    assert "carried" in " ".join(openings(document)[("move",)]["because"])
    assert "A's turn" in " ".join(openings(document, "B")[("move",)]["because"])


def test_rulings_about_topics_and_those_that_bear_on_the_case() -> None:
    who = {"B": {"teams": ["Batman Ally"]}}
    document = position("car-2002", ". . .", "a . B", who=who, objects=[{"id": "bin", "kind": "light", "square": "C1"}])
    document["ask"] = [
        {"ask": "line-of-fire", "from": "a", "to": "B"},
        {"ask": "rulings", "about": ["stealth"]},
        {"ask": "rulings", "about": []},
    ]
    report = adjudicate(document)
    assert "faq-batman-ally-object" in [ruling["id"] for ruling in report["rulings"]]
    assert len(report["rulings"]) <= 12
    about = report["answers"][1]["result"]
    assert about
    assert all("stealth" in ruling["topics"] for ruling in about)
    assert report["answers"][2]["result"] == []


def test_the_state_of_the_report() -> None:
    document = position(
        "car-2002",
        ". . .",
        "a . B",
        who={"a": {"holding": "bin", "tokens": 1}, "B": {"flight": "hovering", "speed_symbol": "wing"}},
        objects=[{"id": "bin", "kind": "light", "square": None}],
        markers=[{"kind": "smoke", "square": "B1"}],
        characters=[("B", character("c", None, captured_by="a"))],
    )
    state = adjudicate(document)["state"]
    assert state["characters"]["a"] == {"square": "A1", "click": 1, "tokens": 1, "ko": False, "holding": "bin"}
    assert state["characters"]["B"]["flight"] == "hovering"
    assert state["characters"]["c"]["captured_by"] == "a"
    assert state["characters"]["c"]["square"] is None
    assert state["objects"] == {"bin": {"square": None, "removed": False, "held_by": "a"}}
    assert state["markers"] == [{"kind": "smoke", "square": "B1"}]
    assert state["walls_destroyed"] == []
    assert state["victory_points"] == {"A": 0, "B": 0}


def test_the_pages_own_questions_refuse_unknown_figures() -> None:
    document = position("core-2014", ". .", "a .")
    for wrong in (
        lambda: reachable(document, "z"),
        lambda: line_of_fire(document, "a", "Z9"),
        lambda: targets(document, "z", []),
    ):
        with pytest.raises(BadInput):
            wrong()


def test_the_targets_of_a_figure_are_those_that_each_question_confirms() -> None:
    document = position("core-2014", ". . . .", "a X Y .")
    kinds: tuple[AttackKind, ...] = ("close", "ranged")
    pairs = [(kind, other) for kind in kinds for other in ("X", "Y")]
    asked = [{"ask": "can-target", "attack": kind, "from": "a", "to": other} for kind, other in pairs]
    answers = [one["result"] for one in adjudicate({**document, "ask": asked})["answers"]]
    assert targets(document, "a", pairs) == [pair for pair, holds in zip(pairs, answers, strict=True) if holds]
    assert True in answers
    assert False in answers
