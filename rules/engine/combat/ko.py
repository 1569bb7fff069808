"""Knocking out a character, with everything that follows; and what a turned dial ends.

Losing a power also ends its effects: objects are dropped, powers cancelled by Outwit return.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from rules.engine.battles import (
    Battle,
    BattleCharacter,
    BattleSide,
    BattleToken,
    Cause,
    Ended,
    Fate,
    ObjectFate,
    ScoreLine,
)
from rules.engine.combat.event_dial import turn_at
from rules.engine.errors import AwaitingChoice, Illegal
from rules.engine.figures.abilities import can_use, powers_of, spent_by, team_abilities_of
from rules.engine.figures.adjacency import squares_adjacent
from rules.engine.figures.standing import SENTINEL, STANDARD, ground_of, size_of, standing_of
from rules.engine.memory import Altered
from rules.engine.met import Met
from rules.engine.play import Damage, Play
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character, CharacterKind
from rules.engine.position.objects import BattleObject
from rules.engine.position.squares import Square
from rules.engine.rivals import RivalKind
from rules.engine.scoring.victory_points import lines_of_defeat, lines_of_feat, lines_of_loss
from rules.engine.scoring.winner import told
from rules.engine.steps import StepName

CAUSES = {
    "attack": Cause.ATTACK,
    "power": Cause.ATTACK,
    "mystics": Cause.ATTACK,
    "knock-back": Cause.KNOCKBACK,
    "pushing": Cause.PUSHING,
    "critical-miss": Cause.CRITICAL_MISS,
    "own-power": Cause.OWN_POWER,
}


def knock_out(play: Play, character: Character, damage: Damage) -> None:
    """Remove a character from the map, drop its object, free its captives and score its defeat.

    Sources: Defeating Characters of each book; Objects; Capturing; Victory.
    """
    play.record(
        StepName.KO,
        f"{character.name} is knocked out and leaves the map.",
        ("ko",),
        {"points": character.points},
        of=character.id,
    )
    rows = team_abilities_of(play, character)
    square = character.squares[0] if character.squares else None
    drop(play, character, "is knocked out", square)
    _leave_card(play, character, square)
    play.change(replace(play.character(character.id), squares=(), holding=None, captured_by=None, tokens=0))
    score_defeat(play, character, damage)
    turn_at(play, CardMoment.WHEN_KO, play.owner_of(character))
    for row in rows:
        if row.defending.on_ko is not None and not play.declines(row.topic, character):
            row.defending.on_ko(play, character)
    free_captives(play, character, f"whose captor {character.name} is knocked out", ("capture", "rescue"))
    end_what_is_cancelled(play)
    if not any(one.on_map for one in play.position.characters()):
        play.note(Met.ALL_FALLEN)


def _leave_card(play: Play, character: Character, square: Square | None) -> None:
    """Unequip a KO'd character, and put its relics into the square it last occupied (Relics, 2014)."""
    unequip(play, character, "is knocked out")
    for thing in play.position.objects:
        if thing.assigned_to == character.id:
            play.change_object(replace(thing, square=square, assigned_to=None))
            text = f"{character.name}'s relic {thing.name or thing.id} stays in {square}."
            play.record(StepName.PUT_DOWN, text, ("relic", "objects"))


def equipment_of(play: Play, character: Character) -> BattleObject | None:
    """Return the object that a character is equipped with, or None."""
    objects = (thing for thing in play.position.objects if thing.equip is not None)
    return next((thing for thing in objects if thing.assigned_to == character.id), None)


def equip(play: Play, character: Character, thing: BattleObject) -> None:
    """Equip a character with an object: what it was equipped with before is unequipped (Equipment, 2020s)."""
    unequip(play, character, "is equipped again")
    now = play.character(character.id)
    if now.holding == thing.id:
        play.change(replace(now, holding=None))
    play.change_object(replace(thing, square=None, assigned_to=character.id))
    text = f"{character.name} is equipped with {thing.name or thing.id}, which is placed on its card."
    play.record(StepName.PICK_UP, text, ("equipment", "objects"), of=character.id)


