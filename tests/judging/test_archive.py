"""The archive of a finished event: whole, with links that hold, and only what the public may read."""

import io
import re
import zipfile
from html.parser import HTMLParser
from pathlib import PurePosixPath

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from events.models import Entry, Event, Force
from judging.archive import archive_of
from judging.demo import Demo
from tests.judging.test_finish import played

pytestmark = pytest.mark.django_db
BYTES = 2_000_000
FORCE = {"force": {"characters": [{"ref": "c1", "name": "Captain <b>", "set": "XX", "number": "012", "points": 40}]}}


class Links(HTMLParser):
    """What a page leads to or loads, and what can be led to in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        told = dict(attrs)
        self.targets += [told[name] for name in ("href", "src", "srcset", "action", "data", "poster") if name in told]
        self.anchors |= {told[name] for name in ("id", "name") if name in told}


def unpacked(content: bytes, event) -> dict[str, str]:
    """Return the files of an archive by their names in its only folder."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        assert {PurePosixPath(name).parts[0] for name in names} == {f"headjudge-{event.public_id}"}
        assert sum(one.file_size for one in archive.infolist()) < BYTES
        return {PurePosixPath(name).name: archive.read(name).decode() for name in names}


def pages_of(staff, event, who="manager") -> dict[str, str]:
    """Return the archive's files by name."""
    answer = staff.client(who).get(reverse("judging:archive", args=[event.public_id]))
    assert answer["Content-Type"] == "application/zip"
    return unpacked(answer.content, event)


def event_of_the_demo() -> Event:
    """Create the demo's finished event, and return it."""
    call_command("load_catalogue", verbosity=0)
    demo = Demo(timezone.now(), lambda _said: None)
    demo.people()
    demo.venues()
    demo.finished()
    return Event.objects.select_related("venue").get(name="Gargoyle Clash")


def test_the_links_of_the_demos_archive_hold_and_nothing_is_fetched():
    event = event_of_the_demo()
    pages = unpacked(archive_of(event), event)
    rounds = {f"round-{number}.html" for number in range(1, 6)}
    assert set(pages) == {"index.html", *rounds, "forces.html", "style.css"}
    read = {name: Links(page) for name, page in pages.items() if name.endswith(".html")}
    for name, links in read.items():
        assert not links.tags & {"script", "iframe", "form", "base", "object", "embed", "img"}, name
        assert {"index.html", *rounds, "forces.html", "style.css"} <= set(links.targets), name
        for target in links.targets:
            file, _hash, anchor = target.partition("#")
            assert file in {"", *pages}, (name, target)
            assert not anchor or anchor in read[file or name].anchors, (name, target)
    assert not any(word in pages["style.css"] for word in ("url(", "@import"))
    assert re.search(r"<li>[^<]+ \(Brass Harbour \d{3}\)</li>", pages["forces.html"])
    assert "brass-harbour" not in pages["forces.html"]
    assert pages["forces.html"].count("<section>") == event.entries.count() == 24


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
