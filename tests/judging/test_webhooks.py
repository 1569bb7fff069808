"""Webhooks: what is told and to whom; receivers that are dead, slow, endless or lead inside; once each, in order."""

import base64
import datetime
import hashlib
import hmac
import json
import re
import socket
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from events import live, sending
from events.door import Refused
from events.models import AuditEntry, Event, Round, Webhook, WebhookMessage
from events.roles import SITE
from events.services import results, rounds
from events.services import webhooks as services
from events.services.copying import copy_event
from events.webhook_messages import CHOSEN
from judging import outbox
from judging.keeping import erasure, event_file, moving, snapshots
from judging.keeping.whole_file import read_file, whole_file
from judging.services.calls import raise_call
from tests.events.simulation import play, players, result
from tests.factories import EventFactory, OfficialFactory, PersonFactory
from tests.receivers import dripping, receiving, refusing

pytestmark = pytest.mark.django_db
SITE_URL = "https://headjudge.example"
ALL = [kind.value for kind in CHOSEN]


@pytest.fixture(autouse=True)
def _inside(settings):
    settings.WEBHOOKS_INSIDE = True


@pytest.fixture
def clock(monkeypatch):
    """Play the clock: it stands until a test moves it."""
    at = SimpleNamespace(now=timezone.now())

    def forward(**how):
        at.now += datetime.timedelta(**how)

    monkeypatch.setattr(timezone, "now", lambda: at.now)
    at.forward = forward
    return at


@pytest.fixture
def running(staff):
    """An event with eight players, about to pair its first round."""
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    staff.event.refresh_from_db()
    players(staff.event, 8)
    return staff


def added(staff, address, form="json", kinds=ALL, name="Stream"):
    """Add a webhook without its test message, and return it."""
    facts = {"name": name, "address": address, "form": form, "kinds": kinds}
    hook, _secret = services.create_webhook(by=staff.actor("head_judge"), event=staff.event, **facts)
    hook.messages.all().delete()
    return hook


def drafted(staff):
    return rounds.draft_round(by=SITE, event=staff.event)


def published(staff):
    round = drafted(staff)
    return rounds.publish_round(by=SITE, round=round)


def work():
    """Do what the outbox's threads do in one turn."""
    outbox.collect(SITE_URL)
    while found := list(outbox.due(timezone.now()).values_list("pk", flat=True)):
        for pk in found:
            outbox.deliver(pk)


def told(receiver):
    return [json.loads(one.body) for one in receiver.got]


def kinds(receiver):
    return [one["kind"] for one in told(receiver)]


# what is told


def test_a_day_is_told_in_order_with_what_the_public_pages_show(running):
    event = running.event
    event.entries.filter(number=1).update(name="Mia Minor", is_minor=True)
    with receiving() as receiver:
        added(running, receiver.address)
        round = published(running)
        table = round.matches.get(table=1)
        raise_call(by=running.actor("judge"), match=table, reason="rules", text="Mia Minor is angry")
        play(SITE, round)
        rounds.complete_round(by=SITE, round=round)
        rounds.finish_event(by=SITE, event=event, confirmed=True)
        work()
    assert kinds(receiver) == ["pairings", "call", *["result"] * 4, "standings", "finished"]
    pairings, call, first, *_others, standings, finished = told(receiver)
    api = f"/api/events/{event.public_id}"
    assert pairings["data"]["matches"][0]["a_entry"]
    assert {**pairings["data"], "state": "", "matches": None} == {
        **running.client("head_judge").get(f"{api}/rounds/1").json(), "state": "", "matches": None
    }  # fmt: skip
    assert call["data"] == {"round": 1, "table": 1}
    assert first["data"]["match"]["result"]["winner"] == "a"
    assert standings["data"]["after"] == 1
    assert finished["data"]["standings"] == running.client("head_judge").get(f"{api}/standings").json()
    assert finished["event"] == {
        "id": event.public_id, "name": event.name, "state": "finished", "url": f"{SITE_URL}/events/{event.public_id}/"
    }  # fmt: skip
    everything = b"".join(one.body for one in receiver.got).decode()
    assert "Mia M." in everything
    assert "Mia Minor" not in everything
    assert "angry" not in everything
    assert len({one["id"] for one in told(receiver)}) == len(told(receiver))


