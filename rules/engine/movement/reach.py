"""Every square in which a character may end a move now, and the speed needed to get there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.engine.board.ground import Edges, Ground, corners_between
from rules.engine.figures.standing import SENTINEL
from rules.engine.movement.paths import Mode, Way, speed_for, start_mode, way_of
from rules.engine.play import Play
from rules.engine.position.characters import BaseKind, Character, Flight
from rules.engine.position.edges import edge_between
from rules.engine.position.squares import Square, distance
from rules.engine.reasons import Tally

EIGHT = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


@dataclass(frozen=True, slots=True)
class Reach:
    """The possible ends of a move: each square with the minimum speed it needs, and the speed available."""

    ends: dict[Square, int]
    speed: Tally

    def squares(self) -> list[Square]:
        """Return the squares, row by row."""
        return sorted(self.ends, key=lambda square: (square.row, square.column))


def reachable(
    play: Play, character: Character, using: tuple[str, ...] = (), flight: Flight | None = None
) -> Reach | None:
    """Return where a character may end a move, its own squares included; None while it is off the map.

    Assumes a successful break away. Every flight mode counts unless `flight` names the final one. Powers that only ease
    movement always apply; `using` names those that change the move itself (Charge). A 2x2 base is given by its top left
    square, a base of two squares by all squares it may cover. Sources: the chapters on movement, flying and terrain,
    larger bases and Sentinels.
    """
    way = way_of(play, character, using or None)
    if way is None:
        return None
    speed = speed_for(play, way, using)
    budget = speed.total
    if character.base is BaseKind.SINGLE:
        ends = _single(play, way, character.squares[0], budget, flight)
    elif way.figure.size == SENTINEL:
        ends = _whole_base(play, way, budget)
    else:
        ends = _larger(play, way, budget, flight)
    if character.base is BaseKind.LARGE:
        ends[min(character.squares)] = 0
    else:
        for own in character.squares:
            ends[own] = 0
    return Reach(ends, speed)


def way_to(play: Play, character: Character, end: Square, using: tuple[str, ...] = ()) -> tuple[Square, ...]:
    """Return the squares entered on a cheapest path to `end`; empty if none leads there.

    It prefers to end in the current mode, or on the ground rather than soaring, and changes flight mode only where it
    must. A 2x2 base is led by its top left square.
    """
    way = way_of(play, character, using or None)
    if way is None:
        return ()
    return _led(play, replace(way, keeps_mode=True), end, using) or _led(play, way, end, using)


def _led(play: Play, way: Way, end: Square, using: tuple[str, ...]) -> tuple[Square, ...]:
    start, budget = min(way.figure.character.squares), speed_for(play, way, using).total
    before: dict[tuple[Square, Mode], tuple[Square, Mode]] = {}
    costs = spread(play, way, start, budget, before)
    modes: tuple[Mode, ...] = (start_mode(play, way), "ground", "soaring")
    place = next(((end, mode) for mode in modes if (end, mode) in costs), None)
    found: list[Square] = []
    while place is not None and place in before:
        earlier = before[place]
        if earlier[0] != place[0]:
            found.insert(0, place[0])
        place = earlier
    return tuple(found)


def spread(
    play: Play,
    way: Way,
    start: Square,
    budget: int,
    before: dict[tuple[Square, Mode], tuple[Square, Mode]] | None = None,
) -> dict[tuple[Square, Mode], int]:
    """Return the minimum speed needed to enter each square in each mode, from a square in the current mode.

    `before`, if given, receives the square and mode from which each was entered.
    """
    mode = start_mode(play, way)
    ground = way.ground
    costs: dict[tuple[Square, Mode], int] = {(start, mode): 0}
    stopped: set[tuple[Square, Mode]] = set()
    waves: list[list[tuple[Square, Mode]]] = [[] for _ in range(budget + 3)]
    waves[0].append((start, mode))
    width, height = ground.width, ground.height
    for cost in range(budget + 1):
        for place in waves[cost]:
            if costs[place] != cost or place in stopped:
                continue
            square, mode = place
            if way.may_soar and not way.keeps_mode and cost < budget and not ground.bit(square) & ground.indoor:
                other: tuple[Square, Mode] = (square, "ground" if mode == "soaring" else "soaring")
                if other not in costs:
                    costs[other] = cost + 1
                    if before is not None:
                        before[other] = place
                    waves[cost + 1].append(other)
            column, row = square
            for right, down in EIGHT:
                x, y = column + right, row + down
                if not (0 <= x < width and 0 <= y < height):
                    continue
                after = Square(x, y)
                known = costs.get((after, mode))
                if known is not None and known <= cost + 1 and (after, mode) not in stopped:
                    continue
                taken = way.step(square, after, mode)
                if taken is None or cost + taken[0] > budget:
                    continue
                total = cost + taken[0]
                place_after = (after, mode)
                better = known is None or total < known
                freer = known is not None and total == known and place_after in stopped and not taken[1]
                if better or freer:
                    costs[place_after] = total
                    if before is not None:
                        before[place_after] = place
                    if taken[1]:
                        stopped.add(place_after)
                    else:
                        stopped.discard(place_after)
                    waves[total].append(place_after)
    return costs


def _spread_in(
    play: Play, way: Way, start: Square, budget: int, flight: Flight | None
) -> Iterator[tuple[Square, Mode, int]]:
    """Yield each square within the budget, the mode and the cost; a flier's only in the flight mode it ends in."""
    wanted = None if flight is None else ("soaring" if flight is Flight.SOARING else "ground")
    for (square, mode), cost in spread(play, way, start, budget).items():
        if wanted is None or mode == wanted or not way.flier:
            yield square, mode, cost


