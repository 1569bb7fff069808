"""Setting up events through requests: create, change, copy, open, cancel, list, public page."""

import datetime
import html

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events import choices, standings
from events.models import AuditEntry, Event, Hall, Official, Venue
from judging.keeping.event_file import event_file
from tests.conftest import client_of, confirmed
from tests.events.simulation import play_round, players
from tests.factories import EntryFactory, EventFactory, PersonFactory, RoundFactory, VenueFactory

pytestmark = pytest.mark.django_db


def facts(**changed):
    """Return the posted values of the form with only the name filled in."""
    cascade = dict(zip([f"by_{n}" for n in range(1, 7)], [*standings.DEFAULT_CASCADE, "", ""], strict=False))
    scenarios = {f"scenario_{n}": "" for n in range(1, 9)}
    return {
        "name": "Saturday Cup", "starts": "2030-06-01T14:00", "format": "constructed", "edition": "car-2002",
        "build_total": 200, "seats": 24, "head_judge": "", "pairing_style": "swiss", "number_of_rounds": "",
        "cut_to": 0, "round_minutes": 50, "preparation_minutes": 10, "time_called": "action", "tied_game": "edition",
        "scenario_of_all": "default", "bye_score": "half", "cap_points": "on", "universe": "any", "sets": "",
        "tactics": list(choices.TACTICS), "forces_public": "on", "hall": "", "first_table": 1, "description": "",
        "entries_close": "", "forces_close": "", "late_start": "loss", "shorten_minors": "on",
    } | scenarios | cascade | changed  # fmt: skip


def create(staff, **changed):
    where = reverse("events:create") + f"?venue={staff.event.venue_id}"
    return staff.client("manager").post(where, facts(**changed))


def at(event, rest=""):
    return f"/events/{event.public_id}/{rest}"


def text(response):
    return html.unescape(response.content.decode())


def made():
    return Event.objects.get(name="Saturday Cup")


def test_an_event_with_the_usual_values_is_a_draft_by_the_books(staff):
    assert create(staff).status_code == 302
    event = made()
    assert (event.state, event.round_minutes, event.preparation_minutes) == ("draft", 50, 10)
    assert (event.bye_points, event.cap_points, event.number_of_rounds) == (100, True, None)
    assert event.scenarios == ["challenge-of-the-champions"]
    assert event.cascade == list(standings.DEFAULT_CASCADE)
    assert event.tactics is None
    assert event.sets == []
    assert event.starts == datetime.datetime(2030, 6, 1, 12, 0, tzinfo=datetime.UTC)
    assert AuditEntry.objects.get().verb == "create-event"


def test_a_battle_royale_seats_four_and_counts_places(staff):
    create(staff, format="battle-royale", place_points="5, 3, 2, 0")
    event = made()
    assert (event.table_size, event.points_by_place) == (4, (5, 3, 2, 0))
    assert event.cascade == list(standings.CASCADE_BY_PLACE)
    client = staff.client("manager")
    assert "5/3/2/0" in text(client.get(at(event)))
    changed = facts(format="battle-royale", table_size=4, place_points="", version=event.version)
    changed |= {f"by_{n}": name for n, name in enumerate(standings.CASCADE_BY_PLACE, 1)}
    assert client.post(at(event, "edit/"), changed).status_code == 302
    event.refresh_from_db()
    assert (event.points_by_place, event.cascade[0]) == ((4, 3, 2, 1), "match-points")
    assert client.post(at(event, "edit/"), facts(table_size=2, version=event.version)).status_code == 302
    event.refresh_from_db()
    assert (event.table_size, event.points_by_place) == (2, ())


def test_players_at_a_table_stay_once_a_round_is_paired(staff):
    players(staff.event, 6)
    play_round(staff.actor("head_judge"), staff.event)
    event = Event.objects.get(pk=staff.event.pk)
    posted = facts(name=event.name, table_size=4, version=event.version, confirmed="yes", reason="more fun")
    answer = staff.client("manager").post(at(event, "edit/"), posted)
    assert "number of players at a table" in text(answer) or answer.status_code == 403
    event.refresh_from_db()
    assert event.table_size == 2


