"""The sanctioning policy through requests: just inside, just outside, and with an exception granted."""

import datetime as dt
import html
import zoneinfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.documents import report_on
from events.models import AuditEntry, Event, Official, PolicyOverride, Season, Venue, Volunteer
from events.policy import RULES
from events.results.result import Result
from events.services.policy import excepted_checks
from rules.models import LoadedRulebook
from tests.conftest import client_of, confirmed
from tests.factories import (
    EntryFactory,
    EventFactory,
    OfficialFactory,
    PersonFactory,
    VenueFactory,
    VenueManagerFactory,
    VolunteerFactory,
)

from .match_pages import play
from .test_setup import facts

pytestmark = pytest.mark.django_db
GHENT = zoneinfo.ZoneInfo("Europe/Brussels")
SATURDAY = dt.datetime(2030, 6, 1, 14, 0, tzinfo=GHENT)


def create(staff, venue=None, **changed):
    where = reverse("events:create") + f"?venue={(venue or staff.event.venue).pk}"
    return staff.client("manager").post(where, facts(**changed))


def made():
    return Event.objects.get(name="Saturday Cup")


def errors(response, field):
    return html.unescape(" ".join(response.context["form"].errors.get(field, ())))


def of_judge(staff, starts, **more):
    """Another event of the same head judge, at another venue."""
    event = EventFactory(name="Elsewhere", starts=starts, venue=VenueFactory(name="Second Shop"), **more)
    OfficialFactory(event=event, person=staff.head_judge)
    return event


def grant_exception(staff, event, rule, reason="Agreed by telephone.", **more):
    where = reverse("events:policy-exception", args=[event.public_id])
    return staff.client("office").post(where, {"rule": rule, "reason": reason} | more)


def text(response):
    return html.unescape(response.content.decode())


# creating


@pytest.mark.parametrize("minutes, refused", [(0, True), (239, True), (240, False), (-239, True), (-240, False)])
def test_an_event_is_not_created_within_four_hours_of_another_of_its_head_judge(staff, minutes, refused):
    of_judge(staff, SATURDAY + dt.timedelta(minutes=minutes))
    response = create(staff, head_judge=staff.head_judge.email)
    if refused:
        said = errors(response, "head_judge")
        assert "Elsewhere (Second Shop)" in said
        assert "1. Event Sanctioning" in said
        assert not Event.objects.filter(name="Saturday Cup").exists()
    else:
        assert response.status_code == 302
        assert made().officials.get().person == staff.head_judge


@pytest.mark.parametrize("other", [{"is_practice": True}, {"state": "cancelled"}])
def test_practice_and_cancelled_events_are_in_nobodys_way(staff, other):
    of_judge(staff, SATURDAY, **other)
    assert create(staff, head_judge=staff.head_judge.email).status_code == 302


def test_a_draft_elsewhere_is_warned_of(staff):
    of_judge(staff, SATURDAY, state="draft")
    response = staff.client("manager").post(
        reverse("events:create") + f"?venue={staff.event.venue_id}",
        facts(head_judge=staff.head_judge.email),
        follow=True,
    )
    assert "is still a draft." in text(response)
    assert made()


def test_a_draft_is_kept_despite_the_policy_and_opened_once_the_office_lets_it_pass(staff):
    of_judge(staff, SATURDAY)
    first = create(staff, head_judge=staff.head_judge.email)
    assert 'name="despite"' in text(first)
    assert create(staff, head_judge=staff.head_judge.email, despite="on").status_code == 302
    event = made()
    opening = reverse("events:open", args=[event.public_id])
    assert staff.client("manager").post(opening).status_code == 403
    page = text(staff.client("manager").get(reverse("events:event", args=[event.public_id])))
    assert "Elsewhere (Second Shop)" in page
    before = staff.client("office").get(reverse("events:event-policy", args=[event.public_id]))
    assert '<option value="four-hours" selected>' in text(before)
    assert grant_exception(staff, event, "four-hours").status_code == 302
    confirmed(staff.head_judge)
    offer = reverse("events:offer-answer", args=["role", event.officials.get().pk, "accept"])
    assert staff.client("head_judge").post(offer).status_code == 302
    assert staff.client("manager").post(opening).status_code == 302
    assert made().state == "open"


