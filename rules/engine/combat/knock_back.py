"""Knock back: the path, its end, and the damage it deals before any reduction.

The character is moved away from the attacker square by square along a straight line. The edition's `KnockBackOptions`
decide what stops the path and what a fall costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from rules.engine.figures.abilities import is_flier, powers_of
from rules.engine.figures.standing import figure_of, ground_of, standing_of, transports, wall_between
from rules.engine.play import Play, Spot
from rules.engine.position.characters import Character
from rules.engine.position.figures import Figure
from rules.engine.position.squares import Square, distance, in_squares
from rules.engine.reasons import Part, Parts, listed

DIRECTIONS = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}
NAMES = {step: name for name, step in DIRECTIONS.items()}


@dataclass(frozen=True, slots=True)
class KnockBack:
    """The square where knock back ends, the path, and the damage; `choices` are set while a choice is open.

    `parts` are the reasons of the damage; `stopped` subtracts the squares left when the path ends early. `over_edge`
    says that the path leads over the edge of elevated terrain, or ends there.
    """

    ends: tuple[Square, ...]
    because: tuple[str, ...]
    topics: tuple[str, ...]
    path: tuple[Square, ...] = ()
    damage: int = 0
    direction: str | None = None
    choices: tuple[str, ...] = ()
    prevented: bool = False
    parts: Parts = ()
    stopped: Parts = ()
    over_edge: bool = False


def refuses_knock_back(play: Play, character: Character, attacker: Character | None) -> tuple[str, str] | None:
    """Return why a character is never knocked back (sentence, topic), or None.

    Sources: Knockback of each book; Charge; Sentinels; larger bases, transporters, giants and big characters (2005);
    Great Size (2014); smaller attackers (2020s).
    """
    figure = figure_of(play, character)
    if figure is None:
        return f"{character.name} isn't on the map", "knockback"
    options = play.edition.knock_back
    for power in powers_of(play, character):
        if power.defending.may_be_knocked_back is not None:
            reason = power.defending.may_be_knocked_back(play, character)
            if reason is not None:
                return reason, power.topic
    if figure.size in options.immune_sizes:
        return "it is too large", "giant" if figure.size < 4 else "sentinel"
    if options.large_bases_immune and len(character.squares) > 1:
        return "it has a larger base", "multi-base"
    if options.transporters_immune and transports(character):
        return "it is a transporter", "knockback"
    if options.immune_to_smaller and attacker is not None:
        other = figure_of(play, attacker)
        if other is not None and other.size < figure.size:
            return f"{other.name} is smaller than {figure.name}", "size"
    return None


def directions_from(play: Play, origin: Spot, character: Character) -> tuple[str, ...]:
    """Return the directions in which a character may be knocked back from there; more than one if a player chooses.

    Off a straight line, the attacker chooses (2002: one of the two straight lines nearest to the true one; 2005: any
    horizontal, vertical or diagonal line away), or the path is the diagonal (2014, 2020s).
    """
    source, target = min(
        product(origin.squares, character.squares), key=lambda pair: (_bent(*pair), distance(*pair), pair)
    )
    columns, rows = target.column - source.column, target.row - source.row
    if columns == rows == 0:
        return tuple(DIRECTIONS)
    right, down = _sign(columns), _sign(rows)
    if not _bent(source, target):
        return (NAMES[right, down],)
    diagonal, level, upright = NAMES[right, down], NAMES[right, 0], NAMES[0, down]
    match play.edition.knock_back.off_the_line:
        case "diagonal":
            return (diagonal,)
        case "nearest":
            _, straight = max((abs(columns), level), (abs(rows), upright))
            return (straight, diagonal)
        case _:
            return (level, diagonal, upright)


def _bent(source: Square, target: Square) -> bool:
    columns, rows = abs(target.column - source.column), abs(target.row - source.row)
    return not (columns == 0 or rows == 0 or columns == rows)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def knock_back(
    play: Play,
    character: Character,
    origin: Spot,
    squares: int,
    direction: str | None = None,
    *,
    whatever: bool = False,
) -> KnockBack:
    """Return where a character is knocked back to, this many squares away from an attacker or a square.

    `whatever` ignores anything that would prevent the knock back. `direction` is the choice, if one is needed. The
    damage is that of the path, before any reduction.
    """
    refused = None if whatever else refuses_knock_back(play, character, origin.character)
    if refused is not None:
        sentence, topic = refused
        because = (f"{character.name} isn't knocked back: {sentence}.",)
        return KnockBack(character.squares, because, ("knockback", topic), prevented=True)
    open_to = directions_from(play, origin, character)
    if direction is None and len(open_to) > 1:
        because = (f"The attack doesn't come along a straight line: the attacker chooses {listed(open_to, 'or')}.",)
        return KnockBack(character.squares, because, ("knockback",), choices=open_to)
    return blown(play, character, direction if direction in open_to else open_to[0], squares)


def blown(play: Play, character: Character, direction: str, squares: int) -> KnockBack:
    """Return where a character is moved to in that direction by the rules for knockback, whatever moves it."""
    figure = figure_of(play, character)
    if figure is None:
        raise ValueError(f"{character.name} isn't on the map")
    return _along(play, figure, direction, squares)


def _along(play: Play, figure: Figure, direction: str, squares: int) -> KnockBack:
    options, ground = play.edition.knock_back, ground_of(play)
    right, down = DIRECTIONS[direction]
    here = figure.character.squares[0]
    path: list[Square] = []
    damage, why, over_edge = 0, "", False
    topics: tuple[str, ...] = ("knockback",)
    floats = figure.hovering and options.hoverers_fly_on
    for _ in range(squares):
        after = Square(here.column + right, here.row + down)
        over_edge = over_edge or (ground.has(after) and ground.level_of(after) < ground.level_of(here))
        met = _stopped(play, figure, here, after)
        if met is not None:
            damage, why, topics = met
            break
        fell = ground.has(after) and ground.level_of(after) < ground.level_of(here) and not figure.soaring
        path.append(after)
        here = after
        if fell and floats:
            why = "it hovers, so it doesn't fall"
        elif fell:
            unhurt = options.fliers_fall_unhurt and is_flier(play, figure.character)
            damage = 0 if unhurt else options.fall_damage
            why = "it falls off elevated terrain" if damage else "it comes off elevated terrain and lands unhurt"
            topics = ("elevation",)
            break
    moved = len(path)
    text = f"{figure.name} is knocked back {in_squares(moved)} {direction} to {here}"
    if not moved:
        text = f"{figure.name}, knocked back {direction}, doesn't move"
    text += f": {why}." if why else "."
    parts = (Part("printed", damage, why, topics[0]),) if damage else ()
    stopped = "stopped at once" if not moved else f"stopped after {in_squares(moved)}"
    left = (Part("limited", moved - squares, stopped, topics[0]),) if moved != squares else ()
    because, about = (text,), ("knockback", *topics)
    return KnockBack(
        (here,), because, about, tuple(path), damage, direction, parts=parts, stopped=left, over_edge=over_edge
    )


def _stopped(play: Play, figure: Figure, here: Square, after: Square) -> tuple[int, str, tuple[str, ...]] | None:
    """Return why the path ends before the next square: (damage, sentence, topics), or None if it continues.

    The 2020s list characters first among the reasons; in the older books the path never crosses the wall or the edge of
    higher ground in front of a character.
    """
    if not ground_of(play).has(after):
        return 1, "it hits the edge of the map", ("map-edge",)
    if play.edition.knock_back.characters_before_walls:
        return _stopped_by_somebody(play, figure, here, after) or _stopped_by_ground(play, figure, here, after)
    return _stopped_by_ground(play, figure, here, after) or _stopped_by_somebody(play, figure, here, after)


def _falls(play: Play, figure: Figure, here: Square, after: Square) -> bool:
    ground = ground_of(play)
    return ground.level_of(after) < ground.level_of(here) and not figure.soaring


def _stopped_by_somebody(
    play: Play, figure: Figure, here: Square, after: Square
) -> tuple[int, str, tuple[str, ...]] | None:
    options = play.edition.knock_back
    other = standing_of(play).at.get(after)
    if other is None or other.character.id == figure.character.id:
        return None
    if _falls(play, figure, here, after) and not (figure.hovering and options.hoverers_fly_on):
        why = f"{other.name} occupies the square below, so {figure.name} stays on the elevated terrain"
        return options.clinging_damage, why, ("elevation", "occupancy")
    return 0, f"{other.name} occupies {after}", ("occupancy",)


def _stopped_by_ground(
    play: Play, figure: Figure, here: Square, after: Square
) -> tuple[int, str, tuple[str, ...]] | None:
    options, ground = play.edition.knock_back, ground_of(play)
    if figure.soaring and options.soaring_ignores_terrain:
        return None
    falls = _falls(play, figure, here, after)
    if falls and options.barred_landing_is_safe and ground.blocking & ground.bit(after):
        return 0, f"{after} below is blocking terrain, so {figure.name} stays on the elevated terrain", ("elevation",)
    if ground.blocking & ground.bit(after):
        return 1, f"it slams into blocking terrain in {after}", ("blocking-terrain",)
    if here.column == after.column or here.row == after.row:
        if ground.crosses(ground.parting, here, after):
            wall, topic = wall_between(play, here, after)
            return 1, f"it slams into {wall} between {here} and {after}", (topic,)
    elif all(_closed(play, figure, here, after, side) for side in _sides(here, after)):
        return 1, f"the corner between {here} and {after} is closed", ("blocking-terrain",)
    if ground.level_of(after) > ground.level_of(here) and not figure.soaring:
        return 1, f"{after} is higher elevated terrain", ("elevation",)
    return None


def _sides(here: Square, after: Square) -> tuple[Square, Square]:
    return Square(after.column, here.row), Square(here.column, after.row)


def _closed(play: Play, figure: Figure, here: Square, after: Square, side: Square) -> bool:
    ground = ground_of(play)
    return bool(
        ground.blocking & ground.bit(side)
        or (ground.level_of(side) > ground.level_of(here) and not figure.soaring)
        or ground.crosses(ground.parting, here, side)
        or ground.crosses(ground.parting, side, after)
    )
