"""The cards of quick answers: an attack, and “May I?”. Every choice is a link, and everything chosen is in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.engine import Edition
from rules.quick.attack import ATTACK
from rules.quick.cards import Card, Choice, Field, Number, Several
from rules.quick.may_i import BREAK_AWAY, CARRY, KNOCK_BACK, OUTWIT, PUSHING
from rules.views.board_page import written
from rules.views.quick import CARDS, shared_facts
from rules.views.weighed import weigh

BY_NAME: Mapping[str, Card] = {one.name: one for one in (ATTACK, BREAK_AWAY, CARRY, PUSHING, OUTWIT, KNOCK_BACK)}
MOST_OPEN = 10
"""How many options of one choice stay open; more are folded under the one that is chosen."""


@dataclass(frozen=True, slots=True)
class Link:
    """An option on a page: its key, its words, the address that chooses it (or takes it back), whether it is chosen."""

    key: str
    words: str
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field on a page: its options, or its number with the links for one less and one more ("" at the limits)."""

    field: Field
    options: tuple[Link, ...] = ()
    number: int | None = None
    less: str = ""
    more: str = ""

    @property
    def folds(self) -> bool:
        """Whether there are so many options that those not chosen are folded."""
        return isinstance(self.field, Choice) and len(self.options) > MOST_OPEN

    @property
    def chosen_words(self) -> str:
        """The words of what is chosen."""
        return ", ".join(one.words for one in self.options if one.chosen)


@require_safe
def card(request: HttpRequest, name: str) -> HttpResponse:
    """Show a card with what is chosen, and its answer."""
    chosen_card = BY_NAME.get(name)
    if chosen_card is None:
        raise Http404(_("This card doesn't exist."))
    facts = shared_facts(request, name)
    edition: Edition = facts["edition"]
    fields, chosen = chosen_card.read(edition, request.GET)
    answer = chosen_card.answer(edition, chosen)
    facts |= {
        "title": dict(CARDS)[name],
        "kept": [(key, text) for key, text in _given(edition, fields, chosen).items() if key != "edition"],
        "fields": [_shown(name, edition, fields, chosen, one) for one in fields if not _is_settled(one)],
        "answer": answer,
        "rulings": weigh(answer.replay.rulings, answer.replay.topics),
        "document": written(answer.document),
    }
    return render(request, "rules/quick/card.html", facts)


def _is_settled(one: Field) -> bool:
    """Return whether a book leaves nothing to choose in a field."""
    return not isinstance(one, Number) and len(one.options) < (2 if isinstance(one, Choice) else 1)


def _given(edition: Edition, fields: Any, chosen: Mapping[str, Any]) -> dict[str, str]:
    """Return what is chosen as the address has it, without what is chosen anyway."""
    given = {"edition": edition.name}
    for one in fields:
        value = chosen[one.key]
        text = ",".join(value) if isinstance(one, Several) else str(value)
        if value != one.read(""):
            given[one.key] = text
    return given


def _shown(name: str, edition: Edition, fields: Any, chosen: Mapping[str, Any], one: Field) -> ShownField:
    value = chosen[one.key]

    def address(other: Any) -> str:
        return f"{reverse('rules:quick-card', args=[name])}?{urlencode(_given(edition, fields, {**chosen, one.key: other}))}"

    match one:
        case Number(least=least, most=most):
            less = address(value - 1) if value > least else ""
            more = address(value + 1) if value < most else ""
            return ShownField(one, number=value, less=less, more=more)
        case Choice(options=options):
            return ShownField(one, tuple(Link(key, words, address(key), key == value) for key, words in options))
        case Several(options=options):
            links = []
            for key, words in options:
                others = tuple(other for other in value if other != key)
                links.append(Link(key, words, address(others if key in value else (*value, key)), key in value))
            return ShownField(one, tuple(links))
