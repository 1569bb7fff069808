"""Adjacency of squares and characters, for movement, close combat and ranged combat.

Squares that touch, even at a corner, are adjacent unless something separates them: blocking terrain or walls at the
corner or edge between them, different elevations, or a larger base across the corner. The books differ about stairs,
soaring characters and the reach of giants.
"""

from __future__ import annotations

from itertools import product
from typing import Literal

from rules.engine.board.lines import passages
from rules.engine.figures.standing import GIANT, SENTINEL, figure_of, ground_of, standing_of, wall_between
from rules.engine.play import Play, Spot
from rules.engine.position.edges import edge_between
from rules.engine.position.figures import Figure
from rules.engine.position.squares import Square, distance, in_squares
from rules.engine.reasons import ReasonedAnswer, no, yes

Purpose = Literal["movement", "close", "ranged"]


def square_parted(play: Play, one: Square, other: Square) -> tuple[str, str] | None:
    """Return why two touching squares aren't adjacent, as (sentence, topic), or None if they are.

    The squares must touch and be on the map. Sources: the chapters on adjacent squares, blocking terrain, walls and
    elevated terrain of each book; a larger base across a corner from 2005 on.
    """
    ground = ground_of(play)
    options = play.edition.board
    if ground.level_of(one) != ground.level_of(other):
        edge = edge_between(one, other)
        if options.stairs_join_squares and edge is not None and (edge in ground.stairs):
            return None
        return f"{one} and {other} are on different elevations", "elevation"
    if one.column == other.column or one.row == other.row:
        if ground.crosses(ground.parting, one, other):
            wall, topic = wall_between(play, one, other)
            return f"{wall} stands between {one} and {other}", topic
        return None
    sides = (Square(other.column, one.row), Square(one.column, other.row))
    first = _closed_by(play, one, other, sides[0])
    second = _closed_by(play, one, other, sides[1]) if first else ""
    if second:
        topic = "barrier" if ground.barrier & ground.bits(sides) else "blocking-terrain"
        return f"{first} and {second} close the corner between {one} and {other}", topic
    if options.large_bases_part_corners:
        here = standing_of(play).at
        across = here.get(sides[0])
        if across is not None and here.get(sides[1]) is across:
            return f"{across.name} stands across the corner between {one} and {other}", "multi-base"
    return None


def _closed_by(play: Play, one: Square, other: Square, side: Square) -> str:
    """Return what closes one side of the corner between two diagonal squares to adjacency, in words; "" if nothing.

    Blocking terrain doesn't separate characters that are both on top of it (2002).
    """
    ground = ground_of(play)
    if ground.blocking & ground.bit(side):
        both = ground.bit(one) | ground.bit(other)
        closes = play.edition.board.blocking_is_entered or ground.blocking & both != both
        what = "a barrier" if ground.barrier & ground.bit(side) else "blocking terrain"
        return f"{what} in {side}" if closes else ""
    for near in (one, other):
        if ground.crosses(ground.parting, near, side):
            return f"{wall_between(play, near, side)[0]} beside {side}"
    level, own = ground.level_of(side), ground.level_of(one)
    parts = {"higher": level > own, "different": level != own, "none": False}
    return f"another elevation in {side}" if parts[play.edition.board.elevation_parts_corners] else ""


def squares_adjacent(play: Play, one: Square, other: Square) -> bool:
    """Return whether two squares of the map are adjacent."""
    return distance(one, other) == 1 and square_parted(play, one, other) is None


def spots_adjacent(play: Play, one: Spot, other: Spot, purpose: Purpose | None = None) -> ReasonedAnswer:
    """Return whether two characters or squares are adjacent, with the reasons."""
    if one.character is not None and other.character is not None:
        first, second = figure_of(play, one.character), figure_of(play, other.character)
        if first is None or second is None:
            return no("A character off the map is adjacent to no one.", "adjacency")
        return figures_adjacent(play, first, second, purpose)
    return touching(play, one.squares, other.squares, f"{one.name} and {other.name}")


