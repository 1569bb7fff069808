"""The board page, “Check a line of fire”: choose or draw a map, place figures, tap two squares, read each edition's answer.

Open to everyone. The position is part of the page: every change posts it, with what was tapped, and returns the drawn
board and its text. Only `save` writes to the database. With a script only the board is replaced; without one the whole
page is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from rules import shelf, sight
from rules.drawings.board import draw_board
from rules.engine import EDITIONS, BadInput, read_documents, read_square
from rules.fault_words import fault_sentences, field_at_fault
from rules.models import SavedDispute, SavedPosition
from rules.piece_form import altered, empty_fields, placed_as
from rules.positions import (
    LARGEST_MAP,
    BadChange,
    Document,
    brushed,
    empty_map,
    moved,
    piece_of,
    pieces,
    placed,
    position_on,
    removed,
    resized,
    square_name,
    stands_in,
    whole_numbers,
)
from rules.services import board as services
from rules.services.disputes import LARGEST_DOCUMENT, begin_dispute

from .board_page import FIRST_EDITION, BoardPage, show_page, written
from .pieces import (
    MAP_KINDS,
    SHADES,
    catalogued_piece,
    figures_found,
    may_ask,
    player_chosen,
    slow_down,
    why_not_saved,
    within,
)

# --- Choosing a board ---


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """Show the maps, the examples, and the ways to make a map."""
    facts = {
        "maps": [
            {"map": one, "drawing": draw_board({"map": one.map, "sides": []}, title=one.title, prefix=f"m-{one.slug}")}
            for one in shelf.maps().values()
        ],
        "books": _examples_by_book(),
        "kinds": MAP_KINDS,
        "largest": LARGEST_MAP,
        "editions": EDITIONS.values(),
        "first": FIRST_EDITION,
    }
    return render(request, "rules/board/front.html", facts)


def _examples_by_book() -> list[dict[str, Any]]:
    return [
        {"edition": edition, "examples": [one for one in shelf.examples().values() if one.edition == name]}
        for name, edition in EDITIONS.items()
        if any(one.edition == name for one in shelf.examples().values())
    ]


@require_safe
def on_map(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the board with a map of the library and no figures."""
    one = shelf.maps().get(slug)
    if one is None:
        raise Http404(_("This map doesn't exist."))
    edition = one.editions[-1] if FIRST_EDITION not in one.editions else FIRST_EDITION
    return _shown(request, position_on(one.map, edition, one.title))


