"""The abilities that combat symbols grant, where an edition has such abilities."""

from __future__ import annotations

from rules.engine.power import Attacking, Moving, Power
from rules.engine.powers.building import ignoring

FLIGHT = Power(
    name="Flight",
    topic="flying",
    declinable="no",
    moving=Moving(moves_past=ignoring("elevated", "hindering", "outdoor-blocking", "characters")),
)
GIANT_REACH_2 = Power(name="Giant Reach", topic="giant", declinable="no", attacking=Attacking(close_reach=2))
GIANT_REACH_3 = Power(name="Giant Reach: 3", topic="colossal", declinable="no", attacking=Attacking(close_reach=3))
SHARPSHOOTER = Power(name="Sharpshooter", topic="symbols", declinable="no", attacking=Attacking(shoots_beside=True))
