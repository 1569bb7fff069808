"""An event's officials and announcements, through requests."""

import pytest
from django.urls import reverse

from events.models import Announcement, Event, Official, Role
from events.roles import Actor
from tests.conftest import client_of, confirmed
from tests.factories import EntryFactory, PersonFactory, VolunteerFactory

pytestmark = pytest.mark.django_db


def give(staff, who, person, role, **more):
    where = reverse("events:officials", args=[staff.event.public_id])
    return staff.client(who).post(where, {"email": person.email.upper(), "role": role} | more)


def office_of(person):
    return Official.objects.get(person=person)


def test_the_venues_choice_is_accepted_and_the_head_judges_waits(staff):
    first, second = PersonFactory(), confirmed(PersonFactory())
    give(staff, "manager", first, "scorekeeper")
    give(staff, "head_judge", second, "judge")
    assert office_of(first).accepted is not None
    assert office_of(second).accepted is None
    assert Role.JUDGE not in Actor(person=second).roles(event=staff.event)
    where = reverse("events:official-accept", args=[staff.event.public_id, office_of(second).pk])
    assert staff.client("head_judge").post(where).status_code == 403
    staff.client("manager").post(where)
    assert Role.JUDGE not in Actor(person=second).roles(event=staff.event)
    offer = reverse("events:offer-answer", args=["role", office_of(second).pk, "accept"])
    client_of(second).post(offer)
    assert Role.JUDGE in Actor(person=second).roles(event=staff.event)


def test_a_head_judge_is_an_approved_volunteer_except_at_practice(staff):
    person = PersonFactory()
    for state in (None, "pending", "refused", "suspended"):
        if state:
            person.volunteer = VolunteerFactory(person=person, state=state) if state == "pending" else person.volunteer
            person.volunteer.state = state
            person.volunteer.save()
        assert give(staff, "manager", person, "head-judge", confirmed="yes").status_code == 403
    Event.objects.update(is_practice=True)
    give(staff, "manager", person, "head-judge", confirmed="yes")
    assert office_of(person).role == "head-judge"


def test_another_head_judge_makes_the_first_a_judge_once_that_was_shown(staff):
    new = VolunteerFactory().person
    asked = give(staff, "manager", new, "head-judge")
    assert asked.status_code == 409
    assert f"{staff.head_judge.name}, the current head judge, becomes a judge" in asked.content.decode()
    assert office_of(staff.head_judge).role == "head-judge"
    give(staff, "manager", new, "head-judge", confirmed="yes")
    assert (office_of(new).role, office_of(staff.head_judge).role) == ("head-judge", "judge")


def test_named_officials_do_not_play(staff):
    player = PersonFactory()
    entry = EntryFactory(event=staff.event, person=player)
    assert give(staff, "manager", player, "judge").status_code == 403
    entry.state = "withdrawn"
    entry.save()
    assert give(staff, "manager", player, "judge").status_code == 302


def test_a_head_judge_gives_himself_no_higher_role_unaccepted(staff):
    Official.objects.filter(person=staff.scorekeeper).update(role="scorekeeper")
    give(staff, "head_judge", staff.scorekeeper, "judge")
    assert office_of(staff.scorekeeper).accepted is None
    give(staff, "head_judge", staff.judge, "scorekeeper")
    assert office_of(staff.judge).accepted is not None


def test_a_running_event_keeps_a_head_judge(staff):
    Event.objects.update(state="running")
    where = reverse("events:official-remove", args=[staff.event.public_id, office_of(staff.head_judge).pk])
    assert staff.client("manager").post(where).status_code == 403
    assert give(staff, "manager", staff.head_judge, "judge").status_code == 403
    gone = reverse("events:official-remove", args=[staff.event.public_id, office_of(staff.judge).pk])
    assert staff.client("manager").post(gone).status_code == 302
    assert Official.objects.count() == 2


def test_an_unknown_address_is_reported(staff):
    answer = give(staff, "manager", PersonFactory.build(email="nobody@example.org"), "judge")
    assert "No account uses this address" in " ".join(answer.context["form"].errors["email"])


@pytest.mark.parametrize("who", ["judge", "scorekeeper"])
def test_others_see_and_do_not_change(staff, who):
    assert staff.client(who).get(reverse("events:officials", args=[staff.event.public_id])).status_code == 200
    assert give(staff, who, PersonFactory(), "judge").status_code == 403


def test_players_and_visitors_do_not_see_the_page(staff, client):
    where = reverse("events:officials", args=[staff.event.public_id])
    assert client.get(where).status_code == 403
    player = PersonFactory()
    EntryFactory(event=staff.event, person=player)
    assert client_of(player).get(where).status_code == 403


def test_an_announcement_is_on_the_events_page_until_it_is_withdrawn(staff, client):
    where = reverse("events:announce", args=[staff.event.public_id])
    staff.client("scorekeeper").post(where, {"text": "Pizza at six", "minutes": 30})
    page = reverse("events:event", args=[staff.event.public_id])
    assert "Pizza at six" in client.get(page).content.decode()
    row = Announcement.objects.get()
    assert row.until is not None
    gone = reverse("events:announcement-withdraw", args=[staff.event.public_id, row.pk])
    assert client.post(gone).status_code == 403
    staff.client("judge").post(gone)
    assert "Pizza at six" not in client.get(page).content.decode()
    assert staff.client("manager").post(where, {"text": "x", "minutes": 0}).status_code == 403
    assert staff.client("judge").post(where, {"text": "", "minutes": 0}).context["form"].errors["text"]


def test_the_newest_announcement_is_read_at_once_and_earlier_ones_by_a_tap(staff, client):
    page = reverse("events:event", args=[staff.event.public_id])
    announced = []
    for text in ("Pizza at six", "Dice were found", "Round 2 is late"):
        staff.client("scorekeeper").post(
            reverse("events:announce", args=[staff.event.public_id]), {"text": text, "minutes": 0}
        )
        announced = client.get(page).text.split('data-live="announced">')[1].split("</div>")[0]
        assert text in announced.split("<details")[0]
    folded = announced.split('<details id="announced-before">')[1].split("</details>")[0]
    assert "2 more" in folded
    assert folded.index("Dice were found") < folded.index("Pizza at six")


def test_earlier_officials_are_offered_to_their_venue_only(staff):
    where = reverse("events:officials", args=[staff.event.public_id])
    offered = f'value="{staff.scorekeeper.email}"'
    assert offered in staff.client("manager").get(where).content.decode()
    for who in ("head_judge", "judge", "scorekeeper"):
        assert offered not in staff.client(who).get(where).content.decode()
    assert offered in staff.client("manager").get(reverse("events:create")).content.decode()