def test_only_the_chosen_kinds_are_told_and_no_draft(running):
    with receiving() as receiver:
        added(running, receiver.address, kinds=["standings"])
        everything = added(running, receiver.address, name="All")
        round = drafted(running)
        work()
        assert receiver.got == []
        everything.delete()
        rounds.publish_round(by=SITE, round=round)
        play(SITE, round)
        rounds.complete_round(by=SITE, round=round)
        work()
    assert kinds(receiver) == ["standings"]


def test_pairings_that_were_unpublished_before_they_were_sent_are_not_told(running):
    with receiving() as receiver:
        added(running, receiver.address)
        round = published(running)
        rounds.unpublish_round(by=SITE, round=round, confirmed=True, reason="Wrong")
        work()
        assert receiver.got == []
        rounds.publish_round(by=SITE, round=round)
        work()
    assert kinds(receiver) == ["pairings"]


def test_a_corrected_result_of_a_complete_round_is_told_with_the_new_standings(running):
    with receiving() as receiver:
        round = published(running)
        play(SITE, round)
        rounds.complete_round(by=SITE, round=round)
        added(running, receiver.address)
        match = round.matches.get(table=1)
        facts = {"result": result("b"), "confirmed": True, "reason": "Mixed up"}
        results.correct_result(by=running.actor("head_judge"), match=match, **facts)
        work()
    assert kinds(receiver) == ["result", "standings"]
    assert told(receiver)[0]["data"]["match"]["result"]["winner"] == "b"


def test_new_seats_of_a_published_round_are_told(running):
    with receiving() as receiver:
        round = published(running)
        added(running, receiver.address)
        one, two = round.matches.filter(table__in=[1, 2]).order_by("table")
        facts = {"confirmed": True, "reason": "They sat down so"}
        rounds.right_tables(by=running.actor("judge"), round=round, first=one, second=two, **facts)
        work()
    (pairings,) = told(receiver)
    assert pairings["kind"] == "pairings"
    assert [row["a_entry"] for row in pairings["data"]["matches"][:2]] == [two.a.number, one.a.number]


def test_discord_gets_what_it_accepts(running):
    players(running.event, 92)
    running.event.entries.update(name="Bartholomew Featherstonehaugh")
    running.event.entries.filter(number=1).update(name="**@everyone** [x](http://evil.example)")
    with receiving() as receiver:
        added(running, receiver.address, form="discord", kinds=["pairings"])
        published(running)
        work()
    (sent,) = told(receiver)
    assert sorted(sent) == ["allowed_mentions", "content"]
    assert sent["allowed_mentions"] == {"parse": []}
    assert len(sent["content"]) <= 2000
    lines = sent["content"].split("\n")
    assert lines[0] == f"**{running.event.name} · Round 1: pairings**"
    assert re.fullmatch(r"… and \d+ more", lines[-2])
    assert lines[-1] == f"<{SITE_URL}/events/{running.event.public_id}/rounds/1/>"
    assert "**@everyone**" not in sent["content"]
    assert r"\[x](http\://evil.example)" in sent["content"]
    assert receiver.got[0].headers["content-type"] == "application/json"


def test_plain_text_is_read_by_people(running):
    with receiving() as receiver:
        added(running, receiver.address, form="text", kinds=["pairings", "result", "standings"])
        round = published(running)
        match = round.matches.get(table=1)
        results.enter_result(by=SITE, match=match, result=result())
        play(SITE, round)
        rounds.complete_round(by=SITE, round=round)
        work()
    pairings, one, *_rest, standings = [sent.body.decode() for sent in receiver.got]
    name = running.event.name
    assert pairings.startswith(f"{name} · Round 1: pairings\nTable 1: {match.a} – {match.b}\n")
    page = f"{SITE_URL}/events/{running.event.public_id}"
    assert one == f"{name} · Round 1, table 1\n{match.a} 120 : 40 {match.b}, {match.a} wins\n{page}/rounds/1/\n"
    assert standings.startswith(f"{name} · Standings after round 1\n1. ")
    assert receiver.got[0].headers["content-type"] == "text/plain; charset=utf-8"


# signatures


