"""What “X against Y” can be asked about: the powers and team abilities of a book, and conditions of figures and terrain.

Names are found by partial words, by the abbreviations and synonyms of the rules search, and with letters missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from rules.engine import EDITIONS, Edition, topic_places, topics
from rules.search.words import Spelling, count_words, plain_words, said_of_topics, stem, words_of, written_out

Kind = Literal["power", "team", "condition"]

CONDITIONS = (
    "soaring",
    "hovering",
    "flying",
    "elevation",
    "hindering-terrain",
    "water",
    "blocking-terrain",
    "walls",
    "adjacency",
    "action-tokens",
    "held-object",
    "giant",
    "colossal",
    "tiny",
    "sentinel",
)
"""The topics of conditions that a position can show (`positions.CONDITIONS` puts them there)."""
NO_RANK = 9
"""The rank of a phrase that doesn't fit."""
NEEDS_FLIGHT = frozenset({"soaring", "hovering"})
"""Conditions of books in which fliers choose between hovering and soaring."""


@dataclass(frozen=True, slots=True)
class Term:
    """Something that may meet something else: its key in addresses, its name, its topic and its kind."""

    key: str
    name: str
    topic: str
    kind: Kind


@cache
def terms(edition: str) -> Mapping[str, Term]:
    """Return key → term of a book: powers, then team abilities, then conditions, each in the order of their names."""
    book = EDITIONS[edition]
    found = [*_named(book, "power"), *_named(book, "team"), *_conditions(book)]
    return MappingProxyType({one.key: one for one in found})


def _named(book: Edition, kind: Literal["power", "team"]) -> list[Term]:
    rows = book.powers if kind == "power" else book.team_abilities
    made = {row.topic: Term(row.topic, row.name, row.topic, kind) for row in rows.values()}
    return sorted(made.values(), key=lambda one: one.name)


def _conditions(book: Edition) -> list[Term]:
    places = topic_places(book.name)
    return [
        Term(name, topics()[name].title, name, "condition")
        for name in CONDITIONS
        if name in places and (name not in NEEDS_FLIGHT or book.movement.flight_modes)
    ]


Phrase = tuple[str, ...]


@cache
def _phrases(edition: str) -> Mapping[str, tuple[Phrase, ...]]:
    """Return key → the phrases that name a term, as words: its name, its key, and what players say."""
    return MappingProxyType(
        {
            term.key: tuple(
                dict.fromkeys(
                    tuple(words_of(said)) for said in (term.name, term.key, *said_of_topics().get(term.topic, ()))
                )
            )
            for term in terms(edition).values()
        }
    )


@cache
def _spelling(edition: str) -> Spelling:
    return Spelling(count_words(" ".join(phrase) for named in _phrases(edition).values() for phrase in named))


def find_terms(edition: str, typed: str) -> list[Term]:
    """Return the terms that what is typed may stand for, best first; all of them if nothing is typed."""
    words = _typed(typed)
    if not words:
        return list(terms(edition).values())
    found = _ranked(edition, words)
    if not found:
        near = [next(iter(_spelling(edition).near(word, shortest=4, begun=True)), word) for word in words]
        found = _ranked(edition, near)
    return found


def _typed(text: str) -> list[str]:
    """Return the words of what is typed; an abbreviation may be a whole name, or the beginning of a word."""
    return plain_words(text[:80])[:8]


def _ranked(edition: str, words: list[str]) -> list[Term]:
    found = [(_best(edition, term, words), term) for term in terms(edition).values()]
    return [term for rank, term in sorted(found, key=lambda one: one[0]) if rank < NO_RANK]


def _best(edition: str, term: Term, words: list[str]) -> int:
    return min(_rank(phrase, words) for phrase in _phrases(edition)[term.key])


def _rank(phrase: Phrase, words: list[str]) -> int:
    """Return how well a phrase fits: 0 all of it, 1 it begins so, 2 each word begins one of its own, else `NO_RANK`."""
    whole = [part for word in words for part in written_out().get(word, (word,))]
    stems = [stem(word) for word in phrase]
    for tried in (words, whole):
        if [stem(word) for word in tried] == stems:
            return 0
    if " ".join(phrase).startswith(" ".join(words)):
        return 1
    if all(any(part.startswith(word) or stem(word) == stem(part) for part in phrase) for word in words):
        return 2
    return NO_RANK


def read_term(edition: str, typed: str) -> Term | None:
    """Return the term with that key or name, or the only one or clearly best one that it may stand for, or None."""
    known = terms(edition).get(typed)
    if known is not None:
        return known
    words = _typed(typed)
    found = find_terms(edition, typed) if words else []
    if len(found) == 1:
        return found[0]
    whole = [one for one in found if _best(edition, one, words) == 0]
    return whole[0] if whole else None
