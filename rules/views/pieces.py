"""Shared parts of pages with a board: words for objects on it, figures from the catalogue, limits on saving."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.documents import BadFacts, PointsUnknown, as_piece
from rules.models import SavedDispute, SavedPosition
from rules.positions import EDGES, MARKERS, OBJECTS, TERRAIN, BadChange, Document
from rules.queries import card_texts, elements_by_code, search_elements
from rules.system import free_space

FOUND = 8
ROOM_KEPT = 500_000_000
"""How many bytes of the disk people without an account leave free."""
MAX_SAVED = 100_000
"""How many positions and disputes the site holds before people without an account can't save more."""

WORDS: dict[str, Promise] = {
    "hindering": gettext_lazy("hindering terrain"),
    "blocking": gettext_lazy("blocking terrain"),
    "water": gettext_lazy("water"),
    "obscuring": gettext_lazy("obscuring terrain"),
    "elevated": gettext_lazy("elevated terrain"),
    "indoor": gettext_lazy("indoor square"),
    "starting-area": gettext_lazy("starting area"),
    "special": gettext_lazy("special terrain"),
    "clear": gettext_lazy("clear terrain"),
    "debris": gettext_lazy("debris"),
    "smoke": gettext_lazy("smoke"),
    "barrier": gettext_lazy("barrier"),
    "walls": gettext_lazy("wall"),
    "windows": gettext_lazy("window"),
    "doors": gettext_lazy("door"),
    "stairs": gettext_lazy("stairs"),
    "ladders": gettext_lazy("ladder"),
    "light": gettext_lazy("light object"),
    "heavy": gettext_lazy("heavy object"),
    "immobile": gettext_lazy("immobile object"),
    "ultra-light": gettext_lazy("ultra light object"),
    "ultra-heavy": gettext_lazy("ultra heavy object"),
}
BECOMES: dict[str, tuple[str, Promise]] = {
    "clear": ("good", gettext_lazy("clear")),
    "hindered": ("warn", gettext_lazy("hindered")),
    "blocked": ("bad", gettext_lazy("blocked")),
}
BRUSHES: tuple[tuple[Promise, tuple[tuple[str, Promise], ...]], ...] = (
    (gettext_lazy("Terrain"), tuple((f"terrain:{kind}", WORDS[kind]) for kind in TERRAIN)),
    (gettext_lazy("On edges"), tuple((f"edge:{kind}", WORDS[kind]) for kind in EDGES)),
    (gettext_lazy("Markers"), tuple((f"marker:{kind}", WORDS[kind]) for kind in MARKERS)),
    (gettext_lazy("Objects"), tuple((f"object:{kind}", WORDS[kind]) for kind in OBJECTS)),
    (
        gettext_lazy("Remove"),
        (
            ("erase:squares", gettext_lazy("everything in these squares")),
            ("erase:edges", gettext_lazy("everything on these edges")),
        ),
    ),
)
SHADES: tuple[tuple[str, Promise], ...] = (
    ("", gettext_lazy("nothing")),
    ("see", gettext_lazy("line of fire")),
    ("reach", gettext_lazy("reachable squares")),
)
MAP_KINDS: tuple[tuple[str, Promise], ...] = (
    ("outdoor", gettext_lazy("outdoor")),
    ("indoor", gettext_lazy("indoor")),
    ("mixed", gettext_lazy("outdoor, with indoor squares")),
)


def within(text: str, least: int, most: int, otherwise: int) -> int:
    """Return the number in a field, clamped to the range; `otherwise` if it has none."""
    return max(least, min(most, int(text))) if text.isascii() and text.isdigit() and len(text) < 9 else otherwise


def player_chosen(document: Document, given: Mapping[str, str]) -> str:
    """Return the player named in a form, or the first of the position if none of its players is named."""
    players = [side["player"] for side in document["sides"]]
    asked = given.get("player", "")
    return asked if asked in players or asked in ("A", "B") else players[0]


def catalogued_piece(code: str) -> Document:
    """Return the piece for a figure of the catalogue, without a square. Raises BadChange."""
    row = elements_by_code([code]).get(code)
    if row is None or row.element.section != "characters":
        raise BadChange(_("The catalogue doesn't have this figure."))
    facts, texts = {"name": row.name, **row.document}, card_texts([code]).get(code, [])
    try:
        piece = as_piece(facts, id="new", texts=texts)
    except PointsUnknown:
        piece = as_piece(facts, id="new", points=0, texts=texts)
    except BadFacts as why:
        words = _("This figure can't be placed. %(why)s Enter its values instead.")
        raise BadChange(words % {"why": why.message}) from None
    piece.pop("square")
    return piece


def figures_found(text: str, edition: str) -> list[dict[str, Any]]:
    """Return the first figures of the catalogue that match a search, as the page lists them."""
    if not text.strip():
        return []
    rows = search_elements(edition=edition, text=text[:100], section="characters")[:FOUND]
    return [
        {
            "code": row.element.code,
            "name": row.name,
            "set": row.element.set.name,
            "points": row.points,
            "rank": row.rank,
        }
        for row in rows
    ]


def may_ask(request: HttpRequest, action: str) -> bool:
    """Return whether this user, or without an account this address, is within the rate limit of the settings."""
    return bool(ratelimit.consume(request, action=f"{action}_signed_in" if request.user.is_authenticated else action))


def slow_down(request: HttpRequest) -> HttpResponse:
    """Return the page for an address that exceeds the rate limit."""
    message = _("Too many requests. Wait a minute, then try again. Nothing on the previous page is lost.")
    return render(request, "parts/refused.html", {"message": message}, status=429)


def why_not_saved(request: HttpRequest) -> HttpResponse | None:
    """Return the page for someone who may not save a position or a dispute now, or None for everyone else.

    People without an account share a limit for each day and one in all, and none of them fills the disk.
    """
    if not may_ask(request, "board_save"):
        return slow_down(request)
    if request.user.is_authenticated:
        return None
    if SavedPosition.objects.count() + SavedDispute.objects.count() >= MAX_SAVED:
        message = _(
            "Too many positions have been saved without an account. Sign in to save this one. Nothing on the previous page is lost."
        )
    elif free_space(settings.DATA_DIR) > ROOM_KEPT and ratelimit.consume(
        request, action="board_save_by_strangers", key="all"
    ):
        return None
    else:
        message = _(
            "Saving without an account isn't possible at the moment. Sign in to save this. Nothing on the previous page is lost."
        )
    return render(request, "parts/refused.html", {"message": message}, status=429)