def verified(secret, headers, body, *, now):
    """Verify a message as docs/formats.md describes it, written from that text alone."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    sent = int(headers["webhook-timestamp"])
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    version, _comma, given = headers["webhook-signature"].partition(",")
    return version == "v1" and hmac.compare_digest(given, wanted) and abs(now - sent) <= 300


def test_the_signature_is_verified_as_documented(running):
    example = re.search(
        r"```python\n(import base64\n.*?)```", Path("docs/formats.md").read_text(encoding="utf-8"), re.S
    )
    documented = {}
    exec(compile(example[1], "docs/formats.md", "exec"), documented)
    with receiving() as receiver:
        facts = {"name": "Stream", "address": receiver.address, "form": "json", "kinds": ALL}
        hook, secret = services.create_webhook(by=running.actor("head_judge"), event=running.event, **facts)
        work()
        (one,) = receiver.got
        assert json.loads(one.body)["kind"] == "test"
        assert json.loads(one.body)["id"] == one.headers["webhook-id"] == str(hook.messages.get().key)
        for verify in (documented["is_genuine"], verified):
            now = time.time()
            assert verify(secret, one.headers, one.body, now=now)
            assert not verify(secret, one.headers, one.body + b" ", now=now)
            assert not verify(secret, one.headers, one.body, now=now + 400)
            assert not verify(secret, one.headers | {"webhook-id": "other"}, one.body, now=now)
            assert not verify("whsec_" + base64.b64encode(b"another").decode(), one.headers, one.body, now=now)
        newer = services.replace_secret(by=running.actor("head_judge"), hook=hook)
        services.send_test(by=running.actor("head_judge"), hook=hook)
        work()
        assert verified(newer, receiver.got[1].headers, receiver.got[1].body, now=time.time())
        assert not verified(secret, receiver.got[1].headers, receiver.got[1].body, now=time.time())


# receivers that don't answer


def test_publishing_costs_the_same_whatever_receivers_there_are(running, monkeypatch):
    def never(*_given, **_named):
        raise AssertionError("a request opened a connection")

    def cost(count):
        round = drafted(running)
        address = reverse("events:publish", args=[running.event.public_id, round.number])
        client = running.client("head_judge")
        with monkeypatch.context() as patch, CaptureQueriesContext(connection) as asked:
            patch.setattr(socket.socket, "connect", never)
            patch.setattr(socket, "getaddrinfo", never)
            assert client.post(address, {"version": round.version}).status_code == 302
        round.refresh_from_db()
        assert round.state == "published"
        rounds.unpublish_round(by=SITE, round=round, confirmed=True, reason="Again")
        rounds.discard_draft(by=SITE, round=round)
        return [re.sub(r"\d+|'[^']*'", "?", one["sql"])[:80] for one in asked]

    cost(0)
    without = cost(0)
    for _n in range(5):
        added(running, refusing())
    assert cost(5) == without


def test_a_receiver_that_fails_for_an_hour_gets_each_message_once_and_in_order(running, clock):
    with receiving(status=500) as receiver:
        hook = added(running, receiver.address)
        round = published(running)
        tries = 0
        for _n in range(60):
            play(SITE, round) if tries == 5 else None
            work()
            tries = len(receiver.got)
            clock.forward(minutes=1)
        assert 8 <= tries <= 12, "the waits grow"
        assert set(kinds(receiver)) == {"pairings"}, "later messages wait for the first"
        assert len({one["id"] for one in told(receiver)}) == 1
        assert hook.messages.filter(state="sent").count() == 0
        receiver.status, failed = 200, len(receiver.got)
        clock.forward(hours=1)
        work()
        clock.forward(days=2)
        work()
    assert kinds(receiver)[failed:] == ["pairings", *["result"] * 4]
    assert hook.messages.filter(state="sent").count() == 5
    assert len({one["id"] for one in told(receiver)}) == 5
    first = hook.messages.order_by("pk").first()
    assert (first.tries, first.status, first.fault) == (failed + 1, 200, "")
    hook.refresh_from_db()
    assert hook.fails == 0


def test_a_dead_receiver_is_given_up_after_a_day_and_does_not_keep_others_waiting(running, clock):
    with receiving() as receiver:
        dead = added(running, refusing(), name="Dead")
        added(running, receiver.address)
        published(running)
        for _n in range(15):
            work()
            clock.forward(hours=2)
        assert kinds(receiver) == ["pairings"]
    message = dead.messages.get()
    assert (message.state, message.fault, message.last_answer) == ("given-up", "no-connection", "no connection")
    tries = message.tries
    work()
    message.refresh_from_db()
    assert message.tries == tries


def test_what_happened_more_than_a_day_ago_is_not_sent(running, clock):
    with receiving() as receiver:
        added(running, receiver.address)
        published(running)
        clock.forward(days=2)
        work()
        assert receiver.got == []


@pytest.mark.django_db(transaction=True)
def test_receivers_that_never_finish_delay_no_other_and_get_everything_once_they_do(running, monkeypatch):
    """More of them than there are places, while two other receivers have just begun and have always been quick."""
    post = sending.post
    monkeypatch.setattr(sending, "post", lambda *given: post(*given, seconds=outbox.QUICK + 4))
    box, until = outbox.Outbox(), time.monotonic() + 60

    def run_until(reached):
        while not reached() and time.monotonic() < until:
            box.turn()
            box.woken.wait(0.02)
            box.woken.clear()
        assert reached()

    with receiving() as slow, receiving() as known, receiving() as new:
        hooks = [added(running, f"{slow.address}/{n}", name=f"Slow {n}") for n in range(8)]
        added(running, known.address, name="Known")
        round = published(running)
        run_until(lambda: len(slow.got) == 8 and len(known.got) == 1)
        slow.got.clear()
        slow.drips = 0.1
        added(running, new.address, name="New")
        play(SITE, round)
        run_until(lambda: len(known.got) == 5 and len(new.got) == 4)
        assert set(WebhookMessage.objects.filter(hook__in=hooks, kind="result").values_list("tries", flat=True)) == {0}
        run_until(lambda: Webhook.objects.filter(pk__in=[one.pk for one in hooks], fails=1).count() >= 2)
        rounds.complete_round(by=SITE, round=round)
        run_until(lambda: len(known.got) == 6 and len(new.got) == 5)
        assert slow.got == []
        slow.drips = 0
        run_until(lambda: not box.busy)
        Webhook.objects.update(due=timezone.now())
        run_until(lambda: not WebhookMessage.objects.filter(state="waiting").exists() and not box.busy)
    wanted = [*["result"] * 4, "standings"]
    assert kinds(known) == ["pairings", *wanted]
    assert kinds(new) == wanted
    for n, hook in enumerate(hooks):
        arrived = [json.loads(one.body)["id"] for one in slow.got if one.path.endswith(f"/{n}")]
        made = hook.messages.exclude(kind="pairings").order_by("pk")
        assert arrived == [str(key) for key in made.values_list("key", flat=True)]
        assert [message.kind for message in made] == wanted


@pytest.mark.parametrize("piece", [b"HTTP/1.1 100 Continue\r\n\r\n", b"x"])
def test_an_endless_answer_ends(piece):
    with dripping(piece, 0.02) as address:
        began = time.monotonic()
        with pytest.raises(sending.NotSentError) as raised:
            sending.post(address, b"{}", {}, seconds=0.3)
        assert raised.value.fault == "too-slow"
        assert time.monotonic() - began < 5


def test_an_answer_that_is_not_http_is_a_fault():
    with dripping(b"SSH-2.0-OpenSSH_9.2\r\n", 0.01) as address, pytest.raises(sending.NotSentError) as raised:
        sending.post(address, b"{}", {}, seconds=2)
    assert raised.value.fault == "no-http"


def test_the_whole_path_is_asked_for():
    with receiving() as receiver:
        assert sending.post(f"{receiver.address}//a%20b?c=d#e", b"{}", {"Webhook-Id": "1"}) == 204
    (one,) = receiver.got
    assert (one.path, one.headers["host"]) == ("/hook//a%20b?c=d", receiver.address.split("/")[2])


def test_a_redirect_is_not_followed(running):
    with receiving() as inner, receiving(status=307) as receiver:
        receiver.headers["Location"] = inner.address
        hook = added(running, receiver.address)
        published(running)
        work()
        assert len(receiver.got) == 1
        assert inner.got == []
    assert hook.messages.get().last_answer == "the address redirects elsewhere (307)"


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_something_is_sent(running):
    """The receiver writes to the database itself, which a lock would keep it from."""
    failed = []

    def write():
        try:
            Event.objects.filter(pk=running.event.pk).update(fee="Free")
        except Exception as fault:
            failed.append(fault)
        finally:
            connection.close()

    def elsewhere():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()

    with receiving(before=elsewhere) as receiver:
        hook = added(running, receiver.address)
        published(running)
        box = outbox.Outbox()
        box.turn()
        until = time.monotonic() + 20
        while (not receiver.got or box.busy) and time.monotonic() < until:
            box.woken.wait(0.1)
    assert kinds(receiver) == ["pairings"]
    assert failed == []
    assert Event.objects.get(pk=running.event.pk).fee == "Free"
    assert hook.messages.get().state == "sent"


def test_a_commit_wakes_the_thread_of_a_serving_process(monkeypatch, settings):
    settings.BACKGROUND_WORK, settings.SITE_URL = True, SITE_URL
    own = outbox.Outbox()
    monkeypatch.setattr(outbox, "OUTBOX", own)
    monkeypatch.setattr(outbox.Outbox, "run", lambda _self: None)
    monkeypatch.setattr(live, "LISTENERS", [])
    outbox.on_change(7, 1, frozenset())
    assert not own.woken.is_set(), "a command or a test sends nothing"
    own.start()
    own.start()
    (listener,) = live.LISTENERS
    listener(7, 1, frozenset({"pairings"}))
    assert own.woken.is_set()
    assert own.site == SITE_URL


def test_a_message_that_cannot_be_made_keeps_no_other_event_waiting(running, monkeypatch, caplog):
    other = EventFactory(state=Event.State.RUNNING)
    players(other, 2)
    told_of = outbox.happenings

    def happenings(event, entries):
        if event.pk == running.event.pk:
            raise LookupError("broken")
        return told_of(event, entries)

    monkeypatch.setattr(outbox, "happenings", happenings)
    with receiving() as receiver:
        added(running, receiver.address)
        other.webhooks.create(name="Other", address=receiver.address, secret="whsec_eA==", kinds=ALL)
        published(running)
        rounds.publish_round(by=SITE, round=rounds.draft_round(by=SITE, event=other))
        work()
    assert [one["event"]["id"] for one in told(receiver)] == [other.public_id]
    assert "couldn't be made" in caplog.text


def test_while_one_process_sends_another_does_not(running, monkeypatch):
    hook, sent = added(running, "https://discord.example/x"), []
    published(running)

    def post(_address, body, _headers):
        sent.append(json.loads(body)["kind"])
        assert not outbox.due(timezone.now()).exists()
        outbox.deliver(hook.pk)
        return 204

    monkeypatch.setattr(sending, "post", post)
    work()
    work()
    assert sent == ["pairings"]


def test_two_processes_make_the_same_messages_once(running, monkeypatch):
    with receiving() as receiver:
        hook = added(running, receiver.address)
        published(running)
        other = Webhook.objects.select_related("event__venue").get(pk=hook.pk)
        outbox.collect(SITE_URL)
        outbox.make_messages(other, SITE_URL)
        work()
    assert kinds(receiver) == ["pairings"]


# never inside


INSIDE = [
    "0.0.0.0", "127.0.0.1", "127.8.9.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "100.100.100.200", "168.63.129.16", "192.0.2.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1",
    "fe80::1", "fe80::1%lo", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1",
]  # fmt: skip
OUTSIDE = ["8.8.8.8", "162.159.135.232", "2606:4700::6810:1", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize(("addresses", "inside"), [(INSIDE, True), (OUTSIDE, False)])
def test_addresses_inside_the_servers_network_are_known(addresses, inside):
    wrong = [one for one in addresses if sending.is_inside(sending._literal(one)) is not inside]
    assert wrong == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"]
)
def test_nothing_inside_is_reached_under_any_name(running, settings, host):
    with receiving() as receiver:
        port = receiver.address.rsplit(":", 1)[1]
        hook = added(running, f"http://{host}:{port}")
        settings.WEBHOOKS_INSIDE = False
        published(running)
        work()
        assert receiver.got == []
    assert hook.messages.get().fault in ("inside", "no-host")


def test_a_name_is_looked_up_once_and_the_checked_address_is_connected_to(settings, monkeypatch):
    """The name's server answers with an address outside at first, and then with one inside (DNS rebinding)."""
    settings.WEBHOOKS_INSIDE = False
    looked, connected = [], []

    def look_up(host, port, **_how):
        looked.append(host)
        inside = len(looked) > 1
        place = ("127.0.0.1" if inside else "8.8.8.8", port)
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", port)),
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", place),
        ]

    def connect(_socket, place):
        connected.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(sending.NotSentError) as raised:
        sending.post("http://rebinding.example/", b"{}", {})
    assert raised.value.fault == "no-connection"
    assert looked == ["rebinding.example"]
    assert connected == [("8.8.8.8", 80)]


