"""Harmful files and bodies sent to the rules' pages and API: each gets a sentence, and nothing is stored."""

import dataclasses
import gzip
import io
import json
import tracemalloc
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from rules import api, uploads
from rules.importers import bundle, csv_sheet, kept, layouts
from rules.models import Element, Import, SavedDispute
from rules.services.imports import plan_more
from tests.factories import PersonFactory

DEEP = b"[" * 1_000_000
pytestmark = pytest.mark.django_db


def words(answer):
    return answer.content.decode().replace("&#x27;", "'").replace("\xa0", " ")


@pytest.fixture
def office(client):
    client.force_login(PersonFactory(is_office=True), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def in_place(monkeypatch):
    """Read large files in this process: a separate one takes a second to start, and is tested elsewhere."""
    for home in ("rules.services.import_jobs", "rules.api"):
        monkeypatch.setattr(f"{home}.apart", lambda function, *args, **_limits: function(*args))
    monkeypatch.setattr("rules.services.import_jobs.beside", lambda _pk, work: work())


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


LINE = b"x1,Ada,40\n"
CATALOGUES = {
    "gzip bomb": (gzip.compress(b" " * 20_000_000), "is compressed (gzip)"),
    "zip": (b"PK\x03\x04" + b"\0" * 100, "The ZIP archive is damaged"),
    "zip with a way out": (zipped(**{"../x.csv": "set,name\nx1,Ada\n"}), "an unsafe path: ../x.csv"),
    "zip with an absolute path": (zipped(**{"/etc/x.csv": "set,name\nx1,Ada\n"}), "an unsafe path"),
    "zip with a drive": (zipped(**{"c:\\x.csv": "set,name\nx1,Ada\n"}), "an unsafe path"),
    "zip bomb": (zipped(**{"x.csv": b"a" * 45_000_000}), "A catalogue file can be at most 40 MB"),
    "zip of nothing": (zipped(**{"read.me": "no"}), "holds no JSON, XML or CSV file"),
    "zip in a zip": (zipped(**{"x.csv": zipped(**{"y.csv": "set,name\nx1,Ada\n"})}), "ZIP archive"),
    "workbook": (zipped(**{"[Content_Types].xml": "<x/>", "xl/sheet1.xml": "<x/>"}), "Save the sheet as CSV"),
    "zip cut short": (zipped(**{"x.csv": LINE * 1000})[:-40], "The ZIP archive is damaged"),
    "deep JSON": (DEEP, "nested at most 20 levels deep. Split the file"),
    "deep XML": (b"<set>" * 100_000, "nested too deeply"),
    "many numbers": (b"[" + b"0," * 5_500_000 + b"0]", "at most 5 000 000 values"),
    "long number": (b'[{"points": ' + b"9" * 1_000_000 + b"}]", "is too large"),
    "a key twice": (b'{"name": "a", "name": "b"}', "list of units"),
    "NaN": (b'[{"points": NaN}]', "NaN isn't a JSON number"),
    "NUL in a sheet": (b"set,name\nx1,A\0da\n", "read as text"),
    "open quote": (b'set,name\nx1,Ada\nx1,"' + b"x\n" * 400_000, "line 3: This line can't be read"),
    "many columns": (b"set,name," + b",".join(b"c%d" % n for n in range(90_000)) + b"\n", "more than 500 columns"),
    "many lines": (b"set,name,points\n" + LINE * 900_000, "more than 50000 lines"),
    "too many bytes": (b"a" * (40 * 1024 * 1024 + 1), "A catalogue file can be at most 40 MB"),
    "entities": (
        b'<!DOCTYPE s [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><set>&b;</set>',
        "document type or entities",
    ),
    "half UTF-16": ("set,name\n".encode("utf-16")[:-1], "read as text"),
}


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_catalogue_file_that_does_harm_is_refused(office, in_place, name):
    content, says = CATALOGUES[name]
    sent = {"file": SimpleUploadedFile("catalogue.csv", content), "counts_from": "2026-01-01", "set_code": "kept-code"}
    answer = office.post(reverse("rules:imports"), sent, follow=True)
    assert says in words(answer), name
    if row := Import.objects.first():  # too large to be read while answering the form
        assert (row.state, row.records, bytes(row.content)) == ("failed", 0, b"")
        assert "Choose other files" in words(answer)
    else:
        assert (answer.status_code, answer.context["form"].errors.keys()) == (400, {"file"})
        assert "kept-code" in words(answer)
    assert not Element.objects.exists()


LONG = "x" * 1_000_000
CELLS = {
    "JSON": '[{"type":"feat","set_id":"x1","name":"%s"},{"type":"feat","set_id":"x1","name":"Bo","a":"%s"},SOUND]',
    "JSON list": '[{"type":"character","set_id":"x1","name":"Ada","keywords":["a","%s"],"%s":1},SOUND]',
    "JSON texts": '[{"type":"feat","set_id":"x1","name":"\\ud800","a":"\\u0000","type%s":"%s"},SOUND]',
    "CSV": "set,name,section,tea\nx1,%s,feats,\nx1,Bo,feats,%s\nx1,Cy,feats,\n",
    "CSV with line breaks": 'set,name,section,text\nx1,Ada,feats,"\n%s\n%s\n"\nx1,Cy,feats,\n',
    "XML": '<set name="X"><card name="%s"/><card name="Bo"><property name="Tea" value="%s"/></card>SOUND</set>',
    "XML dial": '<set name="X"><card name="Ada"><alternate><property name="Click Number" value="1"/>'
    '<property name="Speed Ability" value="%s%s"/></alternate>'
    "</card>SOUND</set>",
}
SOUND = {
    "[": '{"type":"feat","set_id":"x1","name":"Cy"}',
    "<": f'<card name="Cy"><property name="Range" value="6"/>A {LONG}</card>',
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_of_a_megabyte_costs_only_its_record(office, in_place, name):
    content = CELLS[name] % (LONG, LONG)
    content = content.replace("SOUND", SOUND.get(content[0], ""))
    sent = {"file": SimpleUploadedFile("catalogue", content.encode()), "counts_from": "2026-01-01"}
    office.post(reverse("rules:imports"), sent)
    row = plan_more(reading_of=Import.objects.get())
    assert {(line.name, line.outcome) for line in row.lines.all() if line.outcome != "left-out"} == {("Cy", "added")}
    faults = [fault for line in row.lines.filter(outcome="left-out") for fault in line.faults]
    assert all("can have at most" in message or "aren't valid text" in message for _where, message in faults), faults
    assert all(where.startswith(("/0", "/1", "line ")) for where, _message in faults)
    page = words(office.get(reverse("rules:import", args=[row.pk])))
    assert "This can have at most 100,000 characters." in page
    assert len(page) < 100_000
    assert len(bytes(row.content)) < 100_000


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_a_catalogue_file_in_another_encoding_is_read(office, encoding):
    content = "set,name,points\nx1,Zoë,40\n".encode(encoding)
    sent = {"file": SimpleUploadedFile("catalogue.csv", content), "counts_from": "2026-01-01"}
    assert office.post(reverse("rules:imports"), sent).status_code == 302
    read = kept.Kept(bytes(Import.objects.get().content))
    assert [record.facts["name"] for record in read.records()] == ["Zoë"]


def test_names_that_no_one_understands_are_not_all_kept(office, in_place):
    many = [f"c{number}" for number in range(20_000)]
    content = json.dumps([{"type": "character", "set_id": "x1", "name": "Ada", **dict.fromkeys(many, 1)}]).encode()
    sent = {"file": SimpleUploadedFile("catalogue.csv", content), "counts_from": "2026-01-01"}
    assert office.post(reverse("rules:imports"), sent).status_code == 302
    assert len(Import.objects.get().unknown_fields) == kept.MAX_TOLD


def test_a_large_catalogue_file_is_read_in_another_process(office, monkeypatch):
    monkeypatch.setitem(layouts.LAYOUTS, csv_sheet.LAYOUT, None)  # fails if read in this process
    content = b"set,number,name\n" + b"".join(b"x1,%d,Ada\n" % number for number in range(50_001))
    sent = {"file": SimpleUploadedFile("catalogue.csv", content), "counts_from": "2026-01-01"}
    monkeypatch.setattr("rules.services.import_jobs.beside", lambda _pk, work: work())
    answer = office.post(reverse("rules:imports"), sent, follow=True)
    assert "more than 50000 lines" in words(answer)


DOCUMENTS = {
    "deep": (DEEP[:300_000], "nested deeper than"),
    "deep objects": (b'{"a":' * 60_000, "nested deeper than"),
    "NaN": (b'{"edition": NaN}', "NaN isn't a number"),
    "a key twice": (b"{" + b",".join(b'"k%d":0' % n for n in range(30_000)) + b',"k0":1}', "given twice"),
    "half a pair": (b'{"edition": "\\ud800"}', "surrogate|must be one of"),
    "long number": (b'{"version": ' + b"9" * 300_000 + b"}", "a known key|must|required"),
    "many numbers": (b"[" + b"0," * 190_000 + b"0]", "must be a JSON object"),
    "one long text": (b'{"edition": "' + b'\\"' * 190_000 + b'"}', "must be one of"),
    "too many bytes": (b"x" * 400_001, "can be at most 400 KB"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("address", ["rules:board-file", "rules:dispute-new"])
def test_a_position_file_that_does_harm_is_refused(client, name, address):
    content, says = DOCUMENTS[name]
    for sent in ({"file": SimpleUploadedFile("position.json", content)}, {"document": content.decode()}):
        answer = client.post(reverse(address), sent)
        assert answer.status_code in (400, 413), name
        assert any(one in words(answer) for one in says.split("|")), (name, answer.context.get("fault"))
    assert not SavedDispute.objects.exists()


FAULTY = {
    "edition": "core-2014",
    "event": {"build_total": "many"},
    "force": {"characters": [{"name": 5, "points": -1}]},
}
SENTENCES = ["<li>edition: ", "<li>map, width: ", "<li>sides 1, player: ", "<li>sides 1, luck: "]
WRONG_MAP = {"edition": "x", "map": {"width": 0, "height": 5}, "sides": [{"player": "", "luck": 1}]}


@pytest.mark.parametrize(
    ("address", "document", "places"),
    [
        (
            "events:forces-check",
            FAULTY,
            [
                f"<li>{place}: "
                for place in ("event, build total", "force, characters 1, name", "force, characters 1, points")
            ],
        ),
        ("rules:board-file", WRONG_MAP, SENTENCES),
        ("rules:dispute-new", WRONG_MAP, SENTENCES),
    ],
)
def test_a_page_lists_every_fault_of_a_file(client, address, document, places):
    text = json.dumps(document)
    told = client.post(reverse(address), {"act": "list", "text": text, "document": text}).content.decode()
    assert [told.count(place) for place in places] == [1] * len(places)


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "too many bytes"])
@pytest.mark.parametrize("verb", ["check-force", "score-battle", "adjudicate"])
def test_a_body_that_does_harm_is_refused_by_the_rules(client, in_place, name, verb):
    answer = client.post(f"/api/rules/{verb}", DOCUMENTS[name][0], content_type="application/json")
    assert answer.status_code == 422, answer.content[:300]
    assert answer.json()["error"]["message"]


def test_a_body_beyond_the_limit_of_the_api_is_refused(client):
    answer = client.post("/api/rules/check-force", b" " * (5 * 1024 * 1024 + 1), content_type="application/json")
    assert answer.status_code == 413
    assert "at most" in answer.json()["detail"]


def test_a_large_body_is_answered_by_another_process(client, monkeypatch):
    called = []

    def noted(function, args, *_limits):
        called.append(function)
        return function(*args)

    monkeypatch.setattr("rules.apart._called", noted)
    body = b'{"id": "a"}\n' * 20_000
    answer = client.post("/api/rules/check-force", body, content_type="application/x-ndjson")
    assert (answer.status_code, len(answer.json())) == (200, 20_000)
    client.post("/api/rules/check-force", body[:1200], content_type="application/x-ndjson")
    assert called == [api.reports]


def test_requests_while_another_body_is_read_are_told_to_retry(client, monkeypatch):
    monkeypatch.setattr("rules.apart.PATIENCE", 0.01)
    from rules.apart import _LINES, OPEN

    with _LINES[OPEN]:
        answer = client.post("/api/rules/check-force", b" " * 300_000, content_type="application/json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert "Try again in a minute" in answer.json()["detail"]


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{", '{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}', '{"a": %s}' % ("9" * 5000)]
)
def test_an_action_that_does_harm_is_refused(client, text):
    answer = client.post(reverse("rules:dispute-new"), {"map": "", "edition": "core-modern"})
    row = SavedDispute.objects.get()
    assert answer.status_code == 302
    before = row.version
    sent = {"do": "exact", "version": before, "whole": text}
    answer = client.post(reverse("rules:dispute", args=[row.public_id]), sent, follow=True)
    assert answer.status_code == 200
    assert any(said in words(answer) for said in ("isn't", "at most", "too large", "aren't"))
    assert SavedDispute.objects.get().version == before


def test_a_zip_of_many_large_files_is_read_no_further_than_the_limit(office, in_place, monkeypatch):
    monkeypatch.setitem(uploads.LIMITS, "import", dataclasses.replace(uploads.LIMITS["import"], expanded=200_000))
    content = zipped(**{f"{number}.csv": b"set,name\n" + LINE * 5_000 for number in range(9)})
    sent = {"file": SimpleUploadedFile("all.zip", content), "counts_from": "2026-01-01"}
    assert "total at most 195.3 KB" in words(office.post(reverse("rules:imports"), sent, follow=True))
    monkeypatch.setattr(bundle, "MAX_FILES", 3)
    content = zipped(**{f"{number}.csv": LINE for number in range(9)})
    sent["file"] = SimpleUploadedFile("all.zip", content)
    assert "at most 3 files" in words(office.post(reverse("rules:imports"), sent, follow=True))
    assert not Import.objects.exclude(state="failed").exists()


def test_files_that_cannot_be_read_are_not_kept_in_memory():
    files = (bundle.File(f"{number}.json", b"[" + b" " * 1_000_000) for number in range(20))
    tracemalloc.start()
    try:
        reading = kept.Kept(kept.kept_reading(files, "", ""))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(reading.unreadable) == 20
    assert peak < 8_000_000


def test_ten_thousand_faults_are_all_counted_and_the_page_shows_a_part(office, in_place):
    content = b"set,number,name,points\n" + b"".join(b"x1,%d,Ada,many\n" % number for number in range(10_000))
    sent = {"file": SimpleUploadedFile("x.csv", content), "counts_from": "2026-01-01"}
    office.post(reverse("rules:imports"), sent)
    row = Import.objects.get()
    while row.state == Import.State.PLANNING:
        row = plan_more(reading_of=row, at_once=5000)
    page = words(office.get(reverse("rules:import", args=[row.pk])))
    assert "10,000 records have faults" in page
    assert page.count("must be a whole number") == 100
    assert not Element.objects.exists()
