"""Forms sent after their session ended, or with the token of an earlier sign-in, without losing what was typed.

Nothing is written. The page shows what was typed and keeps it in the browser's session until the account last signed in
on this device signs in again; then the form is offered again with a valid token. Anyone else who signs in there sees
nothing of it. A form that doesn't come from a page of this site is only shown for copying, because a stranger's page
could have made it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.forms import BaseForm, Field
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from .actions import Text
from .roles import LINKED_ENTRIES, LINKED_OFFICES
from .tries import is_mark_of, mark_of

UNSENT = "form not sent"
MAX_KEPT = 60_000
"""The most characters of a form kept in a session; longer ones, and too many in a minute, are shown for copying."""
UNSHOWN = frozenset({"csrfmiddlewaretoken", "version", "confirmed", "next", "act", "do"})
UNKEPT = frozenset({"csrfmiddlewaretoken", "pairing_code"})
WITHOUT = ("/accounts/", "/api/", "/theme/", "/language/", "/sign-in-by-code/", "/set-up/")
"""URLs whose forms have nothing to keep, or hold a password or a code."""
SENT_LATER = frozenset({
    "events:check-in", "events:claim", "events:claim-withdraw", "events:enter-result", "events:extend", "events:results",
    "judging:call-act", "judging:call-close", "judging:call-raise",
})  # fmt: skip
"""URL names of the forms that a page may send by itself once the network is back."""
LATER_ACTS = frozenset({"check-in", "undo-check-in", "drop", "withdraw"})
"""The same of the actions on an entry."""
OPEN_TO_ALL = "/rules/"
"""Here a 404 means that a page doesn't exist, not that it is hidden from signed-out visitors."""


