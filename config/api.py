"""The site's JSON API, with its OpenAPI description at /api/openapi.json and a page about it at /api/."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from ninja import NinjaAPI
from ninja.errors import HttpError
from ninja.errors import ValidationError as BadFields
from ninja.openapi.schema import OpenAPISchema
from ninja.parser import Parser

from events.api import router as events_router
from events.api_forces import router as forces_router
from events.api_pods import router as pods_router
from events.api_prizes import router as prizes_router
from events.api_series import router as series_router
from events.door import NeedsConfirmation, Refused, Stale
from judging.api_acts import Given, Refusal, described
from judging.api_acts import router as acts_router
from judging.api_reading import router as reading_router
from rules.api import examples
from rules.api import router as rules_router
from rules.api_catalogue import router as catalogue_router
from rules.api_documents import file_schemas
from rules.api_schema import example_of
from rules.uploads import LIMITS, Unreadable, check_size, read_json


class BoundedParser(Parser):
    """Parse request bodies strictly, within the limits of a document."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the body's JSON. Raise `Unreadable`."""
        check_size("document", len(request.body))
        return read_json(request.body, "document")


ERRORS = {
    400: "The body isn't JSON, or a token stands in the address",
    401: "No token where one is needed, or one that doesn't work",
    403: "Refused by the action table, a rule, or the token's rows",
    404: "Nothing found, or nothing that the sender may see",
    413: "The body, or the work that it asks for, is too large",
    422: "A parameter or field is missing or wrong, or the document can't be read",
    429: "Too many requests: wait a minute",
}
"""What any operation may answer instead of its result."""
EXAMPLES: dict[str, dict[str, Any]] = {
    "ResultIn": {"score_a": 200, "score_b": 150},
    "ForceIn": {"force": {"characters": [{"ref": "a", "name": "Recruit", "points": 20}]}, "name": "The Team"},
    "DraftPickIn": {"entry": 12, "step": 0, "printed": {"name": "Recruit", "points": 20}},
    "StartIn": {"table": 7},
    "StepIn": {"step": 0},
    "PaperIn": {"entry": 12, "on_paper": True},
    "PickIn": {"prize": "A booster"},
}
"""An example of each body, by its schema; actions bring their own."""


class HeadjudgeAPI(NinjaAPI):
    """The API, with an operation for each action, examples and errors in its description, which is made once."""

    described: OpenAPISchema | None = None

    def get_openapi_schema(self, **given: Any) -> OpenAPISchema:
        """Return the OpenAPI description."""
        if self.described is None:
            made = super().get_openapi_schema(**given)
            acts, schemas = described(reverse("api:api-root")), made["components"]["schemas"]
            made["paths"] |= acts["paths"]
            schemas |= acts["schemas"] | file_schemas()
            for name, example in (EXAMPLES | examples()).items():
                schemas[name]["examples"] = [example]
            for methods in made["paths"].values():
                for operation in methods.values():
                    _add_errors(operation)
                    _add_examples(operation, schemas)
            self.described = made
        return self.described


def _add_examples(operation: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    """Give each parameter, the body and the answer of an operation an example."""
    for parameter in operation["parameters"]:
        parameter.pop("examples", None)
        parameter["example"] = example_of(parameter["schema"], schemas)
    for part in (operation.get("requestBody", {}), operation["responses"][200]):
        for content in part.get("content", {}).values():
            if "example" not in content:
                content["example"] = example_of(content["schema"], schemas)


def _add_errors(operation: dict[str, Any]) -> None:
    """Describe the errors that any operation may answer."""
    for status, words in ERRORS.items():
        told = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiFault"}}}}
        operation["responses"].setdefault(status, told)["description"] = words


api = HeadjudgeAPI(
    title="Headjudge",
    version="1",
    description="The API covers events, pairings, standings and results, and checks forces, battles and "
    "disputes against the rulebooks.",
    urls_namespace="api",
    docs_url=None,
    parser=BoundedParser(),
)
api.add_router("", events_router)
api.add_router("", forces_router)
api.add_router("", pods_router)
api.add_router("", prizes_router)
api.add_router("", series_router)
api.add_router("", catalogue_router)
api.add_router("/rules", rules_router)
api.add_router("", reading_router)
api.add_router("", acts_router)


def _fault(request: HttpRequest, status: int, detail: object, **more: object) -> HttpResponse:
    return api.create_response(request, {"detail": str(detail), **more}, status=status)


@api.exception_handler(Refused)
def refused(request: HttpRequest, fault: Any) -> HttpResponse:
    """Answer a request that the action table or a rule refused."""
    return _fault(request, 403, fault.message)


@api.exception_handler(NeedsConfirmation)
def needs_confirmation(request: HttpRequest, fault: Any) -> HttpResponse:
    """List what the request would change; the change must be confirmed."""
    lines = list(map(str, fault.consequences))
    more = {"consequences": lines, "needs_reason": fault.needs_reason}
    return _fault(request, 409, " ".join([str(fault.message), *lines]), **more)


@api.exception_handler(Stale)
def stale(request: HttpRequest, fault: Any) -> HttpResponse:
    """Answer that the row has changed since the client read it."""
    return _fault(request, 409, fault)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, fault: Any) -> HttpResponse:
    """Answer with what is wrong with each given value."""
    return _fault(request, 422, " ".join(fault.messages))


