"""A law of the question `actions`: what it offers isn't refused, and what it excludes is.

Small positions are made at random from a seed; every offer is tried, against everyone on the map.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from rules.engine import EDITIONS, adjudicate
from tests.rules.engine.fights import battle, done, fighter
from tests.tables import every_row

BATTLES = 25
SQUARES = [f"{column}{row}" for column in "CDEFGH" for row in range(3, 8)]
BOARD = {
    "width": 12,
    "height": 12,
    "walls": ["E4|F4"],
    "terrain": [
        {"type": "hindering", "squares": ["D4", "G6"]},
        {"type": "blocking", "squares": ["F6"]},
        {"type": "elevated", "squares": ["H3:H5"]},
        {"type": "starting-area", "player": "A", "squares": ["C3:H3"]},
    ],
}
SPEEDS = ["boot", "boot", "wing", "dolphin"]


def somebody(dice: random.Random, edition: str, name: str, squares: list[str]) -> dict[str, Any]:
    book = EDITIONS[edition]
    transporters = ["transporter-boot"] if edition not in ("ic-2002", "car-2002") else []
    made = fighter(
        name,
        squares.pop(),
        clicks=5,
        powers=dice.sample(sorted(book.powers), 3),
        teams=dice.sample(sorted(book.team_abilities), dice.choice((0, 1, 1))),
        range=dice.choice((0, 4, 8)),
        bolts=dice.choice((1, 2)),
        points=dice.choice((30, 80)),
        tokens=dice.choice((0, 0, 1, 2)),
        acted=dice.random() < 0.1,
        symbols={"speed": dice.choice(SPEEDS + transporters)},
    )
    return made | {"click": dice.choice((1, 1, 3))}


def some_battle(edition: str, seed: int) -> dict[str, Any]:
    dice = random.Random(f"{edition} {seed}")
    squares = dice.sample([name for name in SQUARES if name != "F6"], 8)
    sides = [[somebody(dice, edition, name, squares) for name in names] for names in ("abc", "xyz")]
    things = [{"id": "o", "kind": dice.choice(("light", "heavy")), "square": squares.pop()}]
    held = dice.random() < 0.3
    if held:
        sides[0][1] |= {"holding": "o"}
        things[0] |= {"square": None}
    return battle(edition, *sides, board=BOARD, objects=things)


def attempts(opening: dict[str, Any], targets: list[str], things: list[str], of: str = "a") -> Iterator[dict[str, Any]]:
    """Yield the actions by which a character could try this on these targets, or on none.

    Attacks on walls, terrain and objects are left out.
    """
    using = opening.get("using", [])
    named = {"using": using} if using else {}
    for target in targets:
        if target not in things or using == ["Telekinesis"]:
            yield done(opening["action"], of, target, **named)
        if using == ["Telekinesis"]:
            yield from (done(opening["action"], of, target, with_object=thing, **named) for thing in things)
    if not targets:
        yield done(opening["action"], of, **named)


def allowed(document: dict[str, Any], *actions: dict[str, Any]) -> list[str]:
    """Return the reason why each of these is refused, "" for those that are allowed."""
    reports = [adjudicate(document | {"actions": [action]}) for action in actions]
    return ["" if report["legal"] else str(report["steps"][-1]["text"]) for report in reports]


@every_row("edition", sorted(EDITIONS))
def test_offered_actions_are_allowed_and_others_are_refused(edition: str) -> None:
    offered = 0
    for seed in range(BATTLES):
        document = some_battle(edition, seed)
        everybody = [one["id"] for side in document["sides"] for one in side["characters"]] + ["o"]
        answer = adjudicate(document | {"ask": [{"ask": "actions", "of": "a"}]})["answers"][0]
        for opening in answer["result"]:
            targets = opening.get("targets", [])
            where = (edition, seed, opening)
            if opening["legal"]:
                offered += 1
                for target in targets or [None]:
                    tried = list(attempts(opening, [target] if target else [], ["o"]))
                    assert "" in allowed(document, *tried), where
            else:
                tried = [*attempts(opening, everybody, ["o"]), *attempts(opening, [], [])]
                assert "" not in allowed(document, *tried), where
            if targets and opening["action"] in ("close", "ranged"):
                rest = [one for one in everybody[:-1] if one not in targets]
                reasons = allowed(document, *attempts(opening, rest, ["o"])) if rest else []
                assert "" not in reasons or opening.get("using") in (["Pulse Wave"], ["Quake"]), where
    assert offered > BATTLES
