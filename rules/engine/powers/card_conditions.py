"""Whom the words of a card describe, and whether its conditions hold.

Conditions are about the character with the card; those on an attack are about the character that the effect
reaches. Where characters are described by a power, the powers on dials count, not those that cards grant: so cards
can't grant each other's conditions in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rules.engine.combat.line_classes import line_class
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import figure_of, figure_there, ground_of, size_of, standing_of
from rules.engine.figures.values import value_of
from rules.engine.play import Attack, Damage, Play, spot_of
from rules.engine.position.cards import ABOUT_ATTACKS, LEFT_TO_JUDGE, CardCondition, Effect, Who
from rules.engine.position.characters import Character, has_keyword, is_named
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import distance
from rules.engine.powers.building import beside

ALSO: Final = MappingProxyType({"double-power": ("power",)})
"""What kind of action another kind also counts as (Double Power Actions, 2014 and 2020s)."""

WORDS: Final = MappingProxyType(
    {one.name: one.default for one in fields(CardCondition) if one.name not in ("any", "not_")}
)
"""The words of conditions, each with what it is if it isn't given."""
RESULTS: Final = frozenset({"hit", "hit_all"})
"""Words about what has come of an attack."""
UNSETTLED: Final = frozenset(WORDS) - {"turn", "action", "carrying", "using", "attack", "attacked"}
"""Words about what an action may change while it lasts."""


class Fight(NamedTuple):
    """An attack as conditions see it: its kind, attacker, targets, the powers used; after a hit, those it hit.

    `reached`: those it is asked about, targets or not, such as one that it damages; None: its targets.
    """

    kind: str
    attacker: str
    targets: tuple[str, ...]
    using: tuple[str, ...]
    hit: tuple[str, ...] = ()
    reached: tuple[str, ...] | None = None


def fight_under_way(play: Play) -> Fight | None:
    """Return the attack that is being made, or that the action under way is given for; None once it is over."""
    return None if play.over else fight_now(play)


def fight_now(play: Play) -> Fight | None:
    """Return the attack that is being made, or whose effects follow, or that the action under way is given for."""
    strike, given = play.strike, play.this_action.given
    if strike is not None:
        return Fight(strike.kind, strike.attacker, strike.targets, strike.using)
    if given is not None and given.kind in ("close", "ranged") and play.this_action.acting is not None:
        return Fight(given.kind, play.this_action.acting, given.targets, given.using)
    return None


def fight_of(attack: Attack | None) -> Fight | None:
    """Return an attack in progress, or asked about, on one character, as conditions see it."""
    if attack is None:
        return None
    targets = () if attack.target is None else (attack.target.id,)
    return Fight(attack.kind, attack.attacker.id, targets, attack.using)


def fight_on_all(play: Play, attack: Attack | None) -> Fight | None:
    """Return an attack as conditions on values see it: an attack in progress has one total and one damage value.

    Sources: Multiple Ranged Combat Targets (2002 to 2014), Calculate Attack Total and Calculate Damage Dealt (2020s).
    """
    found, strike = fight_of(attack), play.strike
    if found is None or strike is None or (strike.attacker, strike.kind) != (found.attacker, found.kind):
        return found
    return found._replace(targets=strike.targets, reached=found.targets)


def fight_of_damage(damage: Damage | None) -> Fight | None:
    """Return the attack that damage is from, None if it isn't an attack's, such as that of knock back from 2005 on."""
    if damage is None or damage.attack is None:
        return None
    attack, damaged = damage.attack, (damage.character.id,)
    return Fight(attack.kind, attack.attacker.id, damaged, attack.using, reached=damaged)


def is_one(play: Play, who: Who, seen_from: Character, other: Character) -> bool:
    """Return whether a character is one of those described, seen from another."""
    if (who.of_now or who.beside) and not _is_now(play, who, other):
        return False
    if other.id == seen_from.id:
        meant = who.also_self or (who.side == "all" and who.of_now)
        return who.side == "self" or (
            meant and fits(play, replace(who, within=None, line_of_fire=False, their_line_of_fire=False), other, other)
        )
    if who.side == "self" or not fits_side(play, who, play.player_of(seen_from), other):
        return False
    return other.on_map and fits(play, who, seen_from, other)


def _is_now(play: Play, who: Who, other: Character) -> bool:
    """Return whether a character was just hit, attacks, or is the one whose moment it is, if the words say so."""
    fight = fight_now(play)
    return (
        (not who.hit or other.id in _hit_now(play, targeted=who.targeted))
        and (not who.attacker or (fight is not None and fight.attacker == other.id))
        and (not who.of_moment or play.this_action.whose_moment == other.id)
        and (not who.rolled_for or play.this_action.rolled_for == other.id)
        and (who.beside is None or any(beside(play, other, one) for one in _in_attack_now(play, who.beside)))
    )


