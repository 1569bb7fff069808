"""The words by which a search finds an element: its name, set and number, and every fact that a player may type.

Each word has the mark of the field where it stands, so that the database (`full_text`) finds it there only. Texts of
cards aren't among them: strangers may search.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from .documents import powers_of
from .full_text import as_column
from .search.words import plain_words

NAME, SET, NUMBER, OTHER = FIELDS = ("n.", "s.", "c.", "o.")
"""The marks of words in the name, the set's code and name, the collector number, and other facts."""
WHOLE_NAME, WHOLE_SET = "n=", "s="
"""The marks of a name, and of a set's code or name, written as one word."""
SMALL = frozenset({"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})
"""Words that aren't joined with their neighbours."""
NAMED = ("name", "number", "real_name", "rank", "rarity", "base")
LISTED = ("teams", "keywords", "generic_keywords", "properties")
COUNTED = {"horde_stack": "horde stack", "passengers": "passengers", "relic_roll": "relic roll"}
FLAGGED = {"promotional": "promotional", "special": "special", "allows_sideline": "sideline"}


def bare(word: str) -> str:
    """Return a word without the zeros before its numbers: 012 is 12, and g001 is g1."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", word) if "0" in word else word


def words_in(text: str) -> list[str]:
    """Return the words of a text in the form in which they are compared."""
    return [bare(word) for word in plain_words(text)]


def joined(text: str) -> str:
    """Return a text as one word: Spider-Man, spider man and Spiderman become one."""
    return bare("".join(plain_words(text)))


def pairs(words: Sequence[str]) -> Iterator[str]:
    """Yield neighbouring words written as one."""
    for one, other in pairwise(words):
        if one not in SMALL and other not in SMALL:
            yield one + other


class _SetWords(NamedTuple):
    words: frozenset[str]
    whole: frozenset[str]


@lru_cache(maxsize=2000)
def _set_words(code: str, name: str) -> _SetWords:
    whole = frozenset({joined(code), joined(name)} - {""})
    return _SetWords(frozenset({*words_in(code), *words_in(name), joined(code)} - {""}), whole)


@lru_cache(maxsize=10_000)
def _number_words(number: str) -> frozenset[str]:
    return frozenset({*words_in(number), joined(number)} - {""})


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


def searched_words(set_code: str, set_name: str, section: str, number: str, kind: str, facts: Mapping[str, Any]) -> str:
    """Return the marked words of an element's facts, as the full text's column; those of known fields aren't in `OTHER`."""
    name, of_set = words_in(facts["name"]), _set_words(set_code, set_name)
    known = {*name, *pairs(name)}, of_set.words, _number_words(number)
    others = {*map(bare, plain_words(" ".join(_facts(facts)))), *plain_words(f"{section} {kind}")}
    others.difference_update(*known)
    return as_column(_marked(name, of_set.whole, (*known, others)))


def _marked(name: Iterable[str], whole_sets: Iterable[str], fields: Iterable[Iterable[str]]) -> Iterator[str]:
    if whole := "".join(name):
        yield WHOLE_NAME + whole
    yield from (WHOLE_SET + word for word in whole_sets)
    for mark, words in zip(FIELDS, fields, strict=True):
        yield from (mark + word for word in words)
