"""Damage powers that lend a value, forbid an action or ask for one."""

from __future__ import annotations

from rules.engine.position.dial import ValueName
from rules.engine.power import Power
from rules.engine.powers.building import lent_to_neighbours, never

CLOSE_COMBAT_EXPERT = Power(name="Close Combat Expert", topic="close-combat-expert", action=("close",))
RANGED_COMBAT_EXPERT = Power(name="Ranged Combat Expert", topic="ranged-combat-expert", action=("ranged",))
PERPLEX = Power(name="Perplex", topic="perplex", action=("free",))
SHAPE_CHANGE = Power(name="Shape Change", topic="shape-change")
ENHANCEMENT = Power(
    name="Enhancement",
    topic="enhancement",
    lend_modifier=lent_to_neighbours(ValueName.DAMAGE, 1, "ranged", "Enhancement", "enhancement"),
)
EMPOWER = Power(
    name="Empower",
    topic="empower",
    lend_modifier=lent_to_neighbours(ValueName.DAMAGE, 1, "close", "Empower", "empower"),
)
PROBABILITY_CONTROL = Power(name="Probability Control", topic="probability-control")
BATTLE_FURY = Power(
    name="Battle Fury",
    topic="battle-fury",
    optional=False,
    may_shoot=never("{} has Battle Fury and makes no ranged attacks."),
    may_be_carried=never("{} has Battle Fury and cannot be carried."),
)
SUPPORT_2002 = Power(name="Support", topic="support", action=("close",), targets="friends")
SUPPORT = Power(name="Support", topic="support", action=("power",), targets="friends")
OUTWIT = Power(name="Outwit", topic="outwit", action=("free",))
LEADERSHIP = Power(name="Leadership", topic="leadership", action=("free",))
EXPLOIT_WEAKNESS = Power(name="Exploit Weakness", topic="exploit-weakness", action=("close",))
