"""Rows of the sanctioning policy: exceptions granted, seasons published, reminders sent.

The rules themselves are code (events.policy), which no row can change.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from events.policy.rules import RULES

from .events import Event
from .people import Person
from .venues import Venue


class PolicyOverride(models.Model):
    """An exception to one rule, granted by the sanctioning office to an event (or a person in it), with a reason."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="overrides")
    rule = models.CharField(_("rule"), max_length=60)
    person = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="overrides", verbose_name=_("person")
    )
    reason = models.CharField(_("reason"), max_length=300)
    given_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    given = models.DateTimeField(_("granted"), auto_now_add=True)
    withdrawn = models.DateTimeField(_("revoked"), null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("policy exception")
        verbose_name_plural = _("policy exceptions")
        ordering = ["given", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "rule"],
                condition=models.Q(withdrawn__isnull=True, person__isnull=True),
                name="one_override_per_rule",
            ),
            models.UniqueConstraint(
                fields=["event", "rule", "person"],
                condition=models.Q(withdrawn__isnull=True, person__isnull=False),
                name="one_override_per_rule_and_person",
            ),
        ]

    def __str__(self) -> str:
        return str(RULES[self.rule].title)


class Season(models.Model):
    """A tournament season of a universe, published by the sanctioning office; includes both its days."""

    universe = models.CharField(_("universe"), max_length=12, choices=Event.Universe)
    name = models.CharField(_("name"), max_length=80)
    begins = models.DateField(_("first day"))
    ends = models.DateField(_("last day"))
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-begins", "universe", "pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(ends__gte=models.F("begins")), name="season_ends_after_it_begins")
        ]

    def __str__(self) -> str:
        return self.name


class Reminder(models.Model):
    """A reminder sent by e-mail, so that no one gets the same one twice."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="reminders")
    key = models.CharField(_("subject"), max_length=120)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="reminders")
    venue = models.ForeignKey(Venue, on_delete=models.CASCADE, null=True, blank=True, related_name="reminders")
    sent = models.DateTimeField(_("sent"), auto_now_add=True)

    class Meta:
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        ordering = ["-sent", "-pk"]
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_reminder_each")]

    def __str__(self) -> str:
        return f"{self.person} · {self.key}"
