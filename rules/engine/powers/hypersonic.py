"""Hypersonic Speed of each book, and Move and Attack of transporters: an attack at any time during a move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.action import Action
from rules.engine.actions.attacking import attack, strike_of
from rules.engine.actions.declining import declining
from rules.engine.actions.granting import check_own, grant
from rules.engine.actions.moving import move
from rules.engine.actions.taking_part import note_action, note_targets
from rules.engine.combat.attack import choose_targets, count_attack, follow, shape_change, suffer_critical_miss
from rules.engine.combat.damage import take
from rules.engine.combat.destruction import check_goal, destroy, goal_of
from rules.engine.combat.hits import attack_on, attack_total, defense_against, roll_attack
from rules.engine.combat.knocked_back import knock_back_the_hit
from rules.engine.combat.roll import Roll, roll_dice
from rules.engine.combat.strike import Hit
from rules.engine.errors import Illegal, TargetRefused
from rules.engine.figures.abilities import powers_of
from rules.engine.figures.adjacency import opponents_beside
from rules.engine.figures.standing import figure_of
from rules.engine.play import Attack, AttackKind, Damage, Play, Strike
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square, distance
from rules.engine.power import Act, Moving, Power
from rules.engine.powers.building import ignoring, only_target, when_used
from rules.engine.reasons import Modifier, Part, Parts, Replacement, listed, sum_of
from rules.engine.steps import StepName

MOVE_AND_ATTACK = "Move and Attack"


# ── Hypersonic Speed of 2002 ───────────────────────────────────────────────────────────────────


def hypersonic(play: Play, given: Action, character: Character) -> None:
    """Move past opponents with an attack at any time; or make a chain of close attacks without moving (2002)."""
    if given.kind == "close":
        if given.then:
            raise Illegal("Hypersonic Speed without a move grants no further action.", ("hypersonic-speed", "actions"))
        _hypersonic_chain(play, given, character)
        return
    if given.then and given.carry:
        topics = ("hypersonic-speed", "carry", "attack")
        raise Illegal("Hypersonic Speed with an attack can't carry anyone.", topics)
    check_own(play, given)
    if len(given.then) > 1:
        raise Illegal("Hypersonic Speed grants only 1 attack.", ("hypersonic-speed",))
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
    except TargetRefused:
        if not rest:
            raise
    if rest and play.character(character.id).on_map:
        onward = replace(given, carry=(), pick_up=None, put_down=None)
        move(play, onward, path=rest, used_up=max(spent, 1))


def _split(given: Action, character: Character, inner: Action) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    """Return the path before and after the square of the attack."""
    if inner.at in character.squares:
        return (), (*given.path, *inner.path)
    if inner.at not in given.path:
        raise Illegal(f"The path doesn't lead through {inner.at}.", ("hypersonic-speed", "movement"))
    here = given.path.index(inner.at) + 1
    return given.path[:here], (*given.path[here:], *inner.path)


def _hypersonic_chain(play: Play, given: Action, character: Character) -> None:
    """Attack repeatedly: each hit deals 1 and raises the defense by 1 for the next attack, until one misses.

    A miss, knock back or the attacker ends it; then all damage is taken at once. Source: Hypersonic Speed, FAQ.
    """
    strike = strike_of(play, replace(given, with_object=None), "close")
    strike = replace(strike, because="Hypersonic Speed deals 1 for each hit", topic="hypersonic-speed", object=None)
    if len(given.targets) == 1 and goal_of(play, given.targets[0]) is not None:
        _hypersonic_rubble(play, given, strike)
        return
    target = only_target(play, given)
    choose_targets(play, strike)
    shape_change(play, strike)
    most = given.attacks
    damage = hits = 0
    roll = last_hit = None
    while most is None or hits < most:
        if most is None and hits and not play.this_action.dice.has("attack"):
            break
        last_hit = None
        roll = roll_attack(play, strike)
        if not _chained(play, strike, target, roll, hits):
            break
        last_hit = roll
        hits += 1
        damage += 2 if roll.critical_hit else 1
        if roll.doubles:
            break
    taken: dict[str, int] = {}
    if damage and not _evades_the_whole(play, target):
        text = f"{character.name} deals {target.name} {damage} damage for {hits} hit{'' if hits == 1 else 's'}."
        parts = _chain_damage(damage, hits)
        topics = ("damage-dealt", "hypersonic-speed")
        play.record(StepName.DAMAGE_DEALT, text, topics, {"damage": damage}, parts={"damage": parts})
        attack = attack_on(play, strike, target)
        dealt = Damage(play.character(target.id), damage, "attack", character, attack, parts=parts)
        then = play.position
        taken = dict(take(play, (dealt,)))
        follow(play, strike, taken, then)
    if last_hit is not None:
        knock_back_the_hit(play, strike, last_hit, (Hit(target.id),), taken, {})
    if roll is not None:
        suffer_critical_miss(play, strike, roll)
    count_attack(play, strike)


def _chain_damage(damage: int, hits: int) -> Parts:
    """Return the parts of a chain's damage: 1 for each hit, and 1 more if any was a critical hit."""
    parts = (Part("printed", hits, "damage, 1 for each hit", "hypersonic-speed"),)
    if damage == hits:
        return parts
    return (*parts, Part("changed", damage - hits, "two 6s", "critical-hit"))


