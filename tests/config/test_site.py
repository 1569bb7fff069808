"""Django on a few threads: readers stand in one line, who writes in another, and nothing is left behind."""

import asyncio
import threading

from django.db import connections
from django.http import HttpResponse

from config.site import ASKING, Site
from tests.asgi import ask, run

PATIENCE = 20


class Slow(Site):
    """A site whose pages are ready when `ready` is set; forms are answered at once."""

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

    async def hall():
        reading = [asyncio.ensure_future(ask(site, "/")) for _n in range(40)]
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
    """The story: eight readers of a stranger's dispute, which takes the rules 25 seconds, held up every page and form."""
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
        asking = [asyncio.ensure_future(ask(site, path)) for path in asked]
        while site.at_work < ASKING:
            await asyncio.sleep(0.01)
        reading = asyncio.ensure_future(ask(site, "/events/"))
        while site.at_work < ASKING + 1:
            await asyncio.sleep(0.01)
        assert (await asyncio.wait_for(ask(site, "/", "POST"), PATIENCE)).body == b"POST"
        site.ready.set()
        return await asyncio.wait_for(asyncio.gather(reading, *asking), PATIENCE)

    assert [one.body for one in run(hall())] == [b"GET"] * (len(asked) + 1)
    assert site.most == ASKING + 1


def test_no_connection_stays_open_when_a_page_is_given(transactional_db, settings):
    settings.READERS = 1
    site = Site()
    assert run(ask(site, "/health/")).status == 200
    assert site.readers.submit(lambda: connections["default"].connection).result() is None


def test_who_goes_away_while_standing_in_line_costs_nothing(settings):
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
    site.readers.shutdown()
    assert site.most == 1
