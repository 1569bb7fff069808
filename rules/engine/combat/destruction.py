"""Destroying blocking terrain, walls and objects.

Three clicks in a single attack, no roll; destroyed walls leave debris.
"""

from __future__ import annotations

from dataclasses import replace

from rules.engine.combat.holding import land, use_up
from rules.engine.combat.ko import remove_object
from rules.engine.combat.line_of_fire import line_of_fire
from rules.engine.combat.roll import roll_dice
from rules.engine.combat.strike import weight_of
from rules.engine.errors import Illegal
from rules.engine.figures.adjacency import opponents_beside, touching
from rules.engine.figures.standing import SENTINEL, figure_of, ground_of, soars, wall_between
from rules.engine.figures.values import printed_value, value_of
from rules.engine.met import Met
from rules.engine.play import Attack, Play, Spot, Strike, spot_of
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.edges import Edge, read_edge
from rules.engine.position.objects import BattleObject, ObjectKind
from rules.engine.position.squares import Square, distance, in_squares, read_square
from rules.engine.position.terrain import Marker, MarkerKind
from rules.engine.reasons import Modifier, Part, Replacement, Tally, listed
from rules.engine.steps import StepName

Goal = Edge | Square | BattleObject


def goal_of(play: Play, named: str) -> Goal | None:
    """Return the object, wall or square of that name; None for a character or no name."""
    if play.position.find(named) is not None:
        return None
    thing = play.position.object(named)
    return thing if thing is not None else read_edge(named) or read_square(named)


def destroy(play: Play, strike: Strike, named: str) -> None:
    """Attack a square of blocking terrain, a wall or an object; 3 clicks destroy it, and the attack never misses.

    In the 2020s that is no attack and deals no damage: a damage value of 3 or more destroys it. Sources: Blocking
    Terrain, Objects (2002); Destroying Blocking Terrain of the later books.
    """
    attacker = play.character(strike.attacker)
    goal = check_goal(play, strike, named)
    topic = "destroy-object" if isinstance(goal, BattleObject) else "destroy-terrain"
    needed = 4 if isinstance(goal, BattleObject) and goal.kind is ObjectKind.ULTRA_HEAVY else 3
    name, no_attack = _name(play, goal), play.edition.combat.destroying_is_no_attack
    aims = f"attacks {name}; no attack roll is needed"
    if no_attack:
        aims = f"uses {'CLOSE' if strike.kind == 'close' else 'RANGE'} Destroy on {name}. It isn't an attack"
    play.record(StepName.TARGETS, f"{attacker.name} {aims}.", (topic, *strike.topics))
    damage = _damage(play, strike, attacker)
    enough = damage.total >= needed
    rolled = f"{attacker.name} rolls {damage.total}: " if strike.die is not None else ""
    stands = "" if enough else ", so it stands"
    text = f"{rolled}{damage.total} damage to {name}; {needed} are needed to destroy it{stands}."
    if no_attack:
        does = "KO" if isinstance(goal, BattleObject) else "destroy"
        text = f"{attacker.name}'s damage value is {damage.total}; it takes {needed} or more to {does} {name}{stands}."
    step = StepName.RESOLVE if no_attack else StepName.DAMAGE_DEALT
    numbers = {"damage": damage.total, "because": damage.sentences()}
    play.record(step, text, (topic, *damage.topics), numbers, parts={"damage": damage.parts})
    if strike.object is not None and use_up(play, strike, strike.object):
        land(play, strike.object, _place_of(goal))
    if enough:
        _remove(play, goal)
    else:
        play.note(Met.STILL_STANDS)
    if not no_attack:
        current = play.character(strike.attacker)
        play.change(replace(current, attacks_made=current.attacks_made + 1))


def _place_of(goal: Goal) -> Square:
    if isinstance(goal, BattleObject):
        assert goal.square is not None
        return goal.square
    return goal.first if isinstance(goal, Edge) else goal


def check_goal(play: Play, strike: Strike, named: str) -> Goal:
    """Return what an attack is to destroy. Raises Illegal if it can't be attacked from here."""
    play.this_action.next_step = StepName.TARGETS
    goal = goal_of(play, named)
    if goal is None:
        raise Illegal(
            f"{named} can't be destroyed: it isn't an object, a wall or blocking terrain.", ("destroy-terrain",)
        )
    _check(play, strike, play.character(strike.attacker), goal)
    return goal


