"""Personal data: shown only to people who need it, exported to its owner, erased without breaking results."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from events.models import AuditEntry, Entry, Event, Match, Person, Venue
from events.services import entries, people
from events.services.rounds import finish_event
from judging.keeping import comparing, erasure, snapshots
from judging.keeping.whole_file import canonical, read_file, whole_file
from judging.models import Penalty, Snapshot, VerifiedReport
from judging.services.finish import verify_event
from tests.conftest import client_of, password_given
from tests.events.simulation import play_round, players
from tests.events.test_queries_of_every_page import event_addresses, filled, large_event
from tests.factories import PASSWORD, EntryFactory, EventFactory, PersonFactory

pytestmark = pytest.mark.django_db
PUBLIC = ["/", "/events/", "/venues/", "/rules/", "/api/", "/api/events", "/volunteers/register/"]


@pytest.fixture
def ada(staff):
    """A player who played an event to its verified end, with a penalty and a mention in the audit log."""
    by, event = staff.actor("head_judge"), staff.event
    event.number_of_rounds = 2
    event.save()
    ada = PersonFactory(name="Ada Lovelace", email="ada@example.org", phone="+44 20 1234567")
    players(event, 4)
    entry = Entry.objects.get(number=2)
    entries.change_entry(
        by=by, entry=entry, name="Ada Lovelace", club="Analytical Engines", is_minor=False, fixed_table=None
    )
    Entry.objects.filter(pk=entry.pk).update(person=ada)
    Entry.objects.filter(number=3).update(name="Ada Lovelace King")
    people.change_account(by=staff.actor("office"), name="Otto", phone="", is_minor=False, publisher_family=False)
    play_round(by, event)
    Penalty.objects.create(
        entry=entry, kind="warning", category="slow-play", text="Ada Lovelace took long", given_by=staff.judge
    )
    entries.drop_entry(by=by, entry=entry, confirmed=True)
    play_round(by, event)
    finish_event(by=by, event=event, confirmed=True)
    verify_event(by=by, event=event)
    return ada


def everything() -> str:
    """Return every text in the database about events, audit log and reports, except people's own rows."""
    event = Event.objects.select_related("venue").get()
    reports = [report.document for report in VerifiedReport.objects.all()]
    record = list(AuditEntry.objects.values("summary", "facts", "reason", "changes"))
    return canonical([json.loads(whole_file(event).content()), reports, record]).decode()


def test_everything_that_points_to_a_person_is_given_to_that_person(ada):
    client = password_given(client_of(ada))
    answer = client.get(reverse("judging:my-data-file"))
    assert "no-store" in answer["Cache-Control"]
    found = json.loads(answer.content)
    assert found["account"]["phone"] == "+44 20 1234567"
    assert [row["club"] for row in found["entries"]] == ["Analytical Engines"]
    assert found["penalties"][0]["text"] == "Ada Lovelace took long"
    assert found["matches"]
    assert not re.search(r'"(password|code_hash|link_key|link_secret)"', answer.content.decode())
    assert Client().get(reverse("judging:my-data-file")).status_code == 302


def test_erasing_needs_the_password_closes_the_account_and_keeps_results_whole(ada):
    before = list(Match.objects.order_by("pk").values_list("a_id", "b_id", "result", "state"))
    client = client_of(ada)
    asked = client.post(reverse("judging:my-data"))
    assert asked.url.startswith("/accounts/reauthenticate/")
    assert "Erase my data</button>" in client.get(asked.url).content.decode()
    wrong = client.post(asked.url, {"password": "wrong"})
    assert wrong.status_code == 200
    assert "Erase my data</button>" in wrong.content.decode()
    elsewhere = client.get("/accounts/reauthenticate/?next=/me/").content.decode()
    assert "Continue</button>" in elsewhere  # where the erasure isn't carried out
    assert "Erase data" not in elsewhere
    assert Person.objects.get(pk=ada.pk).is_active
    done = client.post(asked.url, {"password": PASSWORD}, follow=True)
    assert "erased" in done.content.decode()
    ada.refresh_from_db()
    assert (ada.is_active, ada.phone, ada.has_usable_password()) == (False, "", False)
    assert ada.email.endswith(".invalid")
    assert ada.name == f"Player {ada.pk} (data erased)"
    assert list(Match.objects.order_by("pk").values_list("a_id", "b_id", "result", "state")) == before
    assert Client().post("/accounts/login/", {"login": "ada@example.org", "password": PASSWORD}).status_code == 200
    standings = Client().get(f"/events/{Event.objects.get().public_id}/standings/").content.decode()
    assert "data erased" in standings
    assert "Ada Lovelace King" in standings


