"""Making a move: breaking away, the path square by square, passengers, objects picked up and put down.

The rules for where a move may go are in `movement`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from rules.engine.action import Action
from rules.engine.actions.hordes import joined_by, merge
from rules.engine.actions.passengers import check_carrying, set_down, take_along
from rules.engine.actions.picking_up import lies_ahead, pick_up, pick_up_and_put_down
from rules.engine.actions.stopped import check_allowance, set_aside, topics_of_end, why_not_there, why_stopped
from rules.engine.combat.damage import take
from rules.engine.combat.healing import heal
from rules.engine.combat.moments import come_to
from rules.engine.combat.roll import roll_dice
from rules.engine.combat.scenario import heart_of_rift, portal_on, swallow
from rules.engine.combat.targets import leave_home
from rules.engine.combat.unknown import announce
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import powers_of, topics_named, why_barred
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import SENTINEL, figure_of, flies, ground_of, standing_of
from rules.engine.met import Met
from rules.engine.movement.break_away import break_away
from rules.engine.movement.passed import note_move, opponents_of
from rules.engine.movement.paths import Mode, Way, speed_for, start_mode, way_of
from rules.engine.movement.reach import base_fits, base_step, square_of_four
from rules.engine.overrides import BY_JUDGE
from rules.engine.play import Damage, Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import BaseKind, Character, Flight
from rules.engine.position.maps import MapKind
from rules.engine.position.squares import Square, distance
from rules.engine.power import Power
from rules.engine.reasons import Part, Parts, listed, sum_of
from rules.engine.steps import StepName


def moving_with(play: Play, character: Character, using: Iterable[str]) -> tuple[str, ...]:
    """Return the powers that a move uses: those named, and unless declined those that only ease moving."""
    named = tuple(using)
    own = [
        power for power in powers_of(play, character) if power.moving.moves_past is not None and "move" in power.action
    ]
    asked = [power for power in powers_of(play, character) if power.name in named]
    if any(power.moving.halves_speed for power in asked):
        return named
    fitting = [power.name for power in own if _eases(power, asked) and not power.moving.halves_speed]
    return tuple(dict.fromkeys((*named, *fitting)))


def _eases(power: Power, named: Iterable[Power]) -> bool:
    """Return whether a power helps a move that doesn't name it."""
    return power.moving.eases(named) if power.moving.eases is not None else power.act is None


def move(
    play: Play,
    given: Action,
    *,
    path: tuple[Square, ...] | None = None,
    used_up: int = 0,
    aboard: list[Character] | None = None,
    lands: bool = True,
    breaks_away: bool = False,
) -> int | None:
    """Make a move and return its cost; None if it ends the action: break away failed, or merged into a stack.

    `path` is the part of the path to walk, if not all of it; `used_up` the speed spent on earlier parts; `aboard`: the
    passengers already taken along; `lands`: whether they are put down at the end of this part; `breaks_away`: whether
    to roll even if the path is empty. Sources: Movement, Breaking Away, Flying, Carrying, Objects of each book.
    """
    assert given.actor is not None
    legal = play.ruled(StepName.MOVE, given.actor).legal
    allowed = play.this_action.allowed if legal is None else legal
    character = play.character(given.actor)
    using = moving_with(play, character, given.using)
    if play.carded and given.path:
        now = play.this_action
        now.moved_with = tuple(
            dict.fromkeys((*now.moved_with, *((character.id, name) for name in using if name not in given.using)))
        )
    barred = why_barred(play, character, "move")
    if barred and (given.path or path):
        raise Illegal(f"{character.name} can't move: {barred}.", ("movement",))
    way = way_of(play, character, using)
    if way is None:
        raise Illegal(f"{character.name} isn't on the map.", ("movement",))
    steps = given.path if path is None else path
    note_move(play, way.figure, steps, given.carry if aboard is None else ())
    if way.hindering & way.ground.bits(steps) and not way.figure.soaring:
        play.note(Met.HINDERED)
    if aboard is None:
        check_carrying(play, given, character)
    if not used_up and not _breaks_away(play, given, character, using, bool(steps) or breaks_away):
        if given.carry and aboard is None:
            names = listed([play.character(name).name for name in given.carry])
            text = f"{character.name} failed to break away, so it doesn't carry {names}."
            play.record(StepName.NOTE, text, ("carry", "break-away"))
        return None
    passengers = take_along(play, given, character) if aboard is None else aboard
    early = lies_ahead(play, given, character, steps)
    if early:
        pick_up(play, given, character, steps)
        way = way_of(play, play.character(character.id), using) or way
    if given.flight is None:
        way = replace(way, keeps_mode=True)
    cost = _walk(play, given, way, steps, using, used_up, allowed=allowed)
    if not early:
        pick_up_and_put_down(play, given, character, steps)
    if play.carded and steps:
        play.change(replace(play.character(character.id), moved=True))
        announce(play, play.character(character.id), of_cards_only=True)
    if play.position.scenario and (
        _leaves_by_portal(play, character, steps) or _comes_into_rift(play, character, steps)
    ):
        return None
    stack = joined_by(play, play.character(character.id))
    if stack is not None:
        before = (character.squares[0], *steps[:-1])[-1]
        merge(play, play.character(character.id), stack, before)
        return None
    if lands:
        set_down(play, given, passengers)
        come_to(play, CardMoment.AFTER_MOVE, play.character(character.id))
    return cost + used_up


