"""An account with an unconfirmed address may be a stranger's: what it accepts waits for the author of the offer."""

import json

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.door import Refused
from events.models import AuditEntry, Event, Official, Person, Role, Venue, VenueManager
from events.roles import Actor
from events.services.undo import undo
from judging.keeping.event_file import event_file
from judging.keeping.whole_file import whole_file
from tests.conftest import client_of, password_given
from tests.factories import (
    PASSWORD,
    OfficialFactory,
    PersonFactory,
    VenueFactory,
    VenueManagerFactory,
    VolunteerFactory,
)

pytestmark = pytest.mark.django_db
VIC = "vic@example.org"
WAITS = "accepted, address not confirmed"


@pytest.fixture
def thief(administrator):
    """A person who signed up with the address of Vic, who has no account yet."""
    client = Client()
    named = {"name": "Thea Thief", "email": VIC, "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", named).status_code == 302
    assert not EmailAddress.objects.filter(email=VIC, verified=True).exists()
    return client


def offer(kind, row, answer="accept"):
    return reverse("events:offer-answer", args=[kind, row.pk, answer])


def managers(venue):
    return reverse("events:venue-managers", args=[venue.pk])


def confirm_manager(row):
    return reverse("events:venue-manager-confirm", args=[row.venue_id, row.pk])


def url(name, event, *parts):
    return reverse(f"events:{name}", args=[event.public_id, *parts])


@pytest.fixture
def asked(staff, thief):
    """The offer to manage the venue, meant by its manager for Vic."""
    page = staff.client("manager").post(managers(staff.event.venue), {"email": VIC}, follow=True)
    assert "Thea Thief" not in page.text
    return VenueManager.objects.get(person__email=VIC)


# venue managers


def test_a_stranger_with_someone_elses_address_manages_nothing_until_confirmed(staff, thief, asked):
    """The attack: sign up with the address, accept, and take over the venue."""
    venue, pages = staff.event.venue, ("venue-edit", "venue-managers", "venue-halls")
    seen = thief.get(reverse("home")).text
    assert offer("venue", asked) in seen
    assert "Once you accept, a manager of the venue will confirm" in seen
    for _tap in range(2):
        told = thief.post(offer("venue", asked), follow=True).text
        assert "organisers still have to confirm" in told
    for name in pages:
        assert thief.get(reverse(f"events:{name}", args=[venue.pk])).status_code == 403, name
    assert thief.post(confirm_manager(asked)).status_code == 403, "nobody confirms themselves"
    assert thief.get(reverse("judging:venue-audit-log", args=[venue.pk])).status_code in (403, 404)
    assert Actor(person=asked.person).roles(event=staff.event) == {Role.SPECTATOR}
    assert AuditEntry.objects.filter(verb="accept-management").count() == 1, "a second tap changes nothing"
    home = thief.get(reverse("home")).text
    assert "still has to confirm that this account is yours" in home
    assert offer("venue", asked) not in home
    assert offer("venue", asked, "decline") in home

    page = staff.client("manager").get(managers(venue)).text
    assert "Thea Thief" in page
    assert WAITS in page
    assert "someone else may have created this account" in page
    assert (
        staff.client("manager").post(reverse("events:venue-manager-remove", args=[venue.pk, asked.pk])).status_code
        == 302
    )
    assert thief.get(reverse("events:venue-edit", args=[venue.pk])).status_code == 403
    assert thief.post(offer("venue", asked)).status_code == 404


@pytest.mark.parametrize("who", ["manager", "office"])
def test_the_inviting_side_confirms_the_person_who_answered(staff, thief, asked, who):
    by = staff.client(who)
    assert confirm_manager(asked) not in by.get(managers(asked.venue)).text
    refused = by.post(confirm_manager(asked))
    assert (refused.status_code, "hasn&#x27;t accepted yet" in refused.text) == (403, True)
    assert "Thea Thief" not in refused.text
    thief.post(offer("venue", asked))
    assert confirm_manager(asked) in by.get(managers(asked.venue)).text
    for other in ("head_judge", "judge", "scorekeeper"):
        assert staff.client(other).post(confirm_manager(asked)).status_code == 403, other
    assert by.post(confirm_manager(asked)).status_code == 302
    assert thief.get(reverse("events:venue-edit", args=[asked.venue_id])).status_code == 200
    row = AuditEntry.objects.get(verb="confirm-manager")
    assert (row.by_person, row.venue) == (getattr(staff, who), asked.venue)
    assert WAITS not in by.get(managers(asked.venue)).text


