"""Picking up and putting down objects during a move.

Sources: Objects (2002), Super Strength (2005), Picking Up an Object (2014), Picking Up Objects (2020s).
"""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.scenario import why_not_carried
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import topics_named
from rules.engine.figures.adjacency import opponents_beside, squares_adjacent
from rules.engine.figures.standing import figure_of, ground_of
from rules.engine.met import Met
from rules.engine.movement.paths import start_mode, way_of
from rules.engine.play import Play
from rules.engine.position.characters import BaseKind, Character, Flight
from rules.engine.position.squares import Square
from rules.engine.steps import StepName


def pick_up_and_put_down(play: Play, given: Action, before: Character, steps: tuple[Square, ...]) -> None:
    """Put down and pick up the objects that the move names, along the path taken. Raises Illegal."""
    if given.put_down is not None:
        _put_down(play, given, before, steps)
    if given.pick_up is not None:
        pick_up(play, given, before, steps)


def lies_ahead(play: Play, given: Action, character: Character, steps: tuple[Square, ...]) -> bool:
    """Return whether the object to pick up lies on the path, so that it is picked up before its square is entered.

    Its square is then no longer hindering terrain. Sources: Objects › Super Strength Super Power (2002), Super Strength
    (2005), Picking Up an Object (2014): a character may pick up an object beside it and go on.
    """
    thing = play.position.object(str(given.pick_up)) if given.pick_up is not None else None
    if thing is None or thing.square not in steps or thing.square in character.squares:
        return False
    if given.flight is Flight.SOARING or character.flight is Flight.SOARING or character.base is BaseKind.LARGE:
        return False
    number = steps.index(thing.square)
    return squares_adjacent(play, steps[number - 1] if number else character.squares[0], thing.square)


def pick_up(play: Play, given: Action, before: Character, steps: tuple[Square, ...]) -> None:
    """Pick up an object from a square of the path or beside one.

    Sources: Objects (2002), Super Strength (2005), Picking Up an Object (2014), Picking Up Objects (2020s).
    """
    character = play.character(before.id)
    play.this_action.next_step = StepName.PICK_UP
    thing = play.position.object(str(given.pick_up))
    topics = ("pick-up", "objects", "super-strength", "held-object")
    if thing is None or thing.square is None or thing.removed:
        raise Illegal("That object isn't on the map.", topics)
    if given.put_down is not None:
        raise Illegal("A character can't both pick up and put down an object in one move.", topics)
    if character.holding is not None:
        raise Illegal(f"{character.name} already holds an object.", topics)
    reason = why_not_carried(play) if thing.marker else play.edition.combat.picks_up(play, character, thing)
    if reason is not None:
        if "Super Strength" in character.countered:
            play.note(Met.TURNED_OFF)
        raise Illegal(reason, topics)
    if character.flight is Flight.SOARING:
        raise Illegal(f"{character.name} is soaring, so it can't pick up an object.", (*topics, "soaring"))
    near = _squares_near(play, [*before.squares, *steps], thing.square)
    if not near:
        raise Illegal(f"{character.name}'s move doesn't pass next to the object in {thing.square}.", topics)
    if steps and near == [steps[-1]] != [thing.square] and _is_stopped(play, before, steps):
        text = f"{character.name}'s move is stopped next to the object in {thing.square}, so {character.name} can't pick it up."
        raise Illegal(text, topics)
    play.change(replace(character, holding=thing.id))
    play.change_object(replace(thing, square=None))
    text = f"{character.name} picks up the {thing.kind.value} object {thing.name or thing.id} from {thing.square}."
    play.record(StepName.PICK_UP, text, (*topics, *topics_named(play, character, given.using)))


def _squares_near(play: Play, walked: list[Square], place: Square) -> list[Square]:
    return [square for square in walked if square == place or squares_adjacent(play, square, place)]


def _is_stopped(play: Play, before: Character, steps: tuple[Square, ...]) -> bool:
    """Return whether an opponent or terrain ends the move, in editions where that prevents picking up an object."""
    if play.edition.actions.picks_up_beside_opponents:
        return False
    figure = figure_of(play, play.character(before.id))
    held = figure is not None and bool(opponents_beside(play, figure, "movement"))
    return held or _stopped_by_terrain(play, before, steps)


def _stopped_by_terrain(play: Play, before: Character, steps: tuple[Square, ...]) -> bool:
    """Return whether the last step of a path entered hindering terrain that ends a move."""
    way = way_of(play, before, ())
    taken = way.step(_square_before(before, steps), steps[-1], start_mode(play, way)) if way is not None else None
    return taken is not None and taken[1]


def _square_before(before: Character, steps: tuple[Square, ...]) -> Square:
    """Return the square before the last step of a path."""
    return (before.squares[0], *steps)[-2]


def _put_down(play: Play, given: Action, before: Character, steps: tuple[Square, ...]) -> None:
    character = play.character(before.id)
    play.this_action.next_step = StepName.PUT_DOWN
    topics = ("held-object", "objects")
    thing = play.position.object(character.holding) if character.holding is not None else None
    if thing is None or given.put_down is None:
        raise Illegal(f"{character.name} holds no object to put down.", topics)
    if not play.edition.combat.puts_down:
        raise Illegal("A held object can't be put down: it can only be used.", (*topics, "pick-up"))
    walked = [*before.squares, *steps]
    if given.put_down not in walked and not any(squares_adjacent(play, s, given.put_down) for s in walked):
        raise Illegal(f"{given.put_down} isn't on or next to the path.", topics)
    ground = ground_of(play)
    if ground.blocking & ground.bit(given.put_down):
        raise Illegal(
            f"{given.put_down} is blocking terrain, so no object can be put down there.", (*topics, "blocking-terrain")
        )
    play.change(replace(character, holding=None))
    play.change_object(replace(thing, square=given.put_down))
    text = f"{character.name} puts the object {thing.name or thing.id} down in {given.put_down}."
    play.record(StepName.PUT_DOWN, text, topics)