def test_nothing_of_the_person_is_left_in_audit_log_and_reports(ada):
    assert "Analytical Engines" in everything()
    erasure.erase_person(by=erasure.Actor(person=ada), person=ada, confirmed=True)
    text = everything()
    for word in ("ada@example.org", "Analytical Engines", "+44 20", "Ada Lovelace took"):
        assert word not in text, word
    assert not re.search(r"Ada Lovelace(?! King)", text)
    assert "Ada Lovelace King" in text
    newest = AuditEntry.objects.first()
    assert newest.verb == "erase-self"
    assert "Ada" not in newest.words


@pytest.mark.parametrize("name", ["Will", "Round", "Table"])
def test_a_name_that_is_an_ordinary_word_is_taken_out_as_a_name_only(staff, settings, name):
    settings.SNAPSHOTS_KEPT = 5
    by, event = staff.actor("head_judge"), staff.event
    called = f"The {name} Inn, where we {name.lower()} play"
    Event.objects.filter(pk=event.pk).update(name=called, description=called, number_of_rounds=1)
    event.refresh_from_db()
    players(event, 4)
    person, entry = PersonFactory(name=name, email="word@example.org"), Entry.objects.get(number=2)
    entries.change_entry(by=by, entry=entry, name=name, club="", is_minor=False, fixed_table=None)
    Entry.objects.filter(pk=entry.pk).update(person=person)
    play_round(by, event)
    Penalty.objects.create(
        entry=entry, kind="warning", category="slow-play", given_by=staff.judge,
        text=f"Round 3 at table 4 (Table 4): {name} was slow, and {name.lower()} was said",
    )  # fmt: skip
    finish_event(by=by, event=event, confirmed=True)
    verify_event(by=by, event=event)
    snapshots.take(event, Snapshot.Why.BY_HAND)
    said = [entry.words for entry in AuditEntry.objects.filter(event=event).order_by("pk")]
    client = client_of(person)
    asked = client.post(reverse("judging:my-data"))
    assert "erased" in client.post(asked.url, {"password": PASSWORD}, follow=True).content.decode()
    new = f"Player {person.pk} (data erased)"
    event.refresh_from_db()
    assert (event.name, event.description) == (called, called)
    assert Entry.objects.get(pk=entry.pk).name == new
    assert Penalty.objects.get().text == f"Round 3 at table 4 (Table 4): {new} was slow, and {name.lower()} was said"
    now = [entry.words for entry in AuditEntry.objects.filter(event=event).order_by("pk")]
    assert [one.replace(new, name) for one in now[: len(said)]] == said
    assert not [one for one in now if f"{new} 1," in one]
    assert f'"{name}"' not in everything()
    for kept in (everything(), canonical(snapshots.document_of(Snapshot.objects.first())).decode()):
        assert called in kept
        assert new in kept


def test_an_old_file_does_not_bring_an_erased_person_back(ada):
    event = Event.objects.select_related("venue", "hall").get()
    old = whole_file(event).content()
    erasure.erase_person(by=erasure.Actor(person=ada), person=ada, confirmed=True)
    found = comparing.plan(read_file(old))
    assert found.new_people == []
    assert not Person.objects.filter(email="ada@example.org").exists()


