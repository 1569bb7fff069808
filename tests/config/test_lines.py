"""Lines of requests: people take turns, leave, and get one page for what they asked twice; no one gets another's."""

import asyncio
import threading

import pytest
from django.http import HttpResponse, StreamingHttpResponse

from config.lines import Line
from config.site import Site
from tests.asgi import ask, run

PATIENCE = 20


class Held:
    """A thread that `held` keeps busy until `ready` is set, and what was made, in order."""

    def __init__(self):
        self.begun, self.ready = threading.Event(), threading.Event()
        self.made = []

    def make(self, what):
        self.made.append(what)
        self.begun.set()
        assert self.ready.wait(PATIENCE)
        return what


async def until(is_so):
    """Let everything else go on until this is so."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.001)


def asked(line):
    """Return how many requests wait, those that share their work included."""
    with line.guard:
        return sum(len(work.asked) for theirs in line.waiting.values() for work in theirs)


async def waiting_in(line, requests):
    """Let each of these requests take its place, one after another."""
    tasks = []
    for one in requests:
        tasks.append(asyncio.ensure_future(one))
        await until(lambda: asked(line) == len(tasks))
    return tasks


def served(line, held, requests):
    """Return the results of requests that wait while the only thread is busy."""

    async def hall():
        first = asyncio.ensure_future(line.result("first", lambda: held.make("first")))
        await until(held.begun.is_set)
        tasks = await waiting_in(line, (line.result(who, lambda what=what: held.make(what)) for who, what in requests))
        held.ready.set()
        await first
        return await asyncio.gather(*tasks)

    return run(hall())


def test_people_take_turns():
    """The fault: someone who reloaded thirty times pushed everyone else thirty pages back."""
    held = Held()
    wanted = [("ann", f"ann {n}") for n in range(4)] + [("ben", "ben 0"), ("cy", "cy 0"), ("ben", "ben 1")]
    assert served(Line("test", 1), held, wanted) == [what for _who, what in wanted]
    assert held.made == ["first", "ann 0", "ben 0", "cy 0", "ann 1", "ben 1", "ann 2", "ann 3"]


def test_no_one_holds_all_threads():
    line, held, free = Line("test", 3), Held(), Held()

    async def hall():
        greedy = [asyncio.ensure_future(line.result("ann", lambda: held.make("ann"))) for _n in range(5)]
        await until(lambda: len(held.made) == 2)
        free.ready.set()
        assert await asyncio.wait_for(line.result("ben", lambda: free.make("ben")), PATIENCE) == "ben"
        assert len(held.made) == 2
        held.ready.set()
        answers = await asyncio.gather(*greedy)
        await until(lambda: not line.at_work)
        return answers

    assert run(hall()) == ["ann"] * 5


def test_pages_let_results_go_first_but_not_forever(monkeypatch):
    """The fault: a result took two seconds, because it shared the interpreter with the pages of two hundred players."""
    monkeypatch.setattr("config.lines.PATIENCE", PATIENCE)
    results, readers, held = Line("results", 1), Line("readers", 1), Held()
    readers.after = (results,)

    async def hall():
        result = asyncio.ensure_future(results.result("ann", lambda: held.make("result")))
        await until(held.begun.is_set)
        page = asyncio.ensure_future(readers.result("ben", lambda: held.made.append("page")))
        await until(lambda: asked(readers) == 1)
        held.ready.set()
        await asyncio.gather(result, page)
        assert held.made == ["result", "page"]
        held.begun.clear()
        held.ready.clear()
        monkeypatch.setattr("config.lines.PATIENCE", 0)
        result = asyncio.ensure_future(results.result("ann", lambda: held.make("long result")))
        await until(held.begun.is_set)
        await asyncio.wait_for(readers.result("ben", lambda: held.made.append("page")), PATIENCE)
        assert not result.done()
        held.ready.set()
        await result

    run(hall())
    assert results.idle.is_set()


def test_a_page_waits_once_for_all_lines_that_go_first(monkeypatch):
    """The fault: each busy line held up each page of a hall for as long as the first, though nothing else was done."""
    monkeypatch.setattr("config.lines.PATIENCE", 0.2)
    first, readers = [Line(f"busy {n}", 1) for n in range(20)], Line("readers", 1)
    readers.after = tuple(first)
    for line in first:
        line.idle.clear()
    assert run(asyncio.wait_for(readers.result("ben", lambda: "page"), 2)) == "page"


def test_a_person_who_leaves_loses_no_turn_to_what_they_left():
    line, held = Line("test", 1), Held()

    async def hall():
        first = asyncio.ensure_future(line.result("first", lambda: held.make("first")))
        await until(held.begun.is_set)
        wanted = [("ann", "left"), ("ben", "ben"), ("ann", "asked again")]
        left, *stayed = await waiting_in(
            line, (line.result(who, lambda what=what: held.make(what)) for who, what in wanted)
        )
        left.cancel()
        await asyncio.sleep(0)
        held.ready.set()
        await asyncio.gather(first, *stayed)

    run(hall())
    assert held.made == ["first", "asked again", "ben"]


def test_a_fault_reaches_everyone_who_waits_for_it():
    line, held = Line("test", 1), Held()

    def fail():
        raise ValueError("no page")

    async def hall():
        first = asyncio.ensure_future(line.result("first", lambda: held.make("first")))
        await until(held.begun.is_set)
        tasks = await waiting_in(line, [line.result("ann", fail, "page"), line.result("ann", fail, "page")])
        held.ready.set()
        await first
        return await asyncio.gather(*tasks, return_exceptions=True)

    assert [str(fault) for fault in run(hall())] == ["no page", "no page"]
    assert run(line.result("ann", lambda: "well again")) == "well again"


class Slow(Site):
    """A site with one reader at a time, whose pages wait for `held.ready`, and say for whom they were made."""

    def __init__(self):
        super().__init__()
        self.held = Held()

    def get_response(self, request):
        self.held.make(f"{request.method} {request.path}")
        said = f"{request.COOKIES.get('sessionid')} {len(self.held.made)}"
        return StreamingHttpResponse([said]) if "stream" in request.path else HttpResponse(said)

    def answers(self, *requests):
        """Return the pages for requests that wait together: a path, and a method or headers."""
        line = self.lines["readers"]

        async def hall():
            first = asyncio.ensure_future(ask(self, "/held/"))
            await until(self.held.begun.is_set)
            tasks = await waiting_in(line, (ask(self, path, **headers) for path, headers in requests))
            self.held.ready.set()
            await first
            return [one.body.decode() for one in await asyncio.gather(*tasks)]

        return run(hall())


@pytest.fixture
def slow(settings, monkeypatch):
    settings.READERS = 1
    monkeypatch.setattr("config.site._exists", {"ann", "ben"}.__contains__)
    return Slow()


ANN, BEN = {"cookie": "sessionid=ann"}, {"cookie": "sessionid=ben"}


def test_a_page_that_the_same_person_asks_for_twice_is_made_once(slow):
    reloaded = {"cache-control": "max-age=0", "sec-fetch-site": "none"}
    assert slow.answers(("/a/?b=1", ANN), ("/a/?b=1", ANN), ("/a/?b=1", ANN | reloaded)) == ["ann 2"] * 3
    assert slow.held.made == ["GET /held/", "GET /a/"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("/a/", ANN), ("/a/", BEN)),
        (("/a/", ANN), ("/a/?b=1", ANN)),
        (("/a/", ANN), ("/b/", ANN)),
        (("/a/", {}), ("/a/", {})),
        (("/a/", ANN), ("/a/", ANN | {"accept-language": "fr"})),
        (("/a/", ANN), ("/a/", ANN | {"if-none-match": '"a"'})),
        (("/a/", ANN), ("/a/", ANN | {"range": "bytes=0-9"})),
        (("/a/", ANN), ("/a/", ANN | {"hx-request": "true"})),
        (("/a/", ANN), ("/a/", {"cookie": "sessionid=ann; theme=dark"})),
        (("/a/", ANN), ("/a/", ANN | {"method": "HEAD"})),
        (("/a/", ANN | {"method": "HEAD"}), ("/a/", ANN | {"method": "HEAD"})),
        (("/stream/", ANN), ("/stream/", ANN)),
    ],
)
def test_no_other_request_gets_that_page(slow, one, other):
    first, second = slow.answers(one, other)
    assert first != second
    assert len(slow.held.made) == 3


def test_a_client_gets_no_more_turns_by_making_up_sessions(slow):
    """The attack: thirty invented cookies were thirty people, before whom everyone else had to wait."""
    asked = [("/a/", {"cookie": f"sessionid=made-up-{n}"}) for n in range(3)]
    assert slow.answers(*asked, ("/b/", ANN)) == ["made-up-0 2", "made-up-1 4", "made-up-2 5", "ann 3"]


def test_a_page_asked_for_after_a_change_is_made_after_it(slow):
    """A page at work may have read the database before its reader's latest form changed it."""

    async def reader():
        before = asyncio.ensure_future(ask(slow, "/a/", **ANN))
        await until(slow.held.begun.is_set)
        after = asyncio.ensure_future(ask(slow, "/a/", **ANN))
        await until(lambda: len(slow.lines["readers"]) == 1)
        slow.held.ready.set()
        return [one.body.decode() for one in await asyncio.gather(before, after)]

    assert run(reader()) == ["ann 1", "ann 2"]


