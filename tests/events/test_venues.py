"""Venues through requests: register, decide, suspend, managers, members, halls, private data."""

import pytest
from django.urls import reverse

from events.models import AuditEntry, ClubMember, Event, Hall, Venue, VenueManager
from tests.conftest import client_of, confirmed
from tests.factories import EventFactory, PersonFactory, VenueFactory, VolunteerFactory

pytestmark = pytest.mark.django_db


def facts(**changed):
    return {
        "kind": "store", "name": "The Corner Dice Shop", "public_location": "12 Market Street", "city": "Ghent",
        "country": "Belgium", "time_zone": "Europe/Brussels", "shipping_address": "12 Market Street, Ghent",
        "telephone": "+32 9 123 45 67", "tables": 16, "tax_number": "BE 0123.456", "members": "", "volunteer_email": "",
    } | changed  # fmt: skip


def eight(*first):
    return "\n".join([*first, *(f"Member {n}, m{n}@example.org" for n in range(8 - len(first)))])


def register(person, **changed):
    return client_of(person).post(reverse("events:venue-register"), facts(**changed))


def test_a_store_registers_and_waits_for_the_office():
    person = PersonFactory()
    response = register(person)
    venue = Venue.objects.get()
    assert response.url == reverse("events:venue", args=[venue.pk])
    assert (venue.state, list(Venue.objects.managed_by(person))) == ("pending", [venue])
    assert AuditEntry.objects.get().verb == "register-venue"
    assert "BE 0123" not in str(AuditEntry.objects.get().changes)


def test_a_visitor_signs_in_first(client):
    assert "/accounts/login/" in client.get(reverse("events:venue-register")).url


@pytest.mark.parametrize(
    "changed, field, words",
    [
        ({"shipping_address": "P.O. Box 12, Ghent"}, "shipping_address", "PO box"),
        ({"public_location": "Postbus 4"}, "public_location", "a place to play"),
        ({"telephone": "none"}, "telephone", "area code"),
        ({"time_zone": "Mars/Olympus"}, "time_zone", "valid choice"),
        ({"kind": "convention"}, "opens", "first and last days"),
        ({"kind": "club", "members": "Ann, ann@example.org"}, "members", "at least 8"),
        ({"kind": "club", "members": "Ann, not-an-address"}, "members", "Line 1"),
        ({"kind": "club", "volunteer_email": "nobody@example.org"}, "volunteer_email", "No registered volunteer"),
    ],
)
def test_a_fault_stands_at_its_field_and_nothing_typed_is_lost(changed, field, words):
    response = register(PersonFactory(), **changed)
    form = response.context["form"]
    assert words in " ".join(form.errors[field])
    page = response.content.decode()
    assert "The Corner Dice Shop" in page
    for value in changed.values():
        assert value.split(",")[0] in page or field == "time_zone"
    assert not Venue.objects.exists()


def test_a_club_names_a_volunteer_who_is_a_member():
    volunteer = VolunteerFactory(person=PersonFactory(name="Vic Volunteer", email="vic@example.org"))
    person = PersonFactory()
    response = register(person, kind="club", members=eight(), volunteer_email="vic@example.org")
    assert "The list of members must include" in " ".join(response.context["form"].errors["volunteer_email"])
    register(person, kind="club", members=eight("Vic, VIC@example.org"), volunteer_email="Vic@Example.org")
    club = Venue.objects.get()
    assert club.registered_volunteer == volunteer
    assert club.members.count() == 8


def test_the_office_approves_only_complete_venues_and_says_what_is_missing(staff):
    register(staff.manager, kind="store")
    venue = Venue.objects.get(name="The Corner Dice Shop")
    office = staff.client("office")
    where = reverse("events:office-venue", args=[venue.pk])
    assert "BE 0123.456" in office.get(where).content.decode()
    Venue.objects.filter(pk=venue.pk).update(shipping_address="PO Box 3")
    refused = office.post(where, {"decision": "approved", "reason": ""})
    assert refused.status_code == 403
    assert "PO box" in refused.content.decode()
    Venue.objects.filter(pk=venue.pk).update(shipping_address="12 Market Street")
    office.post(where, {"decision": "approved", "reason": ""})
    venue.refresh_from_db()
    assert venue.is_approved


