"""Tests of a whole table: pytest needs some milliseconds for a case of its own, more than most rows do."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

NAMED = type(pytest.param())


def every_row(
    names: str | tuple[str, ...], table: Iterable[Any], ids: Any = None
) -> Callable[[Callable[..., None]], Any]:
    """Call a test with every row of a table; then fail with the faults of all rows that failed, under their names.

    It stands in place of `pytest.mark.parametrize` where no row needs fixtures of its own. An empty table fails.
    """
    keys = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    made = [row if isinstance(row, NAMED) else pytest.param(*((row,) if len(keys) == 1 else row)) for row in table]
    assert made, "This table has no rows"
    assert not any(one.marks for one in made), "Rows have no marks"
    called = list(ids) if ids is not None and not callable(ids) else [one.id or one.values for one in made]

    def of_every_row(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def test_every_row(**fixtures: Any) -> None:
            faults = []
            for name, row in zip(called, made, strict=True):
                try:
                    test(**fixtures, **dict(zip(keys, row.values, strict=True)))
                except (Exception, pytest.fail.Exception) as fault:
                    fault.add_note(f"in the row {name}")
                    faults.append(fault)
            if faults:
                raise BaseExceptionGroup(f"{len(faults)} of {len(made)} rows fail", faults)

        given = inspect.signature(test)
        kept = [one for name, one in given.parameters.items() if name not in keys]
        test_every_row.__signature__ = given.replace(parameters=kept)  # type: ignore[attr-defined]
        return test_every_row

    return of_every_row