def test_only_volunteers_are_head_judges_even_of_a_draft(staff):
    response = create(staff, head_judge=staff.judge.email, despite="on")
    assert response.status_code == 302
    Volunteer.objects.filter(person=staff.judge).update(state="suspended")
    made().delete()
    response = create(staff, head_judge=staff.judge.email, despite="on")
    assert "an approved volunteer" in errors(response, "head_judge")
    assert 'name="despite"' not in text(response)


@pytest.mark.parametrize("minutes, refused", [(9, True), (10, False), (11, True)])
def test_a_sealed_event_gives_ten_minutes(staff, minutes, refused):
    response = create(staff, format="sealed-booster", preparation_minutes=minutes)
    assert ("10 minutes" in errors(response, "preparation_minutes")) is refused if refused else True
    assert (response.status_code == 200) is refused


@pytest.fixture
def club(staff):
    """A game club with everything that the policy requires, managed by the venue's manager."""
    venue = VenueFactory(
        name="The Club", kind="club", registered_volunteer=staff.head_judge.volunteer, volunteer_agreed=timezone.now()
    )
    VenueManagerFactory(venue=venue, person=staff.manager)
    venue.members.create(name=staff.head_judge.name, email=staff.head_judge.email)
    for number in range(7):
        venue.members.create(name=f"Member {number}")
    return venue


@pytest.mark.parametrize(
    "starts, universe, refused",
    [
        ("2030-06-30T23:59", "marvel", True),
        ("2030-07-01T00:00", "marvel", False),
        ("2030-05-31T23:59", "marvel", False),
        ("2030-06-20T14:00", "dc", False),
    ],
)
def test_a_club_holds_one_event_for_each_universe_in_a_month(staff, club, starts, universe, refused):
    EventFactory(name="June Cup", venue=club, starts=SATURDAY, universe="marvel")
    response = create(staff, venue=club, starts=starts, universe=universe)
    assert (response.status_code == 200) is refused
    assert ("June Cup" in errors(response, "starts")) if refused else made()


def test_a_club_may_hold_any_number_of_practice_events(staff, club):
    EventFactory(name="June Cup", venue=club, starts=SATURDAY)
    assert create(staff, venue=club, starts="2030-06-20T14:00", is_practice="on").status_code == 302


def test_a_club_that_lost_a_member_opens_nothing_until_there_are_eight_again(staff, club):
    event = EventFactory(venue=club, state="draft", starts=SATURDAY)
    OfficialFactory(event=event, person=staff.head_judge)
    opening = reverse("events:open", args=[event.public_id])
    last = club.members.order_by("pk").last()
    last.delete()
    refused = staff.client("manager").post(opening)
    assert refused.status_code == 403
    assert "The list has 7" in text(refused)
    assert "4. Venue Policies › Game Clubs" in text(refused)
    club.members.create(name="A new one")
    assert staff.client("manager").post(opening).status_code == 302


# changing


def change(staff, **changed):
    where = reverse("events:edit", args=[staff.event.public_id])
    staff.event.refresh_from_db()
    return staff.client("manager").post(where, facts(version=staff.event.version, **changed))


def test_moving_an_event_towards_another_of_its_head_judge_is_refused(staff):
    Event.objects.update(starts=SATURDAY)
    of_judge(staff, SATURDAY - dt.timedelta(hours=4))
    assert change(staff, starts="2030-06-01T14:00").status_code == 302
    response = change(staff, starts="2030-06-01T13:59")
    assert "Elsewhere" in text(response)
    assert 'name="despite"' not in text(response)
    assert Event.objects.get(pk=staff.event.pk).starts == SATURDAY
    grant_exception(staff, staff.event, "four-hours")
    assert change(staff, starts="2030-06-01T13:59").status_code == 302


def test_existing_violations_do_not_prevent_other_changes(staff):
    Event.objects.update(starts=SATURDAY, build_total=250)
    assert change(staff, build_total=250, seats=20).status_code == 302
    assert Event.objects.get(pk=staff.event.pk).seats == 20
    assert "a multiple of 100" in errors(change(staff, build_total=350), "build_total")


