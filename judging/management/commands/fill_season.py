"""`fill_season`: create many events, venues, players and entries without rounds, to test long lists."""

import datetime
import itertools
import random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from django.utils import timezone

from events.models import Entry, Event, Person, Venue

BATCH = 5_000
FIRST = "Ada Bela Cleo Dora Edda Finn Gwen Hugo Iris Jens Kaja Liam Mona Nora Otis Pia Quin Rosa Siri Tom".split()  # noqa: SIM905 - easier to read than a list
LAST = "Abbott Berger Castillo Dubois Eriksen Ferrari Goto Hansen Ivanov Jensen Kowalski Lopez Moreau Novak".split()  # noqa: SIM905 - easier to read than a list
TOWNS = "Aachen Bergen Chester Dijon Evora Faro Gent Halle Izmir Jena Kiel Lyon Mainz Nantes Oslo Porto".split()  # noqa: SIM905 - easier to read than a list
KINDS = "Clash Skirmish Brawl Gauntlet Showdown Melee Rumble Classic Open Cup".split()  # noqa: SIM905 - easier to read than a list


class Command(BaseCommand):
    """Fill an empty database with a season."""

    help = "Fill an empty database with invented venues, players, events and entries, for testing long lists."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the numbers of rows to create."""
        parser.add_argument("--events", type=int, default=1_000, help="how many events (default: 1,000)")
        parser.add_argument("--entries", type=int, default=10_000, help="how many entries in all (default: 10,000)")
        parser.add_argument("--force", action="store_true", help="add to a database that has events already")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the rows in batches, printing progress."""
        if options["events"] < 1 or options["entries"] < 1:
            raise CommandError("Ask for at least one event and one entry.")
        if Event.objects.exists() and not options["force"]:
            raise CommandError("The database already has events. Add --force to add invented ones.")
        self.dice = random.Random(options["events"])
        with transaction.atomic():
            venues = self._venues(max(1, options["events"] // 100))
            people = self._people(max(2, options["entries"] // 20))
            events = self._events(options["events"], venues)
            self._entries(options["entries"], events, people)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        self.stdout.write(self.style.SUCCESS("The season is ready."))

    def _write(self, model: Any, rows: Any, total: int) -> list[int]:
        made: list[int] = []
        while batch := list(itertools.islice(rows, BATCH)):
            made += [row.pk for row in model.objects.bulk_create(batch)]
            self.stdout.write(f"  {model._meta.verbose_name_plural}: {len(made):,} of {total:,}")
            self.stdout.flush()
        return made

    def _name(self, number: int) -> str:
        return f"{self.dice.choice(FIRST)} {self.dice.choice(LAST)} {number:06d}"

    def _venues(self, count: int) -> list[int]:
        return self._write(
            Venue,
            (
                Venue(
                    name=f"Shop {number:05d} of {TOWNS[number % len(TOWNS)]}",
                    kind=Venue.Kind.STORE,
                    city=TOWNS[number % len(TOWNS)],
                    country="Nowhere",
                    state=Venue.State.APPROVED,
                )
                for number in range(count)
            ),
            count,
        )

    def _people(self, count: int) -> list[int]:
        taken = f"{timezone.now():%Y%m%d%H%M%S}"
        return self._write(
            Person,
            (
                Person(name=self._name(number), email=f"player{number}.{taken}@example.org", password="!")
                for number in range(count)
            ),
            count,
        )

    def _events(self, count: int, venues: list[int]) -> list[int]:
        now = timezone.now().replace(minute=0, second=0, microsecond=0)

        def event(number: int) -> Event:
            days = number * 3_000 // count - 2_900
            state = Event.State.VERIFIED if days < -1 else Event.State.OPEN
            return Event(
                name=f"{self.dice.choice(TOWNS)} {self.dice.choice(KINDS)} {number}",
                venue_id=self.dice.choice(venues),
                starts=now + datetime.timedelta(days=days, hours=self.dice.randrange(12)),
                state=state,
                seats=32,
            )

        return self._write(Event, (event(number) for number in range(count)), count)

    def _entries(self, count: int, events: list[int], people: list[int]) -> None:
        each = -(-count // len(events))
        who = itertools.cycle(people)

        def entries() -> Any:
            for number in range(count):
                person = next(who)
                yield Entry(
                    event_id=events[number // each],
                    number=number % each + 1,
                    name=self._name(person),
                    person_id=person if self.dice.random() < 0.6 else None,
                    state=Entry.State.CHECKED_IN,
                )

        self._write(Entry, entries(), count)
