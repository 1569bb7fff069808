"""Event dials of position files: JSON ↔ the dial with its event card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.engine.documents.cards import read_cards, write_cards
from rules.engine.documents.reader import (
    a_list,
    a_mapping,
    a_whole_number,
    a_word_of,
    an_object,
    flag,
    name,
    nullable,
    shape_of,
    shaped,
    shown,
)
from rules.engine.edition import Edition
from rules.engine.errors import BadInput, escaped, refuse
from rules.engine.forces import Tactic
from rules.engine.position.cards import CardKind
from rules.engine.position.event_dials import EventDial, Turning
from rules.engine.position.position import Position

MAX_CLICKS = 100
MAX_COLORS = 20

_read_turning = an_object(
    Turning,
    {
        "moment": a_word_of(("start-of-turn", "end-of-turn", "when-ko")),
        "of": nullable(name),
        "by": a_whole_number(-99, 99),
    },
    ("moment",),
)
_read_colors = a_mapping(read_cards)


@shaped(lambda: shape_of(_read_colors))
def _colors(value: Any) -> tuple[tuple[str, Any], ...]:
    return tuple(_read_colors(value).items())


_read_dial = an_object(
    EventDial,
    {
        "name": name,
        "clicks": a_list(a_list(name)),
        "click": a_whole_number(1, MAX_CLICKS),
        "red_line": flag,
        "turns": a_list(_read_turning),
        "colors": _colors,
    },
    ("name", "clicks"),
)


@shaped(lambda: shape_of(_read_dial))
def read_event_dial(value: Any) -> EventDial:
    """Return an event dial. Raises BadInput with every fault."""
    made: EventDial = _read_dial(value)
    refuse(_wrong(made))
    return made


def _wrong(made: EventDial) -> Iterator[BadInput]:
    if not 1 <= len(made.clicks) <= MAX_CLICKS:
        yield BadInput("/clicks", f"An event dial has from 1 to {MAX_CLICKS} clicks, not {len(made.clicks):,}.")
    elif made.click > len(made.clicks):
        yield BadInput("/click", f"This event dial has {len(made.clicks)} clicks.")
    if len(made.colors) > MAX_COLORS:
        yield BadInput("/colors", f"An event dial has at most {MAX_COLORS} colours, not {len(made.colors):,}.")
    every = {color for colors in made.clicks for color in colors}
    for color, _cards in made.colors:
        if color not in every:
            yield BadInput(f"/colors/{escaped(color)}", f"No click shows {shown(color)}.")
    for place, one in enumerate(made.turns):
        if not one.by:
            yield BadInput(f"/turns/{place}/by", "A turn of 0 clicks changes nothing.")


def wrong_event_dial(position: Position, edition: Edition) -> Iterator[BadInput]:
    """Yield what an event dial contradicts: the edition, the players, and battlefield conditions beside it."""
    dial = position.event_dial
    if dial is None:
        return
    if Tactic.EVENT_DIALS not in edition.force.tactics:
        yield BadInput("/event_dial", "This edition has no event dials.")
    players = {side.player for side in position.sides}
    for place, one in enumerate(dial.turns):
        if one.of is not None and one.of not in players:
            yield BadInput(f"/event_dial/turns/{place}/of", f"{shown(one.of)} doesn't play any side.")
    places = [("/cards", position.cards)]
    places += [(f"/sides/{number}/cards", side.cards) for number, side in enumerate(position.sides)]
    for where, cards in places:
        for place, card in enumerate(cards):
            if card.kind is CardKind.CONDITION:
                yield BadInput(f"{where}/{place}/kind", "A battle with an event dial has no battlefield conditions.")


def write_event_dial(dial: EventDial) -> dict[str, Any]:
    """Return an event dial as it is read."""
    turns = [
        {"moment": one.moment, "by": one.by} | ({"of": one.of} if one.of is not None else {}) for one in dial.turns
    ]
    return {
        "name": dial.name,
        "clicks": [list(colors) for colors in dial.clicks],
        "click": dial.click,
        "red_line": dial.red_line,
        "turns": turns,
        "colors": {color: write_cards(cards) for color, cards in dial.colors},
    }
