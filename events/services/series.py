"""Verbs about series: creating and editing them, their events, joined names, ending and reopening.

A series is organised by the managers of its venue. Someone who also manages an event's venue adds the event at once; for
any other event, adding it is an invitation, which counts for nothing until a manager of that venue accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import answer
from events.door import NeedsConfirmation, Refused, door
from events.models import Event, Person, Series, SeriesDraft, SeriesEvent, SeriesJoin, Venue
from events.models.series import MAX_EVENTS
from events.roles import Actor
from events.series_table import series_table

from .mails import notify

OVER = gettext_lazy("The series has ended. Reopen it first.")
NO_EVENT = gettext_lazy("No event has this address. Copy the address of the event's page.")


def create_series(*, by: Actor, venue: Venue, facts: dict[str, Any]) -> Series:
    """Create a series that an approved venue organises."""
    with door("create-series", by=by, venue=venue) as writing:
        if not venue.is_approved:
            raise Refused(_("Only approved venues can organise a series."))
        series = writing.create(Series, venue=venue, **facts)
        writing.says("series-created", series=series)
    return series


def change_series(
    *,
    by: Actor,
    series: Series,
    facts: dict[str, Any],
    multipliers: Mapping[int, Decimal] | None = None,
    version: int | None = None,
) -> Series:
    """Change a series' name and rules, and the multipliers of its events (by the keys of their rows)."""
    with door("change-series", by=by, venue=series.venue, on=series, version=version) as writing:
        _must_go_on(series)
        writing.save(series, **facts)
        for row in series.rows.filter(pk__in=multipliers or {}):
            writing.save(row, multiplier=(multipliers or {})[row.pk])
        writing.says("series-changed", series=series)
    return series


def _must_go_on(series: Series) -> None:
    if series.is_over:
        raise Refused(OVER)


# events


def add_event(*, by: Actor, series: Series, event: Event, multiplier: Decimal = Decimal(1)) -> SeriesEvent:
    """Add an event whose venue the actor manages, too; otherwise invite it."""
    manages = bool(answer("accept-series-event", by.roles(venue=event.venue)))
    with door("add-series-event", by=by, venue=series.venue, on=series) as writing:
        _must_go_on(series)
        if event.state == Event.State.DRAFT and not manages:
            raise Refused(NO_EVENT)
        if series.rows.filter(event=event).exists():
            raise Refused(_("%(event)s is already in this series.") % {"event": event})
        if series.rows.count() >= MAX_EVENTS:
            raise Refused(_("A series can have at most %(n)d events. Remove one first.") % {"n": MAX_EVENTS})
        accepted = writing.at if manages else None
        made = writing.create(SeriesEvent, series=series, event=event, multiplier=multiplier, accepted=accepted)
        if manages:
            writing.says("series-event-added", event=event, series=series)
        else:
            writing.says("series-event-invited", event=event, series=series, venue=event.venue)
            notify(
                _managers(event.venue),
                gettext_lazy("Invitation to a series: %(event)s"),
                gettext_lazy("%(organiser)s invites %(event)s to join its series %(series)s. Accept or decline:"),
                path=reverse("events:series", args=[series.public_id]),
                event=event,
                series=series,
                organiser=series.venue,
            )
    return made


def _managers(venue: Venue) -> list[Person]:
    return list(Person.objects.filter(managing__in=venue.management.at_work()))


def accept_event(*, by: Actor, row: SeriesEvent) -> SeriesEvent:
    """Accept an invitation, as a manager of the event's venue."""
    with door("accept-series-event", by=by, venue=row.event.venue, on=row) as writing:
        _must_go_on(row.series)
        if row.accepted is None:
            writing.save(row, accepted=writing.at)
            writing.says("series-event-accepted", event=row.event, series=row.series)
            _tell_organiser(row, gettext_lazy("%(venue)s accepted the invitation for %(event)s to join %(series)s."))
    return row


def decline_event(*, by: Actor, row: SeriesEvent, confirmed: bool = False) -> None:
    """Decline an invitation or withdraw the event, as a manager of the event's venue."""
    with door("decline-series-event", by=by, venue=row.event.venue, on=row) as writing:
        if row.accepted is not None:
            _must_go_on(row.series)
            _ask_first(row, confirmed)
        writing.says("series-event-declined", event=row.event, series=row.series)
        if row.accepted is None:
            words = gettext_lazy("%(venue)s declined the invitation for %(event)s to join %(series)s.")
        else:
            words = gettext_lazy("%(venue)s withdrew %(event)s from %(series)s.")
        _tell_organiser(row, words)
        writing.delete(row)