def test_a_manager_of_another_venue_confirms_no_one_here(staff, thief, asked):
    thief.post(offer("venue", asked))
    elsewhere = VenueManagerFactory()
    by = client_of(elsewhere.person)
    assert by.post(confirm_manager(asked)).status_code == 403
    assert by.post(reverse("events:venue-manager-confirm", args=[elsewhere.venue_id, asked.pk])).status_code == 404
    asked.refresh_from_db()
    assert asked.confirmed is None


def test_a_confirmed_address_needs_no_one_else(staff, thief, asked):
    EmailAddress.objects.filter(user=asked.person).update(verified=True)
    assert "isn&#x27;t confirmed" not in thief.get(reverse("home")).text
    thief.post(offer("venue", asked))
    asked.refresh_from_db()
    assert (asked.answered, asked.confirmed is not None) == (None, True)
    assert thief.get(reverse("events:venue-edit", args=[asked.venue_id])).status_code == 200


def test_an_offer_to_one_address_is_not_accepted_with_another(staff, thief, asked, settings):
    """Adding and confirming one's own address proves nothing about the address that was asked."""
    mine = EmailAddress.objects.create(user=asked.person, email="thea@example.org", verified=True)
    choose = {"action_primary": "", "email": mine.email}
    for _time in range(2):
        page = password_given(thief).post(reverse("account_email"), choose, follow=True).text
        assert "Your home page has offers" in page
        assert Person.objects.get(pk=asked.person_id).email == VIC
        thief.post(offer("venue", asked))
        asked.refresh_from_db()
        assert (asked.confirmed, asked.answered is not None) == (None, True)
        VenueManager.objects.filter(pk=asked.pk).update(answered=None)
    VenueManager.objects.filter(pk=asked.pk).update(answered=timezone.now())
    thief.post(reverse("account_email"), choose)
    assert Person.objects.get(pk=asked.person_id).email == mine.email
    thief.post(offer("venue", asked))
    asked.refresh_from_db()
    assert asked.confirmed is None, "answered already: the venue decides"
    assert mine.email in staff.client("manager").get(managers(asked.venue)).text


# officials


@pytest.fixture
def role(staff, thief):
    """The role of judge that the head judge meant for Vic; the venue has accepted Vic."""
    staff.client("head_judge").post(url("officials", staff.event), {"email": VIC, "role": "judge"})
    Official.objects.filter(person__email=VIC).update(accepted=timezone.now())
    return Official.objects.get(person__email=VIC)


def test_a_stranger_with_someone_elses_address_judges_nothing_until_confirmed(staff, thief, role):
    """The attack: sign up with a judge's address, accept, and read the console."""
    event = staff.event
    thief.post(offer("role", role))
    for name in ("console", "check-in", "officials", "announce"):
        assert thief.get(url(name, event)).status_code == 403, name
    assert thief.post(url("official-confirm", event, role.pk), {"confirmed": "yes"}).status_code == 403
    assert not Official.objects.agreed().filter(person=role.person).exists()
    assert "Thea Thief" not in Client().get(url("event", event)).text
    code = staff.client("head_judge").post(url("sign-in-code", event), {"email": VIC})
    assert "No official or player of this event" in code.text
    assert WAITS in staff.client("head_judge").get(url("officials", event)).text
    assert "Confirm this official: Thea Thief" in staff.client("head_judge").get(url("console", event)).text
    for other in ("judge", "scorekeeper"):
        assert staff.client(other).post(url("official-confirm", event, role.pk)).status_code == 403, other


@pytest.mark.parametrize("who", ["head_judge", "manager"])
def test_the_head_judge_confirms_the_official_who_answered(staff, thief, role, who):
    by, address = staff.client(who), url("official-confirm", staff.event, role.pk)
    assert by.post(address).status_code == 403, "nobody has answered"
    thief.post(offer("role", role))
    assert address in by.get(url("officials", staff.event)).text
    assert by.post(address).status_code == 302
    assert thief.get(url("console", staff.event)).status_code == 200
    assert AuditEntry.objects.get(verb="confirm-official").by_person == getattr(staff, who)


@pytest.mark.parametrize("state", [Event.State.RUNNING, Event.State.VERIFIED])
def test_a_stranger_with_another_address_by_then_gets_no_role_at_the_next_event(staff, thief, role, state):
    """The attack: answer, change to one's own confirmed address, and wait for the event to be copied."""
    if state == Event.State.RUNNING:
        thief.post(offer("role", role))
    Event.objects.filter(pk=staff.event.pk).update(state=state)
    mine = EmailAddress.objects.create(user=role.person, email="thea@example.org", verified=True)
    password_given(thief).post(reverse("account_email"), {"action_primary": "", "email": mine.email})
    assert Person.objects.get(pk=role.person_id).email == mine.email
    manager = staff.client("manager")
    assert mine.email not in manager.get(f"{reverse('events:create')}?venue={staff.event.venue_id}").text
    assert manager.post(reverse("events:copy", args=[staff.event.public_id])).status_code == 302
    copied = Event.objects.get(copied_from=staff.event)
    assert copied.officials.filter(role="head-judge").exists()
    for again in copied.officials.filter(person=role.person):
        thief.post(offer("role", again))
    assert thief.get(url("console", copied)).status_code == 404, "to them it is a draft"


