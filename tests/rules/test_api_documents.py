"""The schemas of the rules' API: every case's document keeps the schema of its file, and its report that of reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from rules import api_documents, api_reports, engine
from rules.api_documents import FILES, file_schemas, sample
from tests.rules.engine.golden import CASES

ANSWERS = {
    "force": (engine.check_force, api_reports.ForceReport),
    "battle": (engine.score_battle, api_reports.BattleReport),
    "position": (engine.adjudicate, api_reports.PositionReport),
}
KINDS = pytest.mark.parametrize("kind", FILES)


def documents() -> Iterator[dict[str, Any]]:
    """Yield every document of the cases, whatever its kind."""
    for path in sorted(CASES.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            yield from (one for one in (case, case.get("input"), case.get("document")) if isinstance(one, dict))


def faults(checked: Draft202012Validator, value: Any) -> list[str]:
    return [f"{fault.instance_path}: {fault.message[:200]}" for fault in checked.iter_errors(value)]


@KINDS
def test_every_document_that_is_read_keeps_its_schema_and_so_does_its_report(kind):
    answer, model = ANSWERS[kind]
    file = Draft202012Validator(file_schemas()[FILES[kind]])
    report = Draft202012Validator(model.model_json_schema(mode="serialization"))
    tried, wrong = 0, []
    for document in documents():
        told = engine.report_on(document, answer)
        if "error" not in told:
            tried += 1
            wrong += [f"{document.get('id')}{fault}" for fault in faults(file, document) + faults(report, told)]
    assert not wrong, "\n".join(wrong[:20])
    assert tried >= 10


@KINDS
def test_a_schema_refuses_what_its_file_does_not_have(kind):
    schema, document = Draft202012Validator(file_schemas()[FILES[kind]]), sample(kind)
    assert not faults(schema, document)
    for wrong in (document | {"colour": 1}, document | {"edition": "core-1999"}, {"id": "x"}):
        assert faults(schema, wrong)
        assert "error" in engine.report_on(wrong, ANSWERS[kind][0])


def test_the_words_about_keys_are_those_of_the_readers(monkeypatch):
    used = set()

    class Words(dict):
        def get(self, key):
            used.add(key)
            return super().get(key)

        def __getitem__(self, key):
            used.add(key)
            return super().__getitem__(key)

    monkeypatch.setattr(api_documents, "WORDS", Words(api_documents.WORDS))
    try:
        file_schemas()
    except KeyError as missing:
        pytest.fail(f"say in WORDS of rules/api_documents.py what the key {missing} holds")
    assert set(api_documents.WORDS) - used == set(), "no document has these keys: remove their words"
