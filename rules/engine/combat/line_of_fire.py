"""Lines of fire: what a line meets, and whether it is clear, hindered or blocked.

For two given ends, the edition's function from `screens` returns the *obstacles*: sets of squares and edges, each with
its topic. A line's class depends on whether it meets any of them. The explained answer walks along the same line over
the same obstacles, so the two can't disagree.

Where a line passes exactly through a corner, the less restrictive of the two sides counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from rules.engine.board.ground import Corners, Edges, Ground, corners_between
from rules.engine.board.lines import LineStep, passages, steps, trace
from rules.engine.board.scene import Obstacle, Scene, Screened, Sight
from rules.engine.figures.abilities import powers_of, sees_past
from rules.engine.figures.standing import STANDARD, figure_of, ground_of, standing_of, wall_between, why_clear
from rules.engine.play import Play, Spot
from rules.engine.position.characters import Character
from rules.engine.position.edges import Edge, edge_between
from rules.engine.position.figures import Figure
from rules.engine.position.squares import Square, distance
from rules.engine.reasons import Part, Parts, listed

LineClass = Literal["clear", "hindered", "blocked"]
RANK: dict[LineClass, int] = {"clear": 0, "hindered": 1, "blocked": 2}


class Screen(NamedTuple):
    """All obstacles for one kind of line combined: what blocks it and what hinders it."""

    obstacles: tuple[Obstacle, ...]
    shut: tuple[str, str] | None
    blocked_squares: int
    blocked_edges: Edges
    blocked_corners: Corners
    hindered_squares: int
    hindered_corners: Corners
    target_hinders: int
    target_blocks: int
    start_hinders: int


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


@dataclass(frozen=True, slots=True)
class End:
    """One end of lines: its squares, and the figure there, if any."""

    squares: tuple[Square, ...]
    figure: Figure | None
    name: str

    @property
    def large(self) -> int:
        """The bits of a base of several squares, which never blocks lines of fire to and from itself."""
        return self.figure.bits if self.figure is not None and len(self.figure.character.squares) > 1 else 0


def end_of(play: Play, spot: Spot) -> End:
    """Return the end of a line for a spot."""
    figure = figure_of(play, spot.character) if spot.character is not None else None
    return End(spot.squares, figure, spot.name)


def scene_of(play: Play) -> Scene:
    """Return the current ground and bases for lines of fire."""
    ground, standing = ground_of(play), standing_of(play)
    options = play.edition.line_of_fire
    return play.drawn(
        "scene",
        (ground, standing),
        lambda: Scene(
            ground,
            standing,
            options.characters_close_corners,
            options.indoor_blocking_below_blocks,
            options.looked_over,
        ),
    )


def sight_between(play: Play, start: End, end: End, start_square: Square, end_square: Square) -> Sight:
    """Return everything about two ends that decides which obstacles matter between them."""
    ground = ground_of(play)
    seer, seen = start.figure, end.figure
    areas = play.edition.line_of_fire.areas_matter
    return Sight(
        from_level=ground.level_of(start_square),
        to_level=ground.level_of(end_square),
        from_soaring=seer is not None and seer.soaring,
        to_soaring=seen is not None and seen.soaring,
        from_size=seer.size if seer is not None else STANDARD,
        to_size=seen.size if seen is not None else STANDARD,
        hovering=(seer is not None and seer.hovering) or (seen is not None and seen.hovering),
        past=sees_past(play, seer.character) if seer is not None else frozenset(),
        hidden=hiding_power(play, seer, seen) if seen is not None else None,
        from_area=area_from_rim(ground, start_square) if areas else 0,
        to_area=area_from_rim(ground, end_square) if areas else 0,
        open_bits=start.large | end.large,
    )


def area_from_rim(ground: Ground, square: Square) -> int:
    """Return the elevated area whose rim contains the square: 0 on the ground, -1 off the rim of elevated terrain."""
    if ground.level_of(square) == 1:
        return 0
    return ground.area(square) if ground.rim & ground.bit(square) else -1


def hiding_power(play: Play, seer: Figure | None, seen: Figure) -> tuple[str, str] | None:
    """Return the power (name, topic) that lets hindering terrain block lines to this figure, or None.

    Lines drawn by its own side are blocked as well: the books speak of any line of fire drawn to it.
    """
    if seer is not None and "stealth" in sees_past(play, seer.character):
        return None
    for power in powers_of(play, seen.character):
        if power.defending.hides_behind_hindering:
            return power.name, power.topic
    return None


def screen_of(play: Play, sight: Sight) -> Screen:
    """Return the combined obstacles for that kind of line, cached while the scene is the same."""
    scene = scene_of(play)
    kept: dict[Sight, Screen] = play.drawn("screens", (scene,), dict)
    found = kept.get(sight)
    if found is None:
        found = kept[sight] = _put_together(scene, sight, play.edition.line_of_fire.screen(scene, sight))
    return found


def _put_together(scene: Scene, sight: Sight, screened: Screened) -> Screen:
    shut, obstacles = screened
    width = scene.ground.width
    squares = closing = hindered = hindering_sides = 0
    edges = Edges()
    for obstacle in obstacles:
        if obstacle.becomes == "blocked":
            squares |= obstacle.squares
            edges = edges | obstacle.edges
            if obstacle.closes_corners:
                closing |= obstacle.squares
        else:
            hindered |= obstacle.squares
            hindering_sides |= obstacle.squares
    target = scene.ground.hindering_sight if not sight.to_soaring and "hindering" not in sight.past else 0
    return Screen(
        obstacles=obstacles,
        shut=shut,
        blocked_squares=squares,
        blocked_edges=edges,
        blocked_corners=corners_between(closing, edges, width),
        hindered_squares=hindered,
        hindered_corners=corners_between(closing | hindering_sides, edges, width),
        target_hinders=0 if sight.hidden else target,
        target_blocks=target if sight.hidden else 0,
        start_hinders=hindered,
    )


def class_between(play: Play, screen: Screen, ground: Ground, start: Square, end: Square) -> LineClass:
    """Return the class of the line between two squares for these obstacles, without reasons."""
    if screen.shut is not None:
        return "blocked"
    columns, rows = end.column - start.column, end.row - start.row
    crossed = trace(columns, rows, ground.width, ground.height)
    place = min(start.row, end.row) * ground.width + min(start.column, end.column)
    squares = crossed.squares << place
    if squares & screen.blocked_squares:
        return "blocked"
    if (crossed.across << place) & screen.blocked_edges.across or (crossed.down << place) & screen.blocked_edges.down:
        return "blocked"
    falling, rising = crossed.falling << place, crossed.rising << place
    if falling & screen.blocked_corners.falling or rising & screen.blocked_corners.rising:
        return "blocked"
    end_number = end.row * ground.width + end.column
    if screen.target_blocks >> end_number & 1:
        return "blocked"
    hindered = bool(
        squares & screen.hindered_squares
        or falling & screen.hindered_corners.falling
        or rising & screen.hindered_corners.rising
        or screen.target_hinders >> end_number & 1
    )
    start_bit = 1 << (start.row * ground.width + start.column)
    if screen.start_hinders & start_bit:
        match play.edition.line_of_fire.own_hindering:
            case "excused_if_first_square_clear":
                if hindered and not _enters_hindering(screen, ground, start, end):
                    return "clear"
            case "hindered_without_modifier":
                return "hindered"
            case "excused":
                pass
    return "hindered" if hindered else "clear"


def _enters_hindering(screen: Screen, ground: Ground, start: Square, end: Square) -> bool:
    """Return whether the first square, edge or corner that a line enters after its own square is hindering terrain."""
    step = steps(end.column - start.column, end.row - start.row)
    if not step:
        return True
    column, row = step[0]
    first = Square(start.column + column, start.row + row)
    if first == end:
        entered = screen.target_hinders >> ground.number(end) & 1
    else:
        entered = screen.hindered_squares >> ground.number(first) & 1
    if entered:
        return True
    if column and row:
        corner = ground.number(Square(min(start.column, first.column), min(start.row, first.row)))
        corners = screen.hindered_corners.falling if column == row else screen.hindered_corners.rising
        return bool(corners >> corner & 1)
    return False


def line_class(play: Play, start: Spot, end: Spot) -> LineClass:
    """Return the class of the line of fire between two spots; for larger bases, of the least restricted squares."""
    one, other = end_of(play, start), end_of(play, end)
    ground = ground_of(play)
    best: LineClass = "blocked"
    for start_square, end_square in product(one.squares, other.squares):
        sight = sight_between(play, one, other, start_square, end_square)
        found = class_between(play, screen_of(play, sight), ground, start_square, end_square)
        if RANK[found] < RANK[best]:
            best = found
        if best == "clear":
            break
    return best


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
    screen = screen_of(play, sight_between(play, one, other, start, end))
    way = passages(start, end)
    squares = (start, *(passage.after for passage in way))
    title = f"The line of fire from {_called(one, start)} to {_called(other, end)}"
    if screen.shut is not None:
        sentence, topic = screen.shut
        mark = Mark(start, None, "blocked", topic, sentence)
        because = (f"{title} is blocked: {sentence}.",)
        return Line(start, end, "blocked", squares, (mark,), 0, because, ("line-of-fire", topic))
    marks: list[Mark] = []
    for mark in _met(play, screen, ground, way, start, end):
        marks.append(mark)
        if mark.becomes == "blocked":
            break
    result = class_between(play, screen, ground, start, end)
    return _told(play, screen, ground, one, other, (start, end), squares, marks, result, title)


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
    own = bool(screen.start_hinders >> ground.number(start) & 1)
    excused: tuple[str, ...] = ()
    hindering = [mark for mark in marks if mark.becomes == "hindered"]
    if own and not hindering and result == "hindered":
        sentence = f"it starts in hindering terrain in {start}"
        marks.insert(0, Mark(start, None, "hindered", "hindering-terrain", sentence))
        excused = ("no other hindering terrain lies on it, so the target gets no modifier",)
    elif hindering and result == "clear":
        excused = ("it starts in hindering terrain, and the first square it enters is clear",)
        marks = []
    modifier = options.hindering_modifier if result == "hindered" and hindering else 0
    reasons = _together([mark for mark in marks if mark.becomes == result] or marks) if result != "clear" else []
    if result == "clear":
        text = f"{title} is clear: {excused[0] if excused else why_clear(play, passages(start, end))}."
    else:
        text = f"{title} is {result}: {'; '.join([*reasons, *excused])}."
    because = [text]
    if modifier and other.figure is not None:
        because.append(f"{other.name} gets {modifier:+d} defense against a ranged attack along it.")
    corners = ["intersections"] if any(mark.at_corner for mark in marks) else []
    met_topics = [mark.topic for mark in marks]
    topics = tuple(dict.fromkeys(["line-of-fire", *met_topics, *corners, *_surroundings(ground, one, other, ends)]))
    return Line(start, end, result, squares, tuple(marks), modifier, tuple(because), topics)


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
    return "objects", "hindering terrain (an object)"


def field_of_view(play: Play, character: Character) -> dict[Square, LineClass]:
    """Return the class of the line from a character to every square of the map, or to the figure in it.

    The character's own squares are clear.
    """
    ground, standing = ground_of(play), standing_of(play)
    figure = figure_of(play, character)
    if figure is None:
        return {}
    start = End(character.squares, figure, character.name)
    seen: dict[Square, LineClass] = {}
    screens: dict[tuple[Square, int, str | None, int], Screen] = {}
    areas = play.edition.line_of_fire.areas_matter
    for row in range(ground.height):
        for column in range(ground.width):
            square = Square(column, row)
            other = standing.at.get(square)
            best: LineClass = "blocked"
            for own in character.squares:
                level = ground.level_of(square)
                area = area_from_rim(ground, square) if areas else 0
                key = (own, level, other.character.id if other is not None else None, area)
                screen = screens.get(key)
                if screen is None:
                    end = End((square,), other, str(square))
                    screen = screen_of(play, sight_between(play, start, end, own, square))
                    if other is None:
                        screens[key] = screen
                found = class_between(play, screen, ground, own, square)
                if found == "clear":
                    best = "clear"
                    break
                if found == "hindered":
                    best = "hindered"
            seen[square] = best
    for own in character.squares:
        seen[own] = "clear"
    return seen
