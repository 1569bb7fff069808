"""A player's own page in every state of a day, and the links to it: what it says, offers and hides."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from events.models import Claim, Entry, Event, Match, Round
from events.roles import SITE, Actor
from events.services import results
from events.services.clock import extend_table, pause, start_preparation, start_round
from tests.events.match_pages import play
from tests.factories import EntryFactory, EventFactory, PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return PersonFactory(name="Femke Peeters")


@pytest.fixture
def me(person):
    """The first of eight players, in the second round, playing someone with an account."""
    event = EventFactory()
    play(event, 8, 2)
    Entry.objects.filter(event=event, number=1).update(person=person, name=person.name)
    Entry.objects.filter(event=event, number=2).update(person=PersonFactory(), name="Bram Maes")
    match = Match.objects.get(round__event=event, round__number=2, table=4)
    assert {match.a.number, match.b.number} == {1, 2}
    return Entry.objects.get(event=event, number=1)


def page_of(entry, person):
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client.get(reverse("events:entry", args=[entry.event.public_id, entry.number])).text


def words(page):
    main = page.split("<main")[1].split("</main>")[0]
    return re.sub(r"\s+", " ", strip_tags(main))


def report(entry, own, other):
    match = Match.objects.get(round__event=entry.event, round__number=2, table=4)
    first = match.a_id == entry.pk
    a, b = (own, other) if first else (other, own)
    results.claim_result(by=Actor(person=entry.person), match=match, result={"score_a": a, "score_b": b})


@pytest.mark.parametrize("state, tab", [("open", "My entry"), ("running", "My table"), ("finished", "My entry")])
def test_the_tab_of_the_own_page_speaks_of_a_table_while_the_event_runs(me, person, state, tab):
    Event.objects.update(state=state)
    assert f">{tab}</a>" in page_of(me, person).split("<main")[0]


def test_the_table_the_opponent_and_the_time_are_the_biggest_things(me, person):
    page = page_of(me, person)
    assert re.search(r'class="place-table">Table <b>4</b>', page)
    said = words(page)
    assert "against Bram Maes" in said
    assert "Time left:" in said
    assert "Report result" in said
    assert "Call a judge" in said
    assert "My force" in said


def test_a_table_with_extra_time_says_why_its_clock_differs_from_the_halls(me, person):
    assert "with extension" not in words(page_of(me, person))
    match = Match.objects.get(round__event=me.event, round__number=2, table=4)
    extend_table(by=SITE, match=match, minutes=7, reason="a long ruling")
    assert "with extension" in words(page_of(me, person))


def test_before_the_clock_starts_the_time_is_not_called_left(me, person):
    Round.objects.filter(event=me.event, number=2).update(state=Round.State.PUBLISHED)
    assert "Round time: 50:00" in words(page_of(me, person))
    start_round(by=SITE, round=Round.objects.get(event=me.event, number=2))
    assert "Time left:" in words(page_of(me, person))


def test_a_clock_that_stands_or_counts_the_preparation_says_so(me, person):
    round_ = Round.objects.get(event=me.event, number=2)
    Round.objects.filter(pk=round_.pk).update(state=Round.State.PUBLISHED)
    start_preparation(by=SITE, round=Round.objects.get(pk=round_.pk))
    assert re.search(r"Time(?: left)?: (?:10:00|9:5\d) of preparation", words(page_of(me, person)))
    start_round(by=SITE, round=Round.objects.get(pk=round_.pk))
    assert "preparation" not in words(page_of(me, person))
    pause(by=SITE, round=Round.objects.get(pk=round_.pk))
    assert re.search(r"Time left: (?:50:00|49:5\d) paused", words(page_of(me, person)))


def test_a_finished_event_does_not_say_that_a_player_is_checked_in(me, person):
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    where = reverse("events:event", args=[me.event.public_id])
    assert "You're checked in" in words(client.get(where).text)
    Event.objects.filter(pk=me.event.pk).update(state=Event.State.VERIFIED)
    said = words(client.get(where).text)
    assert "The event is over" in said
    assert "You're checked in" not in said


def test_a_player_sees_and_may_change_their_report(me, person):
    report(me, 120, 80)
    said = words(page_of(me, person))
    assert "You reported 120 : 80. It's confirmed when Bram Maes reports the same result." in said
    assert "Correct my report" in said


def test_the_opponents_report_is_not_shown(me, person):
    report(Entry.objects.get(event=me.event, number=2), 133, 87)
    said = words(page_of(me, person))
    assert "Bram Maes has reported. Enter your result." in said
    assert "Report result" in said
    assert not re.search(r"\b(133|87)\b", said)


def test_no_one_else_sees_that_a_player_has_reported(me):
    report(me, 133, 87)
    said = words(page_of(me, PersonFactory()))
    assert "133" not in said
    assert "has reported" not in said


def test_players_stay_at_the_table_if_their_reports_differ(me, person):
    report(me, 120, 80)
    report(Entry.objects.get(event=me.event, number=2), 120, 80)
    said = words(page_of(me, person))
    assert "The two reports don't match. Correct your report, or call a judge." in said
    assert "Compare the reports" in said


def test_matching_reports_show_the_result(me, person):
    report(me, 120, 80)
    report(Entry.objects.get(event=me.event, number=2), 80, 120)
    assert Claim.objects.count() == 2
    said = words(page_of(me, person))
    assert "You Won 120 Bram Maes Lost 80" in said
    assert "You're done for this round." in said
    assert "Report result" not in said


@pytest.mark.parametrize(
    "state, wanted",
    [
        (Entry.State.DROPPED, "Dropped from the event"),
        (Entry.State.DISQUALIFIED, "Disqualified from the event"),
    ],
)
def test_a_player_who_has_left_is_told_so(me, person, state, wanted):
    Match.objects.filter(round__event=me.event, round__number=2).delete()
    Entry.objects.filter(pk=me.pk).update(state=state, dropped_after=1)
    said = words(page_of(me, person))
    assert wanted in said
    assert "Notify me about pairings" not in said


def test_after_the_event_the_place_stands_there(person):
    event = EventFactory()
    play(event, 8, 2, last_open=False)
    entry = Entry.objects.get(event=event, number=1)
    Entry.objects.filter(pk=entry.pk).update(person=person)
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    place = re.search(r"Place <b>(\d)</b> of 8", page_of(entry, person))
    assert place
    # all won once; number 8 scored 103 + 62, numbers 1 and 6 both 164, all others less
    assert place[1] in ("2", "3")


def test_a_cancelled_event_says_so(person):
    event = EventFactory(state=Event.State.CANCELLED)
    entry = EntryFactory(event=event, number=1, person=person)
    assert "The event is cancelled" in words(page_of(entry, person))


@pytest.mark.parametrize("stage", ["before round 1", "in a round", "between rounds"])
def test_a_page_that_waits_for_pairings_may_tell_of_them_in_every_state(me, person, stage):
    """The mark that keeps a hidden page listening is there before, in and between rounds."""
    if stage == "before round 1":
        Round.objects.filter(event=me.event).delete()
        Event.objects.filter(pk=me.event.pk).update(state=Event.State.OPEN)
    if stage == "between rounds":
        Round.objects.filter(event=me.event).update(state=Round.State.COMPLETE)
    page = page_of(me, person)
    assert 'id="notice-ask"' in page
    assert '<span data-notice="" hidden></span>' in page
    assert page.index('data-live="entry-now"') < page.index('<span data-notice="" hidden>')


def test_my_page_puts_what_runs_first(me, person):
    early = EventFactory(name="Next week", starts=me.event.starts.replace(year=2020))
    EntryFactory(event=early, number=1, person=person)
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("events:me")).text
    assert page.index(me.event.name) < page.index("Next week")


def test_the_console_leads_to_the_address_for_phones(staff):
    console = staff.client("head_judge").get(reverse("events:console", args=[staff.event.public_id])).text
    here = f"{reverse('events:here')}?event={staff.event.public_id}"
    assert here in console
    assert Client().get(here).status_code == 200


@pytest.mark.parametrize(
    "site, shown, steps",
    [
        ("http://192.168.7.20:8000", "192.168.7.20:8000", 3),
        ("https://192.168.7.20", "https://192.168.7.20", 3),
        ("http://shop.local", "shop.local", 3),
        ("https://judge.example.org", "https://judge.example.org", 2),
    ],
)
def test_the_address_is_short_enough_to_be_typed(settings, site, shown, steps):
    settings.SITE_URL = site
    event = EventFactory(name="Saturday")
    page = Client().get(reverse("events:here"), {"event": event.public_id}).text
    assert f'href="{site}/">{shown}</a>' in page
    assert f"{site}/events/{event.public_id}/" in page
    assert page.split("<ol>")[-1].count("<li>") == steps