def test_the_form_begins_with_the_usual_values(staff):
    page = staff.client("manager").get(reverse("events:create"))
    form = page.context["form"]
    assert form["round_minutes"].value() == 50
    assert form["by_2"].value() == "victory-points"
    assert form["scenario_of_all"].value() == "default"
    assert form["starts"].value().weekday() == 5


@pytest.mark.parametrize("edition", ["dc-2005", "core-2014", "core-modern"])
def test_later_books_have_no_scenario_by_default(staff, edition):
    create(staff, edition=edition)
    assert made().scenarios == []


@pytest.mark.parametrize(
    "changed, field, words",
    [
        ({"build_total": 250}, "build_total", "200 or 300"),
        ({"build_total": 0}, "build_total", "from 1"),
        ({"build_total": "many"}, "build_total", "whole number"),
        ({"edition": "core-2014", "scenario_of_all": "showdown"}, "scenario_of_all", "isn't in this edition"),
        ({"edition": "ic-2002", "scenario_2": "blackout"}, "scenario_2", "isn't in this edition"),
        ({"by_3": "wins"}, "by_3", "already chosen"),
        ({"event_dial": "on"}, "event_dial", "2014"),
        ({"pairing_style": "elimination", "cut_to": 8}, "cut_to", "has no cut"),
        ({"cut_to": 1}, "cut_to", "at least two"),
        ({"table_size": 4, "cut_to": 8}, "cut_to", "have no cut"),
        ({"table_size": 4, "third_place": "on"}, "third_place", "have no cut"),
        ({"format": "battle-royale", "pairing_style": "round-robin"}, "pairing_style", "Swiss"),
        ({"table_size": 3, "place_points": "4/3/2/1"}, "place_points", "3 places"),
        ({"table_size": 4, "place_points": "1/2/3/4"}, "place_points", "4/3/2/1"),
        ({"table_size": 4, "place_points": "many"}, "place_points", "4/3/2/1"),
        ({"table_size": 5}, "table_size", "Select a valid choice"),
        ({"seats": 6, "cut_to": 8}, "cut_to", "larger"),
        ({"seats": 1}, "seats", "2 to 5,000"),
        ({"starts": "2030-03-31T02:30"}, "starts", "interpreted"),
        ({"entries_close": "2030-06-01T15:00"}, "entries_close", "after the event starts"),
        ({"sets": "ic, <b>"}, "sets", "isn't the abbreviation"),
        ({"head_judge": "nobody@example.org"}, "head_judge", "No account uses this address"),
        ({"number_of_rounds": 0}, "number_of_rounds", "from 1"),
        ({"name": ""}, "name", "required"),
    ],
)
def test_a_fault_stands_at_its_field_and_nothing_typed_is_lost(staff, changed, field, words):
    response = create(staff, description="Bring dice", **changed)
    form = response.context["form"]
    assert words in html.unescape(" ".join(form.errors[field]))
    assert "Bring dice" in response.content.decode()
    assert not Event.objects.filter(name="Saturday Cup").exists()


def test_a_practice_event_may_have_any_build_total(staff):
    create(staff, build_total=250, is_practice="on")
    assert made().build_total == 250


def test_head_to_head_of_may_2002_is_infinity_challenge(staff):
    create(staff, format="head-to-head")
    assert made().sets == ["ic"]
    made().delete()
    create(staff, format="head-to-head", sets="CT, ic ct")
    assert made().sets == ["ct", "ic"]
    made().delete()
    create(staff, format="head-to-head", edition="core-2014")
    assert made().sets == []