def _hit_now(play: Play, *, targeted: bool) -> tuple[str, ...]:
    """Return those that were just hit, or only the targets of the attack among them."""
    hit, fight = play.this_action.hit, fight_now(play)
    return tuple(name for name in hit if fight is not None and name in fight.targets) if targeted else hit


def _in_attack_now(play: Play, which: str) -> list[Character]:
    """Return the characters on the map that were just hit, the targets among them, or the attacker."""
    names = _hit_now(play, targeted=which == "hit-target")
    if which == "attacker":
        fight = fight_now(play)
        names = () if fight is None else (fight.attacker,)
    found = (play.position.find(name) for name in names)
    return [one for one in found if one is not None and one.on_map]


def _keywords(character: Character) -> tuple[str, ...]:
    return (*character.keywords, *character.generic_keywords)


def fits_side(play: Play, who: Who, player: str | None, other: Character) -> bool:
    """Return whether a character is on the side that the words mean, seen from a player."""
    return who.side == "all" or player is None or (play.player_of(other) == player) == (who.side == "friends")


def fits(play: Play, who: Who, seen_from: Character | None, other: Character) -> bool:
    """Return whether the words other than the side describe a character."""
    if seen_from is not None and who.within is not None and not _within(play, who.within, seen_from, other):
        return False
    if seen_from is not None and who.size is not None:
        bigger = size_of(other) - size_of(seen_from)
        if {"larger": bigger <= 0, "smaller": bigger >= 0, "same": bigger != 0}[who.size]:
            return False
    if (
        seen_from is not None
        and who.shares_keyword
        and not any(has_keyword(other, one) for one in _keywords(seen_from))
    ):
        return False
    if seen_from is not None and who.points is not None:
        more = other.points - seen_from.points
        if more <= 0 if who.points == "higher" else more >= 0:
            return False
    if seen_from is not None and not _in_line(play, who, seen_from, other):
        return False
    return (
        (not who.keyword or any(has_keyword(other, keyword) for keyword in who.keyword))
        and (not who.team or not set(who.team).isdisjoint(other.teams))
        and (not who.name or any(is_named(other, name) for name in who.name))
        and (not who.power or not _shown(other).isdisjoint(who.power))
        and (who.points_at_most is None or other.points <= who.points_at_most)
        and (who.points_at_least is None or other.points >= who.points_at_least)
        and (not who.tokens or other.tokens in who.tokens)
        and (not who.generated or (seen_from is not None and other.generated_by == seen_from.id))
        and (not who.named_token or _has_token(other, who.named_token, seen_from))
    )


def _has_token(other: Character, names: tuple[str, ...], seen_from: Character | None) -> bool:
    """Return whether a character has such a token, given by the other character or by one that isn't noted."""
    by = None if seen_from is None or seen_from.id == other.id else seen_from.id
    return any(other.tokens_named(name, by) for name in names)


def _in_line(play: Play, who: Who, seen_from: Character, other: Character) -> bool:
    """Return whether the lines of fire lead to a character, and from it, that the words ask for."""
    return not (who.line_of_fire and not _sees(play, seen_from, other)) and not (
        who.their_line_of_fire and not _sees(play, other, seen_from)
    )


def _sees(play: Play, one: Character, other: Character) -> bool:
    """Return whether a line of fire isn't blocked; drawing it, effects that themselves need one don't count."""
    if play.sighting or figure_of(play, one) is None or figure_of(play, other) is None:
        return False
    position = play.position
    kept: dict[tuple[str, str], bool] = play.drawn(
        "seen", (position.sides, position.turn, position.map, position.objects, play.moment), dict
    )
    found = kept.get((one.id, other.id))
    if found is None:
        play.sighting = True
        try:
            found = kept[one.id, other.id] = line_class(play, spot_of(one), spot_of(other)) != "blocked"
        finally:
            play.sighting = False
    return found


def _shown(character: Character) -> set[str]:
    """Return the powers on a character's click that aren't countered."""
    showing = character.showing
    return {*showing.powers} - {*character.countered} if showing is not None else set()


def _range_of(play: Play, one: Character) -> int:
    """Return a range value; finding it, effects that themselves need one don't count: none is within 0 squares."""
    if play.sighting or not one.on_map:
        return 0
    play.sighting = True
    try:
        return value_of(play, one, ValueName.RANGE).total
    finally:
        play.sighting = False


