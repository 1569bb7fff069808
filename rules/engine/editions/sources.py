"""Where each book speaks of each topic, read from the TOML beside this module.

The path of headings of a topic is text, or a table with `section` and a `note` where a misprint is
read otherwise, and with `edition` where only another book speaks of it. What an edition cites from
outside its book (a card) is marked by a note.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rules.engine.citations import Citation

TEXTS: Final = Path(__file__).parent / "texts"
CARDS: Final = frozenset({"Powers and Abilities Card", "Super Powers/Team Abilities Card"})
NOT_IN_THE_TEXTS: Final = "The card is not among the source texts: the commonly known value."


def read_topics(edition: str) -> Mapping[str, Citation]:
    """Return topic → citation of the edition, as its TOML has them."""
    with (TEXTS / f"{edition}.toml").open("rb") as file:
        topics = tomllib.load(file)["topics"]
    return MappingProxyType({topic: _citation(edition, place) for topic, place in topics.items()})


def _citation(edition: str, place: str | dict[str, str]) -> Citation:
    if isinstance(place, dict):
        return Citation(place.get("edition", edition), place["section"], place["note"])
    return Citation(edition, place, NOT_IN_THE_TEXTS if place in CARDS else None)
