"""The page with the site's URL and QR code, for phones in a shop's network."""

from ipaddress import ip_address
from urllib.parse import urlsplit

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from events.address import full_address
from events.models import Event

LOCAL = ("localhost", "127.0.0.1", "[::1]")


@require_safe
def here(request: HttpRequest) -> HttpResponse:
    """Show the URL of the site, or of one event (`?event=<public id>`), in large letters and as a QR code."""
    asked = request.GET.get("event", "")
    shown = Event.objects.exclude(state=Event.State.DRAFT)
    event = get_object_or_404(shown, public_id=asked) if asked else None
    path = reverse("events:event", args=[event.public_id]) if event else "/"
    address = full_address(request, path)
    root = full_address(request, "/")
    return render(
        request,
        "events/here.html",
        {
            "at": event,
            "address": address,
            "root": root,
            "short": root.removeprefix("http://").rstrip("/"),
            "code": segno.make(address, error="m").svg_inline(omitsize=True, border=4, scale=1),
            "in_the_shop": _is_of_a_network(root),
            "only_here": any(address.split("//", 1)[1].startswith(name) for name in LOCAL),
        },
    )


def _is_of_a_network(address: str) -> bool:
    """Return whether a URL works only in a local network: it has a private address or a local name."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith(".local")
