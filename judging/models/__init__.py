"""The models of judging, by subject."""

from .calls import Call
from .decisions import Decision, TableDispute
from .kept import Bundle, Erasure, Move, PairedMachine, Snapshot
from .penalties import Penalty
from .reports import ReportMail, VerifiedReport
from .verification import ForceCheck

__all__ = [
    "Bundle",
    "Call",
    "Decision",
    "Erasure",
    "ForceCheck",
    "Move",
    "PairedMachine",
    "Penalty",
    "ReportMail",
    "Snapshot",
    "TableDispute",
    "VerifiedReport",
]
