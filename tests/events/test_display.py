"""The projector's display: its own settings, pages that lose nobody, what it shows when."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from events.display import SIZES, Settings, paged, read_settings, room_of
from events.models import Announcement, Entry, Event, Match, Round
from events.services import clock
from tests.events.match_pages import play
from tests.factories import EventFactory


@given(
    st.lists(st.tuples(st.integers(), st.integers(0, 90)), max_size=80),
    st.sampled_from(sorted(SIZES)),
    st.booleans(),
    st.integers(0, 3),
)
def test_pages_lose_nobody_and_never_run_over(lines, size, clock, strips):
    room = room_of(Settings(size=size), clock=clock, strips=strips)
    slides = paged("pairings", "Pairings", lines, room)
    assert [line for slide in slides for line in slide.lines] == [line for line, _letters in lines]
    assert [slide.number for slide in slides] == list(range(1, len(slides) + 1))
    assert all(1 <= len(slide.columns) <= room.columns for slide in slides)
    assert all(1 <= len(column) <= room.lines for slide in slides for column in slide.columns)


@pytest.mark.parametrize(
    "asked, shown, wanted",
    [
        ({}, [], Settings()),
        ({"seconds": "20", "size": "large"}, ["clock"], Settings(("clock",), 20, "large")),
        ({"seconds": "1"}, ["nonsense"], Settings(seconds=5)),
        ({"seconds": "99999"}, ["standings", "clock"], Settings(("clock", "standings"), 120)),
        ({"seconds": "٣", "size": "huge"}, [], Settings()),
    ],
)
def test_settings_come_from_the_address_and_nonsense_is_left_out(asked, shown, wanted):
    assert read_settings(asked, shown) == wanted


def show(event, **asked):
    return Client().get(reverse("events:display", args=[event.public_id]), asked)


@pytest.mark.django_db
def test_pairings_by_name_name_both_players_of_a_table():
    event = EventFactory()
    play(event, 41, 2)
    slides = show(event).context["slides"]
    pairings = [line for slide in slides if slide.kind == "pairings" for line in slide.lines]
    assert len(pairings) == 41
    assert [line[0] for line in pairings] == sorted(line[0] for line in pairings)
    assert {slide.kind for slide in slides} == {"pairings", "standings"}
    assert slides[-1].title == "Standings after round 1"


@pytest.mark.django_db
def test_each_window_shows_what_its_address_says():
    event = EventFactory()
    play(event, 8, 2)
    assert 'role="timer"' not in show(event, show="pairings").text
    assert show(event, show="clock").context["slides"] == []
    assert {slide.kind for slide in show(event, show="standings").context["slides"]} == {"standings"}


@pytest.mark.django_db
def test_without_scripts_the_page_turns_by_itself():
    event = EventFactory()
    play(event, 60, 2)
    page = show(event, page="1", seconds="20").text
    assert '<noscript><meta http-equiv="refresh" content="20;url=?' in page
    assert "page=2" in page
    assert show(event, page="999").status_code == 200
    sections = re.findall(r'<section class="slide[^>]*>', page)
    assert [index for index, section in enumerate(sections) if " hidden" not in section] == [1]


@pytest.mark.django_db
def test_announcements_show_and_minors_are_shortened():
    event = EventFactory()
    play(event, 4, 1)
    Entry.objects.filter(event=event, number=1).update(name="Milo Vandenberg", is_minor=True)
    Announcement.objects.create(event=event, text="Lunch is served.")
    Announcement.objects.create(event=event, text="Old news.", withdrawn=True)
    page = show(event).text
    assert "Lunch is served." in page
    assert "Old news." not in page
    assert "Milo V." in page
    assert "Vandenberg" not in page


@pytest.mark.django_db
def test_a_draft_is_not_shown_and_before_the_start_there_is_a_welcome():
    event = EventFactory()
    assert "Welcome" in show(event).text
    play(event, 4, 1)
    Round.objects.update(state=Round.State.DRAFT)
    assert "Welcome" in show(event).text
    assert "Player 001" not in show(event).text


@pytest.mark.django_db
def test_a_table_with_extra_time_is_told_until_it_has_its_result(staff):
    event = staff.event
    play(event, 8, 1)
    Round.objects.update(state=Round.State.RUNNING)
    match = Match.objects.filter(kind="game").select_related("a", "b", "round__event").first()
    Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN)
    Event.objects.update(state=Event.State.RUNNING)
    match.refresh_from_db()
    for minutes in (3, 2):
        clock.extend_table(by=staff.actor("judge"), match=match, minutes=minutes, reason="A judge was called")
    assert f"Table {match.table}: 5 min extra" in show(event).content.decode()
    Match.objects.filter(pk=match.pk).update(state=Match.State.CONFIRMED)
    assert "min extra" not in show(event).content.decode()
