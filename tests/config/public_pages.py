"""Views for tests of shared pages: each does one thing that a shared page must not do."""

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.urls import include, path

from events.sharing import public


def page(request: HttpRequest, said: str = "") -> HttpResponse:
    name = request.user.name if request.user.is_authenticated else "nobody"
    return HttpResponse(f"<p>{name} {said}</p>")


@public()
def marked(request: HttpRequest, public_id: str) -> HttpResponse:
    return page(request)


def unmarked(request: HttpRequest, public_id: str) -> HttpResponse:
    return page(request)


@public()
def writes_session(request: HttpRequest, public_id: str) -> HttpResponse:
    request.session["seen"] = True
    return page(request)


@public()
def sets_cookie(request: HttpRequest, public_id: str) -> HttpResponse:
    response = page(request)
    response.set_cookie("who", "you")
    return response


@public()
def makes_token(request: HttpRequest, public_id: str) -> HttpResponse:
    return page(request, get_token(request)[::-1])


VIEWS = (marked, unmarked, writes_session, sets_cookie, makes_token)
urlpatterns = [
    *(path(f"events/<str:public_id>/{view.__name__}/", view) for view in VIEWS),
    path("", include("config.urls")),
]
