"""Headjudge's version: one number, shown everywhere, with an entry in the changelog."""

import re
from importlib import metadata
from pathlib import Path

import pytest

from config import commands, version

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("given", ["--version", "version"])
def test_the_command_prints_it(given, capsys):
    commands.run(["headjudge", given])
    assert re.fullmatch(r"Headjudge [\w.]+ \(Django [\d.]+, Python 3[\d.]+\)\n", capsys.readouterr().out)
    assert version.version() in version.full_version()


@pytest.mark.django_db
def test_every_page_shows_it(client):
    assert version.version() in client.get("/").text


def test_a_wheel_has_it_in_its_metadata(monkeypatch):
    monkeypatch.setattr(version, "IS_CHECKOUT", False)
    assert version.version.__wrapped__() == metadata.version("headjudge")


def test_the_changelog_knows_it():
    """A version in development follows the changelog's newest one; a released one has its date there."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.M)
    released = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d", line) for line in headings[1:]]
    assert headings[0] == "[Unreleased]"
    assert all(released)
    numbers = [tuple(map(int, one[1].split("."))) for one in released]
    assert numbers == sorted(numbers, reverse=True)
    number, dot_dev, _n = version.version().partition(".dev")
    ours = tuple(map(int, number.split(".")))
    assert ours > numbers[0] if dot_dev else ours == numbers[0]
