"""The documents are true: links, paths, commands and variables exist, and each example in docs/formats.md runs."""

import io
import json
import re
import sys
from enum import StrEnum
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from events.pairing import documents as tournament
from rules.engine import CHECKS, EDITIONS, battles, forces
from rules.engine.documents import actions, battle, characters, force, judge, questions
from rules.engine.position import cards, maps, objects, terrain
from rules.engine.position import characters as position
from rules.engine.steps import StepName
from rules.importers import csv_sheet
from rules.importers.layouts import LAYOUTS
from tests.config.commands import COMMANDS, THEIRS, UNTRIED
from tests.named import is_on_a_page

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md")), ROOT / ".github/CONTRIBUTING.md"]
APPS = ("events", "judging", "rules")
OURS = list(COMMANDS)[: list(COMMANDS).index(THEIRS[0])]
TOP = {file.name for file in ROOT.iterdir() if file.is_dir()}
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)
documents = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)


def words_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def anchors_of(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", words_of(document)), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@documents
def test_every_link_resolves(document):
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", words_of(document))):
        if re.match(r"https?://", target):
            continue
        file, _sharp, anchor = target.partition("#")
        there = (document.parent / file).resolve() if file else document
        if not there.exists() or (anchor and anchor not in anchors_of(there)):
            wrong.append(target)
    assert wrong == [], f"links of {document.name} that lead nowhere"


@documents
def test_every_file_that_is_named_exists(document):
    named = {
        word.split(":")[0]
        for text in re.findall(r"`([^`\n]+)`", FENCE.sub("", words_of(document)))
        for word in text.split()
        if word.split("/")[0] in TOP and "/" in word
    }
    wrong = [
        path for path in sorted(named) if "<" not in path and not list(ROOT.glob(path.rstrip("/").replace("…", "*")))
    ]
    assert wrong == [], f"{document.name} names files that aren't there"


@pytest.mark.parametrize("name", ["architecture.md", "recipes.md"])
def test_every_name_of_the_code_exists(name):
    said = FENCE.sub("", words_of(ROOT / "docs" / name))
    named = {
        word
        for text in re.findall(r"`([^`]+)`", said)
        for word in re.findall(r"[A-Z][A-Za-z_]{3,}|[a-z_]+(?=\()", text)
    }
    files = [file for app in ("config", *APPS, "tests") for file in (ROOT / app).rglob("*.py")]
    files += [ROOT / "Makefile", *ROOT.glob("templates/**/*.html")]
    known = set(re.findall(r"\w+", "\n".join(file.read_text(encoding="utf-8") for file in files)))
    assert named - known - {"Makefile"} == set(), f"docs/{name} names what the code doesn't have"


@documents
def test_every_command_that_is_named_exists(document):
    words = words_of(document)
    named = set(re.findall(r"(?:manage\.py|(?:^|`|&& |\| |as_)headjudge) ([a-z_]+)\b", words, re.M))
    assert named - set(get_commands()) == set(), f"{document.name} names commands that aren't there"
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    made = set(re.findall(r"(?:`|^)make ([a-z]+)\b", words, re.M))
    assert made - targets == set(), f"{document.name} names make targets that aren't there"


def test_operating_lists_every_command():
    table = words_of(ROOT / "docs/operating.md").partition("## All commands")[2]
    listed = {word for row in re.findall(r"^\| (`.*?) \|", table, re.M) for word in re.findall(r"`(\w+)`", row)}
    assert set(OURS) - listed == set(), "name it in the table of docs/operating.md, All commands"
    assert listed - set(COMMANDS) - set(UNTRIED) == set()


def test_operating_lists_every_environment_variable():
    table = words_of(ROOT / "docs/operating.md").partition("## Environment variables")[2].partition("\n## ")[0]
    listed = [word for row in re.findall(r"^\| (`.*?) \|", table, re.M) for word in re.findall(r"`(\w+)`", row)]
    settings = (ROOT / "config/settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r"\benv(?:\.\w+)?\(\s*\"(\w+)\"", settings)) | {"PROMETHEUS_MULTIPROC_DIR"}
    assert sorted(listed) == sorted(read), "the table of docs/operating.md and the env(…) of config/settings.py differ"


def test_the_readme_is_short():
    assert len(words_of(ROOT / "README.md").splitlines()) <= 110


def examples() -> list:
    """Return the examples in docs/formats.md: command, document, exit status, and the expected part of the report."""
    found: list = []
    for info, content in re.findall(r"^```json ([^\n]+)\n(.*?)^```$", words_of(ROOT / "docs/formats.md"), re.M | re.S):
        if info == "report":
            found[-1].append(json.loads(content))
        else:
            command, _space, status = info.partition(" ")
            found.append([command, content, int(status or 0)])
    return found


def differences(wanted, got, where="") -> list[str]:
    """Return where a report lacks something expected; a list must have as many items."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return [
            line
            for key, value in wanted.items()
            for line in (
                differences(value, got[key], f"{where}/{key}") if key in got else [f"{where}/{key} is missing"]
            )
        ]
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        return [
            line for n, pair in enumerate(zip(wanted, got, strict=True)) for line in differences(*pair, f"{where}/{n}")
        ]
    return [] if wanted == got else [f"{where} is {got!r}, not {wanted!r}"]


@pytest.mark.parametrize("example", examples(), ids=lambda example: f"{example[0]}-{json.loads(example[1])['id']}")
def test_every_example_runs_as_it_says(example, monkeypatch, capsys):
    command, document, status, wanted = example
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(document.encode()), encoding="utf-8"))
    try:
        load_command_class(get_commands()[command], command).run_from_argv(["manage.py", command, "-"])
        ended = 0
    except SystemExit as stopped:
        ended = stopped.code
    assert differences(wanted, json.loads(capsys.readouterr().out)) == []
    assert ended == status


def test_formats_names_every_rule_and_edition():
    text = words_of(ROOT / "docs/formats.md")
    named = set(re.findall(r"`([a-z0-9-]+)`", text))
    assert set(CHECKS) - named == set(), "add these legality rules to the table of docs/formats.md, Force files"
    assert set(EDITIONS) - named == set()
    assert {step.value for step in StepName} - named == set(), "add these steps to docs/formats.md"


def test_formats_says_which_edition_has_which_rule():
    section = words_of(ROOT / "docs/formats.md").partition("\n## Force files\n")[2].partition("\n## ")[0]
    wrong = []
    for names, editions, _when in re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", section, re.M):
        rules = [name for name in re.findall(r"`([\w-]+)`", names) if name in CHECKS]
        have, _warn, warn = editions.partition("a warning in")
        told = set(EDITIONS) if have.startswith("all") else set(re.findall(r"`([\w-]+)`", have))
        for rule in rules:
            books = {name for name, book in EDITIONS.items() if rule in {check.name for check in book.force.checks}}
            warning = {name for name in books if rule in EDITIONS[name].force.warnings}
            if (told, set(re.findall(r"`([\w-]+)`", warn))) != (books, warning):
                wrong.append((rule, sorted(books), sorted(warning)))
    assert wrong == [], "docs/formats.md, Force files: these rules are of other editions, or only warn"


@pytest.mark.parametrize(
    "module", [forces, battles, position, maps, objects, terrain, cards], ids=lambda module: module.__name__
)
def test_formats_names_every_word_of_a_list(module):
    lists = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, StrEnum)]
    words = {word.value for one in lists if one.__name__ not in ("Source", "Rarity") for word in one}
    named = set(
        re.findall(r"[a-z0-9-]+", " ".join(re.findall(r"`([^`]+)`", FENCE.sub("", words_of(ROOT / "docs/formats.md")))))
    )
    assert words - named == set(), "add these words to their lists in docs/formats.md"


def test_formats_names_every_key():
    named = set(re.findall(r"[a-zA-Z0-9_-]+", " ".join(re.findall(r"`([^`\n]+)`", words_of(ROOT / "docs/formats.md")))))
    keys = {
        *tournament.KEYS,
        *tournament.PLAYER_KEYS,
        *tournament.OPTION_KEYS,
        *force.CHARACTER_KEYS,
        *force.HEAD,
        *force.LISTS,
        *battle.LOST_TOKEN,
        *battle.SORTS,
        *characters._CHARACTER_KEYS,
        *actions._KEYS,
        *actions._CHOICES,
        *questions._QUESTIONS,
        *judge._SET,
        *json.loads((ROOT / "events/management/samples/event.json").read_text(encoding="utf-8")),
        *csv_sheet.COLUMNS,
        *csv_sheet.NEEDS,
        *csv_sheet.OTHERS,
        *LAYOUTS,
    }
    assert keys - named == set(), "say in docs/formats.md what these keys hold"


@documents
def test_pages_and_buttons_are_named_as_they_are(document):
    """A number in a name stands for any placeholder: "Pair round 1" is `Pair round %(number)d`."""
    named = r"\*\*([^*]+)\*\*" if document.name == "first-event.md" else r"page \*\*([^*]+)\*\*"
    found = sorted(set(re.findall(named, words_of(document))) - {"bold"})
    wrong = [name for name in found if not is_on_a_page(name)]
    assert wrong == [], f"{document.name}: no page or button is called this"
