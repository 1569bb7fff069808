"""Long work on imports, done in a process beside the server: reading large uploads, applying many changes.

The import's row says that it is under way and how far it is, so that its page can show it, with or without scripts. A
fault ends in the row, too. If the server ends, its processes do, and nothing is half done: the lock of the import's file
(`lock_of`) is then free, and the next page of imports says so. A machine without that file says so after `LOST`.
"""

from __future__ import annotations

import datetime
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connections, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ..apart import apart
from ..documents import BadFacts
from ..importers.bundle import ZIP
from ..importers.kept import Kept, kept_uploads
from ..models import Import
from ..system import lock_at_once, lock_until_closed
from ..uploads import LIMITS, SMALL, Unreadable, check_size
from .imports import AT_ONCE, CannotApply, apply_import, begin_import, keep_reading, plan_again

State = Import.State
LIMIT = LIMITS["import"]
BESIDE: dict[str, Any] = {"seconds": LIMIT.seconds, "memory": LIMIT.memory, "patience": LIMIT.seconds}
LOST = datetime.timedelta(seconds=2 * LIMIT.seconds + 30)
"""How long after the last sign of work it is certain that no process works any more."""
INTERRUPTED = gettext_noop("The import was interrupted. Nothing was changed. Try again.")
TOLD_EVERY = 1.0
"""Seconds between two notes of how far reading is."""
log = logging.getLogger(__name__)


def upload(
    *,
    files: list[tuple[str, bytes]],
    layout: str = "",
    set_code: str = "",
    counts_from: datetime.date | None = None,
    by: str = "",
) -> Import:
    """Read uploaded files and archives into a new import; large ones are read while its page says how far they are.

    Raises Unreadable if they are too large, or small and without any record.
    """
    size = sum(len(content) for _name, content in files)
    check_size("import", size)
    name = ", ".join(name for name, _content in files)
    if size <= SMALL and not any(content.startswith(ZIP) for _name, content in files):
        reading = Kept(kept_uploads(files, layout, set_code))
        return begin_import(name=name, reading=reading, counts_from=counts_from, by=by)
    row = Import.objects.create(
        file_name=name[:200],
        counts_from=counts_from or timezone.localdate(),
        state=State.READING,
        worked=timezone.now(),
        files=0,
        by=by[:160],
    )
    beside(row.pk, partial(_read, row.pk, files, layout, set_code))
    return row


def lock_of(pk: int) -> Path:
    """Return the file that the server holds while it works at an import."""
    return Path(settings.DATA_DIR) / f"import-{pk}.lock"


def beside(pk: int, work: Callable[[], None]) -> None:
    """Work at an import in a thread, in this request's language and with database connections of its own."""
    language, path = translation.get_language(), lock_of(pk)

    def run() -> None:
        try:
            with path.open("wb") as lock, translation.override(language):
                lock_until_closed(lock.fileno())
                work()
        finally:
            connections.close_all()
            path.unlink(missing_ok=True)

    threading.Thread(target=run, name="import", daemon=True).start()


def _ended(pk: int, state: str, after: str, fault: str) -> None:
    Import.objects.filter(pk=pk, state=state).update(state=after, fault=fault)


def _is_lost(row: Import) -> bool:
    path = lock_of(row.pk)
    try:
        with path.open("rb+") as lock:
            if not lock_at_once(lock.fileno()):
                return False
    except FileNotFoundError:
        return row.worked is None or row.worked < timezone.now() - LOST
    path.unlink(missing_ok=True)
    return True


def settled(row: Import) -> Import:
    """Return an import; if the process that read or applied it ended with its server, the row says so from now on."""
    after = {State.READING: State.FAILED, State.APPLYING: State.PLANNED}.get(State(row.state))
    if after is not None and _is_lost(row):
        _ended(row.pk, row.state, after, _(INTERRUPTED))
        row.refresh_from_db(fields=["state", "fault"])
    return row


def settle_all() -> None:
    """Let each import that ended with its server say so."""
    for row in Import.objects.defer("content").filter(state__in=(State.READING, State.APPLYING)):
        settled(row)


def _read(pk: int, files: list[tuple[str, bytes]], layout: str, set_code: str) -> None:
    try:
        content = apart(read_noting, pk, files, layout, set_code, **BESIDE)
        keep_reading(reading_of=pk, reading=Kept(content))
    except Unreadable as fault:
        _ended(pk, State.READING, State.FAILED, str(fault))
    except Exception:
        log.exception("Import %s couldn't be read", pk)
        _ended(pk, State.READING, State.FAILED, _(INTERRUPTED))


def read_noting(pk: int, files: list[tuple[str, bytes]], layout: str, set_code: str) -> bytes:
    """Return the contents of uploads in stored form; note in the import's row how far it is."""
    noted = time.monotonic()

    def told(files: int, records: int) -> None:
        nonlocal noted
        if time.monotonic() - noted < TOLD_EVERY:
            return
        noted = time.monotonic()
        with suppress(DatabaseError):  # such as a lock: the next note may succeed
            of_row = Import.objects.filter(pk=pk, state=State.READING)
            of_row.update(files=files, records=records, worked=timezone.now())

    return kept_uploads(files, layout, set_code, told)


def begin_applying(*, planned: Import, by: str = "") -> None:
    """Apply an import as previewed: at once if it changes little, otherwise beside the server.

    Its row says how it ended. Raises CannotApply if it isn't a finished preview.
    """
    with transaction.atomic():
        row = Import.objects.select_for_update().defer("content").get(pk=planned.pk)
        if row.state != State.PLANNED:
            raise CannotApply(_("This import can't be applied now. Reload the page to see its current state."))
        row.state, row.worked, row.fault = State.APPLYING, timezone.now(), ""
        row.version += 1
        row.save(update_fields=["state", "worked", "fault", "version"])
    if row.records <= AT_ONCE:
        _apply(row.pk, by, apply_now)
    else:
        beside(row.pk, partial(_apply, row.pk, by, partial(apart, apply_now, **BESIDE)))


def apply_now(pk: int, by: str) -> None:
    """Apply an import as previewed."""
    apply_import(planned=Import(pk=pk), by=by)


def _apply(pk: int, by: str, apply: Callable[[int, str], None]) -> None:
    try:
        apply(pk, by)
    except CannotApply as why:
        plan_again(planned=Import(pk=pk))
        Import.objects.filter(pk=pk).update(fault=str(why))
    except BadFacts as bad:
        _ended(pk, State.APPLYING, State.PLANNED, _("Nothing was changed. %(fault)s") % {"fault": bad})
    except Unreadable as fault:
        _ended(pk, State.APPLYING, State.PLANNED, str(fault))
    except Exception:
        log.exception("Import %s couldn't be applied", pk)
        _ended(pk, State.APPLYING, State.PLANNED, _(INTERRUPTED))
