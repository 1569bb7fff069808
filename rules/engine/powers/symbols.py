"""The abilities that combat symbols grant, where an edition has such abilities."""

from __future__ import annotations

from rules.engine.power import Power
from rules.engine.powers.building import ignoring

FLIGHT = Power(
    name="Flight",
    topic="flying",
    optional=False,
    moves_past=ignoring("elevated", "hindering", "outdoor-blocking", "characters"),
)
GIANT_REACH_2 = Power(name="Giant Reach", topic="giant", optional=False, close_reach=2)
GIANT_REACH_3 = Power(name="Giant Reach: 3", topic="colossal", optional=False, close_reach=3)
SHARPSHOOTER = Power(name="Sharpshooter", topic="symbols", optional=False, shoots_beside=True)
