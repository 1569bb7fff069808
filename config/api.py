"""The site's JSON API, with its OpenAPI description at /api/openapi.json and a page about it at /api/."""

import re
from typing import Any

from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from ninja import NinjaAPI
from ninja.errors import HttpError
from ninja.parser import Parser

from events.api import router as events_router
from events.api_forces import router as forces_router
from events.api_pods import router as pods_router
from events.api_prizes import router as prizes_router
from events.api_series import router as series_router
from events.door import NeedsConfirmation, Refused, Stale
from rules.api import router as rules_router
from rules.api_catalogue import router as catalogue_router
from rules.uploads import LIMITS, Unreadable, check_size, read_json


class BoundedParser(Parser):
    """Parse request bodies strictly, within the limits of a document."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the body's JSON. Raise `Unreadable`."""
        check_size("document", len(request.body))
        return read_json(request.body, "document")


api = NinjaAPI(
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


def _fault(request: HttpRequest, status: int, detail: object) -> HttpResponse:
    return api.create_response(request, {"detail": str(detail)}, status=status)


@api.exception_handler(Refused)
def refused(request: HttpRequest, fault: Any) -> HttpResponse:
    """Answer a request that the action table or a rule refused."""
    return _fault(request, 403, fault.message)


@api.exception_handler(NeedsConfirmation)
def needs_confirmation(request: HttpRequest, fault: Any) -> HttpResponse:
    """List what the request would change; the change must be confirmed on the site."""
    return _fault(request, 409, " ".join(map(str, [fault.message, *fault.consequences])))


@api.exception_handler(Stale)
def stale(request: HttpRequest, fault: Any) -> HttpResponse:
    """Answer that the row has changed since the client read it."""
    return _fault(request, 409, fault)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, fault: Any) -> HttpResponse:
    """Answer with what is wrong with each given value."""
    return _fault(request, 422, " ".join(fault.messages))


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
