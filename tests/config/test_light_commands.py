"""Commands that use only the rules load neither the site's apps nor the modules for paper and backups."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from config.commands import OF_RULES
from rules.management.reporting import ReportCommand
from tests.rules.engine.golden import CASES, golden

ROOT = Path(__file__).parents[2]
NOT_LOADED = {
    "allauth", "django.contrib.auth.models", "django_filters", "django_tables2", "events.door", "events.models",
    "judging", "ninja", "PIL", "psycopg", "pydantic", "pypdf", "reportlab", "rules.models", "smtplib", "tablib",
}  # fmt: skip
DISPUTE = ROOT / "rules" / "library" / "disputes" / "01-outwit-against-stealth.json"
DOCUMENTS = {
    "check_force": golden("force")[0]["input"],
    "score_battle": golden("battle")[0]["input"],
    "adjudicate": json.loads(DISPUTE.read_text(encoding="utf-8")),
    "pair_round": json.loads((CASES / "pair.jsonl").read_text(encoding="utf-8").splitlines()[0])["input"],
}
PROGRAM = """
import sys
from config.commands import run
run(["manage.py", *sys.argv[1:]])
print(*sys.modules, file=sys.stderr)
"""


def run(*given, document, folder, **environment):
    environment = {**os.environ, "DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", **environment}
    program = [sys.executable, "-c", PROGRAM, *given, "-"]
    return subprocess.run(
        program,
        cwd=ROOT,
        env=environment,
        input=json.dumps(document),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("name", OF_RULES)
def test_a_command_of_the_rules_loads_only_the_rules(name, tmp_path):
    done = run(name, document=DOCUMENTS[name], folder=tmp_path)
    loaded = NOT_LOADED & set(done.stderr.split())
    assert not loaded, f"{name} loads {sorted(loaded)}: import less in the modules that it needs"
    assert json.loads(done.stdout)["id"] == DOCUMENTS[name].get("id")


def test_reasons_of_pairings_are_in_the_sites_language(tmp_path):
    done = run("pair_round", "--text", document=DOCUMENTS["pair_round"], folder=tmp_path, SITE_LANGUAGE="fr")
    assert done.returncode == 0, done.stderr
    assert "un meilleur appariement n'existe" in done.stdout


def test_every_command_that_reports_on_documents_is_one_of_these():
    ours = {name: app for name, app in get_commands().items() if app in ("rules", "events", "judging")}
    reporting = {name: app for name, app in ours.items() if isinstance(load_command_class(app, name), ReportCommand)}
    assert reporting == OF_RULES, "list it in config/commands.py"
