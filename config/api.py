"""The site's JSON API, with its OpenAPI description at /api/openapi.json and a page about it at /api/."""

import re
from typing import Any

from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
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
from judging.api_acts import Refusal, described
from judging.api_acts import router as acts_router
from judging.api_reading import router as reading_router
from rules.api import router as rules_router
from rules.api_catalogue import router as catalogue_router
from rules.uploads import LIMITS, Unreadable, check_size, read_json


class BoundedParser(Parser):
    """Parse request bodies strictly, within the limits of a document."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the body's JSON. Raise `Unreadable`."""
        check_size("document", len(request.body))
        return read_json(request.body, "document")


class HeadjudgeAPI(NinjaAPI):
    """The API, with an operation for each action in its description, which is made once."""

    described: OpenAPISchema | None = None

    def get_openapi_schema(self, **given: Any) -> OpenAPISchema:
        """Return the OpenAPI description."""
        if self.described is None:
            made = super().get_openapi_schema(**given)
            acts = described(reverse("api:api-root"))
            made["paths"] |= acts["paths"]
            made["components"]["schemas"] |= acts["schemas"]
            self.described = made
        return self.described


api = HeadjudgeAPI(
    title="Headjudge",
    version="1",
    description="Events, pairings, standings and results; forces, battles and disputes by the book.",
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


def about(request: HttpRequest) -> HttpResponse:
    """Show every operation of the API, from its OpenAPI description."""
    schema = api.get_openapi_schema()
    operations = [
        {
            "method": method.upper(),
            "path": path,
            "summary": operation.get("summary", ""),
            "text": _with_code(operation.get("description", "")),
            "parameters": [
                {"name": given["name"], "required": given.get("required", False), "place": given["in"]}
                for given in operation.get("parameters", [])
            ],
            "signed_in": bool(operation.get("security")),
        }
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    return render(request, "api.html", {"operations": operations, "about": schema["info"]})
