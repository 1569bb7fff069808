"""Push messages: read by a stand-in push service and browser, once each, and delayed by no one who doesn't answer."""

import datetime
import json
import threading
import time
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from events import sending
from events.models import Entry, Event, Match, PushMessage, PushSubscription, Round
from events.roles import SITE, Actor
from events.services import clock, push, results, rounds
from events.web_push import public_key
from judging import outbox, pushes
from judging.keeping import erasure, event_file
from judging.services import calls, decisions
from judging.services.decisions import JudgeRuling
from tests.conftest import client_of
from tests.events.simulation import players, result
from tests.factories import PersonFactory
from tests.receivers import dripping, receiving, refusing
from tests.web_push import Browser, claims_of

pytestmark = pytest.mark.django_db
SITE_URL = "https://headjudge.example"


@pytest.fixture(autouse=True)
def _push(settings):
    settings.PUSH = settings.WEBHOOKS_INSIDE = True


@pytest.fixture
def service():
    with receiving(status=201) as one:
        one.address = one.address.removesuffix("/hook")
        yield one


@pytest.fixture
def at(monkeypatch):
    """Play the clock: it stands until a test moves it."""
    clock = SimpleNamespace(now=timezone.now())

    def forward(**how):
        clock.now += datetime.timedelta(**how)

    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    clock.forward = forward
    return clock


@pytest.fixture
def hall(staff):
    """A running event with four players with accounts."""
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING, name="Saturday Skirmish")
    staff.event.refresh_from_db()
    for entry in players(staff.event, 4):
        Entry.objects.filter(pk=entry.pk).update(person=PersonFactory(name=entry.name))
    return staff


class Phones:
    """The browsers of an event's players at a push service, by the path of each endpoint."""

    def __init__(self, event):
        self.event, self.browsers = event, {}

    def add(self, number, address, name="", language=""):
        entry, browser = self.event.entries.get(number=number), Browser()
        path = f"/{number}{name}"
        made = push.subscribe(by=Actor(person=entry.person), endpoint=address + path, **browser.keys)
        if language:
            PushSubscription.objects.filter(pk=made.pk).update(language=language)
        self.browsers[path] = browser
        return made

    def read(self, received):
        return json.loads(self.browsers[received.path].read(received.body))


@pytest.fixture
def phones(hall):
    return Phones(hall.event)


def work():
    """Do what the outbox's threads do in one turn."""
    pushes.collect()
    send()


def send():
    while found := pushes.hosts_due(timezone.now()):
        for host in found:
            pushes.send_all(host, SITE_URL, seconds=60)


def news(service, phones):
    """Return what has arrived since the last time, by path, in words."""
    work()
    got, service.got[:] = list(service.got), []
    assert len({one.path for one in got}) == len(got), "one message a browser"
    return {one.path: phones.read(one)["body"] for one in got}


def published(hall):
    return rounds.publish_round(by=SITE, round=rounds.draft_round(by=SITE, event=hall.event))


def running(hall):
    round = published(hall)
    Round.objects.filter(pk=round.pk).update(round_seconds=3000)
    round.refresh_from_db()
    return clock.start_round(by=SITE, round=round)


def match_of(number):
    return next(m for m in Match.objects.with_entries() if number in [one.number for one in m.entries])


# what is told


def test_only_the_browser_reads_the_table_and_the_push_service_knows_the_sender(hall, phones, service):
    phones.add(1, service.address)
    phones.add(1, service.address, "-tablet", language="fr")
    published(hall)
    assert service.got == []
    work()
    match = match_of(1)
    opponent = next(one for one in match.entries if one.number != 1)
    told = {one.path: phones.read(one) for one in service.got}
    assert told["/1"] == {
        "title": "Saturday Skirmish",
        "body": f"Round 1: table {match.table} against {opponent.name}",
        "tag": f"{hall.event.public_id} pairings",
        "path": f"/events/{hall.event.public_id}/entries/1/",
    }
    assert opponent.name in told["/1-tablet"]["body"]
    assert "Round" not in told["/1-tablet"]["body"], "each in its language"
    now = time.time()
    for one in service.got:
        assert one.headers["content-encoding"] == "aes128gcm"
        assert 3590 <= int(one.headers["ttl"]) <= 3600
        assert len(one.headers["topic"]) <= 32
        assert opponent.name.encode() not in one.body
        claims = claims_of(one.headers["authorization"], public_key())
        assert claims["aud"] == service.address
        assert claims["sub"] == SITE_URL
        assert now < claims["exp"] <= now + 86_400
    assert client_of(phones.event.entries.get(number=1).person).get(told["/1"]["path"]).status_code == 200
    assert not PushMessage.objects.exclude(body="").exists(), "what was sent isn't kept"


