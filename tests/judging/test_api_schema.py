"""The API keeps its OpenAPI description, whatever it is sent, with a token of each role.

Schemathesis makes the requests from the description, right and wrong ones, and reads the answers by it. `make soak`
tries every operation with every role; every run tries a part of them, spread over the roles.
"""

from __future__ import annotations

import datetime
import hashlib
import logging
from collections.abc import Iterator
from itertools import cycle

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.api import api
from events.models import ApiToken, Event, Role, Round
from events.services.tokens import rows_for
from tests.events.action_acts import World, build

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EVERY = 4
"""Every run tries one operation of so many, each with the next role's token."""


@pytest.fixture
def world(db) -> Iterator[World]:
    """Keep the test's connection open, as Django's own client does, and the log silent."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    logging.disable(logging.CRITICAL)
    yield build(Event.State.RUNNING, Round.State.RUNNING)
    logging.disable(logging.NOTSET)
    for signal in signals:
        signal.connect(close_old_connections)


def token_of(world: World, role: Role) -> str:
    """Return a token of the person in this role, with every row that the role can have."""
    person, now = world.people[role], timezone.now()
    row = ApiToken.objects.create(
        event=world.event, person=person, name="Schemathesis", rows=rows_for(world.roles(role)),
        secret_hash=hashlib.sha256(b"x").hexdigest(), password_mark=person.get_session_auth_hash(),
        expires=now + datetime.timedelta(days=1), last_used=now,
    )  # fmt: skip
    return f"hj_{row.pk}_x"


def operations():
    """Return every operation of the description."""
    schema = schemathesis.openapi.from_dict(api.get_openapi_schema())
    site = get_wsgi_application()
    schema.app = lambda environ, start: site(environ | {"REMOTE_ADDR": "127.0.0.1"}, start)
    return [found.ok() for found in schema.get_all_operations()]


def attack(world: World, operation, role: Role, examples: int) -> str:
    """Send requests to an operation at the world's event; return what was wrong with an answer, or ""."""
    headers = {"Authorization": f"Bearer {token_of(world, role)}", "Accept-Encoding": "identity"}

    @settings(
        max_examples=examples, deadline=None, database=None, derandomize=examples < 5, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy())
    def send(case) -> None:
        cache.clear()
        if "event_id" in (case.path_parameters or {}):
            case.path_parameters["event_id"] = world.event.public_id
        with transaction.atomic():
            answer = case.call(headers=headers)
            transaction.set_rollback(True)
        case.validate_response(answer, checks=CHECKS)

    try:
        send()
    except BaseException as fault:
        return f"{operation.label} × {role}: {fault}"
    return ""


def test_a_part_of_the_api_keeps_its_description(world):
    faults = [attack(world, one, role, 2) for one, role in zip(operations()[::EVERY], cycle(Role), strict=False)]
    assert not any(faults), "\n\n".join(filter(None, faults))


@pytest.mark.soak
@pytest.mark.parametrize("role", Role)
def test_the_whole_api_keeps_its_description(world, role):
    faults = [attack(world, one, role, 25) for one in operations()]
    assert not any(faults), "\n\n".join(filter(None, faults))
