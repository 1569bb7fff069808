"""Series: events of one or several venues with one table. Its table is never stored: `events.series_table` derives it."""

from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.formats import localize
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from events.series import PLACE_POINTS, SeriesRules

from .events import Event, new_public_id, new_seed
from .fields import NameField
from .people import Person
from .venues import Venue

MAX_EVENTS = 60
"""The most events of a series: a page computes the standings of all of them."""
LARGEST_POINTS = 1000


def usual_place_points() -> list[int]:
    """Return the points for places that a new series begins with."""
    return list(PLACE_POINTS)


class Series(models.Model):
    """A series that a venue organises, with the rules of its table."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    venue = models.ForeignKey(Venue, on_delete=models.PROTECT, related_name="series", verbose_name=_("venue"))
    name = NameField(_("name"), max_length=120)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    place_points = models.JSONField(_("points by place"), default=usual_place_points, blank=True)
    win_points = models.PositiveSmallIntegerField(
        _("points for each win"), default=0, validators=[MaxValueValidator(LARGEST_POINTS)]
    )
    match_point_points = models.PositiveSmallIntegerField(
        _("points for each match point"), default=0, validators=[MaxValueValidator(LARGEST_POINTS)]
    )
    attendance_points = models.PositiveSmallIntegerField(
        _("points for attendance"), default=0, validators=[MaxValueValidator(LARGEST_POINTS)]
    )
    best_of = models.PositiveSmallIntegerField(
        _("results counted for each player"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_EVENTS)],
    )
    min_events = models.PositiveSmallIntegerField(
        _("events needed to be eligible"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_EVENTS)],
    )
    seed = models.PositiveIntegerField(default=new_seed, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(_("ended"), null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = pgettext_lazy("several", "series")
        ordering = ["-created", "-pk"]
        indexes = [models.Index(fields=["-created", "-id"], name="series_by_age")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_over(self) -> bool:
        """Whether the organiser has ended the series."""
        return self.ended is not None

    @property
    def rules(self) -> SeriesRules:
        """How the series counts."""
        return SeriesRules(
            tuple(self.place_points),
            self.win_points,
            self.match_point_points,
            self.attendance_points,
            self.best_of,
            self.min_events,
            self.seed,
        )


class SeriesEvent(models.Model):
    """An event in a series; until a manager of its venue has accepted, an invitation that counts for nothing.

    It belongs to this installation, like the series: event files don't contain it, and importing one never makes it.
    """

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="rows")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="in_series")
    multiplier = models.DecimalField(
        _("multiplier"),
        max_digits=4,
        decimal_places=2,
        default=Decimal(1),
        validators=[MinValueValidator(0), MaxValueValidator(20)],
    )
    accepted = models.DateTimeField(_("accepted by the event's venue"), null=True, blank=True)
    added = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("event of a series")
        verbose_name_plural = _("events of series")
        ordering = ["event__starts", "pk"]
        constraints = [models.UniqueConstraint(fields=["series", "event"], name="one_row_per_event_of_series")]

    def __str__(self) -> str:
        return f"{self.series}: {self.event}"

    @property
    def factor(self) -> str:
        """The multiplier as shown; empty for 1."""
        return (
            "" if self.multiplier == 1 else str(localize(float(self.multiplier))).removesuffix(".0").removesuffix(",0")
        )


class SeriesJoin(models.Model):
    """A name without an account that counts as another player of a series: an account's owner or another name."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="joins")
    name = NameField(_("name"), max_length=120)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    other = NameField(_("same person as"), max_length=120, help_text=_("Used only if the other player has no account."))
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("merged name")
        verbose_name_plural = _("merged names")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name
