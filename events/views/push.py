"""Push messages: the requests by which a person's own page and details turn them on and off."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from events.roles import Actor
from events.services import push as services


@login_required
@require_POST
def push(request: HttpRequest, act: str) -> HttpResponse:
    """Turn the signed-in person's push messages on or off, or say whether they are on (204) or off (404) in a browser.

    The browser names itself by `endpoint`; without one, "off" is for all devices.
    """
    by, endpoint = Actor.of(request), request.POST.get("endpoint", "")
    if act == "known":
        return HttpResponse(status=204 if services.is_subscribed(by=by, endpoint=endpoint) else 404)
    if act == "on":
        keys = {name: request.POST.get(name, "") for name in ("p256dh", "auth")}
        try:
            services.subscribe(by=by, endpoint=endpoint, **keys)
        except ValidationError as wrong:
            return HttpResponse(" ".join(wrong.messages), status=400, content_type="text/plain; charset=utf-8")
        return HttpResponse(status=204)
    if act != "off":
        raise Http404
    services.unsubscribe(by=by, endpoint=endpoint)
    if endpoint:
        return HttpResponse(status=204)
    messages.success(request, _("Notifications are off on all your devices."))
    return redirect("events:account")