@pytest.mark.parametrize(
    "address",
    ["ftp://discord.example/x", "file:///etc/passwd", "//discord.example", "https://", "javascript:alert(1)", "https://a b/",
     "https://user:pass@discord.example/", "https://discord.example:99999/", "https://discord.example:0/", "https://discörd.example/",
     "https://discord.example/\r\nX: y", "http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest/meta-data/"],
)  # fmt: skip
def test_other_addresses_are_refused_in_the_form(staff, settings, address):
    settings.WEBHOOKS_INSIDE = False
    sent = {"name": "Stream", "form": "json", "address": address, "kinds": ["result"]}
    answer = staff.client("head_judge").post(reverse("events:webhooks", args=[staff.event.public_id]), sent)
    assert answer.status_code == 400
    assert not Webhook.objects.exists()
    with pytest.raises(ValidationError):
        sending.split_address(address)


# moving, restoring, copying, erasing


def test_an_event_that_was_played_elsewhere_comes_back_silently(running):
    """Its day on the laptop isn't news; what happens here afterwards is told."""
    event = running.event
    with receiving() as receiver:
        hook = added(running, receiver.address)
        with transaction.atomic():  # on the laptop
            play(SITE, published(running))
            content = whole_file(Event.objects.get(pk=event.pk)).content()
            transaction.set_rollback(True)
        assert b"127.0.0.1" not in content
        assert hook.secret.encode() not in content
        moving.import_event(by=SITE, document=read_file(content), vouched=True)
        work()
        assert receiver.got == []
        rounds.complete_round(by=SITE, round=Round.objects.get(event=event, number=1))
        work()
    assert kinds(receiver) == ["standings"]


