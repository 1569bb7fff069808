"""Scoring of a finished battle: its lines, points and winner."""

from __future__ import annotations

from itertools import groupby

from rules.engine.battles import Battle, BattleOutcome, Ended, Excluded, Score, ScoreLine, totals
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
        verdict = _without_who_abandoned(battle, edition, lines, str(battle.abandoned_by))
    elif battle.scenario_winner is not None:
        why = f"{battle.scenario_winner} wins by the scenario."
        verdict = BattleOutcome(battle.scenario_winner, "scenario", why=why, excluded=verdict.excluded)
    return Score(totals(lines, battle.players), verdict, lines)


def _without_who_abandoned(battle: Battle, edition: Edition, lines: tuple[ScoreLine, ...], gone: str) -> BattleOutcome:
    others = tuple([side for side in battle.sides if side.player != gone])
    out = Excluded(gone, f"{gone} abandoned the battle and has withdrawn.", ("withdrawing", "game-end"))
    if len(others) == 1:
        why = f"{others[0].player} wins."
        return BattleOutcome(others[0].player, "abandoned", why=why, topics=out.topics, excluded=(out,))
    verdict = edition.scoring.verdict(battle, edition, lines, others)
    return verdict._replace(topics=(*out.topics, *verdict.topics), excluded=(*verdict.excluded, out))


def places(scored: Score) -> list[list[str]]:
    """Return the players, best first: the winner, then by victory points, equal ones together, excluded ones last."""
    out = {one.player for one in scored.verdict.excluded}
    winner = scored.verdict.winner
    rest = [player for player in scored.victory_points if player != winner]
    ranked = sorted(rest, key=lambda player: (player in out, -scored.victory_points[player]))
    groups = groupby(ranked, key=lambda player: (player in out, scored.victory_points[player]))
    return [*([[winner]] if winner is not None else []), *(list(those) for _, those in groups)]
