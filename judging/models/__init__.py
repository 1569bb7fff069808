"""The rows of judging, by subject."""

from .calls import Call
from .penalties import Penalty
from .reports import VerifiedReport
from .verification import ForceCheck

__all__ = ["Call", "ForceCheck", "Penalty", "VerifiedReport"]
