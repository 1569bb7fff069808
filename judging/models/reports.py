"""The verified report of a finished event: the venue's copy, as it was when the head judge verified it."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from events.models import Event, Person


class VerifiedReport(models.Model):
    """An event file as verified. Withdrawing the verification keeps the report, marked."""

    UNRECORDED = ("document",)

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="verified_reports")
    document = models.JSONField(encoder=DjangoJSONEncoder)
    made = models.DateTimeField(_("verified"), auto_now_add=True)
    made_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    received = models.DateTimeField(_("received by the venue"), null=True, blank=True)
    received_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    withdrawn = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("verified report")
        verbose_name_plural = _("verified reports")
        ordering = ["-made", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["event"], condition=models.Q(withdrawn=False), name="one_valid_report")
        ]

    def __str__(self) -> str:
        return f"{self.event} · {self.made:%Y-%m-%d}"
