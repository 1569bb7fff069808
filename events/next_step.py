"""The next step of an event: what it is waiting for, and the one button for it.

Pure function from a `Situation` to a `NextStep`. URLs are named, not resolved; the action table decides who may press a
button.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .results.words import round_name, short_round_name

Text = str | Promise


@dataclass(frozen=True)
class RoundNow:
    """The newest round: open and disputed tables by number, why a draft is out of date, the clock's phase.

    `undrafted` tables have no booster draft; `drafting` ones haven't finished theirs.
    """

    number: int
    state: str
    stage: str = "main"
    bracket_size: int | None = None
    tables: int = 0
    open_tables: tuple[int, ...] = ()
    disputed: tuple[int, ...] = ()
    half_reported: tuple[int, ...] = ()
    stale: tuple[str, ...] = ()
    clock: str = "waiting"
    clock_runs: bool = False
    undrafted: int = 0
    drafting: int = 0

    @property
    def name(self) -> str:
        """Its name at the start of a sentence."""
        return round_name(self.number, self.bracket_size)


@dataclass(frozen=True)
class Situation:
    """The state of an event. `has_begun`: its start has passed; `is_near`: it starts within half a day.

    `missing`: what must be done before it can be opened. `lost_by_both`: tables of the bracket's last round without a
    winner. `is_battle_royale`: players draft their forces from boosters, and prizes at the end.
    `drafted_before`: boosters were drafted in an earlier round.
    """

    state: str
    style: str = "swiss"
    entered: int = 0
    checked_in: int = 0
    waiting: int = 0
    free_seats: int = 0
    has_begun: bool = False
    is_near: bool = True
    round: RoundNow | None = None
    planned: int = 0
    cut_to: int = 0
    bracket_decided: bool = False
    final_played: bool = False
    lost_by_both: tuple[int, ...] = ()
    is_battle_royale: bool = False
    drafted_before: bool = False
    is_practice: bool = False
    is_reported: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class StepButton:
    """A button: label, URL name, and the action that must be allowed; `post` writes something."""

    label: str
    name: str
    parts: tuple[Any, ...] = ()
    verb: str = "see-console"
    post: bool = False


@dataclass(frozen=True)
class NextStep:
    """The next step: a key, a sentence, some detail, its button, and less prominent ones."""

    key: str
    title: str
    hint: str = ""
    main: StepButton | None = None
    others: tuple[StepButton, ...] = field(default=())


def next_step(now: Situation) -> NextStep:
    """Return the next step for the officials."""
    by_state: dict[str, Callable[[Situation], NextStep]] = {
        "draft": _not_open,
        "open": _before_the_start,
        "running": _while_running,
        "finished": _after_the_end,
        "verified": _after_verifying,
    }
    step = by_state.get(now.state)
    if step is None:
        return NextStep("cancelled", _("The event is cancelled."), _("Nothing to do."))
    return step(now)


def _not_open(now: Situation) -> NextStep:
    if now.missing:
        return NextStep(
            "open-event",
            _("The event isn't open yet"),
            " ".join(now.missing),
            StepButton(_("Finish set-up"), "events:edit", verb="change-event"),
            (StepButton(_("View officials"), "events:officials", verb="change-officials"),),
        )
    return NextStep(
        "open-event",
        _("Ready to open"),
        _("Players can register once you open registration."),
        StepButton(_("Open registration"), "events:open", verb="open-event", post=True),
        (StepButton(_("View event"), "events:event"),),
    )


def _before_the_start(now: Situation) -> NextStep:
    check_in = StepButton(_("Check in players"), "events:check-in", verb="check-in")
    enter = StepButton(_("Add player"), "events:entry-add", verb="add-entry")
    from_list = StepButton(_("Import players"), "events:entries-import", verb="import-entries")
    pair = StepButton(_("Pair round 1"), "events:draft-next", verb="draft-round", post=True)
    absent = now.entered
    total = now.entered + now.checked_in
    if total < 2:
        title = ngettext("%(n)d player registered", "%(n)d players registered", total) % {"n": total}
        return NextStep("enter", title, _("A round needs at least two players."), enter, (from_list, check_in))
    if not (now.is_near or now.checked_in):
        title = ngettext("%(n)d player registered", "%(n)d players registered", total) % {"n": total}
        look = StepButton(_("View players"), "events:entries")
        return NextStep(
            "entering", title, _("Check in players on the day of the event."), look, (enter, from_list, check_in)
        )
    if now.checked_in < 2 or (absent and not now.has_begun):
        title = _("%(there)d of %(total)d players checked in") % {"there": now.checked_in, "total": total}
        hint = _("Players who aren't checked in won't be paired.")
        others = (enter, pair) if now.checked_in >= 2 else (enter, from_list)
        return NextStep("check-in", title, hint, check_in, others)
    title = _("%(there)d players checked in. Pair round 1.") % {"there": now.checked_in}
    hint = (
        ngettext(
            "%(n)d player isn't checked in and won't be paired. Late arrivals can still join.",
            "%(n)d players aren't checked in and won't be paired. Late arrivals can still join.",
            absent,
        )
        % {"n": absent}
        if absent
        else _("All registered players are checked in.")
    )
    return NextStep("pair", title, hint, pair, (check_in, enter))


def _while_running(now: Situation) -> NextStep:
    round_ = now.round
    if round_ is None:
        return NextStep(
            "pair",
            _("No round has been paired"),
            "",
            StepButton(_("Pair round 1"), "events:draft-next", verb="draft-round", post=True),
            (StepButton(_("Check in players"), "events:check-in", verb="check-in"),),
        )
    return {"draft": _draft, "published": _playing, "running": _playing, "complete": _between}[round_.state](
        now, round_
    )


def _draft(now: Situation, round_: RoundNow) -> NextStep:
    look = StepButton(_("View draft"), "events:draft", (round_.number,), verb="see-drafts")
    if round_.stale:
        return NextStep(
            "pair-again",
            _("%(round)s: the draft is out of date") % {"round": round_.name},
            " ".join(round_.stale[:3]),
            look,
        )
    return NextStep(
        "publish",
        _("%(round)s is paired. Check the draft, then publish it.") % {"round": round_.name},
        _("Players can't see the draft yet."),
        look,
        (StepButton(_("Check in players"), "events:check-in", verb="check-in"),),
    )


def _playing(now: Situation, round_: RoundNow) -> NextStep:
    number = round_.number
    enter = StepButton(_("Enter results"), "events:results", (number,), verb="enter-result")
    clock = StepButton(_("Go to clock"), "events:clock", verb="run-clock")
    still_open = len(round_.open_tables)
    if not still_open:
        return NextStep(
            "complete",
            _("%(round)s: all results are in") % {"round": round_.name},
            _("Resolve all calls and appeals before you complete the round."),
            StepButton(
                _("Complete %(round)s") % {"round": short_round_name(number, round_.bracket_size)},
                "events:complete", (number,), "complete-round", True,
            ),
            (enter, StepButton(_("View standings"), "events:standings")),
        )  # fmt: skip
    if round_.disputed:
        table = round_.disputed[0]
        return NextStep(
            "decide",
            ngettext(
                "Table %(tables)s: the two reports don't match", "Tables %(tables)s: the reports don't match", len(round_.disputed)
            ) % {"tables": ", ".join(map(str, round_.disputed))},
            _("Ask both players, then enter the result."),
            StepButton(_("Go to table %(table)d") % {"table": table}, "events:table", (number, table), "decide-result"),
            (enter, clock),
        )  # fmt: skip
    if still_open == round_.tables and round_.clock in ("waiting", "ready"):
        return _start(now, round_, clock, enter)
    title = ngettext("%(n)d table open", "%(n)d tables open", still_open) % {"n": still_open}
    if still_open <= 6:
        title += ": " + ", ".join(map(str, round_.open_tables))
    hint = {
        "waiting": _("The clock hasn't started."),
        "preparation": _("Preparation time is running."),
        "ready": _("Preparation is over."),
        "round": _("The clock is running.") if round_.clock_runs else _("The clock is paused."),
        "over": _("Time has been called."),
    }.get(round_.clock, "")
    if round_.clock == "preparation":
        return NextStep(
            "prepare", _("%(round)s: players are preparing") % {"round": round_.name}, hint, clock, (enter,)
        )
    return NextStep("results", title, hint, enter, (clock,))


def _start(now: Situation, round_: RoundNow, clock: StepButton, enter: StepButton) -> NextStep:
    number = round_.number
    boosters = StepButton(_("Go to booster draft"), "events:boosters", (number,))
    if round_.drafting or (round_.undrafted and now.is_battle_royale and not now.drafted_before):
        return _draft_boosters(round_, boosters, clock)
    papers = StepButton(_("Print pairings"), "events:pairings-pdf", (number,), "see-console")
    slips = StepButton(_("Print slips"), "events:slips-pdf", (number,), "see-console")
    if round_.clock == "ready":
        words = _("%(round)s: preparation is over. Start the clock.")
    else:
        words = _("%(round)s is published. Start the clock.")
    go = StepButton(_("Go to clock"), clock.name, clock.parts, clock.verb)
    drafts = (boosters,) if now.is_battle_royale else ()
    others = (*drafts, papers, slips, enter)
    return NextStep("start", words % {"round": round_.name}, _("Players are finding their tables."), go, others)


def _draft_boosters(round_: RoundNow, boosters: StepButton, clock: StepButton) -> NextStep:
    """Boosters are drafted before the clock starts: the figures become the forces."""
    sheets = StepButton(_("Print draft sheets"), "events:boosters-pdf", (round_.number,))
    go = StepButton(_("Go to clock"), clock.name, clock.parts, clock.verb)
    if not round_.drafting:
        title = _("%(round)s is published. Start the booster draft.")
        hint = _(
            "Players build their forces from the figures they draft. When every table has drafted, start the clock."
        )
        return NextStep("boosters", title % {"round": round_.name}, hint, boosters, (sheets, go))
    title = ngettext(
        "%(round)s: %(n)d table is drafting", "%(round)s: %(n)d tables are drafting", round_.drafting
    ) % {"round": round_.name, "n": round_.drafting}  # fmt: skip
    hint = _("When every table has drafted, start the clock.")
    if round_.undrafted:
        waiting = ngettext(
            "%(n)d table hasn't started its draft.", "%(n)d tables haven't started their drafts.", round_.undrafted
        )
        hint = f"{waiting % {'n': round_.undrafted}} {hint}"
    return NextStep("boosters", title, hint, boosters, (go, sheets))


def _between(now: Situation, round_: RoundNow) -> NextStep:
    standings = StepButton(_("View standings"), "events:standings")
    end = StepButton(_("Finish event"), "events:end", verb="finish-event", post=True)
    following = short_round_name(round_.number + 1, round_.bracket_size // 2 if round_.bracket_size else None)
    pair = StepButton(_("Pair %(round)s") % {"round": following}, "events:draft-next", (), "draft-round", True)
    in_bracket = round_.stage == "cut" or now.style == "elimination"
    last_words = _("Finish the event, then verify the results.")
    if in_bracket and now.bracket_decided:
        return NextStep("finish", _("The bracket has a winner"), last_words, end, (standings,))
    if in_bracket and now.lost_by_both:
        return _no_winner(now, round_, pair, end)
    if in_bracket:
        return NextStep(
            "pair",
            _("%(round)s is complete") % {"round": round_.name},
            _("The winners advance."),
            pair,
            (standings, end),
        )
    if now.checked_in < 2:
        left = _("Finish the event, or re-enter players who dropped.")
        title = ngettext(
            "%(n)d player remains. No pairing is possible.",
            "%(n)d players remain. No pairing is possible.",
            now.checked_in,
        )
        return NextStep(
            "finish",
            title % {"n": now.checked_in},
            left,
            end,
            (StepButton(_("View players"), "events:entries"), standings),
        )
    if round_.number < now.planned:
        hint = _("%(played)d of %(planned)d rounds played.") % {"played": round_.number, "planned": now.planned}
        check_in = StepButton(_("Check in late players"), "events:check-in", verb="check-in")
        return NextStep("pair", _("%(round)s is complete") % {"round": round_.name}, hint, pair, (standings, check_in))
    if now.cut_to:
        cut = StepButton(_("Cut to top %(n)d") % {"n": now.cut_to}, "events:cut", verb="cut", post=True)
        title = ngettext(
            "The only round is complete. Cut to the top players.",
            "All %(n)d rounds are complete. Cut to the top players.",
            now.planned,
        )
        return NextStep("cut", title % {"n": now.planned}, "", cut, (standings, end))
    return NextStep(
        "finish",
        ngettext("The only round is complete", "All %(n)d rounds are complete", now.planned) % {"n": now.planned},
        last_words,
        end,
        (standings, *_prizes(now)),
    )


def _prizes(now: Situation) -> tuple[StepButton, ...]:
    return (
        (StepButton(_("Go to prize draft"), "events:prizes", verb="edit-prize-draft"),) if now.is_battle_royale else ()
    )


def _no_winner(now: Situation, round_: RoundNow, pair: StepButton, end: StepButton) -> NextStep:
    """Both players lost a match of the bracket: no rulebook covers this, so the head judge decides."""
    again = StepButton(_("Replay match"), "events:replay", (), "replay-bracket", True)
    tables = ", ".join(map(str, now.lost_by_both))
    look = StepButton(
        _("Correct table %(table)d's result") % {"table": now.lost_by_both[0]},
        "events:table",
        (round_.number, now.lost_by_both[0]),
        "correct-result",
    )
    if now.final_played:
        words = _(
            "Both players lost, and the rulebooks don't cover this. The head judge can have the match replayed, "
            "correct its result, or finish the event without a winner."
        )
        return NextStep("replay", _("The final has no winner"), words, again, (look, end))
    words = ngettext(
        "Both players lost, and the rulebooks don't cover this. The head judge can have the match replayed "
        "or correct its result. Otherwise the next opponent advances without playing.",
        "Both players lost each of these matches, and the rulebooks don't cover this. The head judge can have the "
        "matches replayed or correct their results. Otherwise the next opponents advance without playing.",
        len(now.lost_by_both),
    )
    title = ngettext("No winner at table %(tables)s", "No winner at tables %(tables)s", len(now.lost_by_both))
    return NextStep("replay", title % {"tables": tables}, words, again, (look, pair, end))


def _after_the_end(now: Situation) -> NextStep:
    return NextStep(
        "verify",
        _("All matches are finished. Verify the results."),
        _("The head judge checks the results once more. The venue then gets a copy."),
        StepButton(_("Verify results"), "judging:finish"),
        (StepButton(_("View standings"), "events:standings"), *_prizes(now)),
    )


def _after_verifying(now: Situation) -> NextStep:
    standings = StepButton(_("View standings"), "events:standings")
    if now.is_practice or now.is_reported:
        return NextStep(
            "done", _("Event complete"), "", StepButton(_("Go to result sheet"), "judging:finish"), (standings,)
        )
    return NextStep(
        "report",
        _("Report the verified results"),
        _("The report is due 16 days after the event ends."),
        StepButton(_("Report results"), "judging:finish"),
        (standings,),
    )
