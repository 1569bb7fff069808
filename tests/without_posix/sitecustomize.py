"""Make Python start as on Windows, as far as Linux can imitate it: put this folder first on PYTHONPATH.

Python imports `sitecustomize` at each start, so processes that a process starts are like it. It imports nothing of this
project and installs nothing. What it takes away is missing for the project and for libraries; the standard library,
which is the one for Linux, keeps what it needs. In these ways the process is as on Windows:

- `MODULES` can't be imported, the names of `MISSING` don't exist, `ctypes.CDLL(None)` fails;
- no file can be removed, renamed or replaced while this process has it open; `os.rename` replaces nothing;
- no name has a character of `RESERVED`, and a folder can't be opened as a file;
- `os.fsync` needs a file that was opened for writing.
"""

import ctypes
import errno
import os
import re
import select
import signal
import socket
import stat
import sys
import sysconfig
import time
from types import ModuleType
from typing import Any

MODULES = ("fcntl", "grp", "gunicorn", "pwd", "resource", "syslog", "termios", "tty", "uvicorn_worker", "uvloop")
MISSING: dict[ModuleType, str] = {
    os: "chown confstr ctermid fchmod fchown fork forkpty geteuid getegid getgid getgroups getloadavg getpgid getpgrp "
    "getpriority getresuid getsid getuid initgroups killpg lchown lockf major makedev mkfifo mknod nice openpty "
    "pathconf pipe2 posix_fadvise posix_fallocate posix_spawn pread preadv pwrite pwritev register_at_fork "
    "sched_getaffinity sched_setaffinity sched_yield sendfile setegid seteuid setgid setgroups setpgid setpriority "
    "setsid setuid statvfs fstatvfs sync sysconf tcgetpgrp ttyname uname wait wait3 wait4 waitid O_CLOEXEC O_DIRECTORY "
    "O_NOFOLLOW O_NONBLOCK O_SYNC WNOHANG",
    signal: "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH alarm "
    "getitimer pause pthread_kill pthread_sigmask set_wakeup_fd setitimer siginterrupt sigpending sigtimedwait sigwait",
    socket: "AF_UNIX SO_REUSEPORT CMSG_LEN CMSG_SPACE SCM_RIGHTS sethostname",
    select: "epoll poll",
    time: "CLOCK_BOOTTIME CLOCK_MONOTONIC CLOCK_REALTIME clock_getres clock_gettime tzset",
}
LACKED = frozenset(" ".join(MISSING.values()).split())
RESERVED = re.compile(r'[<>:"|?*\x00-\x1f\\]|[. ]$')
STANDARD = (sysconfig.get_path("stdlib"), "<frozen ")
FOR_LINUX = f"{os.sep}platformdirs{os.sep}"
"""A library that asks for the platform, and has a part used only on Linux."""
SYSTEM = ("/dev/", "/proc/", "/sys/")


def knows_linux(file: str) -> bool:
    """Return whether this is a file of Python's own library, or another that is used only on Linux."""
    return (file.startswith(STANDARD) and "site-packages" not in file) or FOR_LINUX in file


class Lacking(ModuleType):
    """A module with names that only the standard library can see."""

    def __getattribute__(self, name: str) -> Any:
        """Return the module's attribute; hide those that Windows lacks, except from the standard library."""
        if name in LACKED and not knows_linux(sys._getframe(1).f_code.co_filename):
            raise AttributeError(f"module {super().__getattribute__('__name__')!r} has no attribute {name!r}")
        return super().__getattribute__(name)


def take_away() -> None:
    """Hide modules and names."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module in MISSING:
        module.__class__ = Lacking


def open_here() -> set[str]:
    """Return the files that this process has open."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        try:
            found.add(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            continue
    return found


def refuse_open(path: Any, folder: int = -1) -> None:
    """Refuse to change a file that is open."""
    at = os.getcwd() if folder in (-1, None) else os.readlink(f"/proc/self/fd/{folder}")
    real = os.path.realpath(os.path.join(at, os.fsdecode(path)))
    if os.path.isfile(real) and real in open_here():
        raise PermissionError(errno.EACCES, "The file is being used by another process", real)


def refuse_name(path: Any) -> None:
    """Refuse a name that Windows doesn't know."""
    name = os.path.basename(os.fsdecode(path).rstrip("/"))
    if RESERVED.search(name) and name not in (".", "..") and not os.fsdecode(path).startswith(SYSTEM):
        raise OSError(errno.EINVAL, "The filename, directory name, or volume label syntax is incorrect", path)


def watch(event: str, given: tuple[Any, ...]) -> None:
    """Refuse what Windows refuses, to every caller."""
    if (event == "open" and isinstance(given[0], (str, bytes))) or event == "os.mkdir":
        refuse_name(given[0])
    elif event == "os.remove":
        if sys._getframe(1).f_code.co_name != "opener":  # of tempfile.TemporaryFile, which has another way on Windows
            refuse_open(given[0], given[1])
    elif event in ("os.rename", "os.link"):
        refuse_name(given[1])
        if event == "os.rename":
            refuse_open(given[0], given[2])
            refuse_open(given[1], given[3])
    elif event == "sqlite3.connect" and isinstance(given[0], str) and not given[0].startswith((":", "file:")):
        refuse_name(given[0])


def change_calls() -> None:
    """Make functions that exist on both systems behave as on Windows."""
    loaded, opened, renamed, synced = ctypes.CDLL.__init__, os.open, os.rename, os.fsync

    def load(self: Any, name: Any, *given: Any, **named: Any) -> None:
        if name is None:
            raise TypeError("LoadLibrary() argument 1 must be str, not None")
        loaded(self, name, *given, **named)

    def open_file(path: Any, *given: Any, **named: Any) -> int:
        if named.get("dir_fd") is None and os.path.isdir(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return opened(path, *given, **named)

    def rename(source: Any, target: Any, **named: Any) -> None:
        if os.path.exists(target):
            raise FileExistsError(errno.EEXIST, "Cannot create a file when that file already exists", target)
        renamed(source, target, **named)

    def fsync(file: Any) -> None:
        number = file if isinstance(file, int) else file.fileno()
        with open(f"/proc/self/fdinfo/{number}", encoding="ascii") as told:
            flags = int(next(line for line in told if line.startswith("flags:")).split()[1], 8)
        if flags & (os.O_WRONLY | os.O_RDWR) == 0 and stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        synced(number)

    ctypes.CDLL.__init__ = load  # type: ignore[method-assign]
    os.open, os.rename, os.fsync = open_file, rename, fsync  # type: ignore[assignment]


take_away()
change_calls()
sys.addaudithook(watch)
