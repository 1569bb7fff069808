"""Changes of the powers that cards grant: their reach, what they are used for, the results that succeed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rules.engine.position.cards import Effect
from rules.engine.power import Attacking, Power
from rules.engine.powers.damage import ONLY
from rules.engine.powers.defense import shrugging_off

Changes = Callable[[Power], Power]
REACHING: Final = frozenset({"Outwit", "Perplex", "Probability Control"})
"""Powers whose reach a card can state."""
HALVING: Final = frozenset({"Charge", "Running Shot"})
"""Powers that halve the speed of a move, which a card can undo."""
ROLLED: Final = frozenset({"Impervious", "Super Senses", "Shape Change"})
"""Powers whose roll can succeed on other results."""


def change_of(effect: Effect) -> Changes | None:
    """Return what a change does to the rows of all powers that an effect grants; None: the judge decides."""
    powers, change = {*effect.words("powers")}, effect.word("change")
    if not powers:
        return None
    if (found := re.fullmatch(r"range (\d{1,2})", change)) and powers <= REACHING:
        far = int(found[1])
        return lambda row: replace(row, reach=far)
    if (found := re.fullmatch(r"reach (\d{1,2})", change)) and powers == {"Giant Reach"}:
        squares = int(found[1])
        return lambda row: Power(
            name=row.name, topic="giant", declinable="no", attacking=Attacking(close_reach=squares)
        )
    if re.fullmatch(r"do(?:es)?(?:n't| not) halve (?:its )?speed", change) and powers <= HALVING:
        return lambda row: replace(row, moving=replace(row.moving, halves_speed=False))
    if (found := re.fullmatch(r"(?:only )?succeeds on an? ([1-6])(?:-([1-6]))?", change)) and powers <= ROLLED:
        results = frozenset(range(int(found[1]), int(found[2] or found[1]) + 1))
        return (lambda row: _succeeding(row, results)) if results else None
    return (lambda row: replace(row, only=change)) if powers == {"Perplex"} and change in ONLY else None


def _succeeding(row: Power, on: frozenset[int]) -> Power:
    """Return a row whose roll succeeds on these results."""
    kept = row.defending
    evade = replace(kept.evade, on=on) if kept.evade is not None else None
    shape_change = replace(kept.shape_change, on=on) if kept.shape_change is not None else None
    if kept.reduces_all_on:
        kept = shrugging_off(on)
    return replace(row, defending=replace(kept, evade=evade, shape_change=shape_change))


def better_of(one: Power, other: Power) -> Power:
    """Return the row of a power that a character can use in two ways, of which it may always choose the better.

    Beside the power as it is adjudicated stays what a judge decides.
    """
    last = (bool(one.judged), one.at_no_cost, bool(one.counted_as))
    row, also = (other, one) if last > (bool(other.judged), other.at_no_cost, bool(other.counted_as)) else (one, other)
    if not row.known or not also.known:
        return row if row.known else also
    if (also.judged and not row.judged) or (also.at_no_cost and not row.at_no_cost):
        return replace(row, besides=also if row.besides is None else better_of(row.besides, also))
    return replace(
        _succeeding(row, _results_of(row) | _results_of(also)),
        action=(*row.action, *(kind for kind in also.action if kind not in row.action)),
        besides=row.besides or also.besides,
        reach=max(row.reach or 0, also.reach or 0) or None,
        only=row.only if row.only == also.only else "",
        moving=replace(row.moving, halves_speed=row.moving.halves_speed and also.moving.halves_speed),
    )


def _results_of(row: Power) -> frozenset[int]:
    """Return the results on which the roll of a power succeeds."""
    rolled = row.defending.evade or row.defending.shape_change
    return rolled.on if rolled is not None else row.defending.reduces_all_on
