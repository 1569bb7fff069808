"""The engine's texts that pages show in the reader's language. The engine itself knows only English."""

from __future__ import annotations

from rules.engine.editions import EDITIONS


def page_texts() -> tuple[str, ...]:
    """Return every text that a page translates, each once."""
    checks = [check for book in EDITIONS.values() for check in book.force.checks]
    texts = [text for check in checks for text in (check.title, check.question, check.variant)]
    return tuple(dict.fromkeys(text for text in texts if text))
