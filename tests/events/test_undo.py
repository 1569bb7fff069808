"""Undo: any action of an event is reversed by a new audit log entry, after showing the changes; later actions first."""

import html
import json
import re

import pytest
from django.urls import reverse

from events.actions import ACTIONS
from events.door import Refused
from events.models import AuditEntry, Entry, Event, Match, Official, Round
from events.models.audit import AppendOnlyError
from events.services import clock, entries, results, rounds, setup
from events.services import undo as services
from events.standings_columns import standings_lines
from tests.events.simulation import play, play_round, players, result
from tests.factories import EntryFactory, PersonFactory, VolunteerFactory

pytestmark = pytest.mark.django_db


def newest(event: Event) -> AuditEntry:
    return AuditEntry.objects.filter(event=event).latest("pk")


def page(client, event: Event, entry: AuditEntry) -> str:
    return client.get(reverse("judging:audit-log-entry", args=[event.public_id, entry.pk])).content.decode()


def undo(client, event: Event, entry: AuditEntry, reason: str = "Pressed by mistake", expect: int = 302) -> str:
    address = reverse("judging:audit-log-entry", args=[event.public_id, entry.pk])
    answer = client.post(address, {"confirmed": "yes", "reason": reason})
    assert answer.status_code == expect, answer.content.decode()[:3000]
    return answer.content.decode()


def standings(event: Event) -> str:
    return json.dumps(standings_lines(Event.objects.get(pk=event.pk)), sort_keys=True)


def everything(event: Event) -> dict[str, list]:
    """Return all relevant rows of an event, without versions and the timestamps of results."""
    skip = {"version", "confirmed_at"}
    shown = {}
    for label, rows in {
        "event": Event.objects.filter(pk=event.pk),
        "entries": event.entries.order_by("pk"),
        "rounds": event.rounds.order_by("pk"),
        "matches": Match.objects.filter(round__event=event).order_by("pk"),
        "officials": event.officials.order_by("pk"),
    }.items():
        shown[label] = [{k: v for k, v in row.items() if k not in skip} for row in rows.values()]
    return shown


@pytest.fixture
def running(staff):
    """A running event of nine players with one complete round and the second published."""
    players(staff.event, 9)
    by = staff.actor("head_judge")
    play_round(by, staff.event)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=staff.event))
    return staff


def test_a_drop_is_undone_and_says_what_changes(running):
    event, judge = running.event, running.client("head_judge")
    entry = event.entries.get(number=3)
    was = everything(event)
    entries.drop_entry(by=running.actor("scorekeeper"), entry=entry, confirmed=True)
    text = page(judge, event, newest(event))
    assert "state “dropped” → “checked in”" in text
    undo(judge, event, newest(event), reason="")
    assert everything(event) == was
    written = newest(event)
    assert (written.verb, written.undoes.verb) == ("undo", "drop-entry")
    assert written.words == "Undone: Player 003 dropped after round 2"
    assert written.by_person == running.head_judge


def test_a_publish_is_undone_pairings_and_the_bye_named(running):
    event, judge = running.event, running.client("head_judge")
    published = newest(event)
    text = page(judge, event, published)
    assert "Round 2 becomes a draft again. Players won't see its 4 pairings (" in html.unescape(text)
    assert "4 pairings will be removed" not in text
    assert "will be removed." in text
    assert "(bye)" in text
    assert "place" in text
    undo(judge, event, published)
    assert event.rounds.get(number=2).state == Round.State.DRAFT
    assert newest(event).is_non_standard
    undone = newest(event)
    page_of_undo = page(judge, event, undone)
    assert ("Redo this action?" in page_of_undo, "Redo action</button>" in page_of_undo) == (True, True)
    assert "Redo…" in judge.get(reverse("judging:audit-log", args=[event.public_id])).text
    undo(judge, event, undone)
    assert "Redone. The audit log" in judge.get(reverse("events:console", args=[event.public_id])).text
    assert event.rounds.get(number=2).state == Round.State.PUBLISHED
    redone = newest(event)
    assert redone.words.startswith("Redone: Round 2 published")
    assert "Undo action</button>" in page(judge, event, redone)
    undo(judge, event, redone)
    assert newest(event).words.startswith("Undone: Round 2 published")