def _leaves_by_portal(play: Play, character: Character, steps: tuple[Square, ...]) -> bool:
    """Take a character off the map that has entered the portal; its friends heal 1, its opponents take 1 click.

    The click ignores every power. Source: Scenarios › Portal to Hypertime (2002).
    """
    portal = portal_on(play, steps)
    if portal is None:
        return False
    now = play.character(character.id)
    if portal != steps[-1]:
        raise Illegal(
            f"{now.name} leaves the map in {portal}: its path can't go on.", (play.position.scenario, "movement")
        )
    play.change(replace(now, squares=(), left=True))
    text = f"{now.name} enters the portal in {portal} and leaves the game."
    play.record(StepName.RESOLVE, text, (play.position.scenario,), of=now.id)
    player = play.player_of(now)
    others = [one for one in play.position.characters() if one.on_map]
    for one in others:
        if play.player_of(one) == player:
            heal(play, one, 1, "the portal", (play.position.scenario,))
    hurt = [Damage(one, 1, "power", now, unavoidable=True) for one in others if play.player_of(one) != player]
    take(play, hurt)
    return True


def _comes_into_rift(play: Play, character: Character, steps: tuple[Square, ...]) -> bool:
    """Remove a character that has moved into the rift. Source: Scenarios › Dimensional Rift (2002)."""
    heart = heart_of_rift(play)
    if heart is None or heart not in steps:
        return False
    if heart != steps[-1]:
        text = f"{character.name} is lost to the rift in {heart}: its path can't go on."
        raise Illegal(text, (play.position.scenario, "movement"))
    swallow(play, play.character(character.id))
    return True


# ── Breaking away ──────────────────────────────────────────────────────────────────────────────