def why_not_equipped(play: Play, character: Character, thing: BattleObject) -> str:
    """Return why a character can't be equipped with an object, "" if it can (Equipment, Equipment-Objects, 2020s)."""
    name = thing.name or thing.id
    if size_of(character) != STANDARD:
        return f"Only standard characters can be equipped, and {character.name} isn't one."
    if thing.equip == "friendly" and thing.player != play.player_of(character):
        return f"Only characters friendly to {name} can equip it."
    return ""


def unequip(play: Play, character: Character, why: str) -> None:
    """Unequip a character: the object is KO'd, or lies in its square, as the object says (Equipment-Objects, 2020s)."""
    thing = equipment_of(play, character)
    if thing is None:
        return
    square = character.squares[0] if thing.unequip == "drop" and character.squares else None
    play.change_object(replace(thing, square=square, assigned_to=None))
    named = thing.name or thing.id
    lies = "the object is KO'd" if square is None else f"the object lies in {square}"
    text = f"{character.name} {why}: {named} is unequipped, and {lies}."
    play.record(StepName.PUT_DOWN, text, ("equipment", "objects"), of=character.id)
    if square is None:
        remove_object(play, replace(thing, assigned_to=None))


def remove_object(play: Play, thing: BattleObject) -> None:
    """Remove an object from the game and score it."""
    play.change_object(replace(thing, square=None, removed=True))
    score_object(play, thing)


def score_object(play: Play, thing: BattleObject) -> None:
    """Score an object that was removed for the opponents of the force that it came with.

    Sources: Determining Victory Points › Objects (2014), Determining Victory Points, Special Objects (2020s).
    """
    if thing.player is None or not thing.points:
        return
    sides = tuple(
        BattleSide(player=side.player, points=0, characters=tuple(_survivor(one) for one in side.characters))
        for side in play.position.sides
    )
    battle = Battle(build_total=play.position.build_total, ended=Ended.AGREEMENT, sides=sides)
    active = play.position.turn.active
    lost = BattleToken(ref=thing.id, name=thing.name, points=thing.points, fate=ObjectFate.REMOVED, on_turn_of=active)
    _score(play, tuple(lines_of_loss(battle, play.edition, thing.player, lost)), ("victory-points", "objects"))


def _survivor(character: Character) -> BattleCharacter:
    return BattleCharacter(ref=character.id, name=character.name, points=character.points, fate=Fate.SURVIVED)


def score_defeat(play: Play, character: Character, damage: Damage) -> None:
    """Score a defeat for the players to whom the edition awards it; archenemies count double where they exist."""
    owner = play.owner_of(character)
    battle = _as_battle(play, character, damage)
    fallen = battle.characters[character.id]
    lines = tuple(lines_of_defeat(battle, play.edition, owner, fallen))
    for card in character.cards:
        if card.points:
            lines += tuple(lines_of_feat(battle, play.edition, owner, fallen, card.name, card.points))
    if any("archenemies" in line.topics for line in lines):
        play.note(Met.COUNTS_DOUBLE, of=character.id)
    elif damage.by is not None and _namesakes(play, battle.characters[damage.by.id], fallen):
        text = f"{fallen.name} counts once: figures with the same name are never archenemies."
        play.record(StepName.NOTE, text, ("archenemies",), of=character.id)
    _score(play, lines, ("victory-points",))


def _score(play: Play, lines: Iterable[ScoreLine], topics: tuple[str, ...]) -> None:
    """Add these lines to the players' victory points and record it."""
    points = dict(play.battle.points)
    said = []
    for line in lines:
        points[line.player] = points.get(line.player, Fraction(0)) + Fraction(line.points)
        said.append(f"{line.player} scores {told(line.points)} victory points: {line.why}.")
        topics += line.topics
    play.score(points)
    if said:
        numbers = {"points": {player: _plain(value) for player, value in points.items()}}
        play.record(StepName.RESOLVE, " ".join(said), topics, numbers)


def _namesakes(play: Play, one: BattleCharacter, other: BattleCharacter) -> bool:
    """Return whether two opponents would be archenemies but for their name."""
    if not play.edition.scoring.archenemies_count_double or play.owner_of(play.character(one.ref)) == play.owner_of(
        play.character(other.ref)
    ):
        return False
    theirs = play.edition.rivalries(other)
    return any(stand.topic == "archenemies" and stand in theirs for stand in play.edition.rivalries(one))


