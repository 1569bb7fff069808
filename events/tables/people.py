"""Tables for the sanctioning office: volunteers, people and players."""

from __future__ import annotations

from typing import ClassVar

import django_filters
import django_tables2 as tables
from django import forms
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from events.models import Entry, Person, Volunteer

from .columns import FOLD, MAIN, StateColumn

MAX_FOUND = 1_000


class VolunteerTable(tables.Table):
    """Volunteers, each with a link to decide."""

    caption = _("Volunteers")
    caption_hidden = True
    person = tables.Column(
        verbose_name=_("Name"),
        order_by="person__name",
        linkify=lambda record: reverse("events:office-volunteer", args=[record.pk]),
        attrs=MAIN,
    )
    state = StateColumn(verbose_name=_("State"))
    email = tables.Column(verbose_name=_("E-mail"), accessor="person__email", order_by="person__email", attrs=FOLD)
    city = tables.Column(verbose_name=_("City"), attrs=FOLD)
    registered = tables.DateColumn(verbose_name=_("Registered"), format="j N Y", attrs=FOLD)

    class Meta:
        attrs: ClassVar = {"class": "folds lines"}
        fields = ("person", "state", "email", "city", "registered")
        empty_text = _("No volunteers yet. Volunteers appear here once they register.")


class PersonTable(tables.Table):
    """People with an account, each with a link."""

    caption = _("People")
    caption_hidden = True
    name = tables.Column(
        verbose_name=_("Name"), linkify=lambda record: reverse("events:office-person", args=[record.pk]), attrs=MAIN
    )
    email = tables.Column(verbose_name=_("E-mail"), attrs=FOLD)
    suspension = tables.Column(
        verbose_name=_("Suspension"), accessor="suspended", order_by="suspended_until", default=""
    )
    joined = tables.DateColumn(verbose_name=_("Joined"), format="j N Y", attrs=FOLD)

    class Meta:
        attrs: ClassVar = {"class": "folds lines"}
        fields = ("name", "suspension", "email", "joined")
        empty_text = _("No one matches this search.")

    def render_suspension(self, value: str) -> SafeString:
        """Mark a suspended person, with the end of the suspension."""
        words = gettext("suspended until %(until)s") % {"until": value}
        return format_html('<span class="state bad">{}</span>', words)


class PlayerTable(tables.Table):
    """Players of all events, as registered."""

    caption = _("Players at events")
    name = tables.Column(
        verbose_name=_("Name"),
        linkify=lambda record: reverse("events:entry", args=[record.event.public_id, record.number]),
        attrs=MAIN,
    )
    event = tables.Column(verbose_name=_("Event"), orderable=False)
    starts = tables.DateColumn(
        verbose_name=_("Day"), accessor="event__starts", format="j N Y", orderable=False, attrs=FOLD
    )
    state = StateColumn(verbose_name=_("State"), orderable=False, attrs=FOLD)
    person = tables.Column(verbose_name=_("Account"), accessor="person__email", orderable=False, attrs=FOLD)

    class Meta:
        attrs: ClassVar = {"class": "folds lines"}
        fields = ("name", "event", "starts", "state", "person")
        empty_text = _("No entries yet. Players appear here as they register.")


EITHER = forms.Select(choices=[("", _("any")), ("true", _("yes")), ("false", _("no"))])
"""The widget of a filter for a yes or a no; Django's own calls the empty choice "Unknown"."""


class PlayerFilter(django_filters.FilterSet):
    """Filters of all entries; `too_many` means that more match the partial name than are shown."""

    too_many: str = ""
    q = django_filters.CharFilter(label=_("Player's name"), method="search")
    has_account = django_filters.BooleanFilter(
        label=_("Has an account"), field_name="person", lookup_expr="isnull", exclude=True, widget=EITHER
    )

    class Meta:
        model = Entry
        fields = ("q", "has_account")

    def search(self, rows: QuerySet[Entry], _name: str, value: str) -> QuerySet[Entry]:
        """Find by part of a name, a thousand at most."""
        found = Entry.objects.filter(name__icontains=value).order_by().values_list("pk", flat=True)
        keys = list(found[: MAX_FOUND + 1])
        if len(keys) > MAX_FOUND:
            shared = gettext("Showing the first %(most)d entries. Keep typing to narrow the list.")
            self.too_many = shared % {"most": MAX_FOUND}
        return rows.filter(pk__in=keys[:MAX_FOUND])


class VolunteerFilter(django_filters.FilterSet):
    """Filters of the list of volunteers."""

    q = django_filters.CharFilter(label=_("Name, e-mail or city"), method="search")
    state = django_filters.ChoiceFilter(label=_("State"), choices=Volunteer.State.choices, empty_label=_("any"))

    class Meta:
        model = Volunteer
        fields = ("q", "state")

    def search(self, rows: QuerySet[Volunteer], _name: str, value: str) -> QuerySet[Volunteer]:
        """Find by part of a name, an address or a city."""
        return rows.filter(
            Q(person__name__icontains=value) | Q(person__email__icontains=value) | Q(city__icontains=value)
        )


class PersonFilter(django_filters.FilterSet):
    """Filters of the list of people."""

    q = django_filters.CharFilter(label=_("Name or e-mail"), method="search")
    suspended = django_filters.BooleanFilter(label=_("Suspended"), method="now_suspended", widget=EITHER)

    class Meta:
        model = Person
        fields = ("q", "suspended")

    def search(self, rows: QuerySet[Person], _name: str, value: str) -> QuerySet[Person]:
        """Find by part of a name or an address."""
        return rows.filter(Q(name__icontains=value) | Q(email__icontains=value))

    def now_suspended(self, rows: QuerySet[Person], _name: str, value: bool) -> QuerySet[Person]:
        """Find those who are suspended today, or all others."""
        today = Q(suspended_until__gte=timezone.localdate())
        return rows.filter(today if value else ~today)