@require_safe
def example(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an example from a book with its first line of fire drawn."""
    one = shelf.examples().get(slug)
    if one is None:
        raise Http404(_("This example doesn't exist."))
    first = one.lines[0]
    return _shown(request, one.position, {"from": first["from"], "to": first["to"]}, example=one)


@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """Show an empty map of the requested size."""
    width, height = (within(request.GET.get(key, ""), 1, LARGEST_MAP, 16) for key in ("width", "height"))
    kind = request.GET.get("kind", "")
    drawn = empty_map(width, height, kind if kind in dict(MAP_KINDS) else "outdoor")
    return _shown(request, position_on(drawn, FIRST_EDITION))


@require_safe
def saved(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a saved position at its shared address."""
    row = get_object_or_404(SavedPosition, public_id=public_id)
    address = _address_of(row, request)
    facts: dict[str, Any] = {
        "saved": row,
        "address": address,
        "code": segno.make(address, error="m").svg_inline(omitsize=True),
    }
    return _shown(request, row.document, None, **facts)


def _address_of(row: SavedPosition, request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("rules:board-saved", args=[row.public_id]))


def show_for_dispute(request: HttpRequest, row: SavedDispute) -> HttpResponse:
    """Show the position of a dispute on the board, to be changed there and saved by the dispute's own page."""
    table = BoardPage(document=row.document, dispute=row.public_id, version=row.version)
    _choose(table, request.GET)
    return show_page(request, table)


def show_refused_for_dispute(
    request: HttpRequest, row: SavedDispute, version: int, fault: BadInput | None = None
) -> HttpResponse:
    """Show the position that couldn't be saved for a dispute, and why: by its fault, or because the dispute has changed.

    Its next form is based on `version`.
    """
    table = _read(request.POST.get("document", ""))
    table.dispute, table.version = row.public_id, version
    if table.document is not None:
        _choose(table, request.POST)
        changed = _(
            "Someone else has changed this dispute. Save again to replace their position, or discard your changes."
        )
        table.refused = [changed] if fault is None else fault_sentences(table.document, fault)
    return show_page(request, table, status=409 if fault is None else 400)


@require_safe
def saved_file(request: HttpRequest, public_id: str) -> HttpResponse:
    """Download a saved position as a file."""
    return _file(get_object_or_404(SavedPosition, public_id=public_id).document)


@require_POST
def read_file(request: HttpRequest) -> HttpResponse:
    """Open a position file that was chosen or pasted; report errors with their place."""
    given = request.FILES.get("file")
    if given is not None and given.size is not None and given.size > LARGEST_DOCUMENT:
        return show_page(request, _too_large(BoardPage()), status=413)
    text = given.read().decode("utf-8", "surrogateescape") if given is not None else request.POST.get("document", "")
    if not may_ask(request, "board_change"):
        return slow_down(request)
    table = _read(text, whole=True)
    if table.document is not None:
        table.edition = table.document["edition"]
        table.start, table.end = _asked(table.document)
    return show_page(request, table, status=400 if table.fault else 200)


def _asked(document: Mapping[str, Any]) -> tuple[str, str]:
    """Return the squares of the first line of fire in a file's questions, to draw it when the file is opened."""
    for asked in document.get("ask", ()):
        if asked["ask"] == "line-of-fire":
            ends = [
                asked[key] if read_square(asked[key]) else sight.squares_of(document, asked[key])
                for key in ("from", "to")
            ]
            return ends[0], ends[1]
    return "", ""


@require_POST
def change(request: HttpRequest) -> HttpResponseBase:
    """Apply what was tapped or submitted to the position on the page, and show the result."""
    if not may_ask(request, "board_change"):
        return slow_down(request)
    table = _read(request.POST.get("document", ""))
    if table.document is not None:
        _choose(table, request.POST)
        do = request.POST.get("do", "")
        if do == "save":
            return _save(request, table)
        if do == "file":
            return _file(table.document)
        if do == "dispute":
            return _argue(request, table)
        _do(table, do, request.POST)
    return show_page(request, table, status=400 if table.fault else 200)


def _save(request: HttpRequest, table: BoardPage) -> HttpResponse:
    assert table.document is not None
    if (refusal := why_not_saved(request)) is not None:
        return refusal
    row = services.save_position(document=table.document)
    chosen = QueryDict(mutable=True)
    chosen.update({key: value for key, value in _chosen(table).items() if value})
    return redirect(f"{reverse('rules:board-saved', args=[row.public_id])}?{chosen.urlencode()}#share")


def _argue(request: HttpRequest, table: BoardPage) -> HttpResponse:
    """Begin a dispute with the position on the page."""
    assert table.document is not None
    if (refusal := why_not_saved(request)) is not None:
        return refusal
    return redirect(begin_dispute(document=table.document).judging_address())


def _chosen(table: BoardPage) -> dict[str, str]:
    """Return the query string for the selections on a position; the edition is the position's own."""
    return {"from": table.start, "to": table.end, "other": table.other, "shade": table.shade}


def _file(document: Mapping[str, Any]) -> HttpResponse:
    title = document.get("title")
    name = slugify(title)[:60] if isinstance(title, str) else ""
    response = HttpResponse(written(document) + "\n", content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name or "position"}.json"'
    return response


# --- Reading the form ---


def _too_large(table: BoardPage) -> BoardPage:
    most = LARGEST_DOCUMENT // 1000
    table.fault = BadInput("", _("A position file can be at most %(most)s KB.") % {"most": most})
    return table


def _read(text: str, *, whole: bool = False) -> BoardPage:
    """Return the position in a text, or the error and its place; `whole`: including questions and actions."""
    table = BoardPage(text=text)
    if len(text) > LARGEST_DOCUMENT:
        table.text = ""
        return _too_large(table)
    found = list(read_documents(text))
    if len(found) > 1:
        table.fault = BadInput(
            "", _("This file contains several documents, one per line. Paste the line that you want to open.")
        )
    elif isinstance(found[0], BadInput):
        table.fault = found[0]
    else:
        try:
            sight.check(found[0], whole=whole)
        except BadInput as fault:
            table.fault = fault
        else:
            table.document = whole_numbers(found[0])
    return table


def _choose(table: BoardPage, given: Mapping[str, str]) -> None:
    """Apply the selections: editions, squares, shading. Unknown values are ignored."""
    document = table.document
    assert document is not None
    edition = given.get("edition", document["edition"])
    table.edition = edition if edition in EDITIONS else document["edition"]
    other = given.get("other", "")
    table.other = other if other in EDITIONS and other != table.edition else ""
    table.start, table.end = (_on_board(document, given.get(key, "")) for key in ("from", "to"))
    shade = given.get("shade", "")
    table.shade = shade if shade in dict(SHADES) else ""
    table.figure = given.get("figure", "")
    table.dispute = table.dispute or given.get("dispute", "")
    table.version = table.version or within(given.get("version", ""), 0, 999_999_999, 0)
    if document["edition"] != table.edition:
        table.document = {**document, "edition": table.edition}


def _on_board(document: Mapping[str, Any], typed: str) -> str:
    """Return the square that was typed, or the square of the figure that was named; empty if unknown."""
    for _player, piece in pieces(document):
        if typed.strip().casefold() in (piece["id"].casefold(), piece["name"].casefold()) and stands_in(piece):
            return square_name(stands_in(piece)[0])
    cell = read_square(typed.strip().upper())
    drawn = document["map"]
    return square_name(cell) if cell is not None and cell[0] < drawn["width"] and cell[1] < drawn["height"] else ""


# --- Changes ---


def _do(table: BoardPage, do: str, given: QueryDict) -> None:
    """Make one change; if it is invalid, or the engine rejects the result, keep the position and show why."""
    document = table.document
    assert document is not None
    try:
        changed = _changed(table, document, do, given)
        if changed is not document:
            sight.check(changed)
    except BadChange as why:
        _refuse(table, [str(why)], why.field, given)
    except BadInput as fault:
        _refuse(table, fault_sentences(document, fault), field_at_fault(fault), given)
    else:
        table.document = changed


def _refuse(table: BoardPage, sentences: list[str], at_fault: str, given: QueryDict) -> None:
    """Say beside the field what is wrong with it, and keep what was typed."""
    table.refused, table.at_fault, table.where = sentences, at_fault, given.get("where", "")
    table.fields = {
        key: given.getlist(key) if isinstance(empty, list) else given.get(key, "")
        for key, empty in empty_fields().items()
    }


def _changed(table: BoardPage, document: Document, do: str, given: QueryDict) -> Document:
    where = given.get("where", "")
    table.opened = _part_of(do)
    if do == "look":
        for key, found in (("from", table.start), ("to", table.end)):
            typed = given.get(key, "").strip()[:40]
            if typed and not found:
                words = _("“%(typed)s” is neither a square of this map nor the name of a figure on it.")
                raise BadChange(words % {"typed": typed}, key)
    elif do == "swap":
        table.start, table.end = table.end, table.start
    elif do == "forget":
        table.start = table.end = ""
    elif do == "brush":
        level = within(given.get("level", ""), 1, 99, 2)
        return brushed(document, given.get("brush", ""), where, level=level, player=player_chosen(document, given))
    elif do == "move":
        changed = moved(document, table.figure, where)
        table.figure = ""
        return changed
    elif do.startswith("remove:"):
        name = do.partition(":")[2]
        table.figure = "" if table.figure == name else table.figure
        return removed(document, name)
    elif do == "place":
        return placed_as(document, player_chosen(document, given), given, where)
    elif do == "alter":
        piece = piece_of(document, table.figure)
        if piece is None or given.get("shows", table.figure) == table.figure:
            return altered(document, table.figure, given)
        table.done = _("These are the values of %(name)s. Change them, then choose “Apply to chosen figure”.") % {
            "name": piece["name"]
        }
    elif do.startswith("place:"):
        return placed(document, player_chosen(document, given), catalogued_piece(do.partition(":")[2]), where)
    elif do == "find":
        table.extra["found"] = figures_found(given.get("find", ""), table.edition)
    elif do == "resize":
        return resized(document, within(given.get("width", ""), 0, 999, 0), within(given.get("height", ""), 0, 999, 0))
    elif do == "name":
        title = given.get("title", "").strip()[: services.LONGEST_TITLE]
        kind = given.get("kind", "")
        drawn = {**document["map"], "kind": kind if kind in dict(MAP_KINDS) else document["map"].get("kind", "outdoor")}
        rest = {key: part for key, part in document.items() if key != "title"}
        return {**({"title": title} if title else {}), **rest, "map": drawn}
    return document


def _part_of(do: str) -> str:
    """Return the part of the page that a change belongs to, which stays open without a script."""
    what = do.partition(":")[0]
    if what in ("choose", "place", "alter", "move", "remove", "find"):
        return "figures"
    return "drawing" if what in ("brush", "resize", "name") else ""


# --- Showing ---


def _shown(
    request: HttpRequest, document: Document, otherwise: Mapping[str, str] | None = None, **extra: Any
) -> HttpResponse:
    """Show a position with the selections in the address."""
    table = BoardPage(document=document, extra=extra)
    given = {**(otherwise or {}), **request.GET.dict()}
    _choose(table, given)
    return show_page(request, table)
