"""The prize draft at the end of a series: its pool, its order from the final table, and the picks.

A player picks on their own phone when it is their turn; a manager of the organising venue may pick for anyone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import ACTIONS
from events.door import Refused, Stale, Writing, door
from events.models import Role, Series, SeriesDraft
from events.models.drafts import turns_as_json
from events.roles import Actor
from events.series_table import proved_keys, series_table

from .prizes import keep_prizes, prize_lines

SHOWN = 5
END_FIRST = gettext_lazy("End the series first. The order of picks comes from the final standings.")


def draft_of(series: Series) -> SeriesDraft | None:
    """Return the series' prize draft, or None."""
    return SeriesDraft._default_manager.filter(series=series).first()


def held(series: QuerySet[Series]) -> list[SeriesDraft]:
    """Return the drafts of these series in which someone picks now, the newest first. One query."""
    rows = SeriesDraft._default_manager.filter(series__in=series, series__ended__isnull=False).exclude(order=[])
    found = rows.select_related("series").order_by("-pk")[:SHOWN]
    return [draft for draft in found if draft.snake.whose is not None]


FOR_ANYONE = ACTIONS["pick-series-prize"].roles - {Role.PLAYER}
"""The roles that record a pick for whoever's turn it is."""


@contextlib.contextmanager
def _on_draft(
    verb: str,
    by: Actor,
    draft: SeriesDraft,
    version: int | None,
    also: frozenset[Role] = frozenset(),
) -> Iterator[Writing]:
    """Open the door on a series' draft, and have the pages that follow the series notified."""
    series = draft.series
    with door(verb, by=by, venue=series.venue, on=draft, version=version, also=also) as writing:
        writing.series = series.public_id
        yield writing


def edit_prizes(*, by: Actor, series: Series, prizes: Iterable[str], version: int | None = None) -> SeriesDraft:
    """List the prizes, one a line; a line may occur several times. Prizes that were picked must stay."""
    lines = prize_lines(prizes)
    row = draft_of(series)
    with door("edit-series-prizes", by=by, venue=series.venue, on=row, version=version) as writing:
        if row is None and (made := draft_of(series)) is not None:
            raise Stale(made)
        writing.series = series.public_id
        draft = row or writing.create(SeriesDraft, series=series)
        keep_prizes(writing, draft, lines)
        writing.says("series-prizes-listed", series=series, n=len(lines))
    return draft


def start(*, by: Actor, draft: SeriesDraft, version: int | None = None) -> SeriesDraft:
    """Start with the order of the final table, eligible players only; again as long as nothing was picked."""
    with _on_draft("run-series-draft", by, draft, version) as writing:
        if not draft.series.is_over:
            raise Refused(END_FIRST)
        if draft.turns:
            raise Refused(_("The prize draft has already started. Reload the page to see it."))
        if not draft.pool:
            raise Refused(_("List the prizes first."))
        order = [player.entry for player in series_table(draft.series).prize_order]
        if not order:
            raise Refused(_("No player is eligible for the prize draft."))
        writing.save(draft, order=order)
        writing.says("series-draft-started", series=draft.series)
    return draft


def pick(*, by: Actor, draft: SeriesDraft, prize: str, version: int | None = None) -> SeriesDraft:
    """Record a pick: the player whose turn it is, or a manager of the organising venue for them."""
    series, own = draft.series, frozenset[int]()
    for_anyone = by.roles(venue=series.venue) & FOR_ANYONE
    if not for_anyone and draft.has_started:
        own = proved_keys(by, series_table(series), draft.snake.order)
    plays = frozenset({Role.PLAYER}) if own else frozenset[Role]()
    with _on_draft("pick-series-prize", by, draft, version, plays) as writing:
        before = draft.snake
        if not for_anyone and before.whose not in own:
            raise Refused(_("It isn't your turn to pick. Reload the page to see whose turn it is."))
        if prize not in before.left or before.whose is None:
            raise Refused(_("This prize has already been picked. Choose a different one."))
        writing.save(draft, turns=turns_as_json(before.pick(prize)))
        writing.says("series-prize-picked", series=series, pick=len(draft.turns), prize=prize)
    return draft


def skip(*, by: Actor, draft: SeriesDraft, for_good: bool = False, version: int | None = None) -> SeriesDraft:
    """Skip the turn of a player who is absent, and all later ones if `for_good`."""
    with _on_draft("run-series-draft", by, draft, version) as writing:
        before = draft.snake
        if before.whose is None:
            raise Refused(_("The prize draft is over."))
        writing.save(draft, turns=turns_as_json(before.skip(for_good=for_good)))
        writing.says("series-turn-skipped", series=draft.series, pick=len(draft.turns))
    return draft


def withdraw_pick(*, by: Actor, draft: SeriesDraft, version: int | None = None) -> SeriesDraft:
    """Withdraw the last pick or skipped turn."""
    with _on_draft("run-series-draft", by, draft, version) as writing:
        before = draft.snake
        if not before.turns:
            raise Refused(_("No prize has been picked yet, so no pick can be withdrawn."))
        writing.save(draft, turns=turns_as_json(before.without_last()))
        writing.says("series-pick-withdrawn", series=draft.series, pick=len(before.turns))
    return draft