def _breaks_away(play: Play, given: Action, character: Character, using: tuple[str, ...], moves: bool) -> bool:
    """Roll to break away if the move leaves an opponent, carries or changes flight mode; return whether it succeeds.

    In the 2020s every move that begins beside an opponent needs it, also one of 0 squares. Source: Breaking Away.
    """
    changes_mode = (
        given.flight is not None and flies(character) and given.flight is not (character.flight or Flight.HOVERING)
    )
    stays = not play.edition.movement.staying_breaks_away
    if stays and not moves and not given.carry and not changes_mode:
        return True
    found = break_away(play, character, using)
    _note_not_held(play, character)
    if not found.needed:
        if found.opponents:
            text = " ".join(found.because)
            play.record(StepName.MOVE, text, found.topics, {"break_away": "not needed"})
        return True
    ruled = play.ruled(StepName.BREAK_AWAY, character.id).succeeds
    if ruled is not None:
        text = f"{character.name} {'breaks away' if ruled else 'fails to break away'}, {BY_JUDGE}."
        play.record(StepName.BREAK_AWAY, text, cited=False)
        return bool(ruled)
    roll = roll_dice(play, "break-away", 1, character)
    free = roll.total in found.succeeds_on
    if not free:
        play.note(Met.BREAK_AWAY_FAILED)
    done = "breaks away" if free else "fails to break away, and the action ends"
    text = f"{' '.join(found.because)} {character.name} rolls {roll.total}: it {done}."
    numbers = {"roll": roll.total, "succeeds_on": list(found.succeeds_on)}
    play.record(StepName.BREAK_AWAY, text, (*found.topics, *topics_named(play, character, given.using)), numbers)
    return free


def _note_not_held(play: Play, character: Character) -> None:
    """Note which figures touch the character's square and yet don't hold it: not adjacent, or friends for the moment."""
    figure = figure_of(play, character)
    if figure is not None and play.this_action.lent is not None and play.this_action.lent.character == character.id:
        side = [one for one in standing_of(play).figures.values() if one is not figure and one.player == figure.player]
        friends = [one.name for one in side if figures_adjacent(play, figure, one, "movement")]
        if friends:
            them = "it" if len(friends) == 1 else "them"
            text = f"{character.name} is friendly to {listed(friends)} under Mind Control and needn't break away from"
            play.record(StepName.NOTE, f"{text} {them}.", ("mind-control", "break-away"))
    for other in opponents_of(play, figure) if figure is not None else ():
        near = min(distance(own, square) for own in character.squares for square in other.character.squares) <= 1
        if figure is None or not near or (found := figures_adjacent(play, figure, other, "movement")):
            continue
        why = found.because[0].removesuffix(".")
        text = f"{why}, so {character.name} needn't break away from {other.name}."
        play.record(StepName.NOTE, text, ("break-away", *found.topics), of=other.character.id)


# ── The path ───────────────────────────────────────────────────────────────────────────────────


def _walk(
    play: Play,
    given: Action,
    way: Way,
    steps: tuple[Square, ...],
    using: tuple[str, ...],
    used_up: int,
    *,
    allowed: bool = False,
) -> int:
    """Walk the path and put the character at its end, in the flight mode named."""
    character = way.figure.character
    play.this_action.next_step = StepName.MOVE
    speed = speed_for(play, way, given.using, len(given.carry))
    used = (Part("changed", -used_up, "moved already in this action", "movement"),) if used_up else ()
    allowance = (*speed.parts, *used)
    budget = sum_of(allowance)
    single = len(character.squares) == 1
    start = character.squares[0] if single else min(character.squares)
    named = topics_named(play, character, using)
    crossed = (*speed.topics, *named, *_crossed(way, start, steps))
    mode = _wanted_mode(play, given, way)
    squares: tuple[Square, ...]
    if allowed:
        spent, squares = entered(len(steps)), _freely(play, character, steps)
    elif single:
        try:
            spent = _cost_of(way, start, steps, start_mode(play, way), mode, allowance)
        except Illegal as forbidden:
            reason, aside = set_aside(play, character, forbidden.topics)
            around = (*crossed, *_flying(play, character, mode))
            refused = (*forbidden.topics, *named, *aside)
            raise Illegal(f"{forbidden.reason}{reason}", refused, around=around) from None
        squares = (steps[-1],) if steps else character.squares
    else:
        squares = _larger_end(play, character, steps)
        spent = _cost_of_larger(play, way, steps, squares, mode, allowance)
    cost = sum_of(spent)
    flight = character.flight
    if flies(character) and play.edition.movement.flight_modes and (given.flight or flight):
        flight = Flight.SOARING if mode == "soaring" else Flight.HOVERING
    play.change(replace(character, squares=squares, flight=flight))
    end = squares[0]
    through = f" along {', '.join(square.name for square in steps)}" if len(steps) > 1 else ""
    text = f"{character.name} moves from {start} to {end}{through}: {cost} of {budget} squares."
    if not steps:
        text = f"{character.name} doesn't move{' before its attack' if given.then else ''}."
    topics = ["movement", *crossed]
    topics += _flying(play, character, mode)
    topics += [topic for symbol, topic in _SYMBOLS if symbol in {s.value for s in character.symbols.speed}]
    if way.figure.size == SENTINEL:
        topics += ["sentinel", *(["indoor"] if way.ground.bits(squares) & way.ground.indoor else [])]
    numbers = {"speed": speed.total, "cost": cost, "budget": budget, "because": speed.sentences()}
    play.record(StepName.MOVE, text, topics, numbers, parts={"budget": allowance, "cost": spent})
    if steps:
        leave_home(play, play.character(character.id), steps)
    if way.figure.size == SENTINEL and steps:
        _crush_objects(play, squares)
    return cost


