"""A table's position, ready to be set up: the figures of both forces, the event's edition, and the map if known.

Pure. Forces come as their force file with the catalogue's facts from the day they were submitted. A figure whose dial
isn't catalogued gets one click made of what is known, and is named so that the judge can enter its values.
The players are called A and B, as in a match: no position contains a person's name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from rules.card_effects import PrintedCards, cards_of
from rules.documents import SLOTS, BadFacts, PointsUnknown, as_piece, powers_of
from rules.shelf import maps

Document = dict[str, Any]
PLAYERS = {"a": "A", "b": "B"}
KINDS = ("bystander", "horde")
MAX_FIGURES = 60
MAX_EFFECTS = 450
"""The maximum number of effects that the cards of a force bring with them: a position has room for 1,000."""


def figures_of(
    player: str,
    document: Mapping[str, Any],
    origins: Mapping[str, Any],
    printed: Mapping[tuple[str, str], PrintedCards] = MappingProxyType({}),
) -> tuple[list[Document], list[str]]:
    """Return a force's figures, not placed yet, and the names of those whose dial isn't known.

    `printed` are the catalogue's cards by set and collector number (`printed_in`). What judges confirmed of cards
    counts from then on, also for forces that were submitted before.
    """
    found, unknown, effects = [], [], 0
    for place, one in enumerate(document.get("force", {}).get("characters", ())[:MAX_FIGURES], 1):
        facts = dict((origins.get(one.get("ref", "")) or {}).get("facts") or {})
        name = str(one.get("name") or facts.get("name") or place)
        key = f"{player.lower()}-{_slug(name)}"
        cards = printed.get(_base(one, facts))
        facts = {**facts, "name": name, "cards": cards.facts.get("cards", ()) if cards else ()}
        texts = cards.texts if cards else ()
        try:
            piece = as_piece(facts, id=key, points=one.get("points"), texts=texts)
        except (BadFacts, PointsUnknown, KeyError):
            piece, known = _as_written(one, facts, key, name)
            if cards_known := cards_of(facts, texts):
                piece["cards"] = [card.in_position for card in cards_known]
            if not known:
                unknown.append(name)
        piece.pop("square", None)
        effects += sum(len(card["effects"]) for card in piece.get("cards", ()))
        if effects > MAX_EFFECTS:
            piece.pop("cards", None)
        found.append({"player": player, "piece": piece})
    return found, unknown


def printed_in(document: Mapping[str, Any], origins: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the sets and collector numbers of a force's figures."""
    characters = document.get("force", {}).get("characters", ())[:MAX_FIGURES]
    return [_base(one, (origins.get(one.get("ref", "")) or {}).get("facts") or {}) for one in characters]


def _base(one: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[str, str]:
    return str(facts.get("set") or one.get("set") or ""), str(facts.get("number") or one.get("number") or "")


def _as_written(one: Mapping[str, Any], facts: Mapping[str, Any], key: str, name: str) -> tuple[Document, bool]:
    """Return a figure as its force file has it (one click if it has no dial), and whether its values are known."""
    dial = one.get("dial")
    piece: Document = {"id": key, "name": name, "points": one.get("points") or 0}
    for fact in ("set", "number", "base_color", "teams", "keywords", "generic_keywords"):
        if one.get(fact):
            piece[fact] = one[fact]
    for fact in ("base", "range", "bolts", "symbols"):
        if facts.get(fact):
            piece[fact] = facts[fact]
    known = facts.get("known") or {}
    if known.get("range") is not None:
        piece["range"] = known["range"]
    if one.get("kind") in KINDS:
        piece["kind"] = one["kind"]
    if dial:
        piece["dial"] = dial
        return piece, True
    piece["dial"] = [{**{slot: known.get(slot, 0) for slot in SLOTS}, "powers": powers_of(facts)}]
    return piece, all(slot in known for slot in SLOTS)


def map_named(names: Iterable[str], edition: str) -> Document | None:
    """Return the library's first map with one of these names that the edition can use, or None."""
    wanted = [_slug(name) for name in names]
    for name in wanted:
        for one in maps().values():
            if name and name in (one.slug, _slug(one.title)) and edition in one.editions:
                return dict(one.map)
    return None


def position_of(
    edition: str, build_total: int, map_document: Mapping[str, Any] | None, themes: Mapping[str, str]
) -> Document:
    """Return a position with no figures on it; `themes` are the keywords of themed teams, by player."""
    document: Document = {
        "edition": edition,
        **({"build_total": build_total} if build_total else {}),
        "sides": [{"player": player, "characters": []} for player in PLAYERS.values()],
    }
    for side in document["sides"]:
        if side["player"] in themes:
            side["themed_team"] = themes[side["player"]]
    if map_document is not None:
        document["map"] = dict(map_document)
    return document


def _slug(text: str) -> str:
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", bare).strip("-") or "figure"