def test_each_is_told_once_and_again_only_if_table_or_opponent_change(hall, phones, service):
    for number in (1, 2, 3, 4):
        phones.add(number, service.address)
    round = published(hall)
    assert len(news(service, phones)) == 4
    assert news(service, phones) == {}
    rounds.unpublish_round(by=SITE, round=round, confirmed=True, reason="A name was wrong")
    assert news(service, phones) == {}
    rounds.publish_round(by=SITE, round=round)
    assert news(service, phones) == {}, "the same pairings again"
    first, second = round.matches.filter(kind=Match.Kind.GAME).order_by("table")
    facts = {"confirmed": True, "reason": "They sat down so"}
    rounds.right_tables(by=SITE, round=round, first=first, second=second, opponent=second.b, **facts)
    found = news(service, phones)
    assert len(found) == 4
    assert f"table {first.table} against {second.b.name}" in found[f"/{first.a.number}"]


def test_five_minutes_are_told_once_to_those_who_still_play_by_their_tables_time(hall, phones, service, at):
    for number in (1, 2, 3, 4):
        phones.add(number, service.address)
    round = running(hall)
    first, second = round.matches.order_by("table")
    news(service, phones)
    at.forward(seconds=3000 - 301)
    assert news(service, phones) == {}
    clock.extend_table(by=hall.actor("judge"), match=second, minutes=2, reason="Spilled drink")
    results.enter_result(by=SITE, match=first, result=result())
    phones.add(first.a.number, service.address, "-late")
    at.forward(seconds=2)
    assert news(service, phones) == {}, "one table has finished, the other has two minutes more"
    at.forward(seconds=120)
    told = news(service, phones)
    assert told == {f"/{one.number}": "Round 1: five minutes left" for one in second.entries}
    at.forward(seconds=30)
    assert news(service, phones) == {}


def test_five_minutes_are_not_told_late_nor_while_the_clock_stands(hall, phones, service, at):
    phones.add(1, service.address)
    round = running(hall)
    news(service, phones)
    at.forward(seconds=3000 - 290)
    clock.pause(by=SITE, round=round)
    assert news(service, phones) == {}
    clock.start_round(by=SITE, round=round)
    at.forward(seconds=60)
    assert news(service, phones) == {}, "it wouldn't be true any more"


def test_a_judge_who_takes_the_call_is_announced_to_the_table_alone(hall, phones, service):
    for number in (1, 2, 3, 4):
        phones.add(number, service.address)
    running(hall)
    news(service, phones)
    match = match_of(1)
    call, _new = calls.raise_call(by=Actor(entry=match.a), match=match, text="A secret question")
    assert news(service, phones) == {}
    calls.take_call(by=hall.actor("judge"), call=call)
    phones.add(1, service.address, "-later")
    coming = {f"/{one.number}": "A judge is coming to your table." for one in match.entries}
    told = news(service, phones)
    assert told.pop("/1-later").startswith("Round 1: table"), "a browser that subscribed since is told its table alone"
    assert told == coming
    assert news(service, phones) == {}
    calls.release_call(by=hall.actor("judge"), call=call)
    assert news(service, phones) == {}
    calls.take_call(by=hall.actor("head_judge"), call=call)
    assert set(coming) <= set(news(service, phones)), "another judge is coming"


def test_an_appeal_that_was_decided_is_told_to_the_player_who_appealed(hall, phones, service):
    for number in (1, 2, 3, 4):
        phones.add(number, service.address)
    running(hall)
    news(service, phones)
    match = match_of(1)
    ruling = JudgeRuling(question="Does he see him?", answer="yes", reasons="Clear.")
    decision = decisions.record_decision(
        by=hall.actor("judge"), event=hall.event, ruling=ruling, links=decisions.LinkedRows(match=match)
    )
    player = hall.event.entries.get(number=1)
    decisions.appeal_decision(by=Actor(person=player.person), decision=decision, why="There is a tree.")
    assert news(service, phones) == {}
    decisions.answer_appeal(by=hall.actor("head_judge"), decision=decision, upheld=True, reasons="No tree.")
    work()
    (one,) = service.got
    told = phones.read(one)
    assert (one.path, told["body"]) == ("/1", "Your appeal has been decided.")
    assert "No tree." in client_of(player.person).get(told["path"]).text
    service.got.clear()
    assert news(service, phones) == {}


def test_after_a_restart_nothing_is_told_twice_and_nothing_without_subscriptions(hall, phones, service):
    round = running(hall)
    work()
    assert not PushMessage.objects.exists()
    phones.add(1, service.address)
    assert set(news(service, phones)) == {"/1"}
    outbox.Outbox().turn()
    assert news(service, phones) == {}
    for match in round.matches.all():
        results.enter_result(by=SITE, match=match, result=result())
    rounds.complete_round(by=SITE, round=round)
    assert news(service, phones) == {}
    published(hall)
    assert news(service, phones)["/1"].startswith("Round 2: table ")


# when it isn't


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_has_unsubscribed_is_forgotten(hall, phones, service, status):
    phones.add(1, service.address)
    service.status = status
    published(hall)
    work()
    assert len(service.got) == 1
    assert not PushSubscription.objects.exists()
    work()
    assert len(service.got) == 1


