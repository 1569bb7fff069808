"""Required and forbidden contents of every answer; limits of requests and uploads; production settings; secrets."""

import io
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.urls import reverse

from config import limits
from events.models import Entry
from events.services.people import entry_link
from tests.config.test_headers import kept
from tests.events.test_queries_of_every_page import event_addresses, filled, large_event
from tests.factories import PersonFactory

ROOT = Path(__file__).resolve().parents[2]
UNSAFE = "DJANGO_ALLOW_ASYNC_UNSAFE"  # set only by browser tests
PUBLIC = ["/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/events/", "/venues/", "/rules/", "/api/",
          "/sign-in-by-code/", "/nowhere/", "/e/forged.1~x/"]  # fmt: skip
SIGNED_IN = [
    "/me/",
    "/me/account/",
    "/me/data/",
    "/office/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/events/import/",
]


class Inline(HTMLParser):
    """A parser that finds what a strict policy forbids: inline scripts and styles, attributes with code or style."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_data = given.get("type") in ("application/json", "application/ld+json")
        if tag == "style" or (tag == "script" and "src" not in given and not is_data):
            self.faults.append(f"<{tag}>")
        self.faults += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        self.faults += [
            f"{tag} {name}={value}"
            for name, value in given.items()
            if name in ("src", "href", "action") and value and re.match(r"(?i)\s*(javascript:|https?://|//)", value)
            and tag in ("script", "link", "img", "form", "iframe")
        ]  # fmt: skip


def faults_of(answer, address: str) -> list[str]:
    """Return what is wrong with an answer's headers and page."""
    policy = answer.headers.get("Content-Security-Policy", "")
    faults = [] if "default-src 'self'" in policy else [f"{address}: no policy"]
    faults += [f"{address}: {word}" for word in ("unsafe-inline", "unsafe-eval", "*") if word in policy]
    for name in (
        "X-Content-Type-Options",
        "X-Frame-Options",
        "Referrer-Policy",
        "Cross-Origin-Opener-Policy",
        "Permissions-Policy",
    ):
        faults += [] if name in answer.headers else [f"{address}: no {name}"]
    if answer.headers.get("Content-Type", "").startswith("text/html") and not answer.streaming:
        reader = Inline()
        reader.feed(answer.content.decode())
        faults += [f"{address}: {fault}" for fault in reader.faults]
    return faults


@pytest.mark.django_db
def test_every_page_has_a_strict_policy_and_nothing_inline(staff):
    event = large_event(staff.event, 8)
    Entry.objects.filter(event=event, number=1).update(person=PersonFactory())
    faults, seen = [], 0
    for address in PUBLIC:
        faults += faults_of(Client().get(address), address)
    office, judge = staff.client("office"), staff.client("head_judge")
    for address in SIGNED_IN:
        faults += faults_of(office.get(address, follow=True), address)
    for route in event_addresses():
        if address := filled(route, event):
            answer = judge.get(address)
            seen += answer.status_code == 200
            faults += faults_of(answer, address)
            if not {"no-store", "private"} & kept(answer):
                faults.append(f"{address}: {kept(answer)} for someone who is signed in")
    assert not faults, "\n".join(faults)
    assert seen > 30


def test_no_template_and_no_script_of_ours_needs_more():
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"<style|\sstyle=|\son(click|change|load|submit|input)=|<script(?![^>]*\b(src|application/json))", text
        ), path
    for path in (ROOT / "config/static").glob("*.js"):
        assert not re.search(r"\beval\(|new Function\(|document\.write", path.read_text(encoding="utf-8")), path


def test_no_script_reads_an_address_that_a_field_named_action_shadows():
    for path in (ROOT / "config/static").glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bform\.action\b", text), path


def test_passwords_are_kept_by_argon2():
    assert django_settings.PASSWORD_HASHERS
    code = "from django.contrib.auth.hashers import make_password; print(make_password('a-quiet-hall-5'))"
    said = subprocess.run(
        [sys.executable, "-c", f"import django; django.setup(); {code}"],
        cwd=ROOT, env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}, capture_output=True, encoding="utf-8", check=True,
    ).stdout  # fmt: skip
    assert said.startswith("argon2$argon2id$")
    assert make_password("x")


