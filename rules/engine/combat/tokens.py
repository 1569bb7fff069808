"""Action tokens as they are given, and pushing, the cost of a second one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.changes import with_changes
from rules.engine.combat.damage import take
from rules.engine.figures.abilities import powers_of, why_barred
from rules.engine.figures.standing import SENTINEL, size_of
from rules.engine.met import Met
from rules.engine.overrides import BY_JUDGE
from rules.engine.play import Damage, Play
from rules.engine.position.characters import Character, DefenseSymbol
from rules.engine.steps import StepName


def give_token(play: Play, character: Character, topics: Iterable[str] = (), *, acted: bool = True) -> None:
    """Give a character an action token, and push it if that is its second (a Sentinel: whenever it already has one).

    A third one is ignored, if the second came during the turn. `acted` says that the token is for an action that it has
    been given. One that is given during an action pushes at once (2002, 2005), or once the action has resolved.
    Sources: Pushing of each book; The Rule of Action Tokens (2014, 2020s).
    """
    if character.tokens >= 2 and character.id in play.this_turn.tokened and size_of(character) != SENTINEL:
        play.change(replace(character, acted=acted or character.acted))
        text = f"{character.name} is given no third action token, and isn't pushed again."
        play.record(StepName.TOKEN, text, ("action-tokens", *topics), {"tokens": character.tokens})
        return
    pushed = character.tokens >= 1
    tokens = min(2, character.tokens + 1)
    play.change(with_changes(character, tokens=tokens, acted=acted or character.acted))
    play.this_turn = with_changes(play.this_turn, tokened=(*play.this_turn.tokened, character.id))
    number = "an action token" if not pushed else "a second action token"
    play.record(StepName.TOKEN, f"{character.name} is given {number}.", ("action-tokens", *topics), {"tokens": tokens})
    if pushed:
        if acted:
            play.note(Met.ACTION_PUSHES)
        if play.this_action.resolving and play.edition.combat.pushing_waits:
            play.this_action.pushes_due = (*play.this_action.pushes_due, character.id)
        else:
            push(play, play.character(character.id))


def push_what_is_due(play: Play) -> None:
    """Push the characters that were given a second token during an action, once it has resolved.

    Sources: Giving Actions to Characters (2014), Pushing (2020s).
    """
    due, play.this_action.pushes_due, play.this_action.resolving = play.this_action.pushes_due, (), False
    for name in due:
        push(play, play.character(name))


def push(play: Play, character: Character) -> None:
    """Deal the click for pushing, unless a power or symbol of the character prevents it.

    Sources: Pushing of each book, Willpower, Indomitable. Damage reduction doesn't apply.
    """
    if not character.on_map:
        return
    ruled = play.ruled(StepName.PUSH, character.id).damage
    if ruled is not None:
        play.record(StepName.PUSH, f"{character.name} is pushed and takes {ruled} damage, {BY_JUDGE}.", cited=False)
        take(play, (Damage(play.character(character.id), ruled, "pushing", unavoidable=True),))
        return
    name, topics = _unhurt_by(play, character)
    barred = why_barred(play, character, "ignore-pushing") if name else ""
    if name and not barred:
        text = f"{character.name} is pushed but takes no damage: it has {name}."
        play.record(StepName.PUSH, text, ("pushing", *topics), {"damage": 0})
        return
    text = f"{character.name} is pushed: it already had an action token."
    if barred:
        text = f"{text} {name} doesn't help it: {barred}."
    sentinel = ("sentinel",) if size_of(character) == SENTINEL else ()
    play.record(StepName.PUSH, text, ("pushing", *topics, *sentinel), {"damage": 1})
    take(play, (Damage(character, 1, "pushing", unavoidable=True),))


def _unhurt_by(play: Play, character: Character) -> tuple[str, tuple[str, ...]]:
    """Return the power or symbol by which a character takes no damage from pushing, with its topics; "" if none."""
    for power in powers_of(play, character):
        if power.defending.pushed_unhurt:
            return power.name, (power.topic,)
    if play.edition.combat.indomitable and DefenseSymbol.INDOMITABLE in character.symbols.defense:
        return "Indomitable", ("symbols",)
    return "", ()
