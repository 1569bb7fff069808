"""Django on a few threads: readers wait in one line, writers in another, and nothing is left behind."""

import asyncio
import json
import threading

import pytest
from django.contrib.sessions.models import Session
from django.db import connections
from django.http import HttpResponse

from config.site import ASKING, Site
from events.services.people import entry_link
from rules.argued import ready_replay
from rules.models import SavedDispute
from rules.shelf import ready_disputes
from rules.uploads import SMALL
from tests.asgi import ask, run, scope
from tests.conftest import client_of
from tests.factories import EntryFactory, PersonFactory

# The rules' time limit may raise inside a garbage collector callback, where Python prints the error and continues.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
PATIENCE = 20


class Slow(Site):
    """A site whose pages are ready once `ready` is set; forms are answered at once."""

    def __init__(self):
        super().__init__()
        self.ready = threading.Event()
        self.at_work = self.most = 0
        self.counting = threading.Lock()
        self.threads = set()

    def get_response(self, request):
        self.threads.add(threading.current_thread())
        if request.method == "GET":
            with self.counting:
                self.at_work += 1
                self.most = max(self.most, self.at_work)
            assert self.ready.wait(PATIENCE)
            with self.counting:
                self.at_work -= 1
        return HttpResponse(request.method)


def test_a_result_does_not_wait_behind_a_hall_that_reads(settings):
    settings.READERS = 3
    site = Slow()
    site.sessions.update(map(str, range(40)))

    async def hall():
        reading = [asyncio.ensure_future(ask(site, "/", cookie=f"sessionid={n}")) for n in range(40)]
        while site.at_work < settings.READERS:
            await asyncio.sleep(0.01)
        written = await asyncio.wait_for(ask(site, "/", "POST"), PATIENCE)
        assert not any(one.done() for one in reading)
        site.ready.set()
        return written, await asyncio.gather(*reading)

    written, read = run(hall())
    assert written.body == b"POST"
    assert [one.body for one in read] == [b"GET"] * 40
    assert site.most == settings.READERS
    assert len(site.threads) == settings.READERS + 1


def test_nothing_waits_behind_questions_to_the_rules(settings):
    """The fault: eight readers of a dispute that takes the rules 25 seconds delayed every page and form."""
    settings.READERS = 1
    site = Slow()
    asked = (
        "/rules/disputes/x/read/",
        "/rules/board/x/",
        "/rules/training/",
        "/rules/argued/x/",
        "/api/rules/adjudicate",
    )

    async def hall():
        asking = [asyncio.ensure_future(ask(site, path)) for path in asked]  # from one address: one at a time
        while site.at_work < 1:
            await asyncio.sleep(0.01)
        reading = asyncio.ensure_future(ask(site, "/events/"))
        while site.at_work < 2:
            await asyncio.sleep(0.01)
        assert (await asyncio.wait_for(ask(site, "/", "POST"), PATIENCE)).body == b"POST"
        site.ready.set()
        return await asyncio.wait_for(asyncio.gather(reading, *asking), PATIENCE)

    assert [one.body for one in run(hall())] == [b"GET"] * (len(asked) + 1)
    assert site.most == 2


def test_only_a_session_that_exists_is_known_as_a_person(transactional_db):
    site, key = Site(), client_of(PersonFactory()).cookies["sessionid"].value
    for cookie in (key, "made-up"):
        run(ask(site, "/", cookie=f"sessionid={cookie}"))
    assert site.sessions == {key}


def test_a_session_that_a_request_begins_is_known_without_asking(transactional_db, monkeypatch):
    """The phones of a hall open their links within seconds, and each had its session looked up once more."""
    site, link = Site(), entry_link(EntryFactory(event__state="open"))
    run(ask(site, "/", cookie="sessionid=made-up"))
    assert not site.sessions
    monkeypatch.setattr("config.site._exists", None)
    answer = run(ask(site, link, accept="text/html"))
    key = answer.headers["set-cookie"].partition("sessionid=")[2].partition(";")[0]
    assert site.sessions == {key} == set(Session.objects.values_list("pk", flat=True))
    run(ask(site, "/", cookie=f"sessionid={key}"))


def test_a_session_that_another_process_made_has_turns_of_its_own_at_once(settings, transactional_db):
    """The fault: in a hall behind one address, all players whom a process saw for the first time shared one turn."""
    settings.READERS = 2
    site, key = Slow(), client_of(PersonFactory()).cookies["sessionid"].value

    async def busy(number):
        while site.at_work < number:
            await asyncio.sleep(0.01)

    async def hall():
        strangers = [asyncio.ensure_future(ask(site, f"/?{number}")) for number in range(3)]
        await asyncio.wait_for(busy(1), PATIENCE)
        player = asyncio.ensure_future(ask(site, "/", cookie=f"sessionid={key}"))
        await asyncio.wait_for(busy(2), PATIENCE)
        site.ready.set()
        await asyncio.gather(player, *strangers)

    run(hall())


def test_a_judges_question_does_not_wait_behind_strangers(transactional_db):
    """The attack: twelve strangers' questions of three seconds each made a judge wait 17 seconds for any dispute."""
    site = Slow()
    site.sessions.update(map(str, range(12)))
    key = client_of(PersonFactory()).cookies["sessionid"].value

    async def hall():
        asking = [asyncio.ensure_future(ask(site, "/rules/board/x/", cookie=f"sessionid={n}")) for n in range(12)]
        while site.at_work < ASKING:
            await asyncio.sleep(0.01)
        judge = ask(site, "/api/rules/adjudicate", "POST", cookie=f"sessionid={key}")
        assert (await asyncio.wait_for(judge, PATIENCE)).body == b"POST"
        assert not any(one.done() for one in asking)
        site.ready.set()
        await asyncio.gather(*asking)

    run(hall())
    assert site.most == ASKING


