"""The JSON API of the site, with its OpenAPI description at /api/openapi.json and a page to try it at /api/docs."""

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI

from events.api import router as events_router
from events.door import NeedsConfirmation, Refused, Stale
from rules.api import router as rules_router

api = NinjaAPI(
    title="Headjudge",
    version="1",
    description="Events, pairings, standings and results; forces, battles and disputes by the book.",
    urls_namespace="api",
)
api.add_router("", events_router)
api.add_router("/rules", rules_router)


def _fault(request: HttpRequest, status: int, detail: object) -> HttpResponse:
    return api.create_response(request, {"detail": str(detail)}, status=status)


@api.exception_handler(Refused)
def refused(request: HttpRequest, fault: Any) -> HttpResponse:
    """Say why the action table or a rule refused."""
    return _fault(request, 403, fault.message)


@api.exception_handler(NeedsConfirmation)
def needs_confirmation(request: HttpRequest, fault: Any) -> HttpResponse:
    """Say what would change; confirm it on the site."""
    return _fault(request, 409, " ".join(map(str, [fault.message, *fault.consequences])))


@api.exception_handler(Stale)
def stale(request: HttpRequest, fault: Any) -> HttpResponse:
    """Say that the row was changed meanwhile."""
    return _fault(request, 409, fault)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, fault: Any) -> HttpResponse:
    """Say what is wrong with what was given."""
    return _fault(request, 422, " ".join(fault.messages))
