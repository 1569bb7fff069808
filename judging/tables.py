"""Tables of judging."""

import re

import django_tables2 as tables
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from events.models import RecordEntry
from judging.models import Penalty

MOST_CHANGES = 30
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


class PenaltyTable(tables.Table):
    """Penalties of an event, the newest first."""

    entry = tables.Column(
        verbose_name=_("Player"), accessor="entry__name", attrs={"td": {"class": "main"}, "th": {"class": "main"}}
    )
    kind = tables.Column(verbose_name=_("Penalty"))
    category = tables.Column(verbose_name=_("For"), attrs={"td": {"class": "fold"}, "th": {"class": "fold"}})
    text = tables.Column(
        verbose_name=_("What happened"), orderable=False, attrs={"td": {"class": "fold"}, "th": {"class": "fold"}}
    )
    round = tables.Column(
        verbose_name=_("Round"), accessor="round__number", attrs={"td": {"class": "number"}, "th": {"class": "number"}}
    )
    given_by = tables.Column(
        verbose_name=_("By"), accessor="given_by__name", attrs={"td": {"class": "fold"}, "th": {"class": "fold"}}
    )
    taken_back = tables.TemplateColumn(
        verbose_name=_("State"),
        orderable=False,
        template_name="judging/penalties/take_back.html",
        attrs={"td": {"class": "fold"}, "th": {"class": "fold"}},
    )
    caption = _("Penalties")

    class Meta:
        model = Penalty
        fields = ("entry", "kind", "category", "text", "round", "given_by", "taken_back")
        empty_text = _("No penalty was given.")


class RecordTable(tables.Table):
    """The record of an event, the newest first."""

    at = tables.DateTimeColumn(verbose_name=_("When"), format="D j M, H:i:s")
    summary = tables.Column(
        verbose_name=_("What"), orderable=False, attrs={"td": {"class": "main"}, "th": {"class": "main"}}
    )
    by_person = tables.Column(
        verbose_name=_("Who"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "fold"}, "th": {"class": "fold"}},
    )
    reason = tables.Column(
        verbose_name=_("Why"), orderable=False, attrs={"td": {"class": "fold"}, "th": {"class": "fold"}}
    )
    changes = tables.Column(
        verbose_name=_("Before and after"), orderable=False, attrs={"td": {"class": "fold"}, "th": {"class": "fold"}}
    )
    caption = _("Record")

    class Meta:
        model = RecordEntry
        fields = ("at", "summary", "by_person", "reason", "changes")
        order_by = "-at"
        empty_text = _("Nothing was written yet.")

    def render_summary(self, value: str, record: RecordEntry) -> str:
        """Mark what was not standard."""
        if not record.is_non_standard:
            return value
        return format_html('{} <span class="state warn">{}</span>', value, _("not standard"))

    def render_by_person(self, record: RecordEntry) -> str:
        """Name who acted, and as what."""
        name = record.by_person or record.by_entry or _("the site")
        return format_html("{}{}", name, f" ({record.get_role_words()})" if record.as_role else "")

    def render_changes(self, value: list[dict], record: RecordEntry) -> str:
        """Show each row that was written, folded; moments by the clock that the page shows."""
        from django.template.loader import render_to_string

        shown = [
            change | {"after": change["after"] and {name: _shown(kept) for name, kept in change["after"].items()}}
            for change in value[:MOST_CHANGES]
        ]
        return render_to_string("judging/record/changes.html", {"changes": shown, "count": len(value)})


def _shown(value: object) -> object:
    """Return a value of the record as people read it: a moment with its weekday, by the present zone."""
    if not (isinstance(value, str) and MOMENT.match(value)):
        return value
    moment = parse_datetime(value)
    if moment is None or timezone.is_naive(moment):
        return value
    return date_format(timezone.localtime(moment), "D j M, H:i:s")
