"""Live updates by polling: the event's counter, for pages that follow it. Needs no session."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from events import live
from events.models import Event


@require_safe
def change_notification(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the event's counter, or 304 if the client knows it; `X-Now` is the server's time in milliseconds."""
    event = Event.objects.only("pk", "state").filter(public_id=public_id).first()
    if event is None:
        raise Http404
    return answer_notification(request, live.newest(event))


def answer_notification(request: HttpRequest, counter: int) -> HttpResponse:
    """Return the response with a counter and the server's time."""
    etag = f'"{counter}"'
    known = {given.strip().removeprefix("W/") for given in request.headers.get("If-None-Match", "").split(",")}
    response: HttpResponse = HttpResponse(status=304) if etag in known else JsonResponse({"counter": counter})
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    response["X-Now"] = str(int(timezone.now().timestamp() * 1000))
    return response