def _hypersonic_rubble(play: Play, given: Action, strike: Strike) -> None:
    """Attack a wall, blocking terrain or an object repeatedly: every roll but two 1s deals 1 damage, 3 destroy it.

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
    """Return whether one attack of the chain hits, against a defense raised by 1 for each earlier hit."""
    if roll.critical_miss:
        play.record(StepName.MISS, "Two 1s: the chain of attacks ends.", ("critical-miss", "hypersonic-speed"))
        return False
    current = play.character(target.id)
    against = defense_against(play, strike, current).parts
    if hits:
        against = (*against, Part("changed", hits, "earlier attacks of this action (1 each)", "hypersonic-speed"))
    defense = sum_of(against)
    made = attack_total(play, strike, current, roll)
    total = sum_of(made)
    hit = roll.critical_hit or total >= defense
    if roll.critical_hit:
        play.record(StepName.CRITICAL_HIT, "Two 6s: the damage increases by 1.", ("critical-hit", "hypersonic-speed"))
    text = f"{total} against {target.name}'s defense {defense}: {'hit' if hit else 'miss, and the chain ends'}."
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
        done = "evades the attack" if away else "doesn't evade the attack"
        text = f"{target.name} rolls {rolled.total} for {power.name} and {done}."
        step = StepName.EVADE if away else StepName.ROLL
        play.record(step, text, (power.topic, "hypersonic-speed"), {"roll": rolled.total})
        if away:
            return True
    return False


def any_move(named: Iterable[Power]) -> bool:
    """Return true: Hypersonic Speed eases every move of the character, whatever powers the move names (2002)."""
    return True


# ── An attack in mid-move ──────────────────────────────────────────────────────────────────────


def attack_in_mid_move(name: str, topic: str, *, attacks_only: bool, starts_free: bool) -> Act:
    """Return an act: a move with one attack at any time, in a square where the character could end its move.

    `attacks_only`: it grants an attack and not an action, so no power that requires an action can be used (2014,
    Attacks and Actions). `starts_free`: the move may not begin adjacent to an opponent (transporters).
    """

    def act(play: Play, given: Action, character: Character) -> None:
        figure = figure_of(play, character)
        if starts_free and figure is not None and (beside := opponents_beside(play, figure, "movement")):
            names = listed([other.name for other in beside])
            raise Illegal(f"{character.name} can't move and attack: it is adjacent to {names}.", (topic,))
        if len(given.then) > 1:
            raise Illegal(f"{name} grants only 1 attack.", (topic,))
        inner = given.then[0] if given.then else None
        first, rest = _parts(given, character, inner, topic)
        early = _picks_up_before(play, given, character, first)
        aboard = [play.character(passenger) for passenger in given.carry]
        cost = move(play, _with_object(given, early), path=first, lands=not rest)
        if cost is None or inner is None:
            return
        made = _attack(play, inner, name, topic, character, attacks_only)
        if not rest:
            if not made:
                raise TargetRefused
            return
        if not play.character(character.id).on_map:
            for passenger in aboard:
                play.change(passenger)
                text = f"{character.name} is off the map, so {passenger.name} stays in {passenger.squares[0]}."
                play.record(StepName.RESOLVE, text, (topic, "carry"))
            return
        move(play, _with_object(given, not early), path=rest, used_up=cost, aboard=aboard)

    return act


def _parts(
    given: Action, character: Character, inner: Action | None, topic: str
) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    """Return the path before and after the attack."""
    if inner is None:
        return given.path, ()
    if inner.at is None or (inner.at in character.squares and inner.at not in given.path):
        return (given.path, inner.path) if inner.at is None else ((), (*given.path, *inner.path))
    if inner.at not in given.path:
        raise Illegal(f"The path doesn't lead through {inner.at}.", (topic, "movement"))
    here = given.path.index(inner.at) + 1
    return given.path[:here], (*given.path[here:], *inner.path)


def _picks_up_before(play: Play, given: Action, character: Character, first: tuple[Square, ...]) -> bool:
    thing = play.position.object(given.pick_up) if given.pick_up is not None else None
    if thing is None or thing.square is None:
        return True
    return any(distance(square, thing.square) <= 1 for square in (*character.squares, *first))


def _with_object(given: Action, touching: bool) -> Action:
    return given if touching else replace(given, pick_up=None, put_down=None)


def _attack(play: Play, inner: Action, name: str, topic: str, character: Character, attacks_only: bool) -> bool:
    """Make the attack in mid-move; return whether it was made and not prevented by Shape Change."""
    outer, play.this_action.place = play.this_action.place, inner.place
    play.this_action.next_step = StepName.TARGETS
    kind: AttackKind | None = "close" if inner.kind == "close" else "ranged" if inner.kind == "ranged" else None
    if kind is None or inner.actor not in (None, character.id):
        raise Illegal(f"{name} grants only a close or ranged attack, and only to {character.name}.", (topic, "actions"))
    if attacks_only and inner.with_object is not None and play.edition.combat.object_in_hand == "named":
        raise Illegal(f"{name} grants only an attack: using an object needs its own action.", (topic, "object-attack"))
    rows = {power.name: power for power in powers_of(play, play.character(character.id))}
    for used in inner.using:
        row = rows.get(used)
        if row is None:
            raise Illegal(f"{character.name} can't use {used} now.", (topic, "powers"))
        if row.action and attacks_only:
            raise Illegal(f"{name} grants only an attack: {used} needs its own action.", (topic, row.topic, "actions"))
        if row.action and kind not in row.action:
            raise Illegal(f"{used} can't be used in a {kind} attack.", (topic, row.topic))
    now = play.this_action
    choices = now.choices
    now.choices = choices.with_those_of(inner.choose)
    try:
        fitted = replace(inner, actor=character.id, using=(*inner.using, name), path=(), at=None)
        with declining(play, inner.choose), play.this_action.notes.within():
            note_action(play, fitted)
            note_targets(play, fitted)
            attack(play, fitted, kind)
        made = True
    except TargetRefused:
        made = False
    finally:
        now.choices = choices
    now.place = outer
    return made


def _two_less(play: Play, character: Character, value: ValueName, given: Attack | None) -> Iterable[Modifier]:
    """Return the transporter's modifier of −2 to the attack value of its move."""
    own = given is not None and MOVE_AND_ATTACK in given.using and given.attacker.id == character.id
    return (Modifier(-2, "an attack in mid-move", "transporter"),) if own and value is ValueName.ATTACK else ()