def test_unsubscribing_stops_what_is_waiting(hall, phones, service):
    phones.add(1, service.address)
    published(hall)
    pushes.collect()
    push.unsubscribe(by=Actor(person=hall.event.entries.get(number=1).person))
    work()
    assert service.got == []


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_push_service_is_asked_again_a_few_times(hall, phones, service, at, status):
    phones.add(1, service.address)
    service.status = status
    published(hall)
    for wait in pushes.WAITS:
        work()
        work()
        at.forward(seconds=wait)
    assert len(service.got) == len(pushes.WAITS)
    service.status = 201
    work()
    at.forward(hours=1)
    work()
    assert len(service.got) == len(pushes.WAITS) + 1
    assert PushSubscription.objects.exists()


def test_what_is_refused_or_too_late_is_not_tried_again(hall, phones, service, at):
    phones.add(1, service.address)
    service.status = 403
    published(hall)
    work()
    at.forward(minutes=10)
    work()
    assert len(service.got) == 1
    PushMessage.objects.all().delete()
    pushes.collect()
    at.forward(hours=2)
    send()
    assert len(service.got) == 1
    assert not pushes.hosts_due(timezone.now() + datetime.timedelta(days=1))


def test_a_push_service_that_does_not_answer_is_left_alone_for_a_moment(hall, phones, at):
    dead = refusing().rstrip("/")
    for number in (1, 2, 3, 4):
        phones.add(number, dead)
    published(hall)
    work()
    assert pushes.hosts_due(timezone.now()) == []
    assert sorted(PushSubscription.objects.values_list("fails", flat=True)) == [0, 0, 0, 1]
    at.forward(seconds=6)
    assert len(pushes.hosts_due(timezone.now())) == 1


def test_endpoints_inside_the_servers_network_get_nothing(hall, phones, service, settings):
    phones.add(1, service.address)
    settings.WEBHOOKS_INSIDE = False
    published(hall)
    work()
    assert service.got == []


@pytest.mark.django_db(transaction=True)
def test_a_dead_push_service_delays_no_one(hall, phones, service, monkeypatch):
    """It adds nothing to publishing; another service's messages and the other threads don't wait for it."""
    asked = threading.Event()
    phones.add(3, service.address)
    phones.add(4, service.address)
    with CaptureQueriesContext(connection) as before, transaction.atomic():
        published(hall)
        transaction.set_rollback(True)
    with dripping(b"HTTP/1.1 100 Continue\r\n\r\n", 0.05) as slow:
        phones.add(1, slow.rstrip("/"))
        phones.add(2, slow.rstrip("/"))
        post = sending.post

        def quick(address, body, headers):
            if address.startswith(slow):
                asked.set()
            return post(address, body, headers, seconds=5)

        monkeypatch.setattr(sending, "post", quick)
        with CaptureQueriesContext(connection) as after:
            published(hall)
        assert abs(len(after) - len(before)) <= 2, "publishing does no more than without push messages"
        box = outbox.Outbox()
        box.site = SITE_URL
        until = time.monotonic() + 30
        while len(service.got) < 2 and time.monotonic() < until:
            box.turn()
            box.woken.wait(0.05)
        assert len(service.got) == 2
        assert {phones.read(one)["title"] for one in service.got} == {"Saturday Skirmish"}
        assert asked.wait(20)
    while box.busy and time.monotonic() < until:
        box.woken.wait(0.1)
    assert not box.busy


def test_without_the_setting_nothing_is_made(hall, phones, service, settings):
    phones.add(1, service.address)
    settings.PUSH = False
    published(hall)
    box = outbox.Outbox()
    box.turn()
    assert not PushMessage.objects.exists()
    assert outbox.PUSHES not in box.busy


# what is kept


def test_erasure_files_and_the_setting_leave_no_subscription_behind(hall, phones, service):
    phones.add(1, service.address)
    phones.add(2, service.address)
    published(hall)
    pushes.collect()
    assert PushMessage.objects.exclude(body="").count() == 2
    assert "127.0.0.1" not in json.dumps(event_file.event_file(hall.event), default=str)
    person = hall.event.entries.get(number=1).person
    Event.objects.filter(pk=hall.event.pk).update(state=Event.State.VERIFIED)
    erasure.scrub(person, by_office=False)
    assert not PushSubscription.objects.filter(person=person).exists()
    assert not PushMessage.objects.exclude(body="").exists(), "names of opponents"
    assert PushSubscription.objects.count() == 1
    outbox.forget_old(timezone.now() + datetime.timedelta(days=31))
    assert not PushMessage.objects.exists()


def test_what_was_told_long_ago_is_forgotten_but_not_the_devices(hall, phones, service):
    phones.add(1, service.address)
    published(hall)
    work()
    outbox.forget_old(timezone.now() + datetime.timedelta(days=29))
    assert PushMessage.objects.exists()
    outbox.forget_old(timezone.now() + datetime.timedelta(days=31))
    assert not PushMessage.objects.exists()
    assert PushSubscription.objects.exists()
