"""Finding elements of the catalogue: what a player types → the elements it may mean, best first.

The database finds the elements that have the words (`full_text`, `searched`). Here is what a typed word may stand for,
how spelling is corrected, and which hits come first: the same on SQLite and PostgreSQL.
"""

from __future__ import annotations

import datetime
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .full_text import Query, any_found, begins, counted, every, found, has, ranked, some
from .models import Facts
from .models.catalogue import FIRST_DAY, LAST_DAY
from .search.words import Spelling, written_out
from .searched import FIELDS, NAME, NUMBER, SET, WHOLE_NAME, WHOLE_SET, bare, joined, pairs, words_in

MAX_LETTERS, MAX_WORDS = 200, 12
"""Longer questions are cut: their first words say what they are about."""
SHORTEST_CORRECTED, MAX_NEAR = 4, 4
"""The letters of the shortest word whose spelling is corrected, and how many known words may stand for it."""
WORTH_SHOWING = 0.5
"""The least score of an element that lacks words, as a share of the best one's."""
TITLES = {"dr": "doctor", "mr": "mister", "prof": "professor", "capt": "captain", "sgt": "sergeant", "lt": "lieutenant"}
TABLE = Facts._meta.db_table
SAME = {**TITLES, **{long: short for short, long in TITLES.items()}}

Keys = set[int]
Term = tuple[tuple[str, ...], ...]
"""Alternatives for one typed word, each of one or more words that must all be there."""


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


class _Hits(NamedTuple):
    """The keys of the facts with a name, and of those that have a set and number as well, or one of them."""

    whole: Keys
    words: Keys
    of_set: Keys
    numbered: Keys
    exact: Keys

    @property
    def named(self) -> Keys:
        return self.whole or self.words


def keys_of(queries: Sequence[Query | None]) -> list[Keys]:
    """Return for each query the keys of the dated facts that it finds."""
    return found(TABLE, queries)