def test_a_practice_event_becomes_sanctioned_only_by_the_policy(staff):
    Event.objects.update(starts=SATURDAY, build_total=250, is_practice=True)
    assert "a multiple of 100" in errors(change(staff, build_total=250), "build_total")
    assert change(staff, build_total=300).status_code == 302


# officials


def name_head(staff, person, **more):
    where = reverse("events:officials", args=[staff.event.public_id])
    return staff.client("manager").post(where, {"email": person.email, "role": "head-judge", "confirmed": "yes"} | more)


@pytest.mark.parametrize("minutes, refused", [(239, True), (240, False)])
def test_no_one_is_named_head_judge_of_two_events_within_four_hours(staff, minutes, refused):
    new = VolunteerFactory().person
    other = EventFactory(starts=staff.event.starts + dt.timedelta(minutes=minutes))
    OfficialFactory(event=other, person=new)
    response = name_head(staff, new)
    assert (response.status_code == 403) is refused
    assert (staff.event.officials.filter(person=new).exists()) is not refused


def test_on_a_draft_it_is_shown_first(staff):
    Event.objects.filter(pk=staff.event.pk).update(state="draft")
    new = VolunteerFactory().person
    OfficialFactory(event=EventFactory(name="Elsewhere", starts=staff.event.starts), person=new)
    Official.objects.filter(person=staff.head_judge).delete()
    asked = name_head(staff, new, confirmed="")
    assert asked.status_code == 409
    assert "Elsewhere" in text(asked)
    assert "stays a draft" in text(asked)
    assert name_head(staff, new).status_code == 302
    page = text(staff.client("manager").get(reverse("events:officials", args=[staff.event.public_id])))
    assert "Elsewhere" in page


def test_a_judge_may_work_at_two_events(staff):
    new = VolunteerFactory().person
    OfficialFactory(event=EventFactory(starts=staff.event.starts), person=new)
    assert name_head(staff, new, role="judge").status_code == 302


# while the form is filled in


def test_conflicts_are_shown_before_anything_is_kept(staff):
    of_judge(staff, SATURDAY)
    where = reverse("events:policy-check", args=[staff.event.venue_id])
    before = AuditEntry.objects.count()
    said = text(staff.client("manager").post(where, {"starts": "2030-06-01T14:00", "head_judge": staff.head_judge.email,
                                                     "build_total": "200"}))  # fmt: skip
    assert "Elsewhere (Second Shop)" in said
    later = facts(head_judge=staff.head_judge.email, starts="2030-06-01T18:00")
    assert "probably overlap" in text(staff.client("manager").post(where, later))
    ok = text(staff.client("manager").post(where, later | {"starts": "2030-06-02T14:00"}))
    assert "no policy violations" in ok
    assert AuditEntry.objects.count() == before
    assert staff.client("judge").post(where, facts()).status_code == 403
    assert Client().post(where, facts()).status_code == 302
    assert staff.client("manager").get(where).status_code == 405


def test_the_officials_page_asks_before_a_name_is_given(staff):
    new = VolunteerFactory().person
    OfficialFactory(event=EventFactory(name="Elsewhere", starts=staff.event.starts), person=new)
    where = reverse("events:policy-check", args=[staff.event.venue_id]) + f"?event={staff.event.public_id}"
    asked = {"email": new.email, "role": "head-judge"}
    assert "Elsewhere" in text(staff.client("head_judge").post(where, asked))
    assert "Elsewhere" not in text(staff.client("head_judge").post(where, asked | {"role": "judge"}))
    assert staff.client("head_judge").post(where, facts(build_total=250)).status_code == 200
    other = reverse("events:policy-check", args=[VenueFactory().pk]) + f"?event={staff.event.public_id}"
    assert staff.client("head_judge").post(other, asked).status_code == 403


# starting


