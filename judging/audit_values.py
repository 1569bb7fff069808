"""What an audit log entry's stored values mean: keys of settings as the pages call them, findings by figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.choices import SCENARIOS, TACTICS
from events.standings import CRITERIA
from rules.labels import labelled

from .found_words import as_found
from .models import ForceCheck
from .readings import topic_title


def _titles(titles: Mapping[str, Any]) -> Callable[[Any, models.Model | None], str]:
    """Return a function that words one key, or a list of keys, by their titles."""

    def told(value: Any, _row: models.Model | None) -> str:
        keys = value if isinstance(value, list) else [value]
        return ", ".join(str(titles.get(key, key)) for key in keys)

    return told


def _findings(value: Any, row: models.Model | None) -> str:
    """Return how many figures a judge has checked, and what was found about which."""
    names = {}
    if isinstance(row, ForceCheck):
        force = row.force.document.get("force", {})
        figures = (*force.get("characters", ()), *force.get("sideline", ()))
        names = {one.get("ref"): one.get("name", "") for one in figures}
    seen = ngettext("%(n)d figure checked", "%(n)d figures checked", len(value)) % {"n": len(value)}
    found = [(names.get(one["ref"]) or _("figure"), as_found(one["found"], {})) for one in value if one.get("found")]
    return "; ".join([seen, *(labelled(name, what) for name, what in found)])


def _topics(value: Any, _row: models.Model | None) -> str:
    return ", ".join(topic_title(name) for name in value)


def _sections(value: Any, _row: models.Model | None) -> str:
    return "; ".join(one.get("section", "") for one in value)


def _elements(value: Any, _row: models.Model | None) -> str:
    return ", ".join(one.get("facts", {}).get("name") or one.get("code", "") for one in value)


def _turns(value: Any, _row: models.Model | None) -> str:
    return ", ".join(one.get("prize") or str(_("turn skipped")) for one in value)


WORDED: dict[tuple[str, str], Callable[[Any, models.Model | None], str]] = {
    ("events.Event", "cascade"): _titles({name: criterion.title for name, criterion in CRITERIA.items()}),
    ("events.Event", "scenarios"): _titles(SCENARIOS),
    ("events.Event", "tactics"): _titles(TACTICS),
    ("events.Pod", "picks"): lambda value, _row: " / ".join(
        _elements([one for one in row if one], None) for row in value
    ),
    ("events.Pool", "elements"): _elements,
    ("events.Pool", "replaced"): _elements,
    ("events.PrizeDraft", "pool"): lambda value, _row: ", ".join(map(str, value)),
    ("events.PrizeDraft", "turns"): _turns,
    ("events.Round", "scenario"): _titles(SCENARIOS),
    ("judging.Decision", "citations"): _sections,
    ("judging.Decision", "topics"): _topics,
    ("judging.ForceCheck", "findings"): _findings,
}
"""Model and column → the words of a stored value, given its row if that still exists."""

__all__ = ["WORDED"]
