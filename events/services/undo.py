"""Undo: an act is reversed by a new entry of the record, after showing what that changes.

The record keeps each row before and after, so any act can be reversed as long as its rows are still as it left them
and nothing builds on it. Where something does, those later acts are undone first, the newest first. What an undoing
would change is found out by doing it and taking it back again, so that it is never guessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events import clock as clocks
from events.actions import ACTIONS, CANNOT_UNDO, NOBODY, Answer, Text, Verdict, answer
from events.audit import told
from events.door import HIDDEN, NeedsConfirmation, Refused, Writing, door, facts, fresh
from events.models import AuditEntry, Entry, Event, Force, Match, Official, Role, Round, SignInCode
from events.queries import standings_of
from events.roles import JUDGES, SITE, Actor

from .clock import clock_of
from .rounds import stale_because

Key = tuple[str, int]
STANDING = frozenset({"state", "from_round", "dropped_after"})
SILENT = frozenset({"version", "confirmed_at", "tournament", "pairing_report", "changes_by_hand", "seed"})
MOST_LINES = 12
OF_RANK = frozenset({"change-officials", "give-penalty", "take-decision-back"})
"""Acts that are undone by nobody below the role that did them: what the venue, or the head judge, decided stands."""
APPEALS = frozenset({"appeal-decision"})
"""Acts that only the head judge undoes: or the judge who ruled could make the appeal go away."""


@dataclass
class Net:
    """What an act did to one row, taken together: `before` and `after` hold what it changed, all where it made it."""

    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    made: bool = False
    removed: bool = False

    def touches(self, other: Net) -> set[str]:
        """Return the fields that both wrote; a row made or removed counts with all of its fields."""
        mine, theirs = set(self.before) | set(self.after), set(other.before) | set(other.after)
        if self.made or self.removed or other.made or other.removed:
            return (mine | theirs) - {"version"}
        return (mine & theirs) - {"version"}


def net_of(changes: Iterable[Mapping[str, Any]]) -> dict[Key, Net]:
    """Return the changes of an entry row by row; a row that it made and removed again is left out."""
    rows: dict[Key, Net] = {}
    for change in changes:
        key = (change["model"], change["id"])
        before, after = change["before"], change["after"]
        one = rows.setdefault(key, Net(made=before is None))
        if after is None:
            if one.made:
                del rows[key]
                continue
            one.before, one.after, one.removed = {**before, **one.before}, {}, True
        elif before is None:
            one.after, one.removed = dict(after), False
        else:
            if not one.made:
                one.before = {**before, **one.before}
            one.after.update(after)
    return rows


def as_kept(row: models.Model, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the row's fields exactly as the record would hold them."""
    return json.loads(json.dumps(facts(row, names), cls=DjangoJSONEncoder))


# what may be undone, by whom


def root(entry: AuditEntry) -> AuditEntry:
    """Return the act behind an undoing (and behind the undoing of an undoing); other entries as they are."""
    while entry.undoes is not None:
        entry = entry.undoes
    return entry


def undone_by(event: Event) -> dict[int, AuditEntry]:
    """Return, by the key of each entry that is undone now, the entry that undid it; one query."""
    found: dict[int, AuditEntry] = {}
    undoings = AuditEntry.objects.filter(event=event, undoes__isnull=False).select_related("by_person").order_by("-pk")
    for undoing in undoings:
        if undoing.pk not in found and undoing.undoes_id is not None:
            found[undoing.undoes_id] = undoing
    return found


def why_never(entry: AuditEntry) -> Text:
    """Return why this entry can never be undone, or nothing."""
    verb = root(entry).verb
    if verb in CANNOT_UNDO:
        return CANNOT_UNDO[verb]
    if entry.event_id is None:
        return _("Only what was done at an event can be undone.")
    if any(change["model"] == SignInCode._meta.label for change in entry.changes):  # whatever a file calls the act
        return CANNOT_UNDO["make-sign-in-code"]
    net = net_of(entry.changes).values()
    if any(one.made and one.after.get("effect") for one in net):
        return _(
            "The penalty also set a result or took a player out, which stand in the record by themselves. Take it back "
            "on the page of penalties: that reverses both."
        )
    if any(value == HIDDEN for one in net for value in one.before.values()):
        return _("The record does not keep what stood there before: write it anew.")
    return ""


