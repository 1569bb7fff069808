"""A position and what was answered about it → SVG: the board of the page, of a printed dispute, of an example.

The books' boundary colours stand just inside the grid, each with a pattern or a letter of its own; a line of fire is
solid while clear, dashed from the square where it becomes hindered, and ends in a bar where it is blocked. Colours
come from the stylesheet by class; without it the drawing is black and still legible. Pure: plain values in, text out.
Fractions here only place ink; what a line meets was decided by the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from rules.engine import column_letters, read_edge, read_square
from rules.positions import Cell, Document, Sides, cells_of, pieces, square_name, stands_in, who_stands_in

UNIT = 40
MARGIN = 28
OUTSIDE = -9
SMALL = 10
"""A map of no more squares either way is drawn larger."""
INSETS = {
    "elevated": 3,
    "hindering": 6,
    "blocking": 6,
    "water": 6,
    "obscuring": 9,
    "indoor": 9,
    "starting-area": 12,
    "special": 12,
}
VAST = 64 * 64
"""Maps of more squares are drawn without patterns: nobody could see them, and everybody would wait for them."""
PATTERNED = ("hindering", "blocking", "water", "obscuring", "indoor", "special")
MARKER_LOOKS = {"debris": "hindering", "smoke": "hindering", "barrier": "blocking"}
MARKER_LETTERS = {
    "hindering": "H",
    "blocking": "B",
    "debris": "D",
    "water": "W",
    "obscuring": "O",
    "clear": "C",
    "smoke": "S",
    "barrier": "Ba",
    "special": "Sp",
}
OBJECT_LETTERS = {"light": "L", "heavy": "H", "immobile": "I", "ultra-light": "UL", "ultra-heavy": "UH"}
PATTERNS = {
    "hindering": '<path d="M-2 12 12 -2M-2 2 2 -2M8 12 12 8"/>',
    "blocking": '<path d="M0 2.500H10M0 7.500H10M2.500 2.500V7.500M7.500 7.500V10M7.500 0V2.500"/>',
    "water": '<path d="M0 5Q2.500 1 5 5T10 5"/>',
    "obscuring": '<circle cx="2.500" cy="2.500" r="1.500"/><circle cx="7.500" cy="7.500" r="1.500"/>',
    "indoor": '<path d="M5 4V6"/>',
    "special": '<path d="M5 2V8M2 5H8"/>',
    "see-hindered": '<path d="M-2 -2 12 12M-2 8 2 12M8 -2 12 2"/>',
    "reach": '<circle cx="5" cy="5" r="1.300"/>',
}


class Board:
    """One drawing in the making: the document's map, the squares' places, and the ids of its own patterns."""

    def __init__(self, document: Mapping[str, Any], prefix: str) -> None:
        self.document = document
        self.map: Mapping[str, Any] = document["map"]
        self.width: int = self.map["width"]
        self.height: int = self.map["height"]
        self.prefix = prefix
        self.vast = self.width * self.height > VAST
        self.parts: list[str] = []

    def add(self, *parts: str) -> None:
        """Append pieces of SVG."""
        self.parts += parts

    def pattern(self, name: str) -> str:
        """Return the fill that refers to a pattern of this drawing."""
        return f"url(#{self.prefix}-{name})"


def draw_board(
    document: Mapping[str, Any],
    *,
    title: str,
    prefix: str = "board",
    line: Mapping[str, Any] | None = None,
    start: str = "",
    end: str = "",
    shaded: Mapping[str, Any] | None = None,
    differs: Sequence[str] = (),
) -> SafeString:
    """Return the SVG of a position that the engine has found good.

    `line` is an answer to `line-of-fire`; `start` and `end` are the chosen squares; `shaded` is square → how it is
    seen, or → the speed to reach it; `differs` are squares to mark. `prefix` keeps two drawings on one page apart.
    """
    board = Board(document, prefix)
    _ground(board)
    _terrain(board, shaded or {})
    _markers(board)
    _grid(board)
    _edges(board)
    _objects(board)
    _ends(board, start, end)
    signs = _line(board, line) if line is not None else []
    _figures(board)
    board.add(*signs)
    _speeds(board, shaded or {})
    _differences(board, differs)
    body = "".join(board.parts)
    wide, high = MARGIN + board.width * UNIT + 6, MARGIN + board.height * UNIT + 6
    scale = 1.5 if max(board.width, board.height) <= SMALL else 1
    size = f'width="{wide * scale:.0f}" height="{high * scale:.0f}" preserveAspectRatio="xMinYMin meet"'
    return mark_safe(  # every text below is escaped where it is written
        f'<svg class="board-drawing" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" {size} '
        f'role="img" aria-label="{escape(title)}">{body}</svg>'
    )


def swatch(sort: str, kind: str) -> SafeString:
    """Return a small drawing of one kind of terrain, edge, marker, object or shade, for the key to the signs."""
    document: Document = {"map": {"width": 1, "height": 1}, "sides": []}
    drawn, size, shaded = document["map"], (1, 1), {}
    if sort == "terrain":
        drawn["terrain"] = [{"type": kind, "squares": ["A1"], "player": "A"}]
    elif sort == "marker":
        drawn["markers"] = [{"kind": kind, "square": "A1"}]
    elif sort == "object":
        document["objects"] = [{"id": "o", "kind": kind, "square": "A1"}]
    elif sort == "shade":
        shaded = {"A1": 2 if kind == "reach" else kind}
    else:
        size = (2, 1)
        drawn |= {"width": 2, kind: ["A1|B1"]}
    board = Board(document, f"key-{sort}-{kind}")
    _ground(board)
    _terrain(board, shaded)
    for draw in (_markers, _grid, _edges, _objects):
        draw(board)
    _speeds(board, shaded)
    view = f"{MARGIN - 2} {MARGIN - 2} {size[0] * UNIT + 4} {size[1] * UNIT + 4}"
    body = "".join(part for part in board.parts if "board-name" not in part)
    return mark_safe(f'<svg class="board-swatch" viewBox="{view}" aria-hidden="true">{body}</svg>')


# --- The printed map ---


def _x(column: float) -> float:
    return MARGIN + column * UNIT


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _ground(board: Board) -> None:
    used = {area["type"] for area in board.map.get("terrain", ())}
    used |= {MARKER_LOOKS.get(mark["kind"], mark["kind"]) for mark in board.map.get("markers", ())}
    used |= {"see-hindered", "reach"}
    board.add("<defs>")
    for name, ink in PATTERNS.items():
        if name in used:
            board.add(
                f'<pattern id="{board.prefix}-{name}" width="10" height="10" patternUnits="userSpaceOnUse" '
                f'class="ink-{name}">{ink}</pattern>'
            )
    board.add("</defs>")
    size = f'width="{board.width * UNIT}" height="{board.height * UNIT}"'
    board.add(f'<rect class="board-ground" x="{MARGIN}" y="{MARGIN}" {size}/>')


def _filled(cells: Iterable[Cell]) -> str:
    """Return the path that fills squares, each run of a row at once."""
    rows: dict[int, list[int]] = {}
    for column, row in cells:
        rows.setdefault(row, []).append(column)
    path = []
    for row, columns in rows.items():
        columns.sort()
        first = last = columns[0]
        for column in (*columns[1:], OUTSIDE):
            if column == last + 1:
                last = column
                continue
            path.append(
                f"M{_x(first):.0f} {_x(row):.0f}h{(last - first + 1) * UNIT}v{UNIT}h-{(last - first + 1) * UNIT}z"
            )
            first = last = column
    return "".join(path)


def _outline(cells: set[Cell], inset: float) -> str:
    """Return the boundary of an area of squares, drawn by `inset` inside it, round every corner, also inner ones."""
    path = []

    def reach(along: tuple[int, int], across: tuple[int, int], cell: Cell) -> float:
        """Return how far a side's line goes beyond its square's corner in the direction `along`."""
        beside = (cell[0] + along[0], cell[1] + along[1])
        if beside not in cells:
            return -inset
        return inset if (beside[0] + across[0], beside[1] + across[1]) in cells else 0

    for cell in cells:
        left, top = _x(cell[0]), _x(cell[1])
        right, bottom = left + UNIT, top + UNIT
        for across, level in (((0, -1), top + inset), ((0, 1), bottom - inset)):
            if (cell[0], cell[1] + across[1]) not in cells:
                one, other = left - reach((-1, 0), across, cell), right + reach((1, 0), across, cell)
                path.append(f"M{_short(one)} {_short(level)}H{_short(other)}")
        for across, level in (((-1, 0), left + inset), ((1, 0), right - inset)):
            if (cell[0] + across[0], cell[1]) not in cells:
                one, other = top - reach((0, -1), across, cell), bottom + reach((0, 1), across, cell)
                path.append(f"M{_short(level)} {_short(one)}V{_short(other)}")
    return "".join(path)


def _terrain(board: Board, shaded: Mapping[str, Any]) -> None:
    """Draw the areas, and over their colours but under their boundaries what is seen or reached."""
    areas: dict[tuple[str, Any], set[Cell]] = {}
    for area in board.map.get("terrain", ()):
        kind = area["type"]
        apart = area.get("level", 2) if kind == "elevated" else area.get("player") if kind == "starting-area" else None
        areas.setdefault((kind, apart), set()).update(cells_of(area["squares"]))
    for (kind, _apart), cells in areas.items():
        board.add(f'<path class="area area-{kind}" d="{_filled(cells)}"/>')
    levels: dict[Cell, int] = {}
    for (kind, apart), cells in areas.items():
        if kind == "elevated":
            levels.update((cell, max(apart, levels.get(cell, 0))) for cell in cells)
    _shades(board, shaded)
    for (kind, apart), cells in areas.items():
        if kind in PATTERNED and not board.vast:
            board.add(f'<path fill="{board.pattern(kind)}" d="{_filled(cells)}"/>')
        boundary = _outline(cells, INSETS[kind])
        if not board.vast:
            board.add(f'<path class="rim-case" d="{boundary}"/>')
        board.add(f'<path class="rim rim-{kind}" d="{boundary}"/>')
        if kind == "elevated":
            for column, row in sorted(cell for cell in cells if levels[cell] == apart):
                board.add(_word("level", _x(column) + 6, _x(row) + 15, str(apart)))
        elif kind in ("starting-area", "special", "indoor"):
            letter = {"special": "Sp", "indoor": "in"}.get(kind, str(apart or ""))
            for column, row in _first_squares(cells):
                board.add(_word(f"sign sign-{kind}", _x(column) + UNIT - 7, _x(row) + UNIT - 8, letter, "end"))


def _first_squares(cells: set[Cell]) -> list[Cell]:
    """Return the first square of each connected part of an area."""
    left, firsts = set(cells), []
    for cell in sorted(cells, key=lambda cell: (cell[1], cell[0])):
        if cell not in left:
            continue
        firsts.append(cell)
        open_cells = [cell]
        left.discard(cell)
        while open_cells:
            column, row = open_cells.pop()
            for beside in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
                if beside in left:
                    left.discard(beside)
                    open_cells.append(beside)
    return firsts


def _word(kind: str, x: float, y: float, text: str, anchor: str = "") -> str:
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{_short(x)}" y="{_short(y)}"{anchored}>{escape(text)}</text>'


def _markers(board: Board) -> None:
    for mark in board.map.get("markers", ()):
        cell = read_square(mark["square"])
        if cell is None:
            continue
        kind = mark["kind"]
        like = MARKER_LOOKS.get(kind, kind)
        x, y = _x(cell[0]) + 5, _x(cell[1]) + 5
        size = f'x="{x:.0f}" y="{y:.0f}" width="{UNIT - 10}" height="{UNIT - 10}" rx="6"'
        fill = f'<rect {size} fill="{board.pattern(like)}"/>' if like in PATTERNED else ""
        board.add(f'<rect class="marker area-{like} rim-{like}" {size}/>{fill}')
        board.add(_word("sign letter", _x(cell[0]) + 9, _x(cell[1]) + UNIT - 9, MARKER_LETTERS[kind]))


def _grid(board: Board) -> None:
    right, bottom = _x(board.width), _x(board.height)
    lines = [f"M{_x(column):.0f} {MARGIN}V{bottom:.0f}" for column in range(board.width + 1)]
    lines += [f"M{MARGIN} {_x(row):.0f}H{right:.0f}" for row in range(board.height + 1)]
    board.add(f'<path class="board-grid" d="{"".join(lines)}"/>')
    for column in range(board.width):
        board.add(_word("board-name", _x(column) + UNIT / 2, MARGIN - 8, column_letters(column), "middle"))
    for row in range(board.height):
        board.add(_word("board-name", MARGIN - 6, _x(row) + UNIT / 2 + 7, str(row + 1), "end"))


def _edge_line(edge: Sides, beyond: float = 0) -> str:
    """Return the path along an edge, a little longer at both ends."""
    (column, row), (other, _row) = edge
    if other > column:
        return f"M{_x(other):.0f} {_short(_x(row) - beyond)}V{_short(_x(row + 1) + beyond)}"
    return f"M{_short(_x(column) - beyond)} {_x(row + 1):.0f}H{_short(_x(column + 1) + beyond)}"


def _edges(board: Board) -> None:
    for kind in ("walls", "windows", "doors"):
        edges = [edge for name in board.map.get(kind, ()) if (edge := read_edge(name)) is not None]
        if edges:
            path = "".join(_edge_line(edge) for edge in edges)
            board.add(f'<path class="edge-case case-{kind}" d="{path}"/><path class="edge {kind}" d="{path}"/>')
    for kind in ("stairs", "ladders"):
        for name in board.map.get(kind, ()):
            edge = read_edge(name)
            if edge is not None:
                board.add(_way_up(edge, kind))


def _way_up(edge: Sides, kind: str) -> str:
    """Return stairs (steps across the edge) or a ladder (two rails and rungs)."""
    (column, row), (other, _row) = edge
    upright = other > column
    middle = (_x(other), _x(row) + UNIT / 2) if upright else (_x(column) + UNIT / 2, _x(row + 1))
    half = 11 if kind == "stairs" else 7
    path = []

    def stroke(along: float, across: float, length: float, crosswise: bool) -> None:
        x = middle[0] + (along if upright else across)
        y = middle[1] + (across if upright else along)
        path.append(f"M{_short(x)} {_short(y)}{'v' if upright == crosswise else 'h'}{_short(length)}")

    for step in (-9, -3, 3, 9):
        stroke(step, -half, 2 * half, True)
    if kind == "ladders":
        for rail in (-half, half):
            stroke(-13, rail, 26, False)
    drawn = "".join(path)
    return f'<path class="way-case" d="{drawn}"/><path class="way-up" d="{drawn}"/>'


# --- What stands on the map ---


def _objects(board: Board) -> None:
    for thing in board.document.get("objects", ()):
        cell = read_square(thing["square"]) if thing.get("square") and not thing.get("removed") else None
        if cell is None:
            continue
        x, y = _x(cell[0]) + 29, _x(cell[1]) + 29
        kind = thing["kind"]
        name = escape(thing.get("name") or thing["id"])
        board.add(
            f'<g class="thing"><title>{name}</title><circle class="thing-case" cx="{x:.0f}" cy="{y:.0f}" r="8.5"/>'
            f'<circle class="ring-object ring-{kind}" cx="{x:.0f}" cy="{y:.0f}" r="8.5"/>'
            f"{_word('sign thing-letter', x, y + 3.5, OBJECT_LETTERS[kind], 'middle')}</g>"
        )


def labels(document: Mapping[str, Any]) -> dict[str, str]:
    """Return id → the one to three signs by which the drawing and its list name a figure."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    numbers: dict[str, int] = {}  # the next for each sign: those before it are taken, and not tried once more
    for _player, piece in pieces(document):
        words = [word for word in "".join(c if c.isalnum() else " " for c in piece["name"]).split() if word]
        short = "".join(word[0] for word in words[:2]).upper() if len(words) > 1 else (words or ["?"])[0][:2].title()
        label, number = short, numbers.get(short, 2)
        while label in taken:
            label = f"{short[:2] if number < 10 else short[:1]}{number}"
            number += 1
        numbers[short] = number
        taken.add(label)
        found[piece["id"]] = label
    return found


