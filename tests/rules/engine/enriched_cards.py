"""Fights with cards (`drawn_cards`) whose effects have further words: actions of cards, others' moments, those hit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from rules.engine import BadInput
from rules.engine.documents import cards

from .drawn_cards import fight_with_cards

OPPONENTS = {"side": "opponents"}
WHO: dict[str, list[Any]] = {
    "within": ["range", "adjacent", 3],
    "their_line_of_fire": [True],
    "line_of_fire": [True],
    "points_at_least": [20, 50],
    "points": ["higher", "lower"],
    "shares_keyword": [True],
    "beside": ["hit", "attacker"],
    "hit": [True],
    "attacker": [True],
    "of_moment": [True],
    "choose": [1, 2],
}
WHEN: dict[str, list[Any]] = {
    "hit": [True, False],
    "hit_all": [True, False],
    "attack": ["close", "any"],
    "attacked": ["ranged", "any"],
    "by": [OPPONENTS],
    "knocked_out": [OPPONENTS, {"side": "friends"}],
    "moved_at_most": [3],
    "started_at": [100],
    "began_turn_on_map": [True],
    "listed_on_map": [2],
    "names_shared": [True],
}
EFFECT: dict[str, list[Any]] = {
    "whose": [OPPONENTS, {"side": "friends", "within": 3}, {"side": "all"}],
    "until": ["turn", "next-turn", "end-of-next-turn", "game"],
    "costs": list(cards.COSTS),
    "unique": [True],
    "part": [1, 2],
    "no_cost": [True],
    "after": ["resolutions"],
    "limit": ["turn", "game"],
    "may": [True],
    "to": [{"side": "friends", "within": 3}, OPPONENTS | {"within": "range", "line_of_fire": True}, {"side": "all"}],
    "within": ["adjacent", 2],
    "attack": ["close"],
}


def fight_with_enriched_cards(number: int) -> dict[str, Any]:
    """Return the fight with this number, without actions: its cards have further words, so far as they can be read."""
    chance = random.Random(f"enriched {number}")
    made = fight_with_cards(number) | {"actions": [], "ask": []}
    for holder in _holders(made):
        holder["cards"] = [_enriched(one, chance) for one in holder.get("cards", ())]
    return made


def _holders(made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from (made, *made["sides"], *made["objects"])
    yield from (one for side in made["sides"] for one in side["characters"])


def _enriched(card: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a card with words added, one after the other, each kept if the card can be read with it."""
    for _ in range(12):
        tried = deepcopy(card)
        effect = chance.choice(tried["effects"])
        place, words = chance.choice(
            [(effect, EFFECT), (effect.setdefault("to", {}), WHO), (effect.setdefault("when", {}), WHEN)]
        )
        word = chance.choice(sorted(words))
        place[word] = chance.choice(words[word])
        if word == "costs":
            effect.pop("moment", None)
        for key in ("to", "when"):
            if not effect[key]:
                del effect[key]
        try:
            cards.read_cards([tried])
        except BadInput:
            continue
        card = tried
    return card