def test_later_actions_are_undone_first_and_in_order(running):
    event, judge = running.event, running.client("head_judge")
    by, round_ = running.actor("head_judge"), event.rounds.get(number=2)
    published = newest(event)
    clock.start_round(by=by, round=round_)
    first, second = round_.matches.filter(kind="game").order_by("table")[:2]
    results.enter_result(by=by, match=first, result=result())
    results.enter_result(by=by, match=second, result=result("b"))
    text = page(judge, event, published)
    assert "3 later actions depend on this one" in text
    refused = undo(judge, event, published, expect=403)
    assert "Undo the newest first: Round 2, table 2" in refused
    for verb in ("enter-result", "enter-result", "run-clock", "publish-round"):
        gone = services.undone_by(event)
        entry = next(row for row in AuditEntry.objects.filter(event=event, verb=verb) if row.pk not in gone)
        assert not services.in_the_way(entry)
        undo(judge, event, entry)
    assert event.rounds.get(number=2).state == Round.State.DRAFT


def test_an_old_result_s_correction_is_undone_with_places_and_later_rounds_named(running):
    event, judge, by = running.event, running.client("head_judge"), running.actor("head_judge")
    was = standings(event)
    match = event.rounds.get(number=1).matches.filter(kind="game").order_by("table").first()
    results.correct_result(by=by, match=match, result=result("b", 1, 200), confirmed=True, reason="Slip found")
    assert standings(event) != was
    text = page(judge, event, newest(event))
    assert "1 : 200 → 120 : 40" in text
    assert "Round 2 was paired from the current result" in text
    assert "place 1 →" in text or "→ 1" in text
    asked = judge.post(
        reverse("judging:audit-log-entry", args=[event.public_id, newest(event).pk]), {"confirmed": "yes"}
    )
    assert asked.status_code == 409, "a reason is asked for"
    undo(judge, event, newest(event))
    assert standings(event) == was


def test_a_result_of_a_complete_round_waits_for_the_round_to_be_opened(running):
    event, judge = running.event, running.client("head_judge")
    entered = AuditEntry.objects.filter(event=event, verb="enter-result").earliest("pk")
    text = page(judge, event, entered)
    assert "Round 1 complete" in text
    assert "Round 2 published" in text


def test_reopening_is_undone(staff):
    players(staff.event, 4)
    by = staff.actor("head_judge")
    round_ = play_round(by, staff.event)
    was = everything(staff.event)
    rounds.reopen_round(by=by, round=round_, confirmed=True, reason="A slip")
    undo(staff.client("head_judge"), staff.event, newest(staff.event))
    now = everything(staff.event)
    assert now["rounds"][0].pop("times_reopened") == was["rounds"][0].pop("times_reopened")
    assert now == was


def test_a_published_round_stands_in_the_way_of_a_drop_before_it(staff):
    players(staff.event, 8)
    by = staff.actor("head_judge")
    play_round(by, staff.event)
    entries.drop_entry(by=by, entry=staff.event.entries.get(number=8), confirmed=True)
    dropped = newest(staff.event)
    draft = rounds.draft_round(by=by, event=staff.event)
    assert not services.in_the_way(dropped)
    assert any("out of date" in str(line) for line in services.what_changes(dropped))
    rounds.publish_round(by=by, round=draft)
    assert [row.verb for row in services.in_the_way(dropped)] == ["publish-round"]
    with pytest.raises(Refused, match="Undo this first: Round 2 published"):
        services.undo(by=by, entry=dropped, confirmed=True)


