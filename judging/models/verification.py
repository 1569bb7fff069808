"""Checks of a force by a judge at the table, figure by figure."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from events.models import Force, Person


class ForceCheck(models.Model):
    """A judge's check of one force: the figures seen, the findings, the outcome."""

    class Outcome(models.TextChoices):
        OPEN = "open", _("being verified")
        PASSED = "passed", _("passed")
        FAILED = "failed", _("failed")

    class Remedy(models.TextChoices):
        NONE = "none", _("none needed")
        REPLACED = "replaced", _("figure to be replaced")
        ROUND = "round", _("disqualified from the round")
        EVENT = "event", _("disqualified from the event")

    force = models.ForeignKey(Force, on_delete=models.CASCADE, related_name="checks")
    judge = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="force_checks")
    began = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.OPEN)
    findings = models.JSONField(default=list)
    remedy = models.CharField(max_length=10, choices=Remedy, default=Remedy.NONE)
    note = models.CharField(_("note"), max_length=400, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("force verification")
        verbose_name_plural = _("force verifications")
        ordering = ["-began", "-pk"]

    def __str__(self) -> str:
        return f"{self.force}: {self.get_outcome_display()}"
