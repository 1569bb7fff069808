"""How `manage.py` ends: what is wrong is said in a sentence, with exit status 1; a traceback only with `--traceback`."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import TextIO

STOPPED, PIPE_CLOSED = 130, 141
"""As the shell counts a command that SIGINT or SIGPIPE has ended."""
MIGRATE = "`python manage.py migrate` creates its tables or updates them"
OF_RULES = {"check_force": "rules", "score_battle": "rules", "adjudicate": "rules", "pair_round": "events"}
"""The commands that ask the rules alone, with the app each belongs to. They start without loading the site's apps."""


def run(arguments: list[str]) -> None:
    """Run one management command."""
    prepare_output()
    try:
        from django.conf import settings
        from django.core.management import execute_from_command_line, load_command_class

        try:
            _ = settings.INSTALLED_APPS  # what is wrong with the settings is said before a command is looked for
        except ValueError as fault:
            raise SystemExit(_say(f"An environment variable has an invalid value: {fault}.")) from None
        name = arguments[1] if len(arguments) > 1 else ""
        if name in OF_RULES:
            load_command_class(OF_RULES[name], name).run_from_argv(arguments)
        else:
            execute_from_command_line(arguments)
        flush()
    except SystemExit:
        flush_quietly()
        raise
    except BaseException as fault:
        if "--traceback" in arguments:
            raise
        raise SystemExit(end(fault)) from None


def end(fault: BaseException) -> int:
    """Say what has ended a command, and return its exit status."""
    flush_quietly()
    if isinstance(fault, KeyboardInterrupt):
        _say("Stopped.")
        return STOPPED
    if isinstance(fault, BrokenPipeError):
        return PIPE_CLOSED  # who reads has enough, as in `… | head`
    return _say(in_a_sentence(fault))


def in_a_sentence(fault: BaseException) -> str:
    """Return what has gone wrong and what to do about it."""
    from django.core.exceptions import ImproperlyConfigured
    from django.db import DatabaseError
    from django.db.migrations.exceptions import InconsistentMigrationHistory

    from events.faults import TroubleKind, trouble_of
    from judging import unreleased

    if isinstance(fault, ImproperlyConfigured):
        return str(fault)
    first = str(fault).strip().split("\n")[0]
    trouble = trouble_of(fault)
    if isinstance(fault, (DatabaseError, InconsistentMigrationHistory)):
        with contextlib.suppress(DatabaseError):
            if unreleased.is_unreleased():
                return unreleased.DATABASE
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
        TroubleKind.DAMAGED: f"The database is damaged: {first}. `python manage.py restore FILE` restores a backup.",
        TroubleKind.BEHIND: f"The database isn't ready for this version: {first}. {MIGRATE}.",
    }[trouble.kind]


def prepare_output() -> None:
    """Let a command write where its output was closed, and where the terminal knows only some letters."""
    for name in ("stdout", "stderr"):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it stays open as long as the process
            continue
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]


def flush() -> None:
    """Write out what was said; a full disk or a closed pipe is noticed here, not when the process has ended."""
    sys.stdout.flush()


def flush_quietly() -> None:
    """Write out what can be written, and leave nothing for the end of the process to stumble over."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except (OSError, ValueError):
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115


def _say(sentence: str) -> int:
    with contextlib.suppress(OSError, ValueError):
        print(sentence, file=sys.stderr, flush=True)  # noqa: T201
    return 1
