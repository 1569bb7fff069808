"""Card texts read per second: a short one, one with several clauses, and one that isn't understood."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rules.card_reading import read_text

TEXTS = {
    "short": "Charge, Flurry.",
    "long": (
        "Once per turn, when another friendly character with the Owl keyword within 6 squares and line of fire hits an"
        " opposing character, after resolutions heal Wren 1 click. // FREE: If Wren has no action tokens, move up to 3"
        " squares. // When Wren Marlow is attacked, modify defense +1."
    ),
    "riddle": "Ask a riddle of each opposing character that, since your last turn, has answered one." * 4,
}


@pytest.mark.parametrize("kind", TEXTS)
def test_a_text(benchmark: BenchmarkFixture, kind: str) -> None:
    reading = benchmark(read_text, TEXTS[kind], "Wren Marlow")
    assert reading.clauses
