"""The table of a series and the list of series."""

from __future__ import annotations

import html
from collections.abc import Collection
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.models import SeriesEvent
from events.series import Score, SeriesRow
from events.series_columns import missing_text, place_text, points_text
from events.series_table import SeriesTable as Computed

from .columns import MAIN
from .standings import FOLDED_NUMBER, NUMBER


class ScoreColumn(tables.Column):
    """A player's points at one event; those that don't count stand in brackets."""

    def __init__(self, row: SeriesEvent, day: str) -> None:
        self.key = row.event_id
        heading = format_html('<abbr title="{}">{}</abbr>', row.event.name, day)
        super().__init__(verbose_name=heading, attrs=FOLDED_NUMBER, empty_values=(), orderable=False)

    def render(self, record: SeriesRow) -> SafeString:
        """Render the points."""
        return score_cell(record.scores.get(self.key))


def score_cell(score: Score | None) -> SafeString:
    """Return a score as a cell of the table on pages."""
    if score is None:
        return SafeString("–")
    text = html.escape(points_text(score.points))
    if score.is_best:
        return SafeString(text)
    return format_html(
        '<span class="quiet">({})</span><span class="hidden-but-read"> {}</span>',
        text,
        _("not counted towards the total"),
    )


class SeriesTable(tables.Table):
    """The table of a series, with a column for each event that counts."""

    place = tables.Column(verbose_name=gettext_lazy("Place"), attrs=NUMBER, empty_values=(), orderable=False)
    name = tables.Column(verbose_name=gettext_lazy("Player"), attrs=MAIN, empty_values=(), orderable=False)
    events = tables.Column(verbose_name=gettext_lazy("Events"), attrs=NUMBER, empty_values=(), orderable=False)
    total = tables.Column(verbose_name=gettext_lazy("Points"), attrs=NUMBER, empty_values=(), orderable=False)

    class Meta:
        attrs = {"class": "table ranks"}
        empty_text = gettext_lazy("No results yet. The standings appear once the first event has finished.")

    def __init__(self, found: Computed, days: dict[int, str], own: Collection[str] = (), **kwargs: Any) -> None:
        self.players = found.players
        self.own = own
        self.needed = found.series.min_events
        self.caption = _("Table")
        self.caption_hidden = True
        columns = [(f"event_{row.pk}", ScoreColumn(row, days[row.pk])) for row in found.counted]
        super().__init__(
            list(found.lines),
            extra_columns=columns,
            row_attrs={"class": lambda record: "mine" if record.player in own else ""},
            exclude=() if self.needed > 1 else ("events",),
            **kwargs,
        )

    def render_place(self, record: SeriesRow) -> str:
        """Return the place, shared or not."""
        return place_text(record)

    def render_name(self, record: SeriesRow) -> str:
        """Return the public name; the reader's own is marked."""
        name = self.players[record.player].name
        if record.player not in self.own:
            return name
        return format_html('{} <span class="hidden-but-read">({})</span>', name, _("you"))

    def render_events(self, record: SeriesRow) -> SafeString:
        """Return how many events count for eligibility, of how many are needed."""
        if not record.missing:
            return SafeString(str(record.attended))
        text = format_html('<span class="quiet">{}/{}</span>', record.attended, self.needed)
        return format_html('{}<span class="hidden-but-read">: {}</span>', text, missing_text(record))

    def render_total(self, record: SeriesRow) -> SafeString:
        """Return the points that count."""
        return format_html("<strong>{}</strong>", points_text(record.total))


class SeriesListTable(tables.Table):
    """All series, the newest first."""

    caption = gettext_lazy("Series")
    name = tables.Column(
        verbose_name=gettext_lazy("Series"),
        linkify=lambda record: reverse("events:series", args=[record.public_id]),
        attrs=MAIN,
    )
    venue = tables.Column(
        verbose_name=gettext_lazy("Organiser"), linkify=lambda record: reverse("events:venue", args=[record.venue_id])
    )
    ended = tables.DateColumn(verbose_name=gettext_lazy("Ended"), format="j N Y", default="–")

    class Meta:
        attrs = {"class": "folds lines"}
        orderable = False
        empty_text = gettext_lazy("No series yet. A venue manager can create one on the venue's page.")
