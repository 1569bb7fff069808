"""Adjudication reports as text: errors, steps, missing rolls, answers with their sections, rulings."""

from __future__ import annotations

from typing import Any

from rules import shelf
from rules.engine import adjudicate, adjudication_in_words
from rules.engine.documents.batch import error_report
from rules.engine.errors import BadInput
from tests.rules.engine.boards import position
from tests.rules.engine.dispute_documents import close, dice, dispute, figure, ranged
from tests.tables import every_row


def test_a_fault_is_reported_with_its_pointer() -> None:
    told = adjudication_in_words(error_report("x1", BadInput("/sides/0", "There is no one.")))
    assert told.splitlines()[0] == "x1"
    assert "at /sides/0: There is no one." in told


def test_a_fault_of_the_whole_has_no_place() -> None:
    told = adjudication_in_words(error_report(None, BadInput("", "This is no position.")))
    assert " at " not in told
    assert told.endswith("This is no position.\n")


@every_row(
    ("wanted", "waiting"),
    [
        ({"roll": "attack", "dice": 2, "why": "A rolls 2 dice."}, ["Waiting for attack: A rolls 2 dice."]),
        (
            {"choice": "knock-back", "options": [True, False], "why": "The attacker chooses."},
            ["Waiting for knock-back: The attacker chooses.", "     Options: yes, no"],
        ),
    ],
)
def test_steps_and_what_is_waited_for(wanted: dict[str, object], waiting: list[str]) -> None:
    report = adjudicate(position("dc-2005", ". .", "a B"))
    citation = {"edition": "dc-2005", "section": "Combat Actions", "note": "as printed"}
    parts = [
        {"kind": "printed", "amount": 9, "why": "attack, as printed", "topic": None, "ignored_by": None},
        {"kind": "changed", "amount": -1, "why": "Perplex", "topic": "perplex", "ignored_by": None},
        {"kind": "changed", "amount": 2, "why": "a card", "topic": None, "ignored_by": "locked by a feat"},
    ]
    numbers = {"attack": 8, "modifier": 0, "parts": {"attack": parts, "modifier": []}}
    report["steps"] = [
        {"action": 0, "step": "roll", "text": "Two dice.", "numbers": numbers, "topics": [], "citations": [citation]}
    ]
    report["awaiting"] = wanted
    report["rulings"] = [
        {
            "id": "r1",
            "text": "So it is.",
            "weight": "decides",
            "citations": [{"edition": "dc-2005", "section": "Moves"}],
        }
    ]
    told = adjudication_in_words(report).splitlines()
    assert told == [
        "  1. roll: Two dice.",
        "       attack 8: 9 attack, as printed; -1 Perplex; +2 a card (ignored: locked by a feat)",
        "       dc-2005: Combat Actions (as printed)",
        *waiting,
        "Ruling r1: So it is.",
        "       dc-2005: Moves",
    ]


def test_numbers_are_derived_and_rulings_that_only_explain_are_one_line() -> None:
    document = shelf.ready_disputes()["charge-out-of-hindering-terrain"].position
    told = adjudication_in_words(adjudicate(document)).splitlines()
    derived = "10 speed, as printed; halved: the move begins in hindering terrain; halved: Charge moves at half speed"
    assert f"       may move 3: {derived}" in told
    assert any(line.startswith("Ruling faq-charge-quarter: ") for line in told)
    assert any(line.startswith("Background: ") and "faq-charge-move-portion" in line for line in told)


@every_row(
    ("attack", "heading"),
    [
        (close("a", "b", rolls=dice(4, 5)), "1 about Damage: faq-damage-dealt"),
        (close("a", "b", using=("Capture",)), "1 about Capturing: rulebook-removed-from-battlefield"),
    ],
)
def test_the_background_is_headed_by_topics_of_the_case(attack: dict[str, object], heading: str) -> None:
    """A ruling that also concerns critical hits or knocked-out characters isn't headed so where there are none."""
    document = dispute([figure("a", "E5")], [figure("b", "E6", "Toughness")], attack, edition="core-2014")
    assert f"Background: {heading}" in adjudication_in_words(adjudicate(document)).splitlines()


def test_answers_of_every_shape() -> None:
    document = position("car-2002", ". . . .\n. . . .", "a . . B")
    document["ask"] = [
        {"ask": "adjacent", "a": "a", "b": "B"},
        {"ask": "action-total", "player": "A"},
        {"ask": "break-away", "of": "a"},
        {"ask": "actions", "of": "a"},
    ]
    told = adjudication_in_words(adjudicate(document))
    assert "adjacent: no" in told
    assert "action-total: 1" in told
    assert "break-away: no roll needed" in told
    assert "actions:\n     " in told
    assert "Adjacent Squares" in told


def part(kind: str, amount: int, why: str, ignored_by: str | None = None) -> dict[str, object]:
    return {"kind": kind, "amount": amount, "why": why, "topic": None, "ignored_by": ignored_by}


def answered(ask: str, result: object, *parts: dict[str, object]) -> list[str]:
    """Return the lines of an answer for one reason."""
    report = adjudicate(position("dc-2005", ". .", "a B"))
    answer = {"ask": ask, "result": result, "because": ["So it is."], "parts": list(parts), "citations": []}
    return adjudication_in_words({**report, "answers": [answer]}).splitlines()