def may_undo(entry: AuditEntry, roles: frozenset[Role], event: Event) -> Answer:
    """Return what the table says: who may undo, and who may do the act itself; judges undo what players did."""
    given = answer("undo", roles, event=event)
    row = ACTIONS.get(root(entry).verb)
    if not given or row is None:
        return given
    able = row.roles | (JUDGES if Role.PLAYER in row.roles else frozenset())
    if root(entry).verb in APPEALS:
        able = frozenset({Role.HEAD_JUDGE})
    elif root(entry).verb in OF_RANK and entry.as_role:
        rank = list(Role)
        able = frozenset(role for role in able if rank.index(role) <= rank.index(Role(entry.as_role)))
    if not roles & able:
        who = ", ".join(role.label for role in Role if role in able)
        return Answer(Verdict.REFUSED, given.action, NOBODY % {"roles": who})
    return given


# what stands in the way


@dataclass(frozen=True)
class _Act:
    entry: AuditEntry
    net: dict[Key, Net]
    rounds: frozenset[int]

    @property
    def row(self) -> Any:
        return ACTIONS.get(root(self.entry).verb)


def _rounds_of(entry: AuditEntry, net: Mapping[Key, Net], round_of: Mapping[int, int]) -> frozenset[int]:
    keys = set(net) | ({(entry.subject_model, entry.subject_id)} if entry.subject_id else set())
    found = {pk for label, pk in keys if label == "events.Round"}
    found |= {round_of[pk] for label, pk in keys if label == "events.Match" and pk in round_of}
    for one in net.values():
        kept = {**one.before, **one.after}
        if kept.get("round_id"):
            found.add(kept["round_id"])
        if kept.get("match_id") in round_of:
            found.add(round_of[kept["match_id"]])
    return frozenset(found)


def _acts(event: Event, entries: Iterable[AuditEntry]) -> list[_Act]:
    round_of = dict(Match.objects.filter(round__event=event).values_list("pk", "round_id"))
    found = []
    for entry in entries:
        net = net_of(entry.changes)
        found.append(_Act(entry, net, _rounds_of(entry, net, round_of)))
    return found


def _rows_now(net: Iterable[Key]) -> dict[Key, models.Model]:
    by_model: dict[str, list[int]] = {}
    for label, pk in net:
        by_model.setdefault(label, []).append(pk)
    found: dict[Key, models.Model] = {}
    for label, keys in by_model.items():
        for pk, row in apps.get_model(label)._base_manager.in_bulk(keys).items():
            found[label, pk] = row
    return found


def changed_since(net: Mapping[Key, Net]) -> dict[Key, set[str]]:
    """Return the rows that are not as the act left them any more, with the fields that differ."""
    now = _rows_now(net)
    found: dict[Key, set[str]] = {}
    for key, one in net.items():
        row = now.get(key)
        if row is None or one.removed:
            if (row is None) != one.removed:
                found[key] = set(one.before) | set(one.after)
            continue
        there = as_kept(row, one.after)
        differing = {name for name, value in one.after.items() if name != "version" and there.get(name) != value}
        if differing:
            found[key] = differing
    return found


def _hangs_on(later: _Act, made: Mapping[str, set[int]]) -> bool:
    for (label, _pk), one in later.net.items():
        for column in apps.get_model(label)._meta.concrete_fields:
            if column.remote_field is None or one.removed:
                continue
            keys = made.get(column.remote_field.model._meta.label, set())
            if one.after.get(column.attname) in keys:
                return True
    return False


def _states(act: _Act, label: str) -> dict[int, tuple[str, str]]:
    return {
        pk: (one.before["state"], one.after.get("state", ""))
        for (of, pk), one in act.net.items()
        if of == label and "state" in one.before
    }