def test_sets_are_chosen_from_the_catalogue_where_there_is_one(staff):
    from rules.models import Set

    Set.objects.create(code="ic", name="Infinity Challenge")
    Set.objects.create(code="ct", name="Clobberin' Time")
    page = html.unescape(staff.client("manager").get(reverse("events:create")).content.decode())
    assert "Clobberin' Time (ct)" in page
    assert "valid choice" in " ".join(create(staff, sets=["zz"]).context["form"].errors["sets"])
    create(staff, sets=["ct"])
    event = made()
    assert event.sets == ["ct"]
    Set.objects.filter(code="ct").delete()
    form = staff.client("manager").get(reverse("events:edit", args=[event.public_id])).context["form"]
    assert form["sets"].value() == ["ct"]
    assert ("ct", "ct") in form.fields["sets"].choices


def test_each_round_may_have_a_scenario_of_its_own(staff):
    create(staff, scenario_3="winner-takes-all", scenario_4="none")
    champions = "challenge-of-the-champions"
    event = made()
    assert event.scenarios == [champions, champions, "winner-takes-all", "", champions]
    assert [choices.scenario_of_round(event.scenarios, n) for n in (1, 3, 4, 5, 9)] == [
        champions, "winner-takes-all", "", champions, champions,
    ]  # fmt: skip
    page = staff.client("manager").get(reverse("events:edit", args=[event.public_id]))
    form = page.context["form"]
    assert (form["scenario_3"].value(), form["scenario_4"].value(), form["scenario_5"].value() or "") == (
        "winner-takes-all", "none", "",
    )  # fmt: skip


def test_the_form_shows_the_saved_values(staff):
    wanted = {
        "edition": "core-2014", "event_dial": "on", "tactics": ["feats"], "by_1": "match-points", "by_2": "",
        "by_3": "head-to-head", "by_4": "", "cut_to": 4, "number_of_rounds": 5, "bye_score": "full",
        "tied_game": "double-loss", "time_called": "turn", "scenario_of_all": "custom", "sets": "ic",
    }  # fmt: skip
    create(staff, **wanted)
    event = made()
    page = staff.client("manager").get(reverse("events:edit", args=[event.public_id]))
    again = {name: page.context["form"][name].value() for name in page.context["form"].fields}
    again = {name: value for name, value in again.items() if value not in (None, False)}
    again |= {"starts": "2030-06-01T14:00", "version": event.version}
    staff.client("manager").post(reverse("events:edit", args=[event.public_id]), again)
    after = made()
    assert AuditEntry.objects.filter(verb="change-event").values_list("changes", flat=True).first() is None
    assert after.version == event.version
    assert after.cascade == ["match-points", "head-to-head"]
    assert after.tactics == ["feats"]


@pytest.mark.parametrize("who", ["head_judge", "judge", "scorekeeper"])
def test_only_its_venue_creates(staff, who):
    where = reverse("events:create") + f"?venue={staff.event.venue_id}"
    assert staff.client(who).post(where, facts()).status_code == 403
    assert Event.objects.count() == 1


@pytest.mark.parametrize("state", ["pending", "refused", "suspended"])
def test_only_an_approved_venue_creates(staff, state):
    Venue.objects.update(state=state)
    assert create(staff).status_code == 403
    assert Event.objects.count() == 1


def test_a_conventions_events_lie_within_its_days(staff):
    Venue.objects.update(kind="convention", opens=datetime.date(2030, 6, 2), closes=datetime.date(2030, 6, 3))
    assert "Sunday 2 June 2030" in " ".join(create(staff).context["form"].errors["starts"])
    assert create(staff, starts="2030-06-03T23:30").status_code == 302


def test_an_event_is_opened_once_it_has_an_accepted_head_judge(staff):
    create(staff)
    event, manager = made(), staff.client("manager")
    where = reverse("events:open", args=[event.public_id])
    refused = manager.post(where)
    assert refused.status_code == 403
    assert "no head judge" in refused.content.decode()
    manager.post(
        reverse("events:officials", args=[event.public_id]), {"email": staff.head_judge.email, "role": "head-judge"}
    )
    refused = manager.post(where)
    assert refused.status_code == 403
    assert "accepted the role of head judge yet" in refused.text
    official = event.officials.get()
    confirmed(staff.head_judge)
    staff.client("head_judge").post(reverse("events:offer-answer", args=["role", official.pk, "accept"]))
    assert manager.post(where).status_code == 302
    assert made().state == "open"


