"""What was typed in a form that is shown again."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def of(typed: Mapping[str, str] | None, field: str) -> str:
    """Return what was typed in a field, "" if nothing was."""
    return (typed or {}).get(field, "")
