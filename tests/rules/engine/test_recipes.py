"""The recipe of a new legality rule, followed on a scratch copy: each step that is left out is named, with its file."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PLACES = "tests/rules/engine/force/test_places.py"
RULE = '''

@legality_rule("feats in fives", topic="feats")
def feat_fives(force: Force, _edition: Edition) -> Findings:
    """The points of each feat are a multiple of 5."""
    for feat in force.feats:
        if feat.points % 5:
            yield Violation(f"{feat.name} costs {feat.points} points, not a multiple of 5.", (feat.ref,))
'''
CASE = {
    "rule": "feat-fives",
    "editions": ["core-2014"],
    "force": {
        "event": {"build_total": 300},
        "force": {
            "characters": [{"ref": "a", "name": "A", "points": 40}],
            "feats": [{"name": "Camouflage", "points": 3, "assigned_to": ["a"], "requires": {}}],
        },
    },
}


@pytest.fixture
def scratch(tmp_path):
    """A copy of the engine and of the tests of its legality rules."""
    for part in ("rules/engine", "rules/__init__.py", PLACES, "tests/cases", "tests/rules/engine/golden.py"):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    return tmp_path


def append(path, text):
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def fault_of(folder):
    """Run the tests of the legality rules in a copy; return what they say, "" where they pass."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    program = [sys.executable, "-P", "-m", "pytest", "-q", "--noconftest", "-c", os.devnull]
    program += ["-p", "no:cacheprovider", "--rootdir", str(folder), str(folder / PLACES)]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_a_legality_rule_needs_three_files_and_each_missing_one_is_named(scratch):
    append(scratch / "rules/engine/force/checks/extras.py", RULE)
    said = fault_of(scratch)
    assert "feat_fives" in said
    assert "rules/engine/editions" in said

    book = scratch / "rules/engine/editions/core_2014.py"
    text = book.read_text(encoding="utf-8")
    book.write_text(
        text.replace("extras.feat_duplicate,", "extras.feat_duplicate, extras.feat_fives,"), encoding="utf-8"
    )
    said = fault_of(scratch)
    assert "tests/cases/legality.jsonl lacks ['feat-fives']" in said

    append(scratch / "tests/cases/legality.jsonl", json.dumps(CASE) + "\n")
    assert fault_of(scratch) == ""


def test_a_topic_that_no_book_has_is_asked_for_by_file(scratch):
    home = scratch / "rules/engine/force/checks/extras.py"
    text = home.read_text(encoding="utf-8")
    home.write_text(text.replace('topic="resource")', 'topic="resource-dials")'), encoding="utf-8")
    assert "rules/engine/editions/texts/topics.toml" in fault_of(scratch)
    topics = scratch / "rules/engine/editions/texts/topics.toml"
    text = topics.read_text(encoding="utf-8")
    topics.write_text(
        text.replace("[topics.force]", '[topics.force]\nresource-dials = "Resource dials"'), encoding="utf-8"
    )
    assert "rules/engine/editions/texts/core-2014.toml" in fault_of(scratch)
