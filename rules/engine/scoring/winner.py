"""The editions' procedures for determining the winner by the standard rules.

Each takes the battle, its lines and the sides that can win (all, unless a player abandoned the battle or a scenario
excludes a side).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rules.engine.battles import Battle, BattleOutcome, BattleSide, Fate, ScoreLine, totals
from rules.engine.edition import Edition
from rules.engine.scoring.victory_points import is_defeated


def most_points_or_smallest_force(
    battle: Battle, _edition: Edition, lines: tuple[ScoreLine, ...], sides: tuple[BattleSide, ...]
) -> BattleOutcome:
    """Return the outcome: most victory points win; among tied sides, the one with the smallest force."""
    leaders = leading(sides, totals(lines, battle.players))
    return BattleOutcome(leaders[0].player, "victory-points") if len(leaders) == 1 else smallest_force(leaders)


def smallest_force_if_nobody_fell(
    battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...], sides: tuple[BattleSide, ...]
) -> BattleOutcome:
    """Return the outcome: if no character was defeated the smallest force wins; else most points."""
    if not any(is_defeated(battle, one) for side in battle.sides for one in side.characters):
        return smallest_force(sides)
    return most_points_or_smallest_force(battle, edition, lines, sides)


def last_standing_or_roll_off(
    battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...], sides: tuple[BattleSide, ...]
) -> BattleOutcome:
    """Return the outcome: the only side with characters left wins, else most victory points; tied sides roll off."""
    standing = [side for side in sides if edition.scoring.stands(side)]
    if len(standing) == 1:
        return BattleOutcome(standing[0].player, "last-standing")
    leaders = leading(sides, totals(lines, battle.players))
    if len(leaders) == 1:
        return BattleOutcome(leaders[0].player, "victory-points")
    rolls = battle.roll_off or {}
    if all(side.player in rolls for side in leaders):
        highest = max(rolls[side.player] for side in leaders)
        winners = [side.player for side in leaders if rolls[side.player] == highest]
        if len(winners) == 1:
            return BattleOutcome(winners[0], "roll-off")
    return BattleOutcome(None, "tie", ("roll-off",))


def smallest_force(sides: Sequence[BattleSide]) -> BattleOutcome:
    """Return the outcome: the force built with the fewest points wins; no one if several tie."""
    fewest = min(side.points for side in sides)
    smallest = [side.player for side in sides if side.points == fewest]
    return BattleOutcome(smallest[0], "lowest-force") if len(smallest) == 1 else BattleOutcome(None, "tie")


def leading(sides: Iterable[BattleSide], points: Mapping[str, Fraction | int]) -> list[BattleSide]:
    """Return the sides whose players have the most points."""
    of_interest = list(sides)
    most = max(points[side.player] for side in of_interest)
    return [side for side in of_interest if points[side.player] == most]


def has_characters(side: BattleSide) -> bool:
    """Return whether a player has surviving characters."""
    replaced = _replaced(side)
    return any(one.fate in IN_PLAY and one.ref not in replaced for one in side.characters)


def has_characters_worth_points(side: BattleSide) -> bool:
    """Return whether a player has surviving characters of 1 point or more."""
    replaced = _replaced(side)
    return any(one.fate in IN_PLAY and one.points and one.ref not in replaced for one in side.characters)


IN_PLAY = frozenset({Fate.SURVIVED, Fate.LEFT_MAP})


def _replaced(side: BattleSide) -> frozenset[str]:
    return frozenset(
        [one.replaces for one in side.characters if one.replaces] + [one.ref for one in side.characters if one.replaced]
    )
