"""Demo data: people, venues and events, created through the same services as the site's own pages.

Dates follow the present: one event finished last Saturday afternoon and one comes next Saturday afternoon; the third
round of the running one began at the last full half hour.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import random
from collections.abc import Callable, Iterator
from unittest import mock
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management import call_command, get_commands
from django.db import transaction
from django.utils import timezone

from events.models import Claim, Entry, Event, Match, Official, Person, Round, Venue, Volunteer
from events.roles import Actor
from events.services import clock, entries, offers, people, results, rounds, setup, venues
from judging.demo_forces import check_some, submit_forces
from judging.keeping import snapshots
from judging.models import Penalty
from judging.services import calls, finish, penalties

PASSWORD = "three-action-tokens"
ZONE = "Europe/Brussels"
AFTERNOON = dt.time(13)
REPORTED_AFTER = dt.timedelta(days=1)
LOG_INS = [
    ("office@example.org", "the sanctioning office"),
    ("venue@example.org", "manager of the shop"),
    ("headjudge@example.org", "head judge"),
    ("judge@example.org", "judge"),
    ("desk@example.org", "scorekeeper"),
    ("player@example.org", "a player in the running event"),
    ("player2@example.org", "another player"),
]
FIRST = """Ada Bram Cleo Dario Elin Farid Greta Hugo Ines Jonas Kaja Lars Mina Noor Otto Pia Quinn Rosa Samir Tove Ugo Vera
    Wim Xenia Yara Zeno Aldo Brit Ciro Dora Emil Fenna Gus Hana Ivo Juno Koen Lea Milo Nina Oskar Petra"""
LAST = """Aerts Bogaert Claes Dumont Evers Fontaine Goossens Hermans Ibens Janssens Kesteloot Lambert Maes Nys Ooms Peeters
    Quaegebeur Raes Segers Thys Urbain Vos Willems Ysenbaert Zwaenepoel Adams Baert Cools Dierckx Engels Feys Gielen Huys
    Impens Jacobs Kuypers Leys Mertens Noppe Ost Pauwels Renard"""
CLUBS = ("Ghent Gargoyles", "Harbour Heroes", "Dice Cellar regulars", "")


@contextlib.contextmanager
def at(moment: dt.datetime) -> Iterator[None]:
    """Run the block as if it were `moment`: everything saved is dated then."""
    with mock.patch("django.utils.timezone.now", return_value=moment):
        yield


def saturday(now: dt.datetime, weeks: int = 0) -> dt.datetime:
    """Return 13:00 in `ZONE` on the first Saturday after today, or `weeks` later."""
    today = now.astimezone(ZoneInfo(ZONE)).date()
    day = today + dt.timedelta(days=(5 - today.weekday()) % 7 or 7, weeks=weeks)
    return dt.datetime.combine(day, AFTERNOON, ZoneInfo(ZONE)).astimezone(dt.UTC)


def past_saturday(now: dt.datetime) -> dt.datetime:
    """Return 13:00 on the last Saturday whose event has been reported by now (`REPORTED_AFTER`)."""
    last = saturday(now, -1)
    return last if last + REPORTED_AFTER <= now else saturday(now, -2)


def last_half_hour(now: dt.datetime) -> dt.datetime:
    """Return the last full half hour: 14:30 at 14:47, and at 14:30 itself."""
    return now.replace(minute=now.minute // 30 * 30, second=0, microsecond=0)


def is_there() -> bool:
    """Return whether the demo has been loaded."""
    return Person.objects.filter(email=LOG_INS[0][0]).exists()


class Demo:
    """Creates the demo, always the same apart from its dates."""

    def __init__(self, now: dt.datetime, say: Callable[[str], object]) -> None:
        self.now = now
        self.say = say
        self.chance = random.Random(2002)

    def load(self) -> None:
        """Create everything; the caller provides the transaction."""
        self.people()
        self.venues()
        self.say("  people and venues")
        self.finished()
        self.say("  a finished event: five rounds, verified and reported")
        self.running()
        self.say("  a running event: third round, the clock running")
        self.open()
        self.say("  an event open for entries")

    # people and places

    def person(self, email: str, name: str, **facts: object) -> Person:
        """Create a person with the demo's password and a confirmed address."""
        made = Person.objects.create_user(email, PASSWORD, name=name, **facts)
        EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
        return made

    def people(self) -> None:
        """Create the sanctioning office, the venue managers, the judges and the players."""
        names = [
            "Otto Office",
            "Vera Vandamme",
            "Hanna Heylen",
            "Jules Joris",
            "Dirk Desk",
            "Paul Player",
            "Paula Player",
        ]
        made = [self.person(email, name) for (email, _what), name in zip(LOG_INS, names, strict=True)]
        self.office, self.manager, self.head, self.judge, self.desk, self.player, self.player2 = made
        Person.objects.filter(pk=self.office.pk).update(is_office=True)
        self.office.refresh_from_db()
        self.by_office = Actor(person=self.office)
        self.club_judge = self.person("club@example.org", "Carla Club")
        self.con_judge = self.person("convention@example.org", "Connor Convention")
        for person, city in (
            (self.head, "Ghent"),
            (self.judge, "Ghent"),
            (self.club_judge, "Bruges"),
            (self.con_judge, "Antwerp"),
        ):
            volunteer = people.register_volunteer(by=Actor(person=person), city=city, experience="")
            people.decide_volunteer(by=self.by_office, volunteer=volunteer, decision=Volunteer.State.APPROVED)
        for email, name in (("nadia@example.org", "Nadia Novice"), ("noel@example.org", "Noël Newcomer")):
            person = self.person(email, name)
            people.register_volunteer(
                by=Actor(person=person), city="Leuven", experience="I have judged practice events at our shop."
            )
        self.names = [f"{first} {last}" for first, last in zip(FIRST.split(), LAST.split(), strict=True)]

    def venues(self) -> None:
        """Create a shop, a convention, a game club, and a shop awaiting approval."""
        shop = {
            "name": "The Dice Cellar", "kind": Venue.Kind.STORE, "public_location": "12 Potter's Lane, 9000 Ghent", "city": "Ghent",
            "country": "Belgium", "shipping_address": "12 Potter's Lane, 9000 Ghent", "telephone": "+32 9 000 11 22",
            "tax_number": "BE 0000.111.222", "time_zone": ZONE, "tables": 20,
        }  # fmt: skip
        self.shop = venues.register_venue(by=Actor(person=self.manager), facts=shop)
        con = {
            "name": "Harbour Con", "kind": Venue.Kind.CONVENTION, "public_location": "Old Harbour Hall, 2000 Antwerp",
            "city": "Antwerp", "country": "Belgium", "shipping_address": "4 Quay Street, 2000 Antwerp", "telephone": "+32 3 000 11 22",
            "time_zone": ZONE, "tables": 60, "opens": self.now.date() + dt.timedelta(days=40),
            "closes": self.now.date() + dt.timedelta(days=42),
        }  # fmt: skip
        self.con = venues.register_venue(by=Actor(person=self.con_judge), facts=con)
        club = {
            "name": "Thursday Knights", "kind": Venue.Kind.CLUB, "public_location": "Library, 8000 Bruges", "city": "Bruges",
            "country": "Belgium", "shipping_address": "7 Mill Road, 8000 Bruges", "telephone": "+32 50 00 11 22", "time_zone": ZONE,
            "tables": 8, "registered_volunteer": self.club_judge.volunteer,
        }  # fmt: skip
        members = [(self.club_judge.name, self.club_judge.email), *((name, "") for name in self.names[:8])]
        self.club = venues.register_venue(by=Actor(person=self.club_judge), facts=club, members=members)
        for venue in (self.shop, self.con, self.club):
            venues.decide_venue(by=self.by_office, venue=venue, decision=Venue.State.APPROVED)
        venues.save_hall(by=Actor(person=self.manager), venue=self.shop, hall=None, name="Cellar", tables=20)
        waiting = {
            **shop,
            "name": "Green Dragon Games",
            "public_location": "3 Station Square, 3000 Leuven",
            "city": "Leuven",
        }
        waiting |= {"shipping_address": "3 Station Square, 3000 Leuven", "tax_number": "BE 0000.333.444"}
        venues.register_venue(by=Actor(person=self.person("leuven@example.org", "Gerda Green")), facts=waiting)

    # events

    def event(self, name: str, starts: dt.datetime, **facts: object) -> Event:
        """Create an event at the shop with its officials, open for entries."""
        given = {
            "name": name, "starts": starts, "edition": Event.Edition.CAR_2002, "build_total": 200, "seats": 32,
            "number_of_rounds": 5, "universe": Event.Universe.ANY,
            "scenarios": ["challenge-of-the-champions", "showdown", "", "winner-takes-all", ""],
            "cascade": ["wins", "victory-points", "opponents-win-percentage", "opponents-average-score"],
        }  # fmt: skip
        manager = Actor(person=self.manager)
        event = setup.create_event(by=manager, venue=self.shop, facts=given | facts, head_judge=self.head)
        setup.set_official(by=manager, event=event, person=self.judge, role=Official.Role.JUDGE)
        setup.set_official(by=manager, event=event, person=self.desk, role=Official.Role.SCOREKEEPER)
        for official in event.officials.select_related("person", "event"):
            offers.accept_role(by=Actor(person=official.person), official=official)
        return setup.open_event(by=manager, event=event)

    def enter(self, event: Event, number: int, *, check_in: bool = True) -> None:
        """Enter the two players who have accounts, and others who have none."""
        for person in (self.player, self.player2):
            entries.enter_self(by=Actor(person=person), event=event, declares=True, club="Ghent Gargoyles")
        lines = [
            entries.ListedPlayer(
                line, name, club=CLUBS[line % 4], is_minor=line % 9 == 0, fixed_table=4 if line == 11 else None
            )
            for line, name in enumerate(self.names[: number - 2], 1)
        ]
        entries.import_entries(by=Actor(person=self.desk), event=event, lines=lines, declared=True)
        if check_in:
            for entry in event.entries.filter(state=Entry.State.ENTERED):
                entries.check_in(by=Actor(person=self.desk), entry=entry)

    def result(self, event: Event) -> dict[str, object]:
        """Return a plausible result: most matches are won, a few go to time."""
        won = self.chance.randrange(60, event.build_total + 1)
        lost = self.chance.randrange(0, won)
        a_won = self.chance.random() < 0.5
        return {
            "winner": "a" if a_won else "b",
            "score_a": won if a_won else lost,
            "score_b": lost if a_won else won,
            "went_first": self.chance.choice("ab"),
            "map_by": self.chance.choice("ab"),
            "to_time": self.chance.random() < 0.2,
        }

    def play(
        self,
        event: Event,
        moment: dt.datetime,
        *,
        complete: bool = True,
        meanwhile: Callable[[Round], None] | None = None,
    ) -> Round:
        """Pair, publish and start a round at `moment`, call `meanwhile` 20 minutes later, then complete the round."""
        desk, head = Actor(person=self.desk), Actor(person=self.head)
        with at(moment):
            found = rounds.draft_round(by=desk, event=event)
            rounds.publish_round(by=head, round=found)
            clock.start_round(by=head, round=found)
        if not complete:
            return found
        if meanwhile is not None:
            with at(moment + dt.timedelta(minutes=20)):
                meanwhile(found)
        with at(moment + dt.timedelta(minutes=44)):
            for match in self.games(found):
                results.enter_result(by=desk, match=match, result=self.result(event), how=Claim.How.SLIP)
        with at(moment + dt.timedelta(minutes=52)):
            rounds.complete_round(by=desk, round=found)
        return found

    def games(self, round_: Round) -> list[Match]:
        """Return the round's matches of two players, by table."""
        found = round_.matches.filter(kind=Match.Kind.GAME).select_related("a", "b", "round__event").order_by("table")
        return list(found)

    def finished(self) -> None:
        """Play an event of 24 players over five rounds on a Saturday afternoon; verify and report it."""
        starts = past_saturday(self.now)
        head = Actor(person=self.head)
        with at(starts - dt.timedelta(days=10)):
            event = self.event(
                "Gargoyle Clash", starts, description="Five rounds at 200 points. Prizes for the best four."
            )
        with at(starts - dt.timedelta(minutes=30)):
            self.enter(event, 24)
            forces_chance = random.Random(event.build_total)  # leaves the results of all events as they are
            submit_forces(event, by=Actor(person=self.desk), chance=forces_chance)
        for number in range(5):
            moment = starts + dt.timedelta(minutes=70 * number)
            self.play(event, moment, meanwhile=self._slow_play if number == 1 else None)
            if number == 2:
                with at(moment + dt.timedelta(minutes=60)):
                    last = event.entries.get(number=22)
                    entries.drop_entry(
                        by=Actor(person=self.desk), entry=last, confirmed=True, reason="Had to catch a train"
                    )
        with at(starts + dt.timedelta(hours=6)):
            if event.state != Event.State.FINISHED:
                rounds.finish_event(by=head, event=event, confirmed=True)
            finish.verify_event(by=head, event=event)
        with at(starts + REPORTED_AFTER):
            finish.receive_copy(by=Actor(person=self.manager), event=event)
            finish.report_event(by=head, event=event)

    def _slow_play(self, round_: Round) -> None:
        """Give one table an extension after a call, and a player at another a warning."""
        games = self.games(round_)
        clock.extend_table(
            by=Actor(person=self.head), match=games[2], minutes=5, reason="A judge was called about a line of fire"
        )
        penalties.give_penalty(
            by=Actor(person=self.judge), entry=games[3].a, round=round_, kind=Penalty.Kind.WARNING,
            category=Penalty.Category.SLOW_PLAY, text="Six minutes for one move, after a caution.",
        )  # fmt: skip

    def running(self) -> None:
        """Bring an event of 21 players to its third round, which began at the last full half hour."""
        began = last_half_hour(self.now)
        starts = began - dt.timedelta(minutes=150)
        desk, head = Actor(person=self.desk), Actor(person=self.head)
        with at(starts - dt.timedelta(days=6)):
            event = self.event("Cellar Skirmish", starts, hall=self.shop.halls.first())
        with at(starts - dt.timedelta(minutes=20)):
            self.enter(event, 21)
            submit_forces(event, by=desk, chance=self.chance, illegal=9, unknown=6, without=(14,))
        for number in range(2):
            self.play(event, starts + dt.timedelta(minutes=75 * number))
        third = self.play(event, began, complete=False)
        games = self.games(third)
        with at(self.ago(began, minutes=4)):
            check_some(event, by=Actor(person=self.judge), passing=3, failing=5)
        with at(self.ago(began, minutes=2)):
            results.enter_result(by=desk, match=games[-1], result=self.result(event), how=Claim.How.SLIP)
            clock.extend_table(by=head, match=games[2], minutes=4, reason="A judge was called about a line of fire")
            self._reports_that_differ(games)
        self._calls(games, began)
        setup.announce(by=head, event=event, text="Please leave the tables clean for the next event.")

    def ago(self, began: dt.datetime, **length: int) -> dt.datetime:
        """Return the moment that long ago, or the start of the round if it began later."""
        return max(began, self.now - dt.timedelta(**length))

    def _calls(self, games: list[Match], began: dt.datetime) -> None:
        """Raise two calls: one is waiting, a judge is on the way to the other."""
        with at(self.ago(began, minutes=3)):
            coming, _new = calls.raise_call(by=Actor(entry=games[4].a), match=games[4], reason="rules")
            calls.take_call(by=Actor(person=self.judge), call=coming)
        with at(self.ago(began, seconds=80)):
            calls.raise_call(
                by=Actor(entry=games[6].a), match=games[6], reason="urgent", text="Is the line past the corner clear?"
            )

    def _reports_that_differ(self, games: list[Match]) -> None:
        """Let both players of the second-to-last table report, with different results."""
        match = games[-2]
        said = {"winner": "a", "score_a": 120, "score_b": 64}
        results.claim_result(by=Actor(entry=match.a), match=match, result=said)
        if match.b is not None:
            results.claim_result(by=Actor(entry=match.b), match=match, result=said | {"score_b": 84})

    def open(self) -> None:
        """Create an event next Saturday that is open for entries."""
        event = self.event(
            "Founders' Cup", saturday(self.now), edition=Event.Edition.CORE_2014, build_total=300, seats=16, scenarios=[],
            description="The 2014 Core Rulebook at 300 points; themed teams welcome. Bring your force sheet or build it here.",
        )  # fmt: skip
        self.enter(event, 13, check_in=False)
        submit_forces(
            event, by=Actor(person=self.desk), chance=self.chance, illegal=4, unknown=7, without=(1, 8, 9, 10, 11, 12)
        )


def load(say: Callable[[str], object]) -> None:
    """Create the demo around the present, in one transaction and without sending mail."""
    no_mail = mock.patch.object(settings, "EMAIL_BACKEND", "django.core.mail.backends.dummy.EmailBackend")
    with no_mail, transaction.atomic():
        if "load_catalogue" in get_commands():
            call_command("load_catalogue", verbosity=0)
            say("  the catalogue of figures")
        Demo(timezone.now(), say).load()
    if settings.SNAPSHOTS_KEPT:
        for event in Event.objects.filter(pk__in=snapshots.events_behind()):
            snapshots.take(event, snapshots.Why.MOMENT)


__all__ = ["LOG_INS", "PASSWORD", "is_there", "load"]
