"""Middleware that turns the door's refusals into pages, keeping everything typed."""

import datetime
import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .actions import ACTIONS
from .address import remember
from .door import (
    COMMITTED,
    FORM,
    IS_ONCE,
    MADE,
    PRIVATE,
    SECRET,
    NeedsConfirmation,
    Refused,
    SentAlready,
    Stale,
    refuse_second,
)
from .faults import Trouble, TroubleKind
from .models import AuditEntry, Match
from .results.result import SEATS
from .services.undo import why_never
from .unavailable import JAM, READING, answer_trouble
from .unsent import answer_ended, is_plain, is_sent_later, is_signed_out

OFFERED = "undo offered"
ASK_BEFORE_UNDO = {"publish-round", "complete-round", "finish-event"}
"""Acts whose undo is never one tap: everyone in the hall sees it."""
UNDOERS = frozenset(role.value for role in ACTIONS["undo"].roles)
API_FAULTS = {
    404: gettext_lazy("This address doesn't exist, or you don't have access to it. /api/ lists all addresses."),
    405: gettext_lazy("This address doesn't accept that method. It accepts %(methods)s. /api/ lists all addresses."),
}
UNSENT = {"csrfmiddlewaretoken", "confirmed", "reason"}
UNTOLD = SECRET | PRIVATE
"""Fields never shown beside typed values: a forged form could name any field of the row."""


def _posted(request: HttpRequest, *, without: set[str] = UNSENT) -> list[tuple[str, str]]:
    return [(name, value) for name, values in request.POST.lists() if name not in without for value in values]


