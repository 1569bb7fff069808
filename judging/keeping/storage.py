"""Files stored under `DATA_DIR`: written completely or not at all, and verified when read."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

SNAPSHOTS, PAPERS, BACKUPS, WAITING = "snapshots", "papers", "backups", "waiting"


class Damaged(Exception):
    """A stored file is missing, or differs from what was written."""


def digest(content: bytes) -> str:
    """Return the SHA-256 digest in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def place(*parts: str) -> Path:
    """Return the path of a stored file; raise Damaged if `parts` would lead outside `DATA_DIR`."""
    root = Path(settings.DATA_DIR).resolve()
    found = root.joinpath(*parts).resolve()
    if not found.is_relative_to(root):
        raise Damaged(f"{'/'.join(parts)} is outside of the data folder")
    return found


def trouble_of(fault: OSError) -> str:
    """Return in words why a file couldn't be written, as a clause without a full stop."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return _("the disk is full")
    if fault.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _("Headjudge has no permission to write to the data folder")
    return _("the disk reported an error")


def write(path: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Write a file completely or not at all, even if the process or the power fails in between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(prefix=".writing-", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as target:
            target.write(content)
            target.flush()
            os.fsync(target.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _settle(path.parent)


def _settle(folder: Path) -> None:
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def read(path: Path, sha256: str = "") -> bytes:
    """Return a stored file's content; raise Damaged if it is missing or its digest differs."""
    try:
        content = path.read_bytes()
    except OSError as fault:
        missing = isinstance(fault, FileNotFoundError)
        raise Damaged(_("the file is missing") if missing else _("the file can't be read")) from fault
    if sha256 and digest(content) != sha256:
        raise Damaged(_("the file is damaged"))
    return content


def copy_out(path: Path) -> str:
    """Copy a stored file to `COPY_DIR` (a USB stick or a shared folder), if it is set.

    Returns what went wrong, or "": a missing stick must not stop an event.
    """
    if not settings.COPY_DIR:
        return ""
    root = Path(settings.DATA_DIR).resolve()
    target = Path(settings.COPY_DIR) / path.resolve().relative_to(root)
    unfinished = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with (
            path.open("rb") as source,
            tempfile.NamedTemporaryFile(prefix=".writing-", dir=target.parent, delete=False) as made,
        ):
            unfinished = Path(made.name)
            shutil.copyfileobj(source, made)
            made.flush()
            os.fsync(made.fileno())
        os.replace(made.name, target)
    except OSError as fault:
        if unfinished is not None:  # incomplete files that name people must not be left on a full stick
            with contextlib.suppress(OSError):
                unfinished.unlink()
        return f"{settings.COPY_DIR}: {fault.strerror}"
    return ""


def forget_old(folder: Path, seconds: float) -> None:
    """Delete the files in a folder that are older than so many seconds."""
    for one in folder.glob("*") if folder.exists() else []:
        with contextlib.suppress(OSError):
            if one.stat().st_mtime < time.time() - seconds:
                one.unlink()


def remove(path: Path) -> None:
    """Delete a stored file, here and in `COPY_DIR`."""
    root = Path(settings.DATA_DIR).resolve()
    for one in [path, *([Path(settings.COPY_DIR) / path.resolve().relative_to(root)] if settings.COPY_DIR else [])]:
        with contextlib.suppress(OSError):
            one.unlink()
