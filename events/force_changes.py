"""What a change of a submitted force adds and removes, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events import building
from events.building import Bench
from events.force_words import marks_of
from events.models import Force
from rules.queries import set_names


class ForceChange(NamedTuple):
    """One thing added or removed."""

    is_added: bool
    words: str

    def __str__(self) -> str:
        return (_("Added: %(what)s") if self.is_added else _("Removed: %(what)s")) % {"what": self.words}


def force_changes(force: Force, bench: Bench, document: Mapping[str, Any]) -> list[ForceChange]:
    """Return what submitting this bench changes of the force that counts; `document` is the bench's force file."""
    before = Counter(_contents(force.document, force.maps, force.name))
    after = Counter(_contents(document, bench["maps"], bench["name"]))
    gone, new = (before - after).elements(), (after - before).elements()
    return [*(ForceChange(False, words) for words in gone), *(ForceChange(True, words) for words in new)]


def _contents(document: Mapping[str, Any], maps: Iterable[str], name: str) -> Iterator[str]:
    inside = document.get("force", {})
    names = {one.get("ref"): one["name"] for one in inside.get("characters", ())}
    sections = (*building.SECTIONS, "sideline")
    sets = set_names(one.get("set", "") for section in sections for one in inside.get(section, ()))
    for section in sections:
        for one in inside.get(section, ()):
            yield _element_words(one, names, sets, on_sideline=section == "sideline")
    for one in maps:
        yield _("map %(name)s") % {"name": one}
    if name:
        yield _("name “%(name)s”") % {"name": name}


def _element_words(
    one: Mapping[str, Any], names: Mapping[str | None, str], sets: Mapping[str, str], *, on_sideline: bool
) -> str:
    set_code = one.get("set", "")
    points = one.get("points", one.get("cost_per_character"))
    facts = [
        one["name"],
        f"{sets.get(set_code, set_code)} {one.get('number', '')}".strip(),
        "" if points is None else ngettext("%(n)d point", "%(n)d points", points) % {"n": points},
        *marks_of(one),
        _("sideline") if on_sideline else "",
    ]
    assigned = ", ".join(names.get(ref, ref) for ref in one.get("assigned_to", ()))
    return " · ".join(filter(None, facts)) + (f" → {assigned}" if assigned else "")
