"""An index of the catalogue by words: what a player types → the elements it may mean, best first.

Pure and kept in memory by `rules/queries.py`, so SQLite and PostgreSQL answer alike. Texts of cards aren't indexed.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from .search.words import Spelling, plain_words, written_out

MAX_LETTERS, MAX_WORDS = 200, 12
"""Longer questions are cut: their first words say what they are about."""
SHORTEST_CORRECTED, MAX_NEAR = 4, 4
"""The letters of the shortest word whose spelling is corrected, and how many known words may stand for it."""
WORTH_SHOWING = 0.5
"""The least score of an element that lacks words, as a share of the best one's."""
SMALL = frozenset({"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})
"""Words that aren't joined with their neighbours."""
TITLES = {"dr": "doctor", "mr": "mister", "prof": "professor", "capt": "captain", "sgt": "sergeant", "lt": "lieutenant"}
SAME = {**TITLES, **{long: short for short, long in TITLES.items()}}

Places = set[int]
Postings = dict[str, list[int]]
Term = tuple[tuple[str, ...], ...]
"""Alternatives for one typed word, each of one or more words that must all be there."""


class Indexed(NamedTuple):
    """One version of an element's facts, with what it is found by; `words` is all of it, folded."""

    pk: int
    name: str
    number: str
    set_code: str
    set_name: str
    section: str
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Found:
    """The keys of dated facts that fit a question, in groups of equal rank, best first; within a group by name.

    `corrected` is the question with corrected spelling, empty if it was found as typed. If no element has all words,
    `is_partial` is true, and those with the most telling words are found.
    """

    groups: tuple[tuple[int, ...], ...] = ()
    corrected: str = ""
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """An element as a list names it: its set (code or name), its collector number, its name; each may be empty."""

    set: str = ""
    number: str = ""
    name: str = ""


def bare(word: str) -> str:
    """Return a word without the zeros before its numbers: 012 is 12, and g001 is g1."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", word) if "0" in word else word


def words_in(text: str) -> list[str]:
    """Return the words of a text in the form in which they are compared."""
    return [bare(word) for word in plain_words(text)]


def joined(text: str) -> str:
    """Return a text as one word: Spider-Man, spider man and Spiderman become one."""
    return bare("".join(plain_words(text)))


def _pairs(words: Sequence[str]) -> Iterator[str]:
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


class ElementIndex:
    """All dated facts of the catalogue by their words; an element's place is its position in the order of names.

    `allowed` keeps which of them each edition's forces can contain, once someone has asked.
    """

    def __init__(self, rows: Iterable[Indexed]) -> None:
        self.rows = sorted(rows, key=lambda row: (row.name, row.pk))
        self.names: list[str] = []
        self.fields: tuple[Postings, ...] = tuple(defaultdict(list) for _field in range(4))
        self.named, self.of_set, self.numbered, self.other = self.fields
        self.whole_names: Postings = defaultdict(list)
        self.whole_sets: Postings = defaultdict(list)
        self.allowed: dict[str, frozenset[int]] = {}
        for place, row in enumerate(self.rows):
            name = words_in(row.name)
            whole, number, of_set = "".join(name), _number_words(row.number), _set_words(row.set_code, row.set_name)
            self.names.append(whole)
            self.whole_names[whole].append(place)
            for word in of_set.whole:
                self.whole_sets[word].append(place)
            known = {*name, *_pairs(name)}, of_set.words, number
            others = {*map(bare, plain_words(row.words, folded=True)), *plain_words(f"{row.section} {row.kind}")}
            others.difference_update(*known)
            for field, words in zip(self.fields, (*known, others), strict=True):
                for word in words:
                    field[word].append(place)

    @cached_property
    def vocabulary(self) -> list[str]:
        """All words of the index, in order."""
        return sorted(set().union(*self.fields))

    @cached_property
    def keys(self) -> list[int]:
        """The keys of all dated facts, by name."""
        return [row.pk for row in self.rows]

    @cached_property
    def sections(self) -> dict[int, str]:
        """The section of each element, by the key of its dated facts."""
        return {row.pk: row.section for row in self.rows}

    @cached_property
    def spelling(self) -> Spelling:
        """The words by which others are corrected, with the number of their elements."""
        plain = (word for word in self.vocabulary if len(word) >= SHORTEST_CORRECTED and word.isalpha())
        return Spelling({word: sum(len(field.get(word, ())) for field in self.fields) for word in plain})

    # Questions

    def find(self, text: str, *, all_words: bool = False) -> Found:
        """Return what fits a question; with `all_words`, nothing that lacks one of its words.

        The exact number in a set comes first, then names with all words, names with words that begin so, and other
        elements with all words. Spelling is corrected only if nothing has all words as typed.
        """
        asked = words_in(text[:MAX_LETTERS].replace("\0", " "))[:MAX_WORDS]
        terms = [self._term(asked, at) for at in range(len(asked))]
        if groups := self._ranked(asked, terms):
            return self._found(groups)
        unknown, every = (
            [self._near(word, term, known) for word, term in zip(asked, terms, strict=True)] for known in (False, True)
        )
        for near in (unknown, every):
            words = [other[0] if other else word for word, other in zip(asked, near, strict=True)]
            if any(near) and (groups := self._ranked(words, _with(terms, near))):
                return self._found(groups, " ".join(words))
        return Found() if all_words or len(asked) < 2 else self._partly(asked, _with(terms, unknown))

    def _found(self, groups: Iterable[Sequence[int]], corrected: str = "", is_partial: bool = False) -> Found:
        rows = self.rows
        return Found(tuple(tuple(rows[place].pk for place in group) for group in groups), corrected, is_partial)

    def _term(self, asked: Sequence[str], at: int) -> Term:
        """Return what a typed word may stand for: itself, abbreviations written out, or joined with a neighbour."""
        word = asked[at]
        found = [(word,), *((*_pairs(asked[one : one + 2]),) for one in (at - 1, at) if one >= 0)]
        if word in SAME:
            found.append((SAME[word],))
        if word in written_out():
            found.append(written_out()[word])
        if parts := re.fullmatch(r"([a-z]+)(\d\w*)", word):
            found.append((parts[1], bare(parts[2])))
        return tuple(dict.fromkeys(one for one in found if one))

    def _having(self, word: str, fields: Iterable[Postings]) -> Places:
        return set().union(*(field.get(word, ()) for field in fields))

    def _exact(self, term: Term, fields: Sequence[Postings]) -> Places:
        """Return the places where one of the alternatives stands in these fields."""
        return set().union(*(set.intersection(*(self._having(word, fields) for word in words)) for words in term))

    def _begun(self, start: str, fields: Sequence[Postings]) -> Places:
        """Return the places where a word of these fields begins with these letters."""
        known = self.vocabulary
        found: Places = set()
        for word in known[bisect_left(known, start) : bisect_left(known, start + "\U0010ffff")]:
            for field in fields:
                found.update(field.get(word, ()))
        return found

    def _ranked(self, asked: Sequence[str], terms: Sequence[Term]) -> list[list[int]]:
        """Return the places that have all words, in groups of equal rank."""
        if not terms:
            return []
        anywhere = [self._exact(term, self.fields) for term in terms]
        begun = [have | self._begun(term[0][0], self.fields) for term, have in zip(terms, anywhere, strict=True)]
        every = set.intersection(*begun)
        if not every:
            return []
        names = [self._exact(term, (self.named,)) for term in terms]
        starts = [have | self._begun(term[0][0], (self.named,)) for term, have in zip(terms, names, strict=True)]
        groups = [self._numbers_of(asked, terms)]
        for having in (names, starts):
            both = set.intersection(*having)
            groups += [{place for place in both if self.names[place].startswith("".join(asked))}, both]
        groups += [set.intersection(*anywhere), every]
        return _apart(groups)

    def _numbers_of(self, asked: Sequence[str], terms: Sequence[Term]) -> Places:
        """Return the places with a typed collector number, whose set or name has all the other words."""
        found: Places = set()
        for at, word in enumerate(asked):
            if word in self.numbered:
                others = [
                    self._exact(term, (self.of_set, self.named)) for other, term in enumerate(terms) if other != at
                ]
                found |= set(self.numbered[word]).intersection(*others)
        for term in terms if len(terms) == 1 else ():
            for words in term:
                if len(words) > 1 and words[-1] in self.numbered:
                    found |= set(self.numbered[words[-1]]) & self._having(words[0], (self.of_set,))
        return found

    def _near(self, word: str, term: Term, known: bool) -> list[str]:
        """Return the words nearest to one that isn't known, or, with `known`, to any."""
        if not known and (self._exact(term, self.fields) or self._begun(word, self.fields)):
            return []
        near = self.spelling.near(word, shortest=SHORTEST_CORRECTED)
        return (near or self.spelling.near(word, begun=True))[:MAX_NEAR]

    def _partly(self, asked: Sequence[str], terms: Sequence[Term]) -> Found:
        """Return what has the most telling of the words, if nothing has all; words of names count twice."""
        scores: dict[int, float] = defaultdict(float)
        for word, term in zip(asked, terms, strict=True):
            have = self._exact(term, self.fields) or self._begun(word, self.fields)
            telling = math.log(1 + len(self.rows) / len(have)) if have else 0
            for place in have:
                scores[place] += telling
            for place in self._exact(term, (self.named,)):
                scores[place] += telling * (1.5 if self.names[place].startswith(word) else 1)
        least = WORTH_SHOWING * max(scores.values(), default=0)
        groups: dict[float, list[int]] = defaultdict(list)
        for place in sorted(scores):
            if scores[place] >= least:
                groups[round(scores[place], 6)].append(place)
        return self._found([groups[score] for score in sorted(groups, reverse=True)], is_partial=True)

    # Lines of lists

    def match(self, wanted: Wanted) -> tuple[str, list[int]]:
        """Return how an element of a list was matched (`rules.queries.Matched`), and the keys of its candidates."""
        of_set = set(self.whole_sets.get(joined(wanted.set), ())) if wanted.set else None
        numbered = set(self.numbered.get(joined(wanted.number), ())) if wanted.number else None
        by_name, named = self._named(wanted.name)
        if of_set is not None and numbered is not None and (exact := of_set & numbered):
            agree = exact & named if wanted.name else exact
            return ("number", self._keys(agree)) if agree else ("conflict", self._keys(exact))
        narrowed = named
        for limit in (of_set, numbered):
            if limit is not None and narrowed & limit:
                narrowed &= limit
            elif limit is not None and by_name:
                by_name = "conflict"
        return by_name if narrowed else "", self._keys(narrowed)

    def _named(self, name: str) -> tuple[str, Places]:
        """Return the places with this name: the whole name, all its words, or its words corrected."""
        asked = words_in(name[:MAX_LETTERS])[:MAX_WORDS]
        if asked and (whole := self.whole_names.get("".join(asked))):
            return "name", set(whole)
        terms = [self._term(asked, at) for at in range(len(asked))]
        having = [self._exact(term, (self.named,)) for term in terms]
        if having and (both := set.intersection(*having)):
            return "words", both
        near = [self._near(word, term, False) for word, term in zip(asked, terms, strict=True)]
        corrected = (other[0] if other else word for word, other in zip(asked, near, strict=True))
        if any(near) and (whole := self.whole_names.get("".join(corrected))):
            return "spelling", set(whole)
        having = [self._exact(term, (self.named,)) for term in _with(terms, near)]
        return "spelling", set.intersection(*having) if having else set()

    def _keys(self, places: Iterable[int]) -> list[int]:
        return [self.rows[place].pk for place in sorted(places)]


def _with(terms: Iterable[Term], near: Iterable[Iterable[str]]) -> list[Term]:
    """Return the terms with other spellings as alternatives."""
    return [(*term, *((word,) for word in words)) for term, words in zip(terms, near, strict=True)]


def _apart(groups: Iterable[Places]) -> list[list[int]]:
    """Return the groups in order, each without the places of those before it; empty ones are left out."""
    seen: Places = set()
    found = []
    for group in groups:
        if new := group - seen:
            found.append(sorted(new))
            seen |= new
    return found
