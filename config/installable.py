"""What a browser reads to install the site as an app: its manifest and its service worker."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest: the site's name, its icons and its colors."""
    sizes = [(size, kind) for kind in ("any", "maskable") for size in (192, 512)]
    facts = {
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f4f4f7",
        "theme_color": "#4436c4",
        "icons": [
            {
                "src": static(f"app/{size}{'' if kind == 'any' else '-maskable'}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": kind,
            }
            for size, kind in sizes
        ],
    }
    headers = {"Cache-Control": "public, max-age=3600"}
    return JsonResponse(facts, content_type="application/manifest+json", headers=headers)


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker. Its address is at the root, so that it may answer for every page."""
    return render(request, "worker.js", content_type="text/javascript; charset=utf-8")
