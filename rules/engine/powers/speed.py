"""Speed powers of each book that change how the character moves, hides and breaks away."""

from __future__ import annotations

from rules.engine.action import Action
from rules.engine.actions.moving import move
from rules.engine.errors import Illegal
from rules.engine.figures.adjacency import opponents_beside
from rules.engine.figures.standing import figure_of
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.power import Attacking, Defending, Moving, Power
from rules.engine.powers.building import against_all_but_sentinels, ignoring, never, plus, used_now

NOT_KNOCKED_BACK = never("it has Charge")
SIDESTEP_SQUARES = 2


def break_away_first(play: Play, character: Character, topics: tuple[str, ...]) -> None:
    """Let a charging character break away before its attack, even if it stays in its square (2002)."""


def move_first(play: Play, character: Character, topics: tuple[str, ...]) -> None:
    """Require a character with Running Shot beside an opponent to break away and move before its attack (2002)."""
    figure = figure_of(play, character)
    if figure is not None and opponents_beside(play, figure, "movement"):
        text = f"{figure.name} is adjacent to an opponent, so {figure.name} must break away and move before shooting."
        raise Illegal(text, ("break-away", *topics))


def sidestep(play: Play, given: Action, character: Character) -> None:
    """Move up to 2 squares, whatever the speed value, once a turn and without a token.

    Source: the example of Sidestep under Carry (2020s): a stated number of squares ignores the speed value.
    """
    used_now(play, character, "Sidestep")
    move(play, given)


STEALTH = Power(name="Stealth", topic="stealth", defending=Defending(hides_behind_hindering=True))
PLASTICITY = Power(
    name="Plasticity",
    topic="plasticity",
    moving=Moving(break_away_bonus=plus(2), holds_back=against_all_but_sentinels(-2)),
)
LEAP_CLIMB_2002 = Power(
    name="Leap/Climb",
    topic="leap-climb",
    action=("move",),
    moving=Moving(
        moves_past=ignoring("characters", "hindering", "elevated", "outdoor-blocking", "break-away"),
        rests_on_blocking=True,
    ),
    attacking=Attacking(reaches_other_elevations=True),
)
LEAP_CLIMB = Power(
    name="Leap/Climb",
    topic="leap-climb",
    action=("move",),
    moving=Moving(moves_past=ignoring("characters", "hindering", "elevated", "outdoor-blocking", "break-away")),
    attacking=Attacking(reaches_other_elevations=True),
)
PHASING = Power(
    name="Phasing",
    topic="phasing",
    action=("move",),
    moving=Moving(moves_past=ignoring("characters", "hindering", "elevated", "blocking", "break-away")),
)
PHASING_TELEPORT = Power(
    name="Phasing/Teleport",
    topic="phasing-teleport",
    action=("move",),
    moving=Moving(moves_past=ignoring("characters", "hindering", "elevated", "blocking", "break-away")),
)
CHARGE_2002 = Power(
    name="Charge",
    topic="charge",
    action=("move",),
    moving=Moving(halves_speed=True, grants=("close",), before_attack=break_away_first, starts_eased=True),
    defending=Defending(may_be_knocked_back=NOT_KNOCKED_BACK),
)
CHARGE = Power(
    name="Charge",
    topic="charge",
    action=("power",),
    moving=Moving(halves_speed=True, grants=("close",)),
    defending=Defending(may_be_knocked_back=NOT_KNOCKED_BACK),
)
CHARGE_MODERN = Power(
    name="Charge",
    topic="charge",
    action=("power",),
    moving=Moving(halves_speed=True, grants=("close",)),
)
RUNNING_SHOT_2002 = Power(
    name="Running Shot",
    topic="running-shot",
    action=("move",),
    moving=Moving(halves_speed=True, grants=("ranged",), before_attack=move_first, starts_eased=True),
)
RUNNING_SHOT = Power(
    name="Running Shot",
    topic="running-shot",
    action=("power",),
    moving=Moving(halves_speed=True, grants=("ranged",)),
)
SIDESTEP = Power(
    name="Sidestep", topic="sidestep", action=("free",), act=sidestep, moving=Moving(squares=SIDESTEP_SQUARES)
)
EARTHBOUND = Power(name="Earthbound", topic="earthbound", known=False)
EARTHBOUND_NEUTRALIZED = Power(name="Earthbound/Neutralized", topic="earthbound-neutralized", known=False)
