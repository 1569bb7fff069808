"""The verbs of a prize draft: list the pool, start with the order of the standings, pick, skip, withdraw the last pick."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from events.actions import ACTIONS
from events.door import Refused, Stale, Writing, door
from events.models import Event, Force, PrizeDraft, Role, Round, SeriesDraft
from events.models.drafts import turns_as_json
from events.queries import current_round, standings_of
from events.roles import Actor
from events.snake import NotPossible, SnakeDraft

MAX_PRIZES = 500
MAX_LETTERS = 120
FOR_ANYONE = ACTIONS["pick-prize"].roles - {Role.PLAYER}
"""The roles that record a pick for whoever's turn it is."""


def draft_of(event: Event) -> PrizeDraft | None:
    """Return the event's prize draft, or None."""
    return PrizeDraft._default_manager.filter(event=event).first()


def has_forces(event: Event) -> bool:
    """Return whether forces were submitted, whose figures can become prizes."""
    return Force.objects.filter(entry__event=event, state=Force.State.SUBMITTED).exists()


def figures_of_forces(event: Event) -> list[str]:
    """Return the figures of the submitted forces by entry, each as often as it occurs."""
    forces = Force.objects.filter(entry__event=event, state=Force.State.SUBMITTED).order_by("entry__number", "pk")
    newest = {force.entry_id: force.document for force in forces}
    lists = (
        document.get("force", {}).get(part, ()) for document in newest.values() for part in ("characters", "sideline")
    )
    return [str(one.get("name", "")).strip() for figures in lists for one in figures if one.get("name")]


def prize_lines(prizes: Iterable[str]) -> list[str]:
    """Return the prizes as kept: in one line each, without empty ones."""
    lines = (" ".join(line.split())[:MAX_LETTERS] for line in prizes)
    return [line for line in lines if line]


def keep_prizes(writing: Writing, draft: PrizeDraft | SeriesDraft, lines: list[str]) -> None:
    """Keep the prizes of a draft, of an event or of a series; raise Refused if they are too many or a picked one is gone."""
    if len(lines) > MAX_PRIZES:
        raise Refused(_("Enter at most %(most)d prizes.") % {"most": MAX_PRIZES})
    kept = draft.snake
    try:
        SnakeDraft(kept.order, tuple(lines), kept.turns)
    except NotPossible:
        raise Refused(
            _("You changed or removed prizes that have already been picked. Restore their lines, then save again.")
        ) from None
    writing.save(draft, pool=lines)


def edit_pool(
    *, by: Actor, event: Event, prizes: Iterable[str], version: int | None = None, reason: str = "", confirmed: bool = False
) -> PrizeDraft:  # fmt: skip
    """List the prizes, one a line; a line may occur several times. Prizes that were picked must stay."""
    lines = prize_lines(prizes)
    row = draft_of(event)
    with door(
        "edit-prize-draft", by=by, event=event, on=row, version=version, reason=reason, confirmed=confirmed
    ) as writing:
        if row is None and (made := draft_of(event)) is not None:
            raise Stale(made)
        draft = row or writing.create(PrizeDraft, event=event)
        keep_prizes(writing, draft, lines)
        writing.says("prizes-listed", n=len(lines))
    return draft


def move_up(
    *, by: Actor, event: Event, number: int, version: int | None = None, reason: str = "", confirmed: bool = False
) -> PrizeDraft:  # fmt: skip
    """Let an entry pick before the one in front of it, for example after a roll-off of tied players."""
    with _on_draft("edit-prize-draft", by, event, version, reason, confirmed) as (writing, draft):
        order = list(draft.order)
        if draft.turns:
            raise Refused(_("The order can't change after the first pick. Withdraw the picks first."))
        if number not in order[1:]:
            raise Refused(
                _("This player is already first, or isn't in the prize draft. Reload the page to see the order.")
            )
        at = order.index(number)
        order[at - 1 : at + 1] = [order[at], order[at - 1]]
        writing.save(draft, order=order)
        writing.says("prize-order-changed", name=_name(event, number), place=at)
    return draft


