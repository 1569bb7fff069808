"""No one is attached to anything through an address that others typed: an offer waits for the address's owner."""

import pytest
from django.test import Client
from django.urls import reverse

from events.models import AuditEntry, Entry, Event, Official, Person, Role, Venue, VenueManager
from events.roles import Actor
from events.services.people import entry_link
from judging.keeping import erasure
from tests.conftest import client_of, confirmed
from tests.factories import (
    PASSWORD,
    EntryFactory,
    EventFactory,
    OfficialFactory,
    PersonFactory,
    VenueFactory,
    VenueManagerFactory,
    VolunteerFactory,
)

pytestmark = pytest.mark.django_db


def offer(kind, row, answer="accept"):
    return reverse("events:offer-answer", args=[kind, row.pk, answer])


def url(name, event, *parts):
    return reverse(f"events:{name}", args=[event.public_id, *parts])


@pytest.fixture
def anna():
    """A volunteer whose address others know."""
    return confirmed(VolunteerFactory(person__name="Anna Alms", person__email="anna@example.org").person)


# officials


def test_an_official_has_no_role_before_they_accept(staff, anna):
    staff.client("manager").post(url("officials", staff.event), {"email": anna.email, "role": "judge"})
    official, mine = Official.objects.get(person=anna), client_of(anna)
    assert Actor(person=anna).roles(event=staff.event) == {Role.SPECTATOR}
    for name in ("console", "check-in", "officials", "announce"):
        assert mine.get(url(name, staff.event)).status_code == 403, name
    assert "waiting for Anna Alms to accept" in staff.client("head_judge").get(url("officials", staff.event)).text
    assert "Waiting for Anna Alms to accept" in staff.client("head_judge").get(url("console", staff.event)).text
    for page in ("home", "events:me"):
        seen = mine.get(reverse(page)).text
        assert offer("role", official) in seen, page
        assert url("console", staff.event) not in seen, page
    assert staff.event.name not in mine.get(reverse("events:calendar")).text
    assert "Anna Alms" not in Client().get(url("event", staff.event)).text
    assert mine.post(offer("role", official)).status_code == 302
    assert mine.get(url("console", staff.event)).status_code == 200
    row = AuditEntry.objects.get(verb="accept-role")
    assert (row.by_person, row.event) == (anna, staff.event)
    assert mine.post(offer("role", official)).status_code == 302, "a second tap changes nothing"
    assert AuditEntry.objects.filter(verb="accept-role").count() == 1


def test_no_one_accepts_a_role_that_they_have_not_seen(staff, anna):
    """The attack: offer a small role, and raise it just before the person taps Accept."""
    manager, mine = staff.client("manager"), client_of(anna)
    manager.post(url("officials", staff.event), {"email": anna.email, "role": "scorekeeper"})
    assert '<input type="hidden" name="role" value="scorekeeper">' in mine.get(reverse("home")).text
    manager.post(url("officials", staff.event), {"email": anna.email, "role": "judge"})
    official = Official.objects.get(person=anna)
    refused = mine.post(offer("role", official), {"role": "scorekeeper"})
    assert (refused.status_code, "since been offered another role" in refused.text) == (403, True)
    assert Actor(person=anna).roles(event=staff.event) == {Role.SPECTATOR}
    assert mine.post(offer("role", official), {"role": "judge"}).status_code == 302
    assert mine.get(url("console", staff.event)).status_code == 200


@pytest.mark.parametrize("who", ["head_judge", "manager", "judge", "office", "stranger"])
@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_no_one_answers_another_persons_offer(staff, anna, who, answer):
    by = client_of(confirmed(PersonFactory())) if who == "stranger" else staff.client(who)
    rows = {
        "role": OfficialFactory(event=staff.event, person=anna, role="judge", confirmed=None),
        "venue": VenueManagerFactory(venue=staff.event.venue, person=anna, confirmed=None),
        "club": VenueFactory(kind="club", registered_volunteer=anna.volunteer),
        "entry": EntryFactory(event=staff.event, email=anna.email),
    }
    for kind, row in rows.items():
        assert by.post(offer(kind, row, answer)).status_code == 403, kind
        assert Client().post(offer(kind, row, answer)).status_code == 302, "signs in first"
        row.refresh_from_db()
    assert (rows["role"].confirmed, rows["venue"].confirmed, rows["entry"].person) == (None, None, None)
    assert rows["entry"].email == anna.email
    assert (rows["club"].registered_volunteer, rows["club"].volunteer_agreed) == (anna.volunteer, None)


