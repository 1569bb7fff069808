"""The OpenAPI description: every field has words, everything sent and answered has an example, and the examples are true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator

from config.api import api
from events.models import Event, Role, Round
from judging.token_ways import WAYS
from tests.events.action_acts import ACTS, build

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


READY = [
    "name-team",
    "close-call",
    "answer-appeal",
    "withdraw-penalty",
    "check-forces",
    "pass-boosters",
    "pick-prize",
    "undo",
]


@pytest.mark.django_db
def test_what_an_event_answers_is_as_described(described):
    """With a team, a call, an appealed ruling, a penalty, a submitted force, a booster draft and a prize draft."""
    world, head = build(Event.State.RUNNING, Round.State.RUNNING), Role.HEAD_JUDGE
    for verb in READY:
        ready = ACTS[verb].ready
        assert ready is not None
        ready(world, head)
    wrong = []
    given = {"event_id": world.event.public_id, "number": 1, "table": world.match().table}
    for name, operation in operations(described):
        method, path = name.split(" ")
        if method == "GET" and "{event_id}" in path:
            at = path.format(**given | ({"number": 2} if path.endswith("/force") else {}))
            told = world.clients[head].get(at)
            assert told.status_code == 200, (at, told.content)
            assert told.json(), at
            (content,) = operation["responses"]["200"]["content"].values()
            wrong += [f"{at}{fault}" for fault in faults(described, content["schema"], told.json())]
    assert wrong == []


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
