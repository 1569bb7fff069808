"""A snake draft of prizes, pure: places 1 to n pick in order, then n to 1, until the pool is empty.

Names can be of any kind (an event uses the numbers of its entries, a series may use names of players). The same prize
may be in the pool several times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)


class NotPossible(ValueError):
    """A turn that this draft doesn't allow."""


@dataclass(frozen=True)
class Turn(Generic[Name]):
    """A turn that was taken: the prize, or None if the turn was skipped; `for_good` also skips all later turns."""

    name: Name
    prize: str | None
    note: str = ""
    for_good: bool = False


def snake(order: Sequence[Name]) -> Iterator[tuple[int, Name]]:
    """Yield the number of the lap and the name of each turn, without end: there and back again."""
    lap = 0
    while order:
        lap += 1
        yield from ((lap, name) for name in (order if lap % 2 else reversed(order)))


@dataclass(frozen=True)
class SnakeDraft(Generic[Name]):
    """A draft: the names by place, the pool in the organiser's order, and the turns taken so far."""

    order: tuple[Name, ...]
    pool: tuple[str, ...]
    turns: tuple[Turn[Name], ...] = ()

    def __post_init__(self) -> None:
        """Raise NotPossible if the turns can't have been taken in this draft."""
        if len(set(self.order)) < len(self.order):
            raise NotPossible("a name occurs twice")
        if Counter(turn.prize for turn in self.turns if turn.prize is not None) - Counter(self.pool):
            raise NotPossible("a prize was picked more often than the pool has it")
        coming = self._from_the_start()
        if any(next(coming, (0, None))[1] != turn.name for turn in self.turns):
            raise NotPossible("a turn was taken out of order")

    def _from_the_start(self) -> Iterator[tuple[int, Name]]:
        """Yield each turn without those of names that are out, from the first."""
        out: set[Name] = set()
        taken = 0
        for lap, name in snake(self.order):
            if len(out) == len(self.order):
                return
            if name in out:
                continue
            yield lap, name
            if taken < len(self.turns) and self.turns[taken].for_good:
                out.add(name)
            taken += 1

    @property
    def left(self) -> dict[str, int]:
        """How often each prize is left, in the pool's order; prizes that are gone are left out."""
        counts = Counter(self.pool)
        counts.subtract(turn.prize for turn in self.turns if turn.prize is not None)
        return {prize: counts[prize] for prize in dict.fromkeys(self.pool) if counts[prize] > 0}

    def coming(self, most: int) -> list[tuple[int, Name]]:
        """Return the lap and the name of the next turns, as many as there are prizes left, and at most this many."""
        left = sum(self.left.values())
        found: list[tuple[int, Name]] = []
        for taken, turn in enumerate(self._from_the_start()):
            if len(found) >= min(left, most):
                break
            if taken >= len(self.turns):
                found.append(turn)
        return found

    @property
    def whose(self) -> Name | None:
        """The name whose turn it is; None once the pool is empty or everyone is out."""
        return next((name for _lap, name in self.coming(1)), None)

    def pick(self, prize: str) -> SnakeDraft[Name]:
        """Return the draft after a pick. Raise NotPossible if it is over or the prize is gone."""
        if prize not in self.left:
            raise NotPossible("no such prize is left")
        return self._with(prize)

    def skip(self, note: str = "", *, for_good: bool = False) -> SnakeDraft[Name]:
        """Return the draft after a skipped turn; `for_good` skips this name's later turns, too."""
        return self._with(None, note, for_good=for_good)

    def _with(self, prize: str | None, note: str = "", *, for_good: bool = False) -> SnakeDraft[Name]:
        if (name := self.whose) is None:
            raise NotPossible("the draft is over")
        return replace(self, turns=(*self.turns, Turn(name, prize, note, for_good)))

    def without_last(self) -> SnakeDraft[Name]:
        """Return the draft before its last turn. Raise NotPossible if none was taken."""
        if not self.turns:
            raise NotPossible("no turn was taken")
        return replace(self, turns=self.turns[:-1])

    def of(self, name: Name) -> list[str]:
        """Return the prizes that a name picked, in order."""
        return [turn.prize for turn in self.turns if turn.name == name and turn.prize is not None]
