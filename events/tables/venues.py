"""Venues as a table, with filters."""

from __future__ import annotations

from typing import ClassVar

import django_filters
import django_tables2 as tables
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from events.models import Venue

from .columns import FOLD, MAIN, StateColumn


class VenueTable(tables.Table):
    """Venues as the public sees them."""

    caption = _("Venues")
    caption_hidden = True
    name = tables.Column(
        verbose_name=_("Name"), linkify=lambda record: reverse("events:venue", args=[record.pk]), attrs=MAIN
    )
    city = tables.Column(verbose_name=_("City"))
    country = tables.Column(verbose_name=_("Country"), attrs=FOLD)
    kind = tables.Column(verbose_name=_("Kind"), attrs=FOLD)

    class Meta:
        attrs: ClassVar = {"class": "folds lines"}
        fields = ("name", "city", "country", "kind")
        empty_text = _("No venues yet. Anyone with an account can register a venue.")


class OfficeVenueTable(VenueTable):
    """Venues as the sanctioning office sees them, each with a link to decide."""

    name = tables.Column(
        verbose_name=_("Name"), linkify=lambda record: reverse("events:office-venue", args=[record.pk]), attrs=MAIN
    )
    city = tables.Column(verbose_name=_("City"), attrs=FOLD)
    state = StateColumn(verbose_name=_("State"))
    registered = tables.DateColumn(verbose_name=_("Registered"), format="j N Y", attrs=FOLD)

    class Meta:
        attrs: ClassVar = {"class": "folds lines"}
        fields = ("name", "state", "kind", "city", "country", "registered")
        sequence = fields


class VenueFilter(django_filters.FilterSet):
    """Filters of the public list of venues."""

    q = django_filters.CharFilter(label=_("Name or city"), method="search")
    country = django_filters.CharFilter(label=_("Country"), lookup_expr="icontains")
    kind = django_filters.ChoiceFilter(label=_("Kind"), choices=Venue.Kind.choices, empty_label=_("any"))

    class Meta:
        model = Venue
        fields = ("q", "country", "kind")

    def search(self, rows: QuerySet[Venue], _name: str, value: str) -> QuerySet[Venue]:
        """Find by part of a name or a city."""
        return rows.filter(Q(name__icontains=value) | Q(city__icontains=value))


class OfficeVenueFilter(VenueFilter):
    """Filters of the sanctioning office's list of venues."""

    state = django_filters.ChoiceFilter(label=_("State"), choices=Venue.State.choices, empty_label=_("any"))

    class Meta:
        model = Venue
        fields = ("q", "state", "kind")
