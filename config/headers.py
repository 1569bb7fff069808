"""Response headers that Django's middleware doesn't set."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NO_STORE_ROUTES = (
    "accounts/",
    "me/",
    "e/",
    "office/",
    "unsent/",
    "sign-in-by-code/",
    "set-up/",
    "calendar/read/",
    "e-mails/",
)
"""Route prefixes of pages about accounts and people."""
NO_STORE = frozenset(
    {
        "events:sign-in-code",
        "events:sign-in-code-revoke",
        "events:api-tokens",
        "events:webhooks",
        "events:webhook",
        "events:webhook-act",
        "events:enter-confirm",
        "events:entry-qr",
        "events:entry-link-renew",
        "judging:event-export",
        "judging:event-hand-over",
        "judging:event-import",
        "judging:snapshot-file",
        "judging:bundle-pdf",
        "judging:audit-log-csv",
        "judging:audit-log-json",
        "api:audit_log",
        "api:event_file",
        "judging:venue-audit-log-csv",
        "judging:venue-audit-log-json",
        "events:player-cards-pdf",
        "events:slips-pdf",
    }
)
"""Other views that show codes or links, or export data as a file."""


class HeadersMiddleware:
    """Middleware that sets the headers, unless the page has set its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on and set the headers."""
        response = self.get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if is_never_stored(request):
            if "no-store" not in response.headers.get("Cache-Control", ""):
                response.headers["Cache-Control"] = "private, no-store"
        elif is_personal(request, response) and response.headers.get("Cache-Control", "no-cache") == "no-cache":
            response.headers["Cache-Control"] = "private, no-cache"
        return response


def is_never_stored(request: HttpRequest) -> bool:
    """Return whether browsers and proxies must never store the page: accounts, codes, player links and exports."""
    match = request.resolver_match
    return match is not None and (match.view_name in NO_STORE or match.route.startswith(NO_STORE_ROUTES))


def is_personal(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the browser has a session, or gets one with this response."""
    name = settings.SESSION_COOKIE_NAME
    return name in request.COOKIES or name in response.cookies
