"""Who may read what this installation keeps: its own user, and no one else on the machine, whatever the umask."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from django.conf import settings

OTHERS = 0o077
KEPT = ("secret_key", "snapshots", "papers", "backups", "waiting", "logs", "static")
"""What Headjudge itself makes in `DATA_DIR`, and (but for the key) in `COPY_DIR`."""
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal")


def keep_new_files_private() -> None:
    """Let this process, and those it starts, make files that only their owner reads."""
    os.umask(OTHERS)


def tighten(path: Path) -> None:
    """Take the rights of others away from one file or folder of ours; a link, or what another user owns, stays as it is."""
    with contextlib.suppress(OSError):
        found = path.lstat()
        is_ours = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
        is_shared = stat.S_ISLNK(found.st_mode) or bool(found.st_mode & stat.S_ISVTX)
        if is_ours and not is_shared and found.st_mode & OTHERS:
            path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)


def tighten_database(name: str) -> None:
    """Make SQLite's file and those beside it private; nothing where the name is no file (in memory)."""
    for ending in BESIDE_DATABASE:
        tighten(Path(f"{name}{ending}"))


def tighten_kept() -> None:
    """Make private what an earlier version, or another umask, left open in `DATA_DIR` and `COPY_DIR`; only what is ours."""
    for root in filter(None, (settings.DATA_DIR, settings.COPY_DIR)):
        for name in KEPT:
            tighten(Path(root, name))
            for folder, folders, files in os.walk(Path(root, name)):
                for one in (*folders, *files):
                    tighten(Path(folder, one))
