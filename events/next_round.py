"""When the next round starts, as pages announce it: in the reader's language and the venue's time."""

from __future__ import annotations

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from .models import Announcement, Event


def next_round_words(event: Event) -> str:
    """Return when the next round starts, with the day unless it's today; "" if that isn't announced."""
    if event.next_round_at is None:
        return ""
    zone = event.venue.zone
    local = event.next_round_at.astimezone(zone)
    told = {"time": date_format(local, "H:i"), "day": date_format(local, "l j F")}
    if local.date() == timezone.now().astimezone(zone).date():
        return _("The next round starts at %(time)s.") % told
    return _("The next round starts at %(time)s on %(day)s.") % told


def next_round_of(event: Event) -> list[Announcement]:
    """Return the announcement of the next round's start, which no row holds; none if no start is announced."""
    if event.next_round_at is None:
        return []
    return [Announcement(pk=-int(event.next_round_at.timestamp()), event=event, text=next_round_words(event))]
