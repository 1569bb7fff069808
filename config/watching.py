"""How the site is: a health page, figures for Prometheus, and a line of the log for each request.

`/health/` answers 200 while the database answers, else 503. `/metrics/` speaks to this machine, or to whoever bears
`METRICS_TOKEN`. With several workers `PROMETHEUS_MULTIPROC_DIR` names the folder in which their figures meet.
"""

from __future__ import annotations

import functools
import hmac
import ipaddress
import logging
import os
import time

import prometheus_client
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, multiprocess

from config.logs import number_of, shown

ANSWERS = Counter("headjudge_answers", "Requests answered, by what answered them", ["by", "status"])
SECONDS = Histogram(
    "headjudge_answer_seconds",
    "How long an answer took, by what answered",
    ["by"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
STREAMS = Gauge("headjudge_streams", "Open pages that follow an event", multiprocess_mode="livesum")
access = logging.getLogger("headjudge.access")


@functools.cache
def _answers(by: str, status: int) -> Counter:
    return ANSWERS.labels(by, str(status))


@functools.cache
def _seconds(by: str) -> Histogram:
    return SECONDS.labels(by)


def note(by: str, method: str, path: str, status: int, size: int, began: float) -> None:
    """Count an answer and write its line; `began` by `time.perf_counter`. Private links are cut off in the log."""
    took = time.perf_counter() - began
    _answers(by, status).inc()
    if by != "stream":
        _seconds(by).observe(took)
    if access.isEnabledFor(logging.INFO):
        facts = {
            "method": method,
            "path": shown(path),
            "status": status,
            "ms": round(took * 1000, 2),
            "bytes": size,
            "by": by,
        }
        access.info("%s %s %s", method, shown(path), status, extra=facts)


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Say whether the site can work: its database answers, and how many streams are open here."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except DatabaseError:
        return JsonResponse({"healthy": False, "database": "does not answer"}, status=503)
    from events.stream import HUB

    return JsonResponse({"healthy": True, "database": connection.vendor, "streams": HUB.streams})


def _may_read(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN:
        return hmac.compare_digest(given.encode(), settings.METRICS_TOKEN.encode())
    try:
        near = ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        near = False
    return near and "X-Forwarded-For" not in request.headers


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Give the figures as Prometheus reads them; nobody else learns that they are here."""
    if not _may_read(request):
        raise Http404
    registry: CollectorRegistry = prometheus_client.REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    return HttpResponse(prometheus_client.generate_latest(registry), content_type=prometheus_client.CONTENT_TYPE_LATEST)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that something broke, with the number under which the log has it; asks neither database nor session."""
    number = number_of(request)
    if request.path.startswith("/api/") or "application/json" in request.headers.get("Accept", ""):
        said = _("Something broke on the server. Tell the administrator this number: %(number)s") % {"number": number}
        return JsonResponse({"detail": said, "error": {"code": "broke", "message": said, "number": number}}, status=500)
    return HttpResponse(render_to_string("500.html", {"number": number}), status=500)
