"""The calendar: a month's grid, conflicts in it, and the file for other programs."""

import datetime as dt
import html
import re
import zoneinfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from config.logs import shown_path
from events.models import Event, Person, Venue
from events.month import Item, calendar_file, first_of, month_of
from tests.conftest import client_of, password_given
from tests.factories import (
    EntryFactory,
    EventFactory,
    OfficialFactory,
    PersonFactory,
    VenueFactory,
    VenueManagerFactory,
)
from tests.tables import every_row

GHENT = zoneinfo.ZoneInfo("Europe/Brussels")
TODAY = dt.date(2026, 3, 7)
SATURDAY = dt.datetime(2030, 6, 1, 14, 0, tzinfo=GHENT)


def item(starts, **facts):
    return Item("Cup", "/e/", starts, starts + dt.timedelta(hours=4), uid="x", **facts)


# pure


@every_row(
    "asked, first",
    [
        ("2026-11", (2026, 11)), ("2026-1", (2026, 1)), ("", (2026, 3)), ("2026-13", (2026, 3)), ("2026-0", (2026, 3)),
        ("99999-1", (2026, 3)), ("1989-12", (2026, 3)), ("1990-01", (1990, 1)), ("2200-12", (2200, 12)),
        ("2201-01", (2026, 3)), ("²-1", (2026, 3)), ("2026", (2026, 3)), ("../..", (2026, 3)),
    ],
)  # fmt: skip
def test_the_month_asked_for(asked, first):
    assert first_of(asked, TODAY) == dt.date(*first, 1)


@given(st.dates(dt.date(1990, 1, 1), dt.date(2199, 12, 31)))
def test_a_month_has_whole_weeks_from_monday_and_each_of_its_days_once(day):
    month = month_of(day.replace(day=1), [], day)
    days = [one for week in month.weeks for one in week]
    assert all(len(week) == 7 and week[0].date.weekday() == 0 for week in month.weeks)
    assert [one.date.day for one in days if one.in_month] == list(range(1, len([d for d in days if d.in_month]) + 1))
    assert sum(one.is_today for one in days) == 1
    assert month_of(month.after, [], day).before == month.first


def test_things_stand_on_the_day_of_their_own_clock_in_order():
    late = item(dt.datetime(2026, 3, 31, 23, 30, tzinfo=GHENT))
    early = item(dt.datetime(2026, 3, 31, 9, 0, tzinfo=GHENT))
    beside = item(dt.datetime(2026, 4, 1, 0, 30, tzinfo=GHENT))
    month = month_of(TODAY.replace(day=1), [late, early, beside], TODAY)
    assert month.items == [early, late]
    assert [one.date for week in month.weeks for one in week if beside in one.items] == [dt.date(2026, 4, 1)]


def test_the_file_is_read_by_other_programs():
    odd = Item(
        "Spring; Cup, “é” and so on, a name that is long enough to be folded twice at the very least, you see\nEnd",
        "https://judge.example/events/x/", dt.datetime(2026, 3, 29, 1, 30, tzinfo=GHENT),
        dt.datetime(2026, 3, 29, 6, 0, tzinfo=GHENT), place="1 Market Street\\Ghent", state="draft", uid="abc",
    )  # fmt: skip
    text = calendar_file("Mine", [odd, item(SATURDAY, state="cancelled")], SATURDAY)
    lines = text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert all(len(line.encode()) <= 75 for line in lines)
    whole = text.replace("\r\n ", "")
    assert "SUMMARY:Spring\\; Cup\\, “é” and so on\\, a name" in whole
    assert "you see\\nEnd" in whole
    assert "LOCATION:1 Market Street\\\\Ghent" in whole
    assert "DTSTART:20260329T003000Z" in whole
    assert "DTEND:20260329T040000Z" in whole
    assert "UID:abc@headjudge" in whole
    assert whole.count("STATUS:TENTATIVE") == whole.count("STATUS:CANCELLED") == 1


# pages


def text(response):
    return html.unescape(response.content.decode())


def shown(client, name, *parts, month="2030-06"):
    return client.get(reverse(name, args=parts), {"month": month})


@pytest.fixture
def june(staff):
    """The staff's event on a Saturday in June 2030."""
    Event.objects.filter(pk=staff.event.pk).update(starts=SATURDAY, name="June Cup")
    staff.event.refresh_from_db()
    return staff