def test_round_one_waits_for_a_head_judge_who_is_still_a_volunteer(staff):
    for _number in range(4):
        EntryFactory(event=staff.event)
    where = reverse("events:draft-next", args=[staff.event.public_id])
    Volunteer.objects.filter(person=staff.head_judge).update(state="suspended")
    refused = staff.client("judge").post(where)
    assert refused.status_code == 403
    assert "an approved volunteer" in text(refused)
    Volunteer.objects.filter(person=staff.head_judge).update(state="approved")
    Venue.objects.update(state="suspended")
    assert staff.client("judge").post(where).status_code == 403
    Venue.objects.update(state="approved")
    assert staff.client("judge").post(where).status_code == 302


# players


def enter(staff, person):
    where = reverse("events:enter", args=[staff.event.public_id])
    return client_of(person).post(where, {"name": person.name, "declares": "on"})


@pytest.mark.parametrize("days, refused", [(0, True), (-1, False)])
def test_a_suspended_player_enters_from_the_day_after_on(staff, days, refused):
    day = staff.event.starts.astimezone(GHENT).date()
    person = PersonFactory(suspended_until=day + dt.timedelta(days=days))
    assert (enter(staff, person).status_code == 403) is refused


def test_a_player_at_the_door_with_the_name_of_a_suspended_one_is_looked_at(staff):
    day = staff.event.starts.astimezone(GHENT).date()
    PersonFactory(name="Sam Suspended", suspended_until=day)
    PersonFactory(name="Fred Free", suspended_until=day - dt.timedelta(days=1))
    desk, event = staff.client("scorekeeper"), staff.event
    said = "A suspended player has the same name as"
    facts = {"declares": "on", "email": ""}
    page = text(
        desk.post(reverse("events:entry-add", args=[event.public_id]), facts | {"name": "sam suspended"}, follow=True)
    )
    assert f"{said} sam suspended. Make sure that they aren" in page
    page = text(
        desk.post(reverse("events:entry-add", args=[event.public_id]), facts | {"name": "Fred Free"}, follow=True)
    )
    assert said not in page
    of_event = text(staff.client("judge").get(reverse("events:event-policy", args=[event.public_id])))
    assert f"{said} sam suspended" in of_event
    assert "No policy violations" in of_event, "a name alone keeps nobody out"
    listed = {"text": "Sam Suspended", "declared": "on", "enter": "yes"}
    Event.objects.filter(pk=event.pk).update(is_practice=True)
    page = text(desk.post(reverse("events:entries-import", args=[event.public_id]), listed, follow=True))
    assert "1 player added" in page
    assert said not in page, "a practice event is not bound"


def test_players_who_may_not_play_are_marked_in_the_list_before_the_day(staff):
    suspended, there = (
        PersonFactory(suspended_until=dt.date.max),
        reverse("events:entries", args=[staff.event.public_id]),
    )
    for person in (suspended, PersonFactory(publisher_family=True), staff.manager, PersonFactory()):
        EntryFactory(event=staff.event, person=person, state="entered")
    EntryFactory(event=staff.event, email=PersonFactory(suspended_until=dt.date.max).email, state="entered")
    desk = staff.client("scorekeeper")
    page = text(desk.get(there))
    assert page.count("suspended until further notice") == 2
    assert "employee of the publisher" in page
    assert "manager of the venue" in page
    assert "suspended" not in text(Client().get(there))
    grant_exception(staff, staff.event, "suspended", person=suspended.email)
    assert text(desk.get(there)).count("suspended until further notice") == 1


def test_an_exception_lets_one_suspended_player_play_and_no_one_else(staff):
    day = staff.event.starts.astimezone(GHENT).date()
    one, other = PersonFactory(suspended_until=day), PersonFactory(suspended_until=day)
    assert grant_exception(staff, staff.event, "suspended", person=one.email.upper()).status_code == 302
    assert enter(staff, one).status_code == 302
    assert enter(staff, other).status_code == 403


