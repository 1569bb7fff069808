"""Pairing: from a tournament so far to its next round.

Pure functions: no Django models, no clock, no randomness but the seed. This package exports the public names. Read in
this order: `tournament` (the values), `line` (the players in order, and what the order alone proves), `windows`
(stretches of the order that can be paired separately without loss), `best` (the order of priorities: rematches, bye,
cost, clubs, ranks), `explain` (why this pairing, and how a manual one compares), `check` (a whole event's pairings).
`tables` seats rounds at tables of three or four.
`elimination` and `round_robin` are the other styles. `events.standings` decides what a result is worth.
"""

from .best import Certificate, Draw, NoPairing, draw
from .check import PairingFinding, RoundCheck, check_event
from .documents import pair_round, read_tables, read_tournament, report_of, report_of_tables
from .explain import Comparison, Explanation, Float, compare, explain, explain_and_compare, without_pair
from .tables import Exchange, SeatedRound, TableTournament, exchanges, judged, seat
from .tournament import Player, Tournament

__all__ = [
    "Certificate",
    "Comparison",
    "Draw",
    "Exchange",
    "Explanation",
    "Float",
    "NoPairing",
    "PairingFinding",
    "Player",
    "RoundCheck",
    "SeatedRound",
    "TableTournament",
    "Tournament",
    "check_event",
    "compare",
    "draw",
    "exchanges",
    "explain",
    "explain_and_compare",
    "judged",
    "pair_round",
    "read_tables",
    "read_tournament",
    "report_of",
    "report_of_tables",
    "seat",
    "without_pair",
]