def _damage(play: Play, strike: Strike, attacker: Character) -> Tally:
    if strike.die is not None:
        roll = roll_dice(play, strike.die, 1, attacker)
        return Tally("damage", roll.total, origin=(Part("rolled", roll.total, f"rolled {roll.written}", "damage"),))
    made: tuple[Modifier, ...] = strike.added_to_value
    if strike.object is not None and not strike.thrown:
        made = (*made, weight_of(strike.object.kind))
    attack = Attack(strike.kind, attacker, None, strike.using, destroys=True)
    if strike.damage is not None:
        printed = printed_value(attacker, ValueName.DAMAGE)
        return Tally("damage", printed, (Replacement(strike.damage, strike.because, strike.topic),), strike.added)
    value = value_of(play, attacker, ValueName.DAMAGE, attack, changes=made)
    return replace(value, changes=(*value.changes, *strike.added))


def _name(play: Play, goal: Goal) -> str:
    if isinstance(goal, BattleObject):
        return f"the object {goal.name or goal.id}"
    if isinstance(goal, Edge):
        kind = wall_between(play, goal.first, goal.second)[0].split(" ", 1)[1]
        return f"the {kind} between {goal.first} and {goal.second}"
    ground = ground_of(play)
    return f"the {'barrier' if ground.barrier & ground.bit(goal) else 'blocking terrain'} in {goal}"


def _begun(words: str) -> str:
    """Return words with the capital letter that begins a sentence."""
    return f"{words[0].upper()}{words[1:]}"


def _check(play: Play, strike: Strike, attacker: Character, goal: Goal) -> None:
    ground = ground_of(play)
    if isinstance(goal, BattleObject):
        if goal.square is None or goal.removed:
            raise Illegal("A held or removed object can't be targeted.", ("destroy-object", "held-object"))
        if goal.indestructible or goal.marker or goal.relic is not None:
            why = "the scenario's marker" if goal.marker else "a relic" if goal.relic is not None else "indestructible"
            raise Illegal(f"{_begun(_name(play, goal))} can't be destroyed: it is {why}.", ("special-objects", "relic"))
        places: tuple[Square, ...] = (goal.square,)
    elif isinstance(goal, Edge):
        standing = play.position.map
        if goal not in standing.walls | standing.windows | standing.doors:
            raise Illegal(
                f"No wall, window or door stands between {goal.first} and {goal.second}.", ("destroy-terrain", "walls")
            )
        places = (goal.first, goal.second)
    else:
        if not play.position.map.holds(goal) or not ground.blocking & ground.bit(goal):
            raise Illegal(f"{goal} has no blocking terrain.", ("destroy-terrain", "blocking-terrain"))
        places = (goal,)
    if strike.kind == "close":
        _check_close(play, attacker, goal, places)
    else:
        _check_ranged(play, strike, attacker, goal, places)


def _check_close(play: Play, attacker: Character, goal: Goal, places: tuple[Square, ...]) -> None:
    if soars(play, attacker):
        text = f"{attacker.name} is soaring, so it can't reach terrain or objects."
        raise Illegal(text, ("destroy-terrain", "soaring"))
    if isinstance(goal, Edge):
        if not {goal.first, goal.second}.intersection(attacker.squares):
            text = f"{_begun(_name(play, goal))} isn't at an edge of {attacker.name}'s square."
            raise Illegal(text, ("destroy-terrain", "adjacency"))
        return
    near = touching(play, attacker.squares, places, f"{attacker.name} and {_name(play, goal)}")
    if not near and not (isinstance(goal, BattleObject) and places[0] in attacker.squares):
        raise Illegal(near.because[0], ("destroy-terrain", *near.topics))


def _check_ranged(play: Play, strike: Strike, attacker: Character, goal: Goal, places: tuple[Square, ...]) -> None:
    figure = figure_of(play, attacker)
    if figure is None:
        raise Illegal(f"{attacker.name} isn't on the map.", ("ranged-combat",))
    if figure.size != SENTINEL and not play.edition.combat.destroying_is_no_attack:
        beside = opponents_beside(play, figure, "ranged")
        if beside:
            names = listed([other.name for other in beside])
            raise Illegal(f"{attacker.name} can't shoot: it is adjacent to {names}.", ("ranged-combat",))
    reach = strike.reach
    if reach is None:
        reach = value_of(play, attacker, ValueName.RANGE, Attack("ranged", attacker, None, strike.using)).total
    if isinstance(goal, Edge) and play.edition.combat.wall_is_shot_at != "either":
        _check_shot_at_wall(play, attacker, goal, reach)
        return
    if reach <= 0:
        raise Illegal(
            f"{attacker.name} can't destroy anything at range: its range is {reach}.", ("ranged-combat", "range")
        )
    best = min(distance(own, place) for own in attacker.squares for place in places)
    if best > reach:
        raise Illegal(
            f"{_begun(_name(play, goal))} is {in_squares(best)} away, beyond {attacker.name}'s range of {reach}.",
            ("ranged-combat", "range"),
        )
    bare = _without(play, goal)
    seen = [line_of_fire(bare, spot_of(bare.character(attacker.id)), Spot((place,))) for place in places]
    if all(line.result == "blocked" for line in seen):
        raise Illegal(" ".join(seen[0].because), ("destroy-terrain", "line-of-fire", *seen[0].topics))


