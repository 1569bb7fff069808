"""Mutants of the engine: small faults put into it one at a time, to see whether the tests notice.

A mutant is one place of one function changed: a comparison, `and`/`or`, a `not`, a number by one, a sum into a
difference, True into False. The engine's tests run against it in a separate process, where an import hook provides the
changed module; nothing on disk is touched. First run the quickest tests that reach the changed line, then all others: a
function whose result is kept is reached by one test and used by many. A mutant is noticed if a test fails or hangs.

    python -m tests.rules.engine.mutation --sample 60 --seed 1

The libraries for this (mutmut, cosmic-ray) work through whole trees and change files; a random sample that leaves the
checkout alone needs little more than Python's own `ast`.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from coverage import CoverageData

from tests.trees import tree_of

ROOT = Path(__file__).parents[3]
ENGINE = ROOT / "rules" / "engine"
TESTS = "tests/rules/engine"
VARIABLE = "HEADJUDGE_MUTANT"
ORDER = "HEADJUDGE_ORDER_OF_TESTS"
SECONDS = "HEADJUDGE_SECONDS_OF_TESTS"
SOON = 60
SLOWER = 10
"""So many times as long as without a mutant, and a minute more, may tests take before they count as hanging."""
OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the file under `rules/engine`, the number of its place, the line and its text, and a description."""

    file: str
    number: int
    line: int
    text: str
    change: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies a mutant when lines move."""
        return self.file, self.text, self.change

    def __str__(self) -> str:
        return f"rules/engine/{self.file}:{self.line}: {self.change}"


LOOKED_AT_AGAIN = "what is near is looked at again, more closely"
MIRRORED = "the eight directions are the same, mirrored"
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "movement/reach.py",
        "waves: list[list[tuple[Square, Mode]]] = [[] for _ in range(budget + 3)]",
        "3 becomes 4",
    ): "one more list at the end stays empty",
    (
        "movement/reach.py",
        "if ground.bit(square) & endable[mode] and cost < ends.get(square, cost + 1):",
        "1 becomes 2",
    ): "any default above the cost makes the comparison true",
    (
        "movement/reach.py",
        "if ground.bit(square) & endable[mode] and cost < ends.get(square, cost + 1):",
        "cost < ends.get(square, cost + 1): Lt becomes LtE",
    ): "an equal cost takes the place of itself",
    (
        "movement/reach.py",
        "if known is not None and known <= cost + 1 and (after, mode) not in stopped:",
        "known <= cost + 1: LtE becomes Lt",
    ): "a step that is tried again at an equal cost changes nothing",
    (
        "board/lines.py",
        "while across < 2 * width or along < 2 * height:",
        "across < 2 * width: Lt becomes LtE",
    ): "an odd number is never equal to an even one",
    (
        "board/lines.py",
        "while across < 2 * width or along < 2 * height:",
        "along < 2 * height: Lt becomes LtE",
    ): "an odd number is never equal to an even one",
    (
        "combat/line_classes.py",
        "return self.figure.bits if self.figure is not None and len(self.figure.character.squares) > 1 else 0",
        "len(self.figure.character.squares) > 1: Gt becomes GtE",
    ): "the only square of a base is an end of the line, never between the ends",
    (
        "powers/force_blast.py",
        "send_back(play, target, character, squares, already_reduced=False)",
        "False becomes True",
    ): "only an edition whose Force Blast rolls no die looks at it",
    (
        "combat/ko.py",
        "if character.on_map and character.holding is not None:",
        "character.on_map and character.holding is not None: And becomes Or",
    ): "without a name no object is found, and a character off the map has dropped what it held",
    ("movement/reach.py", "x, y = column + right, row + down", "column + right: Add becomes Sub"): MIRRORED,
    ("movement/reach.py", "x, y = column + right, row + down", "row + down: Add becomes Sub"): MIRRORED,
    (
        "movement/reach.py",
        "return [(square, Square(column + right, row + down)) for right, down in EIGHT]",
        "column + right: Add becomes Sub",
    ): MIRRORED,
    (
        "movement/reach.py",
        "return [(square, Square(column + right, row + down)) for right, down in EIGHT]",
        "row + down: Add becomes Sub",
    ): MIRRORED,
    (
        "movement/reach.py",
        "after = Square(corner.column + right, corner.row + down)",
        "corner.column + right: Add becomes Sub",
    ): MIRRORED,
    (
        "movement/reach.py",
        "after = Square(corner.column + right, corner.row + down)",
        "corner.row + down: Add becomes Sub",
    ): MIRRORED,
    (
        "powers/telekinesis.py",
        "after = Square(here.column + right, here.row + down)",
        "here.column + right: Add becomes Sub",
    ): MIRRORED,
    (
        "powers/telekinesis.py",
        "after = Square(here.column + right, here.row + down)",
        "here.row + down: Add becomes Sub",
    ): MIRRORED,
    (
        "combat/line_classes.py",
        "return self.figure.bits if self.figure is not None and len(self.figure.character.squares) > 1 else 0",
        "0 becomes 1",
    ): "no line passes the square in the map's corner",
    ("limit.py", "if left <= 0:", "left <= 0: LtE becomes Lt"): "no clock shows the same moment twice",
    ("limit.py", "self.is_over = True", "True becomes False"): "only a race of microseconds shows it",
    (
        "figures/adjacency.py",
        "reach = max(1, play.edition.board.giant_reach)",
        "1 becomes 2",
    ): LOOKED_AT_AGAIN,
    ("movement/paths.py", "reach = max(1, play.edition.board.giant_reach)", "1 becomes 2"): LOOKED_AT_AGAIN,
    (
        "movement/paths.py",
        "for row in range(own.row - reach, own.row + reach + 1):",
        "1 becomes 2",
    ): LOOKED_AT_AGAIN,
    (
        "movement/paths.py",
        "for column in range(own.column - reach, own.column + reach + 1):",
        "1 becomes 2",
    ): LOOKED_AT_AGAIN,
}
"""Mutants that change nothing that anyone could observe, by file, line and change, with the reason; none is drawn."""


class Changes(ast.NodeVisitor):
    """A collector of a module's changeable places: inside functions, outside texts, assertions and annotations."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, str]] = []
        self.inside = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.inside += 1
        for statement in node.body:
            self.visit(statement)
        self.inside -= 1

    def visit_Assert(self, node: ast.Assert) -> None:
        """Skip assertions: they are for the type checker."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip texts."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Skip the text of refusals."""

    def generic_visit(self, node: ast.AST) -> None:
        change = described(node) if self.inside else None
        if change is not None:
            self.found.append((node, change))
        super().generic_visit(node)