def test_a_draft_is_seen_by_its_staff_only(staff, client):
    create(staff)
    where = reverse("events:event", args=[made().public_id])
    assert client.get(where).status_code == 404
    assert staff.client("judge").get(where).status_code == 404
    assert staff.client("manager").get(where).status_code == 200
    assert "Saturday Cup" not in client.get(reverse("events:list") + "?when=all").content.decode()


def edit(staff, who="manager", **changed):
    event = staff.event
    event.refresh_from_db()
    posted = facts(name=event.name, version=event.version, **changed)
    return staff.client(who).post(reverse("events:edit", args=[event.public_id]), posted)


def test_a_running_event_is_changed_only_after_its_consequences_were_seen(staff):
    Event.objects.update(state="running")
    asked = edit(staff, "head_judge", build_total=300)
    assert asked.status_code == 409
    assert "Build total: 200 → 300" in asked.content.decode()
    assert "danger" not in asked.content.decode(), "an edit takes nothing away"
    assert Event.objects.get().build_total == 200
    edit(staff, "head_judge", build_total=300, confirmed="yes")
    assert Event.objects.get().build_total == 300


def test_a_stale_form_overwrites_nothing(staff):
    Event.objects.update(version=7, build_total=500)
    answer = staff.client("manager").post(
        reverse("events:edit", args=[staff.event.public_id]), facts(name="Other", version=1)
    )
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "<td>500</td>" in page
    assert "build total" in page
    assert "minutes per round" not in page
    assert "+00:00" not in page
    assert Event.objects.get().build_total == 500


@pytest.mark.parametrize("who, allowed", [("manager", True), ("head_judge", True), ("judge", False), ("office", False)])
def test_who_changes_an_event(staff, who, allowed):
    assert edit(staff, who).status_code == (302 if allowed else 403)


def test_last_weeks_event_is_copied_to_the_same_hour_by_the_clock(staff):
    zone = staff.event.venue.zone
    Event.objects.update(
        starts=datetime.datetime(2030, 3, 30, 14, 0, tzinfo=zone), build_total=400, state="verified",
        scenarios=["showdown"],
    )  # fmt: skip
    EntryFactory(event=staff.event)
    answer = staff.client("manager").post(reverse("events:copy", args=[staff.event.public_id]))
    copy = Event.objects.exclude(pk=staff.event.pk).get()
    assert answer.url == reverse("events:edit", args=[copy.public_id])
    assert copy.starts == datetime.datetime(2030, 4, 6, 14, 0, tzinfo=zone)
    assert (copy.state, copy.build_total, copy.scenarios) == ("draft", 400, ["showdown"])
    assert copy.copied_from == staff.event
    assert AuditEntry.objects.get(sentence="event-copied").words.endswith("copied to Saturday 6 April 2030")
    assert copy.seed != staff.event.seed
    assert copy.public_id != staff.event.public_id
    assert copy.officials.count() == 3
    assert not copy.entries.exists()


def test_an_old_event_is_copied_to_the_next_such_weekday(staff):
    Event.objects.update(starts=timezone.now() - datetime.timedelta(days=40))
    staff.client("manager").post(reverse("events:copy", args=[staff.event.public_id]))
    copy = Event.objects.exclude(pk=staff.event.pk).get()
    assert timezone.now() < copy.starts < timezone.now() + datetime.timedelta(days=8)
    assert staff.client("head_judge").post(reverse("events:copy", args=[staff.event.public_id])).status_code == 403


def test_a_suspended_volunteer_is_not_copied_as_head_judge(staff):
    staff.head_judge.volunteer.state = "suspended"
    staff.head_judge.volunteer.save()
    staff.client("manager").post(reverse("events:copy", args=[staff.event.public_id]))
    copy = Event.objects.exclude(pk=staff.event.pk).get()
    assert not copy.officials.filter(role=Official.Role.HEAD_JUDGE).exists()