def test_the_clock_goes_on_as_if_it_had_not_been_paused(running):
    by, round_ = running.actor("scorekeeper"), running.event.rounds.get(number=2)
    clock.start_round(by=by, round=round_)
    started = list(round_.clock_runs.values("phase", "began", "ended"))
    clock.pause(by=by, round=round_)
    services.undo(by=by, entry=newest(running.event), confirmed=True)
    assert list(round_.clock_runs.values("phase", "began", "ended")) == started, "to the microsecond"
    services.undo(by=by, entry=AuditEntry.objects.get(sentence__startswith="clock-started"), confirmed=True)
    assert not round_.clock_runs.exists()
    round_.refresh_from_db()
    assert (round_.state, round_.started_at) == (Round.State.PUBLISHED, None)


def test_extra_time_entries_and_officials_are_undone(running):
    event, by = running.event, running.actor("head_judge")
    match = event.rounds.get(number=2).matches.filter(kind="game").first()
    clock.extend_table(by=by, match=match, minutes=5, reason="A spilled drink")
    services.undo(by=by, entry=newest(event), confirmed=True, reason="Wrong table")
    assert not match.extensions.exists()
    added = entries.add_entry(by=by, event=event, name="Wrong Person", declares=True)
    services.undo(by=by, entry=newest(event), confirmed=True)
    assert not Entry.objects.filter(pk=added.pk).exists()
    services.undo(by=by, entry=newest(event), confirmed=True)
    again = Entry.objects.get(pk=added.pk)
    assert (again.name, again.number, again.entered) == ("Wrong Person", added.number, added.entered)
    person = VolunteerFactory().person
    setup.set_official(by=by, event=event, person=person, role=Official.Role.JUDGE)
    services.undo(by=by, entry=newest(event), confirmed=True)
    assert not event.officials.filter(person=person).exists()


def test_a_removed_official_comes_back_under_the_same_key(running):
    event, by = running.event, running.actor("manager")
    row = event.officials.get(role=Official.Role.JUDGE)
    setup.remove_official(by=by, event=event, official=Official.objects.get(pk=row.pk))
    services.undo(by=by, entry=newest(event), confirmed=True)
    assert event.officials.filter(pk=row.pk, accepted=row.accepted, added=row.added).exists()


def test_a_manual_swap_and_reseated_tables_are_undone(staff):
    players(staff.event, 6)
    by = staff.actor("head_judge")
    draft = rounds.draft_round(by=by, event=staff.event)
    was = everything(staff.event)
    one, other = draft.matches.order_by("table")[:2]
    rounds.swap_players(by=by, round=draft, one=one.a, other=other.a)
    text = page(staff.client("head_judge"), staff.event, newest(staff.event))
    assert "Round 1 draft: " in text
    assert "No page will look different" not in text
    services.undo(by=by, entry=newest(staff.event), confirmed=True, reason="No")
    assert everything(staff.event) == was
    rounds.publish_round(by=by, round=Round.objects.get(pk=draft.pk))
    was = everything(staff.event)
    one, other = draft.matches.order_by("table")[:2]
    rounds.right_tables(by=by, round=Round.objects.get(pk=draft.pk), first=one, second=other, opponent=other.a, reason="Sat wrongly")  # fmt: skip  # noqa: E501
    services.undo(by=by, entry=newest(staff.event), confirmed=True, reason="They sat rightly")
    assert everything(staff.event) == was