def test_the_administrator_accepts_for_someone_and_says_why(staff, anna):
    role = OfficialFactory(event=staff.event, person=anna, role="judge", confirmed=None)
    manager = VenueManagerFactory(venue=staff.event.venue, person=anna, confirmed=None)
    addresses = [
        url("official-accept-for", staff.event, role.pk),
        reverse("events:venue-manager-accept-for", args=[staff.event.venue_id, manager.pk]),
    ]
    for address in addresses:
        for who in ("manager", "head_judge"):
            assert staff.client(who).post(address, {"reason": "x", "confirmed": "yes"}).status_code == 403
        assert staff.client("office").post(address).status_code == 409, "asks why"
        assert staff.client("office").post(address, {"reason": "She said so", "confirmed": "yes"}).status_code == 302
    assert Role.JUDGE in Actor(person=anna).roles(event=staff.event)
    assert Role.VENUE in Actor(person=anna).roles(event=staff.event)


def test_a_declined_role_is_gone_and_an_accepted_one_is_not_declined(staff, anna):
    role = OfficialFactory(event=staff.event, person=anna, role="judge", confirmed=None)
    mine = client_of(anna)
    assert mine.post(offer("role", role, "decline")).status_code == 302
    assert not Official.objects.filter(person=anna).exists()
    assert mine.post(offer("role", role)).status_code == 404
    kept = OfficialFactory(event=staff.event, person=anna, role="judge")
    assert mine.post(offer("role", kept, "decline")).status_code == 403
    manages = VenueManagerFactory(venue=staff.event.venue, person=anna, confirmed=None)
    assert mine.post(offer("venue", manages, "decline")).status_code == 302
    assert not VenueManager.objects.filter(person=anna).exists()


def test_a_copied_event_asks_its_officials_again_except_its_copier(staff, anna):
    OfficialFactory(event=staff.event, person=anna, role="judge")
    staff.client("manager").post(url("copy", staff.event))
    copied = Event.objects.get(copied_from=staff.event)
    assert copied.officials.count() == 4
    assert not copied.officials.agreed().exists()
    assert staff.client("head_judge").get(url("console", copied)).status_code == 404, "a draft of somebody else"
    Official.objects.filter(event=staff.event, role="head-judge").delete()
    OfficialFactory(event=staff.event, person=VenueManagerFactory(venue=staff.event.venue).person, role="scorekeeper")
    own = staff.event.officials.latest("pk").person
    VolunteerFactory(person=own)
    client_of(own).post(url("copy", staff.event), {"confirmed": "yes"})
    again = Event.objects.filter(copied_from=staff.event).latest("pk")
    assert [row.person for row in again.officials.agreed()] == [own]


def test_a_head_judge_is_asked_before_the_event_opens_and_a_running_one_is_never_without(staff, anna):
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    named = {"email": anna.email, "role": "head-judge", "confirmed": "yes"}
    assert staff.client("manager").post(url("officials", staff.event), named).status_code == 403
    assert staff.event.officials.get(role="head-judge").person == staff.head_judge
    OfficialFactory(event=staff.event, person=anna, role="judge")
    assert staff.client("manager").post(url("officials", staff.event), named).status_code == 302
    assert staff.event.officials.at_work().get(role="head-judge").person == anna


def test_a_higher_role_is_asked_again(staff):
    staff.client("manager").post(url("officials", staff.event), {"email": staff.scorekeeper.email, "role": "judge"})
    assert Role.JUDGE not in Actor(person=staff.scorekeeper).roles(event=staff.event)


def test_an_offer_that_was_not_accepted_hinders_nothing(staff, anna):
    """A stranger's proposal costs the person no free day, no seat and no right to erase their data."""
    theirs = EventFactory(starts=staff.event.starts)
    OfficialFactory(event=theirs, person=anna, confirmed=None)
    VenueManagerFactory(venue=theirs.venue, person=anna, confirmed=None)
    own = OfficialFactory(event=staff.event, person=anna, role="judge", confirmed=None)
    mine = client_of(anna)
    assert mine.post(url("enter", theirs), {"name": "Anna Alms", "declares": "on"}).status_code == 302
    assert Entry.objects.filter(event=theirs, person=anna).exists()
    assert mine.post(offer("role", own)).status_code == 302
    assert mine.post(offer("role", Official.objects.get(event=theirs))).status_code == 403, "she plays there"


