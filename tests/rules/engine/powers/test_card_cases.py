"""Golden disputes with cards (`tests/cases/cards`), ten or more of each family, worked out by hand.

Each line has `why`, the sum; `mine` and `theirs`, the figures as `fighter` takes them (speed 8, attack 10, defense 16,
damage 3 and 8 clicks unless it says otherwise); actions, further keys of the document, and what is expected. The sums
follow the modern Core Rulebook: Combat Values (replace, then modify), Damage (only the strongest reduction), Evade,
Healing, Pushing, Knock Back, Carry, the turn's phases, and the Golden Rule that "can't" beats "can".
"""

import json

import pytest

from rules.engine import adjudicate

from ..fights import battle, fighter
from ..golden import CASES, golden, holds
from ..laws import check

FAMILIES = sorted((CASES / "cards").glob("*.jsonl"))


@pytest.mark.pure
@pytest.mark.parametrize("family", FAMILIES, ids=lambda path: path.stem)
def test_a_dispute_with_cards_ends_as_worked_out_by_hand(family):
    cases = [json.loads(line) for line in family.read_text(encoding="utf-8").splitlines()]
    assert len({case["id"] for case in cases}) == len(cases) >= 10
    for case in cases:
        told = f"{family.stem}: {case.pop('id')}: {case.pop('why')}"
        expected, mine, theirs = case.pop("expect"), case.pop("mine"), case.pop("theirs")
        figures = ([fighter(**one) for one in side] for side in (mine, theirs))
        document = battle("core-modern", *figures, *case.pop("actions", ()), **case)
        report = adjudicate(document)
        check(document, report)
        texts = expected.pop("texts", [])
        assert holds(expected, report), (told, expected, [step["text"] for step in report["steps"]])
        said = [step["text"] for step in report["steps"]]
        assert [text for text in texts if not any(text in one for one in said)] == [], (told, said)


@pytest.mark.pure
def test_there_are_golden_disputes_of_all_fifteen_families():
    assert [path.stem[:2] for path in FAMILIES] == [f"{number:02}" for number in range(1, 16)]
    assert len(golden("cards")) >= 150
