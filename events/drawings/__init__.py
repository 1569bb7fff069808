"""Server-side SVG drawings of an event, made from plain values and safe to put into a page.

Colours come from the page's classes and `currentColor`, so that a drawing is readable in light, dark and print. Each
has a title and a description, and its page also shows the same data as a table. No models or requests here.
"""

from .bracket import ON_DISPLAY, DrawnMatch, display_pages, draw_bracket, without_decided
from .chart import ChartLine, draw_chart
from .cross_table import Meeting, draw_cross_names, draw_cross_table
from .path import PathRound, draw_path

__all__ = [
    "ON_DISPLAY",
    "ChartLine",
    "DrawnMatch",
    "Meeting",
    "PathRound",
    "display_pages",
    "draw_bracket",
    "draw_chart",
    "draw_cross_names",
    "draw_cross_table",
    "draw_path",
    "without_decided",
]
