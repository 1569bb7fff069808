"""The verified report of a finished event, as it was when the head judge verified it, and its e-mails."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
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


class ReportMail(models.Model):
    """The verified report e-mailed to one recipient: a person, or the sanctioning office's own address.

    The row is the queue, too: what is waiting is sent outside the request that asked for it.
    """

    class To(models.TextChoices):
        OFFICE = "office", _("sanctioning office")
        VENUE = "venue", _("venue manager")

    class State(models.TextChoices):
        WAITING = "waiting", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    class Fault(models.TextChoices):
        NO_SERVER = "no-server", _("The mail server can't be reached.")
        ADDRESS = "address", _("The mail server refused the address.")
        REFUSED = "refused", _("The mail server refused the e-mail.")
        RESTORED = "restored", _("A backup was restored before the report was sent.")
        NO_REPORT = "no-report", _("The verification was withdrawn.")
        OTHER = "other", _("The report couldn't be created. The administrator can find the reason in the server's log.")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="report_mails")
    to = models.CharField(_("recipient"), max_length=8, choices=To)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    address = models.EmailField(blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    fault = models.CharField(max_length=10, choices=Fault, blank=True)
    asked = models.DateTimeField(default=timezone.now)
    began = models.DateTimeField(null=True, blank=True)
    settled = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("e-mailed report")
        verbose_name_plural = _("e-mailed reports")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.person or self.address} ({self.get_to_display()})"
