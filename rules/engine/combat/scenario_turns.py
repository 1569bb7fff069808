"""What scenarios of 2002 let happen at the beginning and the end of turns: wind, fog, the dimensional rift."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules.engine.battles import ScenarioName
from rules.engine.combat.damage import take
from rules.engine.combat.knock_back import DIRECTIONS, NAMES, blown, refuses_knock_back
from rules.engine.combat.knocked_back import carry_out
from rules.engine.combat.scenario import heart_of_rift
from rules.engine.figures.standing import ground_of, standing_of
from rules.engine.figures.values import printed_value
from rules.engine.play import Damage, Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import BattleObject
from rules.engine.position.position import FIRST_ROLL_AGAINST_FOG, GAME_AFTER_FOG, NO_FOG
from rules.engine.position.squares import Square, distance, in_squares
from rules.engine.position.terrain import Marker, MarkerKind, TerrainKind
from rules.engine.reasons import Part, listed
from rules.engine.steps import StepName

CLOCKWISE: Final = ("S", "W", "N", "E")
"""The sides of the map, clockwise, and the direction in which the wind blows from each is the opposite one."""
OPPOSITE: Final = {"S": "N", "W": "E", "N": "S", "E": "W"}
LULL: Final = frozenset({5, 6})
NEEDED_AGAINST_FOG: Final = 9
GROWS_FROM: Final = 7
STRONGEST_RIFT: Final = 6
RIFT_ATTACK: Final = 8
RIFT_DAMAGE: Final = 3


def begin_turn_of_scenario(play: Play) -> None:
    """Let the wind blow at the beginning of a turn (Wholly Hurricane!!)."""
    if play.position.scenario == ScenarioName.WHOLLY_HURRICANE:
        _wind(play)


def end_turn_of_scenario(play: Play) -> None:
    """Roll against the fog (Blackout!); let the rift grow, strike and pull (Dimensional Rift)."""
    if play.position.scenario == ScenarioName.BLACKOUT:
        _roll_against_fog(play)
    elif play.position.scenario == ScenarioName.DIMENSIONAL_RIFT:
        _rift(play)


# ── Wholly Hurricane!! ─────────────────────────────────────────────────────────────────────────────


def _wind(play: Play) -> None:
    """Roll for the direction of the wind and for its strength, then move every character and object on the map.

    The sides of the map are numbered clockwise, from the first player's. What stands farthest to leeward moves first,
    characters before objects. Objects take no damage.
    """
    topics = (play.position.scenario,)
    play.this_action.next_step = StepName.ROLL
    die = play.roll("wind", 1)[0]
    if die in LULL:
        play.record(StepName.ROLL, f"The wind rolls {die}: a lull, nothing moves.", topics, {"roll": die})
        return
    side = CLOCKWISE[(CLOCKWISE.index(_home_side(play)) + die - 1) % 4]
    direction = OPPOSITE[side]
    text = f"The wind rolls {die}: it blows from the {_SIDES[side]} side of the map."
    play.record(StepName.ROLL, text, topics, {"roll": die})
    dice = play.roll("wind-strength", 2)
    strength = sum(dice)
    text = f"The wind rolls {dice[0]} + {dice[1]}: everything is moved {in_squares(strength)} {direction}."
    play.record(StepName.ROLL, text, topics, {"dice": list(dice)})
    right, down = DIRECTIONS[direction]

    def leeward(square: Square) -> int:
        return -(square.column * right + square.row * down)

    there = sorted((one for one in play.position.characters() if one.on_map), key=lambda one: leeward(one.squares[0]))
    for one in there:
        _blow(play, one.id, direction, strength)
    lying = (thing for thing in play.position.objects if thing.square is not None and not thing.removed)
    for thing in sorted(lying, key=lambda thing: leeward(thing.square or Square(0, 0))):
        _blow_object(play, thing, direction, strength)


_SIDES: Final = {"S": "southern", "W": "western", "N": "northern", "E": "eastern"}


def _home_side(play: Play) -> str:
    """Return the first player's side of the map: where the starting area lies; the southern one if there is none."""
    first, drawn = play.position.sides[0].player, play.position.map
    areas = [one for one in drawn.terrain if one.kind is TerrainKind.STARTING_AREA and one.player == first]
    home = [square for area in areas for square in area.squares]
    at = {
        "S": sum(square.row == drawn.height - 1 for square in home),
        "N": sum(square.row == 0 for square in home),
        "W": sum(square.column == 0 for square in home),
        "E": sum(square.column == drawn.width - 1 for square in home),
    }
    return max(at, key=lambda side: at[side])