class ElementSearch:
    """The catalogue in one of its states: what is kept in memory between searches, because each of them needs it.

    That is the order of names, each element's section, which facts don't count every day, the words by which others are
    corrected, and, once someone has asked, which elements each edition's forces can contain (`allowed`).
    """

    def __init__(self, rows: Iterable[tuple[int, str, str, datetime.date, datetime.date]]) -> None:
        """Take the key, name, section and days of all dated facts."""
        ordered = sorted(rows, key=lambda row: (row[1], row[0]))
        self.keys = [row[0] for row in ordered]
        self.sections = {row[0]: row[2] for row in ordered}
        self.days = {key: days for key, _name, _section, *days in ordered if days != [FIRST_DAY, LAST_DAY]}
        self.allowed: dict[str, frozenset[int]] = {}
        self._places = {key: place for place, key in enumerate(self.keys)}

    @cached_property
    def spelling(self) -> Spelling:
        """The words by which others are corrected, with the number of their elements."""
        uses: dict[str, int] = defaultdict(int)
        for marked, elements in counted(TABLE):
            word = marked[len(NAME) :]
            if marked.startswith(FIELDS) and len(word) >= SHORTEST_CORRECTED and word.isalpha():
                uses[word] += elements
        return Spelling(uses)

    def on(self, day: datetime.date, keys: Sequence[int]) -> Sequence[int]:
        """Leave out facts that don't count on a day."""
        wrong = {key for key, (begin, end) in self.days.items() if not begin <= day < end}
        return [key for key in keys if key not in wrong] if wrong else keys

    # Questions

    def find(self, text: str, *, all_words: bool = False) -> Found:
        """Return what fits a question; with `all_words`, nothing that lacks one of its words.

        The exact number in a set comes first, then names with all words, names with words that begin so, elements with
        all words whose name is some of them, and other elements with all words. Spelling is corrected only if nothing
        has all words as typed.
        """
        asked = words_in(text[:MAX_LETTERS].replace("\0", " "))[:MAX_WORDS]
        terms = [_term(asked, at) for at in range(len(asked))]
        if not self.keys or not asked:
            return Found()
        if any(groups := _ranked(asked, terms)):
            return self._found(groups)
        is_known = any_found(TABLE, [_begun(word, term) for word, term in zip(asked, terms, strict=True)])
        unknown = [[] if known else self._near(word) for word, known in zip(asked, is_known, strict=True)]
        for near in (unknown, [self._near(word) for word in asked]):
            words = [other[0] if other else word for word, other in zip(asked, near, strict=True)]
            if any(near) and any(groups := _ranked(words, _with(terms, near))):
                return self._found(groups, " ".join(words))
        return Found() if all_words or len(asked) < 2 else self._partly(asked, _with(terms, unknown))

    def _found(self, groups: Iterable[Keys], corrected: str = "", is_partial: bool = False) -> Found:
        """Return the groups in order, each by name and without the keys of those before it; empty ones are left out."""
        seen: Keys = set()
        kept = []
        for group in groups:
            if new := group - seen:
                kept.append(tuple(self.by_name(new)))
                seen |= new
        return Found(tuple(kept), corrected, is_partial)

    def by_name(self, keys: Iterable[int]) -> list[int]:
        """Return these keys in the order of names; without those that were added since, which the next search has."""
        return sorted(self._places.keys() & keys, key=self._places.__getitem__)

    def _near(self, word: str) -> list[str]:
        """Return the known words that are nearest to a word."""
        if len(word) < SHORTEST_CORRECTED:
            return []
        near = self.spelling.near(word, shortest=SHORTEST_CORRECTED)
        return (near or self.spelling.near(word, begun=True))[:MAX_NEAR]

    def _partly(self, asked: Sequence[str], terms: Sequence[Term]) -> Found:
        """Return what has the most telling of the words, if nothing has all; words of names count twice."""
        scores: dict[int, float] = defaultdict(float)
        queries = [
            query
            for word, term in zip(asked, terms, strict=True)
            for named in [_exact(term, (NAME,))]
            for query in (
                _exact(term), _begun(word), named, every([named, begins(WHOLE_NAME + word)])
            )
        ]  # fmt: skip
        hits = keys_of(queries)
        for exact, begun, named, first in zip(*(hits[at::4] for at in range(4)), strict=True):
            have = exact or begun
            telling = math.log(1 + len(self.keys) / len(have)) if have else 0
            for key in have:
                scores[key] += telling
            for key in named:
                scores[key] += telling * (1.5 if key in first else 1)
        least = WORTH_SHOWING * max(scores.values(), default=0)
        groups: dict[float, Keys] = defaultdict(set)
        for key, score in scores.items():
            if score >= least:
                groups[round(score, 6)].add(key)
        return self._found([groups[score] for score in sorted(groups, reverse=True)], is_partial=True)

    # Lines of lists

    def match(self, wanted: Iterable[Wanted]) -> list[tuple[str, list[int]]]:
        """Return how each element of a list was matched (`rules.queries.Matched`), and the keys of its candidates.

        As many statements for a long list as for a short one: one, and two more if a name is misspelt.
        """
        wanted = list(wanted)
        asked = [words_in(one.name[:MAX_LETTERS])[:MAX_WORDS] for one in wanted]
        terms = [[_term(words, at) for at in range(len(words))] for words in asked]
        hits = _hits(wanted, asked, terms)
        matched: list[tuple[str, list[int]]] = []
        misspelt = [at for at, one in enumerate(hits) if asked[at] and not one.named]
        again = self._corrected([(wanted[at], asked[at], terms[at]) for at in misspelt])
        corrected = dict(zip(misspelt, again, strict=True))
        for at, (one, hit) in enumerate(zip(wanted, hits, strict=True)):
            by = "name" if hit.whole else "words" if hit.words else "spelling"
            matched.append(self._decided(one, by, corrected.get(at, hit)))
        return matched

    def _corrected(self, names: Sequence[tuple[Wanted, list[str], list[Term]]]) -> list[_Hits]:
        """Return the hits of names with corrected spelling."""
        words = [(word, term) for _one, asked, terms in names for word, term in zip(asked, terms, strict=True)]
        is_known = iter([bool(keys) for keys in keys_of([_begun(word, term) for word, term in words])])
        near = [[[] if next(is_known) else self._near(word) for word in asked] for _one, asked, _terms in names]
        spelt = [
            [other[0] if other else word for word, other in zip(asked, others, strict=True)] if any(others) else []
            for (_one, asked, _terms), others in zip(names, near, strict=True)
        ]
        terms = [_with(terms, others) for (_one, _asked, terms), others in zip(names, near, strict=True)]
        return _hits([one for one, _asked, _terms in names], spelt, terms)

    def _decided(self, wanted: Wanted, by_name: str, hits: _Hits) -> tuple[str, list[int]]:
        named = hits.named
        if hits.exact:
            agree = hits.exact & named if wanted.name else hits.exact
            return ("number", self.by_name(agree)) if agree else ("conflict", self.by_name(hits.exact))
        narrowed = named
        for given, limit in ((wanted.set, hits.of_set), (wanted.number, hits.numbered)):
            if given and narrowed & limit:
                narrowed = narrowed & limit
            elif given:
                by_name = "conflict"
        return by_name if narrowed else "", self.by_name(narrowed)


