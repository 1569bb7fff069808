"""Card texts on pages of `rules`: templates load this library, because `rules` doesn't know who is signed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django import template

from events.roles import is_signed_in
from rules.card_texts import CardText
from rules.dispute.desk import FigureBeside
from rules.dispute.figures import FigureView
from rules.queries import card_texts, card_texts_by_number

register = template.Library()
Shown = TypeVar("Shown", FigureView, FigureBeside)


@register.inclusion_tag("rules/catalogue/card_texts.html", takes_context=True)
def card_texts_of(context: template.Context, code: str) -> dict[str, Any]:
    """Show the texts of an element's card to people who are signed in; ask others to sign in."""
    request = context["request"]
    return {"texts": card_texts([code]).get(code), "may_read": is_signed_in(request), "request": request}


@register.simple_tag(takes_context=True)
def with_card_texts(context: template.Context, figures: Sequence[Shown]) -> list[tuple[Shown, list[CardText]]]:
    """Return figures on a board or beside it, each with the texts of its card if the reader is signed in."""
    texts = card_texts_by_number(one.printed for one in figures) if is_signed_in(context["request"]) else {}
    return [(one, texts.get(one.printed, [])) for one in figures]