def test_refuse_and_suspend_say_why_and_a_refused_venue_may_ask_again(staff):
    register(staff.manager)
    venue = Venue.objects.get(name="The Corner Dice Shop")
    office, where = staff.client("office"), reverse("events:office-venue", args=[venue.pk])
    page = office.post(where, {"decision": "refused", "reason": " "})
    assert page.context["form"].errors["reason"]
    office.post(where, {"decision": "refused", "reason": "The street does not exist."})
    venue.refresh_from_db()
    assert (venue.state, venue.decision_reason) == ("refused", "The street does not exist.")
    assert "The street does not exist." in staff.client("manager").get(reverse("events:me")).content.decode()
    changed = facts(public_location="14 Market Street", version=venue.version)
    staff.client("manager").post(reverse("events:venue-edit", args=[venue.pk]), changed)
    venue.refresh_from_db()
    assert venue.state == "pending"
    office.post(where, {"decision": "approved", "reason": "", "version": venue.version})
    office.post(where, {"decision": "suspended", "reason": "No results for a year."})
    venue.refresh_from_db()
    assert venue.state == "suspended"
    office.post(where, {"decision": "approved", "reason": "All reported."})
    venue.refresh_from_db()
    assert venue.is_approved


@pytest.mark.parametrize("who", ["manager", "head_judge", "judge", "scorekeeper"])
def test_only_the_office_decides(staff, who):
    where = reverse("events:office-venue", args=[staff.event.venue_id])
    assert staff.client(who).post(where, {"decision": "suspended", "reason": "x"}).status_code == 403
    assert Venue.objects.get().is_approved


def test_a_suspended_venue_creates_nothing(staff):
    Venue.objects.update(state="suspended")
    manager = staff.client("manager")
    assert manager.get(reverse("events:create") + f"?venue={staff.event.venue_id}").status_code == 403
    assert manager.post(reverse("events:copy", args=[staff.event.public_id])).status_code == 403
    assert Event.objects.count() == 1


def test_tax_numbers_are_seen_by_the_office_only(staff, client):
    venue = staff.event.venue
    Venue.objects.update(tax_number="SECRET-77", resale_number="SECRET-78")
    pages = [reverse("events:venue", args=[venue.pk]), reverse("events:venue-edit", args=[venue.pk])]
    for page in pages:
        assert "SECRET-7" not in staff.client("manager").get(page).content.decode()
    assert "SECRET-7" not in client.get(pages[0]).content.decode()
    assert "SECRET-77" in staff.client("office").get(reverse("events:office-venue", args=[venue.pk])).content.decode()
    changed = facts(name=venue.name, tax_number="", resale_number="NEW-1", version=1)
    staff.client("manager").post(pages[1], changed)
    venue.refresh_from_db()
    assert (venue.tax_number, venue.resale_number) == ("SECRET-77", "NEW-1")


def test_a_stale_form_shows_the_difference_and_writes_nothing(staff):
    venue = staff.event.venue
    Venue.objects.update(version=4, city="Bruges")
    response = staff.client("manager").post(
        reverse("events:venue-edit", args=[venue.pk]), facts(name=venue.name, version=1)
    )
    assert response.status_code == 409
    assert "Bruges" in response.content.decode()
    assert Venue.objects.get().city == "Bruges"


def test_managers_are_added_by_e_mail_and_someone_remains(staff):
    venue, manager = staff.event.venue, staff.client("manager")
    where = reverse("events:venue-managers", args=[venue.pk])
    assert "needs to create an account first" in manager.post(where, {"email": "nobody@example.org"}).content.decode()
    new = confirmed(PersonFactory(email="new@example.org"))
    manager.post(where, {"email": "NEW@example.org"})
    last = VenueManager.objects.get(person=new)
    own = VenueManager.objects.get(person=staff.manager)
    assert manager.post(reverse("events:venue-manager-remove", args=[venue.pk, own.pk])).status_code == 403
    assert client_of(new).get(where).status_code == 403, "an offer is no role"
    client_of(new).post(reverse("events:offer-answer", args=["venue", last.pk, "accept"]))
    assert list(Venue.objects.managed_by(new)) == [venue]
    mine = VenueManager.objects.get(person=staff.manager)
    gone = reverse("events:venue-manager-remove", args=[venue.pk, mine.pk])
    assert client_of(new).post(gone).status_code == 409
    assert client_of(new).post(gone, {"confirmed": "yes"}).status_code == 302
    assert [row.person for row in venue.management.all()] == [new]
    assert client_of(new).post(reverse("events:venue-manager-remove", args=[venue.pk, last.pk])).status_code == 403
    assert manager.get(where).status_code == 403


