"""The demo: whole, made by the site's own verbs, and kept when it is asked for twice."""

import io

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from events.models import AuditEntry, Event, Match, Person, Round, Venue, Volunteer
from judging import demo

pytestmark = pytest.mark.django_db(transaction=True)


def load() -> str:
    said = io.StringIO()
    call_command("demo", stdout=said)
    return said.getvalue()


def test_the_demo(mailoutbox):
    """Once, for making it takes long: what a visitor looks for, kept when asked for twice; all sign in; no mail leaves."""
    said = load()
    assert mailoutbox == []
    for email, _what in demo.LOG_INS:
        assert email in said
    assert set(Venue.objects.filter(state="approved").values_list("kind", flat=True)) == {"store", "convention", "club"}
    assert set(Volunteer.objects.values_list("state", flat=True)) == {"approved", "pending"}
    assert set(Event.objects.values_list("state", flat=True)) == {"verified", "running", "open"}
    running = Round.objects.get(event__state="running", state="running")
    assert (running.number, running.clock_runs.filter(ended=None).count()) == (3, 1)
    assert Match.objects.filter(state="disputed").count() == 1
    assert AuditEntry.objects.count() > 100
    counts = [model.objects.count() for model in (Person, Event, Match, AuditEntry)]
    assert "kept" in load()
    assert counts == [model.objects.count() for model in (Person, Event, Match, AuditEntry)]
    for email, _what in demo.LOG_INS:
        client = Client()
        answer = client.post(reverse("account_login"), {"login": email, "password": demo.PASSWORD})
        assert answer.status_code == 302, email
