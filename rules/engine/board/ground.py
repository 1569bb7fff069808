"""The ground of a battle: the terrain of every square and edge of the map, including markers and objects.

Printed terrain, markers and objects on the map are turned into sets of squares (as bits, see `lines`). The edition
(`BoardOptions`) decides which objects hinder and how markers cover each other; the effect of terrain on lines of fire
and moves isn't decided here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rules.engine.board.lines import squares_of
from rules.engine.options import BoardOptions
from rules.engine.position.edges import Edge
from rules.engine.position.maps import BattleMap, MapKind
from rules.engine.position.objects import BattleObject
from rules.engine.position.position import THICK_FOG, THIN_FOG
from rules.engine.position.squares import Square
from rules.engine.position.terrain import MarkerKind, TerrainKind

GROUND_LEVEL = 1


class Edges(NamedTuple):
    """A set of edges as bits: vertical ones by the square on their left, horizontal ones by the square above."""

    across: int = 0
    down: int = 0

    def __or__(self, other: tuple[int, ...]) -> Edges:
        return Edges(self.across | other[0], self.down | other[1])


@dataclass(slots=True)
class _Square:
    """The state of one square while its markers are applied in order."""

    blocking: bool = False
    hindering: bool = False
    water: bool = False
    obscuring: bool = False
    barrier: bool = False
    smoke: bool = False
    debris: bool = False


@dataclass(frozen=True)
class Ground:
    """The ground as sets of squares (bits) and edges. Levels are numbered from 1, the ground."""

    width: int
    height: int
    kind: MapKind
    level: tuple[int, ...]
    blocking: int
    barrier: int
    hindering: int
    smoke: int
    water: int
    obscuring: int
    objects_in_sight: int
    objects_underfoot: int
    indoor: int
    walls: Edges
    windows: Edges
    doors: Edges
    stairs: frozenset[Edge]
    ladders: frozenset[Edge]
    fog: int = 0
    """Squares that hinder lines of fire alone."""

    def number(self, square: Square) -> int:
        """Return the number of the square's bit."""
        return square.row * self.width + square.column

    def bit(self, square: Square) -> int:
        """Return the square's bit."""
        return 1 << (square.row * self.width + square.column)

    def bits(self, squares: tuple[Square, ...]) -> int:
        """Return the bits of several squares."""
        together = 0
        for square in squares:
            together |= 1 << (square.row * self.width + square.column)
        return together

    def has(self, square: Square) -> bool:
        """Return whether the square lies on the map."""
        return 0 <= square.column < self.width and 0 <= square.row < self.height

    def level_of(self, square: Square) -> int:
        """Return the elevation level of a square."""
        return self.level[square.row * self.width + square.column]

    @property
    def all_squares(self) -> int:
        """Every square of the map."""
        return (1 << (self.width * self.height)) - 1

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The levels present, lowest first."""
        return tuple(sorted(set(self.level)))

    @cached_property
    def at_level(self) -> dict[int, int]:
        """The squares of each level."""
        found: dict[int, int] = dict.fromkeys(self.levels, 0)
        if len(found) == 1:
            return {self.level[0]: self.all_squares}
        for number, level in enumerate(self.level):
            found[level] |= 1 << number
        return found

    def above(self, level: int) -> int:
        """Return the squares of higher levels than this one."""
        return sum(squares for higher, squares in self.at_level.items() if higher > level)

    @cached_property
    def hindering_sight(self) -> int:
        """The squares that are hindering terrain for a line of fire, objects included."""
        return self.hindering | self.obscuring | self.objects_in_sight | self.fog

    @cached_property
    def hindering_feet(self) -> int:
        """The squares that are hindering terrain for movement, water and objects included."""
        return self.hindering | self.water | self.objects_underfoot

    @cached_property
    def opaque(self) -> Edges:
        """The edges that block lines of fire: walls and doors, but not windows."""
        return self.walls | self.doors

    @cached_property
    def impassable(self) -> Edges:
        """The edges that block movement: walls and windows, but not doors."""
        return self.walls | self.windows

    @cached_property
    def parting(self) -> Edges:
        """The edges that prevent adjacency: walls, windows and doors."""
        return self.walls | self.windows | self.doors

    @cached_property
    def opaque_by_level(self) -> dict[int, Edges]:
        """The edges that block lines of fire, by the higher level of the two squares beside each."""
        return self.edges_by_level(self.opaque)

    @cached_property
    def rim(self) -> int:
        """The elevated squares that share an edge with a lower square."""
        return sum(
            squares & self.beside(self.all_squares & ~squares & ~self.above(level))
            for level, squares in self.at_level.items()
        )

    @cached_property
    def closed_column(self) -> int:
        """The squares of the rightmost column, which have no edge or corner on their right."""
        return self.first_column << (self.width - 1)

    @cached_property
    def first_column(self) -> int:
        """The squares of the leftmost column."""
        return sum(1 << (row * self.width) for row in range(self.height))

    @cached_property
    def beside_another_level(self) -> int:
        """The squares that share an edge with a square of another level."""
        return sum(squares & self.beside(self.all_squares & ~squares) for squares in self.at_level.values())

    def beside(self, squares: int) -> int:
        """Return what shares an edge with one of the squares, perhaps beyond the map's first and last row."""
        left, right = (squares & ~self.first_column) >> 1, (squares & ~self.closed_column) << 1
        return left | right | (squares << self.width) | (squares >> self.width)

    def bits_beside(self, edges: Edges) -> int:
        """Return the squares on either side of the edges."""
        return edges.across | (edges.across << 1) | edges.down | (edges.down << self.width)

    def edges_of(self, edges: Edges, squares: int) -> Edges:
        """Return those of the edges that belong to one of the squares."""
        return Edges(
            edges.across & (squares | (squares >> 1)),
            edges.down & (squares | (squares >> self.width)),
        )

    def edges_by_level(self, edges: Edges) -> dict[int, Edges]:
        """Return the edges by the higher level of their two squares."""
        found: dict[int, Edges] = {}
        for level, squares in self.at_level.items():
            touching = self.edges_of(edges, squares)
            higher = self.edges_of(edges, self.above(level))
            own = Edges(touching.across & ~higher.across, touching.down & ~higher.down)
            if own.across or own.down:
                found[level] = own
        return found

    def crosses(self, edges: Edges, one: Square, other: Square) -> bool:
        """Return whether the edge between two squares side by side is in the set."""
        first = min(one, other)
        line = edges.across if one.row == other.row else edges.down
        return bool(line >> (first.row * self.width + first.column) & 1)

    @cached_property
    def _areas(self) -> dict[int, int]:
        found: dict[int, int] = {}
        left = self.above(GROUND_LEVEL)
        elevated = left
        while left:
            grown, wider = 0, left & -left
            while grown != wider:
                grown, wider = wider, wider | (self.beside(wider) & elevated)
            for square in squares_of(grown, self.width):
                found[self.number(square)] = grown
            left &= ~grown
        return found

    def area(self, square: Square) -> int:
        """Return the elevated area of a square: all elevated squares connected to it by edges. 0 on the ground."""
        return self._areas.get(self.number(square), 0)


