"""The home page of the rules, the comparison of the editions, and one topic in all of them. Open to everyone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from rules import comparison
from rules.comparison_table import ComparisonTable
from rules.engine import EDITIONS, Edition, powers_on, rulings, topic_kinds, topic_places, topics
from rules.queries import counts_by_section
from rules.tables import EDITIONS as SHORT_TITLES
from rules.views.rulebook import kinds_of_topics

EVERYTHING = "all"
ON_A_PHONE = ("car-2002", "core-modern")


def home(request: HttpRequest) -> HttpResponse:
    """Show the contents of the rules app: search, the board, the books, rulings by topic, figures, editions, forces."""
    books = [
        {"edition": edition, "rulings": len(rulings(edition.name)), "kinds": kinds_of_topics(edition.name)}
        for edition in EDITIONS.values()
    ]
    facts = {
        "books": books,
        "rulings": sum(len(rulings(name)) for name in EDITIONS),
        "elements": sum(counts_by_section().values()),
    }
    return render(request, "rules/home.html", facts)


def compare(request: HttpRequest) -> HttpResponse:
    """Show the editions side by side, chapter by chapter: those named in the address, or all if fewer than two are.

    If none is named, narrow screens show two of them. `all` includes the rows in which they agree.
    """
    asked = request.GET.getlist("edition")
    chosen = [edition for name, edition in EDITIONS.items() if name in asked]
    narrowed = len(chosen) < 2
    if narrowed:
        chosen = list(EDITIONS.values())
    everything = request.GET.get("rows") == EVERYTHING
    chapters = comparison.compare(chosen)
    wanted = request.GET.get("chapter", "")
    opened = [one for one in chapters if wanted in (one.name, EVERYTHING)]
    facts = {
        "editions": [
            {"edition": one, "title": title, "chosen": one in chosen}
            for one, title in ((EDITIONS[name], title) for name, title in SHORT_TITLES)
        ],
        "asked_one": len(asked) == 1,
        "chapters": chapters,
        "opened": [{"chapter": one, "table": _table(request, one, chosen, everything, narrowed)} for one in opened],
        "wanted": wanted if opened else "",
        "everything": everything,
        "narrowed": narrowed,
        "on_a_phone": [title for name, title in SHORT_TITLES if name in ON_A_PHONE],
    }
    return render(request, "rules/comparison.html", facts)


def across(request: HttpRequest, name: str) -> HttpResponse:
    """Show a topic in all five editions: how they differ, what each says, its citation, and the number of rulings."""
    known = topics().get(name)
    if known is None:
        raise Http404(_("This topic doesn't exist."))
    short = dict(SHORT_TITLES)
    powers = [text for edition in EDITIONS for text in powers_on(edition, name)]
    named = {text.row.name for text in powers}
    rows = [
        {"row": row, "said": _said_alike(row, short), "differs": row.differs()}
        for row in sorted(comparison.rows_about(name), key=lambda row: row.key not in named)
    ]
    books = [
        {
            "edition": EDITIONS[edition],
            "place": topic_places(edition).get(name),
            "rulings": sum(name in one.topics for one in rulings(edition)),
        }
        for edition in EDITIONS
    ]
    facts = {
        "topic": known,
        "kind": topic_kinds()[known.kind],
        "differs": powers[0].differs if len(named) == 1 else (),
        "rows": rows,
        "books": books,
    }
    return render(request, "rules/topic_across.html", facts)


def _said_alike(row: comparison.Row, titles: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the answers of the editions, grouping those that agree."""
    found: dict[Any, dict[str, Any]] = {}
    for edition, told in row.told.items():
        one = found.setdefault(told.compared, {"told": told, "editions": []})
        one["editions"].append(titles[edition])
    return list(found.values())


def _table(
    request: HttpRequest, chapter: comparison.Chapter, chosen: Iterable[Edition], everything: bool, narrowed: bool
) -> ComparisonTable:
    rows = chapter.rows if everything else chapter.differing
    table = ComparisonTable(
        rows,
        editions=[one.name for one in chosen],
        on_a_phone=ON_A_PHONE if narrowed else (),
        everything=everything,
        caption=chapter.title,
    )
    table.request = request
    return table
