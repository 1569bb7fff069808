"""Each reason why a later action must be undone first: a case where it applies, and a similar one where it doesn't."""

import pytest

from events.models import AuditEntry, Event
from events.services.undo import conflicts
from events.services.undo.acts import net_of
from events.services.undo.conflicts import CONFLICTS, EntryEffects, Pair

pytestmark = pytest.mark.pure
ROUND, MATCH, ENTRY, EVENT = "events.Round", "events.Match", "events.Entry", "events.Event"


def change(model: str, pk: int, before: dict | None, after: dict | None) -> dict:
    return {"model": model, "id": pk, "before": before, "after": after}


def state(model: str, pk: int, before: str, after: str) -> dict:
    return change(model, pk, {"state": before}, {"state": after})


def act(verb: str, *changes: dict, rounds: tuple[int, ...] = ()) -> EntryEffects:
    return EntryEffects(AuditEntry(verb=verb), net_of(changes), frozenset(rounds))


DROP = act("drop-entry", state(ENTRY, 1, "checked-in", "dropped"))
RENAME = act("change-entry", change(ENTRY, 1, {"name": "Ada"}, {"name": "Bea"}))
PUBLISH = act("publish-round", state(ROUND, 2, "draft", "published"), rounds=(2,))
UNPUBLISH = act("unpublish-round", state(ROUND, 2, "published", "draft"), rounds=(2,))
COMPLETE = act("complete-round", state(ROUND, 1, "running", "complete"), rounds=(1,))
RESULT = act("enter-result", change(MATCH, 5, {"state": "open"}, {"state": "confirmed"}), rounds=(2,))
RESULT_OF_ONE = act("enter-result", change(MATCH, 4, {"state": "open"}, {"state": "confirmed"}), rounds=(1,))
FINISH = act("finish-event", state(EVENT, 1, "running", "finished"))
ADD = act("add-entry", change(ENTRY, 7, None, {"name": "Cleo", "state": "entered"}))
SEAT = act("draft-round", change(MATCH, 9, None, {"a_id": 7, "b_id": 1, "round_id": 2}), rounds=(2,))
SEAT_OTHERS = act("draft-round", change(MATCH, 9, None, {"a_id": 2, "b_id": 1, "round_id": 2}), rounds=(2,))
CASES = [
    ("wrote_the_same", RENAME, RENAME, True),
    ("wrote_the_same", RENAME, DROP, False),
    ("hangs_on_what_it_made", ADD, SEAT, True),
    ("hangs_on_what_it_made", ADD, SEAT_OTHERS, False),
    ("needed_its_state", PUBLISH, RESULT, True),
    ("needed_its_state", PUBLISH, RESULT_OF_ONE, False),
    ("ended_its_state", RESULT, FINISH, True),
    ("ended_its_state", RESULT, RENAME, False),
    ("paired_its_players", DROP, PUBLISH, True),
    ("paired_its_players", UNPUBLISH, DROP, True),
    ("paired_its_players", RENAME, PUBLISH, False),
    ("was_paired_on_its_round", COMPLETE, PUBLISH, True),
    ("was_paired_on_its_round", PUBLISH, COMPLETE, False),
]


@pytest.mark.parametrize(("name", "one", "later", "holds"), CASES)
def test_a_reason_holds_where_it_says_so(name, one, later, holds):
    differing = {key: {"name"} for key in one.net}
    pair = Pair(one, later, differing, Event(pk=1, state="finished"), {1: 1, 2: 2})
    assert getattr(conflicts, name)(pair) is holds


def test_each_reason_is_tried_both_ways():
    for conflict in CONFLICTS:
        tried = {holds for name, _one, _later, holds in CASES if name == conflict.__name__}
        assert tried == {True, False}, f"add a case of {conflict.__name__} to tests/events/test_undo_conflicts.py"
