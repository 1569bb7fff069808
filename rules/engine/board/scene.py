"""Input values for a line of fire: the scene, the two ends of the line, and the obstacles on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from rules.engine.board.ground import Edges, Ground
from rules.engine.position.figures import FiguresOnMap

LookedOver = Literal["none", "standard_by_giants", "smaller"]
NO_EDGES = Edges()
OFF_THE_RIM = -1
"""The area of a square of elevated terrain that is not on its rim."""


class Obstacle(NamedTuple):
    """An obstacle: what it is, what a line that meets it becomes, and its squares and edges.

    `hides` names the power that makes hindering terrain block.
    """

    topic: str
    what: str
    becomes: Literal["hindered", "blocked"]
    squares: int = 0
    edges: Edges = NO_EDGES
    closes_corners: bool = True
    bodies: bool = False
    hindering: bool = False
    hides: str = ""


class Sight(NamedTuple):
    """The two ends of a line: levels, flight, sizes (bare squares: standard), what the attacker ignores, who hides."""

    from_level: int
    to_level: int
    from_soaring: bool
    to_soaring: bool
    from_size: int
    to_size: int
    hovering: bool
    past: frozenset[str]
    hidden: tuple[str, str] | None
    from_area: int
    to_area: int
    open_bits: int

    @property
    def sizes(self) -> tuple[int, int]:
        """The sizes of both ends."""
        return self.from_size, self.to_size


@dataclass(frozen=True, slots=True)
class Scene:
    """The ground, the bases on it, and the edition's rules for lines of fire across them (`LineOfFireOptions`)."""

    ground: Ground
    standing: FiguresOnMap
    characters_close_corners: bool
    indoor_blocking_below_blocks: bool
    looked_over: LookedOver

    @property
    def walls_by_level(self) -> dict[int, Edges]:
        """The edges that no line of fire passes, by the higher level of the squares beside them."""
        return self.ground.opaque_by_level


Shut = tuple[str, str] | None
Screened = tuple[Shut, tuple[Obstacle, ...]]
