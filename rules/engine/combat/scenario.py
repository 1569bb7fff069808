"""The special rules of the scenarios of 2002, as far as a position holds what they are about.

A scientist, an artifact or files are a special marker that characters carry; a portal is a special marker on the map.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from rules.engine.battles import ScenarioName
from rules.engine.combat.ko import drop, squares_beside
from rules.engine.errors import AwaitingChoice, Illegal
from rules.engine.play import Damage, Play
from rules.engine.position.characters import Character
from rules.engine.position.objects import BattleObject
from rules.engine.position.squares import Square
from rules.engine.position.terrain import MarkerKind
from rules.engine.steps import StepName

CARRIED: Final = frozenset(
    {
        ScenarioName.THE_SCIENTIST,
        ScenarioName.THE_WILD_THEORY,
        ScenarioName.WINNER_TAKES_ALL,
        ScenarioName.RAID_ON_STAR_LABS,
    }
)
"""The scenarios with a special marker that characters carry."""
MOST_THROUGH_PORTAL: Final = 4
"""How many characters may pass the portal before it closes (Portal to Hypertime)."""


def carried_marker(play: Play, character: Character) -> BattleObject | None:
    """Return the scenario's marker that a character carries, or None."""
    if play.position.scenario not in CARRIED or character.holding is None:
        return None
    held = play.position.object(character.holding)
    return held if held is not None and held.marker else None


def why_not_carried(play: Play) -> str | None:
    """Return why nobody may pick up the scenario's marker yet; it takes no Super Strength (Raid on S.T.A.R. Labs)."""
    if play.position.scenario != ScenarioName.RAID_ON_STAR_LABS:
        return None
    whole = [side.player for side in play.position.sides if not any(one.knocked_out for one in side.characters)]
    return f"No character of {whole[0]} has been knocked out: the files can't be picked up yet." if whole else None


def only_moves(play: Play, character: Character, kind: str) -> None:
    """Refuse a character that carries the marker any action but a move or a pass, and attacks in moves.

    The files of the Raid on S.T.A.R. Labs hinder nobody: that scenario says nothing of the kind.
    """
    marker = carried_marker(play, character)
    free = play.position.scenario == ScenarioName.RAID_ON_STAR_LABS
    if marker is not None and kind != "move" and not free:
        text = f"{character.name} carries {marker.name or marker.id}: it can only move or pass."
        raise Illegal(text, (play.position.scenario, "actions"))


def refuse_own_knock_out(play: Play, character: Character, damage: Damage) -> None:
    """Refuse what would knock out a character by pushing or its own power (Stand Aside!)."""
    if play.position.scenario == ScenarioName.STAND_ASIDE and damage.source in ("pushing", "own-power"):
        how = "push" if damage.source == "pushing" else "power"
        raise Illegal(
            f"In this scenario no character may be knocked out by its own {how}.", (play.position.scenario, "pushing")
        )


def drop_artifact(play: Play, struck: Iterable[Damage]) -> None:
    """Have a character that an attack has damaged drop the artifact beside it, where the opponent says."""
    if play.position.scenario != ScenarioName.WINNER_TAKES_ALL:
        return
    for damage in struck:
        character = play.character(damage.character.id)
        marker = carried_marker(play, character)
        if damage.source != "attack" or marker is None or not character.squares:
            continue
        squares = squares_beside(play, character.squares)
        named = play.this_action.choices.places.get(marker.id)
        if named is None:
            opponents = (side.player for side in play.position.sides if side.player != play.player_of(character))
            why = f"In which square does {marker.name or marker.id} fall?"
            raise AwaitingChoice(f"place:{marker.id}", [one.name for one in squares], why, next(opponents, None))
        if named.square not in squares:
            raise Illegal(
                f"{marker.name or marker.id} can't fall in {named.words}.", (play.position.scenario, "adjacency")
            )
        play.change(replace(character, holding=None))
        play.change_object(replace(marker, square=named.square))
        text = f"{character.name} drops {marker.name or marker.id} in {named.square}."
        play.record(StepName.PUT_DOWN, text, (play.position.scenario,), of=character.id)


def heart_of_rift(play: Play) -> Square | None:
    """Return the square of the dimensional rift while it is open, or None."""
    if play.position.scenario != ScenarioName.DIMENSIONAL_RIFT or not play.position.rift:
        return None
    special = (marker.square for marker in play.position.map.markers if marker.kind is MarkerKind.SPECIAL)
    return next(special, None)


def swallow(play: Play, character: Character) -> None:
    """Remove a character from play that has come into the rift; it isn't knocked out (Dimensional Rift)."""
    drop(play, character, "is lost to the rift", None)
    play.change(replace(play.character(character.id), squares=(), left=True))
    text = f"{character.name} comes into the rift and is removed from play."
    play.record(StepName.RESOLVE, text, (play.position.scenario,), of=character.id)


def portal_on(play: Play, steps: Iterable[Square]) -> Square | None:
    """Return the open portal that a path enters, or None."""
    if play.position.scenario != ScenarioName.PORTAL_TO_HYPERTIME:
        return None
    if sum(one.left for one in play.position.characters()) >= MOST_THROUGH_PORTAL:
        return None
    portals = {marker.square for marker in play.position.map.markers if marker.kind is MarkerKind.SPECIAL}
    return next((square for square in steps if square in portals), None)
