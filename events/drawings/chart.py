"""A chart of the standings by round, with one line per player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from .svg import element, picture, shortened, text, title

ROW, TOP, LEFT, NAMES = 26, 44, 56, 270
NARROW, BROAD, ALL_ROUNDS = 110, 240, 760
"""The least and the greatest distance between two rounds, and the approximate width of all rounds."""


@dataclass(frozen=True)
class ChartLine:
    """A player with the place after each round; None before the player joined."""

    name: str
    places: Sequence[int | None]
    mark: str = ""
    """"mine", "best" or ""."""


def draw_chart(lines: Sequence[ChartLine], rounds: Sequence[str]) -> SafeString:
    """Draw the places of all players after the named rounds, first place on top; `lines` are ordered by the latest."""
    last = max([place for line in lines for place in line.places if place is not None], default=0)
    deep = max(last, len(lines))
    column = min(BROAD, max(NARROW, ALL_ROUNDS // max(1, len(rounds) - 1)))
    width, height = LEFT + column * max(0, len(rounds) - 1) + 30 + NAMES, TOP + ROW * deep + 10

    def x(index: int) -> float:
        return LEFT + column * index

    def y(place: float) -> float:
        return TOP + ROW * (place - 0.5)

    parts = [
        element("line", x1=x(index), y1=TOP - 6, x2=x(index), y2=height - 8, class_="grid")
        for index in range(len(rounds))
    ]
    parts += [text(x(index), 24, round, text_anchor="middle", class_="head") for index, round in enumerate(rounds)]
    parts += [text(LEFT - 26, y(place) + 5, place, text_anchor="end", class_="quiet") for place in range(1, deep + 1)]
    order = sorted(range(len(lines)), key=lambda index: {"": 0, "best": 1, "mine": 2}[lines[index].mark])
    for index in order:
        line = lines[index]
        seen = [(step, place) for step, place in enumerate(line.places) if place is not None]
        if not seen:
            continue
        points = " ".join(f"{x(step):.0f},{y(place):.0f}" for step, place in seen)
        story = ", ".join(str(place) for _step, place in seen)
        drawn = element("polyline", points=points, class_="way") if len(seen) > 1 else ""
        drawn += "".join(element("circle", cx=x(step), cy=y(place), r=4) for step, place in seen)
        parts.append(
            element(
                "g",
                title(_("%(name)s, place by round: %(places)s") % {"name": line.name, "places": story}),
                drawn,
                class_=f"player {line.mark}".strip(),
            )
        )
    parts += [
        element(
            "g",
            title(line.name),
            text(x(len(rounds) - 1) + 14, y(row) + 5, shortened(line.name, 28)),
            class_=f"tag {line.mark}".strip(),
        )
        for line, row in _tags(lines)
    ]
    return picture(
        width,
        height,
        parts,
        name=_("Standings by round"),
        description=_("Each line shows the place of one player or team after each round (%(players)d lines).")
        % {"players": len(lines)},
        key="chart",
        class_="chart",
    )


def _tags(lines: Sequence[ChartLine]) -> Iterator[tuple[ChartLine, int]]:
    """Yield the lines that reach the last round with their label's row; players sharing a place get separate rows."""
    taken: dict[int, int] = {}
    for line in lines:
        ends = line.places[-1] if line.places else None
        if ends is not None:
            yield line, ends + taken.get(ends, 0)
            taken[ends] = taken.get(ends, 0) + 1
