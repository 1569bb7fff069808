"""Defense powers that move a value or share one; what reduces or evades damage joins the sequence of an attack."""

from __future__ import annotations

from rules.engine.position.dial import ValueName
from rules.engine.power import Power
from rules.engine.powers.building import in_attacks, shared_value

WILLPOWER = Power(name="Willpower", topic="willpower")
IMPERVIOUS = Power(name="Impervious", topic="impervious")
INVINCIBLE = Power(name="Invincible", topic="invincible")
MASTERMIND = Power(name="Mastermind", topic="mastermind")
ENERGY_SHIELD_DEFLECTION = Power(
    name="Energy Shield/Deflection",
    topic="energy-shield-deflection",
    optional=False,
    modify_value=in_attacks(ValueName.DEFENSE, 2, "ranged", "Energy Shield/Deflection", "energy-shield-deflection"),
)
COMBAT_REFLEXES = Power(
    name="Combat Reflexes",
    topic="combat-reflexes",
    modify_value=in_attacks(ValueName.DEFENSE, 2, "close", "Combat Reflexes", "combat-reflexes"),
)
SUPER_SENSES = Power(name="Super Senses", topic="super-senses")
BARRIER_2002 = Power(name="Barrier", topic="barrier", action=("move",))
BARRIER = Power(name="Barrier", topic="barrier", action=("power",))
TOUGHNESS = Power(name="Toughness", topic="toughness", optional=False)
INVULNERABILITY = Power(name="Invulnerability", topic="invulnerability", optional=False)
DEFEND_2002 = Power(name="Defend", topic="defend", share_value=shared_value(ValueName.DEFENSE), shares_onward=True)
DEFEND = Power(name="Defend", topic="defend", share_value=shared_value(ValueName.DEFENSE))
REGENERATION_2002 = Power(name="Regeneration", topic="regeneration", action=("move",))
REGENERATION = Power(name="Regeneration", topic="regeneration", action=("power",))