def test_an_administrator_erases_with_a_reason(ada, staff):
    address = reverse("judging:person-data", args=[ada.pk])
    office = password_given(staff.client("office"))
    assert json.loads(office.get(address, {"as": "file"}).content)["account"]["email"] == "ada@example.org"
    assert "can't be undone" in office.get(address).content.decode()
    assert office.post(address, {"reason": ""}).status_code == 409
    assert office.post(address, {"reason": "Asked by letter"}).status_code == 302
    ada.refresh_from_db()
    assert not ada.is_active
    for who in ("manager", "head_judge"):
        assert staff.client(who).get(address).status_code == 403, who


def test_an_account_still_needed_says_what_must_be_settled_first(staff):
    judge = password_given(client_of(staff.head_judge))
    page = judge.get(reverse("judging:my-data")).content.decode()
    assert "isn&#x27;t over" in page
    assert judge.post(reverse("judging:my-data")).status_code == 403
    manager = client_of(staff.manager)
    assert "no other manager" in manager.get(reverse("judging:my-data")).content.decode()
    staff.head_judge.refresh_from_db()
    assert staff.head_judge.is_active


def test_a_player_registered_for_an_open_event_withdraws_first(staff):
    coming, player = EventFactory(state=Event.State.OPEN), PersonFactory()
    entry = EntryFactory(event=coming, person=player)
    where, mine = reverse("judging:my-data"), password_given(client_of(player))
    assert "Withdraw it from the event first." in mine.get(where).text
    assert mine.post(where).status_code == 403
    Entry.objects.filter(pk=entry.pk).update(state=Entry.State.WITHDRAWN)
    assert mine.post(where).status_code == 302


def test_an_erased_minor_has_no_age_and_a_whole_replacement_name(ada, staff):
    Person.objects.filter(pk=ada.pk).update(is_minor=True)
    Entry.objects.filter(person=ada).update(is_minor=True)
    erasure.erase_person(by=staff.actor("office"), person=Person.objects.get(pk=ada.pk), reason="Asked", confirmed=True)
    entry = Entry.objects.get(person=ada)
    assert entry.public_name == erasure.new_name(ada)
    assert not Person.objects.get(pk=ada.pk).is_minor
    page = staff.client("head_judge").get(reverse("events:entry", args=[staff.event.public_id, entry.number])).text
    assert "erased.invalid" not in page
    document = VerifiedReport.objects.get().document
    assert not next(player for player in document["players"] if player["id"] == entry.number)["minor"]


def test_addresses_and_telephones_are_shown_only_to_people_who_need_them(staff):
    event = large_event(staff.event, 8)
    player = PersonFactory(name="Player One", email="private-one@example.org", phone="+32 477 111111")
    Entry.objects.filter(event=event, number=1).update(person=player)
    other = PersonFactory(name="Player Two", email="private-two@example.org", phone="+32 477 222222")
    Entry.objects.filter(event=event, number=2).update(person=other)
    Entry.objects.filter(event=event, number=3).update(email="private-three@example.org")
    Person.objects.filter(pk=staff.judge.pk).update(email="private-judge@example.org", phone="+32 477 333333")
    Venue.objects.filter(pk=event.venue_id).update(tax_number="TAX-PRIVATE-1", resale_number="RESALE-PRIVATE-1")
    private = re.compile(r"private-(one|two|three|judge)@|\+32 477|PRIVATE-1")
    mine = re.compile(r"private-one@example\.org|\+32 477 111111")
    faults, seen = [], 0
    addresses = [
        *PUBLIC,
        f"/venues/{event.venue_id}/",
        *filter(None, (filled(route, event) for route in event_addresses())),
    ]
    for name, client in (("nobody", Client()), ("a player", client_of(player))):
        for address in addresses:
            answer = client.get(address)
            if answer.status_code != 200 or answer.streaming:
                continue
            seen += 1
            text = answer.content.decode(errors="ignore")
            faults += [
                f"{name} {address}: {found[0]}"
                for found in private.finditer(mine.sub("", text) if name != "nobody" else text)
            ]
    assert not faults, "\n".join(faults)
    assert seen > 20
