"""The visitor's theme and language, kept in cookies so that they work without scripts."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language_info
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from events.address import page_asked_for
from events.roles import Actor
from events.services import people
from events.unsent import is_signed_out

THEMES = ("system", "light", "dark")
COOKIE = "theme"
A_YEAR = 365 * 24 * 3600
OWN_NAMES = [(code, get_language_info(code)["name_local"].capitalize()) for code, _name in settings.LANGUAGES]


def preferences(request: HttpRequest) -> dict[str, Any]:
    """Return the visitor's settings for templates, and whether the page is personal."""
    return {
        "theme": theme_of(request),
        "languages": OWN_NAMES,
        "headjudge_version": settings.VERSION,
        "page_of": lambda: "nobody" if is_signed_out(request) else "own",
    }


def theme_of(request: HttpRequest) -> str:
    """Return the theme that the visitor has chosen, or "system"."""
    chosen = request.COOKIES.get(COOKIE, THEMES[0])
    return chosen if chosen in THEMES else THEMES[0]


@csrf_exempt
@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Save the visitor's theme and return to the previous page.

    Its form has no CSRF token, so that a public page is the same for all readers; a theme needs no protection.
    """
    response = redirect(page_asked_for(request, "/"))
    chosen = request.POST.get("theme", "system")
    response.set_cookie(COOKIE, chosen if chosen in THEMES else "system", max_age=A_YEAR, samesite="Lax")
    return response


@csrf_exempt
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Save the visitor's language, and their account's for e-mails. Without a CSRF token, like the theme's form."""
    response = redirect(page_asked_for(request, "/"))
    chosen = request.POST.get("language", "")
    if chosen in dict(settings.LANGUAGES):
        response.set_cookie(settings.LANGUAGE_COOKIE_NAME, chosen, max_age=A_YEAR, samesite="Lax")
        if request.user.is_authenticated and request.user.language != chosen:
            people.choose_language(by=Actor.of(request), language=chosen)
    return response
