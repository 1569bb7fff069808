"""Commands as beginners type them: errors are one line, nothing is half done, and there is no traceback."""

import pytest
from django.core.management import CommandError, call_command

from events.models.events import new_public_id
from judging.management import readiness
from judging.models import Move

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("command", "given"),
    [("make_papers", ["nope"]), ("export_event", ["nope", "out.json"]), ("recheck_forces", ["--event", "nope"])],
)
def test_an_event_that_is_not_there_is_answered_with_those_that_are(staff, command, given):
    with pytest.raises(CommandError, match="There is no event nope") as said:
        call_command(command, *given)
    assert f"{staff.event.public_id}  {staff.event.name}" in str(said.value)


@pytest.mark.parametrize("place", ["a-file/event.json.gz", "folder"])
def test_an_event_is_not_handed_over_to_a_file_that_cannot_be_written(staff, tmp_path, place):
    (tmp_path / "a-file").write_text("no folder", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(CommandError, match=r"can't be written|is a folder"):
        call_command("export_event", staff.event.public_id, str(tmp_path / place), hand_over="the laptop", force=True)
    staff.event.refresh_from_db()
    assert staff.event.away == ""
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("make_papers", []),
        ("export_event", ["x", "out.json"]),
        ("recheck_forces", ["--since", "2026-01-01"]),
        ("send_reminders", []),
    ],
)
def test_a_database_of_an_older_version_is_reported_before_it_is_read(monkeypatch, command, given):
    monkeypatch.setattr(readiness, "is_behind", lambda: True)
    with pytest.raises(CommandError, match="`headjudge migrate` upgrades it"):
        call_command(command, *given)


def test_no_event_has_an_id_that_a_command_takes_for_an_option(monkeypatch):
    drawn = iter(["-nWZ1q", "-", "nW-Z1q"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda _size: next(drawn))
    assert new_public_id() == "nW-Z1q"
