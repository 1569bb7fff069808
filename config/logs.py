"""Logging: links, codes and queries are removed; errors go to a file and by e-mail.

Every handler has the filter `CutSecrets`. It removes everything that would let a reader in (the URLs in `SECRET` and
all query strings) from the record's message, arguments and traceback. It gives each error a number, which the page
"Something went wrong" also shows. All processes of an installation take turns writing to `DATA_DIR/logs/errors.log`, which
is rotated. An e-mail holds the number, the exception's class and where it occurred, but nothing the client sent.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import os
import re
import secrets
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.apps import apps
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import DatabaseError, connections
from django.urls import get_resolver

from events.mails import is_mail_configured
from rules.system import lock_until_closed

SECRET = {
    "events:entry-link": "token",
    "events:enter-confirm": "token",
    "events:set-up-link": "token",
    "events:calendar-read": "token",
    "events:pairing-mails-off": "token",
    "account_confirm_email": "key",
    "account_reset_password_from_key": "uidb36",
    "judging:position": "key",
    "rules:board-saved": "public_id",
    "rules:board-saved-file": "public_id",
    **dict.fromkeys(
        (
            "rules:dispute", "rules:dispute-step", "rules:dispute-act", "rules:dispute-what-if", "rules:dispute-set",
            "rules:dispute-copy", "rules:dispute-read", "rules:dispute-read-step", "rules:dispute-read-what-if",
            "rules:dispute-file", "rules:dispute-pdf",
        ),
        "slug",
    ),
}  # fmt: skip
"""Views whose URLs let anyone in who knows them, and the URL parameter from which they are cut."""
CUT = "…"
MIN_SECRET = 6
UNSHOWN = re.compile(r"[\s\"'<>?#\x00-\x1f\x7f-\x9f]")
SLASH = r"(?:/|%2F)+"
UNTIL = r"[^\s\"'<>?#]+"
QUERY = re.compile(r"(?<=[\w/.%…-])\?[^\s\"'<>]+")
BEARER = re.compile(r"\b(Bearer|Basic)\s+[^\s\"'<>]+", re.IGNORECASE)
API_TOKEN = re.compile(r"\bhj_[0-9]+_[\w-]+")
EARLY = re.compile(
    rf"({SLASH}(?:e|set-up|key|confirm-email|calendar/read|e-mails/off|positions|board|disputes){SLASH}){UNTIL}",
    re.IGNORECASE,
)
"""What is cut until the URL patterns are loaded."""
STANDARD = frozenset(logging.makeLogRecord({}).__dict__)
MAX_BYTES, MAX_FILES = 2_000_000, 5
HOUR = 3600
SECONDS_TO_SEND = 20


def shown(text: str) -> str:
    """Return a path, or a text containing paths, without its secrets."""
    try:
        secret = _secret_addresses() if apps.ready else EARLY
    except Exception:  # the URL patterns themselves fail to load, and that error is being logged
        secret = EARLY
    text = secret.sub(rf"\1{CUT}", text)
    return API_TOKEN.sub(f"hj_{CUT}", BEARER.sub(rf"\1 {CUT}", QUERY.sub(f"?{CUT}", text)))


@functools.cache
def _secret_addresses() -> re.Pattern[str]:
    resolver = get_resolver()
    found = set()
    for view, cut_from in SECRET.items():
        space, _colon, name = view.rpartition(":")
        prefix, here = resolver.namespace_dict[space] if space else ("", resolver)
        for ways, *_more in here.reverse_dict.getlist(name):
            for way, _parts in ways:
                before = f"/{prefix}{way}".partition(f"%({cut_from})s")[0]
                pieces = re.split(r"%\(\w+\)s", before)
                found.add(r"[^/\s]+".join(SLASH.join(map(re.escape, piece.split("/"))) for piece in pieces))
    return re.compile(f"({'|'.join(sorted(found))}){UNTIL}", re.IGNORECASE)


def shown_path(path: str) -> str:
    """Return a decoded path without its secrets, on one line; quoting keeps odd characters from ending a cut early."""
    return shown(UNSHOWN.sub(lambda found: quote(found[0]), path))


def _without_own(text: str, request: Any) -> str:
    """Return a text without the secrets of this request's own URL, wherever they occur."""
    path, match = getattr(request, "path", ""), getattr(request, "resolver_match", None)
    for one in (path, path.encode("unicode_escape").decode()):  # as Django's own log lines escape it
        text = text.replace(one, shown_path(path)) if len(one) > 1 else text
    cut_from = SECRET.get(match.view_name) if match is not None else None
    if match is not None and cut_from in match.kwargs:
        parts = list(match.kwargs)
        for value in (match.kwargs[part] for part in parts[parts.index(cut_from) :]):
            text = text.replace(value, CUT) if isinstance(value, str) and len(value) >= MIN_SECRET else text
    return text


def number_of(request: Any) -> str:
    """Return the number under which a request's error is logged and shown: six characters, generated once."""
    found = getattr(request, "error_number", "")
    if not found:
        found = request.error_number = secrets.token_hex(3)
    return str(found)


class LeaveOutLostClients(logging.Filter):
    """Leaves out that a client was gone. On Windows asyncio reports each phone that drops its connection as an error."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return False for a lost connection."""
        return not (record.exc_info and isinstance(record.exc_info[1], ConnectionError))


