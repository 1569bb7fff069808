"""Facts about a move, noted to select rulings: what it leaves, passes and enters, whether or not it has an effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from rules.engine.figures.adjacency import figures_adjacent, opponents_beside
from rules.engine.figures.standing import SENTINEL, Figure, ground_of, standing_of
from rules.engine.figures.values import value_of
from rules.engine.met import Met
from rules.engine.play import Play
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square, distance


def gap(square: Square, figure: Figure) -> int:
    """Return the distance between a square and a figure, in squares."""
    squares = figure.character.squares
    return distance(square, squares[0]) if len(squares) == 1 else min(distance(square, own) for own in squares)


def note_move(play: Play, figure: Figure, path: tuple[Square, ...], carried: tuple[str, ...]) -> None:
    """Note what a move leaves, passes and enters, and the state of its passengers before it."""
    if carried:
        play.note(*carrying(play, figure, carried))
    if not path:
        play.note(Met.ZERO_SQUARES)
    else:
        held = bool(opponents_beside(play, figure, "movement"))
        play.note(*left(play, figure, held=held), *passed(play, figure, path))


def left(play: Play, figure: Figure, *, held: bool) -> Iterator[str]:
    """Yield facts about what a figure leaves when it moves away; `held`: whether an opponent is adjacent to it."""
    if held:
        yield Met.LEAVES_OPPONENT
    near = [other for other in opponents_of(play, figure) if other.soaring != figure.soaring]
    if any(gap(square, other) <= 1 for other in near for square in figure.character.squares):
        yield Met.LEAVES_SOARER
    tops = [other for other in opponents_of(play, figure) if other.on_blocking != figure.on_blocking]
    if any(gap(square, other) <= 1 for other in tops for square in figure.character.squares):
        yield Met.LEAVES_ON_TOP
    if ground_of(play).hindering_feet & figure.bits:
        yield Met.STARTS_IN_HINDERING
    if any(has_markers_stacked(play, own) for own in figure.character.squares):
        yield Met.MARKERS_STACKED


def passed(play: Play, figure: Figure, path: tuple[Square, ...]) -> Iterator[str]:
    """Yield the facts about what a figure passes and enters on a path of at least one square."""
    ground, opponents = ground_of(play), opponents_of(play, figure)
    speed = value_of(play, figure.character, ValueName.SPEED).total
    if speed % 2:
        yield Met.ODD_SPEED
    if len(path) > speed:
        yield Met.BEYOND_SPEED
    met = [any(gap(square, other) <= 1 for other in opponents) for square in path]
    if any(met[:-1]):
        yield Met.MEETS_OPPONENT
    if met[-1]:
        yield Met.ENDS_BESIDE_OPPONENT
    yield from _comes_back(play, figure, path)
    for before, after in pairwise((*figure.character.squares[:1], *path)):
        yield from _step(play, before, after)
    reach = 1 if figure.size == SENTINEL else 0
    lying = [thing.square for thing in play.position.objects if thing.square is not None and not thing.removed]
    if any(distance(square, thing) <= reach for square in path for thing in lying):
        yield Met.PASSES_OBJECT
    if ground.bits_beside(ground.walls) & ground.bits(path):
        yield Met.WALLS_NEAR


def _comes_back(play: Play, figure: Figure, path: tuple[Square, ...]) -> Iterator[str]:
    """Yield whether the path leaves a friend with the same team ability and ends beside it again."""
    way, teams = (figure.character.squares[0], *path), set(figure.character.teams)
    for other in standing_of(play).figures.values() if teams else ():
        if other is figure or other.player != figure.player or teams.isdisjoint(other.character.teams):
            continue
        near = [gap(square, other) <= 1 for square in way]
        if near[0] and near[-1] and not all(near):
            yield Met.COMES_BACK


def _step(play: Play, before: Square, after: Square) -> Iterator[str]:
    ground = ground_of(play)
    bit = ground.bit(after)
    if ground.hindering_feet & bit and not ground.hindering_feet & ground.bit(before):
        yield Met.ENTERS_HINDERING
    if ground.water & bit:
        yield Met.ENTERS_WATER
    elif ground.water & ground.bit(before) and ground.hindering_feet & bit:
        yield Met.LEAVES_WATER
    if has_markers_stacked(play, after):
        yield Met.MARKERS_STACKED
    if ground.blocking & bit:
        yield Met.ENTERS_BLOCKING
    if ground.level_of(before) != ground.level_of(after):
        yield Met.CHANGES_LEVEL
    if ground.level_of(after) > 1:
        if ground.blocking & bit:
            yield Met.ROOFTOP_BLOCKING
        if ground.hindering & bit:
            yield Met.ROOFTOP_HINDERING
    if before.column != after.column and before.row != after.row:
        yield Met.CUTS_CORNER
        sides = (Square(after.column, before.row), Square(before.column, after.row))
        if corner_of_barrier(play, before, after, filter(ground.has, sides)):
            yield Met.CORNER_OF_BARRIER
        held = [_holds_terrain(play, side, before, after) for side in sides if ground.has(side)]
        if all(held):
            yield Met.CORNER_OF_TERRAIN
        elif any(held):
            yield Met.CORNER_HALF_OPEN
    if any({before, after} & {edge.first, edge.second} for edge in ground.stairs | ground.ladders):
        yield Met.STAIRS_NEAR


def _holds_terrain(play: Play, side: Square, before: Square, after: Square) -> bool:
    """Return whether hindering or blocking terrain or a wall stands on one side of a corner that a step passes."""
    ground = ground_of(play)
    walled = any(ground.crosses(ground.parting, side, near) for near in (before, after))
    return walled or bool((ground.hindering_feet | ground.blocking) & ground.bit(side))


def has_markers_stacked(play: Play, square: Square) -> bool:
    """Return whether several markers lie in a square."""
    return sum(marker.square == square for marker in play.position.map.markers) > 1


def corner_of_barrier(play: Play, before: Square, after: Square, sides: Iterable[Square]) -> bool:
    """Return whether a corner is closed by a barrier on one side, and a barrier, blocking terrain or wall on the other.

    `before` and `after` are the squares of the diagonal step past the corner, `sides` those on the map beside it.
    """
    ground = ground_of(play)
    closed = [
        side
        for side in sides
        if ground.blocking & ground.bit(side)
        or any(ground.crosses(ground.parting, side, near) for near in (before, after))
    ]
    return len(closed) == 2 and any(ground.barrier & ground.bit(side) for side in closed)


def opponents_of(play: Play, figure: Figure) -> list[Figure]:
    """Return the opposing figures on the map."""
    return [other for other in standing_of(play).figures.values() if other.player != figure.player]


def carrying(play: Play, figure: Figure, carried: tuple[str, ...]) -> Iterator[str]:
    """Yield the facts about a carrier's passengers before the move."""
    standing, opponents = standing_of(play), opponents_of(play, figure)
    if len(carried) > 1:
        yield Met.SEVERAL_CARRIED
    passengers = [found for name in carried if (found := standing.figures.get(name)) is not None]
    if any(figures_adjacent(play, one, other, "movement") for one in passengers for other in opponents):
        yield Met.PASSENGER_BESIDE_OPPONENT
