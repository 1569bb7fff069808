"""The words by which a search finds an element beside its name: every fact of it that a player may type.

Texts of cards aren't among them: strangers may search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .documents import fold, powers_of

NAMED = ("name", "number", "real_name", "rank", "rarity", "base")
LISTED = ("teams", "keywords", "generic_keywords", "properties")
COUNTED = {"horde_stack": "horde stack", "passengers": "passengers", "relic_roll": "relic roll"}
FLAGGED = {"promotional": "promotional", "special": "special", "allows_sideline": "sideline"}


def _facts(facts: Mapping[str, Any]) -> Iterator[str]:
    for key in NAMED:
        yield facts.get(key, "")
    for key in LISTED:
        yield from facts.get(key, ())
    yield from powers_of(facts)
    yield from facts.get("symbols", {}).values()
    for key, names in facts.get("improved", {}).items():
        yield from (f"improved {key}", *names)
    for power in facts.get("special_powers", ()):
        yield power["slot"] if power.get("slot") == "trait" else ""
        yield power.get("sort", "")
        yield "stop" if power.get("stop") else ""
        yield f"rally {power['rally'].get('of', '')}" if "rally" in power else ""
        yield "plot points" if "plot_points" in power else ""
    yield from (words for key, words in COUNTED.items() if facts.get(key) is not None)
    yield from (words for key, words in FLAGGED.items() if facts.get(key))


def searched_words(set_code: str, set_name: str, facts: Mapping[str, Any]) -> str:
    """Return the words of an element's facts and its set, folded."""
    return fold(" ".join(dict.fromkeys((set_code, set_name, *_facts(facts)))))