def _blow(play: Play, name: str, direction: str, strength: int) -> None:
    """Move a character by the rules for knockback; what is never knocked back stays."""
    one = play.character(name)
    if not one.on_map:
        return
    kept = refuses_knock_back(play, one, None)
    if kept is not None:
        text = f"The wind doesn't move {one.name}: {kept[0]}."
        play.record(StepName.NOTE, text, (play.position.scenario, kept[1]), of=one.id)
        return
    if len(one.squares) > 1:
        text = f"{one.name} has a larger base: the judge moves it with the wind."
        play.record(StepName.RULING, text, (play.position.scenario,), of=one.id)
        return
    squares = (Part("rolled", strength, "the strength of the wind", play.position.scenario),)
    carry_out(play, one, None, blown(play, one, direction, strength), squares)


def _blow_object(play: Play, thing: BattleObject, direction: str, strength: int) -> None:
    """Move an object until the map's edge, a wall, blocking or higher terrain, or a character stops it, or it falls."""
    assert thing.square is not None
    ground, there = ground_of(play), standing_of(play).at
    right, down = DIRECTIONS[direction]
    here = thing.square
    for _ in range(strength):
        after = Square(here.column + right, here.row + down)
        if not ground.has(after) or after in there or ground.blocking & ground.bit(after):
            break
        if ground.crosses(ground.parting, here, after) or ground.level_of(after) > ground.level_of(here):
            break
        fell = ground.level_of(after) < ground.level_of(here)
        here = after
        if fell:
            break
    if here != thing.square:
        play.change_object(replace(thing, square=here))
        text = f"The wind moves {thing.name or thing.id} to {here}."
        play.record(StepName.RESOLVE, text, (play.position.scenario, "objects"))


# ── Blackout! ──────────────────────────────────────────────────────────────────────────────────────


def _roll_against_fog(play: Play) -> None:
    """At the end of the fifth full turn and of each later one, roll two dice: 9 or better lifts the fog, then 8, 7, …

    The fog then acts on ranged attacks alone for one full turn, and is gone after it. The game ends five full turns
    after the roll.
    """
    position = play.position
    if not position.ends_full_turn:
        return
    now, topics = position.full_turn, (position.scenario,)
    if position.fog_broke_up is not None:
        if now == position.fog_broke_up + GAME_AFTER_FOG:
            text = f"Full turn {now} is over, the fifth since the fog began to lift: the game ends."
            play.record(StepName.RESOLVE, text, topics)
        return
    if now < FIRST_ROLL_AGAINST_FOG:
        return
    play.this_action.next_step = StepName.ROLL
    dice = play.roll("fog", 2)
    needed = NEEDED_AGAINST_FOG - (now - FIRST_ROLL_AGAINST_FOG)
    lifts = sum(dice) >= needed
    done = "the fog begins to lift" if lifts else "the fog stays"
    text = f"Full turn {now} is over: {dice[0]} + {dice[1]} against {needed}, {done}."
    if lifts:
        play.position = replace(position, fog_broke_up=now)
    play.record(StepName.ROLL, text, topics, {"dice": list(dice)})


def tell_of_fog(play: Play, before: str) -> None:
    """Say how the fog acts from this turn on, if that has changed; lines and moves are found anew."""
    fog = play.position.fog
    if fog == before:
        return
    play.position = replace(play.position, sides=(*list(play.position.sides),))
    acts = "no longer acts" if fog == NO_FOG else "is hindering terrain for ranged attacks only"
    play.record(StepName.TERRAIN, f"The fog {acts}.", (play.position.scenario,))


# ── Dimensional Rift ───────────────────────────────────────────────────────────────────────────────


def _rift(play: Play) -> None:
    """At the end of a turn the rift grows, if the full turn is over, wears down terrain, strikes, and pulls objects."""
    heart = heart_of_rift(play)
    if heart is None:
        return
    if play.position.ends_full_turn and play.position.rift < STRONGEST_RIFT:
        _grow(play)
    _wear_down(play, heart)
    _strike(play, heart)
    _pull_objects(play, heart)


def _grow(play: Play) -> None:
    play.this_action.next_step = StepName.ROLL
    dice, power = play.roll("rift-growth", 2), play.position.rift
    grows = sum(dice) >= GROWS_FROM
    if grows:
        play.position = replace(play.position, rift=power + 1)
    done = f"its range and power are {power + 1} now" if grows else f"its range and power stay {power}"
    text = f"The rift rolls {dice[0]} + {dice[1]}: {done}."
    play.record(StepName.ROLL, text, (play.position.scenario,), {"dice": list(dice)})


