"""No module of the Django side has more than 500 lines, no function more than 60; `make quick` has thousands of tests."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

ROOT = Path(__file__).parents[1]
MAX_LINES, MAX_FUNCTION = 500, 60


def parts(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of each function and class in some code.

    It is compiled, as an import does. Making a syntax tree of it fails, now and then, while another thread makes one
    (a traceback's markers need one).
    """
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from parts(part)


def lines_of(function: CodeType) -> int:
    """Return the number of lines of a function, decorators included."""
    ends = [end or 0 for part in (function, *parts(function)) for _start, end, *_columns in part.co_positions()]
    return max(ends) - function.co_firstlineno + 1


@pytest.mark.pure
@pytest.mark.parametrize("folder", ["config", "events", "judging"])
def test_modules_and_functions_are_short(folder):
    long, found = [], 0
    for path in sorted((ROOT / folder).rglob("*.py")):
        if "migrations" in path.parts:
            continue
        text, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        if text.count("\n") > MAX_LINES:
            long.append(f"{name}: {text.count(chr(10))} lines; split it by subject")
        for part in parts(compile(text, path, "exec", dont_inherit=True)):
            if part.co_flags & inspect.CO_OPTIMIZED and not part.co_name.startswith("<"):
                found += 1
                if (lines := lines_of(part)) > MAX_FUNCTION:
                    long.append(f"{name}:{part.co_firstlineno} {part.co_name}: {lines} lines")
    assert not long, "\n".join(long)
    assert found > 100


@pytest.mark.pure
def test_make_quick_selects_thousands_of_tests(request):
    """A fixture or hook that gives every test the database would leave `make quick` nothing to run."""
    items = request.session.items
    if len({item.path.parent for item in items}) < 10:
        pytest.skip("only a part of the tests was asked for")
    assert sum(item.get_closest_marker("pure") is not None for item in items) > 1_500
