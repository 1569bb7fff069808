"""The event file: a whole event as one JSON document, complete enough to verify, print and move it.

docs/formats.md ("Event files") describes its keys. Instants are ISO 8601 in UTC; players are named by the number of
their entry.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from django.db.models import F
from django.utils import timezone, translation

from events.models import AuditEntry, Claim, ClockRun, Entry, Event, Extension, Match, Pod, Round
from events.models.drafts import prize_draft_of, turns_as_json
from events.models.rounds import heavy_beside
from events.queries import teams_of
from events.results.result import SEATS, as_json
from events.standings_columns import exact, standings_lines
from judging.models import Call, Decision, Penalty, TableDispute

FORMAT = "headjudge-event"
VERSION = 1

EVENT_FIELDS = (
    "public_id", "name", "description", "fee", "prizes", "state", "is_practice", "starts", "ended", "universe", "format", "edition",
    "build_total", "sets", "tactics", "event_dial", "seats", "first_table", "table_size", "place_points",
    "table_ties",
    "teams_of_two", "pair_bonus",
    "boosters_each", "booster_figures", "pick_seconds",
    "pairing_style", "first_round", "number_of_rounds", "cut_to", "third_place", "round_minutes", "cut_minutes",
    "final_minutes", "preparation_minutes", "next_round_at", "scenarios",
    "cascade", "bye_score", "cap_points", "time_called", "tied_game", "late_start", "keep_clubs_apart",
    "shorten_minors", "entries_close", "forces_close", "forces_public", "seed",
    "created", "verified_at", "reported_at",
)  # fmt: skip
VENUE_FIELDS = ("name", "kind", "public_location", "city", "country", "time_zone")
ENTRY_FIELDS = (
    "state", "origin", "fixed_table", "awarded_byes", "rank", "from_round", "dropped_after", "eligible_declared",
)  # fmt: skip


def instant(value: datetime.datetime | None) -> str | None:
    """Return an instant as ISO 8601 in UTC, or None."""
    return value.astimezone(datetime.UTC).isoformat() if value else None


def plain(row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return these attributes of a row, instants as text."""
    values = {name: getattr(row, name) for name in names}
    return {name: instant(value) if isinstance(value, datetime.datetime) else value for name, value in values.items()}


def event_file(event: Event) -> dict[str, Any]:
    """Return the whole event as a document; the number of queries doesn't grow with players, rounds or matches."""
    return {name: list(part) if isinstance(part, Iterator) else part for name, part in parts_of(event)}


def parts_of(event: Event) -> Iterator[tuple[str, Any]]:
    """Yield the parts of the document one by one, so that the caller needn't hold all of them."""
    entries = list(event.entries.select_related("person").order_by("number"))
    numbers = {entry.pk: entry.number for entry in entries}
    rounds = list(event.rounds.defer(None).order_by("number"))
    matches = _by(Match.objects.filter(round__event=event).order_by(F("table").asc(nulls_last=True), "pk"), "round_id")
    yield "format", FORMAT
    yield "version", VERSION
    yield "event", _event(event)
    yield "officials", _officials(event)
    yield "players", _players(entries)
    yield "entries", _entries(entries)
    if event.teams_of_two:
        yield "teams", _teams(event, entries)
    yield "forces", _forces(event, numbers)
    yield "pools", _pools(entries, numbers) if event.is_sealed else []
    yield "rounds", _rounds(event, rounds, matches, numbers)
    yield "results", _results(event, rounds, matches, numbers)
    del rounds, matches
    yield "penalties", _penalties(event, numbers)
    yield "calls", _calls(event, numbers)
    yield "decisions", _decisions(event, numbers)
    yield "disputes", _disputes(event)
    yield "announcements", _announcements(event)
    yield "standings", standings_lines(event)
    if event.teams_of_two:
        yield "team_standings", standings_lines(event, of_teams=True)
    yield from _booster_drafts(event)
    yield from _prizes(event)
    yield "record", _record(event)


def _event(event: Event) -> dict[str, Any]:
    return {
        **plain(event, EVENT_FIELDS),
        "venue": plain(event.venue, VENUE_FIELDS),
        "hall": event.hall.name if event.hall else None,
        "series": _series(event),
        "verified_by": event.verified_by.name if event.verified_by else None,
        "made": instant(timezone.now()),
    }


