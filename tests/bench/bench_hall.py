"""Server time of what a hall does at once, through every middleware: 200 players at round 5, each with a session.

Goals (medians): a player's own page and their report 12 ms each, the receipt 4 ms, the table's page 20 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import cycle
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.urls import reverse
from pytest_benchmark.fixture import BenchmarkFixture

from config.site import Site
from events.models import Claim, Entry, Match
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.events.test_own_report import linked
from tests.factories import EventFactory, PersonFactory

PLAYERS, ROUNDS = 200, 5
ROUNDS_OF_BENCH = 100
KINDS = ("by link", "by account")
pytestmark = pytest.mark.django_db


class Phone:
    """A player's browser: the cookies of a session, and the form token of the page it opened last."""

    def __init__(self, entry: Entry, kind: str) -> None:
        self.entry = entry
        client = linked(entry) if kind == "by link" else client_of(entry.person)
        self.cookies = {name: morsel.value for name, morsel in client.cookies.items()}

    def request(self, path: str, **form: Any) -> WSGIRequest:
        """Return the request for a page or, with fields, of a form."""
        body = urlencode(form).encode()
        return WSGIRequest({
            "REQUEST_METHOD": "POST" if form else "GET", "PATH_INFO": path, "wsgi.input": BytesIO(body),
            "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "SERVER_NAME": "testserver", "SERVER_PORT": "80", "REMOTE_ADDR": "192.168.7.20", "wsgi.url_scheme": "http",
            "HTTP_ACCEPT": "text/html,application/xhtml+xml", "HTTP_ACCEPT_ENCODING": "gzip, br",
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        })  # fmt: skip


class Hall:
    """An event in its last round, and the site that serves it as in production."""

    def __init__(self) -> None:
        self.event = EventFactory(seats=PLAYERS)
        play(self.event, PLAYERS, ROUNDS)
        people = [PersonFactory() for _number in range(PLAYERS)]
        entries = list(Entry.objects.filter(event=self.event).order_by("number"))
        for entry, person in zip(entries, people, strict=True):
            entry.person = person
        Entry.objects.bulk_update(entries, ["person"])
        found = Match.objects.filter(round__event=self.event, round__number=ROUNDS).order_by("table")
        self.matches = list(found.select_related("a", "b", "a__person", "b__person"))
        self.site = BaseHandler()
        self.site.load_middleware()
        Site.make_ready()

    def phones(self, kind: str) -> Iterator[tuple[Match, Phone]]:
        """Return one phone for each player, table by table."""
        return cycle([(match, Phone(entry, kind)) for match in self.matches for entry in (match.a, match.b) if entry])

    def at(self, name: str, match: Match) -> str:
        return reverse(f"events:{name}", args=[self.event.public_id, ROUNDS, match.table])

    def own(self, entry: Entry) -> str:
        return reverse("events:entry", args=[self.event.public_id, entry.number])

    def claim(self, match: Match, phone: Phone) -> WSGIRequest:
        """Open the player's page, and return the request of its form."""
        page = self.site.get_response(phone.request(self.own(phone.entry)))
        phone.cookies |= {name: morsel.value for name, morsel in page.cookies.items()}
        token = phone.cookies["csrftoken"]
        score = {"score_a": 100 + (match.table or 0) % 90, "score_b": 60}
        return phone.request(self.at("claim", match), csrfmiddlewaretoken=token, **score)


@pytest.fixture
def hall(settings) -> Hall:
    settings.LIMITS = settings.LIMITS | {"claim": {"device": 1000, "address": 100_000}}
    assert not settings.DEBUG
    return Hall()


def answered(benchmark: BenchmarkFixture, hall: Hall, prepare: Callable[[], WSGIRequest], status: int) -> HttpResponse:
    """Measure the site's answers to requests that are prepared outside the measured time."""
    answer = benchmark.pedantic(
        hall.site.get_response, setup=lambda: ((prepare(),), {}), rounds=ROUNDS_OF_BENCH, warmup_rounds=5
    )
    assert answer.status_code == status
    return answer


@pytest.mark.parametrize("kind", KINDS)
def test_the_own_page(benchmark, hall, kind):
    phones = hall.phones(kind)

    def prepare() -> WSGIRequest:
        _match, phone = next(phones)
        return phone.request(hall.own(phone.entry))

    answered(benchmark, hall, prepare, 200)


@pytest.mark.parametrize("kind", KINDS)
def test_a_report(benchmark, hall, kind):
    phones = hall.phones(kind)
    answered(benchmark, hall, lambda: hall.claim(*next(phones)), 302)
    assert Claim.objects.count() > ROUNDS_OF_BENCH
    assert Match.objects.filter(round__number=ROUNDS, state=Match.State.CONFIRMED).count() >= ROUNDS_OF_BENCH // 2


@pytest.mark.parametrize("kind", KINDS)
def test_the_receipt(benchmark, hall, kind):
    phones = hall.phones(kind)

    def prepare() -> WSGIRequest:
        match, phone = next(phones)
        hall.site.get_response(hall.claim(match, phone))
        return phone.request(hall.at("receipt", match))

    answered(benchmark, hall, prepare, 200)


@pytest.mark.parametrize("kind", KINDS)
def test_the_tables_page(benchmark, hall, kind):
    phones = hall.phones(kind)

    def prepare() -> WSGIRequest:
        match, phone = next(phones)
        return phone.request(hall.at("table", match))

    answered(benchmark, hall, prepare, 200)