def _single(play: Play, way: Way, start: Square, budget: int, flight: Flight | None) -> dict[Square, int]:
    ends: dict[Square, int] = {}
    ground, endable = way.ground, way.endable
    for square, mode, cost in _spread_in(play, way, start, budget, flight):
        if ground.bit(square) & endable[mode] and cost < ends.get(square, cost + 1):
            ends[square] = cost
    return ends


def _larger(play: Play, way: Way, budget: int, flight: Flight | None) -> dict[Square, int]:
    """Return the reach of a larger base.

    It moves as a single one from any of its squares, and no part of it moves further.
    """
    character = way.figure.character
    ends: dict[Square, int] = {}
    for start in character.squares:
        for end, mode, cost in _spread_in(play, way, start, budget, flight):
            for place in _places(character, end):
                furthest = max(min(distance(own, square) for own in character.squares) for square in place)
                if furthest <= cost and base_fits(play, way, place, mode):
                    named = [place[0]] if character.base is BaseKind.LARGE else list(place)
                    for square in named:
                        ends[square] = min(cost, ends.get(square, cost))
    return ends


def _places(character: Character, square: Square) -> list[tuple[Square, ...]]:
    """Return the positions of a larger base that cover a square; the top left square first for 2x2."""
    column, row = square
    if character.base is BaseKind.PEANUT:
        return [(square, Square(column + right, row + down)) for right, down in EIGHT]
    return [square_of_four(Square(column - right, row - down)) for down in (0, 1) for right in (0, 1)]


def base_fits(play: Play, way: Way, place: tuple[Square, ...], mode: Mode) -> bool:
    """Return whether a base may end in these squares: on the map, free, on one elevation, no wall through it.

    A Sentinel may stand on top of outdoor blocking terrain with its whole base (Sentinels Rules › Movement).
    """
    ground = way.ground
    if not all(ground.has(square) for square in place):
        return False
    bits = ground.bits(place)
    if bits & ~way.endable[mode]:
        return False
    on_top = bits & ground.blocking
    if way.figure.size == SENTINEL and on_top and on_top != bits:
        return False
    levels = {ground.level_of(square) for square in place}
    spans = way.flier or way.figure.size in play.edition.movement.sizes_across_elevations
    if len(levels) > 1 and not (play.edition.movement.bases_across_elevations and spans):
        return False
    return not _edge_inside(ground, ground.impassable, place)


def _whole_base(play: Play, way: Way, budget: int) -> dict[Square, int]:
    """Return the reach of a Sentinel, whose whole base must fit past walls and indoor blocking terrain.

    The first step may be to any square beside it, so its base ends at most its speed away from where it stood.
    """
    start = min(way.figure.character.squares)
    ends: dict[Square, int] = {start: 0}
    waiting = [start]
    stopped: set[Square] = set()
    for corner in waiting:
        cost = ends[corner]
        if cost >= budget or corner in stopped:
            continue
        for right, down in EIGHT:
            after = Square(corner.column + right, corner.row + down)
            if after in ends:
                continue
            halts = base_step(way, corner, after)
            if halts is None:
                continue
            ends[after] = cost + 1
            waiting.append(after)
            if halts:
                stopped.add(after)
    return {corner: cost for corner, cost in ends.items() if base_fits(play, way, square_of_four(corner), "ground")}


def base_step(way: Way, before: Square, after: Square) -> bool | None:
    """Return whether a 2x2 base stops after a step of its top left square; None if it can't take the step.

    Source: Sentinels Rules › Movement (2002), with its FAQ about doorways.
    """
    ones, others = square_of_four(before), square_of_four(after)
    if not all(way.ground.has(square) for square in others):
        return None
    steps = list(map(lambda one, other: way.step(one, other, "ground"), ones, others))
    if any(step is None for step in steps) or _edge_inside(way.ground, way.walls("ground"), others):
        return None
    return bool(way.ground.bits(others) & way.stopping["ground"])


def square_of_four(corner: Square) -> tuple[Square, ...]:
    """Return the squares of a 2x2 base, its top left square first."""
    return tuple(Square(corner.column + right, corner.row + down) for down in (0, 1) for right in (0, 1))


def _edge_inside(ground: Ground, edges: Edges, squares: tuple[Square, ...]) -> bool:
    """Return whether one of the edges runs through a base, or edges close the corner in the middle of a peanut base."""
    if any(ground.crosses(edges, one, other) for one in squares for other in squares if edge_between(one, other)):
        return True
    one, *_, other = sorted(squares)
    if one.column == other.column or one.row == other.row:
        return False
    corners = corners_between(0, edges, ground.width)
    closed = corners.falling if other.row == one.row + 1 else corners.rising
    return bool(closed >> ground.number(Square(one.column, min(one.row, other.row))) & 1)
