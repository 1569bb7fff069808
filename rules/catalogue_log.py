"""The sentences of the catalogue's log. A row stores a sentence's name and facts, and is worded when it is read."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

SENTENCES: dict[str, Promise] = {
    "set-added": gettext_lazy("Set %(name)s added"),
    "set-changed": gettext_lazy("Set %(name)s changed"),
    "elements": gettext_lazy("%(added)s added, %(changed)s changed, %(unchanged)s unchanged"),
    "corrected": gettext_lazy("%(element)s corrected with effect from %(day)s"),
    "card-confirmed": gettext_lazy("%(element)s: effects of %(card)s confirmed"),
    "card-proposed": gettext_lazy("%(element)s: proposal for %(card)s restored"),
    "correction-withdrawn": gettext_lazy("Correction of %(element)s (with effect from %(day)s) withdrawn"),
}
"""Never change a sentence's meaning: stored rows refer to it."""


def words(sentence: str, facts: Mapping[str, Any]) -> str:
    """Return a sentence in the current language. Facts are plain JSON; a `day` is an ISO date."""
    worded = dict(facts)
    if "day" in facts:
        worded["day"] = formats.date_format(datetime.date.fromisoformat(facts["day"]), "j F Y")
    return str(SENTENCES[sentence]) % worded
