"""Drafts at an event: the prizes that its players pick in turn."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from events.snake import SnakeDraft, Turn

from .events import Event
from .series import Series


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
