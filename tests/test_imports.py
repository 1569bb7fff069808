"""The direction of imports is kept."""

import subprocess
import sys
from pathlib import Path


def test_imports_point_one_way():
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--no-cache"], capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1]
    )
    assert done.returncode == 0, done.stdout