def test_an_event_is_cancelled_with_a_reason_after_its_consequences(staff, client):
    EntryFactory(event=staff.event)
    where, manager = reverse("events:cancel", args=[staff.event.public_id]), staff.client("manager")
    asked = manager.post(where)
    assert asked.status_code == 409
    assert "t notify the 1 registered player" in asked.content.decode()
    assert '<button class="danger filled">Cancel event</button>' in asked.content.decode()
    assert manager.post(where, {"confirmed": "yes"}).status_code == 409
    manager.post(where, {"confirmed": "yes", "reason": "Flooded"})
    assert Event.objects.get().state == "cancelled"
    assert AuditEntry.objects.get().reason == "Flooded"
    assert staff.client("head_judge").post(where, {"confirmed": "yes", "reason": "x"}).status_code == 403
    assert "Flooded" in client.get(reverse("events:event", args=[staff.event.public_id])).content.decode()


def test_conflicting_tables_in_a_hall_are_reported_with_a_free_number(staff):
    hall = Hall.objects.create(venue=staff.event.venue, name="Cellar", tables=20)
    at = datetime.datetime(2030, 6, 1, 13, 0, tzinfo=datetime.UTC)
    Event.objects.update(hall=hall, first_table=1, seats=16, starts=at)
    create(staff, hall=hall.pk, first_table=5, seats=12)
    page = staff.client("manager").get(reverse("events:event", args=[made().public_id])).content.decode()
    assert "uses tables 5 to 8 in Cellar" in page
    assert "Tables 9 and up are free" in page
    Event.objects.filter(pk=made().pk).update(first_table=8)
    page = staff.client("manager").get(reverse("events:event", args=[made().public_id])).content.decode()
    assert "uses table 8 in Cellar" in page
    Event.objects.filter(pk=made().pk).update(first_table=9)
    page = staff.client("manager").get(reverse("events:event", args=[made().public_id])).content.decode()
    assert "at that time" not in page
    Event.objects.filter(pk=made().pk).update(seats=40)
    page = staff.client("manager").get(reverse("events:event", args=[made().public_id])).content.decode()
    assert "Cellar has 20 tables" in page


def test_the_public_page_shows_the_venues_time_and_the_facts(staff, client):
    Event.objects.update(starts=datetime.datetime(2030, 6, 1, 12, 0, tzinfo=datetime.UTC), scenarios=["mind-switch"])
    page = client.get(reverse("events:event", args=[staff.event.public_id])).content.decode()
    for words in ("Saturday 1 June 2030, 14:00", "Mind Switch", "half the build total", staff.head_judge.name):
        assert words in page
    assert staff.manager.name not in page
    assert "Cancel event" not in page


def test_entering_is_the_biggest_thing_until_entries_close(staff, client):
    where = reverse("events:event", args=[staff.event.public_id])
    page = client.get(where).content.decode()
    assert "32 seats left" in page
    assert reverse("events:enter", args=[staff.event.public_id]) in page
    Event.objects.update(entries_close=timezone.now() - datetime.timedelta(minutes=1))
    page = client.get(where).content.decode()
    assert "Registration is closed" in page
    assert "seats are free" not in page


def test_a_minors_name_is_short_where_a_link_shows_it(staff, client):
    from events.services.people import entry_link, renew_entry_link

    entry = EntryFactory(event=staff.event, name="Kim Young", is_minor=True)
    client.get(entry_link(entry))
    page = client.get(reverse("events:event", args=[staff.event.public_id])).content.decode()
    assert "Kim Y.'s player link" in page
    old = entry_link(entry)
    renew_entry_link(by=staff.actor("judge"), entry=entry)
    over = client.get(old).content.decode()
    assert "Kim Y." in over
    assert "Kim Young" not in page + over