def _wear_down(play: Play, heart: Square) -> None:
    """Break the walls within the rift's range, and turn blocking and hindering terrain there into clear terrain."""
    power, drawn, ground = play.position.rift, play.position.map, ground_of(play)

    def reached(square: Square) -> bool:
        return distance(square, heart) <= power

    rough = ground.blocking | ground.hindering
    cleared = [square for square in drawn.squares() if reached(square) and rough & ground.bit(square)]
    walls = frozenset(edge for edge in drawn.walls if reached(edge.first) or reached(edge.second))
    if not cleared and not walls:
        return
    markers = (*drawn.markers, *(Marker(MarkerKind.CLEAR, square) for square in cleared))
    play.position = play.position.with_map(replace(drawn, markers=markers, walls=drawn.walls - walls))
    gone = listed(
        [*(f"the terrain in {square}" for square in cleared), *(f"the wall {edge}" for edge in sorted(walls))]
    )
    play.record(StepName.TERRAIN, f"The rift destroys {gone}.", (play.position.scenario,))


def _strike(play: Play, heart: Square) -> None:
    """Attack every character within range: 8 and the power of the rift; 3 damage, and drawn 3 squares toward it.

    Nothing reduces the damage, and only a character's own defense counts, which modifiers given to it change.
    """
    power, topics = play.position.rift, (play.position.scenario,)
    there = [
        (min(distance(square, heart) for square in one.squares), one)
        for one in play.position.characters()
        if one.on_map
    ]
    near = [one for far, one in sorted(there, key=lambda both: both[0]) if far <= power]
    if not near:
        return
    play.this_action.next_step = StepName.ROLL
    dice = play.roll("rift", 2)
    total = RIFT_ATTACK + power + sum(dice)
    hit = [one for one in near if sum(dice) == 12 or (total >= _defense(one) and sum(dice) > 2)]
    names = f"hits {listed([one.name for one in hit])}" if hit else "misses"
    text = f"The rift rolls {dice[0]} + {dice[1]}: {RIFT_ATTACK} + {power} + {sum(dice)} = {total}, which {names}."
    play.record(StepName.ROLL, text, topics, {"dice": list(dice)})
    for one in hit:
        parts = {"damage": (Part("printed", RIFT_DAMAGE, "the rift", topics[0]),)}
        text = f"The rift deals {one.name} {RIFT_DAMAGE} damage, which can't be reduced."
        play.record(StepName.DAMAGE_DEALT, text, topics, {"damage": RIFT_DAMAGE}, parts=parts)
        now = play.character(one.id)
        take(play, [Damage(now, RIFT_DAMAGE, "power", None, unavoidable=True, parts=parts["damage"])])
        _draw(play, one.id, heart)


def _defense(character: Character) -> int:
    given = sum(one.by for one in character.modifiers if one.value is ValueName.DEFENSE)
    return printed_value(character, ValueName.DEFENSE) + given


def _draw(play: Play, name: str, heart: Square) -> None:
    """Draw a character toward the rift by the rules for knockback: first diagonally, then straight."""
    left = RIFT_DAMAGE
    while left:
        one = play.character(name)
        if not one.on_map or heart in one.squares:
            return
        here = one.squares[0]
        columns, rows = heart.column - here.column, heart.row - here.row
        run = min(abs(columns), abs(rows)) or max(abs(columns), abs(rows))
        run = min(run, left)
        direction = NAMES[_sign(columns), _sign(rows)]
        squares = (Part("printed", run, "drawn by the rift", play.position.scenario),)
        found = blown(play, one, direction, run)
        carry_out(play, one, None, found, squares)
        if len(found.path) < run:
            return
        left -= run


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _pull_objects(play: Play, heart: Square) -> None:
    """Move every object within range one square toward the rift; one that comes into it is removed."""
    for thing in play.position.objects:
        here = thing.square
        if here is None or thing.removed or not 0 < distance(here, heart) <= play.position.rift:
            continue
        after = Square(here.column + _sign(heart.column - here.column), here.row + _sign(heart.row - here.row))
        gone = after == heart
        play.change_object(replace(thing, square=None if gone else after, removed=gone))
        does = "comes into the rift and is removed" if gone else f"is drawn to {after}"
        text = f"{thing.name or thing.id} {does}."
        play.record(StepName.RESOLVE, text, (play.position.scenario, "objects"))