def test_a_clubs_list_grows_and_shrinks_and_says_when_it_is_too_short(staff):
    Venue.objects.update(kind="club")
    venue, manager = staff.event.venue, staff.client("manager")
    where = reverse("events:venue-members", args=[venue.pk])
    manager.post(where, {"members": eight() + "\nMember 1, m1@example.org"})
    assert ClubMember.objects.count() == 8
    row = ClubMember.objects.first()
    gone = reverse("events:venue-member-remove", args=[venue.pk, row.pk])
    asked = manager.post(gone)
    assert asked.status_code == 409
    assert "The list will have 7 members." in asked.content.decode()
    assert ClubMember.objects.count() == 8
    manager.post(gone, {"confirmed": "yes"})
    assert "The list has 7" in manager.get(where).content.decode()
    Venue.objects.update(kind="store")
    assert manager.get(where).status_code == 404


def test_halls(staff):
    venue, manager = staff.event.venue, staff.client("manager")
    where = reverse("events:venue-halls", args=[venue.pk])
    manager.post(where, {"name": "Cellar", "tables": 8})
    hall = Hall.objects.get()
    assert manager.post(where, {"name": "cellar", "tables": 9}).status_code == 403
    manager.post(reverse("events:venue-hall", args=[venue.pk, hall.pk]), {"name": "Cellar", "tables": 10})
    hall.refresh_from_db()
    assert hall.tables == 10
    Event.objects.update(hall=hall)
    gone = reverse("events:venue-hall-remove", args=[venue.pk, hall.pk])
    assert manager.post(gone).status_code == 403
    Event.objects.update(hall=None)
    assert manager.post(gone).status_code == 409
    manager.post(gone, {"confirmed": "yes"})
    assert not Hall.objects.exists()
    assert staff.client("judge").get(where).status_code == 403


def test_unapproved_venues_are_not_public(client, staff):
    waiting = VenueFactory(name="Waiting Shop", state="pending")
    page = client.get(reverse("events:venues")).content.decode()
    assert "Waiting Shop" not in page
    assert staff.event.venue.name in page
    assert client.get(reverse("events:venue", args=[waiting.pk])).status_code == 404
    assert staff.client("office").get(reverse("events:venue", args=[waiting.pk])).status_code == 200


def test_the_list_is_searched(client):
    VenueFactory(name="Alpha", city="Ghent")
    VenueFactory(name="Beta", city="Bruges", kind="convention")
    page = client.get(reverse("events:venues") + "?q=bru").content.decode()
    assert "Beta" in page
    assert "Alpha" not in page
    assert "Beta" not in client.get(reverse("events:venues") + "?kind=store").content.decode()


@pytest.mark.parametrize("rows", [20, 200])
def test_lists_ask_as_often_for_many_as_for_few(client, staff, rows, django_assert_max_num_queries):
    for _number in range(rows):
        VenueFactory()
    with django_assert_max_num_queries(2):
        client.get(reverse("events:venues"))
    for _number in range(rows):
        EventFactory(venue=staff.event.venue)
    with django_assert_max_num_queries(3):
        client.get(reverse("events:venue", args=[staff.event.venue_id]))
    office = staff.client("office")
    Venue.objects.exclude(pk=staff.event.venue_id).update(state="pending")
    with django_assert_max_num_queries(11):  # two of them check whether the site can serve
        office.get(reverse("events:office"))
    with django_assert_max_num_queries(4):
        office.get(reverse("events:office-venues"))