def described(node: ast.AST) -> str | None:
    """Return a description of what can be changed in a node, or None."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OTHER:
        return f"{ast.unparse(node)}: {type(node.ops[0]).__name__} becomes {OTHER[type(node.ops[0])].__name__}"
    if isinstance(node, (ast.BoolOp, ast.BinOp)) and type(node.op) in OTHER:
        if isinstance(node, ast.BinOp) and any(
            isinstance(side, (ast.JoinedStr, ast.Tuple)) for side in (node.left, node.right)
        ):
            return None
        return f"{ast.unparse(node)}: {type(node.op).__name__} becomes {OTHER[type(node.op)].__name__}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"{ast.unparse(node)}: the not is dropped"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return f"{node.value} becomes {not node.value}"
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return f"{node.value} becomes {node.value + 1}"
    return None


def changed(tree: ast.Module, number: int) -> ast.Module:
    """Return the tree with the place of this number changed."""
    tree = copy.deepcopy(tree)
    changes = Changes()
    changes.visit(tree)
    node = changes.found[number][0]
    if isinstance(node, ast.Compare):
        node.ops = [OTHER[type(node.ops[0])]()]
    elif isinstance(node, (ast.BoolOp, ast.BinOp)):
        node.op = OTHER[type(node.op)]()
    elif isinstance(node, ast.UnaryOp):
        node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
    return ast.fix_missing_locations(tree)


def mutants() -> Iterator[Mutant]:
    """Yield every mutant of the engine."""
    for path in sorted(ENGINE.rglob("*.py")):
        text, changes = path.read_text(encoding="utf-8"), Changes()
        changes.visit(tree_of(text))
        lines = text.splitlines()
        for number, (node, change) in enumerate(changes.found):
            line: int = getattr(node, "lineno", 0)
            yield Mutant(path.relative_to(ENGINE).as_posix(), number, line, lines[line - 1].strip(), change)


@dataclass(frozen=True)
class Reach:
    """What one run of the engine's tests showed: their seconds, and which of them reach a line of a file."""

    seconds: dict[str, float]
    lines: CoverageData

    def near(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach a mutant's line, quickest first: one of each function, then a second of each, …"""
        contexts = _contexts(self.lines, mutant.file).get(mutant.line, [])
        tests = {context.partition("|")[0] for context in contexts} & self.seconds.keys()
        cases: Counter[str] = Counter()
        places: dict[str, tuple[int, float]] = {}
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            function = test.partition("[")[0]
            places[test] = cases[function], self.seconds[test]
            cases[function] += 1
        return sorted(tests, key=places.__getitem__)


@cache
def _contexts(lines: CoverageData, file: str) -> dict[int, list[str]]:
    """Return line → the tests that reach it, of one file of the engine."""
    return lines.contexts_by_lineno(str(ENGINE / file))


def run_tests(*more: str, timeout: float | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run tests of the engine in a separate process, with this module as a plugin and always the same examples."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.rules.engine.mutation", "-p", "no:cacheprovider"]
    command += ["-x", "-q", "--no-header", "--override-ini", "addopts=-p no:schemathesis -m 'not soak'", *more]
    environment = {**os.environ, **environment, "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_PROFILE": "steady"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=timeout, check=False)


def reach(folder: Path) -> Reach:
    """Run the engine's tests once, without a mutant, and return what they reach; `folder` is for files."""
    data, settings, times = folder / "reached", folder / "coverage.ini", folder / "seconds.json"
    settings.write_text(f"[run]\nsource = {ENGINE}\ndata_file = {data}\n", encoding="utf-8")
    asked = ("--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=")
    done = run_tests(*asked, TESTS, **{SECONDS: str(times)})
    assert done.returncode == 0, done.stdout.decode()
    lines = CoverageData(str(data))
    lines.read()
    return Reach(json.loads(times.read_text(encoding="utf-8")), lines)


def noticed(mutant: Mutant, reached: Reach, folder: Path) -> bool:
    """Return whether the tests notice a mutant: one fails, or they take far too long."""
    near = reached.near(mutant)
    soon = near[:SOON]
    others = sorted(reached.seconds.keys() - set(soon), key=lambda test: (test not in near, reached.seconds[test]))
    return any(_fails(mutant, tests, reached, folder) for tests in (soon, others) if tests)


def _fails(mutant: Mutant, tests: list[str], reached: Reach, folder: Path) -> bool:
    order = folder / "order.json"
    order.write_text(json.dumps(tests), encoding="utf-8")
    files = sorted({test.partition("::")[0] for test in tests})
    limit = 60 + SLOWER * sum(reached.seconds[test] for test in tests)
    try:
        done = run_tests(*files, timeout=limit, **{VARIABLE: f"{mutant.file}:{mutant.number}", ORDER: str(order)})
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def judged(sample: int, seed: int) -> list[Mutant]:
    """Return the mutants that no test notices, of a sample drawn with this seed."""
    sys.stdout.write(f"{sample} mutants drawn with seed {seed}\n")
    drawn = random.Random(seed).sample([one for one in mutants() if one.key not in EQUIVALENT], sample)
    alive: list[Mutant] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        reached = reach(folder)
        for mutant in drawn:
            gone = noticed(mutant, reached, folder)
            if not gone:
                alive.append(mutant)
            sys.stdout.write(f"{'noticed  ' if gone else 'UNNOTICED'} {mutant}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{sample - len(alive)} of {sample} noticed\n")
    return alive


# ── In the process that runs the tests ─────────────────────────────────────────────────────────


_seconds: dict[str, float] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run only the tests asked for, in their order."""
    if ORDER in os.environ:
        order = json.loads(Path(os.environ[ORDER]).read_text(encoding="utf-8"))
        found = {item.nodeid: item for item in items}
        items[:] = [found[test] for test in order if test in found]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    """Write how long each test took."""
    if SECONDS in os.environ:
        Path(os.environ[SECONDS]).write_text(json.dumps(_seconds), encoding="utf-8")


class Loader(importlib.machinery.SourceFileLoader):
    """A loader of a module with one place changed."""

    number = 0

    def get_code(self, fullname: str) -> CodeType:
        """Return the changed module's code, never a cached one."""
        path = self.get_filename(fullname)
        return compile(changed(ast.parse(self.get_data(path)), self.number), path, "exec")


class Finder(importlib.abc.MetaPathFinder):
    """A finder that provides the changed module instead of the one on disk."""

    def __init__(self, file: str, number: int) -> None:
        name = ".".join(("rules", "engine", *Path(file).with_suffix("").parts))
        self.name, self.number = name.removesuffix(".__init__"), number

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the changed module, None for every other."""
        if fullname != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or spec.origin is None:
            return None
        loader = Loader(fullname, spec.origin)
        loader.number = self.number
        spec.loader = loader
        return spec


if VARIABLE in os.environ and __name__ != "__main__":
    _file, _, _number = os.environ[VARIABLE].partition(":")
    sys.meta_path.insert(0, Finder(_file, int(_number)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Try a sample of mutants of the engine.")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    judged(asked.sample, asked.seed)
