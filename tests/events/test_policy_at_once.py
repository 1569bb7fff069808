"""Two venues act at the same instant: of two events that the policy doesn't allow together, only one is opened."""

import pytest

from events.models import Event, Official
from events.roles import SITE, Actor
from events.services import offers, setup
from tests.conftest import confirmed
from tests.factories import EventFactory, OfficialFactory, VolunteerFactory

from .two_at_once import together

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_venues_open_events_of_one_volunteer():
    head = VolunteerFactory().person
    events = [EventFactory(state="draft") for _number in range(2)]
    Event.objects.update(starts=events[0].starts)
    for event in events:
        OfficialFactory(event=event, person=head)
    came = together(
        *(lambda pk=event.pk: setup.open_event(by=SITE, event=Event.objects.get(pk=pk)) for event in events)
    )
    assert sorted(came) == ["Refused", "done"]
    assert Event.objects.filter(state="open").count() == 1


def test_one_volunteer_accepts_the_roles_at_two_events_at_once():
    head = confirmed(VolunteerFactory().person)
    events = [EventFactory() for _number in range(2)]
    Event.objects.update(starts=events[0].starts)
    roles = [OfficialFactory(event=event, person=head, confirmed=None) for event in events]
    came = together(
        *(
            lambda pk=role.pk: offers.accept_role(by=Actor(person=head), official=Official.objects.get(pk=pk))
            for role in roles
        )
    )
    assert sorted(came) == ["Refused", "done"]
