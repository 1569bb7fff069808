"""Drafts at an event: boosters passed round a table, and the prizes that its players pick in turn."""

import datetime
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from events.passing import Passing
from events.snake import SnakeDraft, Turn

from .events import Event
from .rounds import Match, Round
from .series import Series


class Pod(models.Model):
    """The booster draft of a table: `seats` are numbers of entries in order of passing, to the left.

    `picks` has a list for each seat with, for each step, what was recorded (an element as `Pool.elements` holds it) or
    null. `on_paper` are the seats that record theirs on paper. It ends with the last pick.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="pod")
    seats = models.JSONField(_("seats"), default=list)
    boosters = models.PositiveSmallIntegerField(_("boosters per player"), default=1)
    figures = models.PositiveSmallIntegerField(_("figures per booster"), default=5)
    seconds = models.PositiveSmallIntegerField(_("seconds per pick"), default=60)
    step = models.PositiveSmallIntegerField(_("completed picks"), default=0)
    began = models.DateTimeField(_("start of the pick"))
    ended = models.DateTimeField(_("ended"), null=True, blank=True)
    picks = models.JSONField(_("picks"), default=list)
    on_paper = models.JSONField(_("seats that record their picks on paper"), default=list)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("booster draft")
        verbose_name_plural = _("booster drafts")

    def __str__(self) -> str:
        return str(self.match)

    @property
    def round(self) -> Round:
        """The round whose table drafts; the action table asks for its state."""
        return self.match.round

    @property
    def passing(self) -> Passing:
        """How the boosters go round."""
        return Passing(max(1, len(self.seats)), max(1, self.boosters), max(1, self.figures))

    @property
    def ends(self) -> datetime.datetime:
        """When the time for this pick is up."""
        return self.began + datetime.timedelta(seconds=self.seconds)

    def recorded(self, number: int) -> list[dict[str, Any] | None]:
        """Return what an entry recorded, a value for each step; nothing if an event file brought what can't be."""
        steps = self.passing.steps
        try:
            row = list(self.picks[self.seats.index(number)])
        except (LookupError, TypeError, ValueError, AttributeError):
            row = []
        kept = [one if isinstance(one, dict) and isinstance(one.get("facts"), dict) else None for one in row[:steps]]
        return kept + [None] * (steps - len(kept))

    @property
    def has_begun(self) -> bool:
        """Whether a pick has been recorded, or the boosters have been passed."""
        return self.step > 0 or any(one is not None for number in self.seats for one in self.recorded(number))

    @property
    def waiting_for(self) -> list[int]:
        """The entries that have yet to record this step's pick; not those who record theirs on paper."""
        if self.ended is not None or not isinstance(self.seats, list) or self.step >= self.passing.steps:
            return []
        return [number for number in self.seats if number not in self.on_paper and not self.recorded(number)[self.step]]


class SnakeRow(models.Model):
    """A snake draft of prizes; its order, numbers of entries by place, is empty until it starts.

    A turn is `{"entry", "prize", "note", "for_good"}`; `prize` is null if the turn was skipped.
    """

    pool = models.JSONField(_("prizes"), default=list)
    order = models.JSONField(_("order of picks"), default=list)
    turns = models.JSONField(_("picks"), default=list)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(_("Prize draft"))

    @property
    def has_started(self) -> bool:
        """Whether its order stands."""
        return bool(self.snake.order)

    @property
    def snake(self) -> SnakeDraft[int]:
        """The draft as a value, over the numbers of entries; empty if an event file brought what can't be one."""
        try:
            turns = tuple(Turn(one["entry"], one["prize"], one["note"], one["for_good"]) for one in self.turns)
            return SnakeDraft(tuple(self.order), tuple(map(str, self.pool)), turns)
        except (LookupError, TypeError, ValueError):
            return SnakeDraft((), ())


class PrizeDraft(SnakeRow):
    """An event's snake draft of prizes."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="prize_draft")

    class Meta:
        verbose_name = _("prize draft")
        verbose_name_plural = _("prize drafts")


class SeriesDraft(SnakeRow):
    """The snake draft at the end of a series. Its order names each player by the key of one of their entries."""

    series = models.OneToOneField(Series, on_delete=models.CASCADE, related_name="draft")
    is_own_turn = False
    """Whether the person for whom the draft was read picks now."""

    class Meta:
        verbose_name = _("prize draft of a series")
        verbose_name_plural = _("prize drafts of series")


def prize_draft_of(event: Event) -> PrizeDraft | None:
    """Return the prize draft that was read with its event, else read it now; None without one."""
    return getattr(event, "prize_draft", None)


def turns_as_json(draft: SnakeDraft[int]) -> list[dict[str, Any]]:
    """Return a draft's turns as the database stores them."""
    return [
        {"entry": turn.name, "prize": turn.prize, "note": turn.note, "for_good": turn.for_good} for turn in draft.turns
    ]
