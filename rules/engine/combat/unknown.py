"""Powers and team abilities that the engine doesn't adjudicate: which of them may matter, and how they are announced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rules.engine.action import Action
from rules.engine.figures.abilities import powers_of
from rules.engine.figures.adjacency import friends_beside
from rules.engine.figures.standing import figure_of
from rules.engine.play import Play
from rules.engine.position.cards import CardKind, CardMoment, Effect
from rules.engine.position.characters import Character
from rules.engine.position.squares import Square, distance
from rules.engine.power import Power
from rules.engine.steps import StepName

TURNS: Final = frozenset({CardMoment.START_OF_TURN, CardMoment.END_OF_TURN})
"""Moments that no action is needed for."""


def unknown_about(play: Play, character: Character) -> Iterator[tuple[Character, Power]]:
    """Yield each unknown power of a character, and of friends beside it what may affect it; with its owner.

    A power that the book names isn't known to reach beyond its owner.
    """
    if not character.on_map:
        return
    for row in powers_of(play, character):
        if not row.known:
            yield (character if row.of is None else play.character(row.of)), row
    figure = figure_of(play, character)
    for friend in friends_beside(play, figure) if figure is not None else ():
        for row in powers_of(play, friend.character):
            if not row.known and not _named(play, row.name) and row.of in (None, friend.character.id):
                yield friend.character, row


def told_to_judge(play: Play, ask: str, concerned: Iterable[Character]) -> tuple[str, ...]:
    """Return the sentences that announce what isn't adjudicated and may bear on the answer to a question."""
    pairs = (pair for one in concerned for pair in unknown_about(play, one))
    bearing = (not_adjudicated(*pair) for pair in pairs if pair[1].bears_on is None or ask in pair[1].bears_on)
    return tuple(dict.fromkeys(bearing))


def _named(play: Play, name: str) -> bool:
    """Return whether the book names a power, an inherent ability or a symbol's ability so."""
    edition = play.edition
    return (
        name in edition.powers
        or name in edition.inherent
        or any(row.name == name for row in edition.symbol_abilities.values())
    )


def not_adjudicated(owner: Character, row: Power) -> str:
    """Return the sentence that announces an unknown power."""
    if row.known_in_part:
        return f"Of {owner.name}'s {row.name} only {row.known_in_part} is adjudicated: decide the rest by its card."
    said = f" It says: “{row.text}”" if row.text else ""
    return f"{owner.name}'s {row.name} isn't adjudicated: decide by its card.{said}"


def tell_what_is_not_known(play: Play, given: Action, *, of_cards_only: bool = False) -> None:
    """Announce what isn't known of the characters that an action names.

    `of_cards_only`: only effects of cards, which might allow what the book refuses.
    """
    named = [one for name in dict.fromkeys(_named_in(given)) if (one := play.position.find(name)) is not None]
    if play.carded and play.position.objects:
        tell_of_objects(play, named, None)
    announce(play, *named, of_cards_only=of_cards_only)


def announce(play: Play, *concerned: Character, of_cards_only: bool = False) -> None:
    """Record each unknown power of characters that an action affects, and of friends beside them, as not adjudicated.

    Each is announced once in an action. Without cards a character is looked at once, too: only its click may change.
    """
    told = play.this_action.told
    for one in concerned:
        if (one.id, "") in told and not play.carded:
            continue
        told.add((one.id, ""))
        for owner, row in unknown_about(play, one):
            if (owner.id, row.name) not in told and not (of_cards_only and row.topic):
                told.add((owner.id, row.name))
                play.record(StepName.RULING, not_adjudicated(owner, row))


def tell_of_objects(play: Play, characters: Iterable[Character], moment: CardMoment | None) -> None:
    """Record that what the card of an object does to these characters from where it lies isn't adjudicated.

    `moment`: at the beginning or the end of a turn; None: at any other time. The card of a held object counts for its
    holder.
    """
    for thing in play.position.objects:
        for card in thing.cards if thing.square is not None else ():
            effects = [
                one for one in card.effects if moment is one.moment or (moment is None and one.moment not in TURNS)
            ]
            if card.kind is CardKind.OBJECT and any(_reaches(thing.square, effects, one) for one in characters):
                said = f" It says: “{card.text}”" if card.text else ""
                text = f"{thing.name or thing.id} isn't held: what its card does from its square isn't adjudicated."
                play.record(StepName.RULING, f"{text} Decide by its card.{said}")


def _reaches(square: Square | None, effects: Iterable[Effect], character: Character) -> bool:
    """Return whether an effect on others may reach a character from a square."""
    away = min((distance(square, own) for own in character.squares), default=None) if square is not None else None
    for who in (effect.to or effect.whose for effect in effects):
        if who is not None and who.side != "self" and away is not None:
            most = 1 if who.within == "adjacent" else who.within
            if not isinstance(most, int) or away <= most:
                return True
    return False


def _named_in(given: Action) -> Iterator[str]:
    """Yield the characters named in an action and in those it grants: actors, targets, passengers, helpers."""
    if given.actor is not None:
        yield given.actor
    yield from (*given.targets, *given.carry, *given.assist)
    for inner in given.then:
        yield from _named_in(inner)
