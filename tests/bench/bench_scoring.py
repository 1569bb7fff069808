"""Battles of ten characters a side scored per second, document to report; goal: 5,000."""

import json

from rules.engine import reports_on, score_battle, written


def battle(edition, **more):
    """Return a battle that ended at time, with half of each side defeated."""
    sides = [
        {
            "player": player,
            "characters": [
                {"ref": f"{player}{number}", "name": f"Hero {number}", "points": 20 + number, "base_color": "red",
                 "set": "nl", **({"fate": "defeated", "by": f"{other}{number}", "cause": "attack"} if number % 2
                                 else {"fate": "survived"})}
                for number in range(5)
            ],
        }
        for player, other in ("AB", "BA")
    ]  # fmt: skip
    return {"id": "b", "edition": edition, "build_total": 300, "ended": "time", "sides": sides, **more}


def report(text):
    """Return the report on a text, read strictly and written as a command does."""
    found = next(reports_on(text, score_battle))
    written(found)
    return found


def test_a_battle_of_2002(benchmark):
    text = json.dumps(battle("car-2002"))
    assert benchmark(report, text)["lines"]


def test_a_battle_with_a_scenario(benchmark):
    text = json.dumps(battle("car-2002", scenario="stand-aside", attacker="A"))
    assert benchmark(report, text)["lines"]


def test_a_modern_battle(benchmark):
    text = json.dumps(battle("core-modern"))
    assert benchmark(report, text)["lines"]
