"""SVG of a position and of the answers about it: for the board page, printed disputes and examples.

Boundary lines have the books' colours, just inside the grid, each with a pattern or letter of its own. A line of fire
is solid while clear, dashed from the square where it becomes hindered, and ends in a bar where it is blocked. Colours
come from the stylesheet by class; without it the drawing is black and still legible. Fractions only position ink; the
engine has decided what a line meets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from rules.engine import column_letters, read_edge, read_square
from rules.positions import Cell, Document, Sides, cells_of, pieces, square_name, stands_in

from .ink import MARGIN, UNIT, Board, edge_line, place, short, word
from .line import draw_line

OUTSIDE = -9
SMALL = 10
"""Maps with at most this many squares on each side are drawn larger."""
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
    """Return the SVG of a position that the engine has accepted.

    `line` is an answer to `line-of-fire`; `start` and `end` are the selected squares; `shaded` is square → how it is
    seen, or → the speed to reach it; `differs` are squares to mark. `prefix` keeps the ids of two drawings on one page
    distinct.
    """
    board = Board(document, prefix)
    _ground(board)
    _terrain(board, shaded or {})
    _markers(board)
    _grid(board)
    _edges(board)
    _objects(board)
    _ends(board, start, end)
    signs = draw_line(board, line) if line is not None else []
    _figures(board)
    board.add(*signs)
    _speeds(board, shaded or {})
    _differences(board, differs)
    body = "".join(board.parts)
    wide, high = MARGIN + board.width * UNIT + 6, MARGIN + board.height * UNIT + 6
    scale = 1.5 if max(board.width, board.height) <= SMALL else 1
    size = f'width="{wide * scale:.0f}" height="{high * scale:.0f}" preserveAspectRatio="xMinYMin meet"'
    return mark_safe(  # every text in it is escaped where it is written
        f'<svg class="board-drawing" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" {size} '
        f'role="img" aria-label="{escape(title)}">{body}</svg>'
    )


def swatch(sort: str, kind: str) -> SafeString:
    """Return a small drawing of one kind of terrain, edge, marker, object or shade, for the key."""
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
    """Return the path that fills squares, one run of a row at a time."""
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
                f"M{place(first):.0f} {place(row):.0f}h{(last - first + 1) * UNIT}v{UNIT}h-{(last - first + 1) * UNIT}z"
            )
            first = last = column
    return "".join(path)


def _outline(cells: set[Cell], inset: float) -> str:
    """Return the boundary of an area of squares, drawn `inset` inside it around every corner, including inner ones."""
    path = []

    def reach(along: tuple[int, int], across: tuple[int, int], cell: Cell) -> float:
        """Return how far a side's line extends beyond its square's corner in the direction `along`."""
        beside = (cell[0] + along[0], cell[1] + along[1])
        if beside not in cells:
            return -inset
        return inset if (beside[0] + across[0], beside[1] + across[1]) in cells else 0

    for cell in cells:
        left, top = place(cell[0]), place(cell[1])
        right, bottom = left + UNIT, top + UNIT
        for across, level in (((0, -1), top + inset), ((0, 1), bottom - inset)):
            if (cell[0], cell[1] + across[1]) not in cells:
                one, other = left - reach((-1, 0), across, cell), right + reach((1, 0), across, cell)
                path.append(f"M{short(one)} {short(level)}H{short(other)}")
        for across, level in (((-1, 0), left + inset), ((1, 0), right - inset)):
            if (cell[0] + across[0], cell[1]) not in cells:
                one, other = top - reach((0, -1), across, cell), bottom + reach((0, 1), across, cell)
                path.append(f"M{short(level)} {short(one)}V{short(other)}")
    return "".join(path)


def _terrain(board: Board, shaded: Mapping[str, Any]) -> None:
    """Draw the areas' colours, then the squares seen or reached, then the areas' boundaries."""
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
                board.add(word("level", place(column) + 6, place(row) + 15, str(apart)))
        elif kind in ("starting-area", "special", "indoor"):
            letter = {"special": "Sp", "indoor": "in"}.get(kind, str(apart or ""))
            for column, row in _first_squares(cells):
                board.add(word(f"sign sign-{kind}", place(column) + UNIT - 7, place(row) + UNIT - 8, letter, "end"))


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


def _markers(board: Board) -> None:
    for mark in board.map.get("markers", ()):
        cell = read_square(mark["square"])
        if cell is None:
            continue
        kind = mark["kind"]
        like = MARKER_LOOKS.get(kind, kind)
        x, y = place(cell[0]) + 5, place(cell[1]) + 5
        size = f'x="{x:.0f}" y="{y:.0f}" width="{UNIT - 10}" height="{UNIT - 10}" rx="6"'
        fill = f'<rect {size} fill="{board.pattern(like)}"/>' if like in PATTERNED else ""
        board.add(f'<rect class="marker area-{like} rim-{like}" {size}/>{fill}')
        board.add(word("sign letter", place(cell[0]) + 9, place(cell[1]) + UNIT - 9, MARKER_LETTERS[kind]))


def _grid(board: Board) -> None:
    right, bottom = place(board.width), place(board.height)
    lines = [f"M{place(column):.0f} {MARGIN}V{bottom:.0f}" for column in range(board.width + 1)]
    lines += [f"M{MARGIN} {place(row):.0f}H{right:.0f}" for row in range(board.height + 1)]
    board.add(f'<path class="board-grid" d="{"".join(lines)}"/>')
    for column in range(board.width):
        board.add(word("board-name", place(column) + UNIT / 2, MARGIN - 8, column_letters(column), "middle"))
    for row in range(board.height):
        board.add(word("board-name", MARGIN - 6, place(row) + UNIT / 2 + 7, str(row + 1), "end"))


def _edges(board: Board) -> None:
    for kind in ("walls", "windows", "doors"):
        edges = [edge for name in board.map.get(kind, ()) if (edge := read_edge(name)) is not None]
        if edges:
            path = "".join(edge_line(edge) for edge in edges)
            board.add(f'<path class="edge-case case-{kind}" d="{path}"/><path class="edge {kind}" d="{path}"/>')
    for kind in ("stairs", "ladders"):
        for name in board.map.get(kind, ()):
            edge = read_edge(name)
            if edge is not None:
                board.add(_way_up(edge, kind))


def _way_up(edge: Sides, kind: str) -> str:
    """Return stairs (treads across the edge) or a ladder (two rails and rungs)."""
    (column, row), (other, _row) = edge
    upright = other > column
    middle = (place(other), place(row) + UNIT / 2) if upright else (place(column) + UNIT / 2, place(row + 1))
    half = 11 if kind == "stairs" else 7
    path = []

    def stroke(along: float, across: float, length: float, crosswise: bool) -> None:
        x = middle[0] + (along if upright else across)
        y = middle[1] + (across if upright else along)
        path.append(f"M{short(x)} {short(y)}{'v' if upright == crosswise else 'h'}{short(length)}")

    for step in (-9, -3, 3, 9):
        stroke(step, -half, 2 * half, True)
    if kind == "ladders":
        for rail in (-half, half):
            stroke(-13, rail, 26, False)
    drawn = "".join(path)
    return f'<path class="way-case" d="{drawn}"/><path class="way-up" d="{drawn}"/>'


# --- Objects and figures ---


def _objects(board: Board) -> None:
    for thing in board.document.get("objects", ()):
        cell = read_square(thing["square"]) if thing.get("square") and not thing.get("removed") else None
        if cell is None:
            continue
        x, y = place(cell[0]) + 29, place(cell[1]) + 29
        kind = thing["kind"]
        name = escape(thing.get("name") or thing["id"])
        board.add(
            f'<g class="thing"><title>{name}</title><circle class="thing-case" cx="{x:.0f}" cy="{y:.0f}" r="8.5"/>'
            f'<circle class="ring-object ring-{kind}" cx="{x:.0f}" cy="{y:.0f}" r="8.5"/>'
            f"{word('sign thing-letter', x, y + 3.5, OBJECT_LETTERS[kind], 'middle')}</g>"
        )


def labels(document: Mapping[str, Any]) -> dict[str, str]:
    """Return id → the one to three signs that identify a figure in the drawing and its list.

    Figures of different names have different letters; a number tells figures of the same name apart.
    """
    found: dict[str, str] = {}
    of_name: dict[str, str] = {}
    taken: set[str] = set()
    numbers: dict[str, int] = {}  # the next number for each sign, so that taken ones aren't tried again
    for _player, piece in pieces(document):
        name = piece["name"]
        short = of_name.setdefault(name, next((sign for sign in _signs(name) if sign not in taken), name[:1].upper()))
        label, number = short, numbers.get(short, 2)
        while label in taken:
            label = f"{short[:2] if number < 10 else short[:1]}{number}"
            number += 1
        numbers[short] = number
        taken.add(label)
        found[piece["id"]] = label
    return found


def _signs(name: str) -> Iterator[str]:
    """Yield the two-letter signs a name may have: its initials, or its first two letters, then the first with another."""
    words = "".join(c if c.isalnum() else " " for c in name).split() or ["?"]
    letters = "".join(words)
    yield "".join(word[0] for word in words[:2]).upper() if len(words) > 1 else letters[:2].title()
    for letter in letters[1:]:
        yield f"{letters[0].upper()}{letter.lower()}"


def _figures(board: Board) -> None:
    names = labels(board.document)
    players = [side["player"] for side in board.document["sides"]]
    for player, piece in pieces(board.document):
        cells = stands_in(piece)
        if cells:
            board.add(_figure(piece, cells, names[piece["id"]], players.index(player) % 4))


def _figure(piece: Mapping[str, Any], cells: list[Cell], label: str, side: int) -> str:
    left, top = place(min(c for c, _r in cells)), place(min(r for _c, r in cells))
    right, bottom = place(max(c for c, _r in cells) + 1), place(max(r for _c, r in cells) + 1)
    x, y = (left + right) / 2, (top + bottom) / 2
    turned = len(cells) == 2 and cells[0][0] != cells[1][0] and cells[0][1] != cells[1][1]
    wide, high = (right - left - 9, bottom - top - 9)
    radius = min(wide, high) / 2 if side % 2 == 0 else 5 + 4 * (side // 2)
    if turned:
        wide = high = UNIT - 9
        ends = "L".join(f"{place(c) + UNIT / 2:.0f} {place(r) + UNIT / 2:.0f}" for c, r in cells)
        shape = f'<path class="figure-joint" d="M{ends}"/>'
    else:
        shape = (
            f'<rect class="figure-base" x="{short(x - wide / 2)}" y="{short(y - high / 2)}" width="{short(wide)}" '
            f'height="{short(high)}" rx="{short(radius)}"/>'
        )
    flight = piece.get("flight")
    badge = "▲▲" if flight == "soaring" else "▲" if flight == "hovering" else ""
    damage = (piece.get("symbols") or {}).get("damage", "standard")
    size = {"giant": "G", "colossal": "C", "tiny": "t", "sentinel": "Se"}.get(damage if isinstance(damage, str) else "")
    title = f"{piece['name']} ({', '.join(map(square_name, cells))})"
    drawn = f'<g class="figure side-{side}"><title>{escape(title)}</title>{shape}'
    drawn += word("figure-name", x, y + (9 if badge else 2 if size else 6), label, "middle")
    if badge:
        drawn += word("figure-badge", x, y - 5, badge, "middle")
    if size:
        drawn += word("figure-badge", x + (11 if badge else 0), y + (-5 if badge else 13), size, "middle")
    return drawn + "</g>"


# --- Answers ---


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
    """Write the speed needed into each square reached, except the one where the move begins."""
    for name, found in shaded.items():
        cell = read_square(name)
        if cell is not None and not isinstance(found, str) and found:
            board.add(word("speed", place(cell[0]) + UNIT - 5, place(cell[1]) + 15, str(found), "end"))


def _ends(board: Board, start: str, end: str) -> None:
    for kind, name in (("start", start), ("end", end)):
        cell = read_square(name)
        if cell is None or cell[0] >= board.width or cell[1] >= board.height:
            continue
        left, top = place(cell[0]) + 1, place(cell[1]) + 1
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
            board.add(word("differs", place(cell[0]) + 10, place(cell[1]) + UNIT - 5, "≠", "middle"))
