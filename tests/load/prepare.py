"""Create the event for a load test in the database of `DATABASE_URL`; print what the crowd must know.

Run as a program: `python -m tests.load.prepare PLAYERS [ROUNDS]`.
"""

import json
import os
import random
import sys

PASSWORD = "three-action-tokens"


def prepare(players: int, rounds_in_all: int = 2) -> dict:
    """Create an event whose last round is drafted and all others are played; return its address and the judge."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from django.conf import settings

    from events.models import Event, Match, Official, Round
    from events.roles import Actor
    from events.services import rounds
    from tests.events import simulation
    from tests.factories import EventFactory, OfficialFactory

    settings.SNAPSHOTS_KEPT = 0  # while the rounds are played
    event = EventFactory(name="The full hall", seats=players, number_of_rounds=max(rounds_in_all, 9))
    judge = OfficialFactory(event=event, role=Official.Role.HEAD_JUDGE).person
    judge.set_password(PASSWORD)
    judge.save()
    by = Actor(person=judge)
    simulation.players(event, players)
    chance = random.Random(players)
    for _played in range(1, rounds_in_all):
        simulation.play_round(by, event, chance)
    drafted = rounds.draft_round(by=by, event=event)
    tables = list(Match.objects.filter(round=drafted, table__isnull=False).values_list("table", flat=True))
    return {
        "event": Event.objects.get(pk=event.pk).public_id,
        "round": drafted.number,
        "version": Round.objects.get(pk=drafted.pk).version,
        "email": judge.email,
        "password": PASSWORD,
        "tables": sorted(tables),
    }


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(json.dumps(prepare(*map(int, sys.argv[1:]))))  # noqa: T201
