"""Rounds that were played in another tool, so that the next one can be paired here: planned first, then all or none.

Names decide who played; an account is never looked for. What a list leaves open (who had the bye, who left) is asked.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events.actions import Text
from events.choices import scenario_of_round
from events.door import Writing, door
from events.models import Claim, Entry, Event, Match, Round
from events.names import name_key
from events.results.result import PAIR, Result
from events.results.words import compare
from events.roles import Actor

from ..entries import ListedPlayer, Problem, problems_of, register_listed, seats_free
from ..policy import may_still_be_held
from ..results import enter_result, read_result, terms_of
from ..rounds_byes import give_result_without_game, record_missed_rounds, rounds_begun
from ..rounds_field import read_field
from .publishing import _clock_of

OPEN_ROUNDS = (Round.State.PUBLISHED, Round.State.RUNNING)
MAX_NAMED = 12
CANNOT_PLAY = (Entry.State.WAITING, Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


class Alone(enum.StrEnum):
    """What a player without an opponent has in a round that others played."""

    BYE = "bye"
    MISSED = "missed"
    DROPPED = "dropped"


ALONE_WORDS: dict[str, Text] = {
    Alone.BYE: gettext_lazy("had the bye"),
    Alone.MISSED: gettext_lazy("missed the round (loss)"),
    Alone.DROPPED: gettext_lazy("had already dropped"),
}


@dataclass(frozen=True)
class ListedMatch:
    """A line of a list of rounds: two names and a result, None if it has none; or one name and what it has `alone`."""

    line: int
    round: int
    table: int | None
    a: str
    b: str = ""
    result: Result | None = None
    alone: Alone | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """The keys of its players' names."""
        return tuple(player_key(name) for name in (self.a, self.b) if name)

    def turned(self) -> ListedMatch:
        """Return the same match with its seats exchanged."""
        return replace(self, a=self.b, b=self.a, result=_turned(self.result) if self.result else None)


@dataclass(frozen=True)
class Absence:
    """A player whom the list doesn't mention in a round: what it takes this for, and what else is possible."""

    round: int
    key: str
    name: str
    meant: Alone

    @property
    def field(self) -> str:
        """The name of the form's field that decides otherwise."""
        return f"absent-{self.round}-{self.key}"

    @property
    def choices(self) -> list[tuple[str, Text]]:
        """What it can be, with words."""
        return list(ALONE_WORDS.items())


@dataclass
class RoundsPlan:
    """What a list of rounds would write: new rounds, results of the round under way, and whom it registers."""

    problems: list[Problem] = field(default_factory=list)
    rounds: dict[int, list[ListedMatch]] = field(default_factory=dict)
    results: dict[int, tuple[Match, dict[str, Any]]] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    register: dict[str, ListedPlayer] = field(default_factory=dict)
    absences: list[Absence] = field(default_factory=list)
    first: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    people: dict[str, Entry] = field(default_factory=dict)

    @property
    def is_ready(self) -> bool:
        """Whether there is something to write, and nothing against it."""
        return not self.problems and bool(self.rounds or self.results)

    def name(self, key: str) -> str:
        """Return a player's name."""
        return self.people[key].name if key in self.people else self.register[key].name

    @property
    def late(self) -> list[tuple[str, int]]:
        """The players who came late, with their first round."""
        begins = min(self.rounds, default=0)
        return [(self.name(key), number) for key, number in self.first.items() if number > begins]

    @property
    def dropped(self) -> list[tuple[str, int]]:
        """The players who left, with the round after which they did."""
        return [(self.name(key), number) for key, number in self.left.items()]


def player_key(name: str) -> str:
    """Return what names are compared by: no case, no accents, and "Doe, Jane" as "Jane Doe"."""
    last, comma, first = name.partition(",")
    return re.sub(r"\s+", " ", name_key(f"{first} {last}" if comma and first.strip() else name)).strip()


def _turned(result: Result) -> Result:
    winner = {"a": "b", "b": "a"}.get(result.winner or "")
    return replace(result, scores=(result.scores[1], result.scores[0]), winner=winner)


# planning


