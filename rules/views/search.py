"""The search of the rules: a question in players' words, its best answers, and what else speaks of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rules import reading
from rules.engine import EDITIONS, Heading, Ruling, Topic, powers_on
from rules.queries import search_elements
from rules.search import Entry, PowerSays, Understood, answers, open_answers, understand, worth_showing
from rules.tables import EDITIONS as SHORT_TITLES
from rules.tables import address_of
from rules.views.rulebook import ShownRuling, section_slug, show_rulings

ON_A_PAGE, FEW = 8, 6


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer on a page: a ruling, a topic, what a power does, or a section, with its books.

    `books` are editions with their short titles; `says` is what a topic's power does in the last of them.
    """

    books: tuple[tuple[str, Any], ...]
    ruling: ShownRuling | None = None
    topic: Topic | None = None
    power: PowerSays | None = None
    heading: Heading | None = None
    slug: str = ""
    says: str = ""


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Answer a question about the rules, from one book or from all.

    The best answers come first, then further topics and sections, disputes, passages of loaded books, and figures; if
    the question names nothing in the rules, figures come first.
    """
    asked = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:200]
    only = request.GET.get("edition", "")
    only = only if only in EDITIONS else ""
    question = understand(asked)
    found = worth_showing(answers(question, only))
    page = Paginator(open_answers(found), ON_A_PAGE).get_page(request.GET.get("page"))
    figures = search_elements(text=asked, all_words=True)[:FEW] if asked and page.number == 1 else []
    facts = {
        "asked": asked,
        "only": only,
        "address": urlencode({"q": asked, "edition": only}),
        "editions": EDITIONS.values(),
        "question": question,
        "named": [" / ".join(one.title for one in phrase) for phrase in question.topics],
        "page": page,
        "shown": [_shown(one.entry, only) for one in page],
        "argued": [one.entry.of for one in found if one.entry.kind == "dispute"][:FEW],
        "hits": _passages(question, only) if page.number == 1 else [],
        "figures": [(address_of(row.element), row) for row in figures],
    }
    return render(request, "rules/rulebook/search.html", facts)


def _shown(entry: Entry, only: str) -> ShownAnswer:
    books = tuple((name, title) for name, title in SHORT_TITLES if name in entry.books and only in ("", name))
    match entry.of:
        case Ruling():
            return ShownAnswer(books, ruling=show_rulings([entry.of])[0])
        case Topic():
            powers = powers_on(books[-1][0], entry.of.name)
            return ShownAnswer(books, topic=entry.of, says=powers[0].does.text if powers else "")
        case PowerSays():
            return ShownAnswer(books, power=entry.of)
        case Heading():
            return ShownAnswer(books, heading=entry.of, slug=section_slug(entry.books[0], entry.of.path))
        case _:
            raise TypeError(entry.kind)


def _passages(question: Understood, only: str) -> list[tuple[Any, reading.SearchHit, str]]:
    """Return the passages of loaded books that fit a question, with the titles of their books and their addresses."""
    titles = dict(SHORT_TITLES)
    return [
        ((name, titles[name]), hit, section_slug(name, hit.passage.section))
        for hit in reading.search_passages(question, only)
        for name in [hit.passage.rulebook.edition]
    ]