def start(
    *, by: Actor, event: Event, version: int | None = None, reason: str = "", confirmed: bool = False
) -> PrizeDraft:
    """Start with the order of the standings, without players who were disqualified."""
    with _on_draft("start-prize-draft", by, event, version, reason, confirmed, started=False) as (writing, draft):
        newest = current_round(event)
        if newest is None:
            raise Refused(_("Play a round first. The order of picks comes from the standings."))
        if newest.state != Round.State.COMPLETE:
            raise Refused(_("Complete the round first. The order of picks comes from the standings."))
        if not draft.pool:
            raise Refused(_("List the prizes first."))
        places = standings_of(event)
        order = [place.number for place in places if not place.is_disqualified]
        writing.save(draft, order=order)
        writing.says("prize-draft-started", n=len(draft.pool))
    return draft


def pick(
    *, by: Actor, event: Event, prize: str, version: int | None = None, reason: str = "", confirmed: bool = False
) -> PrizeDraft:  # fmt: skip
    """Record a pick: the player whose turn it is, or the desk for them."""
    with _on_draft("pick-prize", by, event, version, reason, confirmed) as (writing, draft):
        before = draft.snake
        number = before.whose
        if not (by.is_site or by.roles(event=event) & FOR_ANYONE):
            own = by.entry_at(event)
            if own is None or own.number != number:
                raise Refused(_("It isn't your turn to pick. Reload the page to see whose turn it is."))
        if prize not in before.left:
            raise Refused(_("This prize has already been picked. Choose a different one."))
        _take(writing, draft, before.pick(prize))
        writing.says("prize-picked", name=_name(event, number), prize=prize)
    return draft


def skip(
    *,
    by: Actor,
    event: Event,
    for_good: bool = False,
    version: int | None = None,
    reason: str = "",
    confirmed: bool = False,
) -> PrizeDraft:
    """Skip the turn of a player who is absent; the reason is its note. `for_good` skips all of that player's turns."""
    now, later = (
        _("The player whose turn it is gets no prize this time."),
        _("The player whose turn it is gets no more prizes."),
    )
    means = [later if for_good else now]
    with _on_draft("skip-prize-turn", by, event, version, reason, confirmed, consequences=means) as (writing, draft):
        before = draft.snake
        number = before.whose
        if number is None:
            raise Refused(_("The prize draft is over."))
        _take(writing, draft, before.skip(reason.strip()[:200], for_good=for_good))
        writing.says("prize-turns-skipped" if for_good else "prize-turn-skipped", name=_name(event, number))
    return draft


def withdraw_pick(
    *, by: Actor, event: Event, version: int | None = None, reason: str = "", confirmed: bool = False
) -> PrizeDraft:
    """Withdraw the last pick or skipped turn."""
    with _on_draft("withdraw-prize-pick", by, event, version, reason, confirmed) as (writing, draft):
        before = draft.snake
        if not before.turns:
            raise Refused(_("No prize has been picked yet, so no pick can be withdrawn."))
        last = before.turns[-1]
        _take(writing, draft, before.without_last())
        name = _name(event, last.name)
        if last.prize is None:
            writing.says("prize-skip-withdrawn", name=name)
        else:
            writing.says("prize-pick-withdrawn", name=name, prize=last.prize)
    return draft


def _take(writing: Writing, draft: PrizeDraft, after: SnakeDraft[int]) -> None:
    writing.save(draft, turns=turns_as_json(after))


def _name(event: Event, number: int | None) -> str:
    return "" if number is None else event.entries.values_list("name", flat=True).filter(number=number).first() or ""


@contextlib.contextmanager
def _on_draft(
    verb: str,
    by: Actor,
    event: Event,
    version: int | None,
    reason: str,
    confirmed: bool,
    *,
    started: bool = True,
    consequences: Iterable[str] = (),
) -> Iterator[tuple[Writing, PrizeDraft]]:
    """Open the door on the event's draft, which must have started, or must not have."""
    row = draft_of(event)
    with door(
        verb, by=by, event=event, on=row, version=version, reason=reason, confirmed=confirmed, consequences=consequences
    ) as writing:
        if row is None:
            raise Refused(_("This event has no prizes yet. List the prizes first."))
        if started and not row.has_started:
            raise Refused(_("The prize draft hasn't started. An official must start it first."))
        if row.has_started and not started:
            raise Refused(_("The prize draft has already started. Reload the page to see it."))
        yield writing, row
