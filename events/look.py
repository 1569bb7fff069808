"""How pages look for this visitor: light, dark or as the system says; kept in a cookie, so without scripts."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

LOOKS = ("system", "light", "dark")
COOKIE = "look"
A_YEAR = 365 * 24 * 3600


def look(request: HttpRequest) -> dict[str, str]:
    """Return the visitor's choice for the templates."""
    chosen = request.COOKIES.get(COOKIE, "system")
    return {"look": chosen if chosen in LOOKS else "system"}


@csrf_exempt
@require_POST
def choose_look(request: HttpRequest) -> HttpResponse:
    """Keep the visitor's choice and go back to the page it was made on.

    Its form bears no token, so that a public page is the same for all who read it; a look is nobody's secret.
    """
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = redirect(back)
    chosen = request.POST.get("look", "system")
    response.set_cookie(COOKIE, chosen if chosen in LOOKS else "system", max_age=A_YEAR, samesite="Lax")
    return response
