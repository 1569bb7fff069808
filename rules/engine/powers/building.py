"""Helper functions that build the columns of simple rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from rules.engine.action import Action
from rules.engine.actions.turns import turn_has_begun
from rules.engine.combat.roll import roll_dice
from rules.engine.errors import Illegal, Untargeted
from rules.engine.figures.abilities import on_team
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import SENTINEL, figure_of, size_of
from rules.engine.figures.values import printed_value
from rules.engine.play import Attack, AttackKind, Damage, Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import (
    BreakAwayChange,
    Ignores,
    LendModifier,
    ModifyValue,
    Number,
    Power,
    Reduces,
    Refuses,
    ReplaceValue,
    ShareValue,
)
from rules.engine.reasons import Modifier, Replacement
from rules.engine.steps import StepName


def table(*rows: Power, also: Mapping[str, Power] | None = None) -> Mapping[str, Power]:
    """Return the rows by name; `also` gives alternative names."""
    return MappingProxyType({row.name: row for row in rows} | dict(also or {}))


def compulsory(row: Power) -> Power:
    """Return a power that the character can't decline, because the book doesn't say that it may be used."""
    return replace(row, declinable="no")


def ignoring(*what: str) -> Ignores:
    """Return a function that always ignores these kinds of terrain or figures."""
    words = frozenset(what)

    def ignores(play: Play, character: Character) -> frozenset[str]:
        return words

    return ignores


def in_attacks(value: ValueName, by: int, kind: AttackKind, name: str, topic: str) -> ModifyValue:
    """Return a modifier of the target's own value against attacks of one kind."""

    def modify(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Modifier]:
        if asked is not value or attack is None or attack.kind != kind or attack.target is None:
            return ()
        if attack.target.id != character.id:
            return ()
        return (Modifier(by, f"{name} against {kind} attacks", topic),)

    return modify


def shared_value(value: ValueName, *, team: str | None = None) -> ShareValue:
    """Return a function that lets friendly characters (of one team, if named) use the character's printed value."""

    def share(play: Play, owner: Character, friend: Character, asked: ValueName, attack: Attack | None) -> int | None:
        if asked is not value or (team is not None and not on_team(play, friend, team)):
            return None
        return printed_value(owner, value)

    return share


def lent_to_neighbours(
    value: ValueName, by: int, kind: AttackKind, name: str, topic: str, *, against_opponents: bool = False
) -> LendModifier:
    """Return a modifier for adjacent friendly characters making an attack of one kind, optionally only on opponents."""

    def lend(
        play: Play, owner: Character, friend: Character, asked: ValueName, attack: Attack | None
    ) -> Iterable[Modifier]:
        if asked is not value or attack is None or attack.kind != kind or attack.attacker.id != friend.id:
            return ()
        if not beside(play, owner, friend):
            return ()
        if against_opponents and attack.destroys:
            return ()
        if against_opponents and attack.target is not None and play.friendly(attack.target, friend):
            return ()
        return (Modifier(by, f"{owner.name}'s {name}", topic),)

    return lend


def beside(play: Play, one: Character, other: Character) -> bool:
    """Return whether two characters on the map are adjacent."""
    first, second = figure_of(play, one), figure_of(play, other)
    return first is not None and second is not None and bool(figures_adjacent(play, first, second))


def when_used(name: str, value: ValueName, replacement: Replacement) -> ReplaceValue:
    """Return a replacement of the attacker's own value in attacks that use the power."""

    def replaces(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Replacement]:
        used = attack is not None and name in attack.using and attack.attacker.id == character.id
        return (replacement,) if used and asked is value else ()

    return replaces


def plus(by: int) -> BreakAwayChange:
    """Return a modifier to break away rolls, regardless of the characters."""

    def adds(play: Play, owner: Character, other: Character) -> int | None:
        return by

    return adds


def against_all_but_sentinels(by: int) -> BreakAwayChange:
    """Return a modifier to break away rolls except those of Sentinels, which it doesn't affect."""

    def adds(play: Play, owner: Character, other: Character) -> int | None:
        return None if size_of(other) == SENTINEL else by

    return adds


def more_actions(number: int) -> Number:
    """Return a number added to the action total of the character's side."""

    def adds(play: Play, character: Character) -> int:
        return number

    return adds


def never(reason: str) -> Refuses:
    """Return a refusal; `{}` in the reason stands for the character's name."""

    def refuses(play: Play, character: Character) -> str | None:
        return reason.format(character.name)

    return refuses


def less(by: int) -> Reduces:
    """Return a reduction of damage from attacks and powers, and from knock back that isn't part of an attack."""

    def reduces(play: Play, character: Character, damage: Damage) -> int:
        return by

    return reduces


def less_for_targets(by: int) -> Reduces:
    """Return a reduction of damage from attacks targeting the character, and their knock back (Impervious, 2002)."""

    def reduces(play: Play, character: Character, damage: Damage) -> int:
        return by if damage.targeted and damage.source in ("attack", "knock-back") else 0

    return reduces


def all_or(by: int, roll: str, on: frozenset[int], name: str, topic: str) -> Reduces:
    """Return a reduction by a roll: all of an attack's damage on these results, otherwise `by` (Impervious, 2005)."""

    def reduces(play: Play, character: Character, damage: Damage) -> int:
        if damage.source != "attack" or damage.penetrating or play.declines(topic, character):
            return by
        rolled = roll_dice(play, f"{roll}:{character.id}", 1, character)
        less = damage.amount if rolled.total in on else by
        done = "ignores all the damage" if rolled.total in on else f"reduces the damage by {by}"
        text = f"{character.name} rolls {rolled.total} for {name}, which {done}."
        play.record(StepName.ROLL, text, (topic,), {"roll": rolled.total})
        return less

    return reduces


def used_now(play: Play, character: Character, name: str) -> None:
    """Note that a once-a-turn power has been used. Raises Illegal if it was already used this turn."""
    current = play.character(character.id)
    if name in current.used:
        raise Illegal(f"{character.name} has already used {name} this turn.", (topic_of(play, name), "timing"))
    play.change(replace(current, used=(*current.used, name)))


def topic_of(play: Play, name: str) -> str:
    """Return the topic of one of the edition's powers or team abilities."""
    row = play.edition.row(name)
    return row.topic if row is not None else "powers"


def at_the_beginning(play: Play, name: str) -> None:
    """Check that no action has been given yet this turn."""
    if turn_has_begun(play):
        raise Illegal(
            f"{name} can be used only at the beginning of the turn, before any action.", (topic_of(play, name), "turn")
        )


def only_target(play: Play, given: Action) -> Character:
    """Return the single target that an action names. Raises Illegal."""
    if not given.targets:
        raise Untargeted("Name 1 character as the target.", ("targeting",))
    if len(given.targets) != 1 or play.position.find(given.targets[0]) is None:
        raise Illegal("Name 1 character as the target.", ("targeting",))
    return play.character(given.targets[0])
