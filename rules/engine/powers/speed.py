"""Speed powers: how their bearers move, hide and break away. What they do in an attack joins its sequence there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.action import Action
from rules.engine.actions.attacking import attack, strike_of
from rules.engine.actions.granting import check_own, grant
from rules.engine.actions.moving import move
from rules.engine.combat.attack import (
    choose_targets,
    count_attack,
    follow,
    make_attack,
    shape_change,
    suffer_critical_miss,
)
from rules.engine.combat.damage import take
from rules.engine.combat.destruction import check_goal, destroy, goal_of
from rules.engine.combat.hits import attack_on, attack_total, defense_against, roll_attack
from rules.engine.combat.knocked_back import knock_back_the_hit, send_back
from rules.engine.combat.roll import Roll, roll_dice
from rules.engine.combat.strike import Hit
from rules.engine.combat.targets import can_target
from rules.engine.combat.tokens import give_token
from rules.engine.errors import Illegal, Refused, Untargeted
from rules.engine.figures.abilities import can_use, powers_of
from rules.engine.figures.adjacency import figures_adjacent, opponents_beside
from rules.engine.figures.standing import figure_of, leaves_unaffected
from rules.engine.figures.values import value_of
from rules.engine.memory import Controlled, Lent
from rules.engine.met import Met
from rules.engine.play import Attack, AttackKind, Damage, Play, Strike
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square
from rules.engine.power import Attacking, Defending, Moving, Power
from rules.engine.powers.building import (
    against_all_but_sentinels,
    ignoring,
    never,
    only_target,
    plus,
)
from rules.engine.reasons import Part, Parts, Replacement, sum_of
from rules.engine.steps import StepName

NOT_KNOCKED_BACK = never("{} has Charge")


def _range_of_four(play: Play, character: Character, value: ValueName, attack: Attack | None) -> Iterable[Replacement]:
    """A printed range of 0 counts as 4 for Mind Control (2002)."""
    used = attack is not None and "Mind Control" in attack.using and attack.attacker.id == character.id
    if used and value is ValueName.RANGE and character.range == 0:
        return (Replacement(4, "Mind Control reaches 4 squares without a range", "mind-control"),)
    return ()


def force_blast(play: Play, given: Action, character: Character) -> None:
    """Move one adjacent opponent straight away by the damage value; only where that ends may hurt it (2002).

    No attack and no break away roll. Charge does not protect from it, a Sentinel is not affected.
    """
    play.this_action.next_step = StepName.TARGETS
    target = only_target(play, given)
    one, other = figure_of(play, character), figure_of(play, target)
    if one is None or other is None or play.friendly(character, target):
        raise Illegal("Force Blast is used on an opponent on the map.", ("force-blast", "friendly-figures"))
    if not figures_adjacent(play, one, other, "close"):
        raise Illegal(f"{target.name} is not adjacent to {character.name}.", ("force-blast", "adjacency"))
    if leaves_unaffected(play, target, "Force Blast"):
        text = f"{target.name} is a Sentinel: Force Blast does not affect it."
        play.record(StepName.RESOLVE, text, ("force-blast", "sentinel"))
        return
    blast = value_of(play, character, ValueName.DAMAGE)
    text = f"{character.name} blasts {target.name} {blast.total} squares away; the blast itself does no damage."
    numbers, parts = {"squares": blast.total}, {"squares": blast.parts}
    play.record(StepName.TARGETS, text, ("force-blast", "knockback"), numbers, parts=parts)
    send_back(play, play.character(target.id), character, blast.parts, already_reduced=False)


def flurry(play: Play, given: Action, character: Character, *, resolves: bool = False) -> None:
    """Make two close attacks with one action, each resolved by itself, against one or two adjacent figures.

    Each may be made with a power that asks for a close combat action, also one that does no damage (Support).
    The second is not made where the first has cost its bearer the power or its place on the map, or has put the same
    target out of reach; `resolves` says that
    an action which is in progress goes on without the power (2014, 2020s). Raises Refused where none was made.
    """
    refused = 0
    others = tuple(name for name in given.using if name != "Flurry")
    targets = given.targets
    if not targets:
        raise Untargeted("Flurry makes two attacks: name a target for each.", ("flurry",))
    if len(targets) > 2:
        raise Illegal("Flurry makes two attacks: name a target for each.", ("flurry",))
    if play.edition.combat.destroying_is_no_attack and any(play.position.find(name) is None for name in targets):
        raise Illegal("Flurry makes attacks; destroying is none.", ("flurry", "destroy-terrain", "costed-actions"))
    for number, name in enumerate(targets):
        current = play.character(character.id)
        if number and not (current.on_map and (resolves or can_use(play, current, "Flurry"))):
            text = f"{character.name} cannot use Flurry any more: the second attack is not made."
            play.record(StepName.RESOLVE, text, ("flurry",))
            return
        if number and play.position.find(name) is not None and not play.character(name).on_map:
            text = f"{play.character(name).name} is gone: the second attack is not made."
            play.record(StepName.RESOLVE, text, ("flurry",))
            return
        if number and name == targets[0] and _out_of_reach(play, given, current, name):
            text = f"{play.character(name).name} is out of reach now: the second attack is not made."
            play.record(StepName.RESOLVE, text, ("flurry", "knockback"))
            return
        play.record(StepName.RESOLVE, f"Attack {number + 1} of Flurry.", ("flurry",))
        held = given.with_object if given.with_object == current.holding else None
        one = replace(given, targets=(name,), using=others, with_object=held)
        act = next((power.act for power in powers_of(play, current) if power.name in others and power.act), None)
        try:
            if act is not None:
                act(play, one, current)
            else:
                attack(play, one, "close")
        except Refused:
            refused += 1
    if refused == len(targets):
        raise Refused


def _out_of_reach(play: Play, given: Action, attacker: Character, name: str) -> bool:
    """Return whether the first attack has put its target out of reach of the second: knocked it back, moved it."""
    target = play.position.find(name)
    return target is not None and not can_target(play, "close", attacker, target, given.using)


def refuses_control(play: Play, character: Character, target: Character) -> str | None:
    """Return why somebody is not mind-controlled: Battle Fury."""
    if can_use(play, target, "Battle Fury"):
        return f"{target.name} has Battle Fury and is immune to Mind Control."
    return None


def refuses_control_of_the_pushed(play: Play, character: Character, target: Character) -> str | None:
    """Return why somebody is not mind-controlled: two action tokens (2002), Battle Fury."""
    if target.tokens >= 2:
        return f"{target.name} bears two action tokens: no target of Mind Control."
    return refuses_control(play, character, target)


def mind_control(play: Play, given: Action, character: Character, *, free: bool = False) -> None:
    """Attack without damage; whoever is hit takes one action as a friend of the controller's, and a token.

    1 click to the controller for each full 100 points of those it controls. Sentinels are not affected, a figure
    with two tokens is no target. Source: Mind Control with its FAQ and examples. `free`: what the controlled do is a
    free action (later books): tokens do not matter, and none is given.
    """
    kind: AttackKind = "close" if given.kind == "close" else "ranged"
    given = _with_their_actions(play, given, free=free)
    for name in given.targets:
        target = play.position.find(name)
        if target is None:
            raise Illegal("Mind Control targets figures.", ("mind-control",))
        immune = refuses_control(play, character, target)
        if immune is not None:
            raise Illegal(immune, ("mind-control", "battle-fury"))
        pushed = None if free else refuses_control_of_the_pushed(play, character, target)
        if pushed is not None:
            raise Illegal(pushed, ("mind-control", "pushing", "action-tokens"))
    strike = replace(strike_of(play, replace(given, using=("Mind Control",)), kind), deals_damage=False, object=None)
    struck = make_attack(play, strike)
    controlled = [hit.character for hit in struck.hits if hit.targeted]
    points = 0
    for name in controlled:
        if leaves_unaffected(play, play.character(name), "Mind Control"):
            text = f"{play.character(name).name} is a Sentinel and is not affected."
            play.record(StepName.RESOLVE, text, ("mind-control", "sentinel"))
            continue
        if not play.character(name).on_map:
            continue
        points += play.character(name).points // 100
        acted = False
        for inner in given.then:
            if inner.actor != name:
                continue
            if acted and not free:
                text = f"Mind Control gives {play.character(name).name} one action."
                raise Illegal(text, ("mind-control", "actions"))
            goes_on = _under_control(play, given, inner, name, character.id, free=free)
            acted = acted or goes_on is not None
            if goes_on is False:
                break
    current = play.character(character.id)
    if points and current.on_map:
        text = f"{character.name} takes {points} damage: 1 for each full 100 points that it controlled."
        parts = {"damage": (Part("printed", points, "1 for each full 100 points controlled", "mind-control"),)}
        play.record(StepName.DAMAGE_DEALT, text, ("mind-control",), {"damage": points}, parts=parts)
        take(play, (Damage(current, points, "own-power", current, unavoidable=True),))


def _with_their_actions(play: Play, given: Action, *, free: bool) -> Action:
    """Return the action with what each target is to do, and nobody else.

    What names nobody is done by the only target. Outwit and Perplex are no actions and are not used inside one (2002).
    """
    topics = ("mind-control", "actions")
    only = given.targets[0] if len(given.targets) == 1 else None
    then = tuple(replace(inner, actor=inner.actor or only) for inner in given.then)
    for inner in then:
        if inner.actor not in given.targets:
            raise Illegal("Mind Control gives an action to those whom it targets, to nobody else.", topics)
        if inner.kind == "free" and not free:
            play.note(Met.WITHIN_ACTION)
            named = [row.topic for name in inner.using if (row := play.edition.powers.get(name)) is not None]
            raise Illegal("Inside the action of Mind Control no free power is used.", (*topics, *named))
    return replace(given, then=then)


def _under_control(play: Play, given: Action, inner: Action, name: str, controller: str, *, free: bool) -> bool | None:
    """Let a controlled figure act for its controller: friendly to that side until the action ends, then its token.

    Return whether it may go on: not where it has failed to break away (Breaking Away, 2020s). Where its target changed
    its shape the action is not made and costs it nothing: None, another may take its place.
    """
    began = len(play.steps)
    owner = play.player_of(play.character(name))
    side = play.player_of(play.character(controller))
    play.record(
        StepName.DECLARE,
        f"{play.character(name).name} is given a {inner.kind} action by {side}.",
        ("mind-control", "actions"),
    )
    play.position = play.position.moved_over(name, side)
    play.this_action.lent, play.this_action.controlled = Lent(name, owner), Controlled(name, controller)
    play.change(replace(play.character(name), acted=False))
    try:
        with play.this_action.notes.within():
            _note_controlled(play, inner)
            grant(play, replace(given, then=(inner,)), frozenset({"move", "close", "ranged", "power", "free", "pass"}))
    except Refused:
        play.this_action.controlled = None
        return None
    finally:
        play.this_action.lent = None
        play.position = play.position.moved_over(name, owner)
    current = play.character(name)
    if current.on_map and not free and inner.kind != "pass":
        give_token(play, current, ("mind-control",), acted=False)
    play.this_action.controlled = None
    names = [one.step for one in play.steps[began:]]
    return StepName.BREAK_AWAY not in names or StepName.MOVE in names


def _note_controlled(play: Play, inner: Action) -> None:
    if inner.kind in ("close", "ranged"):
        play.note(Met.CONTROLLED_ATTACKS)
    if inner.using:
        play.note(Met.CONTROLLED_USES_POWER)


def hypersonic(play: Play, given: Action, character: Character) -> None:
    """Move past opponents with an attack at any time; or, without moving, a chain of close attacks (2002)."""
    if given.kind == "close":
        _hypersonic_chain(play, given, character)
        return
    if given.then and given.carry:
        topics = ("hypersonic-speed", "carry", "attack")
        raise Illegal("Nobody is carried in a hypersonic move with an attack.", topics)
    check_own(play, given)
    if len(given.then) > 1:
        raise Illegal("One attack is made in a hypersonic move.", ("hypersonic-speed",))
    inner = given.then[0] if given.then else None
    first: tuple[Square, ...] = given.path
    rest: tuple[Square, ...] = ()
    if inner is not None:
        rest = inner.path
        if inner.at is not None:
            first, rest = _split(given, character, inner)
    spent = move(play, given, path=first)
    if spent is None or inner is None:
        return
    bare = replace(given, then=(replace(inner, path=(), at=None),), using=())
    try:
        grant(play, bare, frozenset({"close", "ranged"}))
    except Refused:
        if not rest:
            raise
    if rest and play.character(character.id).on_map:
        onward = replace(given, carry=(), pick_up=None, put_down=None)
        move(play, onward, path=rest, used_up=max(spent, 1))


def _split(given: Action, character: Character, inner: Action) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    """Return the path before and after the square in which the attack takes place."""
    if inner.at in character.squares:
        return (), (*given.path, *inner.path)
    if inner.at not in given.path:
        raise Illegal(f"The path does not lead through {inner.at}.", ("hypersonic-speed", "movement"))
    here = given.path.index(inner.at) + 1
    return given.path[:here], (*given.path[here:], *inner.path)


def _hypersonic_chain(play: Play, given: Action, character: Character) -> None:
    """Attack again and again: each hit deals 1, each further attack meets a defense one higher, until one misses.

    A miss, knock back or the attacker ends it; then all damage is taken at once. Source: Hypersonic Speed, FAQ.
    """
    strike = replace(strike_of(play, replace(given, with_object=None), "close"), damage=1)
    strike = replace(strike, because="Hypersonic Speed: 1 for each hit", topic="hypersonic-speed", object=None)
    if len(given.targets) == 1 and goal_of(play, given.targets[0]) is not None:
        _hypersonic_rubble(play, given, strike)
        return
    target = only_target(play, given)
    choose_targets(play, strike)
    shape_change(play, strike)
    most = given.attacks
    damage = hits = 0
    roll = None
    missed = False
    while most is None or hits < most:
        if most is None and hits and not play.this_action.dice.has("attack"):
            break
        roll = roll_attack(play, strike)
        missed = not _chained(play, strike, target, roll, hits)
        if missed:
            break
        hits += 1
        damage += 2 if roll.critical_hit else 1
        if roll.doubles:
            break
    taken: dict[str, int] = {}
    if damage and not _evades_the_whole(play, target):
        text = f"{character.name} deals {target.name} {damage} damage, all {hits} hits together."
        parts = _chain_damage(damage, hits)
        topics = ("damage-dealt", "hypersonic-speed")
        play.record(StepName.DAMAGE_DEALT, text, topics, {"damage": damage}, parts={"damage": parts})
        attack = attack_on(play, strike, target)
        dealt = Damage(play.character(target.id), damage, "attack", character, attack, parts=parts)
        taken = dict(take(play, (dealt,)))
        follow(play, strike, taken)
    if roll is not None:
        if not missed:
            knock_back_the_hit(play, strike, roll, (Hit(target.id),), taken, {})
        suffer_critical_miss(play, strike, roll)
    count_attack(play, strike)


def _chain_damage(damage: int, hits: int) -> Parts:
    """Return what makes the damage of a chain: 1 for each hit, and 1 more where a critical hit is among them."""
    parts = (Part("printed", hits, "1 for each hit", "hypersonic-speed"),)
    if damage == hits:
        return parts
    return (*parts, Part("changed", damage - hits, "two 6s", "critical-hit"))


def _hypersonic_rubble(play: Play, given: Action, strike: Strike) -> None:
    """Attack a wall, blocking terrain or an object again and again: every roll but two 1s is 1 damage, 3 destroy it.

    Source: Blocking Terrain with its FAQ (2002).
    """
    named = given.targets[0]
    check_goal(play, strike, named)
    most = 3 if given.attacks is None else min(3, given.attacks)
    hits = 0
    roll = None
    while hits < most:
        roll = roll_attack(play, replace(strike, targets=()))
        if roll.critical_miss:
            play.record(StepName.MISS, "Two 1s: the chain of attacks ends.", ("critical-miss", "hypersonic-speed"))
            break
        hits += 1
    destroy(play, replace(strike, damage=hits), named)
    if roll is not None:
        suffer_critical_miss(play, strike, roll)


def _chained(play: Play, strike: Strike, target: Character, roll: Roll, hits: int) -> bool:
    """Return whether one attack of the chain hits, against a defense that each earlier hit has raised by 1."""
    if roll.critical_miss:
        play.record(StepName.MISS, "Two 1s: the chain of attacks ends.", ("critical-miss", "hypersonic-speed"))
        return False
    current = play.character(target.id)
    against = defense_against(play, strike, current).parts
    if hits:
        against = (*against, Part("changed", hits, "1 for each earlier hit of the chain", "hypersonic-speed"))
    defense = sum_of(against)
    made = attack_total(play, strike, current, roll)
    total = sum_of(made)
    hit = roll.critical_hit or total >= defense
    if roll.critical_hit:
        play.record(StepName.CRITICAL_HIT, "Two 6s: one click more.", ("critical-hit", "hypersonic-speed"))
    text = f"{total} against defense {defense}: {'hit' if hit else 'miss, and the chain ends'}."
    numbers = {"total": total, "defense": defense, "hits": hits + hit}
    name, parts = StepName.HIT if hit else StepName.MISS, {"total": made, "defense": against}
    play.record(name, text, ("attack", "hypersonic-speed"), numbers, parts=parts)
    return hit


def _evades_the_whole(play: Play, target: Character) -> bool:
    """Return whether the target evades the finished chain (Super Senses, Impervious): one roll for all of it."""
    for power in powers_of(play, play.character(target.id)):
        if power.defending.evade is None:
            continue
        rolled = roll_dice(play, f"{power.defending.evade.roll}:{target.id}", 1, target)
        away = rolled.total in power.defending.evade.on
        text = f"{target.name} rolls {rolled.total} for {power.name}: {'the attack misses it' if away else 'hit'}."
        step = StepName.EVADE if away else StepName.ROLL
        play.record(step, text, (power.topic, "hypersonic-speed"), {"roll": rolled.total})
        if away:
            return True
    return False


def any_move(named: Iterable[Power]) -> bool:
    """Hypersonic Speed eases each move of its bearer, whatever powers the move names (2002)."""
    return True


def break_away_first(play: Play, character: Character, topics: tuple[str, ...]) -> bool:
    """A charging character breaks away before its attack, also where it stays (2002)."""
    return True


def move_first(play: Play, character: Character, topics: tuple[str, ...]) -> bool:
    """A character with Running Shot beside an opponent breaks away and moves before it shoots (2002)."""
    figure = figure_of(play, character)
    if figure is not None and opponents_beside(play, figure, "movement"):
        text = f"{figure.name} is adjacent to an opponent: it breaks away and moves before it shoots."
        raise Illegal(text, ("break-away", *topics))
    return False


STEALTH = Power(name="Stealth", topic="stealth", defending=Defending(hides_behind_hindering=True))
PLASTICITY = Power(
    name="Plasticity",
    topic="plasticity",
    moving=Moving(break_away_bonus=plus(2), holds_back=against_all_but_sentinels(-2)),
)

LEAP_CLIMB_2002 = Power(
    name="Leap/Climb",
    topic="leap-climb",
    action=("move",),
    moving=Moving(
        moves_past=ignoring("characters", "hindering", "elevated", "outdoor-blocking", "break-away"),
        rests_on_blocking=True,
    ),
    attacking=Attacking(reaches_other_elevations=True),
)
LEAP_CLIMB = Power(
    name="Leap/Climb",
    topic="leap-climb",
    action=("move",),
    moving=Moving(moves_past=ignoring("characters", "hindering", "elevated", "outdoor-blocking", "break-away")),
    attacking=Attacking(reaches_other_elevations=True),
)
PHASING = Power(
    name="Phasing",
    topic="phasing",
    action=("move",),
    moving=Moving(moves_past=ignoring("characters", "hindering", "elevated", "blocking", "break-away")),
)
PHASING_TELEPORT = Power(
    name="Phasing/Teleport",
    topic="phasing-teleport",
    action=("move",),
    moving=Moving(moves_past=ignoring("characters", "hindering", "elevated", "blocking", "break-away")),
)
HYPERSONIC_SPEED_2002 = Power(
    name="Hypersonic Speed",
    topic="hypersonic-speed",
    action=("move", "close"),
    moving=Moving(moves_past=ignoring("adjacent", "break-away"), eases=any_move),
    act=hypersonic,
)
HYPERSONIC_SPEED = Power(
    name="Hypersonic Speed",
    topic="hypersonic-speed",
    action=("power",),
    moving=Moving(moves_past=ignoring("characters", "break-away"), halves_speed=True),
)

CHARGE_2002 = Power(
    name="Charge",
    topic="charge",
    action=("move",),
    moving=Moving(halves_speed=True, grants=("close",), before_attack=break_away_first, starts_eased=True),
    defending=Defending(may_be_knocked_back=NOT_KNOCKED_BACK),
)
CHARGE = Power(
    name="Charge",
    topic="charge",
    action=("power",),
    moving=Moving(halves_speed=True, grants=("close",)),
    defending=Defending(may_be_knocked_back=NOT_KNOCKED_BACK),
)
CHARGE_MODERN = Power(
    name="Charge",
    topic="charge",
    action=("power",),
    moving=Moving(halves_speed=True, grants=("close",)),
)
RUNNING_SHOT_2002 = Power(
    name="Running Shot",
    topic="running-shot",
    action=("move",),
    moving=Moving(halves_speed=True, grants=("ranged",), before_attack=move_first, starts_eased=True),
)
RUNNING_SHOT = Power(
    name="Running Shot",
    topic="running-shot",
    action=("power",),
    moving=Moving(halves_speed=True, grants=("ranged",)),
)

FORCE_BLAST_2002 = Power(name="Force Blast", topic="force-blast", action=("move",), act=force_blast)
FORCE_BLAST = Power(name="Force Blast", topic="force-blast", action=("power",))
FLURRY = Power(name="Flurry", topic="flurry", action=("close",), act=flurry)
MIND_CONTROL_2002 = Power(
    name="Mind Control",
    topic="mind-control",
    action=("close", "ranged"),
    replace_value=_range_of_four,
    may_target=refuses_control_of_the_pushed,
    act=mind_control,
)
MIND_CONTROL = Power(
    name="Mind Control",
    topic="mind-control",
    action=("close", "ranged"),
    may_target=refuses_control,
    act=mind_control,
)
SIDESTEP = Power(name="Sidestep", topic="sidestep", action=("free",))
EARTHBOUND = Power(name="Earthbound", topic="earthbound", known=False)
EARTHBOUND_NEUTRALIZED = Power(name="Earthbound/Neutralized", topic="earthbound-neutralized", known=False)
