"""Saving positions of the board page: each document once, never changed afterwards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from rules.models import SavedPosition

LONGEST_TITLE = 120


@transaction.atomic
def save_position(*, document: Mapping[str, Any]) -> SavedPosition:
    """Save a position file that the engine has accepted and return its row; equal documents share a row."""
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    title = document.get("title")
    row, _made = SavedPosition.objects.get_or_create(
        digest=digest,
        defaults={
            "document": dict(document),
            "edition": document["edition"],
            "title": title[:LONGEST_TITLE] if isinstance(title, str) else "",
        },
    )
    return row
