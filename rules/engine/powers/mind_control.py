"""Mind Control of each book: an attack that lets its targets act for the attacker."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.action import Action
from rules.engine.actions.attacking import strike_of
from rules.engine.actions.granting import grant
from rules.engine.combat.attack import make_attack
from rules.engine.combat.damage import take
from rules.engine.combat.tokens import give_token
from rules.engine.errors import Illegal, TargetRefused
from rules.engine.figures.abilities import can_use, why_unaffected
from rules.engine.memory import Controlled, Lent
from rules.engine.met import Met
from rules.engine.play import Attack, AttackKind, Damage, Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import Power
from rules.engine.reasons import Part, Replacement, listed
from rules.engine.steps import StepName


def _range_of_four(play: Play, character: Character, value: ValueName, attack: Attack | None) -> Iterable[Replacement]:
    """Return a range of 4 for Mind Control if the printed range is 0 (2002)."""
    used = attack is not None and "Mind Control" in attack.using and attack.attacker.id == character.id
    if used and value is ValueName.RANGE and character.range == 0:
        return (Replacement(4, "Mind Control has a range of 4 if the printed range is 0", "mind-control"),)
    return ()


def refuses_control(play: Play, character: Character, target: Character) -> str | None:
    """Return why a target can't be mind-controlled: Battle Fury."""
    if can_use(play, target, "Battle Fury"):
        return f"Mind Control doesn't affect {target.name}: it has Battle Fury."
    return None


def refuses_control_of_the_pushed(play: Play, character: Character, target: Character) -> str | None:
    """Return why a target can't be mind-controlled: two action tokens (2002), Battle Fury."""
    if target.tokens >= 2:
        return f"Mind Control can't target {target.name}: it has 2 action tokens."
    return refuses_control(play, character, target)


def mind_control(play: Play, given: Action, character: Character, *, free: bool = False) -> None:
    """Attack without damage; each target hit takes one action as a friendly character, and a token.

    The controller takes 1 click for each full 100 points of those it controls. Sentinels aren't affected, a figure with
    two tokens can't be a target. Source: Mind Control with its FAQ and examples. `free`: the action of the controlled
    figure is a free action (later books): tokens don't matter, and none is given.
    """
    kind: AttackKind = "close" if given.kind == "close" else "ranged"
    given = _with_their_actions(play, given, free=free)
    for name in given.targets:
        target = play.position.find(name)
        if target is None:
            raise Illegal("Mind Control can target only characters.", ("mind-control",))
        if name in play.this_turn.controlled:
            play.note(Met.CONTROLLED_BEFORE, of=name)
        immune = refuses_control(play, character, target)
        if immune is not None:
            raise Illegal(immune, ("mind-control", "battle-fury"))
        pushed = None if free else refuses_control_of_the_pushed(play, character, target)
        if pushed is not None:
            raise Illegal(pushed, ("mind-control", "pushing", "action-tokens"))
    strike = replace(strike_of(play, replace(given, using=("Mind Control",)), kind), deals_damage=False, object=None)
    result = make_attack(play, strike)
    controlled = [hit.character for hit in result.hits if hit.targeted]
    points = 0
    for name in controlled:
        if why := why_unaffected(play, play.character(name), "Mind Control"):
            text = f"Mind Control doesn't affect {play.character(name).name}: {why}."
            play.record(StepName.RESOLVE, text, ("mind-control", "sentinel"))
            continue
        if not play.character(name).on_map:
            continue
        points += play.character(name).points // 100
        acted = False
        theirs = [inner for inner in given.then if inner.actor == name]
        for number, inner in enumerate(theirs, 1):
            if acted and not free:
                text = f"Mind Control gives {play.character(name).name} only 1 action."
                raise Illegal(text, ("mind-control", "actions"))
            goes_on = _under_control(play, given, inner, name, character.id, free=free)
            acted = acted or goes_on is not None
            if goes_on is False:
                _note_forfeit(play, name, theirs[number:])
                break
    current = play.character(character.id)
    if points and current.on_map:
        text = f"{character.name} takes {points} damage: 1 for each full 100 points that it controlled."
        parts = {"damage": (Part("printed", points, "1 for each full 100 points controlled", "mind-control"),)}
        play.record(StepName.DAMAGE_DEALT, text, ("mind-control",), {"damage": points}, parts=parts)
        take(play, (Damage(current, points, "own-power", current, unavoidable=True),))


