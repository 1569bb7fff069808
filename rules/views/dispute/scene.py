"""What is changed on a dispute's own page without opening the board: a figure's sheet, terrain, chips and presets."""

from __future__ import annotations

import copy
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rules.card_effects import cards_of
from rules.dispute.figures import printed_on
from rules.dispute.scene import CHIPS, PRESETS, with_chip, with_preset
from rules.dispute.sheet import with_sheet
from rules.models import SavedDispute
from rules.positions import BadChange, Document, brushed, piece_of
from rules.queries import cards_by_number
from rules.services import disputes as services
from rules.views.pieces import WORDS, player_chosen, within


def change_sheet(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Change a figure by its sheet, which stays open."""
    name = request.POST.get("figure", "")
    document = with_sheet(row.document, name, request.POST)
    piece = piece_of(document, name)
    assert piece is not None
    _save(row, version, document, _("%(name)s edited") % {"name": piece["name"]})
    return _back(row, sheet=name)


def renew_cards(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Give a figure its cards as the catalogue has them now."""
    name = request.POST.get("figure", "")
    document = copy.deepcopy(row.document)
    piece = piece_of(document, name)
    found = cards_by_number([printed_on(piece)]).get(printed_on(piece)) if piece is not None else None
    if piece is None or found is None:
        raise BadChange(_("The catalogue doesn't have this figure."))
    piece["cards"] = [card.in_position for card in cards_of(found.facts, found.texts)]
    _save(row, version, document, _("%(name)s edited") % {"name": piece["name"]})
    return _back(row, sheet=name)


def tap_chip(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Draw or remove what a chip stands for, between the acting figure and its target."""
    key = request.POST["do"].partition(":")[2]
    ends = {name: request.POST.get(name, "") for name in ("figure", "target")}
    if row.document.get("actions"):
        raise BadChange(_("This dispute already has actions. Remove them first."))
    document = with_chip(row.document, key, ends["figure"], ends["target"])
    _save(row, version, document, str(CHIPS[key][0]))
    return _back(row, **ends)


def set_preset(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Place both figures as a preset says."""
    key = request.POST["do"].partition(":")[2]
    document = with_preset(row.document, row.waiting, key)
    said = str(PRESETS[key][0])
    services.change_dispute(dispute=row, version=version, said=said, document=document, waiting=[])


def draw(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Draw terrain, walls, markers or objects in squares or on edges; drawing goes on."""
    given = request.POST
    brush = given.get("brush", "")
    if row.document.get("actions"):
        raise BadChange(_("This dispute already has actions. Remove them first."))
    level = within(given.get("level", ""), 1, 99, 2)
    player = player_chosen(row.document, given)
    document = brushed(row.document, brush, given.get("where", ""), level=level, player=player)
    kind = brush.partition(":")[2]
    _save(row, version, document, str(WORDS[kind]) if kind in WORDS else _("terrain removed"))
    return _back(row, brush=brush)


def _save(row: SavedDispute, version: int, document: Document, said: str) -> None:
    services.change_dispute(dispute=row, version=version, said=said, document=document)


def _back(row: SavedDispute, **asked: str) -> HttpResponse:
    home = reverse("rules:dispute", args=[row.public_id])
    return redirect(f"{home}?{urlencode({key: value for key, value in asked.items() if value})}#next")
