"""Card texts on pages of `rules`: templates load this library, because `rules` doesn't know who is signed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django import template

from events.roles import is_signed_in
from rules.card_reading import read_text
from rules.card_texts import CardText
from rules.dispute.desk import FigureBeside
from rules.dispute.figures import FigureView
from rules.models import Element
from rules.queries import card_texts, card_texts_by_number

register = template.Library()
Shown = TypeVar("Shown", FigureView, FigureBeside)


@register.inclusion_tag("rules/catalogue/card_texts.html", takes_context=True)
def card_texts_of(context: template.Context, element: Element) -> dict[str, Any]:
    """Show an element's card texts, and how far they are understood, to people who are signed in; ask others to."""
    request = context["request"]
    texts = card_texts([element.code]).get(element.code) or []
    may_read = is_signed_in(request)
    read = [{**text, "reading": read_text(text["text"], element.name)} for text in texts] if may_read else texts
    return {"texts": read, "may_read": may_read, "request": request}


@register.simple_tag(takes_context=True)
def with_card_texts(context: template.Context, figures: Sequence[Shown]) -> list[tuple[Shown, list[CardText]]]:
    """Return figures on a board or beside it, each with the texts of its card if the reader is signed in."""
    texts = card_texts_by_number(one.printed for one in figures) if is_signed_in(context["request"]) else {}
    return [(one, texts.get(one.printed, [])) for one in figures]