class Corners(NamedTuple):
    """Corners as bits, by the square above and left of each, separately for the two directions of passing them."""

    falling: int
    rising: int


def corners_between(squares: int, edges: Edges, width: int) -> Corners:
    """Return the corners that are closed on both sides, by a square of the set or by one of the edges.

    The sides of a corner are the two squares beside the diagonal, each with the two edges that a path around the corner
    would cross there.
    """
    across, down = edges
    falling = ((squares >> 1) | across | (down >> 1)) & ((squares >> width) | down | (across >> width))
    rising = (squares | across | down) & ((squares >> (width + 1)) | (across >> width) | (down >> 1))
    return Corners(falling, rising)


def lay_out(battle_map: BattleMap, objects: tuple[BattleObject, ...], options: BoardOptions, fog: str = "") -> Ground:
    """Return the ground of a map with its markers, the objects and the fog on it, by an edition's options."""
    width, height = battle_map.width, battle_map.height
    size = width * height
    level = [GROUND_LEVEL] * size
    made: dict[int, _Square] = {}
    indoor = (1 << size) - 1 if battle_map.kind is MapKind.INDOOR else 0
    for area in battle_map.terrain:
        for square in area.squares:
            number = square.row * width + square.column
            match area.kind:
                case TerrainKind.ELEVATED:
                    level[number] = area.level
                case TerrainKind.INDOOR:
                    indoor |= 1 << number
                case TerrainKind.BLOCKING:
                    made.setdefault(number, _Square()).blocking = True
                case TerrainKind.HINDERING:
                    made.setdefault(number, _Square()).hindering = True
                case TerrainKind.WATER:
                    made.setdefault(number, _Square()).water = True
                case TerrainKind.OBSCURING:
                    made.setdefault(number, _Square()).obscuring = True
                case TerrainKind.STARTING_AREA | TerrainKind.SPECIAL:
                    pass
    for marker in battle_map.markers:
        number = marker.square.row * width + marker.square.column
        made[number] = _marked(made.get(number, _Square()), marker.kind, options.top_marker_decides)
    sight = underfoot = 0
    for thing in objects:
        if thing.square is None or thing.removed:
            continue
        bit = 1 << (thing.square.row * width + thing.square.column)
        if thing.kind in options.objects_hinder_sight:
            sight |= bit
        if thing.kind in options.objects_hinder_movement:
            underfoot |= bit
    blocking, hindering, everywhere = _gather(made, "blocking"), _gather(made, "hindering"), (1 << size) - 1
    if fog == THICK_FOG:
        hindering |= everywhere & ~blocking
    return Ground(
        width=width,
        height=height,
        kind=battle_map.kind,
        level=tuple(level),
        blocking=blocking,
        barrier=_gather(made, "barrier"),
        hindering=hindering,
        smoke=_gather(made, "smoke"),
        water=_gather(made, "water"),
        obscuring=_gather(made, "obscuring"),
        objects_in_sight=sight,
        objects_underfoot=underfoot,
        indoor=indoor,
        walls=_edge_bits(battle_map.walls, width),
        windows=_edge_bits(battle_map.windows, width),
        doors=_edge_bits(battle_map.doors, width),
        stairs=battle_map.stairs,
        ladders=battle_map.ladders,
        fog=everywhere & ~blocking if fog == THIN_FOG else 0,
    )


