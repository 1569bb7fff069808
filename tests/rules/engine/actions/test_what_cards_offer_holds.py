"""Laws of questions where cards are in force: every one is answered, and the action that is offered isn't refused.

Cards and fights are drawn by lot (`drawn_cards`, `enriched_cards`), in all editions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from rules.engine import adjudicate

from ..drawn_cards import fight_with_cards
from ..enriched_cards import fight_with_enriched_cards
from .test_what_is_offered_holds import allowed, attempts

FOUND = (0, 110, 237)
"""The numbers of a first fight, and of two that once contradicted themselves."""
MANY = range(1_000)
VALUES = ("speed", "attack", "defense", "damage", "range")
Fight = Callable[[int], dict[str, Any]]


def asked(ids: list[str]) -> list[dict[str, Any]]:
    """Return questions about each of these characters, and about each pair."""
    pairs = [(one, other) for one in ids for other in ids if one != other]
    return [
        *({"ask": word, "of": one} for word in ("actions", "reachable", "break-away") for one in ids),
        *({"ask": "value", "of": one, "value": value} for one in ids for value in VALUES),
        *(
            {"ask": "value", "of": of, "value": value, "attack": kind, "from": one, "to": other}
            for (one, other), kind in zip(pairs, ("close", "ranged") * len(pairs), strict=False)
            for of in (one, other)
            for value in VALUES[1:4]
        ),
        *({"ask": "can-carry", "of": one, "carried": other} for one, other in pairs),
        *({"ask": "can-target", "attack": kind, "from": a, "to": b} for kind in ("close", "ranged") for a, b in pairs),
        *({"ask": "action-total", "player": player} for player in "AB"),
    ]


def contradictions(document: dict[str, Any]) -> Iterator[str]:
    """Yield the actions that are listed as legal on this position and yet refused, those excluded and yet allowed."""
    ids = [one["id"] for side in document["sides"] for one in side["characters"]]
    there = [one["id"] for side in document["sides"] for one in side["characters"] if one["square"] is not None]
    questions = asked(ids)
    answers = adjudicate(document | {"ask": questions})["answers"]
    assert [answer["ask"] for answer in answers] == [question["ask"] for question in questions]
    bare, (own, _) = document | {"ask": []}, document["sides"]
    for of, answer in zip(ids[: len(own["characters"])], answers, strict=False):
        for opening in answer["result"]:
            anyone = [*attempts(opening, [*there, "object"], ["object"], of), *attempts(opening, [], [], of)]
            if not opening["legal"]:
                if "" in allowed(bare, *anyone):
                    yield f"{of} may {opening}"
                continue
            by_hand = "isn't adjudicated" in str(opening.get("because"))
            each = [list(attempts(opening, [one], ["object"], of)) for one in opening.get("targets", [])]
            for tried in each or [anyone if by_hand else list(attempts(opening, [], [], of))]:
                why = allowed(bare, *tried)
                if "" not in why:
                    yield f"{of} may not {opening}, {tried}: {why}"


@pytest.mark.parametrize("numbers", [FOUND, pytest.param(MANY, marks=pytest.mark.soak)], ids=["sample", "soak"])
@pytest.mark.parametrize("fight", [fight_with_cards, fight_with_enriched_cards], ids=["drawn", "enriched"])
def test_questions_are_answered_and_what_is_offered_holds(fight: Fight, numbers: Iterable[int]) -> None:
    found = []
    for number in numbers:
        document = fight(number)
        adjudicate(document | {"actions": fight_with_cards(number)["actions"], "ask": asked(["x", "y", "b", "c"])})
        found += [f"{number}: {one}" for one in contradictions(document | {"actions": []})]
    assert found == []
