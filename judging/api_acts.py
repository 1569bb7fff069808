"""The JSON API of actions: every row of the action table that a token can have, done as the site's own page does it.

A call sends the fields of the page's form. The page's own view runs, for the token's owner as they are now, so the
same checks apply, the same confirmations are asked for, and the audit log says the same, with the token's name.
"""

from __future__ import annotations

import functools
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from ninja import Body, Router, Schema
from ninja.errors import ValidationError as BadFields
from pydantic import ConfigDict, Field, TypeAdapter, create_model
from pydantic import ValidationError as PydanticError
from pydantic.json_schema import models_json_schema

from events.actions import ACTIONS
from events.api_parameters import EventId
from events.api_sign_in import by_token
from events.called import CalledRequest, shown
from events.door import MADE
from events.models import Event, Role
from events.token_rows import POWER
from events.views.access import visit
from judging.token_ways import WAYS, Way
from rules.api_schema import ApiFault, Described

router = Router(tags=["actions"])
EXAMPLE_ADDRESS = "/events/k7d2mPqXw0Ab/"
NOT_ACCEPTED = _("The request was refused: a field is missing or invalid.")


class LogOut(Described):
    """What an action wrote in the audit log."""

    id: int = Field(examples=[311])
    """The entry's id."""
    action: str = Field(examples=["check-in"])
    """The row of the action table."""
    summary: str = Field(examples=["Ada Lund checked in"])
    """What happened, in a sentence."""


class DoneOut(Described):
    """An action that was done."""

    action: str = Field(examples=["check-in"])
    """The action."""
    messages: list[str] = Field(examples=[["Ada Lund is checked in."]])
    """What the page would say."""
    log: list[LogOut]
    """The new entries of the audit log."""
    address: str = Field(examples=[EXAMPLE_ADDRESS])
    """The address of the page that follows."""


class FormFault(ApiFault):
    """Why the fields weren't accepted: all in `detail`, and by field; "" has what concerns no field."""

    errors: dict[str, list[str]] = Field({}, examples=[{"name": ["This field is required."]}])
    """What is wrong with each field; "" has what concerns no field."""


class Unconfirmed(ApiFault):
    """What the action would change. Send the request again with `confirm`, and with a reason if it needs one.

    Without `consequences`, something has changed since the version that was sent, or no pairing is possible.
    """

    consequences: list[str] = Field([], examples=[["Ada Lund won't be paired again."]])
    """What the action would change."""
    needs_reason: bool = False
    """Whether a reason is needed."""


class Refusal(Exception):
    """The page didn't accept the form."""

    def __init__(self, status: int, errors: dict[str, list[str]]) -> None:
        super().__init__(status)
        self.status, self.errors = status, errors


class Given(Schema):
    """The fields of every action."""

    model_config = ConfigDict(extra="forbid")

    confirm: bool = Field(False, description="Confirm what the action changes, as the page asks.")
    reason: str = Field("", max_length=300, description="The reason, kept in the audit log where the action needs one.")
    version: int | None = Field(
        None, ge=0, le=10**8, description="The version of the row that was read; the call is refused if it has changed."
    )


def carry_out(request: HttpRequest, event_id: str, key: str, given: dict[str, Any]) -> dict[str, Any]:
    """Do an action as its page does it, and return what it said. Raise Refusal or one of the door's exceptions."""
    way, power = WAYS[key], POWER.get()
    assert power is not None, "the router lets in no one without a token"
    held, before = POWER.set(power.acting()), len(MADE.get() or ())
    try:
        v = visit(request, event_id)
        v.require(key.partition("/")[0])
        called = _called(request, v.event, way, given)
        response = called.answer()
        if not 300 <= response.status_code < 400 or called.said.words(faults=True):
            raise Refusal(409 if response.status_code == 409 else 422, called.faults() or {"": [str(NOT_ACCEPTED)]})
        made = (MADE.get() or [])[before:]
        log = [{"id": one.pk, "action": one.verb, "summary": one.words} for one in made]
        messages = called.said.words(faults=False)
        return {"action": key, "messages": messages, "log": log, "address": response["Location"]}
    finally:
        POWER.reset(held)


