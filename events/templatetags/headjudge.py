"""Template tags for permissions, states and links."""

import json
from collections.abc import Mapping
from typing import Any

from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from django import template
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.db import models
from django.urls import resolve, reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events import address
from events.actions import Permission, answer
from events.middleware import OFFERED
from events.models import Event, Role, Round
from events.roles import Actor
from rules.sizes import size_words

register = template.Library()
register.filter(size_words)


@register.simple_tag(takes_context=True)
def may(
    context: template.Context,
    verb: str,
    event: Event | None = None,
    round: Round | None = None,
) -> Permission:
    """Return the action table's verdict for this visitor: `{% may "publish-round" event round as publishing %}`.

    Views put the visitor's `roles` into the context once; otherwise they are looked up.
    """
    roles = context.get("roles")
    if roles is None:
        roles = Actor.of(context["request"], event).roles(event=event)
    return answer(verb, frozenset(roles), event=event, round=round)


NO_MARKUP = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}


@register.filter
def linked_data(value: Mapping[str, Any]) -> SafeString:
    """Return JSON-LD for search engines; nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False).translate(NO_MARKUP)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))


@register.filter
def has_role(roles: frozenset[Role] | None, names: str) -> bool:
    """Return whether `roles` includes any of those named (separated by commas)."""
    return bool(roles and {Role(name.strip()) for name in names.split(",")} & set(roles))


LOOKS_OF_STATES = {
    "done": "verified complete",
    "good": "approved confirmed checked-in legal passed accepted stands upheld",
    "warn": "pending claimed waiting published submitted finished appealed",
    "bad": "refused suspended disputed dropped disqualified not-legal failed cancelled overturned taken-back",
    "unknown": "cannot-tell",
    "live": "running open",
    "draft": "draft",
}
"""The stylesheet's class for a state's shape and colour → the states that have it; others have none."""
LOOK_OF_STATE = {state: look for look, states in LOOKS_OF_STATES.items() for state in states.split()}


@register.simple_tag
def state_in_words(value: str, words: str) -> SafeString:
    """Show a state in words, with its shape and colour."""
    return format_html('<span class="state {}">{}</span>', LOOK_OF_STATE.get(value, ""), words)


@register.simple_tag
def state(row: models.Model, field: str = "state") -> SafeString:
    """Show a row's state in words, with its shape and colour."""
    return state_in_words(getattr(row, field), getattr(row, f"get_{field}_display")())


@register.simple_tag(takes_context=True)
def query(context: template.Context, **changed: object) -> str:
    """Return this page's query string with these keys changed (None: removed)."""
    asked = context["request"].GET.copy()
    for name, value in changed.items():
        if value is None:
            asked.pop(name, None)
        else:
            asked[name] = str(value)
    return f"?{asked.urlencode()}" if asked else "?"


ERASURES: dict[str, Promise] = {
    "judging:my-data": gettext_lazy("Erase my data"),
    "judging:person-data": gettext_lazy("Erase data"),
}


@register.simple_tag(takes_context=True)
def erasure_waiting(context: template.Context) -> Promise | str:
    """Return the words for the erasure that the password confirms, "" if it only opens a page.

    allauth keeps the form that was sent, and carries it out at once if the address after the password is the form's.
    """
    request = context["request"]
    kept = json.loads(request.session.get(STATE_SESSION_KEY, {}).get("request", "{}"))
    following = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME)
    if kept.get("method") != "POST" or kept["path"] != following:
        return ""
    return ERASURES.get(resolve(kept["path_info"]).view_name, "")


@register.simple_tag(takes_context=True)
def undo_offered(context: template.Context) -> dict[str, Any]:
    """Return how to undo the last action, offered once: its URL, whether one tap does it, and the reason then kept."""
    session = getattr(context.get("request"), "session", None)
    if session is None or OFFERED not in session:
        return {}
    public_id, pk, at_once = session.pop(OFFERED)
    address = reverse("judging:audit-log-entry", args=[public_id, pk])
    return {"address": address, "at_once": at_once, "reason": _("Undone immediately")}


@register.simple_tag(takes_context=True)
def page_above(context: template.Context) -> str:
    """Return the nearest page above this URL."""
    return address.page_above(context["request"].path)


@register.simple_tag(takes_context=True)
def page_before(context: template.Context) -> str:
    """Return the page that this form was opened from."""
    return address.page_before(context["request"])
