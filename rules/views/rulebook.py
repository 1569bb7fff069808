"""The rulebook pages: each book by headings and topics, and each ruling, topic and section at a permanent address.

Rulings and headings come from the engine, passages from the books that a judge has loaded here. Open to everyone.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from rules import reading, shelf
from rules.argued import argued_about, argued_in, argued_over
from rules.edition_words import asks_for
from rules.engine import (
    EDITIONS,
    Authority,
    Edition,
    Heading,
    Ruling,
    RulingStanding,
    find_rulings,
    headings,
    may_decide,
    powers_on,
    ruling,
    rulings,
    topic_kinds,
    topic_places,
    topics,
)
from rules.models import RulebookPassage

A_PAGE = 30
FEW = 6
AUTHORITIES: dict[Authority, Promise] = {
    Authority.RULEBOOK: _("the rulebook"),
    Authority.FAQ: _("the FAQ"),
    Authority.CORRECTION: _("a published correction"),
    Authority.STEENBOCK: _("Steenbock, rules arbitrator"),
    Authority.MAGISTER: _("Magister, rules arbitrator"),
    Authority.CHAPEAU: _("Chapeau, rules arbitrator"),
    Authority.POLICY: _("the tournament policy"),
}
STANDINGS: dict[RulingStanding, tuple[str, Promise]] = {
    RulingStanding.PUBLISHED: ("good", _("official")),
    RulingStanding.ARBITRATOR: ("warn", _("official, not yet for tournaments")),
    RulingStanding.CLARIFICATION: ("", _("explanation (unofficial)")),
}


@dataclass(frozen=True, slots=True)
class ShownRuling:
    """A ruling on a page: its authority, its weight, its topics, and the rulings it contradicts."""

    ruling: Ruling
    authority: Promise
    standing: Promise
    state: str
    about: tuple[Any, ...]
    slug: str
    follows: tuple[Ruling, ...]
    followed_by: tuple[Ruling, ...]
    exceptions: tuple[Ruling, ...]
    excepted_by: tuple[Ruling, ...]
    passage: RulebookPassage | None = None

    @property
    def day(self) -> datetime.date | None:
        """When it was given."""
        return datetime.date.fromisoformat(self.ruling.date) if self.ruling.date else None


@dataclass(frozen=True, slots=True)
class TreeLine:
    """A heading in a table of contents: its depth, its slug, and the number of rulings under it."""

    heading: Heading
    slug: str
    depth: int
    rulings: int


def front(request: HttpRequest) -> HttpResponse:
    """Show the five books and the search."""
    loaded = reading.loaded_editions()
    books = [
        {"edition": edition, "rulings": len(rulings(edition.name)), "loaded": loaded.get(edition.name)}
        for edition in EDITIONS.values()
    ]
    return render(request, "rules/rulebook/front.html", {"books": books, "kinds": kinds_of_topics(None)})


def book(request: HttpRequest, edition: str) -> HttpResponse:
    """Show one book: its topics by kind, and its table of contents."""
    chosen = _edition(edition)
    facts = {
        "edition": chosen,
        "kinds": kinds_of_topics(edition),
        "tree": _tree(edition),
        "count": len(rulings(edition)),
        "argued": [one for one in shelf.ready_disputes().values() if one.edition == edition],
        "loaded": reading.loaded_editions().get(edition),
    }
    return render(request, "rules/rulebook/book.html", facts)


def all_rulings(request: HttpRequest, edition: str) -> HttpResponse:
    """Show all rulings of a book in book order, or those of one authority, with pagination."""
    chosen = _edition(edition)
    found: Sequence[Ruling] = rulings(edition)
    given = {
        authority: title for authority, title in AUTHORITIES.items() if any(one.authority is authority for one in found)
    }
    by = request.GET.get("by", "")
    if by in given:
        found = [one for one in found if one.authority == by]
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    facts = {
        "edition": chosen,
        "page": page,
        "shown": show_rulings(page.object_list),
        "given": given,
        "by": by if by in given else "",
    }
    return render(request, "rules/rulebook/rulings.html", facts)


def one_ruling(request: HttpRequest, edition: str, name: str) -> HttpResponse:
    """Show one ruling, with its note if the book is loaded, and others on the same topics."""
    chosen = _edition(edition)
    found = ruling(edition, name)
    if found is None:
        raise Http404(_("This ruling doesn't exist."))
    opened = reading.open_rulings(edition, [found])
    facts = {
        "edition": chosen,
        "one": show_rulings([found], opened)[0],
        "argued": argued_over(edition, name),
        "alike": show_rulings(_alike(found)),
        "loaded": edition in reading.loaded_editions(),
    }
    return render(request, "rules/rulebook/ruling.html", facts)


def _alike(found: Ruling) -> list[Ruling]:
    """Return the rulings of its book that share most of its topics, at least two if it has two."""
    about = set(found.topics)
    shared = [(len(about & set(one.topics)), one) for one in rulings(found.edition) if one.id != found.id]
    near = [(held, one) for held, one in shared if held >= min(2, len(about))]
    near.sort(key=lambda pair: -pair[0])
    return [one for _held, one in near[:FEW]]


def topic(request: HttpRequest, edition: str, name: str) -> HttpResponse:
    """Show a topic in one book: what the power does if it is one, its section, its rulings, and other books' sections.

    A power's rulings that only explain are folded.
    """
    chosen = _edition(edition)
    known = topics().get(name)
    place = topic_places(edition).get(name)
    if known is None:
        raise Http404(_("This topic doesn't exist."))
    if place is None:
        others = _elsewhere(name, edition)
        return render(
            request,
            "rules/rulebook/topic_missing.html",
            {"edition": chosen, "topic": known, "others": others},
            status=404,
        )
    powers = [(text, asks_for(text.row)) for text in powers_on(edition, name)]
    found = find_rulings(edition, topics=[name], limit=None)
    background = [one for one in found if powers and not may_decide(one)]
    facts = {
        "edition": chosen,
        "topic": known,
        "powers": powers,
        "kind": topic_kinds()[known.kind],
        "place": place,
        "slug": _slugs(place.edition).get(place.section),
        "passage": reading.passage_of(place.edition, place.section),
        "shown": show_rulings(one for one in found if one not in background),
        "background": show_rulings(background),
        "count": len(found),
        "disagree": any(one.disagrees_with or _followers(edition).get(one.id) for one in found),
        "others": _elsewhere(name, edition),
        "argued": argued_about(edition, name),
        "loaded": place.edition in reading.loaded_editions(),
    }
    return render(request, "rules/rulebook/topic.html", facts)


def kind(request: HttpRequest, edition: str, name: str) -> HttpResponse:
    """Show all topics of a kind in one book: its powers, its team abilities, its kinds of terrain."""
    chosen = _edition(edition)
    held = [group for group in kinds_of_topics(edition) if group["name"] == name]
    if not held:
        raise Http404(_("This rulebook has no such group of topics."))
    return render(
        request, "rules/rulebook/kind.html", {"edition": chosen, "group": held[0], "kinds": kinds_of_topics(edition)}
    )


def section(request: HttpRequest, edition: str, slug: str) -> HttpResponse:
    """Show a section: its text if the book is loaded, the rulings on it, its topics, and neighbouring headings."""
    chosen = _edition(edition)
    at = {place: path for path, place in _slugs(edition).items()}.get(slug)
    if at is None:
        raise Http404(_("This rulebook has no such section."))
    tree = _tree(edition)
    about = [name for name, place in topic_places(edition).items() if (place.edition, place.section) == (edition, at)]
    here = next(number for number, line in enumerate(tree) if line.heading.path == at)
    heading = tree[here].heading
    facts = {
        "edition": chosen,
        "heading": heading,
        "above": [line for line in tree if _is_above(line.heading, heading)],
        "below": [line for line in tree if line.heading.parts[:-1] == heading.parts],
        "previous": tree[here - 1] if here else None,
        "next": tree[here + 1] if here + 1 < len(tree) else None,
        "passage": reading.passage_of(edition, at),
        "loaded": edition in reading.loaded_editions(),
        "about": [topics()[name] for name in about if name in topics()],
        "shown": show_rulings([one for one in rulings(edition) if one.section == at]),
        "argued": argued_in(edition, at),
    }
    return render(request, "rules/rulebook/section.html", facts)


def _is_above(one: Heading, other: Heading) -> bool:
    return len(one.parts) < len(other.parts) and other.parts[: len(one.parts)] == one.parts


def citation(request: HttpRequest) -> HttpResponse:
    """Redirect from a citation as in reports (`edition` and `section`) to its section's page."""
    chosen = _edition(request.GET.get("edition", ""))
    cited = request.GET.get("section", "")
    heading = headings(chosen.name).find(cited)
    if heading is not None:
        return redirect("rules:section", chosen.name, _slugs(chosen.name)[heading.path])
    if cited in headings(chosen.name).elsewhere:
        return render(request, "rules/rulebook/elsewhere.html", {"edition": chosen, "cited": cited})
    raise Http404(_("This rulebook has no such section."))


