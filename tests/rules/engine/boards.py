"""Boards drawn for tests: one drawing of the terrain, one of the figures, and the position file made from them.

Terrain: `.` clear, `#` blocking, `+` hindering, `~` water, `%` obscuring, `2` to `9` elevated. Figures: a letter is a
character with that id, lower case on side A, upper case on side B; `.` is no one. Squares are separated by blanks.
"""

from __future__ import annotations

from typing import Any

KINDS = {"#": "blocking", "+": "hindering", "~": "water", "%": "obscuring"}
EDITIONS = ("ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern")


def rows(drawing: str) -> list[list[str]]:
    """Return the characters of a drawing, row by row."""
    return [line.split() for line in drawing.strip().splitlines()]


def name(column: int, row: int) -> str:
    """Return the name of a square counted from 0, on boards of up to 26 columns."""
    return f"{chr(ord('A') + column)}{row + 1}"


def map_of(drawing: str, **parts: Any) -> dict[str, Any]:
    """Return the map of a terrain drawing; `parts` are further keys (walls, kind, markers)."""
    drawn = rows(drawing)
    terrain: list[dict[str, Any]] = []
    for row, line in enumerate(drawn):
        for column, signs in enumerate(line):
            for sign in signs:
                if sign in KINDS:
                    terrain.append({"type": KINDS[sign], "squares": [name(column, row)]})
                elif sign.isdigit():
                    terrain.append({"type": "elevated", "level": int(sign), "squares": [name(column, row)]})
    more = list(parts.pop("terrain", ()))
    return {"width": len(drawn[0]), "height": len(drawn), "terrain": terrain + more, **parts}


def character(id: str, square: str | None, **keys: Any) -> dict[str, Any]:
    """Return a plain character; `keys` override its values."""
    values = {"speed": 6, "attack": 10, "defense": 16, "damage": 3, "powers": list(keys.pop("powers", ()))}
    values |= {key: keys.pop(key) for key in ("speed", "attack", "defense", "damage") if key in keys}
    symbols = {key: keys.pop(f"{key}_symbol") for key in ("speed", "damage") if f"{key}_symbol" in keys}
    made: dict[str, Any] = {"id": id, "name": id, "square": square, "range": 10, "dial": [values]}
    if symbols:
        made["symbols"] = symbols
    return made | keys


def position(
    edition: str,
    drawing: str,
    figures: str | None = None,
    *,
    who: dict[str, dict[str, Any]] | None = None,
    objects: list[dict[str, Any]] | None = None,
    ask: list[dict[str, Any]] | None = None,
    characters: list[tuple[str, dict[str, Any]]] | None = None,
    **parts: Any,
) -> dict[str, Any]:
    """Return a position file with terrain and figures as drawn; `who` gives a letter more than a plain character."""
    sides: dict[str, list[dict[str, Any]]] = {"A": [], "B": []}
    for row, line in enumerate(rows(figures) if figures else []):
        for column, sign in enumerate(line):
            if sign.isalpha():
                side = "A" if sign.islower() else "B"
                sides[side].append(character(sign, name(column, row), **(who or {}).get(sign, {})))
    for side, made in characters or []:
        sides[side].append(made)
    document: dict[str, Any] = {
        "edition": edition,
        "map": map_of(drawing, **parts),
        "sides": [{"player": player, "characters": made} for player, made in sides.items()],
    }
    if objects:
        document["objects"] = objects
    if ask:
        document["ask"] = ask
    return document
