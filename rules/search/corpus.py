"""What the rules search looks through: the rulings, topics, sections and disputes that ship, as weighted words and topics.

It is made once in a process, on the first search; it depends on the program's version only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rules import shelf
from rules.engine import EDITIONS, Heading, Ruling, Topic, headings, powers_on, rulings, topic_places, topics
from rules.shelf import ReadyDispute

from .words import Spelling, count_words, fillers, said_of_topics, stem, words_of

ABOUT, NAMED, SAID, HEADED = 2.0, 1.3, 1.0, 0.5
"""The weight of a word or topic in a text: the text is about it, names it, says it; it is in the heading above it."""

OF_A_PASSAGE = 0.2
"""How much the length of a passage counts, beside that of a ruling."""

Kind = Literal["ruling", "topic", "section", "power", "dispute", "passage"]


@dataclass(frozen=True, slots=True)
class PowerSays:
    """A sentence on what a power or team ability does: its name, its topic, the sentence, whether its page begins so."""

    name: str
    topic: str
    text: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One text that a search may find.

    That is a ruling, a topic in all its books, a section's heading, what a power does, a ready-made dispute, or the row
    (by its key) of a passage of a loaded book.

    `books` are the editions that have it. `weights` says how much of it each stem and each topic (`topic:name`) is.
    """

    kind: Kind
    of: Ruling | Topic | Heading | PowerSays | ReadyDispute | int
    books: tuple[str, ...]
    weights: Mapping[str, float]
    length: float


@dataclass(frozen=True, slots=True)
class Named:
    """A phrase found in a text: where, how many words, and the topics that it names."""

    at: int
    words: int
    topics: tuple[str, ...]

    @property
    def places(self) -> range:
        """The places of its words in the text."""
        return range(self.at, self.at + self.words)


@dataclass(frozen=True, slots=True)
class Index:
    """Entries, and how much each stem and topic weighs in which of them."""

    entries: tuple[Entry, ...]
    found_in: Mapping[str, Mapping[int, float]]


@dataclass(frozen=True, slots=True)
class Corpus(Index):
    """Everything that ships, and the words that are spelt right."""

    spelling: Spelling


def told(text: str) -> list[str]:
    """Return the words of a text without fillers: the form in which phrases are looked for."""
    return [word for word in words_of(text) if word not in fillers()]


@cache
def phrases() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return the stems of each phrase → the topics that it names: titles, keys, parts of titles with a slash, synonyms."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, topic in topics().items():
        for written in (topic.title, name, *said_of_topics().get(name, ())):
            stems = tuple(stem(word) for word in told(written))
            if stems and name not in found[stems]:
                found[stems].append(name)
    return {stems: tuple(names) for stems, names in found.items()}


@cache
def _longest() -> int:
    return max(map(len, phrases()))


def named_in(stems: Sequence[str]) -> list[Named]:
    """Return the phrases in a text that name topics, those inside longer ones included, longer ones first."""
    found = []
    for words in range(min(_longest(), len(stems)), 0, -1):
        for at in range(len(stems) - words + 1):
            names = phrases().get(tuple(stems[at : at + words]))
            if names:
                found.append(Named(at, words, names))
    return found


def _weigh(weights: dict[str, float], text: str, said: float, named: float) -> int:
    """Give each stem of a text and each topic named in it its weight, and return how many words the text has."""
    stems = [stem(word) for word in told(text)]
    for one in stems:
        weights[one] = max(weights[one], said)
    taken: set[int] = set()
    for found in named_in(stems):
        inside = taken.issuperset(found.places)
        for name in found.topics:
            key = f"topic:{name}"
            weights[key] = max(weights[key], named * (HEADED if inside else 1))
        taken.update(found.places)
    return len(stems)