def test_a_replaced_value_is_the_sum_of_what_counts_up_to_it() -> None:
    parts = [
        part("printed", 9, "printed"),
        part("changed", 2, "a card", "a feat"),
        part("changed", 1, "Perplex"),
        part("replaced", 3, "Defend"),
        part("doubled", 13, "a hit"),
    ]
    told = "9 printed; +2 a card (ignored: a feat); +1 Perplex; 13 instead: Defend; doubled: a hit"
    assert answered("line-of-fire", "clear", *parts) == ["line-of-fire: clear", "     So it is.", f"       {told}"]


def test_an_answer_repeats_no_single_part_and_none_of_a_value() -> None:
    printed, changed = part("printed", 9, "printed"), part("changed", 2, "a card")
    assert answered("knock-back", 1, printed) == ["knock-back: 1", "     So it is."]
    assert answered("value", 11, printed, changed) == ["value: 11", "     So it is."]
    assert len(answered("knock-back", 1, printed, changed)) == 3


def test_a_result_of_several_parts_leaves_out_its_reason_and_what_is_empty() -> None:
    result = {"ends": "H5", "damage": 0, "path": [], "stands_on": ["a", "b"], "because": "It falls."}
    assert answered("knock-back", result)[0] == "knock-back: ends H5; damage 0; stands on a, b"


@every_row(("rolls", "told"), [([6], "only on a 6"), ([4, 5, 6], "on 4, 5 or 6")])
def test_an_answer_names_the_rolls_that_break_away(rolls: list[int], told: str) -> None:
    assert answered("break-away", {"needed": True, "succeeds_on": rolls, "from": ["B", "C"]})[0].endswith(
        f"roll needed to leave B and C; succeeds {told}"
    )


def lines_of(ours: dict[str, Any], theirs: list[dict[str, Any]], *actions: dict[str, Any], **facts: Any) -> list[str]:
    """Return the lines of the report of a dispute."""
    return adjudication_in_words(adjudicate(dispute([ours], theirs, *actions, **facts))).splitlines()


def test_a_reduction_by_one_power_is_told_in_words_alone() -> None:
    hit = close("a", "b", rolls=dice(4, 5))
    lines = lines_of(figure("a", "E5"), [figure("b", "F5", "Toughness")], hit)
    assert "  1. damage-taken: Toughness reduces the damage to B from 3 to 2." in lines
    assert not any("damage taken" in line for line in lines)


def test_the_shares_of_a_division_are_told_once() -> None:
    shot = ranged("a", "b", "c", rolls=dice(4, 5), divide={"b": 2, "c": 1})
    lines = lines_of(figure("a", "E5", bolts=2), [figure("b", "A9"), figure("c", "E9")], shot, edition="core-2014")
    dealt = [line for line in lines if "damage-dealt" in line]
    assert dealt == ["  1. damage-dealt: A divides 3 damage: 2 to B and 1 to C."]


def test_damage_beyond_the_dial_says_how_far_the_dial_turns() -> None:
    hit = close("a", "b", rolls=dice(4, 5))
    foe = figure("b", "F5", clicks=8, click=7)
    lines = lines_of(figure("a", "E5"), [foe], hit, edition="core-modern")
    assert "  1. click: B takes 3 damage and its dial turns twice: click 7 → KO." in lines


@every_row(
    ("edition", "giant", "why"),
    [("core-2014", "giant", "A has Great Size"), ("core-modern", "giant", "A is larger")],
)
def test_a_clear_line_names_the_character_that_it_passes(edition: str, giant: str, why: str) -> None:
    ask = [{"ask": "line-of-fire", "from": "a", "to": "b"}]
    foes = [figure("b", "J5"), figure("c", "H5")]
    lines = lines_of(figure("a", "E5", symbols={"damage": giant}), foes, ask=ask, edition=edition)
    assert f"     The line of fire from A (E5) to B (J5) is clear: C in H5 doesn't block it, because {why}." in lines
    assert not any("rulebook-example-line-blocked" in line for line in lines)


def test_a_clear_line_through_a_corner_says_that_one_side_is_clear() -> None:
    ask = [{"ask": "line-of-fire", "from": "a", "to": "b"}]
    lines = lines_of(figure("a", "E5"), [figure("b", "G7")], ask=ask, blocking=["F5"])
    corner = "it passes exactly through the corner between E5 and F6, and one side of that corner is clear."
    assert f"     The line of fire from A (E5) to B (G7) is clear: {corner}" in lines


@every_row(
    ("edition", "card"),
    [("ic-2002", "Super Powers/Team Abilities Card"), ("core-modern", "Powers and Abilities Card"), ("car-2002", None)],
)
def test_a_footnote_names_the_card_that_is_not_among_the_sources(edition: str, card: str | None) -> None:
    hit = close("a", "b", rolls=dice(4, 5))
    lines = lines_of(figure("a", "E5"), [figure("b", "F5", "Toughness")], hit, edition=edition)
    footnotes = [line for line in lines if line.startswith("*")]
    assert footnotes == ([f"* From common knowledge: our sources don't include the {card}."] if card else [])
    assert any(line.endswith(f"{card} *") for line in lines) is (card is not None)
