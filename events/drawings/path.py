"""A player's path through an event: one stop per round with its result and the place after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from .svg import element, picture, shortened, text, title

LEFT, TOP, DEEP = 90, 56, 190
NARROW, BROAD, WHOLE = 150, 260, 900
SIGNS = {"win": "+", "loss": "−", "draw": "=", "bye": "○", "awarded": "○", "missed": "–", "open": "…"}


@dataclass(frozen=True)
class PathRound:
    """A round of the path: its heading, outcome, opponent, and the place after it (None if not known yet)."""

    round: str
    outcome: str
    opponent: str
    words: str
    place: int | None = None


def draw_path(name: str, steps: Sequence[PathRound], players: int) -> SafeString:
    """Draw the path with first place on top and the opponent below each stop."""
    column = min(BROAD, max(NARROW, WHOLE // max(1, len(steps))))
    width, height = LEFT + column * max(1, len(steps)), TOP + DEEP + 78
    lowest = max([players, *(step.place or 1 for step in steps)])

    def y(place: int | None) -> float:
        if place is None or lowest < 2:
            return TOP + DEEP / 2
        return TOP + DEEP * (place - 1) / (lowest - 1)

    def x(index: int) -> float:
        return LEFT + column * (index + 0.35)

    parts = [
        element("line", x1=LEFT - 20, y1=y(place), x2=width - 10, y2=y(place), class_="grid") for place in {1, lowest}
    ]
    parts += [text(LEFT - 28, y(place) + 5, place, text_anchor="end", class_="quiet") for place in sorted({1, lowest})]
    parts.append(text(LEFT - 28, 20, _("place"), text_anchor="end", class_="quiet"))
    if len(steps) > 1:
        points = " ".join(f"{x(index):.0f},{y(step.place):.0f}" for index, step in enumerate(steps))
        parts.append(element("polyline", points=points, class_="way"))
    for index, step in enumerate(steps):
        parts.append(text(x(index), 20, step.round, text_anchor="middle", class_="head"))
        place = (
            text(x(index), y(step.place) - 24, step.place, text_anchor="middle", class_="place") if step.place else ""
        )
        parts.append(
            element(
                "g",
                title(step.words),
                element("circle", cx=x(index), cy=y(step.place), r=17),
                text(x(index), y(step.place) + 7, SIGNS[step.outcome], text_anchor="middle", class_="sign"),
                place,
                text(x(index), TOP + DEEP + 52, shortened(step.opponent, 17), text_anchor="middle"),
                class_=f"stop {step.outcome}",
            )
        )
    return picture(
        width,
        height,
        parts,
        name=_("%(name)s's results") % {"name": name},
        description=" ".join(step.words for step in steps)
        or _("No rounds yet. Each round appears here once its pairings are published."),
        key="path",
        class_="path",
    )
