"""Publishing the second and the tenth round of 500 players: the form posted, the moment before fixed (goal: 200 ms)."""

import random
import time

import pytest
from django.core.cache import cache

from events.models import Event, Round
from events.services import rounds
from judging.keeping import snapshots
from judging.models import Snapshot
from rules.standby import Standby
from tests.events import simulation


@pytest.fixture
def beside(settings, tmp_path, monkeypatch):
    settings.DATA_DIR, settings.SNAPSHOTS_KEPT = tmp_path, 40
    made = Standby()
    monkeypatch.setattr(snapshots, "STANDBY", made)
    made.start()
    while not made.answers:
        time.sleep(0.01)
    yield made
    made.end()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [2, 10])
def test_publishing(benchmark, staff, settings, beside, number):
    event, by, client, chance = staff.event, staff.actor("head_judge"), staff.client("head_judge"), random.Random(7)
    Event.objects.filter(pk=event.pk).update(number_of_rounds=10)
    simulation.players(event, 500)
    settings.SNAPSHOTS_KEPT = 0  # while the rounds are played
    for _played in range(1, number):
        simulation.play_round(by, event, chance)
    round = rounds.draft_round(by=by, event=event)
    settings.SNAPSHOTS_KEPT = 40

    def draft():
        """Return to a draft that has just been paired, and let the snapshots before it be written."""
        row = Round.objects.get(pk=round.pk)
        if row.state == Round.State.PUBLISHED:
            assert beside.wait(120)
            rounds.unpublish_round(by=by, round=row, confirmed=True, reason="Once more")
            rounds.pair_again(by=by, round=row)
        assert beside.wait(120)
        cache.clear()
        return (row.version,), {}

    def publish(version):
        return client.post(f"/events/{event.public_id}/rounds/{number}/publish/", {"version": version})

    answer = benchmark.pedantic(publish, setup=draft, rounds=5)
    assert answer.status_code == 302
    assert beside.wait(120)
    assert Snapshot.objects.filter(verb="publish-round", problem="").count() == 5
