"""What webhooks tell: the audit log's entries as messages, in JSON, for Discord, or as plain text.

The audit log is written with each change, so it holds what is to be told whatever happens afterwards. Messages have
what public pages show: names of minors are shortened, calls have no names and reasons, drafts are never told.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from events.api import (
    MatchOut,
    RoundOut,
    StandingOut,
    TeamStandingOut,
    match_out,
    round_out,
    standings_out,
    team_standings_out,
)
from events.models import AuditEntry, Event, Match, Round, Webhook
from events.queries import with_event
from events.results.reading import ResultTerms
from events.results.words import sentence

Kind, Form = Webhook.Kind, Webhook.Form
CHOSEN = tuple(kind for kind in Kind if kind is not Kind.TEST)
"""The kinds of messages that a webhook can be for."""
NOT_TOLD = frozenset(
    {"restore-event", "draft-round", "pair-again", "change-draft", "discard-draft", "cut", "replay-bracket"}
)
"""Verbs whose changes aren't news: a snapshot that is restored was news before, and drafts aren't public."""
SEATS_OF = frozenset({"a_id", "b_id", "c_id", "d_id", "table"})
DISCORD_LETTERS = 2000
"""The longest message that Discord accepts."""
MARKS = re.compile(r"([\\*_~`|<\[@]|^[>#-]|:(?=\S))")
"""Letters that Discord reads as formatting, links or mentions."""
NUMBER = re.compile(r"(?<=^\d)\.|(?<=^\d\d)\.|(?<=^\d\d\d)\.")
"""The dot after a place, with which Discord would number the lines anew."""


@dataclass(frozen=True)
class Happening:
    """Something to tell: its kind, when, and the round or match."""

    kind: Webhook.Kind
    at: datetime.datetime
    round: Round | None = None
    match: Match | None = None


def happenings(event: Event, entries: Iterable[AuditEntry]) -> Iterator[Happening]:
    """Yield what these entries of an event's audit log have to tell, in their order."""
    if event.state == Event.State.DRAFT:
        return
    for entry in entries:
        if entry.verb not in NOT_TOLD:
            yield from _of_entry(event, entry)


def _of_entry(event: Event, entry: AuditEntry) -> Iterator[Happening]:
    seated: dict[int, Round] = {}
    results: list[Match] = []
    counted: dict[int, Round] = {}
    finished = False
    for change in entry.changes:
        after = change["after"] or {}
        label, state = change["model"], after.get("state")
        if label == "events.Round" and state == Round.State.PUBLISHED and (row := _round(event, change["id"])):
            seated[row.pk] = row
        elif label == "events.Round" and state == Round.State.COMPLETE and (row := _round(event, change["id"])):
            counted[row.pk] = row
        elif label == "events.Event" and state == Event.State.FINISHED and change["id"] == event.pk:
            finished = True
        elif label == "events.Match" and change["after"] and (match := _match(event, change["id"])):
            if match.kind == Match.Kind.GAME and "result" in after and (after["result"] or change["before"]):
                results.append(match)
                is_changed = bool(change["before"] and change["before"].get("result"))
                if is_changed and match.round.state == Round.State.COMPLETE:
                    counted[match.round.pk] = match.round
            if change["before"] is None or SEATS_OF & after.keys():
                seated[match.round.pk] = match.round
        elif label == "judging.Call" and change["before"] is None and (match := _match(event, after["match_id"])):
            yield Happening(Kind.CALL, entry.at, match.round, match)
    yield from (Happening(Kind.PAIRINGS, entry.at, row) for row in seated.values())
    yield from (Happening(Kind.RESULT, entry.at, match.round, match) for match in results)
    yield from (Happening(Kind.STANDINGS, entry.at, row) for row in counted.values())
    if finished:
        yield Happening(Kind.FINISHED, entry.at)


def _round(event: Event, key: int) -> Round | None:
    """Return a round of the event that the public may see."""
    row = Round.objects.filter(pk=key, event=event).exclude(state=Round.State.DRAFT).first()
    if row is not None:
        row.event = event
    return row


def _match(event: Event, key: int) -> Match | None:
    """Return a match of a round that the public may see."""
    found = (
        Match.objects.with_round().filter(pk=key, round__event=event).exclude(round__state=Round.State.DRAFT).first()
    )
    return with_event([found], event)[0] if found is not None else None


# bodies


def body_of(hook: Webhook, key: UUID, what: Happening, site: str) -> str:
    """Return the body of a message about an event; `site` is the site's own URL, for links."""
    with translation.override(hook.language):
        if hook.form == Form.JSON:
            return _as_json(hook.event, key, what, site)
        heading, lines, path = _in_words(hook.event, what)
        if hook.form == Form.DISCORD:
            return _for_discord(heading, lines, f"{site}{path}" if site else "")
        return "\n".join([heading, *lines, *([f"{site}{path}"] if site else [])]) + "\n"


