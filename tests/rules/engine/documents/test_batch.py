"""One document, or one per line; an invalid one gets its own report and doesn't stop the others."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import BadInput, read_documents, reports_on, written


def read(text: str) -> list[object]:
    return [("bad", one.where) if isinstance(one, BadInput) else one for one in read_documents(text)]


BAD = ("bad", "")


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ('{"id": "a"}', [{"id": "a"}]),
        ('\ufeff{"id": "a"}\n', [{"id": "a"}]),
        ('{\n "id":\n "a"\n}', [{"id": "a"}]),
        ('{"id": "a"}\n\n  \r\n{"id": "b"}\r\n', [{"id": "a"}, {"id": "b"}]),
        ('{"id": "a\u2028b"}\n{"id": "c\x85"}', [{"id": "a\u2028b"}, {"id": "c\x85"}]),
        ("", [BAD]),
        ("  \n\n", [BAD]),
        ("[1, 2]", [BAD]),
        ('"text"', [BAD]),
        ('{"a": NaN}', [BAD]),
        ('{\n"a": 1,\n"a": 2\n}', [BAD]),
        ('{"a": 1, "a": 2}\n{"id": "b"}', [BAD, {"id": "b"}]),
        ('{"id": "a"\n{"id": "b"}\n7', [BAD, {"id": "b"}, BAD]),
        ("[" * 3000 + "]" * 3000, [BAD]),
        ('{"a": 1e999}', [{"a": float("inf")}]),
        ('{"a": ' + "9" * 5000 + "}", [{"a": float("inf")}]),
    ],
)
def test_a_text_is_one_document_or_one_per_line(text, documents):
    assert read(text) == documents


def test_each_document_has_its_report_and_its_id():
    def answer(document):
        if "fault" in document:
            raise BadInput("/fault", "not so")
        return {"id": document["id"], "seen": True}

    text = '{"id": "a"}\n{"id": "b", "fault": 1}\nnonsense\n{"id": 7, "fault": 1}'
    assert list(reports_on(text, answer))[:2] == [
        {"id": "a", "seen": True},
        {"id": "b", "error": {"code": "bad-input", "where": "/fault", "message": "not so"}},
    ]
    assert [report["id"] for report in reports_on(text, answer)] == ["a", "b", None, None]


def test_text_that_cannot_be_encoded_is_escaped():
    assert written({"id": "Åsa"}) == '{"id": "Åsa"}'
    assert written({"where": "/\ud800"}) == '{"where": "/\\ud800"}'


@given(st.text())
def test_no_text_makes_it_fail(text):
    assert read(text)


@given(st.lists(st.dictionaries(st.text(max_size=4), st.integers() | st.text(max_size=4), max_size=3), min_size=1))
def test_written_documents_are_read_back(documents):
    text = "\n".join(json.dumps(document, ensure_ascii=False) for document in documents)
    assert read(text) == documents
