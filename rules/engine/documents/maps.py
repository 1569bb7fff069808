"""Maps of position files: JSON ↔ a map, checked against its edition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.engine.documents.reader import a_list, a_whole_number, an_object, nullable, one_of, text
from rules.engine.documents.squares import WIDEST_MAP, a_rectangle, a_square, an_edge
from rules.engine.edition import Edition
from rules.engine.errors import BadInput
from rules.engine.position.edges import Edge
from rules.engine.position.maps import BattleMap, MapKind
from rules.engine.position.squares import Square
from rules.engine.position.terrain import Area, Marker, MarkerKind, TerrainKind


def _area(
    type: TerrainKind, squares: tuple[tuple[Square, ...], ...], level: int = 2, player: str | None = None
) -> Area:
    return Area(type, tuple(square for some in squares for square in some), level, player)


_read_area = an_object(
    _area,
    {
        "type": one_of(TerrainKind),
        "squares": a_list(a_rectangle),
        "level": a_whole_number(1, 99),
        "player": nullable(text),
    },
    ("type", "squares"),
)
_read_marker = an_object(Marker, {"kind": one_of(MarkerKind), "square": a_square}, ("kind", "square"))


def _map(
    width: int,
    height: int,
    kind: MapKind = MapKind.OUTDOOR,
    terrain: tuple[Area, ...] = (),
    markers: tuple[Marker, ...] = (),
    **edges: tuple[Edge, ...],
) -> BattleMap:
    return BattleMap(
        width,
        height,
        kind,
        terrain,
        walls=frozenset(edges.get("walls", ())),
        windows=frozenset(edges.get("windows", ())),
        doors=frozenset(edges.get("doors", ())),
        stairs=frozenset(edges.get("stairs", ())),
        ladders=frozenset(edges.get("ladders", ())),
        markers=markers,
    )


read_map = an_object(
    _map,
    {
        "width": a_whole_number(1, WIDEST_MAP),
        "height": a_whole_number(1, WIDEST_MAP),
        "kind": one_of(MapKind),
        "terrain": a_list(_read_area),
        "walls": a_list(an_edge),
        "windows": a_list(an_edge),
        "doors": a_list(an_edge),
        "stairs": a_list(an_edge),
        "ladders": a_list(an_edge),
        "markers": a_list(_read_marker),
    },
    ("width", "height"),
)


def wrong_on_map(battle_map: BattleMap, edition: Edition) -> Iterator[BadInput]:
    """Yield a fault for everything on a map that lies outside it or doesn't exist in the edition."""
    for place, area in enumerate(battle_map.terrain):
        off = next((square for square in area.squares if not battle_map.holds(square)), None)
        if off is not None:
            yield BadInput(f"/map/terrain/{place}/squares", f"{off} isn't on the map.")
    for key in ("walls", "windows", "doors", "stairs", "ladders"):
        edges = getattr(battle_map, key)
        wrong = next((e for e in edges if not (battle_map.holds(e.first) and battle_map.holds(e.second))), None)
        if wrong is not None:
            yield BadInput(f"/map/{key}", f"{wrong} isn't on the map.")
        elif key in ("windows", "doors") and edges and not edition.board.windows_and_doors:
            yield BadInput(f"/map/{key}", f"This edition has no {key}.")
    for place, marker in enumerate(battle_map.markers):
        if not battle_map.holds(marker.square):
            yield BadInput(f"/map/markers/{place}/square", f"{marker.square} isn't on the map.")


def write_map(battle_map: BattleMap) -> dict[str, Any]:
    """Return the `map` object of a position file."""
    areas = []
    for area in battle_map.terrain:
        shown_area: dict[str, Any] = {"type": area.kind.value, "squares": [square.name for square in area.squares]}
        if area.kind is TerrainKind.ELEVATED:
            shown_area["level"] = area.level
        if area.player is not None:
            shown_area["player"] = area.player
        areas.append(shown_area)
    written: dict[str, Any] = {"width": battle_map.width, "height": battle_map.height, "kind": battle_map.kind.value}
    written["terrain"] = areas
    for key in ("walls", "windows", "doors", "stairs", "ladders"):
        written[key] = [edge.name for edge in sorted(getattr(battle_map, key))]
    written["markers"] = write_markers(battle_map)
    return written


def write_markers(battle_map: BattleMap) -> list[dict[str, str]]:
    """Return the markers of a map for position files and reports."""
    return [{"kind": marker.kind.value, "square": marker.square.name} for marker in battle_map.markers]
