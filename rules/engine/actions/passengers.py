"""Passengers of a move: which characters may be carried, and where they are put down.

Sources: Carrying Other Figures (2002), Carrying (2005), Carry (2014, 2020s).
"""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.actions.stopped import set_aside
from rules.engine.combat.ko import squares_beside
from rules.engine.combat.targets import leave_home
from rules.engine.errors import AwaitingChoice, Illegal
from rules.engine.figures.abilities import is_flier, powers_of, topics_named
from rules.engine.figures.adjacency import opponents_beside, squares_adjacent
from rules.engine.figures.standing import figure_of, flies, ground_of, standing_of
from rules.engine.met import Met
from rules.engine.movement.carry import can_carry, passengers_of, why_none
from rules.engine.movement.reach import square_of_four
from rules.engine.play import Play
from rules.engine.position.characters import BaseKind, Character, Flight
from rules.engine.position.squares import Square, distance
from rules.engine.steps import StepName


def check_carrying(play: Play, given: Action, character: Character) -> None:
    """Check that every passenger named may be carried. Raises Illegal."""
    if not given.carry:
        return
    if len(set(given.carry)) != len(given.carry):
        raise Illegal("A passenger is named twice.", ("carry",))
    most = passengers_of(play, character)
    if not most:
        why, topics = why_none(play, character)
        raise Illegal(f"{character.name} can't carry anyone{why}.", ("carry", *topics))
    if len(given.carry) > most:
        why, aside = set_aside(play, character, ("carry",))
        raise Illegal(f"{character.name} can carry only {most}, not {len(given.carry)}.{why}", ("carry", *aside))
    if given.pick_up is not None and not play.edition.actions.carries_with_object:
        raise Illegal(
            f"{character.name} can't pick up an object in a move in which it carries someone.", ("carry", "held-object")
        )
    for name in given.carry:
        found = can_carry(play, character, play.character(name))
        if not found:
            rows = (power.topic for power in powers_of(play, character) if power.moving.passengers is not None)
            raise Illegal(" ".join(found.because), ("carry", *found.topics, *rows))
    soaring = given.flight is Flight.SOARING
    if soaring and play.edition.movement.flight_modes:
        raise Illegal(f"{character.name} must end its move hovering to carry anyone.", ("carry", "flying", "hovering"))


def take_along(play: Play, given: Action, character: Character) -> list[Character]:
    """Remove passengers from the map until the move has ended."""
    passengers = [play.character(name) for name in given.carry]
    for passenger in passengers:
        play.change(replace(passenger, squares=()))
    return passengers


def set_down(play: Play, given: Action, passengers: list[Character]) -> None:
    """Put each passenger into an open square beside the carrier; the edition says whether it may act this turn."""
    assert given.actor is not None
    carrier = play.character(given.actor)
    play.this_action.next_step = StepName.CARRY
    for passenger in passengers:
        named = play.this_action.choices.places.get(passenger.id)
        if named is None:
            options = [square.name for square in _places_for(play, carrier, passenger)]
            if not options and play.edition.actions.carry_costs and not set(carrier.squares) & set(passenger.squares):
                play.change(passenger)
                play.note(Met.NO_PLACE)
                text = f"No square beside {carrier.name} is free for {passenger.name}, who stays in place."
                play.record(StepName.RESOLVE, text, ("carry", "occupancy"))
                continue
            if not options:
                play.note(Met.NO_PLACE)
                reason = f"No square beside {carrier.name} is free for {passenger.name}."
                raise Illegal(reason, ("carry", "occupancy"))
            why = f"In which square does {carrier.name} set {passenger.name} down?"
            raise AwaitingChoice(f"place:{passenger.id}", options, why, play.player_of(carrier))
        squares = _base_in(passenger, named.squares)
        place = " and ".join(map(str, squares)) or named.words
        if not _may_be_set_down(play, carrier, passenger, squares):
            raise Illegal(
                f"{passenger.name} can't be set down in {place}: choose a free square adjacent to {carrier.name}.",
                ("carry", "occupancy"),
            )
        if (ground_of(play).hindering_feet | ground_of(play).water) & ground_of(play).bits(squares):
            play.note(Met.SET_DOWN_IN_TERRAIN, of=passenger.id)
        play.change(replace(passenger, squares=squares, carried=True))
        leave_home(play, play.character(passenger.id), squares)
        text = f"{carrier.name} carries {passenger.name} and sets {passenger.name} down in {place}."
        topics = [
            "carry",
            *topics_named(
                play, carrier, (*given.using, *(p.name for p in powers_of(play, carrier) if p.moving.passengers))
            ),
        ]
        if is_flier(play, carrier):
            topics.append("flying")
        if carrier.holding is not None:
            topics += ["super-strength", "objects", "held-object"]
        figure = figure_of(play, play.character(passenger.id))
        if figure is not None and opponents_beside(play, figure, "movement"):
            topics.append("break-away")
        play.record(StepName.CARRY, text, topics)


def _base_in(passenger: Character, squares: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the squares of a base put down as a choice says: one square or all of them, for 2x2 the top left.

    Empty if that doesn't fit such a base.
    """
    if passenger.base is BaseKind.LARGE and len(squares) == 1:
        squares = square_of_four(squares[0])
    if len(set(squares)) != len(passenger.squares):
        return ()
    if passenger.base is BaseKind.PEANUT:
        return squares if distance(*squares) == 1 else ()
    if passenger.base is BaseKind.LARGE:
        return squares if set(squares) == set(square_of_four(min(squares))) else ()
    return squares


def _may_be_set_down(play: Play, carrier: Character, passenger: Character, squares: tuple[Square, ...]) -> bool:
    """Return whether a base may be put down there: some of it beside the carrier, all of it open and on one level."""
    beside = set(_places_for(play, carrier, passenger))
    ground, here = ground_of(play), standing_of(play).at
    if not beside & set(squares) or not all(ground.has(one) for one in squares):
        return False
    free = all(one in beside or not (one in here or ground.blocking & ground.bit(one)) for one in squares)
    return free and len({ground.level_of(one) for one in squares}) == 1


def _places_for(play: Play, carrier: Character, passenger: Character) -> list[Square]:
    """Return the open squares beside a carrier in which a passenger may be put down.

    From the top of blocking terrain only squares of the same top count, for passengers that may end a move there
    (2002).
    """
    ground, figure = ground_of(play), figure_of(play, carrier)
    if figure is None or not figure.on_blocking or play.edition.board.blocking_is_entered:
        return squares_beside(play, carrier.squares)
    if not flies(passenger) and not any(power.moving.rests_on_blocking for power in powers_of(play, passenger)):
        return []
    here = standing_of(play).at
    tops = ground.blocking & ~ground.barrier & ~ground.indoor
    return [
        square
        for square in play.position.map.squares()
        if tops & ground.bit(square)
        and square not in here
        and any(squares_adjacent(play, own, square) for own in carrier.squares)
    ]
