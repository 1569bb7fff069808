"""Which layouts an import may have, and how a file's own is found out."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from ..documents import brief
from . import csv_sheet, hcunits, octgn
from .records import FileReading, UnreadableFile

LAYOUTS: dict[str, Callable[[bytes, str], FileReading]] = {
    csv_sheet.LAYOUT: csv_sheet.read,
    hcunits.LAYOUT: hcunits.read,
    octgn.LAYOUT: octgn.read,
}


def layout_of(content: bytes) -> str:
    """Return the layout a file seems to have, by its first sign: `<` XML, `[` or `{` JSON, else a spreadsheet."""
    start = content[:200].lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")[:1]
    return {b"<": octgn.LAYOUT, b"[": hcunits.LAYOUT, b"{": hcunits.LAYOUT}.get(start, csv_sheet.LAYOUT)


def read_file(content: bytes, layout: str = "", set_code: str = "") -> FileReading:
    """Return what a file holds. Without a layout its own is found out. Raises BadFile for what cannot be read at all."""
    layout = layout or layout_of(content)
    if layout not in LAYOUTS:
        raise UnreadableFile(
            _("There is no layout %(layout)s: choose one of %(choices)s.")
            % {"layout": brief(layout), "choices": ", ".join(LAYOUTS)}
        )
    return LAYOUTS[layout](content, set_code)