def plan_rounds(
    event: Event,
    lines: Sequence[ListedMatch],
    *,
    register: bool = False,
    meant: Mapping[str, str] | None = None,
) -> RoundsPlan:
    """Return what these lines would write at the event, with the problems by line.

    `register`: enter players whom the event doesn't have, before its first round. `meant`: what absences are, by their
    fields. Raise ValidationError if no list of rounds can be imported at all.
    """
    plan = RoundsPlan()
    last = event.rounds.order_by("-number").first()
    if last is not None and last.state == Round.State.DRAFT:
        raise ValidationError(_("%(round)s is a draft. Discard or publish it first.") % {"round": last})
    _find_players(plan, event, lines, register=register and last is None)
    here = {row.number: row for row in event.rounds.all()}
    begun = last.number if last is not None else 0
    _compare(plan, here, [one for one in lines if one.round <= begun])
    new = [one for one in lines if one.round > begun]
    if new and not plan.problems:
        _must_take_rounds(event, last)
        _group(plan, new, begun)
        _follow_players(plan, meant or {}, begun)
    return plan


def _find_players(plan: RoundsPlan, event: Event, lines: Sequence[ListedMatch], *, register: bool) -> None:
    entries = list(event.entries.order_by("number"))
    keys = Counter(player_key(entry.name) for entry in entries)
    plan.people = {player_key(entry.name): entry for entry in entries}
    told: dict[str, tuple[int, str]] = {}
    for line in lines:
        for name, key in zip((line.a, line.b), line.players, strict=False):
            told.setdefault(key, (line.line, name))
    unknown: list[tuple[int, str]] = []
    for key, (number, name) in told.items():
        entry = plan.people.get(key)
        if entry is None and register:
            plan.register[key] = ListedPlayer(number, name)
        elif entry is None:
            unknown.append((number, name))
        elif keys[key] > 1:
            words = _("Two players are called %(name)s. Change one of the names first.")
            plan.problems.append(Problem(number, words % {"name": name}))
        elif entry.state in CANNOT_PLAY:
            words = _("%(name)s isn't playing. Check the player in first.")
            plan.problems.append(Problem(number, words % {"name": name}))
    if unknown:
        plan.problems.append(Problem(unknown[0][0], _unknown_words(event, [name for _line, name in unknown])))
    if plan.register:
        plan.problems += problems_of(event, list(plan.register.values()))


def _unknown_words(event: Event, names: Sequence[str]) -> str:
    shown = ", ".join(names[:MAX_NAMED]) + (", …" if names[MAX_NAMED:] else "")
    if rounds_begun(event):
        words = ngettext(
            "%(n)d player isn't registered for this event: %(names)s. Add the player first.",
            "%(n)d players aren't registered for this event: %(names)s. Add them first.",
            len(names),
        )
    else:
        words = ngettext(
            "%(n)d player isn't registered for this event: %(names)s. Add the player, or tick the box that registers them.",
            "%(n)d players aren't registered for this event: %(names)s. Add them, or tick the box that registers them.",
            len(names),
        )
    return words % {"n": len(names), "names": shown}


def _compare(plan: RoundsPlan, here: Mapping[int, Round], lines: Iterable[ListedMatch]) -> None:
    """Compare lines with rounds that are here: results of the round under way are taken, others must agree."""
    matches: dict[int, dict[frozenset[int], Match]] = {}
    for line in lines:
        row = here[line.round]
        entries = [plan.people[key] for key in line.players if key in plan.people]
        if len(entries) < len(line.players):
            continue
        if line.alone is not None:
            plan.known.add(line.line)
            continue
        if row.number not in matches:
            found = row.matches.with_round()
            matches[row.number] = {frozenset(match.entry_ids): match for match in found}
        match = matches[row.number].get(frozenset(entry.pk for entry in entries))
        if match is None or match.kind != Match.Kind.GAME:
            told = {"a": line.a, "b": line.b, "round": row.definite_name}
            words = _("%(a)s and %(b)s aren't paired in %(round)s. Correct the line.") % told
            plan.problems.append(Problem(line.line, words))
            continue
        match.round.event = row.event
        _take_result(plan, row, match, line if match.a_id == entries[0].pk else line.turned())


