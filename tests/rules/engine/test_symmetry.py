"""What decides nothing changes nothing: the order of the characters in a document, and left and right on the map."""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.engine import adjudicate
from tests.examples import examples
from tests.tables import every_row

from .drawn import fair_fight
from .golden import golden
from .varied import scattered

FIGHTS = st.integers(0, 10**9).map(fair_fight)
DISPUTES = [case["input"] for case in golden("disputes")]
SQUARE = re.compile(r"\b([A-P])([1-9]|1[0-6])\b")
EDGE = re.compile(r"\b([A-P]\d+)\|([A-P]\d+)\b")
DIRECTION = re.compile(r"(?<![\w.])[NS]?[EW](?!\w|\.\w)")
OTHER = str.maketrans("EW", "WE")


def mirrored(value: Any, width: int = 8) -> Any:
    """Return a document or report of a board this wide with left and right exchanged."""
    if isinstance(value, dict):
        return {mirrored(key, width): mirrored(part, width) for key, part in value.items()}
    if isinstance(value, list):
        return [mirrored(part, width) for part in value]
    if not isinstance(value, str):
        return value
    text = SQUARE.sub(lambda found: f"{chr(2 * ord('A') + width - 1 - ord(found[1]))}{found[2]}", value)
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
        "rulings": [(one["id"], one["weight"]) for one in report["rulings"]],
        "steps": sorted((step["step"], sorted(re.findall(r"\w+", step["text"]))) for step in report["steps"]),
    }


def decided(report: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of a report and the rulings it shows, in their order; that of squares offered doesn't matter."""
    found: dict[str, Any] = {key: report[key] for key in ("legal", "awaiting", "state", "answers") if key in report}
    found["state"]["markers"].sort(key=str)
    if found["awaiting"] is not None:
        found["awaiting"].get("options", []).sort(key=str)
    found["steps"] = [step["step"] for step in report["steps"]]
    found["rulings"] = [(one["id"], one["weight"]) for one in report["rulings"]]
    return found


def is_the_same_mirrored(document: dict[str, Any]) -> bool:
    """Return whether the mirrored document is decided as the document is, by the same rulings."""
    width = document["map"]["width"]
    return decided(adjudicate(mirrored(document, width))) == decided(mirrored(adjudicate(document), width))


def reordered(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a document with its characters in another order."""
    shuffled = copy.deepcopy(document)
    for side in shuffled["sides"]:
        chance.shuffle(side["characters"])
    return shuffled


def is_the_same_reordered(document: dict[str, Any], chance: random.Random) -> bool:
    """Return whether a document with its characters in another order is decided as before, by the same rulings."""
    return happened(adjudicate(reordered(document, chance))) == happened(adjudicate(document))


def has_paths(document: dict[str, Any]) -> bool:
    """Return False with a Sentinel: the path of a base of four squares names its top left one, which mirroring moves."""
    return '"2x2"' not in json.dumps(document)


PATHS = [document for document in DISPUTES if has_paths(document)]


@every_row("document", DISPUTES, ids=[one["id"] for one in DISPUTES])
def test_a_dispute_mirrored_or_with_its_characters_in_another_order_is_decided_by_the_same_rulings(
    document: dict[str, Any],
) -> None:
    report = adjudicate(document)
    assert happened(adjudicate(reordered(document, random.Random(1)))) == happened(report)
    if has_paths(document):
        width = document["map"]["width"]
        assert decided(adjudicate(mirrored(document, width))) == decided(mirrored(report, width))


@given(st.sampled_from(PATHS), st.randoms(use_true_random=False))
@examples(150)
def test_neither_order_nor_mirroring_matters_to_a_dispute_elsewhere(
    document: dict[str, Any], chance: random.Random
) -> None:
    moved = scattered(document, chance)
    assert is_the_same_mirrored(moved)
    assert is_the_same_reordered(moved, chance)


@given(FIGHTS, st.randoms(use_true_random=False))
@examples(150)
def test_the_order_of_the_characters_changes_nothing(document: dict[str, Any], chance: random.Random) -> None:
    assert is_the_same_reordered(document, chance)
