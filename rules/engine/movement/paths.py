"""One step of a move: whether it is allowed, what it costs, whether the move ends there.

A `Way` is computed once for a mover: the squares it may enter and end in, where it must stop, what it ignores. `reach`
and paths named by actions use the same `Way`, so a square is shaded exactly if a legal path leads there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from rules.engine.board.ground import Edges, Ground
from rules.engine.figures.abilities import is_flier, moves_past, powers_of
from rules.engine.figures.adjacency import figures_adjacent, opponents_beside
from rules.engine.figures.standing import SENTINEL, figure_of, ground_of, soars, standing_of, wall_between
from rules.engine.figures.values import printed_value, value_of
from rules.engine.play import Play
from rules.engine.position.characters import Character, SpeedSymbol, identical
from rules.engine.position.dial import ValueName
from rules.engine.position.edges import edge_between
from rules.engine.position.figures import Figure
from rules.engine.position.maps import MapKind
from rules.engine.position.squares import Square
from rules.engine.reasons import Modifier, Replacement, Tally

Mode = Literal["ground", "soaring"]
CLEAR, HINDERING, CLOSED = range(3)
"""How restrictive one side of a corner is."""
SWIMMERS = frozenset({SpeedSymbol.DOLPHIN, SpeedSymbol.TRANSPORTER_DOLPHIN})


@dataclass(frozen=True)
class Way:
    """A character's current options for moving: what it ignores in each mode, and from whom it has broken away.

    `joins` are the squares of horde tokens it may merge with, in which it may end. `keeps_mode`: a flier stays in its
    current flight mode.
    """

    play: Play
    figure: Figure
    past: frozenset[str]
    soaring_past: frozenset[str]
    may_soar: bool
    flier: bool
    rests_on_blocking: bool
    broken_from: frozenset[str]
    joins: int = 0
    keeps_mode: bool = False

    @cached_property
    def ground(self) -> Ground:
        """The ground of the current position."""
        return ground_of(self.play)

    def ignored(self, mode: Mode) -> frozenset[str]:
        """Return what the mover ignores in a mode."""
        return self.soaring_past if mode == "soaring" else self.past

    @cached_property
    def _others(self) -> tuple[int, int]:
        friends = opponents = 0
        for other in standing_of(self.play).figures.values():
            if other.character.id == self.figure.character.id:
                continue
            if other.player == self.figure.player:
                friends |= other.bits
            else:
                opponents |= other.bits
        return friends, opponents

    def barred(self, mode: Mode) -> int:
        """Return the squares that the mover can't enter in a mode: blocking terrain, opponents, indoors if soaring."""
        return self._barred[mode]

    @cached_property
    def _barred(self) -> dict[Mode, int]:
        found: dict[Mode, int] = {}
        ground = self.ground
        modes: tuple[Mode, ...] = ("ground", "soaring")
        for mode in modes:
            past = self.ignored(mode)
            bits = self.solid(mode)
            if not {"characters", "through-characters"} & past:
                bits |= self._others[1]
            if mode == "soaring":
                bits |= ground.indoor
            found[mode] = bits
        return found

    def solid(self, mode: Mode) -> int:
        """Return the squares of blocking terrain that the mover can't pass in a mode."""
        ground, past = self.ground, self.ignored(mode)
        if "blocking" in past:
            return 0
        if "outdoor-blocking" in past:
            return ground.blocking & ground.indoor
        return ground.blocking

    def walls(self, mode: Mode) -> Edges:
        """Return the walls that the mover can't pass in a mode."""
        return self._walls[mode]

    @cached_property
    def _walls(self) -> dict[Mode, Edges]:
        found: dict[Mode, Edges] = {}
        ground = self.ground
        modes: tuple[Mode, ...] = ("ground", "soaring")
        for mode in modes:
            past = self.ignored(mode)
            if "blocking" in past:
                found[mode] = Edges()
            elif "outdoor-blocking" in past:
                found[mode] = ground.edges_of(ground.impassable, ground.indoor)
            else:
                found[mode] = ground.impassable
        return found

    @cached_property
    def hindering(self) -> int:
        """The squares that are hindering terrain for this mover on the ground."""
        if "hindering" in self.past:
            return 0
        ground = self.ground
        water = 0 if "water" in self.past else ground.water
        return ground.hindering | ground.objects_underfoot | water

    @cached_property
    def endable(self) -> dict[Mode, int]:
        """The squares in which the mover may end in each mode."""
        ground = self.ground
        free = ground.all_squares & ~(self._others[0] | self._others[1]) | self.joins
        on_top = ground.blocking & ~ground.barrier & ~ground.indoor if self.rests_on_blocking else 0
        return {"ground": free & ~(ground.blocking & ~on_top), "soaring": free & ~ground.indoor}

    @cached_property
    def stopping(self) -> dict[Mode, int]:
        """The squares that end the move, in each mode, because the mover is beside an opponent not broken away from."""
        return {"ground": self._beside("ground"), "soaring": self._beside("soaring") if self.may_soar else 0}

    def _beside(self, mode: Mode) -> int:
        """Return the squares in which the mover becomes adjacent to an opponent that it hasn't broken away from."""
        if {"characters", "adjacent"} & self.ignored(mode):
            return 0
        play, ground = self.play, self.ground
        reach = max(1, play.edition.board.giant_reach)
        beside: list[Square] = []
        for other in standing_of(play).figures.values():
            if other.player == self.figure.player or other.character.id in self.broken_from:
                continue
            near: set[Square] = set()
            for own in other.character.squares:
                for row in range(own.row - reach, own.row + reach + 1):
                    for column in range(own.column - reach, own.column + reach + 1):
                        near.add(Square(column, row))
            beside += [
                square
                for square in near
                if ground.has(square) and figures_adjacent(play, self._at(square, mode), other, "movement")
            ]
        return ground.bits(tuple(beside))

    def _at(self, square: Square, mode: Mode) -> Figure:
        """Return the mover's figure as it would be in a square."""
        ground, figure = self.ground, self.figure
        bit = ground.bit(square)
        character = _moved(figure.character, square)
        soaring = mode == "soaring"
        return Figure(
            character=character,
            player=figure.player,
            bits=bit,
            level=ground.level_of(square),
            soaring=soaring,
            hovering=self.flier and not soaring and self.play.edition.movement.flight_modes,
            size=figure.size,
            on_blocking=bool(bit & ground.blocking),
        )

    def step(self, before: Square, after: Square, mode: Mode) -> tuple[int, bool] | None:
        """Return the cost of a step and whether the move ends with it; None if the step isn't allowed."""
        ground = self.ground
        bit = ground.bit(after)
        if bit & self._barred[mode]:
            return None
        cost = 1
        stops = bool(bit & self.stopping[mode])
        if mode == "soaring":
            return (cost, stops) if not stops or bit & self.endable[mode] else None
        if self._plain & ground.bit(before):
            return (cost, stops) if not stops or bit & self.endable[mode] else None
        past = self.past
        own, level = ground.level_of(before), ground.level_of(after)
        straight = before.column == after.column or before.row == after.row
        if own != level and "elevated" not in past:
            edge = edge_between(before, after)
            if edge is None:
                return None
            if edge in ground.ladders:
                cost += self.play.edition.movement.ladder_cost
            elif edge not in ground.stairs:
                return None
        walls = self._walls["ground"]
        if straight:
            if (walls.across or walls.down) and ground.crosses(walls, before, after):
                return None
        else:
            sides = [self._side(before, after, side) for side in _sides(before, after)]
            rank = min(sides)
            if rank == CLOSED:
                return None
            if (
                rank == HINDERING
                and self.play.edition.movement.corners_hinder
                and not ground.bit(before) & self.hindering
            ):
                stops = True
        if bit & self.hindering and not ground.bit(before) & self.hindering:
            stops = True
        if stops and not bit & self.endable["ground"]:
            return None
        return cost, stops

    @cached_property
    def _plain(self) -> int:
        """The squares around which only characters can affect a step on the ground."""
        ground, width = self.ground, self.ground.width
        walls = self._walls["ground"]
        odd = self._solid_on_ground | self.hindering | ground.bits_beside(walls)
        if "elevated" not in self.past:
            odd |= ground.beside_another_level
        wide = odd | ((odd & ~ground.closed_column) << 1) | ((odd & ~ground.first_column) >> 1)
        wide |= (wide << width) | (wide >> width)
        return ground.all_squares & ~wide

    def _side(self, before: Square, after: Square, side: Square) -> int:
        """Return how restrictive one side of a corner is."""
        ground = self.ground
        bit = ground.bit(side)
        if bit & self._solid_on_ground:
            return CLOSED
        walls = self._walls["ground"]
        if (walls.across or walls.down) and (ground.crosses(walls, before, side) or ground.crosses(walls, side, after)):
            return CLOSED
        if "elevated" not in self.past and ground.level_of(side) != ground.level_of(before):
            return CLOSED
        return HINDERING if bit & self.hindering else CLEAR

    @cached_property
    def _solid_on_ground(self) -> int:
        return self.solid("ground")

    def why_not(self, before: Square, after: Square, mode: Mode) -> tuple[str, str]:
        """Return why a step isn't allowed, as (sentence, topic). Call only for steps that `step` refuses."""
        ground = self.ground
        bit = ground.bit(after)
        here = standing_of(self.play).at.get(after)
        indoor = "indoor " if "outdoor-blocking" in self.ignored(mode) else ""
        if bit & self.solid(mode) & ground.barrier:
            return f"a barrier stands in {after}", "barrier"
        if bit & self.solid(mode):
            return f"{after} is {indoor}blocking terrain", "blocking-terrain"
        if mode == "soaring" and bit & ground.indoor:
            return f"{after} is indoors, where characters can't soar", "indoor"
        if here is not None and here.player != self.figure.player and bit & self.barred(mode):
            return f"{here.name}, an opponent, occupies {after}", "movement"
        straight = before.column == after.column or before.row == after.row
        if straight and ground.crosses(self._walls[mode], before, after):
            wall, topic = wall_between(self.play, before, after)
            return f"{wall} stands between {before} and {after}", topic
        if ground.level_of(before) != ground.level_of(after) and "elevated" not in self.past:
            return f"{after} is on another elevation, and no stairs or ladder connect it with {before}", "elevation"
        if here is not None:
            return f"the move would have to end in {after}, which {here.name} occupies", "movement"
        (what, _, where), (other, _, beyond) = (
            self._closed_by(before, after, side).rpartition(" ") for side in _sides(before, after)
        )
        closed = f"{what} {where} and {beyond}" if what == other else f"{what} {where} and {other} {beyond}"
        return f"the corner between {before} and {after} is closed by {closed}", "blocking-terrain"

    def _closed_by(self, before: Square, after: Square, side: Square) -> str:
        """Return what closes one side of a corner, in words."""
        ground = self.ground
        if ground.bit(side) & self._solid_on_ground:
            return f"{'a barrier' if ground.bit(side) & ground.barrier else 'blocking terrain'} in {side}"
        for one, other in ((before, side), (side, after)):
            if ground.crosses(self._walls["ground"], one, other):
                return f"{wall_between(self.play, one, other)[0]} beside {side}"
        return f"another elevation in {side}"

    def holders(self, square: Square, mode: Mode) -> list[str]:
        """Return the names of the opponents that end a move in a square."""
        there = self._at(square, mode)
        others = (one for one in standing_of(self.play).figures.values() if one.player != self.figure.player)
        held = (one for one in others if one.character.id not in self.broken_from)
        return [one.name for one in held if figures_adjacent(self.play, there, one, "movement")]