@pytest.mark.django_db
@pytest.mark.parametrize("minutes, collides", [(239, 2), (240, 0), (-239, 2), (-240, 0)])
def test_a_volunteer_sees_what_collides(june, minutes, collides):
    other = EventFactory(
        name="Elsewhere", starts=SATURDAY + dt.timedelta(minutes=minutes), venue=VenueFactory(), seats=2
    )
    Event.objects.filter(pk=june.event.pk).update(seats=2)
    OfficialFactory(event=other, person=june.head_judge)
    response = shown(june.client("head_judge"), "events:calendar")
    assert [one.name for one in response.context["month"].items if one.collides] == (
        sorted(["Elsewhere", "June Cup"], key=lambda name: (minutes < 0) == (name == "June Cup")) if collides else []
    )
    assert ("2 events need attention this month" in text(response)) is bool(collides)
    assert "<details open>" not in response.text, "on a phone the month isn't pushed down"


@pytest.mark.django_db
def test_a_collision_over_midnight_of_the_months_end_is_seen_from_both_sides(june):
    Event.objects.filter(pk=june.event.pk).update(starts=dt.datetime(2030, 6, 30, 22, 0, tzinfo=GHENT))
    other = EventFactory(name="Night Cup", starts=dt.datetime(2030, 7, 1, 1, 0, tzinfo=GHENT))
    OfficialFactory(event=other, person=june.head_judge)
    client = june.client("head_judge")
    for month, name in (("2030-06", "June Cup"), ("2030-07", "Night Cup")):
        (one,) = shown(client, "events:calendar", month=month).context["collides"]
        assert one.name == name


@pytest.mark.django_db
def test_judges_and_players_see_where_they_are_expected(june):
    player = PersonFactory()
    EntryFactory(event=june.event, person=player)
    assert "player" in text(shown(client_of(player), "events:calendar"))
    page = text(shown(june.client("scorekeeper"), "events:calendar"))
    assert "June Cup" in page
    assert ">14:00<" in page
    assert "June Cup" not in text(shown(june.client("scorekeeper"), "events:calendar", month="2030-07"))
    assert "June Cup" not in text(shown(client_of(PersonFactory()), "events:calendar"))
    assert shown(Client(), "events:calendar").status_code == 302


@pytest.mark.django_db
def test_a_venue_sees_its_drafts_and_what_collides_and_the_public_does_not(june):
    venue = june.event.venue
    draft = EventFactory(name="Secret Draft", venue=venue, state="draft", starts=SATURDAY + dt.timedelta(hours=2))
    OfficialFactory(event=draft, person=june.head_judge)
    page = text(shown(june.client("manager"), "events:venue-calendar", venue.pk))
    assert "Secret Draft" in page
    assert "1. Event Sanctioning" in page
    public = text(shown(Client(), "events:venue-calendar", venue.pk))
    assert "June Cup" in public
    assert "Secret Draft" not in public
    assert "Event Sanctioning" not in public
    Venue.objects.filter(pk=venue.pk).update(state="pending")
    assert shown(Client(), "events:venue-calendar", venue.pk).status_code == 404
    assert Client().get(reverse("events:venue-calendar-file", args=[venue.pk])).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("state, collides", [("open", True), ("cancelled", False)])
def test_a_club_sees_two_events_in_one_month(june, state, collides):
    club = VenueFactory(name="The Club", kind="club")
    VenueManagerFactory(venue=club, person=june.manager)
    for day, of_state in ((3, "open"), (24, state)):
        event = EventFactory(venue=club, starts=SATURDAY.replace(day=day), universe="dc", state=of_state)
        OfficialFactory(event=event)
    month = shown(june.client("manager"), "events:venue-calendar", club.pk).context["month"]
    assert [one.collides for one in month.items] == ([True, True] if collides else [False])


@pytest.mark.django_db
def test_a_missing_head_judge_is_told_and_is_no_collision(june):
    EventFactory(name="Nobody's Cup", venue=june.event.venue, state="draft", starts=SATURDAY + dt.timedelta(days=1))
    response = shown(june.client("manager"), "events:venue-calendar", june.event.venue_id)
    (one,) = response.context["collides"]
    assert (one.name, one.collides) == ("Nobody's Cup", False)
    assert "has no head judge" in text(response)


@pytest.mark.django_db
def test_an_exception_removes_a_conflict(june):
    other = EventFactory(name="Elsewhere", starts=SATURDAY, venue=VenueFactory())
    OfficialFactory(event=other, person=june.head_judge)
    for event in (june.event, other):
        event.overrides.create(rule="four-hours", reason="Agreed", given_by=june.office)
    assert shown(june.client("head_judge"), "events:calendar").context["collides"] == []


@pytest.mark.django_db
@pytest.mark.parametrize("events", [3, 30])
def test_the_calendars_ask_as_often_for_many_as_for_few(june, events, django_assert_max_num_queries):
    for number in range(events):
        event = EventFactory(venue=june.event.venue, starts=SATURDAY + dt.timedelta(hours=number))
        OfficialFactory(event=event, person=june.head_judge)
        OfficialFactory(event=EventFactory(starts=SATURDAY + dt.timedelta(hours=number)))
    manager, head = june.client("manager"), june.client("head_judge")
    with django_assert_max_num_queries(10):
        shown(manager, "events:venue-calendar", june.event.venue_id)
    with django_assert_max_num_queries(9):
        shown(head, "events:calendar")
    with django_assert_max_num_queries(4):
        shown(Client(), "events:venue-calendar", june.event.venue_id)