def _within(play: Play, within: int | str, one: Character, other: Character) -> bool:
    """Return whether a character is within that many squares of another, or adjacent to it, or was when it was KO'd."""
    if within == "range":
        within = _range_of(play, one)
    most = max(1, play.edition.board.giant_reach) if within == "adjacent" else int(within)
    if len(one.squares) == len(other.squares) == 1:
        if distance(one.squares[0], other.squares[0]) > most:
            return False
    elif all(distance(here, there) > most for here in one.squares for there in other.squares):
        return False
    if within != "adjacent":
        return True
    first, second = figure_there(play, one), figure_there(play, other)
    return first is not None and second is not None and bool(figures_adjacent(play, first, second))


# ── Conditions ─────────────────────────────────────────────────────────────────────────────────────


def holds(
    play: Play,
    when: CardCondition,
    bearer: Character,
    reached: Character,
    fight: Fight | None,
    acting: Character | None = None,
) -> bool:
    """Return whether a condition holds; `reached` is the character that the effect reaches, which the attack is of.

    `acting`: the one that the action is of, if not the character with the card.
    """
    if when.any and not any(holds(play, one, bearer, reached, fight, acting) for one in when.any):
        return False
    if when.not_ is not None and holds(play, when.not_, bearer, reached, fight, acting):
        return False
    if when.turn is not None and (play.position.turn.active == play.player_of(bearer)) != (when.turn == "own"):
        return False
    if (when.attack or when.attacked or when.target or when.using) and not _in_attack(play, when, reached, fight):
        return False
    if when.hit is not None and when.hit != _was_hit(play, when, reached):
        return False
    if when.hit_all is not None and (fight is None or when.hit_all != (set(fight.targets) <= {*play.this_action.hit})):
        return False
    return _of_bearer(play, when, bearer) and _this_turn(when, bearer) and _in_action(play, when, acting or bearer)


def may_hold(play: Play, effect: Effect, bearer: Character, reached: Character, *, sometime: bool) -> bool:
    """Return whether the condition of an effect that is left to the judge may hold, as far as the engine can tell.

    It may hold in the action under way or in one that this grants. Not decided are what follows an attack or stands in no
    position, an attack before it is known, and the use of a power that no action names. `sometime`: whether it may hold
    before the action is over, which may change where characters stand and what they show.
    """
    if effect.when is None:
        return True
    given, fight = play.this_action.given, fight_under_way(play)
    undecided = LEFT_TO_JUDGE | (RESULTS if fight is not None else ABOUT_ATTACKS - {"using"})
    if effect.asked:
        undecided |= ABOUT_ATTACKS
    if not all(_is_named_to_use(play, power) for power in _powers_used(effect.when)):
        undecided |= {"using"}
    if sometime:
        undecided |= UNSETTLED
    when = decidable(effect.when, undecided)
    if holds(play, when, bearer, reached, fight):
        return True
    if given is None or not (effect.about_action or effect.about_attack):
        return False
    for inner in given.then:
        granted = replace(inner, actor=inner.actor or given.actor, using=(*given.using, *inner.using))
        with play.supposing(granted):
            if may_hold(play, effect, bearer, reached, sometime=sometime):
                return True
    return False


def _powers_used(when: CardCondition) -> Iterator[str]:
    yield from when.using
    for inner in (*when.any, *([when.not_] if when.not_ is not None else [])):
        yield from _powers_used(inner)


def _is_named_to_use(play: Play, power: str) -> bool:
    """Return whether an action names a power that it uses; others, such as Impervious, are used without that."""
    row = play.edition.row(power)
    return row is not None and bool(row.action)


def decidable(when: CardCondition, undecided: frozenset[str]) -> CardCondition:
    """Return a condition without what isn't decided; what is only denied is left out with any of it."""
    denied = when.not_ if when.not_ is not None and undecided.isdisjoint(when.not_.words()) else None
    left: dict[str, Any] = {word: WORDS[word] for word in undecided}
    return replace(when, **left, any=tuple(decidable(one, undecided) for one in when.any), not_=denied)


def _was_hit(play: Play, when: CardCondition, character: Character) -> bool:
    """Return whether the attack that is over hit the character, or, for its own attack, anyone."""
    return character.id in play.this_action.hit if when.attacked is not None else bool(play.this_action.hit)


def _in_attack(play: Play, when: CardCondition, character: Character, fight: Fight | None) -> bool:
    if fight is None:
        return when.attack is when.attacked is when.target is None and _uses(play, when, character)
    if when.attacked is not None:
        by = when.by is None or _any_was(play, when.by, character, (fight.attacker,))
        return by and character.id in _attacked(play, when, fight) and when.attacked in ("any", fight.kind)
    if fight.attacker != character.id or when.attack not in (None, "any", fight.kind):
        return False
    if when.using and set(when.using).isdisjoint((*fight.using, *play.this_action.using)):
        return False
    return when.target is None or _any_was(play, when.target, character, fight.hit or fight.targets)


