"""The pages of a dispute at a step: for its judge, for readers, and ready-made.

The page emphasises one next step: place the figures, choose the action, enter the awaited roll. Every change posts a
form and returns the newest page; the script only submits those forms sooner.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from rules import shelf
from rules.dispute.desk import Asked, desk_of
from rules.dispute.outcome import answer_of, what_changed
from rules.dispute.overrides import etiquette_of
from rules.dispute.replay import Replay, StepView, replay_of
from rules.dispute.scene import drawable
from rules.dispute.unfinished import asked_replay
from rules.dispute.words import action_words
from rules.models import SavedDispute
from rules.shelf import ReadyDispute
from rules.views.pieces import BRUSHES, figures_found, within
from rules.views.weighed import weigh

from .boards import board_of
from .changes import changed
from .keys import DisputeView, beside_fields, dispute_of, holds_key, keeps_key, refused

KEPT = ("figure", "target", "act", "action", "using", "who", "where", "brush")
"""What an address asks for, and what a refused form was about."""
DICE = range(1, 7)
"""The values of a die, for the dice buttons."""


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponseBase:
    """Show a dispute to a judge, at its newest step or at a given one; apply what was posted."""
    row = dispute_of(slug)
    if not holds_key(request, row):
        if request.method == "POST":
            return refused(request)
        return redirect(
            DisputeView("reader", slug).home() if number is None else DisputeView("reader", slug).step(number)
        )
    place = DisputeView("judge", slug)
    if request.method == "POST":
        answer = changed(request, row, place)
        return answer if answer is not None else _refused_page(request, place, row)
    return keeps_key(request, row) or _page(request, place, asked_replay(row.document), number, row)


def _refused_page(request: HttpRequest, place: DisputeView, row: SavedDispute) -> HttpResponse:
    """Return the page with what was typed in the refused form, at the step that the form was about."""
    replay = asked_replay(row.document)
    about = within(request.POST.get("step", ""), 0, 9999, replay.last)
    return _page(request, place, replay, about if about < replay.last else None, row)


@require_safe
def read(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """Show a dispute for reading to anyone with its address."""
    row = dispute_of(slug)
    return _page(request, DisputeView("reader", slug), asked_replay(row.document), number, row)


@require_safe
def ready(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """Show a ready-made dispute step by step; a copy of it can be changed."""
    one = ready_dispute(slug)
    return _page(request, DisputeView("ready", slug), replay_of(one.position), number, one)


def ready_dispute(slug: str) -> ReadyDispute:
    """Return the ready-made dispute with that slug. Raises Http404."""
    one = shelf.ready_disputes().get(slug)
    if one is None:
        raise Http404(_("This dispute doesn't exist."))
    return one


def _page(
    request: HttpRequest, place: DisputeView, replay: Replay, number: int | None, case: SavedDispute | ReadyDispute
) -> HttpResponse:
    """Return the page of a case at a step, by default the newest."""
    if number is not None and number > replay.last:
        return redirect(place.home())
    chosen = replay.last if number is None else number
    step = replay.steps[chosen - 1] if chosen else None
    row = case if isinstance(case, SavedDispute) else None
    changes = place.kind == "judge" and row is not None
    asked = _asked(request)
    facts: dict[str, Any] = {
        "row": row,
        "may_change": changes,
        "title": case.title or _("Dispute"),
        "question": case.question,
        "answer": case.answer,
        "dice": DICE,
        "brushes": _brushes(replay.document["edition"], asked.brush) if changes else [],
        **_steps(place, replay, chosen, at_a_step=number is not None),
        **_words(replay, step, at_a_step=number is not None),
    }
    facts |= {"beside": beside_fields(request), "typed": request.POST}
    if replay.fault is None:
        facts["board"] = board_of(replay, chosen, step, asked, at_a_step=number is not None)
    if row is not None:
        facts |= _sharing(request, row, place, number)
    if changes and row is not None and replay.fault is None:
        found = figures_found(asked.find, row.edition) if asked.find else None
        facts["desk"] = desk_of(row, replay, step, asked, newest=facts["newest"], found=found)
    return render(request, "rules/disputes/dispute.html", facts, status=400 if facts["typed"] else 200)


def _brushes(edition: str, chosen: str) -> list[tuple[Promise, list[tuple[str, Promise]], bool]]:
    """Return what can be drawn in an edition: groups with their titles, and whether the chosen brush is one of theirs."""
    groups = [(title, [one for one in kinds if drawable(edition, one[0])]) for title, kinds in BRUSHES]
    return [(title, kinds, chosen in dict(kinds)) for title, kinds in groups if kinds]


def _asked(request: HttpRequest) -> Asked:
    """Return what an address asks for; a form that is refused asks for what it was about."""
    if request.method == "POST":
        posted = {key: request.POST.get(key, "") for key in KEPT}
        sheet = posted["figure"] if request.POST.get("do") == "sheet" else ""
        return Asked(**posted, sheet=sheet, more=bool(request.POST.get("more")))
    given = {key: request.GET.get(key, "") for key in (*KEPT, "reroll", "by", "themed", "sheet")}
    return Asked(**given, find=request.GET.get("find", "")[:100], more=request.GET.get("place") == "more")


def _steps(place: DisputeView, replay: Replay, chosen: int, *, at_a_step: bool) -> dict[str, Any]:
    """Return the steps with their addresses, and the current one among them."""
    return {
        "place": place,
        "replay": replay,
        "number": chosen,
        "newest": not at_a_step or chosen == replay.last,
        "at_a_step": at_a_step,
        "home": place.home(),
        "back": place.step(chosen - 1) if chosen else "",
        "onward": place.step(chosen + 1) if chosen < replay.last else "",
        "first": place.step(0),
        "steps": [(one, place.step(one.number)) for one in replay.steps],
    }


def _words(replay: Replay, step: StepView | None, *, at_a_step: bool) -> dict[str, Any]:
    """Return the text beside the board: the step, the actions, the rulings, the outcome."""
    edition = replay.document["edition"]
    rulings = replay.rulings_at(step) if step is not None and at_a_step else replay.rulings
    return {
        "shown": step,
        "done": [action_words(replay.document, one) for one in replay.document.get("actions", ())],
        "rulings": weigh(rulings, replay.topics),
        "etiquette": etiquette_of(edition),
        "etiquette_section": replay.edition.cite(("etiquette",))[0].section,
        "found_out": answer_of(replay) if replay.fault is None else None,
        "came_of_it": what_changed(replay) if replay.fault is None and replay.awaited is None else None,
    }


def _sharing(request: HttpRequest, row: SavedDispute, place: DisputeView, number: int | None) -> dict[str, Any]:
    reading = request.build_absolute_uri(row.reading_address(number))
    facts: dict[str, Any] = {"reading": reading, "reading_code": _code(reading)}
    if place.kind == "judge":
        judging = request.build_absolute_uri(row.judging_address(number))
        facts |= {"judging": judging, "judging_code": _code(judging)}
    return facts


@lru_cache(maxsize=256)
def _code(address: str) -> str:
    """Return a QR code, kept for the next tap: it takes half the work of a page."""
    return segno.make(address, error="m").svg_inline(omitsize=True)