def _flying(play: Play, character: Character, mode: Mode) -> tuple[str, ...]:
    """Return the topics for a flier's move that ends in a mode."""
    if not flies(character) or not play.edition.movement.flight_modes:
        return ()
    return ("flying", "soaring" if mode == "soaring" else "hovering")


def _crush_objects(play: Play, squares: tuple[Square, ...]) -> None:
    """Destroy the objects under the base of a Sentinel that has stopped; passing over them has no effect.

    Sources: Sentinels Rules › Movement, with Chapeau's ruling of 2002-09-24.
    """
    for thing in play.position.objects:
        if thing.square in squares and not thing.removed:
            play.change_object(replace(thing, square=None, removed=True))
            text = (
                f"The object {thing.name or thing.id} under the Sentinel's base is destroyed and removed from the game."
            )
            play.record(StepName.TERRAIN, text, ("sentinel", "objects"))


def entered(squares: int) -> Parts:
    """Return the cost of a path that counts nothing but its squares."""
    return (Part("printed", squares, f"square{'' if squares == 1 else 's'} entered", "movement"),)


def _freely(play: Play, character: Character, steps: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the squares in which a path ends if a judge allows it whatever it crosses."""
    squares = _larger_end(play, character, steps) if len(character.squares) > 1 else steps[-1:] or character.squares
    here = standing_of(play).at
    for square in squares:
        other = here.get(square)
        if other is not None and other.character.id != character.id:
            raise Illegal(f"{other.name} occupies {square}.", ("movement", "occupancy"))
    return squares


def _crossed(way: Way, start: Square, steps: tuple[Square, ...]) -> tuple[str, ...]:
    """Return the topics of the terrain on a path, including terrain that the mover ignores."""
    ground = way.ground
    bits = ground.bits(tuple(square for square in (start, *steps) if ground.has(square)))
    found = []
    if bits & (ground.hindering | ground.objects_underfoot):
        found.append("hindering-terrain")
    if bits & ground.smoke:
        found.append("smoke-cloud")
    if bits & ground.water:
        found.append("water")
    if bits & ground.blocking:
        found.append("blocking-terrain")
    if len({ground.level_of(square) for square in (start, *steps) if ground.has(square)}) > 1:
        found.append("elevation")
    return tuple(found)


_SYMBOLS = (("dolphin", "aquatic"), ("wing", "flying"), ("transporter-boot", "transporter"))


def _wanted_mode(play: Play, given: Action, way: Way) -> Mode:
    now = start_mode(play, way)
    if given.flight is None or not play.edition.movement.flight_modes:
        return now
    if not way.flier:
        raise Illegal(f"{way.figure.name} doesn't fly.", ("flying", "symbols"))
    if given.flight is Flight.SOARING and not way.may_soar:
        where = "indoors" if way.ground.kind is MapKind.INDOOR else "in this move"
        raise Illegal(f"{way.figure.name} can't soar {where}.", ("soaring", "indoor"))
    return "soaring" if given.flight is Flight.SOARING else "ground"


class _Walked(NamedTuple):
    """A partial path: whether it ends here, and what it costs beside its squares."""

    stopped: bool
    more: Parts = ()


def _cost_of(way: Way, start: Square, steps: tuple[Square, ...], mode: Mode, wanted: Mode, allowance: Parts) -> Parts:
    """Return the lowest cost of a path, changing flight mode where that is cheapest. Raises Illegal.

    Changing the mode costs 1; if a step ends the move, the path must end with it.
    """
    states = _with_changes(way, start, {mode: _Walked(False)})
    came = here = start
    for after in steps:
        if distance(here, after) != 1:
            raise Illegal(f"{after} isn't next to {here}.", ("movement",))
        found: dict[Mode, _Walked] = {}
        refused: tuple[str, str] | None = None
        halted = False
        for own, (stopped, more) in states.items():
            if stopped:
                halted = True
                continue
            taken = way.step(here, after, own)
            if taken is None:
                refused = way.why_not(here, after, own)
                continue
            if taken[0] > 1:
                more = (*more, Part("changed", taken[0] - 1, f"the ladder between {here} and {after}", "ladders"))
            found[own] = _Walked(taken[1], more)
        if not found:
            if refused is not None:
                raise Illegal(
                    f"{way.figure.name} can't move from {here} to {after}: {refused[0]}.", ("movement", refused[1])
                )
            assert halted
            why, *topics = why_stopped(way, came, here)
            raise Illegal(f"The move must end in {here}: {why}.", ("movement", *topics))
        states = _with_changes(way, after, found)
        came, here = here, after
    where = "soaring" if wanted == "soaring" else "on the ground or hovering"
    if wanted not in states:
        raise Illegal(f"{way.figure.name} can't end its move {where} in {here}.", ("flying", "movement"))
    spent = (*entered(len(steps)), *states[wanted].more)
    check_allowance(way, spent, allowance)
    if steps and not way.endable[wanted] & way.ground.bit(here):
        if here in standing_of(way.play).at:
            way.play.note(Met.ENDS_ON_FIGURE)
        reason = f"{way.figure.name} can't end its move in {here}: {why_not_there(way, here)}."
        raise Illegal(reason, ("movement", "occupancy", *topics_of_end(way, here)))
    return spent


def _with_changes(way: Way, square: Square, states: dict[Mode, _Walked]) -> dict[Mode, _Walked]:
    """Add the modes that a flier may change to here, for one more square each.

    Only if the action names a flight mode; otherwise the indicator isn't changed.
    """
    if not way.may_soar or way.keeps_mode or way.ground.bit(square) & way.ground.indoor:
        return states
    found = dict(states)
    for mode, (stopped, more) in states.items():
        other: Mode = "ground" if mode == "soaring" else "soaring"
        if not stopped and other not in found:
            changed = Part("changed", 1, "changing the flight mode", "flying")
            found[other] = _Walked(False, (*more, changed))
    return found


def _larger_end(play: Play, character: Character, steps: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the squares of a larger base after a path of its top left square, or of the head of a peanut base.

    The other square of a peanut base follows the head unless `squares` says where it turns to.
    """
    if not steps:
        return character.squares
    end = steps[-1]
    chosen = play.this_action.choices.squares or ()
    if character.base is not BaseKind.PEANUT:
        return _turned_to(chosen, end) or square_of_four(end)
    turned = [square for square in chosen if square is not None and square != end and distance(square, end) == 1]
    if turned and len(chosen) <= 2:
        return (end, turned[0])
    if len(steps) > 1:
        return (end, steps[-2])
    return (end, min((own for own in character.squares if own != end), key=lambda own: distance(own, end)))


def _turned_to(chosen: tuple[Square | None, ...], end: Square) -> tuple[Square, ...]:
    """Return the four squares on which a 2x2 base ends when the path is that of another of its squares than the first.

    Source: Moving Multi-Base Characters (2014, 2020s).
    """
    squares = {square for square in chosen if square is not None}
    place = square_of_four(min(squares)) if end in squares else ()
    return place if squares == {*place} else ()


def _cost_of_larger(
    play: Play, way: Way, steps: tuple[Square, ...], end: tuple[Square, ...], wanted: Mode, allowance: Parts
) -> Parts:
    """Return the cost of a larger base's path. Raises Illegal.

    It moves as a single base from any of its squares; a Sentinel moves with its whole base. Sources: Sentinels Rules ›
    Movement (2002), Double-base Characters (2005), Moving Multi-Base Characters (2014, 2020s).
    """
    if not steps:
        return entered(0)
    character = way.figure.character
    if way.figure.size == SENTINEL:
        cost = _whole_base_along(way, steps, allowance)
    elif character.base is BaseKind.PEANUT or (end != square_of_four(steps[-1])):
        cost = _best_of(way, [(own, steps) for own in character.squares], start_mode(play, way), wanted, allowance)
        if max(min(distance(own, square) for own in character.squares) for square in end) > len(steps):
            raise Illegal(
                "No part of a base can move farther than the square that was chosen.", ("movement", "multi-base")
            )
    else:
        corner = min(character.squares)
        ways = [
            (own, tuple(Square(s.column + own.column - corner.column, s.row + own.row - corner.row) for s in steps))
            for own in sorted(character.squares)
        ]
        cost = _best_of(way, ways, start_mode(play, way), wanted, allowance)
    if not base_fits(play, way, end, wanted):
        ground = ground_of(play)
        if ground.blocking & ground.bits(end):
            play.note(Met.BASE_TOO_WIDE)
        place = listed([square.name for square in end])
        inside = {other.name: square for square, other in standing_of(play).at.items() if square in end}
        stops = [f"{name} occupies {square}" for name, square in inside.items() if name != character.name]
        why = listed(
            [*stops, *(f"{square} is blocking terrain" for square in end if ground.blocking & ground.bit(square))]
        )
        text = f"{character.name} can't end its move with its base in {place}{f': {why}' if why else ''}."
        raise Illegal(text, ("movement", "multi-base"))
    return cost


def _best_of(
    way: Way, ways: list[tuple[Square, tuple[Square, ...]]], mode: Mode, wanted: Mode, allowance: Parts
) -> Parts:
    """Return the lowest cost among these paths of a single square. If none is legal, raises the first path's error."""
    costs: list[Parts] = []
    refused: list[Illegal] = []
    for start, steps in ways:
        try:
            costs.append(_cost_of(way, start, steps, mode, wanted, allowance))
        except Illegal as forbidden:
            refused.append(forbidden)
    if not costs:
        raise Illegal(refused[0].reason, refused[0].topics, around=("multi-base",))
    return min(costs, key=sum_of)


def _whole_base_along(way: Way, steps: tuple[Square, ...], allowance: Parts) -> Parts:
    """Return the cost of a Sentinel's path: its whole base must pass, and stops beside opponents still holding it."""
    here = min(way.figure.character.squares)
    stopped = False
    for after in steps:
        if distance(here, after) != 1:
            raise Illegal(f"{after} isn't next to {here}.", ("movement", "sentinel"))
        if stopped:
            reason = f"The move must end in {here}: an opponent is adjacent."
            raise Illegal(reason, ("movement", "adjacency", "sentinel"))
        ends = base_step(way, here, after)
        if ends is None:
            way.play.note(Met.BASE_TOO_WIDE)
            reason = f"{way.figure.name} with its base of 2 by 2 squares can't pass from {here} to {after}."
            raise Illegal(reason, ("movement", "multi-base", "sentinel"))
        here, stopped = after, ends
    spent = entered(len(steps))
    check_allowance(way, spent, allowance)
    return spent
