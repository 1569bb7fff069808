"""Facts about the characters in an action, noted to select rulings, that no rule notes itself.

Each fact is noted for the character it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rules.engine.action import Action
from rules.engine.combat.crossed import crossed, lying_objects, on_rooftop
from rules.engine.combat.targets import immunity_ended
from rules.engine.figures.adjacency import figures_adjacent, gap_between
from rules.engine.figures.standing import (
    SENTINEL,
    STANDARD,
    Figure,
    figure_of,
    ground_of,
    hovers,
    size_of,
    soars,
    standing_of,
)
from rules.engine.met import Met
from rules.engine.movement.passed import gap
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.position.edges import read_edge
from rules.engine.position.maps import MapKind
from rules.engine.position.objects import BattleObject
from rules.engine.position.squares import read_square

REACH = 3
"""The distance within which figures may be adjacent: the longest reach of a giant, and one more."""


# ── An action ──────────────────────────────────────────────────────────────────────────────────


def note_board(play: Play) -> None:
    """Note facts about the whole board."""
    if play.position.map.kind is MapKind.INDOOR:
        play.note(Met.INDOORS)
    if any(figure.soaring for figure in standing_of(play).figures.values()):
        play.note(Met.SOMEBODY_SOARS)


def note_action(play: Play, given: Action, granted_by: Action | None = None) -> None:
    """Note facts about the actor of an action, its powers and its helpers."""
    play.note(*_of_powers(play, given, granted_by))
    actor = play.position.find(given.actor) if given.actor else None
    if actor is not None:
        play.this_action.notes.add_of_actor((*traits_of(play, actor, "own"), *_of_actor(play, given, actor)))
        if actor.on_map:
            play.note(*_of_objects(play, given, actor))
            play.note(*_of_aim(play, given))
    for one in _named(play, given):
        play.note(*traits_of(play, one), of=one.id)


def note_targets(play: Play, given: Action) -> None:
    """Note facts about each target of an action, and about what lies between it and the actor."""
    actor = play.position.find(given.actor) if given.actor else None
    targets = [found for name in dict.fromkeys(given.targets) if (found := play.position.find(name)) is not None]
    if actor is None or not targets:
        return
    if len(targets) > 1:
        play.note(Met.SEVERAL_TARGETS)
    figure = figure_of(play, actor)
    if figure is not None:
        play.this_action.notes.add_of_actor(standing_there(play, figure, "actor"))
    for target in targets:
        play.note(*traits_of(play, target, "target"), *_of_target(play, actor, target), of=target.id)
        play.note(*between(play, actor, target), of=target.id)


def _of_powers(play: Play, given: Action, granted_by: Action | None) -> Iterator[str]:
    powers = play.edition.powers
    named = {name: powers[name] for name in given.using if name in powers}
    yield from (f"present:{row.topic}" for row in named.values())
    if granted_by is not None and given.kind == "free" and any("free" in row.action for row in named.values()):
        yield Met.WITHIN_ACTION
    elif granted_by is not None and named:
        yield Met.GRANTED_POWER


def _named(play: Play, given: Action) -> list[Character]:
    """Return the characters that an action names beside its actor and its targets."""
    chosen = given.choose
    names = (*given.assist, *given.carry, *chosen.rerollers, *chosen.masterminds.values(), chosen.unstack)
    return [found for name in names if isinstance(name, str) and (found := play.position.find(name)) is not None]


# ── A character ────────────────────────────────────────────────────────────────────────────────


def traits_of(play: Play, one: Character, *roles: str) -> Iterator[str]:
    """Yield the facts that hold for a character wherever it takes part: powers, name, size, base, held object.

    `roles` are the kinds of facts (`own`, `target`) by which its powers are named beside `present`.
    """
    yield from (f"{role}:{topic}" for topic in _topics_of(play, one) for role in ("present", *roles))
    rows = (play.edition.powers.get(name) for name in one.countered)
    yield from (f"off:{row.topic}" for row in rows if row is not None)
    yield from _figure_names(one.name, one.number)
    if size_of(one) == SENTINEL:
        yield Met.HAS_SENTINEL
    elif size_of(one) != STANDARD:
        yield Met.OTHER_SIZES
    if len(one.squares) > 1:
        yield Met.HAS_LARGER_BASE
    if not play.edition.wild_cards.isdisjoint(one.teams):
        yield Met.HAS_WILD_CARD
    held = play.position.object(one.holding) if one.holding is not None else None
    if held is not None and held.name:
        yield from _figure_names(held.name)


def _topics_of(play: Play, one: Character) -> Iterator[str]:
    """Yield the topics of a character's powers, even if turned off, of its team abilities and of its speed and damage symbols."""
    shown = one.showing or one.dial[-1]
    named = [play.edition.powers.get(name) for name in shown.powers]
    named += [play.edition.team_abilities.get(name) for name in one.teams]
    symbols = (sign.value.removeprefix("transporter-") for sign in (*one.symbols.speed, *one.symbols.damage))
    named += [play.edition.symbol_abilities.get(symbol) for symbol in symbols]
    yield from (row.topic for row in named if row is not None)
    if one.improved.movement:
        yield "improved-movement"


