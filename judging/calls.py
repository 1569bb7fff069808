"""A call as one visitor sees it, and the queue ordered by what it asks of that visitor.

`events.actions` and `judging.services.calls` decide what is allowed; this module only decides what to offer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from events.actions import answer
from events.models import Event, Role
from judging.models import Call


@dataclass(frozen=True)
class QueuedCall:
    """A call with the roles of the visitor who looks at it."""

    call: Call
    roles: frozenset[Role]
    person_id: int | None

    @property
    def event(self) -> Event:
        """The table's event."""
        return self.call.round.event

    def _may(self, verb: str) -> bool:
        return bool(answer(verb, self.roles, event=self.event, round=self.call.round))

    @property
    def is_mine(self) -> bool:
        """Return whether this visitor has taken the call."""
        return self.call.judge_id is not None and self.call.judge_id == self.person_id

    @property
    def is_head(self) -> bool:
        """Return whether this visitor is the event's head judge."""
        return Role.HEAD_JUDGE in self.roles

    @property
    def may_take(self) -> bool:
        """Return whether the call is unassigned and this visitor may take it."""
        allowed = self._may("take-call") and (self.is_head or not self.call.for_head_judge)
        return self.call.is_waiting and allowed

    @property
    def may_release(self) -> bool:
        """Return whether the call is assigned and this visitor may release it."""
        has = self.call.is_open and not self.call.is_waiting
        return has and (self.is_mine or self.is_head) and self._may("release-call")

    @property
    def may_close(self) -> bool:
        """Return whether this visitor may resolve the call: the same people may release it."""
        return self.may_release

    @property
    def may_arrive(self) -> bool:
        """Return whether this visitor may report that a judge is at the table."""
        return self.may_take or (self.is_mine and self.call.state == Call.State.TAKEN)

    @property
    def may_escalate(self) -> bool:
        """Return whether this visitor may pass the call to the head judge."""
        free = self.call.is_waiting and not self.call.for_head_judge
        return self.call.is_open and (free or self.is_mine) and not self.is_head and self._may("escalate-call")

    @property
    def may_rule(self) -> bool:
        """Return whether this visitor may record a ruling."""
        return self._may("record-decision")

    @property
    def may_penalise(self) -> bool:
        """Return whether this visitor may give a penalty."""
        return self._may("give-penalty")

    @property
    def may_cancel(self) -> bool:
        """Return whether this visitor, as an official, may cancel the call."""
        return self.call.is_open and not self.call.is_at_table and self._may("cancel-call")


def sorted_queue(queue: list[QueuedCall]) -> dict[str, Any]:
    """Group the queue by what it asks of the visitor; `first` is the first call that the visitor may take."""
    first = next((one for one in queue if one.may_take), None)
    return {
        "first": first,
        "mine": [one for one in queue if one.is_mine],
        "waiting": [one for one in queue if one.call.is_waiting and one is not first],
        "others": [one for one in queue if not one.call.is_waiting and not one.is_mine],
        "number_waiting": sum(one.call.is_waiting for one in queue),
        "number_open": len(queue),
    }
