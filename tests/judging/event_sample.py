"""Recreate the sample event file after the format of rows has changed: `python -m tests.judging.event_sample`.

Five players with invented names, two rounds, one player dropped after the first.
"""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path

from events.management.samples import SAMPLES
from tests.judging.machines import be

NAMES = ("Ada Lund", "Ben Okoro", "Cleo Marsh", "Dev Anand", "Edie Voss")


def main() -> None:
    """Play the event in a temporary installation, and write its file without signatures."""
    import django

    django.setup()
    with tempfile.TemporaryDirectory() as made:
        be(Path(made), "")
        from django.conf import settings
        from django.core.management import call_command

        settings.SNAPSHOTS_KEPT = 0
        call_command("migrate", verbosity=0)
        content = played()
    (SAMPLES / "event.json").write_bytes(content + b"\n")


def played() -> bytes:
    """Play an event here, and return its file."""
    from events.models import Entry, Event, Official
    from events.roles import Actor
    from events.services import entries
    from judging.keeping.whole_file import whole_file
    from tests import factories
    from tests.events.simulation import play_round

    venue = factories.VenueFactory(name="Lantern Games", city="Ghent")
    starts = datetime.datetime(2026, 3, 7, 10, tzinfo=datetime.UTC)
    event = factories.EventFactory(venue=venue, name="Sample event", starts=starts, number_of_rounds=2)
    head_judge = factories.PersonFactory(name="Hilda Judge", email="hilda@example.org")
    factories.VolunteerFactory(person=head_judge)
    factories.OfficialFactory(event=event, role=Official.Role.HEAD_JUDGE, person=head_judge)
    for number, name in enumerate(NAMES, 1):
        factories.EntryFactory(event=event, number=number, name=name)
    by = Actor(person=head_judge)
    play_round(by, event)
    entries.drop_entry(by=by, entry=Entry.objects.get(number=5), confirmed=True)
    play_round(by, event)
    return whole_file(Event.objects.select_related("venue", "hall").get(pk=event.pk)).content()


if __name__ == "__main__":
    main()
