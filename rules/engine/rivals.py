"""What is known of a character when it is asked who its archenemies are, and where it stands. No rule is decided here."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, Protocol


class RivalKind(StrEnum):
    """What sort of character it is."""

    CHARACTER = "character"
    BYSTANDER = "bystander"
    HORDE = "horde"
    SENTINEL = "sentinel"


class Rival(Protocol):
    """What is known of a character: the name and colour on its base, its set, its teams, its kind."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def base_color(self) -> str:
        """The colour of its base."""
        ...

    @property
    def set(self) -> str | None:
        """Its set symbol, None where it is not known."""
        ...

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams whose symbols are on its base."""
        ...

    @property
    def kind(self) -> RivalKind:
        """What sort of character it is."""
        ...


class Stand(NamedTuple):
    """Where a character stands: in which rivalry, in which camp of it, and the topic that cites it."""

    rivalry: str
    camp: str
    topic: str


Rivalries = Callable[[Rival], tuple[Stand, ...]]