def _figure_names(name: str, number: str = "") -> Iterator[str]:
    word = _slug(name)
    plain = number.lstrip("0")
    yield f"figure:{word}-{plain}" if plain else f"figure:{word}"


@cache
def _slug(name: str) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in name.casefold()).split())


def _of_actor(play: Play, given: Action, actor: Character) -> Iterator[str]:
    yield from flight_and_range_of(play, actor)
    figure = figure_of(play, actor)
    if figure is None:
        return
    if actor.holding is not None and given.with_object is None:
        yield Met.KEEPS_OBJECT
    held = list(held_by(play, figure))
    if held:
        yield from held
        if held.count(Met.BESIDE_OPPONENT) > 1:
            yield Met.SEVERAL_BESIDE
        if not given.path and (given.kind == "move" or (given.kind == "power" and not given.then)):
            yield Met.STAYS_BESIDE_OPPONENT
    for other in _around(play, figure):
        if other.player == figure.player and figures_adjacent(play, figure, other):
            yield from (f"beside:{topic}" for topic in _topics_of(play, other.character))
            yield from _of_member(actor, other.character)
        elif other.player != figure.player and any(gap(square, other) == 1 for square in figure.character.squares):
            apart = figures_adjacent(play, figure, other, "movement")
            yield from (f"apart:{topic}" for topic in apart.topics if not apart)
    if given.flight is not None and given.flight is not actor.flight and (actor.flight or given.flight == "soaring"):
        yield Met.CHANGES_FLIGHT


def held_by(play: Play, figure: Figure) -> Iterator[str]:
    """Yield facts about the opponents adjacent to a character for movement; none if there are none."""
    for other in _around(play, figure):
        if other.player != figure.player and figures_adjacent(play, figure, other, "movement"):
            yield Met.BESIDE_OPPONENT
            if len(other.character.squares) > 1:
                yield Met.BESIDE_LARGER_BASE
            if other.hovering:
                yield "facing:hovering"
            yield from (f"facing:{topic}" for topic in _topics_of(play, other.character))


def _of_member(actor: Character, friend: Character) -> Iterator[str]:
    """Yield how the points of an adjacent friend compare, if the two have a team ability in common."""
    if set(actor.teams).isdisjoint(friend.teams):
        return
    if friend.points > actor.points:
        yield Met.COSTLIER_MEMBER
    elif friend.points == actor.points:
        yield Met.EQUAL_MEMBER


def flight_and_range_of(play: Play, actor: Character) -> Iterator[str]:
    """Yield facts about the acting character's elevation and how it shoots."""
    if soars(play, actor):
        yield Met.ACTOR_SOARING
    elif hovers(play, actor):
        yield Met.ACTOR_HOVERING
    if actor.range == 0:
        yield Met.RANGE_ZERO
    if actor.bolts > 1:
        yield Met.SEVERAL_BOLTS
    if actor.tokens or actor.acted:
        yield Met.HAS_ACTED


def _of_target(play: Play, actor: Character, target: Character) -> Iterator[str]:
    if target.id == actor.id:
        yield Met.TARGETS_SELF
    else:
        yield Met.TARGETS_OTHER
        if target.name == actor.name:
            yield Met.NAMESAKES
    if play.friendly(actor, target):
        yield Met.TARGETS_FRIEND
    figure = figure_of(play, target)
    if figure is not None and not play.friendly(actor, target) and immunity_ended(play, figure):
        yield Met.IMMUNITY_ENDED
    if target.tokens:
        yield Met.TARGET_TOKEN
    if target.tokens > 1:
        yield Met.TARGET_TWO_TOKENS
    if target.points >= 100:
        yield Met.TARGET_HUNDRED
    if len(target.squares) > 1:
        yield Met.TARGET_LARGER_BASE
    if target.teams:
        yield Met.TARGET_TEAM
    if not set(target.teams).isdisjoint(actor.teams):
        yield Met.SAME_TEAM
    if target.modifiers:
        yield Met.TARGET_PERPLEXED
    if len(target.modifiers) > 1:
        yield Met.PERPLEXED_TWICE


