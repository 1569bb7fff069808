"""Entries, results and standings as a workbook, a sheet for each table: the result sheet's, as its CSV has them."""

from __future__ import annotations

import io

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

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
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, lines in tables.items():
        if lines:
            _fill(book.create_sheet(SHEETS[name]), lines)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _fill(sheet: Worksheet, lines: list[list[object]]) -> None:
    """Write the lines below each other; the first has the column names and stays in sight."""
    for line in lines:
        sheet.append([ILLEGAL_CHARACTERS_RE.sub("", value) if isinstance(value, str) else value for value in line])
    for column, cells in enumerate(sheet.columns, 1):
        longest = max(len(str(cell.value)) for cell in cells if cell.value is not None)
        sheet.column_dimensions[get_column_letter(column)].width = min(max(longest + 2, NARROW), WIDE)
        cells[0].font = Font(bold=True)
        for cell in cells:
            if cell.data_type == "f":
                cell.data_type = "s"  # a name that begins with "=" stays a name
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
