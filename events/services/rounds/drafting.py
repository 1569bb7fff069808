"""Drafts: pairing a round, re-pairing it, cutting to the top, replaying, and discarding."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import Text
from events.choices import LARGEST_CUT, scenario_of_round
from events.door import NeedsConfirmation, Refused, Writing, door
from events.models import Event, Match, Round
from events.results.result import SEATS
from events.roles import Actor
from events.tournament import number_of, number_tables
from rules.labels import labelled

from ..policy import may_still_be_held
from ..rounds_byes import lost_drafts, remove_match
from ..rounds_field import Field, read_field
from ..rounds_styles import DrawnRound, best, bracket_again, bracket_start, next_pairing
from .asked import REPAIRED, bracket_has_winner, lost_by_both, only_played, why_no_next_round
from .publishing import _clock_of


def _seat(writing: Writing, round: Round, paired: DrawnRound, field: Field) -> None:
    tables = number_tables(paired.pairs, field.fixed_tables, round.event.first_table)
    rows = []
    for place, (seated, table) in enumerate(zip(paired.pairs, tables, strict=True)):
        entries = {
            seat: field.by_number[number_of(player)]
            for seat, player in zip(SEATS, seated, strict=False)
            if player is not None
        }
        rows.append(
            Match(round=round, table=table, kind=paired.kind(place), bracket_slot=paired.slot(place), **entries)
        )
    writing.create_many(Match, rows)


def _draft(
    writing: Writing,
    event: Event,
    number: int,
    stage: str,
    paired: DrawnRound,
    field: Field,
    changes: list[dict[str, Any]],
) -> Round:
    try:
        round = writing.create(
            Round,
            event=event,
            number=number,
            stage=stage,
            bracket_size=paired.bracket_size,
            scenario=scenario_of_round(event.scenarios, number),
            seed=paired.tournament["seed"],
            tournament=paired.tournament,
            pairing_report=paired.report,
            changes_by_hand=changes,
            **_clock_of(event, paired.bracket_size),
        )
    except IntegrityError:
        raise Refused(_("Another official has just paired this round. Reload the page to see the draft.")) from None
    _seat(writing, round, paired, field)
    return round


def _rematch_note(by: Actor, writing: Writing, reason: str) -> dict[str, Any]:
    return {"what": "rematch-allowed", "by": by.name, "at": writing.at.isoformat(), "reason": reason.strip()}


def _need_reason_for_rematch(reason: str) -> None:
    if not reason.strip():
        raise NeedsConfirmation(
            _("Allow rematch"),
            [_("Players who have already met may be paired again, with as few rematches as possible.")],
            needs_reason=True,
        )


def draft_round(
    *,
    by: Actor,
    event: Event,
    allow_rematch: bool = False,
    confirmed: bool = False,
    reason: str = "",
    version: int | None = None,
) -> Round:
    """Pair the next round in the event's style and save it as a draft that players can't see.

    The first pairing ends online registration, publishes the event's seed and starts the event. Raise Refused if a
    round isn't complete, if too few play or no legal pairing is left (unless a rematch is allowed with a reason), or if
    all planned rounds have been played.
    """
    with door("draft-round", by=by, event=event, reason=reason) as writing:
        last = event.rounds.order_by("-number").first()
        if why := why_no_next_round(event, last):
            raise Refused(why)
        if bracket_has_winner(event, last):
            raise Refused(_("The bracket has a winner. Finish the event."))
        if allow_rematch:
            _need_reason_for_rematch(reason)
            writing.is_non_standard = True
        field = read_field(event)
        number = last.number + 1 if last else 1
        in_cut = last is not None and last.stage == Round.Stage.CUT
        if len(field.playing) < 2:
            raise Refused(_("A round needs at least two players. Check in more players first."))
        if event.teams_of_two and sum(team.is_playing for team in field.teams) < 2:
            raise Refused(_("A round needs at least two teams with both players checked in."))
        if not in_cut and event.pairing_style != Event.Style.ELIMINATION and number > field.planned_rounds:
            raise Refused(
                ngettext(
                    "The only round is complete. Finish the event, cut to the top players, or change the number of rounds.",
                    "All %(n)d rounds are complete. Finish the event, cut to the top players, or change the number of rounds.",
                    field.planned_rounds,
                )
                % {"n": field.planned_rounds}
            )
        paired = next_pairing(event, field, number, last, allow_rematch=allow_rematch)
        if event.state == Event.State.OPEN:
            may_still_be_held(event)
            writing.save(event, state=Event.State.RUNNING, self_check_in=False)
        changes = [_rematch_note(by, writing, reason)] if allow_rematch else []
        stage = Round.Stage.CUT if in_cut else Round.Stage.MAIN
        round = _draft(writing, event, number, stage, paired, field, changes)
        writing.says(
            "paired", round=round, seed=round.seed, tables=sum(seated[1] is not None for seated in paired.pairs)
        )
    return round


def replay_bracket(
    *, by: Actor, event: Event, confirmed: bool = False, reason: str = "", version: int | None = None
) -> Round:
    """Draft a round in which the bracket matches that both players lost are replayed.

    The winners of that round wait. The rulebooks don't cover a double loss in a bracket: the head judge decides. Raise
    Refused if every match has a winner.
    """
    lines = [
        labelled(_("Table %(table)s") % {"table": match.table}, f"{match.a} – {match.b}")
        for match in lost_by_both(event, event.rounds.order_by("-number").first())
    ]
    with door(
        "replay-bracket",
        by=by,
        event=event,
        reason=reason,
        confirmed=confirmed,
        version=version,
        consequences=lines,
    ) as writing:
        last = event.rounds.order_by("-number").first()
        lost = lost_by_both(event, last)
        if last is None or not lost:
            raise Refused(_("Every match of the last bracket round has a winner, so no match needs a replay."))
        field = read_field(event)
        sitting = [match for match in field.matches if match.round == last]
        paired = bracket_again(field, last.number + 1, last, sitting)
        note = {
            "what": "replay",
            "tables": [match.table for match in lost],
            "by": by.name,
            "at": writing.at.isoformat(),
            "reason": reason.strip(),
        }
        round = _draft(writing, event, last.number + 1, last.stage, paired, field, [note])
        writing.says(
            "bracket-replayed",
            round=round,
            tables=[match.table for match in lost],
            before=last,
        )
    return round


def draft_cut(
    *,
    by: Actor,
    event: Event,
    places: int | None = None,
    third_place: bool | None = None,
    confirmed: bool = False,
    reason: str = "",
    version: int | None = None,
) -> Round:
    """Pair the first round of a cut to the top players by standings, the best against the last.

    A cut of another size than 2, 4, 8 or 16 gives the best a bye. `third_place`: whether the losing semifinalists will
    play for third place; None leaves the event's setting.
    """
    places = places or event.cut_to
    with door("cut", by=by, event=event, reason=reason) as writing:
        if not 2 <= places <= LARGEST_CUT:
            raise Refused(_("Choose a cut from 2 to %(most)d players.") % {"most": LARGEST_CUT})
        last = event.rounds.order_by("-number").first()
        if last is None:
            raise Refused(_("Play at least one main round before the cut."))
        if why := why_no_next_round(event, last):
            raise Refused(why)
        if event.has_tables:
            raise Refused(_("Events at tables of three or four have no cut."))
        if event.teams_of_two:
            raise Refused(_("Events with teams of two have no cut."))
        if last.stage == Round.Stage.CUT or event.pairing_style == Event.Style.ELIMINATION:
            raise Refused(_("The bracket has already started, so no cut is possible."))
        field = read_field(event)
        players = best(field, places)
        if len(players) < 2:
            raise Refused(_("Fewer than two players remain, so a cut isn't possible. Finish the event."))
        if last.number < field.planned_rounds and not confirmed:
            raise NeedsConfirmation(
                _("Cut to top %(n)d") % {"n": places},
                [only_played(last, field)],
            )  # fmt: skip
        if third_place is not None and third_place != event.third_place:
            writing.save(event, third_place=third_place)
        number = last.number + 1
        paired = bracket_start(field, number, players)
        round = _draft(writing, event, number, Round.Stage.CUT, paired, field, [])
        writing.says("cut", n=len(players), round=round)
    return round


def pair_again(
    *,
    by: Actor,
    round: Round,
    allow_rematch: bool = False,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
) -> Round:
    """Re-pair a draft from current data; manual changes are lost after confirmation."""
    event = round.event
    with door("pair-again", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        if allow_rematch:
            _need_reason_for_rematch(reason)
            writing.is_non_standard = True
        _confirm_losses(_("Re-pair"), round, confirmed=confirmed)
        field = read_field(event)
        previous = event.rounds.filter(number__lt=round.number).order_by("-number").first()
        if why := why_no_next_round(event, previous):
            raise Refused(why)
        if round.stage == Round.Stage.CUT and (previous is None or previous.stage != Round.Stage.CUT):
            places = len(round.pairing_report.get("seeds", [])) or event.cut_to
            paired = bracket_start(field, round.number, best(field, places))
        else:
            paired = next_pairing(event, field, round.number, previous, allow_rematch=allow_rematch)
        for match in round.matches.all():
            remove_match(writing, match)
        writing.save(
            round,
            bracket_size=paired.bracket_size,
            tournament=paired.tournament,
            pairing_report=paired.report,
            seed=paired.tournament["seed"],
            changes_by_hand=[_rematch_note(by, writing, reason)] if allow_rematch else [],
        )
        _seat(writing, round, paired, field)
        writing.says("paired-again", round=round)
    return round


def _confirm_losses(what: Text, round: Round, *, confirmed: bool) -> None:
    """Raise NeedsConfirmation if the draft's manual changes or booster drafts would be lost."""
    lost = [*lost_drafts(round.event, round.matches.all())]
    if n := sum(change.get("what") in REPAIRED for change in round.changes_by_hand):
        words = ngettext("%(n)d manual change will be lost.", "%(n)d manual changes will be lost.", n)
        lost.insert(0, words % {"n": n})
    if lost and not confirmed:
        raise NeedsConfirmation(what, lost, takes_away=True)


def discard_draft(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, **_unused: object
) -> None:
    """Discard a draft; if it was the first round, registration reopens. Manual changes and booster drafts go after confirmation."""
    event = round.event
    with door("discard-draft", by=by, event=event, on=round, version=version) as writing:
        round.event = event
        _confirm_losses(writing.answer.action.label, round, confirmed=confirmed)
        for match in round.matches.all():
            remove_match(writing, match)
        if round.number == 1:
            writing.save(event, state=Event.State.OPEN)
        writing.says("draft-discarded", round=round)
        writing.delete(round)