def endless(question: dict, times: int) -> dict:
    """Return a position file of at most 200 kB with questions that take minutes: a map of 90,000 squares."""
    click = {"speed": 1000, "attack": 9, "defense": 16, "damage": 2, "powers": []}
    figure = {"id": "a", "name": "Ada", "points": 50, "range": 50, "square": "A1", "dial": [click]}
    sides = [{"player": "A", "characters": [figure]}, {"player": "B", "characters": []}]
    drawn = {"width": 300, "height": 300}
    return {"id": "x", "edition": "core-modern", "map": drawn, "sides": sides, "ask": [question] * times}


@pytest.mark.parametrize(
    ("question", "times"),
    [({"ask": "reachable", "of": "a"}, 5_000), ({"ask": "line-of-fire", "from": "A1", "to": "KN300"}, 3_500)],
)
def test_no_document_keeps_the_rules_busy_for_longer_than_the_limit(transactional_db, monkeypatch, question, times):
    """The fault: two strangers sent 193 kB of questions each, and no one else could use the rules for minutes."""
    monkeypatch.setattr("config.site.ASKING_SECONDS", 0.1)
    long = json.dumps(endless(question, times))
    assert len(long) < SMALL
    told = run(ask(Site(), "/api/rules/adjudicate", "POST", long.encode(), content_type="application/json"))
    assert told.status == 422
    fault = json.loads(told.body)
    assert (fault["id"], fault["error"]["code"], fault["error"]["where"]) == ("x", "bad-input", "")
    assert "takes too long here" in fault["error"]["message"]


def test_no_saved_dispute_keeps_the_rules_busy_for_longer_than_the_limit(transactional_db, monkeypatch):
    monkeypatch.setattr("config.site.ASKING_SECONDS", 0.1)
    row = SavedDispute.objects.create(
        edition="core-modern", document=endless({"ask": "reachable", "of": "a"}, 50), public_id="endless"
    )
    told = run(ask(Site(), f"/rules/disputes/{row.public_id}/read/"))
    assert told.status == 200
    assert b"takes too long here" in told.body


def test_a_busy_moment_spoils_no_ready_made_dispute(transactional_db, monkeypatch):
    slug = next(iter(ready_disputes()))
    ready_replay.cache_clear()
    monkeypatch.setattr("config.site.ASKING_SECONDS", 0.0)
    told = run(ask(Site(), f"/rules/argued/{slug}/"))
    assert told.status in (200, 413), "the lines that its page draws are asked anew"
    assert ready_replay(slug).fault is None


@pytest.mark.parametrize("seconds", [0, 600])
def test_a_connection_stays_open_as_long_as_the_settings_say(transactional_db, settings, monkeypatch, seconds):
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", seconds)
    settings.READERS = 1
    site = Site()
    assert run(ask(site, "/health/")).status == 200
    readers = site.lines["readers"]
    is_open = run(readers.result("anyone", lambda: connections["default"].connection is not None))
    run(readers.result("anyone", connections.close_all))
    assert is_open == bool(seconds)


def test_a_client_that_leaves_the_line_costs_nothing(settings):
    settings.READERS = 1
    site = Slow()

    async def hall():
        first = asyncio.ensure_future(ask(site, "/"))
        while site.at_work < 1:
            await asyncio.sleep(0.01)
        gone = asyncio.ensure_future(ask(site, "/"))
        await asyncio.sleep(0.05)
        gone.cancel()
        site.ready.set()
        return await first

    assert run(hall()).body == b"GET"
    site.lines["readers"].threads.shutdown()
    assert site.most == 1


def test_a_client_that_disconnects_while_it_waits_is_not_served(settings):
    settings.READERS = 1
    site, sent = Slow(), []

    async def send(message):
        sent.append(message)

    async def hall():
        first = asyncio.ensure_future(ask(site, "/"))
        while site.at_work < 1:
            await asyncio.sleep(0.01)
        messages = iter([{"type": "http.request", "body": b""}, {"type": "http.disconnect"}])

        async def receive():
            return next(messages)

        await site(scope("/"), receive, send)
        site.ready.set()
        return await first

    assert run(hall()).body == b"GET"
    site.lines["readers"].threads.shutdown()
    assert (site.most, sent) == (1, [])


def test_a_form_at_work_is_read_to_its_end_though_its_sender_has_left():
    began, left, read = threading.Event(), threading.Event(), []

    class Late(Site):
        def get_response(self, request):
            began.set()
            assert left.wait(PATIENCE)
            read.append(request.POST.dict())
            return HttpResponse()

    async def send(message):
        raise AssertionError("no one is left to read a response")

    messages = iter([{"type": "http.request", "body": b"a=1"}, {"type": "http.disconnect"}])

    async def receive():
        message = next(messages)
        while message["type"] == "http.disconnect" and not began.is_set():
            await asyncio.sleep(0.01)
        return message

    site = Late()
    run(site(scope("/", "POST", content_type="application/x-www-form-urlencoded", content_length="3"), receive, send))
    left.set()
    site.lines["writers"].threads.shutdown()
    assert read == [{"a": "1"}]


def test_a_response_is_closed_once_it_has_been_sent(monkeypatch):
    closed = []
    monkeypatch.setattr(HttpResponse, "close", lambda response: closed.append(response.content))
    assert run(ask(Slow(), "/", "POST")).body == b"POST"
    assert closed.count(b"POST") == 1  # a server of an earlier test may still close others
