"""Mutants of the engine: small faults put into it one at a time, to see whether the tests notice.

A mutant is one place of one function changed: a comparison, `and`/`or`, a `not`, a number by one, a sum into a
difference, True into False. The tests of its chapter run against it in a separate process, where an import hook
provides the changed module; nothing on disk is touched. A mutant is killed if a test fails or hangs.

    python -m tests.rules.engine.mutation --sample 40 --seed 1

The libraries for this (mutmut, cosmic-ray) work through whole trees and change files; a random sample that leaves the
checkout alone needs little more than Python's own `ast`.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

ROOT = Path(__file__).parents[3]
ENGINE = ROOT / "rules" / "engine"
VARIABLE = "HEADJUDGE_MUTANT"
TIMEOUT = 600
OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
DISPUTES = ("combat", "powers", "actions", "movement", "figures", "test_examples_again.py", "test_questions.py")
TESTS = {
    "force": ("force",),
    "scoring": ("scoring", "powers/test_captives.py", "combat/test_knocked_out.py"),
    "documents": ("documents",),
    "board": ("board", "combat", "movement"),
    "movement": ("movement", "actions", *DISPUTES),
    "figures": ("figures", *DISPUTES),
    "powers": ("powers", *DISPUTES),
    "actions": ("actions", *DISPUTES),
}
"""The tests of each chapter, the most sensitive first; a chapter not named here has all tests of disputes."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the file under `rules/engine`, the number of its place, the line, and a description."""

    file: str
    number: int
    line: int
    change: str

    def __str__(self) -> str:
        return f"rules/engine/{self.file}:{self.line}: {self.change}"


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
        changes = Changes()
        changes.visit(ast.parse(path.read_text(encoding="utf-8")))
        for number, (node, change) in enumerate(changes.found):
            yield Mutant(path.relative_to(ENGINE).as_posix(), number, getattr(node, "lineno", 0), change)


def killed(mutant: Mutant, tests: Sequence[str] = ()) -> bool:
    """Return whether the tests of its chapter notice a mutant: one fails, or they take far too long."""
    chapter = mutant.file.partition("/")[0]
    named = tests or tuple(dict.fromkeys(TESTS.get(chapter, DISPUTES)))
    paths = [str(Path("tests/rules/engine") / name) for name in named]
    command = [sys.executable, "-m", "pytest", "-p", "tests.rules.engine.mutation", "-p", "no:cacheprovider"]
    command += ["-x", "-q", "--no-header", "--override-ini", "addopts=-m 'not soak'", *paths]
    environment = {**os.environ, VARIABLE: f"{mutant.file}:{mutant.number}", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def judged(sample: int, seed: int) -> tuple[list[Mutant], list[Mutant]]:
    """Return the killed and the surviving mutants of a sample drawn with this seed."""
    drawn = random.Random(seed).sample(list(mutants()), sample)
    dead: list[Mutant] = []
    alive: list[Mutant] = []
    for mutant in drawn:
        gone = killed(mutant)
        (dead if gone else alive).append(mutant)
        sys.stdout.write(f"{'killed  ' if gone else 'SURVIVED'} {mutant}\n")
        sys.stdout.flush()
    return dead, alive


# ── In the process that runs the tests ─────────────────────────────────────────────────────────


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
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    dead_, alive_ = judged(asked.sample, asked.seed)
    sys.stdout.write(f"{len(dead_)} of {len(dead_) + len(alive_)} killed.\n")
