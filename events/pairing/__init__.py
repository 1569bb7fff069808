"""Pairing: from the tournament so far to its next round.

Pure: no Django models, no clock, no dice but the seed. The face is here; read in this order: `tournament` (the nouns),
`line` (the players in a row, and what a row alone proves), `windows` (stretches of the row paired so that nothing
outside could do better), `best` (the order of what matters: rematches, bye, cost, clubs, ranks), `explain` (why this
pairing, and a pairing by hand beside it), `check` (a whole event's pairings). `elimination` and `round_robin` are the
two other styles. What a result is worth and who stands where is `events.standings`, not here.
"""

from .best import Certificate, Draw, NoPairing, draw
from .check import PairingFinding, RoundCheck, check_event
from .documents import pair_round, read_tournament, report_of
from .explain import Comparison, Explanation, Float, compare, explain, without_pair
from .tournament import Player, Tournament

__all__ = [
    "Certificate",
    "Comparison",
    "Draw",
    "Explanation",
    "Float",
    "NoPairing",
    "PairingFinding",
    "Player",
    "RoundCheck",
    "Tournament",
    "check_event",
    "compare",
    "draw",
    "explain",
    "pair_round",
    "read_tournament",
    "report_of",
    "without_pair",
]