def _edition(name: str) -> Edition:
    try:
        return EDITIONS[name]
    except KeyError:
        raise Http404(_("This edition doesn't exist.")) from None


def show_rulings(found: Iterable[Ruling], opened: dict[str, RulebookPassage] | None = None) -> list[ShownRuling]:
    """Return rulings for pages: the authority and weight of each, and the rulings it contradicts."""
    shown = []
    for one in found:
        state, standing = STANDINGS[one.standing]
        shown.append(
            ShownRuling(
                ruling=one,
                authority=AUTHORITIES[one.authority],
                standing=standing,
                state=state,
                about=tuple(topics()[name] for name in one.topics),
                slug=_slugs(one.edition)[one.section],
                follows=_named(one.edition, one.disagrees_with),
                followed_by=_named(one.edition, _followers(one.edition).get(one.id, ())),
                exceptions=_named(one.edition, one.exception_to),
                excepted_by=_named(one.edition, _excepting(one.edition).get(one.id, ())),
                passage=(opened or {}).get(one.id),
            )
        )
    return shown


def _named(edition: str, names: Iterable[str]) -> tuple[Ruling, ...]:
    return tuple(found for name in names if (found := ruling(edition, name)) is not None)


@cache
def _followers(edition: str) -> dict[str, tuple[str, ...]]:
    """Return ruling id → the rulings that take precedence over it."""
    return _reversed({one.id: one.disagrees_with for one in rulings(edition)})


