"""Golden disputes with cards (`tests/cases/cards`), ten or more of each family, worked out by hand, and those of the
books' own chapters (`tests/cases/books`), each with its edition and the section that it follows (`cite`).

Each line has `why`, the sum; `mine` and `theirs`, the figures as `fighter` takes them (speed 8, attack 10, defense 16,
damage 3 and 8 clicks unless it says otherwise); actions, further keys of the document, and what is expected. The sums
follow the modern Core Rulebook: Combat Values (replace, then modify), Damage (only the strongest reduction), Evade,
Healing, Pushing, Knock Back, Carry, the turn's phases, and the Golden Rule that "can't" beats "can".
"""

import json

import pytest

from rules.engine import adjudicate, headings

from ..fights import battle, fighter
from ..golden import CASES, golden, holds
from ..laws import check

FAMILIES = sorted((CASES / "cards").glob("*.jsonl"))
CHAPTERS = sorted((CASES / "books").glob("*.jsonl"))


@pytest.mark.pure
@pytest.mark.parametrize("family", [*FAMILIES, *CHAPTERS], ids=lambda path: f"{path.parent.stem}-{path.stem}")
def test_a_dispute_with_cards_ends_as_worked_out_by_hand(family):
    cases = [json.loads(line) for line in family.read_text(encoding="utf-8").splitlines()]
    assert len({case["id"] for case in cases}) == len(cases)
    assert len(cases) >= 10 or family.parent.stem == "books"
    for case in cases:
        edition, cited = case.pop("edition", "core-modern"), case.pop("cite", None)
        assert cited is None or headings(edition).has(cited), cited
        assert cited is not None or family.parent.stem == "cards"
        told = f"{family.stem}: {case.pop('id')}: {case.pop('why')}"
        expected, mine, theirs = case.pop("expect"), case.pop("mine"), case.pop("theirs")
        figures = ([fighter(**one) for one in side] for side in (mine, theirs))
        document = battle(edition, *figures, *case.pop("actions", ()), **case)
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
