"""Setting up a dispute before its first action: figures, captives, turn, map and edition."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _

from rules import shelf
from rules.dispute.choices import with_turn_of
from rules.dispute.event_dials import with_event_dial
from rules.engine import EDITIONS
from rules.models import SavedDispute
from rules.piece_form import new_piece
from rules.positions import (
    BadChange,
    Document,
    held,
    moved,
    piece_of,
    pieces,
    placed,
    read_cells,
    removed,
    square_name,
    stands_in,
)
from rules.services import disputes as services
from rules.views.pieces import catalogued_piece, within

BESIDE_WITHOUT = ("square", "squares", "holding", "captured_by")
"""Keys of a figure that apply only on the map, or come from a figure there."""


def squares_named(given: QueryDict) -> list[str]:
    """Return the squares named in a form. Raises BadChange."""
    return [square_name(cell) for cell in read_cells(" ".join(given.getlist("where")))]


def place(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse | None:
    """Put a waiting figure on the map; if more are being placed, continue with the next."""
    given = request.POST
    one = next((one for one in row.waiting if one["piece"]["id"] == given.get("who", "")), None)
    if one is None:
        raise BadChange(_("Choose the figure to place."))
    where = squares_named(given)[0]
    document = placed(row.document, one["player"], one["piece"], where)
    if not pieces(row.document):
        document = with_turn_of(document, one["player"])
    waiting = [other for other in row.waiting if other is not one]
    said = _("%(name)s placed in %(square)s") % {"name": one["piece"]["name"], "square": where}
    services.change_dispute(dispute=row, version=version, said=said, document=document, waiting=waiting)
    if waiting and given.get("more"):
        return redirect(f"{reverse('rules:dispute', args=[row.public_id])}?place=more#next")
    return None


def hold(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Make a waiting figure the captive of one on the map."""
    given = request.POST
    one = next((one for one in row.waiting if one["piece"]["id"] == given.get("who", "")), None)
    if one is None:
        raise BadChange(_("Choose the figure to place."))
    if row.document.get("actions"):
        raise BadChange(_("This dispute already has actions. Remove them first."))
    document = held(row.document, one["player"], one["piece"], given.get("captor", ""))
    captor = piece_of(document, given.get("captor", ""))
    assert captor is not None
    said = _("%(name)s held by %(captor)s") % {"name": one["piece"]["name"], "captor": captor["name"]}
    waiting = [other for other in row.waiting if other is not one]
    services.change_dispute(dispute=row, version=version, said=said, document=document, waiting=waiting)


def move_piece(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Move a figure on the map to another square, before the first action."""
    name = request.POST.get("figure", "")
    where = squares_named(request.POST)[0]
    document = moved(row.document, name, where)
    piece = piece_of(document, name)
    assert piece is not None
    said = _("%(name)s placed in %(square)s") % {"name": piece["name"], "square": where}
    services.change_dispute(dispute=row, version=version, said=said, document=document)


def _beside(piece: Mapping[str, Any]) -> Document:
    """Return a figure as it waits beside the map."""
    return {key: part for key, part in piece.items() if key not in BESIDE_WITHOUT}


def put_away(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Take a figure off the map, or from its captor; it waits beside the map together with its own captives."""
    name = request.POST.get("figure", "")
    if row.document.get("actions"):
        raise BadChange(_("This dispute already has actions. Remove them first."))
    piece = piece_of(row.document, name)
    if piece is None:
        raise BadChange(_("Choose the figure to remove."))
    document, waiting = row.document, list(row.waiting)
    for player, one in pieces(row.document):
        if name in (one["id"], one.get("captured_by")):
            document = removed(document, one["id"])
            waiting.append({"player": player, "piece": _beside(one)})
    said = _("%(name)s removed from the map") % {"name": piece["name"]}
    services.change_dispute(dispute=row, version=version, said=said, document=document, waiting=waiting)


def bring(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse | None:
    """Add a figure to those waiting: one from the catalogue, or one with typed values."""
    given = request.POST
    code = given["do"].partition(":")[2]
    piece = catalogued_piece(code) if code else new_piece(given)
    taken = {one["id"] for _player, one in pieces(row.document)} | {one["piece"]["id"] for one in row.waiting}
    taken |= {thing["id"] for thing in row.document.get("objects", ())}
    name = wanted = slugify(piece["name"]) or "figure"
    number = 2
    while name in taken:
        name, number = f"{wanted}-{number}", number + 1
    players = [side["player"] for side in row.document["sides"]]
    player = given.get("player", "")
    entry = {"player": player if player in players else players[0], "piece": {**piece, "id": name}}
    said = _("%(name)s added") % {"name": piece["name"]}
    services.change_dispute(dispute=row, version=version, said=said, waiting=[*row.waiting, entry])
    return redirect(f"{reverse('rules:dispute', args=[row.public_id])}?who={name}#next")


def dismiss(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Remove a waiting figure."""
    name = request.POST["do"].partition(":")[2]
    waiting = [one for one in row.waiting if one["piece"]["id"] != name]
    services.change_dispute(dispute=row, version=version, said=_("figure removed"), waiting=waiting)


def set_turn(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Set the active player at the beginning, and the number of the turn."""
    given = request.POST
    players = [side["player"] for side in row.document["sides"]]
    if given.get("player") not in players:
        raise BadChange(_("This dispute has no player of that name. Choose one of its players."))
    turn = {"active": given["player"], "number": within(given.get("number", ""), 1, 999, 9)}
    document = {**row.document, "turn": turn}
    services.change_dispute(dispute=row, version=version, said=_("turn set"), document=document)


def set_event_dial(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Set the event dial, what its colours do in words, or remove it."""
    document = with_event_dial(row.document, request.POST)
    services.change_dispute(dispute=row, version=version, said=_("event dial edited"), document=document)


def lay_map(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Put another map of the library under the figures; figures outside it wait to be placed again."""
    one = shelf.maps().get(request.POST.get("map", ""))
    if one is None:
        raise BadChange(_("This map doesn't exist. Choose another map."))
    if row.document.get("actions"):
        raise BadChange(_("This dispute already has actions. Remove them first."))
    document = deepcopy(row.document)
    waiting = list(row.waiting)
    gone = {piece["id"] for _player, piece in pieces(document) if not stands_on(piece, one.map)}
    for side in document["sides"]:
        outside = [piece for piece in side["characters"] if {piece["id"], piece.get("captured_by")} & gone]
        side["characters"] = [piece for piece in side["characters"] if piece not in outside]
        waiting += ({"player": side["player"], "piece": _beside(piece)} for piece in outside)
    document |= {"map": deepcopy(one.map), "objects": []}
    for _player, piece in pieces(document):
        piece.pop("holding", None)
    services.change_dispute(dispute=row, version=version, said=one.title, document=document, waiting=waiting)


def stands_on(piece: Mapping[str, Any], drawn: Mapping[str, Any]) -> bool:
    """Return whether all squares of a character are on a map; also for a character without squares."""
    return all(column < drawn["width"] and row < drawn["height"] for column, row in stands_in(piece))


def set_edition(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Switch the dispute to another edition."""
    edition = request.POST.get("edition", "")
    if edition not in EDITIONS:
        raise BadChange(_("This edition doesn't exist. Choose one from the list."))
    document = {**row.document, "edition": edition}
    services.change_dispute(dispute=row, version=version, said=EDITIONS[edition].title, document=document)
