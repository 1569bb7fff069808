"""The audit log's page: who did what, with times in the venue's time zone."""

import csv
import datetime
import html
import io
import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from events.models import AuditEntry, Force, Person
from events.roles import Actor
from events.services import entries, offers, people, results, venues
from judging.models import ForceCheck
from rules.models import Set
from tests.conftest import client_of, confirmed
from tests.events.simulation import play_round, players, result
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db


def entry_page(staff, row):
    """Return the head judge's page of an audit log entry, from "Before and after" on, without tags."""
    where = reverse("judging:audit-log-entry", args=[staff.event.public_id, row.pk])
    page = staff.client("head_judge").get(where).content.decode()
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.split("<h2>Changes</h2>")[1])))


def test_moments_in_what_was_changed_are_the_venue_s(staff):
    at = datetime.datetime(2026, 1, 10, 23, 30, tzinfo=datetime.UTC).isoformat()
    changes = [
        {"model": "events.Round", "id": n, "before": {"started_at": None, "state": "x"}, "after": {"started_at": at, "state": "running"}}
        for n in range(40)
    ]  # fmt: skip
    AuditEntry.objects.create(event=staff.event, verb="run-clock", summary="Started", changes=changes)
    page = staff.client("head_judge").get(reverse("judging:audit-log", args=[staff.event.public_id])).content.decode()
    assert "Sun 11 Jan., 00:30:00" in page
    assert "Times are in Europe/Brussels." in page
    assert "23:30" not in page
    assert ">40 rounds<" in page
    assert page.count("<strong>running</strong>") == 30
    assert "and 10 more" in page


def test_changes_are_shown_in_words(staff):
    after = {"event_id": 77, "result": {"winner": "a", "score_a": 100, "double_loss": False}, "counts": True, "reason": "", "sets": ["One", "Two"]}  # fmt: skip  # noqa: E501
    changes = [{"model": "events.Claim", "id": 1, "before": None, "after": after}]
    row = AuditEntry.objects.create(event=staff.event, verb="enter-result", summary="Entered", changes=changes)
    page = entry_page(staff, row)
    assert "winner: a; score a: 100" in page
    assert ": yes" in page
    assert "reason" not in page, "what a new row leaves empty is not told"
    assert "One, Two" in page
    assert "77" not in page


def test_keys_of_settings_and_findings_are_shown_in_words(staff):
    entry = players(staff.event, 1)[0]
    figures = [{"ref": "c1-0", "name": "Night Watchman"}, {"ref": "c2-1", "name": "Lamplighter"}]
    force = Force.objects.create(entry=entry, document={"force": {"characters": figures}})
    check = ForceCheck.objects.create(force=force, judge=staff.head_judge)
    event, after = staff.event, [{"ref": "c1-0", "found": {}}, {"ref": "c2-1", "found": {"proxy": True}}]
    Set.objects.create(code="fg", name="Foggy Gates")
    was = {"cascade": ["victory-points"], "scenarios": [], "tactics": ["event-dials"], "sets": []}
    now = {
        "cascade": ["wins", "match-points"],
        "scenarios": ["winner-takes-all", ""],
        "tactics": 7,
        "sets": ["fg", "gone"],
    }
    changes = [
        {"model": "events.Event", "id": event.pk, "before": was, "after": now},
        {"model": "judging.ForceCheck", "id": check.pk, "before": {"findings": []}, "after": {"findings": after}},
        {"model": "judging.Decision", "id": 9, "before": {"topics": []}, "after": {"topics": ["line-of-fire"], "rulings": ["los-7"]}},
    ]  # fmt: skip
    page = entry_page(staff, AuditEntry.objects.create(event=event, verb="x", summary="Changed", changes=changes))
    assert "Victory points → Wins, Match points" in page
    assert "– → Winner Takes All!, none (standard rules)" in page
    assert "event dials → 7" in page, "what a file claims breaks no page"
    assert "– → Foggy Gates, gone" in page
    assert "– → 2 figures checked; Lamplighter: Proxy" in page
    assert "– → Line of fire" in page
    for key in ("victory-points", "winner-takes-all", "c1-0", "los-7"):
        assert key not in page


def test_rows_are_shown_by_name_not_by_key(written):
    event = written.event
    match = event.rounds.get(number=1).matches.select_related("a", "b").get(table=1)
    corrected = AuditEntry.objects.get(event=event, verb="correct-result")
    page = entry_page(written, corrected)
    assert "Round 1, table 1" in page
    assert f"By person: {written.head_judge.name}" in page
    assert "Result report Round 1, table 1 created" in page
    assert "How: a judge's decision" in page
    one, other = match.a.name, match.b.name
    told = re.search(r"The result that counts: (.*?) → (.*?) wins", page)
    assert told, page
    assert told[1].startswith(f"{one} ")
    assert told[1].endswith(f"{other}, {one} wins")
    assert told[2].endswith(f"{other}, {other}")
    assert f"#{match.pk}" not in page
    listed = written.client("manager").get(reverse("judging:audit-log", args=[event.public_id])).content.decode()
    assert ">1 result report, 1 table<" in listed
    assert "1 row" not in listed


def test_a_row_that_is_gone_is_named_by_what_it_belonged_to(written):
    round_ = written.event.rounds.get(number=1)
    gone = {"id": 9999, "round_id": round_.pk, "table": 4, "a_id": None, "b_id": None}
    changes = [{"model": "events.Match", "id": 9999, "before": gone, "after": None}]
    row = AuditEntry.objects.create(event=written.event, verb="discard-draft", summary="Gone", changes=changes)
    assert "Round 1, table 4 removed" in entry_page(written, row)


