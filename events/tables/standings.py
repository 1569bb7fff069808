"""Tables of standings, and of the data beside the drawings."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.models import Event, Team
from events.queries import PlaceInStandings
from events.standings_columns import NAME, PLACE, Column

from .columns import FOLD, MAIN, link, ways

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}
FOLDED_NUMBER = {"td": {"class": "number fold"}, "th": {"class": "number fold"}}


def shown_place(place: PlaceInStandings) -> str:
    """Return the place, with a sign and a word if it is shared."""
    if not place.is_tied:
        return str(place.place)
    return format_html(
        '{}<span aria-hidden="true">=</span><span class="hidden-but-read"> {}</span>', place.place, _("shared")
    )


def path_link(address: str, place: PlaceInStandings) -> SafeString:
    """Return the name as a link to the player's path, flagged if the player has left."""
    shown = link(address, place.entry.public_name)
    if not place.has_left or isinstance(place.entry, Team):
        return shown
    return format_html('{} <span class="quiet">({})</span>', shown, place.entry.get_state_display())


class TextColumn(tables.Column):
    """A column of the standings; tie-breakers sort by their exact values, bold where they decide."""

    def __init__(self, column: Column, **kwargs: Any) -> None:
        self.column = column
        attrs = (FOLDED_NUMBER if column.folds else NUMBER) if column.is_number else FOLD
        super().__init__(verbose_name=column.heading, attrs=attrs, empty_values=(), **kwargs)

    def render(self, record: PlaceInStandings) -> str:
        """Render the value."""
        text = self.column.text(record)
        decides = self.column.criterion is not None and record.cells[self.column.criterion].decides
        return SafeString(f"<strong>{html.escape(text)}</strong>") if decides else text


def _drawn(column: Column) -> tuple[str, tables.Column]:
    """Return a column under the name used for sorting in URLs."""
    if column.name == PLACE.name:
        return "place", tables.Column(verbose_name=column.heading, attrs=NUMBER, empty_values=())
    if column.name == NAME.name:
        return "name", tables.Column(verbose_name=column.heading, attrs=MAIN, empty_values=())
    if column.criterion is None:
        return column.name, TextColumn(column, accessor="match_points", orderable=False)
    cell = f"cells__{column.criterion}"
    return f"criterion_{column.criterion}", TextColumn(column, accessor=cell, order_by=f"{cell}__value")


class StandingsTable(tables.Table):
    """The standings, with a column for each of the event's tie-breakers."""

    class Meta:
        empty_text = gettext_lazy("No standings yet. They appear once players have checked in.")
        order_by = "place"
        attrs = {"class": "table ranks"}

    def __init__(
        self, places: Sequence[PlaceInStandings], *, event: Event, columns: Sequence[Column], caption: str,
        cut_after: int = 0, profiles: Mapping[int, str] | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        self.profiles = profiles or {}
        self.path = ways("events:path", event.public_id)
        self.caption = caption
        self.line_under = _last_above_the_cut(places, cut_after)
        super().__init__(
            list(places),
            extra_columns=[_drawn(column) for column in columns],
            row_attrs={"class": self._row_class},
            **kwargs,
        )

    def _row_class(self, record: PlaceInStandings) -> str:
        classes = []
        if record.has_left:
            classes.append("gone")
        if record.number == self.line_under:
            classes.append("cut-line")
        return " ".join(classes)

    def render_place(self, record: PlaceInStandings) -> str:
        """Return the place, shared or not."""
        return shown_place(record)

    def render_name(self, record: PlaceInStandings) -> SafeString:
        """Link to the player's path, and to their public profile if they have one."""
        shown = path_link(self.path(record.number), record)
        if key := self.profiles.get(record.number):
            address = reverse("events:profile", args=[key])
            return format_html('{} · <a class="quiet" href="{}">{}</a>', shown, address, _("profile"))
        return shown


class TeamStandingsTable(StandingsTable):
    """The standings of the teams, in the order of their places."""

    class Meta(StandingsTable.Meta):
        orderable = False

    def render_name(self, record: PlaceInStandings) -> SafeString:
        """Return the team's name, and its players' names if it has another."""
        team = record.entry
        assert isinstance(team, Team)
        if not team.title:
            return format_html("{}", team.public_name)
        names = ", ".join(entry.public_name for entry in team.partners or team.members)
        return format_html('{} <span class="quiet small">{}</span>', team.title, names)


def _last_above_the_cut(places: Sequence[PlaceInStandings], cut_after: int) -> int | None:
    playing = [place for place in places if not place.has_left]
    return playing[cut_after - 1].number if cut_after and len(playing) > cut_after else None


class LinesTable(tables.Table):
    """The table beside a drawing. Rows are dictionaries. If `is_wide`, it scrolls under its first column on a phone."""

    class Meta:
        empty_text = gettext_lazy("No rounds yet. Each round appears here once its pairings are published.")
        orderable = False

    def __init__(
        self, lines: Sequence[dict[str, Any]], *, heads: Sequence[tuple[str, Any]], caption: Any, is_wide: bool = False
    ) -> None:
        self.caption = caption
        attrs = dict.fromkeys(("number", "place", "points"), NUMBER) | {
            "name": MAIN,
            "opponent": MAIN,
            "table": FOLDED_NUMBER,
        }
        columns = [
            (key, tables.Column(verbose_name=head, attrs=attrs.get(key, {}), empty_values=(None,)))
            for key, head in heads
        ]
        super().__init__(
            list(lines),
            extra_columns=columns,
            row_attrs={"class": lambda record: record.get("class", "")},
            attrs={"class": "table first-stays" if is_wide else "table ranks"},
        )