def _hits(wanted: Iterable[Wanted], asked: Iterable[Sequence[str]], terms: Iterable[Sequence[Term]]) -> list[_Hits]:
    queries: list[Query | None] = []
    for one, words, some_terms in zip(wanted, asked, terms, strict=True):
        whole = whole_name("".join(words))
        named = every(_exact(term, (NAME,)) for term in some_terms)
        of_set, numbered = whole_set(one.set), collector_number(one.number)
        either = some([whole, named])
        queries += [whole, named, every([of_set, either]), every([numbered, either]), every([of_set, numbered])]
    hits = keys_of(queries)
    return [_Hits(*hits[at : at + 5]) for at in range(0, len(hits), 5)]


def whole_name(name: str) -> Query | None:
    """Ask for a name, written as one word."""
    return has(WHOLE_NAME + name) if name else None


def whole_set(name: str) -> Query | None:
    """Ask for a set by its code or name."""
    word = joined(name)
    return has(WHOLE_SET + word) if word else None


def collector_number(number: str) -> Query | None:
    """Ask for a collector number."""
    word = joined(number)
    return has(NUMBER + word) if word else None


# What typed words may stand for


def _term(asked: Sequence[str], at: int) -> Term:
    """Return what a typed word may stand for: itself, abbreviations written out, or joined with a neighbour."""
    word = asked[at]
    stands = [(word,), *((*pairs(asked[one : one + 2]),) for one in (at - 1, at) if one >= 0)]
    if word in SAME:
        stands.append((SAME[word],))
    if word in written_out():
        stands.append(written_out()[word])
    if re.fullmatch(r"x[a-z]{3,}", word):  # xmen, xforce
        stands.append(("x", word[1:]))
    if parts := re.fullmatch(r"([a-z]+)(\d\w*)", word):
        stands.append((parts[1], bare(parts[2])))
    return tuple(dict.fromkeys(one for one in stands if one))


def _with(terms: Iterable[Term], near: Iterable[Iterable[str]]) -> list[Term]:
    """Return the terms with other spellings as alternatives."""
    return [(*term, *((word,) for word in words)) for term, words in zip(terms, near, strict=True)]


def _in(word: str, fields: Iterable[str]) -> Query | None:
    """Ask for a word in these fields; for a set also its whole name, written as one word."""
    return some(has(mark + word) for field in fields for mark in ((SET, WHOLE_SET) if field == SET else (field,)))


def _exact(term: Term, fields: Sequence[str] = FIELDS) -> Query | None:
    """Ask for one of the alternatives in these fields."""
    return some(every(_in(word, fields) for word in words) for words in term)


def _begun(start: str, term: Term = (), fields: Sequence[str] = FIELDS) -> Query | None:
    """Ask for one of the alternatives in these fields, or for a word that begins with these letters."""
    return some([*(begins(mark + start) for mark in fields), _exact(term, fields)])


def _ranked(asked: Sequence[str], terms: Sequence[Term]) -> list[Keys]:
    """Return the keys of the facts that have all words, in groups of equal rank, the best first. One statement."""
    typed = [term[0][0] for term in terms]
    begun = begins(WHOLE_NAME + "".join(asked))
    named = every(_exact(term, (NAME,)) for term in terms)
    starts = every(_begun(word, term, (NAME,)) for word, term in zip(typed, terms, strict=True))
    anywhere = every(_exact(term) for term in terms)
    whole = every(_begun(word, term) for word, term in zip(typed, terms, strict=True))
    called = some(map(has, _names_in(asked)))
    groups = [_numbers_of(asked, terms), every([named, begun]), named, every([starts, begun]), starts, called, anywhere]
    return ranked(TABLE, groups, whole) if whole else []


def _names_in(asked: Sequence[str]) -> list[str]:
    """Return the names that a question may begin or end with, as one word: Batman in "batman stealth"."""
    parts = ("".join(part) for at in range(1, len(asked)) for part in (asked[:at], asked[at:]))
    return [WHOLE_NAME + part for part in dict.fromkeys(parts)]


def _numbers_of(asked: Sequence[str], terms: Sequence[Term]) -> Query | None:
    """Ask for a typed collector number whose set or name has all the other words."""
    numbers: list[Query | None] = []
    for at, word in enumerate(asked):
        others = (_exact(term, (SET, NAME)) for other, term in enumerate(terms) if other != at)
        numbers.append(every([has(NUMBER + word), *others]))
    in_one = (words for words in (terms[0] if len(terms) == 1 else ()) if len(words) > 1)
    return some([*numbers, *(every([has(NUMBER + words[-1]), _in(words[0], (SET,))]) for words in in_one)])
