"""Data folders with odd names, relative ones and links; and that an installation runs only its own code."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import folders
from config import settings as of_environment
from rules.apart import apart
from tests.databases import copied_sqlite

ROOT = Path(__file__).parents[2]
ODD = "a b#c+d%e ü?"
STRANGER = "raise SystemExit('a stranger')"
KEEPING = """
import os
import django
django.setup()
from django.core.management import call_command
from django.conf import settings
from judging.keeping import storage
from rules.apart import apart
call_command("createsuperuser", email="ada@example.org", name="Ada", interactive=False, verbosity=0)
storage.write(storage.place("snapshots", "one"), b"1")
call_command("backup")
call_command("restore", str(max(storage.place("backups").glob("*.gz"))), force=True)
call_command("collectstatic", interactive=False, verbosity=0)
assert apart(os.getcwd) == os.getcwd()
print(settings.DATA_DIR)
"""


def run(*given, cwd, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DATA_DIR")}
    kept |= {"PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "config.settings"} | environment
    return subprocess.run(
        [sys.executable, *given], cwd=cwd, env=kept, capture_output=True, encoding="utf-8", timeout=240, check=False
    )


def test_data_stays_in_a_folder_with_an_odd_name_that_is_relative_and_a_link(tmp_path):
    """The link's target was open to others, and becomes private."""
    real = tmp_path / "real"
    copied_sqlite(real / "headjudge.sqlite3")
    real.chmod(0o755)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / ODD).symlink_to(real)
    given = {"DATA_DIR": ODD, "DJANGO_SUPERUSER_PASSWORD": "three-action-tokens", "PYTHONUTF8": "1"}
    done = run("-c", KEEPING, cwd=tmp_path / "here", **given)
    assert done.returncode == 0, done.stderr
    assert "Restored as of" in done.stdout
    assert done.stdout.splitlines()[-1] == str(tmp_path / "here" / ODD)
    assert {one.name for one in real.iterdir()} >= {"headjudge.sqlite3", "secret_key", "backups", "snapshots", "static"}
    assert [one.name for one in (tmp_path / "here").iterdir()] == [ODD]
    assert {one.name for one in tmp_path.iterdir()} == {"here", "real"}
    if os.name == "posix":
        assert stat.S_IMODE(real.stat().st_mode) == 0o700


def test_without_data_dir_a_checkout_has_its_own_folder_and_a_wheel_the_users(tmp_path, monkeypatch):
    assert folders.data_folder("") == ROOT / ".headjudge"
    monkeypatch.setattr(folders, "IS_CHECKOUT", False)
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    found = folders.data_folder("")
    assert found.is_relative_to(tmp_path)
    assert found.name == "headjudge"


def test_an_account_without_a_home_is_asked_for_a_folder(monkeypatch):
    monkeypatch.setattr(folders, "IS_CHECKOUT", False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_given, **_named: Path("~/.local/share/headjudge"))
    with pytest.raises(ImproperlyConfigured, match="Name a folder in DATA_DIR"):
        folders.data_folder("")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("", str(of_environment.DATA_DIR / "headjudge.sqlite3")),
        ("sqlite:////srv/a+b/c%23d%20e.sqlite3", "/srv/a+b/c#d e.sqlite3"),
        ("postgres://u:a+b@h/db", "db"),
    ],
)
def test_a_database_url_means_what_it_says(monkeypatch, address, name):
    monkeypatch.setenv("DATABASE_URL", address)
    found = of_environment._database()
    assert found["NAME"] == name
    assert found.get("PASSWORD") in (None, "", "a+b")


def test_postgresql_without_psycopg_is_reported_in_a_sentence(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://u:hunter22@h/db")
    monkeypatch.setattr(of_environment, "find_spec", lambda _name: None)
    with pytest.raises(ImproperlyConfigured, match=r"psycopg isn't installed.*\[server\]") as caught:
        of_environment._database()
    assert "hunter22" not in str(caught.value)


@pytest.fixture
def strange(tmp_path):
    """Return a folder with a stranger's packages that have our names."""
    for name in ("config", "rules"):
        (tmp_path / "strange" / name).mkdir(parents=True)
        for module in ("__init__.py", "settings.py", "commands.py", "apart.py"):
            (tmp_path / "strange" / name / module).write_text(STRANGER, encoding="utf-8")
    return tmp_path / "strange"


def test_the_command_runs_nothing_of_the_folder_in_which_it_is_started(strange, tmp_path):
    """The installed program is in the environment's bin folder; Python looks for modules there, not here."""
    program = tmp_path / "programs" / "headjudge"
    program.parent.mkdir()
    program.write_text("from config.commands import main\nmain()\n", encoding="utf-8")
    done = run(str(program), "check_force", "--sample", cwd=strange, DATA_DIR=str(tmp_path / "kept"))
    assert done.returncode == 0, done.stderr
    assert '"characters"' in done.stdout


def test_a_process_of_its_own_runs_nothing_of_the_folder_in_which_the_server_is_started(strange, monkeypatch):
    monkeypatch.chdir(strange)
    assert apart(os.getpid) != os.getpid()
