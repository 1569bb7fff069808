"""Position, actions and questions → what happened, and the answers on the position that it left.

Two things can stop the actions and both are caught here: a missing die or choice, and an act that
the rules do not allow. Questions are always answered, on the state that the report shows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rules.engine.action import Action, with_places
from rules.engine.actions.circumstances import (
    circumstances_asked,
    circumstances_awaited,
    circumstances_met,
    circumstances_of,
)
from rules.engine.actions.declining import declining
from rules.engine.actions.granting import perform
from rules.engine.actions.questions import Answer, Question, answer
from rules.engine.citations import Ruling
from rules.engine.edition import Edition
from rules.engine.errors import AwaitingChoice, AwaitingRoll, Illegal
from rules.engine.figures.corrections import corrected
from rules.engine.hand import ByHand
from rules.engine.memory import Dice, OfAction, OfBattle, OfTurn
from rules.engine.play import Play
from rules.engine.position.position import Position
from rules.engine.steps import Moment, Step, StepName

MAX_RULINGS = 12


@dataclass(frozen=True, slots=True)
class Case:
    """What is brought before the judge: an edition, a position, what was done, what is asked."""

    edition: Edition
    position: Position
    actions: tuple[Action, ...] = ()
    questions: tuple[Question, ...] = ()
    hands: tuple[ByHand, ...] = ()


@dataclass(slots=True)
class Outcome:
    """What came of a case: the battle at its end with its steps, the answers, the rulings that bear on it."""

    play: Play
    answers: list[Answer] = field(default_factory=list)
    rulings: tuple[Ruling, ...] = ()
    legal: bool = True
    awaiting: dict[str, Any] | None = None
    unused: list[str] = field(default_factory=list)
    around: dict[int, set[str]] = field(default_factory=dict)
    """What stands around each action, and around the questions (at -1), beside the topics that its steps have."""


def decide(case: Case) -> Outcome:
    """Return what comes of a case: its actions one after the other, then its questions on the position that they leave."""
    play = opened(case)
    outcome = Outcome(play)
    met: set[str] = set()
    _correct_figures(play)
    if not case.actions and case.hands:
        _only_rule(outcome)
    for number, given in enumerate(case.actions):
        if not _act(outcome, number, given, met):
            break
    outcome.unused += [f"judge/{number}" for number in range(len(case.hands)) if number not in play.battle.ruled]
    play.this_action = OfAction(number=play.this_action.number)
    outcome.answers = [answer(outcome.play, question) for question in case.questions]
    for question in case.questions:
        outcome.around.setdefault(-1, set()).update(circumstances_asked(play, question))
    outcome.rulings = _rulings(outcome, met)
    return outcome


def opened(case: Case) -> Play:
    """Return the battle as its position begins: no points yet, and the actions of those who have acted this turn."""
    position = case.position
    active = next(side for side in position.sides if side.player == position.turn.active)
    return Play(
        case.edition,
        position,
        case.hands,
        battle=OfBattle(points={side.player: Fraction(0) for side in position.sides}),
        this_turn=OfTurn(given=sum(character.acted for character in active.characters)),
    )


def _correct_figures(play: Play) -> None:
    """Let figures be what a published correction of the edition says that they are, and say so."""
    for correction in play.edition.corrections:
        for character in list(play.position.characters()):
            if not correction.concerns(character):
                continue
            right, wrong = corrected(character, correction)
            if wrong:
                play.change(right)
                text = f"{character.name} {character.number} is corrected: {wrong}."
                play.record(StepName.RESOLVE, text, ("figure-correction",), {"correction": correction.id})


def _only_rule(outcome: Outcome) -> None:
    """Make what a judge decides where nothing is done, and so nothing to be forbidden, and something is only asked."""
    with suppress(Illegal):
        outcome.play.before(None)


def _act(outcome: Outcome, number: int, given: Action, met: set[str]) -> bool:
    """Perform one action; return whether the next may follow."""
    play = outcome.play
    if given.then:
        given = with_places(given)
    play.this_action = OfAction(number=number, dice=Dice(given.rolls), choices=given.choose, using=given.using)
    kept = play.checkpoint()
    around = outcome.around[number] = circumstances_of(play, given)
    try:
        if play.hands:
            play.before(None)
        with declining(play, given.choose):
            perform(play, given)
    except Illegal as forbidden:
        done = play.steps[kept.steps :]
        met.update(topic for step in done for topic in step.topics)
        around |= circumstances_met(play, done)
        begun = any(step.step is not StepName.RULING for step in done)
        moment = Moment(number, play.this_action.place, play.this_action.next_step if begun else StepName.DECLARE)
        ruled = [number for number in play.battle.ruled if number not in kept.battle.ruled]
        play.restore(kept)
        for number in ruled:
            play.record(StepName.RULING, play.hands[number].sentence(), (), {"by": play.hands[number].judge})
        play.battle = replace(play.battle, ruled=(*play.battle.ruled, *ruled))
        topics = forbidden.topics or (() if forbidden.by_judge else ("actions",))
        play.record(StepName.ILLEGAL, forbidden.reason, topics, cited=not forbidden.by_judge, moment=moment)
        outcome.legal = False
        return False
    except AwaitingRoll as missing:
        met.add(_topic_of_roll(missing.name))
        around |= circumstances_awaited(missing.name)
        why = f"The roll {missing.name} decides what happens next."
        player = _roller(play, missing.name, given)
        wanted = {"roll": missing.name, "dice": missing.dice, "player": player, "why": why}
        outcome.awaiting = {**wanted, "action": number, "then": list(play.this_action.place)}
        return False
    except AwaitingChoice as missing_choice:
        around |= circumstances_awaited(missing_choice.name)
        outcome.awaiting = {
            "choice": missing_choice.name,
            "options": list(missing_choice.options),
            "player": missing_choice.player or play.position.turn.active,
            "why": missing_choice.why,
            "action": number,
            "then": list(play.this_action.place),
        }
        return False
    outcome.unused += play.this_action.dice.unused()
    return True


def _topic_of_roll(name: str) -> str:
    """Return the topic of what a roll is made for."""
    kind = name.partition(":")[0].partition("/")[0]
    return {"skrull": "skrulls", "damage": "blades-claws-fangs", "support-heal": "support"}.get(kind, kind)


def _roller(play: Play, roll: str, given: Action) -> str:
    """Return the player who makes a roll: of the character that it names, else the active one."""
    named = play.position.find(roll.partition(":")[2].removesuffix("/reroll"))
    return play.player_of(named) if named is not None else play.position.turn.active


def _rulings(outcome: Outcome, met: set[str]) -> tuple[Ruling, ...]:
    """Return the rulings that bear on the case, best first: all whose topics and circumstances it has met."""
    play = outcome.play
    topics = met | {topic for step in play.steps for topic in step.topics}
    topics |= {topic for given in outcome.answers for topic in given.topics}
    for number in {step.action for step in play.steps} & outcome.around.keys():
        outcome.around[number] |= circumstances_met(play, [step for step in play.steps if step.action == number])
    found = play.edition.rulings(met=topics.union(*outcome.around.values()), limit=MAX_RULINGS) if topics else ()
    play.steps = list(with_rulings(play, outcome.around))
    return found


def with_rulings(play: Play, around: Mapping[int, Collection[str]]) -> list[Step]:
    """Return the steps, each with the rulings about its topics that what the action has met so far calls up."""
    met: set[str] = set()
    action = -1
    found = []
    for step in play.steps:
        if step.action != action:
            action = step.action
            met = set(around.get(action, ()))
        met |= set(step.topics)
        rulings = play.edition.rulings(met=met, topics=step.topics, limit=MAX_RULINGS) if step.topics else ()
        found.append(replace(step, rulings=tuple(one.id for one in rulings)) if rulings else step)
    return found
