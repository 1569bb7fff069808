"""The pictures of README.md and docs/, made from the demo on the real site: `make pictures`."""

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from events.models import Event, Force, Person, Round
from events.roles import SITE
from events.services import results, rounds
from judging.keeping.event_file import event_file
from judging.pdf.sheet import sheet
from rules.services.disputes import begin_dispute

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PLACE = Path(__file__).resolve().parents[2] / ".github" / "pictures"
CLICK = {"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": []}
SHOT = {
    "title": "Behind the hedge",
    "edition": "core-2014",
    "map": {
        "width": 10,
        "height": 8,
        "terrain": [
            {"type": "hindering", "squares": ["D2:E5"]},
            {"type": "water", "squares": ["A7:C8"]},
            {"type": "elevated", "squares": ["H6:J8"]},
        ],
        "walls": ["F6|F7", "G6|G7"],
    },
    "sides": [
        {
            "player": "A",
            "characters": [{"id": "a", "name": "Night Watch", "square": "B2", "range": 8, "dial": [CLICK] * 5}],
        },
        {"player": "B", "characters": [{"id": "b", "name": "Rook", "square": "H4", "range": 6, "dial": [CLICK] * 5}]},
    ],
    "actions": [{"action": "ranged", "actor": "a", "targets": ["b"], "rolls": {"attack": [[5, 3]]}}],
}
PHONE, DESK, HALL = {"width": 390, "height": 780}, {"width": 1200, "height": 800}, {"width": 1920, "height": 1080}


@pytest.fixture
def shown(browser, live_server, sign_in):
    """Return `shown(name, address, email, viewport)`, which takes a picture of one page as a person sees it."""
    PLACE.mkdir(parents=True, exist_ok=True)

    def draw(name, address, email="", viewport=PHONE, wait="main", scheme="light"):
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", color_scheme=scheme, locale="en-GB")
        if email:
            sign_in(context, Person.objects.get(email=email))
        page = context.new_page()
        page.goto(live_server.url + address)
        page.wait_for_selector(wait)
        page.wait_for_timeout(600)
        page.screenshot(path=PLACE / f"{name}.png")
        context.close()

    return draw


def test_pictures(shown, tmp_path):
    call_command("demo", no_serve=True, stdout=io.StringIO())
    running, opened = Event.objects.get(state="running"), Event.objects.get(state="open")
    finished = Event.objects.get(state="verified")
    head = "headjudge@example.org"
    shown("console", reverse("events:console", args=[running.public_id]), head)
    shown("results", reverse("events:results", args=[running.public_id, 3]), "desk@example.org", DESK)
    shown("standings", reverse("events:standings", args=[finished.public_id]), "", DESK)
    shown("display", reverse("events:display", args=[running.public_id]), "", HALL, wait="body")
    illegal = Force.objects.filter(entry__event__in=[opened, running], standing="not-legal", total__gt=0).first()
    place = [illegal.entry.event.public_id, illegal.entry.number]
    shown("force", reverse("events:force", args=place), head)
    shown("board", reverse("rules:board-example", args=["boomerang-and-spider-man"]))
    shown("dispute", f"{begin_dispute(document=SHOT).reading_address(5)}#next")
    third = Round.objects.get(event=running, number=3)
    for match in third.matches.exclude(state="confirmed"):
        results.decide_result(by=SITE, match=match, result={"score_a": 100, "score_b": 60}, reason="For the picture")
    rounds.complete_round(by=SITE, round=third)
    rounds.draft_round(by=SITE, event=running)
    shown("draft", reverse("events:draft", args=[running.public_id, 4]), head, DESK)
    if shutil.which("pdftoppm"):
        import json

        from django.core.serializers.json import DjangoJSONEncoder

        document = json.loads(json.dumps(event_file(finished), cls=DjangoJSONEncoder))
        (tmp_path / "sheet.pdf").write_bytes(sheet(document))
        command = [
            "pdftoppm",
            "-r",
            "60",
            "-png",
            "-f",
            "1",
            "-l",
            "1",
            "-singlefile",
            str(tmp_path / "sheet.pdf"),
            str(PLACE / "sheet"),
        ]
        subprocess.run(command, check=True)
