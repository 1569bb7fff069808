"""The rulebooks' short names on pages."""

from __future__ import annotations

from django import template

from rules.engine import Edition
from rules.tables import EDITIONS

register = template.Library()
SHORT = dict(EDITIONS)


@register.filter
def short_title(edition: Edition) -> str:
    """Return a rulebook's name as it fits into a list or a line of a phone: "DC starter set (2005)"."""
    return str(SHORT.get(edition.name, edition.title))
