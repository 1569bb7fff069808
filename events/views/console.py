"""The judges' console: the next step first, then everything else."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events.actions import Text
from events.audit import tables_in_words
from events.models import Entry, Event, Match, Pod, Round
from events.next_step import RoundNow, Situation, StepButton, next_step
from events.policy import sentence
from events.services.clock import reading_of
from events.services.entries import checked_in_elsewhere
from events.services.rounds import bracket_has_winner, lost_by_both, stale_by_log
from events.services.rounds_styles import bracket_is_decided
from events.services.setup import missing_to_open
from events.services.teams import not_paired

from .access import Visit, visit

SHOWN_TABLES = 24
SOON = datetime.timedelta(hours=12)
SHOWN_NAMES = 8


class Table(NamedTuple):
    """What the console knows of every match of a round."""

    pk: int
    table: int | None
    kind: str
    state: str


@dataclass(frozen=True)
class Button:
    """A button of the console with its resolved URL."""

    label: Text
    address: str
    post: bool


def situation_of(event: Event, matches: list[Table], newest: Round | None) -> Situation:
    """Return the event's situation; `matches` are those of its newest round."""
    counts = dict(event.entries.values_list("state").annotate(n=Count("pk")).order_by())
    entered, there = counts.get(Entry.State.ENTERED, 0), counts.get(Entry.State.CHECKED_IN, 0)
    drafts = _booster_drafts(event, newest)
    took_part = there + counts.get(Entry.State.DROPPED, 0) + counts.get(Entry.State.DISQUALIFIED, 0)
    return Situation(
        state=event.state,
        style=event.pairing_style,
        entered=entered,
        checked_in=there,
        waiting=counts.get(Entry.State.WAITING, 0),
        free_seats=max(0, event.seats - entered - there),
        has_begun=event.starts <= timezone.now(),
        is_near=event.starts <= timezone.now() + SOON,
        round=_round_now(newest, matches, drafts) if newest is not None else None,
        planned=event.rounds_for(took_part),
        cut_to=event.cut_to if newest is None or newest.stage == Round.Stage.MAIN else 0,
        bracket_decided=bracket_has_winner(event, newest),
        final_played=newest is not None and bracket_is_decided(newest),
        lost_by_both=tuple(match.table for match in lost_by_both(event, newest) if match.table is not None),
        is_battle_royale=event.format == Event.Format.BATTLE_ROYALE,
        drafted_before=newest is not None and any(number < newest.number for number, _table, _over in drafts),
        is_practice=event.is_practice,
        is_reported=event.reported_at is not None,
        missing=tuple(sentence(one) for one in missing_to_open(event)) if event.state == Event.State.DRAFT else (),
    )


def _booster_drafts(event: Event, newest: Round | None) -> list[tuple[int, int, bool]]:
    """Return the event's booster drafts up to its newest round: the round's number, the match, and whether it is over."""
    if newest is None or not event.has_booster_draft:
        return []
    found = Pod._default_manager.filter(match__round__event=event, match__round__number__lte=newest.number)
    rows = found.values_list("match__round__number", "match", "ended")
    return [(number, match, ended is not None) for number, match, ended in rows]


def _round_now(row: Round, matches: list[Table], drafts: list[tuple[int, int, bool]]) -> RoundNow:
    games = [match for match in matches if match.kind == Match.Kind.GAME]
    tables = {state: tuple(m.table for m in games if m.state == state and m.table is not None) for state in Match.State}
    playing = row.state in (Round.State.PUBLISHED, Round.State.RUNNING)
    reading = reading_of(row) if playing else None
    return RoundNow(
        number=row.number,
        state=row.state,
        stage=row.stage,
        bracket_size=row.bracket_size,
        tables=len(games),
        open_tables=tuple(m.table for m in games if m.state != Match.State.CONFIRMED and m.table is not None),
        disputed=tables[Match.State.DISPUTED],
        half_reported=tables[Match.State.CLAIMED],
        stale=tuple(stale_by_log(row)) if row.state == Round.State.DRAFT else (),
        clock=str(reading.phase) if reading else "waiting",
        clock_runs=bool(reading and reading.running),
        undrafted=len({match.pk for match in games} - {match for _number, match, _over in drafts}),
        drafting=sum(number == row.number and not over for number, _match, over in drafts),
    )


def _address(event: Event, name: str, *parts: object) -> str | None:
    if name == "events:here":  # one page for the whole site, where a draft event doesn't appear
        return None if event.state == Event.State.DRAFT else f"{reverse(name)}?event={event.public_id}"
    try:
        return reverse(name, args=[event.public_id, *parts])
    except NoReverseMatch:
        return None


def _button(v: Visit, act: StepButton, newest: Round | None) -> Button | None:
    address = _address(v.event, act.name, *act.parts)
    if address is None or not v.may(act.verb, newest if act.parts else None):
        return None
    return Button(act.label, address, act.post)


@dataclass(frozen=True)
class ToDo:
    """Something to attend to, with a link."""

    text: str
    address: str | None


