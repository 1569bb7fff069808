"""Single elimination: a bracket seeded by standings, and its rounds from the winners.

The best seed meets the last, and two seeds meet as late as their seeding allows: 1–8, 4–5, 2–7, 3–6. If the number of
players isn't a power of two, the best seeds have a bye in the first round. If both players of a match lose, no one
advances and the next opponent has a bye.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

THIRD_PLACE = "third-place"


@dataclass(frozen=True)
class BracketMatch:
    """A match of a bracket: `slot` counts from 0 at the top of the bracket; a missing player is None.

    `stage`: players still in the bracket in this round (8, 4, 2); the match for third place has the final's stage.
    """

    stage: int
    slot: int
    a: str | None
    b: str | None
    is_third_place: bool = False

    @property
    def key(self) -> str:
        """The match's key in `winners`: "8/0", "4/1", "2/0", or "third-place"."""
        return THIRD_PLACE if self.is_third_place else f"{self.stage}/{self.slot}"

    @property
    def is_bye(self) -> bool:
        """Whether one player has no opponent and advances."""
        return (self.a is None) != (self.b is None)

    @property
    def is_played(self) -> bool:
        """Whether the match has two players."""
        return self.a is not None and self.b is not None

    def among(self, present: Collection[str]) -> BracketMatch:
        """Return the match without players who have left."""
        return replace(self, a=self.a if self.a in present else None, b=self.b if self.b in present else None)


def seed_order(size: int) -> tuple[int, ...]:
    """Return the seeds (from 1) from top to bottom of a bracket. Raise ValueError if `size` isn't a power of two."""
    if size < 1 or size & (size - 1):
        raise ValueError(f"{size} isn't a power of two")
    seeds: tuple[int, ...] = (1,)
    while len(seeds) < size:
        seeds = tuple(each for seed in seeds for each in (seed, 2 * len(seeds) + 1 - seed))
    return seeds


def bracket(by_standing: Sequence[str]) -> tuple[BracketMatch, ...]:
    """Return the first round of a bracket for these players, best first; no matches for fewer than two."""
    if len(set(by_standing)) != len(by_standing):
        raise ValueError("a player stands twice in the seeding")
    if len(by_standing) < 2:
        return ()
    size = 1 << (len(by_standing) - 1).bit_length()
    order = seed_order(size)
    seated = [by_standing[seed - 1] if seed <= len(by_standing) else None for seed in order]
    return tuple(BracketMatch(size, slot, seated[2 * slot], seated[2 * slot + 1]) for slot in range(size // 2))


def next_round(
    played: Sequence[BracketMatch], winners: Mapping[str, str | None], *, third_place: bool = False
) -> tuple[BracketMatch, ...]:
    """Return the round after `played`. `winners` maps a match's key to its winner, or None if both lost.

    Byes need no entry. With `third_place`, the losing semifinalists play beside the final. After the final there are no
    matches. Raise ValueError if a result is missing or names someone who didn't play.
    """
    main = sorted((place for place in played if not place.is_third_place), key=lambda place: place.slot)
    if len(main) <= 1:
        return ()
    through = [_winner(place, winners) for place in main]
    stage = main[0].stage // 2
    following = [BracketMatch(stage, slot, through[2 * slot], through[2 * slot + 1]) for slot in range(len(main) // 2)]
    if third_place and stage == 2:
        losers = [_loser(place, won) for place, won in zip(main, through, strict=True)]
        if any(losers):
            following.append(BracketMatch(2, 1, losers[0], losers[1], is_third_place=True))
    return tuple(following)


def _winner(place: BracketMatch, winners: Mapping[str, str | None]) -> str | None:
    if not place.is_played:
        return place.a if place.a is not None else place.b
    if place.key not in winners:
        raise ValueError(f"{place.a} and {place.b} have no result yet")
    won = winners[place.key]
    if won is not None and won not in (place.a, place.b):
        raise ValueError(f"{won} did not play this match")
    return won


def _loser(place: BracketMatch, won: str | None) -> str | None:
    """Return the loser, who goes on to the match for third place; None after a bye or if both lost."""
    if not place.is_played or won is None:
        return None
    return place.b if won == place.a else place.a


def full_bracket(
    by_standing: Sequence[str], winners: Mapping[str, str | None], *, third_place: bool = False
) -> tuple[tuple[BracketMatch, ...], ...]:
    """Return every round of a bracket so far: the first, and each that follows from complete results."""
    rounds = [bracket(by_standing)]
    while rounds[-1]:
        try:
            following = next_round(rounds[-1], winners, third_place=third_place)
        except ValueError:
            break
        if not following:
            break
        rounds.append(following)
    return tuple(rounds)