def _take_result(plan: RoundsPlan, row: Round, match: Match, line: ListedMatch) -> None:
    if line.result is None:
        plan.known.add(line.line)
        return
    given = {
        "winner": line.result.winner if line.result.decided_by != "victory-points" else None,
        "double_loss": line.result.double_loss,
        **{f"score_{seat}": line.result.score(seat) for seat in PAIR},
    }
    if match.state == Match.State.CONFIRMED and match.result is not None:
        if (match.result.scores, match.result.winner) == (line.result.scores, line.result.winner):
            plan.known.add(line.line)
        else:
            words = _("Table %(table)s already has a different result. Correct this line or the result.")
            plan.problems.append(Problem(line.line, words % {"table": match.table}))
    elif row.state not in OPEN_ROUNDS:
        words = _("%(round)s isn't published or running. Publish it, or delete the result from this line.")
        plan.problems.append(Problem(line.line, words % {"round": row}))
    else:
        try:
            meant = read_result(given, terms_of(match))
        except ValidationError as wrong:
            plan.problems.append(Problem(line.line, " ".join(wrong.messages)))
            return
        for _match, other in plan.results.values():
            if _match.pk == match.pk and compare(meant, read_result(other, terms_of(match)), terms_of(match)):
                words = _("This match has a different result on an earlier line. Correct one of the lines.")
                plan.problems.append(Problem(line.line, words))
                return
        plan.results[line.line] = (match, given)


def _must_take_rounds(event: Event, last: Round | None) -> None:
    """Raise ValidationError if the event can't take rounds that were paired elsewhere."""
    if event.pairing_style != Event.Style.SWISS or event.has_tables or event.teams_of_two:
        raise ValidationError(
            _("Only results can be imported here. New rounds need Swiss pairing, two players a table and no teams.")
        )
    if last is not None and last.stage == Round.Stage.CUT:
        raise ValidationError(_("Rounds after the cut can't be imported."))
    if last is not None and last.state != Round.State.COMPLETE:
        raise ValidationError(_("%(round)s isn't complete. Complete it first.") % {"round": last})


def _group(plan: RoundsPlan, lines: Sequence[ListedMatch], begun: int) -> None:
    """Sort the lines into rounds; a match may have a line for each of its players."""
    newest = max(line.round for line in lines)
    for number in range(begun + 1, newest + 1):
        of_round = [line for line in lines if line.round == number]
        if not of_round:
            words = _("Round %(number)d is missing from the list.") % {"number": number}
            plan.problems.append(Problem(next(one.line for one in lines if one.round > number), words))
            return
        seated: dict[str, ListedMatch] = {}
        tables: dict[int, ListedMatch] = {}
        kept = plan.rounds.setdefault(number, [])
        for line in of_round:
            if problem := _against(line, seated, tables, must_have_result=number < newest):
                plan.problems.append(Problem(line.line, problem))
            elif line.players[0] not in seated:
                kept.append(line)
                seated |= dict.fromkeys(line.players, line)
                if line.table is not None:
                    tables[line.table] = line


def _against(
    line: ListedMatch, seated: Mapping[str, ListedMatch], tables: Mapping[int, ListedMatch], *, must_have_result: bool
) -> str:
    """Return what is wrong with a line beside the earlier ones of its round, or ""."""
    if len(set(line.players)) < len(line.players):
        return _("%(name)s can't play against themselves.") % {"name": line.a}
    before = [seated[key] for key in line.players if key in seated]
    if before:
        other = before[0]
        same = len(before) == len(line.players) and set(other.players) == set(line.players)
        if not same:
            return _("A player on this line is already on line %(line)d. Correct one of the lines.") % {
                "line": other.line
            }
        mine = line if other.players == line.players else line.turned()
        if (mine.result, mine.alone) != (other.result, other.alone):
            return _("This match has a different result on line %(line)d. Correct one of the lines.") % {
                "line": other.line
            }
        return ""
    if line.table in tables:
        return _("Line %(line)d already has this table. Correct one of the two lines.") % {
            "line": tables[line.table or 0].line
        }
    if must_have_result and line.result is None and line.alone is None:
        return _("This match has no result. Enter one. Only the last round can have open matches.")
    return ""


