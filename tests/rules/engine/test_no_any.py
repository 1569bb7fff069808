"""Rules work on typed values: no function of the engine returns JSON or anything else untyped.

Only modules that read and write files have untyped values: `documents` (JSON) and `editions` (TOML).
"""

import ast
from pathlib import Path

from tests.tables import every_row
from tests.trees import tree_of

ENGINE = Path(__file__).parents[3] / "rules" / "engine"
RULES = sorted(path for path in ENGINE.rglob("*.py") if path.parent.name not in ("documents", "editions"))


@every_row("path", RULES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_nothing_without_a_type_is_returned(path):
    loose = [
        f"{path.name}:{node.lineno} {node.name} returns {ast.unparse(node.returns)}"
        for node in ast.walk(tree_of(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.returns is not None and "Any" in ast.unparse(node.returns)
    ]
    assert not loose, f"Give a type to what is returned: {'; '.join(loose)}"
