"""Columns shared by several tables."""

from __future__ import annotations

import datetime
import html
from collections.abc import Callable

import django_tables2 as tables
from django.db import models
from django.urls import reverse
from django.utils import formats
from django.utils.html import format_html
from django.utils.safestring import SafeString

from events.templatetags.headjudge import state_in_words

MAIN = {"td": {"class": "main"}, "th": {"class": "main"}}
FOLD = {"td": {"class": "fold"}, "th": {"class": "fold"}}
STAYS = {"td": {"class": "fold stays"}, "th": {"class": "fold"}}
"""A column that folds on a phone, but stays where a table shows one line a row."""


class StateColumn(tables.Column):
    """A row's state in words, with its shape and colour."""

    def render(self, value: object, record: models.Model, bound_column: tables.columns.BoundColumn) -> SafeString:
        """Render the state as on every page."""
        return state_in_words(str(getattr(record, bound_column.accessor)), str(value))


def ways(name: str, *args: object) -> Callable[[int | None], str]:
    """Return a function from the last number of a URL to the URL; resolves the pattern only once."""
    before, after = reverse(name, args=[*args, 0]).rsplit("0", 1)
    return lambda number: f"{before}{number}{after}"


def link(address: str, text: str) -> SafeString:
    """Return a link to one of our own addresses; in tables of a thousand cells, faster than `format_html`."""
    return SafeString(f'<a href="{address}">{html.escape(text)}</a>')


def mark_row(rows: SafeString, address: str, note: str = "") -> SafeString:
    """Mark the reader's own row of a rendered table: the first that links to `address`, with a note after the link."""
    before, opened, after = rows.partition(f'<a href="{address}">')
    if not opened:
        return rows
    above, tag, cells = before.rpartition('<tr role="row"')
    marked = ' class="mine ' + cells[len(' class="') :] if cells.startswith(' class="') else f' class="mine"{cells}'
    name, closed, below = after.partition("</a>")
    return SafeString(above + tag + marked + opened + name + closed + note + below)


class VenueTimeColumn(tables.Column):
    """A time in the zone of the event's venue, with its weekday."""

    words = "D j N Y, H:i"

    def render(self, value: datetime.datetime, record: models.Model) -> SafeString:
        """Render the time."""
        local = value.astimezone(record.venue.zone)  # type: ignore[attr-defined]
        return format_html('<time datetime="{}">{}</time>', local.isoformat(), formats.date_format(local, self.words))