def test_undoing_everything_returns_the_beginning_and_every_standings_on_the_way(staff):
    players(staff.event, 7)
    by = staff.actor("head_judge")
    seen = [(0, standings(staff.event), everything(staff.event))]

    def look():
        entry = AuditEntry.objects.filter(event=staff.event).order_by("-pk").first()
        seen.append((entry.pk, standings(staff.event), everything(staff.event)))

    for _number in range(2):
        draft = rounds.draft_round(by=by, event=staff.event)
        look()
        rounds.publish_round(by=by, round=draft)
        look()
        clock.start_round(by=by, round=draft)
        look()
        play(by, draft)
        look()
        rounds.complete_round(by=by, round=draft)
        look()
    entries.drop_entry(by=by, entry=staff.event.entries.get(number=2), confirmed=True)
    look()
    rounds.finish_event(by=by, event=staff.event, confirmed=True)
    look()
    marks = {pk: (places, rows) for pk, places, rows in seen}
    for entry in AuditEntry.objects.filter(event=staff.event, verb__in=ACTIONS).order_by("-pk"):
        if entry.pk in marks:
            assert standings(staff.event) == marks[entry.pk][0]
            assert everything(staff.event) == marks[entry.pk][1]
        services.undo(by=by, entry=entry, confirmed=True, reason="All back")
    assert (standings(staff.event), everything(staff.event)) == (seen[0][1], seen[0][2])


def test_who_may_undo(running):
    event = running.event
    by = running.actor("head_judge")
    player = event.entries.get(number=3)
    entries.disqualify_entry(by=by, entry=player, confirmed=True, reason="Loaded dice")
    act = newest(event)
    for who in ("judge", "scorekeeper"):
        assert "Only the head judge can do this" in undo(running.client(who), event, act, expect=403)
    assert "Only the head judge can do this" in page(running.client("judge"), event, act)
    undo(running.client("head_judge"), event, act)
    person = PersonFactory()
    EntryFactory(event=event, person=person, number=50)
    from tests.conftest import client_of

    assert client_of(person).get(reverse("judging:audit-log-entry", args=[event.public_id, act.pk])).status_code == 403


def test_actions_that_cannot_be_undone_say_why(running):
    event, judge = running.event, running.client("head_judge")
    entry = event.entries.get(number=1)
    from events.services.people import renew_entry_link

    renew_entry_link(by=running.actor("head_judge"), entry=entry)
    text = page(judge, event, newest(event))
    assert "a lost player card would" in text
    assert "a lost player card would" in undo(judge, event, newest(event), expect=403)


def test_the_page_after_an_act_offers_to_undo_it_once_and_one_tap_does_it(running):
    event, judge = running.event, running.client("head_judge")
    entry = event.entries.get(number=4)
    here = reverse("events:entry", args=[event.public_id, entry.number])
    act = reverse("events:entry-act", args=[event.public_id, entry.number, "drop"])
    offered = judge.post(act, {"confirmed": "yes"}, follow=True).text
    address = reverse("judging:audit-log-entry", args=[event.public_id, newest(event).pk])
    form = re.search(rf'<form method="post" action="{address}">.*?</form>', offered, re.DOTALL)[0]
    assert 'class="undo ' not in judge.get(here).text, "offered once"
    posted = dict(re.findall(r'name="(confirmed|reason|next)" value="([^"]*)"', form))
    assert judge.post(address, posted)["Location"] == here, "undo leads back to where the judge was"
    assert event.entries.get(number=4).state == entry.state


def test_undo_never_leads_off_the_site(running):
    event, judge = running.event, running.client("head_judge")
    entry = event.entries.get(number=4)
    entries.drop_entry(by=running.actor("head_judge"), entry=entry, confirmed=True)
    address = reverse("judging:audit-log-entry", args=[event.public_id, newest(event).pk])
    answer = judge.post(address, {"confirmed": "yes", "next": "https://elsewhere.example/"})
    assert answer["Location"] == reverse("judging:audit-log", args=[event.public_id])


def test_the_audit_log_is_append_only(running):
    entry = newest(running.event)
    entry.summary = "Something else"
    for act in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(summary="x"),
        lambda: AuditEntry.objects.bulk_update([entry], ["summary"]),
    ):
        with pytest.raises(AppendOnlyError):
            act()
    assert newest(running.event).words == "Round 2 published"