def _to_dos(v: Visit, now: Situation) -> list[ToDo]:
    """Return what needs attention, computed from the state, so that nothing has to be ticked off."""
    event, found = v.event, []
    asked = [row for row in event.officials.select_related("person").order_by("pk") if not row.is_at_work]
    pending = sum(row.accepted is None for row in asked)
    if pending:
        text = ngettext(
            "%(n)d official is waiting for the venue's acceptance.", "%(n)d officials are waiting for the venue's acceptance.", pending
        )  # fmt: skip
        found.append(ToDo(text % {"n": pending}, _address(event, "events:officials")))
    if answered := [str(row.person) for row in asked if row.confirmed is None and row.answered is not None]:
        text = ngettext("Confirm this official: %(names)s.", "Confirm these officials: %(names)s.", len(answered))
        found.append(ToDo(text % {"names": ", ".join(answered)}, _address(event, "events:officials")))
    unanswered = [str(row.person) for row in asked if row.confirmed is None and row.answered is None]
    if unanswered:
        text = ngettext(
            "Waiting for %(names)s to accept their role.",
            "Waiting for these officials to accept their roles: %(names)s.",
            len(unanswered),
        )
        found.append(ToDo(text % {"names": ", ".join(unanswered)}, _address(event, "events:officials")))
    if now.waiting and now.free_seats and event.state == Event.State.OPEN:
        text = ngettext(
            "%(n)d seat is free, and players are waiting.",
            "%(n)d seats are free, and players are waiting.",
            now.free_seats,
        )
        found.append(ToDo(text % {"n": now.free_seats}, _address(event, "events:entries")))
    if event.state == Event.State.RUNNING and now.entered:
        text = ngettext(
            "%(n)d player never checked in.", "%(n)d players never checked in.", now.entered
        )  # fmt: skip
        found.append(
            ToDo(text % {"n": now.entered}, reverse("events:check-in", args=[event.public_id]) + "?show=missing")
        )
    if v.may("accept-series-event"):
        invited = event.in_series.filter(accepted=None, series__ended=None).select_related("series").order_by("pk")
        found += [
            ToDo(
                _("Accept or decline the invitation to the series %(series)s.") % {"series": row.series},
                reverse("events:series", args=[row.series.public_id]),
            )
            for row in invited
        ]
    found += _to_dos_of_players(v)
    if now.round is not None and now.round.half_reported:
        text = ngettext(
            "Waiting for the second report from table %(tables)s.",
            "Waiting for the second reports from tables %(tables)s.",
            len(now.round.half_reported),
        ) % {"tables": tables_in_words(now.round.half_reported)}
        found.append(ToDo(text, _address(event, "events:open-tables", now.round.number)))
    return found


def _to_dos_of_players(v: Visit) -> list[ToDo]:
    """Return what needs attention about players of an open or running event."""
    event, found = v.event, []
    if event.state not in (Event.State.OPEN, Event.State.RUNNING):
        return []
    if event.teams_of_two:
        unpaired = not_paired(event, list(event.entries.order_by("number")))
        found += [ToDo(text, _address(event, "events:teams")) for text in unpaired]
    back = Q(state=Entry.State.DROPPED, return_asked__isnull=False)
    seated = Q(state__in=(Entry.State.ENTERED, Entry.State.CHECKED_IN))
    counts = event.entries.aggregate(
        back=Count("pk", filter=back), undeclared=Count("pk", filter=seated & Q(eligible_declared=False))
    )
    if counts["back"] and event.state == Event.State.RUNNING:
        found += [
            ToDo(_("%(name)s has asked to re-enter.") % {"name": row.name}, _address(event, "events:entry", row.number))
            for row in event.entries.filter(back).order_by("return_asked")
        ]
    if elsewhere := checked_in_elsewhere(event, v.roles):
        text = ngettext(
            "%(n)d player (%(names)s) is checked in at two events.",
            "%(n)d players (%(names)s) are checked in at two events.",
            len(elsewhere),
        )
        names = event.entries.filter(number__in=elsewhere).order_by("name").values_list("name", flat=True)
        found.append(
            ToDo(
                text % {"n": len(elsewhere), "names": ", ".join(names[:SHOWN_NAMES])}, _address(event, "events:entries")
            )
        )
    if counts["undeclared"] and not event.is_practice:
        text = ngettext(
            "%(n)d player hasn't confirmed eligibility.",
            "%(n)d players haven't confirmed eligibility.",
            counts["undeclared"],
        )
        found.append(ToDo(text % {"n": counts["undeclared"]}, _address(event, "events:entries")))
    return found


