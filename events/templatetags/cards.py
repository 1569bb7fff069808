"""Card texts on pages of `rules`: templates load this library, because `rules` doesn't know who is signed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from events.roles import is_signed_in
from rules.card_effects import FigureCard, cards_of
from rules.card_texts import CardText
from rules.dispute.desk import FigureBeside
from rules.dispute.figures import FigureView
from rules.dispute.sheet import Sheet, SheetCard
from rules.models import Element
from rules.queries import card_texts, card_texts_by_number, cards_by_number
from rules.views.cards import may_correct_cards

register = template.Library()
Shown = TypeVar("Shown", FigureView, FigureBeside)


@register.inclusion_tag("rules/catalogue/card_texts.html", takes_context=True)
def card_texts_of(context: template.Context, element: Element) -> dict[str, Any]:
    """Show an element's card texts to people who are signed in, and ask others to; a figure's with their effects."""
    request = context["request"]
    texts: list[Any] = card_texts([element.code]).get(element.code) or []
    may_read = is_signed_in(request)
    if may_read and element.section == Element.Section.CHARACTERS:
        cards = cards_of({"name": element.name, **context["facts"]}, texts)
        texts = [{"slot": one.slot, "name": one.name, "sort": one.sort, "text": one.text, "card": one} for one in cards]
    corrects = may_correct_cards(request) and element.section == Element.Section.CHARACTERS
    return {"texts": texts, "element": element, "corrects": corrects, "may_read": may_read, "request": request}


@register.inclusion_tag("rules/disputes/sheet_cards.html", takes_context=True)
def cards_on_sheet(context: template.Context, sheet: Sheet) -> dict[str, Any]:
    """Show the cards of a figure: what the engine takes into account, for people who are signed in clause by clause."""
    shown: dict[str, Any] = {
        **{str(key): value for key, value in context.flatten().items()},
        "figure": sheet.id,
        "cards": sheet.cards,
    }
    found = cards_by_number([sheet.printed]).get(sheet.printed) if is_signed_in(context["request"]) else None
    if found is None:
        return shown
    cards = cards_of(found.facts, found.texts)
    if may_correct_cards(context["request"]):
        asked = urlencode({"dispute": context["row"].public_id, "sheet": sheet.id})
        shown["correct"] = f"{reverse('rules:element-cards', args=found.code.split('/', 1))}?{asked}"
    shown["renewed"] = [card.in_position for card in cards] != sheet.in_position
    return {
        **shown,
        "cards": [_with_text(one, card, cards) for one, card in zip(sheet.cards, sheet.in_position, strict=True)],
    }


def _with_text(shown: SheetCard, card: dict[str, Any], catalogued: Sequence[FigureCard]) -> SheetCard:
    """Return a card of a sheet with the clauses of its text, if its effects are those proposed from them."""
    same = next((one for one in catalogued if not one.confirmed and one.in_position == card), None)
    return shown if same is None else replace(shown, lines=same.lines)


@register.simple_tag(takes_context=True)
def with_card_texts(context: template.Context, figures: Sequence[Shown]) -> list[tuple[Shown, list[CardText]]]:
    """Return figures on a board or beside it, each with the texts of its card if the reader is signed in."""
    texts = card_texts_by_number(one.printed for one in figures) if is_signed_in(context["request"]) else {}
    return [(one, texts.get(one.printed, [])) for one in figures]
