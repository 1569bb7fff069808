"""Events played through the services: check-in, pairings, results; for tests of rounds."""

import random

from events.models import Entry, Event, Match, Round
from events.results.result import Result, from_json
from events.services import results, rounds
from tests import factories


def players(event: Event, count: int, **facts) -> list[Entry]:
    """Check in this many players."""
    first = event.entries.count()
    return Entry.objects.bulk_create(
        factories.EntryFactory.build(event=event, number=first + n + 1, name=f"Player {first + n + 1:03d}", **facts)
        for n in range(count)
    )


def result(winner: str = "a", score_a: int | None = None, score_b: int | None = None) -> dict:
    """Return a result with a clear margin, as a form submits it."""
    points = {"a": (120, 40), "b": (35, 110)}[winner]
    return {
        "winner": winner,
        "score_a": points[0] if score_a is None else score_a,
        "score_b": points[1] if score_b is None else score_b,
        "decided_by": "victory-points",
    }


def kept_result(winner: str = "a", score_a: int | None = None, score_b: int | None = None) -> Result:
    """Return a result with a clear margin, as a match stores it."""
    return from_json(result(winner, score_a, score_b))


def play(by, round: Round, chance: random.Random | None = None) -> None:
    """Enter a result for every open match of a round."""
    for match in Match.objects.filter(round=round, kind=Match.Kind.GAME).exclude(state=Match.State.CONFIRMED):
        winner = "a" if chance is None or chance.random() < 0.5 else "b"
        results.enter_result(by=by, match=match, result=result(winner))


def play_round(by, event: Event, chance: random.Random | None = None) -> Round:
    """Pair, publish, play and complete the next round."""
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    play(by, round, chance)
    return rounds.complete_round(by=by, round=round)
