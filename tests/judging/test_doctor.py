"""`doctor` names each fault of an installation, says what to do, prints no secret and never ends in a traceback."""

import contextlib
import datetime as dt
import http.server
import io
import json
import os
import socket
import socketserver
import sqlite3
import ssl
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from events.models import AuditEntry, Installation
from judging import demo
from judging.doctor import Diagnosis, Level, data, diagnoses, examined, folders, network, program
from judging.keeping import backups
from tests.databases import copied_postgresql, server_settings, switched
from tests.factories import PersonFactory
from tests.tables import every_row

ROOT = Path(__file__).parents[2]
SECRETS = ("key-nobody-may-read-0123456789-abcdefghijklmnop", "token-nobody-may-read", "password-nobody-may-read")
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite's file")


def told(found) -> list[tuple[str, str]]:
    """Return the level and sentence of each diagnosis that isn't fine."""
    return [(one.level.value, one.sentence) for one in found if one.level is not Level.OK]


def assert_found(found, level, words):
    found = list(found)
    assert any(have == level and words in sentence for have, sentence in told(found)), found
    assert all(one.advice for one in found if one.level is not Level.OK)


# the report


def test_a_fault_of_an_examination_is_a_diagnosis():
    def broken():
        yield Diagnosis("Disk", Level.OK, "fine")
        raise ZeroDivisionError

    first, second = examined("Disk", broken)
    assert first.level is Level.OK
    assert (second.level, second.sentence) == (Level.ERROR, "This check failed (ZeroDivisionError).")


def test_the_report_hides_secrets_and_control_characters():
    assert diagnoses.without([SECRETS[0], ""], f"a {SECRETS[0]}\n\x1b[2Jb") == "a … [2Jb"


@every_row(("encoding", "sign"), [("utf-8", "✗ Disk"), ("ascii", "X  Disk")])
def test_the_report_suits_the_terminal(encoding, sign):
    text = diagnoses.as_text([Diagnosis("Disk", Level.ERROR, "full", "Free some.")], encoding)
    assert text.startswith(sign)
    assert text.endswith("1 error, 0 warnings.")
    text.encode(encoding)


# folders


@pytest.fixture
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "kept"
    settings.DATA_DIR.mkdir(mode=0o700)
    return settings.DATA_DIR


def test_a_sound_data_folder(folder):
    assert told(folders.data_folder()) == []


def test_a_data_folder_that_is_missing(folder):
    folder.rmdir()
    assert_found(folders.data_folder(), "error", "doesn't exist")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that no one can write to")
def test_folders_that_no_one_can_write_to(folder, settings):
    settings.COPY_DIR = "/proc"
    assert_found(folders.second_folder(), "error", "can't be written to")
    settings.DATA_DIR = "/proc"
    assert_found(folders.data_folder(), "error", "can't be written to")


@pytest.mark.skipif(os.name != "posix", reason="about POSIX's permissions")
def test_a_data_folder_that_others_can_read(folder):
    folder.chmod(0o755)
    assert_found(folders.data_folder(), "warning", "can list")
    (folder / "backups").mkdir(mode=0o700)
    (folder / "backups/headjudge-1.tar.gz").write_bytes(b"")
    (folder / "backups/headjudge-1.tar.gz").chmod(0o644)
    assert_found(folders.data_folder(), "error", "can read")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="about POSIX's users")
