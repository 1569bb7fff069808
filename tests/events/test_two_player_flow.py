"""A match of two needs no more taps, fields or queries than before tables of four and all that came with them."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.models import Match
from events.services.people import entry_link
from tests.events.simulation import players

pytestmark = pytest.mark.django_db

BEFORE = {
    "pair": 24,
    "draft": 17,
    "publish": 20,
    "console": 22,
    "own page": 10,
    "first report": 13,
    "second report": 13,
    "enter by keyboard": 21,
    "complete": 17,
    "standings": 12,
}
"""Queries of each step with eight players, measured before tables of four, byes, ranks and series were added;
"console" and the reports have become cheaper since."""


def main_button(client: Client, event) -> tuple[str, dict[str, str]]:
    """Return where the console's biggest button leads, and what it posts; an empty dictionary if it is a link."""
    page = client.get(reverse("events:console", args=[event.public_id])).text
    card = re.search(r'<section class="next".*?</section>', page, re.S)[0]
    if form := re.search(r'<form method="post" action="([^"]+)">(.*?)</form>', card, re.S):
        return form[1], dict(re.findall(r'name="(version)" value="([^"]+)"', form[2]))
    return re.search(r'<a class="button" href="([^"]+)"', card)[1], {}


def test_a_round_of_pairs_takes_as_many_taps_and_queries_as_before(staff):
    event, judge = staff.event, staff.client("head_judge")
    event.number_of_rounds = 3
    event.save()
    players(event, 8)
    asked: dict[str, int] = {}

    def step(name, act):
        with CaptureQueriesContext(connection) as queries:
            answer = act()
        assert answer.status_code in (200, 302), name
        asked[name] = len(queries)
        return answer

    for name in ("console", "standings"):  # what is read once in a process is read
        judge.get(reverse(f"events:{name}", args=[event.public_id]))
    step("pair", lambda: judge.post(reverse("events:draft-next", args=[event.public_id])))
    draft = step("draft", lambda: judge.get(reverse("events:draft", args=[event.public_id, 1]))).text
    where, given = main_button(judge, event)
    assert where == reverse("events:draft", args=[event.public_id, 1])
    version = re.search(r'name="version" value="(\d+)"', draft)[1]
    step("publish", lambda: judge.post(reverse("events:publish", args=[event.public_id, 1]), {"version": version}))
    step("console", lambda: judge.get(reverse("events:console", args=[event.public_id])))
    first = Match.objects.with_round().get(round__event=event, table=1)
    clients = []
    for entry in first.entries:
        clients.append(Client())
        clients[-1].get(entry_link(entry), follow=True)
    own = reverse("events:entry", args=[event.public_id, first.a.number])
    clients[0].get(own)
    page = step("own page", lambda: clients[0].get(own)).text
    form = re.search(r'<form[^>]*action="[^"]*claim[^"]*".*?</form>', page, re.S)[0]
    asked_for = re.findall(r'<input(?![^>]*type="(?:hidden|checkbox|radio)")[^>]*name="([^"]+)"', form)
    assert sorted(asked_for) == ["score_a", "score_b"]
    claim = reverse("events:claim", args=[event.public_id, 1, 1])
    told = {"score_a": "120", "score_b": "40"}
    step("first report", lambda: clients[0].post(claim, told))
    step("second report", lambda: clients[1].post(claim, told))
    assert Match.objects.get(pk=first.pk).state == Match.State.CONFIRMED
    keyboard = reverse("events:results", args=[event.public_id, 1])
    for table in (2, 3, 4):
        typed = {"table": str(table), "score_a": "120", "score_b": "40"}
        step("enter by keyboard", lambda typed=typed: judge.post(keyboard, typed))
    where, given = main_button(judge, event)
    assert where == reverse("events:complete", args=[event.public_id, 1])
    step("complete", lambda: judge.post(where, given))
    step("standings", lambda: judge.get(reverse("events:standings", args=[event.public_id])))
    where, given = main_button(judge, event)
    assert where == reverse("events:draft-next", args=[event.public_id])
    assert {name: count for name, count in asked.items() if count > BEFORE[name]} == {}
