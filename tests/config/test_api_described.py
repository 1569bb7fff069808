"""The OpenAPI description: every field has words, everything sent and answered has an example, and the examples are true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator

from config.api import api
from judging.token_ways import WAYS

Named = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return json.loads(json.dumps(api.get_openapi_schema()))


def operations(described: dict[str, Any]) -> Iterator[Named]:
    for path, methods in described["paths"].items():
        yield from ((f"{method.upper()} {path}", operation) for method, operation in methods.items())


def sent_and_answered(described: dict[str, Any]) -> Iterator[Named]:
    """Yield every parameter, body and good answer, with its schema and its example."""
    for name, operation in operations(described):
        yield from ((f"{name} {one['name']}", one) for one in operation["parameters"])
        for part, of in (("body", operation.get("requestBody")), ("answer", operation["responses"]["200"])):
            for kind, content in (of or {"content": {}})["content"].items():
                yield f"{name} {part} {kind}", content


def properties(schema: Any, where: str) -> Iterator[Named]:
    """Yield every property of a schema, at any depth."""
    if isinstance(schema, list):
        for one in schema:
            yield from properties(one, where)
    elif isinstance(schema, dict):
        inner = schema.get("properties", {})
        yield from ((f"{where}/{name}", one) for name, one in inner.items())
        for name, one in inner.items():
            yield from properties(one, f"{where}/{name}")
        for key in ("items", "additionalProperties", "anyOf", "$defs"):
            yield from properties(schema.get(key), where)


def faults(described: dict[str, Any], schema: dict[str, Any], example: Any) -> list[str]:
    whole = schema | {"components": described["components"]}
    return [
        f"{fault.instance_path}: {fault.message[:200]}" for fault in Draft202012Validator(whole).iter_errors(example)
    ]


def test_every_field_and_every_parameter_has_words(described):
    found = list(properties(list(described["components"]["schemas"].values()), ""))
    found += [one for name, part in sent_and_answered(described) for one in properties(part["schema"], name)]
    found += [(name, part) for name, part in sent_and_answered(described) if "in" in part]
    assert len(found) > 1_000
    assert [name for name, one in found if not one.get("description")] == []


def test_everything_sent_and_answered_has_fields_and_a_true_example(described):
    wrong = []
    for name, part in sent_and_answered(described):
        schema = part["schema"]
        is_shown = any(key in schema for key in ("type", "$ref", "anyOf", "enum"))
        wrong += [
            f"{name}: {key}" for key, there in (("schema", is_shown), ("example", "example" in part)) if not there
        ]
        wrong += [f"{name}{fault}" for fault in faults(described, schema, part.get("example"))]
    assert wrong == []


def test_the_examples_of_schemas_and_fields_are_true(described):
    schemas = described["components"]["schemas"]
    named = [*schemas.items(), *properties(list(schemas.values()), "")]
    shown = [(name, one, example) for name, one in named for example in one.get("examples", [])]
    assert len(shown) > 150
    assert [f"{name}{fault}" for name, one, example in shown for fault in faults(described, one, example)] == []


def test_an_action_without_fields_says_so_and_every_other_has_some_in_its_example(described):
    for key, way in WAYS.items():
        operation = described["paths"][f"/api/events/{{event_id}}/actions/{key}"]["post"]
        example = operation["requestBody"]["content"]["application/json"]["example"]
        assert ("No field is needed." in operation["description"]) == (not way.all_args), key
        assert bool(example.keys() & way.all_args.keys()) == bool(way.all_args), (
            f"{key}: show its fields in its example"
        )


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["check-force", "score-battle", "adjudicate"])
def test_the_rules_answer_their_own_examples_as_described(described, path):
    operation = described["paths"][f"/api/rules/{path}"]["post"]
    answer = operation["responses"]["200"]["content"]["application/json"]
    for kind, content in operation["requestBody"]["content"].items():
        example = content["example"]
        body = example if isinstance(example, str) else json.dumps(example)
        told = Client().post(f"/api/rules/{path}", body, content_type=kind)
        assert told.status_code == 200, told.content
        assert faults(described, answer["schema"], told.json()) == []
        assert isinstance(told.json(), list if isinstance(example, str) else dict)
    assert Client().post(f"/api/rules/{path}", {"x": 1}, content_type="application/json").status_code == 422
    assert answer["example"]["id"] == operation["requestBody"]["content"]["application/json"]["example"]["id"]
