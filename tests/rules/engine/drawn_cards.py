"""Cards drawn by lot, with effects of every kind, and fights with such cards. The same number gives the same fight."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from rules.engine import EDITIONS, BadInput
from rules.engine.documents import cards
from rules.engine.position.cards import CardKind, CardMoment
from rules.engine.powers.card_effects import HAPPENINGS
from rules.engine.powers.cards import PROTECTIONS
from rules.engine.powers.damage import ONLY

from .drawn import VALUES, fair_fight
from .fights import fighter

NAMES = ("Gust", "Long Watch", "Spark")
RESERVE, CRATE, BRUTE = "Reserve", "Crate", "Brute"
CHANGES = ("range 4", "reach 3", "doesn't halve speed", "succeeds on a 3-6", "only succeeds on a 2", *sorted(ONLY))
Draw = Callable[[random.Random, Any], Any]


def _some(of: tuple[Any, ...] | list[Any], most: int = 2) -> Draw:
    return lambda chance, book: chance.sample(sorted(of), chance.randint(1, most))


def _one(of: tuple[Any, ...] | list[Any]) -> Draw:
    return lambda chance, book: chance.choice(sorted(of))


def _number(least: int, most: int) -> Draw:
    return lambda chance, book: chance.choice([one for one in range(least, most + 1) if one])


def _flag(chance: random.Random, book: Any) -> bool:
    return chance.random() < 0.7


def _powers(chance: random.Random, book: Any) -> list[str]:
    return chance.sample(sorted(book.powers), chance.randint(1, 2))


def _teams(chance: random.Random, book: Any) -> list[str]:
    return [chance.choice(sorted(book.team_abilities))]


def _who(chance: random.Random, book: Any, *, near: bool = False) -> dict[str, Any]:
    """Return words that describe characters."""
    drawn = {
        "side": _one(["friends", "opponents", "opponents", "all", "self"]),
        "within": lambda *_: chance.choice(["adjacent", 1, 2, 4]),
        "line_of_fire": _flag,
        "keyword": lambda *_: [BRUTE],
        "team": _teams,
        "name": _some(["b", "c", "x", "y"]),
        "power": _powers,
        "points_at_most": lambda *_: chance.choice([20, 50]),
        "tokens": _some([0, 1, 2]),
        "size": _one(["larger", "smaller", "same"]),
        "also_self": _flag,
    }
    words = {"side", "within", *chance.sample(sorted(drawn), chance.choice([0, 0, 1, 1, 2]))}
    if not near and chance.random() < 0.5:
        words.discard("within")
    return {word: draw(chance, book) for word, draw in drawn.items() if word in words}


def _condition(chance: random.Random, book: Any, depth: int = 1) -> dict[str, Any]:
    """Return a condition of one or two words."""
    drawn: dict[str, Draw] = {
        "attack": _one(cards.ATTACKS),
        "attacked": _one(cards.ATTACKS),
        "target": _who,
        "using": _powers,
        "adjacent_to": _who,
        "near": lambda chance, book: _who(chance, book, near=True),
        "none_near": lambda chance, book: _who(chance, book, near=True),
        "on_map": _who,
        "terrain": _some(cards.TERRAIN_WORDS),
        "tokens": _some([0, 1, 2]),
        "clicks": _some([1, 2, 9, 10], 3),
        "turn": _one(["own", "opponents"]),
        "holding": _some(["light", "heavy", "any", CRATE]),
        "action": _some(cards.ACTIONS, 3),
        "moved_this_turn": _flag,
        "attacked_this_turn": _flag,
        "carrying": _flag,
    }
    if depth < 3:
        drawn["any"] = lambda chance, book: [_condition(chance, book, depth + 1) for _ in range(2)]
        drawn["not"] = lambda chance, book: _condition(chance, book, depth + 1)
    words = chance.sample(sorted(drawn), chance.choice([1, 1, 2]))
    return {word: drawn[word](chance, book) for word in words}


def _outcomes(chance: random.Random, book: Any) -> list[dict[str, Any]]:
    kinds = sorted(HAPPENINGS.keys() - {"on-roll"})
    return [{"on": on, "effects": [_effect(chance, book, chance.choice(kinds))]} for on in ([2, 3], [4, 5, 6])]


KEYS: dict[str, Draw] = {
    "powers": _powers,
    "teams": _teams,
    "action": _one(cards.ACTIONS),
    "change": _one(CHANGES),
    "what": _some(cards.CANNOT),
    "value": _one(VALUES),
    "by": _number(-3, 3),
    "each": _who,
    "as_of": _who,
    "most": _number(1, 2),
    "set": lambda chance, book: chance.choice([2, 12, "halve", "double"]),
    "at": _number(1, 12),
    "locked": _flag,
    "adjacent": _flag,
    "half": _flag,
    "moving": _some(sorted(cards.MOVEMENT_WORDS)),
    "targeting": _some(sorted(cards.TARGETING_WORDS)),
    "from": _some(sorted(PROTECTIONS), 6),
    "as": _one(["penetrating", "unavoidable"]),
    "amount": _number(1, 2),
    "range": _number(2, 5),
    "dice": _number(1, 2),
    "outcomes": _outcomes,
    "on": _some([1, 2, 3, 4, 5, 6], 4),
    "clicks": _number(1, 3),
    "damage": _number(1, 3),
    "number": _number(2, 3),
    "within": _number(1, 4),
    "passengers": _number(1, 2),
    "regardless": lambda chance, book: chance.choice([["size"], ["size"], ["speed"]]),
    "against": _some(["counter", "ignore"]),
    "points": lambda chance, book: chance.choice([20, 50, 120]),
    "click": _number(1, 3),
    "text": lambda chance, book: "Decide.",
}
OF_KIND: dict[tuple[str, str], Draw] = {
    ("starting-line", "clicks"): _some([1, 2, 3], 2),
    ("not-targeted", "by"): _one(cards.ATTACKS),
    ("token", "name"): lambda chance, book: chance.choice(["action", "Action token", "Web"]),
    ("generate", "name"): lambda chance, book: RESERVE,
    ("becomes", "name"): lambda chance, book: RESERVE,
}
"""What a key holds in effects of one kind, where it differs from what it holds in all others."""


def _effect(chance: random.Random, book: Any, kind: str) -> dict[str, Any]:
    """Return an effect of a kind, which may contradict itself."""
    keys, required = cards.KINDS[kind]
    wanted = [*keys, *(key for key in required if key not in keys)]
    wanted = [key for key in wanted if key in required or chance.random() < 0.5]
    drawn = {
        key: OF_KIND.get((kind, key), KEYS.get(key, _one([CRATE])))(chance, book) for key in wanted if key != "when"
    }
    made: dict[str, Any] = {"do": kind} | drawn
    if "when" in required or chance.random() < 0.4:
        made["when"] = _condition(chance, book)
    if chance.random() < 0.35:
        made["to"] = _who(chance, book)
    if chance.random() < (0.8 if kind in HAPPENINGS and kind != "place" else 0.05):
        made["moment"] = chance.choice([one.value for one in CardMoment])
    if chance.random() < 0.2:
        made["limit"] = chance.choice(["turn", "game"])
    if chance.random() < 0.1:
        made["may"] = True
    return made


def drawn_card(chance: random.Random, book: Any, *kinds: str) -> dict[str, Any]:
    """Return a card that can be read, with an effect of each of these kinds, or of one or two others."""
    while True:
        effects = [
            _effect(chance, book, one) for one in kinds or chance.sample(sorted(cards.KINDS), chance.randint(1, 2))
        ]
        made: dict[str, Any] = {
            "name": chance.choice(NAMES),
            "kind": chance.choice(sorted(CardKind)),
            "effects": effects,
        }
        if chance.random() < 0.2:
            made["clicks"] = [1, 2]
        try:
            cards.read_cards([made])
        except BadInput:
            continue
        return made


def rolls_of_cards(chance: random.Random, ids: str) -> dict[str, list[list[int]]]:
    """Return rolls for all cards of these characters."""
    names = [f"{'-'.join(name.casefold().split())}:{id}" for name in NAMES for id in ids]
    one = {name: [[chance.randint(1, 6)] for _ in range(2)] for name in names}
    return one | {f"two-dice-{name}": [[chance.randint(1, 6), chance.randint(1, 6)]] for name in names}


def fight_with_cards(number: int) -> dict[str, Any]:
    """Return the fight with this number: one like those of `fair_fight`, with a card of each kind of effects in turn."""
    chance = random.Random(f"cards {number}")
    made = fair_fight(chance.randrange(10**9), None if chance.random() < 0.3 else "core-modern")
    book = EDITIONS[made["edition"]]
    kinds = sorted(cards.KINDS)
    first = drawn_card(chance, book, kinds[number % len(kinds)])
    everyone = [one for side in made["sides"] for one in side["characters"]]
    bearer = everyone[chance.choice([0, 0, 1, 3, 3, 4])]
    bearer["cards"] = [first]
    for one in chance.sample(everyone, 2):
        one.setdefault("cards", []).append(drawn_card(chance, book))
    for one in everyone:
        if chance.random() < 0.3:
            one["keywords"] = [BRUTE]
    for place, often in ((made, 0.1), (made["sides"][chance.randint(0, 1)], 0.15), (made["objects"][0], 0.3)):
        if chance.random() < often:
            place["cards"] = [drawn_card(chance, book)]
    made["objects"][0]["name"] = CRATE
    for side in made["sides"]:
        side["characters"].append(fighter(f"r{side['player']}", None, name=RESERVE))
    actions = made["actions"]
    if bearer in everyone[:3] and first["effects"][0]["do"] in ("free-action", "place", "can-use"):
        own = {"action": "free", "actor": bearer["id"], "using": [first["name"]], "choose": actions[0]["choose"]}
        moving = first["effects"][0].get("action") == "move"
        own |= {"path": ["D4"]} if moving else {} if "action" not in first["effects"][0] else {"targets": ["b"]}
        actions.insert(chance.randint(0, 1), own | {"rolls": actions[0]["rolls"]})
    if chance.random() < 0.3:
        actions.append({"action": "end-turn"})
    for action in actions:
        if action["action"] != "end-turn":
            action["rolls"] = action["rolls"] | rolls_of_cards(chance, "xyzbcd")
            action["choose"] = action["choose"] | {
                "place": {one: chance.choice(["B3", "D4", "E3", "G4"]) for one in "xybcd"}
            }
    made["ask"] += [
        {"ask": "value", "of": one, "value": chance.choice(VALUES), "attack": "close", "from": "x", "to": "b"}
        for one in ("x", "b", "c")
    ]
    made["ask"].append({"ask": "can-target", "attack": chance.choice(["close", "ranged"]), "from": "y", "to": "d"})
    return made