@pytest.mark.parametrize("days, refused", [(0, True), (-1, False)])
def test_a_player_suspended_after_entering_is_not_checked_in(staff, days, refused):
    day = staff.event.starts.astimezone(GHENT).date()
    person = PersonFactory(suspended_until=day + dt.timedelta(days=days))
    entry = EntryFactory(event=staff.event, person=person, state="entered")
    where = reverse("events:entry-act", args=[staff.event.public_id, entry.number, "check-in"])
    response = staff.client("scorekeeper").post(where)
    assert (response.status_code == 403) is refused
    entry.refresh_from_db()
    assert entry.state == ("entered" if refused else "checked-in")
    grant_exception(staff, staff.event, "suspended", person=person.email)
    assert staff.client("scorekeeper").post(where).status_code == 302


def test_the_entry_page_says_what_players_agree_to(staff):
    page = text(client_of(PersonFactory()).get(reverse("events:enter", args=[staff.event.public_id])))
    for name in ("wagering", "publishing", "play-on"):
        assert f"#{name}" in page
        assert str(RULES[name].title) in page


def test_a_player_who_abandoned_a_match_re_enters_only_with_an_exception(staff):
    play(staff.event, 4, 1)
    match = staff.event.rounds.get().matches.order_by("table").first()
    match.state, match.result = "confirmed", Result((0, 10), winner="b", abandoned=("a",))
    match.save()
    match.a.state, match.a.dropped_after = "dropped", 1
    match.a.save()
    match.b.state, match.b.dropped_after = "dropped", 1
    match.b.save()
    Event.objects.filter(pk=staff.event.pk).update(state="running")

    def back(entry):
        where = reverse("events:entry-act", args=[staff.event.public_id, entry.number, "return"])
        return staff.client("head_judge").post(where, {"confirmed": "yes"})

    refused = back(match.a)
    assert refused.status_code == 403
    assert "Withdrawing from a Tournament" in text(refused)
    assert back(match.b).status_code == 302
    grant_exception(staff, staff.event, "play-on")
    assert back(match.a).status_code == 302


# publishing


def test_an_address_is_not_announced(staff):
    player = EntryFactory(event=staff.event, person=PersonFactory(email="anna@example.org"))
    where = reverse("events:announce", args=[staff.event.public_id])
    said = staff.client("head_judge").post(where, {"text": "Ask Anna@Example.org for rides", "minutes": 30})
    assert "9. Promotional Publishing" in errors(said, "text")
    assert "Ask Anna@Example.org for rides" in text(said)
    staff.judge.phone = "+32 470 12 34 56"
    staff.judge.save()
    assert staff.client("head_judge").post(where, {"text": "Ring 470 123456", "minutes": 30}).status_code == 302
    said = staff.client("head_judge").post(where, {"text": "Ring +32 470 12.34.56", "minutes": 30})
    assert "telephone" in errors(said, "text")
    assert staff.client("head_judge").post(where, {"text": f"{player.name} wins", "minutes": 30}).status_code == 302


def test_an_address_is_no_part_of_an_events_description(staff):
    Event.objects.update(starts=SATURDAY)
    assert "e-mail address" in errors(change(staff, description=f"Ask {staff.judge.email}"), "description")
    assert change(staff, description="Ask the desk").status_code == 302


@pytest.mark.parametrize("name", ["events:event", "events:rounds", "events:standings"])
def test_public_pages_hold_no_addresses(staff, name):
    play(staff.event, 4, 1)
    entry = staff.event.entries.first()
    entry.email = "anna@example.org"
    entry.save()
    staff.judge.phone = "+32470123456"
    staff.judge.save()
    page = text(Client().get(reverse(name, args=[staff.event.public_id])))
    assert "anna@example.org" not in page
    assert staff.judge.email not in page
    assert "470123456" not in page


# forces


def force_file(event, street_date):
    return {
        "edition": "car-2002",
        "event": {"build_total": 250, "date": "2026-03-15"},
        "force": {"characters": [{"name": "New", "points": 10, "street_date": street_date}]},
    }


def test_the_office_lets_new_product_and_an_odd_build_total_pass(staff):
    def faults(day):
        report = report_on(force_file(staff.event, day), excepted=excepted_checks(staff.event))
        return [one["rule"] for one in report["violations"]], len(report["warnings"]), report["legal"]

    assert faults("2026-03-01") == (["build-total-increment"], 0, False)
    assert faults("2026-03-02") == (["build-total-increment", "product-not-yet-legal"], 0, False)
    grant_exception(staff, staff.event, "build-total-hundreds")
    assert faults("2026-03-01") == ([], 1, True)
    grant_exception(staff, staff.event, "new-product")
    assert faults("2026-03-02") == ([], 2, True)


