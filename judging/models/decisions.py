"""Decisions: a judge's ruling with its reasons, the appeal against it, and the head judge's final answer.

What the rules say about a position is the engine's reading (`rules.engine`). It is stored with the decision as it was
at the time, and a judge may rule against it, with a reason. Nothing is overwritten: a wrong decision is withdrawn or
overturned, and stays readable.
"""

from __future__ import annotations

import datetime

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from events.models import Claim, Entry, Event, Extension, Match, Person, Round

from .calls import Call
from .penalties import Penalty


class TableDispute(models.Model):
    """The dispute of a table: links a position of the rules app to a match and, if there is one, a call."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="disputes")
    call = models.ForeignKey(Call, on_delete=models.SET_NULL, null=True, blank=True, related_name="disputes")
    key = models.CharField(_("dispute address"), max_length=64, unique=True)
    title = models.CharField(_("title"), max_length=200, blank=True)
    opened_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    opened = models.DateTimeField(_("opened"))

    class Meta:
        verbose_name = _("table dispute")
        verbose_name_plural = _("table disputes")
        ordering = ["-opened", "-pk"]

    def __str__(self) -> str:
        return self.title or self.key


class Decision(models.Model):
    """A judge's decision: stands → appealed → upheld or overturned by the head judge; or withdrawn.

    `position` is the position document and `outcome` the engine's report, copied when the judge ruled; `reading` is the
    report's answer and `reading_text` its wording. `question_key` is the same for the same question in any language.
    `topics` and `rulings` are keys of the rules app, `citations` are the engine's. A final answer is in `final_answer`,
    `final_text` and `final_reasons`.
    """

    UNRECORDED = ("position", "outcome")

    class Answer(models.TextChoices):
        YES = "yes", _("yes")
        NO = "no", _("no")
        CLEAR = "clear", _("clear")
        HINDERED = "hindered", _("hindered")
        BLOCKED = "blocked", _("blocked")
        WORDS = "words", _("in words")

    class State(models.TextChoices):
        STANDS = "stands", _("in force")
        APPEALED = "appealed", _("under appeal")
        UPHELD = "upheld", _("upheld by the head judge")
        OVERTURNED = "overturned", _("overturned by the head judge")
        WITHDRAWN = "taken-back", _("withdrawn")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="decisions")
    number = models.PositiveIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.STANDS)
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, blank=True, related_name="decisions")
    call = models.ForeignKey(Call, on_delete=models.SET_NULL, null=True, blank=True, related_name="decisions")
    extension = models.ForeignKey(Extension, on_delete=models.SET_NULL, null=True, blank=True, related_name="decisions")
    penalty = models.ForeignKey(Penalty, on_delete=models.SET_NULL, null=True, blank=True, related_name="decisions")
    claim = models.ForeignKey(Claim, on_delete=models.SET_NULL, null=True, blank=True, related_name="decisions")
    replaces = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replaced_by")

    edition = models.CharField(_("rulebook edition"), max_length=20, choices=Event.Edition)
    topics = models.JSONField(_("topics"), default=list)
    rulings = models.JSONField(_("official rulings"), default=list)
    citations = models.JSONField(_("citations"), default=list)
    question = models.CharField(_("question"), max_length=200)
    question_key = models.CharField(max_length=200, blank=True)
    answer = models.CharField(_("answer"), max_length=10, choices=Answer)
    text = models.CharField(_("ruling in words"), max_length=600, blank=True)
    reasons = models.CharField(_("reasons"), max_length=1000, blank=True)

    dispute_key = models.CharField(_("dispute"), max_length=64, blank=True)
    position = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    position_key = models.CharField(max_length=64, blank=True)
    outcome = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    reading = models.CharField(_("rules engine's answer"), max_length=10, choices=Answer, blank=True)
    reading_text = models.CharField(_("rules engine's explanation"), max_length=600, blank=True)
    against_reading = models.CharField(_("reason for overruling the rules engine"), max_length=400, blank=True)
    departs_from = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="departures"
    )
    departs_why = models.CharField(_("reason for differing from an earlier ruling"), max_length=400, blank=True)
    ruled_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="decisions")
    ruled_at = models.DateTimeField(_("ruled"))

    appealed_by_entry = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="appeals"
    )
    appealed_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="appeals")
    appealed_at = models.DateTimeField(_("appealed"), null=True, blank=True)
    appeal = models.CharField(_("reason for the appeal"), max_length=600, blank=True)
    final_answer = models.CharField(_("final ruling"), max_length=10, choices=Answer, blank=True)
    final_text = models.CharField(_("final ruling in words"), max_length=600, blank=True)
    final_reasons = models.CharField(_("reasons for the final ruling"), max_length=1000, blank=True)
    final_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="final_answers")
    final_at = models.DateTimeField(_("decided"), null=True, blank=True)
    taken_back_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    taken_back_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    taken_back_why = models.CharField(_("reason for withdrawal"), max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering = ["-ruled_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_decision_per_number")]
        indexes = [
            models.Index(fields=["edition", "-id"], name="decisions_by_edition"),
            models.Index(fields=["position_key"], name="decisions_by_position"),
        ]

    def __str__(self) -> str:
        return _("Ruling %(number)d") % {"number": self.number}

    @property
    def round(self) -> Round | None:
        """Return the table's round, None without a table; the action table asks for its state."""
        return self.match.round if self.match is not None else None

    @property
    def text_that_counts(self) -> str:
        """The wording of the answer that counts."""
        return self.final_text if self.is_final else self.text

    @property
    def counts(self) -> str:
        """Return the answer that counts now: the final one if there is one, "" if the decision was withdrawn."""
        if self.state == self.State.WITHDRAWN:
            return ""
        return self.final_answer or self.answer

    @property
    def is_against_reading(self) -> bool:
        """Return whether the answer that counts differs from the engine's answer."""
        return bool(self.reading and self.counts and self.counts != self.reading)

    @property
    def is_final(self) -> bool:
        """Return whether the head judge has given a final answer."""
        return self.state in (self.State.UPHELD, self.State.OVERTURNED)

    @property
    def last_changed(self) -> datetime.datetime:
        """Return when the decision last changed."""
        return max(at for at in (self.ruled_at, self.appealed_at, self.final_at, self.taken_back_at) if at)
