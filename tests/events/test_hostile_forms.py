"""Harmful lists, results and forces sent to an event's pages and API: each gets a sentence, and nothing is written."""

import gzip
import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from events.models import Force, Match
from tests.events.simulation import play_round, players

pytestmark = pytest.mark.django_db


def words(answer):
    return answer.content.decode().replace("&#x27;", "'").replace("\xa0", " ")


def zipped(name, content):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return target.getvalue()


LISTS = {
    "gzip bomb": (gzip.compress(b" " * 20_000_000), "is compressed (gzip)"),
    "damaged workbook": (b"PK\x03\x04" + b"\0" * 100, "This workbook can't be read"),
    "archive": (zipped("list.csv", b"name\nAda\n"), "ZIP archive or a workbook"),
    "workbook that unpacks to 30 MB": (zipped("xl/workbook.xml", b" " * 30_000_000), "This workbook is too large"),
    "workbook with nothing in it": (zipped("xl/workbook.xml", b"<workbook/>"), "This workbook can't be read"),
    "too many bytes": (b"name\n" + b"x" * 1_100_000, "at most 1 MB. Split the list and import the parts"),
    "long cell": (b"name,club\nAda," + b"x" * 900_000, "A cell has more than 131,072 characters"),
    "open quote": (b'name,club\n"Ada,' + b"x\n" * 400_000, "A cell has more than 131,072 characters"),
    "many lines": (b"name\n" + b"A\n" * 400_000, "at most 2000 players"),
    "many columns": (b"name" + b",c" * 400_000 + b"\nAda\n", "more than 100 columns"),
    "signs that are no text": (b"name\n" + bytes(range(128, 256)) * 100, "longer than 120 characters"),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_does_harm_is_told_so_and_enters_no_one(staff, name):
    content, says = LISTS[name]
    address = reverse("events:entries-import", args=[staff.event.public_id])
    client = staff.client("head_judge")
    sent = {"file": SimpleUploadedFile("list.csv", content), "declared": "on"}
    answer = client.post(address, sent | {"enter": "yes"})
    assert says in words(answer)
    assert answer.status_code == 400
    assert not staff.event.entries.exists()


def test_a_pasted_list_has_the_same_limit_and_stays_typed(staff):
    address = reverse("events:entries-import", args=[staff.event.public_id])
    answer = staff.client("head_judge").post(address, {"text": "name\nAda Typed\n" + "x" * 1_100_000})
    assert answer.status_code == 400
    assert "at most" in words(answer)
    assert "Ada Typed" in words(answer)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_a_list_in_another_encoding_is_read(staff, encoding):
    content = SimpleUploadedFile("list.csv", "name,club\nZoë,Café\n".encode(encoding))
    address = reverse("events:entries-import", args=[staff.event.public_id])
    staff.client("head_judge").post(address, {"file": content, "declared": "on", "enter": "yes"})
    assert [entry.name for entry in staff.event.entries.all()] == ["Zoë"]


HARM = {
    "deep": "[" * 50_000,
    "deep objects": '{"a":' * 15_000 + "1" + "}" * 15_000,
    "a bit deep": '{"a":' * 40 + "1" + "}" * 40,
    "NaN": '{"a": NaN}',
    "infinite": '{"a": 1e999}',
    "long number": '{"a": ' + "9" * 5_000 + "}",
    "half a pair": '{"a": "\\ud800"}',
    "NUL": '{"a": "\\u0000"}',
    "many numbers": '{"a": [' + "0," * 45_000 + "0]}",
    "a key twice": '{"a": 1, "a": 2}',
}


@pytest.fixture
def match(staff):
    players(staff.event, 4)
    play_round(staff.actor("head_judge"), staff.event)
    return Match.objects.filter(kind="game").first()


@pytest.mark.parametrize("name", HARM)
def test_a_battle_that_does_harm_is_told_so(staff, match, name):
    before = match.result
    address = reverse("events:enter-result", args=[staff.event.public_id, 1, match.table])
    sent = {"score_a": "1", "score_b": "0", "battle": HARM[name], "act": "correct", "version": match.version}
    answer = staff.client("head_judge").post(address, sent)
    assert answer.status_code == 400
    assert any(said in words(answer) for said in ("isn't", "at most", "too large", "aren't", "twice"))
    match.refresh_from_db()
    assert match.result == before


@pytest.mark.parametrize("name", HARM)
def test_a_force_that_does_harm_is_refused_by_the_api(staff, name):
    players(staff.event, 2)
    entry = staff.event.entries.first()
    body = f'{{"force": {HARM[name]}, "name": "x"}}'
    address = f"/api/events/{staff.event.public_id}/entries/{entry.number}/force"
    answer = staff.client("head_judge").put(address, body, content_type="application/json")
    assert answer.status_code in (400, 413, 422), answer.status_code
    assert answer.json()["detail"] != "Cannot parse request body"
    assert not Force.objects.exists()


def test_a_result_that_is_too_large_is_refused_by_the_api(staff, match):
    address = f"/api/events/{staff.event.public_id}/rounds/1/tables/{match.table}/result"
    body = json.dumps({"score_a": 1, "score_b": 0, "battle": {"a": "x" * 500_000}})
    answer = staff.client("head_judge").post(address, body, content_type="application/json")
    assert answer.status_code == 413
    assert "at most" in answer.json()["detail"].replace("\xa0", " ")
