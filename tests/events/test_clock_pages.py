"""The clock's pages: control by officials, the same clock for everyone, an extension for a table."""

import datetime
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from events.models import ClockRun, Extension, Match, Round
from tests.events.match_pages import play
from tests.factories import EventFactory, OfficialFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(staff):
    play(staff.event, 6, 1)
    Round.objects.update(state=Round.State.PUBLISHED)
    return staff


def at(event, name, *parts):
    return reverse(f"events:{name}", args=[event.public_id, *parts])


def test_before_any_round_there_is_no_clock(staff):
    page = Client().get(at(staff.event, "clock"))
    assert "No round yet" in page.text
    assert staff.client("judge").post(at(staff.event, "clock"), {"act": "start"}).status_code == 403


def test_the_desk_runs_the_clock_from_its_page(hall):
    desk, address = hall.client("scorekeeper"), at(hall.event, "clock")
    assert "Start 10-minute preparation" in desk.get(address).text
    assert 'role="timer"' in desk.post(address, {"act": "preparation"}, follow=True).text
    assert Round.objects.get().state == Round.State.RUNNING
    assert [word.at // 60 for word in desk.get(address).context["words"]] == [50, 25, 10, 0], "of the round to come"
    assert re.search(r"Round 1\s+·\s+<strong[^>]*>\s*preparation\s*<", desk.get(address).text)
    assert "Start round now" in desk.get(address).text
    assert "Pause" in desk.post(address, {"act": "start"}, follow=True).text
    assert "Resume" in desk.post(address, {"act": "pause"}, follow=True).text
    assert "Pause" in desk.post(address, {"act": "resume"}, follow=True).text
    assert ClockRun.objects.count() == 3


def test_everyone_sees_the_same_instant_of_the_end(hall):
    ClockRun.objects.create(
        round=Round.objects.get(), phase="round", began=timezone.now() - datetime.timedelta(minutes=10)
    )
    Round.objects.update(state=Round.State.RUNNING)
    run = ClockRun.objects.get()
    ends = int((run.began + datetime.timedelta(seconds=3000)).timestamp() * 1000)
    pages = [
        hall.client("judge").get(at(hall.event, "clock")),
        Client().get(at(hall.event, "clock")),
        Client().get(at(hall.event, "display")),
    ]
    for page in pages:
        shown = int(page.text.split('data-ends="')[1].split('"')[0])
        assert abs(shown - ends) <= 1
        assert "until" in page.text


def test_the_public_has_no_buttons(hall):
    page = Client().get(at(hall.event, "clock")).text
    assert 'name="act"' not in page
    assert Client().post(at(hall.event, "clock"), {"act": "start"}).status_code == 403
    assert not ClockRun.objects.exists()


def test_time_for_all_needs_minutes_and_a_reason_at_the_field(hall):
    judge, address = hall.client("judge"), at(hall.event, "clock")
    page = judge.post(address, {"act": "more", "all-minutes": "many", "all-reason": "fire alarm"})
    assert page.status_code == 400
    assert "whole minutes, such as 5" in page.text
    assert 'value="fire alarm"' in page.text
    assert "Enter a short reason" in judge.post(address, {"act": "more", "all-minutes": "5", "all-reason": ""}).text
    judge.post(address, {"act": "more", "all-minutes": "5", "all-reason": "fire alarm"})
    judge.post(address, {"act": "less", "all-minutes": "2", "all-reason": "too long"})
    assert Round.objects.get().added_seconds == 180


def test_an_extension_names_an_open_table_of_the_round(hall):
    judge, address = hall.client("judge"), at(hall.event, "clock")
    page = judge.post(address, {"act": "extend", "one-table": "99", "one-minutes": "5", "one-reason": "call"})
    assert "no table 99" in page.text
    judge.post(address, {"act": "extend", "one-table": "2", "one-minutes": "5", "one-reason": "call"})
    extension = Extension.objects.get()
    assert (extension.match.table, extension.seconds, extension.given_by) == (2, 300, hall.judge)
    page = judge.get(address).text
    assert "Tables with extensions" in page
    asked = judge.post(at(hall.event, "extension-withdraw", extension.pk))
    assert asked.status_code == 409
    assert "Withdraw extension?" in asked.text
    judge.post(at(hall.event, "extension-withdraw", extension.pk), {"reason": "wrong table", "confirmed": "yes"})
    assert Extension.objects.get().withdrawn
    Match.objects.update(state=Match.State.CONFIRMED)
    page = judge.post(address, {"act": "extend", "one-table": "2", "one-minutes": "5", "one-reason": "call"})
    assert "has finished" in page.text


def test_a_table_is_extended_by_one_press_of_a_number(hall):
    judge, address = hall.client("judge"), at(hall.event, "extend", 1, 1)
    page = judge.get(address)
    buttons = re.findall(r'name="add" value="(\d+)"', page.text)
    assert buttons == ["1", "2", "3", "5"]
    judge.post(address, {"add": "3", "minutes": "", "reason": page.context["form"]["reason"].value()})
    extension = Extension.objects.get()
    assert (extension.seconds, extension.reason) == (180, "A judge was at the table")


def test_a_table_is_extended_on_its_own_page(hall):
    judge = hall.client("judge")
    assert "Extension for table 1" in judge.get(at(hall.event, "extend", 1, 1)).text
    judge.post(at(hall.event, "extend", 1, 1), {"minutes": "7", "reason": "call"})
    assert Extension.objects.get().seconds == 420
    assert hall.client("scorekeeper").get(at(hall.event, "extend", 1, 1)).status_code == 403


def test_calling_time_is_asked_for_its_reason(hall):
    judge, address = hall.client("judge"), at(hall.event, "clock")
    judge.post(address, {"act": "start"})
    asked = judge.post(address, {"act": "call"})
    assert "Call time?" in asked.text
    assert asked.status_code == 409
    assert "Time will be called now at every table that has no extension." in asked.text
    judge.post(address, {"act": "call", "reason": "the hall closes", "confirmed": "yes"})
    assert "time called" in judge.get(address).text


def test_an_unknown_button_is_refused(hall):
    assert hall.client("judge").post(at(hall.event, "clock"), {"act": "explode"}).status_code == 403


def test_the_clock_costs_the_same_for_20_and_200_players(staff):
    counts = []
    for players in (20, 200):
        event = EventFactory(venue=staff.event.venue)
        OfficialFactory(event=event, person=staff.head_judge)
        play(event, players, 1)
        for match in event.rounds.get().matches.all()[: players // 4]:
            Extension.objects.create(match=match, seconds=60, reason="call", given_by=staff.head_judge)
        with CaptureQueriesContext(connection) as seen:
            assert staff.client("head_judge").get(at(event, "clock")).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_at_zero_every_page_says_what_the_procedure_says(hall):
    began = timezone.now() - datetime.timedelta(minutes=51)
    ClockRun.objects.create(round=Round.objects.get(), phase="round", began=began)
    Round.objects.update(state=Round.State.RUNNING)
    for time_called, words in (("action", "Resolve the current action"), ("turn", "Finish the current turn")):
        type(hall.event).objects.update(time_called=time_called)
        for name in ("clock", "display"):
            page = Client().get(at(hall.event, name)).text
            face = page.split('class="clock-due">')[1].split("</p>")[0]
            assert words in face