def _figures(board: Board) -> None:
    names = labels(board.document)
    players = [side["player"] for side in board.document["sides"]]
    for player, piece in pieces(board.document):
        cells = stands_in(piece)
        if cells:
            board.add(_figure(piece, cells, names[piece["id"]], players.index(player) % 4))


def _figure(piece: Mapping[str, Any], cells: list[Cell], label: str, side: int) -> str:
    left, top = _x(min(c for c, _r in cells)), _x(min(r for _c, r in cells))
    right, bottom = _x(max(c for c, _r in cells) + 1), _x(max(r for _c, r in cells) + 1)
    x, y = (left + right) / 2, (top + bottom) / 2
    turned = len(cells) == 2 and cells[0][0] != cells[1][0] and cells[0][1] != cells[1][1]
    wide, high = (right - left - 9, bottom - top - 9)
    radius = min(wide, high) / 2 if side % 2 == 0 else 5 + 4 * (side // 2)
    if turned:
        wide = high = UNIT - 9
        ends = "L".join(f"{_x(c) + UNIT / 2:.0f} {_x(r) + UNIT / 2:.0f}" for c, r in cells)
        shape = f'<path class="figure-joint" d="M{ends}"/>'
    else:
        shape = (
            f'<rect class="figure-base" x="{_short(x - wide / 2)}" y="{_short(y - high / 2)}" width="{_short(wide)}" '
            f'height="{_short(high)}" rx="{_short(radius)}"/>'
        )
    flight = piece.get("flight")
    badge = "▲▲" if flight == "soaring" else "▲" if flight == "hovering" else ""
    damage = (piece.get("symbols") or {}).get("damage", "standard")
    size = {"giant": "G", "colossal": "C", "tiny": "t", "sentinel": "Se"}.get(damage if isinstance(damage, str) else "")
    title = f"{piece['name']} ({', '.join(map(square_name, cells))})"
    drawn = f'<g class="figure side-{side}"><title>{escape(title)}</title>{shape}'
    drawn += _word("figure-name", x, y + (9 if badge else 2 if size else 6), label, "middle")
    if badge:
        drawn += _word("figure-badge", x, y - 5, badge, "middle")
    if size:
        drawn += _word("figure-badge", x + (11 if badge else 0), y + (-5 if badge else 13), size, "middle")
    return drawn + "</g>"


# --- What was asked ---


def _shades(board: Board, shaded: Mapping[str, Any]) -> None:
    sorts: dict[str, list[Cell]] = {}
    for name, found in shaded.items():
        cell = read_square(name)
        if cell is not None:
            sorts.setdefault(found if isinstance(found, str) else "reach", []).append(cell)
    for sort, cells in sorts.items():
        path = _filled(cells)
        board.add(f'<path class="shade shade-{sort}" d="{path}"/>')
        if sort in ("hindered", "reach"):
            name = "see-hindered" if sort == "hindered" else sort
            board.add(f'<path fill="{board.pattern(name)}" d="{path}"/>')


def _speeds(board: Board, shaded: Mapping[str, Any]) -> None:
    """Write in each square that is reached, but the one it starts in, the speed that it takes."""
    for name, found in shaded.items():
        cell = read_square(name)
        if cell is not None and not isinstance(found, str) and found:
            board.add(_word("speed", _x(cell[0]) + UNIT - 5, _x(cell[1]) + 15, str(found), "end"))


def _ends(board: Board, start: str, end: str) -> None:
    for kind, name in (("start", start), ("end", end)):
        cell = read_square(name)
        if cell is None or cell[0] >= board.width or cell[1] >= board.height:
            continue
        left, top = _x(cell[0]) + 1, _x(cell[1]) + 1
        right, bottom = left + UNIT - 2, top + UNIT - 2
        corner = 12
        if kind == "start":
            path = f"M{left:.0f} {top:.0f}H{right:.0f}V{bottom:.0f}H{left:.0f}z"
        else:
            path = (
                f"M{left:.0f} {top + corner:.0f}V{top:.0f}h{corner}M{right - corner:.0f} {top:.0f}h{corner}v{corner}"
                f"M{right:.0f} {bottom - corner:.0f}v{corner}h-{corner}M{left + corner:.0f} {bottom:.0f}h-{corner}v-{corner}"
            )
        board.add(f'<path class="end-case" d="{path}"/><path class="end end-{kind}" d="{path}"/>')


def _differences(board: Board, differs: Sequence[str]) -> None:
    for name in differs:
        cell = read_square(name)
        if cell is not None:
            board.add(_word("differs", _x(cell[0]) + 10, _x(cell[1]) + UNIT - 5, "≠", "middle"))


def entry(start: Cell, end: Cell, cell: Cell) -> float:
    """Return how far along the line between two centres, from 0 to 1, it comes into a square.

    0 for a square that it starts in; where it only touches the square's corner, that corner.
    """
    first, last = 0.0, 1.0
    for one, other, low in ((start[0], end[0], cell[0]), (start[1], end[1], cell[1])):
        begins, goes = one + 0.5, other - one
        if goes:
            sides = sorted(((low - begins) / goes, (low + 1 - begins) / goes))
            first, last = max(first, sides[0]), min(last, sides[1])
    return min(max(first, 0.0), 1.0)


def _line(board: Board, line: Mapping[str, Any]) -> list[str]:
    """Draw the line of fire and the squares it meets; return its bar and its names, which go over the figures."""
    squares = [cell for name in line.get("squares", ()) if (cell := read_square(name)) is not None]
    if len(squares) < 2:
        return []
    signs: list[str] = []
    start, end = squares[0], squares[-1]
    ends = [(_x(cell[0]) + UNIT / 2, _x(cell[1]) + UNIT / 2) for cell in (start, end)]
    length = max(1.0, ((ends[1][0] - ends[0][0]) ** 2 + (ends[1][1] - ends[0][1]) ** 2) ** 0.5)
    hindered, blocked = None, None
    for mark in line.get("marks", ()):
        cell = read_square(mark["square"])
        if cell is None:
            continue
        at = entry(start, end, cell)
        if mark["becomes"] == "hindered" and hindered is None:
            hindered = at
        elif mark["becomes"] == "blocked":
            blocked = max(at, min(0.45, 0.55 * UNIT / length))
            hindered = hindered if hindered is not None and hindered < blocked else None
        signs += _outlined(board, mark, cell)
        if mark["becomes"] == "blocked":
            break

    def point(at: float) -> str:
        x = ends[0][0] + at * (ends[1][0] - ends[0][0])
        y = ends[0][1] + at * (ends[1][1] - ends[0][1])
        return f"{_short(x)} {_short(y)}"

    last = 1.0 if blocked is None else blocked
    turn = last if hindered is None else hindered
    whole = f"M{point(0)}L{point(last)}"
    board.add(f'<path class="line-case" d="{whole}"/>')
    if turn > 0:
        board.add(f'<path class="line line-clear" d="M{point(0)}L{point(turn)}"/>')
    if turn < last:
        board.add(f'<path class="line line-hindered" d="M{point(turn)}L{point(last)}"/>')
    x, y = (float(part) for part in point(0).split())
    board.add(f'<circle class="line-start" cx="{_short(x)}" cy="{_short(y)}" r="4.5"/>')
    if blocked is None:
        x, y = (float(part) for part in point(1).split())
        board.add(f'<circle class="line-end line-{line["result"]}" cx="{_short(x)}" cy="{_short(y)}" r="5.5"/>')
        return signs
    across = (-(ends[1][1] - ends[0][1]) / length * 14, (ends[1][0] - ends[0][0]) / length * 14)
    x, y = (float(part) for part in point(blocked).split())
    bar = f"M{_short(x - across[0])} {_short(y - across[1])}L{_short(x + across[0])} {_short(y + across[1])}"
    return [f'<path class="bar-case" d="{bar}"/><path class="line-bar" d="{bar}"/>', *signs]


def _outlined(board: Board, mark: Mapping[str, Any], cell: Cell) -> list[str]:
    """Outline the square, and the edge, where a line becomes what the mark says; return the name of a blocked one."""
    x, y = _x(cell[0]) + 2, _x(cell[1]) + 2
    becomes = mark["becomes"]
    size = f'x="{x:.0f}" y="{y:.0f}" width="{UNIT - 4}" height="{UNIT - 4}"'
    named = _("%(square)s: %(becomes)s") % {"square": mark["square"], "becomes": mark.get("because", "")}
    board.add(
        f'<g><title>{escape(named)}</title><rect class="mark-case" {size}/>'
        f'<rect class="mark mark-{becomes}" {size}/></g>'
    )
    edge = read_edge(mark["edge"]) if mark.get("edge") else None
    if edge is not None:
        board.add(f'<path class="mark-edge mark-{becomes}" d="{_edge_line(edge, 3)}"/>')
    if becomes != "blocked":
        return []
    if who_stands_in(board.document, cell) is None:
        beside = y + UNIT - 7
    else:
        beside = y - 5 if cell[1] else y + UNIT + 12
    return [_word("mark-name", x + UNIT / 2 - 2, beside, mark["square"], "middle")]
