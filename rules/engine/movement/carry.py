"""Carrying: which characters may carry which. The move itself decides where passengers are put."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.figures.abilities import is_flier, powers_of, why_barred
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import GIANT, SENTINEL, STANDARD, TINY, figure_of, flies, transports
from rules.engine.play import Play
from rules.engine.position.characters import BaseKind, Character, CharacterKind
from rules.engine.position.figures import Figure
from rules.engine.reasons import ReasonedAnswer, no, yes


def passengers_of(play: Play, character: Character) -> int:
    """Return how many characters the character may carry at once; 0 if it can't carry.

    A held object forbids it where nothing can be both held and carried (Holding an Object, 2020s).
    """
    if character.holding is not None and not play.edition.actions.carries_with_object:
        return 0
    number = play.edition.movement.passengers(play, character)
    for power in powers_of(play, character):
        if power.moving.passengers is not None:
            number = max(number, power.moving.passengers(play, character))
    return number


def why_none(play: Play, character: Character) -> tuple[str, tuple[str, ...]]:
    """Return why a character can't carry anyone, as the end of a sentence, with the topics."""
    if character.holding is not None and passengers_of(play, replace(character, holding=None)):
        return " while holding an object", ("held-object",)
    return ("", ()) if is_flier(play, character) else (": it doesn't fly", ("flying",))


def can_carry(play: Play, carrier: Character, passenger: Character) -> ReasonedAnswer:
    """Return whether one character may carry another from where both are now, with the reasons.

    Sources: Movement › Flying › Carrying Other Figures (2002), Carrying other characters (2005), the Carry ability and
    larger bases (2014), the inherent ability Carry (2020s).
    """
    one, other = figure_of(play, carrier), figure_of(play, passenger)
    if one is None or other is None:
        return no("Only characters on the map can carry or be carried.", "carry")
    if carrier.id == passenger.id or not play.friendly(carrier, passenger):
        return no(
            f"{one.name} can't carry {other.name}: {other.name} isn't friendly to {one.name}.",
            "carry",
            "friendly-figures",
        )
    if not passengers_of(play, carrier):
        why, topics = why_none(play, carrier)
        return no(f"{one.name} can't carry anyone{why}.", "carry", *topics)
    if one.soaring:
        return no(f"{one.name} is soaring: it must hover to carry anyone.", "carry", "flying")
    if other.soaring:
        return no(
            f"{other.name} is soaring, so it is adjacent only to other soaring characters.",
            "carry",
            "soaring",
            "adjacency",
        )
    beside = figures_adjacent(play, one, other)
    if not beside:
        return no(beside.because[0], "carry", *beside.topics)
    if barred := why_barred(play, carrier, "carry"):
        return no(f"{one.name} can't carry anyone: {barred}.", "carry")
    if barred := why_barred(play, passenger, "be-carried"):
        return no(f"{other.name} can't be carried: {barred}.", "carry")
    for power in powers_of(play, passenger):
        if (
            power.moving.may_be_carried is not None
            and (refusal := power.moving.may_be_carried(play, passenger)) is not None
        ):
            return no(refusal, "carry", power.topic)
    if passenger.holding is not None:
        return no(f"{other.name} holds an object and can't be carried.", "carry", "held-object", "objects")
    if play.carded and (_at_any_size(play, carrier, passenger) or _at_equal_size(play, one, other)):
        other = replace(other, size=TINY)
    refused = play.edition.movement.refuses_passenger(play, one, other)
    if refused is not None:
        return no(f"{other.name} can't be carried: {refused}.", "carry")
    return yes(f"{one.name} can carry {other.name}.", "carry")


def _at_any_size(play: Play, carrier: Character, passenger: Character) -> bool:
    """Return whether a card of either makes the passenger's size not matter."""
    return any(row.moving.carries_any_size for row in powers_of(play, carrier)) or any(
        row.moving.carried_at_any_size for row in powers_of(play, passenger)
    )


def _at_equal_size(play: Play, carrier: Figure, passenger: Figure) -> bool:
    """Return whether a card lets the carrier carry characters of its own size, which none does for fliers."""
    return (
        passenger.size == carrier.size
        and any(row.moving.carries_equal_size for row in powers_of(play, carrier.character))
        and not is_flier(play, passenger.character)
    )


def fliers_and_sentinels_carry(play: Play, character: Character) -> int:
    """Return 1 for fliers and Sentinels (2002)."""
    figure = figure_of(play, character)
    return 1 if flies(character) or (figure is not None and figure.size == SENTINEL) else 0


def fliers_and_transporters_carry(play: Play, character: Character) -> int:
    """Return 1 for fliers and transporters (2005, 2014)."""
    return 1 if is_flier(play, character) or transports(character) else 0


def everybody_carries(play: Play, character: Character) -> int:
    """Return 1 for every character (2020s)."""
    return 1


def refuses_sentinels(play: Play, carrier: Figure, passenger: Figure) -> str | None:
    """Return why a Sentinel can't be carried (2002)."""
    return "it is a Sentinel" if passenger.size == SENTINEL else None


def refuses_all_but_standard_walkers(play: Play, carrier: Figure, passenger: Figure) -> str | None:
    """Return why fliers, transporters, larger bases, big characters and hordes can't be carried (2005, 2014)."""
    character = passenger.character
    if transports(character):
        return "it has a transporter symbol"
    if is_flier(play, character):
        return "it has the wing symbol" if flies(character) else "it can use Flight"
    if character.base is not BaseKind.SINGLE:
        return "it has a larger base"
    if passenger.size >= GIANT:
        return "it is a giant or colossal character"
    if character.kind is CharacterKind.HORDE and character.stack > 1:
        return "it is a stack of horde tokens"
    return None


def refuses_not_smaller(play: Play, carrier: Figure, passenger: Figure) -> str | None:
    """Return why vehicles and characters that aren't smaller than the carrier can't be carried (2020s)."""
    keywords = (*passenger.character.keywords, *passenger.character.generic_keywords)
    if any(keyword.casefold() == "vehicle" for keyword in keywords):
        return "it is a vehicle"
    if passenger.size >= carrier.size:
        standard = " (both standard)" if passenger.size == carrier.size == STANDARD else ""
        return f"it isn't smaller than {carrier.name}{standard}"
    return None
