"""The machine's clock jumps a day ahead or back during an event: pages, clock, sign-in and results keep working."""

import datetime
import time

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.models import Match, Round
from events.roles import SITE
from events.services import clock
from tests.events.match_pages import play

pytestmark = pytest.mark.django_db
PASSWORD = "three-action-tokens"
DAY = datetime.timedelta(days=1)


@pytest.fixture
def jump(monkeypatch):
    """Return `jump(by)`, which sets the machine's clock off by that much from then on."""
    now, seconds = timezone.now, time.time

    def jump_by(by: datetime.timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: now() + by)
        monkeypatch.setattr(time, "time", lambda: seconds() + by.total_seconds())

    return jump_by


@pytest.mark.parametrize("by", [DAY, -DAY], ids=["ahead", "back"])
def test_an_event_continues_when_the_machines_clock_jumps(staff, jump, by):
    play(staff.event, 8, 1)
    row = Round.objects.get()
    if row.state == Round.State.PUBLISHED:
        clock.start_preparation(by=SITE, round=row)
        clock.start_round(by=SITE, round=row)
    staff.head_judge.password = make_password(PASSWORD)
    staff.head_judge.save()
    at = f"/events/{staff.event.public_id}/"
    before = staff.client("head_judge")
    assert before.get(f"{at}console/").status_code == 200

    jump(by)
    client = Client()
    answer = client.post(reverse("account_login"), {"login": staff.head_judge.email, "password": PASSWORD})
    assert answer.status_code == 302, "signing in"
    pages = ["", "console/", "clock/", "display/", "standings/", "rounds/1/", "rounds/1/results/", "audit-log/"]
    for page in pages:
        assert client.get(f"{at}{page}").status_code in (200, 302), page
    for act in ("pause", "resume"):
        assert client.post(f"{at}clock/", {"act": act}).status_code in (302, 403, 409), act
    match = Match.objects.filter(kind="game").exclude(state="confirmed").order_by("table").first()
    if match is not None:
        address = f"{at}rounds/1/tables/{match.table}/enter/"
        assert client.post(address, {"act": "enter", "score_a": 120, "score_b": 80}).status_code == 302
        match.refresh_from_db()
        assert match.result.score("a") == 120

    jump(datetime.timedelta(0))
    assert client.get(f"{at}clock/").status_code in (200, 302)
    assert client.get(f"{at}console/").status_code == 200
