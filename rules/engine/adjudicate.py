"""Adjudication of a case: perform its actions, then answer its questions on the resulting position.

Two things stop the actions and are caught here: a missing roll or choice, and an illegal act. Questions are always
answered, on the position that the report shows.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rules.engine.action import Action, with_places
from rules.engine.actions.asked import note_question
from rules.engine.actions.declining import declining
from rules.engine.actions.granting import perform
from rules.engine.actions.questions import Answer, Question, answer
from rules.engine.actions.taking_part import note_board
from rules.engine.actions.turns import count_those_given
from rules.engine.bearing import rulings_that_bear, with_rulings
from rules.engine.citations import Ruling
from rules.engine.combat.unknown import tell_what_is_not_known
from rules.engine.edition import Edition
from rules.engine.errors import AwaitingChoice, AwaitingRoll, Illegal
from rules.engine.figures.corrections import corrected
from rules.engine.memory import Dice, OfAction, OfBattle
from rules.engine.met import Met, Notes
from rules.engine.overrides import Override
from rules.engine.play import Play
from rules.engine.position.position import Position
from rules.engine.powers.card_effects import roll_of
from rules.engine.steps import Moment, StepName


@dataclass(frozen=True, slots=True)
class Case:
    """A case to adjudicate: an edition, a position, the actions and the questions."""

    edition: Edition
    position: Position
    actions: tuple[Action, ...] = ()
    questions: tuple[Question, ...] = ()
    overrides: tuple[Override, ...] = ()


@dataclass(slots=True)
class Outcome:
    """The result of a case: the battle at its end with its steps, the answers, and the rulings that apply."""

    play: Play
    answers: list[Answer] = field(default_factory=list)
    rulings: tuple[Ruling, ...] = ()
    legal: bool = True
    awaiting: dict[str, Any] | None = None
    unused: list[str] = field(default_factory=list)
    notes: list[Notes] = field(default_factory=list)
    """The facts met by each action, by its number, then those met by each question."""


def decide(case: Case) -> Outcome:
    """Perform a case's actions in order, answer its questions on the resulting position, and return the outcome."""
    play = opened(case)
    outcome = Outcome(play, notes=[play.this_action.notes])
    _correct_figures(play)
    if not case.actions and case.overrides:
        _only_rule(outcome)
    for number, given in enumerate(case.actions):
        if not _act(outcome, number, given):
            break
    outcome.unused += [f"judge/{number}" for number in range(len(case.overrides)) if number not in play.battle.ruled]
    for question in case.questions:
        play.this_action = OfAction(number=play.this_action.number)
        outcome.notes.append(play.this_action.notes)
        note_question(play, question)
        outcome.answers.append(answer(play, question))
        play.note(*outcome.answers[-1].topics)
    outcome.rulings = rulings_that_bear(play.edition, outcome.notes)
    play.steps = with_rulings(play.steps, outcome.notes, outcome.rulings)
    return outcome


def opened(case: Case) -> Play:
    """Return a battle that begins with the case's position: no points yet, this turn's actions counted."""
    position = case.position
    play = Play(
        case.edition,
        position,
        case.overrides,
        battle=OfBattle(points={side.player: Fraction(0) for side in position.sides}),
    )
    count_those_given(play)
    return play


def _correct_figures(play: Play) -> None:
    """Apply the edition's published corrections to the figures, and record each one as a step."""
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
    """Apply the judge's overrides in a case that has questions but no actions."""
    with suppress(Illegal):
        outcome.play.before(None)


def _act(outcome: Outcome, number: int, given: Action) -> bool:
    """Perform one action; return whether the next may follow."""
    play = outcome.play
    if given.then:
        given = with_places(given)
    notes = Notes() if number else play.this_action.notes
    if number:
        outcome.notes.append(notes)
    rolled = Dice(given.rolls)
    play.this_action = OfAction(number=number, dice=rolled, choices=given.choose, using=given.using, notes=notes)
    kept = play.checkpoint()
    note_board(play)
    try:
        if play.overrides:
            play.before(None)
        with declining(play, given.choose):
            perform(play, given)
    except Illegal as forbidden:
        done = play.steps[kept.steps :]
        begun = any(step.step is not StepName.RULING for step in done)
        moment = Moment(number, play.this_action.place, play.this_action.next_step if begun else StepName.DECLARE)
        ruled = [number for number in play.battle.ruled if number not in kept.battle.ruled]
        play.restore(kept)
        for number in ruled:
            override = play.overrides[number]
            text = override.sentence(lambda name: play.character(name).name)
            play.record(StepName.RULING, text, (), {"by": override.judge})
        play.battle = replace(play.battle, ruled=(*play.battle.ruled, *ruled))
        if play.carded:
            play.this_action.told = set()
            tell_what_is_not_known(play, given, of_cards_only=True)
        notes.resume()
        topics = forbidden.topics or (() if forbidden.by_judge else ("actions",))
        cited = not forbidden.by_judge
        play.record(StepName.ILLEGAL, forbidden.reason, topics, cited=cited, moment=moment, around=forbidden.around)
        outcome.legal = False
        return False
    except AwaitingRoll as missing:
        _note_awaited(play, missing.name)
        play.note(_topic_of_roll(missing.name))
        player = _roller(play, missing.name, given)
        why = f"{player} {_purpose(play, missing)}."
        wanted = {"roll": missing.name, "dice": missing.dice, "player": player, "why": why}
        outcome.awaiting = {**wanted, "action": number, "then": list(play.this_action.place)}
        return False
    except AwaitingChoice as missing_choice:
        _note_awaited(play, missing_choice.name)
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


def _note_awaited(play: Play, name: str) -> None:
    """Note which roll or choice is missing."""
    kind = name.partition(":")[0].partition("/")[0]
    play.this_action.notes.resume()
    play.note("awaits:", f"awaits:{kind}")
    if kind == "knock-back-direction":
        play.note(Met.OBLIQUE)


def _topic_of_roll(name: str) -> str:
    """Return the topic of the rule that a roll is made for."""
    kind = name.partition(":")[0].partition("/")[0]
    return {"skrull": "skrulls", "damage": "blades-claws-fangs", "support-heal": "support"}.get(kind, kind)


def _purpose(play: Play, missing: AwaitingRoll) -> str:
    """Return in words how many dice a roll takes and for what: "rolls 1 die for Joker's Super Senses"."""
    kind, _, of = missing.name.removesuffix("/reroll").partition(":")
    topic, owner = _topic_of_roll(kind), play.position.find(of)
    rows = (*play.edition.powers.values(), *play.edition.team_abilities.values())
    cards = owner.cards if owner is not None else ()
    carded = next((card.title for card in cards if roll_of(card) == kind.removeprefix("two-dice-")), None)
    named = carded or next((row.name for row in rows if row.topic == topic), None)
    what = named or f"the {kind.replace('-', ' ')} roll"
    whose = f"{owner.name}'s " if owner is not None else ""
    verb = "rerolls" if missing.name.endswith("/reroll") else "rolls"
    return f"{verb} {missing.dice} {'die' if missing.dice == 1 else 'dice'} for {whose}{what}"


def _roller(play: Play, roll: str, given: Action) -> str:
    """Return the player who makes a roll: the player of the character it names, otherwise the active player."""
    named = play.position.find(roll.partition(":")[2].removesuffix("/reroll"))
    return play.player_of(named) if named is not None else play.position.turn.active
