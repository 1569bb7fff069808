"""The archive of a finished event: whole, with links that hold, and only what the public may read."""

import io
import re
import zipfile
from pathlib import PurePosixPath

import pytest
from django.urls import reverse

from events.models import Entry, Event, Force
from tests.judging.test_finish import played

pytestmark = pytest.mark.django_db
BYTES = 2_000_000
FORCE = {"force": {"characters": [{"ref": "c1", "name": "Captain <b>", "set": "XX", "number": "012", "points": 40}]}}


def pages_of(staff, event, who="manager") -> dict[str, str]:
    """Return the archive's files by name."""
    answer = staff.client(who).get(reverse("judging:archive", args=[event.public_id]))
    assert answer["Content-Type"] == "application/zip"
    assert len(answer.content) < BYTES
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
        assert {PurePosixPath(name).parts[0] for name in names} == {f"headjudge-{event.public_id}"}
        return {PurePosixPath(name).name: archive.read(name).decode() for name in names}


def test_its_links_hold_and_nothing_is_fetched(staff):
    event = played(staff)
    Force.objects.create(entry=event.entries.first(), state="submitted", document=FORCE, total=40)
    pages = pages_of(staff, event)
    assert set(pages) == {"index.html", "round-1.html", "round-2.html", "forces.html", "style.css"}
    for name, page in pages.items():
        assert "://" not in page, name
        assert "<script" not in page, name
        for target in re.findall(r'(?:href|src)="([^"]*)"', page):
            assert target in pages, (name, target)


def test_it_has_every_place_every_result_and_the_public_forces(staff):
    event = played(staff)
    Force.objects.create(entry=event.entries.first(), state="submitted", document=FORCE, total=40)
    pages = pages_of(staff, event)
    for entry in event.entries.all():
        for name in ("index.html", "round-1.html", "round-2.html"):
            assert entry.name in pages[name], (entry.name, name)
    assert pages["round-1.html"].count('<td class="number">20</td>') == event.entries.count() // 2
    assert "Captain &lt;b&gt; (XX 012)" in pages["forces.html"]
    Event.objects.filter(pk=event.pk).update(forces_public=False)
    pages = pages_of(staff, event)
    assert "forces.html" not in pages
    assert "forces.html" not in pages["index.html"]


def test_minors_are_shortened_and_erased_names_are_gone(staff):
    event = played(staff)
    minor = event.entries.get(name="Łukasz Żółć")
    Entry.objects.filter(pk=minor.pk).update(is_minor=True)
    whole = " ".join(pages_of(staff, event).values())
    assert "Łukasz Ż." in whole
    assert "Żółć" not in whole
    Entry.objects.filter(pk=minor.pk).update(name="Erased player")
    assert "Łukasz" not in " ".join(pages_of(staff, event).values())


def test_only_a_finished_event_has_one_and_only_its_officials_and_venue_get_it(staff, client):
    event = played(staff)
    address = reverse("judging:archive", args=[event.public_id])
    assert client.get(address).status_code == 403
    finish = reverse("judging:finish", args=[event.public_id])
    assert address in staff.client("manager").get(finish).content.decode()
    Event.objects.filter(pk=event.pk).update(state="running")
    assert staff.client("manager").get(address).status_code == 404
    assert address not in staff.client("manager").get(finish).content.decode()


def test_the_archive_asks_the_database_no_more_often_for_a_larger_event(staff, django_assert_max_num_queries):
    event = played(staff, players=6, rounds=2)
    client, address = staff.client("manager"), reverse("judging:archive", args=[event.public_id])
    for entry in event.entries.all():
        Force.objects.create(entry=entry, state="submitted", document=FORCE, total=40)
    client.get(address)
    with django_assert_max_num_queries(30) as few:
        client.get(address)
    Event.objects.filter(pk=event.pk).update(state="finished")
    for number in range(12):
        entry = Entry.objects.create(event=event, number=100 + number, name=f"More {number}", state="checked-in")
        Force.objects.create(entry=entry, state="submitted", document=FORCE, total=40)
    with django_assert_max_num_queries(len(few)):
        client.get(address)