@api.exception_handler(Refusal)
def not_accepted(request: HttpRequest, fault: Any) -> HttpResponse:
    """Answer with what is wrong with a form's fields."""
    said = [f"{name}: {word}" if name else word for name, words in fault.errors.items() for word in words]
    return _fault(request, fault.status, " ".join(said), **({"errors": fault.errors} if fault.status == 422 else {}))


@api.exception_handler(BadFields)
def bad_fields(request: HttpRequest, fault: Any) -> HttpResponse:
    """Answer with each parameter or field that has the wrong type or is missing."""
    errors: dict[str, list[str]] = {}
    for one in fault.errors:
        where = [str(part) for part in one["loc"] if part not in ("body", "query", "path", "given")]
        errors.setdefault(".".join(where), []).append(one["msg"])
    return not_accepted(request, Refusal(422, errors))


@api.exception_handler(HttpError)
def unreadable(request: HttpRequest, fault: Any) -> HttpResponse:
    """Say why a body can't be parsed; ninja itself only says that it can't."""
    why = fault.__cause__
    return _fault(request, *((why.status, why) if isinstance(why, Unreadable) else (fault.status_code, fault)))


@api.exception_handler(RequestDataTooBig)
def too_large(request: HttpRequest, fault: Any) -> HttpResponse:
    """Refuse a body that exceeds the limit for any request."""
    try:
        check_size("api", LIMITS["api"].received + 1)
    except Unreadable as why:
        return _fault(request, why.status, why)
    raise fault


def _with_code(text: str) -> SafeString:
    """Return a docstring as HTML, with its `names` as code."""
    return mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))  # our own words, escaped


TAGS = {
    "events": gettext_lazy("Events"),
    "officials": gettext_lazy("For officials"),
    "series": gettext_lazy("Series"),
    "forces": gettext_lazy("Forces"),
    "catalogue": gettext_lazy("Catalogue"),
    "rules": gettext_lazy("Rules"),
    "actions": gettext_lazy("Actions"),
}
"""The headings under which the page shows operations, by tag."""
COMMON = frozenset(Given.model_fields)
"""Fields that every action has: the page doesn't repeat them."""


def about(request: HttpRequest) -> HttpResponse:
    """Show every operation of the API, from its OpenAPI description."""
    schema = api.get_openapi_schema()
    by_tag: dict[str, list[dict[str, Any]]] = {tag: [] for tag in TAGS}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            (tag,) = operation["tags"]
            by_tag[tag].append(_shown(method, path, operation, schema["components"]["schemas"]))
    groups = [(tag, TAGS[tag], operations) for tag, operations in by_tag.items()]
    return render(request, "api.html", {"groups": groups})


def _shown(method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return an operation as the page shows it: its parameters, and the fields and the example of its body.

    Of an action only the body is shown: all have the same parameter.
    """
    names = {name for one in operation.get("security", ()) for name in one}
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {"schema": {}, "example": None})
    schema = schemas.get(body["schema"].get("$ref", "").rpartition("/")[2], body["schema"])
    is_action = operation["tags"] == ["actions"]
    return {
        "method": method.upper(),
        "path": path,
        "summary": operation.get("summary", ""),
        "text": _with_code(operation.get("description", "")),
        "signed_in": _("token or sign-in required") if names and not is_action else "",
        "fields": [
            *(
                {"name": one["name"], "required": one["required"], "text": _with_code(one["description"])}
                for one in ([] if is_action else operation["parameters"])
            ),
            *(
                {"name": name, "required": name in schema.get("required", ()), "text": _with_code(field["description"])}
                for name, field in schema.get("properties", {}).items()
                if not is_action or name not in COMMON or field["description"] != Given.model_fields[name].description
            ),
        ],
        "example": json.dumps(body["example"], ensure_ascii=False, indent=1) if body["example"] else "",
    }
