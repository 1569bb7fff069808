"""Every command that reads a FILE names a sample in its help, prints it, and can read it."""

import io
import re
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.config.commands import COMMANDS, FILE, THEIRS

OURS = list(COMMANDS)[: list(COMMANDS).index(THEIRS[0])]
WITHOUT = {"restore": "a backup holds a whole installation: only `backup` writes one"}
READING = sorted(name for name in OURS if FILE in COMMANDS[name] and name not in WITHOUT)
ALSO = {"import_event": ["--trust"]}
"""The arguments that a command needs besides its FILE to use everything in the sample."""
HOW = "add it with `add_file(parser, SAMPLES / …)` (rules/management/samples.py) in its add_arguments, and put the sample there"


def command_of(name):
    return load_command_class(get_commands()[name], name)


def sample_of(name):
    """Return a command's sample file."""
    found = [action for action in command_of(name).create_parser("manage.py", name)._actions if action.dest == "sample"]
    assert found, f"{name} reads a FILE and has no --sample: {HOW}"
    return Path(found[0].const)


@pytest.mark.parametrize("name", READING)
def test_help_names_a_sample_and_sample_prints_it_without_file_or_database(name, capsys):
    sample = sample_of(name)
    assert sample.is_file(), f"{name}: there is no {sample}: {HOW}"
    shown = command_of(name).create_parser("manage.py", name).format_help()
    assert f"{sample.parent.name}/{sample.name}" in re.sub(r"\s+", " ", shown)
    with pytest.raises(SystemExit) as ended:
        command_of(name).run_from_argv(["manage.py", name, "--sample"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == sample.read_text(encoding="utf-8")


@pytest.mark.django_db
@pytest.mark.parametrize("name", READING)
def test_the_sample_is_understood_on_standard_input(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sample_of(name).read_bytes()), encoding="utf-8"))
    given = ["-" if word == FILE else word for word in COMMANDS[name]] + ALSO.get(name, [])
    command = command_of(name)
    options = command.create_parser("manage.py", name).parse_args(
        [*given, "--skip-checks"] if command.requires_system_checks else given
    )
    told = vars(options)
    status = 0
    try:
        command.execute(**told)
    except SystemExit as ended:
        status = ended.code
    said = capsys.readouterr()
    assert status == 0, (
        f"the sample of {name} is at fault: edit {sample_of(name)} (an event file is made anew by "
        f"`python -m tests.judging.event_sample`): {said.out}{said.err}"
    )
    assert said.out


def test_every_command_without_a_sample_reads_a_file_and_says_why_it_has_none():
    assert set(WITHOUT) <= {name for name in OURS if FILE in COMMANDS[name]}


def test_no_sample_is_left_over():
    used = {sample_of(name) for name in READING}
    there = {file for app in ("rules", "events", "judging") for file in Path(app, "management/samples").glob("*")}
    assert {file.resolve() for file in there} == used, "a sample that no command prints"
