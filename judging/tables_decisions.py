"""The list of an event's decisions, and its filter."""

from __future__ import annotations

import datetime
from typing import Any

import django_filters
import django_tables2 as tables
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from events.models import Person
from events.tables.columns import FOLD, MAIN, STAYS, StateColumn, VenueTimeColumn
from judging.models import Decision
from judging.readings import topic_title
from judging.services.decisions import said

AGAINST = [
    ("yes", _("overrules the rules engine")),
    ("no", _("agrees with the rules engine")),
    ("none", _("no answer from the rules engine")),
]


class RuledColumn(VenueTimeColumn):
    """The time of the decision, in the event's venue time."""

    words = "D H:i"

    def render(self, value: datetime.datetime, record: Any) -> SafeString:
        """Show the time."""
        return super().render(value, record.event)


def _page_of(record: Decision) -> str:
    return reverse("judging:ruling", args=[record.event.public_id, record.number])


class DecisionTable(tables.Table):
    """Decisions, newest first."""

    number = tables.Column(
        verbose_name=pgettext_lazy("number", "No."),
        linkify=_page_of,
        attrs={"td": {"class": "number"}, "th": {"class": "number"}},
    )
    question = tables.Column(verbose_name=_("Question"), orderable=False, attrs=MAIN)
    answer = tables.Column(verbose_name=_("Ruling"), orderable=False, attrs=STAYS)
    state = StateColumn(verbose_name=_("State"), attrs=STAYS)
    table = tables.Column(
        verbose_name=_("Table"),
        accessor="match__table",
        order_by=("match__round__number", "match__table"),
        attrs=FOLD,
    )
    ruled_by = tables.Column(verbose_name=_("Judge"), accessor="ruled_by__name", attrs=FOLD)
    ruled_at = RuledColumn(verbose_name=_("Ruled"), attrs=FOLD)
    caption = _("Rulings")
    caption_hidden = True

    class Meta:
        fields = ("number", "question", "answer", "state", "table", "ruled_by", "ruled_at")
        attrs = {"class": "folds lines flow ruled"}
        empty_text = _("No rulings yet. Judges record rulings from a call or a table's page.")

    def render_question(self, value: str, record: Decision) -> SafeString:
        """Show the question and the topics it is about."""
        about = ", ".join(topic_title(name) for name in record.topics)
        return format_html('<a href="{}">{}</a> <small class="quiet">{}</small>', _page_of(record), value, about)

    def render_answer(self, record: Decision) -> SafeString | str:
        """Show the answer that counts, and whether it overrules the rules engine."""
        if record.state == Decision.State.WITHDRAWN:
            return "–"
        words = capfirst(said(record.counts, record.text_that_counts))
        if not record.is_against_reading:
            return words
        return format_html('{} <span class="state warn">{}</span>', words, _("overrules the rules engine"))

    def render_table(self, value: int, record: Decision) -> str:
        """Show round and table."""
        if record.match is None:
            return "–"
        return gettext("%(round)s, table %(table)s") % {"round": record.match.round, "table": value}


class DecisionFilter(django_filters.FilterSet):
    """The filter of the list of decisions."""

    q = django_filters.CharFilter(label=_("Question, ruling or player"), method="search")
    state = django_filters.ChoiceFilter(label=_("State"), choices=Decision.State.choices, empty_label=_("any"))
    reading = django_filters.ChoiceFilter(
        label=_("Rules engine"), choices=AGAINST, empty_label=_("any"), method="by_reading"
    )
    judge = django_filters.ModelChoiceFilter(
        label=_("Judge"), field_name="ruled_by", queryset=Person.objects.none(), empty_label=_("any")
    )
    topic = django_filters.ChoiceFilter(label=_("Topic"), choices=[], empty_label=_("any"), method="by_topic")

    class Meta:
        model = Decision
        fields = ("q", "state", "reading", "judge", "topic")

    def __init__(self, *args: Any, queryset: QuerySet[Decision], **options: Any) -> None:
        super().__init__(*args, queryset=queryset, **options)
        rows = list(queryset.order_by().values_list("ruled_by", "topics"))
        self.filters["judge"].queryset = Person.objects.filter(pk__in={judge for judge, _topics in rows})
        met = sorted({topic for _judge, topics in rows for topic in topics}, key=topic_title)
        self.filters["topic"].extra["choices"] = [(topic, topic_title(topic)) for topic in met]

    def search(self, rows: QuerySet[Decision], _name: str, value: str) -> QuerySet[Decision]:
        """Find words in the question, the ruling or a player's name."""
        return rows.filter(
            Q(question__icontains=value)
            | Q(text__icontains=value)
            | Q(reasons__icontains=value)
            | Q(final_text__icontains=value)
            | Q(match__a__name__icontains=value)
            | Q(match__b__name__icontains=value)
        )

    def by_reading(self, rows: QuerySet[Decision], _name: str, value: str) -> QuerySet[Decision]:
        """Find decisions whose answer agrees or disagrees with the rules engine's answer."""
        if value == "none":
            return rows.filter(reading="")
        counts = Coalesce(NullIf("final_answer", Value("")), "answer")
        read = rows.exclude(reading="").exclude(state=Decision.State.WITHDRAWN).annotate(now=counts)
        return read.exclude(now=F("reading")) if value == "yes" else read.filter(now=F("reading"))

    def by_topic(self, rows: QuerySet[Decision], _name: str, value: str) -> QuerySet[Decision]:
        """Find decisions about a topic, in Python: an event has few decisions."""
        return rows.filter(pk__in=[pk for pk, topics in rows.values_list("pk", "topics") if value in topics])
