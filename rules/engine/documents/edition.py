"""The edition named by a document."""

from __future__ import annotations

from typing import Any

from rules.engine.documents.reader import shaped, shown
from rules.engine.edition import Edition
from rules.engine.editions import EDITIONS
from rules.engine.errors import BadInput


@shaped(lambda: {"enum": list(EDITIONS)})
def an_edition(value: Any) -> Edition:
    """Return the edition of that name."""
    edition = EDITIONS.get(value) if isinstance(value, str) else None
    if edition is None:
        raise BadInput("", f"This must be one of {', '.join(EDITIONS)}, not {shown(value)}.")
    return edition
