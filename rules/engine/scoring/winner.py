"""The editions' procedures for determining the winner by the standard rules.

Each takes the battle, its lines and the sides that can win (all, unless a player abandoned the battle or a scenario
excludes a side).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rules.engine.battles import Battle, BattleOutcome, BattleSide, Excluded, Fate, ScoreLine, totals
from rules.engine.edition import Edition
from rules.engine.reasons import listed
from rules.engine.scoring.victory_points import is_defeated


def most_points_or_smallest_force(
    battle: Battle, _edition: Edition, lines: tuple[ScoreLine, ...], sides: tuple[BattleSide, ...]
) -> BattleOutcome:
    """Return the outcome: most victory points win; among tied sides, the one with the smallest force."""
    points = totals(lines, battle.players)
    leaders = leading(sides, points)
    return (
        by_points(leaders[0], sides, points) if len(leaders) == 1 else smallest_force(leaders, _tied(leaders, points))
    )


def smallest_force_if_nobody_fell(
    battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...], sides: tuple[BattleSide, ...]
) -> BattleOutcome:
    """Return the outcome: if no character was defeated the smallest force wins; else most points."""
    if not any(is_defeated(battle, one) for side in battle.sides for one in side.characters):
        return smallest_force(sides, "No character was defeated, so points don't count")
    return most_points_or_smallest_force(battle, edition, lines, sides)


def last_standing_or_roll_off(
    battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...], sides: tuple[BattleSide, ...]
) -> BattleOutcome:
    """Return the outcome: the only side with characters left wins, else most victory points; tied sides roll off."""
    standing = [side for side in sides if edition.scoring.stands(side)]
    if len(standing) == 1:
        return last_standing(standing[0], sides)
    points = totals(lines, battle.players)
    leaders = leading(sides, points)
    if len(leaders) == 1:
        return by_points(leaders[0], sides, points)
    rolls = battle.roll_off or {}
    tied = _tied(leaders, points)
    if all(side.player in rolls for side in leaders):
        highest = max(rolls[side.player] for side in leaders)
        winners = [side.player for side in leaders if rolls[side.player] == highest]
        if len(winners) == 1:
            others = listed([f"{side.player}'s {rolls[side.player]}" for side in leaders if side.player != winners[0]])
            why = f"{winners[0]} wins the roll-off: {tied}, and {winners[0]} rolled {highest} against {others}."
            return BattleOutcome(winners[0], "roll-off", why=why, topics=("ties",))
    why = f"{tied[0].upper()}{tied[1:]}: they roll off with 2 dice each."
    return BattleOutcome(None, "tie", ("roll-off",), why, ("ties",))


def by_points(winner: BattleSide, sides: Iterable[BattleSide], points: Mapping[str, Fraction | int]) -> BattleOutcome:
    """Return the outcome of a battle won by victory points."""
    others = listed([f"{side.player}'s {told(points[side.player])}" for side in sides if side is not winner])
    why = f"{winner.player} wins: {told(points[winner.player])} victory points{f' against {others}' if others else ''}."
    return BattleOutcome(winner.player, "victory-points", why=why, topics=("victory", "ties"))


def last_standing(winner: BattleSide, sides: Iterable[BattleSide]) -> BattleOutcome:
    """Return the outcome of a battle won by the only player with characters left."""
    topics = ("victory", "game-end")
    out = [side.player for side in sides if side is not winner]
    excluded = tuple(Excluded(player, f"{player} has no characters left.", topics) for player in out)
    why = f"{winner.player} wins as the last player standing."
    return BattleOutcome(winner.player, "last-standing", why=why, topics=topics, excluded=excluded)


def smallest_force(sides: Sequence[BattleSide], because: str) -> BattleOutcome:
    """Return the outcome: the force built with the fewest points wins; no one if several tie.

    `because` says why the forces are compared.
    """
    fewest = min(side.points for side in sides)
    smallest = [side.player for side in sides if side.points == fewest]
    first = f"{because[0].upper()}{because[1:]}"
    if len(smallest) > 1:
        why = f"{first}. The forces of {listed(smallest)} cost the same, {fewest} points, so no one wins."
        return BattleOutcome(None, "tie", why=why, topics=("ties",))
    others = listed([f"{side.player}'s {side.points}" for side in sides if side.player != smallest[0]])
    against = f" against {others}" if others else ""
    why = f"{first}. {smallest[0]} wins with the smallest force: {fewest} points{against}."
    return BattleOutcome(smallest[0], "lowest-force", why=why, topics=("ties", "victory"))


def told(points: Fraction | float) -> str:
    """Return points in words of a sentence: halves exact, thirds to two places."""
    return str(int(points)) if points == int(points) else f"{float(points):.2f}".rstrip("0")


def _tied(leaders: Iterable[BattleSide], points: Mapping[str, Fraction | int]) -> str:
    tied = list(leaders)
    return f"{listed([side.player for side in tied])} are tied at {told(points[tied[0].player])} victory points"


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