def _refuses(act: _Act, *, event: str | None = None, round_: str | None = None) -> bool:
    row = act.row
    if row is None:
        return False
    if event is not None and row.event is not None and row.event.get(event, Verdict.REFUSED) is Verdict.REFUSED:
        return True
    return round_ is not None and row.round is not None and row.round.get(round_, Verdict.REFUSED) is Verdict.REFUSED


def _moves_players(act: _Act) -> bool:
    """True where the act takes somebody into the next pairings or out of them."""
    for (label, _pk), one in act.net.items():
        states = (one.before.get("state"), one.after.get("state"))
        if label == "events.Entry" and Entry.State.CHECKED_IN in states and STANDING & {*one.before, *one.after}:
            return True
    return False


def _published(act: _Act) -> set[int]:
    return {pk for pk, (was, now) in _states(act, "events.Round").items() if was == Round.State.DRAFT != now}


def _taken_back(act: _Act) -> bool:
    """True where the act made a draft of a published round again: undone, its pairings would count again."""
    return any(now == Round.State.DRAFT != was for was, now in _states(act, "events.Round").values())


def _conflicts(act: _Act, later: _Act, differing: Mapping[Key, set[str]], event: Event, numbers: Mapping[int, int]) -> bool:  # fmt: skip
    """True where the later act builds on this one, so that it has to be undone first."""
    for key, one in act.net.items():
        other = later.net.get(key)
        if other is not None and one.touches(other) and key in differing:
            return True
    made: dict[str, set[int]] = {}
    for (label, pk), one in act.net.items():
        if one.made:
            made.setdefault(label, set()).add(pk)
    if made and _hangs_on(later, made):
        return True
    for pk, (before, _after) in _states(act, "events.Round").items():
        if pk in later.rounds and _refuses(later, round_=before):
            return True
    for before, _after in _states(act, "events.Event").values():
        if _refuses(later, event=before):
            return True
    moved = _states(later, "events.Round")
    own = _states(act, "events.Round")
    for pk in act.rounds - set(own):
        if pk in moved and _refuses(act, round_=_state_of(event, pk)):
            return True
    if _states(later, "events.Event") and not _states(act, "events.Event") and _refuses(act, event=event.state):
        return True
    if (_published(later) and _moves_players(act)) or (_taken_back(act) and _moves_players(later)):
        return True
    ended = [pk for pk, (_was, now) in own.items() if now == Round.State.COMPLETE]
    return any(numbers.get(new, 0) > numbers.get(old, 0) for old in ended for new in _published(later))


def _state_of(event: Event, pk: int) -> str:
    return event.rounds.filter(pk=pk).values_list("state", flat=True).first() or ""


def _still_hold(acts: Sequence[_Act], event: Event) -> list[_Act]:
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
            if _conflicts(act, other, differing, event, numbers):
                found[other.entry.pk] = other.entry
                waiting.append(other)
    return sorted(found.values(), key=lambda one: -one.pk)


# reversing


def _unmake(writing: Writing, row: models.Model) -> None:
    """Remove a row that the act made; an entry that has acted itself is withdrawn, so that the record keeps its name."""
    if isinstance(row, Entry) and AuditEntry.objects.filter(by_entry=row).exists():
        writing.save(row, state=Entry.State.WITHDRAWN, fixed_table=None)
        return
    for relation in row._meta.related_objects:
        if relation.on_delete is models.SET_NULL or relation.related_model is AuditEntry:
            continue
        if relation.related_model._base_manager.filter(**{relation.field.name: row}).exists():
            raise Refused(
                _("“%(row)s” is used by now (%(what)s): take that away first.")
                % {"row": row, "what": relation.related_model._meta.verbose_name_plural}
            )
    writing.delete(row)


