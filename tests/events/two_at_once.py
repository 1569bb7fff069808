"""Two people act at the same instant: threads with separate connections to the test's database."""

import threading
from collections import Counter


def together(*acts):
    """Start all at the same instant, and return each one's outcome: its value, or the name of its exception."""
    from django.db import connection

    gate = threading.Barrier(len(acts))
    came = [None] * len(acts)

    def run(place, act):
        gate.wait()
        try:
            act()
            came[place] = "done"
        except Exception as told:
            came[place] = type(told).__name__
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came


def race():
    """Return the outcomes of five races."""
    from events.models import Entry, Event, Match, Round
    from events.roles import SITE, Actor
    from events.services import entries, rounds
    from tests.events.simulation import players
    from tests.factories import EventFactory, PersonFactory

    event = EventFactory(seats=12, number_of_rounds=3)
    players(event, 8)
    people = [PersonFactory() for _n in range(7)]
    found = {}
    came = together(
        *(
            lambda person=person: entries.enter_self(
                by=Actor(person=person), event=Event.objects.get(pk=event.pk), declares=True
            )
            for person in people
        )
    )
    found["entering"] = came
    found["states"] = Counter(Entry.objects.filter(person__in=people).values_list("state", flat=True))
    found["numbers"] = sorted(Entry.objects.values_list("number", flat=True))
    Entry.objects.filter(person__in=people).update(state="withdrawn")

    def draft():
        rounds.draft_round(by=SITE, event=Event.objects.get(pk=event.pk))

    found["drafting"] = sorted(together(draft, draft, draft))
    found["rounds"] = Round.objects.count()
    found["matches"] = Match.objects.count()

    row = Round.objects.get()
    one, other = list(row.matches.order_by("table"))[:2]

    def swap():
        rounds.swap_players(
            by=SITE, round=Round.objects.get(pk=row.pk), one=one.a, other=other.b, version=row.version, reason="one car"
        )

    found["swapping"] = sorted(together(swap, swap))

    def publish():
        rounds.publish_round(by=SITE, round=Round.objects.get(pk=row.pk))

    found["publishing"] = sorted(together(publish, publish))
    found["seated"] = sorted(Counter(e for m in Match.objects.all() for e in (m.a_id, m.b_id)).values())

    dropping = Entry.objects.get(number=1)

    def drop():
        entries.drop_entry(by=SITE, entry=Entry.objects.get(pk=dropping.pk), confirmed=True)

    found["dropping"] = sorted(together(drop, drop))
    return found
