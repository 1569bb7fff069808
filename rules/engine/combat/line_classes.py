"""The class of lines of fire: clear, hindered or blocked.

For two given ends, the edition's function from `screens` returns the *obstacles*: sets of squares and edges, each with
its topic. A line's class depends on whether it meets any of them; `line_of_fire` explains why.

Where a line passes exactly through a corner, the less restrictive of the two sides counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from rules.engine.board.ground import Corners, Edges, Ground, corners_between
from rules.engine.board.lines import steps, trace
from rules.engine.board.scene import OFF_THE_RIM, Obstacle, Scene, Screened, Sight
from rules.engine.figures.abilities import powers_of, sees_past
from rules.engine.figures.standing import STANDARD, figure_of, ground_of, standing_of
from rules.engine.play import Play, Spot
from rules.engine.position.characters import Character
from rules.engine.position.figures import Figure
from rules.engine.position.squares import Square

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
    """Return the elevated area whose rim contains the square: 0 on the ground, OFF_THE_RIM elsewhere."""
    if ground.level_of(square) == 1:
        return 0
    return ground.area(square) if ground.rim & ground.bit(square) else OFF_THE_RIM


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
    squares = closing = hindered = 0
    edges = Edges()
    for obstacle in obstacles:
        if obstacle.becomes == "blocked":
            squares |= obstacle.squares
            edges = edges | obstacle.edges
            if obstacle.closes_corners:
                closing |= obstacle.squares
        else:
            hindered |= obstacle.squares
    target = scene.ground.hindering_sight if not sight.to_soaring and "hindering" not in sight.past else 0
    return Screen(
        obstacles=obstacles,
        shut=shut,
        blocked_squares=squares,
        blocked_edges=edges,
        blocked_corners=corners_between(closing, edges, width),
        hindered_squares=hindered,
        hindered_corners=corners_between(closing | hindered, edges, width),
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