def figures_adjacent(play: Play, one: Figure, other: Figure, purpose: Purpose | None = None) -> ReasonedAnswer:
    """Return whether two characters on the map are adjacent for a purpose, with the reasons.

    With `close`, `one` is the attacker and `other` the target; the other purposes are mutual.
    """
    names = f"{one.name} and {other.name}"
    if one.character.id == other.character.id:
        return no(f"{one.name} can't be adjacent to itself.", "adjacency")
    if one.soaring != other.soaring:
        return _soaring_and_not(play, one, other, purpose)
    if one.soaring:
        near = gap_between(one, other) == 1
        sides = "their squares touch" if near else "their squares don't touch"
        topic = "soaring" if near else "adjacency"
        return ReasonedAnswer(near, (f"{names} {_are(near)} adjacent: both are soaring, and {sides}.",), (topic,))
    reach = play.edition.board.giant_reach
    if reach and GIANT in (one.size, other.size) and purpose != "ranged":
        return _giants(play, one, other, purpose, reach)
    on_top = one.on_blocking != other.on_blocking and not play.edition.board.blocking_is_entered
    if SENTINEL in (one.size, other.size) and purpose == "close" and (on_top or one.level != other.level):
        near = gap_between(one, other) == 1
        why = "a Sentinel reaches other elevations" if near else "their squares don't touch"
        return ReasonedAnswer(near, (f"{names} {_are(near)} adjacent: {why}.",), ("sentinel",))
    if on_top:
        upper = one if one.on_blocking else other
        return no(
            f"{names} aren't adjacent: only {upper.name} is on top of blocking terrain.",
            "blocking-terrain",
            "adjacency",
        )
    return touching(play, one.character.squares, other.character.squares, names)


def _are(holds: bool) -> str:
    return "are" if holds else "aren't"


def touching(play: Play, ones: tuple[Square, ...], others: tuple[Square, ...], names: str) -> ReasonedAnswer:
    """Return whether any of these squares are adjacent to any of the others; `names` are of the two that hold them."""
    parted: tuple[str, str] | None = None
    for one, other in product(ones, others):
        if distance(one, other) == 1:
            parted = square_parted(play, one, other)
            if parted is None:
                return yes(f"{names} are adjacent: {one} and {other} touch.", "adjacency")
    if parted is not None:
        return no(f"{names} aren't adjacent: {parted[0]}.", "adjacency", parted[1])
    return no(f"{names} aren't adjacent: their squares don't touch.", "adjacency")


def gap_between(one: Figure, other: Figure) -> int:
    """Return the distance between two figures, in squares: that of their nearest squares."""
    ones, others = one.character.squares, other.character.squares
    if len(ones) == len(others) == 1:
        return distance(ones[0], others[0])
    return min(distance(a, b) for a, b in product(ones, others))


def _soaring_and_not(play: Play, one: Figure, other: Figure, purpose: Purpose | None) -> ReasonedAnswer:
    """Return the answer for a soaring and a grounded character: only some sizes are adjacent, by the edition.

    A giant reaches up as far as it reaches on the ground, but not for ranged combat. A Sentinel and a soaring character
    can attack each other in close combat (2002), but neither prevents the other from moving or shooting.
    """
    low = other if one.soaring else one
    holds = low.size != SENTINEL or purpose in (None, "close")
    if low.size not in play.edition.board.sizes_adjacent_to_soaring or not holds:
        return no(f"{one.name} and {other.name} aren't adjacent: only one of them is soaring.", "soaring", "adjacency")
    gap = gap_between(one, other)
    stretches = low.size == GIANT and purpose != "ranged" and (low is one or purpose != "close")
    reach = play.edition.board.giant_reach if stretches else 1
    if gap <= max(1, reach):
        return yes(
            f"{one.name} and {other.name} are adjacent: {low.name} is large enough to reach a soaring character.",
            "soaring",
            "giant",
        )
    return no(f"{one.name} and {other.name} aren't adjacent: their squares don't touch.", "soaring", "adjacency")