def test_the_deployment_check_is_clean_in_production_settings(tmp_path):
    production = {
        "DATA_DIR": str(tmp_path), "HTTPS": "1", "HSTS_SUBDOMAINS": "1", "BEHIND_PROXY": "1", "HASHED_STATIC": "1",
        "ALLOWED_HOSTS": "headjudge.example", "SITE_URL": "https://headjudge.example", "EMAIL_VERIFICATION": "mandatory",
    }  # fmt: skip
    kept = {name: value for name, value in os.environ.items() if name not in ("DEBUG", "SECRET_KEY", UNSAFE)}
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env=kept | production, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no issues" in done.stdout
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_the_example_of_a_servers_settings_passes_the_deployment_check(tmp_path):
    lines = (ROOT / "config/deploy/headjudge.env.example").read_text(encoding="utf-8").splitlines()
    example = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    own = {"DATA_DIR": str(tmp_path), "DATABASE_URL": "", "SECRET_KEY": "0e5c7a" * 11}
    assert own.keys() <= example.keys()
    kept = {name: value for name, value in os.environ.items() if name not in ("DEBUG", UNSAFE)}
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env=kept | example | own, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_secret_is_in_the_repository():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if listed.returncode:
        pytest.skip("no git checkout here")
    names = listed.stdout.splitlines()
    assert not [name for name in names if re.search(r"(^|/)(\.env|secret_key|id_rsa|.*\.(pem|key|sqlite3))$", name)]
    secret = re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|ghp_[A-Za-z0-9]{36}|SECRET_KEY\s*=\s*[\"'][^\"']{20,}"
    )
    for name in names:
        path = ROOT / name
        if (
            path.suffix in (".py", ".toml", ".md", ".html", ".js", ".yml", ".yaml", ".cfg", ".sh", "")
            and path.is_file()
        ):
            assert not secret.search(path.read_text(errors="ignore", encoding="utf-8")), name


# limits


@pytest.fixture(autouse=True)
def _one_minute(monkeypatch):
    """Keep the clock within one minute during a test."""
    monkeypatch.setattr(limits.time, "time", lambda: 1_700_000_000.0)


@pytest.mark.django_db
def test_links_are_not_guessed(staff, settings):
    settings.LIMITS = settings.LIMITS | {"entry_link_wrong": {"address": 3}}
    client = Client()
    seen = [client.get(f"/e/guess{n}.1~xyz/").status_code for n in range(5)]
    assert seen == [404, 404, 404, 429, 429]
    entry = Entry.objects.create(event=staff.event, number=1, name="Ada")
    other = Client(REMOTE_ADDR="192.0.2.9")
    assert other.get(entry_link(entry)).status_code == 302


@pytest.mark.django_db
def test_a_hall_behind_one_address_follows_its_links(staff, settings):
    settings.LIMITS = settings.LIMITS | {"entry_link_wrong": {"address": 3}}
    entries = [Entry.objects.create(event=staff.event, number=n, name=f"Player {n}") for n in range(1, 9)]
    assert {Client().get(entry_link(entry)).status_code for entry in entries} == {302}


@pytest.mark.django_db
def test_reports_of_one_device_are_limited_and_others_go_on(staff, settings):
    settings.LIMITS = settings.LIMITS | {"claim": {"device": 2, "address": 100}}
    address = reverse("events:claim", args=[staff.event.public_id, 1, 1])
    judge = staff.client("judge")
    seen = [judge.post(address, {}).status_code for _n in range(4)]
    assert 429 not in seen[:2]
    assert seen[2:] == [429, 429]
    assert staff.client("scorekeeper").post(address, {}).status_code != 429


@pytest.mark.django_db
def test_the_api_is_limited_and_says_so_in_json(staff, settings):
    settings.LIMITS = settings.LIMITS | {"api": {"address": 2}}
    client = Client()
    answers = [client.get("/api/events") for _n in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].headers["Retry-After"] == "60"
    assert "Wait" in answers[2].json()["detail"]


@pytest.mark.django_db
def test_passwords_are_not_guessed(settings):
    person = PersonFactory()
    client = Client()
    answers = [client.post("/accounts/login/", {"login": person.email, "password": f"wrong-{n}"}) for n in range(7)]
    assert "Too many" in answers[-1].content.decode()


@pytest.mark.django_db
def test_a_list_that_is_too_large_is_refused(staff):
    large = io.BytesIO(b"name\n" + b"A" * 1_050_000)
    large.name = "list.csv"
    answer = staff.client("head_judge").post(
        reverse("events:entries-import", args=[staff.event.public_id]), {"file": large}
    )
    assert "A list of players can be at most 1\xa0MB" in answer.content.decode()
    assert not staff.event.entries.exists()
