"""The figure corrections of a book, read from the TOML beside this module: the printed facts and the corrected ones."""

from __future__ import annotations

import tomllib
from typing import Any, Final

from rules.engine.editions.sources import TEXTS
from rules.engine.position.characters import SpeedSymbol
from rules.engine.position.corrections import FigureCorrection

FOLDER: Final = TEXTS / "corrections"


def written_corrections(edition: str) -> dict[str, Any]:
    """Return an edition's file of figure corrections as parsed TOML: `edition`, `also` and the list `correction`."""
    with (FOLDER / f"{edition}.toml").open("rb") as file:
        return tomllib.load(file)


def read_corrections(edition: str) -> tuple[FigureCorrection, ...]:
    """Return the figure corrections of an edition, for figures of a position."""
    written = written_corrections(edition)
    also: dict[str, list[str]] = written["also"]
    found = []
    for entry in written["correction"]:
        change = entry["change"]
        symbol = change.get("speed_symbol")
        found.append(
            FigureCorrection(
                id=entry["id"],
                name=entry["figure"],
                sets=frozenset({entry["set"], *also.get(entry["set"], ())}),
                number=str(entry["number"]),
                teams_removed=tuple(change.get("teams_removed", ())),
                teams_added=tuple(change.get("teams_added", ())),
                speed_symbol=SpeedSymbol(symbol) if symbol is not None else None,
                powers_replaced=change.get("powers_replaced", {}),
            )
        )
    return tuple(found)
