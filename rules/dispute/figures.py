"""The figures of a board in words: their squares, values and powers, and captives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.dispute.words import names_apart, standing_words
from rules.drawings.board import labels
from rules.positions import pieces, square_name, stands_in


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure on a page. `name` distinguishes it from others of the same name, `label` is its sign on the board.

    `square` names all its squares, empty off the map; `values` are those of its click, None if it shows KO. `printed`
    are its set and collector number, by which the catalogue knows it.
    """

    id: str
    name: str
    own_name: str
    label: str
    player: str
    square: str
    standing: str
    values: Mapping[str, Any] | None
    printed: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Powers:
    """A figure with its powers and team abilities."""

    id: str
    name: str
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Captive:
    """A captive and the name of its captor."""

    id: str
    name: str
    captor: str


def figures_on(board: Mapping[str, Any]) -> list[FigureView]:
    """Return the figures of a position, player by player."""
    signs, names = labels(board), names_apart(board)
    return [
        FigureView(
            piece["id"],
            names[piece["id"]],
            piece["name"],
            signs[piece["id"]],
            player,
            ", ".join(square_name(cell) for cell in stands_in(piece)),
            standing_words({**piece, "click": piece.get("click", 1), "ko": piece.get("click", 1) > len(piece["dial"])}),
            values_of(piece),
            printed_on(piece),
        )
        for player, piece in pieces(board)
    ]


def printed_on(piece: Mapping[str, Any]) -> tuple[str, str]:
    """Return the set and collector number on a figure's base, by which the catalogue knows it."""
    return piece.get("set", ""), piece.get("number", "")


def values_of(piece: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the values and powers of a figure's click; None if it shows KO."""
    click = piece.get("click", 1)
    if click > len(piece["dial"]):
        return None
    shown = piece["dial"][click - 1]
    values = {key: shown[key] for key in ("speed", "attack", "defense", "damage")}
    return {**values, "range": piece.get("range", 0), "powers": ", ".join(shown.get("powers", ()))}


def powers_of(piece: Mapping[str, Any]) -> list[str]:
    """Return the powers on a figure's click and its team abilities."""
    values = values_of(piece)
    return [*(values["powers"].split(", ") if values and values["powers"] else ()), *piece.get("teams", ())]


def powers_on(board: Mapping[str, Any]) -> list[Powers]:
    """Return each figure that has powers or team abilities, to be countered in a branch."""
    names = names_apart(board)
    return [
        Powers(piece["id"], names[piece["id"]], tuple(powers))
        for _player, piece in pieces(board)
        if (powers := powers_of(piece))
    ]


def captives_in(document: Mapping[str, Any]) -> list[Captive]:
    """Return the figures that are captives at the beginning."""
    names = names_apart(document)
    return [
        Captive(piece["id"], names[piece["id"]], names[piece["captured_by"]])
        for _player, piece in pieces(document)
        if piece.get("captured_by")
    ]
