"""Pages that everyone in a full hall opens at once, each their own: rendered once for each kind of reader, then filled in.

A kind is everything by which such pages differ, except names, numbers and times of one reader or one moment. The
template is rendered from the kind alone, with marks where those belong, so nothing of one reader can remain in it. Each
reader's own values then take the places of the marks.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

MAX_FORMS = 400
NUMBERS = ("entry", "table", "version", "fixed_table")
FIRST_NUMBER = 60_917_253_000_000
"""Marks of numbers are numbers, so that they fit into addresses; no kind has a number or a text of its own like them."""
MARKS = re.compile(rf"\0(\w+)\0|{FIRST_NUMBER // 1000}(\d\d\d)")
Value = Callable[[], Any] | Any


class Kind(Protocol):
    """Everything by which the pages of a template differ but the values filled in; hashable."""

    def facts(self) -> dict[str, Any]:
        """Return what the template is rendered with, made from the kind alone."""

    def __hash__(self) -> int: ...


def mark(name: str) -> str:
    """Return what stands for a text until it is known; no text contains a NUL."""
    return f"\0{name}\0"


def number_mark(name: str) -> int:
    """Return what stands for one of `NUMBERS` until it is known."""
    return FIRST_NUMBER + NUMBERS.index(name)


class _Form(NamedTuple):
    """A rendered template: a format string, and the names of its values."""

    text: str
    names: frozenset[str]


@functools.lru_cache(maxsize=MAX_FORMS)
def _form(template: str, _language: str, kind: Kind) -> _Form:
    names: set[str] = set()

    def place(found: re.Match[str]) -> str:
        name = found[1] or NUMBERS[int(found[2])]
        names.add(name)
        return f"%({name})s"

    text = MARKS.sub(place, render_to_string(template, kind.facts()).replace("%", "%%"))
    return _Form(text, frozenset(names))


def filled(template: str, kind: Kind, values: Mapping[str, Value]) -> SafeString:
    """Return a template rendered for this kind, with these values, escaped; what can be called is asked only if needed."""
    form = _form(template, get_language() or settings.LANGUAGE_CODE, kind)
    asked = {name: values[name] for name in form.names}
    return mark_safe(
        form.text % {name: conditional_escape(one() if callable(one) else one) for name, one in asked.items()}
    )
