"""Telekinesis: moving a figure or an object, and firing an object at a character."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.engine.action import Action
from rules.engine.actions.attacking import make_with_help
from rules.engine.combat.attack import make_attack
from rules.engine.combat.crossed import crossed
from rules.engine.combat.line_of_fire import line_of_fire
from rules.engine.combat.targets import can_target, leave_home
from rules.engine.errors import Illegal, Untargeted
from rules.engine.figures.abilities import why_unaffected
from rules.engine.figures.adjacency import figures_adjacent, opponents_beside, touching
from rules.engine.figures.standing import GIANT, SENTINEL, figure_of, ground_of, size_of, soars, standing_of
from rules.engine.met import Met
from rules.engine.play import Play, Spot, Strike, spot_of
from rules.engine.position.characters import BaseKind, Character
from rules.engine.position.objects import BattleObject, ObjectKind
from rules.engine.position.squares import Square, distance, in_squares
from rules.engine.power import Power
from rules.engine.reasons import ReasonedAnswer
from rules.engine.steps import StepName

REACH = 10
TOPIC = "telekinesis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifting:
    """Differences between the books.

    - `onto_hindering`: whether an object may be put into hindering terrain, including a square with another object.
    - `flies_around`: whether a fired object needs a path around blocking terrain, elevated targets costing 1 more.
    - `fliers_fire_past`: whether only characters that don't fly must fire at an adjacent opponent.
    """

    onto_hindering: bool
    flies_around: bool
    fliers_fire_past: bool


LIFTING_2002 = Lifting(onto_hindering=False, flies_around=True, fliers_fire_past=False)
LIFTING = Lifting(onto_hindering=True, flies_around=False, fliers_fire_past=True)


def telekinesis(play: Play, given: Action, character: Character, rules: Lifting = LIFTING_2002) -> None:
    """Move the target named, or fire an object: in 2002 moving is a close action, firing a ranged action.

    Sources: Objects › Telekinesis Super Power; Telekinesis with its FAQ (2002); Objects › Telekinesis (2005).
    """
    play.this_action.next_step = StepName.TARGETS if given.with_object is not None else StepName.MOVE
    if not given.targets:
        raise Untargeted("Telekinesis needs a character or an object as its target.", (TOPIC,))
    if len(given.targets) != 1:
        raise Illegal("Telekinesis can have only 1 target.", (TOPIC, "targeting"))
    if given.with_object is not None:
        play.note(Met.FIRES_OBJECT)
    else:
        lifted = play.position.find(given.targets[0])
        play.note(Met.MOVES_OBJECT if lifted is None else Met.LIFTS_FIGURE)
    if given.kind in ("close", "ranged") and (given.kind == "ranged") != (given.with_object is not None):
        done, kind = ("moves something", "close") if given.with_object is None else ("fires an object", "ranged")
        needed, kind = play.edition.action(kind), play.edition.action(given.kind)
        raise Illegal(f"Telekinesis that {done} needs a {needed}, not a {kind}.", (TOPIC, "actions"))
    if given.with_object is not None:
        _fire(play, given, character, rules)
        return
    thing = play.position.object(given.targets[0])
    if thing is not None:
        _move_object(play, character, thing, rules)
        return
    target = play.position.find(given.targets[0])
    if target is None:
        raise Illegal("Telekinesis needs a character or an object as its target.", (TOPIC,))
    _move_figure(play, character, target)


def _destination(play: Play, character: Character, start: tuple[Square, ...], lifted: str) -> Square:
    """Return the chosen square: up to 10 squares away, free, not blocking terrain, in a clear line of fire."""
    why, player = "In which square does Telekinesis place it?", play.player_of(character)
    named = play.must_choose(play.this_action.choices.square, "square", (), why, player)
    square = named.square
    if square is None or not play.position.map.holds(square):
        raise Illegal(f"{named.words} isn't a square of the map.", (TOPIC,))
    away = min(distance(own, square) for own in start)
    if away > REACH:
        text = f"{square} is {in_squares(away)} away, and Telekinesis moves nothing farther than {in_squares(REACH)}."
        raise Illegal(text, (TOPIC, "range"))
    ground = ground_of(play)
    if ground.blocking & ground.bit(square):
        raise Illegal(f"{square} is blocking terrain, so nothing can be placed there.", (TOPIC, "blocking-terrain"))
    bare = _without(play, lifted)
    seen = set(crossed(bare, character.squares[0], square))
    play.note(*seen)
    if set(crossed(play, character.squares[0], square)) - seen:
        play.note(Met.LIFTED_ON_LINE)
    if ground.bits_beside(ground.walls) & ground.bit(square):
        play.note(Met.WALLS_NEAR)
    raised = play.position.find(lifted)
    there = Spot((square,))
    if raised is not None and soars(play, raised):
        bare.change(replace(raised, squares=(square,)))
        there = spot_of(bare.character(lifted))
    line = line_of_fire(bare, spot_of(bare.character(character.id)), there)
    if line.result == "blocked":
        raise Illegal(line.because[0], (TOPIC, *line.topics))
    return square


def _without(play: Play, lifted: str) -> Play:
    """Return the battle without the lifted target, which doesn't block the character's line of fire."""
    bare = Play(play.edition, play.position)
    character = play.position.find(lifted)
    if character is not None:
        bare.change(replace(character, squares=()))
    return bare


def _move_object(play: Play, character: Character, thing: BattleObject, rules: Lifting) -> None:
    if thing.square is None or thing.removed:
        holder = next((one.name for one in play.position.characters() if one.holding == thing.id), None)
        held = f"{holder} is holding it" if holder is not None else "it isn't on the map"
        why = f"Telekinesis can't move the object {thing.name or thing.id}: {held}."
        raise Illegal(why, (TOPIC, "held-object"))
    _check_near(play, character, thing)
    square = _destination(play, character, (thing.square,), thing.id)
    ground = ground_of(play)
    rough = ground.water if rules.onto_hindering else ground.hindering | ground.water
    others = () if rules.onto_hindering else play.position.objects
    if rough & ground.bit(square) or any(other.square == square and not other.removed for other in others):
        raise Illegal(
            f"{square} isn't clear terrain, so the object can't be placed there.", (TOPIC, "objects", "clear-terrain")
        )
    play.change_object(replace(thing, square=square))
    text = f"{character.name} moves the object {thing.name or thing.id} from {thing.square} to {square}."
    play.record(StepName.MOVE, text, (TOPIC, "objects"), {"squares": distance(thing.square, square)})


def _check_near(play: Play, character: Character, thing: BattleObject) -> None:
    assert thing.square is not None
    figure = figure_of(play, character)
    if figure is not None and figure.soaring:
        raise Illegal(f"{character.name} is soaring, so it can move only soaring characters.", (TOPIC, "soaring"))
    near = touching(play, character.squares, (thing.square,), f"{character.name} and {thing.name or thing.id}")
    if not near and thing.square not in character.squares:
        raise Illegal(near.because[0], (TOPIC, *near.topics))


def _move_figure(play: Play, character: Character, target: Character) -> None:
    if size_of(target) == SENTINEL:
        raise Illegal(f"{target.name} is a Sentinel, so Telekinesis can't move it.", (TOPIC, "sentinel"))
    friendly = play.friendly(character, target)
    if why := why_unaffected(play, target, "Telekinesis", friendly=friendly):
        raise Illegal(f"Telekinesis doesn't affect {target.name}: {why}.", (TOPIC,))
    play.this_action.next_step = StepName.MOVE if friendly else StepName.TARGETS
    one, other = figure_of(play, character), figure_of(play, target)
    if one is None or other is None or character.id == target.id:
        raise Illegal("Telekinesis can move only another character on the map.", (TOPIC,))
    near = figures_adjacent(play, one, other, "close")
    if not near:
        raise Illegal(near.because[0], (TOPIC, *near.topics, "adjacency"))
    found = can_target(play, "close", character, target, ("Telekinesis",))
    if not friendly and not found and not play.overrides:
        raise Illegal(" ".join(found.because), (TOPIC, *found.topics))
    square = _destination(play, character, target.squares, target.id)
    here = standing_of(play).at.get(square)
    if here is not None and here.character.id != target.id:
        play.note(Met.ENDS_ON_FIGURE)
        raise Illegal(f"{here.name} occupies {square}, so nothing can be put there.", (TOPIC, "occupancy"))
    if not friendly:
        strike = Strike(
            kind="close",
            attacker=character.id,
            targets=(target.id,),
            using=("Telekinesis",),
            deals_damage=False,
            knocks_back=False,
            topics=(TOPIC,),
        )
        result = make_attack(play, strike)
        if not result.succeeded or not play.character(target.id).on_map:
            return
    current = play.character(target.id)
    if opponents_beside(play, other, "movement"):
        play.note(Met.LEAVES_OPPONENT, of=target.id)
    if (ground_of(play).hindering_feet | ground_of(play).water) & ground_of(play).bit(square):
        play.note(Met.SET_DOWN_IN_TERRAIN, of=target.id)
    play.change(replace(current, squares=(square,)))
    leave_home(play, play.character(target.id), (square,))
    text = f"{character.name} places {target.name} in {square}."
    topics = (TOPIC, *(("held-object", "objects") if target.holding is not None else ()))
    play.record(StepName.MOVE, text, topics)


def _fire(play: Play, given: Action, character: Character, rules: Lifting) -> None:
    """Fire an object at an opponent: 10 squares from the object, 5 to a soaring one; 2002: 1 more to elevated terrain.

    The object in flight neither blocks nor hinders the line of fire (Steenbock, 2002-05-25; Telekinesis, 2005).
    """
    thing = play.position.object(str(given.with_object))
    target = play.position.find(given.targets[0])
    if thing is None or thing.square is None or thing.removed or target is None or not target.on_map:
        raise Illegal(
            "Telekinesis can fire only an object that lies on the map, and only at a character on the map.",
            (TOPIC, "thrown-object"),
        )
    _check_near(play, character, thing)
    found = _in_reach(play, thing.square, target) if rules.flies_around else _straight(play, thing.square, target)
    if not found:
        raise Illegal(found.because[0], found.topics)
    play.change_object(replace(thing, square=None))
    line = line_of_fire(play, spot_of(character), spot_of(target))
    if line.result == "blocked":
        raise Illegal(line.because[0], (TOPIC, *line.topics))
    _reach, damage = play.edition.combat.thrown.get(thing.kind, (0, 3))
    own = figure_of(play, character)
    near = [other.character.id for other in opponents_beside(play, own, "ranged")] if own is not None else []
    free = rules.fliers_fire_past and own is not None and (own.hovering or own.soaring)
    if near and target.id not in near and not free:
        raise Illegal(
            f"{character.name} is adjacent to an opponent, so {character.name} can fire only at an adjacent opponent.",
            (TOPIC, "ranged-combat"),
        )
    if play.friendly(character, target):
        raise Illegal(f"{target.name} is friendly to {character.name}.", (TOPIC, "friendly-figures"))
    strike = Strike(
        checked=True,
        kind="ranged",
        attacker=character.id,
        targets=(target.id,),
        using=("Telekinesis",),
        object=thing,
        thrown=True,
        reach=10_000,
        damage=damage,
        because=f"a {thing.kind.value} object",
        topic=TOPIC,
        topics=(TOPIC, "thrown-object"),
    )
    make_with_help(play, given, strike)


def _straight(play: Play, start: Square, target: Character) -> ReasonedAnswer:
    """Return whether a target is within 10 squares of the object, or 5 if it soars (2005)."""
    figure = figure_of(play, target)
    assert figure is not None
    most = REACH // 2 if figure.soaring else REACH
    away = min(distance(start, square) for square in target.squares)
    because = f"{target.name} is {in_squares(away)} from the object; the maximum is {most}."
    return ReasonedAnswer(away <= most, (because,), (TOPIC, "range", "thrown-object"))


def _in_reach(play: Play, start: Square, target: Character) -> ReasonedAnswer:
    """Return whether a path of at most 10 squares leads from the object to the target, around blocking terrain."""
    ground, figure = ground_of(play), figure_of(play, target)
    assert figure is not None
    most = REACH // 2 if figure.soaring else REACH
    more = 1 if figure.level > 1 and not figure.soaring else 0
    costs = {start: 0}
    waiting = [start]
    for here in waiting:
        if here in target.squares:
            away = costs[here] + more
            because = f"{target.name} is {in_squares(away)} from the object; the maximum is {most}."
            return ReasonedAnswer(away <= most, (because,), (TOPIC, "range", "thrown-object"))
        for right in (-1, 0, 1):
            for down in (-1, 0, 1):
                after = Square(here.column + right, here.row + down)
                if after in costs or not ground.has(after):
                    continue
                if ground.blocking & ground.bit(after) and after not in target.squares and not figure.soaring:
                    continue
                if ground.crosses(ground.parting, here, after) and not figure.soaring:
                    continue
                costs[after] = costs[here] + 1
                waiting.append(after)
    return ReasonedAnswer(
        False, (f"No path around blocking terrain leads to {target.name}.",), (TOPIC, "blocking-terrain")
    )


def lift(play: Play, given: Action, character: Character) -> None:
    """Move an adjacent character or an object, or attack with an object; nothing large or immobile can be moved.

    Sources: Telekinesis, Double-base, Giant and Big Characters (2005); Multi-base Characters, Immobile and Ultra Heavy
    Objects (2014).
    """
    for name in (*given.targets, *((given.with_object,) if given.with_object is not None else ())):
        thing = play.position.object(name)
        if thing is not None and thing.kind in (ObjectKind.IMMOBILE, ObjectKind.ULTRA_HEAVY):
            raise Illegal(f"{thing.kind.value.capitalize()} objects can't be moved.", ("telekinesis", thing.kind.value))
        moved = play.position.find(name) if given.with_object is None else None
        if moved is None:
            continue
        if moved.base is not BaseKind.SINGLE:
            raise Illegal(f"{moved.name} has a larger base, so it can't be moved.", ("telekinesis", "multi-base"))
        if size_of(moved) >= GIANT and play.edition.movement.giants_break_away:
            raise Illegal(f"{moved.name} is a giant or big character, so it can't be moved.", ("telekinesis", "giant"))
    telekinesis(play, given, character, LIFTING)


def on_figures_and_objects(play: Play, character: Character, plain: Action) -> Iterator[Action]:
    """Yield the uses of Telekinesis: on each character, on each object, and with each object on each character."""
    figures = [figure.character.id for figure in standing_of(play).figures.values()]
    yield from (replace(plain, targets=(name,)) for name in figures)
    for thing in play.position.objects:
        yield replace(plain, targets=(thing.id,))
        yield from (replace(plain, targets=(name,), with_object=thing.id) for name in figures)


TELEKINESIS_2002 = Power(
    name="Telekinesis",
    topic="telekinesis",
    action=("close", "ranged"),
    targets="all",
    act=telekinesis,
    uses=on_figures_and_objects,
)
TELEKINESIS = Power(
    name="Telekinesis",
    topic="telekinesis",
    action=("power",),
    targets="all",
    act=lift,
    uses=on_figures_and_objects,
)
