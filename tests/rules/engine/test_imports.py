"""Imports point one way, inside the engine too; it uses only the standard library, others only its public face."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

from tests.trees import tree_of

ROOT = Path(__file__).parents[3]
ENGINE = ROOT / "rules" / "engine"


def test_the_layers_hold():
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], capture_output=True, encoding="utf-8", check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_only_the_standard_library_is_used():
    foreign = set()
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(tree_of(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            foreign |= {
                name
                for name in names
                if name.split(".")[0] not in sys.stdlib_module_names and name[:12] != "rules.engine"
            }
    assert not foreign


@pytest.fixture(scope="module")
def graph():
    """Return all imports of the program, including those for types and those inside functions."""
    return grimp.build_graph("config", "events", "judging", "rules", cache_dir=None)


def test_outside_the_engine_only_its_public_face_is_imported(graph):
    engine = graph.find_descendants("rules.engine")
    behind = [
        f"{importer}: {found['line_contents']}"
        for importer in graph.modules - engine - {"rules.engine"}
        for imported in engine & graph.find_modules_directly_imported_by(importer)
        for found in graph.get_import_details(importer=importer, imported=imported)
        if not found["line_contents"].startswith(
            "from rules.engine import"
        )  # `adjudicate` is both a module and a function
    ]
    assert not behind, f"import these from rules.engine, and list them in rules/engine/__init__.py: {sorted(behind)}"


def test_the_only_circle_is_play_edition_power(graph):
    circle = {"rules.engine.play", "rules.engine.edition", "rules.engine.power"}
    imports = {one: set(graph.find_modules_directly_imported_by(one)) for one in graph.modules}
    for one in circle:
        imports[one] -= circle
    try:
        graphlib.TopologicalSorter(imports).prepare()
    except graphlib.CycleError as error:
        raise AssertionError(f"these modules import each other in a circle: {' -> '.join(error.args[1])}") from error
