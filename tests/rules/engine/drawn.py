"""Random fights: attacks, moves and powers of every edition, mostly legal. The same number gives the same fight."""

from __future__ import annotations

import random
from typing import Any

from rules.engine import EDITIONS

from .fights import fighter

BESIDE, APART = ("D3", "D2", "C4", "D4", "C2"), ("F5", "B6", "E7", "F2")
SAVES = ("super-senses", "impervious", "shape-change", "skrull")
VALUES = ("speed", "attack", "defense", "damage")


def fair_fight(number: int, edition: str | None = None) -> dict[str, Any]:
    """Return the fight with this number: six figures close together, obstacles, and what A does to B."""
    chance = random.Random(number)
    edition = edition or chance.choice(sorted(EDITIONS))
    book = EDITIONS[edition]
    powers, teams = sorted(book.powers), sorted(book.team_abilities)
    near, far = chance.sample(BESIDE, 3), chance.sample(APART, 1)
    squares = {"x": "C3", "y": chance.choice(["H4", "G1", "H8"]), "z": near[0], "b": near[1], "c": near[2], "d": far[0]}
    made = [_somebody(chance, id, square, powers, teams) for id, square in squares.items()]
    made[1]["range"] = 8
    holder = chance.choice([made[0], made[3], None])
    if holder is not None:
        holder["holding"] = "object"
        for click in holder["dial"]:
            click["powers"] = list(dict.fromkeys([*click["powers"], "Super Strength"]))
    terrain = [
        {
            "type": chance.choice(["hindering", "blocking", "water", "elevated"]),
            "squares": chance.sample(["E2", "E3", "E4", "A3", "C5", "C1"], chance.randint(1, 2)),
        }
        for _ in range(chance.randint(0, 2))
    ]
    thing = {"id": "object", "kind": chance.choice(["light", "heavy"]), "square": None if holder else "A1"}
    return {
        "edition": edition,
        "build_total": 300,
        "map": {"width": 8, "height": 8, "terrain": terrain, "walls": chance.choice([[], ["C3|C4"], ["D2|D3"]])},
        "objects": [thing],
        "sides": [{"player": "A", "characters": made[:3]}, {"player": "B", "characters": made[3:]}],
        "actions": [_deed(chance, made, actor, book) for actor in chance.sample(made[:2], chance.randint(1, 2))],
        "ask": [{"ask": "value", "of": "b", "value": chance.choice(VALUES)}],
    }


def _somebody(chance: random.Random, id: str, square: str, powers: list[str], teams: list[str]) -> dict[str, Any]:
    made = fighter(id, square, clicks=10, powers=chance.sample(powers, chance.randint(0, 3)))
    made["dial"] = [dict(click) for click in made["dial"]]
    return made | {
        "range": chance.choice([0, 4, 8]),
        "bolts": chance.randint(1, 2),
        "click": chance.choice([1, 1, 2, 9, 10]),
        "tokens": chance.choice([0, 0, 1]),
        "points": chance.choice([20, 50, 120]),
        "teams": chance.sample(teams, min(len(teams), chance.randint(0, 1))),
        "symbols": {"speed": chance.choice(["boot", "boot", "wing"])},
        "base_color": chance.choice(["black", "red"]),
        "set": "ic",
        "modifiers": [
            {"value": chance.choice(VALUES), "by": chance.choice([-2, -1, 1, 2]), "source": "a card"}
            for _ in range(chance.randint(0, 2))
        ],
        "replacements": [
            {"value": chance.choice(["speed", "defense", "damage"]), "set": chance.choice([3, 17, "halve", "double"])}
            for _ in range(chance.choice([0, 0, 1]))
        ],
    }


def _deed(chance: random.Random, made: list[dict[str, Any]], actor: dict[str, Any], book: Any) -> dict[str, Any]:
    """Return an action of one of A's figures: usually with one of its powers, in the kind of action that it needs."""
    own = "close" if actor["id"] == "x" else "ranged"
    names = [name for name in actor["dial"][0]["powers"] if book.powers[name].action]
    using = [chance.choice(names)] if names and chance.random() < 0.7 else []
    kinds = book.powers[using[0]].action if using else (own, own, "move")
    kind = own if own in kinds else chance.choice(kinds)
    given: dict[str, Any] = {"action": kind, "actor": actor["id"], "rolls": _rolls(chance)}
    if using:
        given["using"] = using
    targets = ["b", "c"] if own == "close" else ["b", "c", "d"]
    granted = book.powers[using[0]].moving.grants if using else ()
    if (kind == "move" and (not using or book.powers[using[0]].act is None)) or granted:
        given["path"] = _steps(chance, actor["square"])
        if granted:
            given["then"] = [{"action": granted[0], "actor": actor["id"], "targets": [chance.choice(targets)]}]
    else:
        several = kind == "ranged" and actor["bolts"] == 2 and chance.random() < 0.4
        given["targets"] = chance.sample(targets, 2 if several else 1)
        if several and len(given["targets"]) == 2 and chance.random() < 0.5:
            given["divide"] = {given["targets"][0]: 2, given["targets"][1]: 1}
    given["choose"] = {
        "knock-back": chance.random() < 0.5,
        "knock-back-direction": chance.choice(["N", "E", "S", "W", "SE", "NW"]),
        "value": chance.choice(VALUES),
        "by": chance.choice([1, -1]),
        "counter": chance.choice(made[3]["dial"][0]["powers"] or ["Toughness"]),
        "square": chance.choice(["G7", "H8"]),
        "squares": ["G6", "H6", "G7", "H7"],
        "place": {"x": "A8", "y": "B8", "b": "C8"},
    }
    return given


def _steps(chance: random.Random, square: str) -> list[str]:
    """Return one or two squares of a walk from this one, staying on the board."""
    column, row, found = ord(square[0]), int(square[1]), []
    for _ in range(chance.randint(1, 2)):
        column, row = column + chance.choice([-1, 0, 1]), row + chance.choice([-1, 1])
        if "A" <= chr(column) <= "H" and 1 <= row <= 8:
            found.append(f"{chr(column)}{row}")
    return found if found and found[0] != square else []


def _rolls(chance: random.Random) -> dict[str, Any]:
    """Return every roll that could be needed, and some that won't be."""

    def dice(number: int, times: int) -> list[list[int]]:
        return [[chance.randint(1, 6) for _ in range(number)] for _ in range(times)]

    one = [
        "break-away",
        "regeneration",
        "leadership",
        "support-heal",
        "force-blast",
        *(f"willpower:{id}" for id in "xyz"),
    ]
    one += [f"{name}:{id}" for name in SAVES for id in "bcd"]
    rolls = {name: dice(1, 2) for name in (*one, "damage")}
    return rolls | {name: dice(2, 3) for name in ("attack", "support")}
