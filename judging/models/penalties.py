"""Penalties given to players at an event."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from events.models import Entry, Match, Person, Round


class Penalty(models.Model):
    """A penalty with its kind, category and reason; a withdrawn one stays, marked.

    `effect` is what the penalty changed, with the values before: `match_state` and `result` of the match that it lost,
    `entry_state` and `dropped_after` of the entry that it disqualified.
    """

    class Kind(models.TextChoices):
        CAUTION = "caution", _("caution")
        WARNING = "warning", _("warning")
        GAME_LOSS = "game-loss", _("game loss")
        DISQUALIFICATION = "disqualification", _("disqualification")

    class Category(models.TextChoices):
        FORCE = "force", _("illegal force")
        SLOW_PLAY = "slow-play", _("slow play")
        PROCEDURE = "procedure", _("procedural error")
        CONDUCT = "conduct", _("unsporting conduct")
        LATE = "late", _("late arrival")
        CHEATING = "cheating", _("cheating")
        OTHER = "other", _("other")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="penalties")
    round = models.ForeignKey(Round, on_delete=models.SET_NULL, null=True, blank=True, related_name="penalties")
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, blank=True, related_name="penalties")
    kind = models.CharField(_("penalty"), max_length=20, choices=Kind)
    category = models.CharField(_("infraction"), max_length=20, choices=Category)
    text = models.CharField(_("what happened"), max_length=400)
    given_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="penalties_given")
    at = models.DateTimeField(auto_now_add=True)
    effect = models.JSONField(default=dict, blank=True)
    withdrawn = models.BooleanField(default=False)
    withdrawn_reason = models.CharField(max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_kind_display()}"
