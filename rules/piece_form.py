"""The form of a figure on the board page: what its fields show of a figure, and the figure with fields changed.

A field that shows what it showed before changes nothing. So whatever the form can't express, such as two symbols at
once or the other clicks of a dial, survives every change.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.positions import BadChange, Document, piece_of, pieces, placed, put_down, square_name, stand, stands_in

Fields = dict[str, str | list[str]]
Words = tuple[tuple[str, Promise], ...]

SPEEDS: Words = (
    ("boot", gettext_lazy("boot")),
    ("wing", gettext_lazy("wing")),
    ("dolphin", gettext_lazy("dolphin")),
    ("transporter-boot", gettext_lazy("transporter boot")),
    ("transporter-wing", gettext_lazy("transporter wing")),
    ("transporter-dolphin", gettext_lazy("transporter dolphin")),
)
SIZES: Words = (
    ("standard", gettext_lazy("standard")),
    ("tiny", gettext_lazy("tiny")),
    ("giant", gettext_lazy("giant")),
    ("colossal", gettext_lazy("colossal (“big” in the 2005 rules)")),
    ("sentinel", gettext_lazy("Sentinel")),
)
FLIGHTS: Words = (
    ("", gettext_lazy("on the ground")),
    ("hovering", gettext_lazy("hovering")),
    ("soaring", gettext_lazy("soaring")),
)
BASES: Words = (
    ("single", gettext_lazy("one square")),
    ("peanut", gettext_lazy("two squares, side by side (peanut)")),
    ("peanut-upright", gettext_lazy("two squares, one below the other (peanut)")),
    ("2x2", gettext_lazy("2×2")),
)
IGNORES_MOVING: Words = (
    ("elevated", gettext_lazy("elevated terrain")),
    ("hindering", gettext_lazy("hindering terrain")),
    ("blocking", gettext_lazy("blocking terrain")),
    ("outdoor-blocking", gettext_lazy("outdoor blocking terrain")),
    ("characters", gettext_lazy("characters")),
)
IGNORES_TARGETING: Words = (
    ("hindering", gettext_lazy("hindering terrain")),
    ("elevated", gettext_lazy("elevated terrain")),
    ("blocking", gettext_lazy("blocking terrain")),
    ("characters", gettext_lazy("characters")),
    ("adjacent", gettext_lazy("being adjacent to an opponent")),
)
VALUES = ("speed", "attack", "defense", "damage")
STANDARD = {"speed": 8, "attack": 9, "defense": 16, "damage": 2}
"""The values of a figure placed without saying more."""
STANDARD_RANGE = 8
STANDARD_CLICKS = 10


@dataclass(frozen=True, slots=True)
class NumberField:
    """A field for a whole number: its limits, and the number of a new figure whose field is empty."""

    key: str
    label: Promise
    least: int
    most: int
    standard: int


NUMBERS = (
    NumberField("range", gettext_lazy("Range"), 0, 1000, STANDARD_RANGE),
    NumberField("value-speed", gettext_lazy("Speed"), 0, 1000, STANDARD["speed"]),
    NumberField("value-attack", gettext_lazy("Attack"), 0, 1000, STANDARD["attack"]),
    NumberField("value-defense", gettext_lazy("Defense"), 0, 1000, STANDARD["defense"]),
    NumberField("value-damage", gettext_lazy("Damage"), 0, 1000, STANDARD["damage"]),
    NumberField("clicks", gettext_lazy("Dial clicks before KO"), 1, 100, STANDARD_CLICKS),
    NumberField("click", gettext_lazy("Click"), 1, 101, 1),
    NumberField("tokens", gettext_lazy("Action tokens"), 0, 9, 0),
    NumberField("points", gettext_lazy("Points"), 0, 1_000_000, 0),
    NumberField("bolts", gettext_lazy("Targets per ranged attack"), 0, 99, 1),
)
VALUES_ASKED = 6
"""The first of these fields are asked for every new figure, the others only in the middle of a battle."""
NUMBER = {one.key: one for one in NUMBERS}
LISTS = ("powers", "teams", "countered")
TICKS = ("acted", "improved-movement", "improved-targeting")


def standard_piece() -> Document:
    """Return a figure with standard values on every click of its dial."""
    dial = [{**STANDARD, "powers": []} for _click in range(STANDARD_CLICKS)]
    return {"name": _("Figure"), "base": "single", "range": STANDARD_RANGE, "dial": dial}


def empty_fields() -> Fields:
    """Return the fields of the form while no figure is chosen: empty, and the first choice of each list."""
    texts = dict.fromkeys(("name", "holding", *NUMBER, *LISTS), "")
    choices = {"symbol-speed": "boot", "symbol-damage": "standard", "flight": "", "base": "single"}
    return {**texts, **choices, **{key: [] for key in TICKS}}


def fields_of(piece: Mapping[str, Any]) -> Fields:
    """Return the fields of the form as they show a figure; values and powers are those of its click."""
    dial = piece["dial"]
    click = piece.get("click", 1)
    shown = dial[min(click, len(dial)) - 1]
    symbols, improved = piece.get("symbols") or {}, piece.get("improved") or {}
    numbers = {
        "range": piece.get("range", 0),
        "clicks": len(dial),
        "click": click,
        "tokens": piece.get("tokens", 0),
        "points": piece.get("points", 0),
        "bolts": piece.get("bolts", 1),
        **{f"value-{key}": shown[key] for key in VALUES},
    }
    return {
        "name": piece["name"],
        **{key: str(number) for key, number in numbers.items()},
        "symbol-speed": _first(symbols.get("speed", "boot")),
        "symbol-damage": _first(symbols.get("damage", "standard")),
        "flight": piece.get("flight") or "",
        "base": _base_field(piece),
        "holding": piece.get("holding") or "",
        "powers": ", ".join(shown.get("powers", ())),
        "teams": ", ".join(piece.get("teams", ())),
        "countered": ", ".join(piece.get("countered", ())),
        "acted": ["yes"] if piece.get("acted") else [],
        "improved-movement": list(improved.get("movement", ())),
        "improved-targeting": list(improved.get("targeting", ())),
    }


def _first(symbol: str | Sequence[str]) -> str:
    return symbol if isinstance(symbol, str) else symbol[0] if symbol else ""


def _base_field(piece: Mapping[str, Any]) -> str:
    base: str = piece.get("base", "single")
    cells = stands_in(piece)
    return "peanut-upright" if base == "peanut" and len(cells) == 2 and cells[0][0] == cells[1][0] else base


def changes_given(shown: Fields, given: QueryDict) -> Fields:
    """Return the fields of a submitted form that differ from those shown. An empty number or name changes nothing."""
    found: Fields = {}
    for key, before in shown.items():
        if isinstance(before, list):
            now = given.getlist(key)
            if (now or given.get("standing")) and set(now) != set(before):
                found[key] = now
        elif key in given:
            typed = " ".join(given.get(key, "").split())
            if typed != " ".join(before.split()) and (typed or key not in ("name", *NUMBER)):
                found[key] = typed
    return found


def _number(key: str, typed: str) -> int:
    field = NUMBER[key]
    if not (typed.isascii() and typed.isdigit() and field.least <= int(typed[:9]) <= field.most and len(typed) < 9):
        words = {"field": field.label, "least": field.least, "most": field.most}
        raise BadChange(_("%(field)s: enter a whole number from %(least)s to %(most)s.") % words, key)
    return int(typed)


def _names(typed: str) -> list[str]:
    return [name.strip() for name in typed.split(",") if name.strip()]


def _change(piece: Document, changes: Fields) -> None:
    """Change a figure in place, except its base and what it holds, which the rest of the position depends on."""
    numbers = {key: _number(key, str(typed)) for key, typed in changes.items() if key in NUMBER}
    if "name" in changes:
        piece["name"] = str(changes["name"])[:80]
    for key in ("range", "tokens", "points", "bolts"):
        if key in numbers:
            piece[key] = numbers[key]
    _change_dial(piece, numbers, changes)
    for slot in ("speed", "damage"):
        if f"symbol-{slot}" in changes:
            piece["symbols"] = {**(piece.get("symbols") or {}), slot: changes[f"symbol-{slot}"]}
    if "flight" in changes:
        piece["flight"] = changes["flight"] or None
    for key in ("teams", "countered"):
        if key in changes:
            piece[key] = _names(str(changes[key]))
    if "acted" in changes:
        piece["acted"] = bool(changes["acted"])
    for sort in ("movement", "targeting"):
        if f"improved-{sort}" in changes:
            piece["improved"] = {**(piece.get("improved") or {}), sort: list(changes[f"improved-{sort}"])}


def _change_dial(piece: Document, numbers: Mapping[str, int], changes: Fields) -> None:
    """Change the dial: its length first, then the click that shows, then the values of that click."""
    dial = piece["dial"]
    if "clicks" in numbers:
        dial = (dial + [copy.deepcopy(dial[-1]) for _more in range(numbers["clicks"])])[: numbers["clicks"]]
        piece["dial"] = dial
    if "click" in numbers:
        piece["click"] = min(numbers["click"], len(dial) + 1)
    values: Document = {key: numbers[f"value-{key}"] for key in VALUES if f"value-{key}" in numbers}
    if "powers" in changes:
        values["powers"] = _names(str(changes["powers"]))
    click = piece.get("click", 1)
    if values and click <= len(dial):
        dial[click - 1] = {**dial[click - 1], **values}
    elif values:
        raise BadChange(_("This figure is knocked out. Choose one of its clicks first."), "click")


def new_piece(given: QueryDict) -> Document:
    """Return a new figure as the form says, without a square: the values are repeated on every click of its dial."""
    piece = standard_piece()
    changes = changes_given(empty_fields(), given)
    on_dial = {key: typed for key, typed in changes.items() if key in ("powers", *(f"value-{one}" for one in VALUES))}
    _change(piece, {"clicks": changes.get("clicks", str(STANDARD_CLICKS)), **on_dial})
    piece["dial"] = [copy.deepcopy(piece["dial"][0]) for _click in piece["dial"]]
    _change(piece, {key: typed for key, typed in changes.items() if key not in on_dial and key != "clicks"})
    if "base" in changes:
        piece["base"] = str(changes["base"]).removesuffix("-upright")
    return piece


def placed_as(document: Document, player: str, given: QueryDict, where: str) -> Document:
    """Return the position with the new figure of the form in a square. Raises BadChange, with its field."""
    upright = given.get("base") == "peanut-upright"
    changed = placed(document, player, new_piece(given), where, upright=upright)
    holding = given.get("holding", "").strip()
    if holding:
        (added,) = {piece["id"] for _p, piece in pieces(changed)} - {piece["id"] for _p, piece in pieces(document)}
        _hold(changed, next(piece for _p, piece in pieces(changed) if piece["id"] == added), holding)
    return changed


def altered(document: Document, name: str, given: QueryDict) -> Document:
    """Return the position with those fields of a character changed that the form shows differently.

    Raises BadChange, with its field.
    """
    changed = copy.deepcopy(document)
    piece = piece_of(changed, name)
    if piece is None:
        raise BadChange(_("Choose the figure to change."))
    changes = changes_given(fields_of(piece), given)
    _change(piece, changes)
    if "base" in changes:
        cells = stands_in(piece)
        piece["base"] = str(changes["base"]).removesuffix("-upright")
        if cells:
            stand(changed, piece, square_name(cells[0]), upright=changes["base"] == "peanut-upright")
    if "holding" in changes:
        _hold(changed, piece, str(changes["holding"]))
    return changed


def _hold(document: Document, piece: Document, wanted: str) -> None:
    """Give an object to a figure, "" none; the one that it held until now lies in its square."""
    things = document.get("objects", ())
    named = (one for one in things if wanted in (one["id"], one.get("name")))
    thing = next(named, None) if wanted else None
    if wanted and thing is None:
        raise BadChange(_("No object on this map is called “%(name)s”.") % {"name": wanted}, "holding")
    holder = next((one for _p, one in pieces(document) if thing and one.get("holding") == thing["id"]), None)
    if holder is not None and holder is not piece:
        raise BadChange(_("%(name)s already holds this object.") % {"name": holder["name"]}, "holding")
    put_down(document, piece)
    if thing is not None:
        thing.pop("assigned_to", None)
        thing["square"] = None
    piece["holding"] = thing["id"] if thing is not None else None
