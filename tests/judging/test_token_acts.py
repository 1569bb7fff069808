"""Actions by API token: a token does exactly what its rows say, as the page does it, and is named in the audit log."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve

from events.actions import ACTIONS
from events.models import ApiToken, AuditEntry, Event, Role
from events.roles import Actor
from events.services import tokens
from events.token_rows import NOT_BY_TOKEN
from judging.token_ways import READ, WAYS
from tests.events.action_acts import ACTS, World, build
from tests.events.action_sample import one_each

pytestmark = pytest.mark.django_db
A_DAY = datetime.timedelta(days=1)
POSSIBLE = [verb for verb in ACTIONS if verb not in NOT_BY_TOKEN]
EXTRA = {
    "build-force-late": {"act": "describe"},
    "change-event": {"description": "New words"},
    "change-entry": {"name": "Renamed"},
    "replay-bracket": {},
}
"""Fields where the page's act sends more than a call needs to."""


def token_for(world: World, role: Role, rows: list[str]) -> str:
    """Return a token of the person in this role, with these rows whether or not the page would offer them."""
    by = Actor(person=world.people[role])
    secret = tokens.create_token(by=by, event=world.event, name="The script", rows=[], lasts=A_DAY)
    ApiToken.objects.filter(pk=int(secret.split("_")[1])).update(rows=rows)
    return secret


def call(secret: str, event: Event, key: str, /, **fields: Any):
    """Do an action by token."""
    return Client(raise_request_exception=True).post(
        f"/api/events/{event.public_id}/actions/{key}",
        json.dumps(fields),
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )


def fields_of(verb: str, world: World, role: Role) -> dict[str, Any]:
    """Return the fields of a call that does what the act's form does."""
    asked = ACTS[verb].ask(world, role)
    assert not isinstance(asked, str)
    way, (address, posted) = WAYS[verb], asked
    path, _mark, query = address.partition("?")
    parts = [value for name, value in resolve(path).kwargs.items() if name not in ("public_id", "verb")]
    found = dict(zip([name for name in way.parts if not name.startswith("=")], parts, strict=True))
    if verb in EXTRA:
        return found | EXTRA[verb]
    known = {arg.posted or name: name for name, arg in way.args.items()}
    posted = {k: v for k, v in posted.items() if way.fixed.get(k) != v}
    posted |= dict(pair.split("=") for pair in query.split("&") if pair)
    for name, value in posted.items():
        plain = [int(one) if str(one).isdecimal() else one for one in (value if isinstance(value, list) else [value])]
        found[known[name]] = plain if isinstance(value, list) else plain[0]
    if verb == "give-penalty":
        found["entry"] = 2
    return found


def done(verb: str, last: int, there: int) -> bool:
    leaves = ACTS[verb].leaves
    if leaves is not None:
        return leaves._default_manager.count() > there
    return AuditEntry.objects.filter(pk__gt=last, verb=verb, by_token="The script").exists()


def by_each_token(world: World, verb: str, role: Role) -> str:
    """Do one row with a token of this row alone, and with one of all others; return what is wrong, or ""."""
    act = ACTS[verb]
    if act.ready is not None:
        act.ready(world, role)
    world.event.refresh_from_db()
    fields = fields_of(verb, world, role)
    sent = {"confirm": True} | ({} if "reason" in WAYS[verb].args else {"reason": "A good reason"}) | fields
    others = token_for(world, role, [one for one in POSSIBLE if one != verb])
    alone = token_for(world, role, [verb])
    last = AuditEntry.objects.latest("pk").pk
    there = act.leaves._default_manager.count() if act.leaves is not None else 0
    refused = call(others, world.event, verb, **sent)
    if refused.status_code != 403 or done(verb, last, there):
        return f"done by a token without this row: {refused.status_code} {refused.content[:300]!r}"
    answer = call(alone, world.event, verb, **sent)
    if answer.status_code != 200 or not done(verb, last, there):
        return f"not done: {answer.status_code} {answer.content.decode()[:600]} {fields}"
    told = answer.json()
    if act.leaves is None and verb not in [one["action"] for one in told["log"]]:
        return f"the answer doesn't name its entry in the audit log: {told}"
    return ""


ONE_EACH = {
    state: asked
    for state, cells in one_each().items()
    if (asked := [(verb, role) for verb, role in cells if verb in WAYS])
}


@pytest.mark.parametrize("state", ONE_EACH, ids=lambda state: "-".join(map(str, state)))
def test_a_token_does_exactly_what_its_row_says(state):
    world, faults = build(*state), []
    for verb, role in ONE_EACH[state]:
        with transaction.atomic():
            try:
                found = by_each_token(world, verb, role)
            except Exception as raised:
                found = repr(raised)
            transaction.set_rollback(True)
        if found:
            faults.append(f"{verb} × {role}: {found}")
    assert not faults, "\n".join(faults)


def test_every_row_is_possible_by_token_or_says_why_not():
    ways = {key.partition("/")[0] for key in WAYS} | READ
    missing = sorted(set(POSSIBLE) - ways)
    assert not missing, (
        f"Say in judging/token_ways.py how these are done by token, or in NOT_BY_TOKEN why not: {missing}"
    )
    gone = sorted(ways - set(POSSIBLE))
    assert not gone, f"Remove these from judging/token_ways.py: {gone}"