# exceptions granted by the sanctioning office


def test_only_the_office_lets_pass_and_only_with_a_reason(staff):
    where = reverse("events:policy-exception", args=[staff.event.public_id])
    given = {"rule": "four-hours", "reason": "Two halls, one door."}
    for who in ("manager", "head_judge", "judge", "scorekeeper"):
        assert staff.client(who).post(where, given).status_code == 403
    missing = staff.client("office").post(where, {"rule": "four-hours", "reason": " "})
    assert missing.status_code == 400
    assert PolicyOverride.objects.count() == 0
    assert grant_exception(staff, staff.event, "four-hours", reason="Two halls, one door.").status_code == 302
    assert grant_exception(staff, staff.event, "four-hours").status_code == 403
    entry = AuditEntry.objects.get(verb="override-policy")
    assert (entry.is_non_standard, entry.reason, entry.by_person) == (True, "Two halls, one door.", staff.office)


@pytest.mark.parametrize("rule", ["kept-a-year", "registered-venue", "head-judge", "wagering", "no-such-rule"])
def test_some_rules_allow_no_exception(staff, rule):
    assert grant_exception(staff, staff.event, rule).status_code == 400
    assert PolicyOverride.objects.count() == 0


def test_an_exception_is_shown_to_everyone_printed_and_revoked(staff):
    grant_exception(staff, staff.event, "four-hours", reason="Two halls, one door.")
    public = reverse("events:event", args=[staff.event.public_id])
    page = text(Client().get(public))
    assert "This event is non-standard." in page
    assert "Two halls, one door." in page
    sheet = staff.client("head_judge").get(reverse("judging:sheet-json", args=[staff.event.public_id])).json()
    (kept,) = [row for row in sheet["record"] if row["non_standard"]]
    assert kept["reason"] == "Two halls, one door."
    row = PolicyOverride.objects.get()
    where = reverse("events:policy-exception-revoke", args=[staff.event.public_id, row.pk])
    assert staff.client("manager").post(where, {"reason": "No."}).status_code == 403
    assert staff.client("office").post(where).status_code == 409
    assert staff.client("office").post(where, {"reason": "Settled.", "version": row.version}).status_code == 302
    assert "Two halls, one door." not in text(Client().get(public))
    assert staff.client("office").post(where, {"reason": "Again."}).status_code == 403


def test_a_person_let_pass_is_not_named_in_public(staff):
    person = PersonFactory(name="Nora Named", suspended_until=timezone.localdate() + dt.timedelta(days=9))
    grant_exception(staff, staff.event, "suspended", person=person.email)
    assert "Nora Named" not in text(Client().get(reverse("events:event", args=[staff.event.public_id])))
    page = text(staff.client("head_judge").get(reverse("events:event-policy", args=[staff.event.public_id])))
    assert "Nora Named" in page


def test_practice_is_not_bound_and_so_lets_nothing_pass(staff):
    Event.objects.update(is_practice=True)
    assert grant_exception(staff, staff.event, "four-hours").status_code == 403
    page = text(staff.client("head_judge").get(reverse("events:event-policy", args=[staff.event.public_id])))
    assert "The sanctioning policy doesn't apply" in page


# pages


def test_the_policy_page_lists_every_rule_with_its_day_and_its_citations(client):
    page = text(client.get(reverse("events:policy")))
    for name, rule in RULES.items():
        assert f'id="{name}"' in page
        assert str(rule.title) in page
        assert str(rule.explanation) in page
        for section in rule.sections:
            assert section in page
    checked = [rule for rule in RULES.values() if rule.is_checked]
    assert page.count("<dt>Exceptions</dt>") == len(checked)
    assert page.count("from the sanctioning office, with a reason") == sum(rule.may_be_excepted for rule in checked)