def _sides(before: Square, after: Square) -> tuple[Square, Square]:
    """Return the two other squares at the corner of a diagonal step."""
    return Square(after.column, before.row), Square(before.column, after.row)


def _moved(character: Character, square: Square) -> Character:
    return replace(character, squares=(square,))


def way_of(
    play: Play, character: Character, using: tuple[str, ...] | None = None, *, broken_away: bool = True
) -> Way | None:
    """Return how a character can move now, or None off the map. By default assumes a successful break away.

    `using` limits the powers that require an action to those named; None means all that it can use.
    """
    figure = figure_of(play, character)
    if figure is None:
        return None
    options = play.edition.movement
    past = moves_past(play, character, using)
    flier = is_flier(play, character)
    rests = any(
        power.moving.rests_on_blocking and (using is None or power.name in using)
        for power in powers_of(play, character)
    )
    soaring_past = past
    may_soar = False
    if SWIMMERS & set(character.symbols.speed):
        past |= {"water"}
    if figure.size == SENTINEL:
        past |= {"hindering", "elevated", "outdoor-blocking", "through-characters", "break-away"}
        rests = True
    if options.flight_modes and flier:
        past |= options.hovering_past
        rests = rests or options.hoverers_rest_on_blocking
        soaring_past = past | options.soaring_past
        grounded = "soaring" in character.countered
        may_soar = ground_of(play).kind is not MapKind.INDOOR and not grounded
    past |= options.size_past.get(figure.size, frozenset())
    held = {other.character.id for other in opponents_beside(play, figure, "movement")} if broken_away else set()
    return Way(
        play=play,
        figure=figure,
        past=past,
        soaring_past=soaring_past,
        may_soar=may_soar,
        flier=flier,
        rests_on_blocking=rests,
        broken_from=frozenset(held),
        joins=_joins(play, figure),
    )


