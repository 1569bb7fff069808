"""The next step in each state of an event, as a head judge would say it."""

from dataclasses import replace

from events.actions import ACTIONS
from events.next_step import RoundNow, Situation, next_step
from tests.tables import every_row

ROUND = RoundNow(number=2, state="running", tables=8, open_tables=(3, 7), clock="round", clock_runs=True)
RUNNING = Situation(state="running", checked_in=16, planned=5, round=ROUND)


def at(**changed):
    return replace(RUNNING, round=replace(ROUND, **changed))


DRAFTS = replace(at(number=1, state="published", clock="waiting", open_tables=tuple(range(8))), is_battle_royale=True)


@every_row(
    "now, key, main",
    [
        (Situation("draft", missing=("No head judge.",)), "open-event", "events:edit"),
        (Situation("draft"), "open-event", "events:open"),
        (Situation("open", entered=1), "enter", "events:entry-add"),
        (Situation("open", entered=10, is_near=False), "entering", "events:entries"),
        (Situation("open", entered=10, checked_in=1, is_near=False), "check-in", "events:check-in"),
        (Situation("open", entered=10, checked_in=1, has_begun=True), "check-in", "events:check-in"),
        (Situation("open", entered=10, checked_in=6), "check-in", "events:check-in"),
        (Situation("open", entered=10, checked_in=6, has_begun=True), "pair", "events:draft-next"),
        (Situation("open", checked_in=16), "pair", "events:draft-next"),
        (at(state="draft"), "publish", "events:draft"),
        (at(state="draft", stale=("Ana has left.",)), "pair-again", "events:draft"),
        (at(state="published", clock="waiting", open_tables=tuple(range(8))), "start", "events:clock"),
        (replace(DRAFTS, round=replace(DRAFTS.round, undrafted=8)), "boosters", "events:boosters"),
        (replace(DRAFTS, round=replace(DRAFTS.round, drafting=1)), "boosters", "events:boosters"),
        (DRAFTS, "start", "events:clock"),
        (replace(DRAFTS, round=replace(DRAFTS.round, undrafted=8), drafted_before=True), "start", "events:clock"),
        (replace(DRAFTS, round=replace(DRAFTS.round, undrafted=8, clock="round")), "results", "events:results"),
        (at(clock="preparation", open_tables=tuple(range(8))), "prepare", "events:clock"),
        (at(clock="ready", open_tables=tuple(range(8))), "start", "events:clock"),
        (RUNNING, "results", "events:results"),
        (at(clock="over"), "results", "events:results"),
        (at(disputed=(7,)), "decide", "events:table"),
        (at(open_tables=()), "complete", "events:complete"),
        (at(state="complete", open_tables=()), "pair", "events:draft-next"),
        (replace(at(state="complete", open_tables=()), checked_in=1), "finish", "events:end"),
        (replace(at(state="complete"), planned=2), "finish", "events:end"),
        (replace(at(state="complete"), planned=2, cut_to=4), "cut", "events:cut"),
        (replace(at(state="complete", stage="cut"), planned=1), "pair", "events:draft-next"),
        (replace(at(state="complete", stage="cut"), planned=1, bracket_decided=True), "finish", "events:end"),
        (replace(at(state="complete"), style="elimination"), "pair", "events:draft-next"),
        (Situation("finished"), "verify", "judging:finish"),
        (Situation("verified"), "report", "judging:finish"),
        (Situation("verified", is_reported=True), "done", "judging:finish"),
        (Situation("verified", is_practice=True), "done", "judging:finish"),
    ],
)
def test_the_next_thing(now, key, main):
    step = next_step(now)
    assert (step.key, step.main.name) == (key, main)
    assert step.title
    for act in (step.main, *step.others):
        assert act.verb in ACTIONS


def test_open_tables_are_named_while_they_are_few():
    assert next_step(RUNNING).title == "2 tables open: 3, 7"
    assert next_step(at(open_tables=(3,))).title == "1 table open: 3"
    assert next_step(at(open_tables=tuple(range(1, 8)))).title == "7 tables open"
    assert next_step(RUNNING).hint == "The clock is running."
    assert next_step(at(clock_runs=False)).hint == "The clock is paused."


def test_absent_players_are_counted_before_the_first_pairing():
    hint = next_step(Situation("open", entered=2, checked_in=6, has_begun=True)).hint
    assert hint == "2 players aren't checked in and won't be paired. Late arrivals can still join."


def test_once_all_players_have_left_finishing_is_the_next_step():
    step = next_step(replace(at(state="complete", open_tables=()), checked_in=0))
    assert step.title == "0 players remain. No pairing is possible."
    assert "re-enter players who dropped" in step.hint


def test_a_cancelled_event_waits_for_nothing():
    assert next_step(Situation("cancelled")).main is None


def test_the_boosters_are_drafted_before_the_clock_starts():
    waiting = next_step(replace(DRAFTS, round=replace(DRAFTS.round, undrafted=8)))
    assert (waiting.title, waiting.main.label) == (
        "Round 1 is published. Start the booster draft.",
        "Go to booster draft",
    )
    assert "events:clock" in [act.name for act in waiting.others]
    some = next_step(replace(DRAFTS, round=replace(DRAFTS.round, undrafted=1, drafting=2)))
    assert some.title == "Round 1: 2 tables are drafting"
    assert some.hint == "1 table hasn't started its draft. When every table has drafted, start the clock."
    again = next_step(replace(DRAFTS, round=replace(DRAFTS.round, undrafted=8), drafted_before=True))
    assert "events:boosters" in [act.name for act in again.others]


def test_the_prizes_of_a_battle_royale_are_drafted_at_its_end():
    for now in (replace(at(state="complete"), planned=2), Situation("finished")):
        assert "events:prizes" in [act.name for act in next_step(replace(now, is_battle_royale=True)).others]
        assert "events:prizes" not in [act.name for act in next_step(now).others]
