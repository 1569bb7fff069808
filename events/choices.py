"""An event's options and their defaults.

Scenarios and tactics by edition, the number of rounds proposed for a field, and the head-to-head and sealed rules of
May 2002. Plain values; events.models.Event stores the choices, and events.standings computes standings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from . import standings

EDITIONS_OF_2002 = frozenset({"ic-2002", "car-2002"})
INFINITY_CHALLENGE = "ic"
CHAMPIONS = "challenge-of-the-champions"
CUSTOM = "custom"
NO_SCENARIO = ""

SCENARIOS = {
    CHAMPIONS: "Challenge of the Champions",
    "showdown": "Showdown",
    "the-scientist": "The Scientist",
    "the-wild-theory": "The Wild Theory",
    "stand-aside": "Stand Aside!",
    "portal-to-hypertime": "Portal to Hypertime",
    "winner-takes-all": "Winner Takes All!",
    "raid-on-star-labs": "Raid on S.T.A.R. Labs",
    "mind-switch": "Mind Switch",
    "a-world-gone-mad": "A World Gone Mad!",
    "wholly-hurricane": "Wholly Hurricane!!",
    "blackout": "Blackout!",
    "dimensional-rift": "Dimensional Rift",
    "nine-tenths-of-the-law": "Nine-Tenths of the Law",
    CUSTOM: _("the organiser's own scenario"),
    NO_SCENARIO: pgettext_lazy("scenario", "none (standard rules)"),
}
_BY_THE_FIRST_BOOK = (CHAMPIONS, "the-scientist", "stand-aside", "winner-takes-all", "mind-switch")
SCENARIOS_OF = {
    "ic-2002": (*_BY_THE_FIRST_BOOK, CUSTOM, NO_SCENARIO),
    "car-2002": tuple(SCENARIOS),
    "dc-2005": (CUSTOM, NO_SCENARIO),
    "core-2014": (CUSTOM, NO_SCENARIO),
    "core-modern": (CUSTOM, NO_SCENARIO),
}

TACTICS = {
    "feats": _("feats"),
    "battlefield-conditions": _("battlefield conditions"),
    "event-dials": _("event dials"),
    "special-objects": _("special objects"),
    "resources": _("resources"),
    "bystanders": _("bystanders"),
    "team-ability-cards": _("team ability cards"),
    "themed-teams": _("themed teams"),
}
EVENT_DIALS_IN = frozenset({"core-2014"})
LARGEST_CUT = 256
CRITERIA = {name: criterion.title for name, criterion in standings.CRITERIA.items()}
DEFAULT_CASCADE = standings.DEFAULT_CASCADE
CASCADE_LENGTH = 6
MAX_PLACE_POINTS = 1000


NEEDS_BUILD_TOTAL = _("Enter a build total. Only a Battle Royale can be played without one.")
SCENARIO_NEEDS_BUILD_TOTAL = _("This scenario needs a build total. Enter a build total or choose another scenario.")
BY_BUILD_TOTAL = frozenset({CHAMPIONS, "showdown"})
"""The scenarios that half of the build total may win."""
BAD_PLACE_POINTS = _(
    "Enter whole numbers up to 1,000, from first place down, such as 4/3/2/1. No number can be "
    "larger than the one before it."
)


def place_points_of(text: str) -> list[int]:
    """Return points by place as people write them: "4/3/2/1", "4, 3, 2". Raise ValueError for anything else."""
    parts = [part for part in re.split(r"[\s/,;–-]+", text) if part]
    if not all(part.isascii() and part.isdecimal() and int(part) <= MAX_PLACE_POINTS for part in parts):
        raise ValueError(text)
    found = [int(part) for part in parts]
    if found != sorted(found, reverse=True):
        raise ValueError(text)
    return found


def default_scenario(edition: str) -> str:
    """Return the default scenario of a round (Sealed and Head-to-Head Rules › Scenarios)."""
    return CHAMPIONS if edition in EDITIONS_OF_2002 else NO_SCENARIO


def default_sets(edition: str, format_: str) -> list[str]:
    """Return the sets allowed by the tournament rules of May 2002: their head-to-head names Infinity Challenge only."""
    return [INFINITY_CHALLENGE] if format_ == "head-to-head" and edition in EDITIONS_OF_2002 else []


def scenario_of_round(scenarios: Sequence[str], number: int) -> str:
    """Return the scenario of a round, or ""; the last one listed also applies to all later rounds."""
    if not scenarios:
        return NO_SCENARIO
    return scenarios[min(number, len(scenarios)) - 1]


def proposed_rounds(players: int, style: str = "swiss", table_size: int = 2) -> int:
    """Return how many rounds to play: until one player is unbeaten, or all against all in a round robin."""
    if style == "round-robin" and players > 1:
        return players - 1 if players % 2 == 0 else players
    return standings.proposed_rounds(players, table_size)


def tables_needed(seats: int, table_size: int = 2) -> int:
    """Return how many tables a field of this size fills."""
    return -(-seats // table_size)