@cache
def _excepting(edition: str) -> dict[str, tuple[str, ...]]:
    """Return ruling id → its exceptions."""
    return _reversed({one.id: one.exception_to for one in rulings(edition)})


def _reversed(named: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    turned: dict[str, tuple[str, ...]] = {}
    for name, others in named.items():
        for other in others:
            turned[other] = (*turned.get(other, ()), name)
    return turned


@cache
def _slugs(edition: str) -> dict[str, str]:
    """Return section → its address in a book: its path of headings, each as a slug."""
    return {
        heading.path: "/".join(slugify(part) or "section" for part in heading.parts)
        for heading in headings(edition).all
    }


def section_slug(edition: str, path: str) -> str:
    """Return the address of a section in its book; empty if the book has no such section."""
    return _slugs(edition).get(path, "")


@cache
def _tree(edition: str) -> tuple[TreeLine, ...]:
    held: dict[str, int] = {}
    for one in rulings(edition):
        held[one.section] = held.get(one.section, 0) + 1
    slugs = _slugs(edition)
    return tuple(
        TreeLine(heading, slugs[heading.path], len(heading.parts), held.get(heading.path, 0))
        for heading in headings(edition).all
    )


@cache
def _counts(edition: str) -> dict[str, int]:
    """Return topic → the number of rulings about it."""
    held: dict[str, int] = {}
    for one in rulings(edition):
        for name in one.topics:
            held[name] = held.get(name, 0) + 1
    return held


@cache
def kinds_of_topics(edition: str | None) -> list[dict[str, Any]]:
    """Return the kinds of topics with the topics that an edition has, or that any edition has."""
    editions = EDITIONS if edition is None else (edition,)
    groups = []
    for name, title in topic_kinds().items():
        members = [
            {"topic": known, "count": sum(_counts(one).get(known.name, 0) for one in editions)}
            for known in topics().values()
            if known.kind == name and any(known.name in topic_places(one) for one in editions)
        ]
        if members:
            groups.append({"name": name, "title": title, "topics": members})
    return groups


def _elsewhere(name: str, edition: str) -> list[dict[str, Any]]:
    """Return the other editions with a topic, with their sections and the number of their rulings."""
    return [
        {"edition": other, "place": topic_places(other.name)[name], "count": _counts(other.name).get(name, 0)}
        for other in EDITIONS.values()
        if other.name != edition and name in topic_places(other.name)
    ]
