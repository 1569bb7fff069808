"""The table of the books' worked examples: each is under a heading of its book and has existing tests."""

from __future__ import annotations

import importlib
import tomllib
from typing import Any

import pytest

from rules.engine import headings
from tests.tables import every_row

from .golden import CASES, golden

TABLE: dict[str, dict[str, dict[str, list[str]]]] = tomllib.loads(
    (CASES / "worked-examples.toml").read_text(encoding="utf-8")
)
EXAMPLES = [
    pytest.param(edition, section, example, tests, id=f"{edition}: {section}: {example}")
    for edition, sections in TABLE.items()
    for section, examples in sections.items()
    for example, tests in examples.items()
]
LINES = tomllib.loads((CASES / "geometry" / "lines.toml").read_text(encoding="utf-8"))["case"]


def there(edition: str, test: str) -> bool:
    """Return whether a golden case of that edition, or a test, has that name."""
    kind, _, name = test.partition(":")
    if kind == "line":
        return any(case["why"].startswith(name) and edition in case["editions"] for case in LINES)
    if kind in ("force", "battle"):
        return any(case["id"] == name and case["input"]["edition"] == edition for case in golden(kind))
    module, _, function = test.partition("::")
    found: Any = getattr(importlib.import_module(f"tests.rules.engine.{module}"), function, None)
    return callable(found) and function.startswith("test_")


@every_row(("edition", "section", "example", "tests"), EXAMPLES)
def test_every_worked_example_is_tested(edition: str, section: str, example: str, tests: list[str]) -> None:
    assert headings(edition).has(section)
    assert tests
    assert [test for test in tests if not there(edition, test)] == []


def test_every_book_has_its_examples_and_none_is_lost() -> None:
    """As many worked examples as each book was found to contain when read completely."""
    counts = {edition: sum(len(examples) for examples in sections.values()) for edition, sections in TABLE.items()}
    least = {"ic-2002": 21, "car-2002": 51, "dc-2005": 27, "core-2014": 24, "core-modern": 37}
    assert {edition for edition, number in counts.items() if number >= least[edition]} == set(least)


@every_row("kind", ["force", "battle"])
def test_every_golden_case_of_a_book_is_in_the_table(kind: str) -> None:
    named = {
        test
        for sections in TABLE.values()
        for examples in sections.values()
        for tests in examples.values()
        for test in tests
    }
    assert [case["id"] for case in golden(kind) if f"{kind}:{case['id']}" not in named] == []
