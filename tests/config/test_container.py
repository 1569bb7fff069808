"""The container's files: compose.yaml fits its schema, nothing is open or secret in them, and the image builds and serves."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest
import yaml

from tests.config import image

ROOT = Path(__file__).parents[2]
MAX_GROWTH = 400_000_000
SITE = "http://192.168.7.7:8000"


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def test_compose_fits_its_schema():
    given = ["--builtin-schema", "vendor.compose-spec", str(ROOT / "compose.yaml")]
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *given], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_site_has_a_port(compose):
    assert {name: one.get("ports", []) for name, one in compose["services"].items()} == {
        "headjudge": ["${PORT:-8000}:8000"],
        "headjudge-postgresql": ["${PORT:-8000}:8000"],
        "database": [],
    }
    assert not any("network_mode" in one or one.get("privileged") for one in compose["services"].values())


def test_no_password_or_key_stands_in_a_file():
    """A password has no default: `${NAME:-}` is empty, and PostgreSQL refuses to start without one."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{\w*PASSWORD[^}]*\}", text)) == {"${POSTGRES_PASSWORD:-}"}
    assert re.findall(r"(?:PASSWORD|SECRET_KEY|TOKEN): (?!\$\{POSTGRES_PASSWORD:-\})", text) == []
    assert not re.search(r"TRUST|HOST_AUTH_METHOD", text)
    last = image.stages_of(ROOT / "Dockerfile")[-1]
    assert not re.search(r"SECRET|PASSWORD|TOKEN", " ".join(last.all_of("ENV") + last.all_of("ARG")))


def test_what_is_printed_names_the_address_that_phones_use(compose):
    assert compose["services"]["headjudge"]["environment"]["SITE_URL"].startswith("${SITE_URL:?")
    assert compose["services"]["headjudge-postgresql"]["environment"]["SITE_URL"].startswith("${SITE_URL:?")
    start = (ROOT / "config/deploy/container.sh").read_text(encoding="utf-8")
    assert start.index("SITE_URL:?") < start.index("headjudge migrate") < start.index("exec headjudge serve")


def test_the_site_runs_with_few_rights(compose):
    for name in ("headjudge", "headjudge-postgresql"):
        one = compose["services"][name]
        assert (one["read_only"], one["cap_drop"], one["security_opt"]) == (True, ["ALL"], ["no-new-privileges:true"])
    last = image.stages_of(ROOT / "Dockerfile")[-1]
    assert last.all_of("USER") == ["10001:10001"]
    words = [word for word, _text in last.instructions]
    assert words.index("USER") > max(number for number, word in enumerate(words) if word in ("RUN", "COPY"))


def test_postgresql_is_asked_for_by_name_only(compose):
    profiles = {name: one.get("profiles", []) for name, one in compose["services"].items()}
    assert profiles == {"headjudge": [], "headjudge-postgresql": ["postgresql"], "database": ["postgresql"]}
    assert compose["services"]["headjudge-postgresql"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    client = next(
        text for text in image.stages_of(ROOT / "Dockerfile")[-1].all_of("RUN") if "postgresql-client" in text
    )
    assert "--no-install-recommends" in client


def test_the_builder_gets_no_data_and_no_history(tmp_path):
    taken, left_out = image.ignored_but(ROOT / ".dockerignore")
    assert not {".git", ".headjudge", ".venv", "tests", "docs"} & set(taken)
    assert {"**/.headjudge", "**/*.sqlite3*", "**/*.env"} <= set(left_out)
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    ).stdout.split()
    if tracked:
        assert set(taken) <= {name.split("/")[0] for name in tracked}


def can_build() -> str:
    """Return why the image can't be built here, "" if it can."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "needs root on Linux"
    missing = [name for name in ("mmdebstrap", "unshare", "ip", "chroot") if shutil.which(name) is None]
    return f"{', '.join(missing)} not installed" if missing else ""


def empty(folder: Path) -> Path:
    """Make a volume as Docker makes a new one."""
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def folder():
    """Return a folder that other users can enter, and make files that they can read, as builders of images do."""
    before = os.umask(0o022)  # the site's settings make everything private
    try:
        with tempfile.TemporaryDirectory(prefix="headjudge-image-") as name:
            Path(name).chmod(0o755)
            yield Path(name)
    finally:
        os.umask(before)


@pytest.mark.soak
@pytest.mark.skipif(bool(can_build()), reason=can_build())
def test_the_image_builds_and_serves(folder):
    builder = image.Builder(folder)
    root = builder.build()
    grown = image.size_of(root) - image.size_of(builder.base(image.stages_of(ROOT / "Dockerfile")[-1].base))
    print(f"The root grew by {grown / 1e6:.0f} MB.")  # noqa: T201
    assert grown < MAX_GROWTH
    assert list((root / "data").iterdir()) == []
    assert [*root.rglob("secret_key"), *(root / "opt/headjudge").rglob("*.sqlite3")] == []
    assert (root / "opt/headjudge/static/staticfiles.json").is_file()

    refused = image.serve(builder, root, empty(folder / "refused"), [])
    assert refused["status"] != 0
    assert "Set SITE_URL" in refused["log"]

    new = image.serve(builder, root, empty(folder / "new"), ["/health/"], SITE_URL=SITE)
    assert (new["healthy"], new["user"], new["read_only"]) == (True, 10001, True), new["log"]
    assert json.loads(new["/health/"][1])["healthy"] is True
    assert re.search(rf"{re.escape(SITE)}/\S+", new["log"]), "the set-up link, under the site's own address"
    assert "Traceback" not in new["log"]
    assert new["seconds_to_stop"] < 15
    behind_proxy = {"SITE_URL": SITE.replace("http:", "https:"), "HTTPS": "true", "BEHIND_PROXY": "true"}
    assert image.serve(builder, root, folder / "new", [], **behind_proxy)["healthy"]

    old = folder / "old"
    with tarfile.open(ROOT / "tests/upgrades/0.1.0.tar.xz") as kept:
        kept.extractall(old, filter="data")
    upgraded = image.serve(builder, root, old, ["/", "/static/headjudge.css"], SITE_URL=SITE)
    assert upgraded["healthy"], upgraded["log"]
    assert "Backup from before the migration: /data/backups/" in upgraded["log"]
    assert upgraded["/"][0] == 200
    assert re.search(r"/static/headjudge\.[0-9a-f]{12}\.css", upgraded["/"][1]), "static files that browsers keep"
    assert upgraded["/static/headjudge.css"][0] == 200
