"""The running event on pages of `rules`: templates load this library, because `rules` doesn't know events."""

from __future__ import annotations

from django import template
from django.db.models import Q

from events.models import Event

register = template.Library()


@register.simple_tag(takes_context=True)
def running_edition(context: template.Context) -> str:
    """Return the edition of the running event: the visitor's own, else any; "" if none runs or their editions differ."""
    user = context["request"].user
    running = Event.objects.filter(state=Event.State.RUNNING)
    own = Q(officials__person=user) | Q(entries__person=user) if user.is_authenticated else Q(pk=None)
    editions = set(running.filter(own).values_list("edition", flat=True)) or set(
        running.values_list("edition", flat=True)
    )
    return editions.pop() if len(editions) == 1 else ""
