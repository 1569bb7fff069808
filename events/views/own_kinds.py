"""A player's own page and the receipt in a running round, filled in: a whole hall opens them at once.

In any other state, or with anything unusual on it, such a page is rendered for its reader alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from events.actions import answer
from events.address import path_to
from events.clock import ClockReading, Phase
from events.filled import Value, filled, mark, number_mark
from events.models import Announcement, Entry, Event, Match, Role, Round, Venue
from events.preferences import theme_of
from events.results.words import Scored
from events.roles import Actor
from events.templatetags.event_clock import now_in_milliseconds
from events.templatetags.event_frame import current_announcements
from events.templatetags.menus import menus_of

from .access import Visit

OWN_PAGE, RECEIPT = "events/entries/entry.html", "events/results/receipt.html"
VERBS = (
    "change-entry", "check-in", "undo-check-in", "withdraw-entry", "reinstate-entry", "drop-entry", "ask-return",
    "return-entry", "disqualify-entry", "renew-entry-link",
)  # fmt: skip
"""The actions for which a player's page may have a button."""
AT_DESK = ("change-entry", "undo-check-in", "disqualify-entry")
Texts = dict[str, Value]


OUTCOME = ("words", "theirs", "winner")


def own_card(line: dict[str, Any] | None, own: str, opponent: str) -> list[Scored]:
    """Return the card of a player's confirmed match from its line, the winner first; nothing without an opponent."""
    if line is None or line["against"] is None:
        return []
    card = [
        Scored(own, line["score"], line["words"], line["winner"] == "own"),
        Scored(opponent, line["against"], line["theirs"], line["winner"] == "other"),
    ]
    return sorted(card, key=lambda one: not one.wins)


class FrameKind(NamedTuple):
    """What surrounds every page of an event that its players see."""

    public_id: str
    state: str
    format: str
    roles: frozenset[Role]
    theme: str
    announced: tuple[int, ...]

    def facts(self, page: str, *parts: int) -> dict[str, Any]:
        """Return what the frame's templates read, on this page."""
        event = Event(
            public_id=self.public_id, name=mark("event"), state=self.state, format=self.format,
            venue=Venue(time_zone="UTC"),
        )  # fmt: skip
        request = HttpRequest()
        request.path = path_to(page, self.public_id, *parts)
        announced = [Announcement(pk=pk, text=mark(f"announced{n}")) for n, pk in enumerate(self.announced)]
        return {
            "event": event,
            "roles": self.roles,
            "actor": Actor(),
            "request": request,
            "theme": self.theme,
            "page_of": "own",
            "menus": mark("menus"),
            "csrf_token": mark("csrf_token"),
            "current_announcements": announced,
            "counter": mark("counter"),
            "milliseconds": mark("milliseconds"),
        }