def test_the_list_is_searched_and_sorted_by_time(client):
    soon = EventFactory(name="Sooner", starts=timezone.now() + datetime.timedelta(days=1), edition="core-2014")
    EventFactory(name="Later", starts=timezone.now() + datetime.timedelta(days=9), venue=VenueFactory(city="Bruges"))
    EventFactory(name="Past events", state="verified", starts=timezone.now() - datetime.timedelta(days=9))
    where = reverse("events:list")
    page = client.get(where).content.decode()
    assert page.index("Sooner") < page.index("Later")
    assert "November" in page or soon.starts.strftime("%b") in page
    assert "Past events" not in page.split('<ul class="lines')[1]
    assert "Past events" in client.get(where, {"when": "played"}).content.decode().split('<ul class="lines')[1]
    assert "Sooner" not in client.get(where, {"q": "bruges"}).content.decode()
    assert "Later" not in client.get(where, {"edition": "core-2014"}).content.decode()
    assert "Past events" in client.get(where, {"state": "verified"}).content.decode().split('<ul class="lines')[1]
    day = (timezone.now() + datetime.timedelta(days=5)).date()
    assert "Sooner" not in client.get(where, {"from_day": day}).content.decode()
    assert client.get(where, {"from_day": "nonsense"}).status_code == 200


@pytest.mark.parametrize("rows", [20, 200])
def test_lists_and_pages_ask_as_often_for_many_as_for_few(client, staff, rows, django_assert_max_num_queries):
    for _number in range(rows):
        EventFactory(venue=staff.event.venue)
        EntryFactory(event=staff.event)
    Event.objects.filter(pk=staff.event.pk).update(state="running")
    RoundFactory(event=staff.event)
    with django_assert_max_num_queries(2):
        client.get(reverse("events:list"))
    with django_assert_max_num_queries(4):
        client.get("/")
    with django_assert_max_num_queries(9):
        client.get(reverse("events:event", args=[staff.event.public_id]))
    head = staff.client("head_judge")
    with django_assert_max_num_queries(16):
        head.get(reverse("events:event", args=[staff.event.public_id]))


def test_managers_of_several_venues_choose_one(staff):
    other = VenueFactory(name="Second Shop")
    other.management.create(person=staff.manager, confirmed=timezone.now())
    page = staff.client("manager").get(reverse("events:create")).content.decode()
    assert "Second Shop" in page
    assert staff.event.venue.name in page
    stranger = PersonFactory()
    assert "you don't manage one" in client_of(stranger).get(reverse("events:create")).content.decode()


def test_a_search_from_the_first_page_finds_what_was_played_too(staff, client):
    where = reverse("events:list")
    Event.objects.filter(pk=staff.event.pk).update(name="Autumn Clash", state=Event.State.VERIFIED)
    first = client.get(where).text
    assert "Autumn Clash" not in first
    assert 'name="when"' not in first, "who has chosen no tab searches in all"
    assert "Autumn Clash" in client.get(where, {"q": "clash"}).text
    assert "Autumn Clash" not in client.get(where, {"q": "clash", "when": "coming"}).text
    assert 'name="when" value="played"' in client.get(where, {"when": "played"}).text


# copies


def _open_at(staff, starts):
    Event.objects.filter(pk=staff.event.pk).update(starts=starts)
    staff.event.refresh_from_db()
    return staff.client("manager"), at(staff.event, "copy/")


def test_a_second_copy_of_the_same_week_is_asked_for(staff):
    manager, copy = _open_at(staff, timezone.now() + datetime.timedelta(days=1))
    manager.post(copy)
    assert staff.event.copies.count() == 1
    page = text(manager.post(copy))
    assert "has already been copied to" in page
    assert staff.event.copies.count() == 1
    manager.post(copy, {"confirmed": "yes"})
    assert staff.event.copies.count() == 2