def test_a_data_folder_of_another_user(folder, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert_found(folders.data_folder(), "warning", "doesn't own")


@pytest.mark.parametrize(("free", "level"), [(400_000_000, "warning"), (50_000_000, "error")])
def test_a_disk_that_is_nearly_full(folder, free, level, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _path: type("Usage", (), {"free": free}))
    assert_found(folders.data_folder(), level, "has only")


def test_the_second_backup_folder(folder, settings, tmp_path):
    assert list(folders.second_folder()) == []
    settings.COPY_DIR = str(tmp_path / "stick")
    assert_found(folders.second_folder(), "error", "doesn't exist")
    (tmp_path / "stick").mkdir()
    assert_found(folders.second_folder(), "warning", "same disk")


# backups


@pytest.mark.django_db
def test_backups(folder, monkeypatch):
    assert told(folders.kept_backups(can_ask=True)) == []
    PersonFactory()
    assert_found(folders.kept_backups(can_ask=True), "warning", "has no backup")
    with demo.at(timezone.now() - dt.timedelta(days=5)):
        old = backups.back_up(portable=True)
    os.utime(old, (0, 0))
    assert_found(folders.kept_backups(can_ask=True), "warning", "5 days old")
    newest = backups.back_up(portable=True)
    assert told(folders.kept_backups(can_ask=True)) == []
    with monkeypatch.context() as patch:
        patch.setattr("shutil.disk_usage", lambda _path: type("Usage", (), {"free": 10}))
        assert_found(folders.kept_backups(can_ask=True), "error", "no room for the next backup")
    newest.write_bytes(newest.read_bytes()[:-500])
    assert_found(folders.kept_backups(can_ask=True), "error", "can't be read back")
    with pytest.raises(OSError, match="File"):
        backups.back_up(newest / "inside", portable=True)
    backups._remember("No space left on device")
    assert_found(folders.kept_backups(can_ask=False), "warning", "The last backup failed: No space left on device")


# the database and the clock


def database_at(path: Path, monkeypatch) -> Path:
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(path))
    return path


def with_rows(path: Path, mode: str) -> Path:
    with contextlib.closing(sqlite3.connect(path)) as made, made:
        made.execute(f"PRAGMA journal_mode={mode}")
        made.execute("CREATE TABLE words (word TEXT UNIQUE)")
        made.executemany("INSERT INTO words VALUES (?)", [(f"word {n}" * 9,) for n in range(2000)])
    return path


@on_sqlite
def test_sqlite(monkeypatch, tmp_path):
    file = database_at(tmp_path / "a b#c.sqlite3", monkeypatch)
    assert_found(data.database(), "error", "doesn't exist yet")
    assert not file.exists()
    with_rows(file, "wal")
    assert told(data.database()) == []
    with file.open("r+b") as opened:
        opened.seek(4096 * 8)
        opened.write(b"\xff" * 4096 * 4)
    assert_found(data.database(), "error", "is damaged")
    file.write_bytes(b"\x00garbage" * 2000)
    assert_found(data.database(), "error", "can't be read")
    file.unlink()
    file.mkdir()
    assert_found(data.database(), "error", "can't be read")
    database_at(with_rows(tmp_path / "network drive.sqlite3", "delete"), monkeypatch)
    assert_found(data.database(), "warning", "isn't in WAL mode")


@pytest.mark.postgres
@on_sqlite
def test_postgresql(monkeypatch, caplog):
    told_of = server_settings(copied_postgresql())
    with switched(told_of):
        assert [sentence for _level, sentence in told(data.database()) if "pg_dump" not in sentence] == []
        monkeypatch.setattr("shutil.which", lambda _name: None)
        assert_found(data.database(), "warning", "pg_dump isn't installed")
    with switched({**told_of, "HOST": "127.0.0.1", "PORT": "1", "PASSWORD": SECRETS[2]}):
        found = list(data.database())
    assert_found(found, "error", "PostgreSQL doesn't answer")
    assert SECRETS[2] not in repr(found)
    assert caplog.records == [], "the pool has tried"


@pytest.mark.django_db
def test_migrations():
    recorder = MigrationRecorder(connection)
    assert told(data.migrations()) == [("warning", "No one has an account yet.")]
    person = PersonFactory()
    assert told(data.migrations()) == [("warning", "No account is an administrator.")]
    person.is_office = True
    person.save()
    assert told(data.migrations()) == [("warning", "The catalogue of figures is empty.")]
    recorder.record_applied("events", "0999_next_year")
    assert_found(data.migrations(), "error", "newer version of Headjudge (events.0999_next_year")
    recorder.record_unapplied("events", "0999_next_year")
    recorder.record_unapplied(*MigrationLoader(connection).graph.leaf_nodes("judging")[0])
    assert_found(data.migrations(), "error", "from an older version")