def _series(event: Event) -> list[dict[str, Any]]:
    """Return the series in which the event counts, for information: an import puts no event into a series."""
    rows = event.in_series.filter(accepted__isnull=False).select_related("series").order_by("pk")
    return [
        {"id": row.series.public_id, "name": row.series.name, "multiplier": exact(Fraction(row.multiplier))}
        for row in rows
    ]


def _officials(event: Event) -> list[dict[str, Any]]:
    return [
        {
            "name": official.person.name,
            "email": official.person.email,
            "role": official.role,
            "volunteer": getattr(getattr(official.person, "volunteer", None), "is_approved", False),
            "accepted": instant(official.accepted),
        }
        for official in event.officials.agreed().select_related("person__volunteer").order_by("role", "pk")
    ]


def _players(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    return [
        {
            "id": entry.number,
            "name": entry.name,
            "email": entry.person.email if entry.person else None,
            "club": entry.club,
            "minor": entry.is_minor,
        }
        for entry in entries
    ]


def _entries(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    return [
        {
            "id": entry.number,
            "player": entry.number,
            **plain(entry, ENTRY_FIELDS),
            "entered": instant(entry.entered),
        }
        for entry in entries
    ]


def _teams(event: Event, entries: Iterable[Entry]) -> list[dict[str, Any]]:
    return [
        {"id": team.number, "name": team.title, "players": [entry.number for entry in team.members]}
        for team in teams_of(event, entries).values()
    ]


def _pools(entries: Iterable[Entry], numbers: dict[int, int]) -> list[dict[str, Any]]:
    return [
        {"entry": numbers[pool.entry_id], "elements": pool.elements, "replaced": pool.replaced}
        for entry in entries
        if (pool := getattr(entry, "pool", None)) is not None
    ]


def _announcements(event: Event) -> list[dict[str, Any]]:
    return [
        {"text": row.text, "at": instant(row.at), "until": instant(row.until), "withdrawn": row.withdrawn}
        for row in event.announcements.order_by("pk")
    ]


def _booster_drafts(event: Event) -> Iterator[tuple[str, Any]]:
    """Yield the booster drafts by round and table; nothing in an event without one."""
    pods = Pod._default_manager.filter(match__round__event=event).select_related("match__round")
    pods = pods.defer(*heavy_beside("match__round")).order_by("match__round__number", "match__table")
    found = [
        {
            "round": pod.match.round.number,
            "table": pod.match.table,
            **plain(pod, ("seats", "boosters", "figures", "seconds", "step", "began", "ended", "on_paper")),
            "picks": [
                {"entry": number, "elements": [one and one["facts"].get("name") for one in pod.recorded(number)]}
                for number in pod.seats
            ],
        }
        for pod in pods
    ]
    if found:
        yield "booster_drafts", found


def _prizes(event: Event) -> Iterator[tuple[str, Any]]:
    """Yield the prize draft by numbers of entries; nothing in an event without one."""
    if (draft := prize_draft_of(event)) is not None:
        snake = draft.snake
        yield "prizes", {"pool": list(snake.pool), "order": list(snake.order), "turns": turns_as_json(snake)}


def _by(rows: Iterable[Any], name: str) -> dict[int, list[Any]]:
    """Group rows by one of their keys; unlike prefetched rows, they aren't kept alive by each other."""
    found: dict[int, list[Any]] = {}
    for row in rows:
        found.setdefault(getattr(row, name), []).append(row)
    return found


def _rounds(
    event: Event, rounds: list[Round], matches: dict[int, list[Match]], numbers: dict[int, int]
) -> list[dict[str, Any]]:
    of_event = {"match__round__event": event}
    runs = _by(ClockRun.objects.filter(round__event=event).order_by("began", "pk"), "round_id")
    times = Extension.objects.filter(**of_event).select_related("given_by").order_by("at", "pk")
    extensions = _by(times, "match_id")
    return [_round(row, matches.get(row.pk, []), runs.get(row.pk, []), extensions, numbers) for row in rounds]


def _results(
    event: Event, rounds: list[Round], matches: dict[int, list[Match]], numbers: dict[int, int]
) -> list[dict[str, Any]]:
    said = Claim.objects.filter(match__round__event=event).select_related("by_person").order_by("at", "pk")
    claims: dict[int, list[dict[str, Any]]] = {}
    for claim in said.iterator(chunk_size=200):
        claims.setdefault(claim.match_id, []).append(_claim(claim, numbers))
    return [
        {
            "round": row.number,
            "table": match.table,
            "a": numbers[match.a_id],
            "b": numbers.get(match.b_id) if match.b_id else None,
            **_further(match, numbers),
            "claims": claims.get(match.pk, []),
        }
        for row in rounds
        for match in matches.get(row.pk, [])
    ]


def _round(
    row: Round,
    matches: list[Match],
    runs: list[ClockRun],
    extensions: dict[int, list[Extension]],
    numbers: dict[int, int],
) -> dict[str, Any]:
    return {
        "number": row.number,
        "stage": row.stage,
        "state": row.state,
        "scenario": row.scenario,
        "seed": row.seed,
        "tournament": row.tournament,
        "report": row.pairing_report,
        "published": instant(row.published_at),
        "started": instant(row.started_at),
        "completed": instant(row.completed_at),
        "reopened": row.times_reopened,
        "changes_by_hand": row.changes_by_hand,
        "clock": {
            "preparation": row.preparation_seconds,
            "round": row.round_seconds,
            "added": row.added_seconds,
            "runs": [{"phase": run.phase, "began": instant(run.began), "ended": instant(run.ended)} for run in runs],
        },
        "matches": [
            {
                "table": match.table,
                "kind": match.kind,
                "a": numbers[match.a_id],
                "b": numbers[match.b_id] if match.b_id else None,
                **_further(match, numbers),
                "state": match.state,
                "result": as_json(match.result) if match.result else None,
                "confirmed": instant(match.confirmed_at),
                "slot": match.bracket_slot,
                "extensions": [
                    {
                        "seconds": extension.seconds,
                        "reason": extension.reason,
                        "by": extension.given_by.name if extension.given_by else None,
                        "at": instant(extension.at),
                        "withdrawn": extension.withdrawn,
                    }
                    for extension in extensions.get(match.pk, [])
                ],
            }
            for match in matches
        ],
    }


def _further(match: Match, numbers: dict[int, int]) -> dict[str, int]:
    """Return the third and fourth player by seat; a match of two has no such keys."""
    return {seat: numbers[pk] for seat, pk in zip(SEATS[2:], match.entry_ids[2:], strict=False)}


def _claim(claim: Claim, numbers: dict[int, int]) -> dict[str, Any]:
    return {
        "how": claim.how,
        "by_entry": numbers.get(claim.by_entry_id) if claim.by_entry_id else None,
        "by": claim.by_person.name if claim.by_person else None,
        "at": instant(claim.at),
        "result": as_json(claim.result),
        "reason": claim.reason,
        "counts": claim.counts,
    }


def _forces(event: Event, numbers: dict[int, int]) -> list[dict[str, Any]]:
    from events.models import Force

    return [
        {
            "entry": numbers[force.entry_id],
            **plain(
                force, ("public_id", "from_round", "name", "state", "standing", "total", "submitted_at", "version")
            ),
            "changed_after_deadline": force.changed_after_deadline,
            "maps": force.maps,
            "document": force.document,
            "report": force.report,
            "origins": force.origins,
        }
        for force in Force.objects.filter(entry__event=event).order_by("entry__number", "from_round")
    ]


def _penalties(event: Event, numbers: dict[int, int]) -> list[dict[str, Any]]:
    found = Penalty.objects.filter(entry__event=event).select_related("round", "match", "given_by")
    found = found.defer(*heavy_beside("round")).order_by("at", "pk")
    return [
        {
            "entry": numbers[penalty.entry_id],
            "round": penalty.round.number if penalty.round else None,
            "table": penalty.match.table if penalty.match else None,
            "kind": penalty.kind,
            "category": penalty.category,
            "text": penalty.text,
            "by": penalty.given_by.name,
            "at": instant(penalty.at),
            "withdrawn": penalty.withdrawn,
            "why": penalty.withdrawn_reason,
            "effect": penalty.effect,
        }
        for penalty in found
    ]


def _calls(event: Event, numbers: dict[int, int]) -> list[dict[str, Any]]:
    found = Call.objects.filter(match__round__event=event).defer(*heavy_beside("match__round")).order_by("raised", "pk")
    return [
        {
            "round": call.match.round.number,
            "table": call.match.table,
            **plain(call, ("state", "raised", "reason", "for_head_judge", "taken", "arrived", "ended")),
            "raised_by": numbers[call.raised_by_entry_id] if call.raised_by_entry_id else None,
            "raised_by_official": call.raised_by.name if call.raised_by and not call.raised_by_entry_id else None,
            "judge": call.judge.name if call.judge else None,
            "ended_by": call.ended_by.name if call.ended_by else None,
            **plain(call, ("category", "text", "outcome")),
            "extension": {"seconds": call.extension.seconds, "withdrawn": call.extension.withdrawn}
            if call.extension
            else None,
        }
        for call in found.select_related("match__round", "raised_by", "judge", "ended_by", "extension")
    ]


def _decisions(event: Event, numbers: dict[int, int]) -> list[dict[str, Any]]:
    calls = list(Call.objects.filter(match__round__event=event).order_by("raised", "pk").values_list("pk", flat=True))
    penalties = list(Penalty.objects.filter(entry__event=event).order_by("at", "pk").values_list("pk", flat=True))
    call_at = {pk: place for place, pk in enumerate(calls)}
    penalty_at = {pk: place for place, pk in enumerate(penalties)}
    found = Decision.objects.filter(event=event).select_related(
        "match__round", "extension", "claim", "replaces", "departs_from__event", "ruled_by", "appealed_by", "final_by",
        "taken_back_by",
    )  # fmt: skip
    return [
        {
            **plain(row, ("number", "state")),
            "round": row.match.round.number if row.match else None,
            "table": row.match.table if row.match else None,
            "call": call_at.get(row.call_id) if row.call_id else None,
            "extension": {"seconds": row.extension.seconds, "withdrawn": row.extension.withdrawn}
            if row.extension
            else None,
            "penalty": penalty_at.get(row.penalty_id) if row.penalty_id else None,
            "result": as_json(row.claim.result) if row.claim else None,
            "replaces": row.replaces.number if row.replaces else None,
            **plain(
                row,
                ("edition", "topics", "rulings", "citations", "question", "answer", "text", "reasons", "position",
                 "outcome", "reading_text", "against_reading", "departs_why"),
            ),
            "dispute": row.dispute_key or None,
            "reading": row.reading or None,
            "departs_from": {"event": row.departs_from.event.public_id, "number": row.departs_from.number}
            if row.departs_from
            else None,
            "by": row.ruled_by.name,
            "at": instant(row.ruled_at),
            "appeal": {
                "by": row.appealed_by.name if row.appealed_by else None,
                "entry": numbers[row.appealed_by_entry_id] if row.appealed_by_entry_id else None,
                "at": instant(row.appealed_at),
                "text": row.appeal,
            }
            if row.appealed_at
            else None,
            "final": {
                "answer": row.final_answer,
                "text": row.final_text,
                "reasons": row.final_reasons,
                "by": row.final_by.name,
                "at": instant(row.final_at),
            }
            if row.final_by
            else None,
            "taken_back": {
                "by": row.taken_back_by.name,
                "at": instant(row.taken_back_at),
                "why": row.taken_back_why,
            }
            if row.taken_back_by
            else None,
        }
        for row in found.defer(*heavy_beside("match__round")).order_by("number")
    ]  # fmt: skip


def _disputes(event: Event) -> list[dict[str, Any]]:
    found = TableDispute.objects.filter(match__round__event=event).select_related("match__round", "opened_by")
    found = found.defer(*heavy_beside("match__round"))
    return [
        {
            "round": row.match.round.number,
            "table": row.match.table,
            "key": row.key,
            "title": row.title,
            "by": row.opened_by.name,
            "at": instant(row.opened),
        }
        for row in found.order_by("opened", "pk")
    ]


def _record(event: Event) -> Iterator[dict[str, Any]]:
    found = AuditEntry.objects.filter(event=event).select_related("by_person", "by_entry").order_by("pk")
    for row in found.iterator(chunk_size=200):
        with translation.override("en"):
            summary = row.words
        yield {
            "id": row.pk,
            "at": instant(row.at),
            "verb": row.verb,
            "by": row.by_person.name if row.by_person else row.by_entry.name if row.by_entry else None,
            "role": row.as_role,
            "summary": summary,
            "reason": row.reason,
            "non_standard": row.is_non_standard,
            "undoes": row.undoes_id,
            "changes": row.changes,
        }
