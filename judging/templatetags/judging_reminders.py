"""Duties on pages of `events`: templates load this library, so that `events` doesn't import `judging`."""

from typing import Any

from django import template

from events.models import Person, Venue
from judging.reminders import duties_at, duties_of, of_the_office

register = template.Library()


@register.inclusion_tag("judging/reminders/list.html", takes_context=True)
def reminders(context: template.Context, where: Venue | str = "") -> dict[str, Any]:
    """Show the visitor's duties: all, those at a venue, or ("office") the overdue results.

    A visitor's own pages leave out the sanctioning office's duties, which are on its own page.
    """
    person = getattr(context.get("request"), "user", None)
    if not isinstance(person, Person) or not person.is_active:
        return {"duties": []}
    if isinstance(where, Venue):
        found = duties_at(where)
    elif where == "office":
        found = list(of_the_office()) if person.is_office else []
    else:
        found = [one for one in duties_of(person) if not one.for_office]
    return {"duties": found}