# managers


def test_a_manager_has_no_right_before_they_accept(staff, anna):
    venue, mine = staff.event.venue, client_of(anna)
    staff.client("manager").post(reverse("events:venue-managers", args=[venue.pk]), {"email": anna.email})
    row = VenueManager.objects.get(person=anna)
    for name in ("venue-edit", "venue-managers", "venue-halls"):
        assert mine.get(reverse(f"events:{name}", args=[venue.pk])).status_code == 403, name
    assert "Anna Alms" not in staff.client("manager").get(reverse("events:venue-managers", args=[venue.pk])).text
    assert not Venue.objects.managed_by(anna).exists()
    assert offer("venue", row) in mine.get(reverse("events:me")).text
    mine.post(offer("venue", row))
    assert mine.get(reverse("events:venue-edit", args=[venue.pk])).status_code == 200


def test_a_strangers_venue_reveals_nothing_about_a_person_asked_to_manage_it(anna):
    venue = VenueManagerFactory(venue=VenueFactory(state="pending")).venue
    stranger = client_of(venue.management.get().person)
    page = stranger.post(reverse("events:venue-managers", args=[venue.pk]), {"email": anna.email}, follow=True)
    assert page.status_code == 200
    assert "Anna Alms" not in page.text
    record = reverse("judging:venue-audit-log", args=[venue.pk])
    assert "Anna Alms" not in stranger.get(record).text
    assert client_of(anna).post(offer("venue", VenueManager.objects.get(person=anna), "decline")).status_code == 302
    assert "Anna Alms" not in stranger.get(record).text


# clubs' registered volunteers


@pytest.fixture
def club(staff, anna):
    """A game club, registered through its page, whose manager names Anna as its registered volunteer."""
    members = "\n".join(["A. Member, anna@example.org", *(f"Member {n}" for n in range(7))])
    client_of(staff.manager).post(reverse("events:venue-register"), club_facts(members=members))
    return Venue.objects.get(name="Ghent Heroes")


def club_facts(**changed):
    return {
        "kind": "club", "name": "Ghent Heroes", "public_location": "12 Market Street", "city": "Ghent",
        "country": "Belgium", "time_zone": "Europe/Brussels", "shipping_address": "12 Market Street, Ghent",
        "telephone": "+32 9 123 45 67", "tables": 16, "volunteer_email": "Anna@Example.org",
    } | changed  # fmt: skip


def approve(staff, club):
    page = reverse("events:office-venue", args=[club.pk])
    return staff.client("office").post(page, {"decision": "approved", "reason": ""})


def test_a_club_has_no_registered_volunteer_before_they_accept(staff, anna, club):
    mine = client_of(anna)
    assert (club.registered_volunteer.person, club.volunteer_agreed) == (anna, None)
    for who, page in (
        ("manager", "venue"),
        ("manager", "venue-edit"),
        ("manager", "venue-members"),
        ("office", "office-venue"),
    ):
        seen = staff.client(who).get(reverse(f"events:{page}", args=[club.pk])).text
        assert "Anna Alms" not in seen, page
        assert "hasn&#x27;t accepted yet" in seen or page == "venue-edit", page
    assert "anna@example.org" in staff.client("manager").get(reverse("events:venue", args=[club.pk])).text
    refused = approve(staff, club)
    assert refused.status_code == 403
    assert "registered volunteer hasn&#x27;t accepted yet" in refused.text
    assert "Anna Alms" not in refused.text
    for page in ("home", "events:me"):
        seen = mine.get(reverse(page)).text
        assert offer("club", club) in seen, page
        assert "Ghent Heroes in Ghent has named you as its registered volunteer." in seen, page
    assert mine.post(offer("club", club)).status_code == 302
    assert AuditEntry.objects.get(verb="accept-volunteering").by_person == anna
    assert offer("club", club) not in mine.get(reverse("events:me")).text
    assert "Anna Alms" in staff.client("manager").get(reverse("events:venue", args=[club.pk])).text
    assert approve(staff, club).status_code == 302
    assert mine.post(offer("club", club, "decline")).status_code == 403, "accepted already"


