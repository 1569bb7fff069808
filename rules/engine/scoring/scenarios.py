"""The scenarios, one function each: changes to the score lines of a battle, and the winner by the scenario.

Each takes the lines by the standard rules and returns the scenario's lines and verdict. If only the table knows the
winner (who holds the artifact), the verdict asks for the scenario's winner; `score` handles a given winner and an
abandoned battle.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules.engine.battles import (
    Battle,
    BattleCharacter,
    BattleOutcome,
    BattleSide,
    Ended,
    Excluded,
    Fate,
    ScenarioName,
    ScoreLine,
    Source,
    totals,
)
from rules.engine.edition import Edition
from rules.engine.scoring.victory_points import is_defeated
from rules.engine.scoring.winner import last_standing, leading, most_points_or_smallest_force, told

Scored = tuple[tuple[ScoreLine, ...], BattleOutcome]

FIRST_COUNT: Final = 5
BY_BUILD_TOTAL: Final = frozenset({ScenarioName.CHALLENGE_OF_THE_CHAMPIONS, ScenarioName.SHOWDOWN})
"""The scenarios that half of the build total may win."""
AS_IT_SAYS: Final = frozenset({Ended.TURN_LIMIT, Ended.SCENARIO})
ASK_WHO_WON: Final = BattleOutcome(
    None, "tie", ("scenario-winner",), "The scenario decides the winner, who isn't given."
)
PLAY_ON: Final = BattleOutcome(
    None, "tie", ("play-on",), "No player has defeated half of the build total, so the battle goes on."
)


def by_standard_rules(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """Points and winner by the standard rules."""
    return lines, edition.scoring.verdict(battle, edition, lines, battle.sides)


def challenge_of_the_champions(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """After five turns, defeats alone count and half of the build total wins; after ten the standard rules decide."""
    if battle.turn == FIRST_COUNT and battle.ended in AS_IT_SAYS:
        defeats = _of_defeats(lines)
        return defeats, _half_of_the_build_total(battle, edition, defeats)
    return by_standard_rules(battle, edition, lines)


def showdown(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """Defeats alone count: after five turns half of the build total wins, later most points, then smallest force."""
    defeats = _of_defeats(lines)
    if battle.turn == FIRST_COUNT and battle.ended in AS_IT_SAYS:
        return defeats, _half_of_the_build_total(battle, edition, defeats)
    return defeats, most_points_or_smallest_force(battle, edition, defeats, battle.sides)


def the_scientist(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """The defender wins by getting the scientist away; if its whole force is defeated, the others count their points.

    Also for The Wild Theory, which differs only in when the exit opens.
    """
    others = tuple([side for side in battle.sides if side.player != battle.defender])
    if len(others) < len(battle.sides) and _all_defeated(battle, battle.defender):
        why = f"{battle.defender}, the defender, is out and isn't counted."
        out = Excluded(str(battle.defender), why, (str(battle.scenario), "victory"))
        verdict = edition.scoring.verdict(battle, edition, lines, others if len(others) > 1 else battle.sides)
        if len(others) == 1 and verdict.winner != others[0].player:
            why = f"{others[0].player} wins: the defender's characters are all defeated."
            verdict = BattleOutcome(others[0].player, "scenario", why=why)
        return lines, verdict._replace(excluded=(*verdict.excluded, out))
    if battle.ended is Ended.SCENARIO:
        return lines, ASK_WHO_WON
    return by_standard_rules(battle, edition, lines)


def stand_aside(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """Standard points; the attacker also scores characters off the map, and its own defeats count double."""
    attackers = {ref for ref, owner in battle.owners.items() if owner == battle.attacker}
    counted = [
        line._replace(points=line.points * 2, times=2, why=f"{line.why}, twice", topics=("stand-aside", *line.topics))
        if line.element in attackers
        and line.source is Source.DEFEAT
        and line.times == 1
        and battle.defender in (None, line.player)
        else line
        for line in lines
    ]
    counted += _left(battle, (one for one in battle.characters.values() if one.ref in attackers), 1, "stand-aside")
    return by_standard_rules(battle, edition, tuple(counted))


def portal_to_hypertime(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """Standard points; characters that left the map through the portal are worth double to their own player."""
    left = _left(battle, battle.characters.values(), 2, "portal-to-hypertime")
    return by_standard_rules(battle, edition, (*lines, *left))


def winner_takes_all(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """The player who holds the artifact after ten turns wins."""
    return (lines, ASK_WHO_WON) if battle.ended in AS_IT_SAYS else by_standard_rules(battle, edition, lines)


def raid_on_star_labs(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """The player who gets the briefcase off the map wins."""
    return (lines, ASK_WHO_WON) if battle.ended is Ended.SCENARIO else by_standard_rules(battle, edition, lines)


def wholly_hurricane(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """The only player with figures left wins."""
    standing = [side for side in battle.sides if any(one.fate is Fate.SURVIVED for one in side.characters)]
    if len(standing) == 1:
        return lines, last_standing(standing[0], battle.sides)
    return by_standard_rules(battle, edition, lines)


def blackout(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> Scored:
    """If the scenario ends the battle, the most points still on the board win; otherwise the standard rules decide."""
    if battle.ended in AS_IT_SAYS:
        board = leading(battle.sides, {side.player: _on_the_board(side) for side in battle.sides})
        if len(board) == 1:
            why = f"{board[0].player} wins: its {_on_the_board(board[0])} points still on the board are the most."
            return lines, BattleOutcome(board[0].player, "scenario", why=why)
        return lines, edition.scoring.verdict(battle, edition, lines, tuple(board))
    return by_standard_rules(battle, edition, lines)


def _of_defeats(lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    return tuple([line for line in lines if line.source is Source.DEFEAT])


def _half_of_the_build_total(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> BattleOutcome:
    points = totals(lines, battle.players)
    there = tuple([side for side in battle.sides if points[side.player] * 2 >= (battle.build_total or 0)])
    if len(there) == 1:
        winner = there[0].player
        why = f"{winner} wins: only {winner} has scored half of the build total by defeats, {told(points[winner])} points."
        return most_points_or_smallest_force(battle, edition, lines, there)._replace(why=why)
    return most_points_or_smallest_force(battle, edition, lines, there) if there else PLAY_ON


def _all_defeated(battle: Battle, player: str | None) -> bool:
    force = [one for side in battle.sides if side.player == player for one in side.characters]
    return all(is_defeated(battle, one) or one.fate in (Fate.RELEASED, Fate.REMOVED) for one in force)


def _left(battle: Battle, characters: Iterable[BattleCharacter], times: int, topic: str) -> list[ScoreLine]:
    return [
        ScoreLine(
            battle.owners[one.ref],
            one.points * times,
            f"{one.name} left the map" + (", twice" if times == 2 else ""),
            one.ref,
            (topic,),
            Source.PRESENCE,
            times,
        )
        for one in characters
        if one.fate is Fate.LEFT_MAP
    ]


def _on_the_board(side: BattleSide) -> int:
    return sum(one.points for one in side.characters if one.fate is Fate.SURVIVED)
