"""Speed powers: how their bearers move, hide and break away. What they do in an attack joins its sequence there."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine.play import Attack, Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import Power
from rules.engine.powers.building import against_all_but_sentinels, ignoring, never, plus
from rules.engine.reasons import Replacement

NOT_KNOCKED_BACK = never("{} has Charge")


def _range_of_four(play: Play, character: Character, value: ValueName, attack: Attack | None) -> Iterable[Replacement]:
    """A printed range of 0 counts as 4 for Mind Control (2002)."""
    used = attack is not None and "Mind Control" in attack.using and attack.attacker.id == character.id
    if used and value is ValueName.RANGE and character.range == 0:
        return (Replacement(4, "Mind Control reaches 4 squares without a range", "mind-control"),)
    return ()


STEALTH = Power(name="Stealth", topic="stealth", hides_behind_hindering=True)
PLASTICITY = Power(
    name="Plasticity",
    topic="plasticity",
    break_away_bonus=plus(2),
    holds_back=against_all_but_sentinels(-2),
)

LEAP_CLIMB_2002 = Power(
    name="Leap/Climb",
    topic="leap-climb",
    action=("move",),
    moves_past=ignoring("characters", "hindering", "elevated", "outdoor-blocking", "break-away"),
    rests_on_blocking=True,
    reaches_other_elevations=True,
)
LEAP_CLIMB = Power(
    name="Leap/Climb",
    topic="leap-climb",
    action=("move",),
    moves_past=ignoring("characters", "hindering", "elevated", "outdoor-blocking", "break-away"),
    reaches_other_elevations=True,
)
PHASING = Power(
    name="Phasing",
    topic="phasing",
    action=("move",),
    moves_past=ignoring("characters", "hindering", "elevated", "blocking", "break-away"),
)
PHASING_TELEPORT = Power(
    name="Phasing/Teleport",
    topic="phasing-teleport",
    action=("move",),
    moves_past=ignoring("characters", "hindering", "elevated", "blocking", "break-away"),
)
HYPERSONIC_SPEED_2002 = Power(
    name="Hypersonic Speed",
    topic="hypersonic-speed",
    action=("move", "close"),
    moves_past=ignoring("adjacent", "break-away"),
)
HYPERSONIC_SPEED = Power(
    name="Hypersonic Speed",
    topic="hypersonic-speed",
    action=("power",),
    moves_past=ignoring("characters", "break-away"),
    halves_speed=True,
)

CHARGE_2002 = Power(
    name="Charge", topic="charge", action=("move",), halves_speed=True, may_be_knocked_back=NOT_KNOCKED_BACK
)
CHARGE = Power(
    name="Charge", topic="charge", action=("power",), halves_speed=True, may_be_knocked_back=NOT_KNOCKED_BACK
)
CHARGE_MODERN = Power(name="Charge", topic="charge", action=("power",), halves_speed=True)
RUNNING_SHOT_2002 = Power(name="Running Shot", topic="running-shot", action=("move",), halves_speed=True)
RUNNING_SHOT = Power(name="Running Shot", topic="running-shot", action=("power",), halves_speed=True)

FORCE_BLAST_2002 = Power(name="Force Blast", topic="force-blast", action=("move",))
FORCE_BLAST = Power(name="Force Blast", topic="force-blast", action=("power",))
FLURRY = Power(name="Flurry", topic="flurry", action=("close",))
MIND_CONTROL_2002 = Power(
    name="Mind Control", topic="mind-control", action=("close", "ranged"), replace_value=_range_of_four
)
MIND_CONTROL = Power(name="Mind Control", topic="mind-control", action=("close", "ranged"))
SIDESTEP = Power(name="Sidestep", topic="sidestep", action=("free",))
EARTHBOUND = Power(name="Earthbound", topic="earthbound")
EARTHBOUND_NEUTRALIZED = Power(name="Earthbound/Neutralized", topic="earthbound-neutralized")