def test_an_event_is_repeated_weekly_until_a_day_and_no_week_twice(staff):
    manager, copy = _open_at(staff, timezone.now() + datetime.timedelta(days=1))
    until = (staff.event.starts + datetime.timedelta(days=22)).date()
    manager.post(copy, {"until": until.isoformat()})
    days = [(one.starts - staff.event.starts).days for one in staff.event.copies.order_by("starts")]
    assert days == [7, 14, 21]
    assert "Every week until that day already has a copy." in text(manager.post(copy, {"until": until.isoformat()}))
    for odd in ("2001-01-01", "2999-01-01", "never"):
        manager.post(copy, {"until": odd})
    assert staff.event.copies.count() == 3


def test_only_the_venue_repeats_an_event(staff):
    _manager, copy = _open_at(staff, timezone.now() + datetime.timedelta(days=1))
    until = (staff.event.starts + datetime.timedelta(days=22)).date().isoformat()
    for who in (staff.client("judge"), staff.client("head_judge"), Client()):
        who.post(copy, {"until": until})
    assert not staff.event.copies.exists()


def test_a_draft_in_the_past_says_so_on_its_page(staff):
    Event.objects.filter(pk=staff.event.pk).update(
        state=Event.State.DRAFT, starts=timezone.now() - datetime.timedelta(days=1)
    )
    assert "This event starts in the past." in text(staff.client("manager").get(at(staff.event)))


def test_a_draft_near_another_of_its_head_judge_says_so_on_its_card(staff):
    starts = timezone.now() + datetime.timedelta(days=30)
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.DRAFT, starts=starts, is_practice=False)
    other = EventFactory(venue=staff.event.venue, state="draft", starts=starts + datetime.timedelta(hours=2))
    Official.objects.create(
        event=other, person=staff.head_judge, role="head-judge", accepted=timezone.now(), confirmed=timezone.now()
    )
    page = text(staff.client("manager").get(at(staff.event)))
    assert "one sanctioned event in any four hours" in page.split("<dl")[0]


def test_a_finished_event_opens_with_its_podium(staff):
    players(staff.event, 4)
    play_round(staff.actor("head_judge"), staff.event)
    page = at(staff.event)
    assert "Final standings" not in text(Client().get(page))
    assert "4 of 32 seats taken" in text(Client().get(page))
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.FINISHED)
    shown = Client().get(page).content.decode()
    assert 'class="podium"' in shown
    assert shown.index('class="podium"') < shown.index('<dl class="facts')
    assert "seats taken" not in shown


def test_an_event_says_its_fee_and_prizes_and_its_copy_and_file_have_them(staff, client):
    create(staff, fee="€5, free for members", prizes="Top 4: a booster each", cut_minutes="60", final_minutes="75")
    page = text(staff.client("manager").get(at(made())))
    assert "€5, free for members" in page
    assert "Top 4: a booster each" in page
    assert "60 minutes in the bracket, 75 minutes in the final" in page
    assert page.index("€5, free for members") < page.index("seats taken")
    staff.client("manager").post(reverse("events:copy", args=[made().public_id]))
    copy = Event.objects.get(copied_from__isnull=False)
    assert (copy.prizes, copy.cut_minutes, copy.final_minutes) == ("Top 4: a booster each", 60, 75)
    assert event_file(copy)["event"]["prizes"] == copy.prizes


@pytest.mark.parametrize(
    ("facts", "field", "words"),
    [
        ({"first_round": "fold", "table_size": 4}, "first_round", "drawn by lot"),
        ({"first_round": "slide", "pairing_style": "elimination"}, "first_round", "first seed"),
        ({"first_round": "random", "pairing_style": "elimination"}, "first_round", "first seed"),
        ({"first_round": "fold", "pairing_style": "round-robin"}, "first_round", "everyone plays everyone"),
        ({"final_minutes": "0"}, "final_minutes", "1 to 600"),
        ({"cut_minutes": "601"}, "cut_minutes", "1 to 600"),
    ],
)
def test_a_first_round_or_length_that_cannot_be_is_told_at_its_field(staff, facts, field, words):
    answer = create(staff, **facts)
    assert words in str(answer.context["form"].errors[field])
