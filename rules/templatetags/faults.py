"""Faults of a file on pages."""

from __future__ import annotations

from django import template

from rules.engine import BadInput
from rules.fault_words import fault_sentences

register = template.Library()


@register.filter
def in_sentences(fault: BadInput) -> list[str]:
    """Return each fault of a file as a sentence, with its place in words."""
    return fault_sentences({}, fault)