@pytest.mark.django_db
def test_the_clock(staff):
    assert told(data.clock(can_ask=True)) == []
    Installation(time_zone="Europe/Brussels", language="en").save()
    assert "in Europe/Brussels." in next(iter(data.clock(can_ask=True))).sentence
    with demo.at(timezone.now() + dt.timedelta(hours=3)):
        AuditEntry(event=staff.event, verb="open-event", summary="Opened").save()
    assert_found(data.clock(can_ask=True), "error", "It is behind: the newest audit log entry is ")
    with demo.at(dt.datetime(1999, 12, 31, tzinfo=dt.UTC)):
        assert_found(data.clock(can_ask=False), "error", "1999-12-31 00:00 UTC, which can't be right")


# the program and its settings


def test_the_program_is_whole(settings, tmp_path):
    assert told(program.files()) == []
    settings.BASE_DIR = tmp_path
    assert_found(program.files(), "error", "Files are missing: config/fonts/*.ttf, ")


def test_static_files_that_were_not_gathered(settings, tmp_path):
    settings.STORAGES = {"staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}
    settings.STATIC_ROOT = tmp_path
    assert_found(program.files(), "error", "HASHED_STATIC is set")


@pytest.mark.parametrize(
    ("name", "value", "level", "words"),
    [
        ("DEBUG", True, "error", "DEBUG is set"),
        ("SECRET_KEY", "short", "error", "SECRET_KEY can be guessed"),
        ("SECRET_KEY", "write-fifty-random-characters-here", "error", "SECRET_KEY can be guessed"),
        ("METRICS_TOKEN", "choose-a-token", "error", "METRICS_TOKEN is still the example's value"),
        ("ALLOWED_HOSTS", ["*"], "warning", "ALLOWED_HOSTS contains *"),
        ("ALLOWED_HOSTS", [], "error", "ALLOWED_HOSTS is empty"),
        ("SITE_URL", "headjudge.example.org", "error", "SITE_URL isn't an address"),
        ("SITE_URL", "http://localhost/site", "error", "more than a scheme"),
        ("SITE_URL", "http://other.example.org", "error", "isn't in ALLOWED_HOSTS"),
        ("EMAIL_BACKEND", "django.core.mail.backends.smtp.EmailBackend", "warning", "Reminders aren't sent"),
    ],
)
def test_a_setting_that_is_wrong(name, value, level, words, settings):
    settings.SECRET_KEY, settings.ALLOWED_HOSTS, settings.SITE_URL = SECRETS[0], ["localhost"], ""
    settings.EMAIL_BACKEND = settings.MAIL_NOWHERE[0]
    assert told(program.values()) == []
    setattr(settings, name, value)
    assert_found(program.values(), level, words)


def test_an_address_that_isnt_served_by_https(settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = "http://localhost", ["localhost"], True
    assert any("begins with http://" in sentence for _level, sentence in told(program.values()))


# the network


@pytest.mark.parametrize(
    ("address", "level", "words"),
    [
        ("http://192.0.2.77:8000", "warning", "isn't an address of this machine"),
        ("http://nowhere.invalid", "error", "has no address"),
        ("http://127.0.0.1:8000", "warning", "only this machine can open"),
    ],
)
def test_an_address_that_phones_cannot_open(address, level, words, settings):
    settings.SITE_URL = address
    assert_found(network.address(), level, words)


def test_a_machine_on_no_network(settings, monkeypatch):
    settings.SITE_URL = ""
    monkeypatch.setattr(network, "network_address", lambda: None)
    assert_found(network.address(), "warning", "isn't on a network")


@contextlib.contextmanager
def listening(handler, context=None):
    """Serve on this machine; yield the port."""
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler)
    server.daemon_threads, server.block_on_close = True, False
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def answering(answers, seen):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(dict(self.headers))
            status, body = answers.get(self.path, (404, "no page"))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_given):
            pass

    return Handler


def test_what_the_server_found_itself(settings):
    settings.METRICS_TOKEN = SECRETS[1]
    details = {
        "findings": [
            {"name": "clock-jumped", "severity": "warning", "sentence": "The clock was set \x1b[31mforward."},
            {"name": "backup-none", "severity": "warning", "sentence": "Told already."},
        ]
    }
    seen: list[dict] = []
    answers = {"/health/": (200, '{"healthy": true}'), "/health/details/": (200, json.dumps(details))}
    with listening(answering(answers, seen)) as port:
        assert told(network.server(port)) == [("warning", "The clock was set \x1b[31mforward.")]
    assert not any("Authorization" in headers for headers in seen), "another user's program may listen there"
    assert SECRETS[1] not in repr(seen)