def _reverse(writing: Writing, entry: AuditEntry) -> None:
    """Within an open door: give every row that the act wrote what it was before, the last written first."""
    event = entry.event
    for change in reversed(entry.changes):
        model = apps.get_model(change["model"])
        if change["after"] is None:
            writing.bring_back(model, change["id"], change["before"])
            continue
        row: models.Model | None = event if isinstance(event, model) and event.pk == change["id"] else None
        row = row or model._base_manager.filter(pk=change["id"]).first()
        if row is None:
            raise Refused(_("Something that this act wrote is gone by now: it cannot be undone."))
        if change["before"] is None:
            _unmake(writing, row)
            continue
        columns = {column.attname: column for column in model._meta.concrete_fields}
        writing.save(row, **{name: columns[name].to_python(kept) for name, kept in change["before"].items()})
        if isinstance(row, Force) and row.work:
            writing.jot(row, work=dict(row.work) | {"changed": True})


def _unsound(event: Event, had_head_judge: bool) -> str:
    """Return what would not fit together any more after a reversal, or nothing."""
    rounds = list(event.rounds.order_by("number"))
    begun = [row for row in rounds if row.state != Round.State.DRAFT]
    if begun and event.state in (Event.State.DRAFT, Event.State.OPEN):
        return _("%(round)s is published: the event cannot be open for entries again.") % {"round": begun[-1]}
    for row in rounds[:-1]:
        following = next(other for other in rounds if other.number > row.number)
        if row.state != Round.State.COMPLETE and following.state != Round.State.DRAFT:
            return _("%(round)s would be open, but %(later)s is published.") % {"round": row, "later": following}
    seen: dict[int, set[int]] = {}
    for match in Match.objects.filter(round__event=event).select_related("round"):
        at = seen.setdefault(match.round_id, set())
        seated = {pk for pk in (match.a_id, match.b_id) if pk is not None}
        if at & seated:
            return _("Somebody would sit at two tables in %(round)s.") % {"round": match.round}
        at |= seated
        if match.round.state == Round.State.COMPLETE and match.state != Match.State.CONFIRMED:
            return _("%(round)s is complete, but table %(table)s would have no result.") % {
                "round": match.round,
                "table": match.table,
            }
        if match.round.state == Round.State.DRAFT and match.kind == Match.Kind.GAME and match.result is not None:
            return _("%(round)s would be a draft with results.") % {"round": match.round}
    playing = event.state in (Event.State.RUNNING, Event.State.FINISHED)
    if playing and had_head_judge and not event.officials.at_work().filter(role=Official.Role.HEAD_JUDGE).exists():
        return _("The event would have no head judge: name another one first.")
    return ""


def _apply(writing: Writing, entry: AuditEntry, event: Event) -> None:
    had_head_judge = event.officials.at_work().filter(role=Official.Role.HEAD_JUDGE).exists()
    try:
        with transaction.atomic():
            _reverse(writing, entry)
    except (IntegrityError, models.ProtectedError):
        raise Refused(_("Something new has taken the place of what was there: take that away first.")) from None
    if why := _unsound(event, had_head_judge):
        raise Refused(_("%(why)s Undo what came later first.") % {"why": why})


# what it changes


@dataclass(frozen=True)
class Picture:
    """What people see of an event: pairings and byes by round, results, places, drafts out of date, clocks."""

    pairs: dict[int, dict[str, str]]
    byes: dict[int, set[str]]
    results: dict[tuple[int, str], str]
    places: dict[int, tuple[str, int]]
    stale: dict[int, list[str]]
    clocks: dict[int, str]


def picture_of(event: Event) -> Picture:
    """Return what people see of an event now."""
    now = timezone.now()
    pairs: dict[int, dict[str, str]] = {}
    byes: dict[int, set[str]] = {}
    found: dict[tuple[int, str], str] = {}
    for match in Match.objects.filter(round__event=event).exclude(round__state=Round.State.DRAFT).select_related("round", "a", "b"):  # fmt: skip  # noqa: E501
        number = match.round.number
        if match.b is None:
            byes.setdefault(number, set()).add(f"{match.a.name} ({match.get_kind_display()})")
            continue
        pairs.setdefault(number, {})[f"{match.a.name} – {match.b.name}"] = str(match.table)
        if match.result:
            found[number, f"{match.a.name} – {match.b.name}"] = " : ".join(map(str, match.result.scores))
    places = {row.number: (row.name, row.place) for row in standings_of(event)} if pairs or byes else {}
    stale, shown = {}, {}
    for row in event.rounds.prefetch_related("clock_runs").order_by("number"):
        row.event = event
        if row.state == Round.State.DRAFT:
            stale[row.number] = stale_because(row)
        elif row.state != Round.State.COMPLETE:
            reading = clocks.read(clock_of(row), now)
            shown[row.number] = f"{reading.words}, {reading.digits}"
    return Picture(pairs, byes, found, places, stale, shown)


