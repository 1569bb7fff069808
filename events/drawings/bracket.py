"""The bracket of a cut or of single elimination, from the first round to the final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from .svg import element, picture, shortened, text, title

BOX, TALL, GAP, BETWEEN, TOP = 250, 62, 26, 56, 44


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


def draw_bracket(rounds: Sequence[Sequence[DrawnMatch]], names: Sequence[str]) -> SafeString:
    """Draw the rounds as columns headed by `names`. A match without players is an empty box."""
    first = max([2 ** (len(rounds) - 1), *(battle.slot + 1 for battle in rounds[0])]) if rounds else 1
    pitch = TALL + GAP
    width, height = (BOX + BETWEEN) * len(rounds) - BETWEEN + 16, TOP + pitch * first + 12

    def middle(index: int, slot: int) -> float:
        return TOP + pitch * (2**index) * (slot + 0.5)

    parts = []
    for index, battles in enumerate(rounds):
        x = 8 + (BOX + BETWEEN) * index
        parts.append(text(x + BOX / 2, 24, names[index], text_anchor="middle", class_="head"))
        by_slot = {battle.slot: battle for battle in battles}
        slots = max(1, first >> index)
        for slot in sorted({*range(slots), *by_slot}):
            y = middle(index, slot) if slot < slots else middle(index, slots - 1) + pitch
            if index + 1 < len(rounds) and slot < slots:
                goes_to = middle(index + 1, slot // 2)
                bend = x + BOX + BETWEEN / 2
                parts.append(
                    element("path", d=f"M{x + BOX} {y:.0f}H{bend:.0f}V{goes_to:.0f}H{x + BOX + BETWEEN}", class_="way")
                )
            parts.append(_box(x, y, by_slot.get(slot, DrawnMatch(slot, "", ""))))
    return picture(
        width,
        height,
        parts,
        name=_("Bracket"),
        description=_("Single elimination, read from left to right. The winner of each match advances."),
        key="bracket",
        class_="bracket",
    )


def _box(x: float, middle: float, battle: DrawnMatch) -> str:
    top = middle - TALL / 2
    parts = [title(_words(battle)), element("rect", x=x, y=top, width=BOX, height=TALL, rx=6, class_="box")]
    parts.append(element("line", x1=x, y1=middle, x2=x + BOX, y2=middle, class_="grid"))
    for side, name, score, y in (
        ("a", battle.a, battle.score_a, top + 21),
        ("b", battle.b or battle.note, battle.score_b, middle + 21),
    ):
        won = battle.winner == side
        parts.append(text(x + 12, y, ("✓ " if won else "") + shortened(name or "…", 24), class_="won" if won else None))
        if score is not None and battle.winner:
            parts.append(text(x + BOX - 12, y, score, text_anchor="end", class_="won" if won else None))
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
