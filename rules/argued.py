"""The ready-made disputes, replayed, with the rulings and topics that each of them involves.

They ship as position files (`rules.shelf`) and are replayed by the engine like any other dispute (`rules.dispute`),
each once. Pages of rulings and topics link to the disputes about them.
"""

from __future__ import annotations

from functools import cache

from rules import engine, shelf
from rules.dispute.replay import Replay, replay_of
from rules.shelf import ReadyDispute


@cache
def ready_replay(slug: str) -> Replay:
    """Return the replay of a ready-made dispute. Raises KeyError if the slug is unknown."""
    with engine.time_limit(None):  # no time limit: the result is cached, so it must be complete even on a busy server
        return replay_of(shelf.ready_disputes()[slug].position)


def argued_over(edition: str, ruling: str) -> list[ReadyDispute]:
    """Return the ready-made disputes to which a ruling applies, those that it decides first."""
    found = [
        one for one in _of(edition) if ruling in one.rulings or ruling in {r.id for r in ready_replay(one.slug).rulings}
    ]
    return sorted(found, key=lambda one: ruling not in one.rulings)


def argued_about(edition: str, topic: str) -> list[ReadyDispute]:
    """Return the ready-made disputes decided by a ruling about a topic."""
    return [one for one in _of(edition) if topic in _topics(one.slug)]


def argued_in(edition: str, section: str) -> list[ReadyDispute]:
    """Return the ready-made disputes whose answer cites a section."""
    return [one for one in _of(edition) if section in one.sections]


def _of(edition: str) -> list[ReadyDispute]:
    return [one for one in shelf.ready_disputes().values() if one.edition == edition]


@cache
def _topics(slug: str) -> frozenset[str]:
    one = shelf.ready_disputes()[slug]
    settled = [engine.ruling(one.edition, name) for name in one.rulings]
    return frozenset(topic for found in settled if found is not None for topic in found.topics)
