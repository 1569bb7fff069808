"""Facts about a character that decide its archenemies. No rule is decided here."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, Protocol


class RivalKind(StrEnum):
    """The kind of a character, as far as rivalries distinguish kinds."""

    CHARACTER = "character"
    BYSTANDER = "bystander"
    HORDE = "horde"
    SENTINEL = "sentinel"


class Rival(Protocol):
    """A character's base name and colour, set, teams and kind."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def base_color(self) -> str | None:
        """The colour of its base, None where it is not known."""
        ...

    @property
    def set(self) -> str | None:
        """Its set symbol, None where it is not known."""
        ...

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams whose symbols it has."""
        ...

    @property
    def kind(self) -> RivalKind:
        """Its kind."""
        ...


class Stand(NamedTuple):
    """A character's place in a rivalry: the rivalry, its camp in it, and the topic that cites it."""

    rivalry: str
    camp: str
    topic: str


Rivalries = Callable[[Rival], tuple[Stand, ...]]
