"""The documents of the rules search, kept in the database: of this release, and of the books that are loaded.

`migrate` and `load_rulebook` store them. Until the database has those of this release, a search makes them itself and
writes nothing: it answers alike, only slower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from django.db import connection, transaction
from django.db.models import QuerySet

from rules.engine import EDITIONS
from rules.full_text import found, has
from rules.models import LoadedRulebook, RulebookPassage, SearchedText

from .corpus import Document, Entry, content, document_of, entries, key_of, of_passage, weight_of

TABLE = SearchedText._meta.db_table
MANY = 500


@dataclass(frozen=True, slots=True)
class Searched:
    """Documents to search together: the name of their source, and what a number stands for.

    `made` makes them if the database lacks them.
    """

    source: str
    entry: Callable[[int], Entry]
    made: Callable[[], Sequence[Document]]

    @property
    def words(self) -> Words:
        """What is kept in memory of these documents: two queries in a process, unless they are others."""
        return _words(self)

    def having(self, keys: Iterable[str]) -> dict[str, dict[int, float]]:
        """Return each of these stems and topics → number of each document that has it → its weight. One query, or two."""
        weighted = [(key, word) for key in keys for word in self.words.of_key.get(key, ())]
        hits = found(TABLE, [has(word) for _key, word in weighted], self.source)
        if not any(hits) and weighted and not _of(self.source).exists():
            found_here = _found_here(self)
            hits = [found_here[word] for _key, word in weighted]
        weights: dict[str, dict[int, float]] = {key: {} for key in keys}
        for (key, word), numbers in zip(weighted, hits, strict=True):
            weights[key] |= dict.fromkeys(numbers, weight_of(word))
        return weights


@dataclass(frozen=True, slots=True)
class Words:
    """Each stem and topic of some documents with its weighted words, and the length of each document by its number."""

    of_key: Mapping[str, Sequence[str]]
    lengths: Mapping[int, float]


@lru_cache(maxsize=1 + 2 * len(EDITIONS))
def _words(searched: Searched) -> Words:
    rows = _of(searched.source).values_list("number", "length", "words")
    documents = [Document(*row) for row in rows] or searched.made()
    of_key: dict[str, list[str]] = {}
    for word in sorted({word for one in documents for word in one.words.split()}):
        of_key.setdefault(key_of(word), []).append(word)
    return Words(of_key, {one.number: one.length for one in documents})


@lru_cache(maxsize=1 + len(EDITIONS))
def _found_here(searched: Searched) -> Mapping[str, set[int]]:
    """Return each weighted word → the numbers of the documents that have it, of documents that the database lacks."""
    numbers: dict[str, set[int]] = defaultdict(set)
    for one in searched.made():
        for word in one.words.split():
            numbers[word].add(one.number)
    return numbers


def _of(source: str) -> QuerySet[SearchedText]:
    return SearchedText.objects.filter(source=source).order_by()


@cache
def release() -> Searched:
    """Return everything that ships."""
    return Searched(content(), entries().__getitem__, _documents)


@cache
def _documents() -> tuple[Document, ...]:
    return tuple(document_of(entry, number) for number, entry in enumerate(entries()))


def is_known(stem: str) -> bool:
    """Return whether a stem is in anything that ships."""
    return stem in release().words.of_key


@lru_cache(maxsize=2 * len(EDITIONS))
def _of_book(source: str, edition: str, book: int) -> Searched:
    def made() -> tuple[Document, ...]:
        rows = RulebookPassage.objects.filter(rulebook=book, ruling="").values_list("pk", "section", "text")
        return tuple(document_of(of_passage(edition, key, section, text), key) for key, section, text in rows)

    return Searched(source, lambda number: Entry("passage", number, (edition,)), cache(made))


def of_book(book: LoadedRulebook) -> Searched:
    """Return the sections of a loaded book; the number of a document is the key of its passage."""
    return _of_book(_source_of(book), book.edition, book.pk)


def _source_of(book: LoadedRulebook) -> str:
    return f"{content()} {book.pk} {book.loaded_at.isoformat()}"


def store() -> None:
    """Store the documents of this release and of the loaded books, unless they are there; remove all others."""
    books = [of_book(book) for book in LoadedRulebook.objects.all()]
    wanted = {one.source: one for one in (release(), *books)}
    if _sources() == wanted.keys():
        return
    with transaction.atomic():
        if connection.vendor == "postgresql":
            connection.cursor().execute(f"LOCK TABLE {TABLE} IN SHARE ROW EXCLUSIVE MODE")
        SearchedText.objects.exclude(source__in=wanted).delete()
        for source in wanted.keys() - _sources():
            rows = [SearchedText(source=source, **one._asdict()) for one in wanted[source].made()]
            SearchedText.objects.bulk_create(rows, batch_size=MANY)
    for kept in (_documents, _of_book, _found_here):
        kept.cache_clear()


def _sources() -> set[str]:
    return set(SearchedText.objects.order_by().values_list("source", flat=True).distinct())
