"""Speed powers of the later books, and the transporters' ability to move and attack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.action import Action
from rules.engine.actions.attacking import attack
from rules.engine.actions.declining import declining
from rules.engine.actions.moving import move
from rules.engine.actions.taking_part import note_targets
from rules.engine.combat.knock_back import refuses_knock_back
from rules.engine.combat.knocked_back import send_back
from rules.engine.combat.roll import roll_dice
from rules.engine.combat.targets import spared
from rules.engine.errors import Illegal, Refused
from rules.engine.figures.abilities import powers_of
from rules.engine.figures.adjacency import figures_adjacent, opponents_beside
from rules.engine.figures.standing import figure_of
from rules.engine.play import Attack, AttackKind, Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square, distance
from rules.engine.power import Act, Moving, Power
from rules.engine.powers import speed
from rules.engine.powers.building import only_target, used_now, when_used
from rules.engine.powers.later_damage import CLOSE_ACTIONS, others
from rules.engine.reasons import Change, Part, Replacement
from rules.engine.steps import StepName

MOVE_AND_ATTACK = "Move and Attack"
SIDESTEP_SQUARES = 2


# ── An attack in mid-move ──────────────────────────────────────────────────────────────────────


def attack_in_mid_move(name: str, topic: str, *, attacks_only: bool, starts_free: bool) -> Act:
    """Return a move with one attack at any time during it, where its bearer could end its move.

    `attacks_only`: what is granted is an attack and no action, so that no power that asks for an action is used
    (2014, Attacks and Actions). `starts_free`: the move may not begin adjacent to an opponent (transporters).
    """

    def act(play: Play, given: Action, character: Character) -> None:
        figure = figure_of(play, character)
        if starts_free and figure is not None and (beside := opponents_beside(play, figure, "movement")):
            raise Illegal(f"{character.name} is adjacent to {beside[0].name} and cannot move and attack.", (topic,))
        if len(given.then) > 1:
            raise Illegal(f"{name} grants one attack.", (topic,))
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
                raise Refused
            return
        if not play.character(character.id).on_map:
            for passenger in aboard:
                play.change(passenger)
                text = f"{passenger.name} stays in {passenger.squares[0]}: {character.name} carries nobody any further."
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
        raise Illegal(f"{inner.at} is no square of the path.", (topic, "movement"))
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
    """Make the attack in mid-move; return whether it was made: not where its targets changed their shape."""
    outer, play.this_action.place = play.this_action.place, inner.place
    play.this_action.next_step = StepName.TARGETS
    kind: AttackKind | None = "close" if inner.kind == "close" else "ranged" if inner.kind == "ranged" else None
    if kind is None or inner.actor not in (None, character.id):
        raise Illegal(f"{name} grants {character.name} a close or ranged attack.", (topic, "actions"))
    if attacks_only and inner.with_object is not None and play.edition.combat.object_in_hand == "named":
        raise Illegal(f"Using an object is an action; {name} grants an attack only.", (topic, "object-attack"))
    rows = {power.name: power for power in powers_of(play, play.character(character.id))}
    for used in inner.using:
        row = rows.get(used)
        if row is None:
            raise Illegal(f"{character.name} cannot use {used} now.", (topic, "powers"))
        if row.action and attacks_only:
            raise Illegal(f"{used} asks for an action; {name} grants an attack only.", (topic, row.topic, "actions"))
        if row.action and kind not in row.action:
            raise Illegal(f"{used} is not used in a {kind} attack.", (topic, row.topic))
    now = play.this_action
    choices = now.choices
    now.choices = choices.with_those_of(inner.choose)
    try:
        fitted = replace(inner, actor=character.id, using=(*inner.using, name), path=(), at=None)
        with declining(play, inner.choose), play.this_action.notes.within():
            note_targets(play, fitted)
            attack(play, fitted, kind)
        made = True
    except Refused:
        made = False
    finally:
        now.choices = choices
    now.place = outer
    return made


def _two_less(play: Play, character: Character, value: ValueName, given: Attack | None) -> Iterable[Change]:
    """The transporter's attack value is 2 less in the attack of its move."""
    own = given is not None and MOVE_AND_ATTACK in given.using and given.attacker.id == character.id
    return (Change(-2, "an attack in mid-move", "transporter"),) if own and value is ValueName.ATTACK else ()


