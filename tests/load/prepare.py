"""Create the event for a load test in the database of `DATABASE_URL`; print what the crowd must know.

Run as a program: `python -m tests.load.prepare PLAYERS`.
"""

import json
import os
import sys

PASSWORD = "three-action-tokens"


def prepare(players: int) -> dict:
    """Create an event with one round played and the next one drafted; return its address and the judge."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from events.models import Event, Match, Official, Round
    from events.roles import Actor
    from events.services import rounds
    from tests.events import simulation
    from tests.factories import EventFactory, OfficialFactory

    event = EventFactory(name="The full hall", seats=players, number_of_rounds=9)
    judge = OfficialFactory(event=event, role=Official.Role.HEAD_JUDGE).person
    judge.set_password(PASSWORD)
    judge.save()
    by = Actor(person=judge)
    simulation.players(event, players)
    first = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=first)
    for match in Match.objects.filter(round=first, kind=Match.Kind.GAME):
        match.result, match.state = simulation.kept_result("a" if match.table % 3 else "b"), Match.State.CONFIRMED
        match.save()
    rounds.complete_round(by=by, round=first)
    second = rounds.draft_round(by=by, event=event)
    tables = list(Match.objects.filter(round=second, table__isnull=False).values_list("table", flat=True))
    return {
        "event": Event.objects.get(pk=event.pk).public_id,
        "round": second.number,
        "version": Round.objects.get(pk=second.pk).version,
        "email": judge.email,
        "password": PASSWORD,
        "tables": sorted(tables),
    }


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(json.dumps(prepare(int(sys.argv[1]))))  # noqa: T201
