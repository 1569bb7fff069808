"""Each round has its length: by the event's settings for main rounds, the bracket and the final, or set in the draft."""

import datetime

import pytest
from django.urls import reverse

from events.models import Event, Round
from events.services import rounds
from events.services.policy import duration
from events.services.undo import undo
from judging.keeping.event_file import event_file
from tests.events.simulation import play, players

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(staff):
    event = staff.event
    event.pairing_style, event.third_place = Event.Style.ELIMINATION, True
    event.round_minutes, event.cut_minutes, event.final_minutes = 50, 60, 75
    event.save()
    players(event, 4)
    return event


def finish(by, event):
    round = rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    play(by, round)
    return rounds.complete_round(by=by, round=round)


def test_the_bracket_and_the_final_have_their_own_length(event, staff, client):
    by = staff.actor("head_judge")
    assert [event.minutes_of(size) for size in (None, 8, 2)] == [50, 60, 75]
    finish(by, event)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    assert list(event.rounds.order_by("number").values_list("round_seconds", flat=True)) == [3600, 4500]
    shown = client.get(reverse("events:display", args=[event.public_id])).text
    assert "75:00" in shown or "1:15:00" in shown
    assert "75 minutes in the final" in client.get(reverse("events:event", args=[event.public_id])).text
    assert [row["clock"]["round"] for row in event_file(event)["rounds"]] == [3600, 4500]
    told = client.get(f"/api/events/{event.public_id}/rounds").json()
    assert [(row["minutes"], row["bracket_size"]) for row in told] == [(60, 4), (75, 2)]
    assert [match.get("third_place") for match in told[1]["matches"]] == [None, True]
    event.number_of_rounds, event.preparation_minutes = 3, 5
    assert duration(event) == datetime.timedelta(minutes=60 + 60 + 75 + 3 * 15)
    event.pairing_style, event.cut_to = Event.Style.SWISS, 6
    assert duration(event) == datetime.timedelta(minutes=3 * 50 + 60 + 60 + 75 + 6 * 15)
    event.final_minutes = event.cut_minutes = None
    assert [event.minutes_of(size) for size in (None, 8, 2)] == [50, 50, 50]


def test_one_round_is_given_its_length_in_the_draft(event, staff):
    by, client = staff.actor("head_judge"), staff.client("head_judge")
    round = rounds.draft_round(by=by, event=event)
    address = reverse("events:draft-length", args=[event.public_id, 1])
    page = client.get(reverse("events:draft", args=[event.public_id, 1])).text
    assert "Round length: 60 minutes" in page
    for wrong in ("0", "601", "x"):
        assert client.post(address, {"minutes": wrong, "version": round.version}).status_code == 400
    assert client.post(address, {"minutes": "40", "version": round.version}).status_code == 302
    assert client.post(address, {"minutes": "30", "version": round.version}).status_code == 409
    round = Round.objects.get(pk=round.pk)
    assert (round.own_minutes, round.round_seconds) == (40, 2400)
    entry = event.record.order_by("-pk").first()
    assert "round length set to 40 minutes" in str(entry)
    undo(by=by, entry=entry, confirmed=True, reason="the wrong round")
    round = Round.objects.get(pk=round.pk)
    rounds.set_length(by=by, round=round, minutes=35)
    assert rounds.publish_round(by=by, round=round).round_seconds == 2100
    assert client.post(address, {"minutes": "30", "version": round.version}).status_code == 403


@pytest.mark.parametrize("who", ["scorekeeper", "manager"])
def test_only_judges_set_the_length(event, staff, who):
    rounds.draft_round(by=staff.actor("head_judge"), event=event)
    address = reverse("events:draft-length", args=[event.public_id, 1])
    assert staff.client(who).post(address, {"minutes": "40"}).status_code in (403, 404)
    assert event.rounds.get().own_minutes is None