def answer_ended(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the page for a form refused because its sender is signed out; otherwise the response."""
    if request.method != "POST" or not getattr(request, "csrf_processing_done", False):
        return response
    if request.user.is_authenticated:
        if response.status_code < 400 and _kept(request).get("path") == request.get_full_path():
            del request.session[UNSENT]
        return response
    is_hidden = response.status_code == 404 and not request.path.startswith(OPEN_TO_ALL)
    turned_away = response.status_code == 403 or is_hidden or _asks_to_sign_in(response)
    if not turned_away or not is_plain(request) or not is_signed_out(request):
        return response
    form = form_of(request)
    shown = shown_of(form)
    if not shown["typed"] and not form["files"]:
        return response
    is_short = sum(len(name) + len(value) for name, value in form["fields"]) <= MAX_KEPT
    if is_short and ratelimit.consume(request, action="keep_form"):
        request.session[UNSENT] = form | {"mark": mark_of(request)}
    else:
        request.session.pop(UNSENT, None)
    facts = {"form": form, "is_kept": UNSENT in request.session, "came_back": reverse("unsent")}
    facts["is_bound"] = bool(mark_of(request))
    return whole_page(request, render(request, "parts/unsent.html", facts | shown, status=403))


@never_cache
@require_GET
def unsent(request: HttpRequest) -> HttpResponse:
    """Offer the kept form again to the account whose session it was; delete it for any other."""
    form = _kept(request)
    if not form:
        return redirect("home")
    if not request.user.is_authenticated:
        return redirect(f"{resolve_url(settings.LOGIN_URL)}?next={reverse('unsent')}")
    if not _is_theirs(form, request.user):
        del request.session[UNSENT]
        messages.warning(
            request,
            _("Someone else left an unsent form on this device. It has been deleted."),
        )
        return redirect("home")
    return render(request, "parts/unsent.html", {"form": form, "may_send": True} | shown_of(form))


def _is_theirs(form: dict[str, Any], person: AbstractBaseUser) -> bool:
    """Return whether the account was the last to sign in on the form's device, or no one had signed in there."""
    mark = form.get("mark", "")
    logins = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    return not mark or any(is_mark_of(mark, login) for login in {person.get_username(), *logins})


def token_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form refused for its token; one from this site's own pages may be sent again."""
    if "application/json" in request.headers.get("Accept", "") or request.path.startswith("/api/"):
        said = _("You signed in or out after this page was loaded. Reload the page and send the form again.")
        return JsonResponse({"error": {"code": "token", "message": said}, "detail": said}, status=403)
    facts: dict[str, Any] = {}
    if is_plain(request):
        form = form_of(request)
        facts = {"form": form, "may_send": _is_from_here(request)} | shown_of(form)
    return whole_page(request, render(request, "403_csrf.html", facts, status=403))


def whole_page(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Send the whole page where a part was requested."""
    if request.headers.get("HX-Request"):
        response["HX-Retarget"], response["HX-Reswap"] = "body", "innerHTML"
    return response


def is_signed_out(request: HttpRequest) -> bool:
    """Return whether the request has no account's session, player link or sign-in code."""
    linked = request.session.get(LINKED_ENTRIES) or request.session.get(LINKED_OFFICES)
    return not request.user.is_authenticated and not linked


def _kept(request: HttpRequest) -> dict[str, Any]:
    return request.session.get(UNSENT) or {}


def _asks_to_sign_in(response: HttpResponse) -> bool:
    where = response.url if isinstance(response, HttpResponseRedirect) else ""
    return urlsplit(where).path == resolve_url(settings.LOGIN_URL)


def is_plain(request: HttpRequest) -> bool:
    """Return whether the browser submits the form to open the next page, rather than by script."""
    opens_page = "application/xhtml+xml" in request.headers.get("Accept", "") or "HX-Request" in request.headers
    if request.path.startswith(WITHOUT) or not opens_page:
        return False
    return request.content_type in ("application/x-www-form-urlencoded", "multipart/form-data")


def is_sent_later(request: HttpRequest) -> bool:
    """Return whether a page may send this form by itself, minutes after its button was pressed."""
    if request.resolver_match is None:
        return False
    match request.resolver_match.view_name:
        case "events:entry-act":
            return request.resolver_match.kwargs["verb"] in LATER_ACTS
        case "events:clock":
            return request.POST.get("act") == "extend"
        case name:
            return name in SENT_LATER


def _is_from_here(request: HttpRequest) -> bool:
    """Return whether the browser says that a page of this site sent the form."""
    said = request.headers.get("Origin") or request.headers.get("Referer", "")
    if said in settings.CSRF_TRUSTED_ORIGINS:
        return True
    is_whole = urlsplit(said).scheme in ("http", "https")  # "null" would be parsed as a path of this site
    return is_whole and url_has_allowed_host_and_scheme(said, {request.get_host()}, require_https=request.is_secure())


def form_of(request: HttpRequest) -> dict[str, Any]:
    """Return a form's target, its fields without passwords and codes, and whether it came with a file."""
    fields = [
        [name, value]
        for name, values in request.POST.lists()
        if name not in UNKEPT and "password" not in name
        for value in values
    ]
    return {"path": request.get_full_path(), "fields": fields, "files": bool(request.FILES)}


def shown_of(form: dict[str, Any]) -> dict[str, Any]:
    """Return what to show of a form: the typed values by readable names."""
    names = {name for name, _value in form["fields"]}
    fields = max(_forms_below(BaseForm), key=lambda one: len(names & one.base_fields.keys())).base_fields
    typed = [
        (_label_of(name, fields), _("yes") if value == "on" else value)
        for name, value in form["fields"]
        if name not in UNSHOWN and value.strip() and not (name in fields and fields[name].widget.is_hidden)
    ]
    return {"typed": typed}


def _label_of(name: str, fields: Mapping[str, Field]) -> Text:
    """Return a field's label in the form that has most of the names sent with it, or else its name, readable."""
    return (name in fields and fields[name].label) or _(name.replace("_", " ").replace("-", " ").capitalize())


def _forms_below(base: Any) -> Iterator[Any]:
    for form in base.__subclasses__():
        if hasattr(form, "base_fields"):
            yield form
        yield from _forms_below(form)