def _follow_players(plan: RoundsPlan, meant: Mapping[str, str], begun: int) -> None:
    """Find each player's first round and absences; players who are checked in but never play join after the rounds."""
    numbers = sorted(plan.rounds)
    plays = {n: {key for line in plan.rounds[n] for key in line.players} for n in numbers}
    has_byes = any(line.alone is Alone.BYE for of_round in plan.rounds.values() for line in of_round)
    there = [key for key, entry in plan.people.items() if entry.state == Entry.State.CHECKED_IN]
    for key in dict.fromkeys([*there, *(key for n in numbers for line in plan.rounds[n] for key in line.players)]):
        entry = plan.people.get(key)
        plays_here = begun and entry is not None and entry.state == Entry.State.CHECKED_IN
        begins = next((n for n in numbers if key in plays[n]), numbers[-1] + 1)
        plan.first[key] = numbers[0] if plays_here else begins
    for number in numbers:
        expected = [key for key, first in plan.first.items() if first <= number and key not in plan.left]
        absent = [key for key in expected if key not in plays[number]]
        for key in absent:
            plays_later = any(key in plays[n] for n in numbers if n > number)
            guess = Alone.MISSED if plays_later else Alone.DROPPED
            if len(absent) == 1 and not has_byes and len(expected) % 2:
                guess = Alone.BYE
            row = Absence(number, key, plan.name(key), guess)
            if (said := meant.get(row.field)) in ALONE_WORDS:
                row = replace(row, meant=Alone(said))
            if row.meant is Alone.DROPPED and plays_later:
                row = replace(row, meant=Alone.MISSED)
            plan.absences.append(row)
            if row.meant is Alone.DROPPED:
                plan.left[key] = number - 1


# writing


def import_rounds(
    *,
    by: Actor,
    event: Event,
    lines: Sequence[ListedMatch],
    register: bool = False,
    declared: bool = False,
    meant: Mapping[str, str] | None = None,
) -> RoundsPlan:
    """Write the rounds and results of a list, or nothing. Raise ValidationError with each faulty line, or Refused."""
    with transaction.atomic():
        plan = _sound_plan(event, lines, register=register, meant=meant)
        if plan.rounds:
            with door("import-rounds", by=by, event=event) as writing:
                plan = _sound_plan(event, lines, register=register, meant=meant)
                if plan.register:
                    _register(writing, event, plan, declared=declared)
                _write(writing, event, plan)
                told = {"n": len(plan.rounds), "first": min(plan.rounds), "last": max(plan.rounds)}
                writing.says("rounds-imported", **told)
                writing.topics.update({"pairings", "standings"})
        for match, given in plan.results.values():
            enter_result(by=by, match=match, result=given)
    return plan


def _register(writing: Writing, event: Event, plan: RoundsPlan, *, declared: bool) -> None:
    """Enter the players whom the event doesn't have. Raise ValidationError without seats for all of them."""
    players = list(plan.register.values())
    if seats_free(event) < len(players):
        raise ValidationError(
            _("New players on the list: %(n)d. Free seats: %(free)d. Add seats first.")
            % {"n": len(players), "free": seats_free(event)}
        )
    made = register_listed(writing, event, players, declared=declared, checked_in=True)
    plan.people |= dict(zip(plan.register, made, strict=True))


def _sound_plan(
    event: Event, lines: Sequence[ListedMatch], *, register: bool, meant: Mapping[str, str] | None
) -> RoundsPlan:
    plan = plan_rounds(event, lines, register=register, meant=meant)
    if plan.problems:
        raise ValidationError(
            [_("Line %(line)d: %(what)s") % {"line": p.line, "what": p.message} for p in plan.problems]
        )
    if not plan.is_ready:
        raise ValidationError(_("The list has no new rounds or results. Add them to the list, then import it again."))
    return plan


