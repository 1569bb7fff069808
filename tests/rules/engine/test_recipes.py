"""The recipes in docs/recipes.md for a legality rule, a power and a ruling, followed on a scratch copy.

For each omitted step a failure names the file.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PLACES = "tests/rules/engine/force/test_places.py"
TABLES = "tests/rules/engine/test_power_tables.py"
RULINGS = "tests/rules/engine/test_rulings.py"
DISPUTES = "tests/rules/engine/test_rulings_of_disputes.py"
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

POWER = """
THICK_SKULL = Power(name="Thick Skull", topic="powers", defending=Defending(reduce_damage=less(1)))
"""
PLAYED = '''"""Thick Skull: 1 less of each damage."""

from tests.rules.engine.fights import clicks, done, fight, fighter


def test_a_thick_skull_takes_one_damage_away() -> None:
    hit = done("close", "a", "b", rolls={"attack": [[3, 4]]})
    assert clicks(fight("core-2014", [fighter("a", "D4")], [fighter("b", "E4", powers=["Thick Skull"])], hit), "b") == [3]
'''

RULING = """
[[ruling]]
id = "rulebook-crate-corner"
text = "A line that only touches the corner of a crate's square is judged by both squares beside that corner."
topics = ["line-of-fire"]
when = ["line-of-fire", "target-in-hindering"]
authority = "rulebook"
section = "Terrain › Hindering Terrain"
"""
SHOWN = """

def test_the_ruling_on_the_corner_of_a_crate_is_shown():
    shot = ranged("a", "b", rolls=dice(3, 3))
    document = dispute([figure("a", "E5")], [figure("b", "H5")], shot, edition="core-2014", hindering=["H5"])
    assert "rulebook-crate-corner" in {one["id"] for one in adjudicate(document)["rulings"]}
"""


@pytest.fixture
def scratch(tmp_path):
    """Return a copy of the engine, its cases, its tests and their compiled code: only what changes is compiled again."""
    packages = (
        "rules/__init__.py",
        "tests/__init__.py",
        "tests/rules/__init__.py",
        "tests/tables.py",
        "tests/trees.py",
    )  # nothing comes from the original
    for part in (*packages, "rules/engine", "tests/cases", "tests/rules/engine"):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("*.pyc.*", Path(__file__).name))
        else:
            shutil.copy(ROOT / part, tmp_path / part)
    return tmp_path


def append(path, text):
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def insert(path, after, line):
    text = path.read_text(encoding="utf-8")
    assert after in text
    path.write_text(text.replace(after, f"{after}{line}", 1), encoding="utf-8")


def fault_of(folder, *tests):
    """Run these tests in a copy, by default those of legality rules; return their output, "" if they pass."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    program = [sys.executable, "-P", "-m", "pytest", "-q", "--noconftest", "-c", os.devnull]
    program += ["-p", "no:cacheprovider", "--rootdir", str(folder)]
    program += [str(folder / test) for test in tests or (PLACES,)]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_a_legality_rule_needs_three_files_and_each_missing_one_is_named(scratch):
    append(scratch / "rules/engine/force/checks/extras.py", RULE)
    said = fault_of(scratch)
    assert "feat_fives" in said, said
    assert "rules/engine/editions" in said

    book = scratch / "rules/engine/editions/core_2014.py"
    text = book.read_text(encoding="utf-8")
    book.write_text(
        text.replace("extras.feat_duplicate,", "extras.feat_duplicate, extras.feat_fives,"), encoding="utf-8"
    )
    said = fault_of(scratch)
    assert "tests/cases/legality.jsonl lacks ['feat-fives']" in said, said

    append(scratch / "tests/cases/legality.jsonl", json.dumps(CASE) + "\n")
    assert fault_of(scratch) == ""


def test_a_topic_that_no_book_has_is_asked_for_by_file(scratch):
    home = scratch / "rules/engine/force/checks/extras.py"
    text = home.read_text(encoding="utf-8")
    home.write_text(text.replace('topic="resource"', 'topic="resource-dials"'), encoding="utf-8")
    assert "rules/engine/editions/texts/topics.toml" in fault_of(scratch)
    topics = scratch / "rules/engine/editions/texts/topics.toml"
    text = topics.read_text(encoding="utf-8")
    topics.write_text(
        text.replace("[topics.force]", '[topics.force]\nresource-dials = "Resource dials"'), encoding="utf-8"
    )
    assert "rules/engine/editions/texts/core-2014.toml" in fault_of(scratch)


def test_a_power_needs_three_files_and_each_missing_one_is_named(scratch):
    append(scratch / "rules/engine/powers/defense.py", POWER)
    said = fault_of(scratch, TABLES)
    assert "List these in the tables of an edition in rules/engine/editions: ['defense.THICK_SKULL']" in said, said

    insert(
        scratch / "rules/engine/editions/core_2014.py", "        defense.TOUGHNESS,\n", "        defense.THICK_SKULL,\n"
    )
    said = fault_of(scratch, TABLES)
    assert "Thick Skull in tests/rules/engine/powers/test_defense.py" in said, said

    played = scratch / "tests/rules/engine/powers/test_defense.py"
    played.write_text(PLAYED, encoding="utf-8")
    assert fault_of(scratch, TABLES, "tests/rules/engine/powers/test_defense.py") == ""


def test_the_topic_of_a_power_is_asked_for_by_file(scratch):
    power = POWER.replace('topic="powers"', 'topic="thick-skull"')
    append(scratch / "rules/engine/powers/defense.py", power)
    insert(
        scratch / "rules/engine/editions/core_2014.py", "        defense.TOUGHNESS,\n", "        defense.THICK_SKULL,\n"
    )
    texts = scratch / "rules/engine/editions/texts"
    assert "rules/engine/editions/texts/topics.toml: ['thick-skull']" in fault_of(scratch, TABLES)
    insert(texts / "topics.toml", "[topics.power]\n", 'thick-skull = "Thick Skull"\n')
    assert "rules/engine/editions/texts/core-2014.toml: ['thick-skull']" in fault_of(scratch, TABLES)


def test_a_ruling_needs_two_files_and_each_missing_one_is_named(scratch):
    book = scratch / "rules/engine/editions/texts/rulings/core-2014.toml"
    before = book.read_text(encoding="utf-8")
    faults = {
        "rules/engine/editions/texts/topics.toml": ('topics = ["line-of-fire"]', 'topics = ["crate-corners"]'),
        "rules/engine/met.py": ('"target-in-hindering"', '"target-behind-a-crate"'),
        "rules/engine/editions/texts/headings/core-2014.toml": ("Hindering Terrain", "Crates"),
    }
    wrong = [RULING.replace(*fault).replace("corner", f"corner-{n}", 1) for n, fault in enumerate(faults.values())]
    book.write_text(before + "".join(wrong), encoding="utf-8")
    whole = f"{RULINGS}::test_a_ruling_is_whole"
    said = fault_of(scratch, whole)
    assert [file for file in faults if file not in said] == []

    book.write_text(before + RULING, encoding="utf-8")
    tests = [whole, f"{RULINGS}::test_no_ruling_is_new_and_in_no_dispute"]
    said = fault_of(scratch, *tests)
    assert "rulebook-crate-corner" in said
    assert DISPUTES in said
    append(scratch / DISPUTES, SHOWN)
    assert fault_of(scratch, *tests, f"{DISPUTES}::test_the_ruling_on_the_corner_of_a_crate_is_shown") == ""