class DoorMiddleware:
    """Turns Refused, NeedsConfirmation and Stale into pages, or JSON for scripts."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on; offer on the next page to undo what a form has just done."""
        remember(request)
        committed: list[int] = []
        request.committed = committed  # type: ignore[attr-defined]
        token, counting, form = MADE.set([]), COMMITTED.set(committed), FORM.set("")
        once = IS_ONCE.set(bool(request.headers.get("X-Form")))
        try:
            response = self.get_response(request)
            made = MADE.get() or []
        finally:
            MADE.reset(token)
            COMMITTED.reset(counting)
            FORM.reset(form)
            IS_ONCE.reset(once)
        if response.status_code == 503:
            return response  # asking who is signed in would only wait for the database again
        response = answer_ended(request, response)
        if request.path.startswith("/api/") and response.status_code in API_FAULTS:
            return _as_document(response)
        if response.status_code == 405 and not response.content and _is_read(request):
            page = render(request, "405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        if request.method == "POST" and response.status_code == 302:
            if made:
                _offer_undo(request, made[-1])
            if "X-Form" in request.headers and _is_read_by_script(request):
                return HttpResponse(status=204, headers={"X-To": response["Location"]})
        elif (
            request.method == "GET" and response.status_code == 200 and "text/html" in response.get("Content-Type", "")
        ):
            _forget_offer(request)
        return response

    def process_view(self, request: HttpRequest, _view: Any, _given: Any, _named: Any) -> HttpResponse | None:
        """Answer a form before its view does: while the database is locked, or if it has already created its rows."""
        if request.method not in READING and JAM.is_on:
            return answer_trouble(request, Trouble(TroubleKind.BUSY))
        if IS_ONCE.get() and not is_sent_later(request):
            return _answer(
                request,
                "parts/refused.html",
                400,
                {"message": _("This form can't be sent automatically. Reload the page, then submit the form again.")},
            )
        FORM.set(_key_of(request))
        try:
            refuse_second()
        except SentAlready as told:
            return _sent_already(request, told)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page for one of the door's exceptions; leave others alone."""
        if isinstance(exception, Refused):
            told = {"message": exception.message, "is_about_roles": exception.is_about_roles}
            return _answer(request, "parts/refused.html", 403, told)
        if isinstance(exception, NeedsConfirmation):
            facts = {
                "message": exception.message,
                "about": exception.about,
                "consequences": exception.consequences,
                "needs_reason": exception.needs_reason,
                "takes_away": exception.takes_away,
                "reason": request.POST.get("reason", ""),
                "confirmed_without_reason": "confirmed" in request.POST,
                "posted": _posted(request),
                "is_sent_later": is_sent_later(request),
            }
            return _answer(request, "parts/confirm.html", 409, facts)
        if isinstance(exception, SentAlready):
            return _sent_already(request, exception)
        if isinstance(exception, Stale):
            return _answer(request, "parts/stale.html", 409, _difference(request, exception))
        if isinstance(exception, ValidationError) and request.method == "POST":
            return _answer(request, "parts/refused.html", 400, {"message": " ".join(exception.messages)})
        return None


def _key_of(request: HttpRequest) -> str:
    """Return the digest of a form that opens the next page; "" for any other request.

    Django gives each rendered form its own token, so the same token with the same fields at the same URL is the same
    form submitted again. Forms that scripts submit have a digest only with an id of their own (unsent.js).
    """
    once = request.headers.get("X-Form", "")
    if request.method != "POST" or not (once or ("HX-Request" not in request.headers and is_plain(request))):
        return ""
    token = once or request.POST.get("csrfmiddlewaretoken", "")
    if not token:
        return ""
    files = [(name, file.name, file.size) for name, listed in request.FILES.lists() for file in listed]
    fields = sorted((name, values) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken")
    typed = json.dumps([token, request.get_full_path(), fields, sorted(files)])
    return hashlib.sha256(typed.encode()).hexdigest()


def _sent_already(request: HttpRequest, told: SentAlready) -> HttpResponse:
    """Tell the user that the form counted once, and what it did; a script that sent it again needs only the status."""
    if IS_ONCE.get():
        return HttpResponse(status=204)
    entry = AuditEntry.objects.filter(pk=told.entry).select_related("event").first()
    return render(request, "parts/sent_already.html", {"entry": entry})


def _is_read(request: HttpRequest) -> bool:
    """Return whether a browser opens the URL as a page: a button's URL was typed, or opened again after signing in."""
    return request.method == "GET" and not _is_read_by_script(request)


def _is_read_by_script(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def _as_document(response: HttpResponse) -> HttpResponse:
    """Return the API's 404 or 405 as JSON; keep a response that says more than its status."""
    status, methods = response.status_code, response.get("Allow", "")
    is_document = response.get("Content-Type", "").startswith("application/json")
    if is_document and json.loads(response.content) != {"detail": "Not Found"}:
        return response
    told = JsonResponse({"detail": str(API_FAULTS[status]) % {"methods": methods}}, status=status)
    if methods:
        told["Allow"] = methods
    return told


def _offer_undo(request: HttpRequest, entry: AuditEntry) -> None:
    """Remember an official's action, so that the next page offers to undo it."""
    by_official = entry.as_role in UNDOERS and entry.event is not None
    if by_official and not why_never(entry):
        at_once = entry.verb not in ASK_BEFORE_UNDO and not entry.is_non_standard
        request.session[OFFERED] = [entry.event.public_id if entry.event else "", entry.pk, at_once]


def _forget_offer(request: HttpRequest) -> None:
    """Forget an offer that the next page didn't show; beside a later message it would seem to undo something else."""
    session = getattr(request, "session", None)
    if session is not None and session.accessed and OFFERED in session:
        del session[OFFERED]


def _as_typed(row: Model, value: Any) -> str:
    """Return a stored value as a form would post it, with times in the zone of the row's venue."""
    if isinstance(value, datetime.datetime):
        zone = getattr(getattr(row, "venue", None), "zone", None)
        return f"{timezone.localtime(value, zone):%Y-%m-%dT%H:%M}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _difference(request: HttpRequest, exception: Stale) -> dict[str, object]:
    row, lines = exception.current, []
    for column in row._meta.concrete_fields:
        if column.name not in request.POST or not column.editable or column.name in UNTOLD:
            continue
        value = column.value_from_object(row)
        now = _as_typed(row, value)
        mine = ", ".join(request.POST.getlist(column.name)).replace("\r\n", "\n")
        if isinstance(value, bool) or now == mine:
            continue
        words = dict(getattr(column, "flatchoices", ()) or ())
        lines.append({"label": column.verbose_name, "now": words.get(now, now), "mine": words.get(mine, mine)})
    if isinstance(row, Match):
        lines += _other_result(request, row)
    return {
        "row": row,
        "lines": lines,
        "version": getattr(row, "version", ""),
        "posted": _posted(request, without={"csrfmiddlewaretoken", "version"}),
        "message": str(exception),
    }


def _other_result(request: HttpRequest, match: Match) -> list[dict[str, Any]]:
    """Return where the typed result differs from the stored one."""
    points = _("%(name)s's victory points")
    names = [*match.entries, *(["–"] if match.b is None else [])]
    labels = {f"score_{seat}": points % {"name": name} for seat, name in zip(SEATS, names, strict=False)}
    now = match.result
    lines = [{"label": _("Result"), "now": match.get_state_display(), "mine": ""}] if not now else []
    scores = dict(zip(labels, now.scores if now else [""] * len(labels), strict=True))
    for name, label in labels.items():
        mine, kept = request.POST.get(name, "").strip(), str(scores[name])
        if name in request.POST and mine != kept:
            lines.append({"label": label, "now": kept, "mine": mine})
    return lines


def _answer(request: HttpRequest, template: str, status: int, facts: dict) -> HttpResponse:
    if _is_read_by_script(request):
        message = str(facts["message"])
        if status == 403 and is_signed_out(request):
            message = _("You've been signed out. Sign in again in another window, then come back and resend this form.")
        told: dict[str, Any] = {"code": template.split("/")[1][:-5], "message": message}
        if "consequences" in facts:
            told |= {"consequences": list(map(str, facts["consequences"])), "needs_reason": facts["needs_reason"]}
        return JsonResponse({"error": told}, status=status)
    response = render(request, template, facts, status=status)
    if request.headers.get("HX-Request"):
        response["HX-Retarget"] = "body"
        response["HX-Reswap"] = "innerHTML"
    return response
