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


class Content(NamedTuple):
    """One thing of a force in words, with the marks that a player may set on it: proxy and promotional."""

    words: str
    marks: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " · ".join((self.words, *self.marks))


class ForceChange(NamedTuple):
    """One thing added, removed, or marked otherwise than before."""

    before: Content | None
    after: Content | None

    def __str__(self) -> str:
        if self.before is None:
            return _("Added: %(what)s") % {"what": self.after}
        if self.after is None:
            return _("Removed: %(what)s") % {"what": self.before}
        new = ", ".join(one for one in self.after.marks if one not in self.before.marks)
        if new:
            return _("Marked as %(marks)s: %(what)s") % {"marks": new, "what": self.after.words}
        lost = ", ".join(one for one in self.before.marks if one not in self.after.marks)
        return _("No longer marked as %(marks)s: %(what)s") % {"marks": lost, "what": self.after.words}


def force_changes(force: Force, bench: Bench, document: Mapping[str, Any]) -> list[ForceChange]:
    """Return what submitting this bench changes of the force that counts; `document` is the bench's force file."""
    before = Counter(_contents(force.document, force.maps, force.name))
    after = Counter(_contents(document, bench["maps"], bench["name"]))
    gone, new = list((before - after).elements()), list((after - before).elements())
    changes = [ForceChange(one, _taken(new, one.words)) for one in gone]
    return [*changes, *(ForceChange(None, one) for one in new)]


def _taken(new: list[Content], words: str) -> Content | None:
    """Take from the new contents the one that differs from these words by its marks alone, if there is one."""
    found = next((one for one in new if one.words == words), None)
    if found is not None:
        new.remove(found)
    return found


def _contents(document: Mapping[str, Any], maps: Iterable[str], name: str) -> Iterator[Content]:
    inside = document.get("force", {})
    names = {one.get("ref"): one["name"] for one in inside.get("characters", ())}
    sections = (*building.SECTIONS, "sideline")
    sets = set_names(one.get("set", "") for section in sections for one in inside.get(section, ()))
    for section in sections:
        for one in inside.get(section, ()):
            yield _element(one, names, sets, on_sideline=section == "sideline")
    for one in maps:
        yield Content(_("map %(name)s") % {"name": one})
    if name:
        yield Content(_("name “%(name)s”") % {"name": name})


def _element(
    one: Mapping[str, Any], names: Mapping[str | None, str], sets: Mapping[str, str], *, on_sideline: bool
) -> Content:
    set_code = one.get("set", "")
    points = one.get("points", one.get("cost_per_character"))
    facts = [
        one["name"],
        f"{sets.get(set_code, set_code)} {one.get('number', '')}".strip(),
        "" if points is None else ngettext("%(n)d point", "%(n)d points", points) % {"n": points},
        _("sideline") if on_sideline else "",
    ]
    assigned = ", ".join(names.get(ref, ref) for ref in one.get("assigned_to", ()))
    words = " · ".join(filter(None, facts)) + (f" → {assigned}" if assigned else "")
    return Content(words, tuple(marks_of(one)))
