"""Position, actions and questions → what happened, and the answers on the position that it left.

Two things can stop the actions and both are caught here: a missing die or choice, and an act that
the rules do not allow. Questions are always answered, on the state that the report shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rules.engine.actions.questions import Answer, Question, answer
from rules.engine.citations import Ruling
from rules.engine.edition import Edition
from rules.engine.play import Play
from rules.engine.position.position import Position

MOST_RULINGS = 12


@dataclass(frozen=True, slots=True)
class Case:
    """What is brought before the judge: an edition, a position, what was done, what is asked."""

    edition: Edition
    position: Position
    actions: tuple[Any, ...] = ()
    questions: tuple[Question, ...] = ()


@dataclass(slots=True)
class Outcome:
    """What came of a case: the battle at its end with its steps, the answers, the rulings that bear on it."""

    play: Play
    answers: list[Answer] = field(default_factory=list)
    rulings: tuple[Ruling, ...] = ()
    legal: bool = True
    awaiting: dict[str, Any] | None = None
    unused: list[str] = field(default_factory=list)


def decide(case: Case) -> Outcome:
    """Return what comes of a case: its questions answered on the position that its actions leave."""
    outcome = Outcome(Play(case.edition, case.position))
    outcome.answers = [answer(outcome.play, question) for question in case.questions]
    outcome.rulings = _rulings(outcome)
    return outcome


def _rulings(outcome: Outcome) -> tuple[Ruling, ...]:
    """Return the rulings that bear on the case, best first: all whose topics its steps and answers have met."""
    met = {topic for step in outcome.play.steps for topic in step.topics}
    met |= {topic for given in outcome.answers for topic in given.topics}
    return outcome.play.edition.rulings(met=met, limit=MOST_RULINGS) if met else ()