def _giants(play: Play, one: Figure, other: Figure, purpose: Purpose | None, reach: int) -> ReasonedAnswer:
    """Return the answer for a giant: adjacent up to two squares away for movement and its own close attacks (2005).

    Elevation matters only from an elevated giant down to a standard character on the ground. Blocking terrain in
    between prevents it, and between two grounded characters so does elevated terrain.
    """
    names = f"{one.name} and {other.name}"
    gap = gap_between(one, other)
    attacker_reaches = one.size == GIANT or purpose != "close"
    allowed = reach if attacker_reaches else 1
    if gap > allowed:
        who = "a giant" if attacker_reaches else one.name
        return no(
            f"{names} aren't adjacent: they are {in_squares(gap)} apart, and {who} reaches {allowed}.",
            "giant",
            "adjacency",
        )
    for giant, small in ((one, other), (other, one)):
        if giant.size == GIANT and small.size < GIANT and giant.level > 1 and small.level == 1:
            return no(
                f"{names} aren't adjacent: {giant.name} is a giant on elevated terrain, {small.name} is on the ground.",
                "giant",
                "elevation",
            )
    ground = ground_of(play)
    between = _crossed_between(play, one, other)
    if between & ground.blocking or _walls_between(play, one, other):
        return no(f"{names} aren't adjacent: blocking terrain lies between them.", "giant", "blocking-terrain")
    if one.level == other.level == 1 and between & ground.above(1):
        return no(f"{names} aren't adjacent: elevated terrain lies between them.", "giant", "elevation")
    return yes(
        f"{names} are adjacent: they are {in_squares(gap)} apart, and a giant reaches {reach}.",
        "giant",
        "adjacency",
    )


def _nearest(one: Figure, other: Figure) -> tuple[Square, Square]:
    return min(product(one.character.squares, other.character.squares), key=lambda pair: (distance(*pair), pair))


def _crossed_between(play: Play, one: Figure, other: Figure) -> int:
    ground = ground_of(play)
    start, end = _nearest(one, other)
    return ground.bits(tuple(passage.after for passage in passages(start, end) if passage.after != end))


def _walls_between(play: Play, one: Figure, other: Figure) -> bool:
    ground = ground_of(play)
    start, end = _nearest(one, other)
    for passage in passages(start, end):
        if passage.through_corner:
            sides = passage.sides()
            if all(_side_walled(play, passage.before, passage.after, side) for side in sides):
                return True
        elif ground.crosses(ground.parting, passage.before, passage.after):
            return True
    return False


def _side_walled(play: Play, before: Square, after: Square, side: Square) -> bool:
    ground = ground_of(play)
    return bool(
        ground.blocking & ground.bit(side)
        or ground.crosses(ground.parting, before, side)
        or ground.crosses(ground.parting, side, after)
    )


def opponents_beside(play: Play, figure: Figure, purpose: Purpose | None = None) -> list[Figure]:
    """Return the opposing characters adjacent to a figure for the purpose, in document order."""
    near = (one for one in _within_reach(play, figure) if one.player != figure.player)
    return [one for one in near if figures_adjacent(play, figure, one, purpose)]


def friends_beside(play: Play, figure: Figure) -> list[Figure]:
    """Return the friendly characters adjacent to a figure, in document order."""
    near = (one for one in _within_reach(play, figure) if one.player == figure.player)
    return [one for one in near if figures_adjacent(play, figure, one)]


def _within_reach(play: Play, figure: Figure) -> list[Figure]:
    """Return the other figures that are close enough to be adjacent for a giant."""
    reach = max(1, play.edition.board.giant_reach)
    others = (one for of, one in standing_of(play).figures.items() if of != figure.character.id)
    return [one for one in others if gap_between(figure, one) <= reach]
