"""Tables of penalties and of the audit log."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from events.models import AuditEntry, Event, Role
from events.services.undo import is_undo, may_undo, why_never
from judging.audit_changes import RowNames, changes_in_words
from judging.models import Penalty


class PenaltyTable(tables.Table):
    """An event's penalties, newest first."""

    entry = tables.Column(
        verbose_name=_("Player"), accessor="entry__name", attrs={"td": {"class": "main"}, "th": {"class": "main"}}
    )
    kind = tables.Column(verbose_name=_("Penalty"), attrs={"td": {"class": "kind"}})
    category = tables.Column(
        verbose_name=_("Infraction"), attrs={"td": {"class": "fold bare about"}, "th": {"class": "fold"}}
    )
    text = tables.Column(
        verbose_name=_("Description"),
        orderable=False,
        attrs={"td": {"class": "fold whole bare"}, "th": {"class": "fold"}},
    )
    round = tables.Column(
        verbose_name=_("Round"), accessor="round__number", attrs={"td": {"class": "fold"}, "th": {"class": "fold"}}
    )
    given_by = tables.Column(
        verbose_name=_("Knocked out or captured by"),
        accessor="given_by__name",
        attrs={"td": {"class": "fold"}, "th": {"class": "fold"}},
    )
    taken_back = tables.TemplateColumn(
        verbose_name=_("State"),
        orderable=False,
        template_name="judging/penalties/withdraw.html",
        attrs={"td": {"class": "fold bare"}, "th": {"class": "fold"}},
    )
    caption = _("Penalties")
    caption_hidden = True

    class Meta:
        model = Penalty
        attrs = {"class": "folds flow penalties"}
        fields = ("entry", "kind", "category", "text", "round", "given_by", "taken_back")
        empty_text = _("No penalties. Give one here or from a table's page.")

    def render_text(self, value: str, record: Penalty) -> SafeString:
        """Name the infraction before what happened: a phone shows both in one line instead of two columns."""
        return format_html('<span class="about">{}</span>{}', record.get_category_display(), value)

    def render_round(self, record: Penalty) -> str:
        """Name a round of a bracket by its stage."""
        return record.round.mark if record.round else ""


class AuditLogTable(tables.Table):
    """An audit log, newest first; an event's entries link to their page, and `roles` decides which can be undone."""

    at = tables.Column(verbose_name=_("When"), attrs={"td": {"class": "fold when"}, "th": {"class": "fold"}})
    words = tables.Column(
        verbose_name=_("Description"), orderable=False, attrs={"td": {"class": "main"}, "th": {"class": "main"}}
    )
    by_person = tables.Column(
        verbose_name=_("Knocked out or captured by"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "fold"}, "th": {"class": "fold"}},
    )
    reason = tables.Column(
        verbose_name=_("Reason"),
        orderable=False,
        default="",
        attrs={"td": {"class": "fold why"}, "th": {"class": "fold"}},
    )
    changes = tables.Column(
        verbose_name=_("Changes"), orderable=False, attrs={"td": {"class": "fold changes"}, "th": {"class": "fold"}}
    )
    undo = tables.Column(
        verbose_name=_("Undo"),
        empty_values=(),
        orderable=False,
        accessor="pk",
        attrs={"td": {"class": "fold undo no-print"}, "th": {"class": "fold no-print"}},
    )
    caption = _("Audit log")
    caption_hidden = True

    class Meta:
        model = AuditEntry
        fields = ("at", "words", "by_person", "reason", "changes", "undo")
        attrs = {"class": "table folds record"}
        order_by = "-at"
        empty_text = _("Nothing found. Remove a filter or try fewer words.")

    def __init__(
        self,
        *args: Any,
        event: Event | None,
        undone: Mapping[int, AuditEntry] | None = None,
        roles: frozenset[Role] | None = None,
        **named: Any,
    ) -> None:
        super().__init__(*args, row_attrs={"data-day": self._new_day}, **named)
        self.day = ""
        self.event, self.undone, self.roles = event, undone or {}, roles
        self.names: RowNames | None = None
        if roles is None:
            self.columns.hide("undo")

    def _new_day(self, record: AuditEntry) -> str | None:
        """Return the day of the first of several entries of a day: a phone shows it above the row, and then only times."""
        before, self.day = self.day, formats.date_format(timezone.localtime(record.at), "l j F Y")
        return self.day if self.day != before else None

    def render_at(self, value: datetime.datetime) -> SafeString:
        """Show day and time; a phone shows the day once, above the rows."""
        at = timezone.localtime(value)
        day, clock = formats.date_format(at, "D j N"), formats.date_format(at, "H:i:s")
        return format_html('<span class="day">{}, </span>{}', day, clock)

    def render_words(self, value: str, record: AuditEntry) -> str:
        """Link to the entry; mark non-standard and undone entries."""
        if self.event is None:
            return capfirst(value)
        address = reverse("judging:audit-log-entry", args=[self.event.public_id, record.pk])
        marks = []
        if record.is_non_standard:
            marks.append(format_html(' <span class="state warn">{}</span>', _("non-standard")))
        if record.pk in self.undone:
            marks.append(format_html(' <span class="state">{}</span>', _("undone")))
        return format_html('<a href="{}">{}</a>{}', address, capfirst(value), mark_safe("".join(marks)))

    def render_by_person(self, record: AuditEntry) -> str:
        """Show who acted, and in which role."""
        name = record.by_person or record.by_entry or _("the site")
        said = [str(record.get_role_words())] if record.as_role not in ("", Role.SPECTATOR) else []
        said += filter(None, [record.get_means_words()])
        return format_html("{}{}", name, f" ({', '.join(said)})" if said else "")

    def render_changes(self, record: AuditEntry) -> str:
        """Show each changed row, folded; times are in the page's time zone."""
        if self.names is None:
            self.names = RowNames.in_entries(self.event, (row.record for row in self.paginated_rows))
        return render_to_string("judging/audit_log/changes.html", {"changes": changes_in_words(record, self.names)})

    def render_undo(self, record: AuditEntry) -> str:
        """Offer undo if these roles allow it and the entry hasn't been undone."""
        record.event = self.event
        if self.event is None or self.roles is None or record.pk in self.undone or why_never(record):
            return ""
        if not may_undo(record, self.roles, self.event):
            return ""
        address = reverse("judging:audit-log-entry", args=[self.event.public_id, record.pk])
        return format_html(
            '<a class="button link" href="{}#undo">{}</a>', address, _("Redo…") if is_undo(record) else _("Undo…")
        )