def remove_event(*, by: Actor, row: SeriesEvent, confirmed: bool = False) -> None:
    """Remove an event or an invitation, as the series' organiser."""
    with door("remove-series-event", by=by, venue=row.series.venue, on=row) as writing:
        _must_go_on(row.series)
        if row.accepted is not None:
            _ask_first(row, confirmed)
        writing.says("series-event-removed", event=row.event, series=row.series)
        writing.delete(row)


def _ask_first(row: SeriesEvent, confirmed: bool) -> None:
    if not confirmed:
        raise NeedsConfirmation(
            _("Remove event from series"),
            [_("The results of %(event)s will no longer count towards this series.") % {"event": row.event}],
        )


def _tell_organiser(row: SeriesEvent, text: Any) -> None:
    notify(
        _managers(row.series.venue),
        gettext_lazy("%(series)s: %(event)s"),
        text,
        path=reverse("events:series", args=[row.series.public_id]),
        series=row.series,
        event=row.event,
        venue=row.event.venue,
    )


# players


def join_players(*, by: Actor, series: Series, name: str, other: str) -> SeriesJoin:
    """Count a name without an account as another player of the table; both are given by their ids there."""
    with door("change-series-players", by=by, venue=series.venue, on=series) as writing:
        found = series_table(series)
        one, target = found.players.get(name), found.players.get(other)
        if one is None or target is None or one == target or not one.is_name or not (target.is_name or target.account):
            raise Refused(_("Choose a name that has no account, then another player of this series to merge it with."))
        scores = {line.player: line.scores for line in found.lines}
        both = [
            row.event.name for row in found.counted if row.event_id in scores[name] and row.event_id in scores[other]
        ]
        if both:
            raise Refused(
                _("Both players took part in %(event)s, so they can't be the same person.") % {"event": both[0]}
            )
        writing.says("series-players-joined", series=series, name=one.full_name, other=target.full_name)
        return writing.create(
            SeriesJoin,
            series=series,
            name=one.full_name,
            person_id=target.account,
            other="" if target.account is not None else target.full_name,
        )


def separate_players(*, by: Actor, series: Series, join: SeriesJoin) -> None:
    """Count a joined name for itself again."""
    with door("change-series-players", by=by, venue=series.venue, on=join) as writing:
        writing.says("series-players-separated", series=series, name=join.name)
        writing.delete(join)


# the end


def end_series(*, by: Actor, series: Series, version: int | None = None) -> Series:
    """End a series: only eligible players keep a place, and the order of the prize draft is shown."""
    with door("end-series", by=by, venue=series.venue, on=series, version=version) as writing:
        if not series.is_over:
            writing.save(series, ended=writing.at)
            writing.says("series-ended", series=series)
    return series


def reopen_series(*, by: Actor, series: Series, version: int | None = None) -> Series:
    """Reopen a series that had ended."""
    with door("reopen-series", by=by, venue=series.venue, on=series, version=version) as writing:
        if SeriesDraft._default_manager.filter(series=series).exclude(turns=[]).exists():
            raise Refused(_("Prizes have been picked. Withdraw the picks first."))
        for draft in SeriesDraft._default_manager.filter(series=series):
            writing.save(draft, order=[])
        writing.save(series, ended=None)
        writing.says("series-reopened", series=series)
    return series


def delete_series(*, by: Actor, series: Series, version: int | None = None, confirmed: bool = False) -> None:
    """Delete a series without events."""
    with door("delete-series", by=by, venue=series.venue, on=series, version=version) as writing:
        if series.rows.exists():
            raise Refused(_("A series with events can't be deleted. Remove its events first."))
        if not confirmed:
            raise NeedsConfirmation(_("Delete series"), [_("This can't be undone.")])
        for row in (*series.joins.all(), *SeriesDraft._default_manager.filter(series=series)):
            writing.delete(row)
        writing.says("series-deleted", series=series)
        writing.delete(series)