def _of_ruling(one: Ruling) -> Entry:
    weights: dict[str, float] = defaultdict(float)
    length = _weigh(weights, one.text, SAID, NAMED)
    _weigh(weights, " ".join(one.figures), NAMED, 0)
    _weigh(weights, one.section.rsplit(" › ", 1)[-1], HEADED, HEADED)
    for name in one.topics:
        weights[f"topic:{name}"] = max(weights[f"topic:{name}"], ABOUT)
    return Entry("ruling", one, (one.edition,), dict(weights), length * (1.5 if one.example else 1))


def _of_topic(one: Topic, books: tuple[str, ...]) -> Entry:
    weights: dict[str, float] = defaultdict(float)
    length = _weigh(weights, one.title, SAID, NAMED)
    for phrase in said_of_topics().get(one.name, ()):
        _weigh(weights, phrase, HEADED, HEADED)
    weights[f"topic:{one.name}"] = ABOUT
    return Entry("topic", one, books, dict(weights), length)


def _of_section(edition: str, one: Heading) -> Entry:
    weights: dict[str, float] = defaultdict(float)
    for part in one.parts[:-1]:
        _weigh(weights, part, HEADED, HEADED)
    length = _weigh(weights, one.parts[-1], SAID, NAMED)
    return Entry("section", one, (edition,), dict(weights), length)


def _of_power(one: PowerSays, books: tuple[str, ...]) -> Entry:
    weights: dict[str, float] = defaultdict(float)
    length = _weigh(weights, one.text, SAID, NAMED)
    weights[f"topic:{one.topic}"] = ABOUT
    return Entry("power", one, books, dict(weights), length)


def _powers() -> Mapping[PowerSays, tuple[str, ...]]:
    """Return each sentence on a power → the books of which it is true."""
    found: dict[PowerSays, tuple[str, ...]] = {}
    for edition in EDITIONS:
        for power in (power for topic in topics() for power in powers_on(edition, topic)):
            for statement in power.statements:
                one = PowerSays(power.row.name, power.row.topic, statement.text, statement is power.does)
                found[one] = (*found.get(one, ()), edition)
    return found


def _of_dispute(one: ReadyDispute) -> Entry:
    weights: dict[str, float] = defaultdict(float)
    _weigh(weights, one.answer, HEADED, HEADED)
    length = _weigh(weights, f"{one.title} {one.question}", SAID, NAMED)
    return Entry("dispute", one, (one.edition,), dict(weights), length)


def _entries() -> Iterable[Entry]:
    for edition in EDITIONS:
        yield from (_of_ruling(one) for one in rulings(edition))
    for name, topic in topics().items():
        books = tuple(edition for edition in EDITIONS if name in topic_places(edition))
        if books:
            yield _of_topic(topic, books)
    for edition in EDITIONS:
        yield from (_of_section(edition, one) for one in headings(edition).all)
    yield from (_of_power(one, books) for one, books in _powers().items())
    yield from map(_of_dispute, shelf.ready_disputes().values())


def _found_in(entries: Sequence[Entry]) -> Mapping[str, Mapping[int, float]]:
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for number, entry in enumerate(entries):
        for key, weight in entry.weights.items():
            if weight:
                found[key][number] = weight
    return dict(found)


@cache
def corpus() -> Corpus:
    """Return everything that ships and can be searched."""
    entries = tuple(_entries())
    texts = [one.text for edition in EDITIONS for one in rulings(edition)]
    texts += [one.path for edition in EDITIONS for one in headings(edition).all]
    texts += [one.title for one in topics().values()]
    texts += [phrase for said in said_of_topics().values() for phrase in said]
    return Corpus(entries, _found_in(entries), Spelling(count_words(texts)))


def index_of_passages(edition: str, passages: Iterable[tuple[int, str, str]]) -> Index:
    """Return the passages of a loaded book, given as key, section and text, as an index."""
    entries = []
    for key, section, text in passages:
        weights: dict[str, float] = defaultdict(float)
        length = _weigh(weights, text, SAID, NAMED)
        _weigh(weights, section.rsplit(" › ", 1)[-1], ABOUT, ABOUT)
        entries.append(Entry("passage", key, (edition,), dict(weights), length * OF_A_PASSAGE))
    return Index(tuple(entries), _found_in(entries))
