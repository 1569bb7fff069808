"""The pages of an event's webhooks."""

from __future__ import annotations

from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.address import site_address
from events.forms.webhooks import WebhookForm
from events.models import Webhook, WebhookMessage
from events.services import webhooks as services
from events.token_rows import POWER
from events.webhook_messages import CHOSEN

from .access import Visit, form_version, visit
from .entries import posted

MAX_SHOWN = 100


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, public_id: str) -> HttpResponse:
    """List the event's webhooks, and add one, whose secret is shown only once, and never to a token."""
    v = visit(request, public_id)
    v.require("create-webhook" if request.method == "POST" else "change-webhook")
    form = WebhookForm(posted(request))
    if form.is_valid():
        hook, secret = services.create_webhook(by=v.actor, event=v.event, site=site_address(), **form.facts)
        if POWER.get() is None:
            return _page(v, hook, secret)
        told = _(
            "Webhook “%(webhook)s” added. A token can't see its secret. To get one, replace it on the webhook's page."
        )
        messages.success(request, told % {"webhook": hook.name})
        return redirect("events:webhook", public_id, hook.pk)
    return v.render(
        "events/setup/webhooks.html",
        form=form if settings.WEBHOOKS and v.may("create-webhook") else None,
        off="" if settings.WEBHOOKS else services.TURNED_OFF,
        hooks=[(hook, host_of(hook)) for hook in v.event.webhooks.all()],
        status=400 if form.errors else 200,
    )


def host_of(hook: Webhook) -> str:
    """Return what may be shown of a webhook's address: its host."""
    return urlsplit(hook.address).netloc


def _hook(v: Visit, pk: int) -> Webhook:
    hook = get_object_or_404(Webhook, pk=pk, event=v.event)
    hook.event = v.event
    return hook


@never_cache
@require_safe
def webhook(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Show a webhook with its newest messages."""
    v = visit(request, public_id)
    v.require("change-webhook")
    return _page(v, _hook(v, pk))


def _page(v: Visit, hook: Webhook, secret: str = "") -> HttpResponse:
    found = hook.messages.defer("body").order_by("-pk")
    return v.render(
        "events/setup/webhook.html",
        hook=hook,
        host=host_of(hook),
        kinds=[str(kind.label) for kind in CHOSEN if kind in hook.kinds],
        secret=secret,
        found=found[:MAX_SHOWN],
        count=found.count(),
        most=MAX_SHOWN,
        off="" if settings.WEBHOOKS else services.TURNED_OFF,
    )


@never_cache
@require_POST
def webhook_act(request: HttpRequest, public_id: str, pk: int, act: str) -> HttpResponse:
    """Turn a webhook on or off, replace its secret, send a test message, or delete it."""
    v = visit(request, public_id)
    hook, version = _hook(v, pk), form_version(request)
    if act == "secret":
        return _page(v, hook, services.replace_secret(by=v.actor, hook=hook, version=version))
    if act == "test":
        services.send_test(by=v.actor, hook=hook, site=site_address())
        messages.success(request, _("Test message queued. Reload the page to see whether it was sent."))
    elif act == "delete":
        services.delete_webhook(by=v.actor, hook=hook, version=version)
        messages.success(request, _("Webhook “%(webhook)s” deleted.") % {"webhook": hook.name})
        return redirect("events:webhooks", public_id)
    elif act in ("on", "off"):
        services.turn_webhook(by=v.actor, hook=hook, on=act == "on", version=version)
        messages.success(request, _("Webhook turned on.") if act == "on" else _("Webhook turned off."))
    else:
        raise Http404
    return redirect("events:webhook", public_id, pk)


@require_POST
def webhook_resend(request: HttpRequest, public_id: str, pk: int, message: UUID) -> HttpResponse:
    """Send a message again."""
    v = visit(request, public_id)
    hook = _hook(v, pk)
    row = get_object_or_404(WebhookMessage, key=message, hook=hook)
    row.hook = hook
    services.send_again(by=v.actor, message=row)
    messages.success(request, _("Message queued. Reload the page to see whether it was sent."))
    return redirect("events:webhook", public_id, pk)
