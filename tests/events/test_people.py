"""People, through requests: volunteers, the sanctioning office's page, suspensions, the account, the next steps."""

import datetime
import json

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.models import AuditEntry, Event, Official, Person, Volunteer
from events.roles import Actor
from events.services.offers import join_entry
from tests.conftest import client_of, password_given
from tests.factories import EntryFactory, EventFactory, PersonFactory, VenueFactory, VolunteerFactory

pytestmark = pytest.mark.django_db


def decide(staff, volunteer, decision, reason="", **more):
    where = reverse("events:office-volunteer", args=[volunteer.pk])
    return staff.client("office").post(where, {"decision": decision, "reason": reason} | more)


def test_a_person_registers_as_volunteer_and_is_approved(staff):
    person = PersonFactory()
    mine = client_of(person)
    mine.post(reverse("events:volunteer-register"), {"city": "Ghent", "experience": "Ten events."})
    volunteer = Volunteer.objects.get(person=person)
    assert volunteer.state == "pending"
    assert person.name in staff.client("office").get(reverse("events:office")).content.decode()
    decide(staff, volunteer, "approved", version=volunteer.version)
    volunteer.refresh_from_db()
    assert volunteer.is_approved
    assert volunteer.decided is not None
    assert "head judge of sanctioned events" in mine.get(reverse("events:me")).content.decode()


def test_a_refusal_says_why_and_one_may_ask_again_but_not_while_suspended(staff):
    volunteer = VolunteerFactory(state="pending")
    assert decide(staff, volunteer, "refused").context["form"].errors["reason"]
    decide(staff, volunteer, "refused", "Too little experience.")
    mine = client_of(volunteer.person)
    assert "Too little experience." in mine.get(reverse("events:me")).content.decode()
    mine.post(reverse("events:volunteer-register"), {"city": "Ghent", "experience": "More."})
    volunteer.refresh_from_db()
    assert (volunteer.state, volunteer.decision_reason) == ("pending", "")
    decide(staff, volunteer, "approved")
    decide(staff, volunteer, "suspended", "Late results.")
    refused = mine.post(reverse("events:volunteer-register"), {"city": "Ghent", "experience": "Please."})
    assert refused.status_code == 403
    decide(staff, volunteer, "approved", "Heard.")
    volunteer.refresh_from_db()
    assert volunteer.is_approved


def test_a_decision_is_not_made_twice(staff):
    volunteer = VolunteerFactory(state="pending")
    decide(staff, volunteer, "approved")
    again = decide(staff, volunteer, "approved")
    assert again.status_code == 403
    assert "approved" in again.content.decode()
    assert decide(staff, volunteer, "nonsense", "x").status_code == 403
    assert decide(staff, volunteer, "suspended", "x", version=1).status_code == 409


OFFICE_PAGES = ["office", "office-volunteers", "office-venues", "office-people"]


@pytest.mark.parametrize("name", OFFICE_PAGES)
def test_the_offices_page_is_only_for_the_office(staff, client, name):
    where = reverse(f"events:{name}")
    assert "/accounts/login/" in client.get(where).url
    for who in ("manager", "head_judge", "scorekeeper"):
        assert staff.client(who).get(where).status_code == 403
    assert staff.client("office").get(where).status_code == 200


def test_a_player_is_suspended_until_a_day_and_the_suspension_is_ended(staff):
    player = PersonFactory(name="Bad Bob")
    where = reverse("events:office-person", args=[player.pk])
    office = staff.client("office")
    today = timezone.localdate()
    late = office.post(where, {"until": today - datetime.timedelta(days=1), "reason": "x"})
    assert late.context["form"].errors["until"]
    assert office.post(where, {"until": today, "reason": ""}).context["form"].errors["reason"]
    office.post(where, {"until": today + datetime.timedelta(days=30), "reason": "Fighting"})
    player.refresh_from_db()
    assert player.suspended_until == today + datetime.timedelta(days=30)
    assert "Fighting" in client_of(player).get(reverse("events:me")).content.decode()
    found = office.get(reverse("events:office-people") + "?suspended=true").content.decode()
    assert "Bad Bob" in found
    assert staff.manager.name not in found
    lift = reverse("events:office-person-lift-suspension", args=[player.pk])
    asked = office.post(lift, {"confirmed": "yes"})
    assert asked.status_code == 409
    assert f'Lift suspension? <small class="quiet below">{player.name}</small></h1>' in asked.content.decode()
    office.post(lift, {"confirmed": "yes", "reason": "Apologised"})
    player.refresh_from_db()
    assert (player.suspended_until, player.suspension_reason) == (None, "")
    assert [row.reason for row in AuditEntry.objects.filter(subject_id=player.pk)] == ["Apologised", "Fighting"]
    assert office.post(lift, {"confirmed": "yes", "reason": "Again"}).status_code == 403
    assert client_of(PersonFactory()).post(where, {"until": today, "reason": "x"}).status_code == 403
    assert client_of(player).post(lift, {"confirmed": "yes", "reason": "x"}).status_code == 403


