"""The terrain of squares with markers and objects, in each edition, tested by lines and moves."""

from __future__ import annotations

import random

from rules.engine import line_of_fire, reachable
from rules.engine.board.ground import lay_out
from rules.engine.documents.maps import read_map
from rules.engine.editions import EDITIONS as BOOKS
from rules.engine.position.edges import edge_between
from rules.engine.position.squares import Square
from tests.rules.engine.boards import EDITIONS, map_of, position
from tests.tables import every_row

OLD = EDITIONS[:4]


@every_row(
    ("under", "markers", "early", "late"),
    [
        (".", ["hindering"], "hindered", "hindered"),
        (".", ["smoke"], "hindered", "hindered"),
        (".", ["blocking"], "blocked", "blocked"),
        (".", ["barrier"], "blocked", "blocked"),
        (".", ["obscuring"], "hindered", "hindered"),
        (".", ["special"], "clear", "clear"),
        ("#", ["debris"], "hindered", "hindered"),
        ("#", ["clear"], "clear", "clear"),
        ("+", ["clear"], "clear", "clear"),
        (".", ["barrier", "debris"], "hindered", "hindered"),
        ("+", ["water"], "hindered", "clear"),
        (".", ["debris", "water"], "hindered", "clear"),
        (".", ["water", "debris"], "hindered", "hindered"),
    ],
)
def test_markers(under: str, markers: list[str], early: str, late: str) -> None:
    for edition in EDITIONS:
        marked = [{"kind": kind, "square": "C1"} for kind in markers]
        document = position(edition, f". . {under} . .", "a . . . B", markers=marked)
        wanted = early if edition in OLD else late
        assert line_of_fire(document, "a", "B")["result"] == wanted, edition


def test_obscuring_terrain_does_not_mind_movement() -> None:
    document = position("core-modern", ". % % .", "a . . .")
    assert set(reachable(document, "a")) == {"A1", "B1", "C1", "D1"}


@every_row(
    ("kind", "hindering"),
    [
        ("light", ("ic-2002", "car-2002", "dc-2005", "core-2014")),
        ("heavy", EDITIONS),
        ("immobile", ("ic-2002", "car-2002", "dc-2005", "core-2014")),
        ("ultra-light", ("ic-2002", "car-2002", "dc-2005")),
        ("ultra-heavy", EDITIONS),
    ],
)
def test_objects(kind: str, hindering: tuple[str, ...]) -> None:
    for edition in EDITIONS:
        lying = [{"id": "o", "kind": kind, "square": "C1"}]
        document = position(edition, ". . . . .", "a . . . B", objects=lying)
        found = line_of_fire(document, "a", "B")["result"]
        assert found == ("hindered" if edition in hindering else "clear"), edition
        document["objects"][0]["square"] = None
        assert line_of_fire(document, "a", "B")["result"] == "clear"


@every_row("edition", EDITIONS)
def test_what_a_smoke_cloud_and_a_barrier_are_called(edition: str) -> None:
    for kind, topic in (("smoke", "smoke-cloud"), ("barrier", "barrier")):
        document = position(edition, ". . .", "a . B", markers=[{"kind": kind, "square": "B1"}])
        assert line_of_fire(document, "a", "B")["marks"][0]["topic"] == topic


def test_rims_and_areas_square_by_square() -> None:
    """Elevated squares connected by edges are one area; those beside a lower square are its rim."""
    drawn = random.Random(1)
    for _ in range(12):
        width, height = drawn.randint(1, 4), drawn.randint(1, 4)
        levels = {Square(x, y): drawn.choice((1, 1, 2, 2, 3)) for y in range(height) for x in range(width)}
        board = "\n".join(" ".join(".23"[levels[Square(x, y)] - 1] for x in range(width)) for y in range(height))
        ground = lay_out(read_map(map_of(board)), (), BOOKS["car-2002"].board)
        assert ground.all_squares == ground.bits(tuple(levels))
        for square, level in levels.items():
            assert [o for o, bits in ground.at_level.items() if bits & ground.bit(square)] == [level]
            beside = [levels[other] for other in levels if edge_between(square, other)]
            assert bool(ground.rim & ground.bit(square)) == any(other < level for other in beside), board
            assert bool(ground.beside_another_level & ground.bit(square)) == any(o != level for o in beside), board
            area = ground.area(square)
            assert bool(area) == (level > 1)
            for other in levels if area else ():
                if edge_between(square, other) and levels[other] > 1:
                    assert area == ground.area(other)
