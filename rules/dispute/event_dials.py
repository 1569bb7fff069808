"""A dispute's event dial as a form: its colours click by click, when it turns, and what each colour does, in words."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.engine import EDITIONS
from rules.positions import BadChange, Document

NEVER = "never"
MOMENTS: dict[str, Promise] = {
    NEVER: gettext_lazy("only by hand"),
    "start-of-turn": gettext_lazy("at the start of every turn"),
    "end-of-turn": gettext_lazy("at the end of every turn"),
    "when-ko": gettext_lazy("when a character is KO'd"),
}
"""When an event dial turns, as far as the form knows; the position file knows more."""
OTHERWISE = "as-written"
NONE = "-"


@dataclass(frozen=True, slots=True)
class EventDialForm:
    """What the form shows: an empty one where the dispute has no event dial."""

    name: str = ""
    clicks: str = ""
    click: int = 1
    red_line: bool = False
    moments: tuple[tuple[str, Promise | str, bool], ...] = ()
    words: str = ""
    """What the colours do, one on each line: `red: …`."""


def event_dial_form(document: Mapping[str, Any]) -> EventDialForm | None:
    """Return the form for a position's event dial; None if its edition has none."""
    if "event-dials" not in EDITIONS[document["edition"]].force.tactics:
        return None
    dial = document.get("event_dial") or {}
    chosen = _moment_of(dial)
    moments: list[tuple[str, Promise | str, bool]] = [(key, words, key == chosen) for key, words in MOMENTS.items()]
    if chosen == OTHERWISE:
        moments.append((OTHERWISE, _("as the position file says"), True))
    told = [
        f"{color}: {card.get('text', '')}"
        for color, cards in dial.get("colors", {}).items()
        for card in cards
        if _in_words(color, card)
    ]
    return EventDialForm(
        dial.get("name", ""),
        ", ".join("/".join(colors) or NONE for colors in dial.get("clicks", ())),
        dial.get("click", 1),
        dial.get("red_line", False),
        tuple(moments),
        "\n".join(told),
    )


def _moment_of(dial: Mapping[str, Any]) -> str:
    turns = dial.get("turns") or ()
    if not turns:
        return NEVER
    plain = [one["moment"] for one in turns if one.get("of") is None and one.get("by", 1) == 1]
    return plain[0] if len(plain) == len(turns) == 1 else OTHERWISE


def _in_words(color: str, card: Mapping[str, Any]) -> bool:
    """Return whether a card is one that the form wrote: a colour's words, which the judge applies."""
    return card["name"] == color and card.get("effects") == [{"do": "by-hand"}]


def with_event_dial(document: Mapping[str, Any], given: QueryDict) -> Document:
    """Return the position with the event dial of the form, without any if the form names none. Raises BadChange.

    Effects of colours that the position file has stay as long as a click shows their colour.
    """
    changed = deepcopy(dict(document))
    name = given.get("name", "").strip()[:80]
    if not name:
        changed.pop("event_dial", None)
        return changed
    clicks = [_colors(one) for one in given.get("clicks", "").split(",") if one.strip()]
    if not clicks:
        raise BadChange(
            _("Enter the colours click by click, such as “blue, red, -”. Write - for a click without a colour.")
        )
    before = changed.get("event_dial") or {}
    shown = {color for colors in clicks for color in colors}
    colors = {
        color: kept
        for color, cards in before.get("colors", {}).items()
        if color in shown and (kept := [card for card in cards if not _in_words(color, card)])
    }
    for color, words in _words_of(given.get("words", ""), shown):
        card = {"name": color, "kind": "condition", "text": words, "effects": [{"do": "by-hand"}]}
        colors.setdefault(color, []).append(card)
    moment = given.get("moment", NEVER)
    turns = before.get("turns", []) if moment == OTHERWISE else [{"moment": moment}] if moment != NEVER else []
    click = given.get("click", "1")
    number = int(click) if click.isascii() and click.isdigit() and len(click) < 4 else 0
    if not 1 <= number <= len(clicks):
        message = ngettext(
            "This event dial has %(number)s click. Enter click 1.",
            "This event dial has %(number)s clicks. Enter a click from 1 to %(number)s.",
            len(clicks),
        )
        raise BadChange(message % {"number": len(clicks)})
    changed["event_dial"] = {
        "name": name,
        "clicks": clicks,
        "click": number,
        "red_line": "red_line" in given,
        "turns": turns,
        "colors": colors,
    }
    return changed


def _colors(text: str) -> list[str]:
    return [color.strip() for color in text.split("/") if color.strip() not in ("", NONE)]


def _words_of(text: str, shown: set[str]) -> list[tuple[str, str]]:
    found = []
    for line in text.splitlines():
        if not line.strip():
            continue
        color, _colon, words = (part.strip() for part in line.partition(":"))
        if color not in shown or not words:
            message = _("Begin each line with a colour of the dial and a colon, such as “red: Attack values +1”.")
            raise BadChange(message)
        found.append((color, words))
    return found
