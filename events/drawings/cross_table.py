"""The cross table of an event: the result of every player against every other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from .svg import element, picture, shortened, text, title

CELL, NAMES, TOP = 30, 190, 34
SIGNS = {"win": "+", "loss": "−", "draw": "=", "open": "…"}


@dataclass(frozen=True)
class Meeting:
    """Row and column (from 0, by place), the result for the row's player (win, loss, draw or open), and its text."""

    row: int
    column: int
    outcome: str
    words: str


def draw_cross_table(names: Sequence[str], meetings: Sequence[Meeting]) -> SafeString:
    """Draw the table, with players in the order of the standings; hovering over a cell shows its text."""
    count = len(names)
    end, bottom = CELL * count, TOP + CELL * count
    parts = []
    for index in range(count):
        at = CELL * index
        parts.append(text(at + CELL / 2, TOP - 10, index + 1, text_anchor="middle", class_="quiet"))
        parts.append(element("rect", x=at, y=TOP + at, width=CELL, height=CELL, class_="self"))
    for index in range(count + 1):
        at = CELL * index
        parts.append(element("line", x1=0, y1=TOP + at, x2=end, y2=TOP + at, class_="grid"))
        parts.append(element("line", x1=at, y1=TOP, x2=at, y2=bottom, class_="grid"))
    for meeting in meetings:
        x, y = CELL * meeting.column, TOP + CELL * meeting.row
        parts.append(
            element(
                "g",
                title(meeting.words),
                element("rect", x=x + 1, y=y + 1, width=CELL - 2, height=CELL - 2),
                text(x + CELL / 2, y + CELL / 2 + 6, SIGNS[meeting.outcome], text_anchor="middle"),
                class_=f"meeting {meeting.outcome}",
            )
        )
    return picture(
        end + 8,
        bottom + 8,
        parts,
        name=_("Cross table"),
        description=_(
            "Each row shows one player's results. The columns are the opponents, in order of place. A + "
            "is a win, a − is a loss and an = is a draw."
        ),
        key="cross",
        class_="cross",
    )


def draw_cross_names(names: Sequence[str]) -> SafeString:
    """Draw the names of the rows, to stay in sight while the table beside them scrolls."""
    parts = []
    for index, name in enumerate(names):
        y = TOP + CELL * index + CELL / 2 + 5
        place = text(26, y, index + 1, text_anchor="end", class_="quiet")
        parts.append(element("g", title(name), place, text(36, y, shortened(name, 18)), class_="tag"))
    rows = _("Rows of the cross table")
    return picture(
        NAMES, TOP + CELL * len(names) + 8, parts, name=rows, description=", ".join(names), key="rows", class_="stays"
    )
