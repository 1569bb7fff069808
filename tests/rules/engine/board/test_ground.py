"""The terrain of squares with markers and objects, in each edition, tested by lines and moves."""

from __future__ import annotations

import pytest

from rules.engine import line_of_fire, reachable
from tests.rules.engine.boards import EDITIONS, position

OLD = EDITIONS[:4]


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_smoke_cloud_and_a_barrier_are_called(edition: str) -> None:
    for kind, topic in (("smoke", "smoke-cloud"), ("barrier", "barrier")):
        document = position(edition, ". . .", "a . B", markers=[{"kind": kind, "square": "B1"}])
        assert line_of_fire(document, "a", "B")["marks"][0]["topic"] == topic
