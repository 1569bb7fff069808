"""Drawings of an event: plain values → SVG, drawn on the server, safe to put into a page.

Colours come from the page's classes and `currentColor`, so a drawing is readable in light, dark and print; each has a
title and a description, and each page that shows one also has its table. No models, no requests here.
"""

from .bracket import DrawnMatch, draw_bracket
from .chart import ChartLine, draw_chart
from .cross_table import Meeting, draw_cross_table
from .path import PathRound, draw_path

__all__ = [
    "ChartLine",
    "DrawnMatch",
    "Meeting",
    "PathRound",
    "draw_bracket",
    "draw_chart",
    "draw_cross_table",
    "draw_path",
]
