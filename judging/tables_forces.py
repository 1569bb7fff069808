"""The queue of forces to verify, the most urgent first."""

from __future__ import annotations

from dataclasses import dataclass

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.models import Entry, Force
from events.tables.columns import FOLD, MAIN
from events.templatetags.headjudge import state_in_words
from judging.models import ForceCheck


@dataclass(frozen=True)
class WaitingForce:
    """An entry in the queue: its force and check, its present table, what is wrong, and how urgent it is."""

    entry: Entry
    force: Force | None
    check: ForceCheck | None
    table: int | None
    why: str
    urgency: int
    address: str

    @property
    def standing(self) -> str:
        """Return the force's standing, "" if none was submitted."""
        return self.force.standing if self.force is not None else "none"


class QueueTable(tables.Table):
    """Entries with their forces, the most urgent first."""

    standing = tables.Column(verbose_name=gettext_lazy("Force"), order_by="urgency")
    name = tables.Column(
        accessor="entry__name", order_by="entry__sort_name", verbose_name=gettext_lazy("Player"), attrs=MAIN
    )
    table = tables.Column(
        verbose_name=gettext_lazy("Table"), attrs={"td": {"class": "number"}, "th": {"class": "number"}}, default="–"
    )
    total = tables.Column(
        accessor="force__total",
        verbose_name=gettext_lazy("Points"),
        attrs={"td": {"class": "number fold"}, "th": {"class": "number fold"}},
        default="–",
    )
    check = tables.Column(
        verbose_name=gettext_lazy("Verification"), accessor="check", orderable=False, attrs=FOLD, empty_values=()
    )

    class Meta:
        sequence = ("standing", "name", "table", "total", "check")
        attrs = {"class": "folds lines to-check"}
        orderable = True
        empty_text = gettext_lazy("No entries yet. Players appear here with their forces as they register.")

    caption = gettext_lazy("Forces, most urgent first")

    def render_standing(self, record: WaitingForce) -> SafeString:
        """Show the standing with its shape."""
        if record.force is None:
            return state_in_words("failed", _("not submitted"))
        return state_in_words(record.force.standing, record.force.get_standing_display())

    def render_name(self, record: WaitingForce) -> SafeString:
        """Link to the check, and say what to look at."""
        why = format_html(' <small class="quiet">{}</small>', record.why) if record.why else ""
        return format_html('<a href="{}">{}</a>{}', record.address, record.entry.name, why)

    def render_check(self, record: WaitingForce) -> SafeString:
        """Show how far the check is."""
        if record.check is None:
            return format_html('<span class="state">{}</span>', _("not verified"))
        words = record.check.get_outcome_display()
        if record.check.remedy != ForceCheck.Remedy.NONE:
            words = f"{words} · {record.check.get_remedy_display()}"
        shown = "claimed" if record.check.outcome == ForceCheck.Outcome.OPEN else record.check.outcome
        return state_in_words(shown, words)
