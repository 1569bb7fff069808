"""`check_pairings` on events that the site itself plays, changes and exports."""

import io
import json
import random

import pytest
from django.core.management import call_command
from django.core.serializers.json import DjangoJSONEncoder

from events.models import Entry
from events.services import entries, rounds
from judging.keeping.event_file import event_file
from tests.events.simulation import play, play_round, players

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    staff.event.number_of_rounds = 5
    staff.event.save()
    return staff.event


def checked(event, tmp_path):
    """Return the checker's report on the event's own file, and its exit status."""
    event.refresh_from_db()
    file = tmp_path / "event.json"
    file.write_text(json.dumps(event_file(event), cls=DjangoJSONEncoder), encoding="utf-8")
    out = io.StringIO()
    try:
        call_command("check_pairings", str(file), stdout=out)
    except SystemExit as left:
        return out.getvalue(), left.code
    return out.getvalue(), 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_events_with_drops_and_late_entries_are_fine(event, by, tmp_path, seed):
    chance = random.Random(seed)
    people = players(event, chance.randrange(9, 16))
    for number in range(4):
        play_round(by, event, chance)
        if number == 1:
            entries.drop_entry(
                by=by, entry=Entry.objects.get(pk=chance.choice(people).pk), confirmed=True, reason="left"
            )
            entries.add_entry(by=by, event=event, name="Late Lee", declares=True)
            late = event.entries.get(name="Late Lee")
            if late.state != Entry.State.CHECKED_IN:
                entries.check_in(by=by, entry=late)
    out, status = checked(event, tmp_path)
    assert status == 0, out
    assert out.count("the pairs that the seed draws") == 4
    assert "was put right" not in out


def test_a_swap_by_hand_shows_its_reason_and_its_cost(event, by, tmp_path):
    players(event, 8)
    play_round(by, event)
    draft = rounds.draft_round(by=by, event=event)
    games = list(draft.matches.select_related("a", "b").order_by("table"))
    rounds.swap_players(
        by=by, round=draft, one=games[0].b, other=games[-1].b, reason="they share a force", confirmed=True
    )
    draft.refresh_from_db()
    rounds.publish_round(by=by, round=draft)
    play(by, draft)
    draft.refresh_from_db()
    rounds.complete_round(by=by, round=draft)
    out, status = checked(event, tmp_path)
    assert status == 0, out
    assert "they share a force" in out
    assert "could be" in out


def test_a_swap_without_its_log_entry_is_a_fault(event, by, tmp_path):
    """Two players swapped in the database: nothing logged explains the cost."""
    players(event, 8)
    play_round(by, event)
    draft = rounds.draft_round(by=by, event=event)
    one, *_others, other = draft.matches.order_by("table")
    first, second = one.b, other.b
    other.b = None
    other.kind = "bye"
    other.save()
    one.b = second
    one.save()
    other.b, other.kind = first, "game"
    other.save()
    rounds.publish_round(by=by, round=draft)
    out, status = checked(event, tmp_path)
    assert status == 1
    assert "No manual change is logged." in out
