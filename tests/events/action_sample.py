"""The cells of the action table that every run requests; `make soak` requests them all.

Of allowed cells: enough that each of a row's roles and states is in one. Of cells that something beyond the table
forbids: one. Of refused cells: some refused for the role alone, some for the state alone.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from events.actions import ACTIONS, answer
from events.models import Event, Role, Round

from .action_acts import ACTS, WORLDS, World

State = tuple[str, str | None]
REFUSALS = 2
"""The numbers of requested cells per verb that are refused for the role alone, and for the state alone."""


class Cell(NamedTuple):
    """A state and a role in which a verb is tried."""

    state: State
    role: Role


class Cells(NamedTuple):
    """A verb's cells, by the table's answer and by refusals beyond the table."""

    allowed: list[Cell]
    barred: list[Cell]
    refused: list[Cell]


def is_tried(verb: str, state: State) -> bool:
    """Return whether the verb can be tried in this state, and differs there from other states."""
    act, (of_event, of_round) = ACTS[verb], state
    if verb == "see-drafts":
        return of_round == Round.State.DRAFT
    return (of_event == Event.State.OPEN or not act.stateless) and (of_round is not None or not act.needs_round)


def cells_of(verb: str) -> Cells:
    """Return a verb's cells by kind, for people with one role; players and officials are spectators too."""
    found, row, but = Cells([], [], []), ACTIONS[verb], ACTS[verb].but
    for state in WORLDS:
        if not is_tried(verb, state):
            continue
        round_ = Round(state=state[1]) if state[1] is not None else None
        world = World(Event(state=state[0]), round_)
        for role in Role:
            asked = round_ if row.round is not None else None
            given = answer(verb, frozenset({role, Role.SPECTATOR}), event=world.event, round=asked)
            among = found.refused if not given else found.barred if but and but(world, role) else found.allowed
            among.append(Cell(state, role))
    return found


def cover(cells: Sequence[Cell]) -> list[Cell]:
    """Return some of the cells, in which each state and each role of all the cells occurs."""
    chosen: list[Cell] = []
    missing: set[Hashable] = {part for cell in cells for part in cell}
    while missing:
        best = max(cells, key=lambda cell: len(missing & set(cell)))
        chosen.append(best)
        missing -= set(best)
    return chosen


def spread(cells: Sequence[Cell], number: int, first: int) -> list[Cell]:
    """Return this many of the cells, far apart, beginning at a different place for each `first`."""
    number = min(number, len(cells))
    return [cells[(first + n * len(cells) // number) % len(cells)] for n in range(number)]


@functools.cache
def sampled(verb: str) -> tuple[Cell, ...]:
    """Return the cells of this verb that every run requests."""
    allowed, barred, refused = cells_of(verb)
    states = {cell.state for cell in allowed + barred}
    for_role = [cell for cell in refused if cell.state in states]
    for_state = [cell for cell in refused if cell.state not in states and cell.role in ACTIONS[verb].roles]
    turn = list(ACTS).index(verb)
    chosen = cover(allowed) + spread(barred, 1, turn)
    return (*chosen, *spread(for_role, REFUSALS, turn), *spread(for_state, REFUSALS, turn))


@functools.cache
def one_each() -> dict[State, list[tuple[str, Role]]]:
    """Return one allowed cell of each verb, in as few states as possible."""
    left, found = {verb: cells_of(verb).allowed for verb in ACTS}, {}
    while left:
        state = max(WORLDS, key=lambda state: sum(state in dict(cells) for cells in left.values()))
        found[state] = [(verb, dict(cells)[state]) for verb, cells in left.items() if state in dict(cells)]
        left = {verb: cells for verb, cells in left.items() if state not in dict(cells)}
    return found
