"""What a character may be given now: each kind of action with the targets it has, legal or why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.engine.actions.turns import actions_left, barred_from_passing, turn_has_begun
from rules.engine.combat.captives import captives_of, may_release
from rules.engine.combat.targets import can_target
from rules.engine.figures.abilities import powers_of
from rules.engine.figures.standing import SENTINEL, size_of, standing_of
from rules.engine.play import AttackKind, Play
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.reasons import no


@dataclass(frozen=True, slots=True)
class Opening:
    """One action that might be given: its kind, the powers named, who may be its target, and why not where not."""

    action: str
    using: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    legal: bool = True
    because: tuple[str, ...] = ()

    def written(self) -> dict[str, Any]:
        """Return the opening as documents write it."""
        shown: dict[str, Any] = {"action": self.action}
        if self.using:
            shown["using"] = list(self.using)
        if self.targets:
            shown["targets"] = list(self.targets)
        shown["legal"] = self.legal
        if self.because:
            shown["because"] = list(self.because)
        return shown


def openings_of(play: Play, character: Character) -> list[Opening]:
    """Return what a character may be given now: moves, attacks with their targets, and what its powers ask for."""
    own = barred_from_actions(play, character)
    left = actions_left(play)
    barred = own if left or own else left.because[:1]
    found = [_basic(play, character, "move", (), barred)]
    kinds: tuple[AttackKind, ...] = ("close", "ranged")
    found += [_attack(play, character, kind, (), barred) for kind in kinds]
    for power in (*powers_of(play, character), *_inherent(play, character)):
        for action in power.action:
            reasons = (*(own if power.free_move else barred), *_bars_captor(play, character, power))
            if action == "free":
                reasons = _bars_freely(play, character, power)
            if action == "close":
                found.append(_attack(play, character, "close", (power.name,), reasons))
            elif action == "ranged":
                found.append(_attack(play, character, "ranged", (power.name,), reasons))
            else:
                found.append(_basic(play, character, action, (power.name,), reasons))
    resting = barred_from_passing(play, character)
    found.append(Opening("pass", (), (), not resting, resting))
    return found


def _inherent(play: Play, character: Character) -> list[Power]:
    """Return what the character may do by what it is and by who is held: capture, rescue, release, Multi-Attack, relics."""
    held = [one for one in play.position.characters() if one.captured_by is not None and not one.knocked_out]
    mine = any(one.captured_by == character.id for one in held)
    friends = any(play.friendly(one, character) for one in held)
    great = size_of(character) == SENTINEL
    upon = any(thing.square in character.squares and thing.special for thing in play.position.objects)
    releases = mine and (great or not play.edition.actions.sentinels_act_again)
    offered = {"Capture": great, "Multi-Attack": great and not mine, "Release": releases}
    offered |= {"Rescue": friends, "Relic": upon}
    return [row for name, row in play.edition.inherent.items() if offered.get(name)]


def _bars_captor(play: Play, character: Character, power: Power) -> tuple[str, ...]:
    """Return why captives may not be released now; empty where they may."""
    if power.name == "Release":
        there = may_release(play, character)
        return () if there else there.because
    return ()


def _bars_freely(play: Play, character: Character, power: Power) -> tuple[str, ...]:
    """Return why a free power may not be used now; empty where it may."""
    reasons = []
    if not character.on_map:
        reasons.append(f"{character.name} is not on the map.")
    if play.player_of(character) != play.position.turn.active:
        reasons.append(f"It is {play.position.turn.active}'s turn.")
    if power.name in character.used:
        reasons.append(f"{character.name} has used {power.name} this turn already.")
    if power.starts_turn and turn_has_begun(play):
        reasons.append(f"{power.name} is used at the beginning of the turn, before any action.")
    return tuple(reasons)


def barred_from_actions(play: Play, character: Character, *, whatever_tokens: bool = False) -> tuple[str, ...]:
    """Return why no action that costs one may be given to the character now; empty where one may."""
    reasons = []
    if not character.on_map:
        reasons.append(f"{character.name} is not on the map.")
    if play.player_of(character) != play.position.turn.active:
        reasons.append(f"It is {play.position.turn.active}'s turn.")
    if character.acted:
        reasons.append(f"{character.name} has already been given an action this turn.")
    if character.id in play.memory.rested:
        reasons.append(f"{character.name} has passed this turn: a Sentinel is given one action a turn.")
    tireless = play.edition.actions.sentinels_act_again and size_of(character) == SENTINEL
    if character.tokens >= 2 and not tireless and not whatever_tokens:
        reasons.append(f"{character.name} has two action tokens.")
    if character.carried and play.edition.actions.carried_rest:
        reasons.append(f"{character.name} was carried this turn.")
    return tuple(reasons)


def _basic(play: Play, character: Character, action: str, using: tuple[str, ...], barred: tuple[str, ...]) -> Opening:
    return Opening(action, using, (), not barred, barred)


def _attack(
    play: Play, character: Character, kind: AttackKind, using: tuple[str, ...], barred: tuple[str, ...]
) -> Opening:
    targets: list[str] = []
    refusals: list[str] = []
    if character.on_map:
        for figure in standing_of(play).figures.values():
            if figure.character.id == character.id:
                continue
            found = can_target(play, kind, character, figure.character, using)
            if using == ("Capture",) and figure.size == SENTINEL:
                found = no(f"{figure.name} is a Sentinel and is not captured.", "capture")
            if using == ("Rescue",) and not any(
                play.friendly(one, character) for one in captives_of(play, figure.character)
            ):
                found = no(f"{figure.name} holds no friendly captive.", "rescue")
            if found:
                targets.append(figure.character.id)
            elif not play.friendly(character, figure.character):
                refusals.extend(found.because)
    because = barred
    if not targets:
        because = (*barred, *(dict.fromkeys(refusals) or ("There is nobody to attack.",)))
    return Opening(kind, using, tuple(targets), not because, because)