def test_a_restored_snapshot_is_no_news_and_keeps_the_webhooks_of_today(running, settings):
    settings.SNAPSHOTS_KEPT = 5
    old = added(running, "https://discord.example/old", name="Old")
    snapshot = snapshots.take(running.event, snapshots.Why.BY_HAND)
    old.delete()
    with receiving() as receiver:
        added(running, receiver.address)
        play(SITE, published(running))
        work()
        count = len(receiver.got)
        snapshots.restore(by=SITE, event=running.event, snapshot=snapshot, confirmed=True, reason="Again")
        work()
    assert len(receiver.got) == count == 5
    assert [hook.name for hook in Webhook.objects.all()] == ["Stream"]


def test_a_copied_event_tells_no_one(running):
    added(running, "https://discord.example/x")
    (copy,) = copy_event(by=running.actor("manager"), event=running.event)
    assert copy.pk != running.event.pk
    assert not copy.webhooks.exists()


def test_erasing_a_player_deletes_the_messages_of_their_events(running):
    person = PersonFactory(name="Petra Player")
    running.event.entries.filter(number=1).update(person=person, name=person.name)
    hook = added(running, refusing())
    published(running)
    work()
    assert "Petra Player" in hook.messages.get().body
    erasure.scrub(person, by_office=False)
    assert not WebhookMessage.objects.exists()


