"""Tables of a round's matches: all of them, or the open ones."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events.clock import Clock
from events.models import Extension, Match, Round
from events.results.words import sentence
from events.services.clock import extra_seconds
from events.services.results import terms_of
from events.templatetags.event_clock import face

from .columns import FOLD, MAIN, state_in_words, ways

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
        empty_text = gettext_lazy("This round has no tables. A table appears here once players are seated at it.")
        row_attrs = _row()
        order_by = "table"

    def render_table(self, record: Match) -> SafeString:
        """Link to the table's page."""
        address = reverse("events:table", args=[record.round.event.public_id, record.round.number, record.table])
        return table_link(record, address)

    def render_players(self, record: Match) -> str:
        """Return the players, in the order of the slip."""
        return " – ".join(entry.name for entry in record.entries)

    def render_state(self, value: object, record: Match) -> SafeString:
        """Return the state in words, with its shape and colour."""
        return state_in_words(record.state, record.get_state_display())

    def render_result(self, record: Match) -> str:
        """Return the result in one line."""
        return sentence(record.result, terms_of(record, with_forces=False)) if record.result else ""


def table_link(match: Match, address: str) -> SafeString:
    """Return the table number as a link to the table's page."""
    label = _("Table %(table)s") % {"table": match.table}
    return format_html('<a class="table-number target" href="{}" aria-label="{}">{}</a>', address, label, match.table)


LABEL = 'aria-label=""'


def _label(match: Match) -> str:
    """Return how the clock names the table, as `events/clock/face.html` writes it."""
    return format_html('aria-label="{}"', _("Time left at table %(table)s") % {"table": match.table})


def _extensions(match: Match) -> list[Extension]:
    return [extension for extension in match.extensions.all() if not extension.withdrawn]


class OpenMatchTable(MatchTable):
    """The open tables, disputes first, then by their time left."""

    left = tables.Column(verbose_name=gettext_lazy("Time left"), accessor="pk", orderable=False)
    extra = tables.Column(
        verbose_name=gettext_lazy("Extension"), accessor="pk", orderable=False, empty_values=(), attrs=FOLD
    )
    do = tables.Column(verbose_name=gettext_lazy("Next step"), accessor="pk", orderable=False, attrs=FOLD)

    caption = gettext_lazy("Open tables: mismatched reports first, then by time left")
    caption_hidden = True

    class Meta:
        empty_text = gettext_lazy("Every table has a result.")
        attrs = {"class": "table folds lines open-tables"}
        sequence = ("table", "players", "left", "state", "extra", "do")
        orderable = False
        order_by = ()

    def __init__(
        self, rows: list[Match], *, round: Round, stored: Clock, may_extend: bool, may_decide: bool, **kwargs: Any
    ) -> None:
        self.stored, self.may_extend, self.may_decide = stored, may_extend, may_decide
        self.clocks: dict[int, str] = {}
        self.way = ways("events:table", round.event.public_id, round.number)
        self.way_to_extend = ways("events:extend", round.event.public_id, round.number)
        used = {"state": any(row.state != Match.State.OPEN for row in rows), "extra": any(map(_extensions, rows))}
        super().__init__(rows, exclude=("result", *(name for name, is_used in used.items() if not is_used)), **kwargs)

    def render_table(self, record: Match) -> SafeString:
        """Link to the table's page."""
        return table_link(record, self.way(record.table))

    def render_players(self, record: Match) -> SafeString:
        """Link the players to the table's page: on a phone, the whole line is pressed. A name begins its own line."""
        *others, last = (entry.name for entry in record.entries)
        names = format_html_join("", '<span class="whole">{} –</span> ', ((name,) for name in others))
        return format_html(
            '<a href="{}" tabindex="-1">{}<span class="whole">{}</span></a>', self.way(record.table), names, last
        )

    def render_state(self, value: object, record: Match) -> SafeString:
        """Return the state if it is more than that the table is open, which all here are."""
        return SafeString("") if record.state == Match.State.OPEN else super().render_state(value, record)

    def render_left(self, record: Match) -> SafeString:
        """Return the table's own clock: drawn once for all tables with the same extra time, except for its label."""
        extra = extra_seconds(record)
        if extra not in self.clocks:
            facts = face(record.round, match=record, size="small", stored=self.stored)
            self.clocks[extra] = render_to_string("events/clock/face.html", facts).replace(_label(record), LABEL)
        return SafeString(self.clocks[extra].replace(LABEL, _label(record)))

    def render_extra(self, record: Match) -> str:
        """Return the extra minutes with their reasons."""
        given = _extensions(record)
        if not given:
            return ""
        minutes = extra_seconds(record) // 60
        reasons = "; ".join(extension.reason for extension in given)
        return (ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}) + f" · {reasons}"

    def render_do(self, record: Match) -> SafeString:
        """Return links to the table's next step and to extra time, as far as the visitor may."""
        decides = record.state == Match.State.DISPUTED and self.may_decide
        word = _("Decide result") if decides else _("Enter result")
        links = [(self.way, word)]
        if self.may_extend:
            links.append((self.way_to_extend, _("Give extension")))
        return format_html_join(
            " ",
            '<a class="button second" href="{}" aria-label="{} – {}">{}</a>',
            ((way(record.table), text, record.table, text) for way, text in links),
        )
