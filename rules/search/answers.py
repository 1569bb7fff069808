"""Answering a question about the rules: what it names, and the rulings, topics and sections that fit it best.

Anything that a question names may be missing from an answer. Answers with more of it come first: an answer about two
of its topics always comes before one about a single topic.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from rules.engine import Heading, Ruling, Topic, topic_places, topics
from rules.shelf import ReadyDispute

from .corpus import Entry, Named, PowerSays, named_in, phrases, spelling, topic_key
from .stored import Searched, is_known, release
from .words import fillers, ignored, same_words, stem, words_of

MAX_LETTERS, MAX_WORDS = 200, 24
"""Longer questions are cut: their first words say what they are about."""
MAX_BEGUN = 12
"""How many known words the first letters of one may stand for."""
INSIDE, ALIKE = 0.45, 0.75
"""How much a word inside a phrase counts, and a word that means the same."""
COMMON = 0.05
"""A topic in more of all entries than this is met everywhere: an answer need not be about it."""
TOPICS_TOGETHER = 2
OF_KIND = {"ruling": 1.0, "topic": 1.0, "section": 0.7, "power": 0.6, "dispute": 1.0, "passage": 1.0}
OFF_TOPIC = 0.05
"""How much a ruling loses with each of its topics that isn't asked for."""
LONG = 80
"""How many words halve the score of a text."""
WORTH_SHOWING = 0.25
"""The least score of an answer, as a share of the best one's."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question: the stems and topics of which an answer should have one, and how much it counts."""

    keys: Mapping[str, float]
    counts: float = 1.0
    is_topic: bool = False


@dataclass(frozen=True, slots=True)
class Understood:
    """What a question names, in its order; each of `topics` is one phrase, which may stand for several topics.

    `words` are those that say something, with corrected spelling. `corrected` is the whole question with corrected
    spelling; empty if every word is known.
    """

    parts: tuple[Part, ...]
    words: tuple[str, ...]
    topics: tuple[tuple[Topic, ...], ...]
    corrected: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An entry found, and how well it fits."""

    entry: Entry
    score: float


def understand(asked: str) -> Understood:
    """Return what a question names, after correcting its spelling."""
    words: list[str] = []
    begun: dict[str, list[str]] = {}
    corrected = False
    for word in words_of(asked[:MAX_LETTERS])[:MAX_WORDS]:
        near = None
        if not _is_known(word):
            if completed := spelling().begun_by(word):
                begun[stem(word)] = completed[:MAX_BEGUN]
            else:
                near = spelling().nearest(word)
        corrected = corrected or near is not None
        words.append(near or word)
    stems = [stem(word) for word in words if word not in fillers()]
    named = _outermost(named_in(stems))
    return Understood(
        parts=tuple(_parts(stems, begun)),
        words=tuple(word for word in words if word not in ignored() | fillers()),
        topics=tuple(dict.fromkeys(tuple(topics()[name] for name in one.topics) for one in named)),
        corrected=" ".join(words) if corrected else "",
    )


def _is_known(word: str) -> bool:
    return word in spelling().known or word in ignored() or word in fillers() or is_known(stem(word))


def _outermost(found: Iterable[Named]) -> list[Named]:
    """Return the phrases that don't share a word with a longer one, in the order of the question."""
    taken: set[int] = set()
    kept = []
    for one in found:
        if taken.isdisjoint(one.places):
            kept.append(one)
            taken.update(one.places)
    return sorted(kept, key=lambda one: one.at)


def _parts(stems: list[str], begun: Mapping[str, list[str]]) -> Iterable[Part]:
    """Yield the parts of a question: its phrases, those inside them, and its words."""
    found = named_in(stems)
    outermost = _outermost(found)
    for one in found:
        is_topic = one in outermost
        yield Part({topic_key(name): 1.0 for name in one.topics}, 1.0 if is_topic else INSIDE, is_topic)
    phrased = {place for one in found for place in one.places}
    for at, word in enumerate(stems):
        if at not in phrased and word in _ignored_stems():
            continue
        keys = dict.fromkeys(same_words().get(word, ()), ALIKE) | {word: 1.0}
        for other in map(stem, begun.get(word, ())):
            keys |= {other: 1.0} | {topic_key(name): 1.0 for name in phrases().get((other,), ())}
        yield Part(keys, INSIDE if at in phrased else 1.0)


@cache
def _ignored_stems() -> frozenset[str]:
    return frozenset(map(stem, ignored()))


def answers(question: Understood, book: str = "", among: Searched | None = None) -> list[Answer]:
    """Return the entries that fit a question, in one book or in all, best first; `among` is what ships if not given."""
    searched = among or release()
    keys = list(dict.fromkeys(key for part in question.parts for key in part.keys))
    found_in, lengths = searched.having(keys), searched.words.lengths
    scores: dict[int, float] = defaultdict(float)
    matched: dict[int, float] = defaultdict(float)
    together: dict[int, int] = defaultdict(int)
    asked = 0.0
    for part in question.parts:
        best = _best_weights(part, found_in)
        if not best:
            continue
        telling = part.counts * math.log(1 + len(lengths) / len(best))
        is_telling = part.is_topic and len(best) < COMMON * len(lengths)
        asked += telling
        for at, weight in best.items():
            scores[at] += telling * weight
            matched[at] += telling
            together[at] += is_telling
    found = []
    for at, score in scores.items():
        entry = searched.entry(at)
        if not book or book in entry.books:
            fits = score * matched[at] / asked * _plainness(entry, lengths[at], keys)
            found.append((-min(together[at], TOPICS_TOGETHER), -fits, at))
    found.sort()
    return [Answer(searched.entry(at), -fits) for _together, fits, at in found]


def _best_weights(part: Part, found_in: Mapping[str, Mapping[int, float]]) -> dict[int, float]:
    """Return the number of each document → the largest weight in it of what this part asks for."""
    best: dict[int, float] = {}
    for key, counts in part.keys.items():
        for at, weight in found_in[key].items():
            best[at] = max(best.get(at, 0.0), counts * weight)
    return best


def _plainness(entry: Entry, length: float, keys: Collection[str]) -> float:
    """Return how readily an entry answers: less if it is long or about other topics as well, or only a heading."""
    others = sum(topic_key(name) not in keys for name in entry.of.topics) if isinstance(entry.of, Ruling) else 0
    return OF_KIND[entry.kind] / (1 + length / LONG) / (1 + OFF_TOPIC * others)


def worth_showing(found: list[Answer], share: float = WORTH_SHOWING) -> list[Answer]:
    """Return the answers whose score is at least this share of the best one's."""
    least = share * max((one.score for one in found), default=0)
    return [one for one in found if one.score >= least]


def open_answers(found: list[Answer]) -> list[Answer]:
    """Return the rulings, topics, sections and sentences on powers among the answers.

    A section on a topic found before is left out, and the sentence with which the page of that topic begins.
    """
    kept: list[Answer] = []
    shown: set[tuple[str, str]] = set()
    for one in found:
        match one.entry.of:
            case Topic(name=name):
                places = [topic_places(book)[name] for book in one.entry.books]
                shown |= {(place.edition, place.section) for place in places} | {("", name)}
            case Heading(path=path) if (one.entry.books[0], path) in shown:
                continue
            case PowerSays(is_first=True, topic=name) if ("", name) in shown:
                continue
            case ReadyDispute():
                continue
        kept.append(one)
    return kept