def _write(writing: Writing, event: Event, plan: RoundsPlan) -> None:
    if event.state == Event.State.OPEN:
        may_still_be_held(event)
        writing.save(event, state=Event.State.RUNNING, self_check_in=False)
    waiting = {key: plan.people[key] for key, first in plan.first.items() if first > min(plan.rounds)}
    for entry in waiting.values():  # until their round comes, they don't play
        writing.save(entry, state=Entry.State.ENTERED)
    for number in sorted(plan.rounds):
        for key, first in plan.first.items():
            if first == number:
                _join(writing, event, plan.people[key], number)
        for key, after in plan.left.items():
            if after == number - 1:
                writing.save(plan.people[key], state=Entry.State.DROPPED, dropped_after=after)
        _write_round(writing, event, number, plan)
    for key, first in plan.first.items():
        if first > max(plan.rounds):
            _join(writing, event, plan.people[key], first)


def _join(writing: Writing, event: Event, entry: Entry, number: int) -> None:
    """Check a player in for a round; earlier ones are lost or byes, as the event has it for those who come late."""
    writing.save(entry, state=Entry.State.CHECKED_IN, dropped_after=None)
    if rounds_begun(event) and entry.from_round < number:
        writing.save(entry, from_round=number)
        by_rule = event.late_start == Event.LateStart.BYE
        record_missed_rounds(writing, event, entry, Match.Kind.BYE if by_rule else Match.Kind.MISSED)


def _write_round(writing: Writing, event: Event, number: int, plan: RoundsPlan) -> None:
    """Write a round with its matches and results; it is complete unless one has no result."""
    lines = plan.rounds[number]
    document = read_field(event).tournament(number)
    is_complete = all(line.result or line.alone for line in lines)
    note = {"what": "imported", "by": writing.by.name, "at": writing.at.isoformat(), "reason": ""}
    row = writing.create(
        Round,
        event=event,
        number=number,
        state=Round.State.COMPLETE if is_complete else Round.State.PUBLISHED,
        scenario=scenario_of_round(event.scenarios, number),
        seed=document["seed"],
        tournament=document,
        changes_by_hand=[note],
        published_at=writing.at,
        completed_at=writing.at if is_complete else None,
        **_clock_of(event, None),
    )
    seats = {key: plan.people[key] for key in plan.first}
    games = [line for line in lines if line.alone is None]
    made = writing.create_many(
        Match,
        [_game(writing, row, line, table, seats) for line, table in zip(games, _tables(event, games), strict=True)],
    )
    facts = {"how": Claim.How.SCOREKEEPER, "by_person": writing.by.person, "at": writing.at}
    told = [(match, match.result) for match in made if match.result is not None]
    writing.create_many(Claim, [Claim(match=match, result=result, **facts) for match, result in told])
    alone = {line.players[0]: line.alone for line in lines if line.alone is not None}
    alone |= {one.key: one.meant for one in plan.absences if one.round == number}
    for key, meant in alone.items():
        if meant is not Alone.DROPPED:
            kind = Match.Kind.BYE if meant is Alone.BYE else Match.Kind.MISSED
            give_result_without_game(writing, event, writing.create(Match, round=row, a=seats[key], kind=kind))


def _game(writing: Writing, row: Round, line: ListedMatch, table: int, seats: Mapping[str, Entry]) -> Match:
    a, b = (seats[key] for key in line.players)
    confirmed = {"state": Match.State.CONFIRMED, "confirmed_at": writing.at} if line.result else {}
    return Match(round=row, table=table, a=a, b=b, result=line.result, **confirmed)


def _tables(event: Event, games: Sequence[ListedMatch]) -> Iterator[int]:
    """Yield each match's table: the list's, else the first that is free."""
    used = {line.table for line in games}
    free = (number for number in range(event.first_table, event.first_table + 2 * len(games) + 1) if number not in used)
    for line in games:
        yield line.table if line.table is not None else next(free)


__all__ = ["ALONE_WORDS", "Absence", "Alone", "ListedMatch", "RoundsPlan", "import_rounds", "plan_rounds", "player_key"]