def test_the_policy_page_is_searched_by_words_also_without_scripts(client):
    found = client.get(reverse("events:policy"), {"q": "Wager"}).text
    assert 'id="wagering"' in found
    assert found.count("<article") < 4
    assert found.count("<details open>") == found.count("<article"), "what is found is shown in full"
    assert "No rule contains these words." in client.get(reverse("events:policy"), {"q": "zebra"}).text


def test_the_policy_page_dates_its_sources_in_words_and_leads_only_to_a_text_that_is_installed(client):
    page = client.get("/policy/").text
    assert "(13 January 2003)" in page
    assert "2003-01-13" not in page
    assert "Full text" not in page
    book = LoadedRulebook.objects.create(edition="car-2002", file_name="book.txt")
    assert "Full text of the policy" in client.get("/policy/").text
    LoadedRulebook.objects.filter(pk=book.pk).update(missing=["WizKids Tournament Sanctioning Policy"])
    assert "Full text" not in client.get("/policy/").text


@pytest.mark.parametrize("on, shut", [("2002-12-31", True), ("2003-01-12", True), ("2003-01-13", False)])
def test_the_policy_page_shows_the_policy_of_a_day(client, on, shut):
    page = client.get(reverse("events:policy"), {"on": on})
    assert ("not in force on that day" in text(page)) is shut


@pytest.mark.parametrize("on", ["yesterday", "2003-02-30", "13/01/2003"])
def test_a_day_that_is_none_is_reported_to_be_none(client, on):
    page = client.get(reverse("events:policy"), {"on": on})
    assert page.status_code == 200
    assert "This isn't a valid date" in text(page)


def test_an_events_page_of_the_policy_says_how_each_rule_stands(staff):
    day = staff.event.starts.astimezone(GHENT).date()
    EntryFactory(event=staff.event, name="Sam Suspended", person=PersonFactory(suspended_until=day))
    Event.objects.filter(pk=staff.event.pk).update(build_total=250)
    of_judge(staff, staff.event.starts)
    response = staff.client("judge").get(reverse("events:event-policy", args=[staff.event.public_id]))
    standing = {line.name: line.standing for _title, lines in response.context["groups"] for line in lines}
    assert standing["build-total-hundreds"] == standing["four-hours"] == standing["suspended"] == "broken"
    assert standing["registered-volunteer"] == standing["store-requirements"] == "kept"
    assert standing["wagering"] == "told"
    assert standing["reported-in-time"] == "open"
    elsewhere = ("club-month", "club-requirements", "convention-requirements", "sealed-preparation", "sealed-contents")
    assert {standing[name] for name in (*elsewhere, "head-to-head-preparation")} == {"apart"}
    page = text(response)
    assert "Sam Suspended: suspended until" in page
    assert "3 policy violations" in page
    assert Client().get(reverse("events:event-policy", args=[staff.event.public_id])).status_code == 403


@pytest.mark.parametrize("players", [2, 30])
def test_the_events_page_asks_as_often_for_many_as_for_few(staff, players, django_assert_max_num_queries):
    for _number in range(players):
        EntryFactory(event=staff.event, person=PersonFactory())
    client = staff.client("head_judge")
    with django_assert_max_num_queries(24):
        client.get(reverse("events:event-policy", args=[staff.event.public_id]))


@pytest.mark.parametrize(("hours", "counts"), [(1, False), (-1, True)])
def test_a_suspension_after_the_end_takes_nothing_from_what_was_played(staff, hours, counts):
    decided = timezone.now()
    ended = {
        "state": "finished",
        "ended": decided - dt.timedelta(hours=hours),
        "starts": decided - dt.timedelta(days=1),
    }
    Event.objects.update(**ended)
    suspended = {"state": "suspended", "decided": decided, "decision_reason": "Wagering."}
    Volunteer.objects.filter(person=staff.head_judge).update(**suspended)
    Venue.objects.update(**suspended)
    page = text(staff.client("head_judge").get(reverse("events:event-policy", args=[staff.event.public_id])))
    assert ("isn't an approved volunteer" in page) is counts
    assert ("Only approved venues can hold events" in page) is counts


# seasons


