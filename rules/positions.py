"""Changes to positions made on the board page: a position document in, a changed one out.

A document here is a position file of FORMATS.md, parsed and accepted by the engine. Each change returns a new document;
an invalid change raises `BadChange` with a message for the user. The effects of terrain are in the engine, drawing is
in `rules.drawings.board`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from rules.engine import Square, read_edge, read_square

Document = dict[str, Any]
Cell = tuple[int, int]
Sides = tuple[Cell, Cell]

LARGEST_MAP = 200
MAX_SQUARES_AT_ONCE = LARGEST_MAP * LARGEST_MAP
MAX_PIECES = 200
TERRAIN = ("hindering", "blocking", "water", "obscuring", "elevated", "indoor", "starting-area", "special")
EDGES = ("walls", "windows", "doors", "stairs", "ladders")
MARKERS = ("hindering", "blocking", "debris", "water", "obscuring", "clear", "smoke", "barrier", "special")
OBJECTS = ("light", "heavy", "immobile", "ultra-light", "ultra-heavy")
SHUT = ("walls", "windows", "doors")


class BadChange(ValueError):
    """An invalid change; the message says why, and what to do. `field` names the form's field that is at fault, if one is."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


# --- Squares and edges by name ---


def square_name(cell: Cell) -> str:
    """Return the name of a square counted from 0: (0, 0) is `A1`, (26, 0) is `AA1`."""
    return Square(*cell).name


def cells_of(names: Iterable[str]) -> list[Cell]:
    """Return the squares that names such as `C4` and `D4:E6` stand for, each once, in order.

    Raises BadChange for an invalid name and for more squares than any map has.
    """
    found: dict[Cell, None] = {}
    for name in names:
        corners = [read_square(corner) for corner in name.split(":")]
        one, other = corners[0], corners[-1]
        if one is None or other is None or len(corners) > 2:
            raise BadChange(
                _("“%(name)s” isn't a square. Enter a square, such as D4, or a rectangle, such as D4:E6.")
                % {"name": name},
                "where",
            )
        columns = range(min(one[0], other[0]), max(one[0], other[0]) + 1)
        rows = range(min(one[1], other[1]), max(one[1], other[1]) + 1)
        if len(found) + len(columns) * len(rows) > 3 * MAX_SQUARES_AT_ONCE:
            raise BadChange(_("“%(name)s” is too large for a map.") % {"name": name}, "where")
        found.update(((column, row), None) for row in rows for column in columns)
    return list(found)


def read_cells(text: str) -> list[Cell]:
    """Return the squares in a text, in any case, separated by spaces or commas. Raises BadChange."""
    names = text.upper().replace(",", " ").replace(";", " ").split()
    if not names:
        raise BadChange(_("Enter at least one square, such as D4, or a rectangle, such as D4:E6."), "where")
    return cells_of(names)


def edge_name(edge: Sides) -> str:
    """Return an edge in the form of documents."""
    return f"{square_name(edge[0])}|{square_name(edge[1])}"


def read_edges(text: str) -> list[Sides]:
    """Return the edges in a text (`D4|E4`, also `D4-E4`), separated by spaces or commas. Raises BadChange."""
    found: list[Sides] = []
    for name in text.upper().replace(",", " ").replace(";", " ").replace("-", "|").split():
        edge = read_edge(name)
        if edge is None:
            message = _("“%(name)s” isn't an edge. Enter two adjacent squares, such as D4|E4.") % {"name": name}
            raise BadChange(message, "where")
        found.append(edge)
    if not found:
        raise BadChange(_("Enter at least one edge: two adjacent squares, such as D4|E4."), "where")
    return found


