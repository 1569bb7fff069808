"""What the rules search looks through: rulings, topics, sections and disputes that ship, and passages of loaded books.

An `Entry` is what a page shows. Its `Document` is what the database searches (`stored`): its words and topics with
their weights, made by `document_of`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from rules import shelf
from rules.engine import EDITIONS, Heading, Ruling, Topic, headings, powers_on, rulings, topic_places, topics
from rules.full_text import as_column
from rules.shelf import ReadyDispute

from .words import SYNONYMS, Spelling, count_words, fillers, said_of_topics, stem, words_of

ABOUT, NAMED, SAID, HEADED = 2.0, 1.3, 1.0, 0.5
"""The weight of a word or topic in a text: the text is about it, names it, says it; it is in the heading above it."""

OF_A_PASSAGE, OF_AN_EXAMPLE = 0.2, 1.5
"""How much the length of a passage or an example counts, beside that of another text."""
TOPIC = "t."
"""The mark of a topic among the words of a document."""

CODE = tuple(Path(__file__).with_name(name) for name in ("corpus.py", "words.py"))
"""The modules that make documents."""

Kind = Literal["ruling", "topic", "section", "power", "dispute", "passage"]


@dataclass(frozen=True, slots=True)
class PowerSays:
    """A sentence on what a power or team ability does: its name, its topic, the sentence, whether its page begins so."""

    name: str
    topic: str
    text: str
    is_first: bool


class Said(NamedTuple):
    """A part of a text, with the weight of its words, and of the topics that it names."""

    text: str
    said: float = SAID
    named: float = NAMED


@dataclass(frozen=True, slots=True)
class Entry:
    """One text that a search may find.

    That is a ruling, a topic in all its books, a section's heading, what a power does, a ready-made dispute, or the row
    (by its key) of a passage of a loaded book.

    `books` are the editions that have it; `about` the topics of which it treats. `says` are its parts, the first of
    which makes its length, multiplied by `stretch`.
    """

    kind: Kind
    of: Ruling | Topic | Heading | PowerSays | ReadyDispute | int
    books: tuple[str, ...]
    says: tuple[Said, ...] = ()
    about: tuple[str, ...] = ()
    stretch: float = 1


class Document(NamedTuple):
    """What is searched of an entry: its number, its length, and its stems and topics as weighted words."""

    number: int
    length: float
    words: str


def weighted(key: str, weight: float) -> str:
    """Return a stem or a topic (`topic_key`) as a word of documents in which it has this weight."""
    return f"{key}/{weight * 100:.0f}"


def key_of(word: str) -> str:
    """Return the stem or topic of a weighted word."""
    return word.partition("/")[0]


def weight_of(word: str) -> float:
    """Return the weight of a weighted word."""
    return int(word.partition("/")[2]) / 100


def topic_key(name: str) -> str:
    """Return a topic as a word of documents."""
    return TOPIC + name


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
            key = topic_key(name)
            weights[key] = max(weights[key], named * (HEADED if inside else 1))
        taken.update(found.places)
    return len(stems)


def document_of(entry: Entry, number: int) -> Document:
    """Return what is searched of an entry."""
    weights: dict[str, float] = defaultdict(float)
    lengths = [_weigh(weights, *part) for part in entry.says]
    for name in entry.about:
        weights[topic_key(name)] = max(weights[topic_key(name)], ABOUT)
    words = as_column(weighted(key, weight) for key, weight in weights.items() if weight)
    return Document(number, lengths[0] * entry.stretch, words)


def _of_ruling(one: Ruling) -> Entry:
    says = Said(one.text), Said(" ".join(one.figures), NAMED, 0), _heading(one.section)
    return Entry("ruling", one, (one.edition,), says, tuple(one.topics), OF_AN_EXAMPLE if one.example else 1)


def _heading(section: str) -> Said:
    return Said(section.rsplit(" › ", 1)[-1], HEADED, HEADED)


def _of_topic(one: Topic, books: tuple[str, ...]) -> Entry:
    phrases_of_it = (Said(phrase, HEADED, HEADED) for phrase in said_of_topics().get(one.name, ()))
    return Entry("topic", one, books, (Said(one.title), *phrases_of_it), (one.name,))


def _of_section(edition: str, one: Heading) -> Entry:
    above = (Said(part, HEADED, HEADED) for part in one.parts[:-1])
    return Entry("section", one, (edition,), (Said(one.parts[-1]), *above))


def _of_power(one: PowerSays, books: tuple[str, ...]) -> Entry:
    return Entry("power", one, books, (Said(one.text),), (one.topic,))


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
    says = Said(f"{one.title} {one.question}"), Said(one.answer, HEADED, HEADED)
    return Entry("dispute", one, (one.edition,), says)


def of_passage(edition: str, key: int, section: str, text: str) -> Entry:
    """Return a passage of a loaded book, by the key of its row."""
    says = Said(text), Said(section.rsplit(" › ", 1)[-1], ABOUT, ABOUT)
    return Entry("passage", key, (edition,), says, stretch=OF_A_PASSAGE)


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


@cache
def entries() -> tuple[Entry, ...]:
    """Return everything that ships and can be searched; the number of an entry's document is its place."""
    return tuple(_entries())


@cache
def spelling() -> Spelling:
    """Return the words that are spelt right."""
    texts = [one.text for edition in EDITIONS for one in rulings(edition)]
    texts += [one.path for edition in EDITIONS for one in headings(edition).all]
    texts += [one.title for one in topics().values()]
    texts += [phrase for said in said_of_topics().values() for phrase in said]
    return Spelling(count_words(texts))


@cache
def content() -> str:
    """Return a digest of all that documents are made of: another release's differs if any of its documents does."""
    told = hashlib.sha256()
    for file in (SYNONYMS, *CODE):
        told.update(file.read_bytes())
    for entry in entries():
        told.update(repr((entry.says, entry.about, entry.stretch)).encode())
    for name, topic in topics().items():
        told.update(repr((name, topic.title)).encode())
    return told.hexdigest()[:32]
