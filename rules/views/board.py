"""“Can I see you?”: the board. Pick or draw a map, place figures, tap two squares, read what each edition says.

Open to everybody. The position travels with the page: every change posts it, with what was tapped, and gets the drawn
board and the words back. Only `save` writes. With a script the board alone is exchanged; without one the whole page is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import segno
from allauth.core import ratelimit
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from rules import shelf, sight
from rules.documents import BadFacts, PointsUnknown, as_piece
from rules.drawings.board import draw_board, labels, swatch
from rules.engine import EDITIONS, BadInput, read_documents
from rules.models import SavedPosition
from rules.positions import (
    EDGES,
    LARGEST_MAP,
    MARKERS,
    OBJECTS,
    TERRAIN,
    BadChange,
    Document,
    altered,
    brushed,
    empty_map,
    moved,
    pieces,
    placed,
    position_on,
    read_square,
    removed,
    resized,
    square_name,
    stands_in,
    whole_numbers,
)
from rules.queries import elements_by_code, search_elements
from rules.services import board as services

LARGEST_DOCUMENT = 400_000
"""Signs of the largest position file that the page takes: twice a crowded map of 200 by 200."""
FOUND = 8
MOST_POWERS = 8
NAMED = 40
FIRST_EDITION = "core-modern"

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
        gettext_lazy("Take away"),
        (
            ("erase:squares", gettext_lazy("everything in the squares")),
            ("erase:edges", gettext_lazy("everything on the edges")),
        ),
    ),
)
SHADES: tuple[tuple[str, Promise], ...] = (
    ("", gettext_lazy("nothing")),
    ("see", gettext_lazy("what is seen")),
    ("reach", gettext_lazy("where it may move")),
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
    ("colossal", gettext_lazy("colossal (big in 2005)")),
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
    ("mixed", gettext_lazy("outdoor with indoor squares")),
)


@dataclass
class Table:
    """What one request shows: the position, what is chosen on it, and what came of it."""

    document: Document | None = None
    text: str = ""
    fault: BadInput | None = None
    refused: str = ""
    done: str = ""
    edition: str = FIRST_EDITION
    other: str = ""
    start: str = ""
    end: str = ""
    shade: str = ""
    figure: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


# --- The ways to a board ---


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """Show the maps, the examples, and the ways to a map of one's own."""
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
    """Show the board with a map of the library and nobody on it."""
    one = shelf.maps().get(slug)
    if one is None:
        raise Http404(_("There is no such map."))
    edition = one.editions[-1] if FIRST_EDITION not in one.editions else FIRST_EDITION
    return _shown(request, position_on(one.map, edition, one.title))