def _past_opponents(play: Play, character: Character) -> frozenset[str]:
    """Return what a transporter ignores on a move that begins beside no opponent; the attack is optional.

    Source: Transporters, Move and attack (2005).
    """
    figure = figure_of(play, character)
    begun = MOVE_AND_ATTACK in play.this_action.using
    free = begun or figure is None or not opponents_beside(play, figure, "movement")
    return frozenset({"adjacent"}) if free else frozenset()


def _where_nothing_acts(named: Iterable[Power]) -> bool:
    """Return whether a transporter's move is eased without the attack: unless another power makes it more."""
    return not any(power.act is not None or power.moving.grants for power in named)


HYPERSONIC_SPEED_2002 = Power(
    name="Hypersonic Speed",
    topic="hypersonic-speed",
    action=("move", "close"),
    moving=Moving(moves_past=ignoring("adjacent", "break-away"), eases=any_move),
    act=hypersonic,
    resolves_then=True,
)
_HALF_RANGE = Replacement("halve", "Hypersonic Speed halves the range", "hypersonic-speed")
HYPERSONIC_SPEED_2005 = Power(
    name="Hypersonic Speed",
    topic="hypersonic-speed",
    action=("power",),
    replace_value=when_used("Hypersonic Speed", ValueName.RANGE, _HALF_RANGE),
    act=attack_in_mid_move("Hypersonic Speed", "hypersonic-speed", attacks_only=False, starts_free=False),
    resolves_then=True,
    moving=Moving(moves_past=ignoring("characters", "break-away")),
)
HYPERSONIC_SPEED = replace(
    HYPERSONIC_SPEED_2005,
    act=attack_in_mid_move("Hypersonic Speed", "hypersonic-speed", attacks_only=True, starts_free=False),
)
TRANSPORTER = Power(
    name=MOVE_AND_ATTACK,
    topic="transporter",
    action=("move",),
    implied_by="attack",
    modify_value=_two_less,
    moving=Moving(moves_past=_past_opponents, eases=_where_nothing_acts),
    act=attack_in_mid_move(MOVE_AND_ATTACK, "transporter", attacks_only=False, starts_free=True),
    resolves_then=True,
)
