"""Quick answers: “X against Y”, answered by the engine on a position made for it. Open to everyone.

Everything chosen is in the address, so an answer can be shared and every choice is a link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from rules.dispute.words import action_words
from rules.engine import EDITIONS, Edition, power_rows, power_text
from rules.piece_form import STANDARD, STANDARD_RANGE
from rules.quick.against import Meeting, meeting, rulings_on, rulings_on_one
from rules.quick.positions import DAMAGE
from rules.quick.terms import Term, find_terms, read_term
from rules.views.board_page import FIRST_EDITION, written
from rules.views.rulebook import ShownRuling, show_rulings

CARDS: tuple[tuple[str, Promise], ...] = (
    ("", gettext_lazy("X against Y")),
    ("attack", gettext_lazy("Attack")),
    ("break-away", gettext_lazy("Break away")),
    ("carry", gettext_lazy("Carry")),
    ("pushing", gettext_lazy("Push")),
    ("outwit", gettext_lazy("Outwit")),
    ("knock-back", gettext_lazy("Knock back")),
)
"""The pages of quick answers: the name of each card ("" for “X against Y”), and its title."""
FEW = 6
KINDS: tuple[tuple[str, Promise], ...] = (
    ("power", gettext_lazy("Powers")),
    ("team", gettext_lazy("Team abilities")),
    ("condition", gettext_lazy("Terrain and conditions")),
)


@dataclass(frozen=True, slots=True)
class Chip:
    """A term to tap, and the address that chooses it."""

    term: Term
    address: str


@dataclass(frozen=True, slots=True)
class ShownMeeting:
    """A meeting on a page: what comes of it in one sentence, how it was tried, its rulings, and its document."""

    meeting: Meeting
    lead: str
    tried: str
    deciding: list[ShownRuling]
    document: str
    title: str


def chosen_edition(request: HttpRequest) -> Edition:
    """Return the edition of the address; if it names none, that of the running event, else the first one."""
    named = request.GET.get("edition", "")
    if named not in EDITIONS:
        named = render_to_string("rules/quick/running.txt", request=request).strip() or FIRST_EDITION
    return EDITIONS[named]


def shared_facts(request: HttpRequest, card: str) -> dict[str, Any]:
    """Return what every page of quick answers shows: its tabs and the edition."""
    edition = chosen_edition(request)
    chosen = urlencode({"edition": edition.name})
    places = [reverse("rules:quick-card", args=[name]) if name else reverse("rules:quick") for name, _title in CARDS]
    tabs = [(name, title, f"{place}?{chosen}") for (name, title), place in zip(CARDS, places, strict=True)]
    return {"tabs": tabs, "card": card, "edition": edition, "editions": EDITIONS.values()}


@require_safe
def against(request: HttpRequest) -> HttpResponse:
    """Ask for two things and say what happens where they meet, in both directions."""
    facts = shared_facts(request, "")
    edition: Edition = facts["edition"]
    typed = {key: " ".join(request.GET.get(key, "").replace("\0", " ").split())[:80] for key in ("x", "y")}
    terms = {key: read_term(edition.name, text) if text else None for key, text in typed.items()}
    facts |= {"typed": {key: term.name if (term := terms[key]) else typed[key] for key in typed}, "terms": terms}
    asking = next((key for key in ("x", "y") if terms[key] is None), "")
    first, second = terms["x"], terms["y"]
    if first is not None and second is not None:
        facts |= _answered(edition, first, second)
    else:
        facts |= _asked(edition, asking, typed)
    return render(request, "rules/quick/against.html", facts)


def _address(edition: Edition, **chosen: str) -> str:
    given = {key: part for key, part in chosen.items() if part}
    return f"{reverse('rules:quick')}?{urlencode({'edition': edition.name, **given})}"


def _asked(edition: Edition, asking: str, typed: dict[str, str]) -> dict[str, Any]:
    """Return what may be meant by what is typed in a field, as chips by kind."""
    found = find_terms(edition.name, typed[asking])
    kinds = [
        (title, [Chip(one, _address(edition, **{**typed, asking: one.key})) for one in found if one.kind == kind])
        for kind, title in KINDS
    ]
    elsewhere = [] if found else [one for one in EDITIONS.values() if find_terms(one.name, typed[asking])]
    return {
        "asking": asking,
        "kinds": [(title, chips) for title, chips in kinds if chips],
        "elsewhere": [(one, _address(one, **typed)) for one in elsewhere],
    }


def _answered(edition: Edition, first: Term, second: Term) -> dict[str, Any]:
    """Return what happens where two things meet, and the rulings about both."""
    ways = [(first, second)] if first == second else [(first, second), (second, first)]
    found = [_shown(edition, one) for way in ways if (one := meeting(edition.name, way[0].key, way[1].key))]
    both = rulings_on(edition.name, first.topic, second.topic)
    told = {one.ruling.id for shown in found for one in shown.deciding}
    apart = (
        []
        if found
        else [(one, show_rulings(rulings_on_one(edition.name, one.topic, other.topic)[:3])) for one, other in ways]
    )
    known = power_rows(edition.name)
    return {
        "found": found,
        "both": show_rulings(one for one in both[:FEW] if one.id not in told),
        "apart": apart,
        "by_card": [one for one in dict.fromkeys((first, second)) if (row := edition.row(one.name)) and not row.known],
        "does": [
            (one, power_text(edition.name, one.name).does.text)
            for one in dict.fromkeys((first, second))
            if one.name in known
        ],
        "swapped": _address(edition, x=second.key, y=first.key),
        "again": _address(edition),
    }


def _shown(edition: Edition, found: Meeting) -> ShownMeeting:
    names = {"first": found.first.name, "second": found.second.name}
    leads = {
        "stops": _("%(second)s can stop %(first)s."),
        "ignored": _("%(second)s makes no difference to %(first)s."),
        "powerless": _("%(first)s makes no difference against %(second)s."),
        "both": _("Both apply."),
    }
    deciding = [one for one in found.replay.rulings if one.weight == "decides"]
    return ShownMeeting(
        meeting=found,
        lead=leads[found.how] % names,
        tried=" · ".join(_tried(found)),
        deciding=show_rulings(deciding),
        document=written(found.asked),
        title=_("%(first)s against %(second)s") % names,
    )


def _tried(found: Meeting) -> list[str]:
    """Return how a meeting was tried: the act, the figures, what else stands there, the dice."""
    scenery, names = found.scenery, {"first": found.first.name, "second": found.second.name}
    values = {**STANDARD, "damage": DAMAGE, "range": STANDARD_RANGE}
    said = [
        *(action_words(found.document, action) for action in found.document["actions"]),
        _("figures with attack %(attack)s, defense %(defense)s, damage %(damage)s, range %(range)s") % values,
        _("adjacent") if scenery.near else _("4 squares apart"),
    ]
    if scenery.cover:
        said.append(_("the target in hindering terrain"))
    if scenery.friend:
        beside = (
            _("a friendly figure with %(second)s adjacent to the target")
            if scenery.on_friend
            else _("a friendly figure adjacent to the target")
        )
        said.append(beside % names)
    if scenery.supported:
        near = (
            _("a friendly figure with %(first)s adjacent to the attacker")
            if scenery.from_friend
            else _("a friendly figure adjacent to the attacker")
        )
        said.append(near % names)
    if scenery.tokens:
        said.append(_("the target has an action token"))
    if scenery.wounded:
        said.append(_("each figure has taken 2 clicks"))
    rolls = {name: dice for action in found.document["actions"] for name, dice in action.get("rolls", {}).items()}
    if "attack" in rolls:
        said.append(_("attack roll %(dice)s") % {"dice": " + ".join(map(str, rolls["attack"][0]))})
    if "damage" in rolls:
        said.append(_("damage die %(die)s") % {"die": rolls["damage"][0][0]})
    return said
