"""Completing and reopening rounds; finishing the event."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import answer
from events.audit import tables_in_words
from events.door import NeedsConfirmation, Refused, Text, door
from events.models import Event, Round
from events.roles import Actor

from ..clock import close_run
from ..rounds_field import read_field
from ..rounds_styles import bracket_is_decided
from .asked import bracket_has_winner, lost_by_both, only_played, open_tables, out_of_date_words, why_no_next_round


def complete_round(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Round:
    """Complete a round whose tables all have a result. Raise Refused naming the open tables."""
    event = round.event
    with door("complete-round", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        tables = open_tables(round)
        if tables:
            raise Refused(
                ngettext(
                    "Table %(tables)s is still open. Enter its result first.",
                    "Tables %(tables)s are still open. Enter their results first.",
                    len(tables),
                )
                % {"tables": tables_in_words(tables)}
            )
        close_run(writing, round)
        writing.save(round, state=Round.State.COMPLETE, completed_at=writing.at)
        writing.says("completed", round=round)
        writing.topics.add("standings")
    return round


def reopen_consequences(round: Round) -> list[Text]:
    """Return the consequences of reopening a complete round."""
    later = round.event.rounds.filter(number__gt=round.number).first()
    lines: list[Text] = [
        _("The results of %(round)s can be changed again. The standings will change with them.")
        % {"round": round.definite_name}
    ]
    if later is not None and later.state == Round.State.DRAFT:
        lines.append(out_of_date_words(later))
    if round.event.state == Event.State.FINISHED:
        lines.append(_("The event will reopen. You'll need to finish it again."))
    return lines


def _nothing_published_after(round: Round) -> None:
    """Raise Refused if a later round was published from this one's results."""
    later = round.event.rounds.filter(number__gt=round.number).exclude(state=Round.State.DRAFT).order_by("-number")
    if (newest := later.first()) is not None:
        raise Refused(
            _(
                "%(later)s was paired from these results. Unpublish it first, or correct individual results "
                "on their tables' pages."
            )
            % {"later": newest}
        )


def reopen_round(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Round:
    """Reopen a complete round. Raise Refused if a later round has been published."""
    event = round.event
    if answer("reopen-round", by.roles(event=event), event=event, round=round):
        _nothing_published_after(round)
    with door(
        "reopen-round", by=by, event=event, on=round, version=version, confirmed=confirmed, reason=reason,
        consequences=reopen_consequences(round),
    ) as writing:  # fmt: skip
        round.event = event
        _nothing_published_after(round)
        if event.state == Event.State.FINISHED:
            writing.save(event, state=Event.State.RUNNING, ended=None)
        writing.save(round, state=Round.State.RUNNING, completed_at=None, times_reopened=round.times_reopened + 1)
        writing.says("reopened", round=round)
    return round


def finish_event(
    *, by: Actor, event: Event, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Event:
    """Finish the event after its last round; with rounds left to play, or before its cut, only when confirmed."""
    with door("finish-event", by=by, event=event, on=event, version=version, reason=reason) as writing:
        last = event.rounds.order_by("-number").first()
        if last is None:
            raise Refused(_("No round has been played. Cancel the event instead."))
        if last.state == Round.State.DRAFT:
            raise Refused(_("%(round)s is still a draft. Discard the draft or play the round.") % {"round": last})
        if why := why_no_next_round(event, last):
            raise Refused(why)
        left = _left_to_play(event, last)
        if left and not confirmed:
            raise NeedsConfirmation(_("Finish event"), left)
        writing.is_non_standard = bool(left)
        writing.save(event, state=Event.State.FINISHED, ended=writing.at)
        writing.says("event-ended")
        writing.topics.add("standings")
    return event


def _left_to_play(event: Event, last: Round) -> list[Text]:
    field = read_field(event)
    if last.stage == Round.Stage.CUT or event.pairing_style == Event.Style.ELIMINATION:
        if bracket_is_decided(last) and lost_by_both(event, last):
            return [_("Both players lost the final. The bracket ends without a winner.")]
        return [] if bracket_has_winner(event, last) else [_("The bracket has no winner yet.")]
    lines: list[Text] = []
    if last.number < field.planned_rounds:
        lines.append(only_played(last, field))
    if event.cut_to:
        lines.append(_("The cut to top %(n)d hasn't been played.") % {"n": event.cut_to})
    return lines


def resume_event(
    *, by: Actor, event: Event, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Event:
    """Reopen a finished event: for another round, or a forgotten result."""
    lines = [_("The event will reopen. You'll need to finish it again.")]
    with door(
        "resume-event", by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason,
        consequences=lines,
    ) as writing:  # fmt: skip
        writing.save(event, state=Event.State.RUNNING, ended=None)
        writing.says("event-resumed")
    return event
