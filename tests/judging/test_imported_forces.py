"""Random forces of imported figures through builder, check, sheet and verification: never a wrong "legal".

The catalogue is written as files with every kind of element and every fault, and imported by the command. What the
books say of each force comes from an oracle written apart (`imported_forces`).
"""

from __future__ import annotations

import html
import io
import json
import os
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pypdf import PdfReader

from events.models import Force
from rules.services.catalogue import NewElement, catalogue_elements, record_set
from tests.conftest import client_of
from tests.factories import EntryFactory, EventFactory, OfficialFactory, PersonFactory

from .imported_catalogue import Files, write_files
from .imported_forces import EDITIONS, JUDGED, OPEN, Picked, Ruled, random_force, ruled

LABELS = {"legal": "Legal", "not-legal": "Illegal", "cannot-tell": "Can't tell"}


def imported(folder, capsys, seed: int) -> Files:
    """Import the files by the command, and compare its report with what was written."""
    files = write_files(folder, seed)
    with pytest.raises(CommandError) as stopped:
        call_command("import_catalogue", str(folder), str(folder / "b.zip"), "--apply", "--json")
    assert stopped.value.returncode == 2
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report["applied"]
    assert report["passed_over"] == files.skipped
    assert (report["added"], report["left_out"]) == (len(files.elements), files.left_out), report["faults"]
    assert (report["records"], len(report["unreadable"])) == (files.records, files.unreadable)
    assert report["files_passed_over"] == files.empty
    return files


class Hall:
    """An event of an edition, its judge, and a player who builds one force after another."""

    def __init__(self, edition: str, folder: Path) -> None:
        self.edition, self.file = edition, folder / "force.json"
        self.event = EventFactory(edition=edition, build_total=300)
        self.judge = client_of(OfficialFactory(event=self.event, role="head-judge").person)
        self.entry = EntryFactory(event=self.event, person=PersonFactory())
        self.player = client_of(self.entry.person)
        self.home = f"/events/{self.event.public_id}/entries/{self.entry.number}/force/"

    def act(self, act: str, **more) -> None:
        answer = self.player.post(f"{self.home}change/", {"act": act, **more})
        assert answer.status_code == 302, (act, more, answer.content.decode()[:2000])

    def build(self, force: list[Picked]) -> None:
        """Build the force in the builder, one change per request, and submit it."""
        self.act("clear")
        for pick in force:
            self.act("add", code=pick.one.code, sideline="yes" if pick.sideline else "")
        refs = [pick["ref"] for pick in Force.objects.get(entry=self.entry).work["picks"]]
        for ref, pick in zip(refs, force, strict=True):
            if len(pick.one.points) > 1:
                self.act("points", ref=ref, points=pick.points)
            if pick.to:
                self.act("assign", ref=ref, to=[refs[place] for place in pick.to])
        answer = self.player.post(f"{self.home}submit/", {})
        assert answer.status_code == 302, answer.content.decode()[:2000]

    def checked(self) -> dict:
        """Return what `check_force` reports of the force's file."""
        said = io.StringIO()
        self.file.write_bytes(self.player.get(f"{self.home}force.json").content)
        call_command("check_force", str(self.file), stdout=said)
        return json.loads(said.getvalue())

    def pages(self) -> dict[str, str]:
        """Return what each page, and the sheet on paper, say of the submitted force, as plain text."""
        found = {
            "builder": self.player.get(self.home).content.decode().split('id="bench"')[1],
            "force": self.player.get(f"{self.home}?view").content.decode(),
            "verification": self.judge.get(
                f"/events/{self.event.public_id}/forces/{self.entry.number}/check/"
            ).content.decode(),
        }
        plain = {name: html.unescape(re.sub(r"<[^>]+>", " ", page)) for name, page in found.items()}
        paper = PdfReader(io.BytesIO(self.player.get(f"{self.home}sheet.pdf").content))
        plain["sheet"] = " ".join(page.extract_text() for page in paper.pages)
        return {name: " ".join(text.split()) for name, text in plain.items()}