def test_undoing_a_removal_offers_nothing_to_another_address(staff, thief, role):
    """The attack: be removed, change to one's own confirmed address, and wait for the removal to be undone."""
    staff.client("head_judge").post(url("official-remove", staff.event, role.pk), {"confirmed": "yes"})
    mine = EmailAddress.objects.create(user=role.person, email="thea@example.org", verified=True)
    password_given(thief).post(reverse("account_email"), {"action_primary": "", "email": mine.email})
    removal = AuditEntry.objects.filter(verb="change-officials").latest("pk")
    assert removal.sentence == "official-removed"
    with pytest.raises(Refused, match="Offer the role again"):
        undo(by=Actor(person=staff.head_judge), entry=removal, confirmed=True, reason="mistake")
    assert not Official.objects.filter(person=role.person).exists()


def test_a_finished_event_says_what_confirming_means(staff, thief, role):
    thief.post(offer("role", role))
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.FINISHED)
    address = url("official-confirm", staff.event, role.pk)
    page = staff.client("head_judge").post(address)
    assert (page.status_code, "can act as judge from now on" in page.text) == (409, True)
    assert staff.client("head_judge").post(address, {"confirmed": "yes"}).status_code == 302


def test_a_higher_role_must_be_answered_again(staff, thief, role):
    thief.post(offer("role", role))
    Official.objects.filter(pk=role.pk).update(role="scorekeeper")
    staff.client("manager").post(url("officials", staff.event), {"email": VIC, "role": "judge"})
    role.refresh_from_db()
    assert (role.role, role.answered, role.confirmed) == ("judge", None, None)


def test_someone_who_plays_in_the_meantime_is_not_confirmed(staff, thief, role):
    thief.post(offer("role", role))
    staff.event.entries.create(number=90, person=role.person, name="Thea Thief")
    assert staff.client("head_judge").post(url("official-confirm", staff.event, role.pk)).status_code == 403


def test_an_unconfirmed_answer_stays_on_its_machine(staff):
    """An unconfirmed claim counts only on this machine, and the file's format doesn't change."""
    row = OfficialFactory(event=staff.event, role="judge", answered=timezone.now(), confirmed=None)
    whole = json.loads(whole_file(staff.event).parts["whole"])["rows"]["events.Official"]
    assert all("answered" not in told for told in whole)
    assert len(whole) == staff.event.officials.count()
    assert row.person.name not in [told["name"] for told in event_file(staff.event)["officials"]]


# clubs' registered volunteers


def test_a_stranger_with_someone_elses_address_is_no_clubs_volunteer(staff, thief):
    """A club needs the sanctioning office's approval anyway, so it accepts for a person who can't confirm."""
    vic = Person.objects.get(email=VIC)
    club = VenueFactory(kind="club", state="pending", registered_volunteer=VolunteerFactory(person=vic))
    home = thief.get(reverse("home")).text
    assert offer("club", club) not in home
    assert offer("club", club, "decline") in home
    refused = thief.post(offer("club", club))
    assert (refused.status_code, "ask an administrator" in refused.text) == (403, True)
    assert Venue.objects.get(pk=club.pk).volunteer_agreed is None
    address = reverse("events:office-venue-accept-for", args=[club.pk])
    said = {"reason": "Vic said so", "confirmed": "yes", "version": club.version}
    assert staff.client("office").post(address, said).status_code == 302
    assert Venue.objects.get(pk=club.pk).agreed_volunteer.person == vic


def test_a_person_whose_answer_was_refused_can_change_their_address(thief):
    row = VenueManagerFactory(person=Person.objects.get(email=VIC), confirmed=None)
    mine = EmailAddress.objects.create(user=row.person, email="thea@example.org", verified=True)
    assert thief.post(offer("venue", row, "decline")).status_code == 302
    password_given(thief).post(reverse("account_email"), {"action_primary": "", "email": mine.email})
    assert Person.objects.get(pk=row.person_id).email == mine.email
    assert PersonFactory(email=VIC).pk, "the address is free again"
