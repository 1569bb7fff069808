"""The ready-made disputes told: what comes of each, and which rulings and topics each of them bears on.

They ship as position files (`rules.shelf`) and are replayed by the engine like any other dispute (`rules.dispute`); each
is replayed once. Pages of rulings and topics lead from here to the situations in which they are argued about.
"""

from __future__ import annotations

from functools import cache

from rules import engine, shelf
from rules.dispute.replay import Replay, replay_of
from rules.shelf import ReadyDispute


@cache
def ready_replay(slug: str) -> Replay:
    """Return a ready-made dispute replayed. Raises KeyError where there is none of that name."""
    with engine.time_limit(None):  # it is kept: a busy moment must not leave half of it
        return replay_of(shelf.ready_disputes()[slug].position)


def argued_over(edition: str, ruling: str) -> list[ReadyDispute]:
    """Return the ready-made disputes that a ruling bears on, those that it settles first."""
    found = [
        one for one in _of(edition) if ruling in one.rulings or ruling in {r.id for r in ready_replay(one.slug).rulings}
    ]
    return sorted(found, key=lambda one: ruling not in one.rulings)


def argued_about(edition: str, topic: str) -> list[ReadyDispute]:
    """Return the ready-made disputes that turn on a topic: a ruling that settles them is about it."""
    return [one for one in _of(edition) if topic in _topics(one.slug)]


def argued_in(edition: str, section: str) -> list[ReadyDispute]:
    """Return the ready-made disputes whose answer stands in a section."""
    return [one for one in _of(edition) if section in one.sections]


def _of(edition: str) -> list[ReadyDispute]:
    return [one for one in shelf.ready_disputes().values() if one.edition == edition]


@cache
def _topics(slug: str) -> frozenset[str]:
    one = shelf.ready_disputes()[slug]
    settled = [engine.ruling(one.edition, name) for name in one.rulings]
    return frozenset(topic for found in settled if found is not None for topic in found.topics)
