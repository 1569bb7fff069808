"""Reading the rulebooks that a judge has loaded: their passages for citations and rulings, and searching them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .documents import fold
from .engine import Citation, Ruling
from .models import LoadedRulebook, RulebookPassage
from .search import Answer, Understood, answers, of_book, worth_showing
from .search.words import stem

AROUND = 160
WORTH_OPENING = 0.35
"""The least score of a passage, as a share of the best one's."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage that fits a question, with the text around the first of its words."""

    passage: RulebookPassage
    excerpt: str


def loaded_editions() -> dict[str, LoadedRulebook]:
    """Return edition → its loaded book. One query."""
    return {rulebook.edition: rulebook for rulebook in LoadedRulebook.objects.all()}


def passage_of(edition: str, section: str) -> RulebookPassage | None:
    """Return the passage of a section, or None if the book or the heading isn't loaded. One query."""
    return RulebookPassage.objects.filter(rulebook__edition=edition, section=section, ruling="").first()


def open_citations(citations: Iterable[Citation]) -> dict[tuple[str, str], RulebookPassage]:
    """Return (edition, section) → passage for all citations whose passages are loaded. One query."""
    wanted = {(citation.edition, citation.section) for citation in citations}
    rows = RulebookPassage.objects.filter(
        rulebook__edition__in={edition for edition, _section in wanted},
        section__in={section for _edition, section in wanted},
        ruling="",
    ).select_related("rulebook")
    return {(row.rulebook.edition, row.section): row for row in rows if (row.rulebook.edition, row.section) in wanted}


def open_rulings(edition: str, rulings: Sequence[Ruling]) -> dict[str, RulebookPassage]:
    """Return ruling id → its own note, otherwise the passage of its section. One query."""
    rows = RulebookPassage.objects.filter(rulebook__edition=edition, section__in={one.section for one in rulings})
    notes: dict[str, RulebookPassage] = {}
    sections: dict[str, RulebookPassage] = {}
    for row in rows:
        (notes if row.ruling else sections)[row.ruling or row.section] = row
    opened = {one.id: notes.get(one.id) or sections.get(one.section) for one in rulings}
    return {name: passage for name, passage in opened.items() if passage is not None}


def search_passages(question: Understood, book: str = "", limit: int = 6) -> list[SearchHit]:
    """Return the passages of loaded books that fit a question best, in one book or in all.

    Two queries, and one for each book; one more for each at the first search after it was loaded.
    """
    found: list[Answer] = []
    for rulebook in loaded_editions().values() if question.words else ():
        if book in ("", rulebook.edition):
            found += answers(question, among=of_book(rulebook))
    best = sorted(worth_showing(found, WORTH_OPENING), key=lambda one: -one.score)[:limit]
    rows = RulebookPassage.objects.select_related("rulebook").in_bulk([one.entry.of for one in best]) if best else {}
    return [
        SearchHit(row, _excerpt(" ".join(row.paragraphs), question))
        for one in best
        if (row := rows.get(one.entry.of)) is not None
    ]


def _excerpt(text: str, question: Understood) -> str:
    """Return the text around the first word of the question that it contains."""
    stems = set(map(stem, question.words))
    places = (word.start() for word in re.finditer(r"[^\W_]+", text) if stem(fold(word[0])) in stems)
    return _around(text, next(places, 0))


def _around(text: str, at: int) -> str:
    """Return the text around a place, cut at word boundaries, with … where it was cut."""
    begin = text.rfind(" ", 0, max(0, at - AROUND)) + 1 if at > AROUND else 0
    end = text.find(" ", min(len(text), at + AROUND))
    end = len(text) if end < 0 else end
    return ("… " if begin else "") + text[begin:end] + (" …" if end < len(text) else "")