def test_a_suspension_asks_for_its_last_day_or_lasts_until_further_notice(staff):
    player = PersonFactory(name="Bad Bob")
    PersonFactory(name="Long Ago", suspended_until=timezone.localdate() - datetime.timedelta(days=1))
    where = reverse("events:office-person", args=[player.pk])
    office, day = staff.client("office"), timezone.localdate()
    assert office.post(where, {"until": "", "reason": "x"}).context["form"].errors["until"]
    assert office.post(where, {"until": day, "open_ended": "on", "reason": "x"}).context["form"].errors["until"]
    page = office.post(where, {"until": "", "open_ended": "on", "reason": "x"}, follow=True).content.decode()
    assert "Bad Bob is suspended until further notice." in page
    assert "Lift suspension" in page
    found = office.get(reverse("events:office-people") + "?suspended=true").content.decode()
    assert "suspended until further notice" in found
    assert "Long Ago" not in found
    assert "You're suspended from play until further notice: x" in client_of(player).get("/me/").content.decode()
    assert AuditEntry.objects.latest("pk").words == "Bad Bob suspended until further notice"


def test_the_office_and_those_concerned_are_told_of_registrations_and_decisions(
    staff, settings, mailoutbox, django_capture_on_commit_callbacks
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.SITE_NAME, settings.SITE_URL = "Dice Cellar", "https://hall.example"
    person = PersonFactory(name="Ana", language="fr")
    with django_capture_on_commit_callbacks(execute=True):
        client_of(person).post(reverse("events:volunteer-register"), {"city": "Ghent", "experience": "Ten events."})
    volunteer = Volunteer.objects.get(person=person)
    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == ([staff.office.email], "[Dice Cellar] Volunteer to approve: Ana")
    assert f"https://hall.example/office/volunteers/{volunteer.pk}/" in mail.body
    with django_capture_on_commit_callbacks(execute=True):
        decide(staff, volunteer, "refused", "Too little experience.")
        staff.client("office").post(
            reverse("events:office-venue", args=[staff.event.venue_id]), {"decision": "suspended", "reason": "Closed"}
        )
    _asked, decided, suspended = mailoutbox
    assert decided.to == [person.email]
    assert "Too little experience." in decided.body
    assert (suspended.to, suspended.subject) == (
        [staff.manager.email],
        f"[Dice Cellar] {staff.event.venue.name}: suspended",
    )
    with django_capture_on_commit_callbacks(execute=True):
        client_of(person).post(reverse("events:volunteer-register"), {"city": "Ghent", "experience": "More."})
    assert mailoutbox[-1].to == [staff.office.email]


def test_people_are_searched_by_name_and_address(staff):
    PersonFactory(name="Zoë Zander", email="zz@example.org")
    office = staff.client("office")
    for asked in ("zander", "ZZ@"):
        page = office.get(reverse("events:office-people"), {"q": asked}).content.decode()
        assert "Zoë Zander" in page
        assert "Vera Venue" not in page
    page = office.get(reverse("events:office-people"), {"q": "nobody at all"}).content.decode()
    assert "Nothing found. Remove a filter" in page


def test_a_closed_account_shows_no_address_and_cannot_be_suspended(staff):
    gone = PersonFactory(name="Player 9 (data erased)", email="erased-9@erased.invalid", is_active=False)
    page = staff.client("office").get(reverse("events:office-person", args=[gone.pk])).content.decode()
    assert "erased.invalid" not in page
    assert "Suspend player" not in page


@pytest.mark.parametrize("listing", ["office-people", "office-venues", "office-players", "office-volunteers"])
def test_names_sort_without_regard_to_case_or_accents(staff, listing):
    sorted_names = [
        "Ábel Aron",
        "adam Alpha",
        "Bea Beta",
        "Élodie E",
        "élodie F",
        "Łukasz Lis",
        "Lz Z",
        "Øystein",
        "zed Zeta",
    ]
    for number, name in enumerate(reversed(sorted_names)):
        VolunteerFactory(person=EntryFactory(event=staff.event, name=name, person=PersonFactory(name=name)).person)
        VenueFactory(name=name, city=f"City {number}")
    for order in ("", "?sort=person" if listing.endswith("volunteers") else "?sort=name"):
        found = staff.client("office").get(reverse(f"events:{listing}") + order).content.decode()
        places = [found.index(name) for name in sorted_names]
        assert places == sorted(places), (listing, order)


def test_the_lists_of_an_event_sort_names_without_regard_to_case_or_accents(staff):
    for name in ("Zed", "élodie", "Elena", "Fred", "adam"):
        EntryFactory(event=staff.event, name=name)
    page = staff.client("judge").get(reverse("events:entries", args=[staff.event.public_id]) + "?sort=name")
    found = [entry.record.name for entry in page.context["table"].rows]
    assert found == ["adam", "Elena", "élodie", "Fred", "Zed"]


def test_a_person_changes_only_their_own_account(staff):
    mine = staff.client("judge")
    where = reverse("events:account")
    mine.post(where, {"name": "New Name", "phone": "1", "is_office": "on", "is_minor": "on", "version": 1})
    person = Person.objects.get(pk=staff.judge.pk)
    assert (person.name, person.is_minor, person.is_office) == ("New Name", True, False)
    assert mine.post(where, {"name": "Again", "version": 1}).status_code == 409
    assert mine.post(where, {"name": "", "version": 2}).context["form"].errors["name"]


def test_my_page_shows_what_is_next(staff):
    person = staff.judge
    coming = EventFactory(name="Coming Cup")
    EntryFactory(event=coming, person=person)
    EntryFactory(event=EventFactory(name="Called Off", state="cancelled"), person=person)
    page = client_of(person).get(reverse("events:me")).content.decode()
    assert "Coming Cup" in page
    assert staff.event.name in page
    assert "Called Off" not in page


def test_the_venue_sees_officials_to_accept(staff):
    Official.objects.filter(person=staff.judge).update(accepted=None)
    page = staff.client("manager").get(reverse("events:me")).content.decode()
    assert f"{staff.judge.name} as judge" in page


def test_personal_data_is_exported_completely(staff):
    EntryFactory(event=EventFactory(name="Coming Cup"), person=staff.judge, name="Judge At Play")
    answer = password_given(staff.client("judge")).get(reverse("events:my-records"))
    kept = json.loads(answer.content)
    assert kept["account"]["email"] == staff.judge.email
    assert kept["entries"][0]["name"] == "Judge At Play"
    assert kept["offices"][0]["role"] == "judge"
    assert "password" not in answer.content.decode()


@pytest.mark.parametrize("name", ["me", "account", "my-records", "volunteer-register", "venue-register", "create"])
def test_account_pages_ask_to_sign_in(client, name):
    assert "/accounts/login/" in client.get(reverse(f"events:{name}")).url


@pytest.mark.parametrize("rows", [20, 200])
def test_the_lists_ask_as_often_for_many_as_for_few(staff, rows, django_assert_max_num_queries):
    for number in range(rows):
        VolunteerFactory(state="pending" if number % 2 else "approved")
    office = staff.client("office")
    for page, most in (("office", 11), ("office-volunteers", 4), ("office-people", 4)):
        with django_assert_max_num_queries(most):
            office.get(reverse(f"events:{page}"))
    venue = VenueFactory()
    for _number in range(rows):
        event = EventFactory(venue=venue)
        EntryFactory(event=event, person=staff.judge)
        Official.objects.create(event=event, person=staff.scorekeeper, role="judge")
    for who in ("judge", "scorekeeper"):
        mine = staff.client(who)
        with django_assert_max_num_queries(20):
            mine.get(reverse("events:me"))
        with django_assert_max_num_queries(21):
            mine.get(reverse("home"))


def test_the_first_page_puts_the_next_thing_first(staff, client):
    assert "Find an event" in client.get("/").content.decode()
    assert "Review registrations" not in staff.client("office").get("/").content.decode()
    VolunteerFactory(state="pending")
    assert "Review registrations" in staff.client("office").get("/").content.decode()
    assert "Create event" in staff.client("manager").get("/").content.decode()
    assert "Open console" in staff.client("head_judge").get("/").content.decode()
    player = PersonFactory()
    EntryFactory(event=staff.event, person=player)
    assert "My entry" in client_of(player).get("/").content.decode()
    Event.objects.update(state="running")
    assert "My table" in client_of(player).get("/").content.decode()


@pytest.mark.parametrize(
    "path, status",
    [
        ("/nope/", 404),
        ("/events/nope/", 404),
        ("/venues/99999999999999999999/", 404),
        ("/events/?sort=nonsense&page=zzz&state=zzz&from_day=9999999", 200),
        ("/events/?page=99999", 200),
        ("/venues/?page=-1&q=%00", 200),
    ],
)
def test_odd_addresses_get_a_page_of_the_site(client, path, status):
    response = client.get(path)
    assert response.status_code == status
    assert 'class="brand"' in response.content.decode()


def test_a_form_without_its_token_gets_a_page_in_the_sites_layout():
    from django.test import Client

    response = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "x"})
    assert response.status_code == 403
    assert "Reload page" in response.content.decode()