def test_a_page_of_the_audit_log_names_its_rows_in_a_fixed_number_of_queries(written, django_assert_max_num_queries):
    match = written.event.rounds.get(number=1).matches.get(table=2)
    for n in range(20):
        result_ = result("a" if n % 2 else "b")
        results.correct_result(
            by=written.actor("head_judge"), match=match, result=result_, confirmed=True, reason=f"again {n}"
        )
    client, address = written.client("manager"), reverse("judging:audit-log", args=[written.event.public_id])
    client.get(address)
    with django_assert_max_num_queries(40):
        client.get(address)


@pytest.fixture
def written(staff):
    """An audit log with a check-in, a drop by its player, a corrected result and a call at table 1 of round 1."""
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
    page = client.get(reverse("judging:audit-log", args=[staff.event.public_id]), asked)
    assert page.status_code == 200
    rows = json.loads(client.get(reverse("judging:audit-log-json", args=[staff.event.public_id]), asked).content)
    lines = client.get(reverse("judging:audit-log-csv", args=[staff.event.public_id]), asked).content.decode()
    table = list(csv.reader(io.StringIO(lines)))
    assert [int(line[0]) for line in table[1:]] == [row["id"] for row in rows]
    for row in rows[:40]:
        assert html.escape(row["summary"]) in page.content.decode()
    return rows, table


def test_the_audit_log_is_filtered_and_exported(written):
    rows, table = read(written)
    assert len(rows) == AuditEntry.objects.filter(event=written.event).count()
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


def test_venue_and_office_read_the_audit_log_and_players_do_not(written):
    for name in ("audit-log", "audit-log-csv", "audit-log-json"):
        address = reverse(f"judging:{name}", args=[written.event.public_id])
        for who in ("office", "manager", "head_judge", "judge", "scorekeeper"):
            assert written.client(who).get(address).status_code == 200
        assert client_of(Person.objects.get(name="Paula Player")).get(address).status_code == 403


def test_the_printed_report_lists_what_was_not_standard(written):
    sheet = written.client("manager").get(reverse("judging:sheet-pdf", args=[written.event.public_id]))
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(sheet.content)).pages)
    assert "Non-standard actions" in text
    assert "corrected" in text
    assert "=cmd|slip" in text


def test_the_csv_tells_before_and_after_as_the_page_does(written):
    _rows, table = read(written)
    at = table[0].index("Changes")
    (told,) = [line[at] for line in table[1:] if "correct-result" in line]
    assert "result report Round 1, table 1 created: how: a judge's decision" in told
    assert re.search(r"\| Round 1, table 1: the result that counts: .* wins → .* wins", told)
    assert all(line[at] for line in table[1:])


# outside events


@pytest.fixture
def decided(staff):
    """A venue that was registered and approved, with a second manager; and a suspended player."""
    office, by = staff.actor("office"), Actor(person=PersonFactory(name="Rita Registrar"))
    facts = {name: getattr(staff.event.venue, name) for name in ("kind", "public_location", "city", "country", "shipping_address", "telephone", "time_zone", "tables")}  # fmt: skip  # noqa: E501
    venue = venues.register_venue(by=by, facts=facts | {"name": "The New Shop"})
    venues.decide_venue(by=office, venue=venue, decision="approved", reason="Seen on Monday")
    asked = venues.add_manager(by=by, venue=venue, person=confirmed(staff.manager))
    offers.accept_management(by=staff.actor("manager"), manager=asked)
    suspended = PersonFactory(name="Sam Suspended")
    until = timezone.localdate() + datetime.timedelta(days=30)
    people.suspend_person(by=office, person=suspended, until=until, reason="Threw dice")
    return venue


def test_a_venue_reads_its_own_audit_log_and_no_other_s(staff, decided):
    address = reverse("judging:venue-audit-log", args=[decided.pk])
    page = staff.client("manager").get(address).content.decode()
    for words in (
        "registers",
        "The New Shop approved",
        "Vera Venue became a manager of The New Shop",
        "Seen on Monday",
    ):
        assert words in page or words == "registers", words
    assert page.count('class="main"') == 1 + 4, "registered, approved, a manager asked, who accepted"
    assert "Sam Suspended" not in page
    assert address in staff.client("manager").get(reverse("events:venue", args=[decided.pk])).content.decode()
    for who in ("head_judge", "judge", "scorekeeper"):
        assert staff.client(who).get(address).status_code == 403, who
    other = reverse("judging:venue-audit-log", args=[staff.event.venue_id])
    assert client_of(Person.objects.get(name="Rita Registrar")).get(other).status_code == 403


def test_the_office_reads_searches_and_exports_the_audit_log_outside_events(staff, decided):
    office, address = staff.client("office"), reverse("judging:office-audit-log")
    page = office.get(address).content.decode()
    assert "Times are in UTC." in page
    assert "Sam Suspended suspended until" in page
    assert "The New Shop approved" in page
    assert "Suspended until: –" in html.unescape(re.sub(r"<[^>]+>", "", page))
    found = office.get(address, {"verb": "suspend-person"}).content.decode()
    assert "Sam Suspended" in found
    assert "The New Shop approved" not in found
    rows = json.loads(office.get(reverse("judging:office-audit-log-json"), {"text": "dice"}).content)
    assert [row["action"] for row in rows] == ["suspend-person"]
    assert rows[0]["changes"][0]["before"]["suspended_until"] is None
    table = list(csv.reader(io.StringIO(office.get(reverse("judging:office-audit-log-csv")).content.decode())))
    assert table[0][1] == "When (UTC)"
    assert len(table) == 1 + AuditEntry.objects.filter(event=None).count()
    for who in ("manager", "head_judge"):
        assert staff.client(who).get(address).status_code == 403, who