def _round_name(number: int) -> str:
    return _("Round %(number)d") % {"number": number}


def _few(names: Iterable[str]) -> str:
    listed = sorted(names)
    return "; ".join(listed[:4]) + ("; …" if len(listed) > 4 else "")


def compared(was: Picture, will: Picture, *, with_results: bool = True) -> list[Text]:
    """Return in words what differs between two pictures; many results at once are better told by the caller."""
    lines: list[Text] = []
    for number in sorted(set(was.pairs) | set(will.pairs)):
        gone = set(was.pairs.get(number, ())) - set(will.pairs.get(number, ()))
        new = set(will.pairs.get(number, ())) - set(was.pairs.get(number, ()))
        told = {"round": _round_name(number), "n": len(gone), "names": _few(gone)}
        if gone and number in will.stale:
            one = "%(round)s: %(n)d pairing is a draft again, which players do not see (%(names)s)."
            many = "%(round)s: %(n)d pairings are a draft again, which players do not see (%(names)s)."
            lines.append(ngettext(one, many, len(gone)) % told)
        elif gone:
            one = "%(round)s: %(n)d pairing is taken away (%(names)s)."
            many = "%(round)s: %(n)d pairings are taken away (%(names)s)."
            lines.append(ngettext(one, many, len(gone)) % told)
        if new:
            one = "%(round)s: %(n)d pairing is there again (%(names)s)."
            many = "%(round)s: %(n)d pairings are there again (%(names)s)."
            lines.append(ngettext(one, many, len(new)) % (told | {"n": len(new), "names": _few(new)}))
        moved = {
            pair
            for pair, table in was.pairs.get(number, {}).items()
            if will.pairs.get(number, {}).get(pair, table) != table
        }
        if moved:
            lines.append(_("%(round)s: other tables for %(names)s.") % {"round": _round_name(number), "names": _few(moved)})  # fmt: skip
    for number in sorted(set(was.byes) | set(will.byes)):
        gone, new = was.byes.get(number, set()), will.byes.get(number, set())
        if gone - new:
            lines.append(_("%(round)s: no longer %(names)s.") % {"round": _round_name(number), "names": _few(gone - new)})  # fmt: skip
        if new - gone:
            lines.append(_("%(round)s: again %(names)s.") % {"round": _round_name(number), "names": _few(new - gone)})
    for number, pair in sorted(set(was.results) | set(will.results)) if with_results else ():
        before, after = was.results.get((number, pair)), will.results.get((number, pair))
        if before != after and (after or pair in will.pairs.get(number, ())):
            lines.append(
                _("%(round)s, %(names)s: %(before)s becomes %(after)s.")
                % {"round": _round_name(number), "names": pair, "before": before or _("no result"), "after": after or _("no result")}
            )  # fmt: skip
    lines += _moved(was, will)
    for number, why in will.stale.items():
        if why and not was.stale.get(number):
            lines.append(
                _("The draft of %(round)s is out of date and has to be paired again.") % {"round": _round_name(number)}
            )
    for number, shown in will.clocks.items():
        before = was.clocks.get(number, "")
        if before and before != shown:
            lines.append(
                _("The clock of %(round)s: %(before)s becomes %(after)s.")
                % {"round": _round_name(number), "before": before, "after": shown}
            )
    return lines