PLACES: tuple[tuple[Any, tuple[tuple[Any, str, str], ...]], ...] = (
    (
        gettext_lazy("Players"),
        (
            (gettext_lazy("Check in"), "events:check-in", "see-console"),
            (gettext_lazy("Add player"), "events:entry-add", "add-entry"),
            (gettext_lazy("Teams"), "events:teams", "see-console"),
            (gettext_lazy("Sign-in codes"), "events:sign-in-code", "make-sign-in-code"),
        ),
    ),
    (
        gettext_lazy("Judging"),
        (
            (gettext_lazy("Calls"), "judging:calls", "see-console"),
            (gettext_lazy("Rulings"), "judging:rulings", "see-decisions"),
            (gettext_lazy("Penalties"), "judging:penalties", "give-penalty"),
            (gettext_lazy("Audit log"), "judging:audit-log", "see-record"),
            (gettext_lazy("Cross table"), "events:cross-table", "see-console"),
        ),
    ),
    (
        gettext_lazy("Hall"),
        (
            (gettext_lazy("Post announcement"), "events:announce", "announce"),
            (gettext_lazy("Display"), "events:display", "see-console"),
            (gettext_lazy("Embed and broadcast"), "events:embed", "see-console"),
            (gettext_lazy("Address and QR code for phones"), "events:here", "see-console"),
        ),
    ),
    (
        gettext_lazy("Paper"),
        (
            (gettext_lazy("Print player cards"), "events:player-cards-pdf", "change-entry"),
            (gettext_lazy("Print badges"), "events:badges-pdf", "change-entry"),
            (gettext_lazy("Print table signs"), "events:table-signs-pdf", "see-console"),
        ),
    ),
    (
        gettext_lazy("Event"),
        (
            (gettext_lazy("Details"), "events:edit", "change-event"),
            (gettext_lazy("Officials"), "events:officials", "change-officials"),
            (gettext_lazy("Prize draft"), "events:prizes", "edit-prize-draft"),
            (gettext_lazy("Finish and report"), "judging:finish", "see-console"),
            (gettext_lazy("Backups and snapshots"), "judging:snapshots", "take-snapshot"),
        ),
    ),
)
OF_ROUND: tuple[tuple[Any, str, str], ...] = (
    (gettext_lazy("Pairings"), "events:round", "see-console"),
    (gettext_lazy("Enter results"), "events:results", "enter-result"),
    (gettext_lazy("Open tables"), "events:open-tables", "see-console"),
    (gettext_lazy("Booster draft"), "events:boosters", "start-booster-draft"),
    (gettext_lazy("Fix seating"), "events:fix-seating", "right-tables"),
    (gettext_lazy("Print pairings"), "events:pairings-pdf", "see-console"),
    (gettext_lazy("Print slips"), "events:slips-pdf", "see-console"),
)


def _places(v: Visit, newest: Round | None) -> list[tuple[Any, list[Button]]]:
    found: list[tuple[Any, list[Button]]] = []
    if newest is not None:
        of_round = [
            _button(v, StepButton(str(label), name, (newest.number,), verb), newest)
            for label, name, verb in OF_ROUND
            if name != "events:boosters" or v.event.has_booster_draft
        ]
        found.append((newest, [button for button in of_round if button]))
    for title, rows in PLACES:
        buttons = [
            _button(v, StepButton(str(label), name, (), verb), None)
            for label, name, verb in rows
            if name != "events:teams" or v.event.teams_of_two
        ]
        found.append((title, [button for button in buttons if button]))
    return [(title, buttons) for title, buttons in found if buttons]


def _round_to_look_at(event: Event) -> Round | None:
    """Return the round being played (also one reopened before a draft), else the newest, or None."""
    found = list(event.rounds.order_by("-number"))
    playing = [row for row in found if row.state in (Round.State.PUBLISHED, Round.State.RUNNING)]
    return next(iter(playing or found), None)


def console(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the head judge the next step, and everything else within a thumb's reach."""
    v = visit(request, public_id)
    v.require("see-console")
    newest = _round_to_look_at(v.event)
    matches: list[Table] = []
    if newest is not None:
        newest.event = v.event
        matches = [Table(*row) for row in newest.matches.order_by("table", "pk").values_list(*Table._fields)]
    now = situation_of(v.event, matches, newest)
    step = next_step(now)
    playing = newest is not None and newest.state in (Round.State.PUBLISHED, Round.State.RUNNING)
    open_ = [m for m in matches if playing and m.kind == Match.Kind.GAME and m.state != Match.State.CONFIRMED]
    with_players = Match.objects.filter(pk__in=[match.pk for match in open_[:SHOWN_TABLES]]).with_entries()
    waiting = v.event.entries.filter(state=Entry.State.WAITING).order_by("entered", "number")[:SHOWN_NAMES]
    return v.render(
        "events/console/console.html",
        now=now,
        step=step,
        main=_button(v, step.main, newest) if step.main else None,
        why_not=v.may(step.main.verb, newest if step.main.parts else None).reason if step.main else "",
        others=[button for act in step.others if (button := _button(v, act, newest))],
        round=newest,
        playing=playing,
        open=list(with_players.order_by("table", "pk")),
        more_open=max(0, len(open_) - SHOWN_TABLES),
        waiting=list(waiting) if now.waiting else [],
        more_waiting=max(0, now.waiting - SHOWN_NAMES),
        to_dos=_to_dos(v, now),
        places=_places(v, newest),
        reopen=newest is not None and newest.state == Round.State.COMPLETE and v.may("reopen-round", newest),
        resume=v.may("resume-event"),
    )
