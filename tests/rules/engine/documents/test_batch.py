"""One document, or one per line; an invalid one gets its own report and doesn't stop the others."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from rules.engine import BadInput, read_documents, reports_on, written
from tests.tables import every_row


def read(text: str) -> list[object]:
    return [("bad", one.where) if isinstance(one, BadInput) else one for one in read_documents(text)]


BAD = ("bad", "")


@every_row(
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
        ('{"id": "a",\n "b": [1,],\n "c": {\n}\n}\n', [BAD]),
        ("nothing\nof\nJSON", [BAD]),
        ("[1,\n2", [BAD]),
        ("[" * 3000 + "]" * 3000, [BAD]),
        ('{"a": 1e999}', [{"a": float("inf")}]),
        ('{"a": ' + "9" * 5000 + "}", [{"a": float("inf")}]),
    ],
)
def test_a_text_is_one_document_or_one_per_line(text, documents):
    assert read(text) == documents


PRETTY = '{\n  "id": "a",\n  "points": [1, 2]\n}\n'


@every_row(
    ("text", "line", "column"),
    [
        ('{"id": "a",}', 1, 11),
        (PRETTY.replace("2]", "2,]"), 3, 18),
        (PRETTY.replace("2]", "2],"), 3, 19),
        (PRETTY.replace('"a",', '"a",,'), 2, 13),
        (PRETTY.replace('"a",', '"a"'), 3, 3),
        (PRETTY.replace('"points"', "points"), 3, 3),
        (PRETTY.replace("1,", "NaN,"), 3, 14),
        (PRETTY.replace("1,", '"NaN", -Infinity,'), 3, 21),
        (PRETTY + "}", 5, 1),
        ("\ufeff" + PRETTY.replace("{", "{,"), 1, 2),
        ('{"id": "a"}\r\n\r\n{"id": [1,]}\r\n{"id": "c"}', 3, 10),
        ('{"id": "a"}\n{"id": NaN}\n', 2, 8),
    ],
)
def test_what_is_no_json_has_its_line_and_column(text, line, column):
    [fault] = [one for one in read_documents(text) if isinstance(one, BadInput)]
    assert fault.where == ""
    assert f"(line {line}, column {column})." in fault.message


@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.integers() | st.lists(st.booleans()), min_size=1), min_size=1),
    st.data(),
)
def test_a_comma_too_many_is_found_in_a_document_and_in_a_batch(documents, data):
    texts = [json.dumps(document, ensure_ascii=data.draw(st.booleans())) for document in documents]
    place = data.draw(st.integers(0, len(texts) - 1))
    texts[place] = f"{texts[place][:-1]},}}"
    faults = [one for one in read_documents("\n".join(texts)) if isinstance(one, BadInput)]
    assert [one.message for one in faults] == [
        f"This isn't valid JSON: Extra comma (line {place + 1}, column {len(texts[place]) - 1})."
    ]
    whole = json.dumps(documents[0], indent=1, ensure_ascii=False)
    broken = f"{whole[:-2]},\n}}"
    [fault] = read_documents(broken)
    assert f"(line {whole.count(chr(10))}, column {len(whole.split(chr(10))[-2]) + 1})." in fault.message


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