def test_messages_are_deleted_a_month_after_their_end(running, clock):
    hook = added(running, "https://discord.example/x")
    hook.messages.create(kind="test", body="{}", state="sent", ends=clock.now)
    hook.messages.create(kind="test", body="{}", ends=clock.now)
    for days, left in ((29, 2), (2, 1)):
        clock.forward(days=days)
        outbox.forget_old(clock.now)
        assert hook.messages.count() == left


# the pages


def page(staff, *parts, name="webhooks"):
    return reverse(f"events:{name}", args=[staff.event.public_id, *parts])


def test_the_secret_is_shown_once_and_neither_it_nor_the_address_is_logged(staff):
    client = staff.client("manager")
    sent = {
        "name": "Discord",
        "form": "discord",
        "address": "https://discord.example/api/webhooks/1/SECRET",
        "kinds": ALL,
    }
    answer = client.post(page(staff), sent).content.decode()
    (secret,) = re.findall(r"whsec_[\w+/=]+", answer)
    hook = Webhook.objects.get()
    assert hook.secret == secret
    for shown in (page(staff), page(staff, hook.pk, name="webhook")):
        seen = client.get(shown)
        assert "no-store" in seen["Cache-Control"]
        assert "discord.example" in seen.content.decode()
        assert "SECRET" not in seen.content.decode()
        assert secret not in seen.content.decode()
    (again,) = re.findall(
        r"whsec_[\w+/=]+", client.post(page(staff, hook.pk, "secret", name="webhook-act")).content.decode()
    )
    assert again != secret
    logged = str(list(AuditEntry.objects.values()))
    assert "Webhook" in logged
    assert not any(one in logged for one in ("SECRET", secret, again))
    document = json.dumps(event_file.event_file(staff.event), default=str)
    assert not any(one in document for one in ("SECRET", secret, again, "discord.example"))


