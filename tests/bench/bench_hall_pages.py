"""Server time of the pages that a hall opens together: 500 players, round 10 of 10, nine rounds played.

"uncached" is the first reader after a change, "second" any further one. Goals (medians): standings uncached 60 ms, the
draft 150 ms, every second reader 12 ms.
"""

import gc
import random

import pytest
from django.db import transaction
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from config.site import OBJECTS_BETWEEN_COLLECTIONS
from events.models import Entry, Event, Match, Official, Round
from events.roles import Actor
from events.services import clock, rounds
from events.shared_parts import PARTS
from tests.conftest import client_of
from tests.events import simulation
from tests.factories import EventFactory, OfficialFactory, PersonFactory

PLAYERS, ROUNDS = 500, 10


def play_on_paper(round: Round, dice: random.Random) -> None:
    """Give every match of a round its result, in a few queries."""
    games = list(round.matches.filter(kind=Match.Kind.GAME))
    for match in games:
        winner, high, low = dice.choice("ab"), dice.randrange(60, 200), dice.randrange(60)
        match.result = simulation.kept_result(winner, *((high, low) if winner == "a" else (low, high)))
        match.state = Match.State.CONFIRMED
    Match.objects.bulk_update(games, ["result", "state"])


@pytest.fixture(scope="module", autouse=True)
def _collections_as_in_the_server():
    """Collect cycles as rarely as `config.site` lets a server; what the tests have loaded isn't looked through."""
    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    yield
    gc.unfreeze()
    gc.set_threshold(*usual)


@pytest.fixture(scope="module")
def hall(django_db_setup, django_db_blocker: DjangoDbBlocker):
    """Return the event with its last round drafted, for the whole module."""
    with django_db_blocker.unblock(), transaction.atomic():
        event = EventFactory(seats=PLAYERS, number_of_rounds=ROUNDS)
        by = Actor(person=OfficialFactory(event=event, role=Official.Role.HEAD_JUDGE).person)
        first = simulation.players(event, PLAYERS)[0]
        Entry.objects.filter(pk=first.pk).update(person=PersonFactory())
        Entry.objects.filter(event=event, number__endswith="0").update(is_minor=True)
        dice = random.Random(PLAYERS)
        for _number in range(1, ROUNDS):
            round = rounds.draft_round(by=by, event=event)
            rounds.publish_round(by=by, round=round)
            play_on_paper(round, dice)
            rounds.complete_round(by=by, round=round)
        rounds.draft_round(by=by, event=event)
        yield event
        transaction.set_rollback(True)


def judge_of(event: Event) -> Client:
    return client_of(event.officials.get().person)


def reader_of(event: Event) -> Client:
    return client_of(event.entries.get(number=1).person)


def measure(benchmark, client: Client, event: Event, path: str, *, uncached: bool) -> None:
    address = f"/events/{event.public_id}/{path}"
    client.get(address)

    def forget() -> None:
        if uncached:
            PARTS.forget()

    answer = benchmark.pedantic(lambda: client.get(address), setup=forget, rounds=20)
    assert answer.status_code == 200


@pytest.mark.django_db
def test_the_draft(benchmark, hall):
    measure(benchmark, judge_of(hall), hall, f"rounds/{ROUNDS}/draft/", uncached=True)


@pytest.fixture
def published(hall):
    """Publish the last round and start it, for one test."""
    by = Actor(person=hall.officials.get().person)
    round = hall.rounds.get(number=ROUNDS)
    round.event = hall
    rounds.publish_round(by=by, round=round)
    clock.start_round(by=by, round=round)
    return hall


@pytest.mark.django_db
@pytest.mark.parametrize("when", ["uncached", "second"])
@pytest.mark.parametrize("path", ["standings/", f"rounds/{ROUNDS}/", f"rounds/{ROUNDS}/?by=name"])
def test_a_page_of_players(benchmark, published, path, when):
    measure(benchmark, reader_of(published), published, path, uncached=when == "uncached")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["console/", f"rounds/{ROUNDS}/open/"])
def test_a_page_of_officials(benchmark, published, path):
    measure(benchmark, judge_of(published), published, path, uncached=True)
