"""The actions that a character may be given now: each kind with its targets, and the reasons why others are illegal.

Powers are tried on the current position without rolling dice, so the list agrees with what performing the action would
say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from rules.engine.action import Action, ActionKind
from rules.engine.actions.barred import barred_from_actions
from rules.engine.actions.granting import perform
from rules.engine.actions.turns import actions_left, barred_from_passing, turn_has_begun, uncounted_by
from rules.engine.combat.judged import by_its_card
from rules.engine.combat.targets import barred_from_attacking, can_target
from rules.engine.errors import AwaitingChoice, AwaitingRoll, Illegal, Untargeted
from rules.engine.figures.abilities import powers_of
from rules.engine.figures.standing import standing_of
from rules.engine.memory import NotMade, OfAction
from rules.engine.play import AttackKind, Play
from rules.engine.position.characters import Character
from rules.engine.power import Power
from rules.engine.steps import StepName


@dataclass(frozen=True, slots=True)
class Opening:
    """A possible action: its kind, the powers named, its legal targets, and the reasons against the others."""

    action: str
    using: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    legal: bool = True
    because: tuple[str, ...] = ()

    def written(self) -> dict[str, object]:
        """Return the opening in the form of a document."""
        shown: dict[str, object] = {"action": self.action}
        if self.using:
            shown["using"] = list(self.using)
        if self.targets:
            shown["targets"] = list(self.targets)
        shown["legal"] = self.legal
        if self.because:
            shown["because"] = list(self.because)
        return shown


def openings_of(play: Play, character: Character) -> list[Opening]:
    """Return what a character may be given now: moves, attacks with their targets, and the actions of its powers."""
    own = barred_from_actions(play, character)
    left = actions_left(play)
    none_left = () if left else (left.because[0], *play.this_turn.unsure)

    def barred(kind: str) -> tuple[str, ...]:
        return own or (() if none_left and uncounted_by(play, character, frozenset({kind})) else none_left)

    kinds: tuple[AttackKind, ...] = ("close", "ranged")
    found = [Opening("move", (), (), not barred("move"), barred("move"))]
    found += [_attack(play, character, kind, barred(kind)) for kind in kinds]
    inherent = [
        row
        for row in play.edition.inherent.values()
        if row.offered is not None and row.name not in character.countered and row.offered(play, character)
    ]
    for power in (*powers_of(play, character), *inherent):
        besides = power.besides.action if power.besides is not None and not power.besides.at_no_cost else ()
        for action in dict.fromkeys((*power.action, *besides)) if not power.at_no_cost else ():
            reasons = own if power.moving.free_move else barred(action)
            if action == "free":
                reasons = _bars_freely(play, character, power)
            found.append(_power(play, character, power, cast(ActionKind, action), reasons))
    resting = barred_from_passing(play, character)
    found.append(Opening("pass", (), (), not resting, resting))
    return found


def _bars_freely(play: Play, character: Character, power: Power) -> tuple[str, ...]:
    """Return why a free power can't be used now; empty if it can."""
    reasons = []
    if not character.on_map and not power.off_map:
        reasons.append(f"{character.name} isn't on the map.")
    if play.player_of(character) != play.position.turn.active:
        reasons.append(f"It's {play.position.turn.active}'s turn.")
    if power.name in character.used:
        reasons.append(f"{character.name} has already used {power.name} this turn.")
    if power.starts_turn and turn_has_begun(play):
        reasons.append(f"{power.name} can be used only at the beginning of the turn, before any action.")
    return tuple(reasons)


def _attack(play: Play, character: Character, kind: AttackKind, barred: tuple[str, ...]) -> Opening:
    """Return a plain attack with its targets, except those protected by Shape Change this turn.

    Only characters are listed, not terrain, walls or objects that could be destroyed.
    """
    targets: list[str] = []
    refusals: list[str] = []
    if character.on_map:
        for figure in standing_of(play).figures.values():
            other = figure.character
            if NotMade(character.id, kind, other.id) in play.this_turn.refused:
                continue
            with play.supposing(Action(kind=kind, actor=character.id, targets=(other.id,))):
                found = can_target(play, kind, character, other)
            if found:
                targets.append(other.id)
            elif not play.friendly(character, other):
                refusals.extend(found.because)
    because = barred = (*barred, *barred_from_attacking(play, character))
    if not targets:
        because = (*barred, *(dict.fromkeys(refusals) or ("No target to attack.",)))
    return Opening(kind, (), tuple(targets), not because, because)