class ReportKind(NamedTuple):
    """What `report.html` shows of a player's match."""

    round: tuple[int, int | None, str]
    state: str
    seat: str
    has_reported: bool
    opponent_has: bool
    may_report: bool
    outcome: tuple[str, str, str | None] | None
    """The outcome of a confirmed match in words, for both players, and which of them won: "own", "other" or None."""

    def facts(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Return what the template reads, beside the frame."""
        number, bracket_size, state = self.round
        match = Match(table=number_mark("table"), kind=Match.Kind.GAME, state=self.state)
        match.round = Round(event=frame["event"], number=number, bracket_size=bracket_size, state=state)
        line = None
        if self.outcome is not None:
            line = dict(zip(OUTCOME, self.outcome, strict=True)) | {"score": mark("score"), "against": mark("against")}
        return {
            "now": match,
            "mine": True,
            "desk": False,
            "opponent": mark("opponent"),
            "reports": {
                "mine": (mark("own"), mark("other")) if self.has_reported else None,
                "theirs": self.opponent_has,
            },
            "may_report": self.may_report,
            "own_field": f"score_{self.seat}",
            "other_field": f"score_{'b' if self.seat == 'a' else 'a'}",
            "line_now": line,
            "card": own_card(line, _("You"), mark("opponent")),
        }


class ReceiptKind(NamedTuple):
    """By what the receipts of two players differ."""

    frame: FrameKind
    report: ReportKind

    def facts(self) -> dict[str, Any]:
        """Return what the receipt's template reads."""
        found = self.frame.facts("events:receipt", self.report.round[0], number_mark("table"))
        entry = Entry(event=found["event"], number=number_mark("entry"))
        return found | self.report.facts(found) | {"my_entry": entry}


class OwnKind(NamedTuple):
    """By what the own pages of two players who have a table differ."""

    frame: FrameKind
    report: ReportKind
    has_club: bool
    has_fixed_table: bool
    from_round: int
    clock: tuple[Phase, str, bool, bool] | None
    """Its phase, in words, whether it is paused, and whether its end is known; None once the match is confirmed."""
    is_extended: bool
    played: tuple[tuple[str, bool, bool], ...]
    """The round of each earlier match, and whether it had an opponent and their points."""
    push_key: str

    def facts(self) -> dict[str, Any]:
        """Return what the page's template reads."""
        found = self.frame.facts("events:entry", number_mark("entry"))
        found |= self.report.facts(found)
        event = found["event"]
        entry = Entry(
            event=event, number=number_mark("entry"), version=number_mark("version"), state=Entry.State.CHECKED_IN,
            club=mark("club") if self.has_club else "", from_round=self.from_round,
            fixed_table=number_mark("fixed_table") if self.has_fixed_table else None,
        )  # fmt: skip
        may = {verb: bool(answer(verb, self.frame.roles, event=event)) for verb in VERBS}
        played = [
            {
                "round": round_,
                "opponent": mark(f"opponent{n}") if has_opponent else "",
                "words": mark(f"words{n}"),
                "score": mark(f"score{n}"),
                "against": mark(f"against{n}") if has_points else None,
            }
            for n, (round_, has_opponent, has_points) in enumerate(self.played)
        ]
        return found | {
            "entry": entry,
            "my_entry": entry,
            "name": mark("name"),
            "extra": self.is_extended,
            "clock": self._clock(found["now"]),
            "played": played,
            "may": {verb.replace("-", "_"): may_it for verb, may_it in may.items()},
            "at_desk": any(may[verb] for verb in AT_DESK),
            "hand": mark("hand"),
            "push_key": self.push_key,
        }

    def _clock(self, match: Match) -> dict[str, Any] | None:
        """Return what the face of the table's clock shows, as `event_clock.face` does."""
        if self.clock is None:
            return None
        phase, words, is_paused, has_end = self.clock
        return {
            "size": "small",
            "match": match,
            "event": match.round.event,
            "counts": {"ends": mark("ends") if has_end else None, "left": mark("left")},
            "reading": {"phase": phase, "words": words, "is_paused": is_paused, "digits": mark("digits")},
            "is_preparation": phase in (Phase.PREPARATION, Phase.READY),
        }


def receipt_of(v: Visit, row: Entry, facts: dict[str, Any]) -> HttpResponse | None:
    """Return the receipt of a report, filled in; None if it has to be rendered."""
    if facts["now"].state == Match.State.DISPUTED or not _is_usual(v, facts):
        return None
    frame, texts = _frame(v, row, facts["counter"])
    report, more = _report(facts)
    return HttpResponse(filled(RECEIPT, ReceiptKind(frame, report), texts | more))


def own_page_of(v: Visit, row: Entry, facts: dict[str, Any]) -> HttpResponse | None:
    """Return the own page of a player who has a table, filled in; None if it has to be rendered."""
    is_playing = row.state == Entry.State.CHECKED_IN and v.event.state == Event.State.RUNNING
    if not is_playing or facts["desk"] or facts["may_join"] or not _is_usual(v, facts):
        return None
    if any(v.may(verb) for verb in AT_DESK):
        return None
    frame, texts = _frame(v, row, facts["counter"])
    report, more = _report(facts)
    clock, played = facts["clock"], facts["played"]
    texts |= more | {
        "name": facts["name"],
        "club": row.club,
        "fixed_table": row.fixed_table,
        "version": row.version,
        "hand": lambda: _hand(v, facts, texts["csrf_token"]),
    }
    if clock is not None:
        texts |= clock["counts"] | {"digits": clock["reading"].digits}
    for n, line in enumerate(played):
        texts |= {f"{name}{n}": line[name] for name in ("opponent", "words", "score", "against")}
    kind = OwnKind(
        frame,
        report,
        bool(row.club),
        bool(row.fixed_table),
        row.from_round if row.from_round > 1 else 1,
        _face(clock) if clock is not None else None,
        bool(facts["extra"]),
        tuple((line["round"], bool(line["opponent"]), line["against"] is not None) for line in played),
        facts["push_key"],
    )
    return HttpResponse(filled(OWN_PAGE, kind, texts))


def _is_usual(v: Visit, facts: dict[str, Any]) -> bool:
    """Return whether nothing is shown that kinds don't know."""
    now: Match = facts["now"]
    is_game = now.kind == Match.Kind.GAME and now.b is not None and now.table is not None and not now.is_third_place
    return (
        is_game and not now.is_of_many and v.actor.office is None and not v.event.away and not get_messages(v.request)
    )


def _frame(v: Visit, row: Entry, counter: int) -> tuple[FrameKind, Texts]:
    theme, announced = theme_of(v.request), current_announcements(v.event)
    kind = FrameKind(
        v.event.public_id, v.event.state, v.event.format, v.roles, theme, tuple(one.pk for one in announced)
    )
    texts: Texts = {
        "event": v.event.name,
        "entry": row.number,
        "counter": counter,
        "milliseconds": now_in_milliseconds(),
        "menus": menus_of(v.request, v.request.user, theme),
        "csrf_token": functools.cache(lambda: get_token(v.request)),
    }
    return kind, texts | {f"announced{n}": one.text for n, one in enumerate(announced)}


def _report(facts: dict[str, Any]) -> tuple[ReportKind, Texts]:
    now, reports, line = facts["now"], facts["reports"], facts["line_now"]
    round_ = now.round
    kind = ReportKind(
        (round_.number, round_.bracket_size, round_.state),
        now.state,
        facts["own_field"].removeprefix("score_"),
        reports["mine"] is not None,
        reports["theirs"],
        facts["may_report"],
        line and tuple(line[name] for name in OUTCOME),
    )
    texts: Texts = {"table": now.table, "opponent": facts["opponent"]}
    if reports["mine"]:
        texts["own"], texts["other"] = reports["mine"]
    if line:
        texts |= {"score": line["score"], "against": line["against"]}
    return kind, texts


def _face(clock: dict[str, Any]) -> tuple[Phase, str, bool, bool]:
    reading: ClockReading = clock["reading"]
    return reading.phase, str(reading.words), reading.is_paused, clock["counts"]["ends"] is not None


def _hand(v: Visit, facts: dict[str, Any], token: Callable[[], str]) -> str:
    """Return the table's call, or the button that raises it."""
    known = {"now": facts["now"], "event": v.event, "roles": v.roles, "actor": v.actor, "my_entry": v.entry}
    known |= {"request": v.request, "csrf_token": token()}
    return render_to_string("judging/calls/hand_of_player.html", known)
