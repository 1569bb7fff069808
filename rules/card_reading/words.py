"""The words that card texts share: names of powers, numbers, values, and the figure's own name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from rules.engine import EDITIONS, power_rows

NOT_PRINTED_SO = frozenset(
    {"Capture", "Duo Attack", "Giant Reach", "Giant Reach: 3", "Move and Attack", "Multi-Attack"}
)
NOT_PRINTED_SO |= {"Release", "Relic", "Rescue", "Themed Team Probability Control"}
"""Rows of the books that texts grant in other words, or not at all."""
MISPRINTED = {"Energy/Shield Deflection": "Energy Shield/Deflection"}
"""Names of powers as texts print them by mistake."""
TEAMS = frozenset({"Autonomous", "Avengers", "Batman Ally", "Batman Enemy", "Defenders", "Fantastic Four", "Hydra"})
TEAMS |= {"Green Lantern Corps", "Injustice League", "Justice League", "Justice Society", "Legion of Super Heroes"}
TEAMS |= {"Masters of Evil", "Minions of Doom", "Mystics", "Police", "S.H.I.E.L.D.", "Sinister Syndicate", "Skrulls"}
TEAMS |= {"Spider-Man", "Superman Ally", "Superman Enemy", "The Brotherhood", "Titans", "X-Men"}
"""Rows of the books that are team abilities, not powers."""
ATTACKING = frozenset(
    {"Charge", "Flurry", "Running Shot", "Hypersonic Speed", "Blades/Claws/Fangs", "Energy Explosion"}
)
ATTACKING |= {"Pulse Wave", "Quake", "Incapacitate", "Penetrating/Psychic Blast", "Psychic Blast", "Mind Control"}
ATTACKING |= {"Ranged Combat Expert", "Close Combat Expert", "Exploit Weakness"}
"""The powers that are named for an attack."""
ACTING = ATTACKING | {"Force Blast", "Leap/Climb", "Phasing/Teleport", "Phasing", "Sidestep", "Smoke Cloud", "Poison"}
ACTING |= {"Telekinesis", "Barrier", "Regeneration", "Perplex", "Support", "Outwit"}
"""The powers that are named for an action."""
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "no": 0, "a": 1, "an": 1}
LITTLE_WORDS = frozenset({"and", "of", "the", "in", "dr", "mr", "mrs", "ms", "with", "to", "on", "his", "her"})


@cache
def powers() -> dict[str, str]:
    """Return the names of standard powers as the books have them, by their lower case."""
    named = {name for edition in EDITIONS for name in power_rows(edition)} - NOT_PRINTED_SO - TEAMS
    return {name.lower(): name for name in named} | {said.lower(): name for said, name in MISPRINTED.items()}


@cache
def one_power() -> str:
    """Return the pattern of a standard power's name."""
    return (
        "(?:"
        + "|".join(re.escape(name) for name in sorted([*powers().values(), *MISPRINTED], key=len, reverse=True))
        + ")"
    )


@cache
def one_team() -> str:
    """Return the pattern of a team ability's name."""
    return "(?:" + "|".join(re.escape(name) for name in sorted(TEAMS, key=len, reverse=True)) + ")"


def listed(text: str) -> list[str]:
    """Return the powers of a list such as "Charge, Flurry and Stealth"."""
    return list(dict.fromkeys(powers()[found[0].lower()] for found in re.finditer(one_power(), text, re.IGNORECASE)))


def number(text: str) -> int:
    """Return the number that a word or digits name, with its sign."""
    low = text.lower()
    return NUMBERS[low] if low in NUMBERS else int(text.replace("−", "-").replace("–", "-"))


def _parts(name: str) -> Iterable[str]:
    bare = re.sub(r"\s*\([^)]*\)", "", name).strip()
    yield from (name, bare, bare.split(",")[0])
    yield from re.split(r" and | & ", bare)
    words = [word.strip(",.\"'") for word in bare.split()]
    yield from (word for word in words if len(word) > 2 and word.lower() not in LITTLE_WORDS and word[0].isupper())
    if len(words) > 2:
        yield from (" ".join(words[:2]), " ".join(words[-2:]))
    if words and words[0].lower() == "the":
        yield " ".join(words[1:])
    abbreviation = {"doctor": "Dr.", "mister": "Mr.", "dr": "Doctor", "mr": "Mister", "professor": "Prof."}
    if words and words[0].lower() in abbreviation:
        yield " ".join([abbreviation[words[0].lower()], *words[1:]])


@lru_cache(maxsize=1024)
def own_name(name: str) -> re.Pattern[str]:
    """Return a pattern that finds the figure's own name in its text, also in parts, and "this character"."""
    forms = sorted({part.strip() for part in _parts(name) if part.strip()}, key=len, reverse=True)
    named = "|".join(re.escape(form) for form in forms)
    return re.compile(rf"(?<![\w-])(?:{named}|[Tt]his (?:team )?[Cc]haracter)(?![\w-])")
