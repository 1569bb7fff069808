"""Run a command of `headjudge` or `manage.py`: an error is one sentence and exit status 1, tracebacks need `--traceback`."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import TextIO

from config.version import full_version

STOPPED, PIPE_CLOSED = 130, 141
"""The shell's exit statuses for a command ended by SIGINT or SIGPIPE."""
MIGRATE = "`headjudge migrate` creates its tables or updates them"
TYPED = "The terminal's locale lacks a letter that was typed. Use one with UTF-8, for example `LC_ALL=C.UTF-8`."
OF_RULES = {"check_force": "rules", "score_battle": "rules", "adjudicate": "rules", "pair_round": "events"}
"""The commands that need only the rules, with the app of each. They start without loading the site's apps."""


def main() -> None:
    """Run the command that was typed: `headjudge COMMAND`, or `python manage.py COMMAND` in a checkout."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    run(sys.argv)


def run(arguments: list[str]) -> None:
    """Run one management command."""
    prepare_output()
    try:
        if arguments[1:2] in (["--version"], ["version"]):
            print(full_version())  # noqa: T201
            flush()
            return
        from django.conf import settings
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line, load_command_class

        try:
            _ = settings.INSTALLED_APPS  # report faulty settings before looking for a command
        except ValueError as fault:
            raise ImproperlyConfigured(f"An environment variable has an invalid value: {fault}.") from None
        name = arguments[1] if len(arguments) > 1 else ""
        if name in OF_RULES:
            load_command_class(OF_RULES[name], name).run_from_argv(arguments)
        else:
            execute_from_command_line(arguments)
        flush()
    except SystemExit:
        try:
            flush()
        except (BrokenPipeError, ValueError):
            pass  # no one reads any more: the status is all that is left to tell
        except OSError as fault:
            raise SystemExit(end(fault)) from None
        flush_quietly()
        raise
    except BaseException as fault:
        if "--traceback" in arguments:
            raise
        if arguments[1:2] == ["doctor"] and isinstance(fault, Exception) and not isinstance(fault, BrokenPipeError):
            raise SystemExit(say_as_doctor(fault, "--json" in arguments)) from None
        raise SystemExit(end(fault)) from None


def say_as_doctor(fault: BaseException, as_json: bool) -> int:
    """Print in the form of `doctor`'s report what prevents it from running, and return its exit status."""
    from config.version import version
    from judging.doctor import diagnoses

    sentence = diagnoses.without([], in_a_sentence(fault))
    error = diagnoses.Diagnosis(
        "Settings", diagnoses.Level.ERROR, sentence, "Fix this, then run `headjudge doctor` again."
    )
    text = diagnoses.as_json([error], version()) if as_json else diagnoses.as_text([error], sys.stdout.encoding)
    try:
        print(text, flush=True)  # noqa: T201
    except OSError:
        return end(fault)
    return 1


def end(fault: BaseException) -> int:
    """Print why a command ended, and return its exit status."""
    flush_quietly()
    if isinstance(fault, KeyboardInterrupt):
        _say("Stopped.")
        return STOPPED
    if isinstance(fault, BrokenPipeError):
        return PIPE_CLOSED  # the reader has closed the pipe, as in `… | head`
    return _say(in_a_sentence(fault))


def in_a_sentence(fault: BaseException) -> str:
    """Return what went wrong and what to do about it."""
    from django.core.exceptions import ImproperlyConfigured
    from django.db import DatabaseError
    from django.db.migrations.exceptions import InconsistentMigrationHistory

    from events.faults import TroubleKind, trouble_of
    from judging import refused

    if isinstance(fault, ImproperlyConfigured):
        return str(fault)
    first = str(fault).strip().split("\n")[0]
    trouble = trouble_of(fault)
    if isinstance(fault, (DatabaseError, InconsistentMigrationHistory)):
        with contextlib.suppress(DatabaseError):
            if why := refused.why_database_refused():
                return why
    if isinstance(fault, UnicodeEncodeError) and "surrogates" in fault.reason:
        return TYPED
    if isinstance(fault, OSError):
        where = f"{fault.filename}: " if fault.filename else ""
        what = (
            "No space is left on the disk" if fault.errno in (errno.ENOSPC, errno.EDQUOT) else fault.strerror or first
        )
        return f"{where}{what}."
    if trouble is None:
        return f"Unexpected error: {type(fault).__name__}: {first}. Run the command again with --traceback and report what it prints."
    return {
        TroubleKind.BUSY: "The database is locked by another program. Try again in a moment.",
        TroubleKind.AWAY: f"The database can't be opened or doesn't answer: {first}.",
        TroubleKind.READ_ONLY: f"The database is read-only: {first}. Check who owns DATA_DIR and that it can be written to.",
        TroubleKind.FULL: "The disk is full. Free some space, then run the command again. Nothing was left half done.",
        TroubleKind.DAMAGED: f"The database is damaged: {first}. `headjudge restore FILE` restores a backup.",
        TroubleKind.BEHIND: f"The database isn't ready for this version: {first}. {MIGRATE}.",
    }[trouble.kind]


def prepare_output() -> None:
    """Make standard output safe to write to when it is closed or when the terminal lacks some characters."""
    for name in ("stdout", "stderr"):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - stays open until the process ends
            continue
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]


def flush() -> None:
    """Flush the output now, so that a full disk or a closed pipe is reported."""
    sys.stdout.flush()


def flush_quietly() -> None:
    """Flush what can be flushed, so that the interpreter's shutdown doesn't fail on the rest."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except (OSError, ValueError):
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _say(sentence: str) -> int:
    with contextlib.suppress(OSError, ValueError):
        print(sentence, file=sys.stderr, flush=True)  # noqa: T201
    return 1
