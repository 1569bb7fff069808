"""The record's page: who did what, and moments by the clock of the venue."""

import csv
import datetime
import html
import io
import json

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from events.models import Person, RecordEntry
from events.roles import Actor
from events.services import entries, results
from tests.conftest import client_of
from tests.events.simulation import play_round, players, result
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db


def test_moments_in_what_was_changed_are_the_venue_s(staff):
    at = datetime.datetime(2026, 1, 10, 23, 30, tzinfo=datetime.UTC).isoformat()
    changes = [{"model": "events.Round", "id": 1, "before": {"started_at": None, "state": "x"}, "after": {"started_at": at, "state": "running"}}]  # fmt: skip  # noqa: E501
    RecordEntry.objects.create(event=staff.event, verb="run-clock", summary="Started", changes=changes * 40)
    page = staff.client("head_judge").get(reverse("judging:record", args=[staff.event.public_id])).content.decode()
    assert "Sun 11 Jan, 00:30:00" in page
    assert "23:30" not in page
    assert "40 rows" in page
    assert page.count("#1<") == 30
    assert "running" in page


def test_what_was_changed_is_told_in_words(staff):
    after = {"event_id": 77, "result": {"winner": "a", "score_a": 100, "double_loss": False}, "counts": True, "withdrawn": False, "sets": ["One", "Two"]}  # fmt: skip  # noqa: E501
    changes = [{"model": "events.Claim", "id": 1, "before": None, "after": after}]
    row = RecordEntry.objects.create(event=staff.event, verb="enter-result", summary="Entered", changes=changes)
    where = reverse("judging:record-entry", args=[staff.event.public_id, row.pk])
    page = staff.client("head_judge").get(where).content.decode()
    assert "winner: a; score a: 100<" in page
    assert ": yes<" in page
    assert "withdrawn: no<" in page
    assert "One, Two" in page
    assert "77" not in page.split("Before and after")[1]


@pytest.fixture
def written(staff):
    """A record with a check-in, a drop by its player, a corrected result and a call at table 1 of round 1."""
    by = staff.actor("head_judge")
    players(staff.event, 4)
    person = PersonFactory(name="Paula Player")
    entry = staff.event.entries.get(number=2)
    entry.person = person
    entry.save()
    round_ = play_round(by, staff.event)
    match = round_.matches.get(table=1)
    results.correct_result(by=by, match=match, result=result("b"), confirmed=True, reason="=cmd|slip")
    entries.drop_entry(by=Actor(person=person), entry=entry, confirmed=True)
    return staff


def read(staff, **asked):
    client = staff.client("manager")
    page = client.get(reverse("judging:record", args=[staff.event.public_id]), asked)
    assert page.status_code == 200
    rows = json.loads(client.get(reverse("judging:record-json", args=[staff.event.public_id]), asked).content)
    lines = client.get(reverse("judging:record-csv", args=[staff.event.public_id]), asked).content.decode()
    table = list(csv.reader(io.StringIO(lines)))
    assert [int(line[0]) for line in table[1:]] == [row["id"] for row in rows]
    for row in rows[:40]:
        assert html.escape(row["summary"]) in page.content.decode()
    return rows, table


def test_the_record_is_filtered_and_exported(written):
    rows, table = read(written)
    assert len(rows) == RecordEntry.objects.filter(event=written.event).count()
    assert any(line[6] == "'=cmd|slip" for line in table), "no spreadsheet takes a reason for a formula"
    person = Person.objects.get(name="Paula Player")
    assert [row["action"] for row in read(written, who=f"p{person.pk}")[0]] == ["drop-entry"]
    assert {row["action"] for row in read(written, verb="enter-result")[0]} == {"enter-result"}
    assert {row["action"] for row in read(written, round=1, table=1)[0]} == {"enter-result", "correct-result"}
    of_round = {row["action"] for row in read(written, round=1)[0]}
    assert of_round == {"publish-round", "enter-result", "correct-result", "complete-round"}
    assert "drop-entry" in {row["action"] for row in read(written, entry=2)[0]}
    assert read(written, entry=77)[0] == []
    assert {row["action"] for row in read(written, only="non-standard")[0]} == {"correct-result"}
    assert {row["action"] for row in read(written, text="dropped")[0]} == {"drop-entry"}
    local = timezone.localtime(timezone.now(), written.event.venue.zone)
    later = f"{local + datetime.timedelta(hours=1):%Y-%m-%dT%H:%M}"
    assert read(written, since=later)[0] == []
    assert len(read(written, until=later)[0]) == len(rows)
    assert read(written, since="nonsense", who="x9")[0], "what makes no sense is passed over"


def test_venue_and_office_read_the_record_players_do_not(written):
    for name in ("record", "record-csv", "record-json"):
        address = reverse(f"judging:{name}", args=[written.event.public_id])
        for who in ("office", "manager", "head_judge", "judge", "scorekeeper"):
            assert written.client(who).get(address).status_code == 200
        assert client_of(Person.objects.get(name="Paula Player")).get(address).status_code == 403


def test_what_was_not_standard_stands_in_the_printed_report(written):
    sheet = written.client("manager").get(reverse("judging:sheet-pdf", args=[written.event.public_id]))
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(sheet.content)).pages)
    assert "What was not standard" in text
    assert "corrected" in text
    assert "=cmd|slip" in text
