"""`recheck_forces`: check stored forces against today's rules and catalogue, and report what became illegal."""

from __future__ import annotations

import datetime
import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from judging.management.readiness import event_named, needs_database
from judging.services.rechecks import as_report, forces_to_recheck, recheck


def a_day(text: str) -> datetime.date:
    """Return a day written YYYY-MM-DD."""
    return datetime.date.fromisoformat(text)


class Command(BaseCommand):
    """`recheck_forces --event ID`, or `--since DAY --until DAY` for a season; stored forces aren't changed."""

    help = "Check the forces of an event or a season again. Writes one JSON line for each force whose verdict changes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event or the days."""
        parser.add_argument("--event", help="an event's id, as in its address")
        parser.add_argument("--since", type=a_day, help="events from this day on, YYYY-MM-DD")
        parser.add_argument("--until", type=a_day, help="events until this day")
        parser.add_argument("--all", action="store_true", help="include forces whose verdict stays the same")
        parser.add_argument("--text", action="store_true", help="write text for people instead of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what was found."""
        needs_database()
        event = None
        if options["event"]:
            event = event_named(options["event"])
        elif not (options["since"] or options["until"]):
            raise CommandError("Name an event (--event ID) or a season (--since DAY, --until DAY).")
        looked = illegal = 0
        forces = forces_to_recheck(event=event, since=options["since"], until=options["until"])
        for found in recheck(forces.iterator(chunk_size=200)):
            looked += 1
            illegal += found.became_illegal
            if not (found.is_changed or options["all"]):
                continue
            self.stdout.write(
                self._text(found) if options["text"] else json.dumps(as_report(found), ensure_ascii=False)
            )
        if options["text"]:
            self.stdout.write(f"{looked} forces checked, {illegal} became illegal.")

    def _text(self, found: Any) -> str:
        force = found.force
        lines = [f"{force.entry.event.name} · {force.entry.name}: {force.standing} → {found.standing}"]
        lines += [f"  {one.name}: {one.fact} {one.before!r} → {one.after!r}" for one in found.facts]
        lines += [f"  now: {fault['message']}" for fault in found.new]
        lines += [f"  no longer: {fault['message']}" for fault in found.gone]
        return "\n".join(lines)
