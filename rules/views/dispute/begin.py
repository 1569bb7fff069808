"""Beginning a dispute: from a map, a position file, a ready-made dispute, or a copy of a shared one."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from rules import shelf
from rules.engine import EDITIONS, BadInput, read_documents
from rules.fault_words import fault_sentences
from rules.models import SavedDispute
from rules.piece_form import standard_piece
from rules.positions import Document, empty_map, position_on
from rules.services import disputes as services
from rules.services.disputes import LARGEST_DOCUMENT
from rules.views.board_page import FIRST_EDITION
from rules.views.pieces import why_not_saved, within

from .keys import dispute_of, to_judge
from .pages import ready_dispute


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponseBase:
    """Show the ways to begin a dispute; begin one with the map, position file or ready-made dispute submitted."""
    ready = request.GET.get("ready", "")
    if request.method != "POST":
        if ready:
            if ready not in shelf.ready_disputes():
                raise Http404(_("This dispute doesn't exist."))
            return redirect("rules:dispute-ready", ready)
        return _front(request)
    if (refusal := why_not_saved(request)) is not None:
        return refusal
    try:
        row = _begun(request)
    except BadInput as fault:
        return _front(request, fault, 400)
    return to_judge(row)


def _front(request: HttpRequest, fault: BadInput | None = None, status: int = 200) -> HttpResponse:
    edition = request.POST.get("edition") or request.GET.get("edition") or ""
    facts = {
        "editions": EDITIONS.values(),
        "chosen": edition if edition in EDITIONS else "",
        "first": FIRST_EDITION,
        "maps": shelf.maps().values(),
        "ready": _ready_by_book(),
        "faults": fault_sentences({}, fault) if fault is not None else [],
        "text": request.POST.get("document", ""),
    }
    return render(request, "rules/disputes/front.html", facts, status=status)


def _ready_by_book() -> list[tuple[Any, list[Any]]]:
    found = shelf.ready_disputes().values()
    return [(book, mine) for name, book in EDITIONS.items() if (mine := [one for one in found if one.edition == name])]


def _begun(request: HttpRequest) -> SavedDispute:
    given = request.POST
    if given.get("ready"):
        return _copied(given["ready"])
    uploaded = request.FILES.get("file")
    if uploaded is not None or given.get("document", "").strip():
        if uploaded is not None and (uploaded.size or 0) > LARGEST_DOCUMENT:
            raise BadInput("", _("A position file can be at most %(most)s KB.") % {"most": LARGEST_DOCUMENT // 1000})
        text = uploaded.read().decode("utf-8", "surrogateescape") if uploaded is not None else given["document"]
        return services.begin_dispute(document=read_one(text), title=given.get("title", ""))
    edition = given.get("edition", "")
    edition = edition if edition in EDITIONS else FIRST_EDITION
    one = shelf.maps().get(given.get("map", ""))
    size = [within(given.get(key, ""), 1, 60, 16) for key in ("width", "height")]
    drawn = one.map if one is not None else empty_map(size[0], size[1])
    waiting = [{"player": player, "piece": _ordinary(_("Figure %(player)s") % {"player": player})} for player in "AB"]
    return services.begin_dispute(document=position_on(drawn, edition), title=given.get("title", ""), waiting=waiting)


def read_one(text: str) -> Document:
    """Return the single position file in a text. Raises BadInput."""
    if len(text) > LARGEST_DOCUMENT:
        raise BadInput("", _("A position file can be at most %(most)s KB.") % {"most": LARGEST_DOCUMENT // 1000})
    found = list(read_documents(text))
    if len(found) > 1:
        raise BadInput(
            "", _("This file contains several documents, one per line. Paste the line that you want to open.")
        )
    if isinstance(found[0], BadInput):
        raise found[0]
    return found[0]


def _ordinary(name: str) -> Document:
    """Return a figure with standard values, for quick entry."""
    return {**standard_piece(), "id": slugify(name) or "figure", "name": name, "points": 50}


def _copied(slug: str) -> SavedDispute:
    one = ready_dispute(slug)
    return services.begin_dispute(
        document=one.position, title=one.title, question=one.question, answer=one.answer, ready=slug
    )


@require_POST
def copy(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Begin a dispute as a copy of a shared one."""
    if (refusal := why_not_saved(request)) is not None:
        return refusal
    row = dispute_of(slug)
    made = services.begin_dispute(
        document=row.document,
        title=row.title,
        question=row.question,
        answer=row.answer,
        waiting=row.waiting,
        time_zone=row.time_zone,
    )
    return to_judge(made)
