"""The sheet of a figure in a dispute: its click, tokens, powers, values and modifiers, each changed with one tap.

A sheet shows the position before the first action; the actions are replayed after each change.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.card_effects import Line, counts
from rules.dispute.figures import printed_on
from rules.dispute.words import names_apart
from rules.engine import EDITIONS
from rules.piece_form import FLIGHTS, NUMBER, NumberField, altered, fields_of
from rules.positions import BadChange, Document, piece_of, stands_in

SHOWN = ("value-speed", "value-attack", "value-defense", "value-damage", "range")
MODIFIED: dict[str, Promise] = {
    "attack": gettext_lazy("attack"),
    "defense": gettext_lazy("defense"),
    "damage": gettext_lazy("damage"),
    "speed": gettext_lazy("speed"),
    "range": gettext_lazy("range"),
}
SOURCE = "sheet"
"""The source of the modifiers that are set here."""
MAX_TOKENS = 2


@dataclass(frozen=True, slots=True)
class Click:
    """One click of a dial: its number, its values, and whether it shows."""

    number: int
    values: str
    shows: bool


@dataclass(frozen=True, slots=True)
class SheetCard:
    """A card of a figure: its name, its slot or kind, the clicks on which it counts, and its effects."""

    name: str
    kind: str
    clicks: str
    in_force: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything on a figure's sheet."""

    id: str
    name: str
    stands: bool
    clicks: list[Click]
    tokens: list[tuple[int, bool]]
    powers: list[str]
    others: list[str]
    """The powers of the edition that its click doesn't show."""
    values: list[tuple[NumberField, str]]
    flights: list[tuple[str, Promise, bool]]
    things: list[tuple[str, str, bool]]
    """The objects on the map: id, name, and whether it holds this one."""
    modifiers: list[tuple[str, Promise, int]]
    cards: list[SheetCard]
    in_position: list[dict[str, Any]]
    """The cards as the position has them."""
    printed: tuple[str, str]
    """Its set and collector number, by which the catalogue knows it."""


def sheet_of(document: Mapping[str, Any], name: str) -> Sheet | None:
    """Return the sheet of a figure of a position, or None if there is none of that id."""
    piece = piece_of(document, name)
    if piece is None:
        return None
    fields, click = fields_of(piece), piece.get("click", 1)
    powers = list(piece["dial"][min(click, len(piece["dial"])) - 1].get("powers", ()))
    holds = piece.get("holding") or ""
    things = [(one["id"], one.get("name") or one["id"], one["id"] == holds) for one in document.get("objects", ())]
    flying = fields["symbol-speed"] in ("wing", "transporter-wing") or piece.get("flight")
    return Sheet(
        name,
        names_apart(document)[name],
        bool(stands_in(piece)),
        [Click(number, _values(one), number == click) for number, one in enumerate(piece["dial"], 1)],
        [(number, number == piece.get("tokens", 0)) for number in range(MAX_TOKENS + 1)],
        powers,
        [one for one in sorted(EDITIONS[document["edition"]].powers) if one not in powers],
        [(NUMBER[key], str(fields[key])) for key in SHOWN],
        [(value, words, value == (piece.get("flight") or "")) for value, words in FLIGHTS] if flying else [],
        [*things, ("", _("nothing"), not holds)] if things else [],
        [(key, words, _modifier(piece, key)) for key, words in MODIFIED.items()],
        [_card(card, click) for card in piece.get("cards", ())],
        list(piece.get("cards", ())),
        printed_on(piece),
    )


def _card(card: Mapping[str, Any], click: int) -> SheetCard:
    clicks = card.get("clicks", ())
    lines = tuple(Line("", (one,), counts(one)) for one in card.get("effects", ()))
    on_clicks = ", ".join(map(str, clicks))
    return SheetCard(card["name"], card.get("slot") or card["kind"], on_clicks, not clicks or click in clicks, lines)


def _values(click: Mapping[str, Any]) -> str:
    return "/".join(str(click[key]) for key in ("speed", "attack", "defense", "damage"))


def _modifier(piece: Mapping[str, Any], value: str) -> int:
    return sum(one["by"] for one in piece.get("modifiers", ()) if one["value"] == value and one.get("source") == SOURCE)


def with_sheet(document: Document, name: str, given: QueryDict) -> Document:
    """Return the position with what a tap on a figure's sheet changes. Raises BadChange, with its field.

    A dial with the same values on every click, as a figure placed by hand has, keeps them alike.
    """
    before = piece_of(document, name)
    if before is None:
        raise BadChange(_("Choose the figure to change."))
    alike = all(click == before["dial"][0] for click in before["dial"])
    changed = altered(document, name, given)
    piece = piece_of(changed, name)
    assert piece is not None
    shown = piece["dial"][min(piece.get("click", 1), len(piece["dial"])) - 1]
    if given.get("power"):
        shown["powers"] = _toggled(shown.get("powers", ()), given.get("power", ""))
    if given.get("modify"):
        _modify(piece, given.get("modify", ""))
    if alike:
        piece["dial"] = [deepcopy(shown) for _click in piece["dial"]]
    return changed


def _toggled(powers: Any, power: str) -> list[str]:
    return [one for one in powers if one != power] if power in powers else [*powers, power[:80]]


def _modify(piece: Document, change: str) -> None:
    """Change a modifier by one; `change` is like `attack:+1`."""
    value, _colon, by = change.partition(":")
    if value not in MODIFIED or by not in ("+1", "-1"):
        raise BadChange(_("Choose one."))
    left = [one for one in piece.get("modifiers", ()) if one["value"] != value or one.get("source") != SOURCE]
    amount = _modifier(piece, value) + int(by)
    piece["modifiers"] = [*left, {"value": value, "by": amount, "source": SOURCE}] if amount else left
