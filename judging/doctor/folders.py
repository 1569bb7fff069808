"""The data folder, the second backup folder, and the backups in them."""

from __future__ import annotations

import datetime
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from events.models import Person
from judging.doctor.diagnoses import Diagnosis, Level
from judging.findings import BACKUP_HOURS, LOW_BYTES, VERY_LOW_BYTES
from judging.keeping import backups, storage
from judging.keeping.storage import Damaged
from judging.management.readiness import has_database
from rules.sizes import size_words

OTHERS = stat.S_IRWXG | stat.S_IRWXO
PRIVATE = ("secret_key", "headjudge.sqlite3", storage.SNAPSHOTS, storage.PAPERS, storage.BACKUPS, "logs")
FOLDER, COPIES, BACKUPS = "Data folder", "Second backup folder", "Backups"
NEW_BACKUP = "Run `headjudge backup` (each night, by a timer)."


def size(number: int) -> str:
    """Return a number of bytes in words."""
    return size_words(number).replace("\N{NO-BREAK SPACE}", " ")


def data_folder() -> Iterator[Diagnosis]:
    """Examine whether the data folder can be written, is private and has room."""
    root = Path(settings.DATA_DIR)
    if not root.is_dir():
        yield Diagnosis(FOLDER, Level.ERROR, f"{root} doesn't exist.", "Create it, or correct DATA_DIR.")
        return
    found = [*_other_owner(root), *_writable(FOLDER, root), *_readable_by_others(root), *_room(FOLDER, root)]
    yield from found or [Diagnosis(FOLDER, Level.OK, f"{root}: private, writable, {size(_free(root))} free.")]


def second_folder() -> Iterator[Diagnosis]:
    """Examine `COPY_DIR`, if it is set."""
    if not settings.COPY_DIR:
        return
    folder = Path(settings.COPY_DIR)
    if not folder.is_dir():
        yield Diagnosis(COPIES, Level.ERROR, f"{folder} doesn't exist.", "Plug it in or mount it, or correct COPY_DIR.")
        return
    found = [*_writable(COPIES, folder), *_room(COPIES, folder)]
    if folder.stat().st_dev == Path(settings.DATA_DIR).stat().st_dev:
        said = f"{folder} is on the same disk as the data folder: both are lost with that disk."
        found.append(Diagnosis(COPIES, Level.WARNING, said, "Set COPY_DIR to a folder on another disk."))
    yield from found or [Diagnosis(COPIES, Level.OK, f"{folder}: writable, {size(_free(folder))} free.")]


def _other_owner(root: Path) -> Iterator[Diagnosis]:
    """Warn if this user isn't the owner: the site couldn't change files that they create."""
    if hasattr(os, "geteuid") and root.stat().st_uid != os.geteuid():
        said = f"The user who runs this command doesn't own {root}."
        yield Diagnosis(FOLDER, Level.WARNING, said, "Run Headjudge's commands as the user who runs the site.")


def _writable(about: str, folder: Path) -> Iterator[Diagnosis]:
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
            file.flush()
    except OSError as fault:
        advice = "Free up some space, or let the user who runs the site write to the folder."
        yield Diagnosis(about, Level.ERROR, f"{folder} can't be written to: {fault.strerror}.", advice)


def _readable_by_others(root: Path) -> Iterator[Diagnosis]:
    """Report what other users of this machine can read; without such rights on the folder itself they reach nothing."""
    if os.name != "posix" or not root.stat().st_mode & OTHERS:
        return
    inside = [place for name in PRIVATE for place in [root / name, *(root / name).rglob("*")] if place.exists()]
    opened = [place for place in inside if not place.is_symlink() and place.stat().st_mode & OTHERS]
    if opened:
        said = (
            f"Other users of this machine can read {opened[0]}{f' and {len(opened) - 1} more' if opened[1:] else ''}."
        )
        yield Diagnosis(FOLDER, Level.ERROR, said, f"Run `chmod -R go= {root}` as its owner.")
    else:
        said = f"Other users of this machine can list {root}."
        yield Diagnosis(FOLDER, Level.WARNING, said, f"Run `chmod go= {root}` as its owner.")


def _room(about: str, folder: Path) -> Iterator[Diagnosis]:
    free = _free(folder)
    if free < LOW_BYTES:
        level = Level.ERROR if free < VERY_LOW_BYTES else Level.WARNING
        said = f"The disk of {folder} has only {size(free)} free."
        yield Diagnosis(about, level, said, "Free up some space now, or snapshots and results will soon fail to save.")
    if hasattr(os, "statvfs"):
        room = os.statvfs(folder)
        if room.f_files and room.f_favail < 1000:
            said = f"The disk of {folder} has room for only {room.f_favail} more files."
            yield Diagnosis(
                about, Level.ERROR, said, "Delete files you don't need. Many small files can fill a disk, too."
            )


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def kept_backups(can_ask: bool) -> Iterator[Diagnosis]:
    """Examine the newest backup: its age, whether it can be read back, and whether the next one has room."""
    folder = storage.place(storage.BACKUPS)
    made = sorted(folder.glob("headjudge-*.tar.gz"), key=lambda one: one.stat().st_mtime)
    _tried, problem = backups.last()
    if problem:
        yield Diagnosis(
            BACKUPS,
            Level.WARNING,
            f"The last backup failed: {problem}.",
            "Run `headjudge backup` and read what it says.",
        )
    if not made:
        if can_ask and has_database() and not Person.objects.exists():
            yield Diagnosis(BACKUPS, Level.OK, "Nothing to back up yet.")
        else:
            yield Diagnosis(BACKUPS, Level.WARNING, f"{folder} has no backup.", NEW_BACKUP)
        return
    newest = made[-1]
    try:
        age = timezone.now() - datetime.datetime.fromisoformat(backups.verify(newest)["made"])
    except (Damaged, OSError, KeyError, ValueError):
        said = f"The newest backup can't be read back: {newest}."
        yield Diagnosis(BACKUPS, Level.ERROR, said, "Run `headjudge backup` now, and have its disk tested.")
        return
    hours = int(age.total_seconds() // 3600)
    if hours > BACKUP_HOURS:
        yield Diagnosis(BACKUPS, Level.WARNING, f"The newest backup is {hours // 24} days old: {newest}.", NEW_BACKUP)
    elif not problem:
        said = f"The newest is {hours} {'hour' if hours == 1 else 'hours'} old and was verified: {newest}."
        yield Diagnosis(BACKUPS, Level.OK, said)
    if _free(folder) < 3 * newest.stat().st_size:
        said = f"The disk has no room for the next backup: only {size(_free(folder))} free."
        yield Diagnosis(BACKUPS, Level.ERROR, said, "Free up some space, or keep fewer backups (BACKUPS_KEPT).")
