"""Shared parts of a drawn board: the drawing in progress, and the coordinates of squares, words and edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.html import escape

from rules.positions import Sides

UNIT = 40
MARGIN = 28
VAST = 64 * 64
"""Maps with more squares are drawn without patterns, which would be too small to see and slow to draw."""


class Board:
    """A drawing in progress: the document's map, the coordinates of squares, and the ids of its own patterns."""

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
        """Return the fill that uses a pattern of this drawing."""
        return f"url(#{self.prefix}-{name})"


def place(column: float) -> float:
    """Return the coordinate at which a column or a row begins."""
    return MARGIN + column * UNIT


def short(number: float) -> str:
    """Return a number with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


def word(kind: str, x: float, y: float, text: str, anchor: str = "") -> str:
    """Return a text at a place, escaped."""
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{short(x)}" y="{short(y)}"{anchored}>{escape(text)}</text>'


def edge_line(edge: Sides, beyond: float = 0) -> str:
    """Return the path along an edge, a little longer at both ends."""
    (column, row), (other, _row) = edge
    if other > column:
        return f"M{place(other):.0f} {short(place(row) - beyond)}V{short(place(row + 1) + beyond)}"
    return f"M{short(place(column) - beyond)} {place(row + 1):.0f}H{short(place(column + 1) + beyond)}"
