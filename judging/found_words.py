"""What a judge found about a figure while verifying a force, in words: for the audit log's sentences and changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from events.audit import Facts


def as_found(found: Mapping[str, Any], _facts: Facts) -> str:
    """Return what a judge found about a figure, in the words of the page where it was entered."""
    words = []
    if number := found.get("dial_number"):
        words.append(_("dial number %(number)s") % {"number": number})
    if found.get("proxy"):
        words.append(_("Proxy"))
    if found.get("promotional"):
        words.append(_("Marked Promotional"))
    if found.get("from_sealed_product") is False:
        words.append(_("Not from the player's sealed product"))
    return "; ".join(words) or _("nothing")


__all__ = ["as_found"]
