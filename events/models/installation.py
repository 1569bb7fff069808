"""The settings of the installation: defaults for new events and venues."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .events import Event
from .venues import valid_time_zone


class Installation(models.Model):
    """The settings of this installation, in a single row that the set-up creates."""

    format = models.CharField(_("format"), max_length=20, choices=Event.Format, default=Event.Format.CONSTRUCTED)
    edition = models.CharField(
        _("rulebook edition"), max_length=20, choices=Event.Edition, default=Event.Edition.CORE_MODERN
    )
    build_total = models.PositiveIntegerField(_("build total"), default=300)
    country = models.CharField(_("country"), max_length=60, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=60, validators=[valid_time_zone])
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)
    report_to = models.EmailField(
        _("e-mail address for verified results"),
        blank=True,
        help_text=_(
            "Verified results are e-mailed to this address. Leave it empty to send them to the administrators."
        ),
    )
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("installation")
        verbose_name_plural = _("installations")

    def __str__(self) -> str:
        return "Headjudge"

    @classmethod
    def here(cls) -> "Installation":
        """Return this installation's settings; before the set-up those of the environment, unsaved."""
        found = cls.objects.first()
        return found or cls(time_zone=settings.TIME_ZONE, language=settings.LANGUAGE_CODE)
