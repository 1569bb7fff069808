"""The page of calls: everything it shows runs, in a shell and in Python, against a server."""

import datetime
import html
import os
import re
import shutil
import subprocess
import sys

import pytest
from django.test import Client

from events.models import AuditEntry, Entry, Event, Match, Role, Round
from events.roles import Actor
from events.services import tokens
from tests.events.action_acts import build

PAGE = "/api/calls/"


@pytest.fixture
def world(transactional_db):
    world = build(Event.State.RUNNING, Round.State.RUNNING)
    Event.objects.update(state=Event.State.RUNNING)
    return world


def shown(kind: str) -> list[str]:
    page = Client().get(PAGE).content.decode()
    return [html.unescape(text) for text in re.findall(rf'(?s)data-run="{kind}"[^>]*>(.*?)</pre>', page)]


def environment(world, live_server) -> dict[str, str]:
    judge = Actor(person=world.people[Role.JUDGE])
    rows = ["check-in", "enter-result", "see-calls"]
    lasts = datetime.timedelta(days=1)
    secret = tokens.create_token(by=judge, event=world.event, name="Calls", rows=rows, lasts=lasts)
    return os.environ | {"SITE": live_server.url, "EVENT": world.event.public_id, "TOKEN": secret}


def done(world) -> None:
    assert Entry.objects.get(event=world.event, number=7).state == Entry.State.CHECKED_IN
    assert world.round.matches.get(table=1).state == Match.State.CONFIRMED
    assert {"check-in", "enter-result"} <= set(
        AuditEntry.objects.filter(by_token="Calls").values_list("verb", flat=True)
    )


def test_what_the_page_shows_in_python_runs(world, live_server):
    script = "\n".join(shown("python"))
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(world, live_server),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Late Player" in ran.stdout
    done(world)


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
def test_what_the_page_shows_for_a_shell_runs(world, live_server):
    lines = [f"{line} --fail-with-body --silent --show-error" for line in shown("curl")]
    assert len(lines) == 5
    ran = subprocess.run(
        ["sh", "-ec", "\n".join(lines)],
        env=environment(world, live_server),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    done(world)


@pytest.mark.django_db
def test_the_pages_link_each_other_and_name_every_action(client):
    from judging.token_ways import WAYS

    page = client.get("/api/").content.decode()
    assert f'href="{PAGE}"' in page
    assert 'href="/api/openapi.json"' in page
    assert 'href="/api/"' in client.get(PAGE).content.decode()
    for key in WAYS:
        assert f"/actions/{key}</code>" in page, key
