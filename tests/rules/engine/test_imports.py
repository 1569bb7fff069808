"""Inside the engine imports point one way too, and nothing but the standard library is used."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[3]
ENGINE = ROOT / "rules" / "engine"


def test_the_layers_hold():
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    assert "Inside the engine imports point one way KEPT" in done.stdout


def test_only_the_standard_library_is_used():
    foreign = set()
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


def test_the_only_circle_is_play_edition_power():
    """Imports for types alone and imports inside functions count."""
    graph = grimp.build_graph("config", "events", "judging", "rules", cache_dir=None)
    circle = {"rules.engine.play", "rules.engine.edition", "rules.engine.power"}
    for importer in circle:
        for imported in circle & graph.find_modules_directly_imported_by(importer):
            graph.remove_import(importer=importer, imported=imported)
    order = graphlib.TopologicalSorter({one: graph.find_modules_directly_imported_by(one) for one in graph.modules})
    try:
        order.prepare()
    except graphlib.CycleError as error:
        raise AssertionError(f"these modules import each other in a circle: {' -> '.join(error.args[1])}") from error