def test_a_declined_club_has_no_volunteer_and_learns_no_name(staff, anna, club):
    assert client_of(anna).post(offer("club", club, "decline")).status_code == 302
    club.refresh_from_db()
    assert (club.registered_volunteer, club.volunteer_agreed) == (None, None)
    for page in ("events:venue", "judging:venue-audit-log"):
        seen = staff.client("manager").get(reverse(page, args=[club.pk]))
        assert seen.status_code == 200
        assert "Anna Alms" not in seen.text, page
    assert client_of(anna).post(offer("club", club)).status_code == 403


def test_another_volunteer_is_asked_again_and_the_same_one_is_not(staff, anna, club):
    client_of(anna).post(offer("club", club))
    agreed = Venue.objects.get(pk=club.pk).volunteer_agreed
    edit, manager = reverse("events:venue-edit", args=[club.pk]), staff.client("manager")
    assert manager.post(edit, club_facts(tables=20)).status_code == 302
    assert Venue.objects.get(pk=club.pk).volunteer_agreed == agreed
    club.members.create(name="Bob", email="bob@example.org")
    bob = confirmed(VolunteerFactory(person__name="Bob Bold", person__email="bob@example.org").person)
    assert manager.post(edit, club_facts(volunteer_email="bob@example.org")).status_code == 302
    assert Venue.objects.get(pk=club.pk).volunteer_agreed is None
    assert client_of(anna).post(offer("club", club)).status_code == 403, "the offer is Bob's"
    assert client_of(bob).post(offer("club", club)).status_code == 302
    assert Venue.objects.get(pk=club.pk).agreed_volunteer.person == bob


def test_naming_oneself_is_agreement(staff):
    mine = VolunteerFactory(person=staff.manager, state="approved").person
    members = "\n".join([mine.name, *(f"Member {n}" for n in range(7))])
    staff.client("manager").post(
        reverse("events:venue-register"), club_facts(members=members, volunteer_email=mine.email)
    )
    club = Venue.objects.get(name="Ghent Heroes")
    assert club.agreed_volunteer.person == mine
    assert approve(staff, club).status_code == 302


def test_a_clubs_list_of_names_reveals_nothing_about_an_account(staff, anna):
    """Guessing an account's name doesn't reveal whether the guess is right."""
    pages = []
    for name in ("Anna Alms", "Nobody Known"):
        members = "\n".join([name, *(f"Member {n}" for n in range(7))])
        page = staff.client("manager").post(reverse("events:venue-register"), club_facts(members=members))
        pages.append(page.context["form"].errors["volunteer_email"])
        assert "12 Market Street" in page.text, "nothing typed is lost"
    assert pages[0] == pages[1] == ["The list of members must include the registered volunteer's e-mail address."]


def test_the_administrator_accepts_for_a_club_s_volunteer_and_says_why(staff, anna, club):
    page, address = (reverse(f"events:{name}", args=[club.pk]) for name in ("office-venue", "office-venue-accept-for"))
    assert address in staff.client("office").get(page).text
    said = {"reason": "She said so", "confirmed": "yes"}
    assert staff.client("manager").post(address, said).status_code == 403
    assert staff.client("office").post(address).status_code == 409, "asks why"
    assert staff.client("office").post(address, said | {"version": club.version + 7}).status_code == 409, (
        "changed since"
    )
    assert staff.client("office").post(address, said | {"version": club.version}).status_code == 302
    entry = AuditEntry.objects.get(verb="accept-volunteering-for")
    assert (entry.by_person, entry.reason) == (staff.office, "She said so")
    assert approve(staff, club).status_code == 302


# entries


