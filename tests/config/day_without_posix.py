"""Run an event, its files and its server in one process, and print the outcome as JSON."""

import json
import logging
import os
import signal
import sys
import threading
import time
import urllib.request
from pathlib import Path

import django

NAME = "Größe → Maß"
PORT = 8795


def command(*given: str) -> None:
    """Run a command as typed in a shell."""
    from config import commands

    try:
        commands.run(["manage.py", *given])
    except SystemExit as ended:
        if ended.code:
            raise


def play_and_keep() -> dict[str, object]:
    """Publish a round, make its paper, back up, hand over, take over and restore; return the final state."""
    from django.conf import settings

    from events.models import Event
    from events.roles import SITE
    from events.services import rounds
    from judging.background import begun_beside, release_memory
    from judging.keeping import bundles
    from rules.standby import STANDBY
    from tests.events.simulation import players
    from tests.factories import EventFactory

    said: dict[str, object] = {}
    data = Path(settings.DATA_DIR)
    event = EventFactory(name=NAME, number_of_rounds=3)
    players(event, 8)
    rounds.publish_round(by=SITE, round=rounds.draft_round(by=SITE, event=event))
    bundles.ask_for_missing(event)
    STANDBY.start()
    until = time.monotonic() + 60
    while not STANDBY.answers and time.monotonic() < until:
        time.sleep(0.1)
    said["made beside"] = begun_beside(event) and STANDBY.wait(60) and not bundles.waiting(event).exists()
    logging.getLogger("headjudge").error(NAME)
    said["logged"] = NAME in (data / "logs" / "errors.log").read_text(encoding="utf-8")
    release_memory()
    command("backup", "kept.tar.gz")
    command("export_event", event.public_id, "event.json.gz", "--hand-over", "Büro")
    command("import_event", "event.json.gz", "--trust", "--force")
    command("import_event", "event.json.gz", "--take-over", "--force", "--reason", "Größe")
    said["away"] = Event.objects.get(pk=event.pk).away
    Event.objects.filter(pk=event.pk).update(name="Another")
    for paper in (data / "papers").rglob("*.pdf"):
        paper.unlink()
    command("restore", "kept.tar.gz", "--force")
    said["restored"] = Event.objects.get(pk=event.pk).name
    said["papers"] = len(list((data / "papers").rglob("*.pdf")))
    said["event"] = event.public_id
    return said


def serve_and_visit(event: str) -> dict[str, list[object]]:
    """Serve to a network; return the status and the first bytes of three pages."""
    from judging.management.commands import serve
    from judging.management.listening import listen

    with listen("0.0.0.0", PORT) as free:
        port = free.getsockname()[1]
    found: dict[str, list[object]] = {}

    def visit() -> None:
        try:
            for path in ("/", "/rules/board/", f"/events/{event}/rounds/1/pairings.pdf"):
                asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
                with urllib.request.urlopen(asked, timeout=60) as answer:
                    found[path] = [answer.status, answer.read(5).decode()]
        finally:
            os.kill(os.getpid(), signal.SIGINT)

    served = serve.serve_until_stopped

    def serve_until_stopped(*given):
        threading.Thread(target=visit).start()
        served(*given)

    serve.serve_until_stopped = serve_until_stopped
    serve.network_address = lambda: "192.0.2.7"
    command("serve", "--lan", "--port", str(port))
    return found


def main() -> None:
    """Do it all."""
    django.setup()
    said = play_and_keep()
    pages = serve_and_visit(str(said["event"]))
    foreign = sorted(name for name in ("config.worker", "gunicorn", "uvloop") if sys.modules.get(name))
    lacking = [name for name in ("fcntl", "resource") if sys.modules.get(name) is None]
    told = said | {"pages": pages, "foreign": foreign, "lacking": lacking}
    print("\n" + json.dumps(told))  # noqa: T201


if __name__ == "__main__":
    main()
