"""Calls: a table's request for a judge, from the raised hand until a judge has resolved it."""

from __future__ import annotations

import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from events.models import Entry, Extension, Match, Person, Round


class Call(models.Model):
    """A table's call for a judge: waiting → taken → at the table → closed (or cancelled before a judge arrived)."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for a judge")
        TAKEN = "taken", _("a judge is coming")
        AT_TABLE = "at-table", _("a judge is at the table")
        CLOSED = "closed", _("resolved")
        CANCELLED = "cancelled", _("cancelled")

    class Reason(models.TextChoices):
        RULES = "rules", _("rules question")
        RESULT = "result", _("result or score")
        TIME = "time", _("time or slow play")
        URGENT = "urgent", _("urgent")

    class Category(models.TextChoices):
        RULE = "rule", _("rule or power")
        LINE = "line", _("line of fire or distance")
        POSITION = "position", _("position or dial")
        FORCE = "force", _("force")
        RESULT = "result", _("result or score")
        SLOW_PLAY = "slow-play", _("slow play")
        CONDUCT = "conduct", _("conduct")
        OTHER = "other", _("something else")

    class Outcome(models.TextChoices):
        ANSWERED = "answered", _("question answered")
        RULED = "ruled", _("ruling given")
        PUT_RIGHT = "put-right", _("position corrected")
        PENALTY = "penalty", _("penalty given")
        NOTHING = "nothing", _("no action needed")

    OPEN = (State.WAITING, State.TAKEN, State.AT_TABLE)

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="calls")
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    raised = models.DateTimeField(_("raised"))
    raised_by_entry = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    raised_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=8, choices=Reason, blank=True)
    for_head_judge = models.BooleanField(_("head judge requested"), default=False)
    judge = models.ForeignKey(
        Person, verbose_name=_("judge"), on_delete=models.PROTECT, null=True, blank=True, related_name="calls"
    )
    taken = models.DateTimeField(_("taken"), null=True, blank=True)
    arrived = models.DateTimeField(_("at the table since"), null=True, blank=True)
    ended = models.DateTimeField(_("ended"), null=True, blank=True)
    ended_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    category = models.CharField(_("subject"), max_length=12, choices=Category, blank=True)
    text = models.CharField(_("details"), max_length=200, blank=True)
    outcome = models.CharField(_("outcome"), max_length=12, choices=Outcome, blank=True)
    extension = models.OneToOneField(Extension, on_delete=models.SET_NULL, null=True, blank=True, related_name="call")
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        ordering = ["raised", "pk"]
        indexes = [models.Index(fields=["state", "raised"], name="calls_by_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=models.Q(state__in=["waiting", "taken", "at-table"]),
                name="one_open_call_per_table",
            )
        ]

    def __str__(self) -> str:
        return _("Call from table %(table)s") % {"table": self.match.table}

    @property
    def round(self) -> Round:
        """Return the table's round; the action table asks for its state."""
        return self.match.round

    @property
    def is_open(self) -> bool:
        """Return whether the call is neither closed nor cancelled."""
        return self.state in self.OPEN

    @property
    def is_urgent(self) -> bool:
        """Return whether the table said that its call can't wait."""
        return self.reason == self.Reason.URGENT

    @property
    def is_waiting(self) -> bool:
        """Return whether no judge has taken the call."""
        return self.state == self.State.WAITING

    @property
    def is_at_table(self) -> bool:
        """Return whether a judge is at the table."""
        return self.state == self.State.AT_TABLE

    @property
    def waited(self) -> datetime.timedelta | None:
        """Return how long the table waited for a judge; None if no judge has arrived."""
        return self.arrived - self.raised if self.arrived else None

    @property
    def took(self) -> datetime.timedelta | None:
        """Return the time from a judge's arrival to the call's end; None while it is open or if no judge arrived."""
        return self.ended - self.arrived if self.ended and self.arrived else None