def test_before_a_suspension_the_office_sees_the_persons_present_events(staff):
    volunteer = staff.head_judge.volunteer
    where = reverse("events:office-volunteer", args=[volunteer.pk])
    page = staff.client("office").get(where).content.decode()
    assert "Events as head judge" in page
    assert staff.event.name in page
    Event.objects.update(state=Event.State.VERIFIED)
    assert "Events as head judge" not in staff.client("office").get(where).content.decode()


def test_ticking_under_18_shortens_the_name_at_every_event(staff):
    person = PersonFactory(name="Milo Vandenberg")
    events = [EventFactory(state=state) for state in ("open", "running", "finished", "verified")]
    away = EventFactory(state="running", away="the laptop")
    for event in [*events, away]:
        EntryFactory(event=event, person=person, name=person.name)
    EntryFactory(event=events[0], name="Mila Vandenberg")
    assert "Milo Vandenberg" in Client().get(reverse("events:entries", args=[events[0].public_id])).text
    client_of(person).post(reverse("events:account"), {"name": person.name, "is_minor": "on", "version": 1})
    for event in events:
        page = Client().get(reverse("events:entries", args=[event.public_id])).text
        assert ("Milo V." in page, "Milo Vandenberg" in page) == (True, False), event.state
        assert AuditEntry.objects.filter(event=event, sentence="marked-as-minor").count() == 1
    assert "Mila Vandenberg" in Client().get(reverse("events:entries", args=[events[0].public_id])).text
    assert not away.entries.get().is_minor, "edited where it is"
    joined = EntryFactory(event=EventFactory(), name=person.name, email=person.email)
    EmailAddress.objects.create(user=person, email=person.email, verified=True)
    join_entry(by=Actor(person=person), entry=joined)
    assert joined.is_minor


def test_minors_whose_short_names_look_alike_show_their_numbers(staff):
    for number, name in ((11, "Tom Baker"), (12, "tom Brown"), (13, "Tom Cole")):
        EntryFactory(event=staff.event, number=number, name=name, is_minor=True)
    page = Client().get(reverse("events:entries", args=[staff.event.public_id])).text
    assert [name in page for name in ("Tom B. (11)", "tom B. (12)", "Tom C.<")] == [True, True, True]


def test_the_only_address_of_an_account_is_not_offered_for_removal(client):
    person = PersonFactory()
    person.emailaddress_set.create(email=person.email, verified=True, primary=True)
    client.force_login(person)
    assert "Remove address" not in client.get(reverse("account_email")).text
    person.emailaddress_set.create(email="second@example.org", verified=True)
    assert "Remove address" in client.get(reverse("account_email")).text
