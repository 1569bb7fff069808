"""Shared parts of pages with a board: words for objects on it, fields of a plain piece, figures from the catalogue.

Pieces are made here from a form or a row; `rules.positions` puts them on a board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.documents import BadFacts, PointsUnknown, as_piece
from rules.models import SavedDispute, SavedPosition
from rules.positions import EDGES, MARKERS, OBJECTS, TERRAIN, BadChange, Document
from rules.queries import elements_by_code, search_elements
from rules.system import free_space

FOUND = 8
MAX_POWERS = 8
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
SPEEDS: tuple[tuple[str, Promise], ...] = (
    ("boot", gettext_lazy("boot")),
    ("wing", gettext_lazy("wing")),
    ("dolphin", gettext_lazy("dolphin")),
    ("transporter-boot", gettext_lazy("transporter boot")),
    ("transporter-wing", gettext_lazy("transporter wing")),
    ("transporter-dolphin", gettext_lazy("transporter dolphin")),
)
SIZES: tuple[tuple[str, Promise], ...] = (
    ("standard", gettext_lazy("standard")),
    ("tiny", gettext_lazy("tiny")),
    ("giant", gettext_lazy("giant")),
    ("colossal", gettext_lazy("colossal (“big” in 2005)")),
    ("sentinel", gettext_lazy("Sentinel")),
)
FLIGHTS: tuple[tuple[str, Promise], ...] = (
    ("", gettext_lazy("on the ground")),
    ("hovering", gettext_lazy("hovering")),
    ("soaring", gettext_lazy("soaring")),
)
BASES: tuple[tuple[str, Promise], ...] = (
    ("single", gettext_lazy("one square")),
    ("peanut", gettext_lazy("two squares, side by side (peanut)")),
    ("peanut-upright", gettext_lazy("two squares, one below the other (peanut)")),
    ("2x2", gettext_lazy("2×2")),
)
IGNORES_MOVING: tuple[tuple[str, Promise], ...] = (
    ("elevated", gettext_lazy("elevated terrain")),
    ("hindering", gettext_lazy("hindering terrain")),
    ("blocking", gettext_lazy("blocking terrain")),
    ("outdoor-blocking", gettext_lazy("outdoor blocking terrain")),
    ("characters", gettext_lazy("characters")),
)
IGNORES_TARGETING: tuple[tuple[str, Promise], ...] = (
    ("hindering", gettext_lazy("hindering terrain")),
    ("elevated", gettext_lazy("elevated terrain")),
    ("blocking", gettext_lazy("blocking terrain")),
    ("characters", gettext_lazy("characters")),
    ("adjacent", gettext_lazy("being adjacent to an opponent")),
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


def powers_given(given: QueryDict) -> list[str]:
    """Return the names of powers listed in a form, separated by commas."""
    return [name.strip() for name in given.get("powers", "").split(",") if name.strip()][:MAX_POWERS]


def values_given(given: QueryDict) -> dict[str, int]:
    """Return the combat values in a form, with those of a standard figure for missing ones."""
    return {
        key: within(given.get(f"value-{key}", ""), 0, 99, otherwise)
        for key, otherwise in (("speed", 8), ("attack", 9), ("defense", 15), ("damage", 2))
    }


def standing_given(given: QueryDict) -> Document:
    """Return a form's facts about a figure in the middle of a battle, without those it doesn't contain."""
    found: Document = {}
    for key, least, most in (("click", 1, 99), ("tokens", 0, 2), ("bolts", 1, 9), ("points", 0, 9999)):
        if given.get(key):
            found[key] = within(given.get(key, ""), least, most, least)
    if given.get("standing"):
        found["acted"] = bool(given.get("acted"))
        found["holding"] = given.get("holding") or None
        found["teams"] = [name.strip() for name in given.get("teams", "").split(",") if name.strip()][:MAX_POWERS]
        found["countered"] = [name.strip() for name in given.get("countered", "").split(",") if name.strip()]
    return found


def plain_piece(given: QueryDict) -> Document:
    """Return a plain piece with the facts that matter on a board: range, symbols, flight, base, and powers."""

    def chosen(key: str, known: tuple[tuple[str, Promise], ...]) -> str:
        asked = given.get(key, "")
        return asked if asked in dict(known) else known[0][0]

    piece: Document = {
        "name": given.get("name", "").strip()[:80] or _("Figure"),
        "base": chosen("base", BASES).removesuffix("-upright"),
        "range": within(given.get("range", ""), 0, 99, 0),
        "symbols": {"speed": chosen("symbol-speed", SPEEDS), "damage": chosen("symbol-damage", SIZES)},
        "dial": [{**values_given(given), "powers": powers_given(given)}],
        **standing_given(given),
    }
    if flight := chosen("flight", FLIGHTS):
        piece["flight"] = flight
    improved = {
        sort: [word for word in given.getlist(f"improved-{sort}") if word in dict(known)]
        for sort, known in (("movement", IGNORES_MOVING), ("targeting", IGNORES_TARGETING))
    }
    if any(improved.values()):
        piece["improved"] = improved
    return piece


def catalogued_piece(code: str) -> Document:
    """Return the piece for a figure of the catalogue, without a square. Raises BadChange."""
    row = elements_by_code([code]).get(code)
    if row is None or row.element.section != "characters":
        raise BadChange(_("The catalogue doesn't have this figure."))
    try:
        piece = as_piece({"name": row.name, **row.document}, id="new")
    except PointsUnknown:
        piece = as_piece({"name": row.name, **row.document}, id="new", points=0)
    except BadFacts as why:
        raise BadChange(
            _("This figure can't be placed (%(why)s). Place a plain piece instead.") % {"why": why}
        ) from None
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
            "Saving without an account isn’t possible at the moment. Sign in to save this. Nothing on the previous page is lost."
        )
    return render(request, "parts/refused.html", {"message": message}, status=429)
