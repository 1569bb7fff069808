"""Training for judges: anonymized disputes as questions, answered one by one and then explained step by step.

The questions are the ready-made disputes and those released by their judges. Answers are stored only in the visitor's
session, so no one else sees the score; nothing is written to the database.
"""

from __future__ import annotations

import functools
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules import engine, shelf
from rules.drawings.board import draw_board
from rules.models import SavedDispute
from rules.tables import EDITIONS
from rules.training import TrainingQuestion, question_of

from .argued import figures_of, told, with_deciding
from .weighed import weigh

READY, SAVED = "ready-", "saved-"
KEPT = "training"
MAX_RELEASED = 30


@require_safe
def quiz(request: HttpRequest) -> HttpResponse:
    """Show the score so far and the questions, the next one first."""
    answered = _answered(request)
    listed = [{"key": key, "title": title, "book": book, "right": answered.get(key)} for key, title, book in _listed()]
    facts = {
        "listed": listed,
        "next": next((one["key"] for one in listed if one["right"] is None), None),
        "total": len(listed),
        **_score(answered),
    }
    return render(request, "rules/training/front.html", facts)


@require_http_methods(["GET", "HEAD", "POST"])
def quiz_question(request: HttpRequest, key: str) -> HttpResponseBase:
    """Ask a question; accept an answer and redirect to the explanation."""
    asked = _question(key)
    fault = ""
    if key in _answered(request):
        return redirect("rules:quiz-answer", key)
    if request.method == "POST":
        chosen = asked.answer(request.POST.get("answer", ""))
        if chosen is not None:
            request.session[KEPT] = {**request.session.get(KEPT, {}), key: [chosen.key, chosen.right]}
            return redirect("rules:quiz-answer", key)
        fault = _("Choose an answer first.")
    facts = {
        "question": asked,
        "fault": fault,
        "drawing": draw_board(asked.replay.board(0), title=_("The position")),
        "figures": figures_of(asked.replay.board(0)),
        "edition": asked.replay.edition,
        **_score(_answered(request)),
    }
    return render(request, "rules/training/question.html", facts, status=400 if fault else 200)


@require_safe
def quiz_answer(request: HttpRequest, key: str) -> HttpResponseBase:
    """Show whether the answer was right, and the case step by step with its sections and rulings."""
    asked = _question(key)
    chosen = asked.answer(request.session.get(KEPT, {}).get(key, [""])[0])
    if chosen is None:
        return redirect("rules:quiz-question", key)
    answered = _answered(request)
    facts = {
        "question": asked,
        "chosen": chosen,
        "drawing": draw_board(asked.replay.board(0), title=_("The position"), prefix="at-first"),
        "figures": figures_of(asked.replay.board(0)),
        "told": list(told(asked.replay)),
        "rulings": weigh(with_deciding(asked.replay, asked.rulings), asked.replay.topics),
        "edition": asked.replay.edition,
        "slug": key.removeprefix(READY) if key.startswith(READY) else "",
        "next": next((name for name, _title, _book in _listed() if name not in answered), None),
        **_score(answered),
    }
    return render(request, "rules/training/answer.html", facts)


@require_POST
def quiz_again(request: HttpRequest) -> HttpResponse:
    """Clear all answers and start again."""
    request.session.pop(KEPT, None)
    return redirect("rules:quiz")


def _listed() -> list[tuple[str, str, str]]:
    """Return every question's key, title and book: the ready-made ones, then those released by judges, newest first."""
    books = dict(EDITIONS)
    found = [(READY + one.slug, one.title, str(books[one.edition])) for one in shelf.ready_disputes().values()]
    released = SavedDispute.objects.filter(released_at__isnull=False).order_by("-released_at")
    for row in released.only("version", "edition", "document")[:MAX_RELEASED]:
        if _asks(row):
            title = _("Dispute %(name)s from an event") % {"name": row.pk}
            found.append((_key_of(row), title, str(books[row.edition])))
    return found


def _key_of(row: SavedDispute) -> str:
    """Return a released dispute's key, which isn't its address: its page shows the title and the players' names."""
    return f"{SAVED}{row.pk}"


def _asks(row: SavedDispute) -> bool:
    """Return whether a released dispute makes a question; cached for each version."""
    return bool(
        cache.get_or_set(
            f"dispute-asks-{row.pk}-{row.version}",
            lambda: question_of(row.document, key=_key_of(row)) is not None,
        )
    )


def _question(key: str) -> TrainingQuestion:
    """Return a question by its key. Raises Http404 if it is unknown, not released or without a question."""
    asked = None
    if key.startswith(READY):
        asked = _ready(key.removeprefix(READY), get_language() or "")
    elif key.startswith(SAVED):
        number = key.removeprefix(SAVED)
        released = SavedDispute.objects.filter(released_at__isnull=False)
        row = (
            released.filter(pk=number).first() if number.isascii() and number.isdecimal() and len(number) < 19 else None
        )
        asked = question_of(row.document, key=key) if row is not None else None
    if asked is None:
        raise Http404(_("This question doesn't exist."))
    return asked


@functools.cache
def _ready(slug: str, language: str) -> TrainingQuestion | None:
    """Return the question of a ready-made dispute; its answers are in the language of the page."""
    one = shelf.ready_disputes().get(slug)
    if one is None:
        return None
    words = {"title": one.title, "asked": one.question, "told": one.answer}
    with engine.time_limit(None):  # no time limit: the result is cached, so it must be complete even on a busy server
        return question_of(one.position, key=READY + slug, sections=one.sections, rulings=one.rulings, **words)


def _answered(request: HttpRequest) -> dict[str, bool]:
    """Return the questions answered in this session, and whether correctly."""
    return {key: right for key, (_chosen, right) in request.session.get(KEPT, {}).items()}


def _score(answered: dict[str, bool]) -> dict[str, Any]:
    return {"answered": len(answered), "right": sum(answered.values())}