def _called(request: HttpRequest, event: Event, way: Way, given: dict[str, Any]) -> CalledRequest:
    """Return the request with which the page's view is called."""
    for name, arg in way.all_args.items():
        if arg.of and given.get(name) is not None:
            key = getattr(event, arg.of).filter(number=given[name]).values_list("pk", flat=True).first()
            if key is None:
                raise Http404
            given = given | {name: key}
    try:
        address = reverse(way.page, args=[event.public_id, *way.address_parts(given)])
    except NoReverseMatch:
        raise Http404 from None  # a number longer than any row's
    sent = way.sent(given)
    if way.keeps:
        page = CalledRequest(request, address)
        page.answer()
        form = page.form()
        off = {form[name].html_name for name in given if given[name] in (False, None) and name in form.fields}
        sent = {name: values for name, values in shown(form).items() if name not in off} | sent
    if given["confirm"]:
        sent["confirmed"] = ["yes"]
    if given["version"] is not None:
        sent["version"] = [str(given["version"])]
    if given["reason"]:
        sent["reason"] = [given["reason"]]
    return CalledRequest(request, address, sent, way.sent(given, asked=True))


@functools.cache
def model_of(key: str) -> type[Given]:
    """Return the model of a call's fields."""
    way = WAYS[key]
    fields: dict[str, Any] = {}
    for name, arg in way.all_args.items():
        is_needed = name in way.parts or (arg.needed and not way.keeps)
        fields[name] = (
            (arg.type, Field(description=arg.words))
            if is_needed
            else (arg.type | None, Field(None, description=arg.words))
        )
    named = "".join(part.capitalize() for part in key.replace("/", "-").split("-"))
    return create_model(f"{named}In", __base__=Given, **fields)


@router.post(
    "/events/{event_id}/actions/{path:action}",
    auth=by_token,
    response={200: DoneOut, 401: ApiFault, 403: ApiFault, 404: ApiFault, 409: Unconfirmed, 422: FormFault},
    include_in_schema=False,
)
def act(request: HttpRequest, event_id: EventId, action: str, given: Body[dict[str, Any]]) -> Any:
    """Do an action at an event. The description has an operation for each: see `described`."""
    if action not in WAYS:
        raise Http404
    model = model_of(action)
    try:
        read = model.model_validate(given)
    except PydanticError as fault:
        raise BadFields([dict(one) for one in fault.errors()]) from None
    common = {name: getattr(read, name) for name in Given.model_fields}
    return carry_out(request, event_id, action, read.model_dump(exclude_unset=WAYS[action].keeps) | common)


def described(root: str) -> dict[str, Any]:
    """Return the paths of an OpenAPI description, one for each action, and the schemas to which they refer.

    Errors that any operation may answer are added to them later.
    """
    answers: dict[int, Any] = {200: DoneOut, 409: Unconfirmed, 422: FormFault}
    refer = "#/components/schemas/{model}"
    responses: dict[int, Any] = {
        status: {
            "description": " ".join(str(model.__doc__).split()),
            "content": {"application/json": {"schema": {"$ref": refer.format(model=model.__name__)}}},
        }
        for status, model in answers.items()
    }
    _refs, schemas = models_json_schema(
        [(model, "serialization") for model in (*answers.values(), ApiFault)], ref_template=refer
    )
    its_id = TypeAdapter(EventId).json_schema()
    at_event = {"in": "path", "name": "event_id", "required": True, "schema": its_id}
    at_event["description"] = its_id["description"]
    paths: dict[str, Any] = {}
    with translation.override("en"):
        for key, way in WAYS.items():
            verb, form = key.partition("/")[::2]
            row = ACTIONS[verb]
            roles = ", ".join(role.label for role in Role if role in row.roles)
            body = model_of(key).model_json_schema()
            needs = "" if way.all_args else " No field is needed."
            log = [{"id": 311, "action": verb, "summary": str(row.label)}]
            done = {"action": key, "messages": [], "log": log, "address": EXAMPLE_ADDRESS}
            paths[f"{root}events/{{event_id}}/actions/{key}"] = {
                "post": {
                    "operationId": key.replace("/", "_").replace("-", "_"),
                    "summary": f"{row.label} ({form.replace('-', ' ')})" if form else str(row.label),
                    "description": f"For: {roles}. The token needs the row `{verb}`.{needs}",
                    "tags": ["actions"],
                    "parameters": [at_event],
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": body, "example": dict(way.example)}},
                    },
                    "responses": responses | {200: _with_example(responses[200], done)},
                    "security": [{"ByToken": []}],
                }
            }
    return {"paths": paths, "schemas": schemas["$defs"]}


def _with_example(response: dict[str, Any], example: Any) -> dict[str, Any]:
    """Return a response with an example of its own."""
    ((kind, content),) = response["content"].items()
    return response | {"content": {kind: content | {"example": example}}}


__all__ = ["FormFault", "Refusal", "Unconfirmed", "act", "carry_out", "described", "router"]
