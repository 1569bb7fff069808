"""Faults of a position in sentences, of a page's own or of a file's: the figure or thing by its name instead of a JSON pointer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.engine import BadInput

KEYS: dict[str, Promise] = {
    "square": gettext_lazy("square"),
    "squares": gettext_lazy("squares"),
    "base": gettext_lazy("base"),
    "range": gettext_lazy("range"),
    "bolts": gettext_lazy("targets per ranged attack"),
    "points": gettext_lazy("points"),
    "click": gettext_lazy("on click"),
    "tokens": gettext_lazy("action tokens"),
    "flight": gettext_lazy("flight"),
    "holding": gettext_lazy("held object"),
    "teams": gettext_lazy("team abilities"),
    "countered": gettext_lazy("countered powers"),
    "speed": gettext_lazy("speed"),
    "attack": gettext_lazy("attack"),
    "defense": gettext_lazy("defense"),
    "damage": gettext_lazy("damage"),
    "powers": gettext_lazy("powers"),
}
FIELDS = {
    **{key: key for key in ("range", "bolts", "points", "click", "tokens", "flight", "holding", "teams", "countered")},
    **{key: f"value-{key}" for key in ("speed", "attack", "defense", "damage")},
    **dict.fromkeys(("square", "squares"), "where"),
    "powers": "powers",
    "name": "name",
    "dial": "clicks",
}
"""Key of a character → the field of the board page that shows it."""


def fault_sentences(document: Mapping[str, Any], fault: BadInput) -> list[str]:
    """Return each fault of a position as a sentence that names what is at fault as the page does."""
    return [_sentence(document, one) for one in fault.every]


def field_at_fault(fault: BadInput) -> str:
    """Return the field of the board page for the first fault; "" if none shows it."""
    parts = fault.where.split("/")[1:]
    return FIELDS.get(_key(parts), "") if parts[:1] == ["sides"] else ""


def action_field(fault: BadInput) -> str:
    """Return the field of the long form of an action for the first fault; "" if none shows it."""
    match fault.where.split("/")[1:]:
        case ["actions", _number, "choose", key, *_rest]:
            return f"choose-{key}"
        case ["actions", _number, "then", _place, key, *_rest]:
            return f"then-{key.removesuffix('s')}"
        case ["actions", _number, key, *_rest]:
            return {"targets": "target", "using": "power"}.get(key, key)
        case _:
            return ""


def _key(parts: list[str]) -> str:
    return next((part for part in reversed(parts) if not part.isdigit()), "")


def _sentence(document: Mapping[str, Any], fault: BadInput) -> str:
    parts = fault.where.split("/")[1:]
    about = _about(document, parts)
    return _("%(about)s: %(fault)s") % {"about": about, "fault": fault.message} if about else fault.message


def _about(document: Mapping[str, Any], parts: list[str]) -> str:
    """Return the name of what a pointer leads to; "" for the whole document."""
    match parts:
        case ["sides", side, "characters", number, *rest]:
            name = str(_found(document, "sides", side, "characters", number, "name"))
            name = name or _place(parts[:4])
            words = [str(KEYS[key]) for key in (_key(rest),) if key in KEYS]
            if rest[:1] == ["dial"] and len(rest) > 1:
                words.insert(0, _("click %(click)s") % {"click": int(rest[1]) + 1})
            return ", ".join([name, *words])
        case ["objects", number, *_rest]:
            return str(_found(document, "objects", number, "name") or _found(document, "objects", number, "id"))
        case ["actions", number, *rest]:
            return ", ".join([_("Action %(number)s") % {"number": int(number) + 1}, *filter(None, [_place(rest)])])
        case ["waiting", *_rest]:
            return _("Figure to place")
        case _:
            return _place(parts)


def _place(parts: list[str]) -> str:
    """Return where something stands in a file, in words: `map, terrain 2, squares`."""
    words: list[str] = []
    for part in parts:
        if part.isdigit() and words:
            words[-1] = f"{words[-1]} {int(part) + 1}"
        elif part:
            words.append(part.replace("_", " "))
    return ", ".join(words)


def _found(document: Any, *path: str) -> Any:
    """Return what stands at a path of a document; "" if nothing does."""
    for part in path:
        try:
            document = document[int(part)] if isinstance(document, list) else document[part]
        except (LookupError, TypeError, ValueError):
            return ""
    return document
