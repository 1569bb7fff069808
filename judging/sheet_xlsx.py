"""Entries, results and standings as a workbook, a sheet for each table: the result sheet's, as its CSV has them."""

from __future__ import annotations

import io
from itertools import zip_longest

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from judging.sheet_csv import Document, rows

SHEETS = {
    "players": "Entries",
    "teams": "Teams",
    "matches": "Results",
    "tables": "Tables of four",
    "standings": "Standings",
    "team standings": "Team standings",
}
"""The tables of `rows` that become sheets, in the order of the sheets, and the sheets' names."""
NARROW, WIDE = 6, 40
"""The least and the greatest width of a column, in characters."""


def sheet_xlsx(document: Document) -> bytes:
    """Return the workbook of an event file; texts are never formulas, and an event without teams has no sheet of them."""
    tables: dict[str, list[list[object]]] = {name: [] for name in SHEETS}
    for name, _mark, *cells in rows(document):
        if name in SHEETS:
            tables[str(name)].append(cells)
    book = Workbook(write_only=True)
    for name, lines in tables.items():
        if lines:
            _fill(book.create_sheet(SHEETS[name]), lines)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _fill(sheet: WriteOnlyWorksheet, lines: list[list[object]]) -> None:
    """Write the lines below each other; the first has the column names and stays in sight."""
    for column, values in enumerate(zip_longest(*lines), 1):
        longest = max(len(str(value)) for value in values if value is not None)
        sheet.column_dimensions[get_column_letter(column)].width = min(max(longest + 2, NARROW), WIDE)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(lines[0]))}{len(lines)}"
    for line in lines:
        cells = [_cell(sheet, value) for value in line]
        if line is lines[0]:
            for cell in cells:
                cell.font = Font(bold=True)
        sheet.append(cells)


def _cell(sheet: WriteOnlyWorksheet, value: object) -> WriteOnlyCell:
    if not isinstance(value, str):
        return WriteOnlyCell(sheet, value)
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", value))
    cell.data_type = "s"  # a name that begins with "=" stays a name
    return cell
