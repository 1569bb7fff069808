"""QR codes in a terminal."""

from __future__ import annotations

import io

import segno
from django.core.management.base import OutputWrapper

LIGHT, DARK = "##", "  "


def code_of(address: str, out: OutputWrapper) -> str:
    """Return an address as a QR code, light on dark, in characters that this output can write."""
    code = segno.make(address, error="m")
    drawn = io.StringIO()
    code.terminal(drawn, compact=True)
    in_blocks = drawn.getvalue()
    try:
        in_blocks.encode(getattr(out, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return "".join("".join(DARK if dark else LIGHT for dark in row) + "\n" for row in code.matrix_iter(border=4))
    return in_blocks
