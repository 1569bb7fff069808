"""Actions that cards give: a free move or attack, or what an action of the card lets happen. Each is used once a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.engine.action import Action
from rules.engine.actions.afterwards import tell_what_is_left
from rules.engine.actions.attacking import attack
from rules.engine.actions.moving import move
from rules.engine.errors import Illegal
from rules.engine.play import Play
from rules.engine.position.cards import Card, Effect
from rules.engine.position.characters import Character
from rules.engine.power import Act
from rules.engine.powers.card_effects import ask_the_judge, by_action, do, is_spent, spend


def acting(card: Card, effect: Effect, adjudicated: Callable[[Effect], bool]) -> Act:
    """Return what an action of a card does; of effects that aren't adjudicated, it shows the text."""
    limited = replace(effect, limit=effect.limit or "turn")

    def acts(play: Play, given: Action, character: Character) -> None:
        if is_spent(card, limited, character):
            when = "turn" if limited.limit == "turn" else "game"
            raise Illegal(
                f"{character.name} has already used {card.name_of(effect)} this {when}.", ("free-action", "timing")
            )
        spend(play, card, limited, character)
        name, title = card.name_of(effect), card.titled(card.name_of(effect))
        using = (title, *(one for one in given.using if one not in (name, title)))
        named = replace(given, using=using)
        match effect.word("action") if effect.costs is None else "":
            case "move":
                _only(given, "path")
                move(play, named)
            case "close":
                _only(given, "targets")
                attack(play, named, "close")
            case "ranged":
                _only(given, "targets")
                attack(play, named, "ranged")
            case _:
                asked = set()
                for one in by_action(card, effect) if effect.costs is not None else [effect]:
                    if adjudicated(one):
                        do(play, card, one, play.character(character.id))
                    elif one.word("text") not in asked:
                        asked.add(one.word("text"))
                        ask_the_judge(play, card, one, character)
                if asked:
                    tell_what_is_left(play, given)

    return acts


def _only(given: Action, what: str) -> None:
    """Refuse targets of a move, and a path of an attack."""
    if what == "path" and given.targets:
        raise Illegal("This free action moves its character: it has no target.", ("free-action", "movement"))
    if what == "targets" and given.path:
        raise Illegal("This free action is an attack: it has no path.", ("free-action", "attack"))
