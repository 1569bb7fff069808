"""No command ends in a traceback, whatever is wrong with the folder, the disk, the database, the file or the output."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import get_commands
from django.db import connection

from config import commands as ending
from tests.tables import every_row

from . import commands

ROOT = Path(__file__).parents[2]
own_databases = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="these processes have databases of their own: once is enough"
)


def test_every_command_has_its_place():
    assert set(get_commands()) == set(commands.COMMANDS) | set(commands.UNTRIED), (
        "a new command: say in tests/config/commands.py how it is tried"
    )


def without_tracebacks(cases, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY")}
    environment |= {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    program = [sys.executable, "-m", "tests.config.commands"]
    done = subprocess.run(
        program, cwd=ROOT, env=environment, input=json.dumps(cases), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == len(cases)
    bad = [one for one in told if "Traceback" in one[3] or "Unexpected error" in one[3] or one[2] not in (0, 1, 2, 130)]
    assert bad == []
    silent = [one[:3] for one in told if one[2] in (1, 2) and not one[3].strip()]
    assert silent == []
    return told


@own_databases
def test_a_command_that_meets_a_fault_says_so_in_a_sentence(tmp_path):
    told = without_tracebacks(commands.sample(), tmp_path)
    assert [one[2] for one in told if one[:2] == ["demo", "locked"]] == [1]


@own_databases
@pytest.mark.soak
def test_every_command_meets_every_fault(tmp_path):
    without_tracebacks(commands.cases(), tmp_path)


def manage(*given, cwd=ROOT, stdout=subprocess.PIPE, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY", "DATA_DIR")}
    command = [sys.executable, str(ROOT / "manage.py"), *given]
    return subprocess.run(
        command, cwd=cwd, env=kept | environment, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8", check=False
    )


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"DATA_DIR": "{there}/file"}, "is a file, not a folder"),
        ({"DATA_DIR": "/proc/none"}, "can't be created"),
        ({"DATABASE_URL": "garbage"}, "DATABASE_URL doesn't name an SQLite or PostgreSQL database"),
        ({"DATABASE_URL": "postgres://u@host:port/x"}, "DATABASE_URL isn't valid"),
        ({"DATABASE_URL": "postgres://u:hunter22/x@h/db"}, "DATABASE_URL isn't valid"),
        ({"EMAIL_URL": "smtp://u:hunter22/x@h:25"}, "EMAIL_URL isn't valid"),
        ({"READERS": "several"}, "An environment variable has an invalid value"),
        ({"DATA_DIR": "{there}/empty-key"}, "is empty"),
    ],
    ids=lambda value: next(iter(value.values())) if isinstance(value, dict) else "",
)
def test_settings_that_cannot_be_used_are_reported_in_a_sentence(environment, said, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "empty-key").mkdir()
    (tmp_path / "empty-key" / "secret_key").write_text("", encoding="utf-8")
    given = {"DATA_DIR": str(tmp_path / "kept")}
    given |= {name: value.format(there=tmp_path) for name, value in environment.items()}
    done = manage("check", **given)
    assert done.returncode == 1
    assert said in done.stderr
    assert "hunter22" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_has_enough_ends_a_command_quietly(tmp_path):
    read, write = os.pipe()
    os.close(read)
    done = manage("diffsettings", DATA_DIR=str(tmp_path), stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (ending.PIPE_CLOSED, "")


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [(OSError(errno.ENOSPC, "full"), 1, "No space is left on the disk.\n"), (BrokenPipeError(), 2, "")],
)
def test_a_report_that_could_not_be_written_is_not_lost_without_a_word(monkeypatch, capsys, fault, status, said):
    """As when `doctor` has found something and standard output is a file on a full disk."""
    output = commands.Full()
    monkeypatch.setattr(output, "flush", Mock(side_effect=fault))
    monkeypatch.setattr("django.core.management.execute_from_command_line", Mock(side_effect=SystemExit(2)))
    monkeypatch.setattr("sys.stdout", output)
    with pytest.raises(SystemExit) as left:
        ending.run(["manage.py", "doctor"])
    sys.stdout.close()  # the null device that took the place of the output
    assert (left.value.code, capsys.readouterr().err) == (status, said)


def test_processes_that_start_at_once_have_one_key(tmp_path):
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY")}
    kept |= {"DATA_DIR": str(tmp_path / "new"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    started = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=kept, stdout=subprocess.PIPE, encoding="utf-8")
        for _n in range(5)
    ]
    keys = {one.communicate()[0] for one in started}
    assert len(keys) == 1
    assert (tmp_path / "new" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "new").glob(".secret*")] == []


@every_row(
    ("fault", "said"),
    [
        (PermissionError(13, "Permission denied", "x.json"), "x.json: Permission denied."),
        (OSError(28, "No space left on device"), "No space is left on the disk."),
        (ImproperlyConfigured("The key is empty."), "The key is empty."),
        (
            UnicodeEncodeError("utf-8", "J\udcfcrgen", 1, 2, "surrogates not allowed"),
            "The terminal's locale lacks a letter",
        ),
        (TypeError("a fault of ours"), "Unexpected error: TypeError: a fault of ours."),
    ],
)
def test_a_fault_is_worded(fault, said):
    assert ending.in_a_sentence(fault).startswith(said)
