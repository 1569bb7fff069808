"""Facts that decide whether a force can be checked: rings of old figures, costed traits, and rules on a figure's card.

The books don't have the rules of titles, team bases, other cards of a figure and texts about building a force, so a
force file only names them; the engine says "can't tell" where they may forbid the force (`element_rules`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

OLD_EDITIONS = frozenset({"ic-2002", "car-2002", "dc-2005"})
OLD_RINGS = frozenset({"super-rare", "limited-edition", "promotional"})
"""The rarities that the books of `OLD_EDITIONS` show as a ring on the base: gold, bronze and purple."""
BY_PROPERTY = {"legacy": "legacy-card", "title": "title", "team up": "team-up", "unsidelineable": "unsidelineable"}
"""The words among a figure's properties that stand for a rule on its card."""
BY_SORT = {"title trait": "title", "asset unit": "team-base", "asset team": "team-base"}
COSTED = "costed trait"
ABOUT_BUILDING = re.compile(
    r"\bforce construction\b|\b(?:building|build) (?:your|a) (?:starting )?force\b"
    r"|\b(?:added|included?) (?:\w+ ){0,3}(?:to|on) your (?:starting )?force\b|\bto your starting force\b",
    re.IGNORECASE,
)
"""Words of a card's text that say what a force may contain; "your starting force has" in play isn't among them."""


OF_THE_SIDELINE = re.compile(r"\b(?:from|in|on|to) your sideline\b", re.IGNORECASE)


def changes_construction(texts: Iterable[str]) -> bool:
    """Return whether one of a card's texts is about building a force."""
    return any(ABOUT_BUILDING.search(text) for text in texts)


def allows_sideline(texts: Iterable[str]) -> bool:
    """Return whether one of a card's texts uses the sideline, other than from there."""
    return any(OF_THE_SIDELINE.search(text) and not text.lower().startswith("sideline active") for text in texts)


def card_rules(facts: Mapping[str, Any]) -> list[str]:
    """Return the rules on an element's card that may forbid a force, as a force file names them."""
    words = [name.lower().replace("_", " ") for name in facts.get("properties", ())]
    found = [BY_PROPERTY[word] for word in words if word in BY_PROPERTY]
    found += [BY_SORT[power["sort"]] for power in facts.get("special_powers", ()) if power.get("sort") in BY_SORT]
    costed = [power for power in facts.get("special_powers", ()) if power.get("sort") == COSTED]
    if facts.get("force_construction") or any("points" not in power for power in costed):
        found.append("force-construction")
    if facts.get("kind") == "bystander" and not facts.get("points"):
        found.append("generated")
    return list(dict.fromkeys(found))


def optional_points(facts: Mapping[str, Any]) -> int:
    """Return what a figure's costed traits cost together."""
    return sum(power.get("points", 0) for power in facts.get("special_powers", ()) if power.get("sort") == COSTED)


def ring(facts: Mapping[str, Any], edition: str, made_for: str) -> str:
    """Return the ring on a figure's base as an edition's forces name it; empty if it isn't known.

    `made_for` is the edition of the figure's set, empty if it isn't known. Until 2005 rare figures had a ring of their
    own, so for them a source's rarity tells the ring. `core-2014` calls an older gold or bronze ring Unique.
    """
    rank, rarity = str(facts.get("rank", "")), facts.get("rarity")
    if (made_for or edition) not in OLD_EDITIONS:
        return rank
    if rank in ("", "common") and rarity in OLD_RINGS:
        rank = rarity
    return "unique" if edition == "core-2014" and rank in ("super-rare", "limited-edition") else rank
