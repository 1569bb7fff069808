"""Actions in `then` that cards let happen once the action that triggers them has resolved.

They are set apart before the action begins; each is performed when its card's effect comes (`powers.card_grants`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.action import Action
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import powers_of
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.reasons import listed
from rules.engine.steps import StepName


def set_apart(play: Play, given: Action) -> Action:
    """Return an action without those in `then` that cards let happen after it; they are noted with their card."""
    own, apart = [], []
    for inner in given.then:
        actor = play.position.find(str(inner.actor or given.actor))
        row = _letting(play, given, inner, actor) if actor is not None else None
        if row is None or actor is None:
            own.append(inner)
        else:
            using = tuple(name for name in inner.using if not is_called(row, name))
            apart.append((row.name, replace(inner, actor=actor.id, using=using)))
    play.this_action.apart = tuple(apart)
    return replace(given, then=tuple(own)) if apart else given


def is_called(row: Power, name: str) -> bool:
    """Return whether an action names a row of a card so: with its kind, or without."""
    return name in (row.name, row.name.rpartition(", ")[0])


def _letting(play: Play, given: Action, inner: Action, actor: Character) -> Power | None:
    """Return the row of the card that lets an action happen: the one that it names, or one that fits.

    Without a name it is the action's own if that grants such a one.
    """
    rows = [row for row in powers_of(play, actor) if row.lets is not None]
    named = next((row for row in rows if any(is_called(row, name) for name in inner.using)), None)
    if named is not None or not rows or _grants(play, given, inner):
        return named
    return next((row for row in rows if row.lets and not row.lets.isdisjoint((inner.kind, *inner.using))), None)


def _grants(play: Play, given: Action, inner: Action) -> bool:
    """Return whether an action may grant another one by itself."""
    actor = play.position.find(str(given.actor))
    for row in powers_of(play, actor) if actor is not None else ():
        implied = given.kind == "move" and row.implied_by == "attack"
        if (implied or row.name in given.using) and (inner.kind in row.moving.grants or row.resolves_then):
            return True
    return False


def tell_what_is_left(play: Play, given: Action) -> None:
    """Record what of an action isn't carried out because the judge decides what the action does."""
    parts = [f"the move to {given.path[-1]}"] if given.path else []
    if given.carry:
        parts.append(f"carrying {_named(play, given.carry)}")
    if given.pick_up is not None:
        parts.append(f"picking up {_named(play, (given.pick_up,))}")
    if given.targets:
        parts.append(f"the effect on {_named(play, given.targets)}")
    for inner in given.then:
        on = f" on {_named(play, inner.targets)}" if inner.targets else ""
        parts.append(f"the {play.edition.action(inner.kind)}{on}")
    if parts:
        play.record(StepName.RULING, f"Not carried out here: {listed(parts)}. Decide by the card.")


def _named(play: Play, names: Iterable[str]) -> str:
    """Return in words the characters, objects, squares or edges with these names."""
    found = [(name, play.position.find(name)) for name in names]
    return listed([one.name if one is not None else name for name, one in found])


def countered_that_let(actor: Character) -> tuple[str, ...]:
    """Return the countered cards of a character that would let something happen after an action."""
    countered = (card for card in actor.cards if card.name in actor.countered)
    return tuple(card.name for card in countered if any(one.after is not None for one in card.effects))


def check_none_left(play: Play) -> None:
    """Refuse an action that a card was to let happen and didn't."""
    for card, inner in play.this_action.apart:
        play.this_action.place = inner.place
        actor = play.character(str(inner.actor))
        if not actor.on_map:
            raise Illegal(f"{actor.name} isn't on the map.", ("actions",))
        raise Illegal(f"{card}, doesn't let {actor.name} do that after this action.", ("actions",))
