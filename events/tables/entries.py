"""Entries as a table, for the public and for officials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from events.models import Entry, Event
from events.policy import PolicyViolation
from events.results.words import left_after

from .columns import FOLD, MAIN, STAYS, StateColumn

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}


class EntryTable(tables.Table):
    """The entries as the public sees them."""

    caption = gettext_lazy("Players")
    caption_hidden = True
    number = tables.Column(verbose_name=pgettext_lazy("number", "No."), attrs=NUMBER)
    name = tables.Column(verbose_name=gettext_lazy("Name"), order_by=("sort_name", "number"), attrs=MAIN)
    state = StateColumn(verbose_name=gettext_lazy("State"))
    club = tables.Column(verbose_name=gettext_lazy("Club"), attrs=FOLD, default="")
    rank = tables.Column(verbose_name=gettext_lazy("Rank"), attrs=FOLD, default="")

    def __init__(
        self,
        rows: list[Entry],
        *,
        event: Event,
        mine: Entry | None = None,
        desk: bool = False,
        hindered: Mapping[int, Sequence[PolicyViolation]],
        **more: Any,
    ) -> None:
        self.event, self.mine, self.desk, self.hindered = event, mine, desk, hindered
        more.setdefault("row_attrs", {"data-words": self._words, "class": self._class})
        if all(row.rank is None for row in rows):
            more["exclude"] = ("rank",)
        super().__init__(rows, **more)

    class Meta:
        attrs = {"class": "table folds lines"}
        fields: tuple[str, ...] = ("number", "name", "state", "club", "rank")
        empty_text = gettext_lazy("No entries yet. Players appear here as they register.")

    def _words(self, record: Entry) -> str:
        return f"{record.number} {self._shown(record)} {record.club}".casefold()

    def _class(self, record: Entry) -> str:
        if self.mine is not None and record.pk == self.mine.pk:
            return "mine"
        return "gone" if record.state in GONE else ""

    def _shown(self, record: Entry) -> str:
        return record.name if self.desk else record.public_name

    def render_name(self, record: Entry) -> SafeString:
        """Link the name to the player's page."""
        address = reverse("events:entry", args=[self.event.public_id, record.number])
        mine = self.mine is not None and record.pk == self.mine.pk
        you = format_html(" <strong>({})</strong>", _("you")) if mine else ""
        return format_html('<a href="{}">{}</a>{}', address, self._shown(record), you)


class DeskEntryTable(EntryTable):
    """The entries with what only officials see."""

    fixed_table = tables.Column(
        verbose_name=gettext_lazy("Fixed table"), attrs={"td": {"class": "fold"}, "th": {"class": "fold"}}, default=""
    )
    remarks = tables.Column(verbose_name=gettext_lazy("Notes"), attrs=STAYS, empty_values=(), orderable=False)

    def __init__(self, rows: list[Entry], *, elsewhere: Mapping[int, str], **more: Any) -> None:
        self.elsewhere = elsewhere
        super().__init__(rows, **more)

    class Meta(EntryTable.Meta):
        fields = ("number", "name", "state", "club", "rank", "fixed_table", "remarks")

    def render_remarks(self, record: Entry) -> SafeString:
        """Return remarks for judges; what makes a player ineligible is marked."""
        against = [
            format_html('<span class="state bad">{}</span>', one.message) for one in self.hindered.get(record.pk, ())
        ]
        if where := self.elsewhere.get(record.number):
            against.append(format_html('<span class="state warn">{}</span>', where))
        found: list[str] = []
        if record.is_minor:
            found.append(_("under 18"))
        if record.from_round > 1:
            found.append(_("starts in round %(round)d") % {"round": record.from_round})
        if record.awarded_byes:
            rounds = ", ".join(map(str, record.awarded_byes))
            words = ngettext(
                "awarded bye in round %(rounds)s", "awarded byes in rounds %(rounds)s", len(record.awarded_byes)
            )
            found.append(words % {"rounds": rounds})
        if record.dropped_after is not None and record.state in GONE:
            found.append(left_after(record.dropped_after, self.event.bracket_sizes.get(record.dropped_after)))
        if not record.eligible_declared and not self.event.is_practice and record.state not in GONE:
            found.append(_("hasn't confirmed eligibility"))
        return format_html_join(" ", "{}", ((one,) for one in [*against, ", ".join(found)]))


GONE = Entry.GONE
