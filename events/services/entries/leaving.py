"""Leaving an event (withdrawn, dropped, disqualified) and re-entering it."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events import policy
from events.door import NeedsConfirmation, Refused, Writing, door
from events.models import TEAM_SIZE, Entry, Event, Match, Round, sits
from events.policy import Leaving
from events.roles import Actor

from ..policy import excepted_rules, overrides_of
from ..rounds_byes import follow_seats, last_begun, record_missed_rounds, rounds_begun
from .asked import (
    SEATED,
    is_desk,
    known_player,
    must_allow_late_entry,
    must_be_own,
    must_not_be_anothers,
    open_match,
    state_for_new,
    state_in_words,
)
from .presence import move_up, names_of


def withdraw_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Withdraw an entry before the start; the player waiting longest moves up."""
    event = entry.event
    must_not_be_anothers(by, event, entry)
    with door("withdraw-entry", by=by, event=event, on=entry, version=version, reason=reason) as writing:
        must_be_own(by, event, entry)
        if entry.state not in (*SEATED, Entry.State.WAITING):
            raise Refused(state_in_words(entry))
        next_up = event.entries.filter(state=Entry.State.WAITING).exclude(pk=entry.pk).order_by("entered", "number")
        follower = next_up.first() if entry.state in SEATED else None
        if not confirmed and (follower is not None or not is_desk(by, event)):
            lines = [_("%(name)s will be removed from the list of players.") % {"name": entry.name}]
            if follower is not None:
                lines.append(
                    _("%(name)s gets the seat. A player who registers again goes to the end of the waiting list.")
                    % {"name": follower.name}
                )
            raise NeedsConfirmation(writing.answer.action.label, lines)
        writing.save(entry, state=Entry.State.WITHDRAWN, fixed_table=None)
        writing.says("withdrew", name=entry.name, names=names_of(move_up(writing, event)))
    return entry


def reinstate_entry(*, by: Actor, entry: Entry, version: int | None = None) -> Entry:
    """Undo a withdrawal: the entry is registered again, or waits if the event is full."""
    event = entry.event
    with door("reinstate-entry", by=by, event=event, on=entry, version=version) as writing:
        if entry.state != Entry.State.WITHDRAWN:
            raise Refused(
                _("%(name)s hasn't withdrawn. Reload the page to see the current state.") % {"name": entry.name}
            )
        writing.save(entry, state=state_for_new(event), entered=writing.at)
        writing.says("reinstated", name=entry.name, state=entry.state)
    return entry


def drop_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Drop a player: published pairings don't change, and no further round pairs the player.

    A player who never checked in is removed from the list instead, and doesn't appear in the standings. An open match
    stays open: the players finish it, or a judge records that the player left it.
    """
    event = entry.event
    must_not_be_anothers(by, event, entry)
    with door("drop-entry", by=by, event=event, on=entry, version=version, reason=reason) as writing:
        must_be_own(by, event, entry)
        if entry.state == Entry.State.DROPPED:
            raise Refused(_("%(name)s has already dropped.") % {"name": entry.name})
        if entry.state not in SEATED:
            raise Refused(state_in_words(entry))
        last, game = last_begun(event), open_match(entry)
        if not confirmed:
            lines = [_("%(name)s won't be paired again.") % {"name": entry.name}]
            if game is not None:
                lines.append(
                    _("The match at table %(table)s in %(round)s is still open.")
                    % {"table": game.table, "round": game.round.definite_name}
                )
                lines += [policy.sentence(one) for one in policy.check_leaving(_leaving(entry, game_is_open=True))]
            if event.rounds.filter(state=Round.State.DRAFT).exists():
                lines.append(_("The draft of the next round must be re-paired."))
            raise NeedsConfirmation(writing.answer.action.label, lines)
        if entry.state == Entry.State.ENTERED:
            writing.save(entry, state=Entry.State.WITHDRAWN, fixed_table=None)
            writing.says("never-came", name=entry.name)
        else:
            writing.save(entry, state=Entry.State.DROPPED, dropped_after=last.number if last else 0, return_asked=None)
            _follow(writing, event, entry)
            if last is None:
                writing.says("dropped-at-first", name=entry.name)
            else:
                writing.says("dropped", name=entry.name, round=last)
    return entry


def _follow(writing: Writing, event: Event, entry: Entry) -> None:
    """Let the booster draft at the player's table go on without them, or with them again, while no one has picked."""
    match = open_match(entry) if event.has_booster_draft else None
    if match is not None:
        match.round.event = event
        follow_seats(writing, match)


def _leaving(entry: Entry, **how: bool) -> Leaving:
    event = entry.event
    day = timezone.localtime(event.starts, event.venue.zone).date()
    return Leaving(day, entry.name, not event.is_practice, **how)


