"""The projector's display: its settings, pages that include every player, and what it shows when."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from events.display import (
    AREA_BELOW_CLOCK,
    MAX_PREFIX,
    MAX_SHARES,
    SIZES,
    THEMES,
    DisplayLine,
    Settings,
    paged,
    ranges,
    read_settings,
    room_of,
    shared,
    strip_height,
    strips_of,
)
from events.models import Announcement, Entry, Event, Match, Round
from events.names import name_key
from events.services import clock
from tests.events.match_pages import play
from tests.factories import EventFactory
from tests.tables import every_row

NAMES = st.text(st.sampled_from("abcdeéÉ ZŁ-'ß"), min_size=1, max_size=12).filter(lambda name: name_key(name))


@given(
    st.lists(st.tuples(st.integers(), st.integers(0, 90)), max_size=80),
    st.sampled_from(sorted(SIZES)),
    st.booleans(),
    st.integers(1, 3),
    st.lists(st.integers(1, 300), max_size=2),
)
def test_pages_lose_no_one_and_never_run_over(rows, size, clock, columns, strips):
    room = room_of(Settings(size=size), clock=clock, columns=columns, strips=strips)
    lines = [DisplayLine(cells, letters) for cells, letters in rows]
    slides = paged("pairings", "Pairings", lines, room)
    assert [line for slide in slides for line in slide.lines] == lines
    assert [slide.number for slide in slides] == list(range(1, len(slides) + 1))
    assert all(1 <= len(slide.columns) <= columns for slide in slides)
    for slide in slides:
        for column in slide.columns:
            taken = sum(max(1, -(-line.letters // room.letters)) for line in column)
            assert taken <= room.lines or len(column) == 1


@every_row("size", SIZES)
@every_row(("players", "most"), [(8, 1), (67, 4), (500, 22)])
def test_a_list_beside_the_clock_takes_few_pages(size, players, most):
    room = room_of(Settings(size=size), clock=True, columns=3)
    lines = [DisplayLine(n, 16, f"{n:03d}") for n in range(players)]
    factor = 1 if size == "normal" else 2
    assert len(paged("pairings", "Pairings", lines, room)) <= most * factor


@given(st.lists(st.text(min_size=1, max_size=300), min_size=1, max_size=12), st.booleans())
def test_the_newest_announcement_stays_and_the_pages_keep_their_room(words, clock):
    standing = strips_of(words, Settings(), clock=clock)
    assert 1 <= standing <= len(words)
    if standing > 1:
        assert sum(strip_height(len(text)) for text in words[:standing]) <= AREA_BELOW_CLOCK / 2
    room = room_of(Settings(), clock=clock, columns=2, strips=[len(text) for text in words[:standing]])
    assert room.lines >= 3
    assert strips_of(words, Settings(parts=("announcements",)), clock=clock) == 0


@given(st.lists(NAMES, min_size=2, max_size=40), st.integers(1, 5))
def test_each_name_is_on_the_page_whose_heading_covers_it(names, length):
    keys = sorted(name_key(name) for name in names)
    pages = [[DisplayLine(key, 1, key) for key in keys[at : at + length]] for at in range(0, len(keys), length)]
    said = ranges(pages)
    if len(pages) == 1:
        assert said == [""]
        return
    for page, words in zip(pages, said, strict=True):
        first, _, last = words.partition("–")
        last = last or first
        for line in page:
            assert line.key[: len(first)] >= first.casefold()[: len(line.key)]
            assert line.key[: len(last)] <= last.casefold()
        assert all(len(part) <= MAX_PREFIX + 1 for part in (first, last))  # one letter can become two in capitals


def test_a_range_says_as_little_as_tells_the_pages_apart():
    pages = [["ada", "carl"], ["celia", "dana"], ["elena", "elodie"]]
    assert ranges([[DisplayLine(name, 4, name) for name in page] for page in pages]) == ["A–Ca", "Ce–D", "E"]


def test_names_are_sorted_without_their_accents():
    assert sorted(["Zoë", "Élodie", "Elena", "élan"], key=name_key) == ["élan", "Elena", "Élodie", "Zoë"]


@given(st.lists(st.integers(), max_size=60), st.integers(1, MAX_SHARES))
def test_several_windows_divide_a_list_among_them(lines, of):
    parts = [shared(lines, (part, of)) for part in range(1, of + 1)]
    assert [line for part in parts for line in part] == lines
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@every_row(
    "asked, shown, wanted",
    [
        ({}, [], Settings()),
        ({"seconds": "20", "size": "large"}, ["clock"], Settings(("clock",), 20, "large")),
        ({"seconds": "1"}, ["nonsense"], Settings(seconds=5)),
        ({"seconds": "99999"}, ["standings", "clock"], Settings(("clock", "standings"), 120)),
        ({"seconds": "٣", "size": "huge", "theme": "pink", "share": "3/2", "opponents": "?"}, [], Settings()),
        ({"theme": "white-on-black", "share": "2/3"}, [], Settings(theme="white-on-black", share=(2, 3))),
        ({"opponents": "no", "places": "all"}, [], Settings(opponents="no", places="all")),
    ],
)
def test_settings_come_from_the_address_and_nonsense_is_left_out(asked, shown, wanted):
    assert read_settings(asked, shown) == wanted


def show(event, **asked):
    return Client().get(reverse("events:display", args=[event.public_id]), asked)


def names(page, kind="pairings"):
    return [line.cells[0] for slide in page.context["slides"] if slide.kind == kind for line in slide.lines]


@pytest.mark.django_db
def test_pairings_by_name_name_both_players_of_a_table():
    event = EventFactory()
    play(event, 41, 2)
    page = show(event)
    assert len(names(page)) == 41
    assert names(page) == sorted(names(page))
    slides = page.context["slides"]
    assert {slide.kind for slide in slides} == {"pairings", "standings"}
    assert slides[-1].title == "Standings after round 1"


@pytest.mark.django_db
def test_every_player_stands_once_on_few_pages_and_no_name_is_shortened():
    event = EventFactory()
    play(event, 67, 1)
    long = "Aleksandra-Konstantinopolitańczykowianeczka of the very long names, the Second"
    Entry.objects.filter(event=event, number=1).update(name=long)
    page = show(event)
    wanted = [entry.name for entry in Entry.objects.filter(event=event)]
    assert sorted(names(page)) == sorted(wanted)
    assert long in page.text
    assert len([slide for slide in page.context["slides"] if slide.kind == "pairings"]) <= 4


@pytest.mark.django_db
def test_opponents_stand_beside_names_as_the_window_wishes():
    event = EventFactory()
    play(event, 67, 1)
    for entry in Entry.objects.filter(event=event):
        Entry.objects.filter(pk=entry.pk).update(name=f"{entry.number:02d} Maximilian Vandenberghe")

    def opponents(**asked):
        slides = show(event, **asked).context["slides"]
        return {
            bool(line.cells[2]) for slide in slides for line in slide.lines if "bye" not in line.cells[1].casefold()
        }

    assert opponents() == {False}
    assert opponents(opponents="yes") == {True}
    assert opponents(opponents="no") == {False}
    few = EventFactory()
    play(few, 8, 1)
    assert show(few).context["slides"][0].lines[0].cells == ("Player 001", "4", "Player 008")


@pytest.mark.django_db
def test_windows_that_share_a_list_show_all_of_it_together():
    event = EventFactory()
    play(event, 30, 1)
    parts = [names(show(event, share=f"{part}/3")) for part in (1, 2, 3)]
    assert [len(part) for part in parts] == [10, 10, 10]
    assert [name for part in parts for name in part] == names(show(event))


@pytest.mark.django_db
def test_a_large_field_shows_its_first_places_while_a_round_is_played():
    event = EventFactory()
    play(event, 152, 2)
    page = show(event, show="standings")
    assert len(names(page, "standings")) == 48
    assert "Top 48 after round 1" in page.text
    assert len(names(show(event, show="standings", places="all"), "standings")) == 152
    Round.objects.filter(event=event, number=2).update(state=Round.State.COMPLETE)
    assert len(names(show(event, show="standings"), "standings")) == 152


@pytest.mark.django_db
@pytest.mark.parametrize("theme", THEMES)
def test_a_window_has_its_own_colours(theme):
    event = EventFactory()
    play(event, 4, 1)
    page = show(event, theme=theme).text
    drawn = {"": "system", "white-on-black": "dark", "black-on-white": "light"}.get(theme, theme)
    assert f'data-theme="{drawn}"' in page
    assert ("high-contrast" in page.split("<main")[0]) == (theme in ("white-on-black", "black-on-white"))


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
def test_without_scripts_a_single_page_is_asked_for_again_too():
    event = EventFactory()
    play(event, 4, 1)
    assert '<noscript><meta http-equiv="refresh" content="12;' in show(event, show="clock").text


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
def test_every_announcement_has_its_place_however_many_there_are():
    event = EventFactory()
    play(event, 8, 1)
    for number in range(7):
        Announcement.objects.create(event=event, text=f"Word {number}: " + "wait for it " * 20)
    page = show(event)
    for number in range(7):
        assert page.text.count(f"Word {number}: ") == 1
    assert "Word 6" in page.context["words"][0].text
    assert [slide.title for slide in page.context["slides"] if slide.kind == "words"]
    assert not show(event, show="announcements").context["words"]


@pytest.mark.django_db
def test_a_draft_is_not_shown_and_before_the_start_there_is_a_welcome():
    event = EventFactory()
    assert "Welcome" in show(event).text
    play(event, 4, 1)
    Round.objects.update(state=Round.State.DRAFT)
    assert "Welcome" in show(event).text
    assert "Player 001" not in show(event).text


@pytest.mark.django_db
def test_a_display_left_open_overnight_has_a_place_for_everything_that_comes():
    """Live updates only exchange parts, so every part is always present, even while empty."""
    event = EventFactory()
    before = set(re.findall(r'data-live="(\w+)"', show(event).text))
    play(event, 8, 1)
    Announcement.objects.create(event=event, text="Good morning.")
    assert set(re.findall(r'data-live="(\w+)"', show(event).text)) == before == {"band", "slides", "words"}


@pytest.mark.django_db
def test_a_table_with_extra_time_is_told_until_it_has_its_result(staff):
    event = staff.event
    play(event, 14, 1)
    Round.objects.update(state=Round.State.RUNNING)
    Event.objects.update(state=Event.State.RUNNING)
    matches = list(Match.objects.filter(kind="game").select_related("a", "b", "round__event"))
    for match in matches[:6]:
        for minutes in (3, 2):
            clock.extend_table(by=staff.actor("judge"), match=match, minutes=minutes, reason="A judge was called")
    page = show(event).text
    assert page.count("+5 min") == 4
    assert "and 2 more" in page
    Match.objects.update(state=Match.State.CONFIRMED)
    assert "+5 min" not in show(event).text
