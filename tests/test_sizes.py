"""No module of the Django side has more than 500 lines, no function more than 60; `make quick` has thousands of tests."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_LINES, MAX_FUNCTION = 500, 60


@pytest.mark.pure
@pytest.mark.parametrize("folder", ["config", "events", "judging"])
def test_modules_and_functions_are_short(folder):
    long = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        if "migrations" in path.parts:
            continue
        text, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        if text.count("\n") > MAX_LINES:
            long.append(f"{name}: {text.count(chr(10))} lines; split it by subject")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION:
                    long.append(f"{name}:{node.lineno} {node.name}: {lines} lines")
    assert not long, "\n".join(long)


@pytest.mark.pure
def test_make_quick_selects_thousands_of_tests(request):
    """A fixture or hook that gives every test the database would leave `make quick` nothing to run."""
    items = request.session.items
    if len({item.path.parent for item in items}) < 10:
        pytest.skip("only a part of the tests was asked for")
    assert sum(item.get_closest_marker("pure") is not None for item in items) > 6_000
