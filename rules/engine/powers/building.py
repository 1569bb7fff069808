"""The few words that simple rows are written in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from rules.engine.figures.abilities import on_team
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import SENTINEL, figure_of, size_of
from rules.engine.figures.values import printed_value
from rules.engine.play import Attack, AttackKind, Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import (
    BreakAwayChange,
    Ignores,
    LendModifier,
    ModifyValue,
    Number,
    Power,
    Refuses,
    ReplaceValue,
    ShareValue,
)
from rules.engine.reasons import Change, Replacement


def table(*rows: Power, also: Mapping[str, Power] | None = None) -> Mapping[str, Power]:
    """Return the rows by their names; `also` gives further names by which some are known."""
    return MappingProxyType({row.name: row for row in rows} | dict(also or {}))


def ignoring(*what: str) -> Ignores:
    """Return that these are ignored, always."""
    words = frozenset(what)

    def ignores(play: Play, character: Character) -> frozenset[str]:
        return words

    return ignores


def in_attacks(value: ValueName, by: int, kind: AttackKind, name: str, topic: str) -> ModifyValue:
    """Return a modifier of the target's own value against attacks of one kind."""

    def modify(play: Play, character: Character, asked: ValueName, attack: Attack | None) -> Iterable[Change]:
        if asked is not value or attack is None or attack.kind != kind or attack.target is None:
            return ()
        if attack.target.id != character.id:
            return ()
        return (Change(by, f"{name} against {kind} attacks", topic),)

    return modify


def shared_value(value: ValueName, *, team: str | None = None) -> ShareValue:
    """Return that friends (of the same team, where one is named) may use the owner's printed value."""

    def share(play: Play, owner: Character, friend: Character, asked: ValueName, attack: Attack | None) -> int | None:
        if asked is not value or (team is not None and not on_team(play, friend, team)):
            return None
        return printed_value(owner, value)

    return share


def lent_to_neighbours(value: ValueName, by: int, kind: AttackKind, name: str, topic: str) -> LendModifier:
    """Return a modifier for adjacent friends that make an attack of one kind."""

    def lend(
        play: Play, owner: Character, friend: Character, asked: ValueName, attack: Attack | None
    ) -> Iterable[Change]:
        if asked is not value or attack is None or attack.kind != kind or attack.attacker.id != friend.id:
            return ()
        if not beside(play, owner, friend):
            return ()
        return (Change(by, f"{owner.name}'s {name}", topic),)

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
    """Return a number added to break away rolls, whoever is concerned."""

    def adds(play: Play, owner: Character, other: Character) -> int | None:
        return by

    return adds


def against_all_but_sentinels(by: int) -> BreakAwayChange:
    """Return a number added to break away rolls of anybody but Sentinels, whom it does not affect."""

    def adds(play: Play, owner: Character, other: Character) -> int | None:
        return None if size_of(other) == SENTINEL else by

    return adds


def never(reason: str) -> Refuses:
    """Return a refusal; `{}` in it stands for the bearer's name."""

    def refuses(play: Play, character: Character) -> str | None:
        return reason.format(character.name)

    return refuses


def carrying(number: int) -> Number:
    """Return how many the bearer may carry."""

    def carries(play: Play, character: Character) -> int:
        return number

    return carries
