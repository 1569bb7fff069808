"""What decides nothing changes nothing: the order of the characters in a document, and left and right on the map."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.engine import adjudicate
from tests.examples import examples

from .drawn import fair_fight

FIGHTS = st.integers(0, 10**9).map(fair_fight)
SQUARE = re.compile(r"\b([A-H])([1-8])\b")
EDGE = re.compile(r"\b([A-H][1-8])\|([A-H][1-8])\b")
DIRECTION = re.compile(r"(?<![\w.])[NS]?[EW](?!\w|\.\w)")
OTHER = str.maketrans("EW", "WE")


def mirrored(value: Any) -> Any:
    """Return a document or report of an 8 by 8 board with left and right exchanged."""
    if isinstance(value, dict):
        return {mirrored(key): mirrored(part) for key, part in value.items()}
    if isinstance(value, list):
        return [mirrored(part) for part in value]
    if not isinstance(value, str):
        return value
    text = SQUARE.sub(lambda found: f"{'HGFEDCBA'['ABCDEFGH'.index(found[1])]}{found[2]}", value)
    text = EDGE.sub(lambda found: "|".join(sorted(found.groups())), text)
    return DIRECTION.sub(lambda found: found[0].translate(OTHER), text)


@given(FIGHTS)
@examples(150)
def test_a_mirrored_board_gives_the_mirrored_report(document: dict[str, Any]) -> None:
    assert adjudicate(mirrored(document)) == mirrored(adjudicate(copy.deepcopy(document)))


def happened(report: dict[str, Any]) -> dict[str, Any]:
    """Return what a report says, without the order in which characters are named and equal things happen."""
    awaiting = report["awaiting"]
    return {
        **{key: report[key] for key in ("legal", "state", "answers")},
        "awaiting": awaiting and {key: awaiting.get(key) for key in ("roll", "choice", "action", "then", "player")},
        "unused": sorted(report["unused"]),
        "rulings": {one["id"]: one["weight"] for one in report["rulings"]},
        "steps": sorted((step["step"], sorted(re.findall(r"\w+", step["text"]))) for step in report["steps"]),
    }


@given(FIGHTS, st.randoms(use_true_random=False))
@examples(150)
def test_the_order_of_the_characters_changes_nothing(document: dict[str, Any], chance: random.Random) -> None:
    shuffled = copy.deepcopy(document)
    for side in shuffled["sides"]:
        chance.shuffle(side["characters"])
    assert happened(adjudicate(shuffled)) == happened(adjudicate(copy.deepcopy(document)))
