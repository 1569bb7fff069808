"""Parts of pages that readers share: rendered once for each change, and never with what is another reader's."""

import threading
import time

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events import shared_parts
from events.models import Entry, Match, Round
from events.services import results, rounds
from events.shared_parts import MAX_PARTS, SharedParts
from tests.conftest import client_of
from tests.events.simulation import play_round, players, result
from tests.factories import EventFactory, OfficialFactory, PersonFactory

pytestmark = pytest.mark.django_db
PAGES = ("standings/", "rounds/1/", "rounds/1/?by=name")
MINOR = "Zoe Verylongname"


def at(event, rest):
    return f"/events/{event.public_id}/{rest}"


def read(client, event, rest, language="en"):
    answer = client.get(at(event, rest), headers={"accept-language": language})
    assert answer.status_code == 200, rest
    return answer.content.decode()


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff, by):
    """Return an event with one round played; numbers 1 and 2 have accounts, number 3 is a minor."""
    entries = players(staff.event, 8)
    for entry in entries[:2]:
        Entry.objects.filter(pk=entry.pk).update(person=PersonFactory())
    Entry.objects.filter(pk=entries[2].pk).update(name=MINOR, is_minor=True)
    play_round(by, staff.event)
    return staff.event


@pytest.fixture
def readers(event):
    return [client_of(event.entries.get(number=number).person) for number in (1, 2)]


@pytest.mark.parametrize("address", PAGES)
def test_the_second_reader_loads_no_matches_of_others(event, readers, address):
    read(readers[0], event, address)
    with CaptureQueriesContext(connection) as captured:
        read(readers[1], event, address)
    rows = [query["sql"] for query in captured if 'FROM "events_match"' in query["sql"]]
    assert all('"b_id" = ' in sql or "COUNT(" in sql for sql in rows)


@pytest.mark.parametrize("address", PAGES)
def test_each_reader_sees_their_own_row_marked_and_no_other(event, readers, address):
    assert 'class="mine' not in read(Client(), event, address)
    for number, reader in enumerate([*readers, readers[0]], 1):
        rows = [row for row in read(reader, event, address).split("<tr ") if 'class="mine' in row]
        assert len(rows) == 1
        assert f"Player 00{number if number < 3 else 1}" in rows[0]
    assert 'class="mine' not in read(Client(), event, address)


@pytest.mark.parametrize("judge_first", [True, False])
@pytest.mark.parametrize("address", PAGES)
def test_a_minor_s_full_name_stays_with_the_officials(staff, event, readers, address, judge_first):
    judge = staff.client("head_judge")
    if judge_first:
        read(judge, event, address)
    for reader in (*readers, Client()):
        assert MINOR not in read(reader, event, address)
        assert "Zoe V." in read(reader, event, address)
    assert (MINOR in read(judge, event, address)) == address.startswith("rounds")


def test_each_language_has_its_own(event, readers):
    assert "Tie-breakers" in read(readers[0], event, "standings/")
    assert "Tie-breakers" not in read(readers[1], event, "standings/", "fr")
    assert "Tie-breakers" in read(readers[1], event, "standings/")


def test_a_corrected_result_shows_at_once(event, by, readers):
    match = Match.objects.get(round__event=event, table=1)
    old, new = ">120 : 40</td>", ">35 : 177</td>"
    assert old in read(readers[0], event, "rounds/1/")
    before = read(readers[0], event, "standings/")
    results.correct_result(
        by=by, match=match, result=result("b", score_b=177), confirmed=True, reason="The slip was misread."
    )
    pages = [read(reader, event, "rounds/1/") for reader in readers]
    assert all(new in page for page in pages)
    assert "177" in read(readers[0], event, "standings/")
    assert "177" not in before


def test_players_never_see_a_draft_that_was_published_before(staff, event, by, readers):
    drafted = rounds.draft_round(by=by, event=event)
    judge = staff.client("head_judge")
    assert judge.get(at(event, "rounds/2/"), follow=True).status_code == 200
    assert [reader.get(at(event, "rounds/2/")).status_code for reader in readers] == [404, 404]
    rounds.publish_round(by=by, round=drafted)
    read(readers[0], event, "rounds/2/")
    rounds.unpublish_round(by=by, round=drafted, confirmed=True, reason="Too early")
    assert Round.objects.get(pk=drafted.pk).state == Round.State.DRAFT
    assert [reader.get(at(event, "rounds/2/")).status_code for reader in readers] == [404, 404]
    assert "?round=2" not in read(readers[0], event, "standings/")


def test_two_events_have_their_own(staff, event, readers):
    other = EventFactory(venue=staff.event.venue)
    head = OfficialFactory(event=other)
    players(other, 4)
    Entry.objects.filter(event=other).update(name="Somebody Else")
    play_round(type(staff.actor("head_judge"))(person=head.person), other)
    for address in PAGES:
        assert "Somebody Else" not in read(readers[0], event, address)
        shown = read(readers[0], other, address)
        assert "Somebody Else" in shown
        assert event.public_id not in shown
        assert 'class="mine' not in shown


@pytest.mark.parametrize("address", PAGES)
def test_what_a_reader_adds_to_the_address_stays_theirs(event, readers, address):
    mark = "secret"
    own = read(readers[0], event, f"{address}{'&' if '?' in address else '?'}q=Player&x={mark}")
    assert mark in own
    assert mark not in read(readers[1], event, address)


def test_a_part_is_rendered_from_nothing_of_the_reader(event, readers, monkeypatch):
    seen = []

    def rendered(template, context):
        seen.append(context)
        return original(template, context)

    original = shared_parts.render_to_string
    monkeypatch.setattr(shared_parts, "render_to_string", rendered)
    for address in PAGES:
        read(readers[0], event, address)
    assert len(seen) == len(PAGES)
    for context in seen:
        assert not {"user", "roles", "actor", "my_entry", "mine", "csrf_token", "messages"} & context.keys()
        asked = context["request"]
        assert not {**asked.COOKIES, **asked.META, **asked.POST}
        assert not {"user", "session"} & vars(asked).keys()


def test_an_event_without_an_audit_log_keeps_nothing(db):
    """Nothing would tell of a change there."""
    event = EventFactory(state="running")
    players(event, 1)
    assert "Player 001" in read(Client(), event, "standings/")
    Entry.objects.filter(event=event).update(name="Renamed")
    assert "Renamed" in read(Client(), event, "standings/")


def test_readers_at_the_same_moment_wait_for_one_rendering():
    parts, made = SharedParts(), []

    def render():
        time.sleep(0.05)
        made.append(1)
        return "part"

    found = []
    threads = [threading.Thread(target=lambda: found.append(parts.get("key", 7, render))) for _n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found, len(made)) == (["part"] * 5, 1)


def test_parts_are_limited_and_never_older_than_the_reader():
    parts = SharedParts()
    for number in range(3 * MAX_PARTS):
        assert parts.get(number, 1, lambda number=number: str(number)) == str(number)
    assert len(parts.parts) == MAX_PARTS
    assert parts.get("key", 5, lambda: "new") == "new"
    assert parts.get("key", 4, lambda: "older") == "new"
    assert parts.get("key", 6, lambda: "newer") == "newer"