def publish(staff, **changed):
    given = {"universe": "marvel", "name": "Spring", "begins": "2030-06-01", "ends": "2030-06-30"} | changed
    return staff.client("office").post(reverse("events:seasons"), given)


def test_the_office_publishes_seasons_and_all_may_read_them(staff):
    assert publish(staff).status_code == 302
    assert "Spring" in text(Client().get(reverse("events:seasons")))
    assert "before the first" in errors(publish(staff, ends="2030-05-31"), "ends")
    overlap = publish(staff, name="Overlap", begins="2030-06-30", ends="2030-07-30")
    assert "runs from Saturday 1 June 2030 to Sunday 30 June 2030" in errors(overlap, "begins")
    assert 'value="2030-07-30"' in overlap.content.decode(), "nothing typed is lost"
    assert "Seasons can't overlap" in errors(publish(staff, begins="2030-05-01", ends="2030-06-01"), "ends")
    assert publish(staff, name="Next", begins="2030-07-01", ends="2030-07-30").status_code == 302
    assert publish(staff, name="Also", universe="dc").status_code == 302
    both = publish(staff, name="All", universe="any", begins="2030-07-30", ends="2030-08-30")
    assert "runs from Monday 1 July 2030 to Tuesday 30 July 2030" in errors(both, "begins"), "one of any is in two"
    assert Season.objects.count() == 3
    for who in ("manager", "head_judge"):
        assert staff.client(who).post(reverse("events:seasons"), {"name": "Mine"}).status_code == 403
        assert staff.client(who).get(reverse("events:season", args=[Season.objects.first().pk])).status_code == 403
    assert Season.objects.count() == 3


def test_a_season_is_changed_and_taken_back(staff):
    publish(staff)
    row = Season.objects.get()
    where, given = reverse("events:season", args=[row.pk]), {"universe": "marvel", "name": "Summer"}
    given |= {"begins": "2030-06-01", "ends": "2030-08-31", "version": row.version}
    publish(staff, name="Autumn", begins="2030-09-01", ends="2030-09-30")
    late = staff.client("office").post(where, given | {"ends": "2030-09-01"})
    assert "“Autumn”" in errors(late, "ends")
    Season.objects.filter(name="Autumn").delete()
    assert staff.client("office").post(where, given).status_code == 302
    assert Season.objects.get().name == "Summer"
    assert staff.client("office").post(where, given).status_code == 409
    gone = reverse("events:season-remove", args=[row.pk])
    assert staff.client("manager").post(gone, {"confirmed": "yes"}).status_code == 403
    asked = staff.client("office").post(gone)
    assert asked.status_code == 409
    assert "will have no season" in asked.content.decode()
    assert staff.client("office").post(gone, {"confirmed": "yes"}).status_code == 302
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    "starts, season", [("2030-06-01T00:00", True), ("2030-06-30T23:59", True), ("2030-07-01T00:00", False)]
)
def test_an_event_shows_its_season_or_that_it_has_none(staff, starts, season):
    publish(staff)
    where = reverse("events:create") + f"?venue={staff.event.venue_id}"
    page = text(staff.client("manager").post(where, facts(starts=starts, universe="marvel"), follow=True))
    assert ("<dt>Season</dt><dd>Spring</dd>" in page) is season
    assert ("in any published season" in page) is not season


# the end


@pytest.mark.parametrize("hours, tardy", [(0, False), (24, True)])
def test_an_overdue_report_is_noted_as_not_standard(staff, hours, tardy):
    ended = timezone.now() - dt.timedelta(days=16, hours=hours)
    Event.objects.update(state="verified", ended=ended, starts=ended - dt.timedelta(hours=5), verified_at=ended)
    where = reverse("judging:finish-act", args=[staff.event.public_id, "report"])
    assert staff.client("head_judge").post(where).status_code == 302
    entry = AuditEntry.objects.get(verb="report-event")
    assert entry.is_non_standard is tardy
    assert ("late" in entry.words) is tardy
    page = text(staff.client("head_judge").get(reverse("judging:finish", args=[staff.event.public_id])))
    assert ("after the deadline" in page) is tardy
