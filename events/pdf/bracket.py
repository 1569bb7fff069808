"""The bracket of a cut or of single elimination to pin up, at most four stages a page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak

from events.drawings import DrawnMatch, display_pages
from events.results.words import THIRD_PLACE

from .paper import PLAIN, PageHeading, paper, put, words

STAGES = 4
"""Stages on one page: more would make the boxes too narrow for names."""
GAP, HEAD, SCORE = 7 * mm, 11 * mm, 10 * mm
MAX_BOX, MAX_TALL, MAX_PITCH = 60 * mm, 14 * mm, 30 * mm


class BracketPage(Flowable):
    """Some stages of a bracket as columns of boxes, headed by their `names`."""

    def __init__(self, stages: Sequence[Sequence[DrawnMatch]], names: Sequence[str]) -> None:
        super().__init__()
        self.stages, self.names = stages, names
        self.first = max([2 ** (len(stages) - 1), *(one.slot + 1 for one in stages[0])])

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return the size: the whole width, and as much of the height as the boxes need."""
        self.box = min(MAX_BOX, (width - GAP * (len(self.stages) - 1)) / len(self.stages))
        self.pitch = min(MAX_PITCH, (height - HEAD) / max(self.first, 3))
        self.tall = min(MAX_TALL, self.pitch * 0.8)
        beside = self.pitch if self.first < len(self.stages) + 1 else 0  # room below a lone final for third place
        self.width, self.height = width, min(height, HEAD + self.pitch * self.first + beside)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the boxes, each with a line to the match its winner goes to."""
        canvas: Canvas = self.canv
        canvas.setLineWidth(0.6)
        for index, matches in enumerate(self.stages):
            x = (self.box + GAP) * index
            put(canvas, self.names[index], x, self.height, self.box, 11, bold=True)
            by_slot = {one.slot: one for one in matches}
            slots = max(1, self.first >> index)
            for slot in sorted({*range(slots), *by_slot}):
                middle = self._middle(index, slot) if slot < slots else self._middle(index, slots - 1) - self.pitch
                if slot >= slots:
                    put(canvas, THIRD_PLACE, x, middle + self.tall / 2 + 5 * mm, self.box, 9, bold=True)
                elif index + 1 < len(self.stages):
                    right, bend = x + self.box, x + self.box + GAP / 2
                    goes_to = self._middle(index + 1, slot // 2)
                    corners = (right, middle), (bend, middle), (bend, goes_to), (right + GAP, goes_to)
                    canvas.lines([(*one, *other) for one, other in pairwise(corners)])
                self._match(canvas, x, middle, by_slot.get(slot, DrawnMatch(slot, "", "")))

    def _middle(self, index: int, slot: int) -> float:
        return self.height - HEAD - self.pitch * (2**index) * (slot + 0.5)

    def _match(self, canvas: Canvas, x: float, middle: float, match: DrawnMatch) -> None:
        canvas.rect(x, middle - self.tall / 2, self.box, self.tall)
        canvas.line(x, middle, x + self.box, middle)
        size = min(10, self.tall / 3.2)
        for side, name, score, top in (
            ("a", match.a, match.score_a, middle + self.tall / 2),
            ("b", match.b or match.note, match.score_b, middle),
        ):
            won = match.winner == side
            inset = (self.tall / 2 - size * 1.25) / 2
            put(canvas, f"✓ {name}" if won else name, x + 1.5 * mm, top - inset, self.box - SCORE, size, bold=won)
            if score is not None and match.winner:
                canvas.setFont(PLAIN, size)
                canvas.drawRightString(x + self.box - 1.5 * mm, top - inset - size, str(score))


def bracket(
    heading: PageHeading, stages: Sequence[Sequence[DrawnMatch]], names: Sequence[str], *, size: str = "a4"
) -> bytes:
    """Return the PDF; a bracket of more than four stages has its early ones in parts, then the way to the final."""
    content: list[Flowable] = []
    for part in display_pages(stages, names, STAGES):
        content += [*([PageBreak()] if content else []), BracketPage(*part)]
    return paper(
        heading, content or [words(_("The bracket appears when its first round is published."), 11)], size=size
    )
