"""Venues of sanctioned events, their managers, and a game club's members."""

import functools
import zoneinfo

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from .fields import NameField
from .people import Person, Volunteer


@functools.cache
def time_zones() -> frozenset[str]:
    """Return the names of the IANA database's time zones, read once: they are in hundreds of files."""
    return frozenset(zoneinfo.available_timezones())


def valid_time_zone(name: str) -> None:
    """Raise ValidationError unless `name` is a time zone of the IANA database."""
    if name not in time_zones():
        raise ValidationError(_("“%(name)s” isn't a time zone. Choose one from the list."), params={"name": name})


class VenueQuerySet(models.QuerySet["Venue"]):
    """Venues, by manager."""

    def managed_by(self, person: Person) -> "VenueQuerySet":
        """Return the venues that this person manages, without offers not yet accepted."""
        return self.filter(management__in=VenueManager.objects.at_work().filter(person=person))


class Venue(models.Model):
    """A retail store, convention or game club that has registered or asks to."""

    class Kind(models.TextChoices):
        STORE = "store", _("retail store")
        CONVENTION = "convention", _("convention")
        CLUB = "club", _("game club")

    class State(models.TextChoices):
        PENDING = "pending", _("waiting for approval")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("rejected")
        SUSPENDED = "suspended", _("suspended")

    name = NameField(_("name"), max_length=120)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.PENDING)
    public_location = models.TextField(
        _("public location"),
        max_length=400,
        help_text=_("The address where people come to play: street, number, city."),
    )
    city = models.CharField(_("city"), max_length=80)
    country = models.CharField(_("country"), max_length=60)
    shipping_address = models.TextField(
        _("shipping address"), max_length=400, help_text=_("No PO boxes: deliveries need a signature.")
    )
    telephone = models.CharField(_("telephone"), max_length=40)
    tax_number = models.CharField(
        _("tax number"), max_length=60, blank=True, help_text=_("Only the sanctioning office can see this number.")
    )
    resale_number = models.CharField(
        _("resale certificate number"),
        max_length=60,
        blank=True,
        help_text=_("Only the sanctioning office can see this number."),
    )
    website = models.URLField(_("website"), blank=True)
    time_zone = models.CharField(_("time zone"), max_length=60, default="UTC", validators=[valid_time_zone])
    tables = models.PositiveSmallIntegerField(_("tables"), default=16)
    registered_volunteer = models.ForeignKey(
        Volunteer,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="clubs",
        verbose_name=_("registered volunteer"),
        help_text=_("A game club must name one of its members here."),
    )
    volunteer_agreed = models.DateTimeField(_("accepted by the registered volunteer"), null=True, blank=True)
    opens = models.DateField(
        _("first day"), null=True, blank=True, help_text=_("Enter this date only for a convention.")
    )
    closes = models.DateField(
        _("last day"), null=True, blank=True, help_text=_("Enter this date only for a convention.")
    )
    registered = models.DateTimeField(_("registered"), auto_now_add=True)
    decided = models.DateTimeField(_("decided"), null=True, blank=True)
    decision_reason = models.CharField(_("reason"), max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = VenueQuerySet.as_manager()

    class Meta:
        verbose_name = _("venue")
        verbose_name_plural = _("venues")
        ordering = ["name", "pk"]
        indexes = [models.Index(fields=["state", "name", "id"], name="venues_by_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def address(self) -> str:
        """The public location, city and country on two lines; a city that ends the location isn't repeated."""
        street = self.public_location.strip()
        city = [] if street.casefold().endswith(self.city.casefold()) else [self.city]
        return f"{street}\n{', '.join([*city, self.country])}"

    @property
    def is_approved(self) -> bool:
        """Whether the sanctioning office lets this venue hold sanctioned events."""
        return self.state == self.State.APPROVED

    @property
    def agreed_volunteer(self) -> Volunteer | None:
        """The registered volunteer, if they accepted; until then the club has none and their name isn't shown."""
        return self.registered_volunteer if self.volunteer_agreed is not None else None

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The venue's time zone, in which all times of its events are shown."""
        return zoneinfo.ZoneInfo(self.time_zone)


class VenueManagerQuerySet(models.QuerySet["VenueManager"]):
    """Managers, by acceptance."""

    def at_work(self) -> "VenueManagerQuerySet":
        """Return the managers who accepted; offers give no rights."""
        return self.filter(confirmed__isnull=False)

    def offered(self) -> "VenueManagerQuerySet":
        """Return the managers who haven't accepted yet."""
        return self.filter(confirmed__isnull=True)


class VenueManager(models.Model):
    """A person who acts for a venue."""

    venue = models.ForeignKey(Venue, on_delete=models.CASCADE, related_name="management")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="managing")
    since = models.DateTimeField(auto_now_add=True)
    answered = models.DateTimeField(_("accepted, address not confirmed"), null=True, blank=True)
    confirmed = models.DateTimeField(_("accepted by the manager"), null=True, blank=True)

    objects = VenueManagerQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["venue", "person"], name="one_management_per_person")]

    def __str__(self) -> str:
        return f"{self.person} · {self.venue}"

    @property
    def called(self) -> str:
        """The person's name once they have accepted or declined; until then only the address a manager typed."""
        return str(self.person) if self.confirmed or self.answered else self.person.email


class ClubMember(models.Model):
    """A registered member of a game club; a club needs eight."""

    venue = models.ForeignKey(Venue, on_delete=models.CASCADE, related_name="members")
    name = NameField(_("name"), max_length=120)
    email = models.EmailField(_("e-mail address"), blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["venue", "name", "email"], name="one_membership_per_member")]

    def __str__(self) -> str:
        return self.name


class Hall(models.Model):
    """A room where several events can run side by side, each with its own tables."""

    venue = models.ForeignKey(Venue, on_delete=models.CASCADE, related_name="halls")
    name = NameField(_("name"), max_length=80)
    tables = models.PositiveSmallIntegerField(_("tables"), default=16)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["venue", "name"], name="one_hall_per_name")]

    def __str__(self) -> str:
        return self.name
