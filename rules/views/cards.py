"""The page on which a judge confirms or corrects what a figure's cards do.

Whether the user may is asked of the user object, because the rules app has no people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from rules.card_effects import BY_HAND, Effect, FigureCard, cards_of
from rules.dials import standard_power
from rules.documents import BadFacts, too_long
from rules.models import Element
from rules.queries import card_confirmations, card_texts, element_history
from rules.services import catalogue as services
from rules.uploads import Unreadable, read_json

MAX_TYPED = 6_000


def may_correct_cards(request: HttpRequest) -> bool:
    """Return whether the user may confirm what cards do: the sanctioning office, and judges of events."""
    user = request.user
    return user.is_authenticated and any(
        getattr(user, name, False) for name in ("is_office", "is_superuser", "is_judge")
    )


def for_judges(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Restrict a view to people who may correct cards: others sign in, or are told why they can't use it."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if may_correct_cards(request):
            return view(request, *args, **named)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        message = _("Only the sanctioning office and event judges can do this.")
        return render(request, "parts/refused.html", {"message": message, "is_about_roles": True}, status=403)

    return guarded


@for_judges
def element_cards(request: HttpRequest, set_code: str, own_code: str) -> HttpResponse:
    """Show a figure's cards with their effects, and keep what a judge confirms or corrects."""
    try:
        history = element_history(f"{set_code}/{own_code}")
    except Element.DoesNotExist:
        raise Http404 from None
    element = history.element
    if element.section != Element.Section.CHARACTERS:
        raise Http404
    facts = element.facts_on().document
    cards = cards_of({"name": element.name, **facts}, card_texts([element.code]).get(element.code, []))
    fault = ""
    if request.method == "POST":
        card = next((one for one in cards if one.key == request.POST.get("card")), None)
        if card is None:
            fault = _("This card has changed. Reload the page.")
        else:
            fault = _keep(request, element, card)
            if not fault:
                proposed = request.POST.get("act") == "propose"
                words = _("Proposal for %(card)s restored.") if proposed else _("Effects of %(card)s saved.")
                messages.success(request, words % {"card": card.name or card.sort})
                return redirect(request.get_full_path())
    shown = {
        "element": element,
        "cards": [(card, _shown(card)) for card in cards],
        "confirmations": card_confirmations(element),
        "back": _back(request),
        "fault": fault,
        "faulty": request.POST.get("card", "") if fault else "",
        "typed": request.POST.get("effects", "")[:MAX_TYPED] if fault else "",
    }
    return render(request, "rules/catalogue/element_cards.html", shown, status=400 if fault else 200)


def _back(request: HttpRequest) -> str:
    """Return the address of the dispute from which the page was opened, "" if there was none."""
    key = request.GET.get("dispute", "")
    try:
        address = reverse("rules:dispute", args=[key]) if key else ""
    except NoReverseMatch:
        return ""
    return f"{address}?{urlencode({'sheet': request.GET.get('sheet', '')[:80]})}#sheet" if address else ""


def _shown(card: FigureCard) -> list[tuple[int, Any]]:
    return [(place, line) for place, line in enumerate(card.single) if line.effects[0]["do"] != "by-hand"]


def _keep(request: HttpRequest, element: Element, card: FigureCard) -> str:
    """Keep what was posted of a card; return what is wrong with it, or ""."""
    version = request.POST.get("version", "")
    try:
        services.confirm_card(
            element=element,
            heading={"slot": card.slot, "name": card.name, "sort": card.sort},
            effects=_posted(request, card),
            version=int(version) if version.isascii() and version.isdigit() and len(version) < 9 else 0,
            by=str(request.user),
        )
    except services.StaleElement:
        return _("Someone else has corrected this. Reload the page before you continue.")
    except Unreadable as bad:
        return str(bad)
    except BadFacts as bad:
        return str(bad)
    return ""


def _posted(request: HttpRequest, card: FigureCard) -> Sequence[Effect] | None:
    """Return the effects that a form gives a card; None for the proposal from its text. Raises BadFacts, Unreadable."""
    given = request.POST
    act = given.get("act")
    if act == "propose":
        return None
    if act == "write":
        if len(given.get("effects", "")) > MAX_TYPED:
            raise too_long("", MAX_TYPED)
        written: Sequence[Effect] = read_json(given.get("effects", ""), "catalogue")
        return written
    kept = [dict(line.effects[0]) for place, line in _shown(card) if f"{place}" in given.getlist("keep")]
    named = [name.strip() for name in given.get("powers", "").split("|") if name.strip()]
    unknown = [name for name in named if standard_power(name) is None]
    if unknown:
        raise BadFacts("", _("%(name)s isn't a standard power.") % {"name": unknown[0][:60]})
    if named:
        kept.append({"do": "can-use", "powers": list(dict.fromkeys(standard_power(name) or name for name in named))})
    return [*kept, dict(BY_HAND)] if "rest" in given else kept