def _power(play: Play, character: Character, power: Power, action: ActionKind, barred: tuple[str, ...]) -> Opening:
    """Return the opening of a power by a kind of action: without a target if it names none, otherwise with all possible.

    What only a judge decides counts where it isn't possible otherwise.
    """
    if power.besides is not None and action in power.besides.action:
        alone = replace(power, besides=None)
        found = _power(play, character, alone, action, barred) if action in power.action else None
        return found if found is not None and found.legal else _power(play, character, power.besides, action, barred)
    using = (power.name,)
    if not character.on_map and not power.off_map:
        return Opening(action, using, (), False, barred)
    plain = Action(kind=action, actor=character.id, using=using)
    targets, refusal = _tried(play, plain, judged=bool(barred))
    because = barred
    if power.judged:
        if refusal is not None:
            targets, _ = _aimed(play, character, power, plain, judged=bool(barred))
        return Opening(action, using, targets, not barred, (*barred, by_its_card(power)))
    if isinstance(refusal, Untargeted):
        targets, refusals = _aimed(play, character, power, plain, judged=bool(barred))
        refusals = tuple(reason for reason in refusals if reason not in barred)
        if not targets and (refusals or not barred):
            because = (*barred, *(refusals or (f"No target for {power.name}.",)))
    elif refusal is not None and refusal.reason not in barred:
        because = (*barred, refusal.reason)
    return Opening(action, using, targets, not because, because)


def _aimed(
    play: Play, character: Character, power: Power, plain: Action, *, judged: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the characters or objects on which a power may be used, and the reasons against others it is meant for."""
    targets: list[str] = []
    refusals: list[str] = []
    for given in _ways(play, character, power, plain):
        reached, refusal = _tried(play, given, judged=judged)
        if refusal is None:
            targets.extend(name for name in reached if name not in targets)
        elif _meant_for(play, character, power, given):
            refusals.append(refusal.reason)
    return tuple(targets), tuple(dict.fromkeys(refusals))


def _ways(play: Play, character: Character, power: Power, plain: Action) -> Iterator[Action]:
    """Yield the ways in which a power could be used: its own, otherwise on each character on the map."""
    if power.uses is not None:
        yield from power.uses(play, character, plain)
        return
    for figure in standing_of(play).figures.values():
        yield replace(plain, targets=(figure.character.id,))


def _meant_for(play: Play, character: Character, power: Power, given: Action) -> bool:
    """Return whether a power is meant for an action's first target, so that a reason against it is worth showing."""
    target = play.position.find(given.targets[0]) if given.targets else None
    if target is None or target.id == character.id or given.with_object is not None:
        return False
    friendly = play.friendly(character, target)
    return power.targets == "all" or friendly == (power.targets == "friends")


def _tried(play: Play, given: Action, *, judged: bool) -> tuple[tuple[str, ...], Illegal | None]:
    """Return the targets an action would have, or why it is refused, without performing it or rolling dice.

    `judged`: it can't be given now anyway, and only its effect is examined.
    """
    now = OfAction(using=given.using, allowed=judged, trial=True)
    trial = Play(play.edition, play.position, battle=play.battle, this_turn=play.this_turn, this_action=now)
    reached = tuple(name for one in (given, *given.then) for name in one.targets)
    try:
        perform(trial, given)
    except (AwaitingRoll, AwaitingChoice):
        pass
    except Illegal as refusal:
        return (), refusal
    if not reached:
        shown = (step.numbers["targets"] for step in trial.steps if step.step is StepName.TARGETS)
        reached = tuple(next((found for found in shown), ()))
    return reached, None