class CutSecrets(logging.Filter):
    """Filter that removes links, codes and queries from every record and numbers the errors; drops nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record once, even if several handlers share it."""
        if getattr(record, "is_cut", False):
            return True
        record.__dict__["is_cut"] = True
        request = record.__dict__.pop("request", None)
        template = str(record.msg)
        try:
            message = shown(_without_own(record.getMessage(), request))
        except (TypeError, ValueError, KeyError):  # the arguments don't fit the message
            message = shown(_without_own(template, request))
        if record.levelno >= logging.ERROR:
            number = number_of(request) if request is not None else secrets.token_hex(3)
            places = _places(record)
            kind = hashlib.sha256("|".join([record.name, template, *places[-2:]]).encode()).hexdigest()
            asked = f"{request.method} {shown_path(request.path)}" if hasattr(request, "path") else ""
            record.__dict__ |= {"number": number, "places": places, "kind": kind, "asked": asked}
            message = f"[{number}] {message}"
        record.msg, record.args = message, None
        if record.exc_info:
            told = "".join(traceback.format_exception(*record.exc_info)).rstrip()
            record.exc_text = shown(_without_own(told, request))
            record.exc_info = None
        if record.stack_info:
            record.stack_info = shown(record.stack_info)
        for name, value in record.__dict__.items():
            if name not in STANDARD and isinstance(value, str):
                record.__dict__[name] = shown(value)
        return True


def _places(record: logging.LogRecord) -> list[str]:
    """Return where an exception occurred, innermost last, with its class: files, lines and functions, no values."""
    if not record.exc_info or record.exc_info[0] is None:
        return []
    frames = traceback.extract_tb(record.exc_info[2])
    root = f"{settings.BASE_DIR}{os.sep}"
    places = [f"{frame.filename.removeprefix(root)}:{frame.lineno} in {frame.name}" for frame in frames[-12:]]
    return [*places, record.exc_info[0].__name__]


def folder() -> Path:
    """Create the log folder, private to this user, and return it."""
    found = Path(settings.DATA_DIR) / "logs"
    found.mkdir(mode=0o700, parents=True, exist_ok=True)
    return found


@contextlib.contextmanager
def in_turn() -> Iterator[Path]:
    """Lock the log folder for one process or thread at a time, and yield it."""
    here = folder()
    number = os.open(here / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock_until_closed(number)
        yield here
    finally:
        os.close(number)


class ErrorFile(logging.Handler):
    """Handler that appends to `errors.log`, rotated at two megabytes with five files kept.

    The file is opened for each record, under a lock shared by all processes, so none keeps writing to a rotated file. A
    failure to write, such as a full disk, is reported on the console only.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        content = (self.format(record) + "\n").encode(errors="backslashreplace")
        with contextlib.suppress(OSError), in_turn() as here:
            path = here / "errors.log"
            if path.exists() and path.stat().st_size + len(content) > MAX_BYTES:
                for n in range(MAX_FILES - 1, 0, -1):
                    older = here / f"errors.log.{n - 1}" if n > 1 else path
                    if older.exists():
                        os.replace(older, here / f"errors.log.{n}")
            number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(number, content[:MAX_BYTES])
            finally:
                os.close(number)


class ErrorMail(logging.Handler):
    """Handler that e-mails errors to the administrators: each kind once an hour, at most `ERROR_MAILS` in all."""

    def emit(self, record: logging.LogRecord) -> None:
        """Send one e-mail outside the request, if it is due."""
        if not settings.ERROR_MAILS or not is_mail_configured() or not self._is_due(str(getattr(record, "kind", ""))):
            return
        threading.Thread(target=self.send, args=(record,), name="error-mail").start()

    @staticmethod
    def _is_due(kind: str) -> bool:
        """Mark this kind of error as mailed; return False if it was within the hour, or if too many were."""
        now = time.time()
        try:
            with in_turn() as here:
                path = here / "mailed.json"
                try:
                    sent = {
                        one: at
                        for one, at in json.loads(path.read_text(encoding="utf-8")).items()
                        if now - HOUR < at <= now
                    }
                except (OSError, ValueError, TypeError, AttributeError):
                    sent = {}
                if kind in sent or len(sent) >= settings.ERROR_MAILS:
                    return False
                path.touch(mode=0o600)
                path.write_text(json.dumps(sent | {kind: now}), encoding="utf-8")
        except OSError:
            return False
        return True

    @staticmethod
    def send(record: logging.LogRecord) -> None:
        """Send a record to the administrators; failing to send is a warning, never an error."""
        places = getattr(record, "places", [])
        number = getattr(record, "number", "")
        what = places[-1] if places else "Error"
        lines = [
            f"Error {number}: {what} in {record.name}, {time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(record.created))}",
            getattr(record, "asked", ""),
            *places[:-1],
            "The whole entry is in the file logs/errors.log of the data folder, under this number.",
            "This error won't be mailed again for an hour.",
        ]
        try:
            to = _administrators()
            if to:
                told = "\n\n".join(line for line in lines if line)
                send_by = get_connection(timeout=SECONDS_TO_SEND)
                EmailMessage(f"[Headjudge] Error {number}: {what}", told, None, to, connection=send_by).send()
        except Exception as fault:
            logging.getLogger(__name__).warning("The mail about error %s couldn't be sent: %s", number, fault)


def _administrators() -> list[str]:
    """Return the addresses in `ADMINS`, else the administrators' own; none if the database can't be read."""
    if settings.ADMINS:
        return [address for _name, address in settings.ADMINS]
    try:
        found = apps.get_model("events", "Person").objects.filter(is_office=True, is_active=True).exclude(email="")
        return list(found.values_list("email", flat=True)[:20])
    except DatabaseError:
        return []
    finally:
        connections.close_all()
