"""A drawn board in a PDF: the same SVG as on the page, drawn by reportlab with the books' colours and patterns.

It supports only what `rules.drawings.board` writes: rectangles, circles, paths of straight lines and quadratic curves,
text, groups and patterns. `LOOKS` holds the style of each class, as the stylesheet does for the screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from django.utils.safestring import SafeString
from reportlab.lib.colors import Color, HexColor, black, white
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject
from reportlab.platypus import Flowable

from .paper import BOLD, PLAIN, load_letters

SVG = "{http://www.w3.org/2000/svg}"
PIECE = re.compile(r"([MLHVhvQTz])([^MLHVhvQTz]*)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
TILE = 10


@dataclass(frozen=True, slots=True)
class InkLook:
    """The style of one class of the drawing: fill and opacity, stroke width and dashes, text size."""

    fill: str = ""
    opacity: float = 1
    stroke: str = ""
    width: float = 1
    dash: tuple[float, ...] = ()
    size: float = 0
    bold: bool = False
    case: bool = False


AREAS: dict[str, tuple[str, float, str, float]] = {
    "hindering": ("#33a852", 0.35, "#0c7a2c", 3),
    "blocking": ("#7a4a1e", 0.5, "#5d3309", 4),
    "water": ("#2c7ad6", 0.35, "#1257ad", 3),
    "obscuring": ("#d8dadd", 0.6, "#85888c", 3),
    "elevated": ("#d03a2f", 0.12, "#c01f16", 4),
    "indoor": ("#f2c700", 0.14, "#e6b800", 3),
    "starting-area": ("#7a2fa6", 0.1, "#7a2fa6", 3),
    "special": ("#ef7d12", 0.3, "#d96500", 3),
    "clear": ("#ffffff", 0.6, "#55585c", 2),
}
"""Kind of terrain → fill, its opacity, boundary, its width in units of the drawing."""
LOOKS: dict[str, InkLook] = {
    "board-ground": InkLook("#ffffff"),
    "board-grid": InkLook(stroke="#b0aea6", width=0.8),
    "board-name": InkLook("#000000", size=14, bold=True),
    **{f"area-{kind}": InkLook(fill, opacity) for kind, (fill, opacity, _ink, _width) in AREAS.items()},
    **{f"rim-{kind}": InkLook(stroke=ink, width=width) for kind, (_fill, _opacity, ink, width) in AREAS.items()},
    "level": InkLook("#99100a", size=13, bold=True),
    "sign": InkLook("#000000", size=13, bold=True),
    "thing-letter": InkLook("#ffffff", size=10, bold=True),
    "thing-case": InkLook("#14171a", stroke="#ffffff", width=2),
    "ring-light": InkLook(stroke="#ffd60a", width=4),
    "ring-heavy": InkLook(stroke="#e0261c", width=4),
    "ring-immobile": InkLook(stroke="#2e8bff", width=4),
    "ring-ultra-heavy": InkLook(stroke="#a14fd6", width=4),
    "ring-ultra-light": InkLook(stroke="#ffffff", width=4),
    "case-windows": InkLook(stroke="#000000", width=8),
    "case-doors": InkLook(stroke="#000000", width=8),
    "walls": InkLook(stroke="#000000", width=6),
    "windows": InkLook(stroke="#4ba3ff", width=4.5, dash=(8, 5)),
    "doors": InkLook(stroke="#ffffff", width=4.5, dash=(8, 5)),
    "way-case": InkLook(stroke="#ffffff", width=4.5),
    "way-up": InkLook(stroke="#14171a", width=2),
    "figure-name": InkLook("#ffffff", size=15, bold=True),
    "figure-badge": InkLook("#ffffff", size=9, bold=True),
    "end-case": InkLook(stroke="#ffffff", width=6),
    "end": InkLook(stroke="#0b3d91", width=3.5),
    "line-case": InkLook(stroke="#ffffff", width=8),
    "line-clear": InkLook(stroke="#0a7a3c", width=4.5),
    "line-hindered": InkLook(stroke="#b35900", width=4.5, dash=(9, 5)),
    "line-bar": InkLook(stroke="#b00f0f", width=6),
    "bar-case": InkLook(stroke="#ffffff", width=10),
    "line-start": InkLook("#0a7a3c", stroke="#ffffff", width=1.5),
    "line-end": InkLook("#0a7a3c", stroke="#ffffff", width=2),
    "mark-case": InkLook(stroke="#ffffff", width=6),
    "mark-hindered": InkLook(stroke="#b35900", width=3, dash=(6, 4)),
    "mark-blocked": InkLook(stroke="#b00f0f", width=4),
    "mark-name": InkLook("#8d0b0b", size=14, bold=True, case=True),
    "figure-joint": InkLook(stroke="#123a7a", width=30),
}
SIDES = {"side-0": "#123a7a", "side-1": "#8a1616", "side-2": "#14532d", "side-3": "#4a2a6b"}
INK = {"hindering": "#0c7a2c", "blocking": "#5d3309", "water": "#1257ad", "obscuring": "#55585c", "indoor": "#7a6200"}


class PrintedBoard(Flowable):
    """A drawing of `rules.drawings.board` as a flowable, with a maximum width and height in points."""

    def __init__(self, drawing: SafeString, width: float, height: float) -> None:
        super().__init__()
        self.root = ElementTree.fromstring(str(drawing))
        _left, _top, across, down = (float(part) for part in self.root.attrib["viewBox"].split())
        self.across, self.down = across, down
        self.scale = min(width / across, height / down)
        self.canv: Canvas

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the size of the board."""
        return self.across * self.scale, self.down * self.scale

    def draw(self) -> None:
        """Draw the board."""
        load_letters()
        canvas = self.canv
        canvas.saveState()
        canvas.scale(self.scale, -self.scale)
        canvas.translate(0, -self.down)
        self.patterns = {
            pattern.attrib["id"]: pattern for pattern in self.root.iter(f"{SVG}pattern") if pattern.attrib.get("id")
        }
        self._draw(self.root, "")
        canvas.restoreState()

    def _draw(self, parent: Any, side: str) -> None:
        for element in parent:
            kind = element.tag.removeprefix(SVG)
            classes = element.attrib.get("class", "").split()
            if kind in ("defs", "title"):
                continue
            if kind == "g":
                self._draw(element, next((name for name in classes if name in SIDES), side))
            elif kind == "text":
                self._text(element, classes)
            else:
                self._shape(element, kind, classes, side)

    def _shape(self, element: Any, kind: str, classes: list[str], side: str) -> None:
        canvas = self.canv
        path = _path(canvas, element, kind)
        fill = element.attrib.get("fill", "")
        if fill.startswith("url(#"):
            self._hatch(path, element, fill[5:-1])
            return
        for look in _looks(classes, side):
            canvas.saveState()
            canvas.setLineWidth(look.width)
            canvas.setDash(*([list(look.dash)] if look.dash else []))
            if look.stroke:
                canvas.setStrokeColor(HexColor(look.stroke))
            if look.fill:
                color = HexColor(look.fill)
                canvas.setFillColor(Color(color.red, color.green, color.blue, alpha=look.opacity))
            canvas.setLineCap(1 if "figure-joint" in classes or "line-case" in classes else 0)
            canvas.drawPath(path, stroke=int(bool(look.stroke)), fill=int(bool(look.fill)))
            canvas.restoreState()

    def _hatch(self, path: PDFPathObject, element: Any, name: str) -> None:
        """Fill a shape with its pattern, tile by tile, so that it is recognisable without colour."""
        pattern = self.patterns.get(name)
        box = _box(element)
        if pattern is None or box is None:
            return
        sort = name.partition("-")[2]
        canvas = self.canv
        canvas.saveState()
        canvas.clipPath(path, stroke=0, fill=0)
        color = HexColor(INK.get(sort, "#333333"))
        canvas.setStrokeColor(color)
        canvas.setFillColor(color)
        canvas.setLineWidth(1)
        left, top, right, bottom = box
        tiles = canvas.beginPath()
        dots = []
        for column in range(int(left // TILE), int(right // TILE) + 1):
            for row in range(int(top // TILE), int(bottom // TILE) + 1):
                for ink in pattern:
                    if ink.tag == f"{SVG}circle":
                        dots.append((column * TILE + float(ink.attrib["cx"]), row * TILE + float(ink.attrib["cy"])))
                    else:
                        _trace(tiles, ink.attrib["d"], column * TILE, row * TILE)
        canvas.drawPath(tiles, stroke=1, fill=0)
        for x, y in dots:
            canvas.circle(x, y, 1.5, stroke=0, fill=1)
        canvas.restoreState()

    def _text(self, element: Any, classes: list[str]) -> None:
        look = next((LOOKS[name] for name in reversed(classes) if name in LOOKS), InkLook("#000000", size=12))
        canvas = self.canv
        canvas.saveState()
        canvas.translate(float(element.attrib["x"]), float(element.attrib["y"]))
        canvas.scale(1, -1)
        font = BOLD if look.bold else PLAIN
        words = element.text or ""
        size = look.size or 12
        anchor = element.attrib.get("text-anchor", "")
        shift = {"middle": 0.5, "end": 1.0}.get(anchor, 0.0) * canvas.stringWidth(words, font, size)
        canvas.setFont(font, size)
        if look.case:
            canvas.setStrokeColor(white)
            canvas.setLineWidth(3)
            made = canvas.beginText(-shift, 0)
            made.setTextRenderMode(1)
            made.textOut(words)
            canvas.drawText(made)
        canvas.setFillColor(HexColor(look.fill) if look.fill else black)
        made = canvas.beginText(-shift, 0)
        made.setTextRenderMode(0)
        made.textOut(words)
        canvas.drawText(made)
        canvas.restoreState()


def _looks(classes: list[str], side: str) -> Iterator[InkLook]:
    """Yield the styles of a shape by its classes: its fill, then its boundary."""
    if "figure-base" in classes:
        yield InkLook(SIDES.get(side, "#333333"), stroke="#ffffff", width=2.5)
        return
    if "figure-joint" in classes:
        yield InkLook(stroke=SIDES.get(side, "#333333"), width=30)
        return
    if "marker" in classes:
        area = next((LOOKS[name] for name in classes if name.startswith("area-") and name in LOOKS), InkLook("#ffffff"))
        rim = next((LOOKS[name] for name in classes if name.startswith("rim-") and name in LOOKS), InkLook())
        yield InkLook(area.fill, 0.35, rim.stroke or "#333333", 2.5, (5, 3))
        return
    if "line-end" in classes:
        hindered = "line-hindered" in classes
        yield InkLook("#b35900" if hindered else "#0a7a3c", stroke="#ffffff", width=2)
        return
    for name in classes:
        if name in LOOKS:
            yield LOOKS[name]


def _path(canvas: Canvas, element: Any, kind: str) -> PDFPathObject:
    path = canvas.beginPath()
    given = element.attrib
    if kind == "rect":
        x, y, width, height = (float(given[key]) for key in ("x", "y", "width", "height"))
        radius = min(float(given.get("rx", 0)), width / 2, height / 2)
        if radius:
            path.roundRect(x, y, width, height, radius)
        else:
            path.rect(x, y, width, height)
    elif kind == "circle":
        path.circle(float(given["cx"]), float(given["cy"]), float(given["r"]))
    elif kind == "path":
        _trace(path, given["d"])
    return path


def _trace(path: PDFPathObject, text: str, right: float = 0, down: float = 0) -> None:
    """Add the `d` of an SVG path to a path, shifted by this much."""
    x = y = first_x = first_y = 0.0
    control: tuple[float, float] | None = None
    for letter, rest in PIECE.findall(text):
        numbers = [float(number) for number in NUMBER.findall(rest)]
        if letter == "M":
            x, y = first_x, first_y = numbers[0], numbers[1]
            path.moveTo(x + right, y + down)
            numbers = numbers[2:]
            letter = "L"
        if letter == "z":
            path.close()
            x, y = first_x, first_y
        elif letter in "QT":
            while numbers:
                if letter == "Q":
                    bend, numbers = (numbers[0], numbers[1]), numbers[2:]
                else:
                    bend = (2 * x - control[0], 2 * y - control[1]) if control else (x, y)
                end, numbers = (numbers[0], numbers[1]), numbers[2:]
                one = (x + 2 / 3 * (bend[0] - x), y + 2 / 3 * (bend[1] - y))
                two = (end[0] + 2 / 3 * (bend[0] - end[0]), end[1] + 2 / 3 * (bend[1] - end[1]))
                path.curveTo(
                    one[0] + right, one[1] + down, two[0] + right, two[1] + down, end[0] + right, end[1] + down
                )
                (x, y), control = end, bend
        else:
            width = 2 if letter == "L" else 1
            for at in range(0, len(numbers), width):
                if letter == "L":
                    x, y = numbers[at], numbers[at + 1]
                elif letter in "Hh":
                    x = numbers[at] + (x if letter == "h" else 0)
                else:
                    y = numbers[at] + (y if letter == "v" else 0)
                path.lineTo(x + right, y + down)


def _box(element: Any) -> tuple[float, float, float, float] | None:
    """Return the bounding box of a shape filled with a pattern: left, top, right, bottom."""
    given = element.attrib
    if "x" in given:
        x, y = float(given["x"]), float(given["y"])
        return x, y, x + float(given["width"]), y + float(given["height"])
    x = y = 0.0
    xs, ys = [], []
    for letter, rest in PIECE.findall(given.get("d", "")):
        numbers = [float(number) for number in NUMBER.findall(rest)]
        if letter in "ML":
            x, y = numbers[0], numbers[1]
        elif letter == "h":
            x += numbers[0]
        elif letter == "v":
            y += numbers[0]
        xs.append(x)
        ys.append(y)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None
