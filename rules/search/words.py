"""Words of questions and rulings: split, stripped of endings, looked up among synonyms, and corrected.

Questions and texts go through the same functions, so an ending only has to be taken off alike, not correctly.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

from rules.documents import fold

SYNONYMS = Path(__file__).parent / "synonyms.toml"
ENDINGS = (("ies", "y", 5), ("ied", "y", 5), ("sses", "ss", 5), ("ing", "", 6), ("ed", "", 5))
"""Each ending, what takes its place, and the letters of the shortest word that loses it."""
LEFT_OUT = str.maketrans("", "", "'’`\0")
INITIALS = re.compile(r"\b(?:[a-z]\.){2,}")
WORD = re.compile(r"[^\W_]+")
SHORT = 3
"""Words of so many letters stay as they are."""
SHORTEST_PREFIX, SHORTEST_CORRECTED = 3, 5
MOST_COMPARED = 24
"""How many words of the vocabulary a misspelt one is compared with, letter by letter."""


def plain_words(text: str, *, folded: bool = False) -> list[str]:
    """Return the words of a text, without case, accents and apostrophes; S.H.I.E.L.D. is one word."""
    plain = (text if folded else fold(text)).translate(LEFT_OUT)
    if "." in plain:
        plain = INITIALS.sub(lambda found: found[0].replace(".", ""), plain)
    return WORD.findall(plain)


def words_of(text: str) -> list[str]:
    """Return the plain words of a text, with abbreviations written out."""
    return [part for word in plain_words(text) for part in written_out().get(word, (word,))]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word without its ending: carries, carried and carry become one."""
    bare = word
    for ending, kept, shortest in ENDINGS:
        if word.endswith(ending) and len(word) >= shortest:
            bare = word[: -len(ending)] + kept
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > SHORT:
            bare = word[:-1]
    if bare != word and len(bare) > SHORT and bare[-1] == bare[-2] and bare[-1] not in "aeiouls":
        bare = bare[:-1]
    if bare.endswith("ion") and len(bare) > len("action"):
        bare = bare[:-3]
    return bare[:-1] if bare.endswith("e") and len(bare) > SHORT else bare


@cache
def _table() -> Mapping[str, Mapping]:
    return MappingProxyType(tomllib.loads(SYNONYMS.read_text(encoding="utf-8")))


@cache
def written_out() -> Mapping[str, tuple[str, ...]]:
    """Return abbreviation → the words for which it stands."""
    return MappingProxyType({short: tuple(words.split()) for short, words in _table()["short"].items()})


@cache
def ignored() -> frozenset[str]:
    """Return the words that say nothing about a question."""
    return frozenset(_table()["words"]["ignored"].split())


@cache
def fillers() -> frozenset[str]:
    """Return the words that may stand inside a phrase without changing it."""
    return frozenset(_table()["words"]["fillers"].split())


@cache
def said_of_topics() -> Mapping[str, tuple[str, ...]]:
    """Return topic → the phrases of players that name it."""
    return MappingProxyType({topic: tuple(phrases) for topic, phrases in _table()["topics"].items()})


@cache
def same_words() -> Mapping[str, frozenset[str]]:
    """Return stem → the stems of words that mean the same."""
    found: dict[str, set[str]] = defaultdict(set)
    for group in _table()["words"]["same"]:
        stems = {stem(word) for written in group for word in words_of(written)}
        for one in stems:
            found[one] |= stems - {one}
    return MappingProxyType({one: frozenset(others) for one, others in found.items()})


class Spelling:
    """Words that are known, and the nearest of them to a word that isn't."""

    def __init__(self, known: Mapping[str, int]) -> None:
        """Take each known word with the number of its uses."""
        self.known = known
        self._by_pair: dict[str, list[str]] = defaultdict(list)
        for word in known:
            for pair in _pairs(word):
                self._by_pair[pair].append(word)

    def begun_by(self, start: str) -> list[str]:
        """Return the known words that begin with these letters, most used first; too few letters begin none."""
        if len(start) < SHORTEST_PREFIX:
            return []
        found = [word for word in self._by_pair.get(f" {start[0]}", ()) if word.startswith(start)]
        return sorted(found, key=lambda word: (-self.known[word], word))

    def nearest(self, word: str) -> str | None:
        """Return the known word that differs by one letter, or by two if it is long; None if there is none."""
        return next(iter(self.near(word)), None)

    def near(self, word: str, *, shortest: int = SHORTEST_CORRECTED, begun: bool = False) -> list[str]:
        """Return the other known words that differ least, by one letter or by two if it is long; most used first.

        With `begun`, they may go on after the letters with which the word is compared.
        """
        if len(word) < shortest or word.isdecimal():
            return []
        allowed = 1 if len(word) < 7 else 2
        shared: dict[str, int] = defaultdict(int)
        for pair in _pairs(word):
            for other in self._by_pair.get(pair, ()):
                longer = len(other) - len(word)
                if other[0] == word[0] and (begun or longer <= allowed) and -longer <= allowed and other != word:
                    shared[other] += 1
        near = sorted(shared, key=lambda other: (-shared[other] / (len(other) + len(word)), other))[:MOST_COMPARED]
        told = sorted((distance(word, other, begun=begun), -self.known[other], other) for other in near)
        return [other for apart, _uses, other in told if apart <= allowed and apart == told[0][0]]


def _pairs(word: str) -> set[str]:
    """Return the pairs of neighbouring letters of a word, with its beginning and its end."""
    framed = f" {word} "
    return {framed[at : at + 2] for at in range(len(framed) - 1)}


def distance(one: str, other: str, *, begun: bool = False) -> int:
    """Return how many letters were left out, added, changed or swapped with a neighbour.

    With `begun`, one word is compared with the beginning of the other that is nearest to it.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        now = [i]
        for j, against in enumerate(other, 1):
            cost = min(row[j] + 1, now[j - 1] + 1, row[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, before[j - 2] + 1)
            now.append(cost)
        before, row = row, now
    return min(row) if begun else row[-1]


def count_words(texts: Iterable[str]) -> dict[str, int]:
    """Return how often each word occurs in these texts."""
    counted: dict[str, int] = defaultdict(int)
    for text in texts:
        for word in words_of(text):
            counted[word] += 1
    return dict(counted)
