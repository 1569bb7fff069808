"""Harmful event files: each gets a sentence at its field, and nothing is written."""

import gzip

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from events.models import Event
from judging.keeping import storage
from judging.keeping.whole_file import BadFile, read_file
from judging.views.keeping import WAITING_FILES
from rules.uploads import SMALL, is_small

pytestmark = pytest.mark.django_db
START = b'{"format": "headjudge-event", "version": 1, "whole": '
HARM = {
    "gzip bomb": (lambda: gzip.compress(b"0" * 160 * 1024 * 1024, 1), 413, "at most 150 MB once decompressed"),
    "second member": (gzip.compress(b"{}") + gzip.compress(b"{}"), 400, "extra data after"),
    "packed twice": (gzip.compress(gzip.compress(b"{}")), 400, "compressed twice"),
    "cut off": (gzip.compress(bytes(range(256)) * 9)[:-9], 400, "end is missing"),
    "zip": (b"PK\x03\x04" + b"\0" * 99, 400, "isn't a Headjudge event file"),
    "deep": (START + b"[" * 1_000_000, 413, "nested at most 64 levels deep"),
    "deep objects": (START + b'{"a":' * 100 + b"1" + b"}" * 101, 413, "nested at most 64 levels deep"),
    "packed brackets": (lambda: gzip.compress(START + b"[" * 20_000_000, 1), 413, "at most 10 000 000 values"),
    "one long text": (START + b'"' + b"x" * 2_000_000 + b'"}', 413, "1 000 000 characters"),
    "long number": (START + b"9" * 1_000_000 + b"}", 400, "is too large"),
    "infinite": (START + b"1e999}", 400, "is too large"),
    "NaN": (START + b"NaN}", 400, "NaN isn't a JSON number"),
    "a key twice": (START + b'{}, "whole": {}}', 400, "is given twice"),
    "half a pair": (START + b'"\\udfff"}', 400, "aren't text"),
    "NUL": (START + b'"\\u0000"}', 400, "aren't text"),
    "latin-1": (START + '"é"}'.encode("latin-1"), 400, "can't be read as text"),
}
READ_APART = ("gzip bomb", "deep")
"""The large files that are uploaded too: each is read in a separate process, which takes a second to start."""


@pytest.mark.parametrize("name", HARM)
def test_an_event_file_that_does_harm_is_refused_at_its_field(staff, name):
    content, status, says = HARM[name]
    if callable(content):  # the largest are made only where they are sent
        content = content()
    with pytest.raises(BadFile) as caught:
        read_file(content)
    assert caught.value.status == status
    if not is_small(content) and name not in READ_APART:
        return
    waiting = set(storage.place(WAITING_FILES).glob("*"))
    answer = staff.client("office").post("/events/import/", {"file": SimpleUploadedFile("event.json", content)})
    assert answer.status_code == status
    assert says in answer.content.decode().replace("&#x27;", "'").replace("\xa0", " ")
    assert answer.context["form"].errors.keys() == {"file"}
    assert Event.objects.count() == 1
    assert set(storage.place(WAITING_FILES).glob("*")) <= waiting, "what can't be read doesn't wait"


def test_a_file_that_unpacks_to_much_is_not_small():
    assert is_small(b"{}")
    assert is_small(gzip.compress(b"{}"))
    assert not is_small(b" " * (SMALL + 1))
    assert not is_small(gzip.compress(b" " * (SMALL + 1)))
