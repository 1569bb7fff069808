"""The layouts of import files, and how a file's layout is detected."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from ..documents import shown
from . import csv_sheet, hcunits, octgn
from .records import FileReading, UnreadableFile

LAYOUTS: dict[str, Callable[[bytes, str, Callable[[int], None]], FileReading]] = {
    csv_sheet.LAYOUT: csv_sheet.read,
    hcunits.LAYOUT: hcunits.read,
    octgn.LAYOUT: octgn.read,
}


def layout_of(content: bytes) -> str:
    """Return the layout detected from the first character: `<` XML, `[` or `{` JSON, otherwise a spreadsheet."""
    start = content[:200].lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")[:1]
    return {b"<": octgn.LAYOUT, b"[": hcunits.LAYOUT, b"{": hcunits.LAYOUT}.get(start, csv_sheet.LAYOUT)


def read_file(
    content: bytes, layout: str = "", set_code: str = "", told: Callable[[int], None] = lambda records: None
) -> FileReading:
    """Return the contents of a file, detecting its layout if none is given; `told` hears how many records are read.

    Raises UnreadableFile.
    """
    layout = layout or layout_of(content)
    if layout not in LAYOUTS:
        raise UnreadableFile(
            _("The layout %(layout)s doesn't exist. Choose one of these: %(choices)s.")
            % {"layout": shown(layout), "choices": ", ".join(LAYOUTS)}
        )
    return LAYOUTS[layout](content, set_code, told)
