"""The current ground and the figures on it, with their elevation and flight mode.

Computed once and cached until the map, the objects or the characters change.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

from rules.engine.board.ground import Ground, lay_out
from rules.engine.board.lines import LineStep
from rules.engine.play import Play
from rules.engine.position.characters import Character, DamageSymbol, Flight, SpeedSymbol
from rules.engine.position.edges import edge_between
from rules.engine.position.figures import Figure, FiguresOnMap
from rules.engine.position.squares import Square
from rules.engine.position.terrain import TerrainKind

SIZES = {
    DamageSymbol.TINY: 0,
    DamageSymbol.STANDARD: 1,
    DamageSymbol.GIANT: 2,
    DamageSymbol.COLOSSAL: 3,
    DamageSymbol.SENTINEL: 4,
}
TINY, STANDARD, GIANT, COLOSSAL, SENTINEL = range(5)
WINGS = frozenset({SpeedSymbol.WING, SpeedSymbol.TRANSPORTER_WING})
TRANSPORTERS = frozenset({SpeedSymbol.TRANSPORTER_BOOT, SpeedSymbol.TRANSPORTER_WING, SpeedSymbol.TRANSPORTER_DOLPHIN})


def ground_of(play: Play) -> Ground:
    """Return the ground of the current position."""
    position = play.position
    if position.scenario:
        fog = position.fog
        return play.drawn(
            "ground in fog",
            (position.map, position.objects, fog),
            lambda: lay_out(position.map, position.objects, play.edition.board, fog),
        )
    return play.drawn(
        "ground", (position.map, position.objects), lambda: lay_out(position.map, position.objects, play.edition.board)
    )


def wall_between(play: Play, one: Square, other: Square) -> tuple[str, str]:
    """Return the words and the topic for the wall, window or door between two squares side by side."""
    edge, drawn = edge_between(one, other), play.position.map
    if edge in drawn.windows:
        return "a window", "windows"
    if edge in drawn.doors:
        return "a door", "doors"
    indoors = ground_of(play).indoor & ground_of(play).bits((one, other))
    return ("an indoor wall" if indoors else "a wall"), "walls"


def why_clear(play: Play, way: list[LineStep]) -> str:
    """Return in words why nothing restricts a line: it passes through a corner with an open side, or meets nothing."""
    at, ground = standing_of(play).at, ground_of(play)
    for passage in way:
        sides = passage.sides() if passage.through_corner else ()
        beside = [at[side].name for side in sides if side in at]
        if len(beside) == 2:
            return f"it passes exactly through the corner between {beside[0]} and {beside[1]}, which doesn't block it"
        rough = ground.bits(sides) & (ground.hindering_sight | ground.blocking)
        if rough.bit_count() == 1 and not beside:
            corner = f"the corner between {passage.before} and {passage.after}"
            return f"it passes exactly through {corner}, and one side of that corner is clear"
    return "nothing stands in its way"


def home_of(play: Play, player: str) -> int:
    """Return the squares of a player's starting area, including areas that belong to no player."""
    areas = (
        area.squares
        for area in play.position.map.terrain
        if area.kind is TerrainKind.STARTING_AREA and area.player in (player, None)
    )
    return ground_of(play).bits(tuple(chain.from_iterable(areas)))


def size_of(character: Character) -> int:
    """Return a character's size: tiny 0, standard 1, giant 2, colossal 3, Sentinel 4; the largest if it has several."""
    return max(SIZES[symbol] for symbol in character.symbols.damage)


def flies(character: Character) -> bool:
    """Return whether the character has the wing symbol."""
    return not WINGS.isdisjoint(character.symbols.speed)


def transports(character: Character) -> bool:
    """Return whether the character has a transporter's speed symbol."""
    return not TRANSPORTERS.isdisjoint(character.symbols.speed)


def soars(play: Play, character: Character) -> bool:
    """Return whether the character is soaring, in the editions that have flight modes."""
    if not play.edition.movement.flight_modes or character.flight is not Flight.SOARING or not flies(character):
        return False
    return "soaring" not in character.countered


def hovers(play: Play, character: Character) -> bool:
    """Return whether the character is a flier in hovering mode, in the editions that have flight modes."""
    return play.edition.movement.flight_modes and flies(character) and not soars(play, character)


def standing_of(play: Play) -> FiguresOnMap:
    """Return all figures on the map, with indexes by square, level, flight and size."""
    position = play.position
    sources = (position.map, position.objects, position.sides)
    return play.drawn("standing", sources, lambda: _stand(play, ground_of(play)))


def _stand(play: Play, ground: Ground) -> FiguresOnMap:
    figures: dict[str, Figure] = {}
    at: dict[Square, Figure] = {}
    bodies: defaultdict[tuple[int, bool, int], int] = defaultdict(int)
    for side in play.position.sides:
        for character in side.characters:
            if not character.on_map:
                continue
            figure = _figure(play, ground, character, side.player)
            figures[character.id] = figure
            for square in character.squares:
                at[square] = figure
            key = (figure.level, figure.soaring, figure.size)
            bodies[key] |= figure.bits
    large = tuple(figure for figure in figures.values() if len(figure.character.squares) > 1)
    return FiguresOnMap(figures, at, bodies, large)


def _figure(play: Play, ground: Ground, character: Character, player: str) -> Figure:
    bits = ground.bits(character.squares)
    return Figure(
        character=character,
        player=player,
        bits=bits,
        level=min(ground.level_of(square) for square in character.squares),
        soaring=soars(play, character),
        hovering=hovers(play, character),
        size=size_of(character),
        on_blocking=bool(bits & ground.blocking),
    )


def figure_of(play: Play, character: Character) -> Figure | None:
    """Return the figure of a character; None while it is off the map."""
    found = standing_of(play).figures.get(character.id)
    if found is not None and found.character is not character and character.on_map:
        return _figure(play, ground_of(play), character, found.player)
    return found


def figure_there(play: Play, character: Character) -> Figure | None:
    """Return the figure of a character where it stands, or stood before it was KO'd; None without squares."""
    found = figure_of(play, character)
    if found is not None or not character.squares:
        return found
    return _figure(play, ground_of(play), character, play.player_of(character))
