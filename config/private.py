"""Keep the installation's files readable by its own user only, whatever the umask."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from django.conf import settings

OTHERS = 0o077
KEPT = ("secret_key", "snapshots", "papers", "backups", "waiting", "logs", "static")
"""What Headjudge creates in `DATA_DIR` and, except the key, in `COPY_DIR`."""
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal")


def keep_new_files_private() -> None:
    """Make this process and its children create files that only their owner can read."""
    os.umask(OTHERS)


def tighten(path: Path) -> None:
    """Remove other users' access to one file or folder; skip links and what another user owns."""
    with contextlib.suppress(OSError):
        found = path.lstat()
        is_ours = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
        is_shared = stat.S_ISLNK(found.st_mode) or bool(found.st_mode & stat.S_ISVTX)
        if is_ours and not is_shared and found.st_mode & OTHERS:
            path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)


def tighten_database(name: str) -> None:
    """Make SQLite's file and its companions private; do nothing for a database in memory."""
    for ending in BESIDE_DATABASE:
        tighten(Path(f"{name}{ending}"))


def tighten_kept() -> None:
    """Remove other users' access to our files in `DATA_DIR` and `COPY_DIR`, left by an older version or umask."""
    for root in filter(None, (settings.DATA_DIR, settings.COPY_DIR)):
        for name in KEPT:
            tighten(Path(root, name))
            for folder, folders, files in os.walk(Path(root, name)):
                for one in (*folders, *files):
                    tighten(Path(folder, one))
