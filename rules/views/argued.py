"""The ready-made disputes on the rulings pages: the list, and each with the book's answer, its steps and its rulings.

The pages need no script; a link opens each dispute in the stepper, to go through it step by step or try other dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules import argued, shelf
from rules.dispute.replay import Replay, StepView, reported_rulings
from rules.dispute.words import action_words
from rules.drawings.board import draw_board, labels
from rules.engine import EDITIONS, Ruling
from rules.positions import Document, pieces, square_name, stands_in

from .weighed import weigh


@dataclass(frozen=True, slots=True)
class ArguedStep:
    """One step on these pages: its action where a new one begins, and the board where it has changed."""

    shown: StepView
    begins: str
    drawing: str


@require_safe
def ready_disputes(request: HttpRequest) -> HttpResponse:
    """Show all ready-made disputes, grouped by book."""
    found = shelf.ready_disputes().values()
    books = [
        (edition, [one for one in found if one.edition == name])
        for name, edition in EDITIONS.items()
        if any(one.edition == name for one in found)
    ]
    books.sort(key=lambda pair: -len(pair[1]))
    return render(request, "rules/argued/list.html", {"books": books, "count": len(found)})


@require_safe
def ready_dispute(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a ready-made dispute: the position, the question, the answer, and its steps with numbers and sections."""
    one = shelf.ready_disputes().get(slug)
    if one is None:
        raise Http404(_("This dispute doesn't exist."))
    replay = replace(argued.ready_replay(slug))  # without the steps that another reader's language has worded
    others = list(shelf.ready_disputes().values())
    place = others.index(one)
    facts = {
        "one": one,
        "edition": EDITIONS[one.edition],
        "replay": replay,
        "drawing": draw_board(replay.board(0), title=_("The position"), prefix="at-first"),
        "figures": figures_of(replay.board(0)),
        "told": list(told(replay)),
        "rulings": weigh(with_deciding(replay, one.rulings), replay.topics),
        "previous": others[place - 1] if place else None,
        "next": others[place + 1] if place + 1 < len(others) else None,
    }
    return render(request, "rules/argued/dispute.html", facts)


def told(replay: Replay) -> Iterator[ArguedStep]:
    """Yield the steps of a replay, each with the board if anything on it has moved or a line of fire is drawn."""
    seen = _standing(replay.board(0))
    action = -1
    drawn: tuple[str, str] | None = None
    for shown in replay.steps:
        begins = ""
        if shown.action != action:
            action, drawn = shown.action, None
            begins = action_words(replay.document, replay.document["actions"][action])
        now = replay.board(shown.number)
        line = replay.line_at(shown) if shown.line not in (None, drawn) else None
        drawing = ""
        if line is not None or _standing(now) != seen:
            seen, drawn = _standing(now), shown.line or drawn
            drawing = draw_board(now, title=shown.text, prefix=f"step-{shown.number}", line=line)
        yield ArguedStep(shown, begins, drawing)


def _standing(position: Mapping[str, Any]) -> list[Any]:
    """Return the values shown by a drawing: the squares of all figures and objects."""
    figures = [(piece["id"], stands_in(piece), piece.get("captured_by")) for _player, piece in pieces(position)]
    things = [(thing["id"], thing.get("square"), thing.get("removed")) for thing in position.get("objects", ())]
    return [figures, things, position["map"].get("markers"), position["map"].get("walls")]


def with_deciding(replay: Replay, named: Iterable[str]) -> list[Ruling]:
    """Return the rulings of a case; if its file names those that decide it, only these do."""
    deciding = reported_rulings(replay.edition.name, [{"id": name, "weight": "decides"} for name in named])
    ids = {one.id for one in deciding}
    others = [replace(one, weight="background") if ids else one for one in replay.rulings if one.id not in ids]
    return [*deciding, *others]


def figures_of(position: Document) -> list[dict[str, Any]]:
    """Return the figures of a board with sign, side, square, values and powers, for the text beside a drawing."""
    signs = labels(position)
    found = []
    for player, piece in pieces(position):
        click = piece["dial"][piece.get("click", 1) - 1]
        found.append(
            {
                "sign": signs[piece["id"]],
                "name": piece["name"],
                "player": player,
                "squares": ", ".join(square_name(cell) for cell in stands_in(piece)),
                "values": click,
                "range": piece.get("range", 0),
                "powers": ", ".join([*click["powers"], *piece.get("teams", ())]),
                "click": piece.get("click", 1),
                "clicks": len(piece["dial"]),
                "tokens": piece.get("tokens", 0),
                "points": piece.get("points", 0),
            }
        )
    return found