def _around(play: Play, figure: Figure) -> list[Figure]:
    """Return the figures close enough that they may be adjacent for one purpose or another."""
    figures = standing_of(play).figures.values()
    return [one for one in figures if one is not figure and gap_between(figure, one) <= REACH]


# ── Targets ───────────────────────────────────────────────────────────────────────────


def _of_objects(play: Play, given: Action, actor: Character) -> Iterator[str]:
    names = [name for name in (given.pick_up, given.with_object, actor.holding, *given.targets) if name is not None]
    for name in dict.fromkeys(names):
        thing = play.position.object(name)
        if thing is not None:
            yield from _of_object(play, actor, thing, targeted=name in given.targets)


def _of_object(play: Play, actor: Character, thing: BattleObject, *, targeted: bool) -> Iterator[str]:
    if thing.name:
        yield Met.NAMED_OBJECT
        yield from _figure_names(thing.name)
    if thing.square is None:
        if targeted:
            yield Met.HELD_BY_SOMEBODY
        return
    ground = ground_of(play)
    if ground.level_of(thing.square) != ground.level_of(actor.squares[0]):
        yield Met.DIFFERENT_LEVELS
    here = standing_of(play).at.get(thing.square)
    if here is None:
        return
    if here.character.id == actor.id:
        yield Met.OBJECT_UNDER_ACTOR
    elif not play.friendly(actor, here.character):
        yield Met.OBJECT_UNDER_OPPONENT


def _of_aim(play: Play, given: Action) -> Iterator[str]:
    """Yield facts about targets that are squares or edges."""
    ground = ground_of(play)
    for name in given.targets:
        square = read_square(name)
        if square is None:
            edge = read_edge(name)
            if edge is not None:
                yield from (Met.AIMS_AT_TERRAIN, "destroy-terrain", "walls")
                if not lying_objects(play).isdisjoint((edge.first, edge.second)):
                    yield Met.OBJECT_BESIDE_TARGET
                if ground.has(edge.first) and ground.has(edge.second):
                    levels = {ground.level_of(edge.first), ground.level_of(edge.second)}
                    if len(levels) > 1:
                        yield Met.WALL_BETWEEN_LEVELS
            continue
        if not ground.has(square) or play.position.find(name) is not None:
            continue
        yield from (Met.AIMS_AT_TERRAIN, "destroy-terrain")
        yield from on_rooftop(play, square)
        if ground.barrier & ground.bit(square):
            yield Met.AIMS_AT_BARRIER


def between(play: Play, one: Character, other: Character) -> Iterator[str]:
    """Yield facts about what lies between two characters and around the second, if both are on the map."""
    first, second = figure_of(play, one), figure_of(play, other)
    if first is None or second is None:
        return
    if first.on_blocking or second.on_blocking:
        yield Met.ON_BLOCKING
    if first.soaring and second.soaring:
        yield Met.BOTH_SOAR
    elif first.soaring != second.soaring:
        yield Met.ONE_SOARS
        if second.soaring and one.range % 2:
            yield Met.ODD_RANGE
    friends = [f for f in _around(play, second) if f.player == first.player and f is not first]
    if second.player != first.player and any(figures_adjacent(play, friend, second) for friend in friends):
        yield Met.FRIEND_BESIDE_TARGET
    yield from standing_there(play, second, "target")
    if any(gap(square, second) == 1 for square in lying_objects(play)):
        yield Met.OBJECT_BESIDE_TARGET
    yield from crossed(play, one.squares[0], other.squares[0])


_WHERE = {
    "actor": (Met.ACTOR_SOARING, Met.ACTOR_HOVERING, Met.ACTOR_IN_HINDERING, Met.ACTOR_ON_OBJECT),
    "target": (Met.TARGET_SOARING, Met.TARGET_HOVERING, Met.TARGET_IN_HINDERING, Met.TARGET_ON_OBJECT),
}


def standing_there(play: Play, figure: Figure, who: str) -> Iterator[str]:
    """Yield facts about a figure's elevation and the terrain or object under it."""
    soaring, hovering, in_hindering, on_object = _WHERE[who]
    if figure.soaring:
        yield soaring
    if figure.hovering:
        yield hovering
    if ground_of(play).hindering_sight & figure.bits:
        yield in_hindering
    if not lying_objects(play).isdisjoint(figure.character.squares):
        yield on_object