@pytest.mark.parametrize("way", ["door", "list", "change"])
def test_an_address_on_an_entry_gives_its_account_nothing_but_an_offer(staff, anna, way):
    desk = staff.client("scorekeeper")
    if way == "door":
        desk.post(url("entry-add", staff.event), {"name": "Somebody", "email": "ANNA@example.org", "declares": "on"})
    elif way == "list":
        text = f"name,email\nSomebody,{anna.email}"
        desk.post(url("entries-import", staff.event), {"text": text, "declared": "on", "enter": "yes"})
    else:
        entry = EntryFactory(event=staff.event, name="Somebody")
        page = {"name": "Somebody", "email": anna.email, "declares": "on", "version": entry.version}
        desk.post(url("entry-edit", staff.event, entry.number), page)
    entry, mine = Entry.objects.get(name="Somebody"), client_of(anna)
    assert (entry.person, entry.email.lower()) == (None, anna.email)
    assert Actor(person=anna).roles(event=staff.event) == {Role.SPECTATOR}
    assert "Anna Alms" not in desk.get(url("entry", staff.event, entry.number)).text
    page = mine.get(reverse("events:me")).text
    assert offer("entry", entry) in page
    assert url("entry", staff.event, entry.number) not in page
    assert mine.post(offer("entry", entry, "decline")).status_code == 302
    entry.refresh_from_db()
    assert (entry.person, entry.email) == (None, "")
    assert offer("entry", entry) not in mine.get(reverse("events:me")).text
    assert AuditEntry.objects.filter(verb="decline-entry", by_person=anna).count() == 1


def test_signing_up_with_someone_elses_address_takes_nothing(staff, client):
    """The account has a listed player's address; only its owner could confirm it."""
    entry = EntryFactory(event=staff.event, name="Vic Victim", email="vic@example.org", club="Secret Club")
    thief = {"name": "Thea Thief", "email": "vic@example.org", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", thief)
    assert Person.objects.filter(email="vic@example.org").exists()
    for page in (reverse("home"), reverse("events:me"), reverse("events:my-records")):
        assert "Vic Victim" not in client.get(page).text
    for answer in ("accept", "decline"):
        assert client.post(offer("entry", entry, answer)).status_code == 403
    refused = client.post(url("enter", staff.event), {"name": "Vic Victim", "declares": "on"})
    assert "Confirm the address" in refused.text
    assert client.post(url("entry-join", staff.event, entry.number)).status_code == 403
    assert client.get(url("entry-edit", staff.event, entry.number)).status_code == 403
    entry.refresh_from_db()
    assert (entry.person, entry.email) == (None, "vic@example.org")
    assert staff.event.entries.count() == 1


def test_the_player_link_proves_an_entry_and_two_accounts_do_not_share_it(staff, anna):
    entry = EntryFactory(event=staff.event, email=anna.email)
    by_link = client_of(PersonFactory())
    assert by_link.post(url("entry-join", staff.event, entry.number)).status_code == 403
    by_link.get(entry_link(entry))
    page = by_link.get(url("entry", staff.event, entry.number)).text
    assert "Add to my account" in page
    other = EntryFactory(event=staff.event)
    assert by_link.post(url("entry-join", staff.event, other.number)).status_code == 403, "the link is of one entry"
    assert by_link.post(url("entry-join", staff.event, entry.number)).status_code == 302
    refused = client_of(anna).post(offer("entry", entry))
    assert refused.status_code == 403
    assert "belongs to another account" in refused.text
    entry.refresh_from_db()
    assert (entry.person.email, entry.email) == (entry.person.email, "")
    assert entry.person != anna


def test_one_account_has_one_entry_at_an_event_and_an_official_has_none(staff, anna):
    first, second = (EntryFactory(event=staff.event, email=anna.email) for _number in range(2))
    mine = client_of(anna)
    assert [mine.post(offer("entry", one)).status_code for one in (first, second)] == [302, 403]
    judge = confirmed(staff.judge)
    listed = EntryFactory(event=staff.event, email=judge.email)
    assert staff.client("judge").post(offer("entry", listed)).status_code == 403


def test_an_erased_account_takes_nothing_with_it_that_is_not_proven_its_own(staff):
    """Signing up with a stranger's address and erasing "their" data reaches neither entry nor membership."""
    entry = EntryFactory(event=staff.event, name="Vic Victim", email="vic@example.org", state="withdrawn")
    club = VenueFactory(kind="club")
    club.members.create(name="Vic Victim", email="vic@example.org")
    thief = PersonFactory(name="Thea Thief", email="vic@example.org")
    erasure.erase_person(by=Actor(person=thief), person=thief, confirmed=True)
    thief.refresh_from_db()
    assert not thief.is_active
    entry.refresh_from_db()
    assert (entry.name, entry.email, entry.person) == ("Vic Victim", "vic@example.org", None)
    assert club.members.count() == 1
