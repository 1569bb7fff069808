"""The rows of judging, by subject."""

from .calls import Call
from .decisions import Decision, TableDispute
from .penalties import Penalty
from .reports import VerifiedReport
from .verification import ForceCheck

__all__ = ["Call", "Decision", "ForceCheck", "Penalty", "TableDispute", "VerifiedReport"]
