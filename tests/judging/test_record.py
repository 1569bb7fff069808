"""The record's page: who did what, and moments by the clock of the venue."""

import datetime

import pytest
from django.urls import reverse

from events.models import RecordEntry

pytestmark = pytest.mark.django_db


def test_moments_in_what_was_changed_are_the_venue_s(staff):
    at = datetime.datetime(2026, 1, 10, 23, 30, tzinfo=datetime.UTC).isoformat()
    changes = [{"model": "events.Round", "id": 1, "before": {"started_at": None, "state": "x"}, "after": {"started_at": at, "state": "running"}}]  # fmt: skip  # noqa: E501
    RecordEntry.objects.create(event=staff.event, verb="run-clock", summary="Started", changes=changes * 40)
    page = staff.client("head_judge").get(reverse("judging:record", args=[staff.event.public_id])).content.decode()
    assert "Sun 11 Jan, 00:30:00" in page
    assert "23:30" not in page
    assert "40 rows" in page
    assert page.count("events.Round 1") == 30
    assert "running" in page