@every_row(
    ("answers", "level", "words"),
    [
        ({"/health/": (503, '{"healthy": false}')}, "error", "isn't working"),
        ({"/health/": (200, "hello")}, "warning", "Another program uses port"),
        ({"/health/": (200, "[1]")}, "warning", "Another program uses port"),
    ],
)
def test_what_else_may_listen_there(answers, level, words):
    with listening(answering(answers, [])) as port:
        assert_found(network.server(port), level, words)


def test_a_port_that_is_free():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert told(network.server(port)) == []


# certificates

DAY = dt.timedelta(days=1)


def certificate(folder: Path, host: str, begins=-DAY, ends=90 * DAY, passphrase: bytes = b"") -> tuple[Path, Path]:
    """Write a self-signed certificate and its key; return the files."""
    key, now = ec.generate_private_key(ec.SECP256R1()), dt.datetime.now(dt.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now + begins)
        .not_valid_after(now + ends)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    hidden = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    paths = folder / f"{host}.crt", folder / f"{host}.key"
    paths[0].write_bytes(made.public_bytes(pem))
    paths[1].write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, hidden))
    return paths


@pytest.mark.parametrize(
    ("made", "level", "words"),
    [
        ({"ends": -dt.timedelta(hours=1), "begins": -9 * DAY}, "error", "has expired"),
        ({"begins": DAY}, "error", "isn't valid yet"),
        ({"ends": 5 * DAY}, "warning", "It expires on"),
        ({"host": "other.example.org"}, "error", "isn't for shop.example.org"),
        ({"passphrase": b"hidden"}, "error", "without a passphrase"),
    ],
)
def test_a_certificate_that_browsers_refuse(made, level, words, settings, tmp_path):
    settings.SITE_URL = "https://shop.example.org"
    file, key = certificate(tmp_path, **{"host": "shop.example.org"} | made)
    assert_found(network.certificate(str(file), str(key)), level, words)


def test_a_certificate_that_is_sound(settings, tmp_path):
    settings.SITE_URL = "https://shop.example.org"
    file, key = certificate(tmp_path, "shop.example.org")
    (found,) = network.certificate(str(file), str(key))
    assert found.level is Level.OK
    assert "for shop.example.org until" in found.sentence
    _other, other_key = certificate(tmp_path, "other.example.org")
    assert_found(network.certificate(str(file), str(other_key)), "error", "belongs to another certificate")
    assert_found(network.certificate(str(file), str(tmp_path / "none")), "error", "There is no file")
    both = tmp_path / "both.pem"
    both.write_bytes(file.read_bytes() + key.read_bytes())
    settings.SITE_URL = ""
    assert told(network.certificate(str(both), "")) == []