@pytest.mark.django_db
def test_calendar_files(june, settings):
    settings.SITE_URL = "https://judge.example"
    soon = timezone.now() + dt.timedelta(days=3)
    Event.objects.filter(pk=june.event.pk).update(starts=soon, fee="€5", prizes="A booster\r\neach")
    EventFactory(name="Secret Draft", venue=june.event.venue, state="draft", starts=soon)
    public = Client().get(reverse("events:venue-calendar-file", args=[june.event.venue_id]))
    assert public["Content-Type"].startswith("text/calendar")
    body = public.content.decode()
    assert "SUMMARY:June Cup" in body
    assert f"URL:https://judge.example/events/{june.event.public_id}/" in body
    assert "DESCRIPTION:Fee: €5\\nPrizes: A booster\\neach\r\n" in body
    assert "Secret Draft" not in body
    mine = june.client("head_judge").get(reverse("events:calendar-file")).content.decode()
    assert "SUMMARY:June Cup (head judge)" in mine
    assert Client().get(reverse("events:calendar-file")).status_code == 302


def test_a_venues_calendar_file_says_that_drafts_are_not_in_it(staff):
    venue = staff.event.venue
    file = staff.client("manager").get(f"/venues/{venue.pk}/calendar.ics").content.decode()
    assert "X-WR-CALDESC:This calendar doesn't include draft events." in file
    page = staff.client("manager").get(f"/venues/{venue.pk}/calendar/").content.decode()
    assert (
        "The exported calendar doesn&#x27;t include drafts." in page
        or "The exported calendar doesn't include drafts." in page
    )


@pytest.mark.django_db
def test_an_event_that_ended_before_its_planned_start_ends_after_it_in_a_calendar(june):
    Event.objects.filter(pk=june.event.pk).update(
        state="finished", ended=SATURDAY - dt.timedelta(days=1), starts=SATURDAY
    )
    file = Client().get(reverse("events:event-calendar-file", args=[june.event.public_id])).content.decode()
    begins, ends = (re.search(rf"{name}:(\w+)", file)[1] for name in ("DTSTART", "DTEND"))
    assert begins < ends


@pytest.mark.django_db
def test_an_event_is_added_to_a_calendar_of_ones_own(june):
    Event.objects.filter(pk=june.event.pk).update(state="open")
    page = Client().get(reverse("events:event", args=[june.event.public_id])).content.decode()
    address = reverse("events:event-calendar-file", args=[june.event.public_id])
    assert f'href="{address}"' in page
    assert Client().get(address).content.decode().count("BEGIN:VEVENT") == 1
    Event.objects.filter(pk=june.event.pk).update(state="draft")
    assert Client().get(address).status_code == 404


def subscription(client: Client) -> str:
    """Return the path of the address that the calendar shows, or ""."""
    found = re.search(r'value="http://testserver(/calendar/read/[^"]+)"', text(shown(client, "events:calendar")))
    return found[1] if found else ""


@pytest.mark.django_db
def test_a_calendar_program_reads_a_persons_events_until_the_address_is_replaced_or_turned_off(june):
    Event.objects.filter(pk=june.event.pk).update(starts=timezone.now() + dt.timedelta(days=3))
    head, change = password_given(june.client("head_judge")), reverse("events:calendar-address")
    assert subscription(head) == ""
    head.post(change, {"on": "1"})
    first = subscription(head)
    answer = Client().get(first)
    assert "SUMMARY:June Cup (head judge)" in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert shown_path(first).endswith("/calendar/read/…")
    head.post(change, {"on": "1"})
    assert Client().get(first).status_code == 404
    second = subscription(head)
    assert Client().get(second).status_code == 200
    assert Client().get(second.replace("~", "0~").replace(":", "0:")).status_code == 404
    Person.objects.filter(pk=june.head_judge.pk).update(language="fr")
    assert "(juge principal)" in Client().get(second).content.decode()
    Person.objects.filter(pk=june.head_judge.pk).update(is_active=False)
    assert Client().get(second).status_code == 404
    Person.objects.filter(pk=june.head_judge.pk).update(is_active=True)
    password_given(head).post(change, {"on": ""})
    assert Client().get(second).status_code == 404
    assert subscription(head) == ""


@pytest.mark.django_db
def test_making_the_address_asks_for_the_password_again(june):
    answer = june.client("head_judge").post(reverse("events:calendar-address"), {"on": "1"})
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert not Person.objects.filter(calendar_since__isnull=False).exists()
