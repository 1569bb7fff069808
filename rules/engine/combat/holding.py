"""Named procedures on which the books differ: the range of some powers, held objects and rerolls.

Each edition's `CombatOptions` names one of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rules.engine.combat.ko import can_lift, score_object
from rules.engine.figures.abilities import why_countered
from rules.engine.figures.values import value_of
from rules.engine.play import Play, Strike
from rules.engine.position.characters import Character, CharacterKind, has_keyword
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import BattleObject, ObjectKind
from rules.engine.position.position import Side
from rules.engine.position.squares import Square
from rules.engine.steps import StepName

LIGHT, HEAVY = ObjectKind.LIGHT, ObjectKind.HEAVY
THROWN: Final[Mapping[ObjectKind, tuple[int, int]]] = {LIGHT: (6, 2), HEAVY: (4, 3)}
THROWN_ULTRA: Final[Mapping[ObjectKind, tuple[int, int]]] = {
    LIGHT: (6, 2),
    HEAVY: (4, 3),
    ObjectKind.ULTRA_LIGHT: (8, 1),
}
THROWN_SIX: Final[Mapping[ObjectKind, tuple[int, int]]] = {LIGHT: (6, 2), HEAVY: (6, 3)}
MIN_POINTS_FOR_ULTRA_HEAVY: Final = 100
LIFTS: Final = "Super Strength"


def ten_squares(_play: Play, _character: Character) -> int:
    """Return the range of Outwit, Perplex and Probability Control: 10 squares (2002, 2005)."""
    return 10


def own_range_or_six(play: Play, character: Character) -> int:
    """Return the range of Outwit, Perplex and Probability Control: the range value, at least 6 (2014, 2020s)."""
    return max(6, value_of(play, character, ValueName.RANGE).total)


def lifters_pick_up(play: Play, character: Character, thing: BattleObject) -> str | None:
    """Return why a character can't pick up an object: Super Strength is needed, except for ultra light objects.

    Ultra heavy ones also need a character worth at least 100 points.
    """
    if thing.kind is ObjectKind.ULTRA_LIGHT:
        return None
    if thing.kind is ObjectKind.IMMOBILE:
        return "An immobile object can't be picked up."
    if not can_lift(play, character):
        return f"{character.name} can't pick up objects without Super Strength{why_countered(play, character, LIFTS)}."
    if thing.kind is ObjectKind.ULTRA_HEAVY and character.points < MIN_POINTS_FOR_ULTRA_HEAVY:
        return f"{character.name} can't pick up an ultra heavy object: it costs fewer than 100 points."
    return None


def everybody_picks_up_light(play: Play, character: Character, thing: BattleObject) -> str | None:
    """Return why a character can't pick up an object: heavy ones require Super Strength (2020s)."""
    if thing.kind is ObjectKind.IMMOBILE:
        return "An immobile object can't be picked up."
    if thing.kind in (ObjectKind.HEAVY, ObjectKind.ULTRA_HEAVY) and not can_lift(play, character):
        lacking = f"Super Strength{why_countered(play, character, LIFTS)}"
        return f"{character.name} can't pick up heavy objects without {lacking}."
    return None


def lifters_keep_hold(play: Play, character: Character, thing: BattleObject) -> bool:
    """Return whether a character keeps an object: it drops all but ultra light ones when it loses Super Strength."""
    return thing.kind is ObjectKind.ULTRA_LIGHT or can_lift(play, character)


def everybody_keeps_hold(play: Play, character: Character, thing: BattleObject) -> bool:
    """Return whether a character keeps an object: it drops a heavy one if Super Strength is lost (2020s).

    Being countered doesn't count as lost.
    """
    if thing.kind not in (ObjectKind.HEAVY, ObjectKind.ULTRA_HEAVY) or can_lift(play, character):
        return True
    showing = character.showing
    return showing is not None and LIFTS in showing.powers


def use_up(play: Play, strike: Strike, thing: BattleObject) -> bool:
    """Use up the object of an attack; return whether it still has to land somewhere.

    It is used up, hit or miss. Special objects that last aren't destroyed: they stay held, or land where they were
    thrown. Sources: Objects › Super Strength Super Power with the FAQ of its object figures (2002), Super Strength
    (2005), Using Objects as Weapons (2014).
    """
    attacker = play.character(strike.attacker)
    lasts = thing.special and thing.name.casefold() in play.edition.combat.lasting_objects
    done, topic = ("is thrown", "thrown-object") if strike.thrown else ("is used", "object-attack")
    topics = (topic, "objects", "held-object")
    rest = "isn't destroyed" if lasts else "is removed from the game, hit or miss"
    if strike.thrown or not lasts:
        if attacker.holding == thing.id:
            play.change(replace(attacker, holding=None))
        play.change_object(replace(thing, square=None, removed=not lasts))
    text = f"The {thing.kind.value} object {thing.name or thing.id} {done} and {rest}."
    play.record(StepName.RESOLVE, text, topics)
    if not lasts:
        score_object(play, thing)
    return lasts and strike.thrown


def land(play: Play, thing: BattleObject, square: Square) -> None:
    """Put a thrown object that lasts into the square it was thrown to."""
    play.change_object(replace(thing, square=square, removed=False))
    play.record(
        StepName.PUT_DOWN, f"The object {thing.name or thing.id} lies in {square}.", ("thrown-object", "objects")
    )


def no_themed_rerolls(_play: Play, _side: Side) -> int:
    """Return 0: no themed teams (2002, 2005)."""
    return 0


def one_reroll_for_each_hundred(play: Play, side: Side) -> int:
    """Return the rerolls of a named themed team: one per character, at most one per 100 points (2014)."""
    return min(_characters(side), play.position.build_total // 100)


def rerolls_by_characters(_play: Play, side: Side) -> int:
    """Return the rerolls of a named themed team: one per character, at most five (2020s)."""
    return min(5, _characters(side))


def _characters(side: Side) -> int:
    """Return the number of a side's characters that count for its theme: bystanders and those without it don't."""
    theme = side.themed_team or ""
    return sum(one.kind is CharacterKind.CHARACTER and has_keyword(one, theme) for one in side.characters)