def _as_json(event: Event, key: UUID, what: Happening, site: str) -> str:
    path = reverse("events:event", args=[event.public_id])
    about = {"id": event.public_id, "name": event.name, "state": event.state, "url": f"{site}{path}" if site else ""}
    told = {"id": str(key), "kind": what.kind.value, "at": what.at, "event": about, "data": _data(event, what)}
    return json.dumps(told, cls=DjangoJSONEncoder, ensure_ascii=False)


def _data(event: Event, what: Happening) -> dict[str, Any]:
    row, match = what.round, what.match
    if what.kind == Kind.PAIRINGS and row is not None:
        return RoundOut(**round_out(row, _matches(event, row))).dict(exclude_unset=True)
    if what.kind == Kind.RESULT and row is not None and match is not None:
        return {"round": row.number, "match": MatchOut(**match_out(match)).dict(exclude_unset=True)}
    if what.kind == Kind.CALL and row is not None and match is not None:
        return {"round": row.number, "table": match.table}
    if what.kind == Kind.TEST:
        return {}
    after = row.number if row is not None else None
    return {
        "after": after,
        "standings": [StandingOut(**line).dict() for line in standings_out(event, after)],
        "teams": [TeamStandingOut(**line).dict() for line in team_standings_out(event, after)],
    }


def _matches(event: Event, row: Round) -> list[Match]:
    found = list(row.matches.with_entries().order_by("table", "pk"))
    for match in found:
        match.round = row
    return with_event(sorted(found, key=lambda match: match.table is None), event)


def _in_words(event: Event, what: Happening) -> tuple[str, list[str], str]:
    """Return a heading, lines, and the path of the page that shows them."""
    row, match, lines = what.round, what.match, []
    page, parts = "events:event", [event.public_id]
    if what.kind == Kind.PAIRINGS and row is not None:
        said = _("%(round)s: pairings") % {"round": row}
        lines = [_pairing(match) for match in _matches(event, row)]
        page, parts = "events:round", [event.public_id, str(row.number)]
    elif what.kind == Kind.RESULT and row is not None and match is not None:
        said = _("%(round)s, table %(table)s") % {"round": row, "table": match.table}
        lines = [_result(match)]
        page, parts = "events:round", [event.public_id, str(row.number)]
    elif what.kind == Kind.CALL and row is not None and match is not None:
        said = _("%(round)s, table %(table)s: a judge was called") % {"round": row, "table": match.table}
    elif what.kind == Kind.TEST:
        said = _("Test message: this webhook works.")
    else:
        said = _("Event finished: final standings")
        if row is not None:
            said = _("Standings after %(round)s") % {"round": row.definite_name}
        places = standings_out(event, row.number if row is not None else None)
        lines = [_place(place) for place in places]
        page = "events:standings"
    return f"{event.name} · {said}", lines, reverse(page, args=parts)


def _pairing(match: Match) -> str:
    names = " – ".join(entry.public_name for entry in match.entries)
    if match.table is None:
        return f"{names} ({match.note})" if match.note else names
    return _("Table %(table)s: %(names)s") % {"table": match.table, "names": names}


def _result(match: Match) -> str:
    if match.state != Match.State.CONFIRMED or match.result is None:
        return _("The result was withdrawn.")
    name_a, name_b, *further = [entry.public_name for entry in match.entries]
    event = match.round.event
    terms = ResultTerms(event.edition, event.build_total, name_a=name_a, name_b=name_b, further=tuple(further))
    return sentence(match.result, terms)


def _place(place: dict[str, Any]) -> str:
    first = next(iter(place["columns"].values()), None)
    return f"{place['rank']}. {place['name']}" + (f" ({first['shown']})" if first else "")


def _for_discord(heading: str, lines: list[str], address: str) -> str:
    """Return the body that Discord accepts: as many lines as fit, no formatting or mentions made of names."""
    kept = [f"**{_unmarked(heading)}**"]
    ends = [f"<{address}>"] if address else []
    for number, line in enumerate(lines):
        more = _("… and %(n)d more") % {"n": len(lines) - number}
        shown = _unmarked(line)
        if len("\n".join([*kept, shown, more, *ends]).encode("utf-16-le")) > 2 * DISCORD_LETTERS:
            kept.append(more)
            break
        kept.append(shown)
    content = "\n".join([*kept, *ends])
    return json.dumps({"content": content, "allowed_mentions": {"parse": []}}, ensure_ascii=False)


def _unmarked(text: str) -> str:
    return NUMBER.sub(r"\\.", MARKS.sub(r"\\\1", text))
