"""Events as a table, with filters."""

from __future__ import annotations

import django_filters
import django_tables2 as tables
from django import forms
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from events.models import Event, Venue

from .columns import FOLD, MAIN, StateColumn, VenueTimeColumn

MAX_PLACES = 500
"""The most venues that a search considers; a longer text narrows it."""


class EventTable(tables.Table):
    """Events as the public sees them."""

    caption = _("Events")
    name = tables.Column(
        verbose_name=_("Event"), linkify=lambda record: reverse("events:event", args=[record.public_id]), attrs=MAIN
    )
    starts = VenueTimeColumn(verbose_name=_("Starts"))
    state = StateColumn(verbose_name=_("State"))
    venue = tables.Column(
        verbose_name=_("Venue"),
        order_by="venue__name",
        linkify=lambda record: reverse("events:venue", args=[record.venue_id]),
        attrs=FOLD,
    )
    edition = tables.Column(verbose_name=_("Rulebook"), attrs=FOLD)
    format = tables.Column(verbose_name=_("Format"), attrs=FOLD)
    build_total = tables.Column(
        verbose_name=_("Build total"),
        empty_values=(None, "", 0),
        attrs={"td": {"class": "fold number"}, "th": {"class": "fold number"}},
    )

    class Meta:
        fields = ("name", "starts", "state", "venue", "edition", "format", "build_total")
        empty_text = _("No events here yet. An event is listed once its registration opens.")


class VenueEventTable(EventTable):
    """The events of one venue."""

    caption = _("Events at this venue")
    venue = None

    class Meta:
        fields = ("name", "starts", "state", "edition", "format", "build_total")
        empty_text = _("No events yet. Players see an event here once its registration opens.")


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class EventFilter(django_filters.FilterSet):
    """Filters of the list of events."""

    q = django_filters.CharFilter(label=_("Event, venue or city"), method="search")
    state = django_filters.ChoiceFilter(
        label=_("State"),
        choices=[choice for choice in Event.State.choices if choice[0] != Event.State.DRAFT],
        empty_label=_("any"),
    )
    edition = django_filters.ChoiceFilter(label=_("Rulebook"), choices=Event.Edition.choices, empty_label=_("any"))
    format = django_filters.ChoiceFilter(label=_("Format"), choices=Event.Format.choices, empty_label=_("any"))
    from_day = django_filters.DateFilter(label=_("From"), field_name="starts", lookup_expr="date__gte", widget=_day())
    to_day = django_filters.DateFilter(label=_("To"), field_name="starts", lookup_expr="date__lte", widget=_day())

    class Meta:
        model = Event
        fields = ("q", "state", "edition", "format", "from_day", "to_day")

    def search(self, rows: QuerySet[Event], _name: str, value: str) -> QuerySet[Event]:
        """Find by part of an event's or a venue's name, or a city."""
        places = Venue.objects.filter(Q(name__icontains=value) | Q(city__icontains=value)).values_list("pk", flat=True)
        return rows.filter(Q(name__icontains=value) | Q(venue__in=list(places[:MAX_PLACES])))
