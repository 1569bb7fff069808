"""Cards drawn by lot, with effects of every kind, and fights with such cards. The same number gives the same fight."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rules.engine import EDITIONS, BadInput
from rules.engine.documents import cards
from rules.engine.position.cards import CardKind, CardMoment
from rules.engine.powers.card_effects import HAPPENINGS
from rules.engine.powers.cards import HEALERS, PROTECTIONS
from rules.engine.powers.damage import ONLY

from .drawn import VALUES, fair_fight
from .fights import fighter

NAMES = ("Gust", "Long Watch", "Spark")
RESERVE, CRATE, BRUTE, WEB = "Reserve", "Crate", "Brute", "Web"
CHANGES = ("range 4", "reach 3", "doesn't halve speed", "succeeds on a 3-6", "only succeeds on a 2", *sorted(ONLY))


class Words(NamedTuple):
    """The powers and team abilities of a book, and those that figures of a document have."""

    powers: list[str]
    teams: list[str]
    shown: list[str]
    worn: list[str]


def words_for(document: dict[str, Any]) -> Words:
    """Return the words that cards of a document may use."""
    book = EDITIONS[document["edition"]]
    everyone = [one for side in document["sides"] for one in side["characters"]]
    powers, teams = sorted(book.powers), sorted(book.team_abilities)
    shown = sorted({power for one in everyone for power in one["dial"][0].get("powers", ())})
    worn = sorted({team for one in everyone for team in one.get("teams", ())})
    return Words(powers, teams, shown or powers, worn or teams)


MOMENTS = tuple(one.value for one in CardMoment)
OF_ATTACKERS = (
    "when-attacking",
    "after-hit",
    "after-attack",
    "after-attack",
    "when-clicked",
    "when-kos",
    "end-of-turn",
)
OF_TARGETS = ("when-hit", "when-damaged", "when-damaged", "when-ko", "when-clicked", "after-miss", "start-of-turn")
Draw = Callable[[random.Random, Words], Any]


def _some(of: tuple[Any, ...] | list[Any], most: int = 2) -> Draw:
    return lambda chance, words: chance.sample(sorted(of), chance.randint(1, most))


def _one(of: tuple[Any, ...] | list[Any]) -> Draw:
    return lambda chance, words: chance.choice(sorted(of))


def _number(least: int, most: int) -> Draw:
    return lambda chance, words: chance.choice([one for one in range(least, most + 1) if one])


def _flag(chance: random.Random, words: Words) -> bool:
    return chance.random() < 0.7


def _powers(chance: random.Random, words: Words) -> list[str]:
    return chance.sample(words.powers, chance.randint(1, 2))


def _teams(chance: random.Random, words: Words) -> list[str]:
    return [chance.choice(words.teams)]


def _who(chance: random.Random, words: Words, *, near: bool = False) -> dict[str, Any]:
    """Return words that describe characters."""
    drawn = {
        "side": _one(["friends", "opponents", "opponents", "all", "self"]),
        "within": lambda *_: chance.choice(["adjacent", 1, 2, 4]),
        "line_of_fire": _flag,
        "keyword": lambda *_: [BRUTE],
        "team": lambda *_: [chance.choice(words.worn)],
        "name": _some(["b", "c", "x", "y"]),
        "power": lambda *_: [chance.choice(words.shown)],
        "points_at_most": lambda *_: chance.choice([20, 50]),
        "tokens": _some([0, 1, 2]),
        "size": _one(["larger", "smaller", "same"]),
        "also_self": _flag,
        "generated": _flag,
        "named_token": lambda *_: [WEB],
    }
    named = {"side", "within", *chance.sample(sorted(drawn), chance.choice([0, 0, 1, 1, 2]))}
    if not near and chance.random() < 0.5:
        named.discard("within")
    made = {word: draw(chance, words) for word, draw in drawn.items() if word in named}
    return {"side": "self"} if made["side"] == "self" else made


def _condition(chance: random.Random, words: Words, depth: int = 1) -> dict[str, Any]:
    """Return a condition of one or two words."""
    drawn: dict[str, Draw] = {
        "attack": _one(cards.ATTACKS),
        "attacked": _one(cards.ATTACKS),
        "target": _who,
        "using": lambda *_: [chance.choice(words.shown)],
        "adjacent_to": _who,
        "near": lambda chance, words: _who(chance, words, near=True),
        "none_near": lambda chance, words: _who(chance, words, near=True),
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
        "named_token": lambda *_: [WEB],
        "stack": lambda *_: chance.choice([2, "full"]),
    }
    if depth < 3:
        drawn["any"] = lambda chance, words: [_condition(chance, words, depth + 1) for _ in range(2)]
        drawn["not"] = lambda chance, words: _condition(chance, words, depth + 1)
    named = chance.sample(sorted(drawn), chance.choice([1, 1, 2]))
    return {word: drawn[word](chance, words) for word in named}


def _happening(chance: random.Random, words: Words) -> list[dict[str, Any]]:
    return [_effect(chance, words, chance.choice(sorted(HAPPENINGS.keys() - {"on-roll"})))]


def _outcomes(chance: random.Random, words: Words) -> list[dict[str, Any]]:
    return [{"on": on, "effects": _happening(chance, words)} for on in ([2, 3], [4, 5, 6])]


def _options(chance: random.Random, words: Words) -> list[dict[str, Any]]:
    return [{"effects": _happening(chance, words)} for _ in range(2)]


KEYS: dict[str, Draw] = {
    "powers": _powers,
    "teams": _teams,
    "action": _one(cards.ACTIONS),
    "change": _one(CHANGES),
    "what": _some(cards.CANNOT),
    "value": _one(VALUES),
    "by": _number(-3, 3),
    "each": _who,
    "each_token": lambda chance, words: WEB,
    "tokens_of": _one(["self", "target"]),
    "each_in_stack": _flag,
    "as_of": _who,
    "most": _number(1, 2),
    "set": lambda chance, words: chance.choice([2, 12, "halve", "double"]),
    "at": _number(1, 12),
    "locked": _flag,
    "adjacent": _flag,
    "half": _flag,
    "moving": _some(sorted(cards.MOVEMENT_WORDS)),
    "targeting": _some(sorted(cards.TARGETING_WORDS)),
    "friends": lambda chance, words: chance.random() < 0.5,
    "from": _some(sorted(PROTECTIONS), 6),
    "as": _one(["penetrating", "unavoidable"]),
    "amount": _number(1, 2),
    "range": _number(2, 5),
    "dice": _number(1, 2),
    "outcomes": _outcomes,
    "options": _options,
    "on": _some([1, 2, 3, 4, 5, 6], 4),
    "clicks": _number(1, 3),
    "damage": _number(1, 3),
    "squares": _number(1, 4),
    "number": _number(2, 3),
    "within": _number(1, 4),
    "passengers": _number(1, 2),
    "equal_size": _flag,
    "regardless": lambda chance, words: chance.choice([["size"], ["size"], ["speed"]]),
    "against": _some(["counter", "ignore"]),
    "points": lambda chance, words: chance.choice([20, 50, 120]),
    "click": _number(1, 3),
    "text": lambda chance, words: "Decide.",
    "name": _one([CRATE]),
    "whom": _who,
    "targets": _who,
    "beside": _who,
    "line_of_fire": _flag,
    "direct": _flag,
    "alternate": _flag,
    "same_click": _flag,
    "same_trait": _flag,
    "healed_by": _some(sorted(HEALERS)),
}
OF_KIND: dict[tuple[str, str], Draw] = {
    ("starting-line", "clicks"): _some([1, 2, 3], 2),
    ("not-targeted", "by"): _one(cards.ATTACKS),
    ("not-targeted", "using"): _some(["Incapacitate", "Mind Control", "Penetrating/Psychic Blast"]),
    ("token", "name"): lambda chance, words: chance.choice(["action", "Action token", WEB]),
    ("generate", "name"): lambda chance, words: RESERVE,
    ("becomes", "name"): lambda chance, words: RESERVE,
}
"""What a key holds in effects of one kind, where it differs from what it holds in all others."""


def _effect(chance: random.Random, words: Words, kind: str, moments: Sequence[str] = MOMENTS) -> dict[str, Any]:
    """Return an effect of a kind, which may contradict itself."""
    keys, required = cards.KINDS[kind]
    wanted = [*keys, *(key for key in required if key not in keys)]
    wanted = [key for key in wanted if key in required or chance.random() < 0.5]
    drawn = {
        key: OF_KIND.get((kind, key), KEYS.get(key, _one([CRATE])))(chance, words) for key in wanted if key != "when"
    }
    made: dict[str, Any] = {"do": kind} | drawn
    if "when" in required or chance.random() < 0.25:
        made["when"] = _condition(chance, words)
    if chance.random() < 0.35:
        made["to"] = _who(chance, words)
    if chance.random() < (0.05 if kind not in HAPPENINGS else 0.5 if kind == "place" else 0.95):
        made["moment"] = chance.choice(moments)
        if chance.random() < 0.3:
            made["after"] = "resolutions"
    if chance.random() < 0.2:
        made["limit"] = chance.choice(["turn", "game"])
    if chance.random() < 0.1:
        made["may"] = True
    return made


def drawn_card(chance: random.Random, words: Words, *kinds: str, moments: Sequence[str] = MOMENTS) -> dict[str, Any]:
    """Return a card that can be read, with an effect of each of these kinds, or of one or two others."""
    for _ in range(1000):
        effects = [
            _effect(chance, words, one, moments)
            for one in kinds or chance.sample(sorted(cards.KINDS), chance.randint(1, 2))
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
        except BadInput as fault:
            unread = fault
        else:
            return made
    raise AssertionError(f"No card of {kinds or 'any kind'} could be read; the last one: {unread}")


def rolls_of_cards(chance: random.Random, ids: str) -> dict[str, list[list[int]]]:
    """Return rolls for all cards of these characters."""
    names = [f"{'-'.join(name.casefold().split())}:{id}" for name in NAMES for id in ids]
    one = {name: [[chance.randint(1, 6)] for _ in range(2)] for name in names}
    return one | {f"two-dice-{name}": [[chance.randint(1, 6), chance.randint(1, 6)]] for name in names}


def fight_with_cards(number: int) -> dict[str, Any]:
    """Return the fight with this number: one like those of `fair_fight`, with a card of each kind of effects in turn."""
    chance = random.Random(f"cards {number}")
    made = fair_fight(chance.randrange(10**9), None if chance.random() < 0.3 else "core-modern")
    words = words_for(made)
    kinds = sorted(cards.KINDS)
    first = drawn_card(chance, words, kinds[number % len(kinds)])
    everyone = [one for side in made["sides"] for one in side["characters"]]
    bearer = everyone[chance.choice([0, 0, 1, 3, 3, 4])]
    bearer["cards"] = [first]
    happening = sorted(HAPPENINGS)
    for one, moments in ((everyone[0], OF_ATTACKERS), (everyone[3], OF_TARGETS), (chance.choice(everyone), MOMENTS)):
        card = drawn_card(chance, words, *chance.sample(happening, 3), moments=moments)
        one.setdefault("cards", []).append(card)
    for one in everyone:
        if chance.random() < 0.3:
            one["keywords"] = [BRUTE]
        _show_specials(one, chance)
    for place, often in ((made, 0.1), (made["sides"][chance.randint(0, 1)], 0.15), (made["objects"][0], 0.3)):
        if chance.random() < often:
            place["cards"] = [drawn_card(chance, words)]
    made["objects"][0]["name"] = CRATE
    for side in made["sides"]:
        gone, other, waiting = (fighter(f"{word}{side['player']}", None, name=RESERVE) for word in "gor")
        gone["click"], other["name"] = 9, CRATE
        side["characters"] += [gone, other, waiting]
    user = bearer["id"] if bearer in everyone[:3] else "x"
    actions = [_use_of(first, user, made, chance), *made["actions"][:1]]
    made["actions"] = actions = actions[: chance.choice([1, 1, 2])]
    if chance.random() < 0.4:
        actions.append({"action": "end-turn"})
    for action in actions:
        if action["action"] != "end-turn":
            action["rolls"] = action["rolls"] | rolls_of_cards(chance, "xyzbcd")
            action["choose"] = action["choose"] | {
                "place": {one: chance.choice(["B3", "D4", "E3", "E2"]) for one in (*"xybcd", "rA", "rB")}
            }
    made["ask"] += [
        {"ask": "value", "of": one, "value": chance.choice(VALUES), "attack": "close", "from": "x", "to": "b"}
        for one in ("x", "b", "c")
    ]
    made["ask"].append({"ask": "can-target", "attack": chance.choice(["close", "ranged"]), "from": "y", "to": "d"})
    return made


def _show_specials(one: dict[str, Any], chance: random.Random) -> None:
    """Show a character's special powers on its dial, mostly, and counter one of its cards, seldom."""
    for card in one.get("cards", ()):
        if card["kind"] == CardKind.SPECIAL_POWER and chance.random() < 0.7:
            for click in one["dial"]:
                click["powers"] = list(dict.fromkeys([*click["powers"], card["name"]]))
        if chance.random() < 0.1:
            one["countered"] = [card["name"]]


def _use_of(card: dict[str, Any], id: str, made: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return an action that uses the first effect of a card: the power it grants, its free action, or any attack."""
    effect, book = card["effects"][0], EDITIONS[made["edition"]]
    choices = {key: made["actions"][0][key] for key in ("choose", "rolls")}
    row = book.powers[effect["powers"][0]] if effect["do"] == "can-use" and "powers" in effect else None
    if row is not None and row.action:
        return {
            "action": effect.get("action", row.action[0]),
            "actor": id,
            "using": [row.name],
            "targets": ["b"],
        } | choices
    if effect["do"] not in ("free-action", "place"):
        return {"action": "ranged" if id == "y" else "close", "actor": id, "targets": ["b"]} | choices
    given = {"action": "free", "actor": id, "using": [card["name"]]} | choices
    where = {"path": [chance.choice(["D4", "B3"])]} if effect.get("action") == "move" else {"targets": ["b"]}
    return given | (where if "action" in effect else {})