@require_safe
def example(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an example from a book, its first line drawn."""
    one = shelf.examples().get(slug)
    if one is None:
        raise Http404(_("There is no such example."))
    first = one.lines[0]
    return _shown(request, one.position, {"from": first["from"], "to": first["to"]}, example=one)


@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """Show an empty map of the size that was asked for."""
    width, height = (_within(request.GET.get(key, ""), 1, LARGEST_MAP, 16) for key in ("width", "height"))
    kind = request.GET.get("kind", "")
    drawn = empty_map(width, height, kind if kind in dict(MAP_KINDS) else "outdoor")
    return _shown(request, position_on(drawn, FIRST_EDITION))


@require_safe
def saved(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a saved position, at the address that was shared."""
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


@require_safe
def saved_file(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give a saved position as its file."""
    return _file(get_object_or_404(SavedPosition, public_id=public_id).document)


@require_POST
def read_file(request: HttpRequest) -> HttpResponse:
    """Open a position file that was chosen or pasted; what is wrong with it is told with its place."""
    given = request.FILES.get("file")
    if given is not None and given.size is not None and given.size > LARGEST_DOCUMENT:
        return _page(request, _too_large(Table()), status=413)
    text = given.read().decode("utf-8", "surrogateescape") if given is not None else request.POST.get("document", "")
    if not _may(request, "board_change"):
        return _slow_down(request)
    table = _read(text, whole=True)
    if table.document is not None:
        table.edition = table.document["edition"]
        table.start, table.end = _asked(table.document)
    return _page(request, table, status=400 if table.fault else 200)


def _asked(document: Mapping[str, Any]) -> tuple[str, str]:
    """Return the squares of the first line of fire that a file asks about, so that it opens with it drawn."""
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
    """Do what was tapped or sent to the position that the page holds, and show what came of it."""
    if not _may(request, "board_change"):
        return _slow_down(request)
    table = _read(request.POST.get("document", ""))
    if table.document is not None:
        _choose(table, request.POST)
        do = request.POST.get("do", "")
        if do == "save":
            return _save(request, table)
        if do == "file":
            return _file(table.document)
        _do(table, do, request.POST)
    return _page(request, table, status=400 if table.fault else 200)


def _save(request: HttpRequest, table: Table) -> HttpResponse:
    assert table.document is not None
    if not _may(request, "board_save"):
        return _slow_down(request)
    row = services.save_position(document=table.document)
    chosen = QueryDict(mutable=True)
    chosen.update({key: value for key, value in _chosen(table).items() if value})
    return redirect(f"{reverse('rules:board-saved', args=[row.public_id])}?{chosen.urlencode()}#share")


def _chosen(table: Table) -> dict[str, str]:
    """Return what an address says of what is chosen on a position; the edition is the position's own."""
    return {"from": table.start, "to": table.end, "other": table.other, "shade": table.shade}


def _file(document: Mapping[str, Any]) -> HttpResponse:
    title = document.get("title")
    name = slugify(title)[:60] if isinstance(title, str) else ""
    response = HttpResponse(_written(document) + "\n", content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name or "position"}.json"'
    return response


def _may(request: HttpRequest, action: str) -> bool:
    """Return whether this address has not asked too often, by the rates of the settings."""
    return bool(ratelimit.consume(request, action=action))


def _slow_down(request: HttpRequest) -> HttpResponse:
    message = _("Too much at once from here: wait a minute. Nothing is lost on the page that you came from.")
    return render(request, "parts/refused.html", {"message": message}, status=429)


# --- Reading what was sent ---


def _too_large(table: Table) -> Table:
    most = LARGEST_DOCUMENT // 1000
    table.fault = BadInput("", _("A position file may have at most %(most)s kB.") % {"most": most})
    return table


def _read(text: str, *, whole: bool = False) -> Table:
    """Return the position that a text is, or what is wrong with it and where; `whole`: with its questions and actions."""
    table = Table(text=text)
    if len(text) > LARGEST_DOCUMENT:
        table.text = ""
        return _too_large(table)
    found = list(read_documents(text))
    if len(found) > 1:
        table.fault = BadInput("", _("These are several documents, one a line: open one of them."))
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


def _within(text: str, least: int, most: int, otherwise: int) -> int:
    return max(least, min(most, int(text))) if text.isascii() and text.isdigit() and len(text) < 9 else otherwise


def _choose(table: Table, given: Mapping[str, str]) -> None:
    """Take over what is chosen: editions, squares, shading. What does not exist is not chosen."""
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
    if document["edition"] != table.edition:
        table.document = {**document, "edition": table.edition}


def _on_board(document: Mapping[str, Any], typed: str) -> str:
    """Return the square that somebody typed or whose figure somebody named, or nothing."""
    for _player, piece in pieces(document):
        if typed.strip().casefold() in (piece["id"].casefold(), piece["name"].casefold()) and stands_in(piece):
            return square_name(stands_in(piece)[0])
    cell = read_square(typed.strip().upper())
    drawn = document["map"]
    return square_name(cell) if cell is not None and cell[0] < drawn["width"] and cell[1] < drawn["height"] else ""


# --- Changes ---


def _do(table: Table, do: str, given: QueryDict) -> None:
    """Make one change; where it cannot be made, or the engine finds the result wrong, the position stays and says so."""
    document = table.document
    assert document is not None
    try:
        changed = _changed(table, document, do, given)
        if changed is not document:
            sight.check(changed)
    except BadChange as why:
        table.refused = str(why)
        return
    except BadInput as fault:
        table.refused = f"{fault.where}: {fault.message}"
        return
    table.document = changed


def _changed(table: Table, document: Document, do: str, given: QueryDict) -> Document:
    where = given.get("where", "")
    if do == "swap":
        table.start, table.end = table.end, table.start
    elif do == "forget":
        table.start = table.end = ""
    elif do == "brush":
        level = _within(given.get("level", ""), 1, 99, 2)
        return brushed(document, given.get("brush", ""), where, level=level, player=_player(document, given))
    elif do == "move":
        chosen, table.figure = table.figure, ""
        return moved(document, chosen, where)
    elif do.startswith("remove:"):
        return removed(document, do.partition(":")[2])
    elif do == "place":
        upright = given.get("base") == "peanut-upright"
        return placed(document, _player(document, given), _plain_piece(given), where, upright=upright)
    elif do == "alter":
        facts = {key: part for key, part in _plain_piece(given).items() if key not in ("base", "dial")}
        facts = {"flight": None, "improved": None, **facts}
        if not given.get("name", "").strip():
            del facts["name"]
        return altered(document, table.figure, facts, _powers_given(given))
    elif do.startswith("place:"):
        return placed(document, _player(document, given), _catalogued(do.partition(":")[2]), where)
    elif do == "find":
        table.extra["found"] = _found(given.get("find", ""), table.edition)
    elif do == "resize":
        return resized(
            document, _within(given.get("width", ""), 0, 999, 0), _within(given.get("height", ""), 0, 999, 0)
        )
    elif do == "name":
        title = given.get("title", "").strip()[: services.LONGEST_TITLE]
        kind = given.get("kind", "")
        drawn = {**document["map"], "kind": kind if kind in dict(MAP_KINDS) else document["map"].get("kind", "outdoor")}
        return {**{key: part for key, part in document.items() if key != "title"}, "title": title, "map": drawn}
    return document


def _player(document: Document, given: Mapping[str, str]) -> str:
    players = [side["player"] for side in document["sides"]]
    asked = given.get("player", "")
    return asked if asked in players or asked in ("A", "B") else players[0]


def _powers_given(given: QueryDict) -> list[str]:
    return [name.strip() for name in given.get("powers", "").split(",") if name.strip()][:MOST_POWERS]


def _plain_piece(given: QueryDict) -> Document:
    """Return a plain piece with what matters on a board: range, symbols, flight, base, and the powers it shows."""

    def chosen(key: str, known: tuple[tuple[str, Promise], ...]) -> str:
        asked = given.get(key, "")
        return asked if asked in dict(known) else known[0][0]

    values = {
        key: _within(given.get(f"value-{key}", ""), 0, 99, otherwise)
        for key, otherwise in (("speed", 8), ("attack", 9), ("defense", 15), ("damage", 2))
    }
    piece: Document = {
        "name": given.get("name", "").strip()[:80] or _("Figure"),
        "base": chosen("base", BASES).removesuffix("-upright"),
        "range": _within(given.get("range", ""), 0, 99, 0),
        "symbols": {"speed": chosen("symbol-speed", SPEEDS), "damage": chosen("symbol-damage", SIZES)},
        "dial": [{**values, "powers": _powers_given(given)}],
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


def _catalogued(code: str) -> Document:
    row = elements_by_code([code]).get(code)
    if row is None or row.element.section != "characters":
        raise BadChange(_("The catalogue has no such figure."))
    try:
        piece = as_piece({"name": row.name, **row.document}, id="new")
    except PointsUnknown:
        piece = as_piece({"name": row.name, **row.document}, id="new", points=0)
    except BadFacts as why:
        raise BadChange(_("%(why)s. Place a plain piece instead.") % {"why": why}) from None
    piece.pop("square")
    return piece


def _found(text: str, edition: str) -> list[dict[str, Any]]:
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


# --- Showing ---


def _shown(
    request: HttpRequest, document: Document, otherwise: Mapping[str, str] | None = None, **extra: Any
) -> HttpResponse:
    """Show a position with what the address chooses on it."""
    table = Table(document=document, extra=extra)
    given = {**(otherwise or {}), **request.GET.dict()}
    _choose(table, given)
    return _page(request, table)


def _written(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1)


def _page(request: HttpRequest, table: Table, status: int = 200) -> HttpResponse:
    """Show the whole page, or to its script just the part that changes."""
    facts: dict[str, Any] = {"table": table, "editions": EDITIONS.values(), **table.extra}
    if table.document is not None:
        facts |= _boards(table)
        facts |= {
            "text": _written(table.document),
            "drawn": table.document["map"],
            "title": table.document.get("title") if isinstance(table.document.get("title"), str) else "",
            "figures": _figures(table.document),
            "players": list(dict.fromkeys([*(side["player"] for side in table.document["sides"]), "A", "B"])),
            "words": json.dumps({key: str(word) for key, word in WORDS.items()}),
        }
    else:
        facts["text"] = table.text.encode(errors="replace").decode()
    if request.headers.get("X-Board") == "part":
        return render(request, "parts/board.html", facts, status=status)
    facts |= {
        "brushes": BRUSHES,
        "shades": SHADES,
        "speeds": SPEEDS,
        "sizes": SIZES,
        "flights": FLIGHTS,
        "bases": BASES,
        "ignores_moving": IGNORES_MOVING,
        "ignores_targeting": IGNORES_TARGETING,
        "kinds": MAP_KINDS,
        "largest": LARGEST_MAP,
        "key": _key(),
    }
    return render(request, "rules/board/table.html", facts, status=status)


def _boards(table: Table) -> dict[str, Any]:
    assert table.document is not None
    names = [table.edition, *([table.other] if table.other else [])]
    looks = [sight.look(table.document, name, table.start, table.end, table.shade) for name in names]
    differs = sight.differences(*looks) if len(looks) > 1 else []
    boards = []
    for number, seen in enumerate(looks):
        drawing = draw_board(
            table.document,
            title=_title(table, seen),
            prefix=f"b{number}",
            line=seen.line,
            start=table.start,
            end=table.end,
            shaded=seen.shaded,
            differs=differs,
        )
        boards.append({"sight": seen, "drawing": drawing, "verdict": _verdict(seen), "marks": _marks(seen)})
    lines = [seen.line["result"] for seen in looks if seen.line]
    return {
        "boards": boards,
        "differs": differs[:NAMED],
        "differ_count": len(differs),
        "lines_differ": len(set(lines)) > 1,
        "compared": len(looks) > 1 and not any(seen.fault for seen in looks),
    }


def _title(table: Table, seen: sight.Sight) -> str:
    """Return the drawing's name for those who do not see it."""
    assert table.document is not None
    drawn = table.document["map"]
    words = _("Board of %(width)s by %(height)s squares, %(edition)s.") % {
        "width": drawn["width"],
        "height": drawn["height"],
        "edition": seen.edition.title,
    }
    return f"{words} {seen.line['because'][0]}" if seen.line else words


def _verdict(seen: sight.Sight) -> tuple[str, Promise] | None:
    return BECOMES[seen.line["result"]] if seen.line else None


def _marks(seen: sight.Sight) -> list[dict[str, Any]]:
    """Return what the line meets, in order, each with its state and its words."""
    marks = seen.line["marks"] if seen.line else []
    return [{**mark, "state": BECOMES[mark["becomes"]][0], "word": BECOMES[mark["becomes"]][1]} for mark in marks]


def _figures(document: Document) -> list[dict[str, Any]]:
    names = labels(document)
    return [
        {
            "id": piece["id"],
            "name": piece["name"],
            "label": names[piece["id"]],
            "player": player,
            "range": piece.get("range", 0),
            "squares": ", ".join(square_name(cell) for cell in stands_in(piece)),
            "first": square_name(stands_in(piece)[0]) if stands_in(piece) else "",
            "flight": dict(FLIGHTS).get(piece.get("flight") or "x", ""),
            "powers": _powers(piece),
        }
        for player, piece in pieces(document)
    ]


def _powers(piece: Mapping[str, Any]) -> str:
    click = piece.get("click", 1)
    dial = piece["dial"]
    return ", ".join(dial[click - 1].get("powers", ())) if click <= len(dial) else ""


def _key() -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """Return the key to the signs: each with its small drawing and its name."""
    shown = [
        (gettext_lazy("Terrain"), "terrain", TERRAIN),
        (gettext_lazy("On edges"), "edge", EDGES),
        (gettext_lazy("Markers"), "marker", MARKERS),
        (gettext_lazy("Objects"), "object", OBJECTS),
    ]
    groups: list[tuple[Any, list[tuple[Any, Any]]]] = [
        (title, [(swatch(sort, kind), WORDS[kind]) for kind in kinds]) for title, sort, kinds in shown
    ]
    shades = [
        (swatch("shade", "clear"), gettext_lazy("seen clearly")),
        (swatch("shade", "hindered"), gettext_lazy("seen, hindered")),
        (swatch("shade", "blocked"), gettext_lazy("not seen")),
        (swatch("shade", "reach"), gettext_lazy("reached, with the speed that it takes")),
    ]
    groups.append((gettext_lazy("Shaded squares"), shades))
    return groups