def _joins(play: Play, figure: Figure) -> int:
    """Return the squares of identical friendly horde tokens, with which a horde token may merge (2014)."""
    mover = figure.character
    friends = [other.character for other in standing_of(play).figures.values() if other.player == figure.player]
    same = [one for one in friends if one.id != mover.id and identical(mover, one)]
    return ground_of(play).bits(tuple(square for one in same for square in one.squares))


def speed_for(play: Play, way: Way, using: tuple[str, ...] = (), passengers: int = 0) -> Tally:
    """Return the speed for a move: halved out of hindering terrain, and by powers that move at half speed.

    Halves are rounded up each time; passengers reduce it where the edition says so. A power that moves a stated number
    of squares ignores the speed value (Moving, 2020s).
    """
    character = way.figure.character
    for row in powers_of(play, character):
        if row.moving.squares is not None and row.name in using:
            told = Replacement(row.moving.squares, f"{row.name} moves {row.moving.squares} squares", row.topic)
            return Tally(ValueName.SPEED.value, printed_value(character, ValueName.SPEED), (told,), ())
    halves: list[Replacement] = []
    if not way.figure.soaring and way.hindering & way.figure.bits and not _starts_eased(play, character, using):
        halves.append(Replacement("halve", "the move begins in hindering terrain", "hindering-terrain"))
    halves += [
        Replacement("halve", f"{power.name} moves at half speed", power.topic)
        for power in powers_of(play, character)
        if power.moving.halves_speed and power.name in using
    ]
    load = play.edition.actions.carry_costs * passengers
    laden = (Modifier(-load, "carrying", "carry"),) if load else ()
    return value_of(play, character, ValueName.SPEED, replacements=tuple(halves), changes=laden)


def _starts_eased(play: Play, character: Character, using: tuple[str, ...]) -> bool:
    """Return whether hindering terrain doesn't halve a move again that a power already halves.

    Source: Charge and Running Shot, FAQ (2002): it doesn't for characters that can ignore terrain on movement.
    """
    rows = powers_of(play, character)
    if not any(power.moving.starts_eased and power.name in using for power in rows):
        return False
    return any(
        power.moving.moves_past is not None and "hindering" in power.moving.moves_past(play, character)
        for power in rows
    )


def start_mode(play: Play, way: Way) -> Mode:
    """Return the mode in which the move begins."""
    return "soaring" if soars(play, way.figure.character) else "ground"
