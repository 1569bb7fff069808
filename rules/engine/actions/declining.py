"""Declining: abilities that a character could use but doesn't, for one action or for the rest of the turn.

Given as `POWER:ID` under `decline` among the choices of an action, POWER by its topic or its name. Declined powers are
left out of the powers a character can use (`figures.abilities`). Sources: Super Powers, Team Abilities (2002, 2005);
Powers and Abilities (2014); Triggered Effects, Passive Effects (2020s).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain

from rules.engine.choices import Choices, Declined
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import powers_of
from rules.engine.met import Met
from rules.engine.play import Play
from rules.engine.power import Power

TOPICS = ("powers", "team-abilities")


@contextmanager
def declining(play: Play, choices: Choices) -> Iterator[None]:
    """Turn off the powers that these choices decline, for this action, or for the turn if the book says so.

    Raises Illegal unless they are a list of powers and figures, known to the book and optional for these figures.
    """
    if choices.declined is None:
        yield
        return
    before = play.this_turn.declined
    teams = {word for row in play.edition.team_abilities.values() for word in (row.topic, row.name)}
    play.note(*(Met.DECLINES_TEAM if one.power in teams else Met.DECLINES for one in choices.declined))
    play.this_action.declined = _read(play, choices.declined)
    play.this_turn = replace(play.this_turn, declined=before | play.this_action.declined)
    try:
        yield
    finally:
        if not play.edition.actions.declined_for_the_turn:
            play.this_turn = replace(play.this_turn, declined=before)


def _read(play: Play, named: tuple[Declined, ...]) -> frozenset[str]:
    if any(one.bearer is None for one in named):
        raise Illegal("List each declined power with its character, such as willpower:bat.", TOPICS)
    return frozenset(_declined(play, one.power, one.bearer) for one in named if one.bearer is not None)


def _declined(play: Play, power: str, bearer: str) -> str:
    """Return a power and its character in the form the battle remembers. Raises Illegal."""
    row = _row(play, power) or _of_card(play, power, bearer)
    if row is None:
        raise Illegal(f"{power} isn't a power or team ability of this rulebook.", TOPICS)
    character = play.position.find(bearer)
    if character is None:
        raise Illegal(f"{row.name} is declined for {bearer}, but no character has that id.", (row.topic, *TOPICS))
    if row.declinable == "no":
        text = f"{row.name} isn't optional: {character.name} can't decline it."
        raise Illegal(text, (row.topic, "optional-powers", *TOPICS))
    if row.moving.lifts and character.holding is not None:
        text = f"{character.name} holds an object, so it can't decline {row.name}."
        raise Illegal(text, (row.topic, "held-object", *TOPICS))
    return f"{row.topic or row.name}:{bearer}"


def _of_card(play: Play, card: str, bearer: str) -> Power | None:
    """Return a row of a card of that name, the character's own or one that may reach it; one it may decline if there is any."""
    character = play.position.find(bearer)
    if character is None:
        return None
    titles = tuple({one.title for one in play.position.every_card() if card in (one.name, one.title)})
    rows = [row for row in powers_of(play, character) if row.topic == "" and row.name.endswith(titles)]
    rows = rows or [row for row in _at_moments(play) if row.name in titles]
    return next((row for row in rows if row.declinable == "yes"), rows[0] if rows else None)


def _at_moments(play: Play) -> Iterator[Power]:
    """Yield the rows of cards that let something happen at a moment, which may reach others than their bearers."""
    for character in play.position.characters():
        if character.on_map:
            yield from (row for row in powers_of(play, character) if row.moment is not None)


def _row(play: Play, power: str) -> Power | None:
    edition = play.edition
    rows = chain(edition.powers.values(), edition.team_abilities.values(), edition.symbol_abilities.values())
    return next((row for row in rows if power in (row.topic, row.name)), None)