def score_release(play: Play, captive: Character, captor: Character) -> None:
    """Score a captive that is released in its captor's starting area."""
    if play.edition.scoring.release is None:
        return
    battle = _as_battle(play, captive, Damage(captive, 0, "attack", captor))
    lines = play.edition.scoring.release(battle, play.edition, battle.characters[captive.id])
    _score(play, lines, ("victory-points", "release"))


def _plain(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _as_battle(play: Play, fallen: Character, damage: Damage) -> Battle:
    """Return the facts that scoring needs: the sides, and how this character was defeated."""
    owners = {name: player for player, name in play.owners()}
    replaced = {one.replaces for one in play.position.characters()}
    controlled = play.this_action.controlled
    controllers = {controlled.character: controlled.controller} if controlled is not None else {}
    forces: dict[str, list[BattleCharacter]] = {side.player: [] for side in play.position.sides}
    for one in play.position.characters():
        fell = one.id == fallen.id
        by = damage.by.id if fell and damage.by is not None and damage.by.id != one.id else None
        forces[owners[one.id]].append(
            BattleCharacter(
                ref=one.id,
                name=one.name,
                points=one.points,
                fate=Fate.DEFEATED if fell or one.knocked_out else Fate.SURVIVED,
                base_color=one.base_color,
                set=one.set or None,
                kind=RivalKind.SENTINEL if size_of(one) == SENTINEL else RivalKind.CHARACTER,
                teams=one.teams,
                replaces=one.replaces,
                replaced=one.id in replaced,
                by=by,
                cause=CAUSES.get(damage.source) if fell else None,
                last_damaged_by=one.last_damaged_by,
                on_turn_of=play.position.turn.active if fell else None,
                controller=(controllers.get(by or "") or controllers.get(one.id)) if fell else None,
            )
        )
    sides = tuple(BattleSide(player=player, points=0, characters=tuple(those)) for player, those in forces.items())
    return Battle(build_total=play.position.build_total, ended=Ended.AGREEMENT, sides=sides)


# ── Lost powers ────────────────────────────────────────────────────────────────


def lose_what_is_gone(play: Play, name: str) -> None:
    """Drop an object that the character can no longer hold, and end the effects of an Outwit it has lost."""
    character = play.character(name)
    if character.on_map and character.holding is not None:
        thing = play.position.object(character.holding)
        if (
            thing is not None
            and not thing.marker
            and not _with_ignored(play, lambda: play.edition.combat.keeps_hold(play, character, thing))
        ):
            drop(play, character, "can't hold an object any more", character.squares[0], ("super-strength", "lost"))
    end_what_is_cancelled(play)


def can_lift(play: Play, character: Character) -> bool:
    """Return whether the character has a power that lets it lift objects."""
    return any(power.moving.lifts for power in powers_of(play, character))


def drop(play: Play, character: Character, why: str, square: Square | None, topics: tuple[str, ...] = ()) -> None:
    """Drop the object that the character holds in a square; if an object is already there, it is removed (2014)."""
    held = play.position.object(character.holding) if character.holding is not None else None
    if held is None:
        return
    play.change(replace(play.character(character.id), holding=None))
    taken = any(thing.square == square and not thing.removed for thing in play.position.objects)
    removed = square is None or (taken and play.edition.combat.one_object_to_a_square)
    if removed:
        remove_object(play, held)
    else:
        play.change_object(replace(held, square=square))
    named = f"the object {held.name or held.id}"
    text = f"{character.name} {why} and drops {named} in {square}."
    if removed:
        text = f"{character.name} {why}: {named} is removed from the game."
    play.record(StepName.PUT_DOWN, text, ("held-object", "objects", *topics))


def end_what_is_cancelled(play: Play) -> None:
    """Restore powers whose Outwit user has lost Outwit or left the map, and end Perplex in the same way."""
    kept = []
    for cancelled in play.battle.cancelled:
        if _may_still(play, cancelled.by, "Outwit"):
            kept.append(cancelled)
            continue
        restore(play, cancelled.of, cancelled.power, f"{play.character(cancelled.by).name} can't use Outwit any more")
    play.battle = replace(play.battle, cancelled=tuple(kept))
    _end_what_is_perplexed(play)


def _end_what_is_perplexed(play: Play) -> None:
    """End Perplex modifiers that last until a later turn if their user has lost the power or left the map.

    Sources: Powers and Abilities (2014), Lost (2020s).
    """
    for character in end_modifiers_given(
        play, lambda altered: altered.until is not None and not _may_still(play, altered.by, "Perplex")
    ):
        text = f"Perplex no longer modifies {character.name}: its user can't use it any more."
        play.record(StepName.MODIFY, text, ("perplex", "combat-values"))


def end_modifiers_given(play: Play, ends: Callable[[Altered], bool]) -> list[Character]:
    """Remove the modifiers from other characters that end now; return the characters that had one."""
    ended = [altered for altered in play.battle.altered if ends(altered)]
    had = []
    for altered in ended:
        character = play.character(altered.of)
        modifiers = list(character.modifiers)
        if altered.modifier in modifiers:
            modifiers.remove(altered.modifier)
            play.change(replace(character, modifiers=tuple(modifiers)))
            had.append(character)
    if ended:
        left = tuple(altered for altered in play.battle.altered if altered not in ended)
        play.battle = replace(play.battle, altered=left)
    return had


def _may_still(play: Play, name: str, power: str) -> bool:
    by = play.position.find(name)
    return (
        by is not None
        and by.on_map
        and _with_ignored(play, lambda: can_use(play, by, power) or bool(spent_by(play, by, power)))
    )


def _with_ignored(play: Play, asked: Callable[[], bool]) -> bool:
    """Return the answer with powers included that the current attack ignores: they don't matter to it but aren't lost.

    Sources: Common Questions (2014), The Twin Rules of Durations (2020s).
    """
    ignored, play.this_action.powerless = play.this_action.powerless, frozenset()
    try:
        return asked()
    finally:
        play.this_action.powerless = ignored


def restore(play: Play, name: str, power: str, why: str) -> None:
    """Restore a cancelled power."""
    character = play.character(name)
    if power not in character.countered:
        return
    countered = list(character.countered)
    countered.remove(power)
    play.change(replace(character, countered=tuple(countered)))
    play.note(Met.TURNED_ON)
    play.record(StepName.COUNTER, f"{character.name} has {power} again: {why}.", ("outwit",), {"restored": True})


# ── Captives ───────────────────────────────────────────────────────────────────────────────────


def free_captives(play: Play, captor: Character, why: str, topics: tuple[str, ...]) -> None:
    """Free the captives of a captor: into squares beside where it stands or stood, each with an action token."""
    for captive in list(play.position.characters()):
        if captive.captured_by == captor.id and not captive.knocked_out:
            place = free_square(play, captive, captor.squares)
            put_back(play, captive, place, why, topics)


def put_back(play: Play, captive: Character, square: Square, why: str, topics: tuple[str, ...]) -> None:
    """Put a captive back on the map with one action token."""
    play.change(replace(captive, squares=(square,), captured_by=None, tokens=1))
    text = f"{captive.name}, {why}, is freed in {square} and gets an action token."
    play.record(StepName.CAPTURE, text, topics)


def free_square(play: Play, character: Character, around: tuple[Square, ...]) -> Square:
    """Return the square chosen for a character beside these squares. Raises AwaitingChoice, or Illegal."""
    open_squares = squares_beside(play, around)
    named = play.this_action.choices.places.get(character.id)
    if named is None:
        options = [square.name for square in open_squares]
        why, owner = f"In which square is {character.name} placed?", play.player_of(character)
        raise AwaitingChoice(f"place:{character.id}", options, why, owner)
    square = named.square
    if square is None or square not in open_squares:
        raise Illegal(
            f"{character.name} can't be placed in {named.words}: choose a free adjacent square.",
            ("adjacency", "occupancy"),
        )
    return square


def squares_beside(play: Play, around: tuple[Square, ...]) -> list[Square]:
    """Return the open squares adjacent to any of these squares."""
    ground, here = ground_of(play), standing_of(play).at
    found = []
    for square in play.position.map.squares():
        if square in here or square in around or ground.blocking & ground.bit(square):
            continue
        near = [own for own in around if max(abs(own.column - square.column), abs(own.row - square.row)) == 1]
        if any(squares_adjacent(play, own, square) for own in near):
            found.append(square)
    return found


def dies_at_once(character: Character) -> bool:
    """Return whether any damage at all removes the character, as with bystanders, which have no dial."""
    return character.kind is CharacterKind.BYSTANDER
