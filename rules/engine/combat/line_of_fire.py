"""Lines of fire explained: what a line meets, and what it becomes there.

The answer walks along the line over the same obstacles that give it its class (`line_classes`), so the two can't
disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from rules.engine.board.ground import Ground
from rules.engine.board.lines import LineStep, passages
from rules.engine.board.scene import Obstacle, Sight
from rules.engine.combat.line_classes import (
    RANK,
    End,
    LineClass,
    Screen,
    class_between,
    end_of,
    screen_of,
    sight_between,
)
from rules.engine.figures.standing import STANDARD, ground_of, standing_of, wall_between, why_clear
from rules.engine.play import Play, Spot
from rules.engine.position.edges import Edge, edge_between
from rules.engine.position.figures import Figure
from rules.engine.position.squares import Square, distance
from rules.engine.reasons import Part, Parts, listed


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that a line meets: its place, and what the line becomes there."""

    square: Square
    edge: Edge | None
    becomes: LineClass
    topic: str
    sentence: str
    at_corner: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """An explained line of fire. `modifier` is added to the target's defense."""

    start: Square
    end: Square
    result: LineClass
    squares: tuple[Square, ...]
    marks: tuple[Mark, ...]
    modifier: int
    because: tuple[str, ...]
    topics: tuple[str, ...]

    @property
    def parts(self) -> Parts:
        """The parts of the modifier."""
        hindered = Part("changed", self.modifier, "the line of fire is hindered", "hindering-terrain")
        return (hindered,) if self.modifier else ()


def line_of_fire(play: Play, start: Spot, end: Spot) -> Line:
    """Return the explained line of fire between two spots; for larger bases between the least restricted squares,
    of equal ones the nearest.

    Source: the chapters on line of fire, ranged combat, terrain and intersections of each book.
    """
    one, other = end_of(play, start), end_of(play, end)
    best: Line | None = None
    for start_square, end_square in sorted(product(one.squares, other.squares), key=lambda ends: distance(*ends)):
        found = explain(play, one, other, start_square, end_square)
        better = best is None or (RANK[found.result], found.modifier) < (RANK[best.result], best.modifier)
        if better:
            best = found
        if found.result == "clear":
            break
    if best is None:
        raise ValueError("a line needs two ends on the map")
    return best


def explain(play: Play, one: End, other: End, start: Square, end: Square) -> Line:
    """Return the line between two squares with everything it meets, up to where it is blocked."""
    ground = ground_of(play)
    sight = sight_between(play, one, other, start, end)
    screen = screen_of(play, sight)
    way = passages(start, end)
    squares = (start, *(passage.after for passage in way))
    title = f"The line of fire from {_called(one, start)} to {_called(other, end)}"
    if screen.shut is not None:
        told, topic = screen.shut
        upper, square = (one, start) if ground.level_of(start) > ground.level_of(end) else (other, end)
        sentence = told.format(elevated=upper.name if upper.figure is not None else square)
        mark = Mark(start, None, "blocked", topic, sentence)
        because = (f"{title} is blocked: {sentence}.",)
        return Line(start, end, "blocked", squares, (mark,), 0, because, ("line-of-fire", topic))
    marks: list[Mark] = []
    for mark in _met(play, screen, ground, way, start, end):
        marks.append(mark)
        if mark.becomes == "blocked":
            break
    result = class_between(play, screen, ground, start, end)
    return _told(play, screen, sight, ground, one, other, (start, end), squares, marks, result, title)


def _together(marks: Iterable[Mark]) -> list[str]:
    """Return the sentences of the marks, each once; squares of which the same is said are named together."""
    squares: dict[str, dict[str, None]] = {}
    for mark in marks:
        said = mark.sentence.removesuffix(f" {mark.square}")
        here = squares.setdefault(said, {})
        if said != mark.sentence:
            here[str(mark.square)] = None
    return [" ".join(filter(None, (said, listed(list(here))))) for said, here in squares.items()]


