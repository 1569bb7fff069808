"""The bracket of a cut or of single elimination, from the first round to the final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from events.results.words import THIRD_PLACE

from .svg import element, picture, shortened_name, text, title

MAX_STAGES = 3
"""Stages on one page of the display: more would make the names too small to read from ten metres."""


@dataclass(frozen=True)
class Measures:
    """Widths and heights of a drawing: a match's box, the room around it, a name's baseline in its half; its letters."""

    box: int
    tall: int
    gap: int
    between: int
    top: int
    base: int
    letters: int


ON_PAGE = Measures(box=250, tall=62, gap=26, between=56, top=44, base=21, letters=24)
ON_DISPLAY = Measures(box=400, tall=78, gap=10, between=36, top=46, base=29, letters=20)
"""For letters of 30, which the display's height enlarges to more than 40 pixels."""


@dataclass(frozen=True)
class DrawnMatch:
    """A match of the bracket: position from the top, both players ("" if not known yet), scores, winner."""

    slot: int
    a: str
    b: str
    score_a: int | None = None
    score_b: int | None = None
    winner: str | None = None
    note: str = ""


def display_pages(
    rounds: Sequence[Sequence[DrawnMatch]], names: Sequence[str], most: int = MAX_STAGES
) -> list[tuple[list[list[DrawnMatch]], list[str]]]:
    """Return a bracket as pages of at most so many stages: the early ones in parts, then the way to the final."""
    if len(rounds) <= most:
        return [([list(battles) for battles in rounds], list(names))] if rounds else []
    pages = []
    for part in range(2 ** (len(rounds) - most)):
        stages = []
        for index, battles in enumerate(rounds[:most]):
            slots = 2 ** (most - 1 - index)
            own = range(part * slots, (part + 1) * slots)
            stages.append([replace(battle, slot=battle.slot - own.start) for battle in battles if battle.slot in own])
        pages.append((stages, list(names[:most])))
    return pages + display_pages(rounds[most - 1 :], names[most - 1 :], most)


def without_decided(
    rounds: Sequence[Sequence[DrawnMatch]], names: Sequence[str]
) -> tuple[Sequence[Sequence[DrawnMatch]], Sequence[str]]:
    """Return a bracket without the first stages whose matches are all decided; the last two stages stay."""
    decided = 0
    while decided < len(rounds) - 2 and all(battle.winner or not battle.b for battle in rounds[decided]):
        decided += 1
    return rounds[decided:], names[decided:]


def draw_bracket(
    rounds: Sequence[Sequence[DrawnMatch]], names: Sequence[str], size: Measures = ON_PAGE, key: str = "bracket"
) -> SafeString:
    """Draw the rounds as columns headed by `names`. A match without players is an empty box."""
    first = max([2 ** (len(rounds) - 1), *(battle.slot + 1 for battle in rounds[0])]) if rounds else 1
    pitch, step = size.tall + size.gap, size.box + size.between
    third = any(battle.slot for battle in rounds[-1]) if len(rounds) > 1 else False
    beside = size.base + size.tall if third and first == 2 else 0
    width, height = step * len(rounds) - size.between + 16, size.top + pitch * first + 12 + beside

    def middle(index: int, slot: int) -> float:
        return size.top + pitch * (2**index) * (slot + 0.5)

    parts = []
    for index, battles in enumerate(rounds):
        x = 8 + step * index
        parts.append(text(x + size.box / 2, size.base + 3, names[index], text_anchor="middle", class_="head"))
        by_slot = {battle.slot: battle for battle in battles}
        slots = max(1, first >> index)
        for slot in sorted({*range(slots), *by_slot}):
            y = middle(index, slot) if slot < slots else middle(index, slots - 1) + pitch + size.base
            if slot >= slots:
                x_middle, above = x + size.box / 2, y - size.tall / 2 - size.base / 3
                parts.append(text(x_middle, above, THIRD_PLACE, text_anchor="middle", class_="head"))
            if index + 1 < len(rounds) and slot < slots:
                goes_to = middle(index + 1, slot // 2)
                bend = x + size.box + size.between / 2
                parts.append(
                    element("path", d=f"M{x + size.box} {y:.0f}H{bend:.0f}V{goes_to:.0f}H{x + step}", class_="way")
                )
            parts.append(_box(x, y, by_slot.get(slot, DrawnMatch(slot, "", "")), size))
    return picture(
        width,
        height,
        parts,
        name=_("Bracket"),
        description=_("Read this single-elimination bracket from left to right. The winner of each match advances."),
        key=key,
        class_="bracket",
    )


def _box(x: float, middle: float, battle: DrawnMatch, size: Measures) -> str:
    top = middle - size.tall / 2
    parts = [title(_words(battle)), element("rect", x=x, y=top, width=size.box, height=size.tall, rx=6, class_="box")]
    parts.append(element("line", x1=x, y1=middle, x2=x + size.box, y2=middle, class_="grid"))
    for side, name, score, y in (
        ("a", battle.a, battle.score_a, top + size.base),
        ("b", battle.b or battle.note, battle.score_b, middle + size.base),
    ):
        won, tick = battle.winner == side, "✓ " if battle.winner == side else ""
        points = str(score) if score is not None and battle.winner else ""
        taken = len(tick) + (len(points) + 1 if points else 0)
        said = tick + shortened_name(name or "…", size.letters - taken)
        parts.append(text(x + 12, y, said, class_="won" if won else None))
        if points:
            parts.append(text(x + size.box - 12, y, points, text_anchor="end", class_="won" if won else None))
    return element("g", *parts, class_="battle")


def _words(battle: DrawnMatch) -> str:
    if not battle.a and not battle.b:
        return _("to be decided")
    if not battle.b:
        return f"{battle.a}: {battle.note}" if battle.note else battle.a
    if battle.winner is None:
        return f"{battle.a} – {battle.b}"
    winner = battle.a if battle.winner == "a" else battle.b
    return _("%(a)s %(score_a)s : %(score_b)s %(b)s, %(winner)s wins") % {
        "a": battle.a,
        "b": battle.b,
        "score_a": battle.score_a,
        "score_b": battle.score_b,
        "winner": winner,
    }