def _any_was(play: Play, who: Who, character: Character, names: Iterable[str]) -> bool:
    """Return whether the words describe one of these, as they were when the attack or its damage triggered an effect."""
    with as_triggered(play):
        seen_from = play.position.find(character.id) or character
        found = (play.position.find(name) for name in names)
        return any(one is not None and is_one(play, who, seen_from, one) for one in found)


@contextmanager
def as_triggered(play: Play) -> Iterator[None]:
    """Look at the position that triggered the effects of cards that follow now, or at the present one."""
    before, play.position = play.position, play.this_action.then or play.position
    try:
        yield
    finally:
        play.position = before


def _attacked(play: Play, when: CardCondition, fight: Fight) -> tuple[str, ...]:
    """Return those that were attacked: the targets, or those that were hit or missed or reached, if it is about that."""
    if when.hit is not None:
        return play.this_action.hit if when.hit else play.this_action.missed
    return fight.targets if fight.reached is None else fight.reached


def _uses(play: Play, when: CardCondition, character: Character) -> bool:
    """Return whether the action that the character makes, or its roll, used one of the powers."""
    if play.this_action.succeeded:
        return play.this_action.succeeded in when.using
    given = play.this_action.given if play.this_action.acting == character.id else None
    if given is None:
        return False
    eased = (name for of, name in play.this_action.moved_with if given.path and of == character.id)
    return not set(when.using).isdisjoint((*given.using, *eased))


def _this_turn(when: CardCondition, bearer: Character) -> bool:
    """Return whether the words hold that are about what the character with the card has done this turn."""
    if when.moved_this_turn is not None and bearer.moved != when.moved_this_turn:
        return False
    return when.attacked_this_turn is None or bool(bearer.attacks_made) == when.attacked_this_turn


def _in_action(play: Play, when: CardCondition, acting: Character) -> bool:
    """Return whether the words hold that are about the action under way."""
    if when.action == () and when.carrying is None:
        return True
    given = play.this_action.given if play.this_action.acting == acting.id else None
    if when.action and (given is None or {given.kind, *ALSO.get(given.kind, ())}.isdisjoint(when.action)):
        return False
    return when.carrying is None or when.carrying == bool(given is not None and given.carry)


def _of_bearer(play: Play, when: CardCondition, bearer: Character) -> bool:
    """Return whether the words hold that are about the character with the card."""
    if when.tokens and bearer.tokens not in when.tokens:
        return False
    if when.clicks and bearer.click not in when.clicks:
        return False
    if when.named_token and not _has_token(bearer, when.named_token, None):
        return False
    if when.stack is not None and bearer.stack < (bearer.stack_max if when.stack == "full" else when.stack):
        return False
    if when.terrain and not any(_occupies(play, bearer, word) for word in when.terrain):
        return False
    if when.holding:
        held = play.position.object(bearer.holding) if bearer.holding is not None else None
        if held is None or not {held.kind.value, held.name, "any"} & {*when.holding}:
            return False
    if when.knocked_out is not None and not _anyone_out(play, when.knocked_out, bearer):
        return False
    for who in (when.near, when.on_map):
        if who is not None and not _someone(play, who, bearer):
            return False
    if when.adjacent_to is not None and not _someone(play, replace(when.adjacent_to, within="adjacent"), bearer):
        return False
    return when.none_near is None or not _someone(play, when.none_near, bearer)


def _anyone_out(play: Play, who: Who, bearer: Character) -> bool:
    """Return whether the words describe anyone that is KO'd."""
    player = play.player_of(bearer)
    out = (one for one in play.position.characters() if one.knocked_out and one.id != bearer.id)
    return any(fits_side(play, who, player, one) and fits(play, who, None, one) for one in out)


def _occupies(play: Play, character: Character, word: str) -> bool:
    ground = ground_of(play)
    if word == "elevated":
        return any(ground.level_of(square) > 1 for square in character.squares)
    kinds = {
        "hindering": ground.hindering_sight,
        "water": ground.water,
        "blocking": ground.blocking,
        "obscuring": ground.obscuring,
    }
    return bool(ground.bits(character.squares) & kinds[word])


def _someone(play: Play, who: Who, bearer: Character) -> bool:
    """Return whether the words describe anyone on the map."""
    return any(is_one(play, who, bearer, figure.character) for figure in standing_of(play).figures.values())


def described(play: Play, who: Who, bearer: Character) -> list[Character]:
    """Return the characters on the map that the words describe."""
    figures = [figure.character for figure in standing_of(play).figures.values()]
    return [one for one in figures if is_one(play, who, bearer, one)]