def standing_of(report: dict) -> str:
    """Return how a report must be called, from FORMATS: nothing that was left unchecked is plainly legal."""
    return "not-legal" if report["violations"] else "cannot-tell" if report["unchecked"] else "legal"


def check(hall: Hall, force: list[Picked], said: Ruled) -> str:
    """Compare a force's pages and reports with the oracle; return how it was called."""
    hall.build(force)
    kept = Force.objects.get(entry=hall.entry)
    report = hall.checked()
    about = json.dumps([hall.edition, [vars(pick) | {"one": vars(pick.one)} for pick in force], report], default=str)
    for one in (report, kept.report):
        assert {broken["rule"] for broken in one["violations"]} & JUDGED == said.broken, about
        assert one["total"] == said.total, about
        left = {left["rule"] for left in one["unchecked"]}
        assert said.unchecked <= left, about
        assert left & OPEN <= said.unchecked, about
    standing = standing_of(kept.report)
    assert kept.standing == standing, about
    if said.broken:
        assert standing == "not-legal", about
    elif said.unchecked or said.lacks_points:
        assert standing != "legal", about
    for name, text in hall.pages().items():
        verdict = re.search(r"[✓✗?] ?(Legal|Illegal|Can't tell)\b", text)
        assert verdict is not None, (name, text[:600], about)
        assert verdict[1] == LABELS[standing], (name, text[:600], about)
        assert f"{said.total} of 300" in text, (name, text[:600], about)
    return standing


def go_through(tmp_path, capsys, seed: int, forces: int) -> Counter:
    """Let so many random forces go through each edition; return how often each verdict was given."""
    files = imported(tmp_path, capsys, seed)
    chance, seen = random.Random(seed), Counter()
    for edition in EDITIONS:
        hall = Hall(edition, tmp_path)
        for _time in range(forces):
            force = random_force(chance, edition, files.elements)
            if force:
                seen[edition, check(hall, force, ruled(edition, 300, force))] += 1
    return seen


@pytest.mark.django_db
def test_a_sample_of_imported_forces(tmp_path, capsys):
    go_through(tmp_path, capsys, seed=5, forces=1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("section", "facts"),
    [
        ("characters", {"point_options": [100, 60]}),
        ("characters", {"points": 100}),
        ("feats", {"points": 30, "chooses": 0}),
        ("objects", {"points": 40, "special": True}),
        ("resources", {"points": 20}),
    ],
)
def test_no_one_plays_an_element_below_its_printed_points(section, facts, tmp_path):
    record_set(code="x", name="X")
    other = NewElement("x", "characters", {"name": "Bo", "number": "2", "points": 50}, "x/2")
    catalogue_elements(elements=[NewElement("x", section, {"name": "Ash", "number": "1", **facts}, "x/1"), other])
    hall = Hall("core-2014", tmp_path)
    hall.act("add", code="x/2")
    hall.act("add", code="x/1", points="1")
    ref = Force.objects.get(entry=hall.entry).work["picks"][-1]["ref"]
    hall.act("points", ref=ref, points="1")
    file = {"edition": "core-2014", "event": {"build_total": 300}, "force": {section: [
        {"name": "Ash", **({"set": "x", "number": "1"} if section == "characters" else {}), "points": 1}]}}  # fmt: skip
    hall.act("list-add", text=json.dumps(file))
    hall.player.post(f"{hall.home}submit/", {})
    force = Force.objects.get(entry=hall.entry)
    assert [pick["code"] for pick in force.work["picks"]] == ["x/2", "x/1", "x/1"]
    assert force.total == 50 + 2 * facts.get("points", 100)


@pytest.mark.soak
@pytest.mark.django_db
def test_a_thousand_imported_forces_are_never_wrongly_legal(tmp_path, capsys):
    seed = int(os.environ.get("SOAK_SEED", random.randrange(10**6)))
    seen = go_through(tmp_path, capsys, seed, forces=210)
    assert sum(seen.values()) >= 1000, seed
    assert all(seen[edition, "legal"] for edition in EDITIONS), (seed, seen)