def _marked(square: _Square, kind: MarkerKind, top_decides: bool) -> _Square:
    """Return the square after one more marker: the top one decides alone, or each adds to what was there."""
    if kind is MarkerKind.SPECIAL:
        return square
    under = _Square() if top_decides or kind is MarkerKind.CLEAR else square
    match kind:
        case MarkerKind.HINDERING:
            under.hindering = True
        case MarkerKind.SMOKE:
            under.hindering = under.smoke = True
        case MarkerKind.DEBRIS:
            under.blocking = under.barrier = False
            under.hindering = under.debris = True
        case MarkerKind.BLOCKING:
            under.blocking = True
        case MarkerKind.BARRIER:
            under.blocking = under.barrier = True
        case MarkerKind.WATER:
            under.water = True
        case MarkerKind.OBSCURING:
            under.obscuring = True
        case MarkerKind.CLEAR:
            pass
    return under


def _gather(made: dict[int, _Square], what: str) -> int:
    return sum(1 << number for number, square in made.items() if getattr(square, what))


def _edge_bits(edges: frozenset[Edge], width: int) -> Edges:
    across = down = 0
    for first, second in edges:
        bit = 1 << (first.row * width + first.column)
        if first.row == second.row:
            across |= bit
        else:
            down |= bit
    return Edges(across, down)