def rectangles(cells: Iterable[Cell]) -> list[str]:
    """Return squares in the form of documents: as few rectangles as joining rows downwards gives."""
    left = set(cells)
    names = []
    for cell in sorted(left, key=lambda cell: (cell[1], cell[0])):
        if cell not in left:
            continue
        column, row = cell
        right = column
        while (right + 1, row) in left:
            right += 1
        bottom = row
        while all((across, bottom + 1) in left for across in range(column, right + 1)):
            bottom += 1
        left.difference_update((a, d) for a in range(column, right + 1) for d in range(row, bottom + 1))
        last = (right, bottom)
        names.append(square_name(cell) if last == cell else f"{square_name(cell)}:{square_name(last)}")
    return names


# --- Whole positions ---


def empty_map(width: int, height: int, kind: str = "outdoor") -> Document:
    """Return a map without anything on it."""
    parts: Document = {key: [] for key in ("terrain", *EDGES, "markers")}
    return {"width": width, "height": height, "kind": kind, **parts}


def position_on(map_document: Mapping[str, Any], edition: str, title: str = "") -> Document:
    """Return a position on a map with two sides and no characters yet."""
    made: Document = {"title": title} if title else {}
    sides = [{"player": player, "characters": []} for player in "AB"]
    return {**made, "edition": edition, "map": copy.deepcopy(dict(map_document)), "objects": [], "sides": sides}


