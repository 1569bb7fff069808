"""Facts about what a line between two squares crosses, noted to select rulings, even if they don't affect the line."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.board.lines import LineStep, passages
from rules.engine.figures.standing import STANDARD, Figure, ground_of, standing_of
from rules.engine.met import Met
from rules.engine.movement.passed import corner_of_barrier, has_markers_stacked
from rules.engine.play import Play
from rules.engine.position.squares import Square, distance


def crossed(play: Play, start: Square, end: Square) -> Iterator[str]:
    """Yield the facts about the squares strictly between two squares: their contents and heights."""
    ground, at = ground_of(play), standing_of(play).at
    objects = lying_objects(play)
    low = min(ground.level_of(start), ground.level_of(end))
    if ground.level_of(start) != ground.level_of(end):
        yield Met.DIFFERENT_LEVELS
        if distance(start, end) == 1:
            yield Met.BESIDE_THE_RIM
    for square in (start, end):
        yield from on_rooftop(play, square)
        if ground.water & ground.bit(square):
            yield Met.WATER_ON_LINE
        if ground.obscuring & ground.bit(square):
            yield Met.OBSCURING_ON_LINE
    for passage in passages(start, end):
        if passage.through_corner:
            yield from _at_corner(play, passage, {start, end})
        square = passage.after
        if has_markers_stacked(play, square):
            yield Met.MARKERS_STACKED
        bit = ground.bit(square)
        if ground.smoke & bit:
            yield Met.CROSSES_SMOKE
        if square == end:
            break
        yield from on_rooftop(play, square)
        if square in objects:
            yield Met.CROSSES_OBJECT
        figure = at.get(square)
        if figure is not None and not {start, end}.intersection(figure.character.squares):
            yield from _of_body(play, figure)
        if ground.hindering_sight & bit:
            yield Met.CROSSES_HINDERING
        if ground.level_of(square) > low:
            yield Met.CROSSES_HIGHER
        if ground.blocking & bit:
            yield Met.CROSSES_BLOCKING
        if ground.barrier & bit:
            yield Met.CROSSES_BARRIER
        if ground.water & bit:
            yield Met.WATER_ON_LINE
        if ground.obscuring & bit:
            yield Met.OBSCURING_ON_LINE


def lying_objects(play: Play) -> frozenset[Square]:
    """Return the squares with objects on the map."""
    lying = (thing.square for thing in play.position.objects if not thing.removed)
    return frozenset(square for square in lying if square is not None)


def on_rooftop(play: Play, square: Square) -> Iterator[str]:
    """Yield the terrain of an elevated square; nothing for a square on the ground."""
    ground = ground_of(play)
    if not ground.has(square) or ground.level_of(square) <= 1:
        return
    if ground.blocking & ground.bit(square):
        yield Met.ROOFTOP_BLOCKING
    if ground.hindering & ground.bit(square):
        yield Met.ROOFTOP_HINDERING


def _at_corner(play: Play, passage: LineStep, ends: set[Square]) -> Iterator[str]:
    """Yield what stands at a corner that a line passes; the characters at the ends of the line don't count."""
    ground = ground_of(play)
    at = {square for square, one in standing_of(play).at.items() if ends.isdisjoint(one.character.squares)}
    sides = [side for side in passage.sides() if ground.has(side)]
    if sum(side in at for side in sides) == 2:
        yield Met.CORNER_OF_FIGURES
    terrain = [side for side in sides if (ground.hindering_sight | ground.blocking) & ground.bit(side)]
    if terrain:
        yield Met.CORNER_OF_TERRAIN
        if len({*terrain, *(side for side in sides if side in at)}) == 2:
            yield Met.CORNER_CLOSED
    if corner_of_barrier(play, passage.before, passage.after, sides):
        yield Met.CORNER_OF_BARRIER
    steps = (passage.before, passage.after)
    if any(ground.crosses(ground.parting, side, near) for side in sides for near in steps):
        yield Met.CORNER_OF_WALL


def _of_body(play: Play, figure: Figure) -> Iterator[str]:
    yield Met.CROSSES_FIGURE
    if figure.hovering:
        yield Met.CROSSES_HOVERING
    if figure.size != STANDARD:
        yield Met.OTHER_SIZES
    shown = figure.character.showing
    rows = [play.edition.powers.get(name) for name in shown.powers] if shown is not None else []
    if any(row is not None and row.defending.hides_behind_hindering for row in rows):
        yield Met.CROSSES_HIDDEN
