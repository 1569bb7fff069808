"""The 503 page while the database is locked or away, or the disk is full; nothing typed is lost.

The page doesn't use the database. If certainly nothing was saved, it says when to try again (`Retry-After`) and submits
the form itself; if something was saved, the form is never submitted again.
"""

from __future__ import annotations

import logging
import random
import sys
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .address import page_before
from .faults import Jam, Trouble, TroubleKind, trouble_of
from .unsent import form_of, is_plain, shown_of, whole_page

RETRY_AFTER = 5
SPREAD = 4
"""Seconds over which retries are spread, so that a hall that was refused at once doesn't come back at once."""
RETRY_LATER = 30
READING = frozenset({"GET", "HEAD", "OPTIONS"})
WORDS = {
    TroubleKind.BUSY: gettext_lazy("The database is busy."),
    TroubleKind.AWAY: gettext_lazy("The database isn't responding."),
    TroubleKind.READ_ONLY: gettext_lazy(
        "The site can't save anything: its storage is read-only. Tell the administrator."
    ),
    TroubleKind.FULL: gettext_lazy("The site can't save anything: its disk is full. Tell the administrator."),
    TroubleKind.DAMAGED: gettext_lazy("The database is damaged. Tell the administrator, who can restore a backup."),
}
log = logging.getLogger(__name__)


JAM = Jam()
"""On while SQLite is known to be locked; forms are then refused at once."""


def answer_fault(request: HttpRequest) -> HttpResponse | None:
    """Answer an unhandled exception with 503, or return None if it is a bug."""
    fault = sys.exc_info()[1]
    trouble = trouble_of(fault)
    if trouble is None or trouble.kind not in WORDS:
        return None
    if trouble.kind is TroubleKind.BUSY:
        JAM.note()
    log.warning("A request couldn't be answered: %s", str(fault).strip().split("\n")[0] or type(fault).__name__)
    return answer_trouble(request, trouble)


def answer_trouble(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    """Return the page (JSON for scripts) that names the trouble, with what was typed."""
    response = _answer_saved(request) if getattr(request, "committed", None) else _answer(request, trouble)
    response._has_been_logged = True  # type: ignore[attr-defined]  # in one line, not with a traceback for each visitor
    response["Cache-Control"] = "no-store"
    return response


def _answer(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    message = str(WORDS[trouble.kind])
    is_read = request.method in READING
    nothing_saved = "" if is_read else " " + (_("Nothing was saved.") if trouble.is_certain else _unclear())
    wait = RETRY_AFTER + random.randrange(SPREAD) if trouble.kind is TroubleKind.BUSY else RETRY_LATER
    goes_on = trouble.is_certain and trouble.kind is not TroubleKind.DAMAGED
    response: HttpResponse
    if request.path.startswith("/api/"):
        response = JsonResponse({"detail": message + nothing_saved}, status=503)
    elif "application/json" in request.headers.get("Accept", ""):
        told = {"code": str(trouble.kind), "message": message + nothing_saved}
        response = JsonResponse({"error": told}, status=503)
    else:
        facts: dict[str, Any] = {
            "message": message,
            "nothing_saved": nothing_saved.strip(),
            "is_read": is_read,
            "title": _title(trouble, is_read=is_read),
            "is_certain": trouble.is_certain,
            "wait": wait if goes_on else 0,
            "before": request.get_full_path() if is_read else page_before(request),
            "user": AnonymousUser(),
            "page_of": "",
            "messages": (),
        }
        # Only if the form's token was valid; otherwise a stranger's page could have it submitted from here.
        if not is_read and getattr(request, "csrf_processing_done", False) and is_plain(request):
            form = form_of(request)
            may_send = goes_on or not trouble.is_certain
            facts |= {"form": form, "may_send": may_send and not form["files"]} | shown_of(form)
        response = whole_page(request, render(request, "503.html", facts, status=503))
    if goes_on:
        response["Retry-After"] = str(wait)
    return response


def _title(trouble: Trouble, *, is_read: bool) -> str:
    if is_read:
        return _("The site is busy") if trouble.kind is TroubleKind.BUSY else _("The site isn't available")
    return _("Not saved yet") if trouble.is_certain else _("Was your change saved?")


def _unclear() -> str:
    return _("Your change may have been saved. Check before you send it again.")


def _answer_saved(request: HttpRequest) -> HttpResponse:
    """Answer a request whose action was saved, although something failed afterwards."""
    message = _("Your change was saved, but the next page couldn't be shown.")
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": message}, status=500)
    if "application/json" in request.headers.get("Accept", ""):
        return JsonResponse({"error": {"code": "saved", "message": message}}, status=500)
    messages.success(request, message)
    return redirect(page_before(request))