def _check_shot_at_wall(play: Play, attacker: Character, wall: Edge, reach: int) -> None:
    """Check range and line of fire to the square on a wall's far side; in later books also through the near square.

    Sources: Destroying walls (2005), Destroying Walls (2014, 2020s).
    """
    bare = _without(play, wall)
    topics = ("destroy-terrain", "walls")
    refusals = []
    for own in attacker.squares:
        upright = wall.first.row == wall.second.row
        beyond = own.column <= wall.first.column if upright else own.row <= wall.first.row
        near, far = (wall.first, wall.second) if beyond else (wall.second, wall.first)
        away = distance(own, far)
        if away > reach:
            reason = f"{far} behind {_name(play, wall)} is {in_squares(away)} away, beyond {attacker.name}'s range of {reach}."
            refusals.append(Illegal(reason, (*topics, "ranged-combat", "range")))
            continue
        line = line_of_fire(bare, Spot((own,), attacker), Spot((far,)))
        across = near == own or near in line.squares or play.edition.combat.wall_is_shot_at == "far"
        if line.result != "blocked" and across:
            return
        why = (
            " ".join(line.because) if across else f"The line to {far} behind {_name(play, wall)} doesn't cross {near}."
        )
        refusals.append(Illegal(why, (*topics, "line-of-fire", *line.topics)))
    raise refusals[0]


def _without(play: Play, goal: Goal) -> Play:
    """Return the battle without the goal, which doesn't block the line of fire to itself."""
    bare = Play(play.edition, play.position)
    _remove(bare, goal, quietly=True)
    return bare


def _takes_debris(play: Play, square: Square) -> bool:
    """Return whether a destroyed wall leaves debris in a square beside it."""
    ground = ground_of(play)
    kept_free = {
        "both": 0,
        "open": ground.blocking,
        "clear": ground.blocking | ground.hindering | ground.water | ground.objects_underfoot,
    }[play.edition.combat.wall_debris]
    return not kept_free & ground.bit(square)


def _pass_on(play: Play, destroyed: Marker, debris: Marker) -> None:
    """Have the debris of a marker that a power has placed removed when the marker would have been (2020s).

    Source: Destroying Blocking Terrain.
    """
    placed = (one._replace(marker=debris) if one.marker == destroyed else one for one in play.battle.placed)
    play.battle = replace(play.battle, placed=tuple(placed))


def _remove(play: Play, goal: Goal, *, quietly: bool = False) -> None:
    """Remove the destroyed goal from the map and place debris as the edition says."""
    here, told = play.position.map, _name(play, goal)
    debris: tuple[Square, ...]
    if isinstance(goal, BattleObject):
        if quietly:
            play.change_object(replace(goal, square=None, removed=True))
        else:
            remove_object(play, goal)
        debris = (goal.square,) if play.edition.combat.objects_leave_debris and goal.square is not None else ()
    elif isinstance(goal, Edge):
        for kind in ("walls", "windows", "doors"):
            here = replace(here, **{kind: getattr(here, kind) - {goal}})
        debris = tuple(square for square in (goal.first, goal.second) if _takes_debris(play, square))
    else:
        markers = tuple(m for m in here.markers if not (m.square == goal and m.kind is MarkerKind.BARRIER))
        here = replace(here, markers=markers)
        debris = (goal,)
        if play.edition.combat.debris_goes_with_marker:
            _pass_on(play, Marker(MarkerKind.BARRIER, goal), Marker(MarkerKind.DEBRIS, goal))
    top = {marker.square: marker.kind for marker in here.markers}
    fresh = tuple(Marker(MarkerKind.DEBRIS, square) for square in debris if top.get(square) is not MarkerKind.DEBRIS)
    play.position = play.position.with_map(replace(here, markers=(*here.markers, *fresh)))
    if not quietly:
        where = f" Debris is placed in {' and '.join(str(s) for s in debris)}." if debris else ""
        topic = "destroy-object" if isinstance(goal, BattleObject) else "destroy-terrain"
        topics = [topic, "destroy-terrain", *(["markers", "debris"] if debris else [])]
        topics += ["objects"] if isinstance(goal, BattleObject) else []
        topics += ["walls"] if isinstance(goal, Edge) else []
        topics += ["objects"] if any(thing.square in debris for thing in play.position.objects) else []
        lost = "KO'd" if isinstance(goal, BattleObject) and play.edition.combat.destroying_is_no_attack else "destroyed"
        play.record(StepName.TERRAIN, f"{_begun(told)} is {lost}.{where}", topics)
