"""Scoring of a finished battle: its lines, points and winner."""

from __future__ import annotations

from rules.engine.battles import Battle, BattleOutcome, Ended, Score, ScoreLine, totals
from rules.engine.edition import Edition
from rules.engine.scoring.scenarios import by_standard_rules
from rules.engine.scoring.victory_points import standard_lines


def score(battle: Battle, edition: Edition) -> Score:
    """Return the score of a battle by its scenario, or by the standard rules.

    A player who abandons a battle can't win it; a winner determined by the scenario comes before points.
    """
    lines = standard_lines(battle, edition)
    scenario = by_standard_rules if battle.scenario is None else edition.scoring.scenarios[battle.scenario]
    lines, verdict = scenario(battle, edition, lines)
    if battle.ended is Ended.ABANDONED:
        verdict = _without_who_abandoned(battle, edition, lines)
    elif battle.scenario_winner is not None:
        verdict = BattleOutcome(battle.scenario_winner, "scenario")
    return Score(totals(lines, battle.players), verdict, lines)


def _without_who_abandoned(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...]) -> BattleOutcome:
    others = tuple([side for side in battle.sides if side.player != battle.abandoned_by])
    if len(others) == 1:
        return BattleOutcome(others[0].player, "abandoned")
    return edition.scoring.verdict(battle, edition, lines, others)
