"""The wheel's description in pyproject.toml. `.ci/wheel` builds it, compares its files with git's, and uses it."""

import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from config import commands

ROOT = Path(__file__).parents[2]
TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = TOLD["project"]
SHIPPED = ("config", "events", "judging", "rules", "templates")
NAMED_NOWHERE = {"tzdata": "Python reads it", "uvloop": "uvicorn takes it"}
pytestmark = pytest.mark.pure


def test_the_wheel_holds_whole_folders():
    """Including data files, except those that git ignores; templates are in `config`, tests nowhere."""
    wheel = TOLD["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel == {
        "packages": ["config", "events", "judging", "rules"],
        "force-include": {"templates": "config/templates"},
    }
    assert list(TOLD["tool"]["hatch"]["build"]) == ["targets"]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this copy of the project is no git checkout")
def test_git_ignores_no_file_that_is_shipped():
    asked = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard", "--", *SHIPPED]
    ignored = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
    assert ignored.stdout == "", "the wheel lacks these files: .gitignore names them"


def test_the_console_command_is_there():
    assert PROJECT["scripts"] == {"headjudge": "config.commands:main"}
    assert callable(commands.main)


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_dependency_is_used():
    files = [file for folder in SHIPPED[:-1] for file in (ROOT / folder).rglob("*.py")]
    files += (ROOT / "config/deploy").iterdir()
    words = "\n".join(file.read_text(encoding="utf-8") for file in files).lower()
    found: dict[str, list[str]] = {}
    for module, names in metadata.packages_distributions().items():
        for name in map(canonical, names):
            found.setdefault(name, []).append(module.lower())
    lines = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]]
    named = {canonical(re.match(r"[\w.-]+", line)[0]) for line in lines} - set(NAMED_NOWHERE)
    unused = [name for name in sorted(named) if not any(module in words for module in found[name])]
    assert unused == [], "nothing imports or names these: take them out of pyproject.toml"
