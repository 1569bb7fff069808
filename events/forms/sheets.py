"""Reading tables that people send: CSV in any encoding, with any separator, and workbooks; columns by their headings.

Splits a text into lines of cells and says what each column was taken for; other modules know what the cells mean.
"""

from __future__ import annotations

import csv
import io
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.apart import apart
from rules.uploads import MB, Unreadable, check_size, refuse_archives

MAX_COLUMNS = 100
MAX_ROWS = 5_000
"""Rows of a workbook that are read; other limits end a CSV file earlier."""
MAX_UNPACKED = 20 * MB
SEPARATORS = ",;\t|"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
ZIP, WORKBOOK = b"PK\x03\x04", "xl/workbook.xml"
DAMAGED = gettext_lazy("This workbook can't be read. Save the sheet as CSV and import that.")
IGNORED = "-"
"""What a form sends for a column that is to be left out."""


@dataclass(frozen=True)
class Column:
    """A column of a table: its place, its heading, and the field that it was taken for ("" if it is left out)."""

    place: int
    heading: str
    field: str


class Faulty(Exception):
    """The table can't be read from this line on."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


def text_of(raw: bytes) -> str:
    """Return a file's text: a workbook's first sheet as lines with tabs, else decoded by its byte order mark, else as
    UTF-8, else as Windows-1252.

    Raise Unreadable if the file is too large, or an archive that isn't a workbook.
    """
    check_size("players", len(raw))
    if raw.startswith(ZIP):
        return apart(text_of_workbook, raw, size=_unpacked(raw), memory=512 * MB)
    refuse_archives(raw)
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark):
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError:
                break
    for encoding in ("utf-8", "cp1252", "latin-1"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 reads everything")


def _unpacked(raw: bytes) -> int:
    """Return the size of a workbook's files. Raise Unreadable if it isn't a workbook, or if they are too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            files = {one.filename: one.file_size for one in packed.infolist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise Unreadable(DAMAGED) from None
    if WORKBOOK not in files:
        refuse_archives(raw)
    size = sum(files.values())
    if size > MAX_UNPACKED:
        raise Unreadable(_("This workbook is too large. Save the sheet as CSV and import that."))
    return size


def text_of_workbook(raw: bytes) -> str:
    """Return the first sheet of an XLSX file as lines with tabs. Raise Unreadable if it can't be read."""
    from openpyxl import load_workbook

    target = io.StringIO()
    try:
        book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
        lines = csv.writer(target, delimiter="\t", lineterminator="\n")
        for row in book.worksheets[0].iter_rows(max_row=MAX_ROWS, max_col=MAX_COLUMNS, values_only=True):
            cells = [_cell(value) for value in row]
            while cells and not cells[-1]:
                cells.pop()
            lines.writerow(cells)
    except Exception as fault:  # whatever a damaged file makes of the library
        raise Unreadable(DAMAGED) from fault
    return target.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def cells_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line numbers and cells of a text's lines that aren't empty. Raise Faulty at a line that can't be read."""
    text = text.removeprefix("\ufeff").replace("\x00", "")
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=max(SEPARATORS, key=first.count), skipinitialspace=True
    )
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as wrong:
        words = _("This line can't be read. Check its quotation marks.")
        if "field limit" in str(wrong):
            words = _("A cell has more than %(most)s characters.") % {"most": f"{csv.field_size_limit():,}"}
        raise Faulty(reader.line_num, words) from None


def plain(text: str) -> str:
    """Return a heading or a word as it is compared: lower case, without accents, underscores and double spaces."""
    stripped = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return " ".join(stripped.lower().replace("_", " ").split())


def clean(cell: str) -> str:
    """Return a cell's text without an apostrophe that only guards a formula."""
    shown = " ".join("".join(c for c in cell if c.isprintable() or c.isspace()).split())
    return shown[1:] if shown[:1] == "'" and shown[1:2] in FORMULA and len(shown) > 1 else shown


def taken(
    cells: Sequence[str], known: Mapping[str, Sequence[str]], chosen: Mapping[int, str] | None = None
) -> tuple[Column, ...]:
    """Return what each heading was taken for; no field twice. `known` has the spellings of each field, in `plain` words.

    `chosen` says otherwise by place: a field, or IGNORED.
    """
    chosen = {place: field for place, field in (chosen or {}).items() if field in known or field == IGNORED}
    spelled = {plain(spelling): field for field, spellings in known.items() for spelling in spellings}
    free = {*known} - {*chosen.values()}
    found: list[Column] = []
    for place, cell in enumerate(cells):
        field = chosen.get(place, "")
        if place not in chosen and (meant := spelled.get(plain(cell), "")) in free:
            free.remove(field := meant)
        elif field in {column.field for column in found}:
            field = ""
        found.append(Column(place, clean(cell), "" if field == IGNORED else field))
    return tuple(found)


def first_and_rest(text: str) -> tuple[tuple[int, list[str]], Iterator[tuple[int, list[str]]]]:
    """Return a text's first line, which names the columns, and the others, as `cells_of` does; (1, []) for no lines.

    Raise Faulty if the first line can't be read or is too long, as does reading the others.
    """
    lines = cells_of(text)
    number, first = next(lines, (1, []))
    if len(first) > MAX_COLUMNS:
        raise Faulty(number, _("The first line has more than %(most)d columns.") % {"most": MAX_COLUMNS})
    return (number, first), lines


def by_field(cells: Sequence[str], columns: Iterable[Column]) -> dict[str, str]:
    """Return a line's cells by the fields that their columns were taken for; "" where the line is too short."""
    fields = ((column.field, column.place) for column in columns if column.field)
    return {field: clean(cells[place]) if place < len(cells) else "" for field, place in fields}


def headings_of(cells: Sequence[str]) -> str:
    """Return the headings in one text, to tell whether a form was about the same table."""
    return "|".join(clean(cell) for cell in cells)


def chosen_in(posted: Mapping[str, str], text: str) -> dict[int, str]:
    """Return what a form says that the columns of a text are, by place; nothing if it was about other columns."""
    try:
        first = next(cells_of(text), (0, []))[1]
    except Faulty:
        return {}
    if posted.get("headings") != headings_of(first):
        return {}
    return {place: posted[name] for place in range(len(first)) if (name := f"column-{place}") in posted}
