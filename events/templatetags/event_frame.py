"""Template tags for the frame of an event's pages: tabs by role, and announcements."""

from dataclasses import dataclass

from django import template
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from events.actions import Text, answer
from events.address import path_to
from events.models import Announcement, Event
from events.models.drafts import prize_draft_of
from events.next_round import next_round_of
from events.prepared import Prepared, asked
from events.roles import Actor

register = template.Library()
ANNOUNCED = Prepared(lambda: Announcement.objects.filter(event=asked("event"), withdrawn=False))


@dataclass(frozen=True)
class Tab:
    """A tab: label, URL, and whether it is the current page."""

    label: Text
    address: str
    current: bool


def _tab(label: Text, path: str, name: str, *parts: int | str) -> Tab:
    address = path_to(name if ":" in name else f"events:{name}", *parts)
    whole = name == "event"
    return Tab(label, address, path == address if whole else path.startswith(address))


@register.simple_tag(takes_context=True)
def event_tabs(context: template.Context) -> list[Tab]:
    """Return the event's tabs for this visitor: few for players, the working pages for officials."""
    event: Event = context["event"]
    path = context["request"].path
    roles = context.get("roles")
    if roles is None:
        roles = Actor.of(context["request"], event).roles(event=event)
    at_desk = bool(answer("see-console", frozenset(roles), event=event))
    entry = context.get("my_entry")
    begun = event.state in (Event.State.RUNNING, Event.State.FINISHED, Event.State.VERIFIED)
    own = _("My table") if event.state == Event.State.RUNNING else _("My entry")
    found: list[Tab] = []
    if at_desk:
        found += [
            _tab(_("Console"), path, "console", event.public_id),
            _tab(_("Players"), path, "entries", event.public_id),
        ]
        if answer("take-call", frozenset(roles), event=event):
            found.append(_tab(_("Calls"), path, "judging:calls", event.public_id))
        if answer("check-forces", frozenset(roles), event=event):
            found.append(_tab(_("Forces"), path, "judging:forces", event.public_id))
    elif answer("see-calls", frozenset(roles), event=event):
        found.append(_tab(_("Calls"), path, "judging:calls", event.public_id))
    elif entry is not None:
        found.append(_tab(own, path, "entry", event.public_id, entry.number))
    if at_desk or begun:
        found += [
            _tab(_("Pairings"), path, "rounds", event.public_id),
            _tab(_("Standings"), path, "standings", event.public_id),
            _tab(_("Clock"), path, "clock", event.public_id),
        ]
    if (prizes := prize_draft_of(event)) is not None and prizes.has_started:
        found.append(_tab(_("Prizes"), path, "prizes", event.public_id))
    found.append(_tab(_("Event"), path, "event", event.public_id))
    if at_desk and entry is not None:
        found.append(_tab(own, path, "entry", event.public_id, entry.number))
    return found


@register.simple_tag(takes_context=True)
def announcements(context: template.Context, event: Event) -> list[Announcement]:
    """Return the event's current announcements, newest first; those that the page knows aren't read again."""
    known: list[Announcement] | None = context.get("current_announcements")
    return current_announcements(event) if known is None else known


def current_announcements(event: Event) -> list[Announcement]:
    """Return when the next round starts, if that was announced, and the newest current announcements; at most three."""
    now = timezone.now()
    said = [one for one in ANNOUNCED(event=event.pk) if one.until is None or one.until > now]
    return [*next_round_of(event), *said][:3]


@register.inclusion_tag("events/entries/registering.html", takes_context=True)
def registering(context: template.Context) -> dict[str, Event | None]:
    """Show the event that a visitor registers for by signing in or up, named by the page to go on to (`next`)."""
    request = context["request"]
    path = request.POST.get("next") or request.GET.get("next") or ""
    try:
        match = resolve(path)
    except Resolver404:
        return {"event": None}
    if match.view_name != "events:enter":
        return {"event": None}
    shown = Event.objects.exclude(state=Event.State.DRAFT).select_related("venue")
    return {"event": shown.filter(public_id=match.kwargs["public_id"]).first()}
