"""The tests notice nearly all of a sample of the engine's mutants (a long run, in `make soak`)."""

from __future__ import annotations

import ast
import os

import pytest

from . import mutation

SAMPLE = int(os.environ.get("MUTANTS", "60"))
SEED = int(os.environ.get("MUTANTS_SEED", "52"))
UNNOTICED = 0.05


@pytest.mark.soak
def test_the_tests_notice_mutants() -> None:
    alive = mutation.judged(SAMPLE, SEED)
    assert len(alive) <= UNNOTICED * SAMPLE, [str(mutant) for mutant in alive]


def test_a_mutant_is_one_place_changed() -> None:
    source = "def f(a, b):\n    assert a\n    if not a < 3 and b:\n        return f'{a + 1}'\n    return True\n"
    changes = mutation.Changes()
    changes.visit(ast.parse(source))
    assert [change for _, change in changes.found] == [
        "not a < 3 and b: And becomes Or",
        "not a < 3: the not is dropped",
        "a < 3: Lt becomes LtE",
        "3 becomes 4",
        "True becomes False",
    ]
    made = [ast.unparse(mutation.changed(ast.parse(source), number)).splitlines() for number in range(5)]
    assert [lines[2].strip() for lines in made[:4]] == [
        "if not a < 3 or b:",
        "if not not a < 3 and b:",
        "if not a <= 3 and b:",
        "if not a < 4 and b:",
    ]
    assert made[4][4].strip() == "return False"


def test_every_mutant_compiles_and_has_its_place() -> None:
    every = list(mutation.mutants())
    assert len(every) > 3000
    assert len({(mutant.file, mutant.number) for mutant in every}) == len(every)
    assert mutation.EQUIVALENT.keys() <= {mutant.key for mutant in every}