def _told(
    play: Play,
    screen: Screen,
    sight: Sight,
    ground: Ground,
    one: End,
    other: End,
    ends: tuple[Square, Square],
    squares: tuple[Square, ...],
    marks: list[Mark],
    result: LineClass,
    title: str,
) -> Line:
    options = play.edition.line_of_fire
    start, end = ends
    windows = _through_windows(play, passages(start, end)) if result == "clear" else ()
    own = bool(screen.start_hinders >> ground.number(start) & 1)
    excused: tuple[str, ...] = ()
    hindering = [mark for mark in marks if mark.becomes == "hindered"]
    if own and not hindering and result == "hindered":
        sentence = f"it starts in hindering terrain in {start}"
        marks = [Mark(start, None, "hindered", "hindering-terrain", sentence)]
        excused = ("no other hindering terrain lies on it, so the target gets no modifier",)
    elif hindering and result == "clear":
        excused = ("it starts in hindering terrain, and the first square it enters is clear",)
        marks = []
    modifier = options.hindering_modifier if result == "hindered" and hindering else 0
    reasons = _together([mark for mark in marks if mark.becomes == result] or marks) if result != "clear" else []
    if result == "clear":
        ignored = (*_passed_over(play, sight, one, other, squares[1:-1]), *_ignored(ground, sight, one, squares))
        passed = (*_with_reasons(ignored), *windows)
        why = excused or passed or (why_clear(play, passages(start, end)),)
        text = f"{title} is clear: {'; '.join(why)}."
    else:
        text = f"{title} is {result}: {'; '.join([*reasons, *excused])}."
    because = [text]
    if modifier and other.figure is not None:
        because.append(f"{other.name} gets {modifier:+d} defense against a ranged attack along it.")
    corners = ["intersections"] if any(mark.at_corner for mark in marks) else []
    told = [mark.topic for mark in marks if result != "blocked" or mark.becomes == "blocked"]
    met_topics = [*told, *(["windows"] if windows else [])]
    topics = tuple(dict.fromkeys(["line-of-fire", *met_topics, *corners, *_surroundings(ground, one, other, ends)]))
    return Line(start, end, result, squares, tuple(marks), modifier, tuple(because), topics)


def _passed_over(
    play: Play, sight: Sight, one: End, other: End, squares: Iterable[Square]
) -> Iterator[tuple[str, str]]:
    """Yield for each character on a clear line that it doesn't block it, and why."""
    at, ends = standing_of(play).at, [end.figure for end in (one, other)]
    great = one if sight.from_size >= sight.to_size else other
    said = set()
    for square in squares:
        figure = at.get(square)
        if figure is not None and figure not in ends and figure.name not in said:
            said.add(figure.name)
            yield f"{figure.name} in {square} doesn't block it", _why_passed(play, sight, figure, great)