def _abandoned(entry: Entry) -> bool:
    """Return whether a result says that this player abandoned a match."""
    own = Match.objects.filter(sits(entry), state=Match.State.CONFIRMED, result__abandoned_by__isnull=False)
    return any(match.result is not None and match.seat_of(entry) in match.result.abandoned for match in own)


def ask_return(*, by: Actor, entry: Entry, version: int | None = None, **_unused: object) -> Entry:
    """Ask the officials to re-enter a player who dropped; only they decide."""
    event = entry.event
    must_not_be_anothers(by, event, entry)
    with door("ask-return", by=by, event=event, on=entry, version=version) as writing:
        must_be_own(by, event, entry)
        _may_return(event, entry)
        writing.save(entry, return_asked=entry.return_asked or writing.at)
        writing.says("asked-to-re-enter", name=entry.name)
    return entry


def _may_return(event: Event, entry: Entry) -> None:
    """Raise Refused if the player hasn't dropped, or left a match and so can't re-enter."""
    if entry.state != Entry.State.DROPPED:
        raise Refused(_("%(name)s hasn't dropped. Reload the page to see the current state.") % {"name": entry.name})
    against = policy.check_leaving(
        _leaving(entry, returns=True, abandoned=_abandoned(entry)),
        excepted=excepted_rules(overrides_of(event), known_player(entry)),
    )
    if against:
        raise Refused(" ".join(policy.sentence(one) for one in against))


def _may_rejoin_team(event: Event, entry: Entry) -> None:
    """Raise Refused if the player's team has found another partner since."""
    if event.teams_of_two and entry.team is not None and len(entry.team.partners) >= TEAM_SIZE:
        raise Refused(
            _("%(name)s's place in the team has been taken, so %(name)s can't re-enter.") % {"name": entry.name}
        )


def return_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Re-enter a dropped player: an undo if no round was published since, otherwise with losses for those rounds."""
    event = entry.event
    with door("return-entry", by=by, event=event, on=entry, version=version, reason=reason) as writing:
        _may_return(event, entry)
        begun = rounds_begun(event)
        _may_rejoin_team(event, entry)
        missed = 0 if event.teams_of_two else begun - (entry.dropped_after or 0)
        if missed > 0:
            must_allow_late_entry(event, begun)
            if not confirmed:
                text = ngettext(
                    "%(name)s gets a loss for the round missed.",
                    "%(name)s gets a loss for each of the %(n)d rounds missed.",
                    missed,
                )
                raise NeedsConfirmation(writing.answer.action.label, [text % {"name": entry.name, "n": missed}])
        writing.save(entry, state=Entry.State.CHECKED_IN, dropped_after=None, return_asked=None)
        missed = record_missed_rounds(writing, event, entry, Match.Kind.MISSED)
        _follow(writing, event, entry)
        writing.is_non_standard = bool(missed)
        writing.says("re-entered", name=entry.name)
    return entry


def disqualify_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Disqualify a player; confirmed results stay as they are."""
    event = entry.event
    game = open_match(entry)
    lines = [
        _("%(name)s won't be paired again. Matches already played still count in the standings.") % {"name": entry.name}
    ]
    if game is not None:
        lines.append(
            _("The match at table %(table)s is still open. Enter its result on the table's page.")
            % {"table": game.table}
        )
    if event.rounds.filter(state=Round.State.DRAFT).exists():
        lines.append(_("The draft of the next round must be re-paired."))
    with door(
        "disqualify-entry", by=by, event=event, on=entry, version=version, reason=reason, confirmed=confirmed,
        consequences=lines,
    ) as writing:  # fmt: skip
        if entry.state not in (*SEATED, Entry.State.DROPPED):
            raise Refused(state_in_words(entry))
        if not confirmed:
            raise NeedsConfirmation(_("Disqualify %(name)s") % {"name": entry.name}, lines, needs_reason=True)
        after = entry.dropped_after if entry.dropped_after is not None else rounds_begun(event)
        writing.save(entry, state=Entry.State.DISQUALIFIED, dropped_after=after)
        _follow(writing, event, entry)
        writing.says("disqualified", name=entry.name)
    return entry


def requalify_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Withdraw a disqualification: the player counts as dropped and may re-enter."""
    event = entry.event
    lines = [_("%(name)s will be listed as dropped and can then re-enter.") % {"name": entry.name}]
    with door(
        "disqualify-entry", by=by, event=event, on=entry, version=version, reason=reason, confirmed=confirmed,
        consequences=lines,
    ) as writing:  # fmt: skip
        if entry.state != Entry.State.DISQUALIFIED:
            raise Refused(
                _("%(name)s isn't disqualified. Reload the page to see the current state.") % {"name": entry.name}
            )
        writing.save(entry, state=Entry.State.DROPPED)
        writing.says("disqualification-withdrawn", name=entry.name)
    return entry
