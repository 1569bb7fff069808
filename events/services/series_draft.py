"""The prize draft at the end of a series: its pool, its order from the final table, and the picks, at the desk."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from events.door import Refused, Stale, door
from events.models import Series, SeriesDraft
from events.models.drafts import turns_as_json
from events.roles import Actor
from events.series_table import series_table

from .prizes import keep_prizes, prize_lines


def draft_of(series: Series) -> SeriesDraft | None:
    """Return the series' prize draft, or None."""
    return SeriesDraft._default_manager.filter(series=series).first()


def edit_prizes(*, by: Actor, series: Series, prizes: Iterable[str], version: int | None = None) -> SeriesDraft:
    """List the prizes, one a line; a line may occur several times. Prizes that were picked must stay."""
    lines = prize_lines(prizes)
    row = draft_of(series)
    with door("edit-series-prizes", by=by, venue=series.venue, on=row, version=version) as writing:
        if row is None and (made := draft_of(series)) is not None:
            raise Stale(made)
        draft = row or writing.create(SeriesDraft, series=series)
        keep_prizes(writing, draft, lines)
        writing.says("series-prizes-listed", series=series, n=len(lines))
    return draft


def start(*, by: Actor, draft: SeriesDraft, version: int | None = None) -> SeriesDraft:
    """Start with the order of the final table, eligible players only; again as long as nothing was picked."""
    with door("run-series-draft", by=by, venue=draft.series.venue, on=draft, version=version) as writing:
        if not draft.series.is_over:
            raise Refused(_("End the series first. The order of picks comes from the final table."))
        if draft.turns:
            raise Refused(_("The prize draft has already started."))
        if not draft.pool:
            raise Refused(_("List the prizes first."))
        order = [player.entry for player in series_table(draft.series).prize_order]
        if not order:
            raise Refused(_("No player is eligible for the prize draft."))
        writing.save(draft, order=order)
        writing.says("series-draft-started", series=draft.series)
    return draft


def pick(*, by: Actor, draft: SeriesDraft, prize: str, version: int | None = None) -> SeriesDraft:
    """Record the pick of the player whose turn it is."""
    with door("run-series-draft", by=by, venue=draft.series.venue, on=draft, version=version) as writing:
        before = draft.snake
        if prize not in before.left or before.whose is None:
            raise Refused(_("Someone has already picked this prize. Choose another one."))
        writing.save(draft, turns=turns_as_json(before.pick(prize)))
        writing.says("series-prize-picked", series=draft.series, pick=len(draft.turns), prize=prize)
    return draft


def skip(*, by: Actor, draft: SeriesDraft, for_good: bool = False, version: int | None = None) -> SeriesDraft:
    """Skip the turn of a player who is absent, and all later ones if `for_good`."""
    with door("run-series-draft", by=by, venue=draft.series.venue, on=draft, version=version) as writing:
        before = draft.snake
        if before.whose is None:
            raise Refused(_("The prize draft is over."))
        writing.save(draft, turns=turns_as_json(before.skip(for_good=for_good)))
        writing.says("series-turn-skipped", series=draft.series, pick=len(draft.turns))
    return draft


def withdraw_pick(*, by: Actor, draft: SeriesDraft, version: int | None = None) -> SeriesDraft:
    """Withdraw the last pick or skipped turn."""
    with door("run-series-draft", by=by, venue=draft.series.venue, on=draft, version=version) as writing:
        before = draft.snake
        if not before.turns:
            raise Refused(_("No prize has been picked."))
        writing.save(draft, turns=turns_as_json(before.without_last()))
        writing.says("series-pick-withdrawn", series=draft.series, pick=len(before.turns))
    return draft