def _with_reasons(ignored: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the sentences of what a clear line ignores, those with the same reason as one."""
    by_reason: dict[str, list[str]] = {}
    for told, why in ignored:
        by_reason.setdefault(why, []).append(told)
    yield from (f"{listed(told)}, because {why}" for why, told in by_reason.items())


def _through_windows(play: Play, way: Iterable[LineStep]) -> tuple[str, ...]:
    """Return for each window that a line passes that it doesn't block it. Source: Terrain, Windows."""
    windows = play.position.map.windows
    return tuple(
        f"the window between {passage.before} and {passage.after} doesn't block it"
        for passage in (way if windows else ())
        if edge_between(passage.before, passage.after) in windows
    )


def _ignored(ground: Ground, sight: Sight, one: End, squares: tuple[Square, ...]) -> Iterator[tuple[str, str]]:
    """Yield for the terrain and objects on a clear line that they don't block or hinder it, and why."""
    met: dict[tuple[str, str, str], list[str]] = {}
    for square in squares:
        bit = ground.bit(square)
        if ground.blocking & bit and square not in (squares[0], squares[-1]):
            what, effect = ("a barrier" if ground.barrier & bit else "blocking terrain"), "blocking"
        elif ground.hindering_sight & bit:
            what, effect = _hindering(ground, square)[1], "hindering"
        else:
            continue
        if sight.from_soaring or sight.to_soaring:
            why = "the line leads to or from a soaring character"
        elif effect in sight.past:
            why = f"{one.name} ignores it"
        elif square == squares[0]:
            why = "the line starts there"
        elif effect == "hindering" and sight.from_level != sight.to_level:
            why = "the line runs from one elevation to another"
        else:
            why = ""
        met.setdefault((what, effect, why), []).append(square.name)
    for (what, effect, why), names in met.items():
        place = listed(names)
        why = why or f"{place} {'is' if len(names) == 1 else 'are'} on another elevation"
        yield f"{what} in {place} doesn't {effect.removesuffix('ing')} it", why


def _why_passed(play: Play, sight: Sight, figure: Figure, great: End) -> str:
    """Return in words why a character on a line doesn't block it; `great` is the line's larger end."""
    if "characters" in sight.past:
        return "the line ignores characters"
    if figure.size < max(sight.sizes) and max(sight.sizes) > STANDARD:
        if play.edition.line_of_fire.looked_over == "standard_by_giants":
            return f"{great.name} has Great Size"
        return f"{great.name} is larger"
    if sight.from_soaring or sight.to_soaring:
        return "the line leads to or from a soaring character"
    if figure.soaring:
        return f"{figure.name} is soaring"
    if sight.from_level != sight.to_level:
        return "the line runs from one elevation to another"
    return f"{figure.name} is on another elevation"


def _surroundings(ground: Ground, one: End, other: End, ends: tuple[Square, Square]) -> Iterator[str]:
    """Yield the topics that the two ends contribute, whatever the line meets."""
    if max(ground.level_of(square) for square in ends) > 1:
        yield "elevation"
    for end in (one, other):
        if end.figure is not None and end.figure.soaring:
            yield "soaring"
        elif end.figure is not None and end.figure.hovering:
            yield "hovering"


def _called(end: End, square: Square) -> str:
    return f"{end.name} ({square})" if end.figure is not None else str(square)


def _met(play: Play, screen: Screen, ground: Ground, way: list[LineStep], start: Square, end: Square) -> Iterator[Mark]:
    """Yield what a line meets, in order: edges and corners where it passes them, squares where it enters them."""
    for passage in way:
        if passage.through_corner:
            yield from _at_corner(play, screen, ground, passage)
        else:
            edge = edge_between(passage.before, passage.after)
            for obstacle in screen.obstacles:
                if edge is not None and ground.crosses(obstacle.edges, passage.before, passage.after):
                    wall, topic = wall_between(play, passage.before, passage.after)
                    sentence = f"{wall} stands between {passage.before} and {passage.after}"
                    yield Mark(passage.after, edge, obstacle.becomes, topic, sentence)
        if passage.after != end:
            yield from _in_square(play, screen, ground, passage.after)
    number = ground.number(end)
    if screen.target_blocks >> number & 1:
        topic, what = _hindering(ground, end)
        hidden = next((o for o in screen.obstacles if o.hides), None)
        sentence = f"{end}, the target's square, is {what}"
        if hidden is not None:
            sentence += f", which blocks lines to a character with {hidden.hides}"
        yield Mark(end, None, "blocked", hidden.topic if hidden is not None else topic, sentence)
    elif screen.target_hinders >> number & 1:
        topic, what = _hindering(ground, end)
        yield Mark(end, None, "hindered", topic, f"{end}, the target's square, is {what}")


def _in_square(play: Play, screen: Screen, ground: Ground, square: Square) -> Iterator[Mark]:
    bit = ground.bit(square)
    found = [obstacle for obstacle in screen.obstacles if obstacle.squares & bit]
    for obstacle in sorted(found, key=lambda obstacle: -RANK[obstacle.becomes]):
        where = f"stands in {square}" if obstacle.bodies else f"in {square}"
        yield Mark(square, None, obstacle.becomes, *_named(play, ground, obstacle, square, where))


def _at_corner(play: Play, screen: Screen, ground: Ground, passage: LineStep) -> Iterator[Mark]:
    """Yield the effect of a corner: that of the less restrictive of its two sides."""
    sides = []
    for side in passage.sides():
        worst: tuple[int, str, str] = (0, "", "line-of-fire")
        for obstacle in screen.obstacles:
            rank = RANK[obstacle.becomes]
            if rank > worst[0] and obstacle.closes_corners and obstacle.squares & ground.bit(side):
                topic, sentence = _named(play, ground, obstacle, side, f"in {side}")
                worst = (rank, sentence, topic)
            walled = ground.crosses(obstacle.edges, passage.before, side) or ground.crosses(
                obstacle.edges, side, passage.after
            )
            if rank > worst[0] and walled:
                worst = (rank, f"{obstacle.what} beside {side}", obstacle.topic)
        sides.append(worst)
    rank = min(side[0] for side in sides)
    if rank == 0:
        return
    becomes: LineClass = "hindered" if rank == 1 else "blocked"
    corner = f"the corner between {passage.before} and {passage.after}"
    sentence = f"it passes exactly through {corner}, with {sides[0][1]} and {sides[1][1]}"
    topic = next(side[2] for side in sides if side[0] == rank)
    yield Mark(passage.after, None, becomes, topic, sentence, at_corner=True)


def _named(play: Play, ground: Ground, obstacle: Obstacle, square: Square, where: str) -> tuple[str, str]:
    """Return topic and words for an obstacle in a square: a character by its name, terrain by its kind."""
    if obstacle.bodies:
        figure = standing_of(play).at.get(square)
        return obstacle.topic, f"{figure.name if figure is not None else 'a character'} {where}"
    if obstacle.hindering:
        topic, what = _hindering(ground, square)
        if obstacle.hides:
            return obstacle.topic, f"{what} {where} blocks lines to a character with {obstacle.hides}"
        return topic, f"{what} {where}"
    if obstacle.topic == "blocking-terrain" and ground.barrier & ground.bit(square):
        return "barrier", f"a barrier {where}"
    return obstacle.topic, f"{obstacle.what} {where}"


def _hindering(ground: Ground, square: Square) -> tuple[str, str]:
    """Return topic and words for the terrain or object that makes a square hindering."""
    bit = ground.bit(square)
    if ground.smoke & bit:
        return "smoke-cloud", "hindering terrain (smoke)"
    if ground.hindering & bit:
        return "hindering-terrain", "hindering terrain"
    if ground.obscuring & bit:
        return "obscuring-terrain", "obscuring terrain"
    if ground.fog & bit:
        return "hindering-terrain", "hindering terrain (the fog)"
    return "objects", "hindering terrain (an object)"
