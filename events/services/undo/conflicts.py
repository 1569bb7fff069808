"""Conflicts of an undo: later actions that depend on the action, each for a named reason."""

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
    """An entry with its net changes, and the rounds it concerns."""

    entry: AuditEntry
    net: dict[Key, Net]
    rounds: frozenset[int]

    def states(self, label: str) -> dict[int, tuple[str, str]]:
        """Return, by key, the state before and after of each row of a model."""
        return {
            pk: (one.before["state"], one.after.get("state", ""))
            for (of, pk), one in self.net.items()
            if of == label and "state" in one.before
        }

    def is_refused(self, *, event: str | None = None, round_: str | None = None) -> bool:
        """Return whether the action table refuses the entry's action in that state of the event or the round."""
        row = ACTIONS.get(root(self.entry).verb)
        if row is None:
            return False
        if event is not None and row.event is not None and row.event.get(event, Verdict.REFUSED) is Verdict.REFUSED:
            return True
        return (
            round_ is not None and row.round is not None and row.round.get(round_, Verdict.REFUSED) is Verdict.REFUSED
        )

    def moves_players(self) -> bool:
        """Return whether the entry adds players to the next pairings or removes them."""
        for (label, _pk), one in self.net.items():
            states = (one.before.get("state"), one.after.get("state"))
            if label == ENTRY and Entry.State.CHECKED_IN in states and STANDING & {*one.before, *one.after}:
                return True
            if label == ENTRY and one.before.get("team_id") != one.after.get("team_id"):
                return True
        return False

    def published(self) -> set[int]:
        """Return the keys of the rounds that the entry published."""
        return {pk for pk, (was, now) in self.states(ROUND).items() if was == Round.State.DRAFT != now}

    def unpublishes(self) -> bool:
        """Return whether the entry unpublished a round: undoing it would make the round's pairings count again."""
        return any(now == Round.State.DRAFT != was for was, now in self.states(ROUND).values())

    def made(self) -> dict[str, set[int]]:
        """Return the keys of the rows that the entry created, by model."""
        found: dict[str, set[int]] = {}
        for (label, pk), one in self.net.items():
            if one.made:
                found.setdefault(label, set()).add(pk)
        return found


@dataclass(frozen=True)
class Pair:
    """An action to be undone and a later one. `differing`: fields of the action's rows that have changed since."""

    act: EntryEffects
    later: EntryEffects
    differing: Mapping[Key, set[str]]
    event: Event
    numbers: Mapping[int, int]
    """Each round's number, by key."""


# reasons why the later action must be undone first


def wrote_the_same(pair: Pair) -> bool:
    """Return whether the later action wrote the same fields, and they have changed since."""
    for key, one in pair.act.net.items():
        other = pair.later.net.get(key)
        if other is not None and one.touches(other) and key in pair.differing:
            return True
    return False


def hangs_on_what_it_made(pair: Pair) -> bool:
    """Return whether the later action refers to a row that this one created."""
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
    """Return whether the later action would be refused in the state of round or event before this one."""
    for pk, (before, _after) in pair.act.states(ROUND).items():
        if pk in pair.later.rounds and pair.later.is_refused(round_=before):
            return True
    return any(pair.later.is_refused(event=before) for before, _after in pair.act.states(EVENT).values())


def ended_its_state(pair: Pair) -> bool:
    """Return whether the later action led to a state of round or event in which this one is refused."""
    act, later = pair.act, pair.later
    moved = later.states(ROUND)
    for pk in act.rounds - set(act.states(ROUND)):
        if pk in moved and act.is_refused(round_=_state_of(pair.event, pk)):
            return True
    return bool(later.states(EVENT)) and not act.states(EVENT) and act.is_refused(event=pair.event.state)


def paired_its_players(pair: Pair) -> bool:
    """Return whether a round was published after this action moved players, or unpublished before players moved."""
    act, later = pair.act, pair.later
    return bool(later.published() and act.moves_players()) or (act.unpublishes() and later.moves_players())


def was_paired_on_its_round(pair: Pair) -> bool:
    """Return whether a round was published on the results of a round that this action completed."""
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


# finding them


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
    """Return the actions in force, without undone ones and without undos: such pairs change nothing."""
    gone = undone_by(event)
    here = {act.entry.pk for act in acts}
    return [act for act in acts if act.entry.pk not in gone and act.entry.undoes_id not in here]


def in_the_way(entry: AuditEntry) -> list[AuditEntry]:
    """Return the later actions that must be undone first, with those that block them in turn, newest first."""
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
