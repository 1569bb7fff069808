"""The files of one import: given one by one, in folders, or in ZIP archives."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast

from django.utils.translation import gettext as _

from rules.sizes import size_words

from ..uploads import LIMITS, TooLarge, Unreadable

SUFFIXES = (".json", ".xml", ".csv")
"""How the names of files end that are looked for in folders and archives."""
MAX_FILES = 5_000
MAX_DIRECTORY = 4 * 1024**2
"""The bytes of an archive's directory, which is read whole: enough for tens of thousands of files."""
ZIP = b"PK"
FOR_MACOS = "__MACOSX"
"""The folder of an archive in which macOS keeps a second file for each."""
WORKBOOK = "[Content_Types].xml"


@dataclass(frozen=True)
class File:
    """A file by its name: in an archive or a folder, the path in it. Its content, or why there is none."""

    name: str
    content: bytes = b""
    fault: Unreadable | None = None


class Room:
    """The bytes and files that one import may still hold."""

    def __init__(self) -> None:
        self.bytes = LIMITS["import"].expanded
        self.files = MAX_FILES

    def take(self, file: IO[bytes]) -> bytes:
        """Return a file's content. Raises TooLarge once the import's files are too many or too large together."""
        most = LIMITS["catalogue"].received
        content = file.read(most + 1)
        self.files -= 1
        self.bytes -= len(content)
        if self.files < 0:
            raise TooLarge(_("An import can have at most %(most)s files. Import them in parts.") % {"most": MAX_FILES})
        if self.bytes < 0:
            size = size_words(LIMITS["import"].expanded)
            raise TooLarge(
                _("The files of one import can total at most %(size)s. Import them in parts.") % {"size": size}
            )
        return content


class _Opening:
    """An archive's file while it is opened: its directory isn't read if it is too large, whatever its header says."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return so many bytes. Raises TooLarge."""
        if size > MAX_DIRECTORY:
            raise TooLarge(_("An import can have at most %(most)s files. Import them in parts.") % {"most": MAX_FILES})
        return self.file.read(size)


def uploaded(name: str, file: BinaryIO, room: Room) -> Iterator[File]:
    """Yield a file, or the files in it if it is a ZIP archive. Raises TooLarge."""
    start = file.read(len(ZIP))
    file.seek(0)
    if start != ZIP:
        yield File(name, room.take(file))
        return
    try:
        with zipfile.ZipFile(cast(BinaryIO, _Opening(file))) as archive:
            archive.fp = file
            yield from _members(name, archive, room)
    except Unreadable as fault:
        if isinstance(fault, TooLarge):
            raise
        yield File(name, fault=fault)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError, zlib.error):
        yield File(name, fault=Unreadable(_("The ZIP archive is damaged. Create it again.")))


def _members(name: str, archive: zipfile.ZipFile, room: Room) -> Iterator[File]:
    members = archive.infolist()
    if any(one.filename == WORKBOOK for one in members):
        raise Unreadable(_("This is a workbook. Save the sheet as CSV."))
    for one in members:
        path = PurePosixPath(one.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
            raise Unreadable(
                _("The ZIP archive contains a file with an unsafe path: %(path)s. Create the archive again without it.")
                % {"path": path}
            )
    wanted = [one for one in members if not one.is_dir() and _is_wanted(PurePosixPath(one.filename))]
    for one in sorted(wanted, key=lambda each: each.filename):
        if one.flag_bits & 1:
            yield File(
                one.filename,
                fault=Unreadable(_("The file is protected by a password. Remove the password and try again.")),
            )
            continue
        with archive.open(one) as file:
            yield File(one.filename, room.take(file))
    if not wanted:
        raise Unreadable(_("The ZIP archive holds no JSON, XML or CSV file."))


def _is_wanted(path: PurePosixPath | Path) -> bool:
    return path.suffix.lower() in SUFFIXES and FOR_MACOS not in path.parts and not path.name.startswith("._")


def files_at(paths: Iterable[str], standard_input: BinaryIO) -> Iterator[File]:
    """Yield the files at these paths: files, folders with all their JSON, XML and CSV files, ZIP archives, `-`.

    A path that can't be read has a fault. Raises TooLarge.
    """
    room = Room()
    for named in paths:
        path = Path(named)
        if named == "-":
            yield File("standard input", room.take(standard_input))
        elif path.is_dir():
            for inside in sorted(one for one in path.rglob("*") if one.is_file()):
                if _is_wanted(inside.relative_to(path)):
                    yield from _opened(inside.relative_to(path).as_posix(), inside, room)
        else:
            yield from _opened(path.name, path, room)


def _opened(name: str, path: Path, room: Room) -> Iterator[File]:
    try:
        with path.open("rb") as file:
            yield from uploaded(name, file, room)
    except OSError as error:
        yield File(name, fault=Unreadable(_("The file can't be read: %(error)s.") % {"error": error.strerror}))
