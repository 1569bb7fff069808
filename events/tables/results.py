"""Tables of a round's matches: all of them, or the open ones."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from events.clock import Clock
from events.models import Match
from events.results.words import sentence
from events.services.clock import extra_seconds
from events.services.results import terms_of
from events.templatetags.event_clock import face

from .columns import FOLD, MAIN

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}


def _row() -> dict[str, Any]:
    return {
        "data-table": lambda record: record.table,
        "data-a": lambda record: record.a.name,
        "data-b": lambda record: record.b.name if record.b else "",
        "data-state": lambda record: record.state,
    }


class MatchTable(tables.Table):
    """A round's matches by table, with their states."""

    table = tables.Column(verbose_name=gettext_lazy("Table"), attrs=NUMBER)
    players = tables.Column(verbose_name=gettext_lazy("Players"), accessor="a__name", attrs=MAIN)
    state = tables.Column(verbose_name=gettext_lazy("State"))
    result = tables.Column(verbose_name=gettext_lazy("Result"), orderable=False, empty_values=(), attrs=FOLD)

    caption = gettext_lazy("All tables in this round")

    class Meta:
        empty_text = gettext_lazy("This round has no tables.")
        row_attrs = _row()
        order_by = "table"

    def render_table(self, value: int, record: Match) -> SafeString:
        """Link to the table's page."""
        return table_link(record)

    def render_players(self, record: Match) -> str:
        """Return both players, in the order of the slip."""
        return f"{record.a.name} – {record.b.name if record.b else '–'}"

    def render_state(self, value: object, record: Match) -> SafeString:
        """Return the state in words, with its shape and colour."""
        return render_to_string("parts/state.html", {"value": record.state, "words": record.get_state_display()})

    def render_result(self, record: Match) -> str:
        """Return the result in one line."""
        return sentence(record.result, terms_of(record, with_forces=False)) if record.result else ""


def table_link(match: Match) -> SafeString:
    """Return the table number as a link to the table's page."""
    address = reverse("events:table", args=[match.round.event.public_id, match.round.number, match.table])
    label = _("Table %(table)s") % {"table": match.table}
    return format_html('<a class="table-number target" href="{}" aria-label="{}">{}</a>', address, label, match.table)


class OpenMatchTable(MatchTable):
    """The open tables, disputes first, then by their time left."""

    left = tables.Column(verbose_name=gettext_lazy("Time left"), accessor="pk", orderable=False)
    extra = tables.Column(
        verbose_name=gettext_lazy("Extension"), accessor="pk", orderable=False, empty_values=(), attrs=FOLD
    )
    do = tables.Column(verbose_name=gettext_lazy("Next"), accessor="pk", orderable=False, attrs=FOLD)

    caption = gettext_lazy("Open tables: conflicting reports first, then by time left")
    caption_hidden = True

    class Meta:
        empty_text = gettext_lazy("Every table has a result.")
        attrs = {"class": "table folds lines open-tables"}
        sequence = ("table", "players", "left", "state", "extra", "do")
        exclude = ("result",)
        orderable = False
        order_by = ()

    def __init__(self, *args: Any, stored: Clock, may_extend: bool, may_decide: bool, **kwargs: Any) -> None:
        self.stored, self.may_extend, self.may_decide = stored, may_extend, may_decide
        super().__init__(*args, **kwargs)

    def render_players(self, record: Match) -> SafeString:
        """Link both players to the table's page: on a phone, the whole line is pressed."""
        address = reverse("events:table", args=[record.round.event.public_id, record.round.number, record.table])
        return format_html('<a href="{}" tabindex="-1">{}</a>', address, super().render_players(record))

    def render_state(self, value: object, record: Match) -> SafeString:
        """Return the state if it is more than that the table is open, which all here are."""
        return SafeString("") if record.state == Match.State.OPEN else super().render_state(value, record)

    def render_left(self, record: Match) -> SafeString:
        """Return the table's own clock."""
        facts = face(record.round, match=record, size="small", stored=self.stored)
        return render_to_string("events/clock/face.html", facts)

    def render_extra(self, record: Match) -> str:
        """Return the extra minutes with their reasons."""
        given = [extension for extension in record.extensions.all() if not extension.withdrawn]
        if not given:
            return ""
        minutes = extra_seconds(record) // 60
        reasons = "; ".join(extension.reason for extension in given)
        return (ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}) + f": {reasons}"

    def render_do(self, record: Match) -> SafeString:
        """Return links to the table's next step and to extra time, as far as the visitor may."""
        where = [record.round.event.public_id, record.round.number, record.table]
        decides = record.state == Match.State.DISPUTED and self.may_decide
        word = _("Decide") if decides else pgettext("a result or a roll", "Enter")
        links = [("events:table", word)]
        if self.may_extend:
            links.append(("events:extend", _("More time")))
        return format_html_join(
            " ",
            '<a class="button second" href="{}" aria-label="{} – {}">{}</a>',
            ((reverse(name, args=where), text, record.table, text) for name, text in links),
        )
