"""Factories for rows: each makes a valid row, and a test states only what matters to it."""

import datetime

import factory
from django.utils import timezone

from events import models

PASSWORD = "a-quiet-hall-5"


class PersonFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.Person
        skip_postgeneration_save = True

    name = factory.Sequence(lambda n: f"Person {n:03d}")
    email = factory.Sequence(lambda n: f"person{n:03d}@example.org")
    password = factory.django.Password(PASSWORD)


class VolunteerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.Volunteer

    person = factory.SubFactory(PersonFactory)
    state = models.Volunteer.State.APPROVED


class VenueFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.Venue

    name = factory.Sequence(lambda n: f"Shop {n:03d}")
    kind = models.Venue.Kind.STORE
    state = models.Venue.State.APPROVED
    public_location = "1 Market Street"
    city = "Ghent"
    country = "Belgium"
    shipping_address = "1 Market Street, Ghent"
    telephone = "+32 9 000 00 00"
    time_zone = "Europe/Brussels"


class EventFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.Event

    venue = factory.SubFactory(VenueFactory)
    name = factory.Sequence(lambda n: f"Saturday {n:03d}")
    state = models.Event.State.OPEN
    starts = factory.LazyFunction(lambda: timezone.now() + datetime.timedelta(hours=1))
    build_total = 200
    seed = 7


class OfficialFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.Official

    event = factory.SubFactory(EventFactory)
    person = factory.LazyAttribute(lambda _: VolunteerFactory().person)
    role = models.Official.Role.HEAD_JUDGE
    accepted = factory.LazyFunction(timezone.now)
    confirmed = factory.LazyFunction(timezone.now)


class VenueManagerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.VenueManager

    venue = factory.SubFactory(VenueFactory)
    person = factory.SubFactory(PersonFactory)
    confirmed = factory.LazyFunction(timezone.now)


class EntryFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.Entry

    event = factory.SubFactory(EventFactory)
    number = factory.LazyAttribute(lambda entry: entry.event.entries.count() + 1)
    name = factory.Sequence(lambda n: f"Player {n:03d}")
    state = models.Entry.State.CHECKED_IN
    eligible_declared = True


class RoundFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.Round

    event = factory.SubFactory(EventFactory, state=models.Event.State.RUNNING)
    number = factory.LazyAttribute(lambda row: row.event.rounds.count() + 1)
    state = models.Round.State.RUNNING


class MatchFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = models.Match

    round = factory.SubFactory(RoundFactory)
    table = factory.LazyAttribute(lambda row: row.round.matches.count() + 1)
    a = factory.LazyAttribute(lambda row: EntryFactory(event=row.round.event))
    b = factory.LazyAttribute(lambda row: EntryFactory(event=row.round.event))


ALL = [
    PersonFactory,
    VolunteerFactory,
    VenueFactory,
    EventFactory,
    OfficialFactory,
    EntryFactory,
    RoundFactory,
    MatchFactory,
]