def _with_their_actions(play: Play, given: Action, *, free: bool) -> Action:
    """Return the action with each target's granted action, and no other's.

    A granted action without an actor belongs to the only target. Outwit and Perplex aren't actions and can't be used
    inside one (2002).
    """
    topics = ("mind-control", "actions")
    only = given.targets[0] if len(given.targets) == 1 else None
    then = tuple(replace(inner, actor=inner.actor or only) for inner in given.then)
    for inner in then:
        if inner.actor not in given.targets:
            raise Illegal("Mind Control gives actions only to its targets.", topics)
        if inner.kind == "free" and not free:
            play.note(Met.WITHIN_ACTION)
            named = [row.topic for name in inner.using if (row := play.edition.powers.get(name)) is not None]
            raise Illegal("Free powers can't be used within Mind Control's action.", (*topics, *named))
    return replace(given, then=then)


def _under_control(play: Play, given: Action, inner: Action, name: str, controller: str, *, free: bool) -> bool | None:
    """Let a controlled figure act for its controller, friendly to that side until the action ends; then its token.

    Return whether more may follow: not if it failed to break away (Breaking Away, 2020s). If Shape Change prevented its
    attack, the action isn't made and costs nothing: return None, another may replace it.
    """
    began = len(play.steps)
    owner = play.player_of(play.character(name))
    side = play.player_of(play.character(controller))
    action = "no action" if inner.kind == "pass" else f"a {play.edition.action(inner.kind)}"
    text = f"{play.character(name).name}, controlled by {play.character(controller).name}, is given {action}."
    play.record(StepName.DECLARE, text, ("mind-control", "actions"))
    play.position = play.position.moved_over(name, side)
    play.this_action.lent, play.this_action.controlled = Lent(name, owner), Controlled(name, controller)
    play.change(replace(play.character(name), acted=False))
    play.this_turn = replace(play.this_turn, controlled=(*play.this_turn.controlled, name))
    try:
        with play.this_action.notes.within():
            _note_controlled(play, inner)
            grant(play, replace(given, then=(inner,)), frozenset({"move", "close", "ranged", "power", "free", "pass"}))
    except TargetRefused:
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


def _note_forfeit(play: Play, name: str, left: list[Action]) -> None:
    """Note that a controlled figure that failed to break away does nothing more (Breaking Away, 2020s)."""
    if left:
        lost = listed([play.edition.action(one.kind) for one in left], "or")
        text = f"So {play.character(name).name} doesn't get its {lost} during this use of Mind Control."
        play.record(StepName.NOTE, text, ("mind-control", "break-away"), of=name)


def _note_controlled(play: Play, inner: Action) -> None:
    if inner.kind in ("close", "ranged"):
        play.note(Met.CONTROLLED_ATTACKS)
    if inner.using:
        play.note(Met.CONTROLLED_USES_POWER)


def mind_control_freely(play: Play, given: Action, character: Character) -> None:
    """Use Mind Control with free actions: without a token, whatever tokens the targets have."""
    mind_control(play, given, character, free=True)


MIND_CONTROL_2002 = Power(
    name="Mind Control",
    topic="mind-control",
    action=("close", "ranged"),
    replace_value=_range_of_four,
    may_target=refuses_control_of_the_pushed,
    act=mind_control,
    resolves_then=True,
)
MIND_CONTROL = Power(
    name="Mind Control",
    topic="mind-control",
    action=("close", "ranged"),
    may_target=refuses_control,
    act=mind_control_freely,
    resolves_then=True,
)