def _moved(was: Picture, will: Picture) -> list[Text]:
    lines: list[Text] = []
    if was.places and not will.places:
        return [_("There are no standings any more.")]
    for number, (name, place) in will.places.items():
        if number in was.places and was.places[number][1] != place:
            lines.append(
                _("%(name)s: place %(before)d becomes %(after)d")
                % {"name": name, "before": was.places[number][1], "after": place}
            )
        elif number not in was.places:
            lines.append(_("%(name)s stands in the standings again, in place %(place)d") % {"name": name, "place": place})  # fmt: skip
    lines += [
        _("%(name)s is no longer in the standings") % {"name": name}
        for number, (name, _place) in was.places.items()
        if number not in will.places
    ]
    if len(lines) > MOST_LINES:
        rest = len(lines) - MOST_LINES
        more = ngettext("%(n)d more player changes place.", "%(n)d more players change places.", rest) % {"n": rest}
        lines = [*lines[:MOST_LINES], more]
    return lines


def _in_words(column: Any, value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    if isinstance(value, (list, dict)):
        return "…"
    return str(dict(getattr(column, "flatchoices", ()) or ()).get(value, value))


def _rows_in_words(entry: AuditEntry) -> list[Text]:
    """Return what happens to rows that no picture shows: facts of the event, entries, officials, penalties, calls."""
    net = net_of(entry.changes)
    now = _rows_now(net)
    lines: list[Text] = []
    for (label, _pk), one in net.items():
        model = apps.get_model(label)
        title, row = capfirst(str(model._meta.verbose_name)), now.get((label, _pk))
        if label in ("events.Match", "events.Claim", "events.ClockRun"):
            continue
        if one.made:
            lines.append(_("%(what)s “%(row)s” is taken away.") % {"what": title, "row": row})
        elif one.removed:
            lines.append(_("%(what)s “%(row)s” is there again.") % {"what": title, "row": _named(model, _pk, one.before)})  # fmt: skip
        else:
            columns = {column.attname: column for column in model._meta.concrete_fields}
            for name, kept in one.before.items():
                column = columns.get(name)
                if row is None or column is None or name in SILENT:
                    continue
                if column.remote_field is not None or name.endswith("_at"):
                    continue
                there = as_kept(row, [name])[name]
                if isinstance(kept, (dict, list)) or there == kept:
                    continue
                lines.append(
                    _("%(row)s: %(what)s “%(before)s” becomes “%(after)s”.")
                    % {"row": row, "what": column.verbose_name, "before": _in_words(column, there), "after": _in_words(column, kept)}
                )  # fmt: skip
    if len(lines) > MOST_LINES:
        rest = len(lines) - MOST_LINES
        lines = [*lines[:MOST_LINES], "… " + _("and %(n)d more") % {"n": rest}]
    return lines


def _named(model: type[models.Model], pk: int, kept: Mapping[str, Any]) -> str:
    names = {column.attname for column in model._meta.concrete_fields}
    row = model(**{name: value for name, value in kept.items() if name in names and not name.endswith("_at")})
    try:
        return str(row)
    except (AttributeError, TypeError, ValueError):
        return f"{pk}"


def _paired_on(entry: AuditEntry, event: Event) -> list[Text]:
    """Return which later rounds were paired with a result as it is now; they are not paired again by themselves."""
    net = net_of(entry.changes)
    keys = [pk for (label, pk), one in net.items() if label == "events.Match" and "result" in one.before]
    first = Match.objects.filter(pk__in=keys).order_by("round__number").values_list("round__number", flat=True).first()
    if first is None:
        return []
    later = event.rounds.filter(number__gt=first).exclude(state=Round.State.DRAFT).order_by("number")
    return [
        _("%(round)s was paired with the result as it is now and is not paired again by itself.") % {"round": row}
        for row in later
    ]


def what_changes(entry: AuditEntry) -> list[Text]:
    """Return in words what undoing this entry changes: rows, pairings, byes, results, places, drafts, clocks.

    It is undone and brought back within one transaction. Raises Refused where it cannot be undone.
    """
    assert entry.event is not None, "only acts of an event are undone"
    event = Event.objects.select_related("venue").get(pk=entry.event.pk)
    entry.event = event
    lines = _rows_in_words(entry)
    with transaction.atomic():
        fresh(event)
        was = picture_of(event)
        try:
            _apply(Writing(SITE, Answer(Verdict.ALLOWED, ACTIONS["undo"])), entry, event)
            will = picture_of(event)
        finally:
            transaction.set_rollback(True)
    event.refresh_from_db()
    lines += compared(was, will)
    over = event.entries.filter(state__in=[Entry.State.ENTERED, Entry.State.CHECKED_IN]).count() - event.seats
    if over > 0:
        lines.append(_("More players are entered than there are seats: %(seats)d.") % {"seats": event.seats})
    return lines + _paired_on(entry, event)


def is_non_standard(entry: AuditEntry) -> bool:
    """True where the undoing belongs in the report: it reverses what was not standard, or pairings and results."""
    if root(entry).is_non_standard or root(entry).verb in ("publish-round", "complete-round", "finish-event"):
        return True
    rounds = [pk for (label, pk) in net_of(entry.changes) if label == "events.Match"]
    return Match.objects.filter(pk__in=rounds).exclude(round__state=Round.State.DRAFT).exists()


# the verb


def blocked_in_words(found: Sequence[AuditEntry]) -> str:
    """Return why an act cannot be undone yet, naming what has to be undone first."""
    newest = found[0]
    if len(found) == 1:
        return _("Undo this first: %(what)s.") % {"what": newest.words}
    return ngettext(
        "%(n)d later act builds on it. Undo the newest first: %(what)s.",
        "%(n)d later acts build on it. Undo the newest first: %(what)s.",
        len(found),
    ) % {"n": len(found), "what": newest.words}


def undo(
    *, by: Actor, entry: AuditEntry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> AuditEntry:
    """Undo an act by a new entry of the record that bears who, when and why; what it changes is shown first.

    Raises Refused where it cannot be undone (with the reason), is undone already, or where later acts build on it;
    NeedsConfirmation with the consequences.
    """
    if never := why_never(entry):
        raise Refused(never)
    event = entry.event
    assert event is not None, "only acts of an event are undone"
    given = may_undo(entry, by.roles(event=event), event)
    if not given:
        raise Refused(given.reason)
    _must_be_free(entry, event)
    needs_reason = is_non_standard(entry)
    if not confirmed or (needs_reason and not reason.strip()):
        asked = _("Undo: %(what)s") % {"what": entry.words}
        raise NeedsConfirmation(asked, what_changes(entry), needs_reason=needs_reason)
    with door("undo", by=by, event=event, confirmed=True, reason=reason) as writing:
        _must_be_free(entry, event)
        _apply(writing, entry, event)
        writing.undoes = entry
        writing.is_non_standard = needs_reason
        again = entry.undoes_id is not None
        writing.says("redone" if again else "undone", what=told(entry.undoes if again and entry.undoes else entry))
        writing.topics.update({"pairings", "standings", "clock", "calls", "forces"})
    return AuditEntry.objects.filter(undoes=entry).latest("pk")


def _must_be_free(entry: AuditEntry, event: Event) -> None:
    """Raise Refused where the entry is undone already, or later acts build on it."""
    earlier = undone_by(event).get(entry.pk)
    if earlier is not None:
        raise Refused(
            _("That was undone already, by %(name)s.")
            % {"name": earlier.by_person or earlier.by_entry or _("the site")}
        )
    if found := in_the_way(entry):
        raise Refused(blocked_in_words(found))
    if changed_since(net_of(entry.changes)):
        raise Refused(_("What this act wrote has been changed since in another way: it cannot be undone any more."))


__all__ = [
    "Picture",
    "blocked_in_words",
    "changed_since",
    "compared",
    "in_the_way",
    "is_non_standard",
    "may_undo",
    "net_of",
    "picture_of",
    "root",
    "undo",
    "undone_by",
    "what_changes",
    "why_never",
]