def test_the_certificate_that_the_site_shows(settings, tmp_path):
    file, key = certificate(tmp_path, "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    with listening(answering({}, []), context) as port:
        settings.SITE_URL = f"https://127.0.0.1:{port}"
        assert_found(network.certificate("", ""), "warning", "Browsers warn about it: self-signed certificate")
    settings.SITE_URL = "https://127.0.0.1:1"
    assert_found(network.certificate("", ""), "warning", "couldn't be reached")
    settings.SITE_URL = "http://shop.example.org"
    assert_found(network.certificate("", ""), "warning", "anyone on the network can read passwords")


# mail


def mail_server(refuses="", mails=None):
    """Return a handler that speaks enough SMTP for a test message; its refusals repeat the message."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            self.wfile.write(b"220 here\r\n")
            for line in self.rfile:
                word = line.decode().split()[0].upper()
                if word == "EHLO":
                    self.wfile.write(b"250-here\r\n250 AUTH PLAIN\r\n")
                elif refuses and word == refuses:
                    self.wfile.write(b"535 you said " + line.strip() + b"\r\n")
                elif word == "DATA":
                    self.wfile.write(b"354 go on\r\n")
                    text = b"".join(iter(self.rfile.readline, b".\r\n"))
                    if mails is not None:
                        mails.append(text.decode())
                    self.wfile.write(b"250 taken\r\n")
                else:
                    self.wfile.write(
                        b"221 bye\r\n" if word == "QUIT" else b"235 yes\r\n" if word == "AUTH" else b"250 yes\r\n"
                    )

    return Handler


@pytest.fixture
def smtp(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "127.0.0.1", "shop", SECRETS[2]
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.DEFAULT_FROM_EMAIL = "Headjudge <site@example.org>"
    return settings


def test_no_mail_server(settings):
    settings.EMAIL_BACKEND = settings.MAIL_NOWHERE[0]
    assert_found(network.mail(""), "warning", "No mail server is set")
    assert_found(network.mail("me@example.org"), "error", "No e-mail was sent")


def test_a_mail_server_that_takes_a_message(smtp):
    mails: list[str] = []
    with listening(mail_server(mails=mails)) as smtp.EMAIL_PORT:
        assert told(network.mail("")) == []
        assert mails == []
        assert told(network.mail("me@example.org")) == []
        smtp.DEFAULT_FROM_EMAIL = "Headjudge <headjudge@localhost>"
        assert_found(network.mail(""), "warning", "DEFAULT_FROM_EMAIL is a localhost address")
    (sent,) = mails
    assert "To: me@example.org" in sent
    assert "Test message" in sent


@pytest.mark.parametrize(
    ("refuses", "words"), [("AUTH", "refuses the user name or the password"), ("MAIL", "sender"), ("RCPT", "recipient")]
)
def test_a_mail_server_that_refuses(refuses, words, smtp):
    with listening(mail_server(refuses)) as smtp.EMAIL_PORT:
        found = list(network.mail("me@example.org"))
    assert_found(found, "error", words)
    assert "you said" not in repr(found), "a server may repeat the password"


def test_a_mail_server_that_isnt_there(smtp, monkeypatch):
    smtp.EMAIL_PORT = 1
    assert_found(network.mail(""), "error", "can't be reached")
    with listening(answering({}, [])) as smtp.EMAIL_PORT:
        monkeypatch.setattr(network, "SECONDS", 0.2)
        assert_found(network.mail(""), "error", "isn't a mail server")
    smtp.EMAIL_HOST = "nowhere.invalid"
    assert_found(network.mail(""), "error", "name has no address")
    with listening(mail_server()) as smtp.EMAIL_PORT:
        smtp.EMAIL_HOST, smtp.EMAIL_USE_SSL = "127.0.0.1", True
        assert_found(network.mail(""), "error", "doesn't speak TLS there")
        smtp.EMAIL_USE_SSL, smtp.EMAIL_USE_TLS = False, True
        assert_found(network.mail(""), "error", "offers no encryption")


# the command


@pytest.mark.django_db
def test_the_whole_report(folder, settings):
    said = io.StringIO()
    with contextlib.suppress(SystemExit):
        call_command("doctor", "--json", "--port", "1", stdout=said)
    report = json.loads(said.getvalue())
    assert report["headjudge"] == str(settings.VERSION)
    assert {one["about"] for one in report["findings"]} >= {
        "Program",
        "Data folder",
        "Database",
        "Clock",
        "Server",
        "Mail",
    }
    assert not any("couldn't be examined" in one["sentence"] for one in report["findings"])
    assert report["healthy"] == all(one["level"] != "error" for one in report["findings"])


def doctor(*given, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY", "DATA_DIR")}
    command = [sys.executable, str(ROOT / "manage.py"), "doctor", *given]
    return subprocess.run(
        command, env=kept | environment, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


def test_a_report_where_much_is_wrong_tells_no_secret(tmp_path):
    key, token, password = SECRETS
    done = doctor(
        DATA_DIR=str(tmp_path), SECRET_KEY=key, METRICS_TOKEN=token, DATABASE_URL=f"postgres://shop:{password}@127.0.0.1:1/x",
        EMAIL_URL=f"smtp+tls://shop:{password}@127.0.0.1:1", SITE_URL="http://127.0.0.1:1", ADMINS="me@example.org",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    assert "✗ Database: PostgreSQL doesn't answer" in done.stdout
    assert "✗ Mail: " in done.stdout
    assert not any(secret in done.stdout for secret in SECRETS)


def test_settings_that_cannot_be_used_are_a_report_too():
    done = doctor("--json", DATA_DIR="/proc/none", DATABASE_URL="")
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr, report["healthy"]) == (1, "", False)
    assert "can't be created" in report["findings"][0]["sentence"]
