"""My forces: named forces that a person keeps across events. Only their owner sees, uses, renames and deletes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from events import building
from events.building import Bench
from events.documents import force_file, report_on
from events.door import NeedsConfirmation, Refused, door
from events.models import Entry, Event, Force, Person, SavedForce
from events.models.events import SEALED_FORMATS
from events.roles import Actor
from events.services.forces import copy_bench
from events.services.people import account_of

MAX_SAVED = 100


def _own(by: Actor, saved: SavedForce) -> Person:
    person = account_of(by)
    if saved.person_id != person.pk:
        raise Refused(_("You can only use your own forces."))
    return person


def _named(name: str) -> str:
    if not (called := " ".join(name.split())[:80]):
        raise Refused(_("Enter a name for the force."))
    return called


def save_force(*, by: Actor, name: str, bench: Bench, terms: Mapping[str, Any]) -> SavedForce:
    """Save a copy of a bench under a name; `terms` are its edition and the event's terms that it was built for."""
    person, called = account_of(by), _named(name)
    if not bench["picks"]:
        raise Refused(_("This force is empty. Add a figure first."))
    with door("save-force", by=by) as writing:
        if SavedForce.objects.filter(person=person).count() >= MAX_SAVED:
            raise Refused(_("You can save at most %(most)d forces. Delete one first.") % {"most": MAX_SAVED})
        kept = building.empty_bench() | {key: bench[key] for key in ("picks", "facts", "maps", "count")}
        building.tidy(kept)
        without = {key: value for key, value in terms.items() if key != "edition"}
        report = report_on(force_file(kept, edition=terms["edition"], terms=without), kept)
        saved = writing.create(
            SavedForce,
            person=person,
            name=called,
            bench=kept | {"name": called},
            terms=dict(terms),
            total=report["total"],
        )
        writing.says("force-saved")
    return saved


def rename_saved_force(*, by: Actor, saved: SavedForce, name: str, version: int | None = None) -> None:
    """Rename one of the actor's own saved forces."""
    _own(by, saved)
    with door("rename-saved-force", by=by, on=saved, version=version) as writing:
        writing.save(saved, name=_named(name))
        writing.says("saved-force-renamed")


def delete_saved_force(*, by: Actor, saved: SavedForce, version: int | None = None, confirmed: bool = False) -> None:
    """Delete one of the actor's own saved forces, once confirmed."""
    _own(by, saved)
    with door("delete-saved-force", by=by, on=saved, version=version) as writing:
        if not confirmed:
            consequence = _("“%(name)s” will be deleted. Forces that you submitted at events are kept.") % {
                "name": saved.name
            }
            raise NeedsConfirmation(writing.answer.action.label, [consequence])
        writing.delete(saved)
        writing.says("saved-force-deleted")


def use_saved_force(*, by: Actor, entry: Entry, from_round: int, saved: SavedForce) -> tuple[Force, list[str]]:
    """Copy one of the actor's own saved forces to the bench of their own entry; return as `copy_bench` does."""
    if entry.person_id != _own(by, saved).pk:
        raise Refused(_("You can only use your own forces."))
    return copy_bench(by=by, entry=entry, from_round=from_round, source=building.whole(saved.bench))


def saved_forces(by: Actor) -> list[SavedForce]:
    """Return the actor's saved forces by name, without their elements; none without an account."""
    if by.account is None:
        return []
    return list(SavedForce.objects.filter(person=by.account.pk).defer("bench"))


def entries_to_build_for(by: Actor) -> list[Entry]:
    """Return the entries for which the actor may still build a force: of events that haven't begun, or sealed ones."""
    if by.account is None:
        return []
    sealed = Q(event__state=Event.State.RUNNING, event__format__in=SEALED_FORMATS)
    mine = Entry.objects.filter(Q(event__state=Event.State.OPEN) | sealed, person=by.account.pk)
    return list(mine.exclude(state=Entry.State.WITHDRAWN).select_related("event").order_by("event__starts"))
