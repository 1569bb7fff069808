"""The page of an event's API tokens."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from events.actions import Text
from events.forms.tokens import TokenForm
from events.models import ApiToken
from events.services import tokens as services

from .access import Visit, visit
from .entries import posted


@never_cache
@login_required
@reauthentication_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest, public_id: str) -> HttpResponse:
    """List the tokens that the visitor may revoke, and create one, shown only once."""
    v = visit(request, public_id)
    form, secret = TokenForm(posted(request), rows=services.rows_for(v.roles)), ""
    if form.is_valid():
        facts = {"name": form.cleaned_data["name"], "rows": form.rows, "lasts": form.lasts}
        secret = services.create_token(by=v.actor, event=v.event, **facts)
    return v.render(
        "events/people/tokens.html",
        form=form,
        secret=secret,
        tokens=[(row, services.why_over(row), services.labels_of(row)) for row in services.tokens_of(v.event, v.actor)],
        me=v.actor.account,
        status=400 if form.errors else 200,
    )


def _lines(v: Visit) -> list[tuple[ApiToken, Text, list[Text]]]:
    """Return the tokens, newest first, each with why it doesn't work any more and what it may do."""
    found = services.tokens_of(v.event, v.actor)
    return [(row, services.why_over(row), services.labels_of(row)) for row in found]


@login_required
@require_POST
def token_revoke(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Revoke a token."""
    v = visit(request, public_id)
    row = get_object_or_404(ApiToken.objects.select_related("person"), pk=pk, event=v.event)
    services.revoke_token(by=v.actor, event=v.event, token=row)
    messages.success(request, _("Token “%(token)s” revoked.") % {"token": row.name})
    return redirect("events:api-tokens", public_id)