def whole_numbers(value: Any) -> Any:
    """Return a JSON value with 3 in place of 3.0, as the engine reads it."""
    if isinstance(value, dict):
        return {key: whole_numbers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [whole_numbers(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def pieces(document: Mapping[str, Any]) -> list[tuple[str, Document]]:
    """Return each character with its player."""
    return [(side["player"], piece) for side in document["sides"] for piece in side.get("characters", ())]


def stands_in(piece: Mapping[str, Any]) -> list[Cell]:
    """Return the squares of a character: none while it is captive, knocked out or off the map."""
    if piece.get("captured_by") or piece.get("click", 1) > len(piece["dial"]):
        return []
    return [cell for name in _squares(piece) if (cell := read_square(name)) is not None]


def _squares(piece: Mapping[str, Any]) -> list[str]:
    return list(piece.get("squares") or ([piece["square"]] if piece.get("square") else []))


def who_stands_in(document: Mapping[str, Any], cell: Cell) -> Document | None:
    """Return the character in a square, or None."""
    return next((piece for _player, piece in pieces(document) if cell in stands_in(piece)), None)


def piece_of(document: Mapping[str, Any], name: str) -> Document | None:
    """Return the character with that id, or None."""
    return next((piece for _player, piece in pieces(document) if piece["id"] == name), None)


def resized(document: Document, width: int, height: int) -> Document:
    """Return the position with its map resized; everything outside the new map is removed, including characters."""
    if not (1 <= width <= LARGEST_MAP and 1 <= height <= LARGEST_MAP):
        message = _("A map's sides must be 1 to %(most)s squares long.") % {"most": LARGEST_MAP}
        raise BadChange(message, "height" if 1 <= width <= LARGEST_MAP else "width")

    def holds(cell: Cell) -> bool:
        return cell[0] < width and cell[1] < height

    changed = copy.deepcopy(document)
    drawn = changed["map"]
    drawn |= {"width": width, "height": height}
    drawn["terrain"] = [
        {**area, "squares": rectangles(kept)}
        for area in drawn.get("terrain", ())
        if (kept := [cell for cell in cells_of(area["squares"]) if holds(cell)])
    ]
    for kind in EDGES:
        kept_edges = [edge for name in drawn.get(kind, ()) if (edge := read_edge(name)) and all(map(holds, edge))]
        drawn[kind] = [edge_name(edge) for edge in kept_edges]
    drawn["markers"] = [mark for mark in drawn.get("markers", ()) if holds(_at(mark["square"]))]
    changed.setdefault("objects", [])
    for _player, piece in pieces(changed):
        if not all(holds(_at(name)) for name in _squares(piece)):
            changed = removed(changed, piece["id"])
    for holder in (changed, *changed["sides"]):
        if "cards" in holder:
            holder["cards"] = _cut_cards(holder["cards"], holds)
    colors = (changed.get("event_dial") or {}).get("colors", {})
    for color, cards in colors.items():
        colors[color] = _cut_cards(cards, holds)
    things = changed["objects"]
    changed["objects"] = [thing for thing in things if not thing.get("square") or holds(_at(thing["square"]))]
    return changed


def _cut_cards(cards: list[Document], holds: Callable[[Cell], bool]) -> list[Document]:
    """Keep of the squares in which cards count those that are left; return the cards without those that lost all."""
    for card in cards:
        if "squares" in card:
            card["squares"] = rectangles([cell for cell in cells_of(card["squares"]) if holds(cell)])
    return [card for card in cards if card.get("squares") != []]


def _at(name: str) -> Cell:
    cell = read_square(name)
    assert cell is not None, name
    return cell


# --- The brush ---


def brushed(document: Document, brush: str, where: str, *, level: int = 2, player: str = "A") -> Document:
    """Return the position with the brush applied to the squares or edges in `where`.

    `brush` is `terrain:KIND`, `edge:KIND`, `marker:KIND`, `object:KIND`, `erase:squares` or `erase:edges`. If all of
    them already have it, it is removed from all instead. Raises BadChange.
    """
    sort, _colon, kind = brush.partition(":")
    changed = copy.deepcopy(document)
    if sort == "edge" and kind in EDGES:
        _put_edges(changed["map"], kind, _edges_there(changed, where))
    elif brush == "erase:edges":
        gone = set(_edges_there(changed, where))
        for key in EDGES:
            changed["map"][key] = [name for name in changed["map"].get(key, ()) if read_edge(name) not in gone]
    elif sort == "terrain" and kind in TERRAIN:
        _put_terrain(changed["map"], kind, _cells_there(changed, where), level, player)
    elif sort == "marker" and kind in MARKERS:
        _put_markers(changed["map"], kind, _cells_there(changed, where))
    elif sort == "object" and kind in OBJECTS:
        _put_objects(changed, kind, _cells_there(changed, where))
    elif brush == "erase:squares":
        _erase(changed, set(_cells_there(changed, where)))
    else:
        raise BadChange(_("This brush doesn't exist. Reload the page."))
    return changed


def _cells_there(document: Document, where: str) -> list[Cell]:
    width, height = document["map"]["width"], document["map"]["height"]
    cells = read_cells(where)
    for cell in cells:
        if cell[0] >= width or cell[1] >= height:
            raise BadChange(_("%(square)s isn't on the map.") % {"square": square_name(cell)}, "where")
    return cells


def _edges_there(document: Document, where: str) -> list[Sides]:
    width, height = document["map"]["width"], document["map"]["height"]
    edges = read_edges(where)
    for edge in edges:
        if edge[1][0] >= width or edge[1][1] >= height:
            raise BadChange(_("%(edge)s isn't on the map.") % {"edge": edge_name(edge)}, "where")
    return edges


def _put_edges(drawn: Document, kind: str, edges: list[Sides]) -> None:
    rivals = SHUT if kind in SHUT else ("stairs", "ladders")
    there = {read_edge(name) for name in drawn.get(kind, ())}
    taken_away = all(edge in there for edge in edges)
    for key in rivals:
        drawn[key] = [name for name in drawn.get(key, ()) if read_edge(name) not in edges]
    if not taken_away:
        drawn[kind] = [*drawn[kind], *(edge_name(edge) for edge in edges)]


def _put_terrain(drawn: Document, kind: str, cells: list[Cell], level: int, player: str) -> None:
    wanted: Document = {"type": kind}
    if kind == "elevated":
        wanted["level"] = level
    elif kind == "starting-area":
        wanted["player"] = player
    areas: list[tuple[Document, dict[Cell, None]]] = []
    for area in drawn.get("terrain", ()):
        facts = {key: value for key, value in area.items() if key != "squares"}
        if facts["type"] == "elevated":
            facts.setdefault("level", 2)
        held = next((held for known, held in areas if known == facts), None)
        if held is None:
            held = {}
            areas.append((facts, held))
        held.update(dict.fromkeys(cells_of(area["squares"])))
    mine = next((held for known, held in areas if known == wanted), None)
    taken_away = mine is not None and all(cell in mine for cell in cells)
    for facts, held in areas:
        if facts["type"] == kind:
            for cell in cells:
                held.pop(cell, None)
    if not taken_away:
        if mine is None:
            mine = {}
            areas.append((wanted, mine))
        mine.update(dict.fromkeys(cells))
    drawn["terrain"] = [{**facts, "squares": rectangles(held)} for facts, held in areas if held]


def _put_markers(drawn: Document, kind: str, cells: list[Cell]) -> None:
    markers = list(drawn.get("markers", ()))
    there = {mark["square"] for mark in markers if mark["kind"] == kind}
    names = [square_name(cell) for cell in cells]
    if all(name in there for name in names):
        markers = [mark for mark in markers if mark["kind"] != kind or mark["square"] not in names]
    else:
        markers += [{"kind": kind, "square": name} for name in names if name not in there]
    drawn["markers"] = markers


def _put_objects(document: Document, kind: str, cells: list[Cell]) -> None:
    things = list(document.get("objects", ()))
    names = [square_name(cell) for cell in cells]
    here = [thing for thing in things if thing["kind"] == kind and thing.get("square") in names]
    if {thing["square"] for thing in here} == set(names):
        document["objects"] = [thing for thing in things if thing not in here]
        return
    for name in names:
        taken = {thing["id"] for thing in things} | {piece["id"] for _player, piece in pieces(document)}
        things.append({"id": _free_name(kind, taken), "kind": kind, "square": name, "special": False})
    document["objects"] = things


def _erase(document: Document, cells: set[Cell]) -> None:
    drawn = document["map"]
    names = {square_name(cell) for cell in cells}
    kept = []
    for area in drawn.get("terrain", ()):
        left = [cell for cell in cells_of(area["squares"]) if cell not in cells]
        if left:
            kept.append({**area, "squares": rectangles(left)})
    drawn["terrain"] = kept
    drawn["markers"] = [mark for mark in drawn.get("markers", ()) if mark["square"] not in names]
    document["objects"] = [thing for thing in document.get("objects", ()) if thing.get("square") not in names]


# --- Pieces ---


def _free_name(wanted: str, taken: set[str]) -> str:
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


def placed(document: Document, player: str, piece: Mapping[str, Any], where: str, *, upright: bool = False) -> Document:
    """Return the position with one more character, its top left square in `where`. Raises BadChange.

    `upright` puts the second square of a base of two squares below the first instead of to the right.
    """
    changed = copy.deepcopy(document)
    if len(pieces(changed)) >= MAX_PIECES:
        raise BadChange(_("A map can hold at most %(most)s figures.") % {"most": MAX_PIECES})
    taken = {one["id"] for _player, one in pieces(changed)} | {thing["id"] for thing in changed.get("objects", ())}
    name = _free_name(slugify(piece["name"]) or "figure", taken)
    made = {**copy.deepcopy(dict(piece)), "id": name}
    stand(changed, made, where, upright=upright)
    side = next((side for side in changed["sides"] if side["player"] == player), None)
    if side is None:
        side = {"player": player, "characters": []}
        changed["sides"].append(side)
    side.setdefault("characters", []).append(made)
    return changed


def held(document: Document, player: str, piece: Mapping[str, Any], captor: str) -> Document:
    """Return the position with one more character, off the map as the captive of an opposing one. Raises BadChange."""
    changed = copy.deepcopy(document)
    owner = next((side for side, one in pieces(changed) if one["id"] == captor and stands_in(one)), None)
    if owner is None or owner == player:
        raise BadChange(_("Choose the opposing figure that holds the captive."))
    taken = {one["id"] for _player, one in pieces(changed)} | {thing["id"] for thing in changed.get("objects", ())}
    name = _free_name(slugify(piece["name"]) or "figure", taken)
    made = {**copy.deepcopy(dict(piece)), "id": name, "square": None, "captured_by": captor}
    next(side for side in changed["sides"] if side["player"] == player).setdefault("characters", []).append(made)
    return changed


def loosened(document: Mapping[str, Any]) -> Document:
    """Return a copy of a position in which keys of its map, figures and objects can be set; their values are shared."""
    changed: Document = {**document, "map": {**document["map"]}, "sides": [{**side} for side in document["sides"]]}
    for holder, key in ((changed, "objects"), *((side, "characters") for side in changed["sides"])):
        if key in holder:
            holder[key] = [{**one} for one in holder[key]]
    return changed


def moved(document: Document, name: str, where: str) -> Document:
    """Return the position with a character in another square (its top left one). Raises BadChange."""
    changed = loosened(document)
    piece = piece_of(changed, name)
    if piece is None:
        raise BadChange(_("Choose the figure to move."))
    if piece.get("captured_by"):
        raise BadChange(_("%(name)s is a captive. Move its captor instead.") % {"name": piece["name"]})
    stand(changed, piece, where)
    return changed


def removed(document: Document, name: str) -> Document:
    """Return the position without a character; the object it held or had on its card is left in its square."""
    changed = copy.deepcopy(document)
    piece = piece_of(changed, name)
    if piece is None:
        raise BadChange(_("Choose the figure to remove."))
    put_down(changed, piece)
    for thing in changed.get("objects", ()):
        if thing.get("assigned_to") == name:
            del thing["assigned_to"]
            put_down(changed, {**piece, "holding": thing["id"]})
    for side in changed["sides"]:
        side["characters"] = [one for one in side.get("characters", ()) if one["id"] != name]
        for one in side["characters"]:
            for key in ("captured_by", "generated_by", "replaces"):
                if one.get(key) == name:
                    del one[key]
            _forget_giver(one, name)
    return changed


def _forget_giver(piece: Document, name: str) -> None:
    """Keep the tokens that a figure gave another without saying who gave them."""
    for given in piece.get("named_tokens", {}).values():
        if isinstance(given, dict) and name in given:
            given[""] = given.get("", 0) + given.pop(name)


def put_down(document: Document, piece: Mapping[str, Any]) -> None:
    """Leave the object that a figure holds, if any, in its square."""
    cells = stands_in(piece)
    for thing in document.get("objects", ()):
        if thing["id"] == piece.get("holding"):
            thing["square"] = square_name(cells[0]) if cells else None


def stand(document: Document, piece: Document, where: str, *, upright: bool | None = None) -> None:
    """Put a character's base in the squares from `where`, its top left one, on. Raises BadChange.

    `upright` says how a base of two squares lies; None leaves it as it lay.
    """
    cells = _cells_there(document, where)
    column, row = cells[0]
    base = piece.get("base", "single")
    if base == "single":
        wanted = [(column, row)]
    elif base == "2x2":
        wanted = [(column + across, row + down) for down in (0, 1) for across in (0, 1)]
    else:
        before = stands_in(piece)
        across, down = (
            (before[1][0] - before[0][0], before[1][1] - before[0][1])
            if len(before) == 2 and upright is None
            else (0, 1)
            if upright
            else (1, 0)
        )
        wanted = [(column, row), (column + across, row + down)]
    width, height = document["map"]["width"], document["map"]["height"]
    if any(not (0 <= c < width and 0 <= r < height) for c, r in wanted):
        message = _("%(name)s doesn't fit there. Its base needs more squares.") % {"name": piece["name"]}
        raise BadChange(message, "where")
    for cell in wanted:
        other = who_stands_in(document, cell)
        if other is not None and other["id"] != piece["id"]:
            message = _("%(name)s already occupies %(square)s.")
            raise BadChange(message % {"name": other["name"], "square": square_name(cell)}, "where")
    names = [square_name(cell) for cell in wanted]
    piece.pop("square", None)
    piece.pop("squares", None)
    if base == "single":
        piece["square"] = names[0]
    else:
        piece["squares"] = names
