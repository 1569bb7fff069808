"""What stands in the way of undoing an act: later acts that build on it, each for a reason that has a name here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps

from events.actions import ACTIONS, Verdict
from events.models import AuditEntry, Entry, Event, Match, Round

from .acts import Key, Net, changed_since, net_of, root, undone_by

STANDING = frozenset({"state", "from_round", "dropped_after"})
EVENT, ROUND, MATCH, ENTRY = "events.Event", "events.Round", "events.Match", "events.Entry"


@dataclass(frozen=True)
class EntryEffects:
    """An entry with what it did to each row, and the rounds that it concerns."""

    entry: AuditEntry
    net: dict[Key, Net]
    rounds: frozenset[int]

    def states(self, label: str) -> dict[int, tuple[str, str]]:
        """Return by key which rows of a model it brought from which state to which."""
        return {
            pk: (one.before["state"], one.after.get("state", ""))
            for (of, pk), one in self.net.items()
            if of == label and "state" in one.before
        }

    def is_refused(self, *, event: str | None = None, round_: str | None = None) -> bool:
        """True where the action table refuses this act in that state of the event or the round."""
        row = ACTIONS.get(root(self.entry).verb)
        if row is None:
            return False
        if event is not None and row.event is not None and row.event.get(event, Verdict.REFUSED) is Verdict.REFUSED:
            return True
        return (
            round_ is not None and row.round is not None and row.round.get(round_, Verdict.REFUSED) is Verdict.REFUSED
        )

    def moves_players(self) -> bool:
        """True where it takes somebody into the next pairings or out of them."""
        for (label, _pk), one in self.net.items():
            states = (one.before.get("state"), one.after.get("state"))
            if label == ENTRY and Entry.State.CHECKED_IN in states and STANDING & {*one.before, *one.after}:
                return True
        return False

    def published(self) -> set[int]:
        """Return the rounds that it published."""
        return {pk for pk, (was, now) in self.states(ROUND).items() if was == Round.State.DRAFT != now}

    def unpublishes(self) -> bool:
        """True where it made a draft of a published round again: undone, its pairings would count again."""
        return any(now == Round.State.DRAFT != was for was, now in self.states(ROUND).values())

    def made(self) -> dict[str, set[int]]:
        """Return the keys of the rows that it made, by model."""
        found: dict[str, set[int]] = {}
        for (label, pk), one in self.net.items():
            if one.made:
                found.setdefault(label, set()).add(pk)
        return found


@dataclass(frozen=True)
class Pair:
    """An act to be undone and a later one. `differing` are the fields of its rows that are not as it left them."""

    act: EntryEffects
    later: EntryEffects
    differing: Mapping[Key, set[str]]
    event: Event
    numbers: Mapping[int, int]
    """The number of each round, by its key."""


# reasons for which the later act has to be undone first


def wrote_the_same(pair: Pair) -> bool:
    """The later act wrote fields that this one wrote, and they differ now."""
    for key, one in pair.act.net.items():
        other = pair.later.net.get(key)
        if other is not None and one.touches(other) and key in pair.differing:
            return True
    return False


def hangs_on_what_it_made(pair: Pair) -> bool:
    """The later act pointed to a row that this one made."""
    made = pair.act.made()
    if not made:
        return False
    for (label, _pk), one in pair.later.net.items():
        for column in apps.get_model(label)._meta.concrete_fields:
            if column.remote_field is None or one.removed:
                continue
            keys = made.get(column.remote_field.model._meta.label, set())
            if one.after.get(column.attname) in keys:
                return True
    return False


def needed_its_state(pair: Pair) -> bool:
    """The later act would have been refused in the state of the round or event that this one ended."""
    for pk, (before, _after) in pair.act.states(ROUND).items():
        if pk in pair.later.rounds and pair.later.is_refused(round_=before):
            return True
    return any(pair.later.is_refused(event=before) for before, _after in pair.act.states(EVENT).values())


def ended_its_state(pair: Pair) -> bool:
    """The later act brought the round or the event to a state in which this one is refused."""
    act, later = pair.act, pair.later
    moved = later.states(ROUND)
    for pk in act.rounds - set(act.states(ROUND)):
        if pk in moved and act.is_refused(round_=_state_of(pair.event, pk)):
            return True
    return bool(later.states(EVENT)) and not act.states(EVENT) and act.is_refused(event=pair.event.state)


def paired_its_players(pair: Pair) -> bool:
    """A round was published between players whom this act moved; or unpublished, and players moved since."""
    act, later = pair.act, pair.later
    return bool(later.published() and act.moves_players()) or (act.unpublishes() and later.moves_players())


def was_paired_on_its_round(pair: Pair) -> bool:
    """A round was published on the results of one that this act completed."""
    ended = [pk for pk, (_was, now) in pair.act.states(ROUND).items() if now == Round.State.COMPLETE]
    number = pair.numbers.get
    return any(number(new, 0) > number(old, 0) for old in ended for new in pair.later.published())


CONFLICTS: tuple[Callable[[Pair], bool], ...] = (
    wrote_the_same,
    hangs_on_what_it_made,
    needed_its_state,
    ended_its_state,
    paired_its_players,
    was_paired_on_its_round,
)


def _state_of(event: Event, pk: int) -> str:
    return event.rounds.filter(pk=pk).values_list("state", flat=True).first() or ""


# found


def _rounds_of(entry: AuditEntry, net: Mapping[Key, Net], round_of: Mapping[int, int]) -> frozenset[int]:
    keys = set(net) | ({(entry.subject_model, entry.subject_id)} if entry.subject_id else set())
    found = {pk for label, pk in keys if label == ROUND}
    found |= {round_of[pk] for label, pk in keys if label == MATCH and pk in round_of}
    for one in net.values():
        kept: dict[str, Any] = {**one.before, **one.after}
        if kept.get("round_id"):
            found.add(kept["round_id"])
        if kept.get("match_id") in round_of:
            found.add(round_of[kept["match_id"]])
    return frozenset(found)


def _acts(event: Event, entries: Iterable[AuditEntry]) -> list[EntryEffects]:
    round_of = dict(Match.objects.filter(round__event=event).values_list("pk", "round_id"))
    found = []
    for entry in entries:
        net = net_of(entry.changes)
        found.append(EntryEffects(entry, net, _rounds_of(entry, net, round_of)))
    return found


def _still_hold(acts: Sequence[EntryEffects], event: Event) -> list[EntryEffects]:
    """Leave out acts that are undone, and the undoings of what came after as well: both together change nothing."""
    gone = undone_by(event)
    here = {act.entry.pk for act in acts}
    return [act for act in acts if act.entry.pk not in gone and act.entry.undoes_id not in here]


def in_the_way(entry: AuditEntry) -> list[AuditEntry]:
    """Return the later acts that have to be undone first, and those that stand in their way: the newest first."""
    event = entry.event
    assert event is not None, "only acts of an event are undone"
    entries = AuditEntry.objects.filter(event=event, pk__gt=entry.pk).select_related("undoes", "by_person", "by_entry")
    later = _still_hold(_acts(event, entries.order_by("pk")), event)
    numbers = dict(event.rounds.values_list("pk", "number"))
    found: dict[int, AuditEntry] = {}
    waiting = _acts(event, [entry])
    while waiting:
        act = waiting.pop()
        differing = changed_since(act.net)
        for other in later:
            if other.entry.pk <= act.entry.pk or other.entry.pk in found:
                continue
            pair = Pair(act, other, differing, event, numbers)
            if any(conflict(pair) for conflict in CONFLICTS):
                found[other.entry.pk] = other.entry
                waiting.append(other)
    return sorted(found.values(), key=lambda one: -one.pk)


__all__ = ["CONFLICTS", "EntryEffects", "Pair", "in_the_way"]
