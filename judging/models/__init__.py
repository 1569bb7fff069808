"""The rows of judging, by subject."""

from .penalties import Penalty
from .reports import VerifiedReport
from .verification import ForceCheck

__all__ = ["ForceCheck", "Penalty", "VerifiedReport"]