def test_one_of_two_who_share_a_page_may_leave(slow):
    async def hall():
        first = asyncio.ensure_future(ask(slow, "/held/"))
        await until(slow.held.begun.is_set)
        leaves, stays = await waiting_in(slow.lines["readers"], (ask(slow, "/a/", **ANN) for _n in range(2)))
        leaves.cancel()
        await asyncio.sleep(0)
        slow.held.ready.set()
        await first
        return (await stays).body.decode()

    assert run(hall()) == "ann 2"


@pytest.mark.parametrize(
    ("path", "method", "name"),
    [
        ("/events/x/", "GET", "readers"),
        ("/events/x/rounds/1/publish/", "POST", "writers"),
        ("/events/x/rounds/1/tables/4/claim/", "POST", "results"),
        ("/events/x/rounds/1/tables/4/withdraw/", "POST", "results"),
        ("/events/x/rounds/1/tables/4/enter/", "POST", "results"),
        ("/events/x/rounds/1/results/", "POST", "results"),
        ("/api/events/x/rounds/1/tables/4/result", "POST", "results"),
        ("/events/x/rounds/1/results/", "GET", "officials"),
        ("/events/x/rounds/1/open/", "GET", "officials"),
        ("/events/x/rounds/1/draft/", "GET", "officials"),
        ("/events/x/rounds/1/", "GET", "readers"),
        ("/events/x/console/", "GET", "officials"),
        ("/events/x/rounds/1/slips.pdf", "GET", "downloads"),
        ("/rules/catalogue/", "GET", "look-ups"),
        ("/api/elements", "GET", "look-ups"),
        ("/rules/rulebook/search/", "GET", "look-ups"),
        ("/rules/board/", "GET", "rules"),
        ("/rules/disputes/x/act/", "POST", "rules"),
        ("/accounts/login/", "POST", "sign-ins"),
        ("/nowhere/", "POST", "writers"),
    ],
)
def test_each_kind_of_work_has_its_line(rf, path, method, name):
    assert Site().line_of(rf.generic(method, path)) == name
