"""A system like Windows, in the C locale: nothing that only POSIX systems have, and no open file is removed."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import segno

from tests.config.day_without_posix import NAME
from tests.databases import copied_sqlite

ROOT = Path(__file__).resolve().parents[2]
LIKE_WINDOWS = ROOT / "tests" / "without_posix"


def test_a_day_on_a_system_like_windows(tmp_path):
    copied_sqlite(tmp_path / "headjudge.sqlite3")
    environment = os.environ | {
        "DATA_DIR": str(tmp_path), "PYTHONPATH": f"{LIKE_WINDOWS}{os.pathsep}{ROOT}", "BACKGROUND_WORK": "false",
        "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }  # fmt: skip
    environment.pop("DATABASE_URL", None)
    ended = subprocess.run(
        [sys.executable, "-m", "tests.config.day_without_posix"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="cp1252",
        timeout=180,
    )
    assert ended.returncode == 0, ended.stderr
    *printed, said = ended.stdout.splitlines()
    told = json.loads(said)
    assert told["lacking"] == ["fcntl", "resource"]
    assert told["foreign"] == []
    assert (told["made beside"], told["logged"], told["away"]) == (True, True, "")
    assert (told["restored"], told["papers"]) == (NAME, 1)
    home, board, paper = told["pages"].values()
    assert (home, board, paper) == ([200, "<!doc"], [200, "<!doc"], [200, "%PDF-"])
    assert NAME.encode("cp1252", "backslashreplace").decode("cp1252") in ended.stdout
    code = [line for line in printed if line and set(line) <= {"#", " "}]
    (link,) = (line.strip() for line in printed if line.startswith("  http://192.0.2.7:"))
    wanted = segno.make(link, error="m").matrix_iter(border=4)
    assert [[pair == "  " for pair in re.findall("..", line)] for line in code] == [
        list(map(bool, row)) for row in wanted
    ]
