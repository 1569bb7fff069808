"""Live updates: a counter that needs no session, 304 if nothing has changed, and the parts of pages that follow."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.models import Event, Round
from events.services.clock import start_round
from tests.events.match_pages import play

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(staff):
    play(staff.event, 6, 2)
    Round.objects.filter(number=2).update(state=Round.State.PUBLISHED)
    return staff


def address(event):
    return reverse("events:change-notification", args=[event.public_id])


def test_the_counter_moves_with_every_write_and_only_then(hall):
    client = Client()
    before = client.get(address(hall.event))
    etag = before["ETag"]
    assert client.get(address(hall.event), headers={"If-None-Match": etag}).status_code == 304
    start_round(by=hall.actor("judge"), round=Round.objects.get(number=2))
    after = client.get(address(hall.event), headers={"If-None-Match": etag})
    assert after.status_code == 200
    assert after.json()["counter"] > before.json()["counter"]


def test_the_change_counter_is_light_and_needs_no_session(hall):
    with CaptureQueriesContext(connection) as seen:
        answer = Client().get(address(hall.event))
    assert len(seen) <= 2
    assert not answer.cookies
    assert answer["Cache-Control"] == "no-cache"
    assert int(answer["X-Now"]) > 10**12


def test_an_event_that_is_not_there_has_no_word(db):
    assert Client().get("/events/nothing/changes").status_code == 404


@pytest.mark.parametrize("name", ["clock", "standings", "cross-table", "chart", "display"])
def test_pages_name_the_parts_that_follow(hall, name):
    page = Client().get(reverse(f"events:{name}", args=[hall.event.public_id])).text
    assert f'data-notification="{address(hall.event)}"' in page
    assert page.count('id="live"') == 1
    names = re.findall(r'data-live="([\w-]+)"', page)
    assert names
    assert len(names) == len(set(names))


def test_no_page_carries_script_or_style_of_its_own(hall):
    Event.objects.filter(pk=hall.event.pk).update(cut_to=2)
    judge = hall.client("judge")
    for name, parts in (
        ("clock", []), ("standings", []), ("cross-table", []), ("chart", []), ("bracket", []), ("display", []),
        ("path", [1]), ("table", [2, 1]), ("results", [2]), ("open-tables", [2]), ("extend", [2, 1]),
    ):  # fmt: skip
        page = judge.get(reverse(f"events:{name}", args=[hall.event.public_id, *parts]))
        assert page.status_code == 200, name
        assert not re.search(r"<script(?![^>]*\bsrc=)", page.text), name
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|https?://(?!www\.w3\.org)", page.text), name
