"""The section of each book on each topic, read from the TOML beside this module.

The entry of a topic is a path of headings, or a table with `section`, a `note` if a misprint is read differently, and
`edition` if only another book covers it. Citations from outside the edition's book (a card) have a note.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rules.engine.citations import Citation

TEXTS: Final = Path(__file__).parent / "texts"
CARD_NOTES: Final = MappingProxyType(
    {
        card: f"From common knowledge: our sources don't include the {card}."
        for card in ("Powers and Abilities Card", "Super Powers/Team Abilities Card")
    }
)
"""Card that came with a book, as citations name it → the note of these citations."""


def read_topics(edition: str) -> Mapping[str, Citation]:
    """Return topic → citation of the edition, from its TOML."""
    with (TEXTS / f"{edition}.toml").open("rb") as file:
        topics = tomllib.load(file)["topics"]
    return MappingProxyType({topic: _citation(edition, place) for topic, place in topics.items()})


def _citation(edition: str, place: str | dict[str, str]) -> Citation:
    if isinstance(place, dict):
        return Citation(place.get("edition", edition), place["section"], place["note"])
    return Citation(edition, place, CARD_NOTES.get(place))