def test_the_page_shows_each_message_and_sends_one_again(running):
    client = running.client("head_judge")
    with receiving(status=404) as receiver:
        hook = added(running, receiver.address)
        published(running)
        work()
        shown = client.get(page(running, hook.pk, name="webhook")).content.decode()
        for words in (
            "pairings published or changed",
            "waiting",
            "1 attempt",
            "404",
            "Send now",
            "failing",
            "Next attempt:",
        ):
            assert words in shown
        receiver.status = 200
        message = hook.messages.get()
        assert client.post(page(running, hook.pk, message.key, name="webhook-resend")).status_code == 302
        work()
        assert "Send again" in client.get(page(running, hook.pk, name="webhook")).content.decode()
        client.post(page(running, hook.pk, message.key, name="webhook-resend"))
        work()
        work()
    assert len(receiver.got) == 3
    assert len({one["id"] for one in told(receiver)}) == 1
    message.refresh_from_db()
    assert (message.state, message.tries) == ("sent", 3)


def test_what_happens_while_it_is_off_is_not_sent(running):
    client = running.client("head_judge")
    with receiving() as receiver:
        hook = added(running, receiver.address)
        client.post(page(running, hook.pk, "off", name="webhook-act"))
        round = published(running)
        work()
        client.post(page(running, hook.pk, "on", name="webhook-act"))
        work()
        assert receiver.got == []
        play(SITE, round)
        work()
        assert kinds(receiver) == ["result"] * 4
        client.post(page(running, hook.pk, "delete", name="webhook-act"))
        rounds.complete_round(by=SITE, round=round)
        work()
    assert len(receiver.got) == 4
    assert not WebhookMessage.objects.exists()


def test_no_one_reaches_a_webhook_of_another_event(running):
    other = EventFactory(venue=running.event.venue)
    OfficialFactory(event=other, person=running.head_judge)
    hook = other.webhooks.create(name="Theirs", address="https://discord.example/x", secret="x")
    message = hook.messages.create(kind="test", body="{}", ends=timezone.now())
    mine = added(running, "https://discord.example/y")
    client = running.client("head_judge")
    answers = [
        client.get(page(running, hook.pk, name="webhook")),
        client.post(page(running, hook.pk, "delete", name="webhook-act")),
        client.post(page(running, hook.pk, "secret", name="webhook-act")),
        client.post(page(running, hook.pk, message.key, name="webhook-resend")),
        client.post(page(running, mine.pk, message.key, name="webhook-resend")),
        client.post(page(running, mine.pk, "explode", name="webhook-act")),
    ]
    assert [answer.status_code for answer in answers] == [404] * 6
    for who in ("judge", "scorekeeper", "office"):
        client = running.client(who)
        assert client.get(page(running, mine.pk, name="webhook")).status_code == 403
        assert client.post(page(running, mine.pk, "delete", name="webhook-act")).status_code == 403
        assert client.post(page(running, mine.pk, "secret", name="webhook-act")).status_code == 403
    assert Webhook.objects.count() == 2


def test_an_installation_without_webhooks_sends_nothing_and_says_so(running, settings):
    with receiving() as receiver:
        added(running, receiver.address)
        settings.WEBHOOKS = False
        published(running)
        outbox.Outbox().turn()
        assert receiver.got == []
        assert not WebhookMessage.objects.exists()
    shown = running.client("manager").get(page(running)).content.decode()
    assert "Webhooks are turned off on this installation." in shown
    assert "Add webhook" not in shown
    with pytest.raises(Refused, match="turned off"):
        added(running, "https://discord.example/x")


def test_an_event_has_at_most_ten(staff):
    for _n in range(services.MAX_WEBHOOKS):
        added(staff, "https://discord.example/x")
    with pytest.raises(Refused, match="at most 10"):
        added(staff, "https://discord.example/x")
