"""The demo: complete, created by the site's own services, dated around now, and kept when it is loaded twice."""

import datetime as dt
import io
import re
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st

from events.models import AuditEntry, Event, Match, Person, Round, Venue, Volunteer
from judging import demo
from judging.findings import judge, look
from judging.keeping.snapshots import events_behind
from tests.factories import VenueFactory

pytestmark = pytest.mark.django_db(transaction=True)


BRUSSELS = ZoneInfo(demo.ZONE)
SUMMER_BEGINS = dt.datetime(2027, 3, 28, 1, 0, tzinfo=dt.UTC)
WINTER_BEGINS = dt.datetime(2026, 10, 25, 1, 0, tzinfo=dt.UTC)
WEEKDAYS = re.compile("(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")


def check_dates(now, past, coming, began):
    for starts in (past, coming):
        local = starts.astimezone(BRUSSELS)
        assert (local.weekday(), local.hour, local.minute, local.second) == (5, 13, 0, 0)
    assert past + demo.REPORTED_AFTER <= now < coming
    assert now - past <= dt.timedelta(days=8, hours=1)
    assert coming - now <= dt.timedelta(days=8)
    assert coming.astimezone(BRUSSELS).date() > now.astimezone(BRUSSELS).date()
    assert began <= now < began + dt.timedelta(minutes=30)
    assert (began.minute % 30, began.second, began.microsecond) == (0, 0, 0)


@given(st.integers(0, 10 * 366 * 24 * 3600).map(lambda seconds: SUMMER_BEGINS + dt.timedelta(seconds=seconds)))
@example(SUMMER_BEGINS)
@example(SUMMER_BEGINS - dt.timedelta(seconds=1))
@example(WINTER_BEGINS)
@example(WINTER_BEGINS - dt.timedelta(hours=1))
@example(dt.datetime(2026, 11, 22, 0, 0, tzinfo=BRUSSELS).astimezone(dt.UTC))  # midnight between Saturday and Sunday
@example(dt.datetime(2026, 11, 21, 13, 0, tzinfo=BRUSSELS).astimezone(dt.UTC))  # the start of a Saturday's event
@example(dt.datetime(2026, 11, 22, 12, 59, 59, tzinfo=BRUSSELS).astimezone(dt.UTC))  # a second before it is reported
@example(dt.datetime(2026, 12, 31, 23, 59, 59, 999_999, tzinfo=dt.UTC))
def test_its_dates_fit_any_moment(now):
    check_dates(now, demo.past_saturday(now), demo.saturday(now), demo.last_half_hour(now))


def check_events(now):
    finished, running, coming = (Event.objects.get(state=state) for state in ("verified", "running", "open"))
    third = Round.objects.get(event=running, number=3)
    began = third.clock_runs.get(ended=None).began
    check_dates(now, finished.starts, coming.starts, began)
    assert running.starts == began - dt.timedelta(minutes=150)
    assert [event.name for event in (finished, running, coming) if WEEKDAYS.search(event.name)] == []
    assert AuditEntry.objects.filter(at__gt=now).count() == 0


@pytest.mark.soak
@pytest.mark.parametrize(
    "now",
    [
        SUMMER_BEGINS,
        WINTER_BEGINS + dt.timedelta(minutes=10),
        dt.datetime(2026, 11, 22, 0, 0, 1, tzinfo=BRUSSELS),
        dt.datetime(2026, 11, 21, 14, 47, tzinfo=BRUSSELS),
    ],
    ids=str,
)
def test_the_demo_at_an_odd_hour(now):
    now = now.astimezone(dt.UTC)
    with demo.at(now):
        load()
        check_events(now)


def load() -> str:
    said = io.StringIO()
    call_command("demo", no_serve=True, stdout=said)
    return said.getvalue()


def test_the_demo(mailoutbox, settings):
    """One test, because loading takes long: what visitors look for, loading twice, every sign-in, and no mail."""
    settings.SNAPSHOTS_KEPT = 5
    now = timezone.now()
    with demo.at(now):
        said = load()
    check_events(now)
    assert events_behind() == set()
    assert [found.name for found in judge(look()) if found.name.startswith("snapshot")] == []
    assert mailoutbox == []
    for email, _what in demo.LOG_INS:
        assert email in said
    assert set(Venue.objects.filter(state="approved").values_list("kind", flat=True)) == {"store", "convention", "club"}
    assert set(Volunteer.objects.values_list("state", flat=True)) == {"approved", "pending"}
    assert set(Event.objects.values_list("state", flat=True)) == {"verified", "running", "open"}
    running = Round.objects.get(event__state="running", state="running")
    assert (running.number, running.clock_runs.filter(ended=None).count()) == (3, 1)
    assert Match.objects.filter(state="disputed").count() == 1
    assert AuditEntry.objects.count() > 100
    counts = [model.objects.count() for model in (Person, Event, Match, AuditEntry)]
    assert "kept" in load()
    assert counts == [model.objects.count() for model in (Person, Event, Match, AuditEntry)]
    for email, _what in demo.LOG_INS:
        client = Client()
        answer = client.post(reverse("account_login"), {"login": email, "password": demo.PASSWORD})
        assert answer.status_code == 302, email


def test_the_demo_is_not_mixed_with_a_shops_own_data():
    """Its passwords are public, and one of its people is an administrator."""
    VenueFactory()
    with pytest.raises(CommandError, match="has a venue of your own"):
        load()
    assert not demo.is_there()