def _past_opponents(play: Play, character: Character) -> frozenset[str]:
    """A transporter whose move begins beside no opponent moves through squares adjacent to them; the attack is optional.

    Source: Transporters, Move and attack (2005).
    """
    figure = figure_of(play, character)
    begun = MOVE_AND_ATTACK in play.this_action.using
    free = begun or figure is None or not opponents_beside(play, figure, "movement")
    return frozenset({"adjacent"}) if free else frozenset()


def _where_nothing_acts(named: Iterable[Power]) -> bool:
    """A transporter's move is eased without its attack, unless another power makes it more than a move."""
    return not any(power.act is not None or power.moving.grants for power in named)


TRANSPORTER = Power(
    name=MOVE_AND_ATTACK,
    topic="transporter",
    action=("move",),
    implied_by="attack",
    modify_value=_two_less,
    moving=Moving(moves_past=_past_opponents, eases=_where_nothing_acts),
    act=attack_in_mid_move(MOVE_AND_ATTACK, "transporter", attacks_only=False, starts_free=True),
)
_HALF_RANGE = Replacement("halve", "Hypersonic Speed halves the range", "hypersonic-speed")
HYPERSONIC_SPEED_2005 = replace(
    speed.HYPERSONIC_SPEED,
    moving=replace(speed.HYPERSONIC_SPEED.moving, halves_speed=False),
    replace_value=when_used("Hypersonic Speed", ValueName.RANGE, _HALF_RANGE),
    act=attack_in_mid_move("Hypersonic Speed", "hypersonic-speed", attacks_only=False, starts_free=False),
)
HYPERSONIC_SPEED = replace(
    HYPERSONIC_SPEED_2005,
    act=attack_in_mid_move("Hypersonic Speed", "hypersonic-speed", attacks_only=True, starts_free=False),
)


# ── Force Blast, Sidestep, Flurry ──────────────────────────────────────────────────────────────


def force_blast(play: Play, given: Action, character: Character) -> None:
    """Knock back an adjacent opponent by the squares that a die shows: no attack, and no damage but of the landing.

    Source: Activated or Triggered Knock Back (2020s); the card of the earlier books.
    """
    play.this_action.next_step = StepName.ROLL
    target = only_target(play, given)
    one, other = figure_of(play, character), figure_of(play, target)
    if one is None or other is None or play.friendly(character, target):
        raise Illegal(f"{target.name} is no opponent on the map.", ("force-blast", "friendly-figures"))
    if not figures_adjacent(play, one, other, "close"):
        raise Illegal(f"{target.name} is not adjacent to {character.name}.", ("force-blast", "adjacency"))
    if spared(play, target, character):
        raise Illegal(f"{target.name} is still immune.", ("force-blast", "first-turn-immunity"))
    roll = roll_dice(play, "force-blast", 1, character)
    text = f"{character.name} rolls {roll.total} for Force Blast."
    play.record(StepName.ROLL, text, ("force-blast",), {"roll": roll.total})
    refused = refuses_knock_back(play, target, character)
    if refused is not None:
        play.record(StepName.RESOLVE, f"{target.name} is not knocked back.", ("force-blast", "knockback-prevention"))
        return
    squares = (Part("rolled", roll.total, "the die of Force Blast", "force-blast"),)
    send_back(play, target, character, squares, already_reduced=False)


def sidestep(play: Play, given: Action, character: Character) -> None:
    """Move up to 2 squares, whatever the speed value, once a turn and without a token.

    Source: the example of Sidestep under Carry (2020s): a stated number of squares takes no heed of the speed value.
    """
    used_now(play, character, "Sidestep")
    move(play, given)


def flurry(play: Play, given: Action, character: Character) -> None:
    """Flurry whose second attack is made also where the first has cost its bearer the power: actions go on.

    Sources: Powers and Abilities (2014), Stopping Effects (2020s).
    """
    speed.flurry(play, given, character, resolves=True)


def mind_control(play: Play, given: Action, character: Character) -> None:
    """Mind Control whose victims act freely: without a token, whatever tokens they bear."""
    speed.mind_control(play, given, character, free=True)


MIND_CONTROL = replace(speed.MIND_CONTROL, act=mind_control)
FORCE_BLAST = replace(speed.FORCE_BLAST, act=force_blast)
SIDESTEP = replace(speed.SIDESTEP, act=sidestep, moving=replace(speed.SIDESTEP.moving, squares=SIDESTEP_SQUARES))
FLURRY_2005 = replace(speed.FLURRY, cannot_join=others(CLOSE_ACTIONS, "Flurry"))
FLURRY = replace(FLURRY_2005, act=flurry)
