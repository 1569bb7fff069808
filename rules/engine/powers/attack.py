"""Attack powers, as far as they are no step of the attack itself."""

from __future__ import annotations

from rules.engine.position.dial import ValueName
from rules.engine.power import Power
from rules.engine.powers.building import when_used
from rules.engine.reasons import Replacement

_HALF_RANGE = Replacement("halve", "Pulse Wave halves the range", "pulse-wave")

SMOKE_CLOUD_2002 = Power(name="Smoke Cloud", topic="smoke-cloud", action=("move",))
SMOKE_CLOUD = Power(name="Smoke Cloud", topic="smoke-cloud", action=("power",))
POISON = Power(name="Poison", topic="poison", action=("free",))
PSYCHIC_BLAST = Power(name="Psychic Blast", topic="psychic-blast", action=("ranged",))
PENETRATING_PSYCHIC_BLAST = Power(
    name="Penetrating/Psychic Blast", topic="penetrating-psychic-blast", action=("ranged",)
)
SUPER_STRENGTH = Power(name="Super Strength", topic="super-strength")
BLADES_CLAWS_FANGS = Power(name="Blades/Claws/Fangs", topic="blades-claws-fangs", action=("close",))
INCAPACITATE = Power(name="Incapacitate", topic="incapacitate", action=("close", "ranged"))
ENERGY_EXPLOSION = Power(name="Energy Explosion", topic="energy-explosion", action=("ranged",))
PULSE_WAVE = Power(
    name="Pulse Wave",
    topic="pulse-wave",
    action=("ranged",),
    replace_value=when_used("Pulse Wave", ValueName.RANGE, _HALF_RANGE),
    targets="all",
)
STEAL_ENERGY = Power(name="Steal Energy", topic="steal-energy", optional=False)
TELEKINESIS_2002 = Power(name="Telekinesis", topic="telekinesis", action=("close", "ranged"), targets="all")
TELEKINESIS = Power(name="Telekinesis", topic="telekinesis", action=("power",), targets="all")
QUAKE = Power(name="Quake", topic="quake", action=("close",))
PRECISION_STRIKE = Power(name="Precision Strike", topic="precision-strike")
