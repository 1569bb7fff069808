"""Reading the rulebooks that a judge has loaded: their passages for citations and rulings, and searching them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .documents import fold
from .engine import Citation, Ruling
from .models import LoadedRulebook, RulebookPassage

AROUND = 160


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage that contains all words, with the text around the first of them."""

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


def search_passages(edition: str, words: Sequence[str], limit: int = 30) -> list[SearchHit]:
    """Return the loaded passages of an edition in which each word begins a word, ignoring case and accents.

    Sections with the words in their heading come first. One query; the texts are compared in Python, because databases
    treat accents differently.
    """
    if not words:
        return []
    hits = []
    for row in RulebookPassage.objects.filter(rulebook__edition=edition, ruling=""):
        at = _found(row, words)
        if at is not None:
            hits.append(
                (
                    not all(_begins(fold(row.section), word) for word in words),
                    row.order,
                    SearchHit(row, _around(row.text, at)),
                )
            )
    hits.sort(key=lambda hit: hit[:2])
    return [hit[2] for hit in hits[:limit]]


def words_of(asked: str) -> list[str]:
    """Return the words of a search, in the form used for comparisons."""
    return re.findall(r"[^\W_]+", fold(asked))


def says(text: str, words: Sequence[str]) -> bool:
    """Return whether each of these folded words begins a word of the text."""
    folded = fold(text)
    return bool(words) and all(_begins(folded, word) for word in words)


def _begins(folded: str, word: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(word)}", folded) is not None


def _found(row: RulebookPassage, words: Sequence[str]) -> int | None:
    """Return where the first word begins in the text; None unless the passage or its heading contains all words."""
    heading, text = fold(row.section), fold(row.text)
    if not all(_begins(text, word) or _begins(heading, word) for word in words):
        return None
    first = re.search(rf"(?<![^\W_]){re.escape(words[0])}", text)
    return first.start() if first else 0


def _around(text: str, at: int) -> str:
    """Return the text around a place, cut at word boundaries, with … where it was cut."""
    text = " ".join(text.split())
    begin = text.rfind(" ", 0, max(0, at - AROUND)) + 1 if at > AROUND else 0
    end = text.find(" ", min(len(text), at + AROUND))
    end = len(text) if end < 0 else end
    return ("… " if begin else "") + text[begin:end] + (" …" if end < len(text) else "")
