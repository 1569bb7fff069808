"""Prometheus metrics, the access log, and the page shown when something broke.

`/metrics/` answers this machine, or a client with `METRICS_TOKEN`. With several workers, `PROMETHEUS_MULTIPROC_DIR`
names the folder in which their metrics are combined.
"""

from __future__ import annotations

import functools
import hmac
import ipaddress
import logging
import os
import time
from collections.abc import Iterator

import prometheus_client
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config.logs import number_of, shown_path
from events.unavailable import answer_fault
from judging.findings import LOOKOUT, judge, waiting

ANSWERS = Counter("headjudge_answers", "Requests answered, by handler", ["by", "status"])
SECONDS = Histogram(
    "headjudge_answer_seconds",
    "Response times, by handler",
    ["by"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
STREAMS = Gauge("headjudge_streams", "Open pages that follow an event", multiprocess_mode="livesum")
PASSED_ON = (
    "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server", "X-Real-Ip", "Forwarded", "Via",
    "Cf-Connecting-Ip", "True-Client-Ip",
)  # fmt: skip
"""Request headers that show that a proxy forwarded the request."""
access = logging.getLogger("headjudge.access")


@functools.cache
def _answers(by: str, status: int) -> Counter:
    return ANSWERS.labels(by, str(status))


@functools.cache
def _seconds(by: str) -> Histogram:
    return SECONDS.labels(by)


def note(by: str, method: str, path: str, status: int, size: int, began: float) -> None:
    """Count a response and write its access line, without private links; `began` is from `time.perf_counter`."""
    took = time.perf_counter() - began
    _answers(by, status).inc()
    if by != "stream":
        _seconds(by).observe(took)
    if access.isEnabledFor(logging.INFO):
        path = shown_path(path)
        facts = {
            "method": method,
            "path": path,
            "status": status,
            "ms": round(took * 1000, 2),
            "bytes": size,
            "by": by,
            "is_cut": True,  # nothing else in it comes from the client
        }
        access.info("%s %s %s", method, path, status, extra=facts)


def may_read(request: HttpRequest) -> bool:
    """Return whether the client is this machine, or has `METRICS_TOKEN`.

    Behind a proxy every request comes from this machine, so only the token counts.
    """
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN:
        return hmac.compare_digest(given.encode(), settings.METRICS_TOKEN.encode())
    try:
        near = ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        near = False
    is_direct = settings.SECURE_PROXY_SSL_HEADER is None and not any(name in request.headers for name in PASSED_ON)
    return near and is_direct


class Watched(Collector):
    """The findings of `judging.findings` as metrics; queues and background work are those of the answering process."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each metric."""
        facts = LOOKOUT.now()
        found = GaugeMetricFamily("headjudge_findings", "Findings that need attention", labels=["name", "severity"])
        told = judge(facts)
        for name, severity in sorted({(one.name, one.severity.value) for one in told}):
            found.add_metric([name, severity], sum(one.name == name and one.severity == severity for one in told))
        yield found
        lines = GaugeMetricFamily("headjudge_waiting", "Requests waiting in line", labels=["line"])
        for line, length in waiting().items():
            lines.add_metric([line], length)
        yield lines
        free = GaugeMetricFamily("headjudge_disk_free_bytes", "Free space on each disk", labels=["place"])
        for disk in facts.disks:
            free.add_metric([disk.place], disk.free or 0)
        yield free
        behind = max((one.behind for one in facts.events), default=0.0)
        yield GaugeMetricFamily(
            "headjudge_snapshot_behind_seconds", "Age of the oldest change that no snapshot has", behind
        )
        if facts.backup_age is not None:
            yield GaugeMetricFamily("headjudge_backup_age_seconds", "Time since the last backup", facts.backup_age)
        if facts.silent_for is not None:
            yield GaugeMetricFamily(
                "headjudge_background_silent_seconds", "Time since the background tasks last ran", facts.silent_for
            )


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics in Prometheus's format; answer 404 to everyone else."""
    if not may_read(request):
        raise Http404
    registry: CollectorRegistry = prometheus_client.REGISTRY
    own = CollectorRegistry()
    own.register(Watched())
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    told = prometheus_client.generate_latest(registry) + prometheus_client.generate_latest(own)
    return HttpResponse(told, content_type=prometheus_client.CONTENT_TYPE_LATEST)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that the database can't be used, or that something broke, with the number under which it was logged.

    Uses neither database nor session.
    """
    if (unavailable := answer_fault(request)) is not None:
        return unavailable
    number = number_of(request)
    if request.path.startswith("/api/") or "application/json" in request.headers.get("Accept", ""):
        said = _("Something went wrong on the server. Give the administrator this number: %(number)s") % {
            "number": number
        }
        return JsonResponse({"detail": said, "error": {"code": "broke", "message": said, "number": number}}, status=500)
    return HttpResponse(render_to_string("500.html", {"number": number}), status=500)
