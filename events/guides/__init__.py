"""The guides of `/help/`, one module each, and the pictures that `make pictures` draws for them."""

from __future__ import annotations

from .judges import JUDGES
from .operators import OPERATORS
from .organisers import ORGANISERS
from .players import PLAYERS

GUIDES = {guide.key: guide for guide in (PLAYERS, JUDGES, ORGANISERS, OPERATORS)}
