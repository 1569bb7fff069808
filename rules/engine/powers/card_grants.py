"""What cards let a character do at a moment, once the action has resolved: an attack, a move, or a power at no cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rules.engine.action import Action
from rules.engine.actions.granting import apply_what_is_due, grant
from rules.engine.combat.attack import suffer_what_is_due
from rules.engine.errors import Illegal, TargetRefused
from rules.engine.figures.abilities import powers_of
from rules.engine.play import Play
from rules.engine.position.cards import Card, Effect
from rules.engine.position.characters import Character
from rules.engine.powers.card_effects import ask_the_judge, is_spent, spend
from rules.engine.reasons import listed
from rules.engine.steps import StepName

DOING: Final = {"close": "make a close attack", "ranged": "make a ranged attack", "move": "move"}
"""What a card lets a character do, in words."""


def letting(effect: Effect) -> frozenset[str] | None:
    """Return what an effect lets happen once the action has resolved, kinds of actions or powers; None if it isn't such."""
    if effect.moment is None or effect.after is None:
        return None
    if effect.do == "can-use" and effect.number("no_cost") and effect.to_self:
        return frozenset((*effect.words("powers"), *effect.words("teams")))
    if effect.do == "free-action" and effect.to_self:
        return frozenset({"close", "ranged"} if effect.word("action") == "attack" else {effect.word("action")})
    return None


def let_happen(play: Play, card: Card, effect: Effect, character: Character, *, adjudicated: bool) -> None:
    """Perform the action in `then` that was set apart for a card's effect, if there is one."""
    character = play.character(character.id)
    apart = play.this_action.apart
    found = next((one for one in apart if one[0] == card.title and one[1].actor == character.id), None)
    if not adjudicated:
        ask_the_judge(play, card, effect, character)
    if is_spent(card, effect, character) or found is None or not character.on_map:
        if adjudicated and found is None and not is_spent(card, effect, character):
            play.record(StepName.NOTE, _offered(card, effect, character), ("actions",), of=character.id)
        return
    play.this_action.apart = tuple(one for one in apart if one is not found)
    given = found[1]
    play.this_action.place = given.place
    _check(play, card, effect, given)
    if adjudicated:
        spend(play, card, effect, character)
    with _by_itself(play, letting(effect) or frozenset()):
        outer = Action(kind=given.kind, actor=character.id, then=(given,))
        try:
            grant(play, outer, frozenset({given.kind}))
        except TargetRefused:
            play.record(StepName.RESOLVE, "The attack isn't made.", ("targeting",))
    if play.this_action.misses_due:
        suffer_what_is_due(play)
    apply_what_is_due(play)


def _offered(card: Card, effect: Effect, character: Character) -> str:
    """Return the sentence that says what a card would let a character do now."""
    return f"{card.title}, would let {character.name} {_doing(effect)} now."


def _doing(effect: Effect) -> str:
    """Return in words what an effect lets a character do."""
    what = listed([DOING.get(one, f"use {one}") for one in sorted(letting(effect) or ())], "or")
    return f"{what} at no cost" if effect.number("no_cost") else what


def _check(play: Play, card: Card, effect: Effect, given: Action) -> None:
    """Refuse what a card doesn't let happen: another kind of action, or a power that asks for an action of its own."""
    lets, name = letting(effect) or frozenset(), play.character(str(given.actor)).name
    if lets.isdisjoint((given.kind, *given.using)):
        raise Illegal(f"{card.title}, lets {name} only {_doing(effect)}.", ("actions",))
    if effect.do == "can-use" or effect.number("no_cost"):
        return
    rows = {row.name: row for row in powers_of(play, play.character(str(given.actor)))}
    asking = next((one for one in given.using if one in rows and given.kind in rows[one].action), None)
    if asking is not None and given.kind != "move":
        kind = play.edition.action(given.kind)
        text = f"{asking} needs a {kind}, and {card.title}, lets {name} only make an attack."
        raise Illegal(text, ("actions", rows[asking].topic))


@contextmanager
def _by_itself(play: Play, at_no_cost: frozenset[str]) -> Iterator[None]:
    """Let an action happen by itself, after the one that it follows: nothing of that one counts for it."""
    now = play.this_action
    strike, suffered, hit, missed, using = play.strike, play.suffered, now.hit, now.missed, now.using
    over, whose_moment, before = play.over, now.whose_moment, now.at_no_cost
    play.over, play.strike, play.suffered = False, None, None
    now.hit, now.missed, now.whose_moment, now.at_no_cost = (), (), None, at_no_cost
    now.using = tuple(one for one in using if (row := play.edition.row(one)) is not None and row.named_by_anyone)
    try:
        yield
    finally:
        play.over, play.strike, play.suffered = over, strike, suffered
        now.hit, now.missed, now.whose_moment, now.using, now.at_no_cost = hit, missed, whose_moment, using, before
