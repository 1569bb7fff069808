"""Effects of cards in words: no key or code of a document is left for a reader to puzzle over."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.card_words import MOMENTS, effect_words
from rules.engine.position.cards import CardMoment

CASES = Path(__file__).parents[1] / "cases"


def effects() -> Iterator[dict[str, Any]]:
    for file in sorted([*CASES.glob("cards/*.jsonl"), *CASES.glob("books/*.jsonl")]):
        for line in filter(str.strip, file.read_text(encoding="utf-8").splitlines()):
            case = json.loads(line)
            for figure in [*case.get("mine", []), *case.get("theirs", [])]:
                for card in figure.get("cards", []):
                    yield from card.get("effects", [])


def test_every_moment_has_words():
    assert set(MOMENTS) == {str(moment) for moment in CardMoment}


def test_no_effect_is_said_with_its_codes():
    codes = re.compile(r"\bmoment\b|\b(?:after|when|start-of|end-of|be)-\w+")
    said = {effect_words(effect) for effect in effects()}
    assert len(said) > 100
    assert [words for words in said if codes.search(words)] == []


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (
            {"do": "deal", "damage": 1, "moment": "when-hit", "to": {"side": "opponents", "within": "adjacent"}},
            "deals damage: 1, when hit, applies to opposing characters that are adjacent",
        ),
        (
            {"do": "heal", "clicks": 1, "moment": "end-of-turn", "may": True},
            "clicks healed: 1 optional, at the end of the turn",
        ),
        (
            {"do": "heal-less", "by": 1, "healed_by": ["Regeneration", "Support"]},
            "fewer clicks healed: 1 by Regeneration, Support",
        ),
        (
            {
                "do": "on-roll",
                "moment": "start-of-turn",
                "to": {"side": "opponents", "within": "adjacent"},
                "outcomes": [{"on": [6], "effects": [{"do": "heal", "clicks": 1, "to": {"rolled_for": True}}]}],
            },
            "roll, at the start of the turn, once for each of these: opposing characters that are adjacent,"
            " 6: clicks healed: 1, applies to the character that the roll is for",
        ),
        (
            {"do": "deal", "damage": 1, "moment": "after-hit", "to": {"hit": True, "targeted": True}},
            "deals damage: 1, after a hit, applies to all characters hit that were targets",
        ),
        ({"do": "place", "within": "adjacent", "may": True}, "is placed in an adjacent square optional"),
        ({"do": "ignore", "moving": ["hindering"]}, "ignores while moving: hindering terrain"),
        (
            {"do": "equip", "kind": "Lamp equipment", "moment": "before-game"},
            "equips any of the kind: Lamp equipment, before the game",
        ),
        (
            {"do": "becomes", "alternate": True, "moment": "before-game", "when": {"names_shared": False}},
            "becomes its alternate card, before the game, when not in a force with characters that share a name",
        ),
        (
            {"do": "protected", "from": ["Pulse Wave"], "friends": True},
            "protected from Pulse Wave also if used by friendly characters",
        ),
        ({"do": "by-hand", "moment": "after-hit", "text": "Ask."}, "see the card, after a hit – Ask."),
        (
            {"do": "heal", "clicks": 1, "moment": "when-kos", "after": "resolutions"},
            "clicks healed: 1, after knocking out a character, once the whole action has resolved",
        ),
        (
            {"do": "heal", "clicks": 1, "moment": "after-hit", "to": {"side": "friends", "within": 4, "choose": 1}},
            "clicks healed: 1, after a hit, applies to one chosen from friendly characters within 4",
        ),
        (
            {"do": "heal", "clicks": 1, "moment": "after-hit", "to": {"side": "friends", "choose": 2}},
            "clicks healed: 1, after a hit, applies to up to 2 chosen from friendly characters",
        ),
        ({"do": "cannot", "what": ["be-carried"]}, "can't be carried"),
        (
            {"do": "modify", "value": "attack", "by": 1, "each_token": "Marked", "tokens_of": "target"},
            "modifier: +1 attack for each token named Marked that is on the target",
        ),
        (
            {"do": "ko", "to": {"side": "friends", "generated": True}, "moment": "when-ko"},
            "KO's, when knocked out, applies to friendly characters that it generated",
        ),
    ],
)
def test_effects_in_words(effect, words):
    assert effect_words(effect) == words
