"""The JSON API: public data, results under the same rules as the forms, and a correct schema."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from events.models import Event, Match, Round
from events.roles import LINKED_ENTRIES
from tests.conftest import client_of
from tests.factories import EntryFactory, MatchFactory, PersonFactory, RoundFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(staff):
    Event.objects.update(state=Event.State.RUNNING)
    staff.event.refresh_from_db()
    round_ = RoundFactory(event=staff.event, number=1)
    a = EntryFactory(event=staff.event, person=PersonFactory(name="Ann"), name="Ann Archer")
    b = EntryFactory(event=staff.event, person=PersonFactory(name="Ben"), name="Ben Small", is_minor=True)
    return MatchFactory(round=round_, table=1, a=a, b=b)


def report(client, event, number=1, table=1, **result):
    address = f"/api/events/{event.public_id}/rounds/{number}/tables/{table}/result"
    return client.post(address, json.dumps({"score_a": 120, "score_b": 40} | result), content_type="application/json")


def test_events_are_listed_without_drafts(staff, client):
    assert [row["id"] for row in client.get("/api/events").json()] == [staff.event.public_id]
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get("/api/events").json() == []
    assert client.get(f"/api/events/{staff.event.public_id}").status_code == 404


def test_pairings_show_what_the_public_page_shows(staff, match, client):
    (row,) = client.get(f"/api/events/{staff.event.public_id}/rounds").json()
    (table,) = row["matches"]
    assert (table["a"], table["b"], table["state"], table["result"]) == ("Ann Archer", "Ben S.", "open", None)
    assert client.get(f"/api/events/{staff.event.public_id}/rounds/1").json() == row


def test_a_draft_round_is_not_shown(staff, match, client):
    Round.objects.update(state=Round.State.DRAFT)
    assert client.get(f"/api/events/{staff.event.public_id}/rounds").json() == []
    assert client.get(f"/api/events/{staff.event.public_id}/rounds/1").status_code == 404


def test_two_players_report_the_same_and_it_counts(staff, match):
    first = report(client_of(match.a.person), staff.event)
    assert (first.status_code, first.json()["state"]) == (200, "claimed")
    assert report(client_of(match.b.person), staff.event).json()["state"] == "confirmed"
    match.refresh_from_db()
    assert (match.result.winner, match.result.score("a")) == ("a", 120)


def test_the_desk_enters_at_once(staff, match):
    assert report(staff.client("scorekeeper"), staff.event).json()["state"] == Match.State.CONFIRMED


def test_a_stranger_is_told_who_may(staff, match):
    answer = report(client_of(PersonFactory()), staff.event)
    assert answer.status_code == 403
    assert "player" in answer.json()["detail"]


def test_without_signing_in_nothing_is_written(staff, match, client):
    assert report(client, staff.event).status_code == 401
    match.refresh_from_db()
    assert match.state == Match.State.OPEN


def test_a_result_needs_the_csrf_token(staff, match):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(staff.scorekeeper, backend="django.contrib.auth.backends.ModelBackend")
    assert report(strict, staff.event).status_code == 403


@pytest.mark.parametrize("given", [{"score_a": "many"}, {"score_a": -5}, {"winner": "c"}, {"score_a": 10**9}])
def test_a_score_that_is_none_is_refused_in_words(staff, match, given):
    answer = report(staff.client("scorekeeper"), staff.event, **given)
    assert answer.status_code == 422
    assert answer.json()["detail"]
    match.refresh_from_db()
    assert match.state == Match.State.OPEN


def test_an_unknown_table_is_not_found(staff, match):
    assert report(staff.client("scorekeeper"), staff.event, table=9).status_code == 404


def test_the_standings_are_those_of_the_page(staff, match, client):
    report(staff.client("scorekeeper"), staff.event)
    lines = client.get(f"/api/events/{staff.event.public_id}/standings").json()
    assert [(line["rank"], line["name"], line["columns"]["wins"]["exact"]) for line in lines] == [
        (1, "Ann Archer", 1),
        (2, "Ben S.", 0),
    ]


def test_rounds_cost_the_same_number_of_queries_however_many_tables(
    staff, match, client, django_assert_max_num_queries
):
    for table in range(2, 60):
        MatchFactory(
            round=match.round, table=table, a=EntryFactory(event=staff.event), b=EntryFactory(event=staff.event)
        )
    with django_assert_max_num_queries(8):
        client.get(f"/api/events/{staff.event.public_id}/rounds")


def test_the_description_names_every_operation_and_the_page_shows_it(client):
    described = client.get("/api/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    page = client.get(reverse("api")).content.decode()
    for path in described["paths"]:
        assert path in page


def test_an_entry_linked_elsewhere_reports_nothing_here(staff, match, client):
    other = EntryFactory()
    session = client.session
    session[LINKED_ENTRIES] = {str(other.event.pk): [other.pk, other.link_issue]}
    session.save()
    assert report(client, staff.event).status_code == 401


@pytest.mark.parametrize(
    ("method", "address", "status", "words"),
    [
        ("get", "/api/nowhere", 404, "/api/ lists all addresses"),
        ("get", "/api/events/none", 404, "/api/ lists all addresses"),
        ("put", "/api/events", 405, "It accepts GET"),
        ("get", "/api/rules/force", 404, "/api/ lists all addresses"),
    ],
)
def test_missing_things_are_reported_in_json(client, method, address, status, words):
    told = getattr(client, method)(address)
    assert told.status_code == status
    assert words in told.json()["detail"]
