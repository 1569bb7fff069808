"""Barrier and Smoke Cloud: four squares of terrain that stay until the character's player's next turn begins."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.line_of_fire import line_of_fire
from rules.engine.errors import Illegal
from rules.engine.figures.adjacency import squares_adjacent
from rules.engine.figures.standing import ground_of, standing_of
from rules.engine.figures.values import value_of
from rules.engine.memory import Placed
from rules.engine.met import Met
from rules.engine.play import Play, Spot
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square, distance, in_squares
from rules.engine.position.terrain import Marker, MarkerKind
from rules.engine.power import Act
from rules.engine.powers.building import topic_of
from rules.engine.reasons import listed
from rules.engine.steps import StepName

NUMBER = 4


def four_squares(name: str, kind: MarkerKind) -> Act:
    """Return the act of placing four markers in squares adjacent to each other.

    Sources: Barrier and Smoke Cloud with their FAQ: all four, no line of fire needed, no character, object or terrain
    feature in any of them. Barrier: at least one within range; with range 0: beside the character. The Rule of
    Occupancy (2014, 2020s) and Markers (2020s): none in blocking terrain, and nothing may come to occupy it.
    """

    def place(play: Play, given: Action, character: Character) -> None:
        topic = topic_of(play, name)
        play.this_action.next_step = StepName.TERRAIN
        _note_markers(play, character)
        squares = _chosen(play, name, topic)
        for square in squares:
            _check(play, square, name, topic, blocks=kind is MarkerKind.BARRIER)
        if not _together(play, squares):
            raise Illegal(f"The 4 squares of a {name} must be adjacent to each other.", (topic, "adjacency"))
        reach = max(1, value_of(play, character, ValueName.RANGE).total)
        away = {square: min(distance(own, square) for own in character.squares) for square in squares}
        far = (min if kind is MarkerKind.BARRIER else max)(squares, key=lambda square: away[square])
        if away[far] > reach:
            text = f"{name} reaches {in_squares(reach)}, and {far} is {in_squares(away[far])} away."
            raise Illegal(text, (topic, "range"))
        if max(away.values()) > reach:
            play.note(Met.PARTLY_IN_RANGE)
        markers = tuple(Marker(kind, square) for square in squares)
        here = play.position.map
        play.position = play.position.with_map(replace(here, markers=(*here.markers, *markers)))
        player = play.player_of(character)
        placed = tuple(Placed(player, marker, topic) for marker in markers)
        play.battle = replace(play.battle, placed=(*play.battle.placed, *placed))
        names = listed([square.name for square in squares])
        text = f"{character.name} places a {name} in {names} until {player}'s next turn begins."
        play.record(StepName.TERRAIN, text, (topic, "markers"))

    return place


def _note_markers(play: Play, character: Character) -> None:
    ground = ground_of(play)
    taken = {thing.square for thing in play.position.objects if not thing.removed}
    squares = [one for one in play.this_action.choices.squares or () if one is not None and ground.has(one)]
    if squares:
        play.note(Met.PLACES_MARKERS)
    if any(square in taken or (ground.hindering | ground.blocking) & ground.bit(square) for square in squares):
        play.note(Met.ON_TERRAIN_FEATURE)
    if any(line_of_fire(play, Spot(character.squares), Spot((square,))).result == "blocked" for square in squares):
        play.note(Met.PLACES_UNSEEN)


def _chosen(play: Play, name: str, topic: str) -> list[Square]:
    found = play.must_choose(
        play.this_action.choices.squares, "squares", (), f"In which 4 squares is the {name} placed?"
    )
    squares = [square for square in found if square is not None and play.position.map.holds(square)]
    if len(squares) != len(found) or len(set(squares)) != NUMBER or len(squares) != NUMBER:
        play.note(Met.WRONG_NUMBER)
        number = len(set(squares)) if len(set(squares)) != NUMBER else len(found)
        raise Illegal(f"A {name} needs {NUMBER} different squares of the map, not {number}.", (topic,))
    return squares


def _check(play: Play, square: Square, name: str, topic: str, *, blocks: bool) -> None:
    ground = ground_of(play)
    bit = ground.bit(square)
    anywhere = play.edition.board.markers_lie_on == "not_blocking"
    if anywhere and ground.blocking & bit:
        raise Illegal(
            f"{square} is blocking terrain, so no {name} can be placed there.", (topic, "markers", "occupancy")
        )
    if anywhere and not blocks:
        return
    other = standing_of(play).at.get(square)
    if other is not None:
        raise Illegal(f"{other.name} occupies {square}, so no {name} can be placed there.", (topic, "occupancy"))
    if any(thing.square == square and not thing.removed for thing in play.position.objects):
        raise Illegal(f"An object lies in {square}, so no {name} can be placed there.", (topic, "objects"))
    if anywhere:
        return
    feature = (ground.hindering | ground.blocking | ground.water) & bit
    if feature or any(marker.square == square for marker in play.position.map.markers):
        raise Illegal(
            f"{square} has a terrain feature, so no {name} can be placed there.", (topic, "terrain", "debris")
        )


def _together(play: Play, squares: list[Square]) -> bool:
    """Return whether the squares are connected, each to another."""
    reached = squares[:1]
    for here in reached:
        reached += [other for other in squares if other not in reached and squares_adjacent(play, here, other)]
    return len(reached) == len(squares)
