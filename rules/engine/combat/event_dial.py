"""The event dial turns: at the moments that its event card names, or by an effect (Event Dials, 2014)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.play import Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.event_dials import EventDial
from rules.engine.reasons import listed
from rules.engine.steps import StepName

TOPICS = ("event-dial",)


def turn_event_dial(play: Play, by: int, why: str = "") -> None:
    """Turn the event dial by that many clicks, back if negative, and say what it shows."""
    dial = play.position.event_dial
    if dial is None:
        return
    click, because = dial.turned(by), f" ({why})" if why else ""
    if click == dial.click and (by < 0 or dial.red_line):
        line = "back past its green line" if by < 0 else "past its red line"
        play.record(StepName.RESOLVE, f"{dial.name} can't be turned {line}{because}.", TOPICS, {"event_dial": click})
        return
    play.position = play.position.with_event_dial(click)
    text = f"{_shown(replace(dial, click=click))}{because}."
    play.record(StepName.RESOLVE, text, TOPICS, {"event_dial": click})


def _shown(dial: EventDial) -> str:
    """Return in words what the slot shows."""
    colors = f"shows {listed(list(dial.showing))}" if dial.showing else "shows no colour"
    cards = listed([card.name for card in dial.cards])
    return f"{dial.name} turns to click {dial.click} and {colors}{f': {cards}' if cards else ''}"


def turn_at(play: Play, moment: CardMoment, player: str) -> None:
    """Turn the event dial as its card says for a moment of this player's turn, or of a character of the player."""
    dial = play.position.event_dial
    for one in dial.turns if dial is not None else ():
        if one.moment == moment and one.of in (None, player):
            turn_event_dial(play, one.by)
