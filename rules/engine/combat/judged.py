"""Powers that a card grants with a change, or on a condition, that is left to the judge.

An action may name such a power. It is resolved by the book as far as the book allows it, and the judge is told so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rules.engine.errors import Illegal, Untargeted, UsedUp
from rules.engine.play import Play
from rules.engine.power import Power
from rules.engine.reasons import listed
from rules.engine.steps import StepName


def tell_what_is_judged(play: Play, rows: Iterable[Power]) -> None:
    """Record that powers of an action are resolved by the book, without what their cards say of them."""
    for row in rows:
        if row.judged:
            play.record(StepName.RULING, f"{row.name} is shown as the book has it. {by_its_card(row)}", (row.topic,))


def by_its_card(row: Power) -> str:
    """Return the sentence that leaves to the judge what a card says about a power."""
    return f"What {row.judged}, says about it isn't adjudicated: decide by the card."


def as_far_as_possible(play: Play, rows: Sequence[Power], resolve: Callable[[], None]) -> None:
    """Resolve an action that uses such powers; where the book refuses it, leave the effect to the judge."""
    judged = [row.besides or row for row in rows if row.judged or row.besides]
    kept, told = play.checkpoint(), set(play.this_action.told)
    try:
        resolve()
    except Illegal as refusal:
        if not judged or refusal.by_judge or play.this_action.trial or isinstance(refusal, Untargeted | UsedUp):
            raise
        play.restore(kept)
        play.this_action.told = told
        names = listed([row.name for row in judged])
        said = next((by_its_card(row) for row in judged if row not in rows), "Decide by the card.")
        text = f"By the book alone {names} can't be used so: {refusal.reason} {said}"
        play.record(StepName.RULING, text, tuple(row.topic for row in judged))
